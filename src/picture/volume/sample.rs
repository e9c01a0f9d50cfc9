//! Volumes of values at the centres of cells, and their interpolation: trilinear, or by quadratic B-splines, whose gradient
//! is continuous, so that cells do not show.

use bytemuck::Pod;
use wide::f32x4;

use super::medium::TILE;
use crate::sim::memory::Values;

/// Values at cell centres, `x + nx·(y + ny·z)`. A position `q` has the value of cell (i, j, k) at q = (i, j, k).
pub struct Volume<T> {
    /// Number of values along each axis, at least 2.
    pub size: [usize; 3],
    /// The values.
    pub values: Values<T>,
}

/// A sample position as the cell of eight values around it, and the weights within.
#[derive(Clone, Copy)]
pub struct Place {
    /// The lowest of the eight.
    pub base: [usize; 3],
    /// Fraction of the distance to the next value along each axis, 0 to 1.
    pub share: [f32; 3],
}

impl Place {
    /// The tile of the position.
    #[inline(always)]
    pub fn tile(&self) -> [usize; 3] {
        self.base.map(|index| index / TILE)
    }
}

/// A position among the 27 values of a quadratic B-spline.
#[derive(Clone, Copy)]
pub struct Patch {
    /// The lowest of the 27.
    base: [usize; 3],
    /// Distances from the middle one of the 27 along each axis.
    offset: f32x4,
    /// Weights of the three values along x and 0, along y, and along z.
    weights: [[f32; 4]; 3],
}

/// The rows of a patch along x: their places along y and z.
const ROWS: [[usize; 2]; 9] = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [2, 2]];

/// Finds places in volumes of one size.
#[derive(Clone, Copy)]
pub struct Finder {
    most: f32x4,
    /// The last value with two values after it: the one after it is the last that is not on the border.
    last: f32x4,
}

impl Finder {
    /// The finder of a size of at least 2 values along each axis.
    pub fn new(size: [usize; 3]) -> Self {
        // The last position is before the last value: a place has a next value.
        let [x, y, z] = size.map(|count| ((count - 1) as f32).next_down());
        let last = size.map(|count| (count.max(4) - 3) as f32);
        Self { most: f32x4::new([x, y, z, 0.0]), last: f32x4::new([last[0], last[1], last[2], 1.0]) }
    }

    /// The patch of a position in a volume of at least 4 values along each axis with a border of zeros, which goes on
    /// outside; NaN is taken for a position outside.
    #[inline(always)]
    pub fn patch(&self, q: f32x4) -> Patch {
        let one = f32x4::splat(1.0);
        let q = q.fast_max(-one).fast_min(self.most + one);
        let middle = (q + f32x4::splat(0.5)).fast_trunc_int().round_float().fast_max(one).fast_min(self.last);
        let offset = q - middle;
        let [x, y, z, _] = (middle - one).fast_trunc_int().to_array();
        let [below, at, above] = [offset + one, offset, offset - one].map(|way| weight(way).to_array());
        Patch {
            base: [x, y, z].map(|index| index as u32 as usize),
            offset,
            weights: [0, 1, 2].map(|axis| [below[axis], at[axis], above[axis], 0.0]),
        }
    }

    /// The place of a position; positions outside are moved to the border, NaN to 0.
    #[inline(always)]
    pub fn place(&self, q: f32x4) -> Place {
        let q = q.fast_max(f32x4::ZERO).fast_min(self.most);
        let base = q.fast_trunc_int();
        let share = (q - base.round_float()).to_array();
        let base = base.to_array();
        Place {
            base: [base[0] as u32 as usize, base[1] as u32 as usize, base[2] as u32 as usize],
            share: [share[0], share[1], share[2]],
        }
    }
}

/// The quadratic B-spline at a distance.
#[inline(always)]
fn weight(way: f32x4) -> f32x4 {
    let far = (f32x4::splat(1.5) - way.abs()).fast_max(f32x4::ZERO);
    let near = (f32x4::splat(0.5) - way.abs()).fast_max(f32x4::ZERO);
    far * far * f32x4::splat(0.5) - near * near * f32x4::splat(1.5)
}

/// The slope of the quadratic B-spline at a distance.
#[inline(always)]
fn slope(way: f32) -> f32 {
    let far = (1.5 - way.abs()).max(0.0);
    let near = (0.5 - way.abs()).max(0.0);
    if way < 0.0 { far - 3.0 * near } else { 3.0 * near - far }
}

/// Values that can be interpolated.
pub trait Mix: Copy {
    /// The type of the arithmetic.
    type Sum: Copy;

    /// The value.
    fn load(&self) -> Self::Sum;

    /// `a + (b − a)·share`.
    fn mix(a: Self::Sum, b: Self::Sum, share: f32) -> Self::Sum;

    /// The sum over the rows of a patch, `row([y, z])`, of four values each.
    fn sum<'a>(row: impl Fn([usize; 2]) -> &'a [Self], weights: &[[f32; 4]; 3]) -> Self::Sum
    where
        Self: 'a;
}

impl Mix for f32 {
    type Sum = f32;

    #[inline(always)]
    fn load(&self) -> f32 {
        *self
    }

    #[inline(always)]
    fn mix(a: f32, b: f32, share: f32) -> f32 {
        a + (b - a) * share
    }

    #[inline(always)]
    fn sum<'a>(row: impl Fn([usize; 2]) -> &'a [f32], [wx, wy, wz]: &[[f32; 4]; 3]) -> f32 {
        let mut sum = f32x4::ZERO;
        for [y, z] in ROWS {
            let row = row([y, z]);
            sum += f32x4::new([row[0], row[1], row[2], row[3]]) * f32x4::splat(wy[y] * wz[z]);
        }
        let sum = sum.to_array();
        sum[0] * wx[0] + sum[1] * wx[1] + sum[2] * wx[2]
    }
}

/// The sum over the rows of a patch of four channels.
#[inline(always)]
fn sum4<'a, T: Mix<Sum = f32x4> + 'a>(row: impl Fn([usize; 2]) -> &'a [T], [wx, wy, wz]: &[[f32; 4]; 3]) -> f32x4 {
    let mut sum = f32x4::ZERO;
    for [y, z] in ROWS {
        let row = row([y, z]);
        let across = row[0].load() * f32x4::splat(wx[0])
            + row[1].load() * f32x4::splat(wx[1])
            + row[2].load() * f32x4::splat(wx[2]);
        sum += across * f32x4::splat(wy[y] * wz[z]);
    }
    sum
}

impl Mix for [f32; 4] {
    type Sum = f32x4;

    #[inline(always)]
    fn load(&self) -> f32x4 {
        f32x4::new(*self)
    }

    #[inline(always)]
    fn mix(a: f32x4, b: f32x4, share: f32) -> f32x4 {
        a + (b - a) * f32x4::splat(share)
    }

    #[inline(always)]
    fn sum<'a>(row: impl Fn([usize; 2]) -> &'a [Self], weights: &[[f32; 4]; 3]) -> f32x4 {
        sum4(row, weights)
    }
}

/// Four 16-bit integers, interpolated as floats from 0 to 65535.
impl Mix for [u16; 4] {
    type Sum = f32x4;

    #[inline(always)]
    fn load(&self) -> f32x4 {
        let mut values = [0.0; 4];
        for (to, value) in values.iter_mut().zip(self) {
            *to = f32::from(*value);
        }
        f32x4::new(values)
    }

    #[inline(always)]
    fn mix(a: f32x4, b: f32x4, share: f32) -> f32x4 {
        a + (b - a) * f32x4::splat(share)
    }

    #[inline(always)]
    fn sum<'a>(row: impl Fn([usize; 2]) -> &'a [Self], weights: &[[f32; 4]; 3]) -> f32x4 {
        sum4(row, weights)
    }
}

impl<T: Pod> Volume<T> {
    /// The values for interpolation.
    pub fn grid(&self) -> Grid<'_, T> {
        Grid { row: self.size[0], plane: self.size[0] * self.size[1], values: &self.values }
    }
}

/// Values of a volume, for interpolation.
#[derive(Clone, Copy)]
pub struct Grid<'a, T> {
    row: usize,
    plane: usize,
    values: &'a [T],
}

impl<T: Mix> Grid<'_, T> {
    /// Trilinear interpolation.
    #[inline(always)]
    pub fn at(&self, place: &Place) -> T::Sum {
        let Place { base: [x, y, z], share: [u, v, w] } = *place;
        let first = x + self.row * y + self.plane * z;
        let near = T::mix(self.along(first, u), self.along(first + self.row, u), v);
        let first = first + self.plane;
        let far = T::mix(self.along(first, u), self.along(first + self.row, u), v);
        T::mix(near, far, w)
    }

    /// Between a value and the next.
    #[inline(always)]
    fn along(&self, at: usize, share: f32) -> T::Sum {
        let pair = &self.values[at..at + 2];
        T::mix(pair[0].load(), pair[1].load(), share)
    }

    /// Interpolation by quadratic B-splines.
    #[inline(always)]
    pub fn smooth(&self, patch: &Patch) -> T::Sum {
        T::sum(|at| self.row(patch, at), &patch.weights)
    }

    /// A row of a patch and the value after it.
    #[inline(always)]
    fn row(&self, patch: &Patch, [y, z]: [usize; 2]) -> &[T] {
        let [first, row, plane] = patch.base;
        let from = first + self.row * (row + y) + self.plane * (plane + z);
        &self.values[from..from + 4]
    }
}

impl Grid<'_, f32> {
    /// Gradient of the interpolation by quadratic B-splines, per cell.
    pub fn gradient(&self, patch: &Patch) -> [f32; 3] {
        let slopes = patch.offset.to_array().map(|offset| [slope(offset + 1.0), slope(offset), slope(offset - 1.0)]);
        let [wx, wy, wz] = &patch.weights;
        let mut sum = [0.0; 3];
        for [y, z] in ROWS {
            let row = self.row(patch, [y, z]);
            let along = |by: &[f32]| row[0] * by[0] + row[1] * by[1] + row[2] * by[2];
            let value = along(wx);
            sum[0] += along(&slopes[0]) * wy[y] * wz[z];
            sum[1] += value * slopes[1][y] * wz[z];
            sum[2] += value * wy[y] * slopes[2][z];
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_are_exact_for_linear_values_and_fade_beyond_the_border() {
        let size = [9, 8, 7];
        let linear = |[x, y, z]: [f32; 3]| 3.0 + 0.5 * x - 0.25 * y + 2.0 * z;
        let mut values: Values<f32> = Values::zeros(size.iter().product());
        for (at, value) in values.iter_mut().enumerate() {
            let cell = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
            if cell.iter().zip(size).all(|(cell, count)| (1..count - 1).contains(cell)) {
                *value = linear(cell.map(|cell| cell as f32));
            }
        }
        let volume = Volume { size, values };
        let finder = Finder::new(size);
        let at = |[x, y, z]: [f32; 3]| finder.patch(f32x4::new([x, y, z, 0.0]));
        for q in [[2.5, 2.5, 2.5], [3.1, 4.7, 3.3], [5.4, 3.9, 2.9], [6.4, 5.4, 4.4]] {
            let (seen, slope) = (volume.grid().smooth(&at(q)), volume.grid().gradient(&at(q)));
            assert!((seen - linear(q)).abs() < 1e-4, "{q:?}: {seen}");
            assert!(slope.iter().zip([0.5, -0.25, 2.0]).all(|(a, b)| (a - b).abs() < 1e-4), "{q:?}: {slope:?}");
        }
        assert_eq!([[-0.6, 4.0, 3.0], [4.0, 7.6, 3.0], [f32::NAN; 3]].map(|q| volume.grid().smooth(&at(q))), [0.0; 3]);
    }
}
