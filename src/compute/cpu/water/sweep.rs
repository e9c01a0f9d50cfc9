//! One sweep over a tile: several steps, each two rows behind the one before it.

use std::marker::PhantomData;
use std::ops::Range;

use super::super::lanes::{BLOCK, Lanes, PrefetchQueue};
use super::inflow::{self, Place};
use super::line::faces;
use super::line::level::{self, Viscosity};
use super::line::limit::{self, Means};
use super::line::pigment::{self, Rise};
use super::line::pipes::{self, Coefficients};
use super::line::row::{Common, Edge, Push};
use super::line::{Eased, Pair, Run, stretches};
use super::tiles;
use super::window::Window;
use crate::sim::water::fixed_point::PIGMENT_MAX;
use crate::sim::water::plan::{FramePlan, MassBalance, Water, control, flow_planes};
use crate::sim::water::settings::Edges;

/// Some steps of a frame, for all tiles.
pub(super) struct Sweep<'a> {
    pub plan: &'a FramePlan,
    pub coefficients: &'a Coefficients,
    /// Those of shallow water.
    pub faces: &'a faces::Coefficients,
    pub from: &'a Water,
    /// The steps of the frame that it takes.
    pub steps: Range<u32>,
    /// What comes before the frame's first step is part of it.
    pub first: bool,
    /// It ends the frame.
    pub last: bool,
    /// The water is too large for a cache to hold until it is read again.
    pub stream: bool,
}

/// The cells of a tile, ring coordinates.
pub(super) struct Tile {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

/// Rows of a band where a sweep leaves its water; slices hold whole rows with their ring, from `first` on.
pub(super) struct Out<'a> {
    pub first: usize,
    pub height: &'a mut [i32],
    pub flow: &'a mut [i32],
    pub pigment: Option<&'a mut [i32]>,
}

/// Water and pigment in some cells.
pub(super) type Sums = [i64; 4];

/// What a sweep counted over a tile.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub balance: MassBalance,
    /// In the tile before the sweep, where that is asked for.
    pub before: Sums,
    /// In the tile after it.
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
    /// The tile's cells in the lines.
    core: Run,
    all: Run,
    /// Rows that exist.
    rows: Range<isize>,
    count_sums: bool,
    vectors: PhantomData<V>,
}

impl<'a, V: Lanes, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> Work<'a, V, CLASSIC, SHALLOW, COLOUR> {
    #[inline(always)]
    fn new(sweep: &'a Sweep<'a>, window: &'a mut Window, tile: &'a Tile) -> Self {
        let plan = sweep.plan;
        window.place(plan, &tile.columns, sweep.steps.len() as u32);
        let core = Run { from: window.index(tile.columns.start), len: tile.columns.len() };
        let all = Run { from: 0, len: window.blocks * BLOCK };
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
            self.window.rise.fill(Rise::ZERO);
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
        if y > first && !SHALLOW {
            let w = &mut *self.window;
            let (slot, below) = (w.slot(y), w.slot(y - 1));
            level::heads::<V, CLASSIC>(
                &mut w.head[slot],
                [&w.height[slot], &w.base[slot]],
                [&w.flow[slot], &w.flow[below]],
                w.blocks,
                self.sweep.coefficients.smoothing,
                Viscosity { shares: &w.control[slot][control::SMOOTHING], eased: w.eased[slot] },
            );
        }
    }

    /// Row y, counted if it is the tile's.
    #[inline(always)]
    fn place(&self, y: isize) -> Place {
        let core = if y > 0 && self.tile.rows.contains(&(y as usize)) { self.core } else { Run { from: 0, len: 0 } };
        Place { slot: self.window.slot(y), row: self.window.row(self.plan, y), all: self.all, core }
    }

    /// Rows below the tile that a step looks at.
    #[inline(always)]
    fn reach(&self) -> isize {
        tiles::reach(self.plan.model) as isize
    }

    /// Whether row y is a row of the grid, not one beyond an edge.
    #[inline(always)]
    fn inner(&self, y: isize) -> bool {
        y > self.rows.start && y < self.rows.end - 1
    }

    /// Step `j` of the sweep (from 1) comes to row y.
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
            self.cut(y);
            if COLOUR {
                self.carry(j as usize - 1, y, y == (low - 1).max(first));
            }
        }
        if y >= low.max(first + 1) && y < high.min(last) {
            self.settle(self.sweep.steps.start + j as u32 - 1, y);
        }
    }

    /// Finds out where nothing flows in row y, and lends what drives the row and takes what comes of it. Its flows are lent
    /// apart.
    #[inline(always)]
    fn common(&mut self, y: isize) -> Common<'_> {
        let inner = self.inner(y);
        let pushed = self.plan.push.is_some();
        let w = &mut *self.window;
        let (slot, above) = (w.slot(y), w.slot(y + 1));
        let near = w.wet[slot] | w.wet[above];
        w.still[slot] = !(near | (near << 1) | (near >> 1));
        let eased = w.eased[slot] | w.eased[above];
        Common {
            heads: Pair::of(&w.head, slot, above),
            height: Pair::of(&w.height, slot, above),
            push: Push {
                x: Pair { here: &w.push[slot][0], above: &w.push[above][0] },
                y: Pair { here: &w.push[slot][1], above: &w.push[above][1] },
            },
            pushed,
            edge: Edge {
                codes: &w.codes[slot],
                base: Pair::of(&w.base, slot, above),
                inside: if inner { &w.inside } else { &w.zeros },
            },
            eased: Eased {
                here: &w.control[slot],
                above: &w.control[above],
                blocks: eased | (eased << 1) | (eased >> 1),
            },
            change: &mut w.change[slot],
            means: Means { share: &mut w.share[slot], whole: &mut w.whole[slot], drawn: &mut w.drawn[slot] },
            special: w.special[slot],
            still: w.still[slot],
            blocks: w.blocks,
        }
    }

    #[inline(always)]
    fn accelerate(&mut self, y: isize, ahead: &mut PrefetchQueue<'_>) {
        let (slot, below) = (self.window.slot(y), self.window.slot(y - 1));
        let mut flows = std::mem::take(&mut self.window.flow);
        let (flow, below) = pair(&mut flows, slot, below);
        let coefficients = self.sweep.coefficients;
        let mut row = pipes::Row { flow, below, common: self.common(y) };
        let short = pipes::accelerate::<V, CLASSIC, COLOUR>(&mut row, coefficients, ahead);
        self.window.short[slot] = short;
        self.window.flow = flows;
    }

    /// The same for the faces of shallow water. `lowest`: the step came to no row below it.
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
        let (flow, below_flow, above_flow) = trio(&mut flows, [slot, below, above]);
        let coefficients = self.sweep.faces;
        let mut row = faces::Row {
            flow,
            below: below_flow,
            before: [&before[below], &before[slot]],
            above: above_flow,
            common: self.common(y),
        };
        let short = faces::accelerate::<V, COLOUR>(&mut row, coefficients, ahead);
        self.window.short[slot] = short;
        self.window.flow = flows;
        self.window.before = before;
    }

    #[inline(always)]
    fn cut(&mut self, y: isize) {
        let inner = [self.inner(y), self.inner(y + 1)];
        let w = &mut *self.window;
        let (slot, above) = (w.slot(y), w.slot(y + 1));
        let here = if inner[0] { w.short[slot] } else { 0 };
        let there = if inner[1] { w.short[above] } else { 0 };
        let mask = around(here, there) & stretches(((1u64 << w.blocks) - 1) as u32 & !w.still[slot]);
        w.cut[slot] = mask;
        if mask == 0 {
            return;
        }
        for (inner, slot) in [(inner[0], slot), (inner[1], above)] {
            // Nothing flows out of a cell beyond an edge.
            if !inner {
                w.share[slot].fill(0);
                w.whole[slot] = 0;
            }
        }
        let shares = Pair { here: &w.share[slot], above: &w.share[above] };
        let mut rest = mask;
        while rest != 0 {
            limit::cut::<V, CLASSIC>(&mut w.flow[slot], shares, rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    #[inline(always)]
    fn carry(&mut self, stage: usize, y: isize, first: bool) {
        let place = self.place(y);
        let inner = [self.inner(y), self.inner(y + 1)];
        let w = &mut *self.window;
        let (slot, above) = (w.slot(y), w.slot(y + 1));
        w.depth[above].fill::<V>(&w.height[above], &w.pigment[above], &mut w.rich[above], w.blocks);
        if first {
            w.depth[slot].fill::<V>(&w.height[slot], &w.pigment[slot], &mut w.rich[slot], w.blocks);
        }
        let (mut bare, mut bare_above) = (w.rich[slot], w.rich[above]);
        for (inner, bare, slot) in [(inner[0], &mut bare, slot), (inner[1], &mut bare_above, above)] {
            if inner {
                bare.iter_mut().zip(&w.drawn[slot]).for_each(|(bare, drawn)| *bare |= drawn);
            }
        }
        let (pigment, pigment_above) = pair(&mut w.pigment, slot, above);
        let over = pigment::carry::<V, CLASSIC>(&mut pigment::Row {
            flow: &w.flow[slot],
            height: Pair { here: &w.height[slot], above: &w.height[above] },
            depth: [&w.depth[slot], &w.depth[above]],
            pigment,
            above: pigment_above,
            rise: &mut w.rise[stage],
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
                self.counts.balance.clamped[channel + 1] += inflow::cut(line, place, PIGMENT_MAX);
            }
            if y <= self.rows.start {
                // Beyond the lower edge there is no pigment.
                line.fill(0);
            }
        }
    }

    #[inline(always)]
    fn settle(&mut self, step: u32, y: isize) {
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
            viscosity: Viscosity { shares: &w.control[slot][control::SMOOTHING], eased: w.eased[slot] },
            blocks: w.blocks,
        };
        let settled = level::settle::<V, CLASSIC>(&mut row, self.sweep.coefficients.smoothing);
        w.wet[slot] = settled.wet;
        for x in w.ring(self.plan) {
            *w.height[slot].cell(x) = 0;
        }
        let place = self.place(y);
        if let Some(balance) = inflow::let_in(self.plan, self.window, step, place, settled.over, COLOUR) {
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

    /// Leaves row y, which no step comes back to.
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
        let run = |x: usize, len: usize| Run { from: w.index(x), len };
        let inner = self.tile.columns.clone();
        // Heights and pigment beyond the edges are 0.
        let clear_ring = |row: &mut [i32]| {
            row[columns.start..inner.start].fill(0);
            row[inner.end..columns.end].fill(0);
        };
        if y > 0 {
            let row = &mut out.height[at..at + stride];
            clear_ring(row);
            leave::<V>(stream, w.height[slot].cells(run(inner.start, inner.len())), &mut row[inner.clone()]);
            if let Some(pigment) = &mut out.pigment {
                for (channel, line) in w.pigment[slot].iter().enumerate() {
                    let row = &mut pigment[at * 3 + channel * stride..][..stride];
                    clear_ring(row);
                    leave::<V>(stream, line.cells(run(inner.start, inner.len())), &mut row[inner.clone()]);
                }
            }
        }
        let planes = flow_planes(self.plan.model);
        for (plane, line) in w.flow[slot][..planes].iter().enumerate() {
            let row = &mut out.flow[at * planes + plane * stride..][..stride];
            leave::<V>(stream, line.cells(run(columns.start, columns.len())), &mut row[columns.clone()]);
        }
    }
}

/// Leaves values where they will not be read soon, or soon.
#[inline(always)]
fn leave<V: Lanes>(stream: bool, from: &[i32], to: &mut [i32]) {
    if stream { V::stream(from, to) } else { to.copy_from_slice(from) }
}

/// The stretches whose pipes end in the stretches `here` of their row or in those `above` of the row above it.
#[inline(always)]
fn around(here: u32, above: u32) -> u32 {
    here | (here >> 1) | above | (above >> 1) | (above << 1)
}

/// Two lines of a window at once, the first to be changed.
#[inline(always)]
fn pair<T>(lines: &mut [T], first: usize, second: usize) -> (&mut T, &T) {
    match lines.get_disjoint_mut([first, second]) {
        Ok([first, second]) => (first, second),
        Err(_) => unreachable!("rows beside each other have slots of their own"),
    }
}

/// Three lines of a window at once, the first to be changed.
#[inline(always)]
fn trio<T>(lines: &mut [T], three: [usize; 3]) -> (&mut T, &T, &T) {
    match lines.get_disjoint_mut(three) {
        Ok([first, second, third]) => (first, second, third),
        Err(_) => unreachable!("rows beside each other have slots of their own"),
    }
}
