//! Values of fresh cells, the cells that a moving solid has left: means of the values around them.
//!
//! Solid cells have no smoke. Without these values an object that crosses a cloud would leave an empty lane as wide as
//! the object.

use super::patch::{CellRange, rasterise_patch};
use super::raster::Raster;
use super::{FreshCells, GridMotion};
use crate::sim::request;
use crate::sim::smoke::State;
use crate::sim::smoke::state::Solids;

/// Offsets of the eight neighbours.
const NEIGHBOURS: [[i64; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// Marks a cell that is solid or off the grid. A cell with values has their index, below [`EMPTY`].
const EXCLUDED: u32 = u32::MAX;

/// Marks a fresh cell without values.
const EMPTY: u32 = EXCLUDED - 1;

/// The values of fresh cells: the mean of the neighbours that have values, from the border of the vacated area inwards,
/// for as many layers as the search radius of solids has cells.
///
/// `previous_solid`: cells of the previous state that belonged to a solid which still exists. Cells of a vanished solid
/// stay empty.
pub(super) fn rasterise(
    raster: &Raster<'_>,
    motion: &GridMotion,
    now: Option<&Solids>,
    previous_solid: &[bool],
    before: &State,
) -> FreshCells {
    let size = [raster.width as i64, raster.height as i64];
    // Index of a cell in the previous state.
    let old = |[x, y]: [i64; 2]| {
        let [x, y] = [x + motion.shift[0], y + motion.shift[1]];
        ((0..size[0]).contains(&x) && (0..size[1]).contains(&y)).then_some((y * size[0] + x) as usize)
    };
    let index = |[x, y]: [i64; 2]| (y * size[0] + x) as usize;
    let inside = |at: [i64; 2]| (0..2).all(|i| (0..size[i]).contains(&at[i]));
    let open = |at: [i64; 2]| inside(at) && !now.is_some_and(|solids| solids.solid[index(at)]);
    let is_fresh = |at: [i64; 2]| open(at) && old(at).is_some_and(|old| previous_solid[old]);
    let was = previous_solid
        .iter()
        .zip(0_i64..)
        .filter(|(previous_solid, _)| **previous_solid)
        .map(|(_, i)| [i % size[0], i / size[0]]);
    let cells_now = was.map(|[x, y]| [x - motion.shift[0], y - motion.shift[1]]);
    let empty: Vec<[i64; 2]> = request::collected(cells_now.filter(|&at| open(at)));
    let Some(area) = bounds(&empty) else { return FreshCells::default() };
    // One cell of border keeps every neighbour in range.
    let width = area.x.len() + 2;
    let local =
        |[x, y]: [i64; 2]| (y + 1 - area.y.start as i64) as usize * width + (x + 1 - area.x.start as i64) as usize;
    let mut cells = request::filled(width * (area.y.len() + 2), EXCLUDED);
    // Dye and temperature of the cells that have values.
    let mut values: Vec<[f32; 5]> = Vec::new();
    let air = &before.air;
    let content = |at: [i64; 2]| {
        let old = old(at)?;
        // A previously solid cell has no values.
        let was = before.solids.as_ref().is_some_and(|solids| solids.solid[old]);
        let [r, g, b, a] = *air.dye.get(old)?;
        (!was).then(|| [r, g, b, a, air.temperature.as_ref().map_or(0.0, |t| t[old])])
    };
    for &at in &empty {
        for at in NEIGHBOURS.map(|[dx, dy]| [at[0] + dx, at[1] + dy]) {
            if cells[local(at)] == EXCLUDED
                && open(at)
                && let Some(value) = content(at)
            {
                cells[local(at)] = values.len() as u32;
                request::push(&mut values, value);
            }
        }
    }
    for &at in &empty {
        cells[local(at)] = EMPTY;
    }
    let mut front = empty;
    for _ in 0..raster.search_radius() as usize {
        let filled: Vec<([i64; 2], [f32; 5])> = front
            .iter()
            .filter(|&&at| cells[local(at)] == EMPTY)
            .filter_map(|&at| {
                let neighbours = NEIGHBOURS.map(|[dx, dy]| cells[local([at[0] + dx, at[1] + dy])]);
                Some((at, mean(neighbours.iter().filter_map(|&cell| values.get(cell as usize)))?))
            })
            .collect();
        for &(at, value) in &filled {
            cells[local(at)] = values.len() as u32;
            request::push(&mut values, value);
        }
        let next = filled.iter().flat_map(|(at, _)| NEIGHBOURS.map(|[dx, dy]| [at[0] + dx, at[1] + dy]));
        front = request::collected(next.filter(|&at| is_fresh(at)));
        // Removes duplicates.
        front.sort_unstable();
        front.dedup();
    }
    let value = |x: usize, y: usize| {
        let at = [x as i64, y as i64];
        values.get(cells[local(at)] as usize).filter(|_| is_fresh(at)).copied().unwrap_or_default()
    };
    FreshCells {
        dye: rasterise_patch(raster, &area, |x, y| {
            let [r, g, b, a, _] = value(x, y);
            [r, g, b, a]
        }),
        heat: air.temperature.as_ref().and_then(|_| rasterise_patch(raster, &area, |x, y| value(x, y)[4])),
    }
}

/// Bounding rectangle of cells.
fn bounds(cells: &[[i64; 2]]) -> Option<CellRange> {
    let range = |axis: usize| {
        let (low, high) = (cells.iter().map(|c| c[axis]).min()?, cells.iter().map(|c| c[axis]).max()?);
        Some(low as usize..high as usize + 1)
    };
    Some(CellRange { x: range(0)?, y: range(1)? })
}

/// The mean of values; `None` of none.
fn mean<'a>(values: impl Iterator<Item = &'a [f32; 5]>) -> Option<[f32; 5]> {
    let (mut sum, mut count) = ([0.0; 5], 0.0);
    for value in values {
        sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
        count += 1.0;
    }
    (count > 0.0).then(|| sum.map(|sum| sum / count))
}
