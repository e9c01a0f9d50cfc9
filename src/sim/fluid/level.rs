//! A grid of the multigrid hierarchy.

use super::shape::Boundary;

/// A grid that covers the box of the finest grid. Its cells need not be cubes.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Cells per axis.
    pub size: [usize; 3],
    /// Conditions at the low and the high side of each axis.
    pub sides: [[Boundary; 2]; 3],
    /// Width of a cell per axis, in cells of the finest grid.
    pub spacing: [f64; 3],
    /// Coefficient of the inner faces normal to each axis: 1 / spacing².
    pub coefficient: [f32; 3],
    /// Coefficient of the faces on each side: 0 where closed; at an open side, x is 0 half a cell of the finest grid
    /// outside.
    pub side_coefficient: [[f32; 2]; 3],
    /// Value of the ghost cell beyond each side, as a multiple of the last cell, for linear interpolation.
    pub ghost: [[f32; 2]; 3],
    /// Distance of the centre of each cell from the low side, in cells of the finest grid, where [true
    /// distances](super::multigrid::Prolongation::Distances) are used; else empty. The points where x is 0 beyond open
    /// sides come first and last; beyond closed sides these two are NaN.
    pub centres: [Vec<f64>; 3],
}

impl Level {
    /// A grid of `size` equal cells over `span` cells of the finest grid per axis.
    pub fn new(size: [usize; 3], span: [usize; 3], sides: [[Boundary; 2]; 3]) -> Level {
        let spacing = [0, 1, 2].map(|axis| span[axis] as f64 / size[axis] as f64);
        let coefficient = spacing.map(|h| (1.0 / (h * h)) as f32);
        let per_side = [0, 1, 2].map(|axis| {
            sides[axis].map(|side| {
                let h = spacing[axis];
                let distance = h / 2.0 + 0.5;
                match side {
                    Boundary::Closed => (0.0, 1.0),
                    Boundary::Open => ((1.0 / (h * distance)) as f32, (1.0 - h / distance) as f32),
                    Boundary::Wrap if size[axis] == 1 => (0.0, 1.0),
                    Boundary::Wrap => (coefficient[axis], 1.0),
                }
            })
        });
        let [side_coefficient, ghost] =
            [per_side.map(|axis| axis.map(|s| s.0)), per_side.map(|axis| axis.map(|s| s.1))];
        Level { size, sides, spacing, coefficient, side_coefficient, ghost, centres: Default::default() }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether an axis wraps.
    pub fn wraps(&self, axis: usize) -> bool {
        self.sides[axis][0] == Boundary::Wrap
    }

    /// Whether no side is open.
    pub fn is_closed(&self) -> bool {
        !self.sides.as_flattened().contains(&Boundary::Open)
    }

    /// Faces normal to an axis.
    pub fn faces(&self, axis: usize) -> usize {
        self.cells() / self.size[axis] * (self.size[axis] + 1)
    }
}

/// The fine cells under the coarse cell `index`, along an axis of `fine` and `coarse` cells: the first, and the weights
/// of three cells from it on in the mean. `[½, ½, 0]` where `fine` is `2·coarse`, `[1, 0, 0]` where the axis is not
/// coarsened.
pub fn covers(fine: usize, coarse: usize, index: usize) -> (usize, [f32; 3]) {
    if fine == 2 * coarse {
        return (2 * index, [0.5, 0.5, 0.0]);
    }
    let from = index * fine / coarse;
    // Lengths in a unit in which a fine cell is `coarse` long and a coarse cell `fine`.
    let (low, high) = (index * fine, (index + 1) * fine);
    let weight = |cell: usize| {
        let over = ((cell + 1) * coarse).min(high).saturating_sub((cell * coarse).max(low));
        over as f32 / fine as f32
    };
    (from, [weight(from), weight(from + 1), weight(from + 2)])
}

/// Linear interpolation at the centre of the fine cell `index`: the lower coarse cell, from −1 (a
/// [ghost](Level::ghost), or wrapped) to `coarse − 1`, and the weight of the next one.
pub fn between(fine: usize, coarse: usize, index: usize) -> (isize, f32) {
    if fine == coarse {
        return (index as isize, 0.0);
    }
    // (index + ½)·coarse / fine − ½, in units of 1 / (2·fine).
    let at = (2 * index + 1) * coarse;
    if at < fine {
        return (-1, (at + fine) as f32 / (2 * fine) as f32);
    }
    let at = at - fine;
    ((at / (2 * fine)) as isize, (at % (2 * fine)) as f32 / (2 * fine) as f32)
}

/// The coarse cell in which the fine cell `index` begins, and the fraction of the fine cell that lies in the next one:
/// the transpose of [`covers`], times `fine / coarse`.
pub fn within(fine: usize, coarse: usize, index: usize) -> (isize, f32) {
    // Lengths in a unit in which a fine cell is `coarse` long and a coarse cell `fine`.
    let start = index * coarse;
    let low = start / fine;
    let over = (start + coarse).saturating_sub((low + 1) * fine);
    (low as isize, over as f32 / coarse as f32)
}
