//! Regions of air with a velocity of their own: velocity pictures and grids. Where they overlap, they add.

use super::fields::FieldGrid;
use super::grids::FluidGrid;
use super::settings::{FIELDS, GRIDS};
use crate::sim::batch::{BATCH, Batch, Batch3, each, splat};

/// A region of the air in a frame.
pub enum Region<'a> {
    /// A velocity picture.
    Picture(FieldGrid<'a>),
    /// A grid of three dimensions.
    Grid(FluidGrid<'a>),
}

impl Region<'_> {
    #[inline(always)]
    fn group(&self) -> i32 {
        match self {
            Self::Picture(field) => field.group(),
            Self::Grid(grid) => grid.group(),
        }
    }

    /// Velocities at positions and shares of the frame, pixels per frame, and the weights; 0 outside.
    #[inline(always)]
    fn sample(&self, positions: &Batch3, shares: &Batch) -> (Batch3, Batch) {
        match self {
            Self::Picture(field) => field.sample(positions),
            Self::Grid(grid) => grid.sample(positions, shares),
        }
    }
}

/// The weight `s²(3 − 2s)` with `s` = distance to the nearest face over the fade; 0 outside.
#[inline(always)]
pub fn fade_in(distance: f64, fade: f64) -> f64 {
    let s = if fade > 0.0 { (distance / fade).min(1.0) } else { 1.0 };
    if distance <= 0.0 { 0.0 } else { s * s * (3.0 - 2.0 * s) }
}

/// The air where regions overlap: `U + Σ w (u − U)` in their order, with the ambient velocity `U`, which is evaluated
/// only where it has a share in the batch. The weights of a group are divided by their sum where that is above 1.
#[inline(always)]
pub fn blend(regions: &[Region<'_>], positions: &Batch3, shares: &Batch, ambient: impl FnOnce() -> Batch3) -> Batch3 {
    let (sums, weights) = weighted(regions, positions, shares);
    if weights == [1.0; BATCH] {
        return sums;
    }
    let ambient = ambient();
    let mut air = sums;
    for axis in 0..3 {
        for n in 0..BATCH {
            let (sum, rest) = (sums[axis][n], 1.0 - weights[n]);
            air[axis][n] = if rest == 0.0 { sum } else { sum + rest * ambient[axis][n] };
        }
    }
    air
}

/// The sums of the weighted velocities of regions, and of their weights.
#[inline(always)]
fn weighted(regions: &[Region<'_>], positions: &Batch3, shares: &Batch) -> (Batch3, Batch) {
    let mut sampled = [const { None }; FIELDS + GRIDS];
    for (region, to) in regions.iter().zip(&mut sampled) {
        *to = Some(region.sample(positions, shares));
    }
    let sampled = || regions.iter().zip(sampled.iter().flatten());
    let mut air = (splat([0.0; 3]), [0.0; BATCH]);
    for (region, (velocities, weights)) in sampled() {
        let group = region.group();
        if group == 0 {
            add(&mut air, velocities, weights);
        } else {
            let members = || sampled().filter(|(other, _)| other.group() == group);
            let weights = each(|n| weights[n] / members().map(|(_, (_, weights))| weights[n]).sum::<f64>().max(1.0));
            add(&mut air, velocities, &weights);
        }
    }
    air
}

/// At which positions grids alone make up the air: there the ambient air has no share.
#[inline(always)]
pub fn covers(regions: &[Region<'_>], positions: &Batch3, shares: &Batch) -> [bool; BATCH] {
    let mut sums = [0.0; BATCH];
    for region in regions {
        match region {
            Region::Grid(grid) if grid.group() == 0 => {
                let weights = grid.weights(positions, shares);
                for n in 0..BATCH {
                    sums[n] += weights[n];
                }
            }
            // Of groups and pictures the weights depend on others, and on the alpha.
            _ => return [false; BATCH],
        }
    }
    let mut covered = [false; BATCH];
    for n in 0..BATCH {
        covered[n] = sums[n] == 1.0;
    }
    covered
}

/// Adds a region to sums of weighted velocities and of weights.
#[inline(always)]
fn add((sums, totals): &mut (Batch3, Batch), velocities: &Batch3, weights: &Batch) {
    for axis in 0..3 {
        for n in 0..BATCH {
            sums[axis][n] += weights[n] * velocities[axis][n];
        }
    }
    for n in 0..BATCH {
        totals[n] += weights[n];
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::batch::at;
    use crate::sim::grid::Grid;
    use crate::sim::inputs::Pixels;
    use crate::sim::particles::grids::tests::{PLACE, uniform};
    use crate::sim::particles::settings::{Field, GridPlace};

    /// The air at a position and a share of the frame.
    fn blended(regions: &[Region<'_>], position: [f64; 3], share: f64, ambient: impl FnOnce() -> [f64; 3]) -> [f64; 3] {
        at(&blend(regions, &splat(position), &[share; BATCH], || splat(ambient())), BATCH - 1)
    }

    fn covered(regions: &[Region<'_>], position: [f64; 3]) -> bool {
        covers(regions, &splat(position), &[1.0; BATCH])[BATCH - 1]
    }

    const GRID: Grid = Grid { width: 40, height: 30, origin: [10.0, 20.0], cells_per_pixel: 0.5 };
    const FIELD: Field = Field { number: 0, scale: 1.0, depth: 5.0, thickness: 0.0, fade: 8.0, group: 0 };

    fn flat(velocity: [f32; 2], alpha: f32) -> Pixels {
        Arc::new(vec![[velocity[0], velocity[1], 0.0, alpha]; GRID.cells()])
    }

    fn picture<'a>(field: &'a Field, pixels: &'a Pixels) -> Region<'a> {
        Region::Picture(FieldGrid::new(field, &GRID, pixels))
    }

    #[test]
    fn a_field_fades_towards_its_faces_with_a_bounded_slope() {
        let pixels = flat([3.0, 0.0], 1.0);
        let ambient = [-1.0, 0.5, 0.25];
        let fields = [picture(&FIELD, &pixels)];
        let air = |x: f64| blended(&fields, [x, 50.0, 0.0], 1.0, || ambient);
        assert_eq!(air(9.0), ambient);
        assert_eq!(air(10.0), ambient);
        assert_eq!(air(50.0), [3.0, 0.0, 0.0]);
        let step = 0.01;
        let mut last = air(9.5);
        for n in 0..10_000 {
            let next = air(9.5 + f64::from(n) * step);
            assert!((next[0] - last[0]).abs() <= 1.5 * 4.0 / 8.0 * step + 1e-9);
            last = next;
        }
        let thin = Field { thickness: 20.0, ..FIELD };
        let fields = [picture(&thin, &pixels)];
        let at = |z: f64| blended(&fields, [50.0, 50.0, z], 1.0, || ambient);
        assert_eq!((at(-5.0), at(15.0), at(5.0)), (ambient, ambient, [3.0, 0.0, 0.0]));
    }

    #[test]
    fn a_grid_fades_towards_its_faces_with_a_bounded_slope() {
        let state = uniform([1.5, 0.0, -0.5]);
        let regions = [Region::Grid(FluidGrid::new(&PLACE, &state))];
        let ambient = [-1.0, 0.5, 0.25];
        // Velocities in pixels: 4 pixels a cell.
        let inside = [6.0, 0.0, -2.0];
        let air = |z: f64| blended(&regions, [32.0, 32.0, z], 1.0, || ambient);
        assert_eq!((air(-1.0), air(32.0)), (ambient, inside));
        let difference = (0..3).map(|axis| (inside[axis] - ambient[axis]).powi(2)).sum::<f64>().sqrt();
        let step = 0.01;
        let mut last = air(-1.0);
        for n in 1..3_400 {
            let next = air(-1.0 + f64::from(n) * step);
            let moved = (0..3).map(|axis| (next[axis] - last[axis]).powi(2)).sum::<f64>().sqrt();
            assert!(moved <= 1.5 * difference / PLACE.fade * step + 1e-9, "{moved} at {n}");
            last = next;
        }
    }

    #[test]
    fn regions_add_and_those_of_a_group_do_not() {
        let (a, b) = (flat([2.0, 1.0], 1.0), flat([2.0, 1.0], 1.0));
        let both = |group: i32| {
            let field = Field { group, ..FIELD };
            blended(&[picture(&field, &a), picture(&field, &b)], [50.0, 50.0, 0.0], 1.0, || [0.0; 3])
        };
        assert_eq!(both(0), [4.0, 2.0, 0.0], "two fields add");
        assert_eq!(both(1), [2.0, 1.0, 0.0], "two fields of a group are one");
        let half = flat([2.0, 1.0], 0.25);
        let field = Field { group: 3, ..FIELD };
        let one = [picture(&field, &half)];
        assert_eq!(blended(&one, [50.0, 50.0, 0.0], 1.0, || [0.0; 3]), [0.5, 0.25, 0.0], "alpha is a weight");
        let state = uniform([0.5, 0.25, 0.0]);
        let grids = |group: i32| {
            let place = GridPlace { group, ..PLACE };
            let two = [0, 1].map(|_| Region::Grid(FluidGrid::new(&place, &state)));
            blended(&two, [32.0; 3], 0.5, || [0.0; 3])
        };
        assert_eq!(grids(0), [4.0, 2.0, 0.0], "two grids add");
        assert_eq!(grids(2), [2.0, 1.0, 0.0], "two grids of a group are one");
    }

    #[test]
    fn values_that_are_no_numbers_do_no_harm() {
        let pixels = flat([f32::NAN, f32::INFINITY], f32::NAN);
        let fields = [picture(&FIELD, &pixels)];
        assert!(blended(&fields, [50.0, 50.0, 0.0], 1.0, || [1.0; 3]).iter().all(|v| v.is_finite()));
        assert_eq!(blended(&fields, [f64::NAN; 3], 1.0, || [1.0; 3]), [1.0; 3]);
        let state = uniform([f32::NAN, f32::INFINITY, 0.0]);
        let grids = [Region::Grid(FluidGrid::new(&PLACE, &state))];
        assert!(blended(&grids, [32.0; 3], 1.0, || [1.0; 3]).iter().all(|v| v.is_finite()));
        assert_eq!(blended(&grids, [f64::NAN; 3], 1.0, || [1.0; 3]), [1.0; 3]);
    }

    #[test]
    fn ambient_air_is_evaluated_only_where_it_has_a_share() {
        let still = uniform([1.0, 0.0, 0.0]);
        let grids = [Region::Grid(FluidGrid::new(&PLACE, &still))];
        assert_eq!(blended(&grids, [32.0; 3], 1.0, || unreachable!()), [4.0, 0.0, 0.0]);
        assert!(covered(&grids, [32.0; 3]) && !covered(&grids, [8.0, 32.0, 32.0]));
        assert!(!covered(&grids, [-8.0, 32.0, 32.0]) && !covered(&[], [32.0; 3]));
        let twice = [&PLACE, &PLACE].map(|place| Region::Grid(FluidGrid::new(place, &still)));
        assert!(!covered(&twice, [32.0; 3]), "where two overlap the ambient air is taken away once");
        assert_eq!(blended(&twice, [32.0; 3], 1.0, || [1.0; 3]), [7.0, -1.0, -1.0]);
        let grouped = GridPlace { group: 1, ..PLACE };
        let grouped = [&grouped, &grouped].map(|place| Region::Grid(FluidGrid::new(place, &still)));
        assert!(!covered(&grouped, [32.0; 3]));
    }
}
