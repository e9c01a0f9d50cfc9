//! Sources of ripples, blurred so that they have no features below three cells, and moving solids.

use std::ops::Range;

use super::margin::Margin;
use super::pyramid::{BLUR, Pyramid};
use super::{REST, UNITS};
use crate::sim::request;
use crate::sim::water::domain::Domain;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{MassBalance, Water};
use crate::sim::water::settings::Edges;

/// Depth of the water that a solid displaces, units.
const DRAUGHT: i64 = UNITS as i64 / 4;
/// Distance in rings of a cell that no path joins to the water.
const FAR: u32 = u32::MAX;
/// Number of blurs.
const BLURS: usize = 2;

/// Blurs the amounts of a source, which are distributed over `steps`, along open faces, and clears its pigment, which
/// ripples do not have. Amounts that would spread beyond the grid are lost.
pub(in crate::sim::water) fn blur(amounts: &mut Field, steps: u32, pyramid: &Pyramid, margin: &Margin) {
    let (width, height) = (amounts.width(), amounts.height());
    let steps = steps.max(1) as i32;
    let Some([columns, rows]) = extent(amounts) else { return };
    let total = |x: usize, y: usize| {
        let rest = if steps > 1 { amounts.at(x, y, 4) } else { 0 };
        amounts.at(x, y, 0) * steps + rest
    };
    let around = |range: &Range<usize>, count: usize| range.start.saturating_sub(BLURS)..(range.end + BLURS).min(count);
    let wraps = pyramid.wraps();
    let columns = if wraps { 0..width } else { around(&columns, width) };
    let rows = if wraps { 0..height } else { around(&rows, height) };
    let size = [columns.len(), rows.len()];
    let cells = || rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y)));
    let mut values: Vec<i32> = request::collected(cells().map(|(x, y)| total(x, y)));
    for _ in 0..BLURS {
        let read = |cell: usize| {
            let (x, y) = (cell % margin.size[0], cell / margin.size[0]);
            let at = |at: usize, axis: usize, range: &Range<usize>| {
                at.checked_sub(margin.before[axis] + range.start).filter(|&at| at < range.len())
            };
            at(x, 0, &columns).zip(at(y, 1, &rows)).map_or(0, |(x, y)| values[y * size[0] + x])
        };
        let blurred = cells().map(|(x, y)| {
            let (x, y) = (x + margin.before[0], y + margin.before[1]);
            if pyramid.mass(0, x, y) == 0 {
                0
            } else {
                mean(&pyramid.blur(0, x, y), BLUR * pyramid.mass(0, x, y), read)
            }
        });
        values = request::collected(blurred);
    }
    for ((x, y), value) in cells().zip(values) {
        amounts.set(x, y, 0, value.div_euclid(steps));
        if steps > 1 {
            amounts.set(x, y, 4, value.rem_euclid(steps));
        }
    }
    for plane in (0..amounts.planes()).filter(|plane| plane % 4 != 0) {
        (0..height + 2).for_each(|y| amounts.row_mut(y, plane).fill(0));
    }
}

/// The range of columns and of rows with an amount of water; `None` if all amounts are 0.
fn extent(amounts: &Field) -> Option<[Range<usize>; 2]> {
    let mut found: Option<[Range<usize>; 2]> = None;
    for y in 0..amounts.height() {
        for plane in (0..amounts.planes()).step_by(4) {
            let row = &amounts.row(y + 1, plane)[1..=amounts.width()];
            let Some(from) = row.iter().position(|&v| v != 0) else { continue };
            let to = row.iter().rposition(|&v| v != 0).map_or(from, |at| at) + 1;
            let [columns, rows] = found.get_or_insert([from..to, y..y + 1]);
            *columns = columns.start.min(from)..columns.end.max(to);
            rows.end = y + 1;
        }
    }
    found
}

/// The weighted mean of cells, to the nearest integer, halves up: exact where all are equal.
pub fn mean<const N: usize>(stencil: &[(usize, u32); N], sum: u32, read: impl Fn(usize) -> i32) -> i32 {
    let used = stencil.iter().filter(|(_, weight)| *weight > 0);
    let total: i64 = used.map(|&(cell, weight)| i64::from(weight) * i64::from(read(cell))).sum();
    (total + i64::from(sum / 2)).div_euclid(i64::from(sum)) as i32
}

/// The water after solids have moved, and the change of its total. A cell that becomes solid gives its deviation and
/// the draught to the nearest water, ring by ring; a cell that is no longer solid begins a draught below rest. `None`
/// where no cell changes.
pub(in crate::sim::water) fn moved([before, now]: [&Domain; 2], water: &Water) -> Option<(Water, MassBalance)> {
    let (width, height, wraps) = (now.width(), now.height(), now.edges() == Edges::Wrap);
    let changed: Vec<usize> = request::collected(now.changes(before));
    // Of the rows from the first to the last change.
    let start = changed.first()? / width * width;
    let cells = (changed.last()? / width + 1) * width - start;
    let mut content: Vec<i64> = request::zeros(cells);
    let mut rings: Vec<u32> = request::zeros(cells);
    for &cell in changed.iter().filter(|&&cell| now.is_solid(cell)) {
        let stored = i64::from(water.height.at(cell % width, cell / width, 0));
        content[cell - start] = stored - i64::from(REST) + DRAUGHT;
        rings[cell - start] = FAR;
    }
    let around = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        let step = move |at: usize, by: isize, count: usize| match at.checked_add_signed(by) {
            Some(next) if next < count => Some(next),
            _ if wraps => Some((at + count).wrapping_add_signed(by) % count),
            _ => None,
        };
        let cells = (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (dx, dy)));
        cells
            .filter(|&offset| offset != (0, 0))
            .filter_map(move |(dx, dy)| Some(step(y, dy, height)? * width + step(x, dx, width)?))
    };
    // Rings from the water inwards; solids of the frame before keep them apart.
    let ring_of = |rings: &[u32], cell: usize| cell.checked_sub(start).and_then(|at| rings.get(at)).map_or(0, |&r| r);
    let water_at = |cell: usize| !now.is_solid(cell);
    let mut order: Vec<usize> = Vec::new();
    let outer = changed.iter().copied().filter(|&cell| now.is_solid(cell) && around(cell).any(water_at));
    let mut front: Vec<usize> = request::collected(outer);
    let mut ring = 1;
    while !front.is_empty() {
        front.iter().for_each(|&cell| rings[cell - start] = ring);
        let mut next: Vec<usize> = Vec::new();
        for &cell in &front {
            request::extend(&mut next, around(cell).filter(|&to| ring_of(&rings, to) == FAR));
        }
        next.sort_unstable();
        next.dedup();
        request::extend(&mut order, std::mem::replace(&mut front, next));
        ring += 1;
    }
    let mut water = water.clone();
    let mut change = 0;
    let mut set = |cell: usize, next: &dyn Fn(i64) -> i64| {
        let (x, y) = (cell % width, cell / width);
        let stored = i64::from(water.height.at(x, y, 0));
        let next = next(stored);
        water.height.set(x, y, 0, next as i32);
        change += next - stored;
    };
    for &cell in &changed {
        let value = if now.is_solid(cell) { 0 } else { i64::from(REST) - DRAUGHT };
        set(cell, &|_| value);
    }
    for &cell in order.iter().rev() {
        let ring = rings[cell - start];
        let nearer =
            || around(cell).filter(|&to| if ring == 1 { water_at(to) } else { ring_of(&rings, to) == ring - 1 });
        let (count, own) = (nearer().count() as i64, content[cell - start]);
        let (quotient, remainder) = (own.div_euclid(count), own.rem_euclid(count));
        for (nth, to) in nearer().enumerate() {
            let amount = quotient + if nth == 0 { remainder } else { 0 };
            if ring > 1 {
                content[to - start] += amount;
            } else {
                set(to, &|stored| (stored + amount).clamp(0, 2 * i64::from(REST)));
            }
        }
    }
    let mut balance = MassBalance::default();
    balance.added[0] = change.max(0);
    balance.removed[0] = (-change).max(0);
    Some((water, balance))
}
