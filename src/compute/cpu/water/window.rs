//! The window: the working rows of a sweep over a tile and its margins.

use std::ops::Range;

use super::super::lanes::{BLOCK, PrefetchQueue};
use super::line::faces::Before;
use super::line::pigment::{Divisors, Upflow};
use super::line::{BLOCKS, Bits, CellRange, Flows, Line, STRIP, Shares};
use super::tiles::{STEPS, margin, reach};
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::WHOLE;
use crate::sim::water::plan::{FramePlan, Water, control};
use crate::sim::water::settings::Edges;

/// Rows of a window: each step of a sweep is two rows behind the previous one.
const ROWS: usize = 2 * STEPS as usize + 4;

/// Lines of all planes of the working rows. Row y is in slot [`Window::slot`]; y is in ring coordinates, which continue
/// beyond the grid where edges join.
pub(super) struct Window {
    /// Blocks in use.
    pub blocks: usize,
    /// Ring columns of the cells of a line.
    columns: Range<isize>,
    pub height: Vec<Line>,
    pub head: Vec<Line>,
    pub flow: Vec<Flows>,
    /// Flows and speeds before the last step that reached the row (Shallow water).
    pub before: Vec<Before>,
    pub pigment: Vec<[Line; 3]>,
    pub divisors: Vec<Divisors>,
    pub base: Vec<Line>,
    pub push: Vec<[Line; 2]>,
    /// Control maps, where the plan has any.
    pub control: Vec<Shares>,
    /// Blocks with control shares below 1.
    pub controlled: [u32; ROWS],
    /// Outflow limits: factors of the outflows of the cells, in parts of 65536.
    pub share: Vec<Line>,
    /// Inflows − outflows of the cells.
    pub change: Vec<Line>,
    /// Strips whose flows were limited after `change` was computed.
    pub cut: [u32; ROWS],
    /// Blocks with water.
    pub wet: [u32; ROWS],
    /// Blocks without flow.
    pub still: [u32; ROWS],
    /// Strips with cells whose outflows exceed their heights.
    pub limited: [u32; ROWS],
    /// Blocks whose outflow limits are all ones.
    pub whole: [u32; ROWS],
    /// Cells that lose more than half of their height in a step, with pigment.
    pub depleted: [Bits; ROWS],
    /// Cells with more pigment than water.
    pub saturated: [Bits; ROWS],
    pub codes: Vec<Line>,
    /// Strips with cells at walls or edges.
    pub special: [u32; ROWS],
    /// Pigment that moves to the row above, for each step of a sweep.
    pub upflow: Vec<Upflow>,
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
            divisors: vec![Divisors::ZERO; ROWS],
            base: lines(),
            push: vec![[Line::ZERO; 2]; ROWS],
            control: vec![[Line::ZERO; control::PLANES]; ROWS],
            controlled: [0; ROWS],
            share: lines(),
            change: lines(),
            cut: [0; ROWS],
            wet: [0; ROWS],
            still: [0; ROWS],
            limited: [0; ROWS],
            whole: [0; ROWS],
            depleted: [[0; BLOCKS]; ROWS],
            saturated: [[0; BLOCKS]; ROWS],
            codes: lines(),
            special: [0; ROWS],
            upflow: vec![Upflow::ZERO; STEPS as usize],
            inside: Line::ZERO,
            zeros: Line::ZERO,
        }
    }

    /// Moves the window to the tile with these `columns`, in ring coordinates.
    pub fn place(&mut self, plan: &FramePlan, columns: &Range<usize>, steps: u32) {
        let (margin, width) = (margin(steps, reach(plan.model)) as isize, plan.domain.width() as isize);
        let (mut from, mut to) = (columns.start as isize - margin, columns.end as isize + margin);
        if plan.domain.edges() != Edges::Wrap {
            (from, to) = (from.max(0), to.min(width + 2));
        }
        self.columns = from..to;
        self.blocks = ((to - from) as usize).div_ceil(BLOCK);
        let wrap = plan.domain.edges() == Edges::Wrap;
        let columns_in_window = (to - from) as usize;
        for (x, inside) in (from..).zip(self.inside.cells_mut(CellRange { from: 0, len: columns_in_window })) {
            *inside = i32::from(wrap || (x >= 1 && x <= width));
        }
        // Cells after the last column may have any value: the margin keeps these values from the tile.
        let single = [&mut self.height, &mut self.head, &mut self.base, &mut self.codes].into_iter().flatten();
        let grouped = self.flow.as_flattened_mut().iter_mut().chain(self.push.as_flattened_mut());
        for line in single.chain(grouped).chain(self.pigment.as_flattened_mut()) {
            line.clear_beyond(columns_in_window);
        }
        self.whole.fill(0);
        self.controlled.fill(0);
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

    /// Index in a line of ring column `x`.
    #[inline(always)]
    pub fn index(&self, x: usize) -> usize {
        (x as isize - self.columns.start) as usize
    }

    /// Indices in a line of the window's columns beyond the left and the right edge.
    pub fn ring(&self, plan: &FramePlan) -> impl Iterator<Item = usize> + use<> {
        let Range { start, end } = self.columns;
        let open = plan.domain.edges() != Edges::Wrap;
        [0, plan.domain.width() as isize + 1]
            .into_iter()
            .filter(move |x| open && (start..end).contains(x))
            .map(move |x| (x - start) as usize)
    }

    /// Runs of consecutive columns of a field in the window: index of the first in a line, and the columns, in ring
    /// coordinates.
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

    /// Loads row `y` of a state and of the plan; pigment only with `COLOUR`.
    #[inline(always)]
    pub fn load<const COLOUR: bool>(&mut self, plan: &FramePlan, water: &Water, y: isize) {
        let slot = self.slot(y);
        let row = self.row(plan, y);
        for (at, from) in self.spans(plan) {
            let run = CellRange { from: at, len: from.len() };
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
            self.controlled[slot] = 0;
            for (at, from) in self.spans(plan) {
                for (plane, line) in self.control[slot].iter_mut().enumerate() {
                    let run = CellRange { from: at, len: from.len() };
                    copy(line, run, shares, row, plane, &from);
                    self.controlled[slot] |= blocks_below(line.cells(run), at);
                }
            }
        }
        self.special[slot] = self.mark_special(plan, slot, row);
    }

    /// The memory that [`Window::load`] reads for row y.
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

    /// The row of the grid of row `y`, in ring coordinates, wrapped where edges join.
    #[inline(always)]
    pub fn row(&self, plan: &FramePlan, y: isize) -> usize {
        let height = plan.domain.height() as isize;
        if plan.domain.edges() == Edges::Wrap { ((y - 1).rem_euclid(height) + 1) as usize } else { y as usize }
    }

    /// Finds the strips of a row with cells at walls or edges, and loads their codes.
    #[inline(always)]
    fn mark_special(&mut self, plan: &FramePlan, slot: usize, row: usize) -> u32 {
        let mut mask = 0u32;
        for (at, columns) in self.spans(plan) {
            for special in specials(plan, row, &columns) {
                let (from, to) = (at + special.start - columns.start, at + special.end - columns.start);
                for strip in from / STRIP..to.div_ceil(STRIP) {
                    mask |= 1 << strip;
                }
            }
        }
        let codes = plan.domain.codes(row);
        for (at, columns) in self.spans(plan) {
            let mut rest = mask;
            while rest != 0 {
                let strip = rest.trailing_zeros() as usize * STRIP;
                rest &= rest - 1;
                let (from, to) = (at.max(strip), (at + columns.len()).min(strip + STRIP));
                if from >= to {
                    continue;
                }
                let codes = &codes[columns.start + from - at..columns.start + to - at];
                let line = self.codes[slot].cells_mut(CellRange { from, len: to - from });
                line.iter_mut().zip(codes).for_each(|(line, &code)| *line = i32::from(code));
            }
        }
        mask
    }
}

/// The blocks with a share below 1, as bits, in a run of shares that begins at cell `at`.
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

/// The columns among `columns` that lie between the plain runs of a row.
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
fn copy(line: &mut Line, run: CellRange, field: &Field, row: usize, plane: usize, from: &Range<usize>) {
    line.cells_mut(run).copy_from_slice(&field.row(row, plane)[from.clone()]);
}
