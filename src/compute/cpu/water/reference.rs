//! The scalar reference of a frame of water: one thread, one cell at a time, no code in common with the kernels.
//!
//! Tests compare the result of every device with this one by `==`.

mod faces;

use std::sync::Arc;

use super::ripples;
use crate::sim::Interrupted;
use crate::sim::water::buffers::StateBuffers;
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::{
    Coefficient, FLOW_MAX, HEIGHT_MAX, PIGMENT_MAX, WHOLE, mul, outflow_limit, part, pigment_share, raised, rescale,
    signed_part,
};
use crate::sim::water::plan::{Device, FramePlan, InitialSource, MassBalance, RowCounts, RowJob, Water, control};
use crate::sim::water::settings::{Edges, Model};

/// The scalar device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

/// A cell by its coordinates; −1 and the width or height are beyond an edge.
type Cell = (isize, isize);

/// A pipe: its owner, its neighbour, its number.
type Pipe = (Cell, Cell, usize);

/// Offsets of E, N, NE, NW.
const OFFSETS: [Cell; 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

impl Device for Reference {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        let mut sum = RowCounts::default();
        for y in 0..field.height() {
            let counts = job(y, field.rows_mut(y + 1, y + 1));
            for (a, b) in sum.iter_mut().zip(counts) {
                *a = a.wrapping_add(b);
            }
        }
        sum
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        if let Some(plan_of_ripples) = &plan.ripples {
            let (water, balance) = ripples::reference::run(plan, plan_of_ripples, body.water(), go_on)?;
            return Ok((Arc::new(StateBuffers::new(water)), balance));
        }
        let mut frame = Frame::new(plan, body.water());
        frame.prepare();
        for step in 0..plan.steps {
            if !go_on() {
                return Err(Interrupted);
            }
            frame.step(step);
        }
        Ok((Arc::new(StateBuffers::new(frame.water)), frame.balance))
    }
}

struct Frame<'a> {
    plan: &'a FramePlan,
    water: Water,
    balance: MassBalance,
    width: isize,
    height: isize,
}

impl<'a> Frame<'a> {
    fn new(plan: &'a FramePlan, water: &Water) -> Frame<'a> {
        let mut water = water.clone();
        let (width, height) = (water.height.width(), water.height.height());
        if plan.colours() && water.pigment.is_none() {
            water.pigment = Some(Field::new(width, height, 3));
        }
        Frame { plan, water, balance: MassBalance::default(), width: width as isize, height: height as isize }
    }

    fn edges(&self) -> Edges {
        self.plan.domain.edges()
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (w, h) = (self.width, self.height);
        (0..h).flat_map(move |y| (0..w).map(move |x| (x, y)))
    }

    /// All pipes with at least one end inside, each once.
    fn pipes(&self) -> Vec<Pipe> {
        let wrap = self.edges() == Edges::Wrap;
        let mut pipes = Vec::new();
        for y in -1..self.height {
            for x in -1..=self.width {
                for (p, (dx, dy)) in OFFSETS.into_iter().enumerate() {
                    let (i, j) = ((x, y), (x + dx, y + dy));
                    let (i_in, j_in) = (self.inside(i), self.inside(j));
                    if i_in || (j_in && !wrap) {
                        pipes.push((i, j, p));
                    }
                }
            }
        }
        pipes
    }

    fn inside(&self, (x, y): Cell) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// The cell itself, or the cell that it wraps to.
    fn home(&self, (x, y): Cell) -> Cell {
        if self.edges() == Edges::Wrap { (x.rem_euclid(self.width), y.rem_euclid(self.height)) } else { (x, y) }
    }

    fn read(&self, field: &Field, cell: Cell, plane: usize) -> i32 {
        let (x, y) = self.home(cell);
        field.row((y + 1) as usize, plane)[(x + 1) as usize]
    }

    fn blocked(&self, cell: Cell) -> bool {
        let (x, y) = self.home(cell);
        if !self.inside((x, y)) {
            return self.plan.domain.is_shut((x + 1) as usize, (y + 1) as usize);
        }
        self.plan.domain.solid().is_some_and(|s| s[(y * self.width + x) as usize])
    }

    fn closed(&self, (i, j, p): Pipe) -> bool {
        let squeezed = p >= 2 && self.blocked((i.0, j.1)) && self.blocked((j.0, i.1));
        self.blocked(i) || self.blocked(j) || squeezed
    }

    fn acceleration(&self, (i, j, p): Pipe) -> Coefficient {
        if p >= 2 {
            return self.plan.diagonal;
        }
        let side = if p == 0 { (0, 1) } else { (1, 0) };
        let beside = |c: Cell, s: isize| (c.0 + s * side.0, c.1 + s * side.1);
        let n = [beside(i, 1), beside(i, -1), beside(j, 1), beside(j, -1)].iter().filter(|&&c| self.blocked(c)).count();
        self.plan.cross[n]
    }

    /// Control share of a cell: a factor in parts of 65536.
    fn own_share(&self, cell: Cell, plane: usize) -> u32 {
        self.plan.control.as_ref().map_or(WHOLE, |shares| self.read(shares, cell, plane) as u32)
    }

    /// Control share of a pipe: the mean of the shares of both cells.
    fn share(&self, (i, j, _): Pipe, plane: usize) -> u32 {
        (self.own_share(i, plane) + self.own_share(j, plane)) / 2
    }

    /// The flow of a pipe, or the speed of a face, after damping and absorption.
    fn kept(&self, pipe: Pipe, q: i32) -> i32 {
        let kept = q - signed_part(q - mul(q, self.plan.keep), self.share(pipe, control::LOSS));
        signed_part(kept, self.share(pipe, control::REST))
    }

    fn prepare(&mut self) {
        if self.plan.clear_solid {
            for cell in self.cells() {
                if self.blocked(cell) {
                    self.put_height(cell, 0);
                    for channel in 0..3 {
                        self.put_pigment(cell, channel, 0);
                    }
                }
            }
        }
        if let Some((initial, amounts)) = &self.plan.initial {
            for cell in self.cells() {
                let target = self.read(amounts, cell, 0);
                let before = self.read(&self.water.height, cell, 0);
                for channel in 0..3 {
                    let pigment = self.pigment(cell, channel);
                    let brings = self.read(amounts, cell, channel + 1);
                    match initial {
                        InitialSource::Replace if target > 0 => self.put_pigment(cell, channel, brings),
                        InitialSource::FillUp if target > before => {
                            let whole = i64::from(pigment) + i64::from(raised(brings, before, target));
                            let kept = whole.min(i64::from(PIGMENT_MAX));
                            self.balance.clamped[channel + 1] += whole - kept;
                            self.balance.added[channel + 1] += whole - kept;
                            self.put_pigment(cell, channel, kept as i32);
                        }
                        _ => {}
                    }
                }
                match initial {
                    InitialSource::Replace if target > 0 => self.put_height(cell, target),
                    InitialSource::FillUp if target > before => self.put_height(cell, target),
                    _ => {}
                }
            }
        }
        if let Some(p) = self.plan.rescale {
            let planes = self.water.flow.planes();
            for y in 0..self.water.flow.height() + 2 {
                for plane in 0..planes {
                    self.water.flow.row_mut(y, plane).iter_mut().for_each(|q| *q = rescale(*q, p));
                }
            }
        }
    }

    fn pigment(&self, cell: Cell, channel: usize) -> i32 {
        self.water.pigment.as_ref().map_or(0, |m| self.read(m, cell, channel))
    }

    /// Sets a height, and records the difference.
    fn put_height(&mut self, (x, y): Cell, value: i32) {
        let old = self.water.height.at(x as usize, y as usize, 0);
        self.enter(0, i64::from(value) - i64::from(old));
        self.water.height.set(x as usize, y as usize, 0, value);
    }

    /// Sets a mass of pigment, and records the difference.
    fn put_pigment(&mut self, (x, y): Cell, channel: usize, value: i32) {
        let Some(field) = &mut self.water.pigment else {
            return;
        };
        let old = field.at(x as usize, y as usize, channel);
        field.set(x as usize, y as usize, channel, value);
        self.enter(channel + 1, i64::from(value) - i64::from(old));
    }

    fn enter(&mut self, kind: usize, more: i64) {
        self.balance.added[kind] += more.max(0);
        self.balance.removed[kind] += (-more).max(0);
    }

    fn step(&mut self, step: u32) {
        match self.plan.model {
            Model::Pipes | Model::Classic | Model::Ripples => self.accelerate(),
            Model::ShallowWater => self.accelerate_faces(),
        }
        let flows = self.limit();
        self.move_water(&flows);
        self.let_in(step);
        self.evaporate(step);
    }

    /// All flows, each with its source and its target.
    fn directed(&self) -> Vec<(Cell, Cell, i32)> {
        let mut list = Vec::new();
        for (i, j, p) in self.pipes() {
            match self.plan.model {
                Model::Pipes | Model::ShallowWater | Model::Ripples => {
                    let q = self.read(&self.water.flow, i, p);
                    list.push(if q >= 0 { (i, j, q) } else { (j, i, -q) });
                }
                Model::Classic => {
                    list.push((i, j, self.read(&self.water.flow, i, p)));
                    list.push((j, i, self.read(&self.water.flow, i, p + 4)));
                }
            }
        }
        list
    }

    /// Heads of the cells: water, terrain, pressure, and a viscosity from the net inflow of the step before, which
    /// Shallow water has where that is positive.
    fn heads(&self) -> Field {
        let mut net = Field::new(self.width as usize, self.height as usize, 1);
        if self.plan.model != Model::Classic {
            for (from, to, q) in self.directed() {
                let (from, to) = (self.home(from), self.home(to));
                for (cell, change) in [(from, -q), (to, q)] {
                    if self.inside(cell) {
                        let v = self.read(&net, cell, 0);
                        net.set(cell.0 as usize, cell.1 as usize, 0, v + change);
                    }
                }
            }
        }
        let least = if self.plan.model == Model::ShallowWater { 0 } else { -HEIGHT_MAX };
        let mut heads = net.clone();
        for cell in self.cells() {
            let d = self.read(&net, cell, 0).clamp(least, HEIGHT_MAX);
            let viscous = signed_part(mul(d, self.plan.smoothing), self.own_share(cell, control::SMOOTHING));
            let head = self.read(&self.water.height, cell, 0) + self.base(cell) + viscous;
            heads.set(cell.0 as usize, cell.1 as usize, 0, head);
        }
        heads
    }

    /// The part of a cell's head that is not water: terrain plus pressure.
    fn base(&self, cell: Cell) -> i32 {
        self.plan.base.as_ref().map_or(0, |base| self.read(base, cell, 0))
    }

    /// Heads at both ends of a pipe. A dry cell beyond an open edge has the terrain and pressure of the cell inside.
    fn ends(&self, heads: &Field, (i, j, _): Pipe) -> [i32; 2] {
        let (hi, hj) = (self.home(i), self.home(j));
        let head = |cell: Cell, other: Cell| {
            if self.inside(cell) { self.read(heads, cell, 0) } else { self.base(other) }
        };
        [head(hi, hj), head(hj, hi)]
    }

    fn accelerate(&mut self) {
        let heads = self.heads();
        let push = |cell: Cell, axis: usize| self.plan.push.as_ref().map_or(0, |g| self.read(g, cell, axis));
        let mut flow = self.water.flow.clone();
        for pipe in self.pipes() {
            let (i, j, p) = pipe;
            let (hi, hj) = (self.home(i), self.home(j));
            let [e_i, e_j] = self.ends(&heads, pipe);
            // A dry cell beyond an open edge copies the cell inside.
            let (g_i, g_j) = (if self.inside(hi) { hi } else { hj }, if self.inside(hj) { hj } else { hi });
            let (x, y) = (push(g_i, 0) + push(g_j, 0), push(g_i, 1) + push(g_j, 1));
            let f = [x, y, x + y, y - x][p];
            let closed = self.closed(pipe);
            let k = self.acceleration(pipe);
            let at = ((i.0 + 1) as usize, (i.1 + 1) as usize);
            let mut pass = |plane: usize, drop: i32, signed: bool| {
                let q = &mut flow.row_mut(at.1, plane)[at.0];
                let next = self.kept(pipe, *q) + signed_part(mul(drop, k), self.share(pipe, control::PULL));
                let least = if signed { -FLOW_MAX } else { 0 };
                *q = if closed { 0 } else { next.clamp(least, FLOW_MAX) };
            };
            match self.plan.model {
                Model::Pipes | Model::ShallowWater | Model::Ripples => pass(p, e_i - e_j + f, true),
                Model::Classic => {
                    pass(p, e_i - e_j + f, false);
                    pass(p + 4, e_j - e_i - f, false);
                }
            }
        }
        self.water.flow = flow;
    }

    /// Limits the outflows, and lists the flows.
    fn limit(&mut self) -> Vec<(Cell, Cell, i32)> {
        let mut sums = Field::new(self.width as usize, self.height as usize, 1);
        for (from, _, q) in self.directed() {
            let from = self.home(from);
            if self.inside(from) {
                let v = self.read(&sums, from, 0);
                sums.set(from.0 as usize, from.1 as usize, 0, v + q);
            }
        }
        let share = |cell: Cell| {
            let cell = self.home(cell);
            if self.inside(cell) {
                outflow_limit(self.read(&self.water.height, cell, 0), self.read(&sums, cell, 0))
            } else {
                0
            }
        };
        let mut flow = self.water.flow.clone();
        for (i, j, p) in self.pipes() {
            let at = ((i.0 + 1) as usize, (i.1 + 1) as usize);
            let cut = |q: i32, r: u32| part(q as u32, r) as i32;
            match self.plan.model {
                Model::Pipes | Model::ShallowWater | Model::Ripples => {
                    let q = &mut flow.row_mut(at.1, p)[at.0];
                    *q = if *q >= 0 { cut(*q, share(i)) } else { -cut(-*q, share(j)) };
                }
                Model::Classic => {
                    for (plane, from) in [(p, i), (p + 4, j)] {
                        let q = &mut flow.row_mut(at.1, plane)[at.0];
                        *q = cut(*q, share(from));
                    }
                }
            }
        }
        if self.edges() == Edges::Wrap {
            flow.wrap_ring();
        }
        self.water.flow = flow;
        self.directed()
    }

    fn move_water(&mut self, flows: &[(Cell, Cell, i32)]) {
        let n = (self.width * self.height) as usize;
        let width = self.width;
        let index = |c: Cell| (c.1 * width + c.0) as usize;
        let mut next = vec![[0i64; 4]; n];
        for cell in self.cells() {
            let m = [0, 1, 2].map(|c| i64::from(self.pigment(cell, c)));
            next[index(cell)] = [i64::from(self.read(&self.water.height, cell, 0)), m[0], m[1], m[2]];
        }
        for &(from, to, q) in flows {
            let (from, to) = (self.home(from), self.home(to));
            if q == 0 || !self.inside(from) {
                continue;
            }
            let height = self.read(&self.water.height, from, 0);
            let mut moved = [i64::from(q), 0, 0, 0];
            for channel in 0..3 {
                moved[channel + 1] = i64::from(pigment_share(self.pigment(from, channel), q, height));
            }
            for kind in 0..4 {
                next[index(from)][kind] -= moved[kind];
                if self.inside(to) {
                    next[index(to)][kind] += moved[kind];
                } else {
                    self.balance.drained[kind] += moved[kind];
                }
            }
        }
        for cell in self.cells() {
            let amounts = next[index(cell)];
            self.store(cell, amounts);
        }
    }

    /// Writes height and pigment of a cell, clamped to their ceilings.
    fn store(&mut self, (x, y): Cell, amounts: [i64; 4]) {
        for (kind, amount) in amounts.into_iter().enumerate() {
            let top = i64::from(if kind == 0 { HEIGHT_MAX } else { PIGMENT_MAX });
            self.balance.clamped[kind] += (amount - top).max(0);
            let kept = amount.min(top) as i32;
            match (kind, &mut self.water.pigment) {
                (0, _) => self.water.height.set(x as usize, y as usize, 0, kept),
                (_, Some(pigment)) => pigment.set(x as usize, y as usize, kind - 1, kept),
                _ => {}
            }
        }
    }

    fn let_in(&mut self, step: u32) {
        for cell in self.cells() {
            let m = [0, 1, 2].map(|c| i64::from(self.pigment(cell, c)));
            let mut amounts = [i64::from(self.read(&self.water.height, cell, 0)), m[0], m[1], m[2]];
            for inflow in &self.plan.inflows {
                let kinds = if inflow.coloured { 4 } else { 1 };
                let shared = inflow.shares.planes() == 8;
                for (kind, amount) in amounts.iter_mut().enumerate().take(kinds) {
                    let base = self.read(&inflow.shares, cell, kind);
                    let rest = if shared { self.read(&inflow.shares, cell, kind + 4) } else { 0 };
                    let more = i64::from(base) + i64::from((step as i32) < rest);
                    *amount += more;
                    self.balance.added[kind] += more;
                }
            }
            self.store(cell, amounts);
        }
    }

    fn evaporate(&mut self, step: u32) {
        let share = self.plan.evaporation_of(step);
        for cell in self.cells() {
            let height = self.read(&self.water.height, cell, 0);
            let lost = height.min(share);
            self.balance.removed[0] += i64::from(lost);
            self.water.height.set(cell.0 as usize, cell.1 as usize, 0, height - lost);
        }
    }
}
