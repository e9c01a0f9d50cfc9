//! Curl noise (Bridson, Hourihan and Nordenstam 2007): a random acceleration without divergence.

use std::f64::consts::TAU;

use super::Forcing;
use super::patch::{CellRange, for_each_row, rasterise_patch};
use super::raster::{AMOUNT_MAX, FACES, POSITION_MAX, Raster, SPEED_MAX};
use crate::sim::fluid::Staggering;
use crate::sim::hash::{hash, unit};
use crate::sim::maths::{bounded, clamp};
use crate::sim::request;
use crate::sim::smoke::settings::Noise;

/// Largest number of octaves.
const OCTAVES_MAX: i32 = 6;

/// Acceleration of an octave relative to that of the one before, whose eddies are twice as large: as in Kolmogorov's
/// inertial range, 2^(1/3).
const FALLOFF: f64 = 1.259_921_049_894_9;

/// Rate of change of an octave relative to that of the one before: 2^(2/3).
const PACE: f64 = 1.587_401_051_968_2;

/// Root mean square gradient of gradient noise whose lattice gradients are random unit vectors.
const SLOPE: f64 = 0.883_306_215_951_7;

/// The lattice points of a noise along one axis.
pub(super) struct Axis {
    /// Period in lattice points, on a wrapped axis.
    period: Option<i64>,
    /// Number of the last lattice point at or below the lower side of the grid.
    first: i64,
    /// For each line of cell corners: index of the lattice point at or below it, counted from `first`, and the fraction
    /// of the way to the next point.
    pub lines: Vec<(usize, f64)>,
}

impl Axis {
    /// The lattice points at distances of `size` pixels, carried along by `drift` pixels.
    pub fn new(raster: &Raster<'_>, axis: usize, size: f64, drift: f64) -> Axis {
        let cells = [raster.width, raster.height][axis];
        let extent = cells as f64 / raster.scale;
        let period = raster.wrap[axis].then(|| libm::round(extent / size).max(1.0));
        let size = period.map_or(size, |knots| extent / knots);
        let place = |line: usize| (raster.origin[axis] - drift + line as f64 / raster.scale) / size;
        let first = libm::floor(place(0));
        let lines = (0..=cells).map(|line| {
            let at = place(if raster.wrap[axis] { line % cells } else { line });
            let knot = libm::floor(at).max(first);
            ((knot - first) as usize, at - knot)
        });
        Axis { period: period.map(|p| p as i64), first: first as i64, lines: lines.collect() }
    }

    /// Number of lattice points that the corners need, each between two of them.
    pub fn knots(&self) -> usize {
        self.lines.iter().map(|line| line.0).max().unwrap_or(0) + 2
    }

    /// Global index of a lattice point, for hashing.
    pub fn name(&self, knot: i64) -> i64 {
        let knot = self.first.saturating_add(knot);
        self.period.map_or(knot, |period| knot.rem_euclid(period))
    }
}

/// Rasterises the noise: an acceleration with root mean square `strength`, in eddies of `size` and, with more octaves,
/// of its halves, at least one cell. It is the curl of a potential at the cells' corners, so its discrete divergence is 0.
///
/// The potential is gradient noise in canonical coordinates, carried along by the wind (Taylor's frozen turbulence). Its lattice gradients rotate with the clock in either
/// direction, at rates within a quarter of `speed`, so its strength does not change in time.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, noise: &Noise, clock: f64) {
    let strength = bounded(noise.strength, SPEED_MAX) * raster.scale * raster.time / SLOPE;
    if strength == 0.0 {
        return;
    }
    let least = 1.0 / raster.scale;
    let mut size = clamp(noise.size, least, AMOUNT_MAX.max(least));
    let octaves = noise.octaves.clamp(1, OCTAVES_MAX);
    // The squares of the octaves' strengths add up to that of the noise.
    let total = (0..octaves).map(|octave| libm::pow(FALLOFF, f64::from(2 * octave))).sum::<f64>();
    let mut strength = strength / libm::sqrt(total);
    let mut potential: Vec<f64> = request::zeros((raster.width + 1) * (raster.height + 1));
    for octave in 0..octaves {
        let axes = [0, 1].map(|axis| Axis::new(raster, axis, size, bounded(noise.drift[axis], POSITION_MAX)));
        let turned = bounded(noise.speed, 1e3) * clock + noise.lead;
        let slopes =
            slopes(raster, &axes, noise.seed.wrapping_add(octave), turned * libm::pow(PACE, f64::from(octave)));
        // Unit of the noise: `size`; a cell is a small part of it.
        add_potential(raster, &axes, &slopes, strength * size * raster.scale, &mut potential);
        strength *= FALLOFF;
        size = (0.5 * size).max(least);
    }
    let stride = raster.width + 1;
    for staggering in FACES {
        let patch = rasterise_patch(raster, &CellRange::all(raster, staggering), |x, y| {
            let corner = y * stride + x;
            let difference = match staggering {
                Staggering::Face(1) => potential[corner] - potential[corner + 1],
                _ => potential[corner + stride] - potential[corner],
            };
            difference as f32
        });
        forcing.add(staggering, patch);
    }
}

/// The gradients at all lattice points, row after row, after so many rotations.
fn slopes(raster: &Raster<'_>, axes: &[Axis; 2], seed: i32, turned: f64) -> Vec<[f64; 2]> {
    let turned = bounded(turned, AMOUNT_MAX);
    let columns = axes[0].knots();
    let mut slopes: Vec<[f64; 2]> = request::zeros(columns * axes[1].knots());
    for_each_row(raster.workers, &mut slopes, columns, |y, row| {
        for (x, slope) in row.iter_mut().enumerate() {
            let number = |which| unit(hash(seed, axes[0].name(x as i64), axes[1].name(y as i64) as u64, which));
            let rate = 0.75 + 0.5 * number(1);
            let turns = number(0) + turned * if number(2) < 0.5 { rate } else { -rate };
            let angle = TAU * (turns - libm::floor(turns));
            *slope = [libm::cos(angle), libm::sin(angle)];
        }
    });
    slopes
}

/// Adds a multiple of a noise to the potential at the corners of the cells: (width + 1) × (height + 1).
fn add_potential(raster: &Raster<'_>, axes: &[Axis; 2], slopes: &[[f64; 2]], factor: f64, potential: &mut [f64]) {
    let columns = axes[0].knots();
    for_each_row(raster.workers, potential, raster.width + 1, |y, row| {
        let (knot, v) = axes[1].lines[y];
        let (low, high) = (&slopes[knot * columns..], &slopes[(knot + 1) * columns..]);
        let rise = fade(v);
        for (&(knot, u), value) in axes[0].lines.iter().zip(row) {
            let [a, b] = [low, high].map(|line| [line[knot], line[knot + 1]]);
            let across = fade(u);
            let below = blend(a[0][0] * u + a[0][1] * v, a[1][0] * (u - 1.0) + a[1][1] * v, across);
            let above = blend(b[0][0] * u + b[0][1] * (v - 1.0), b[1][0] * (u - 1.0) + b[1][1] * (v - 1.0), across);
            *value += factor * blend(below, above, rise);
        }
    });
}

fn blend(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

/// Perlin's quintic: rises from 0 to 1 with zero slope and curvature at both ends.
fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}
