//! A plain loop for comparison: the step as one would first write it, a loop over cells for each formula, in parallel
//! by rows.
//!
//! The loop has balanced pipes with closed edges only: no pigment, no sources, no force.

use std::sync::Arc;

use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::sim::water::domain::{CLOSED, PIPES};
use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::fixed_point::{FLOW_MAX, HEIGHT_MAX, mul, outflow_limit, part};
use flow_ofx::sim::water::plan::{RowCounts, RowJob};
use flow_ofx::sim::water::settings::{Edges, Model, Order};
use flow_ofx::sim::{
    Interrupted,
    water::{Device, FramePlan, MassBalance, StateBuffers, Water},
};
use rayon::prelude::*;

use crate::cases::{Group, Kind};
use crate::scene::Scene;

/// The scalar step over rayon.
pub struct Naive {
    pool: rayon::ThreadPool,
}

impl Naive {
    /// On a pool of `threads` threads.
    pub fn new(threads: usize) -> Naive {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Naive { pool: pool.expect("the machine has threads") }
    }
}

impl Device for Naive {
    fn name(&self) -> String {
        "scalar over rayon".to_owned()
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        Reference.rows(field, job)
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        let FramePlan { model, domain, clear_solid, initial, rescale, push, inflows, evaporation, .. } = &**plan;
        let water = body.water();
        let plain =
            *model == Model::Pipes && domain.edges() == Edges::Closed && !clear_solid && water.pigment.is_none();
        let still =
            initial.is_none() && rescale.is_none() && push.is_none() && inflows.is_empty() && *evaporation == [0; 2];
        assert!(plain && still, "the yardstick does not know this plan");
        let water = self.pool.install(|| {
            let mut frame = Frame::new(plan, water);
            for _ in 0..plan.steps {
                frame.step();
            }
            Water { height: frame.height, flow: frame.flow, pigment: None }
        });
        Ok((Arc::new(StateBuffers::new(water)), MassBalance::default()))
    }
}

struct Frame<'a> {
    plan: &'a FramePlan,
    height: Field,
    flow: Field,
    head: Field,
    share: Field,
    next_flow: Field,
}

/// Applies work to each row of a field's cells with its number, in parallel.
fn rows(field: &mut Field) -> impl IndexedParallelIterator<Item = (usize, &mut [i32])> {
    let (len, last) = (field.row_len(), field.height());
    field.rows_mut(1, last).par_chunks_mut(len).enumerate().map(|(i, row)| (i + 1, row))
}

impl<'a> Frame<'a> {
    fn new(plan: &'a FramePlan, water: &Water) -> Frame<'a> {
        let (width, height) = (water.height.width(), water.height.height());
        Frame {
            plan,
            height: water.height.clone(),
            flow: water.flow.clone(),
            head: Field::new(width, height, 1),
            share: Field::new(width, height, 1),
            next_flow: Field::new(width, height, 4),
        }
    }

    fn step(&mut self) {
        let Frame { plan, height, flow, head, share, next_flow } = self;
        let width = height.width();
        let zeros = vec![0; width + 2];
        // The driving pressure of the pipes.
        rows(head).for_each(|(y, row)| {
            let (flows, heights) = (Around::new(flow, y), height.row(y, 0));
            let bases = plan.base.as_ref().map_or(&zeros[..], |b| b.row(y, 0));
            for x in 1..=width {
                let [outflow, inflow] = flows.out_and_in(x, |q, _| q);
                let d = (inflow - outflow).clamp(-HEIGHT_MAX, HEIGHT_MAX);
                row[x] = heights[x] + bases[x] + mul(d, plan.smoothing);
            }
        });
        // The accelerated flows.
        rows(flow).for_each(|(y, row)| {
            let (codes, heads) = (plan.domain.codes(y), [head.row(y, 0), head.row(y + 1, 0)]);
            for x in 1..=width {
                for (p, (dx, dy)) in PIPES.into_iter().enumerate() {
                    let n = (codes[x] >> (4 * p)) & 7;
                    let q = &mut row[p * (width + 2) + x];
                    if n == CLOSED {
                        *q = 0;
                        continue;
                    }
                    let k = if p < 2 { plan.cross[n as usize] } else { plan.diagonal };
                    let drop = heads[0][x] - heads[dy as usize][x.wrapping_add_signed(dx)];
                    *q = (mul(*q, plan.keep) + mul(drop, k)).clamp(-FLOW_MAX, FLOW_MAX);
                }
            }
        });
        // The outflow limit of each cell.
        rows(share).for_each(|(y, row)| {
            let (flows, heights) = (Around::new(flow, y), height.row(y, 0));
            for x in 1..=width {
                let [sum, _] = flows.out_and_in(x, |q, _| q);
                row[x] = outflow_limit(heights[x], sum) as i32;
            }
        });
        // The water after the limited flows, and the flows.
        rows(height).for_each(|(y, row)| {
            let (flows, shares) = (Around::new(flow, y), [share.row(y - 1, 0), share.row(y, 0), share.row(y + 1, 0)]);
            for x in 1..=width {
                let [outflow, inflow] = flows.out_and_in(x, |q, [dx, dy]| {
                    part(q as u32, shares[(1 + dy) as usize][x.wrapping_add_signed(dx)] as u32) as i32
                });
                row[x] = (row[x] - outflow + inflow).min(HEIGHT_MAX);
            }
        });
        rows(next_flow).for_each(|(y, row)| {
            let (flows, shares) = (Around::new(flow, y), [share.row(y, 0), share.row(y + 1, 0)]);
            for x in 1..=width {
                for (p, (dx, dy)) in PIPES.into_iter().enumerate() {
                    let q = flows.here[p][x];
                    let giver = if q >= 0 { shares[0][x] } else { shares[dy as usize][x.wrapping_add_signed(dx)] };
                    row[p * (width + 2) + x] = part(q.unsigned_abs(), giver as u32) as i32 * q.signum();
                }
            }
        });
        std::mem::swap(flow, next_flow);
    }
}

/// The flows of a row's pipes, and of those of the row below.
struct Around<'a> {
    here: [&'a [i32]; 4],
    below: [&'a [i32]; 4],
}

impl<'a> Around<'a> {
    fn new(flow: &'a Field, y: usize) -> Around<'a> {
        Around { here: [0, 1, 2, 3].map(|p| flow.row(y, p)), below: [0, 1, 2, 3].map(|p| flow.row(y - 1, p)) }
    }

    /// Outflow and inflow of a cell, each flow ≥ 0; `amount` computes a flow from its value and the offset of the
    /// source cell.
    #[inline(always)]
    fn out_and_in(&self, x: usize, amount: impl Fn(i32, [isize; 2]) -> i32) -> [i32; 2] {
        let [mut outflow, mut inflow] = [0, 0];
        for (p, (dx, dy)) in PIPES.into_iter().enumerate() {
            let own = self.here[p][x];
            if own >= 0 {
                outflow += amount(own, [0, 0]);
            } else {
                inflow += amount(-own, [dx, dy]);
            }
            let other = if dy == 0 { self.here[p] } else { self.below[p] }[x.wrapping_add_signed(-dx)];
            if other >= 0 {
                inflow += amount(other, [-dx, -dy]);
            } else {
                outflow += amount(-other, [0, 0]);
            }
        }
        [outflow, inflow]
    }
}

/// Checks that the plain loop takes the reference's steps.
///
/// # Panics
/// The loop differs from the reference.
pub fn check() {
    for kind in [Kind::Wet, Kind::Dry] {
        let group =
            Group { size: (61, 37), kind, pigment: false, model: Model::Pipes, order: Order::Second, steps: &[] };
        let scene = Scene::new(&group, 1);
        let plan = scene.plan(16);
        let run = |device: &dyn Device| device.run(&plan, &scene.water, &mut || true).expect("not interrupted").0;
        assert!(run(&Naive::new(2)).water() == run(&Reference).water(), "the yardstick computes other water");
    }
}
