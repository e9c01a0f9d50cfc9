//! Rain: drops at pseudo-random places, the same at every resolution.

use super::amounts::Basis;
use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, to_units};
use super::plan::RowCounts;
use super::settings::{Edges, Settings};
use crate::sim::grid::Grid;
use crate::sim::hash::{hash, unit};
use crate::sim::maths::clamp;
use crate::sim::request;

/// Height of a drop at its centre.
const DROP_HEIGHT: f64 = 0.5;
/// Drops per frame, at most; heavier rain has larger amounts per drop.
const DROPS_MAX: f64 = 100_000.0;
/// Total area of a frame's drops, at most, in areas of the frame: large drops of extreme rain (above 8 in height per
/// frame) would take minutes without a call of `go_on`.
const COVER_MAX: f64 = 64.0;

/// Drops of a radius per frame of an area, at most. Drawing them cannot be interrupted, so their work is bounded.
fn most_drops(area: f64, size: f64) -> f64 {
    (COVER_MAX * area / (4.0 * size * size)).clamp(1.0, DROPS_MAX)
}

/// Amounts of rain over a frame of length `time`; `None` where there is no rain.
///
/// A drop is a smooth bump (1 − (d/r)²)². Its volume on the grid is that of a drop of `rain_size` pixels, on any grid.
/// The number of drops gives a mean height per frame of `rain`.
pub(super) fn amounts(basis: &Basis<'_>, grid: &Grid, edges: Edges, settings: &Settings, time: f64) -> Option<Field> {
    let mean = clamp(settings.rain, 0.0, 65536.0) * time;
    let size = clamp(settings.rain_size, 0.01, 1e6);
    let (wide, high) = (basis.width as f64 / basis.scale, basis.height as f64 / basis.scale);
    let drop_volume = DROP_HEIGHT * std::f64::consts::PI * size * size / 3.0;
    let expected = mean * wide * high / drop_volume;
    if !(expected > 0.0 && grid.origin.iter().all(|v| v.is_finite())) {
        return None;
    }
    let most = most_drops(wide * high, size);
    let heavier = (expected / most).max(1.0);
    let expected = expected.min(most);
    let whole = libm::floor(expected);
    let extra = unit(hash(settings.seed, settings.frame, u64::MAX, 0)) < expected - whole;
    let drops = whole as u64 + u64::from(extra);
    if drops == 0 {
        return None;
    }

    let radius = (size * basis.scale).max(1.0);
    let volume = drop_volume * heavier * basis.scale * basis.scale;
    let mut heights = request::zeros::<f64>(basis.width * basis.height);
    for drop in 0..drops {
        let x = unit(hash(settings.seed, settings.frame, drop, 1)) * basis.width as f64;
        let y = unit(hash(settings.seed, settings.frame, drop, 2)) * basis.height as f64;
        deposit(&mut heights, basis, edges, [x, y], radius, volume);
    }
    let mut field = basis.amounts();
    basis.device.rows(&mut field, &|y, row| {
        for x in 0..basis.width {
            let cell = y * basis.width + x;
            if heights[cell] > 0.0 {
                let amount = heights[cell] * basis.open_share(cell);
                let height = to_units(amount, basis.units, 0, HEIGHT_MAX).unwrap_or(0);
                basis.put_coloured(row, x, height, settings.rain_colour);
            }
        }
        RowCounts::default()
    });
    Some(field)
}

/// Adds one drop; its whole volume is inside the grid.
fn deposit(heights: &mut [f64], basis: &Basis<'_>, edges: Edges, at: [f64; 2], radius: f64, volume: f64) {
    let columns = cells_within(at[0], radius, basis.width, edges);
    let rows = cells_within(at[1], radius, basis.height, edges);
    let shape = |x: i64, y: i64| {
        let (dx, dy) = (x as f64 + 0.5 - at[0], y as f64 + 0.5 - at[1]);
        let t = (1.0 - (dx * dx + dy * dy) / (radius * radius)).max(0.0);
        t * t
    };
    let mut sum = 0.0;
    for y in rows.clone() {
        for x in columns.clone() {
            sum += shape(x, y);
        }
    }
    if sum <= 0.0 {
        return;
    }
    let peak = volume / sum;
    for y in rows {
        let row = y.rem_euclid(basis.height as i64) as usize * basis.width;
        for x in columns.clone() {
            heights[row + x.rem_euclid(basis.width as i64) as usize] += peak * shape(x, y);
        }
    }
}

/// Cells of one axis within `radius` of `at`: inside the grid or, where edges join, at most once around it.
fn cells_within(at: f64, radius: f64, cells: usize, edges: Edges) -> std::ops::Range<i64> {
    let (low, high) = (libm::floor(at - radius) as i64, libm::ceil(at + radius) as i64);
    match edges {
        Edges::Wrap if high - low <= cells as i64 => low..high,
        _ => low.max(0)..high.min(cells as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_absurd_rain_is_bounded() {
        let area = 480.0 * 270.0;
        for size in [0.01, 1.0, 3.0, 40.0, 400.0, 1e6] {
            let drops = most_drops(area, size);
            let touched = drops * 4.0 * size * size;
            assert!(drops <= DROPS_MAX && (drops <= 1.0 || touched <= COVER_MAX * area * (1.0 + 1e-9)), "size {size}");
        }
    }
}
