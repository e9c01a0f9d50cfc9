//! The scalar reference of a frame of ripples: one thread, one cell at a time, each stencil as a list of cells.

use crate::sim::Interrupted;
use crate::sim::water::domain::{CLOSED, PIPES};
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::{FLOW_MAX, HEIGHT_MAX, WHOLE, mul, rescale, signed_part};
use crate::sim::water::plan::{FramePlan, InitialSource, MassBalance, Water, control};
use crate::sim::water::ripples::dispersion::LEVELS;
use crate::sim::water::ripples::pyramid::{BLUR, FULL};
use crate::sim::water::ripples::sources::mean;
use crate::sim::water::ripples::{DEVIATION, DROP, HEAD, REST, Ripples};

/// Runs a frame.
///
/// # Errors
/// [`Interrupted`] when `go_on` returns false.
pub(in crate::compute::cpu::water) fn run(
    plan: &FramePlan,
    ripples: &Ripples,
    water: &Water,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(Water, MassBalance), Interrupted> {
    let mut frame = Frame::new(plan, ripples, water);
    frame.prepare();
    for step in 0..plan.steps {
        if !go_on() {
            return Err(Interrupted);
        }
        frame.step(step);
    }
    Ok(frame.finish(water))
}

/// A product with a coefficient in parts of 4096.
pub(super) fn product(a: i32, coefficient: i32) -> i32 {
    (a >> 12) * coefficient + (((a as u32 & 4095) * coefficient as u32 + 2048) >> 12) as i32
}

/// A product with a coefficient in parts of 8192.
pub(super) fn half_product(a: i32, coefficient: i32) -> i32 {
    (a >> 13) * coefficient + (((a as u32 & 8191) * coefficient as u32 + 4096) >> 13) as i32
}

struct Frame<'a> {
    plan: &'a FramePlan,
    ripples: &'a Ripples,
    width: usize,
    height: usize,
    /// Deviations from rest, the grid and its margin.
    eta: Vec<i32>,
    flow: Vec<[i32; 4]>,
    shares: [Vec<i32>; 2],
    balance: MassBalance,
}

impl<'a> Frame<'a> {
    fn new(plan: &'a FramePlan, ripples: &'a Ripples, water: &Water) -> Frame<'a> {
        let [width, height] = ripples.margin.size;
        let (mut heights, mut flows) = (Field::new(width, height, 1), Field::new(width, height, 4));
        ripples.margin.expand(water, &mut heights, &mut flows);
        let cells = || (0..width * height).map(|cell| (cell % width, cell / width));
        Frame {
            plan,
            ripples,
            width,
            height,
            eta: cells().map(|(x, y)| heights.at(x, y, 0) - REST).collect(),
            flow: cells().map(|(x, y)| [0, 1, 2, 3].map(|pipe| flows.at(x, y, pipe))).collect(),
            shares: [0, 1].map(|axis| ripples.margin.shares(axis)),
            balance: MassBalance::default(),
        }
    }

    fn finish(self, before: &Water) -> (Water, MassBalance) {
        let (mut heights, mut flows) = (Field::new(self.width, self.height, 1), Field::new(self.width, self.height, 4));
        for cell in 0..self.width * self.height {
            let (x, y) = (cell % self.width, cell / self.width);
            heights.set(x, y, 0, self.eta[cell] + REST);
            (0..4).for_each(|pipe| flows.set(x, y, pipe, self.flow[cell][pipe]));
        }
        if self.wraps() {
            flows.wrap_ring();
        }
        let mut water = before.clone();
        self.ripples.margin.fold(&heights, &flows, &mut water);
        let mut balance = self.balance;
        // All moves are between two cells of the grid and its margin, so the missing water has left the grid.
        balance.drained[0] =
            before.height.sum(0) + balance.added[0] - balance.removed[0] - balance.clamped[0] - water.height.sum(0);
        (water, balance)
    }

    fn wraps(&self) -> bool {
        self.ripples.pyramid.domain().edges() == crate::sim::water::settings::Edges::Wrap
    }

    fn solid(&self, cell: usize) -> bool {
        self.ripples.pyramid.domain().solid().is_some_and(|solid| solid[cell])
    }

    /// The cell of the grid itself, in ring coordinates; `None` in the margin.
    fn on_grid(&self, cell: usize) -> Option<[usize; 2]> {
        let margin = &self.ripples.margin;
        let place = [cell % self.width, cell / self.width];
        let inside =
            (0..2).all(|axis| (margin.before[axis]..margin.before[axis] + margin.grid[axis]).contains(&place[axis]));
        inside.then(|| [0, 1].map(|axis| place[axis] - margin.before[axis] + 1))
    }

    /// The value of a field of the grid at the nearest cell.
    fn read(&self, field: &Field, cell: usize, plane: usize) -> i32 {
        let margin = &self.ripples.margin;
        let [x, y] = [margin.nearest(cell % self.width, 0), margin.nearest(cell / self.width, 1)];
        field.at(x, y, plane)
    }

    fn share(&self, cell: usize, plane: usize) -> u32 {
        self.plan.control.as_ref().map_or(WHOLE, |shares| self.read(shares, cell, plane) as u32)
    }

    /// Share that the margin leaves of a value of a cell.
    fn left(&self, cell: usize) -> u32 {
        self.shares[0][cell % self.width].min(self.shares[1][cell / self.width]) as u32
    }

    /// The cell at the far end of a pipe, and the number of blocked side diagonals; `None` where the pipe is closed.
    fn pipe(&self, cell: usize, pipe: usize) -> Option<(usize, i32)> {
        let (x, y) = (cell % self.width, cell / self.width);
        let code = self.ripples.pyramid.domain().codes(y + 1)[x + 1] >> (4 * pipe) & CLOSED;
        (code != CLOSED).then(|| (self.far(cell, pipe), i32::from(code)))
    }

    /// The cell at the far end of a pipe.
    fn far(&self, cell: usize, pipe: usize) -> usize {
        let (x, y) = (cell % self.width, cell / self.width);
        let (dx, dy) = PIPES[pipe];
        let column = (x + self.width).wrapping_add_signed(dx) % self.width;
        let row = (y + self.height).wrapping_add_signed(dy) % self.height;
        row * self.width + column
    }

    /// All open pipes.
    fn pipes(&self) -> Vec<(usize, usize, usize, i32)> {
        let all = (0..self.width * self.height).flat_map(|cell| (0..4).map(move |pipe| (cell, pipe)));
        all.filter_map(|(cell, pipe)| self.pipe(cell, pipe).map(|(far, beside)| (cell, far, pipe, beside))).collect()
    }

    /// Changes a deviation, and records the difference.
    fn put(&mut self, cell: usize, value: i32) {
        let change = i64::from(value) - i64::from(self.eta[cell]);
        self.balance.added[0] += change.max(0);
        self.balance.removed[0] += (-change).max(0);
        self.eta[cell] = value;
    }

    fn prepare(&mut self) {
        if let Some((initial, amounts)) = &self.plan.initial {
            for cell in 0..self.eta.len() {
                let Some([x, y]) = self.on_grid(cell) else { continue };
                let target = amounts.row(y, 0)[x] - REST;
                let acts = match initial {
                    InitialSource::Replace => target > -REST,
                    InitialSource::FillUp => target > -REST && target > self.eta[cell],
                };
                if acts {
                    self.put(cell, target);
                }
            }
        }
        if let Some(factor) = self.plan.rescale {
            self.flow.iter_mut().flatten().for_each(|q| *q = rescale(*q, factor));
        }
    }

    fn net(&self) -> Vec<i32> {
        let mut net = vec![0; self.eta.len()];
        // Closed pipes, too: they may have had a flow before a solid moved.
        for (at, &flow) in self.flow.as_flattened().iter().enumerate().filter(|(_, flow)| **flow != 0) {
            net[at / 4] -= flow;
            net[self.far(at / 4, at % 4)] += flow;
        }
        net
    }

    fn step(&mut self, step: u32) {
        let net = self.net();
        let base = |cell: usize| self.plan.base.as_ref().map_or(0, |base| self.read(base, cell, 0));
        let pressed = (0..self.eta.len()).map(|cell| (self.eta[cell] + base(cell)).clamp(-DEVIATION, DEVIATION));
        let mut head = self.smooth(&pressed.collect::<Vec<_>>());
        for (cell, head) in head.iter_mut().enumerate() {
            let viscous = mul(net[cell].clamp(-HEIGHT_MAX, HEIGHT_MAX), self.plan.smoothing);
            *head = (*head + signed_part(viscous, self.share(cell, control::SMOOTHING))).clamp(-HEAD, HEAD);
        }
        self.accelerate(&head);
        for (cell, net) in self.net().into_iter().enumerate() {
            let inside = self.on_grid(cell);
            let mut next = self.eta[cell] + net;
            for inflow in &self.plan.inflows {
                let Some([x, y]) = inside else { continue };
                let rest = if inflow.shares.planes() == 8 { inflow.shares.row(y, 4)[x] } else { 0 };
                let more = inflow.shares.row(y, 0)[x] + i32::from((step as i32) < rest);
                next += more;
                self.balance.added[0] += i64::from(more);
            }
            if self.solid(cell) {
                continue;
            }
            let kept = next.clamp(-DEVIATION, DEVIATION);
            if inside.is_some() {
                self.balance.clamped[0] += i64::from(next) - i64::from(kept);
            }
            self.eta[cell] = signed_part(kept, self.left(cell));
        }
    }

    /// P of a field.
    fn smooth(&self, values: &[i32]) -> Vec<i32> {
        let Ripples { pyramid, coefficients, .. } = self.ripples;
        let cells = |level: usize| {
            let (width, height) = (pyramid.levels()[level].width, pyramid.levels()[level].height);
            (0..width * height).map(move |cell| (cell % width, cell / width))
        };
        let blur = |level: usize, values: &[i32]| -> Vec<i32> {
            let blurred = cells(level).map(|(x, y)| match pyramid.mass(level, x, y) {
                0 => 0,
                mass => mean(&pyramid.blur(level, x, y), BLUR * mass, |cell| values[cell]),
            });
            blurred.collect()
        };
        let mut blurred = Vec::new();
        let mut coarse = values.to_vec();
        for level in 0..LEVELS {
            let fine = blur(level, &coarse);
            if level + 1 < LEVELS {
                let restricted = cells(level + 1).map(|(x, y)| {
                    let stencil = pyramid.restrict(level + 1, x, y);
                    match stencil.iter().map(|(_, weight)| weight).sum() {
                        0 => 0,
                        sum => mean(&stencil, sum, |cell| fine[cell]),
                    }
                });
                coarse = restricted.collect();
            }
            blurred.push(fine);
        }
        let mut sum: Vec<i32> = Vec::new();
        for (level, fine) in blurred.iter().enumerate().rev() {
            let parts = cells(level).zip(fine).map(|((x, y), &value)| {
                let own = product(value, coefficients.levels[level]);
                match pyramid.mass(level, x, y) {
                    0 => 0,
                    _ if level + 1 == LEVELS => own,
                    _ => own + mean(&pyramid.prolong(level, x, y), FULL, |cell| sum[cell]),
                }
            });
            sum = blur(level, &parts.collect::<Vec<_>>());
        }
        let mut differences = vec![[0_i32; 2]; values.len()];
        for (cell, far, pipe, beside) in self.pipes() {
            let less = values[cell] - values[far];
            for (end, less) in [(cell, less), (far, -less)] {
                let [faces, diagonals] = &mut differences[end];
                if pipe < 2 {
                    *faces += less;
                    *diagonals += beside * less;
                } else {
                    *diagonals += 2 * less;
                }
            }
        }
        let local = |cell: usize| {
            let [faces, diagonals] = differences[cell];
            product(values[cell], coefficients.cell)
                + product(faces, coefficients.faces)
                + half_product(diagonals, coefficients.diagonals)
        };
        (0..values.len()).map(|cell| if self.solid(cell) { 0 } else { sum[cell] + local(cell) }).collect()
    }

    fn accelerate(&mut self, head: &[i32]) {
        let halves = |cell: usize, axis: usize| self.plan.push.as_ref().map_or(0, |push| self.read(push, cell, axis));
        let mut flow = vec![[0; 4]; self.flow.len()];
        for (cell, far, pipe, beside) in self.pipes() {
            let [x, y] = [0, 1].map(|axis| halves(cell, axis) + halves(far, axis));
            let push = self.ripples.push.of([x, y, x + y, y - x][pipe], DROP);
            let drop = (head[cell] - head[far] + push).clamp(-DROP, DROP);
            let size = drop.abs();
            let size = if pipe < 2 { (size * (8 + beside) + 4) >> 3 } else { (size + 2) >> 2 };
            let pull = if drop < 0 { -size } else { size };
            let shared = |plane: usize| (self.share(cell, plane) + self.share(far, plane)) / 2;
            let q = self.flow[cell][pipe];
            let kept = q - signed_part(q - mul(q, self.plan.keep), shared(control::LOSS));
            let next = signed_part(kept, shared(control::REST)) + signed_part(pull, shared(control::PULL));
            let left = self.left(cell).min(self.left(far));
            flow[cell][pipe] = signed_part(next.clamp(-FLOW_MAX, FLOW_MAX), left);
        }
        self.flow = flow;
    }
}
