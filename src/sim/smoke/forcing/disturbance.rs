//! The disturbance of a flame: the curl of a noise that fades from one pattern to the next.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::noise::Axis;
use super::patch::for_each_row;
use super::raster::{AMOUNT_MAX, Raster, SPEED_MAX};
use crate::sim::hash::{hash, unit};
use crate::sim::maths::{bounded, clamp};
use crate::sim::request;
use crate::sim::smoke::settings::Disturbance;

/// Octaves: size relative to the disturbance's, weight, and time from one pattern to the next relative to its own.
const OCTAVES: [(f64, f64, f64); 2] = [(1.0, 1.0, 1.0), (0.5, 0.25, 0.6)];

/// Rasterises the disturbance as velocities on the vertical and the horizontal faces, added over the step; `None`
/// where they are 0. They are the curl of a potential at the cells' corners, so their discrete divergence is 0.
///
/// The potential is the sum of the octaves. Each is the disturbance's size times its weight times a cubic B-spline
/// through unit normals on a lattice, from one lattice to the next by cosine and sine.
pub(super) fn rasterise(raster: &Raster<'_>, disturbance: &Disturbance, clock: f64) -> Option<[Vec<f32>; 2]> {
    let strength = bounded(disturbance.strength, SPEED_MAX) * raster.scale * raster.time;
    if strength == 0.0 {
        return None;
    }
    let least = 1.0 / raster.scale;
    let size = clamp(disturbance.size, least, AMOUNT_MAX.max(least));
    let stride = raster.width + 1;
    let mut potential: Vec<f64> = request::zeros(stride * (raster.height + 1));
    for (octave, (scale, weight, pace)) in OCTAVES.into_iter().enumerate() {
        let axes = [0, 1].map(|axis| Axis::new(raster, axis, (size * scale).max(least), 0.0));
        let phase = bounded(clock / (clamp(disturbance.pulse, 0.1, 1e6) * pace), AMOUNT_MAX);
        let lattice = lattice(raster, &axes, disturbance.seed, octave as u64, phase);
        add_spline(raster, &axes, &lattice, weight * strength * size * raster.scale, &mut potential);
    }
    let face = |difference: f64| difference as f32;
    let [mut u, mut v] = [stride * raster.height, raster.width * (raster.height + 1)].map(request::zeros::<f32>);
    for_each_row(raster.workers, &mut u, stride, |y, row| {
        for (x, to) in row.iter_mut().enumerate() {
            *to = face(potential[(y + 1) * stride + x] - potential[y * stride + x]);
        }
    });
    for_each_row(raster.workers, &mut v, raster.width, |y, row| {
        for (x, to) in row.iter_mut().enumerate() {
            *to = face(potential[y * stride + x] - potential[y * stride + x + 1]);
        }
    });
    Some([u, v])
}

/// Number of lattice points beyond those at both ends of an interval, on each side: a cubic spline has four points.
const MARGIN: usize = 1;

/// The values at the lattice points, row after row, from one before the first to one after the last.
fn lattice(raster: &Raster<'_>, axes: &[Axis; 2], seed: i32, octave: u64, phase: f64) -> Vec<f64> {
    let pattern = libm::floor(phase);
    let angle = (phase - pattern) * FRAC_PI_2;
    let shares = [libm::cos(angle), libm::sin(angle)];
    let [columns, rows] = [0, 1].map(|axis| axes[axis].knots() + 2 * MARGIN);
    let mut values: Vec<f64> = request::zeros(columns * rows);
    for_each_row(raster.workers, &mut values, columns, |y, row| {
        for (x, value) in row.iter_mut().enumerate() {
            let [column, line] = [(0, x), (1, y)].map(|(axis, knot)| axes[axis].name(knot as i64 - MARGIN as i64));
            let normal = |pattern: i64| {
                let number = |which| unit(hash(seed ^ pattern as i32, column, line as u64, 4 * octave + which));
                libm::sqrt(-2.0 * libm::log(1.0 - number(2))) * libm::cos(TAU * number(3))
            };
            *value = shares[0] * normal(pattern as i64) + shares[1] * normal((pattern as i64).saturating_add(1));
        }
    });
    values
}

/// Adds a multiple of the spline through a lattice to the potential at the corners of the cells.
fn add_spline(raster: &Raster<'_>, axes: &[Axis; 2], lattice: &[f64], factor: f64, potential: &mut [f64]) {
    let columns = axes[0].knots() + 2 * MARGIN;
    for_each_row(raster.workers, potential, raster.width + 1, |y, row| {
        let (knot, part) = axes[1].lines[y];
        let across = spline(part);
        let mut line = vec![0.0; columns];
        for (by, share) in across.into_iter().enumerate() {
            let from = &lattice[(knot + by) * columns..][..columns];
            line.iter_mut().zip(from).for_each(|(sum, value)| *sum += share * value);
        }
        for (&(knot, part), to) in axes[0].lines.iter().zip(row) {
            let [a, b, c, d] = spline(part);
            *to += factor * ((a * line[knot] + b * line[knot + 1]) + (c * line[knot + 2] + d * line[knot + 3]));
        }
    });
}

/// Weights of four lattice points in a uniform cubic B-spline, at the fraction t between the second and the third.
fn spline(t: f64) -> [f64; 4] {
    let rest = 1.0 - t;
    let inner = |t: f64| (t * t * (3.0 * t - 6.0) + 4.0) / 6.0;
    [rest * rest * rest / 6.0, inner(t), inner(rest), t * t * t / 6.0]
}
