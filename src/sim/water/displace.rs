//! Moving obstacles: they push the water in their way ahead, and drag the water beside them.

use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, PIGMENT_MAX};
use super::plan::{MassBalance, Water};
use super::settings::Edges;
use crate::sim::grid::Grid;
use crate::sim::request;

/// Distance of a cell that no path joins to a free cell.
const FAR: u32 = u32::MAX;

/// The water after obstacles have moved, and the amount above the ceilings: water in cells that became solid moves,
/// cell by cell, to the nearest free cells. `None` where no such cell holds water with a way out. Water without a way
/// out, and units that do not divide evenly, stay and are removed with the cell.
pub(super) fn displaced(
    grid: &Grid,
    edges: Edges,
    before: Option<&[bool]>,
    now: &[bool],
    water: &Water,
) -> Option<(Water, MassBalance)> {
    let mut map = Map::new(grid, edges, before, now, &water.height)?;
    let mut water = water.clone();
    let mut tally = MassBalance::default();
    // The farthest cells come first, so that water passes on through nearer ones.
    map.new.sort_unstable_by_key(|&cell| (std::cmp::Reverse(map.steps[cell]), cell));
    for &cell in &map.new {
        if map.steps[cell] == FAR {
            continue;
        }
        let nearer: Vec<usize> = map.beside(cell).filter(|&to| map.steps[to] < map.steps[cell]).collect();
        hand_on(&mut water.height, 0, map.width, cell, &nearer, HEIGHT_MAX, &mut tally.clamped[0]);
        for channel in 0..3 {
            if let Some(pigment) = &mut water.pigment {
                hand_on(pigment, channel, map.width, cell, &nearer, PIGMENT_MAX, &mut tally.clamped[channel + 1]);
            }
        }
    }
    Some((water, tally))
}

/// Divides the content of a cell evenly among others, so that a mirrored scene stays mirrored; up to three units stay.
fn hand_on(field: &mut Field, plane: usize, width: usize, from: usize, to: &[usize], top: i32, cut: &mut i64) {
    let held = field.at(from % width, from / width, plane);
    let count = to.len() as i32;
    field.set(from % width, from / width, plane, held % count);
    for &cell in to {
        let part = held / count;
        let whole = i64::from(field.at(cell % width, cell / width, plane)) + i64::from(part);
        let kept = whole.min(i64::from(top));
        *cut += whole - kept;
        field.set(cell % width, cell / width, plane, kept as i32);
    }
}

/// The cells that became solid, and their distances from free cells.
struct Map {
    width: usize,
    height: usize,
    wraps: bool,
    new: Vec<usize>,
    /// For each cell: 0 where it is free, the distance to the nearest free cell where it became solid.
    steps: Vec<u32>,
}

impl Map {
    fn new(grid: &Grid, edges: Edges, before: Option<&[bool]>, now: &[bool], height: &Field) -> Option<Map> {
        let (columns, rows) = (grid.width, grid.height);
        let was = |cell: usize| before.is_some_and(|solid| solid[cell]);
        let mut new = request::collected((0..columns * rows).filter(|&cell| now[cell] && !was(cell)));
        if new.iter().all(|&cell| height.at(cell % columns, cell / columns, 0) == 0) {
            return None;
        }
        let steps = request::collected(now.iter().map(|&solid| if solid { FAR } else { 0 }));
        let mut map = Map { width: columns, height: rows, wraps: edges == Edges::Wrap, new: Vec::new(), steps };
        let mut is_new: Vec<bool> = request::zeros(columns * rows);
        new.iter().for_each(|&cell| is_new[cell] = true);
        // Only cells beside the obstacle's old place count; an obstacle that appears pushes nothing.
        let mut moved = request::collected(new.iter().copied().filter(|&cell| map.beside(cell).any(was)));
        let mut is_moved: Vec<bool> = request::zeros(columns * rows);
        while let Some(cell) = moved.pop() {
            if !std::mem::replace(&mut is_moved[cell], true) {
                request::extend(&mut moved, map.beside(cell).filter(|&to| is_new[to]));
            }
        }
        new.retain(|&cell| is_moved[cell]);
        map.new = new;
        // From the free cells inwards.
        let borders = |cell: &usize| map.beside(*cell).any(|to| map.steps[to] == 0);
        let mut front = request::collected(map.new.iter().copied().filter(borders));
        let mut distance = 1;
        while !front.is_empty() {
            front.iter().for_each(|&cell| map.steps[cell] = distance);
            let mut next: Vec<usize> = Vec::new();
            for &cell in &front {
                request::extend(&mut next, map.beside(cell).filter(|&to| is_moved[to] && map.steps[to] == FAR));
            }
            next.sort_unstable();
            next.dedup();
            (front, distance) = (next, distance + 1);
        }
        map.new.iter().any(|&cell| map.steps[cell] != FAR).then_some(map)
    }

    /// The cells to the west, east, south and north that are on the grid.
    fn beside(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height, wraps) = (self.width, self.height, self.wraps);
        let (x, y) = (cell % width, cell / width);
        let step = move |at: usize, by: isize, count: usize| match at.checked_add_signed(by) {
            Some(next) if next < count => Some(next),
            _ if wraps => Some((at + count).wrapping_add_signed(by) % count),
            _ => None,
        };
        let across = [-1, 1].into_iter().filter_map(move |by| Some(y * width + step(x, by, width)?));
        across.chain([-1, 1].into_iter().filter_map(move |by| Some(step(y, by, height)? * width + x)))
    }
}

/// The free cells within `reach` cells (8-neighbours) of an obstacle that moved, with the obstacle's velocity in cells
/// per frame: that of the centroid of each connected component over both frames. Components that appear, vanish or
/// cross joined edges are left out.
pub(super) fn moved(
    [width, height]: [usize; 2],
    edges: Edges,
    before: &[bool],
    now: &[bool],
    reach: usize,
) -> Vec<(Vec<usize>, [f64; 2])> {
    let grid = [width, height];
    let either = |cell: usize| before[cell] || now[cell];
    let mut seen: Vec<bool> = request::zeros(width * height);
    let mut pieces = Vec::new();
    for start in 0..width * height {
        if seen[start] || !either(start) {
            continue;
        }
        seen[start] = true;
        let mut piece = vec![start];
        let mut at = 0;
        while at < piece.len() {
            for to in around(grid, piece[at]) {
                if either(to) && !std::mem::replace(&mut seen[to], true) {
                    request::push(&mut piece, to);
                }
            }
            at += 1;
        }
        pieces.extend(velocity(grid, edges, &piece, [before, now]).map(|velocity| (piece, velocity)));
    }
    let mut near: Vec<bool> = request::zeros(width * height);
    let beside = |(piece, velocity): (Vec<usize>, [f64; 2])| {
        let mut reached: Vec<usize> = Vec::new();
        let mut front = request::collected(piece.into_iter().filter(|&cell| now[cell]));
        for _ in 0..reach {
            let mut next = Vec::new();
            for to in front.iter().flat_map(|&cell| around(grid, cell)) {
                if !now[to] && !std::mem::replace(&mut near[to], true) {
                    request::push(&mut next, to);
                }
            }
            request::extend(&mut reached, next.iter().copied());
            front = next;
        }
        reached.iter().for_each(|&cell| near[cell] = false);
        (reached, velocity)
    };
    pieces.into_iter().map(beside).collect()
}

/// The velocity of a component that is solid in both frames; `None` where it rests.
fn velocity([width, height]: [usize; 2], edges: Edges, piece: &[usize], solid: [&[bool]; 2]) -> Option<[f64; 2]> {
    let at_border = |&cell: &usize| {
        let (x, y) = (cell % width, cell / width);
        x == 0 || y == 0 || x + 1 == width || y + 1 == height
    };
    if edges == Edges::Wrap && piece.iter().any(at_border) {
        return None;
    }
    let sums = |solid: &[bool]| {
        piece.iter().filter(|&&cell| solid[cell]).fold([0_i128; 3], |[x, y, count], &cell| {
            [x + (cell % width) as i128, y + (cell / width) as i128, count + 1]
        })
    };
    let ([x, y, count], [new_x, new_y, new_count]) = (sums(solid[0]), sums(solid[1]));
    if count == 0 || new_count == 0 {
        return None;
    }
    // Integers up to the quotient, so that a mirrored obstacle has the mirrored velocity.
    let way = |from: i128, to: i128| (to * count - from * new_count) as f64 / (count * new_count) as f64;
    let velocity = [way(x, new_x), way(y, new_y)];
    (velocity != [0.0; 2]).then_some(velocity)
}

/// The eight neighbours of a cell that are on the grid.
fn around([width, height]: [usize; 2], cell: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (cell % width, cell / width);
    let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
    let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
    rows.flat_map(move |y| columns.clone().map(move |x| y * width + x)).filter(move |&to| to != cell)
}
