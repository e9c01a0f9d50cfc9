//! Velocity between the faces of cells, and on cells of another size.

use std::sync::Arc;

use super::fields::Bounds;
use super::plan::VELOCITY_MAX;
use super::state::{State, face_sizes};
use crate::sim::maths::{bounded, clamp};

/// Trilinear velocity across the faces of an axis at a position, cells per frame; outside that of the border. The
/// position is in cells of the lattice.
pub fn face_velocity(state: &State, axis: usize, position: [f64; 3]) -> f64 {
    let bounds = state.bounds;
    let mut ends = [[0; 2]; 3];
    let mut shares = [0.0; 3];
    for i in 0..3 {
        let on_face = i == axis;
        let at = position[i] - f64::from(bounds.low[i]) - if on_face { 0.0 } else { 0.5 };
        let last = bounds.cells[i] as f64 - if on_face { 0.0 } else { 1.0 };
        let at = clamp(at, 0.0, last);
        let low = libm::floor(at);
        ends[i] = [low as usize, (low + 1.0).min(last) as usize];
        shares[i] = at - low;
    }
    let [width, height, _] = face_sizes(bounds.cells, axis);
    let values = &state.velocity[axis];
    let value = |x: usize, y: usize, z: usize| bounded(f64::from(values[x + width * (y + height * z)]), VELOCITY_MAX);
    let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
    let [x, y, z] = ends;
    let row = |y: usize, z: usize| mix(value(x[0], y, z), value(x[1], y, z), shares[0]);
    let plane = |z: usize| mix(row(y[0], z), row(y[1], z), shares[1]);
    mix(plane(z[0]), plane(z[1]), shares[2])
}

/// Air on other cells: `scale` cells of `state` long, their lattice's origin at `offset` in the lattice of `state`.
/// Larger cells have the mean over their faces, so that air without divergence keeps none where the faces match. What
/// the air carries is left behind.
pub fn resampled(state: &State, bounds: Bounds, scale: f64, offset: [f64; 3]) -> State {
    let mut made = State { steps: state.steps, ..State::still(bounds, state.detail, [0.0; 3]) };
    let samples = libm::ceil(scale - 1e-9).clamp(1.0, 8.0) as usize;
    let within = |sample: usize| (sample as f64 + 0.5) / samples as f64;
    for axis in 0..3 {
        let size = face_sizes(bounds.cells, axis);
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
        let values = Arc::make_mut(&mut made.velocity[axis]);
        for (at, value) in values.iter_mut().enumerate() {
            let index = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
            let corner: [f64; 3] =
                std::array::from_fn(|i| offset[i] + (f64::from(bounds.low[i]) + index[i] as f64) * scale);
            let mut sum = 0.0;
            for sample in 0..samples * samples {
                let mut position = corner;
                position[a] += within(sample % samples) * scale;
                position[b] += within(sample / samples) * scale;
                sum += face_velocity(state, axis, position);
            }
            *value = (sum / ((samples * samples) as f64 * scale)) as f32;
        }
    }
    made.faster([0.0; 3])
}

#[cfg(test)]
mod tests {
    use super::super::state::whole;
    use super::*;

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
