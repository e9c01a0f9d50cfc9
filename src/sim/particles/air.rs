//! The air: its velocity at a position, and the forces on a particle.

use super::regions::{Region, blend, covers};
use super::settings::{PointForce, Settings};
use super::state::Particle;
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

    /// Velocity at a position and a time: wind and eddies, blended with the regions.
    #[inline(always)]
    pub fn velocity(&self, position: [f64; 3], time: f64) -> [f64; 3] {
        let ambient = || {
            let mut ambient = self.settings.wind;
            for noise in &self.settings.noise {
                let [u, v] = noise.velocity(position, time);
                ambient[0] += u;
                ambient[1] += v;
            }
            ambient
        };
        if self.regions.is_empty() {
            return ambient();
        }
        blend(&self.regions, position, self.share(time), ambient)
    }

    /// Share of the frame at a time.
    #[inline(always)]
    fn share(&self, time: f64) -> f64 {
        time - (self.settings.frame as f64 - 1.0)
    }

    /// Smallest length over which the air changes around a position, in pixels: where grids alone make up the air, their
    /// cells, whose fade a step of two cells does not cross.
    #[inline(always)]
    pub fn cell(&self, position: [f64; 3], time: f64) -> f64 {
        if self.cell == self.cell_in_grids || !covers(&self.regions, position, self.share(time)) {
            return self.cell;
        }
        self.cell_in_grids
    }

    /// Reads the pictures at the positions of particles: each of the reads that follow would wait for memory alone.
    #[inline(always)]
    pub fn touch(&self, particles: &[Particle]) {
        for region in &self.regions {
            if let Region::Picture(field) = region {
                let mut sum = 0.0;
                for Particle { position: [x, y, _], .. } in particles {
                    sum += field.touch([f64::from(*x), f64::from(*y)]);
                }
                std::hint::black_box(sum);
            }
        }
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
