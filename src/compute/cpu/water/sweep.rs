//! One sweep over a tile: several steps in one pass over its rows. Each step is two rows behind the previous one.

use std::marker::PhantomData;
use std::ops::Range;

use super::super::lanes::{BLOCK, Lanes, PrefetchQueue};
use super::inflow::{self, Place};
use super::line::faces;
use super::line::level::{self, Viscosity};
use super::line::limit::{self, OutflowLimits};
use super::line::pigment::{self, Upflow};
use super::line::pipes::{self, Coefficients};
use super::line::row::{Common, Edge, Push};
use super::line::{CellRange, ControlRows, RowPair, strips};
use super::tiles;
use super::window::Window;
use crate::sim::water::fixed_point::PIGMENT_MAX;
use crate::sim::water::plan::{FramePlan, MassBalance, Water, control, flow_planes};
use crate::sim::water::settings::Edges;

/// A sweep: consecutive steps of a frame, for all tiles.
pub(super) struct Sweep<'a> {
    pub plan: &'a FramePlan,
    pub coefficients: &'a Coefficients,
    /// Coefficients of Shallow water.
    pub faces: &'a faces::Coefficients,
    pub from: &'a Water,
    /// The steps of the frame that the sweep takes.
    pub steps: Range<u32>,
    /// The sweep begins the frame, with the changes before its first step.
    pub first: bool,
    /// The sweep ends the frame.
    pub last: bool,
    /// Whether stores of the new state bypass the caches, because it does not fit them.
    pub stream: bool,
}

/// The cells of a tile, ring coordinates.
pub(super) struct Tile {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

/// The rows of a band in the new state; slices hold whole rows with their ring, from `first` on.
pub(super) struct Out<'a> {
    pub first: usize,
    pub height: &'a mut [i32],
    pub flow: &'a mut [i32],
    pub pigment: Option<&'a mut [i32]>,
}

/// Totals of water, red, green and blue.
pub(super) type Sums = [i64; 4];

/// The counts of a sweep over a tile.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub balance: MassBalance,
    /// Totals of the tile before the sweep, with open edges.
    pub before: Sums,
    /// Totals of the tile after the sweep, with open edges.
    pub after: Sums,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.balance += other.balance;
        for (mine, theirs) in [(&mut self.before, other.before), (&mut self.after, other.after)] {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a = a.wrapping_add(b));
        }
    }
}

/// Takes the steps of `sweep` over a tile.
#[inline(always)]
pub(super) fn tile<V: Lanes, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool>(
    sweep: &Sweep<'_>,
    window: &mut Window,
    tile: &Tile,
    out: &mut Out<'_>,
) -> Counts {
    let mut work = Work::<V, CLASSIC, SHALLOW, COLOUR>::new(sweep, window, tile);
    work.run(out);
    V::settle();
    work.counts
}

struct Work<'a, V, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> {
    sweep: &'a Sweep<'a>,
    plan: &'a FramePlan,
    window: &'a mut Window,
    tile: &'a Tile,
    counts: Counts,
    /// The tile's cells in a line.
    core: CellRange,
    all: CellRange,
    /// The rows of the domain.
    rows: Range<isize>,
    count_sums: bool,
    vectors: PhantomData<V>,
}

impl<'a, V: Lanes, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> Work<'a, V, CLASSIC, SHALLOW, COLOUR> {
    #[inline(always)]
    fn new(sweep: &'a Sweep<'a>, window: &'a mut Window, tile: &'a Tile) -> Self {
        let plan = sweep.plan;
        window.place(plan, &tile.columns, sweep.steps.len() as u32);
        let core = CellRange { from: window.index(tile.columns.start), len: tile.columns.len() };
        let all = CellRange { from: 0, len: window.blocks * BLOCK };
        let wrap = plan.domain.edges() == Edges::Wrap;
        let rows = if wrap { isize::MIN / 2..isize::MAX / 2 } else { 0..plan.domain.height() as isize + 2 };
        let count_sums = plan.domain.edges() == Edges::Open;
        Self { sweep, plan, window, tile, counts: Counts::default(), core, all, rows, count_sums, vectors: PhantomData }
    }

    #[inline(always)]
    fn run(&mut self, out: &mut Out<'_>) {
        let steps = self.sweep.steps.len() as isize;
        let (c0, c1) = (self.tile.rows.start as isize, self.tile.rows.end as isize);
        let loaded = (c0 - self.reach() * steps - 1).max(self.rows.start)..(c1 + 2 * steps).min(self.rows.end);
        if COLOUR {
            self.window.upflow.fill(Upflow::ZERO);
        }
        let end = if steps == 0 { c1 - 1 } else { c1 + 2 * (steps - 1) + 1 };
        for y in loaded.start - 1..end {
            if loaded.contains(&(y + 1)) {
                self.load(y + 1, loaded.start);
            }
            let mut ahead = PrefetchQueue::new();
            if loaded.contains(&(y + 2)) {
                ahead = self.window.ahead(self.plan, self.sweep.from, y + 2);
                ahead.spread(steps as usize * self.window.blocks);
            }
            for j in 1..=steps {
                self.stage(j, y - 2 * (j - 1), steps, &mut ahead);
            }
            let done = if steps == 0 { y + 1 } else { y - 2 * (steps - 1) - 1 };
            if done >= 0 && (c0..c1).contains(&done.max(c0)) && (done >= c0 || (done == 0 && c0 == 1)) {
                self.store(done, out);
            }
        }
    }

    #[inline(always)]
    fn load(&mut self, y: isize, first: isize) {
        self.window.load::<COLOUR>(self.plan, self.sweep.from, y);
        let core = self.tile.rows.contains(&(y.max(0) as usize)) && y > 0;
        if self.count_sums && self.sweep.first && core {
            self.sums(y, true);
        }
        if self.sweep.first {
            let place = self.place(y);
            let balance = inflow::prepare(self.plan, self.window, place, COLOUR);
            self.counts.balance += balance;
        }
        let slot = self.window.slot(y);
        self.window.wet[slot] = level::wet::<V>(&self.window.height[slot], self.window.blocks);
        if y > first {
            let w = &mut *self.window;
            let (slot, below) = (w.slot(y), w.slot(y - 1));
            level::heads::<V, CLASSIC, SHALLOW>(
                &mut w.head[slot],
                [&w.height[slot], &w.base[slot]],
                [&w.flow[slot], &w.flow[below]],
                w.blocks,
                self.sweep.coefficients.smoothing,
                Viscosity { shares: &w.control[slot][control::SMOOTHING], controlled: w.controlled[slot] },
            );
        }
    }

    /// Row y of the window; its cells count where the row belongs to the tile.
    #[inline(always)]
    fn place(&self, y: isize) -> Place {
        let core =
            if y > 0 && self.tile.rows.contains(&(y as usize)) { self.core } else { CellRange { from: 0, len: 0 } };
        Place { slot: self.window.slot(y), row: self.window.row(self.plan, y), all: self.all, core }
    }

    /// Rows below the tile that a step reads.
    #[inline(always)]
    fn reach(&self) -> isize {
        tiles::reach(self.plan.model) as isize
    }

    /// Whether row y is on the grid, not beyond an edge.
    #[inline(always)]
    fn inner(&self, y: isize) -> bool {
        y > self.rows.start && y < self.rows.end - 1
    }

    /// Advances step `j` of the sweep (from 1) to row y.
    #[inline(always)]
    fn stage(&mut self, j: isize, y: isize, steps: isize, ahead: &mut PrefetchQueue<'_>) {
        let rest = steps - j;
        let (low, high) = (self.tile.rows.start as isize - self.reach() * rest, self.tile.rows.end as isize + 2 * rest);
        let (first, last) = (self.rows.start, self.rows.end - 1);
        if y >= (low - 2).max(first) && y < (high + 1).min(last) {
            if SHALLOW {
                self.accelerate_faces(y, y == (low - 2).max(first), ahead);
            } else {
                self.accelerate(y, ahead);
            }
        }
        let y = y - 1;
        if y >= (low - 1).max(first) && y < high.min(last) {
            self.limit_outflows(y);
            if COLOUR {
                self.advect(j as usize - 1, y, y == (low - 1).max(first));
            }
        }
        if y >= low.max(first + 1) && y < high.min(last) {
            self.update_heights(self.sweep.steps.start + j as u32 - 1, y);
        }
    }

    /// Finds the blocks of row y without flow, and borrows the input and output of its acceleration, except the flows.
    #[inline(always)]
    fn common(&mut self, y: isize) -> Common<'_> {
        let inner = self.inner(y);
        let pushed = self.plan.push.is_some();
        let w = &mut *self.window;
        let (slot, above) = (w.slot(y), w.slot(y + 1));
        let near = w.wet[slot] | w.wet[above];
        w.still[slot] = !(near | (near << 1) | (near >> 1));
        let controlled = w.controlled[slot] | w.controlled[above];
        Common {
            heads: RowPair::of(&w.head, slot, above),
            height: RowPair::of(&w.height, slot, above),
            push: Push {
                x: RowPair { here: &w.push[slot][0], above: &w.push[above][0] },
                y: RowPair { here: &w.push[slot][1], above: &w.push[above][1] },
            },
            pushed,
            edge: Edge {
                codes: &w.codes[slot],
                base: RowPair::of(&w.base, slot, above),
                inside: if inner { &w.inside } else { &w.zeros },
            },
            controlled: ControlRows {
                here: &w.control[slot],
                above: &w.control[above],
                blocks: controlled | (controlled << 1) | (controlled >> 1),
            },
            change: &mut w.change[slot],
            limits: OutflowLimits {
                share: &mut w.share[slot],
                whole: &mut w.whole[slot],
                depleted: &mut w.depleted[slot],
            },
            special: w.special[slot],
            still: w.still[slot],
            blocks: w.blocks,
        }
    }

    #[inline(always)]
    fn accelerate(&mut self, y: isize, ahead: &mut PrefetchQueue<'_>) {
        let (slot, below) = (self.window.slot(y), self.window.slot(y - 1));
        let mut flows = std::mem::take(&mut self.window.flow);
        let (flow, below) = two_lines(&mut flows, slot, below);
        let coefficients = self.sweep.coefficients;
        let mut row = pipes::Row { flow, below, common: self.common(y) };
        let limited = pipes::accelerate::<V, CLASSIC, COLOUR>(&mut row, coefficients, ahead);
        self.window.limited[slot] = limited;
        self.window.flow = flows;
    }

    /// As [`Work::accelerate`], for the faces of Shallow water. `lowest`: the first row of the step.
    #[inline(always)]
    fn accelerate_faces(&mut self, y: isize, lowest: bool, ahead: &mut PrefetchQueue<'_>) {
        let (slot, above, below) = (self.window.slot(y), self.window.slot(y + 1), self.window.slot(y - 1));
        let mut flows = std::mem::take(&mut self.window.flow);
        let mut before = std::mem::take(&mut self.window.before);
        faces::keep(&flows[slot], &mut before[slot]);
        if lowest {
            if y > self.rows.start {
                faces::keep(&flows[below], &mut before[below]);
            } else {
                before[below].iter_mut().for_each(|line| line.fill(0));
            }
        }
        let (flow, below_flow, above_flow) = three_lines(&mut flows, [slot, below, above]);
        let coefficients = self.sweep.faces;
        let mut row = faces::Row {
            flow,
            below: below_flow,
            before: [&before[below], &before[slot]],
            above: above_flow,
            common: self.common(y),
        };
        let limited = faces::accelerate::<V, COLOUR>(&mut row, coefficients, ahead);
        self.window.limited[slot] = limited;
        self.window.flow = flows;
        self.window.before = before;
    }

    #[inline(always)]
    fn limit_outflows(&mut self, y: isize) {
        let inner = [self.inner(y), self.inner(y + 1)];
        let w = &mut *self.window;
        let (slot, above) = (w.slot(y), w.slot(y + 1));
        let here = if inner[0] { w.limited[slot] } else { 0 };
        let there = if inner[1] { w.limited[above] } else { 0 };
        let mask = around(here, there) & strips(((1u64 << w.blocks) - 1) as u32 & !w.still[slot]);
        w.cut[slot] = mask;
        if mask == 0 {
            return;
        }
        for (inner, slot) in [(inner[0], slot), (inner[1], above)] {
            // Cells beyond an edge have no outflow.
            if !inner {
                w.share[slot].fill(0);
                w.whole[slot] = 0;
            }
        }
        let shares = RowPair { here: &w.share[slot], above: &w.share[above] };
        let mut rest = mask;
        while rest != 0 {
            limit::apply::<V, CLASSIC>(&mut w.flow[slot], shares, rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    #[inline(always)]
    fn advect(&mut self, stage: usize, y: isize, first: bool) {
        let place = self.place(y);
        let inner = [self.inner(y), self.inner(y + 1)];
        let w = &mut *self.window;
        let (slot, above) = (w.slot(y), w.slot(y + 1));
        w.divisors[above].fill::<V>(&w.height[above], &w.pigment[above], &mut w.saturated[above], w.blocks);
        if first {
            w.divisors[slot].fill::<V>(&w.height[slot], &w.pigment[slot], &mut w.saturated[slot], w.blocks);
        }
        let (mut bare, mut bare_above) = (w.saturated[slot], w.saturated[above]);
        for (inner, bare, slot) in [(inner[0], &mut bare, slot), (inner[1], &mut bare_above, above)] {
            if inner {
                bare.iter_mut().zip(&w.depleted[slot]).for_each(|(bare, depleted)| *bare |= depleted);
            }
        }
        let (pigment, pigment_above) = two_lines(&mut w.pigment, slot, above);
        let over = pigment::advect::<V, CLASSIC>(&mut pigment::Row {
            flow: &w.flow[slot],
            height: RowPair { here: &w.height[slot], above: &w.height[above] },
            divisors: [&w.divisors[slot], &w.divisors[above]],
            pigment,
            above: pigment_above,
            upflow: &mut w.upflow[stage],
            still: w.still[slot],
            bare: [&bare, &bare_above],
            blocks: w.blocks,
        });
        for x in w.ring(self.plan) {
            w.pigment[slot].iter_mut().for_each(|line| *line.cell(x) = 0);
        }
        for channel in 0..3 {
            let line = &mut self.window.pigment[slot][channel];
            if over {
                self.counts.balance.clamped[channel + 1] += inflow::clamp_to(line, place, PIGMENT_MAX);
            }
            if y <= self.rows.start {
                // Cells below the lower edge have no pigment.
                line.fill(0);
            }
        }
    }

    #[inline(always)]
    fn update_heights(&mut self, step: u32, y: isize) {
        let w = &mut *self.window;
        let (slot, below) = (w.slot(y), w.slot(y - 1));
        let (own, under) = (w.cut[slot], w.cut[below]);
        let mut row = level::Row {
            height: &mut w.height[slot],
            head: &mut w.head[slot],
            base: &w.base[slot],
            change: &w.change[slot],
            flows: [&w.flow[slot], &w.flow[below]],
            cut: own | (own << 1) | under | (under << 1) | (under >> 1),
            viscosity: Viscosity { shares: &w.control[slot][control::SMOOTHING], controlled: w.controlled[slot] },
            blocks: w.blocks,
        };
        let updated = level::update::<V, CLASSIC, SHALLOW>(&mut row, self.sweep.coefficients.smoothing);
        w.wet[slot] = updated.wet;
        for x in w.ring(self.plan) {
            *w.height[slot].cell(x) = 0;
        }
        let place = self.place(y);
        if let Some(balance) = inflow::add_inflow(self.plan, self.window, step, place, updated.over, COLOUR) {
            self.counts.balance += balance;
            self.window.wet[place.slot] = level::wet::<V>(&self.window.height[place.slot], self.window.blocks);
        }
    }

    /// Adds up the water and pigment of the tile's cells in row y.
    #[inline(always)]
    fn sums(&mut self, y: isize, before: bool) {
        let w = &*self.window;
        let slot = w.slot(y);
        let sum = |line: &[i32]| line.iter().map(|&v| i64::from(v)).sum::<i64>();
        let mut sums = [sum(w.height[slot].cells(self.core)), 0, 0, 0];
        if COLOUR {
            for (channel, line) in w.pigment[slot].iter().enumerate() {
                sums[channel + 1] = sum(line.cells(self.core));
            }
        }
        let to = if before { &mut self.counts.before } else { &mut self.counts.after };
        to.iter_mut().zip(sums).for_each(|(a, b)| *a += b);
    }

    /// Writes row y, which all steps have passed, to the new state.
    #[inline(always)]
    fn store(&mut self, y: isize, out: &mut Out<'_>) {
        let width = self.plan.domain.width();
        let stride = width + 2;
        // At the edges of the grid the ring belongs to the tile.
        let columns = self.tile.columns.start - usize::from(self.tile.columns.start == 1)
            ..self.tile.columns.end + usize::from(self.tile.columns.end == width + 1);
        if self.count_sums && self.sweep.last && y > 0 {
            self.sums(y, false);
        }
        let stream = self.sweep.stream;
        let w = &*self.window;
        let slot = w.slot(y);
        let at = (y as usize - out.first) * stride;
        let run = |x: usize, len: usize| CellRange { from: w.index(x), len };
        let inner = self.tile.columns.clone();
        // Heights and pigment beyond the edges are 0.
        let clear_ring = |row: &mut [i32]| {
            row[columns.start..inner.start].fill(0);
            row[inner.end..columns.end].fill(0);
        };
        if y > 0 {
            let row = &mut out.height[at..at + stride];
            clear_ring(row);
            write_back::<V>(stream, w.height[slot].cells(run(inner.start, inner.len())), &mut row[inner.clone()]);
            if let Some(pigment) = &mut out.pigment {
                for (channel, line) in w.pigment[slot].iter().enumerate() {
                    let row = &mut pigment[at * 3 + channel * stride..][..stride];
                    clear_ring(row);
                    write_back::<V>(stream, line.cells(run(inner.start, inner.len())), &mut row[inner.clone()]);
                }
            }
        }
        let planes = flow_planes(self.plan.model);
        for (plane, line) in w.flow[slot][..planes].iter().enumerate() {
            let row = &mut out.flow[at * planes + plane * stride..][..stride];
            write_back::<V>(stream, line.cells(run(columns.start, columns.len())), &mut row[columns.clone()]);
        }
    }
}

/// Copies values, past the caches with `stream`.
#[inline(always)]
fn write_back<V: Lanes>(stream: bool, from: &[i32], to: &mut [i32]) {
    if stream { V::stream(from, to) } else { to.copy_from_slice(from) }
}

/// The strips with pipes that end in the strips `here` of their row or `above` of the row above.
#[inline(always)]
fn around(here: u32, above: u32) -> u32 {
    here | (here >> 1) | above | (above >> 1) | (above << 1)
}

/// Two lines of a window at once, the first one mutable.
#[inline(always)]
fn two_lines<T>(lines: &mut [T], first: usize, second: usize) -> (&mut T, &T) {
    match lines.get_disjoint_mut([first, second]) {
        Ok([first, second]) => (first, second),
        Err(_) => unreachable!("rows beside each other have slots of their own"),
    }
}

/// Three lines of a window at once, the first one mutable.
#[inline(always)]
fn three_lines<T>(lines: &mut [T], three: [usize; 3]) -> (&mut T, &T, &T) {
    match lines.get_disjoint_mut(three) {
        Ok([first, second, third]) => (first, second, third),
        Err(_) => unreachable!("rows beside each other have slots of their own"),
    }
}
