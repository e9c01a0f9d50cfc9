//! One frame on a graphics device.
//!
//! A step is three or four passes: `accelerate` (`shallow` for shallow water) writes raw flows, `limit` what each cell can afford of them, `pigment`
//! (where there is any) and `move` the next state. The state before is only read: it may be on its way down, or be asked
//! for again.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::core::Core;
use super::super::fault::{Fault, Stop};
use super::super::fetch::fetch;
use super::super::options::FaultKind;
use super::super::pool::{Lease, Use};
use super::inflow::{self, Inflow};
use super::layout::{COUNTERS, Params, account, flag, gain, pair};
use super::passes::Pass;
use super::record::Recorder;
use super::resident::Planes;
use super::slabs::{Cut, Slab};
use super::upload::{self, Slabs};
use crate::sim::water::buffers::Sums;
use crate::sim::water::plan::{Device, FramePlan, MassBalance, Once, flow_planes};
use crate::sim::water::settings::Model;

/// Cells that one submission may step through: a few milliseconds on hardware.
const CELLS_PER_SUBMIT: usize = 1 << 23;
/// Steps of a submission, at most: how often the caller is asked whether to go on, and the work that an abort wastes.
const STEPS_PER_SUBMIT: usize = 4;
/// Submissions that are on their way at once.
const SUBMITS_AHEAD: usize = 2;

/// What a frame needs beside its plan.
pub(in crate::compute::gpu) struct Given<'a> {
    pub core: &'a Core,
    pub cut: Arc<Cut>,
    /// The state before.
    pub before: Planes,
    /// Its totals.
    pub totals: [i64; 4],
    /// Ground, and the codes of the pipes: they stay from frame to frame.
    pub base: Option<Slabs>,
    pub codes: Slabs,
    /// Makes rows on the CPU.
    pub device: &'a dyn Device,
    /// A fault to rehearse.
    pub drill: Option<FaultKind>,
}

/// What came of it.
pub(in crate::compute::gpu) struct Made {
    pub planes: Planes,
    pub sums: Sums,
    pub tally: MassBalance,
}

/// A frame's buffers.
struct Work<'a> {
    core: &'a Core,
    cut: Arc<Cut>,
    params: Vec<Lease>,
    before: Planes,
    base: Option<Slabs>,
    codes: Slabs,
    push: Option<Slabs>,
    control: Option<Slabs>,
    once: Option<Slabs>,
    inflow: Vec<Option<Lease>>,
    flow: Slabs,
    raw: Slabs,
    shares: Slabs,
    heights: [Slabs; 2],
    pigment: Option<[Slabs; 2]>,
    account: Lease,
    planes: usize,
    flags: u32,
    /// The pass that makes flows.
    first: Pass,
}

/// Bind groups of a slab for the steps that read from and write to the same buffers.
struct Groups {
    accelerate: wgpu::BindGroup,
    limit: wgpu::BindGroup,
    pigment: Option<wgpu::BindGroup>,
    step: wgpu::BindGroup,
}

/// The state that a step reads.
#[derive(Clone)]
struct Source {
    flow: Slabs,
    height: Slabs,
    pigment: Option<Slabs>,
}

/// Makes a frame.
pub(in crate::compute::gpu) fn run(
    given: Given<'_>,
    plan: &FramePlan,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Made, Stop> {
    let (core, drill, totals) = (given.core, given.drill, given.totals);
    let inflow = inflow::pack(plan, given.device);
    let added = inflow.as_ref().map_or([0; 4], |i| i.added);
    let work = Work::new(given, plan, inflow)?;
    rehearse(core, drill)?;

    let mut recorder = Recorder::new(core, work.flags);
    recorder.encoder().clear_buffer(work.account.buffer(), 0, None);
    let mut source = work.source(plan)?;
    if plan.clear_solid || plan.once.is_some() {
        work.prepare(&mut recorder, &source)?;
        source.height = work.heights[1].clone();
        source.pigment = work.pigment.as_ref().map(|p| p[1].clone());
    }
    let first = work.groups(&source, 0)?;
    let later = [work.groups(&work.own(0), 1)?, work.groups(&work.own(1), 0)?];

    let cells = work.cut.width * work.cut.height;
    let per_submit = (CELLS_PER_SUBMIT / cells.max(1)).clamp(1, STEPS_PER_SUBMIT);
    let mut ahead = VecDeque::new();
    for step in 0..plan.steps {
        if !go_on() {
            return Err(Stop::Interrupted);
        }
        let groups = if step == 0 { &first } else { &later[(step as usize - 1) % 2] };
        work.step(&mut recorder, groups, step, if step % 2 == 0 { 0 } else { 1 });
        if (step as usize + 1).is_multiple_of(per_submit) {
            ahead.push_back(std::mem::replace(&mut recorder, Recorder::new(core, work.flags)).submit()?);
            if ahead.len() > SUBMITS_AHEAD
                && let Some(submission) = ahead.pop_front()
                && !core.wait_until(&submission, core.deadline(), go_on)?
            {
                return Err(Stop::Interrupted);
            }
        }
    }
    let last = if plan.steps % 2 == 1 { 0 } else { 1 };
    let planes = work.result(last);
    let account = work.sum(recorder, &planes)?;
    let (sums, tally) = balance(&account, added, totals);
    Ok(Made { planes, sums, tally })
}

/// Does the harm that `FLOW_GPU_FAULT` asks for.
pub(in crate::compute::gpu) fn rehearse(core: &Core, drill: Option<FaultKind>) -> Result<(), Fault> {
    match drill {
        Some(FaultKind::Lost) => core.lose(),
        Some(FaultKind::Invalid) => {
            // More than there is.
            let mut encoder = core.encoder();
            encoder.copy_buffer_to_buffer(&core.steps, 0, &core.nothing, 0, 1 << 20);
            core.submit(encoder)?;
        }
        Some(FaultKind::Hang) => {
            // What a hang looks like from here: time passes and nothing happens.
            let deadline = core.deadline();
            while std::time::Instant::now() < deadline {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            return Err(core.hung());
        }
        Some(FaultKind::Panic) => panic!("a rehearsal (FLOW_GPU_FAULT)"),
        Some(FaultKind::Late | FaultKind::Cpu) | None => {}
    }
    core.faults.check()
}

/// Sums of the state, and what came and went. What drained is what is missing.
fn balance(account: &[u64; COUNTERS], added: [i64; 4], before: [i64; 4]) -> (Sums, MassBalance) {
    let four = |from: usize| [0, 1, 2, 3].map(|kind| account[from + kind] as i64);
    let (once, removed, clamped, totals) = (four(0), four(4), four(8), four(12));
    let mut tally = MassBalance { added, removed, clamped, drained: [0; 4] };
    for kind in 0..4 {
        tally.added[kind] = added[kind].wrapping_add(once[kind]);
        tally.drained[kind] = before[kind]
            .wrapping_add(tally.added[kind])
            .wrapping_sub(removed[kind])
            .wrapping_sub(clamped[kind])
            .wrapping_sub(totals[kind]);
    }
    (Sums { totals, wet: account[16], highest: account[17] as i32 }, tally)
}

impl<'a> Work<'a> {
    fn new(given: Given<'a>, plan: &FramePlan, inflow: Option<Inflow>) -> Result<Work<'a>, Fault> {
        let Given { core, cut, before, base, codes, .. } = given;
        let planes = flow_planes(plan.model);
        let pigment = before.pigment.is_some() || plan.colours();
        let field = |count| upload::planes(core, &cut, count);
        let mut work = Work {
            core,
            params: Vec::new(),
            push: plan.push.as_ref().map(|push| upload::field(core, &cut, push)).transpose()?,
            control: plan.control.as_ref().map(|shares| upload::field(core, &cut, shares)).transpose()?,
            once: plan.once.as_ref().map(|(_, amounts)| upload::field(core, &cut, amounts)).transpose()?,
            inflow: Vec::new(),
            flow: field(planes)?,
            raw: field(planes)?,
            shares: field(1)?,
            heights: [field(1)?, field(1)?],
            pigment: if pigment { Some([field(3)?, field(3)?]) } else { None },
            account: core.pool.take((COUNTERS * 8) as u64, Use::Planes)?,
            before,
            base,
            codes,
            planes,
            flags: 0,
            first: if plan.model == Model::ShallowWater { Pass::Shallow } else { Pass::Accelerate },
            cut: Arc::clone(&cut),
        };
        work.flags = work.flags(plan, inflow.as_ref());
        for slab in &cut.slabs {
            let (lease, params) = work.params(plan, slab, inflow.as_ref())?;
            let words = params.words();
            let uniform = core.pool.take(size_of_val(&words) as u64, Use::Uniform)?;
            core.queue.write_buffer(uniform.buffer(), 0, bytemuck::cast_slice(&words));
            work.params.push(uniform);
            work.inflow.push(lease);
        }
        core.faults.check()?;
        Ok(work)
    }

    /// What there is.
    fn flags(&self, plan: &FramePlan, inflow: Option<&Inflow>) -> u32 {
        let on = |condition: bool, flag: u32| if condition { flag } else { 0 };
        let once = plan.once.as_ref().map(|(once, _)| *once);
        on(self.cut.wrap, flag::WRAP)
            | on(self.cut.wrap && !self.cut.is_split(), flag::WRAP_ROWS)
            | on(plan.model == Model::Classic, flag::CLASSIC)
            | on(self.base.is_some(), flag::BASE)
            | on(self.push.is_some(), flag::PUSH)
            | on(plan.domain.solid().is_some(), flag::SOLID)
            | on(self.pigment.is_some(), flag::PIGMENT)
            | on(inflow.is_some_and(|i| i.shared), flag::SHARED)
            | on(inflow.is_some_and(|i| i.coloured), flag::COLOURED)
            | on(once == Some(Once::Replace), flag::REPLACE)
            | on(once == Some(Once::FillUp), flag::FILL_UP)
            | on(plan.clear_solid, flag::CLEAR)
            | on(plan.model == Model::ShallowWater, flag::SHALLOW)
            | on(self.control.is_some(), flag::CONTROL)
    }

    /// What the passes are told about a slab, and its part of what flows in.
    fn params(&self, plan: &FramePlan, slab: &Slab, inflow: Option<&Inflow>) -> Result<(Option<Lease>, Params), Fault> {
        let cut = &self.cut;
        // A factor beyond 2^28 takes any flow to its limit, as 2^28 does.
        let rescale = plan.rescale.unwrap_or(1 << 16).min(1 << 44);
        let mut params = Params {
            width: cut.width as u32,
            height: cut.height as u32,
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
        let lease = self.core.pool.take(size_of_val(rows) as u64, Use::Planes)?;
        self.core.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(rows));
        params.inflow = [left as u32, first as u32, inflow.shares.width() as u32, (last + 1 - first) as u32];
        params.inflow_planes = inflow.shares.planes() as u32;
        Ok((Some(lease), params))
    }

    /// The state before, with pigment where the frame has any.
    fn source(&self, plan: &FramePlan) -> Result<Source, Fault> {
        let Planes { flow, height, pigment, .. } = self.before.clone();
        let pigment = match (pigment, &self.pigment) {
            (None, Some(_)) => {
                let blank = crate::sim::water::field::Field::new(self.cut.width, self.cut.height, 3);
                debug_assert!(plan.colours());
                Some(upload::field(self.core, &self.cut, &blank)?)
            }
            (pigment, _) => pigment,
        };
        Ok(Source { flow, height, pigment })
    }

    /// What the frame's own steps wrote: heights and pigment into the first or second of two.
    fn own(&self, nth: usize) -> Source {
        Source {
            flow: self.flow.clone(),
            height: self.heights[nth].clone(),
            pigment: self.pigment.as_ref().map(|p| p[nth].clone()),
        }
    }

    fn group(&self, pass: Pass, buffers: &[&wgpu::Buffer]) -> Result<wgpu::BindGroup, Fault> {
        self.core.passes.group(pass, buffers)
    }

    fn or_nothing<'b>(&'b self, slabs: Option<&'b Slabs>, nth: usize) -> &'b wgpu::Buffer {
        slabs.map_or(&self.core.nothing, |s| s[nth].buffer())
    }

    /// Bind groups of all slabs for steps that read `from` and write into the first or second buffers.
    fn groups(&self, from: &Source, to: usize) -> Result<Vec<Groups>, Fault> {
        let steps = &self.core.steps;
        let account = self.account.buffer();
        let make = |nth: usize| {
            let params = self.params[nth].buffer();
            let (raw, shares) = (self.raw[nth].buffer(), self.shares[nth].buffer());
            let height = from.height[nth].buffer();
            let inflow = self.inflow[nth].as_ref().map_or(&self.core.nothing, Lease::buffer);
            let base = self.or_nothing(self.base.as_ref(), nth);
            let push = self.or_nothing(self.push.as_ref(), nth);
            let codes = self.codes[nth].buffer();
            let flows = from.flow[nth].buffer();
            let control = self.or_nothing(self.control.as_ref(), nth);
            let buffers = [params, steps, flows, height, base, push, codes, control, raw];
            let accelerate = self.group(self.first, &buffers)?;
            let limit = self.group(Pass::Limit, &[params, raw, height, shares])?;
            let pigment = match (&from.pigment, &self.pigment) {
                (Some(old), Some(new)) => {
                    let (old, new) = (old[nth].buffer(), new[to][nth].buffer());
                    let buffers = [params, steps, raw, shares, height, old, inflow, new, account];
                    Some(self.group(Pass::Pigment, &buffers)?)
                }
                _ => None,
            };
            let (flow, moved) = (self.flow[nth].buffer(), self.heights[to][nth].buffer());
            let step = self.group(Pass::Move, &[params, steps, raw, shares, height, inflow, flow, moved, account])?;
            Ok(Groups { accelerate, limit, pigment, step })
        };
        (0..self.cut.slabs.len()).map(make).collect()
    }

    /// Clears and sets, from the state before into the second buffers.
    fn prepare(&self, recorder: &mut Recorder<'_>, from: &Source) -> Result<(), Fault> {
        for (nth, slab) in self.cut.slabs.iter().enumerate() {
            let pigment = self.pigment.as_ref().map_or(&self.core.nowhere, |p| p[1][nth].buffer());
            let group = self.group(
                Pass::Prepare,
                &[
                    self.params[nth].buffer(),
                    from.height[nth].buffer(),
                    self.or_nothing(from.pigment.as_ref(), nth),
                    self.or_nothing(self.once.as_ref(), nth),
                    self.codes[nth].buffer(),
                    self.heights[1][nth].buffer(),
                    pigment,
                    self.account.buffer(),
                ],
            )?;
            recorder.dispatch(Pass::Prepare, &group, 0, &self.cut, slab);
        }
        self.exchange_state(recorder, 1);
        Ok(())
    }

    /// The neighbours' rows of heights and pigment.
    fn exchange_state(&self, recorder: &mut Recorder<'_>, to: usize) {
        recorder.exchange(&self.cut, &self.heights[to], 1);
        if let Some(pigment) = &self.pigment {
            recorder.exchange(&self.cut, &pigment[to], 3);
        }
    }

    fn step(&self, recorder: &mut Recorder<'_>, groups: &[Groups], step: u32, to: usize) {
        let slabs = || self.cut.slabs.iter().zip(groups);
        for (slab, groups) in slabs() {
            recorder.dispatch(self.first, &groups.accelerate, step, &self.cut, slab);
        }
        recorder.exchange(&self.cut, &self.raw, self.planes);
        for (slab, groups) in slabs() {
            recorder.dispatch(Pass::Limit, &groups.limit, step, &self.cut, slab);
        }
        recorder.exchange(&self.cut, &self.shares, 1);
        for (slab, groups) in slabs() {
            if let Some(pigment) = &groups.pigment {
                recorder.dispatch(Pass::Pigment, pigment, step, &self.cut, slab);
            }
            recorder.dispatch(Pass::Move, &groups.step, step, &self.cut, slab);
        }
        recorder.exchange(&self.cut, &self.flow, self.planes);
        self.exchange_state(recorder, to);
    }

    fn result(&self, nth: usize) -> Planes {
        let Source { flow, height, pigment } = self.own(nth);
        Planes { cut: Arc::clone(&self.cut), height, flow, pigment }
    }

    /// Adds up the new state and waits for the account.
    fn sum(&self, mut recorder: Recorder<'_>, planes: &Planes) -> Result<[u64; COUNTERS], Fault> {
        for (nth, slab) in self.cut.slabs.iter().enumerate() {
            let buffers = [
                self.params[nth].buffer(),
                planes.height[nth].buffer(),
                self.or_nothing(planes.pigment.as_ref(), nth),
                self.account.buffer(),
            ];
            recorder.dispatch(Pass::Sum, &self.group(Pass::Sum, &buffers)?, 0, &self.cut, slab);
        }
        let size = self.account.buffer().size();
        let down = self.core.pool.take(size, Use::Down)?;
        recorder.encoder().copy_buffer_to_buffer(self.account.buffer(), 0, down.buffer(), 0, size);
        let submission = recorder.submit()?;
        let mut words = [0_u32; 2 * COUNTERS];
        fetch(self.core, &submission, vec![(down, bytemuck::cast_slice_mut(&mut words))])?;
        Ok(account(&words))
    }
}
