//! The air: its velocity at a position, and the forces on a particle.

use super::regions::{Region, blend, covers};
use super::settings::{PointForce, Settings};
use crate::sim::batch::{BATCH, Batch, Batch3, at, each, splat};
use crate::sim::maths::point_force;

/// Share of a length, such as an eddy's size, that counts as a cell.
const CELLS_PER_LENGTH: f64 = 16.0;

/// The air of one frame.
pub struct Air<'a> {
    settings: &'a Settings,
    regions: Vec<Region<'a>>,
    /// Smallest length over which the air changes, in pixels: a cell. Infinite where it is uniform.
    cell: f64,
    /// The same where grids alone make up the air.
    cell_in_grids: f64,
}

impl<'a> Air<'a> {
    /// The air of a frame with its regions. Its pictures have `cells_per_pixel`.
    pub fn new(settings: &'a Settings, regions: Vec<Region<'a>>, cells_per_pixel: f64) -> Self {
        let pictures = regions.iter().any(|region| matches!(region, Region::Picture(_)));
        let of_pictures = if pictures { 1.0 / cells_per_pixel } else { f64::INFINITY };
        let of_grids = settings
            .grids
            .iter()
            .flat_map(|grid| grid.lattices.map(|cells| cells.spacing))
            .fold(f64::INFINITY, f64::min);
        let forces = [&settings.attractor, &settings.vortex].into_iter().flatten().map(|force| force.radius);
        let of_forces = forces.fold(f64::INFINITY, f64::min) / CELLS_PER_LENGTH;
        let of_noise = settings.noise.iter().map(|noise| noise.size).fold(f64::INFINITY, f64::min) / CELLS_PER_LENGTH;
        let cell_in_grids = of_grids.min(of_forces).max(1e-2);
        Self { settings, regions, cell: cell_in_grids.min(of_noise).min(of_pictures).max(1e-2), cell_in_grids }
    }

    /// Velocity at a position and a time.
    #[inline(always)]
    pub fn velocity(&self, position: [f64; 3], time: f64) -> [f64; 3] {
        at(&self.velocities(&splat(position), &[time; BATCH]), 0)
    }

    /// Velocities at positions and times: wind and eddies, blended with the regions.
    #[inline(always)]
    pub fn velocities(&self, positions: &Batch3, times: &Batch) -> Batch3 {
        if self.regions.is_empty() {
            return self.ambient(positions, times);
        }
        blend(
            &self.regions,
            positions,
            &self.shares(times),
            #[inline(always)]
            || self.ambient(positions, times),
        )
    }

    /// Velocities of wind and eddies.
    #[inline(always)]
    fn ambient(&self, positions: &Batch3, times: &Batch) -> Batch3 {
        let mut ambient = splat(self.settings.wind);
        for noise in &self.settings.noise {
            let [u, v] = noise.velocities(positions, times);
            for n in 0..BATCH {
                ambient[0][n] += u[n];
                ambient[1][n] += v[n];
            }
        }
        ambient
    }

    /// Shares of the frame at times.
    #[inline(always)]
    fn shares(&self, times: &Batch) -> Batch {
        each(
            #[inline(always)]
            |n| times[n] - (self.settings.frame as f64 - 1.0),
        )
    }

    /// Smallest lengths over which the air changes around positions, in pixels: where grids alone make up the air, their
    /// cells, whose fade a step of two cells does not cross.
    #[inline(always)]
    pub fn cells(&self, positions: &Batch3, times: &Batch) -> Batch {
        if self.cell == self.cell_in_grids {
            return [self.cell; BATCH];
        }
        let covered = covers(&self.regions, positions, &self.shares(times));
        each(
            #[inline(always)]
            |n| if covered[n] { self.cell_in_grids } else { self.cell },
        )
    }

    /// Acceleration of a particle of a weight at a position.
    pub fn acceleration(&self, position: [f64; 3], weight: f64) -> [f64; 3] {
        let mut sum = self.settings.gravity.map(|g| g * weight);
        if let Some(attractor) = &self.settings.attractor {
            let pull = attractor.outward(position);
            (0..3).for_each(|axis| sum[axis] -= pull[axis]);
        }
        if let Some(vortex) = &self.settings.vortex {
            let [x, y, _] = vortex.outward(position);
            sum[0] -= y;
            sum[1] += x;
        }
        sum
    }
}

impl PointForce {
    /// Acceleration away from the centre at a position.
    fn outward(&self, position: [f64; 3]) -> [f64; 3] {
        let offset = [0, 1, 2].map(|axis| position[axis] - self.centre[axis]);
        point_force(offset, self.radius, self.strength)
    }
}
