//! Regions of air with a velocity of their own: velocity pictures and grids. Where they overlap, they add.

use super::fields::FieldGrid;
use super::grids::FluidGrid;
use super::settings::{FIELDS, GRIDS};

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

    /// Velocity at a position and a share of the frame, pixels per frame, and the weight; `None` outside.
    #[inline(always)]
    fn sample(&self, position: [f64; 3], share: f64) -> Option<([f64; 3], f64)> {
        match self {
            Self::Picture(field) => field.sample(position),
            Self::Grid(grid) => grid.sample(position, share),
        }
    }
}

/// The weight `s²(3 − 2s)` with `s` = distance to the nearest face over the fade; `None` outside.
#[inline(always)]
pub fn fade_in(distance: f64, fade: f64) -> Option<f64> {
    if distance <= 0.0 {
        return None;
    }
    let s = if fade > 0.0 { (distance / fade).min(1.0) } else { 1.0 };
    Some(s * s * (3.0 - 2.0 * s))
}

/// The air where regions overlap: `U + Σ w (u − U)` in their order, with the ambient velocity `U`, which is evaluated
/// only where it has a share. The weights of a group are divided by their sum where that is above 1.
#[inline(always)]
pub fn blend(regions: &[Region<'_>], position: [f64; 3], share: f64, ambient: impl FnOnce() -> [f64; 3]) -> [f64; 3] {
    let (sum, weight) = weighted(regions, position, share);
    if weight == 1.0 {
        return sum;
    }
    let ambient = ambient();
    [0, 1, 2].map(|axis| sum[axis] + (1.0 - weight) * ambient[axis])
}

/// The sum of the weighted velocities of regions, and of their weights.
#[inline(always)]
fn weighted(regions: &[Region<'_>], position: [f64; 3], share: f64) -> ([f64; 3], f64) {
    if regions.iter().any(|region| region.group() != 0) {
        return weighted_in_groups(regions, position, share);
    }
    let mut air = ([0.0; 3], 0.0);
    for region in regions {
        if let Some((velocity, weight)) = region.sample(position, share) {
            add(&mut air, velocity, weight);
        }
    }
    air
}

/// Whether grids alone make up the air at a position: there the ambient air has no share.
pub fn covers(regions: &[Region<'_>], position: [f64; 3], share: f64) -> bool {
    let mut sum = 0.0;
    for region in regions {
        match region {
            Region::Grid(grid) if grid.group() == 0 => sum += grid.weight(position, share).unwrap_or(0.0),
            // Of groups and pictures the weights depend on others, and on the alpha.
            _ => return false,
        }
    }
    sum == 1.0
}

/// [`weighted`] with regions in groups.
fn weighted_in_groups(regions: &[Region<'_>], position: [f64; 3], share: f64) -> ([f64; 3], f64) {
    let mut sampled = [None; FIELDS + GRIDS];
    for (slot, region) in sampled.iter_mut().zip(regions) {
        *slot = region.sample(position, share).map(|(velocity, weight)| (region.group(), velocity, weight));
    }
    let sum = |group: i32| sampled.iter().flatten().filter(|other| other.0 == group).map(|other| other.2).sum::<f64>();
    let mut air = ([0.0; 3], 0.0);
    for (group, velocity, weight) in sampled.iter().flatten() {
        let weight = if *group == 0 { *weight } else { weight / sum(*group).max(1.0) };
        add(&mut air, *velocity, weight);
    }
    air
}

/// Adds a region to sums of weighted velocities and of weights.
#[inline(always)]
fn add((sum, weights): &mut ([f64; 3], f64), velocity: [f64; 3], weight: f64) {
    for axis in 0..3 {
        sum[axis] += weight * velocity[axis];
    }
    *weights += weight;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::grid::Grid;
    use crate::sim::inputs::Pixels;
    use crate::sim::particles::grids::tests::{PLACE, uniform};
    use crate::sim::particles::settings::{Field, GridPlace};

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
        let air = |x: f64| blend(&fields, [x, 50.0, 0.0], 1.0, || ambient);
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
        let at = |z: f64| blend(&fields, [50.0, 50.0, z], 1.0, || ambient);
        assert_eq!((at(-5.0), at(15.0), at(5.0)), (ambient, ambient, [3.0, 0.0, 0.0]));
    }

    #[test]
    fn a_grid_fades_towards_its_faces_with_a_bounded_slope() {
        let state = uniform([1.5, 0.0, -0.5]);
        let regions = [Region::Grid(FluidGrid::new(&PLACE, &state))];
        let ambient = [-1.0, 0.5, 0.25];
        // Velocities in pixels: 4 pixels a cell.
        let inside = [6.0, 0.0, -2.0];
        let air = |z: f64| blend(&regions, [32.0, 32.0, z], 1.0, || ambient);
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
            blend(&[picture(&field, &a), picture(&field, &b)], [50.0, 50.0, 0.0], 1.0, || [0.0; 3])
        };
        assert_eq!(both(0), [4.0, 2.0, 0.0], "two fields add");
        assert_eq!(both(1), [2.0, 1.0, 0.0], "two fields of a group are one");
        let half = flat([2.0, 1.0], 0.25);
        let field = Field { group: 3, ..FIELD };
        let one = [picture(&field, &half)];
        assert_eq!(blend(&one, [50.0, 50.0, 0.0], 1.0, || [0.0; 3]), [0.5, 0.25, 0.0], "alpha is a weight");
        let state = uniform([0.5, 0.25, 0.0]);
        let grids = |group: i32| {
            let place = GridPlace { group, ..PLACE };
            let two = [0, 1].map(|_| Region::Grid(FluidGrid::new(&place, &state)));
            blend(&two, [32.0; 3], 0.5, || [0.0; 3])
        };
        assert_eq!(grids(0), [4.0, 2.0, 0.0], "two grids add");
        assert_eq!(grids(2), [2.0, 1.0, 0.0], "two grids of a group are one");
    }

    #[test]
    fn values_that_are_no_numbers_do_no_harm() {
        let pixels = flat([f32::NAN, f32::INFINITY], f32::NAN);
        let fields = [picture(&FIELD, &pixels)];
        assert!(blend(&fields, [50.0, 50.0, 0.0], 1.0, || [1.0; 3]).iter().all(|v| v.is_finite()));
        assert_eq!(blend(&fields, [f64::NAN; 3], 1.0, || [1.0; 3]), [1.0; 3]);
        let state = uniform([f32::NAN, f32::INFINITY, 0.0]);
        let grids = [Region::Grid(FluidGrid::new(&PLACE, &state))];
        assert!(blend(&grids, [32.0; 3], 1.0, || [1.0; 3]).iter().all(|v| v.is_finite()));
        assert_eq!(blend(&grids, [f64::NAN; 3], 1.0, || [1.0; 3]), [1.0; 3]);
    }

    #[test]
    fn ambient_air_is_evaluated_only_where_it_has_a_share() {
        let still = uniform([1.0, 0.0, 0.0]);
        let grids = [Region::Grid(FluidGrid::new(&PLACE, &still))];
        assert_eq!(blend(&grids, [32.0; 3], 1.0, || unreachable!()), [4.0, 0.0, 0.0]);
        assert!(covers(&grids, [32.0; 3], 1.0) && !covers(&grids, [8.0, 32.0, 32.0], 1.0));
        assert!(!covers(&grids, [-8.0, 32.0, 32.0], 1.0) && !covers(&[], [32.0; 3], 1.0));
        let twice = [&PLACE, &PLACE].map(|place| Region::Grid(FluidGrid::new(place, &still)));
        assert!(!covers(&twice, [32.0; 3], 1.0), "where two overlap the ambient air is taken away once");
        assert_eq!(blend(&twice, [32.0; 3], 1.0, || [1.0; 3]), [7.0, -1.0, -1.0]);
        let grouped = GridPlace { group: 1, ..PLACE };
        let grouped = [&grouped, &grouped].map(|place| Region::Grid(FluidGrid::new(place, &still)));
        assert!(!covers(&grouped, [32.0; 3], 1.0));
    }
}
