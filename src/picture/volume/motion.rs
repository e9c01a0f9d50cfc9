//! Velocity at positions of a volume, and the motion of its medium within a shutter's time.

use super::coarse::{Coarse, coarse_size};
use super::detail::{Detail, FineDetail};
use super::medium::{Medium, TILE, Tiles};
use crate::compute::cpu::Cpu;
use crate::picture::maths::clamped;
use crate::sim::memory::Values;
use crate::sim::request;
use crate::sim::volume::fields::{Bounds, Lattice, VolumeView};
use crate::sim::volume::state::face_sizes;

/// Largest velocity, cells per frame.
const MOST: f32 = 1e4;

/// Cells of the medium along a side of a cell of its motion.
const SIDE: usize = 2;

/// The motion of a medium: what is seen at a position comes from elsewhere, by the velocity there times the time, and by
/// the displacement of its detail.
pub struct Motion {
    /// Velocity, cells per frame.
    pub velocity: Coarse<[f32; 4]>,
    /// Detail finer than the cells.
    pub detail: Option<Detail>,
    /// Tiles that contents reach within the shutter's time.
    pub tiles: Tiles,
}

impl Motion {
    /// The motion within `time` frames before and after now, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, medium: &Medium, velocity: &Velocity<'_>, time: f64, detail: &FineDetail) -> Self {
        let size = coarse_size(medium.extinction.size, SIDE);
        let mut values: Values<[f32; 4]> = Values::uninitialised(size.iter().product(), cpu.memory());
        let side = SIDE as f64;
        let position =
            |axis: usize, place: usize| medium.origin[axis] + ((place as f64 - 0.5) * side + 0.5) * medium.spacing;
        let planes = values.chunks_mut(size[0] * size[1]).enumerate().collect();
        cpu.each(planes, |(z, plane): (usize, &mut [[f32; 4]])| {
            for (at, to) in plane.iter_mut().enumerate() {
                let world = [position(0, at % size[0]), position(1, at / size[0]), position(2, z)];
                let [x, y, z] = velocity.at(world).map(|part| (part / medium.spacing) as f32);
                *to = [x, y, z, 0.0];
            }
        });
        let moving = Coarse::new(size, SIDE, values);
        let detail = Detail::new(cpu, medium, &moving, detail);
        let displaced = detail.as_ref().map_or(0.0, |detail| f64::from(detail.longest()));
        let speeds = tile_speeds(cpu, medium.tiles.count, size, &moving.volume.values);
        let reach = |speed: &f32| libm::ceil((f64::from(*speed) * time.abs() + displaced) / TILE as f64) as usize;
        let tiles = medium.tiles.dilated(&request::collected(speeds.iter().map(reach)));
        Self { velocity: moving, detail, tiles }
    }
}

/// Largest component of the velocity at the positions of each tile, from coarse values of `size`.
fn tile_speeds(cpu: &Cpu, count: [usize; 3], size: [usize; 3], values: &[[f32; 4]]) -> Vec<f32> {
    let mut speeds = request::zeros(count.iter().product());
    let layers = speeds.chunks_mut(count[0] * count[1]).enumerate().collect();
    // Positions of a tile lie between these coarse values.
    let between = |tile: usize, axis: usize| {
        let first = tile * TILE / SIDE;
        first.min(size[axis] - 1)..(first + TILE / SIDE + 2).min(size[axis])
    };
    cpu.each(layers, |(z, layer): (usize, &mut [f32])| {
        for (at, to) in layer.iter_mut().enumerate() {
            let columns = between(at % count[0], 0);
            for z in between(z, 2) {
                for y in between(at / count[0], 1) {
                    let row = size[0] * (y + size[1] * z);
                    let row = &values[row + columns.start..row + columns.end];
                    *to = row.as_flattened().iter().fold(*to, |most: f32, part| most.max(part.abs()));
                }
            }
        }
    });
    speeds
}

/// Velocity of a view, interpolated between the faces.
pub struct Velocity<'a> {
    lattice: Lattice,
    bounds: Bounds,
    faces: [&'a [f32]; 3],
    /// Factor of the velocity: simulated frames per frame.
    pub time_scale: f64,
}

impl<'a> Velocity<'a> {
    /// The velocity of a view; `None` where it has none.
    pub fn new(view: &VolumeView<'a>) -> Option<Self> {
        let faces = view.velocity?;
        let detail = view.detail.max(1);
        let (lattice, bounds) = (view.lattice.coarser(detail), view.bounds.coarser(detail));
        let is_whole = (0..3).all(|axis| faces[axis].len() >= face_sizes(bounds.cells, axis).iter().product());
        (is_whole && !bounds.is_empty()).then_some(Self { lattice, bounds, faces, time_scale: 1.0 })
    }

    /// Velocity at a world position, world units per frame; positions outside have that of the border.
    pub fn at(&self, position: [f64; 3]) -> [f64; 3] {
        let Self { lattice, bounds, .. } = self;
        let cell = [0, 1, 2]
            .map(|axis| (position[axis] - lattice.origin[axis]) / lattice.spacing - f64::from(bounds.low[axis]));
        [0, 1, 2].map(|axis| {
            let counts = face_sizes(bounds.cells, axis);
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
            sum * lattice.spacing * self.time_scale
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_velocity_is_interpolated_exactly() {
        let cells = [8, 8, 16];
        let velocity = |axis: usize, at: [f64; 3]| 0.5 * at[axis] - 0.25 * at[(axis + 1) % 3] + axis as f64;
        let faces = [0, 1, 2].map(|axis| {
            let [nx, ny, nz] = face_sizes(cells, axis);
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
            tints: None,
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
