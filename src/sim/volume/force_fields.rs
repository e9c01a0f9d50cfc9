//! Force fields: accelerations by position that act on smoke and hot gas, and not on clear air. In air of one density a
//! pull to a point would be balanced by pressure.

use super::noise::Turbulence;
use super::settings::{Attractor, Settings, Vortex};
use crate::sim::batch::{BATCH, Batch3, at};
use crate::sim::maths::{bounded, clamp, point_force};

/// Largest position and acceleration, cells and cells per frame².
const FAR: f64 = 1e6;
const MOST: f64 = 1e4;

/// Points of the coarse grid per radius of a force.
const POINTS: f64 = 4.0;

/// Most cells between two points of the coarse grid.
const MOST_SPACING: f64 = 8.0;

/// The force fields of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceFields {
    turbulence: Option<Turbulence>,
    attractor: Option<Attractor>,
    vortex: Option<Vortex>,
}

impl ForceFields {
    /// The force fields at the simulated time `clock`; `None` without any.
    pub fn new(settings: &Settings, clock: f64) -> Option<Self> {
        let turbulence = settings.noise.filter(|noise| noise.strength > 0.0);
        let turbulence = turbulence.map(|noise| Turbulence::new(&noise, clock));
        let attractor = settings.attractor.filter(|force| force.strength != 0.0);
        let vortex = settings.vortex.filter(|force| force.strength != 0.0);
        let any = turbulence.is_some() || attractor.is_some() || vortex.is_some();
        any.then_some(Self { turbulence, attractor, vortex })
    }

    /// Distance of the positions at which it suffices to compute the acceleration, cells of the volume; between them it
    /// is interpolated.
    pub fn spacing(&self) -> usize {
        let radii = [self.attractor.map(|force| force.radius), self.vortex.map(|force| force.radius)];
        let points = radii.into_iter().flatten().map(|radius| clamp(radius / POINTS, 1.0, MOST_SPACING) as usize);
        points.chain(self.turbulence.map(|turbulence| turbulence.spacing())).min().unwrap_or(1)
    }

    /// Accelerations at positions in cells of the volume, cells per frame².
    #[inline(always)]
    pub fn accelerations(&self, positions: &Batch3) -> Batch3 {
        // No `map_or`: where it is not inlined, it is compiled for the baseline.
        let mut sums = match &self.turbulence {
            Some(turbulence) => turbulence.accelerations(positions),
            None => [[0.0; BATCH]; 3],
        };
        if self.attractor.is_some() || self.vortex.is_some() {
            for n in 0..BATCH {
                let [x, y, z] = self.with_points(at(&sums, n), at(positions, n));
                (sums[0][n], sums[1][n], sums[2][n]) = (x, y, z);
            }
        }
        for part in sums.iter_mut().flatten() {
            *part = bounded(*part, MOST);
        }
        sums
    }

    /// An acceleration with those of the attractor and the vortex at a position.
    fn with_points(&self, mut sum: [f64; 3], position: [f64; 3]) -> [f64; 3] {
        if let Some(Attractor { centre, radius, strength }) = self.attractor {
            let pull = point_force(offset(position, centre), radius, strength);
            sum = std::array::from_fn(|axis| sum[axis] - pull[axis]);
        }
        if let Some(Vortex { centre, axis, radius, strength }) = self.vortex {
            let mut offset = offset(position, centre);
            offset[axis % 3] = 0.0;
            let out = point_force(offset, radius, strength);
            // The product of the axis and the offset: a turn from the next axis to the one after it.
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            sum[next] -= out[last];
            sum[last] += out[next];
        }
        sum
    }
}

fn offset(position: [f64; 3], centre: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| position[axis] - bounded(centre[axis], FAR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::batch::each3;
    use crate::sim::volume::testing::plume;

    fn fields(attractor: Option<Attractor>, vortex: Option<Vortex>) -> Option<ForceFields> {
        ForceFields::new(&Settings { attractor, vortex, ..plume([32; 3]) }, 1.0)
    }

    fn acceleration(fields: &ForceFields, position: [f64; 3]) -> [f64; 3] {
        at(&fields.accelerations(&each3(|_| position)), BATCH - 1)
    }

    const CENTRE: [f64; 3] = [10.0, 12.0, 14.0];

    #[test]
    fn an_attractor_pulls_most_at_its_radius() {
        let attractor = Attractor { centre: CENTRE, radius: 6.0, strength: 0.5 };
        let fields = fields(Some(attractor), None).expect("a field");
        let pull = |distance: f64| acceleration(&fields, [10.0 + distance, 12.0, 14.0]);
        assert_eq!(pull(6.0), [-0.5, 0.0, 0.0]);
        assert!(pull(5.0)[0] > -0.5 && pull(7.0)[0] > -0.5 && pull(-6.0)[0] == 0.5);
        assert!(pull(0.0) == [0.0; 3] && pull(24.0)[0].abs() < 0.002);
        assert_eq!(fields.spacing(), 1);
        let wide = Attractor { radius: 20.0, ..attractor };
        assert_eq!(self::fields(Some(wide), None).expect("a field").spacing(), 5);
    }

    #[test]
    fn a_vortex_turns_about_its_axis_along_all_of_it() {
        for axis in 0..3 {
            let vortex = Vortex { centre: CENTRE, axis, radius: 4.0, strength: 0.5 };
            let fields = fields(None, Some(vortex)).expect("a field");
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            for along in [0.0, 30.0] {
                let mut position = CENTRE;
                position[axis] += along;
                position[next] += 4.0;
                let push = acceleration(&fields, position);
                assert_eq!((push[axis], push[next], push[last]), (0.0, 0.0, 0.5), "axis {axis}");
            }
        }
    }

    #[test]
    fn bad_numbers_give_finite_accelerations() {
        for bad in [f64::NAN, f64::INFINITY, -1e300] {
            let attractor = Attractor { centre: [bad; 3], radius: bad, strength: bad };
            let vortex = Vortex { centre: [bad; 3], axis: 9, radius: bad, strength: bad };
            let Some(fields) = fields(Some(attractor), Some(vortex)) else { continue };
            assert!((1..=8).contains(&fields.spacing()));
            assert!(acceleration(&fields, [3.0; 3]).iter().all(|part| part.is_finite()), "{bad}");
        }
        assert_eq!(fields(None, None), None);
    }
}
