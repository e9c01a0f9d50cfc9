//! Emitters: moving discs, lines and rings that add water.

use super::amounts::{Basis, pigment};
use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, PIGMENT_MAX, to_units};
use super::outline::Outline;
use super::plan::RowCounts;
use super::settings::{Emitter, Shape};
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;
use crate::sim::stroke::Stroke;

/// Shapes over at most this many cells are scaled to their exact volume by the sum over the cells; for larger ones the
/// area of the shape is close enough.
const SUMMED_CELLS: f64 = 16384.0;

/// Pulse of an emitter: the factor of its rate in the frame that ends at `time`, 0 to 2. The mean of 1 + sin
/// 2π(`frequency`·t + `phase`) over the frame, t in frames, `phase` in turns; 1 at frequency 0.
pub fn pulse(time: f64, frequency: f64, phase: f64) -> f64 {
    let turns = |t: f64| {
        let turns = frequency * t + phase;
        libm::cos(std::f64::consts::TAU * (turns - libm::floor(turns)))
    };
    if !(frequency.is_finite() && phase.is_finite() && time.is_finite()) || frequency == 0.0 {
        return 1.0;
    }
    if frequency.abs() < 1e-6 {
        return 1.0 + libm::sin(std::f64::consts::TAU * (frequency * time + phase));
    }
    (1.0 + (turns(time - 1.0) - turns(time)) / (std::f64::consts::TAU * frequency)).clamp(0.0, 2.0)
}

/// Amounts that emitters add in a frame of length `time`; `None` where they add nothing.
///
/// The amount of a cell is the rate times the share of the frame's time in which the shape covers it, scaled so that
/// the total is the rate times the area of the shape (π · radius² for a disc), at any size, softness and speed.
pub(super) fn amounts<'e>(
    basis: &Basis<'_>,
    grid: &Grid,
    emitters: impl Iterator<Item = &'e Emitter>,
    time: f64,
) -> Option<Field> {
    let flows: Vec<Flow<'_>> = emitters.filter_map(|emitter| Flow::new(basis, grid, emitter, time)).collect();
    if flows.is_empty() {
        return None;
    }
    let mut field = basis.amounts();
    basis.device.rows(&mut field, &|y, row| {
        let reach = flows.iter().filter(|flow| flow.rows.contains(&y));
        let (from, to) =
            reach.fold((usize::MAX, 0), |(from, to), flow| (from.min(flow.columns.start), to.max(flow.columns.end)));
        for x in from..to {
            let mut sums = [0_i64; 4];
            for flow in flows.iter().filter(|flow| flow.rows.contains(&y) && flow.columns.contains(&x)) {
                flow.let_in(basis, [x, y], &mut sums);
            }
            if sums[0] > 0 {
                let [height, colours @ ..] = sums;
                let height = height.min(i64::from(HEIGHT_MAX)) as i32;
                basis.put(row, x, height, colours.map(|mass| mass.min(i64::from(PIGMENT_MAX)) as i32));
            }
        }
        RowCounts::default()
    });
    Some(field)
}

/// An emitter on the grid.
struct Flow<'e> {
    emitter: &'e Emitter,
    way: Way,
    /// Height that is added to a cell that is covered all the time.
    rate: f64,
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

impl<'e> Flow<'e> {
    fn new(basis: &Basis<'_>, grid: &Grid, emitter: &'e Emitter, time: f64) -> Option<Flow<'e>> {
        let (way, area) = Way::new(basis, grid, emitter)?;
        let rate = clamp(emitter.rate, 0.0, 1e9) * time * way.factor(area);
        if rate <= 0.0 {
            return None;
        }
        let (low, high) = way.bounds();
        let cells =
            |axis: usize, count: usize| low[axis].max(0.0) as usize..high[axis].clamp(0.0, count as f64) as usize;
        Some(Flow { emitter, way, rate, columns: cells(0, basis.width), rows: cells(1, basis.height) })
    }

    /// Adds the amounts of a cell: water, red, green, blue.
    fn let_in(&self, basis: &Basis<'_>, [x, y]: [usize; 2], sums: &mut [i64; 4]) {
        let share = self.way.cover(x as f64 + 0.5, y as f64 + 0.5);
        if share <= 0.0 {
            return;
        }
        let amount = self.rate * share * basis.open_share(y * basis.width + x);
        let height = to_units(amount, basis.units, 0, HEIGHT_MAX).unwrap_or(0);
        sums[0] += i64::from(height);
        for (sum, colour) in sums[1..].iter_mut().zip(self.emitter.colour) {
            *sum += i64::from(pigment(height, colour, basis.colour_range));
        }
    }
}

/// The swept shape of an emitter, in cells.
enum Way {
    Disc(Stroke),
    Drawn(Outline),
}

impl Way {
    /// The swept shape of an emitter on this grid, and its nominal area in cells; `None` where it adds nothing.
    fn new(basis: &Basis<'_>, grid: &Grid, emitter: &Emitter) -> Option<(Way, f64)> {
        let cells = |p: [f64; 2]| [0, 1].map(|i| ((p[i] - grid.origin[i]) * basis.scale).clamp(-1e9, 1e9));
        let radius = clamp(emitter.radius, 0.0, 1e9) * basis.scale;
        if !emitter.centre.iter().chain(&grid.origin).all(|v| v.is_finite()) || radius <= 0.0 {
            return None;
        }
        let centre = cells(emitter.centre);
        let previous = if emitter.previous.iter().all(|v| v.is_finite()) { cells(emitter.previous) } else { centre };
        let softness = clamp(emitter.softness, 0.0, 1.0);
        let angle = match emitter.shape {
            Shape::Disc => {
                let area = std::f64::consts::PI * radius * radius;
                return Some((Way::Disc(Stroke::new(previous, centre, radius).smoothed(softness)), area));
            }
            Shape::Line if emitter.angle.is_finite() => Some(emitter.angle),
            Shape::Line => Some(0.0),
            Shape::Ring => None,
        };
        let width = clamp(emitter.width, 0.0, 1e9) * basis.scale;
        let outline = Outline::new([previous, centre], radius, [width, softness], angle);
        let area = outline.area(width);
        Some((Way::Drawn(outline), area))
    }

    fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        match self {
            Way::Disc(stroke) => stroke.bounds(),
            Way::Drawn(outline) => outline.bounds(),
        }
    }

    /// Share of the frame's time in which the shape covers a point.
    fn cover(&self, x: f64, y: f64) -> f64 {
        match self {
            Way::Disc(stroke) => stroke.coverage(x, y),
            Way::Drawn(outline) => outline.cover(x, y),
        }
    }

    /// Factor that turns the sum of the coverage into the nominal area.
    fn factor(&self, area: f64) -> f64 {
        let (low, high) = self.bounds();
        let sum = if (high[0] - low[0]) * (high[1] - low[1]) <= SUMMED_CELLS {
            let mut sum = 0.0;
            for y in low[1] as i64..high[1] as i64 {
                for x in low[0] as i64..high[0] as i64 {
                    sum += self.cover(x as f64 + 0.5, y as f64 + 0.5);
                }
            }
            sum
        } else {
            match self {
                Way::Disc(stroke) => stroke.area(),
                Way::Drawn(outline) => outline.drawn_area(),
            }
        };
        if sum > 0.0 { area / sum } else { 0.0 }
    }
}
