//! The built-in round source: a disc that lets water in while it moves.

use super::amounts::Basis;
use super::field::Field;
use super::fixed::{HEIGHT_MAX, to_units};
use super::grid::Grid;
use super::pace::held;
use super::program::RowCounts;
use super::settings::Emitter;
use super::stroke::Stroke;

/// Strokes over at most this many cells are brought to their exact volume by the sum over the cells. For larger ones,
/// whose sum hardly differs from it, the disc's area serves.
const SUMMED_CELLS: f64 = 16384.0;

/// Amounts that the emitter lets in over a frame of length `time`; `None` where it lets in nothing.
///
/// The amount of a cell is the rate times the share of the frame's time in which the disc covers it. The total is
/// rate · π · radius², however small the disc and however it moves.
pub(super) fn amounts(basis: &Basis<'_>, grid: &Grid, emitter: &Emitter, time: f64) -> Option<Field> {
    let (stroke, radius) = stroke(basis, grid, emitter)?;
    let rate = held(emitter.rate, 0.0, 1e9) * time * factor(&stroke, radius);
    if rate <= 0.0 {
        return None;
    }
    let (low, high) = stroke.bounds();
    let columns = low[0].max(0.0) as usize..(high[0].max(0.0).min(basis.width as f64)) as usize;
    let rows = low[1].max(0.0) as usize..(high[1].max(0.0).min(basis.height as f64)) as usize;
    let mut field = basis.amounts();
    basis.device.rows(&mut field, &|y, row| {
        if rows.contains(&y) {
            for x in columns.clone() {
                let share = stroke.cover(x as f64 + 0.5, y as f64 + 0.5);
                if share > 0.0 {
                    let amount = rate * share * basis.open_share(y * basis.width + x);
                    let height = to_units(amount, basis.units, 0, HEIGHT_MAX).unwrap_or(0);
                    basis.put(row, x, height, emitter.colour);
                }
            }
        }
        RowCounts::default()
    });
    Some(field)
}

/// The emitter's way on this grid, and its radius in cells; `None` where it lets in nothing.
fn stroke(basis: &Basis<'_>, grid: &Grid, emitter: &Emitter) -> Option<(Stroke, f64)> {
    let cells = |p: [f64; 2]| [0, 1].map(|i| ((p[i] - grid.origin[i]) * basis.scale).clamp(-1e9, 1e9));
    let radius = held(emitter.radius, 0.0, 1e9) * basis.scale;
    if !emitter.centre.iter().chain(&grid.origin).all(|v| v.is_finite()) || radius <= 0.0 {
        return None;
    }
    let centre = cells(emitter.centre);
    let previous = if emitter.previous.iter().all(|v| v.is_finite()) { cells(emitter.previous) } else { centre };
    Some((Stroke::new(previous, centre, radius), radius))
}

/// What the shares of time have to be multiplied by for their sum to be the disc's area.
fn factor(stroke: &Stroke, radius: f64) -> f64 {
    let (low, high) = stroke.bounds();
    let area = std::f64::consts::PI * radius * radius;
    let sum = if (high[0] - low[0]) * (high[1] - low[1]) <= SUMMED_CELLS {
        let mut sum = 0.0;
        for y in low[1] as i64..high[1] as i64 {
            for x in low[0] as i64..high[0] as i64 {
                sum += stroke.cover(x as f64 + 0.5, y as f64 + 0.5);
            }
        }
        sum
    } else {
        std::f64::consts::PI * (stroke.radius() * stroke.radius() + 1.0 / 12.0)
    };
    if sum > 0.0 { area / sum } else { 0.0 }
}
