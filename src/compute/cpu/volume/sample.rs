//! Sample positions of groups of sixteen values of a row, and trilinear interpolation.

use super::super::lanes::floats::{Floats, Grid, WIDTH};
use super::padded::{LOW, Padded};

/// First values of the groups of a row; the last group overlaps the one before it. Rows have [`WIDTH`] values or more.
#[inline(always)]
pub(super) fn groups(values: usize) -> impl Iterator<Item = usize> {
    (0..values.div_ceil(WIDTH)).map(move |group| (group * WIDTH).min(values - WIDTH))
}

/// A group of values from an index on.
#[inline(always)]
pub(super) fn load<F: Floats>(values: &[f32], from: usize) -> F {
    match values[from..].first_chunk() {
        Some(values) => F::load(values),
        None => F::splat(0.0),
    }
}

/// Stores a group from an index on.
#[inline(always)]
pub(super) fn store<F: Floats>(of: F, values: &mut [f32], from: usize) {
    if let Some(to) = values[from..].first_chunk_mut() {
        of.store(to);
    }
}

/// A field to sample.
#[derive(Clone, Copy)]
pub(super) struct Sampler<'a> {
    grid: Grid<'a>,
    size: [usize; 3],
    rows: usize,
    /// Period along wrapped axes, values.
    periods: [Option<f32>; 3],
}

/// Sample positions: the column and row (counted over all planes) of the value below, the whole distances to it, and the
/// fractions above it.
#[derive(Clone, Copy)]
pub(super) struct Positions<F: Floats> {
    pub column: F::Whole,
    pub row: F::Whole,
    pub whole: [F; 3],
    pub part: [F; 3],
}

impl<'a> Sampler<'a> {
    /// Samples a field of one component. `periods`: cells along wrapped axes.
    #[inline(always)]
    pub fn new(field: &'a Padded, periods: [Option<f32>; 3]) -> Self {
        Self { grid: Grid::new(field.values(), field.stride()), size: field.size, rows: field.rows(), periods }
    }

    /// Computes sample positions in a field of any number of components; it cannot sample values.
    #[inline(always)]
    pub fn places(field: &'a Padded, periods: [Option<f32>; 3]) -> Self {
        Self { grid: Grid::new(&[], field.stride()), size: field.size, rows: field.rows(), periods }
    }

    /// Positions at a distance, per axis, from the values `at` of this field's lattice and the fifteen after it. They
    /// are limited to one value beyond each side.
    #[inline(always)]
    pub fn positions<F: Floats>(&self, at: [usize; 3], offset: [F; 3]) -> Positions<F> {
        let mut whole = [F::splat(0.0); 3];
        let mut part = [F::splat(0.0); 3];
        let mut column = F::whole(0);
        for axis in 0..3 {
            let start = F::splat(at[axis] as i32 as f32);
            let from = if axis == 0 { F::steps().add(start) } else { start };
            let mut by = offset[axis];
            if let Some(period) = self.periods[axis] {
                let turns = from.add(by).mul(F::splat(1.0 / period)).floor().0;
                by = by.sub(turns.mul(F::splat(period)));
            }
            let low = F::splat(-1.0).sub(from);
            let high = F::splat(self.size[axis] as i32 as f32).sub(from);
            let (steps, count) = by.greatest(low).least(high).floor();
            part[axis] = by.greatest(low).least(high).sub(steps);
            if axis == 0 {
                column = F::whole_add(F::whole_add(F::whole_steps(), F::whole((at[0] + LOW) as i32)), count);
            }
            whole[axis] = steps;
        }
        // Numbers of rows are whole numbers that a float holds.
        let rows = F::splat(self.rows as i32 as f32);
        let (_, up) = whole[2].mul(rows).add(whole[1]).floor();
        let row = F::whole_add(up, F::whole((at[1] + LOW + self.rows * (at[2] + LOW)) as i32));
        Positions { column, row, whole, part }
    }

    /// The eight values around positions: the lower four and the upper four along z.
    #[inline(always)]
    pub fn corners<F: Floats>(&self, positions: &Positions<F>) -> [[[F; 2]; 2]; 2] {
        let above = F::whole_add(positions.row, F::whole(self.rows as i32));
        [self.square(positions.column, positions.row), self.square(positions.column, above)]
    }

    #[inline(always)]
    fn square<F: Floats>(&self, column: F::Whole, row: F::Whole) -> [[F; 2]; 2] {
        match F::around(self.grid, column, row) {
            Some(taps) => taps,
            None => F::around_sides(self.grid, column, row, [false; 4]),
        }
    }

    /// The field at positions.
    #[inline(always)]
    pub fn sample<F: Floats>(&self, positions: &Positions<F>) -> F {
        trilinear(self.corners(positions), positions.part)
    }
}

/// Trilinear interpolation between eight corners.
#[inline(always)]
pub(super) fn trilinear<F: Floats>([low, high]: [[[F; 2]; 2]; 2], [x, y, z]: [F; 3]) -> F {
    let (low, high) = (bilinear(low, x, y), bilinear(high, x, y));
    low.lerp(high, z)
}

#[inline(always)]
fn bilinear<F: Floats>([[a, b], [c, d]]: [[F; 2]; 2], x: F, y: F) -> F {
    a.lerp(b, x).lerp(c.lerp(d, x), y)
}

/// The least and the greatest of eight corners.
#[inline(always)]
pub(super) fn limits<F: Floats>([[[a, b], [c, d]], [[e, f], [g, h]]]: [[[F; 2]; 2]; 2]) -> (F, F) {
    (
        a.least(b).least(c.least(d)).least(e.least(f).least(g.least(h))),
        a.greatest(b).greatest(c.greatest(d)).greatest(e.greatest(f).greatest(g.greatest(h))),
    )
}
