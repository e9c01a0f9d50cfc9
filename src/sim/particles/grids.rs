//! Grids of three dimensions with moving air, which may move themselves. Velocities on their faces are relative to the
//! grid (Cohen, Tariq and Green 2010).

use super::fields::FASTEST;
use super::regions::fade_in;
use super::settings::GridPlace;
use crate::sim::maths::{bounded, clamp};
use crate::sim::volume::State;

/// A grid in a frame.
pub struct FluidGrid<'a> {
    place: &'a GridPlace,
    state: &'a State,
}

impl<'a> FluidGrid<'a> {
    /// A grid with its air.
    pub fn new(place: &'a GridPlace, state: &'a State) -> Self {
        Self { place, state }
    }

    /// Its group.
    #[inline(always)]
    pub fn group(&self) -> i32 {
        self.place.group
    }

    /// Velocity at a position and a share of the frame, pixels per frame: the grid's and, relative to it, the air's.
    /// And the weight, by the distance to the nearest face. `None` outside.
    pub fn sample(&self, position: [f64; 3], share: f64) -> Option<([f64; 3], f64)> {
        if !position.iter().all(|x| x.is_finite()) {
            return None;
        }
        let GridPlace { origin, previous, spacing, cells, fade, .. } = *self.place;
        let moved: [f64; 3] = std::array::from_fn(|axis| origin[axis] - previous[axis]);
        let cell: [f64; 3] =
            std::array::from_fn(|axis| (position[axis] - (previous[axis] + moved[axis] * share)) / spacing);
        let inside = (0..3).map(|axis| cell[axis].min(cells[axis] as f64 - cell[axis])).fold(f64::INFINITY, f64::min);
        let weight = fade_in(inside * spacing, fade)?;
        let velocity = |axis: usize| bounded(moved[axis] + self.component(axis, cell) * spacing, FASTEST);
        Some(([0, 1, 2].map(velocity), weight))
    }

    /// Trilinear velocity across the faces of an axis at a position in cells, cells per frame.
    fn component(&self, axis: usize, cell: [f64; 3]) -> f64 {
        let bounds = self.state.bounds;
        let mut ends = [[0; 2]; 3];
        let mut shares = [0.0; 3];
        for i in 0..3 {
            let on_face = i == axis;
            let at = cell[i] - f64::from(bounds.low[i]) - if on_face { 0.0 } else { 0.5 };
            let last = bounds.cells[i] as f64 - if on_face { 0.0 } else { 1.0 };
            let at = clamp(at, 0.0, last);
            let low = libm::floor(at);
            ends[i] = [low as usize, (low + 1.0).min(last) as usize];
            shares[i] = at - low;
        }
        let [width, height] = [0, 1].map(|i| bounds.cells[i] + usize::from(i == axis));
        let values = &self.state.velocity[axis];
        let value = |x: usize, y: usize, z: usize| bounded(f64::from(values[x + width * (y + height * z)]), FASTEST);
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let [x, y, z] = ends;
        let row = |y: usize, z: usize| mix(value(x[0], y, z), value(x[1], y, z), shares[0]);
        let plane = |z: usize| mix(row(y[0], z), row(y[1], z), shares[1]);
        mix(plane(z[0]), plane(z[1]), shares[2])
    }
}

#[cfg(test)]
pub mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::volume::fields::Bounds;
    use crate::sim::volume::state::{face_sizes, whole};

    /// A grid of 16 cells along each axis, of 4 pixels each, at the origin.
    pub const PLACE: GridPlace = GridPlace {
        number: 0,
        origin: [0.0; 3],
        previous: [0.0; 3],
        spacing: 4.0,
        cells: [16; 3],
        fade: 16.0,
        group: 0,
    };

    /// Air of a uniform velocity, cells per frame.
    pub fn uniform(velocity: [f32; 3]) -> State {
        State::still(whole(PLACE.cells), 1, velocity)
    }

    #[test]
    fn faces_at_their_own_place_give_the_place_back() {
        let mut state = uniform([0.0; 3]);
        let Bounds { cells, .. } = state.bounds;
        for axis in 0..3 {
            let size = face_sizes(cells, axis);
            let values = Arc::make_mut(&mut state.velocity[axis]);
            for at in 0..values.len() {
                let index = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
                values[at] = index[axis] as f32;
            }
        }
        let grid = FluidGrid::new(&PLACE, &state);
        for position in [[2.5, 30.0, 61.0], [32.0, 32.0, 32.0], [11.25, 47.5, 8.0]] {
            let (velocity, _) = grid.sample(position, 1.0).expect("inside");
            for axis in 0..3 {
                assert!((velocity[axis] - position[axis]).abs() < 1e-9, "{velocity:?} at {position:?}");
            }
        }
    }

    #[test]
    fn a_grid_moves_within_the_frame_and_carries_its_air_along() {
        let place = GridPlace { previous: [-8.0, 0.0, 0.0], ..PLACE };
        let still = uniform([0.0; 3]);
        let grid = FluidGrid::new(&place, &still);
        assert!(grid.sample([-4.0, 32.0, 32.0], 0.0).is_some() && grid.sample([-4.0, 32.0, 32.0], 1.0).is_none());
        assert_eq!(grid.sample([32.0; 3], 0.5).map(|(velocity, _)| velocity), Some([8.0, 0.0, 0.0]));
        // Air at rest in the world moves backwards in the grid.
        let backwards = uniform([-2.0, 0.0, 0.0]);
        let grid = FluidGrid::new(&place, &backwards);
        assert_eq!(grid.sample([32.0; 3], 0.25).map(|(velocity, _)| velocity), Some([0.0; 3]));
    }
}
