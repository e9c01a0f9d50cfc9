//! Velocity at positions of a volume.

use crate::picture::maths::clamped;
use crate::sim::volume::fields::{Bounds, Lattice, VolumeView};

/// Largest velocity, cells per frame.
const MOST: f32 = 1e4;

/// Velocity of a view, interpolated between the faces.
pub struct Velocity<'a> {
    lattice: Lattice,
    bounds: Bounds,
    faces: [&'a [f32]; 3],
}

impl<'a> Velocity<'a> {
    /// The velocity of a view; `None` where it has none.
    pub fn new(view: &VolumeView<'a>) -> Option<Self> {
        let faces = view.velocity?;
        let detail = view.detail.max(1);
        let (lattice, bounds) = (view.lattice.coarser(detail), view.bounds.coarser(detail));
        let is_whole = (0..3).all(|axis| faces[axis].len() >= counts(bounds.cells, axis).iter().product());
        (is_whole && !bounds.is_empty()).then_some(Self { lattice, bounds, faces })
    }

    /// Velocity at a world position, world units per frame; positions outside have that of the border.
    pub fn at(&self, position: [f64; 3]) -> [f64; 3] {
        let Self { lattice, bounds, .. } = self;
        let cell = [0, 1, 2]
            .map(|axis| (position[axis] - lattice.origin[axis]) / lattice.spacing - f64::from(bounds.low[axis]));
        [0, 1, 2].map(|axis| {
            let counts = counts(bounds.cells, axis);
            let places = [0, 1, 2].map(|across| {
                let offset = if across == axis { 0.0 } else { 0.5 };
                clamped(cell[across] - offset, 0.0, (counts[across] - 1) as f64)
            });
            let ends = [0, 1, 2].map(|across| {
                let low = places[across] as usize;
                [low, (low + 1).min(counts[across] - 1)]
            });
            let shares = places.map(|place| place - libm::floor(place));
            let mut sum = 0.0;
            for corner in 0..8_usize {
                let side = [corner & 1, corner >> 1 & 1, corner >> 2];
                let [x, y, z] = [0, 1, 2].map(|across| ends[across][side[across]]);
                let weight: f64 =
                    side.iter().zip(shares).map(|(side, share)| if *side == 1 { share } else { 1.0 - share }).product();
                let value = self.faces[axis][x + counts[0] * (y + counts[1] * z)];
                sum += weight * if value.is_nan() { 0.0 } else { f64::from(value.clamp(-MOST, MOST)) };
            }
            sum * lattice.spacing
        })
    }
}

/// Number of faces across an axis, along each axis.
fn counts(mut cells: [usize; 3], axis: usize) -> [usize; 3] {
    cells[axis] += 1;
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_velocity_is_interpolated_exactly() {
        let cells = [8, 8, 16];
        let velocity = |axis: usize, at: [f64; 3]| 0.5 * at[axis] - 0.25 * at[(axis + 1) % 3] + axis as f64;
        let faces = [0, 1, 2].map(|axis| {
            let [nx, ny, nz] = counts(cells, axis);
            let places = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
            let value = |place: [usize; 3]| {
                let mut at = place.map(|at| at as f64 + 0.5);
                at[axis] -= 0.5;
                velocity(axis, at) as f32
            };
            places.map(value).collect::<Vec<_>>()
        });
        let view = VolumeView {
            lattice: Lattice { origin: [1.0, 2.0, 3.0], spacing: 2.0 },
            bounds: Bounds { low: [-8, 0, 8], cells },
            detail: 1,
            scalars: &[],
            gases: None,
            velocity: Some([&faces[0], &faces[1], &faces[2]]),
        };
        let field = Velocity::new(&view).expect("there is a velocity");
        for at in [[4.2, 3.3, 7.0], [0.5, 7.5, 15.5], [6.0, 1.25, 0.75]] {
            let low = [-8.0, 0.0, 8.0];
            let world = [0, 1, 2].map(|axis| view.lattice.origin[axis] + 2.0 * (at[axis] + low[axis]));
            let seen = field.at(world);
            let is_exact = (0..3).all(|axis| (seen[axis] - 2.0 * velocity(axis, at)).abs() < 1e-5);
            assert!(is_exact, "{at:?}: {seen:?}");
        }
        let finer = VolumeView { lattice: view.lattice.finer(2), bounds: view.bounds.finer(2), detail: 2, ..view };
        let (at, same) = ([3.0, 11.0, 30.0], Velocity::new(&finer).expect("there is a velocity"));
        assert_eq!(same.at(at), field.at(at), "the cells of the scalars do not count");
        assert!(field.at([f64::NAN; 3]).iter().all(|part| part.is_finite()));
        assert!(Velocity::new(&VolumeView { velocity: Some([&faces[0], &[], &faces[2]]), ..view }).is_none());
    }
}
