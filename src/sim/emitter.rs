//! The built-in round source: a disc that lets water in while it moves.

use super::amounts::Basis;
use super::field::Field;
use super::fixed::{HEIGHT_MAX, to_units};
use super::grid::Grid;
use super::pace::held;
use super::program::RowCounts;
use super::settings::Emitter;

/// Strokes over at most this many cells are brought to their exact volume by the sum over the cells. For larger ones,
/// whose sum hardly differs from it, the disc's area serves.
const SUMMED_CELLS: f64 = 16384.0;

/// A disc of soft rim (one cell wide) on its way along a line, in cells.
struct Stroke {
    from: [f64; 2],
    along: [f64; 2],
    length: f64,
    radius: f64,
    factor: f64,
}

/// Amounts that the emitter lets in over a frame of length `time`; `None` where it lets in nothing.
///
/// The amount of a cell is the rate times the share of the frame's time in which the disc covers it. The total is
/// rate · π · radius², however small the disc and however it moves.
pub(super) fn amounts(basis: &Basis<'_>, grid: &Grid, emitter: &Emitter, time: f64) -> Option<Field> {
    let stroke = Stroke::new(basis, grid, emitter)?;
    let rate = held(emitter.rate, 0.0, 1e9) * time * stroke.factor;
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

impl Stroke {
    fn new(basis: &Basis<'_>, grid: &Grid, emitter: &Emitter) -> Option<Stroke> {
        let cells = |p: [f64; 2]| [0, 1].map(|i| ((p[i] - grid.origin[i]) * basis.scale).clamp(-1e9, 1e9));
        let radius = held(emitter.radius, 0.0, 1e9) * basis.scale;
        if !emitter.centre.iter().chain(&grid.origin).all(|v| v.is_finite()) || radius <= 0.0 {
            return None;
        }
        let centre = cells(emitter.centre);
        let previous = if emitter.previous.iter().all(|v| v.is_finite()) { cells(emitter.previous) } else { centre };
        let (dx, dy) = (centre[0] - previous[0], centre[1] - previous[1]);
        let length = libm::sqrt(dx * dx + dy * dy);
        // Below a thousandth of a cell the mean over the path differs from its middle by less than rounding would.
        let moving = length > 1e-3;
        let mut stroke = Stroke {
            from: if moving { previous } else { [centre[0] - dx / 2.0, centre[1] - dy / 2.0] },
            along: if moving { [dx / length, dy / length] } else { [1.0, 0.0] },
            length: if moving { length } else { 0.0 },
            radius: radius.max(1.0),
            factor: 1.0,
        };
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
            std::f64::consts::PI * (stroke.radius * stroke.radius + 1.0 / 12.0)
        };
        stroke.factor = if sum > 0.0 { area / sum } else { 0.0 };
        Some(stroke)
    }

    /// Cells that the stroke may touch: from the first up to before the second.
    fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let to = [0, 1].map(|i| self.from[i] + self.along[i] * self.length);
        let reach = self.radius + 1.0;
        (
            [0, 1].map(|i| libm::floor(self.from[i].min(to[i]) - reach)),
            [0, 1].map(|i| libm::ceil(self.from[i].max(to[i]) + reach)),
        )
    }

    /// Share of the time in which the disc covers the point, its rim counted by half tones.
    fn cover(&self, x: f64, y: f64) -> f64 {
        let (rx, ry) = (x - self.from[0], y - self.from[1]);
        let (outer, inner) = (self.radius + 0.5, self.radius - 0.5);
        if self.length == 0.0 {
            return (outer - libm::sqrt(rx * rx + ry * ry)).clamp(0.0, 1.0);
        }
        let along = rx * self.along[0] + ry * self.along[1];
        let p = (rx * self.along[1] - ry * self.along[0]).abs();
        if p >= outer {
            return 0.0;
        }
        let reach = libm::sqrt(outer * outer - p * p);
        let (a, b) = ((-along).max(-reach), (self.length - along).min(reach));
        if b <= a {
            return 0.0;
        }
        // The rim: coverage `outer` − distance, integrated along the path.
        let rim = |a: f64, b: f64| outer * (b - a) - (distance_integral(p, b) - distance_integral(p, a));
        let core = if p < inner { libm::sqrt(inner * inner - p * p) } else { 0.0 };
        let (from, to) = (a.max(-core), b.min(core));
        let total = if core > 0.0 && to > from { rim(a, from) + (to - from) + rim(to, b) } else { rim(a, b) };
        (total / self.length).clamp(0.0, 1.0)
    }
}

/// Antiderivative of √(p² + u²) over u.
fn distance_integral(p: f64, u: f64) -> f64 {
    let curve = if p > 1e-9 { p * p * libm::asinh(u / p) } else { 0.0 };
    0.5 * (u * libm::sqrt(p * p + u * u) + curve)
}
