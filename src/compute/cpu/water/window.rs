//! The rows that a sweep has in hand: a rolling window over a tile and its margins.

use std::ops::Range;

use super::super::lanes::{BLOCK, PrefetchQueue};
use super::line::faces::Before;
use super::line::pigment::{Depth, Rise};
use super::line::{BLOCKS, Bits, Flows, Line, Run, STRETCH, Shares};
use super::tiles::{STEPS, margin, reach};
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::WHOLE;
use crate::sim::water::plan::{FramePlan, Water, control};
use crate::sim::water::settings::Edges;

/// Rows in hand at once: each step of a sweep follows two rows behind the one before it.
const ROWS: usize = 2 * STEPS as usize + 4;

/// Lines of every plane of the rows in hand. Row y (ring coordinates, which run on beyond the grid where edges join)
/// has the slot that [`Window::slot`] says.
pub(super) struct Window {
    /// Blocks in use.
    pub blocks: usize,
    /// Ring columns that the first cells of the lines show.
    columns: Range<isize>,
    pub height: Vec<Line>,
    pub head: Vec<Line>,
    pub flow: Vec<Flows>,
    /// Shallow water: flows and speeds before the step that came to the row last.
    pub before: Vec<Before>,
    pub pigment: Vec<[Line; 3]>,
    pub depth: Vec<Depth>,
    pub base: Vec<Line>,
    pub push: Vec<[Line; 2]>,
    /// Shares of the coefficients, where the plan has any.
    pub control: Vec<Shares>,
    /// Blocks in which some share is not whole.
    pub eased: [u32; ROWS],
    /// Shares of their outflows that the cells can afford.
    pub share: Vec<Line>,
    /// Inflows − outflows of the cells.
    pub change: Vec<Line>,
    /// Stretches whose flows were cut after that was found.
    pub cut: [u32; ROWS],
    /// Blocks with water.
    pub wet: [u32; ROWS],
    /// Blocks in which nothing flows.
    pub still: [u32; ROWS],
    /// Stretches in which a cell can't afford its outflows.
    pub short: [u32; ROWS],
    /// Blocks whose shares are all ones.
    pub whole: [u32; ROWS],
    /// With pigment: cells whose outflows are more than half of what they hold.
    pub drawn: [Bits; ROWS],
    /// Cells that hold more pigment than water.
    pub rich: [Bits; ROWS],
    pub codes: Vec<Line>,
    /// Stretches with cells at walls or edges.
    pub special: [u32; ROWS],
    /// What pigment goes to the row above, for each step of a sweep.
    pub rise: Vec<Rise>,
    /// 1 in columns of the grid, 0 beyond its edges.
    pub inside: Line,
    /// Zeros.
    pub zeros: Line,
}

impl Window {
    pub fn new() -> Window {
        let lines = || vec![Line::ZERO; ROWS];
        Window {
            blocks: 0,
            columns: 0..0,
            height: lines(),
            head: lines(),
            flow: vec![[Line::ZERO; 8]; ROWS],
            before: vec![[Line::ZERO; 4]; ROWS],
            pigment: vec![[Line::ZERO; 3]; ROWS],
            depth: vec![Depth::ZERO; ROWS],
            base: lines(),
            push: vec![[Line::ZERO; 2]; ROWS],
            control: vec![[Line::ZERO; control::PLANES]; ROWS],
            eased: [0; ROWS],
            share: lines(),
            change: lines(),
            cut: [0; ROWS],
            wet: [0; ROWS],
            still: [0; ROWS],
            short: [0; ROWS],
            whole: [0; ROWS],
            drawn: [[0; BLOCKS]; ROWS],
            rich: [[0; BLOCKS]; ROWS],
            codes: lines(),
            special: [0; ROWS],
            rise: vec![Rise::ZERO; STEPS as usize],
            inside: Line::ZERO,
            zeros: Line::ZERO,
        }
    }

    /// Moves to a tile: `columns` are those of its cells, ring coordinates.
    pub fn place(&mut self, plan: &FramePlan, columns: &Range<usize>, steps: u32) {
        let (margin, width) = (margin(steps, reach(plan.model)) as isize, plan.domain.width() as isize);
        let (mut from, mut to) = (columns.start as isize - margin, columns.end as isize + margin);
        if plan.domain.edges() != Edges::Wrap {
            (from, to) = (from.max(0), to.min(width + 2));
        }
        self.columns = from..to;
        self.blocks = ((to - from) as usize).div_ceil(BLOCK);
        let wrap = plan.domain.edges() == Edges::Wrap;
        let width_in_hand = (to - from) as usize;
        for (x, inside) in (from..).zip(self.inside.cells_mut(Run { from: 0, len: width_in_hand })) {
            *inside = i32::from(wrap || (x >= 1 && x <= width));
        }
        // What runs beyond the columns in hand comes no nearer than the margin allows.
        let single = [&mut self.height, &mut self.head, &mut self.base, &mut self.codes].into_iter().flatten();
        let grouped = self.flow.as_flattened_mut().iter_mut().chain(self.push.as_flattened_mut());
        for line in single.chain(grouped).chain(self.pigment.as_flattened_mut()) {
            line.clear_beyond(width_in_hand);
        }
        self.whole.fill(0);
        self.eased.fill(0);
        if plan.base.is_none() {
            self.base.iter_mut().for_each(|line| line.fill(0));
        }
        if plan.push.is_none() {
            self.push.as_flattened_mut().iter_mut().for_each(|line| line.fill(0));
        }
    }

    /// The slot of a row.
    #[inline(always)]
    pub fn slot(&self, y: isize) -> usize {
        y.rem_euclid(ROWS as isize) as usize
    }

    /// Index in a line of the cell of ring column `x`.
    #[inline(always)]
    pub fn index(&self, x: usize) -> usize {
        (x as isize - self.columns.start) as usize
    }

    /// Index of a ring column that lies beyond an edge and in the window.
    pub fn ring(&self, plan: &FramePlan) -> impl Iterator<Item = usize> + use<> {
        let Range { start, end } = self.columns;
        let open = plan.domain.edges() != Edges::Wrap;
        [0, plan.domain.width() as isize + 1]
            .into_iter()
            .filter(move |x| open && (start..end).contains(x))
            .map(move |x| (x - start) as usize)
    }

    /// Runs of consecutive columns in hand: index in a line, and ring columns of a field.
    #[inline(always)]
    pub fn spans(&self, plan: &FramePlan) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let (wrap, width) = (plan.domain.edges() == Edges::Wrap, plan.domain.width() as isize);
        let columns = self.columns.clone();
        let mut x = columns.start;
        std::iter::from_fn(move || {
            if x >= columns.end {
                return None;
            }
            let at = if wrap { (x - 1).rem_euclid(width) + 1 } else { x };
            let len = if wrap { (width + 1 - at).min(columns.end - x) } else { columns.end - x };
            let span = ((x - columns.start) as usize, at as usize..(at + len) as usize);
            x += len;
            Some(span)
        })
    }

    /// Reads row `y` of the water and of what the plan has for it; pigment only with `COLOUR`.
    #[inline(always)]
    pub fn load<const COLOUR: bool>(&mut self, plan: &FramePlan, water: &Water, y: isize) {
        let slot = self.slot(y);
        let row = self.row(plan, y);
        for (at, from) in self.spans(plan) {
            let run = Run { from: at, len: from.len() };
            copy(&mut self.height[slot], run, &water.height, row, 0, &from);
            for plane in 0..water.flow.planes() {
                copy(&mut self.flow[slot][plane], run, &water.flow, row, plane, &from);
            }
            if COLOUR {
                for (channel, line) in self.pigment[slot].iter_mut().enumerate() {
                    match &water.pigment {
                        Some(pigment) => copy(line, run, pigment, row, channel, &from),
                        None => line.cells_mut(run).fill(0),
                    }
                }
            }
            if let Some(base) = &plan.base {
                copy(&mut self.base[slot], run, base, row, 0, &from);
            }
            if let Some(push) = &plan.push {
                copy(&mut self.push[slot][0], run, push, row, 0, &from);
                copy(&mut self.push[slot][1], run, push, row, 1, &from);
            }
        }
        if let Some(shares) = &plan.control {
            self.eased[slot] = 0;
            for (at, from) in self.spans(plan) {
                for (plane, line) in self.control[slot].iter_mut().enumerate() {
                    let run = Run { from: at, len: from.len() };
                    copy(line, run, shares, row, plane, &from);
                    self.eased[slot] |= blocks_below(line.cells(run), at);
                }
            }
        }
        self.special[slot] = self.mark_special(plan, slot, row);
    }

    /// What [`Window::load`] reads of row y.
    #[inline(always)]
    pub fn ahead<'a>(&self, plan: &'a FramePlan, water: &'a Water, y: isize) -> PrefetchQueue<'a> {
        let mut ahead = PrefetchQueue::new();
        let row = self.row(plan, y);
        let fields = [Some(&water.height), Some(&water.flow), water.pigment.as_ref(), plan.base.as_deref()];
        for (_, from) in self.spans(plan) {
            for field in fields.into_iter().chain([plan.push.as_ref(), plan.control.as_ref()]).flatten() {
                for plane in 0..field.planes() {
                    ahead.push(&field.row(row, plane)[from.clone()]);
                }
            }
        }
        let codes = plan.domain.codes(row);
        for (_, columns) in self.spans(plan) {
            specials(plan, row, &columns).for_each(|special| ahead.push(&codes[special]));
        }
        ahead
    }

    /// The row of the grid (ring coordinates) that row y shows.
    #[inline(always)]
    pub fn row(&self, plan: &FramePlan, y: isize) -> usize {
        let height = plan.domain.height() as isize;
        if plan.domain.edges() == Edges::Wrap { ((y - 1).rem_euclid(height) + 1) as usize } else { y as usize }
    }

    /// Finds the stretches of a row that hold cells at walls or edges, and reads their codes.
    #[inline(always)]
    fn mark_special(&mut self, plan: &FramePlan, slot: usize, row: usize) -> u32 {
        let mut mask = 0u32;
        for (at, columns) in self.spans(plan) {
            for special in specials(plan, row, &columns) {
                let (from, to) = (at + special.start - columns.start, at + special.end - columns.start);
                for stretch in from / STRETCH..to.div_ceil(STRETCH) {
                    mask |= 1 << stretch;
                }
            }
        }
        let codes = plan.domain.codes(row);
        for (at, columns) in self.spans(plan) {
            let mut rest = mask;
            while rest != 0 {
                let stretch = rest.trailing_zeros() as usize * STRETCH;
                rest &= rest - 1;
                let (from, to) = (at.max(stretch), (at + columns.len()).min(stretch + STRETCH));
                if from >= to {
                    continue;
                }
                let codes = &codes[columns.start + from - at..columns.start + to - at];
                let line = self.codes[slot].cells_mut(Run { from, len: to - from });
                line.iter_mut().zip(codes).for_each(|(line, &code)| *line = i32::from(code));
            }
        }
        mask
    }
}

/// The blocks in which some share of a run that begins at cell `at` is not whole.
#[inline(always)]
fn blocks_below(mut shares: &[i32], mut at: usize) -> u32 {
    let mut mask = 0;
    while !shares.is_empty() {
        let (these, rest) = shares.split_at(shares.len().min(BLOCK - at % BLOCK));
        let mut below = 0;
        for &share in these {
            below |= share ^ WHOLE as i32;
        }
        mask |= u32::from(below != 0) << (at / BLOCK);
        (shares, at) = (rest, at + these.len());
    }
    mask
}

/// The columns among `columns` of a row that lie between its plain runs.
#[inline(always)]
fn specials<'a>(
    plan: &'a FramePlan,
    row: usize,
    columns: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'a> {
    let Range { start: mut from, end } = columns.clone();
    let plain =
        plan.domain.spans(row).iter().filter(|span| span.plain).map(|span| (span.from as usize, span.to as usize));
    plain.chain(std::iter::once((end, end))).filter_map(move |(start, to)| {
        let special = from..start.clamp(from, end);
        from = to.clamp(from, end);
        (!special.is_empty()).then_some(special)
    })
}

#[inline(always)]
fn copy(line: &mut Line, run: Run, field: &Field, row: usize, plane: usize, from: &Range<usize>) {
    line.cells_mut(run).copy_from_slice(&field.row(row, plane)[from.clone()]);
}
