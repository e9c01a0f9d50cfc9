//! Frames of Ripples on a graphics device: the passes of a step, level by level.
//!
//! The planes cover the grid and its margin, without a ring. The state goes up before the first step and comes back
//! after the last.

mod passes;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::inflow;
use crate::compute::gpu::core::Core;
use crate::compute::gpu::fault::{Fault, Stop};
use crate::compute::gpu::fetch::fetch;
use crate::compute::gpu::pipeline::{Passes, Table as _};
use crate::compute::gpu::pool::{Lease, Use};
use crate::sim::request;
use crate::sim::water::buffers::StateBuffers;
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::rescale;
use crate::sim::water::plan::{Device, FramePlan, InitialSource, MassBalance, Water, control};
use crate::sim::water::ripples::dispersion::LEVELS;
use crate::sim::water::ripples::margin::{Margin, PIPES};
use crate::sim::water::ripples::pyramid::Pyramid;
use crate::sim::water::ripples::{REST, Ripples};
pub use passes::SHADERS;
use passes::{Params, Pass, flag};

/// Steps per submission: they bound the time between two calls of `go_on`.
const STEPS_PER_SUBMIT: u32 = 4;
/// Cells per workgroup, across and up.
const GROUP: [usize; 2] = [32, 8];

/// Tables of a pyramid on a device, a buffer per level.
type Tables = Arc<Vec<Lease>>;

/// The passes of Ripples on a device, and the tables of the last pyramid.
pub(super) struct RippleKernels {
    passes: Passes<Pass>,
    tables: Mutex<Option<(Weak<Pyramid>, Tables)>>,
}

impl RippleKernels {
    pub fn new(core: &Core) -> RippleKernels {
        RippleKernels { passes: Passes::new(&core.device), tables: Mutex::default() }
    }

    /// Frees the tables.
    pub fn release(&self) {
        *self.tables.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn tables(&self, core: &Core, pyramid: &Arc<Pyramid>) -> Result<Tables, Fault> {
        let mut kept = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, tables)) = &*kept
            && std::ptr::eq(of.as_ptr(), Arc::as_ptr(pyramid))
        {
            return Ok(Arc::clone(tables));
        }
        let tables: Result<Vec<Lease>, Fault> = (0..LEVELS).map(|level| upload(core, &pyramid.packed(level))).collect();
        let tables = Arc::new(tables?);
        *kept = Some((Arc::downgrade(pyramid), Arc::clone(&tables)));
        Ok(tables)
    }
}

fn take(core: &Core, words: usize) -> Result<Lease, Fault> {
    core.pool.take((words * 4) as u64, Use::Planes)
}

fn upload<T: bytemuck::Pod>(core: &Core, values: &[T]) -> Result<Lease, Fault> {
    let lease = core.pool.take(size_of_val(values) as u64, Use::Planes)?;
    core.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(values));
    Ok(lease)
}

/// Planes of a field over the grid and its margin, which continues the border.
fn extended(field: &Field, planes: usize, margin: &Margin) -> Vec<i32> {
    let [width, height] = margin.size;
    let columns: Vec<usize> = (0..width).map(|x| margin.nearest(x, 0) + 1).collect();
    let mut values = request::with_capacity(planes * width * height);
    for plane in 0..planes {
        for y in 0..height {
            let row = field.row(margin.nearest(y, 1) + 1, plane);
            values.extend(columns.iter().map(|&x| row[x]));
        }
    }
    values
}

/// Deviations and flows before the first step, and the water of a source that acts once.
fn start(plan: &FramePlan, margin: &Margin, water: &Water) -> (Vec<i32>, Vec<i32>, MassBalance) {
    let [width, height] = margin.size;
    let (mut heights, mut flow) = (Field::new(width, height, 1), Field::new(width, height, PIPES));
    margin.expand(water, &mut heights, &mut flow);
    let mut balance = MassBalance::default();
    if let Some((initial, amounts)) = &plan.initial {
        for y in 0..amounts.height() {
            for x in 0..amounts.width() {
                let target = amounts.at(x, y, 0);
                let [column, row] = [x + margin.before[0], y + margin.before[1]];
                let old = heights.at(column, row, 0);
                if target > 0 && (*initial == InitialSource::Replace || target > old) {
                    heights.set(column, row, 0, target);
                    balance.added[0] += i64::from((target - old).max(0));
                    balance.removed[0] += i64::from((old - target).max(0));
                }
            }
        }
    }
    let plane = |field: &Field, plane: usize, change: &dyn Fn(i32) -> i32| -> Vec<i32> {
        let rows = (1..=height).flat_map(|y| field.row(y, plane)[1..=width].iter().map(|&value| change(value)));
        request::collected(rows)
    };
    let scaled = |q: i32| plan.rescale.map_or(q, |factor| rescale(q, factor));
    let flows = request::collected((0..PIPES).flat_map(|pipe| plane(&flow, pipe, &scaled)));
    (plane(&heights, 0, &|height| height - REST), flows, balance)
}

/// The state after the last step.
fn finish(margin: &Margin, wraps: bool, before: &Water, eta: &[i32], flows: &[i32]) -> Water {
    let [width, height] = margin.size;
    let (mut heights, mut flow) = (Field::new(width, height, 1), Field::new(width, height, PIPES));
    for (y, row) in eta.chunks_exact(width).enumerate() {
        let cells = heights.row_mut(y + 1, 0)[1..=width].iter_mut();
        cells.zip(row).for_each(|(height, &eta)| *height = eta + REST);
    }
    for (nth, row) in flows.chunks_exact(width).enumerate() {
        flow.row_mut(nth % height + 1, nth / height)[1..=width].copy_from_slice(row);
    }
    if wraps {
        flow.wrap_ring();
    }
    if margin.is_empty() {
        return Water { height: heights, flow, pigment: None };
    }
    let [width, height] = margin.grid;
    let mut water = Water {
        height: Field::new(width, height, 1),
        flow: Field::new(width, height, before.flow.planes()),
        pigment: None,
    };
    margin.fold(&heights, &flow, &mut water);
    water
}

/// Where a frame runs.
pub(super) struct Place<'a> {
    pub core: &'a Core,
    pub kernels: &'a RippleKernels,
    /// Indices of steps, a table of uniforms.
    pub steps: &'a wgpu::Buffer,
    /// Works on rows.
    pub device: &'a dyn Device,
}

/// A pass to record: its bind group, and the columns and rows that it covers.
struct Dispatch {
    pass: Pass,
    group: wgpu::BindGroup,
    size: [usize; 2],
}

/// The buffers of a frame.
struct Work {
    tables: Tables,
    params: Vec<Lease>,
    /// Blurred values of each level.
    blurred: Vec<Lease>,
    /// Restricted values, then heads, of each level; those of level 0 are heads alone.
    head: Vec<Lease>,
    /// Sums of each level.
    sum: Vec<Lease>,
    eta: [Lease; 2],
    flow: [Lease; 2],
    pressed: Option<(Lease, Lease)>,
    push: Option<Lease>,
    control: Option<Lease>,
    inflow: Option<Lease>,
    left: Lease,
    clamped: Lease,
    flags: u32,
}

/// Runs a frame.
///
/// # Errors
/// `go_on` returned false, or the device failed.
pub(super) fn run(
    place: &Place<'_>,
    plan: &FramePlan,
    ripples: &Ripples,
    before: &StateBuffers,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(StateBuffers, MassBalance), Stop> {
    let (core, water, margin) = (place.core, before.water(), &ripples.margin);
    let (eta, flow, mut balance) = start(plan, margin, water);
    let (work, added) = Work::new(place, plan, ripples, &eta, &flow)?;
    balance.added[0] += added;
    let steps = [work.step(place, ripples, 0)?, work.step(place, ripples, 1)?];
    let mut encoder = core.encoder();
    encoder.clear_buffer(work.clamped.buffer(), 0, None);
    for step in 0..plan.steps {
        if !go_on() {
            return Err(Stop::Interrupted);
        }
        record(place, &mut encoder, &steps[step as usize % 2], step, work.flags);
        if (step + 1).is_multiple_of(STEPS_PER_SUBMIT) {
            let submission = core.submit(std::mem::replace(&mut encoder, core.encoder()))?;
            if !core.wait_until(&submission, core.deadline(), go_on)? {
                return Err(Stop::Interrupted);
            }
        }
    }
    let last = plan.steps as usize % 2;
    let (mut eta, mut flow, mut clamped) = (eta, flow, [0_u32; 4]);
    let mut wanted: Vec<(Lease, &mut [u8])> = Vec::new();
    for (lease, slice) in [
        (&work.eta[last], bytemuck::cast_slice_mut(&mut eta)),
        (&work.flow[last], bytemuck::cast_slice_mut(&mut flow)),
        (&work.clamped, bytemuck::cast_slice_mut(&mut clamped)),
    ] {
        let size = slice.len() as u64;
        let down = core.pool.take(size, Use::Down)?;
        encoder.copy_buffer_to_buffer(lease.buffer(), 0, down.buffer(), 0, size);
        wanted.push((down, slice));
    }
    let submission = core.submit(encoder)?;
    fetch(core, &submission, wanted)?;
    let [above, above_high, below, below_high] = clamped.map(i64::from);
    balance.clamped[0] = above + (above_high << 32) - below - (below_high << 32);
    let after = finish(margin, ripples.pyramid.wraps(), water, &eta, &flow);
    if !margin.is_empty() {
        balance.drained[0] =
            water.height.sum(0) + balance.added[0] - balance.removed[0] - balance.clamped[0] - after.height.sum(0);
    }
    Ok((StateBuffers::new(after), balance))
}

fn record(place: &Place<'_>, encoder: &mut wgpu::CommandEncoder, step: &[Dispatch], index: u32, flags: u32) {
    let mut open = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    for Dispatch { pass, group, size } in step {
        let offset = [index * place.core.uniform_stride];
        open.set_pipeline(&place.kernels.passes.pipeline(*pass, [flags, 0, 0]));
        open.set_bind_group(0, group, if pass.has_entry() { &offset } else { &[] });
        open.dispatch_workgroups(size[0].div_ceil(GROUP[0]) as u32, size[1].div_ceil(GROUP[1]) as u32, 1);
    }
}

/// Columns and rows of a level.
fn size(ripples: &Ripples, level: usize) -> [usize; 2] {
    let level = &ripples.pyramid.levels()[level];
    [level.width, level.height]
}

impl Work {
    /// The buffers of a frame, and the water that flows in over the frame.
    fn new(
        place: &Place<'_>,
        plan: &FramePlan,
        ripples: &Ripples,
        eta: &[i32],
        flow: &[i32],
    ) -> Result<(Work, i64), Fault> {
        let (core, margin) = (place.core, &ripples.margin);
        let words = |level: usize| size(ripples, level)[0] * size(ripples, level)[1];
        let planes = || (0..LEVELS).map(|level| take(core, words(level))).collect::<Result<Vec<_>, _>>();
        let params = (0..LEVELS).map(|level| {
            let params = params(plan, ripples, level);
            let uniform = core.pool.take(size_of::<Params>() as u64, Use::Uniform)?;
            core.queue.write_buffer(uniform.buffer(), 0, bytemuck::bytes_of(&params));
            Ok(uniform)
        });
        let upload_extended = |field: &Field, planes: usize| upload(core, &extended(field, planes, margin));
        let packed = inflow::pack(plan, place.device);
        let added = packed.as_ref().map_or(0, |packed| packed.added[0]);
        let inflow = packed.map(|packed| upload(core, &inflow_planes(&packed, margin))).transpose()?;
        let on = |condition: bool, flag: u32| if condition { flag } else { 0 };
        let pressed = match &plan.base {
            Some(base) => Some((upload_extended(base, 1)?, take(core, words(0))?)),
            None => None,
        };
        let left: Vec<i32> = [0, 1].into_iter().flat_map(|axis| margin.shares(axis)).collect();
        let work = Work {
            tables: place.kernels.tables(core, &ripples.pyramid)?,
            params: params.collect::<Result<_, Fault>>()?,
            blurred: planes()?,
            head: planes()?,
            sum: planes()?,
            eta: [upload(core, eta)?, take(core, eta.len())?],
            flow: [upload(core, flow)?, take(core, flow.len())?],
            pressed,
            push: plan.push.as_ref().map(|push| upload_extended(push, 2)).transpose()?,
            control: plan.control.as_ref().map(|shares| upload_extended(shares, control::PLANES)).transpose()?,
            left: upload(core, &left)?,
            clamped: take(core, 4)?,
            flags: on(plan.control.is_some(), flag::CONTROL)
                | on(plan.push.is_some(), flag::PUSH)
                | on(inflow.is_some(), flag::INFLOW)
                | on(!margin.is_empty(), flag::MARGIN),
            inflow,
        };
        Ok((work, added))
    }

    /// The passes of a step that reads the first or second buffers.
    fn step(&self, place: &Place<'_>, ripples: &Ripples, from: usize) -> Result<Vec<Dispatch>, Fault> {
        let nothing = &place.core.nothing;
        let or_nothing =
            |lease: &'_ Option<Lease>| lease.as_ref().map_or(nothing.clone(), |lease| lease.buffer().clone());
        let mut list = Vec::new();
        let mut add = |pass: Pass, level: usize, size: [usize; 2], buffers: &[&wgpu::Buffer]| {
            let shared = [self.params[level].buffer(), self.tables[level].buffer()];
            let all: Vec<&wgpu::Buffer> = shared.into_iter().chain(buffers.iter().copied()).collect();
            list.push(Dispatch { pass, group: place.kernels.passes.group(pass, &all)?, size });
            Ok::<(), Fault>(())
        };
        let (eta, next_eta) = (self.eta[from].buffer(), self.eta[1 - from].buffer());
        let (flow, next_flow) = (self.flow[from].buffer(), self.flow[1 - from].buffer());
        let finest = size(ripples, 0);
        let pressed = match &self.pressed {
            Some((base, pressed)) => {
                add(Pass::Press, 0, finest, &[eta, base.buffer(), pressed.buffer()])?;
                pressed.buffer()
            }
            None => eta,
        };
        for level in 0..LEVELS {
            let plane = if level == 0 { pressed } else { self.head[level].buffer() };
            let blurred = self.blurred[level].buffer();
            add(Pass::Blur, level, size(ripples, level), &[plane, blurred])?;
            if level + 1 < LEVELS {
                add(Pass::Restrict, level, size(ripples, level + 1), &[blurred, self.head[level + 1].buffer()])?;
            }
        }
        for level in (0..LEVELS).rev() {
            let coarse = self.head.get(level + 1).map_or(nothing, Lease::buffer);
            let (blurred, sum) = (self.blurred[level].buffer(), self.sum[level].buffer());
            add(Pass::Sum, level, size(ripples, level), &[blurred, coarse, sum])?;
            if level > 0 {
                add(Pass::Blur, level, size(ripples, level), &[sum, self.head[level].buffer()])?;
            }
        }
        let (control, push) = (or_nothing(&self.control), or_nothing(&self.push));
        let (head, left) = (self.head[0].buffer(), self.left.buffer());
        add(Pass::Head, 0, finest, &[self.sum[0].buffer(), pressed, flow, &control, head])?;
        add(Pass::Flow, 0, finest, &[head, flow, &push, &control, left, next_flow])?;
        let inflow = or_nothing(&self.inflow);
        let clamped = self.clamped.buffer();
        add(Pass::Level, 0, finest, &[place.steps, eta, next_flow, &inflow, left, next_eta, clamped])?;
        Ok(list)
    }
}

/// Amounts per step over the grid and its margin, and remainders.
fn inflow_planes(packed: &inflow::PackedInflow, margin: &Margin) -> Vec<i32> {
    let [width, height] = margin.size;
    let mut values = request::zeros(2 * width * height);
    // First column and row in ring coordinates of the grid.
    let [left, bottom] = packed.from;
    let kinds = packed.shares.planes() / if packed.shared { 2 } else { 1 };
    for y in 0..packed.shares.height() {
        for x in 0..packed.shares.width() {
            let cell = (margin.before[1] + bottom - 1 + y) * width + margin.before[0] + left - 1 + x;
            values[cell] = packed.shares.at(x, y, 0);
            if packed.shared {
                values[width * height + cell] = packed.shares.at(x, y, kinds);
            }
        }
    }
    values
}

fn params(plan: &FramePlan, ripples: &Ripples, level: usize) -> Params {
    let (margin, coefficients) = (&ripples.margin, &ripples.coefficients);
    let whole = |pair: [usize; 2]| pair.map(|value| value as i32);
    let push = ripples.push;
    Params {
        size: whole(size(ripples, level)),
        coarse: if level + 1 < LEVELS { whole(size(ripples, level + 1)) } else { [0; 2] },
        before: whole(margin.before),
        grid: whole(margin.grid),
        keep: [plan.keep.mantissa, plan.keep.shift],
        smoothing: [plan.smoothing.mantissa, plan.smoothing.shift],
        push: [push.lift, push.by.mantissa, push.by.shift, 0],
        coefficients: [coefficients.cell, coefficients.faces, coefficients.diagonals, coefficients.levels[level]],
        wraps: u32::from(ripples.pyramid.wraps()),
        padding: [0; 3],
    }
}
