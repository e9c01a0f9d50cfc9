//! Changes before the first step (solid cells, initial source), and the inflow and evaporation of each step, row by
//! row. GPU: `prepare.wgsl`, `move.wgsl`; reference: `water/reference.rs`.

use std::ops::Range;

use super::line::{CellRange, Line};
use super::window::Window;
use crate::sim::water::fixed_point::{HEIGHT_MAX, PIGMENT_MAX, raised, rescale};
use crate::sim::water::plan::{FramePlan, InitialSource, MassBalance, flow_planes};

/// A row of a window, with the cells that count in the mass balance of the tile.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Slot in the window.
    pub slot: usize,
    /// Row of the grid, ring coordinates.
    pub row: usize,
    /// All cells of the row in the window.
    pub all: CellRange,
    /// The cells of the tile. Cells of the margin count in neighbouring tiles.
    pub core: CellRange,
}

impl Place {
    /// The cells of the tile among `len` cells from `at` on.
    #[inline(always)]
    fn counted(&self, at: usize, len: usize) -> Range<usize> {
        self.core.from.clamp(at, at + len)..(self.core.from + self.core.len).clamp(at, at + len)
    }

    #[inline(always)]
    fn counts(&self, cell: usize) -> bool {
        (self.core.from..self.core.from + self.core.len).contains(&cell)
    }
}

/// Records the change of a value.
fn record(balance: &mut MassBalance, kind: usize, more: i64) {
    balance.added[kind] += more.max(0);
    balance.removed[kind] += (-more).max(0);
}

/// Applies all changes before the first step of a frame.
#[inline(always)]
pub(super) fn prepare(plan: &FramePlan, window: &mut Window, place: Place, colour: bool) -> MassBalance {
    let mut balance = MassBalance::default();
    if let Some(p) = plan.rescale {
        for line in &mut window.flow[place.slot][..flow_planes(plan.model)] {
            line.cells_mut(place.all).iter_mut().for_each(|q| *q = rescale(*q, p));
        }
    }
    if place.row == 0 || place.row > plan.domain.height() {
        return balance;
    }
    if plan.clear_solid {
        clear_solid(plan, window, place, colour, &mut balance);
    }
    if plan.initial.is_some() {
        set_initial_source(plan, window, place, colour, &mut balance);
    }
    balance
}

/// Columns of the grid, without its ring.
fn inner(columns: &Range<usize>, width: usize) -> Range<usize> {
    columns.start.max(1)..columns.end.min(width + 1)
}

fn clear_solid(plan: &FramePlan, window: &mut Window, place: Place, colour: bool, balance: &mut MassBalance) {
    let Some(solid) = plan.domain.solid() else { return };
    let width = plan.domain.width();
    let solid = &solid[(place.row - 1) * width..][..width];
    for (at, columns) in window.spans(plan) {
        for x in inner(&columns, width) {
            if !solid[x - 1] {
                continue;
            }
            let cell = at + x - columns.start;
            let lines = std::iter::once(&mut window.height[place.slot])
                .chain(window.pigment[place.slot].iter_mut().filter(|_| colour));
            for (kind, line) in lines.enumerate() {
                let value = line.cell(cell);
                if place.counts(cell) {
                    record(balance, kind, -i64::from(*value));
                }
                *value = 0;
            }
        }
    }
}

fn set_initial_source(plan: &FramePlan, window: &mut Window, place: Place, colour: bool, balance: &mut MassBalance) {
    let Some((initial, amounts)) = &plan.initial else { return };
    for (at, columns) in window.spans(plan) {
        for x in inner(&columns, plan.domain.width()) {
            let cell = at + x - columns.start;
            let before = *window.height[place.slot].cell(cell);
            let target = amounts.row(place.row, 0)[x];
            let sets = match initial {
                InitialSource::Replace => target > 0,
                InitialSource::FillUp => target > before,
            };
            if !sets {
                continue;
            }
            let counts = place.counts(cell);
            *window.height[place.slot].cell(cell) = target;
            if counts {
                record(balance, 0, i64::from(target) - i64::from(before));
            }
            for (channel, line) in window.pigment[place.slot].iter_mut().filter(|_| colour).enumerate() {
                let brings = amounts.row(place.row, channel + 1)[x];
                let mass = line.cell(cell);
                let whole = match initial {
                    InitialSource::Replace => i64::from(brings),
                    InitialSource::FillUp => i64::from(*mass) + i64::from(raised(brings, before, target)),
                };
                let kept = whole.min(i64::from(PIGMENT_MAX));
                if counts {
                    record(balance, channel + 1, whole - i64::from(*mass));
                    balance.clamped[channel + 1] += whole - kept;
                }
                *mass = kept as i32;
            }
        }
    }
}

/// Clamps a line to `top`; returns the amount removed from the tile's cells.
#[inline(always)]
pub(super) fn clamp_to(line: &mut Line, place: Place, top: i32) -> i64 {
    let gone = line.cells(place.core).iter().map(|&v| i64::from(v.saturating_sub(top).max(0))).sum();
    line.cells_mut(place.all).iter_mut().for_each(|v| *v = (*v).min(top));
    gone
}

/// Adds the inflow of a step, clamps heights and pigment to their maxima, evaporates, and adds the changes of the
/// heights to the heads. `over`: a height may exceed the maximum before the inflow. `None` where no value changes.
#[inline(always)]
pub(super) fn add_inflow(
    plan: &FramePlan,
    window: &mut Window,
    step: u32,
    place: Place,
    over: bool,
    colour: bool,
) -> Option<MassBalance> {
    let mut balance = MassBalance::default();
    let dry = plan.evaporation_of(step);
    let brings = plan.inflows.iter().any(|inflow| !inflow.extents[place.row - 1].is_empty());
    if !(brings || dry > 0 || over) {
        return None;
    }
    let mut height = window.height[place.slot];
    lower(&mut window.head[place.slot], &height, place.all);
    if over {
        balance.clamped[0] += clamp_to(&mut height, place, HEIGHT_MAX);
    }
    if brings {
        add(plan, window, step, place, 0, &mut height, &mut balance);
        balance.clamped[0] += clamp_to(&mut height, place, HEIGHT_MAX);
    }
    if dry > 0 {
        balance.removed[0] += height.cells(place.core).iter().map(|&h| i64::from(h.min(dry))).sum::<i64>();
        height.cells_mut(place.all).iter_mut().for_each(|h| *h -= (*h).min(dry));
    }
    raise(&mut window.head[place.slot], &height, place.all);
    window.height[place.slot] = height;
    if brings && plan.inflows.iter().any(|inflow| inflow.coloured) && colour {
        for channel in 0..3 {
            let mut pigment = window.pigment[place.slot][channel];
            add(plan, window, step, place, channel + 1, &mut pigment, &mut balance);
            balance.clamped[channel + 1] += clamp_to(&mut pigment, place, PIGMENT_MAX);
            window.pigment[place.slot][channel] = pigment;
        }
    }
    Some(balance)
}

#[inline(always)]
fn lower(head: &mut Line, height: &Line, run: CellRange) {
    head.cells_mut(run).iter_mut().zip(height.cells(run)).for_each(|(e, &h)| *e = e.wrapping_sub(h));
}

#[inline(always)]
fn raise(head: &mut Line, height: &Line, run: CellRange) {
    head.cells_mut(run).iter_mut().zip(height.cells(run)).for_each(|(e, &h)| *e = e.wrapping_add(h));
}

/// Adds the inflow of one kind to a line.
#[inline(always)]
fn add(
    plan: &FramePlan,
    window: &Window,
    step: u32,
    place: Place,
    kind: usize,
    line: &mut Line,
    balance: &mut MassBalance,
) {
    for inflow in plan.inflows.iter().filter(|inflow| kind == 0 || inflow.coloured) {
        let extent = &inflow.extents[place.row - 1];
        let base = inflow.shares.row(place.row, kind);
        let rests = (inflow.shares.planes() == 8).then(|| inflow.shares.row(place.row, kind + 4));
        for (at, columns) in window.spans(plan) {
            let columns_in = extent.start.max(columns.start)..extent.end.min(columns.end);
            if columns_in.is_empty() {
                continue;
            }
            let at = at + columns_in.start - columns.start;
            // No overflow: a value and the amounts of at most three inflows are each at most the maximum.
            let cells = line.cells_mut(CellRange { from: at, len: columns_in.len() });
            let base = &base[columns_in.clone()];
            let counted = place.counted(at, columns_in.len());
            let counted = counted.start - at..counted.end - at;
            let mut sum: i64 = base[counted.clone()].iter().map(|&v| i64::from(v)).sum();
            match rests {
                None => cells.iter_mut().zip(base).for_each(|(v, &more)| *v = v.wrapping_add(more)),
                Some(rests) => {
                    let rests = &rests[columns_in];
                    sum += rests[counted].iter().filter(|&&rest| (step as i32) < rest).count() as i64;
                    for ((v, &base), &rest) in cells.iter_mut().zip(base).zip(rests) {
                        *v = v.wrapping_add(base).wrapping_add(i32::from((step as i32) < rest));
                    }
                }
            }
            balance.added[kind] += sum;
        }
    }
}
