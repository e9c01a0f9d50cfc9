//! Grids of three dimensions with moving air, which may move themselves. Velocities on their faces are relative to the
//! grid (Cohen, Tariq and Green 2010).

use super::fields::FASTEST;
use super::inputs::GridAir;
use super::regions::fade_in;
use super::settings::{AirLattice, GridPlace};
use crate::sim::batch::{BATCH, Batch, Batch3, each, mix, splat};
use crate::sim::maths::bounded;
use crate::sim::volume::State;
use crate::sim::volume::resample::face_velocities;

/// A grid in a frame.
pub struct FluidGrid<'a> {
    place: &'a GridPlace,
    air: &'a GridAir,
}

impl<'a> FluidGrid<'a> {
    /// A grid with its air.
    pub fn new(place: &'a GridPlace, air: &'a GridAir) -> Self {
        Self { place, air }
    }

    /// Its group.
    #[inline(always)]
    pub fn group(&self) -> i32 {
        self.place.group
    }

    /// Positions relative to the corner of the grid at shares of the frame.
    #[inline(always)]
    fn inside(&self, positions: &Batch3, shares: &Batch) -> Batch3 {
        let GridPlace { origin, previous, .. } = *self.place;
        let mut inside = *positions;
        for axis in 0..3 {
            for n in 0..BATCH {
                inside[axis][n] -= previous[axis] + (origin[axis] - previous[axis]) * shares[n];
            }
        }
        inside
    }

    /// The weights at positions and shares of the frame, by the distance to the nearest face; 0 outside.
    #[inline(always)]
    pub fn weights(&self, positions: &Batch3, shares: &Batch) -> Batch {
        let GridPlace { size, fade, .. } = *self.place;
        let inside = self.inside(positions, shares);
        each(
            #[inline(always)]
            |n| {
                let mut distance = f64::INFINITY;
                let mut is_finite = true;
                for axis in 0..3 {
                    is_finite &= positions[axis][n].is_finite();
                    distance = distance.min(inside[axis][n].min(size[axis] - inside[axis][n]));
                }
                if is_finite { fade_in(distance, fade) } else { 0.0 }
            },
        )
    }

    /// Velocities at positions and shares of the frame, pixels per frame: the grid's and, relative to it, the air's.
    /// And the weights, 0 outside.
    #[inline(always)]
    pub fn sample(&self, positions: &Batch3, shares: &Batch) -> (Batch3, Batch) {
        let GridPlace { lattices, passed, .. } = *self.place;
        let weights = self.weights(positions, shares);
        if weights == [0.0; BATCH] {
            return (splat([0.0; 3]), weights);
        }
        let inside = self.inside(positions, shares);
        let after = velocities(&lattices[1], &self.air.after, &inside);
        let Some(before) = &self.air.before else { return (after, weights) };
        let before = velocities(&lattices[0], before, &inside);
        let parts = each(
            #[inline(always)]
            |n| passed[0] + (passed[1] - passed[0]) * shares[n],
        );
        let [[u, v, w], [to_u, to_v, to_w]] = [&before, &after];
        ([mix(u, to_u, &parts), mix(v, to_v, &parts), mix(w, to_w, &parts)], weights)
    }
}

/// Velocities of the air of a lattice at positions relative to the corner of its grid, pixels per frame.
#[inline(always)]
fn velocities(lattice: &AirLattice, state: &State, inside: &Batch3) -> Batch3 {
    let AirLattice { corner, spacing, velocity } = *lattice;
    let mut cells = *inside;
    for axis in 0..3 {
        for n in 0..BATCH {
            cells[axis][n] = (inside[axis][n] - corner[axis]) / spacing;
        }
    }
    let mut found = splat([0.0; 3]);
    for axis in 0..3 {
        let relative = face_velocities(state, axis, &cells);
        for n in 0..BATCH {
            found[axis][n] = bounded(velocity[axis] + bounded(relative[n], FASTEST) * spacing, FASTEST);
        }
    }
    found
}

#[cfg(test)]
pub mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::batch::at;
    use crate::sim::volume::fields::Bounds;
    use crate::sim::volume::state::{face_sizes, whole};

    /// Velocity at a position and a share of the frame; `None` outside.
    fn sampled(grid: &FluidGrid<'_>, position: [f64; 3], share: f64) -> Option<[f64; 3]> {
        let (velocities, weights) = grid.sample(&splat(position), &[share; BATCH]);
        (weights[BATCH - 1] > 0.0).then(|| at(&velocities, BATCH - 1))
    }

    /// A grid of 16 cells along each axis, of 4 pixels each, at the origin.
    pub const PLACE: GridPlace = GridPlace {
        number: 0,
        origin: [0.0; 3],
        previous: [0.0; 3],
        size: [64.0; 3],
        fade: 16.0,
        group: 0,
        lattices: [LATTICE; 2],
        passed: [1.0; 2],
    };

    const LATTICE: AirLattice = AirLattice { corner: [0.0; 3], spacing: 4.0, velocity: [0.0; 3] };

    /// Air of a uniform velocity, cells per frame.
    pub fn uniform(velocity: [f32; 3]) -> GridAir {
        alone(State::still(whole([16; 3]), 1, velocity))
    }

    /// Air that does not change within the frame.
    fn alone(state: State) -> GridAir {
        GridAir { before: None, after: Arc::new(state) }
    }

    #[test]
    fn faces_at_their_own_place_give_the_place_back() {
        let mut state = State::still(whole([16; 3]), 1, [0.0; 3]);
        let Bounds { cells, .. } = state.bounds;
        for axis in 0..3 {
            let size = face_sizes(cells, axis);
            let values = Arc::make_mut(&mut state.velocity[axis]);
            for at in 0..values.len() {
                let index = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
                values[at] = index[axis] as f32;
            }
        }
        let air = alone(state);
        let grid = FluidGrid::new(&PLACE, &air);
        for position in [[2.5, 30.0, 61.0], [32.0, 32.0, 32.0], [11.25, 47.5, 8.0]] {
            let velocity = sampled(&grid, position, 1.0).expect("inside");
            for axis in 0..3 {
                assert!((velocity[axis] - position[axis]).abs() < 1e-9, "{velocity:?} at {position:?}");
            }
        }
    }

    #[test]
    fn a_grid_moves_within_the_frame_and_carries_its_air_along() {
        let lattice = AirLattice { velocity: [8.0, 0.0, 0.0], ..LATTICE };
        let place = GridPlace { previous: [-8.0, 0.0, 0.0], lattices: [lattice; 2], ..PLACE };
        let still = uniform([0.0; 3]);
        let grid = FluidGrid::new(&place, &still);
        assert!(sampled(&grid, [-4.0, 32.0, 32.0], 0.0).is_some() && sampled(&grid, [-4.0, 32.0, 32.0], 1.0).is_none());
        assert_eq!(sampled(&grid, [32.0; 3], 0.5), Some([8.0, 0.0, 0.0]));
        // Air at rest in the world moves backwards in the grid.
        let backwards = uniform([-2.0, 0.0, 0.0]);
        let grid = FluidGrid::new(&place, &backwards);
        assert_eq!(sampled(&grid, [32.0; 3], 0.25), Some([0.0; 3]));
    }

    #[test]
    fn between_two_updates_the_velocity_changes_evenly_though_the_cells_do_not_match() {
        let coarse = AirLattice { corner: [-32.0; 3], spacing: 8.0, velocity: [2.0, 0.0, 0.0] };
        let place = GridPlace { lattices: [coarse, LATTICE], passed: [0.25, 0.5], ..PLACE };
        let states = [[1.0, 0.0, 0.0], [6.0, 3.0, 0.0]].map(|velocity| State::still(whole([16; 3]), 1, velocity));
        let [before, after] = states.map(Arc::new);
        let air = GridAir { before: Some(before), after };
        let grid = FluidGrid::new(&place, &air);
        let at = |share: f64| sampled(&grid, [30.0; 3], share);
        assert_eq!(at(0.0), Some([13.5, 3.0, 0.0]));
        assert_eq!(at(0.5), Some([15.25, 4.5, 0.0]));
        assert_eq!(at(1.0), Some([17.0, 6.0, 0.0]));
    }
}
