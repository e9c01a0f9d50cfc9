//! Volumes of values at the centres of cells, and trilinear interpolation.

use bytemuck::Pod;
use wide::{f32x4, i32x4};

use crate::sim::memory::Values;

/// Values at cell centres, `x + nx·(y + ny·z)`. A position `q` has the value of cell (i, j, k) at q = (i, j, k).
pub struct Volume<T> {
    /// Number of values along each axis, at least 2.
    pub size: [usize; 3],
    /// The values.
    pub values: Values<T>,
}

/// A position between eight values.
#[derive(Clone, Copy)]
pub struct Place {
    /// The lowest of the eight.
    pub base: [usize; 3],
    /// Shares of the way to the next one along each axis, 0 to 1.
    pub share: [f32; 3],
}

/// Finds places in volumes of one size.
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
        Place { base: [base[0] as usize, base[1] as usize, base[2] as usize], share: [share[0], share[1], share[2]] }
    }
}

/// Values that can be interpolated.
pub trait Mix: Copy {
    /// The type of the arithmetic.
    type Sum: Copy;

    /// The value.
    fn load(self) -> Self::Sum;

    /// `a + (b − a)·share`.
    fn mix(a: Self::Sum, b: Self::Sum, share: f32) -> Self::Sum;
}

impl Mix for f32 {
    type Sum = f32;

    #[inline(always)]
    fn load(self) -> f32 {
        self
    }

    #[inline(always)]
    fn mix(a: f32, b: f32, share: f32) -> f32 {
        a + (b - a) * share
    }
}

impl Mix for [f32; 4] {
    type Sum = f32x4;

    #[inline(always)]
    fn load(self) -> f32x4 {
        f32x4::new(self)
    }

    #[inline(always)]
    fn mix(a: f32x4, b: f32x4, share: f32) -> f32x4 {
        a + (b - a) * f32x4::splat(share)
    }
}

/// Values of 16 bits, in units of 1.
impl Mix for [u16; 4] {
    type Sum = f32x4;

    #[inline(always)]
    fn load(self) -> f32x4 {
        i32x4::new(self.map(i32::from)).round_float()
    }

    #[inline(always)]
    fn mix(a: f32x4, b: f32x4, share: f32) -> f32x4 {
        a + (b - a) * f32x4::splat(share)
    }
}

impl<T: Pod + Mix> Volume<T> {
    /// Trilinear interpolation.
    #[inline(always)]
    pub fn at(&self, place: &Place) -> T::Sum {
        let [row, plane] = [self.size[0], self.size[0] * self.size[1]];
        let Place { base: [x, y, z], share: [u, v, w] } = *place;
        let first = x + row * y + plane * z;
        let along = |at: usize| {
            let pair = &self.values[at..at + 2];
            T::mix(pair[0].load(), pair[1].load(), u)
        };
        let across = |at: usize| T::mix(along(at), along(at + row), v);
        T::mix(across(first), across(first + plane), w)
    }

    /// The values around a place: x fastest, then y, then z.
    #[inline(always)]
    pub fn corners(&self, place: &Place) -> [T; 8] {
        let [row, plane] = [self.size[0], self.size[0] * self.size[1]];
        let [x, y, z] = place.base;
        let first = x + row * y + plane * z;
        let at = |corner: usize| self.values[first + (corner & 1) + row * (corner >> 1 & 1) + plane * (corner >> 2)];
        std::array::from_fn(at)
    }
}
