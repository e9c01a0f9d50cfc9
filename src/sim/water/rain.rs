//! Rain: drops at pseudo-random places and times, the same at every resolution.
//!
//! A drop arrives over [`ARRIVAL`] frames from a time within its first frame on: first a ring that widens, then its
//! middle, from which waves run out. Ripples take a crater with a rim instead, which springs back halfway; its volume
//! is 0. A frame has its parts of the drops that began in it and in the [`EARLIER`] frames before, all with the
//! settings of the frame, so that it depends on no other frame.

use super::amounts::Basis;
use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, to_units};
use super::plan::RowCounts;
use super::settings::{Edges, RainMode, Settings};
use crate::sim::grid::Grid;
use crate::sim::hash::{hash, unit};
use crate::sim::maths::{bump, clamp};
use crate::sim::request;

/// Frames over which a drop arrives.
const ARRIVAL: f64 = 3.0;
/// Frames before a frame whose drops still arrive in it.
const EARLIER: i64 = 3;
/// Frames in which a drop begins to arrive, and in which it ends.
const RAMP: f64 = 0.25;
/// Sizes of drops, parts of the set size: the smallest and the largest. Height goes with size.
const SIZES: [f64; 2] = [0.6, 1.6];
/// Mean of the cube of the sizes: the mean volume, in drops of the set size.
const MEAN_CUBE: f64 = 1.078857;
/// Least height of a drop that a mean height is made of.
const LEAST_STRENGTH: f64 = 1e-3;
/// Drops per frame, at most; heavier rain has larger amounts per drop.
const DROPS_MAX: f64 = 25_000.0;
/// Total area of the drops that begin in a frame, at most, in areas of the frame: large drops of extreme rain would
/// take minutes without a call of `go_on`.
const COVER_MAX: f64 = 16.0;
/// Radius in cells below which a cell has the mean of several samples, and their number along an axis.
const SAMPLED: (f64, u32) = (4.0, 3);

/// Drops of a radius per frame of an area, at most. Drawing them cannot be interrupted, so their work is bounded.
fn most_drops(area: f64, size: f64) -> f64 {
    (COVER_MAX * area / (4.0 * size * size)).clamp(1.0, DROPS_MAX)
}

/// The drops of a frame of length `time` over an area in full-resolution pixels.
struct Shower {
    /// Radius of a drop of the set size, full-resolution pixels.
    size: f64,
    /// Height of such a drop at its centre.
    strength: f64,
    /// Drops per frame.
    expected: f64,
    /// Factor of their volumes.
    heavier: f64,
}

impl Shower {
    /// `None` where there is no rain.
    fn new(settings: &Settings, area: f64, time: f64) -> Option<Shower> {
        let size = clamp(settings.rain_size, 0.01, 1e6);
        let strength = clamp(settings.rain_strength, 0.0, 65536.0);
        let (strength, expected) = match settings.rain_mode {
            RainMode::Drops => (strength, clamp(settings.rain_drops, 0.0, 1e6) * time),
            RainMode::MeanHeight => {
                let strength = strength.max(LEAST_STRENGTH);
                let mean = clamp(settings.rain, 0.0, 65536.0) * time;
                (strength, mean * area / (volume(strength, size) * MEAN_CUBE))
            }
        };
        if !(expected > 0.0 && strength > 0.0) {
            return None;
        }
        let most = most_drops(area, size);
        Some(Shower { size, strength, expected: expected.min(most), heavier: (expected / most).max(1.0) })
    }

    /// Number of drops that begin in a frame.
    fn count(&self, seed: i32, birth: i64) -> u64 {
        let whole = libm::floor(self.expected);
        let extra = unit(hash(seed, birth, u64::MAX, 0)) < self.expected - whole;
        whole as u64 + u64::from(extra)
    }
}

/// Volume of a drop, height times area.
fn volume(strength: f64, size: f64) -> f64 {
    strength * std::f64::consts::PI * size * size / 3.0
}

/// Size of a drop, parts of the set size. Small ones are more frequent.
fn size_of(seed: i32, birth: i64, drop: u64) -> f64 {
    let chance = unit(hash(seed, birth, drop, 3));
    SIZES[0] + (SIZES[1] - SIZES[0]) * chance * chance
}

/// Share that has come after a time, frames, at an even pace but for both ends, over `length` frames.
fn arrived(time: f64, length: f64) -> f64 {
    let pace = 1.0 / (length - RAMP);
    if time <= 0.0 {
        0.0
    } else if time < RAMP {
        pace * time * time / (2.0 * RAMP)
    } else if time <= length - RAMP {
        pace * (time - RAMP / 2.0)
    } else if time < length {
        1.0 - pace * (length - time) * (length - time) / (2.0 * RAMP)
    } else {
        1.0
    }
}

/// Depth of the crater of Ripples after a time, in heights of the drop: it deepens for two frames, and springs back
/// halfway in the third.
fn crater(time: f64) -> f64 {
    2.0 / 3.0 * arrived(time, 2.0) - 1.0 / 3.0 * arrived(time - 2.0, 1.0)
}

/// Greatest height that rain adds to a cell of a frame of length `time`; `area` in full-resolution pixels.
pub(super) fn highest(settings: &Settings, area: f64, time: f64) -> f64 {
    Shower::new(settings, area, time).map_or(0.0, |shower| {
        let mean = shower.expected * shower.heavier * volume(shower.strength, shower.size) * MEAN_CUBE / area;
        mean + SIZES[1] * shower.strength
    })
}

/// Amounts of rain over a `share` of a frame of length `time`; `None` where there is no rain.
///
/// The volume of a drop on the grid is that of its bump (1 − (d/r)²)² in full-resolution pixels, on any grid.
pub(super) fn amounts(
    basis: &Basis<'_>,
    grid: &Grid,
    edges: Edges,
    settings: &Settings,
    time: f64,
    share: f64,
) -> Option<Field> {
    let (wide, high) = (basis.width as f64 / basis.scale, basis.height as f64 / basis.scale);
    let shower = Shower::new(settings, wide * high, time)?;
    if !grid.origin.iter().all(|v| v.is_finite()) {
        return None;
    }
    let mut layer = Layer::new(basis, edges);
    let mut any = false;
    for earlier in 0..=EARLIER {
        let birth = settings.frame.wrapping_sub(earlier);
        let drops = shower.count(settings.seed, birth);
        let even = match settings.rain_mode {
            RainMode::Drops => 1.0,
            RainMode::MeanHeight => {
                let sum: f64 = (0..drops).map(|drop| cube(size_of(settings.seed, birth, drop))).sum();
                if drops > 0 { drops as f64 * MEAN_CUBE / sum } else { 0.0 }
            }
        };
        for drop in 0..drops {
            let chance = |which: u64| unit(hash(settings.seed, birth, drop, which));
            let size = size_of(settings.seed, birth, drop);
            let began = earlier as f64 - chance(4);
            let drop = Drop {
                at: [chance(1) * basis.width as f64, chance(2) * basis.height as f64],
                radius: (size * shower.size * basis.scale).max(1.0),
                volume: cube(size) * even * shower.heavier * volume(shower.strength, shower.size * basis.scale),
            };
            any = true;
            layer.add(&drop, began);
        }
    }
    any.then(|| layer.amounts(settings.rain_colour, share))
}

fn cube(value: f64) -> f64 {
    value * value * value
}

/// A drop on the grid.
struct Drop {
    /// Place, cells.
    at: [f64; 2],
    /// Radius, cells.
    radius: f64,
    /// Volume, height times cells.
    volume: f64,
}

/// Heights that drops add to the cells.
struct Layer<'a> {
    basis: &'a Basis<'a>,
    edges: Edges,
    heights: Vec<f64>,
}

impl<'a> Layer<'a> {
    fn new(basis: &'a Basis<'a>, edges: Edges) -> Layer<'a> {
        Layer { basis, edges, heights: request::zeros(basis.width * basis.height) }
    }

    /// Adds the part of a drop that comes in a frame that begins `began` frames after the drop does.
    fn add(&mut self, drop: &Drop, began: f64) {
        let Drop { at, radius, volume } = *drop;
        let core = |d: f64| bump(d / radius);
        if self.basis.signed {
            let depth = crater(began + 1.0) - crater(began);
            if depth == 0.0 {
                return;
            }
            let rim = |d: f64| bump((d - 1.25 * radius) / (0.5 * radius));
            let (core, rim) = (self.samples(at, radius, radius, core), self.samples(at, 1.75 * radius, radius, rim));
            let (dug, piled) = (self.open(&core), self.open(&rim));
            if core.sum > 0.0 && piled > 0.0 {
                let depth = depth * volume / core.sum;
                self.put(&core, -depth);
                self.put(&rim, depth * dug / piled);
            }
            return;
        }
        let part = volume * (arrived(began + 1.0, ARRIVAL) - arrived(began, ARRIVAL));
        if part == 0.0 {
            return;
        }
        // The middle of the time in the frame in which it comes.
        let now = ((began + 1.0).min(ARRIVAL) + began.max(0.0)) / 2.0;
        let filled = ((now - 0.8) / 1.6).clamp(0.0, 1.0);
        let filled = filled * filled * (3.0 - 2.0 * filled);
        if filled > 0.0 {
            let core = self.samples(at, radius, radius, core);
            self.put(&core, part * filled / core.sum);
        }
        if filled < 1.0 {
            let (middle, width) = (radius * (0.2 + 0.2 * now), (0.4 * radius).max(1.0));
            let ring = self.samples(at, middle + width, radius, |d| bump((d - middle) / width));
            self.put(&ring, part * (1.0 - filled) / ring.sum);
        }
    }

    /// Values of a shape by its distance from a place, in the cells within `reach`.
    fn samples(&self, at: [f64; 2], reach: f64, radius: f64, shape: impl Fn(f64) -> f64) -> Samples {
        let columns = cells_within(at[0], reach, self.basis.width, self.edges);
        let rows = cells_within(at[1], reach, self.basis.height, self.edges);
        let across = if radius < SAMPLED.0 { SAMPLED.1 } else { 1 };
        let parts = || (0..across).map(|part| (f64::from(part) + 0.5) / f64::from(across));
        let mut values = request::with_capacity(columns.clone().count() * rows.clone().count());
        for (y, x) in rows.clone().flat_map(|y| columns.clone().map(move |x| (y, x))) {
            let mut sum = 0.0;
            for (up, right) in parts().flat_map(|up| parts().map(move |right| (up, right))) {
                let (dx, dy) = (x as f64 + right - at[0], y as f64 + up - at[1]);
                sum += shape(libm::sqrt(dx * dx + dy * dy));
            }
            values.push(sum);
        }
        let sum = values.iter().sum();
        Samples { columns, rows, values, sum }
    }

    /// Calls `each` with the index of every cell of some samples and its value.
    fn each(&self, samples: &Samples, mut each: impl FnMut(usize, f64)) {
        let Samples { columns, rows, values, .. } = samples;
        let cells = rows.clone().flat_map(|y| columns.clone().map(move |x| (y, x)));
        for ((y, x), &value) in cells.zip(values) {
            let [row, column] =
                [y.rem_euclid(self.basis.height as i64), x.rem_euclid(self.basis.width as i64)].map(|at| at as usize);
            each(row * self.basis.width + column, value);
        }
    }

    /// Sum of some samples by the open shares of their cells.
    fn open(&self, samples: &Samples) -> f64 {
        let mut sum = 0.0;
        self.each(samples, |cell, value| sum += value * self.basis.open_share(cell));
        sum
    }

    /// Adds some samples times a factor.
    fn put(&mut self, samples: &Samples, factor: f64) {
        let mut heights = std::mem::take(&mut self.heights);
        self.each(samples, |cell, value| heights[cell] += factor * value);
        self.heights = heights;
    }

    /// The heights times `share` as amounts of water of a colour.
    fn amounts(&self, colour: [f64; 3], share: f64) -> Field {
        let (basis, heights) = (self.basis, &self.heights);
        let least = if basis.signed { -HEIGHT_MAX } else { 0 };
        let mut field = basis.amounts();
        basis.device.rows(&mut field, &|y, row| {
            for x in 0..basis.width {
                let cell = y * basis.width + x;
                if heights[cell] != 0.0 {
                    let amount = heights[cell] * share * basis.open_share(cell);
                    let height = to_units(amount, basis.units, least, HEIGHT_MAX).unwrap_or(0);
                    basis.put_coloured(row, x, height, colour);
                }
            }
            RowCounts::default()
        });
        field
    }
}

/// Values of the cells around a place, row by row, and their sum.
struct Samples {
    columns: std::ops::Range<i64>,
    rows: std::ops::Range<i64>,
    values: Vec<f64>,
    sum: f64,
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

    #[test]
    fn a_drop_comes_in_small_parts_in_four_frames_at_most() {
        for born in 0..100 {
            let began = |frame: i64| frame as f64 - f64::from(born) / 100.0;
            let part = |frame: i64| arrived(began(frame) + 1.0, ARRIVAL) - arrived(began(frame), ARRIVAL);
            let sum: f64 = (0..=EARLIER).map(part).sum();
            assert!((sum - 1.0).abs() < 1e-12 && (0..=EARLIER).all(|frame| (0.0..0.37).contains(&part(frame))));
            let dug = |frame: i64| crater(began(frame) + 1.0) - crater(began(frame));
            assert!((0..=EARLIER).all(|frame| dug(frame).abs() < 0.4));
            assert!(((0..=EARLIER).map(dug).sum::<f64>() - 1.0 / 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_mean_cube_is_that_of_the_sizes() {
        let cubes = (0..20_000).map(|drop| cube(size_of(3, 7, drop))).sum::<f64>() / 20_000.0;
        assert!((cubes / MEAN_CUBE - 1.0).abs() < 0.02, "{cubes}");
    }
}
