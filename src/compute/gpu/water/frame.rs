//! One frame on a graphics device.
//!
//! A step has three or four passes: `accelerate` (`shallow` for shallow water) writes flows before the outflow limit,
//! `limit` the limit of each cell, `pigment` (where there is any) and `move` the next state. The state before is only
//! read: its readback may be under way, and another frame may need it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::inflow::{self, PackedInflow};
use super::kernels::Kernels;
use super::layout::{COUNTERS, Params, counters, flag, gain, pair};
use super::passes::Pass;
use super::record::Recorder;
use super::resident::DeviceBuffers;
use super::slabs::{Partition, Slab};
use super::upload::{self, Slabs};
use crate::compute::gpu::fault::{Fault, Stop};
use crate::compute::gpu::fetch::fetch;
use crate::compute::gpu::options::FaultKind;
use crate::compute::gpu::pool::{Lease, Use};
use crate::sim::water::buffers::Sums;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, InitialSource, MassBalance, flow_planes};
use crate::sim::water::settings::{Model, Order};

/// Largest number of cell updates per submission: a few milliseconds on hardware.
const CELLS_PER_SUBMIT: usize = 1 << 23;
/// Largest number of steps per submission: bounds the time between two calls of `go_on`, and the work lost on an abort.
const STEPS_PER_SUBMIT: usize = 4;
/// Number of submissions in progress at once.
const SUBMITS_AHEAD: usize = 2;

/// The input of a frame in addition to its plan.
pub(super) struct FrameInput<'a> {
    pub kernels: &'a Kernels,
    pub partition: Arc<Partition>,
    /// The state before.
    pub before: DeviceBuffers,
    /// Totals of the state before.
    pub totals: [i64; 4],
    /// Terrain and pressure.
    pub base: Option<Slabs>,
    /// Pipe codes.
    pub codes: Slabs,
    /// Works on rows.
    pub device: &'a dyn Device,
    /// A fault to inject.
    pub fault: Option<FaultKind>,
}

/// The result of a frame.
pub(super) struct Made {
    pub buffers: DeviceBuffers,
    pub sums: Sums,
    pub balance: MassBalance,
}

/// The buffers of a frame.
struct Work<'a> {
    kernels: &'a Kernels,
    partition: Arc<Partition>,
    params: Vec<Lease>,
    before: DeviceBuffers,
    base: Option<Slabs>,
    codes: Slabs,
    push: Option<Slabs>,
    control: Option<Slabs>,
    initial: Option<Slabs>,
    inflow: Vec<Option<Lease>>,
    flow: Slabs,
    raw: Slabs,
    shares: Slabs,
    heights: [Slabs; 2],
    pigment: Option<[Slabs; 2]>,
    counters: Lease,
    planes: usize,
    flags: u32,
    /// The pass that accelerates the flows.
    accelerate: Pass,
}

/// Bind groups of a slab for steps that read and write the same buffers.
struct Groups {
    accelerate: wgpu::BindGroup,
    limit: wgpu::BindGroup,
    pigment: Option<wgpu::BindGroup>,
    step: wgpu::BindGroup,
}

/// Runs a frame.
pub(super) fn run(input: FrameInput<'_>, plan: &FramePlan, go_on: &mut dyn FnMut() -> bool) -> Result<Made, Stop> {
    let (kernels, fault, totals) = (input.kernels, input.fault, input.totals);
    let inflow = inflow::pack(plan, input.device);
    let added = inflow.as_ref().map_or([0; 4], |i| i.added);
    let work = Work::new(input, plan, inflow)?;
    kernels.inject(fault)?;

    let mut recorder = Recorder::new(kernels, work.flags);
    recorder.encoder().clear_buffer(work.counters.buffer(), 0, None);
    let mut source = work.source(plan)?;
    if plan.clear_solid || plan.initial.is_some() {
        work.prepare(&mut recorder, &source)?;
        source.height = work.heights[1].clone();
        source.pigment = work.pigment.as_ref().map(|p| p[1].clone());
    }
    let first = work.groups(&source, 0)?;
    let later = [work.groups(&work.written(0), 1)?, work.groups(&work.written(1), 0)?];

    let cells = work.partition.width * work.partition.height;
    let per_submit = (CELLS_PER_SUBMIT / cells.max(1)).clamp(1, STEPS_PER_SUBMIT);
    let mut ahead = VecDeque::new();
    for step in 0..plan.steps {
        if !go_on() {
            return Err(Stop::Interrupted);
        }
        let groups = if step == 0 { &first } else { &later[(step as usize - 1) % 2] };
        work.step(&mut recorder, groups, step, if step % 2 == 0 { 0 } else { 1 });
        if (step as usize + 1).is_multiple_of(per_submit) {
            ahead.push_back(std::mem::replace(&mut recorder, Recorder::new(kernels, work.flags)).submit()?);
            if ahead.len() > SUBMITS_AHEAD
                && let Some(submission) = ahead.pop_front()
                && !kernels.wait_until(&submission, kernels.deadline(), go_on)?
            {
                return Err(Stop::Interrupted);
            }
        }
    }
    let last = if plan.steps % 2 == 1 { 0 } else { 1 };
    let buffers = work.written(last);
    let counters = work.sum(recorder, &buffers)?;
    let (sums, balance) = balance(&counters, added, totals);
    Ok(Made { buffers, sums, balance })
}

/// Sums of the new state, and the mass balance of the frame; water that is missing has drained.
fn balance(counters: &[u64; COUNTERS], added: [i64; 4], before: [i64; 4]) -> (Sums, MassBalance) {
    let four = |from: usize| [0, 1, 2, 3].map(|kind| counters[from + kind] as i64);
    let (initial, removed, clamped, totals) = (four(0), four(4), four(8), four(12));
    let mut balance = MassBalance { added, removed, clamped, drained: [0; 4] };
    for kind in 0..4 {
        balance.added[kind] = added[kind].wrapping_add(initial[kind]);
        balance.drained[kind] = before[kind]
            .wrapping_add(balance.added[kind])
            .wrapping_sub(removed[kind])
            .wrapping_sub(clamped[kind])
            .wrapping_sub(totals[kind]);
    }
    (Sums { totals, wet: counters[16], highest: counters[17] as i32 }, balance)
}

impl<'a> Work<'a> {
    fn new(input: FrameInput<'a>, plan: &FramePlan, inflow: Option<PackedInflow>) -> Result<Work<'a>, Fault> {
        let FrameInput { kernels, partition, before, base, codes, .. } = input;
        let planes = flow_planes(plan.model);
        let pigment = before.pigment.is_some() || plan.colours();
        let field = |count| upload::planes(kernels, &partition, count);
        let mut work = Work {
            kernels,
            params: Vec::new(),
            push: plan.push.as_ref().map(|push| upload::field(kernels, &partition, push)).transpose()?,
            control: plan.control.as_ref().map(|shares| upload::field(kernels, &partition, shares)).transpose()?,
            initial: plan
                .initial
                .as_ref()
                .map(|(_, amounts)| upload::field(kernels, &partition, amounts))
                .transpose()?,
            inflow: Vec::new(),
            flow: field(planes)?,
            raw: field(planes)?,
            shares: field(1)?,
            heights: [field(1)?, field(1)?],
            pigment: if pigment { Some([field(3)?, field(3)?]) } else { None },
            counters: kernels.pool.take((COUNTERS * 8) as u64, Use::Planes)?,
            before,
            base,
            codes,
            planes,
            flags: 0,
            accelerate: if plan.model == Model::ShallowWater { Pass::Shallow } else { Pass::Accelerate },
            partition: Arc::clone(&partition),
        };
        work.flags = work.flags(plan, inflow.as_ref());
        for slab in &partition.slabs {
            let (lease, params) = work.params(plan, slab, inflow.as_ref())?;
            let words = params.words();
            let uniform = kernels.pool.take(size_of_val(&words) as u64, Use::Uniform)?;
            kernels.queue.write_buffer(uniform.buffer(), 0, bytemuck::cast_slice(&words));
            work.params.push(uniform);
            work.inflow.push(lease);
        }
        kernels.faults.check()?;
        Ok(work)
    }

    /// The flags of the frame.
    fn flags(&self, plan: &FramePlan, inflow: Option<&PackedInflow>) -> u32 {
        let on = |condition: bool, flag: u32| if condition { flag } else { 0 };
        let initial = plan.initial.as_ref().map(|(source, _)| *source);
        on(self.partition.wrap, flag::WRAP)
            | on(self.partition.wrap && !self.partition.is_split(), flag::WRAP_ROWS)
            | on(plan.model == Model::Classic, flag::CLASSIC)
            | on(self.base.is_some(), flag::BASE)
            | on(self.push.is_some(), flag::PUSH)
            | on(plan.domain.solid().is_some(), flag::SOLID)
            | on(self.pigment.is_some(), flag::PIGMENT)
            | on(inflow.is_some_and(|i| i.shared), flag::SHARED)
            | on(inflow.is_some_and(|i| i.coloured), flag::COLOURED)
            | on(initial == Some(InitialSource::Replace), flag::REPLACE)
            | on(initial == Some(InitialSource::FillUp), flag::FILL_UP)
            | on(plan.clear_solid, flag::CLEAR)
            | on(plan.model == Model::ShallowWater, flag::SHALLOW)
            | on(self.control.is_some(), flag::CONTROL)
            | on(plan.shallow.order == Order::Second, flag::SECOND_ORDER)
    }

    /// The uniforms of a slab, and its part of the inflow.
    fn params(
        &self,
        plan: &FramePlan,
        slab: &Slab,
        inflow: Option<&PackedInflow>,
    ) -> Result<(Option<Lease>, Params), Fault> {
        let partition = &self.partition;
        // The factor 2^28 already brings every flow other than 0 to its limit.
        let rescale = plan.rescale.unwrap_or(1 << 16).min(1 << 44);
        let mut params = Params {
            width: partition.width as u32,
            height: partition.height as u32,
            first: slab.first as u32,
            rows: slab.rows as u32,
            own_first: slab.own_first as u32,
            own_last: slab.own_last as u32,
            planes: self.planes as u32,
            wet: plan.wet,
            keep: pair(plan.keep),
            diagonal: pair(plan.diagonal),
            smoothing: pair(plan.smoothing),
            rescale: [(rescale >> 16) as u32, (rescale & 0xffff) as u32],
            cross: plan.cross.map(|c| [c.mantissa, c.shift, 0, 0]),
            gravity: gain(plan.shallow.gravity),
            friction: gain(plan.shallow.friction),
            inflow: [0; 4],
            evaporation: plan.evaporation.map(|e| e as u32),
            inflow_planes: 0,
            flags: self.flags,
        };
        let Some(inflow) = inflow else { return Ok((None, params)) };
        let [left, bottom] = inflow.from;
        let first = bottom.max(slab.own_first);
        let last = (bottom + inflow.shares.height() - 1).min(slab.own_last);
        if first > last {
            return Ok((None, params));
        }
        let rows = inflow.shares.rows(first - bottom + 1, last - bottom + 1);
        let lease = self.kernels.pool.take(size_of_val(rows) as u64, Use::Planes)?;
        self.kernels.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(rows));
        params.inflow = [left as u32, first as u32, inflow.shares.width() as u32, (last + 1 - first) as u32];
        params.inflow_planes = inflow.shares.planes() as u32;
        Ok((Some(lease), params))
    }

    /// The state before, with pigment where the frame has any.
    fn source(&self, plan: &FramePlan) -> Result<DeviceBuffers, Fault> {
        let mut source = self.before.clone();
        if self.pigment.is_some() && source.pigment.is_none() {
            debug_assert!(plan.colours());
            let blank = Field::new(self.partition.width, self.partition.height, 3);
            source.pigment = Some(upload::field(self.kernels, &self.partition, &blank)?);
        }
        Ok(source)
    }

    /// The state that a step of the frame writes into its first or second buffers.
    fn written(&self, nth: usize) -> DeviceBuffers {
        DeviceBuffers {
            partition: Arc::clone(&self.partition),
            flow: self.flow.clone(),
            height: self.heights[nth].clone(),
            pigment: self.pigment.as_ref().map(|p| p[nth].clone()),
        }
    }

    fn group(&self, pass: Pass, buffers: &[&wgpu::Buffer]) -> Result<wgpu::BindGroup, Fault> {
        self.kernels.passes.group(pass, buffers)
    }

    fn or_nothing<'b>(&'b self, slabs: Option<&'b Slabs>, nth: usize) -> &'b wgpu::Buffer {
        slabs.map_or(&self.kernels.nothing, |s| s[nth].buffer())
    }

    /// Bind groups of all slabs for steps that read `from` and write into the first or second buffers.
    fn groups(&self, from: &DeviceBuffers, to: usize) -> Result<Vec<Groups>, Fault> {
        let steps = &self.kernels.steps;
        let counters = self.counters.buffer();
        let make = |nth: usize| {
            let params = self.params[nth].buffer();
            let (raw, shares) = (self.raw[nth].buffer(), self.shares[nth].buffer());
            let height = from.height[nth].buffer();
            let inflow = self.inflow[nth].as_ref().map_or(&self.kernels.nothing, Lease::buffer);
            let base = self.or_nothing(self.base.as_ref(), nth);
            let push = self.or_nothing(self.push.as_ref(), nth);
            let codes = self.codes[nth].buffer();
            let flows = from.flow[nth].buffer();
            let control = self.or_nothing(self.control.as_ref(), nth);
            let buffers = [params, steps, flows, height, base, push, codes, control, raw];
            let accelerate = self.group(self.accelerate, &buffers)?;
            let limit = self.group(Pass::Limit, &[params, raw, height, shares])?;
            let pigment = match (&from.pigment, &self.pigment) {
                (Some(old), Some(new)) => {
                    let (old, new) = (old[nth].buffer(), new[to][nth].buffer());
                    let buffers = [params, steps, raw, shares, height, old, inflow, new, counters];
                    Some(self.group(Pass::Pigment, &buffers)?)
                }
                _ => None,
            };
            let (flow, moved) = (self.flow[nth].buffer(), self.heights[to][nth].buffer());
            let step = self.group(Pass::Move, &[params, steps, raw, shares, height, inflow, flow, moved, counters])?;
            Ok(Groups { accelerate, limit, pigment, step })
        };
        (0..self.partition.slabs.len()).map(make).collect()
    }

    /// Clears solid cells and sets the initial source, from the state before into the second buffers.
    fn prepare(&self, recorder: &mut Recorder<'_>, from: &DeviceBuffers) -> Result<(), Fault> {
        for (nth, slab) in self.partition.slabs.iter().enumerate() {
            let pigment = self.pigment.as_ref().map_or(&self.kernels.nowhere, |p| p[1][nth].buffer());
            let group = self.group(
                Pass::Prepare,
                &[
                    self.params[nth].buffer(),
                    from.height[nth].buffer(),
                    self.or_nothing(from.pigment.as_ref(), nth),
                    self.or_nothing(self.initial.as_ref(), nth),
                    self.codes[nth].buffer(),
                    self.heights[1][nth].buffer(),
                    pigment,
                    self.counters.buffer(),
                ],
            )?;
            recorder.dispatch(Pass::Prepare, &group, 0, &self.partition, slab);
        }
        self.exchange_state(recorder, 1);
        Ok(())
    }

    /// Exchanges the shared rows of heights and pigment.
    fn exchange_state(&self, recorder: &mut Recorder<'_>, to: usize) {
        recorder.exchange(&self.partition, &self.heights[to], 1);
        if let Some(pigment) = &self.pigment {
            recorder.exchange(&self.partition, &pigment[to], 3);
        }
    }

    /// Records a step.
    fn step(&self, recorder: &mut Recorder<'_>, groups: &[Groups], step: u32, to: usize) {
        let slabs = || self.partition.slabs.iter().zip(groups);
        for (slab, groups) in slabs() {
            recorder.dispatch(self.accelerate, &groups.accelerate, step, &self.partition, slab);
        }
        recorder.exchange(&self.partition, &self.raw, self.planes);
        for (slab, groups) in slabs() {
            recorder.dispatch(Pass::Limit, &groups.limit, step, &self.partition, slab);
        }
        recorder.exchange(&self.partition, &self.shares, 1);
        for (slab, groups) in slabs() {
            if let Some(pigment) = &groups.pigment {
                recorder.dispatch(Pass::Pigment, pigment, step, &self.partition, slab);
            }
            recorder.dispatch(Pass::Move, &groups.step, step, &self.partition, slab);
        }
        recorder.exchange(&self.partition, &self.flow, self.planes);
        self.exchange_state(recorder, to);
    }

    /// Sums the new state up and waits for the counters.
    fn sum(&self, mut recorder: Recorder<'_>, state: &DeviceBuffers) -> Result<[u64; COUNTERS], Fault> {
        for (nth, slab) in self.partition.slabs.iter().enumerate() {
            let buffers = [
                self.params[nth].buffer(),
                state.height[nth].buffer(),
                self.or_nothing(state.pigment.as_ref(), nth),
                self.counters.buffer(),
            ];
            recorder.dispatch(Pass::Sum, &self.group(Pass::Sum, &buffers)?, 0, &self.partition, slab);
        }
        let size = self.counters.buffer().size();
        let down = self.kernels.pool.take(size, Use::Down)?;
        recorder.encoder().copy_buffer_to_buffer(self.counters.buffer(), 0, down.buffer(), 0, size);
        let submission = recorder.submit()?;
        let mut words = [0_u32; 2 * COUNTERS];
        fetch(self.kernels, &submission, vec![(down, bytemuck::cast_slice_mut(&mut words))])?;
        Ok(counters(&words))
    }
}
