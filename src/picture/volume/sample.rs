//! Volumes of values at the centres of cells, and trilinear interpolation.

use bytemuck::Pod;
use wide::f32x4;

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

/// Conversion of positions to places in volumes of one size.
#[derive(Clone, Copy)]
pub struct Finder {
    most: f32x4,
}

impl Finder {
    /// The finder of a size of at least 2 values along each axis.
    pub fn new(size: [usize; 3]) -> Self {
        // The last position is before the last value: a place has a next value.
        let [x, y, z] = size.map(|count| ((count - 1) as f32).next_down());
        Self { most: f32x4::new([x, y, z, 0.0]) }
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

/// Values that can be interpolated.
pub trait Mix: Copy {
    /// The type of the arithmetic.
    type Sum: Copy;

    /// The value.
    fn load(&self) -> Self::Sum;

    /// `a + (b − a)·share`.
    fn mix(a: Self::Sum, b: Self::Sum, share: f32) -> Self::Sum;
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

    /// The values around a place: x fastest, then y, then z.
    #[inline(always)]
    pub fn corners(&self, place: &Place) -> [T; 8] {
        let [x, y, z] = place.base;
        let first = x + self.row * y + self.plane * z;
        let [a, b] = [first, first + self.row];
        let [c, d] = [a + self.plane, b + self.plane];
        let values = self.values;
        [values[a], values[a + 1], values[b], values[b + 1], values[c], values[c + 1], values[d], values[d + 1]]
    }
}
