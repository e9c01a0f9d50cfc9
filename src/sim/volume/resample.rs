//! Velocity between the faces of cells, and on cells of another size.

use std::sync::Arc;

use super::fields::Bounds;
use super::plan::VELOCITY_MAX;
use super::state::{State, face_sizes};
use crate::sim::batch::{BATCH, Batch, Batch3, each3, mix};
use crate::sim::maths::{bounded, clamp, floor};

/// Trilinear velocities across the faces of an axis at positions, cells per frame; outside those of the border. The
/// positions are in cells of the lattice.
#[inline(always)]
pub fn face_velocities(state: &State, axis: usize, positions: &Batch3) -> Batch {
    let bounds = state.bounds;
    let mut lows = [[0_u32; BATCH]; 3];
    let mut highs = lows;
    let mut shares = [[0.0; BATCH]; 3];
    for i in 0..3 {
        let (offset, half) = (f64::from(bounds.low[i]), if i == axis { 0.0 } else { 0.5 });
        let last = bounds.cells[i] as f64 - if i == axis { 0.0 } else { 1.0 };
        for n in 0..BATCH {
            let at = clamp(positions[i][n] - offset - half, 0.0, last);
            let (low, index) = floor(at);
            (lows[i][n], highs[i][n]) = (index, index + u32::from(low + 1.0 <= last));
            shares[i][n] = at - low;
        }
    }
    let [width, height, _] = face_sizes(bounds.cells, axis);
    let faces = &state.velocity[axis][..];
    let mut corners = [[0.0_f32; BATCH]; 8];
    for n in 0..BATCH {
        let ends = |i: usize| [lows[i][n] as usize, highs[i][n] as usize];
        let (x, y, z) = (ends(0), ends(1), ends(2));
        for corner in 0..8 {
            corners[corner][n] = faces[x[corner & 1] + width * (y[corner >> 1 & 1] + height * z[corner >> 2])];
        }
    }
    let mut values = [[0.0; BATCH]; 8];
    for corner in 0..8 {
        for n in 0..BATCH {
            values[corner][n] = bounded(f64::from(corners[corner][n]), VELOCITY_MAX);
        }
    }
    let ([a, b, c, d, e, f, g, h], [x, y, z]) = (&values, &shares);
    let back = mix(&mix(a, b, x), &mix(c, d, x), y);
    let front = mix(&mix(e, f, x), &mix(g, h, x), y);
    mix(&back, &front, z)
}

/// Air on other cells: `scale` cells of `state` long, their lattice's origin at `offset` in the lattice of `state`.
/// Larger cells have the mean over their faces, so that air without divergence keeps none where the faces match. What
/// the air carries is left behind.
#[inline(always)]
pub fn resampled(state: &State, bounds: Bounds, scale: f64, offset: [f64; 3]) -> State {
    let mut made = State { steps: state.steps, ..State::still(bounds, state.detail, [0.0; 3]) };
    let samples = libm::ceil(scale - 1e-9).clamp(1.0, 8.0) as usize;
    let within = |sample: usize| (sample as f64 + 0.5) / samples as f64;
    for axis in 0..3 {
        let size = face_sizes(bounds.cells, axis);
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
        let values = Arc::make_mut(&mut made.velocity[axis]);
        for (batch, values) in values.chunks_mut(BATCH).enumerate() {
            let corners = each3(|n| {
                let at = batch * BATCH + n;
                let index = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
                [0, 1, 2].map(|i| offset[i] + (f64::from(bounds.low[i]) + index[i] as f64) * scale)
            });
            let mut sums = [0.0; BATCH];
            for sample in 0..samples * samples {
                let mut positions = corners;
                let aside = [within(sample % samples) * scale, within(sample / samples) * scale];
                for (axis, aside) in [a, b].into_iter().zip(aside) {
                    positions[axis].iter_mut().for_each(|place| *place += aside);
                }
                let found = face_velocities(state, axis, &positions);
                sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
            }
            for (value, sum) in values.iter_mut().zip(sums) {
                *value = (sum / ((samples * samples) as f64 * scale)) as f32;
            }
        }
    }
    made.faster([0.0; 3])
}

#[cfg(test)]
mod tests {
    use super::super::state::whole;
    use super::*;
    use crate::sim::batch::at;
    use crate::sim::hash::pcg4d;

    /// A velocity without divergence on 32 cells along each axis: the curl of a potential on their edges.
    fn swirling() -> State {
        let cells = 32;
        let mut state = State::still(whole([cells; 3]), 1, [0.0; 3]);
        let potential = |axis: usize, at: [usize; 3]| {
            let [x, y, z] = at.map(|place| place as f64 * 0.3);
            libm::sin(x + 2.0 * y + axis as f64) * libm::cos(z - y * axis as f64)
        };
        for axis in 0..3 {
            let size = face_sizes([cells; 3], axis);
            let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
            for (at, value) in Arc::make_mut(&mut state.velocity[axis]).iter_mut().enumerate() {
                let index = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
                let next = |along: usize| {
                    let mut next = index;
                    next[along] += 1;
                    next
                };
                let curl = potential(b, next(a)) - potential(b, index) - potential(a, next(b)) + potential(a, index);
                *value = curl as f32;
            }
        }
        state
    }

    fn most_divergence(state: &State) -> f64 {
        let Bounds { cells: [nx, ny, nz], .. } = state.bounds;
        let cells = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        let divergence = |cell: [usize; 3]| {
            (0..3).map(move |axis| {
                let [width, height, _] = face_sizes(state.bounds.cells, axis);
                let at = |[x, y, z]: [usize; 3]| f64::from(state.velocity[axis][x + width * (y + height * z)]);
                let mut next = cell;
                next[axis] += 1;
                at(next) - at(cell)
            })
        };
        cells.map(|cell| divergence(cell).sum::<f64>().abs()).fold(0.0, f64::max)
    }

    /// The velocity across the faces of an axis at one position, as [`face_velocities`].
    fn face_velocity(state: &State, axis: usize, position: [f64; 3]) -> f64 {
        let bounds = state.bounds;
        let mut ends = [[0; 2]; 3];
        let mut shares = [0.0; 3];
        for i in 0..3 {
            let (half, last) =
                if i == axis { (0.0, bounds.cells[i] as f64) } else { (0.5, bounds.cells[i] as f64 - 1.0) };
            let at = clamp(position[i] - f64::from(bounds.low[i]) - half, 0.0, last);
            ends[i] = [libm::floor(at) as usize, (libm::floor(at) + 1.0).min(last) as usize];
            shares[i] = at - libm::floor(at);
        }
        let [width, height, _] = face_sizes(bounds.cells, axis);
        let value = |x: usize, y: usize, z: usize| {
            bounded(f64::from(state.velocity[axis][x + width * (y + height * z)]), VELOCITY_MAX)
        };
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let [x, y, z] = ends;
        let row = |y: usize, z: usize| mix(value(x[0], y, z), value(x[1], y, z), shares[0]);
        let plane = |z: usize| mix(row(y[0], z), row(y[1], z), shares[1]);
        mix(plane(z[0]), plane(z[1]), shares[2])
    }

    #[test]
    fn velocities_of_a_batch_are_those_of_its_positions() {
        let mut state = swirling();
        state.bounds.low = [-8, 0, 16];
        Arc::make_mut(&mut state.velocity[1])[..2000].fill(f32::NAN);
        Arc::make_mut(&mut state.velocity[2])[..2000].fill(f32::INFINITY);
        let odd = [f64::NAN, f64::INFINITY, -1e9, 1e9, -0.0, 32.0, 31.5, 24.0, 48.0];
        for round in 0..500_usize {
            let positions = each3(|n| {
                let [x, y, z, w] = pcg4d([n as u32, round as u32, 1, 2]);
                let place = |word: u32| f64::from(word) / 7e7 - 10.0;
                [if w % 8 == 0 { odd[round % odd.len()] } else { place(x) }, place(y), place(z)]
            });
            for axis in 0..3 {
                let found = face_velocities(&state, axis, &positions);
                for (n, found) in found.into_iter().enumerate() {
                    let alone = face_velocity(&state, axis, at(&positions, n));
                    assert_eq!(found.to_bits(), alone.to_bits(), "{axis} at {:?}", at(&positions, n));
                }
            }
        }
    }

    #[test]
    fn coarser_cells_keep_the_flux_and_have_no_divergence() {
        let fine = swirling();
        assert!(most_divergence(&fine) < 1e-6 && fine.clone().faster([0.0; 3]).statistics.speed > 0.3);
        let coarse = resampled(&fine, whole([16; 3]), 2.0, [0.0; 3]);
        assert!(most_divergence(&coarse) < 1e-6, "{}", most_divergence(&coarse));
        let [width, height, _] = face_sizes([32; 3], 0);
        let flux: f64 =
            (0..4).map(|n| f64::from(fine.velocity[0][8 + width * (10 + n % 2 + height * (6 + n / 2))])).sum();
        let own = f64::from(coarse.velocity[0][4 + 17 * (5 + 16 * 3)]);
        // A coarse face is four fine ones; velocities are in cells of twice the length.
        assert!((own * 2.0 * 4.0 - flux).abs() < 1e-5, "{own} {flux}");
        assert!(coarse.statistics.speed > 0.0);
    }

    #[test]
    fn equal_cells_give_equal_air_and_others_keep_a_linear_velocity() {
        let fine = swirling();
        let same = resampled(&fine, whole([32; 3]), 1.0, [0.0; 3]);
        assert!((0..3).all(|axis| same.velocity[axis] == fine.velocity[axis]));
        let mut linear = State::still(whole([16; 3]), 1, [0.0; 3]);
        for (at, value) in Arc::make_mut(&mut linear.velocity[0]).iter_mut().enumerate() {
            *value = (at % 17) as f32;
        }
        // Half as long, from the middle of the old cells on: u = x in old cells.
        let finer = resampled(&linear, whole([16; 3]), 0.5, [4.0; 3]);
        for at in 0..17 {
            let truth = (4.0 + 0.5 * at as f32) / 0.5;
            assert!((finer.velocity[0][at] - truth).abs() < 1e-5, "{at}: {} {truth}", finer.velocity[0][at]);
        }
    }
}
