//! Arrays, which compilers turn into what the platform has at least.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use super::{Floats, Grid, WIDTH};

/// Sixteen numbers in an array.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Portable([f32; WIDTH]);

impl Portable {
    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut to = [0.0; WIDTH];
        for l in 0..WIDTH {
            to[l] = f(self.0[l], other.0[l]);
        }
        Portable(to)
    }
}

/// Methods of two vectors.
macro_rules! binary {
    ($($name:ident = $function:expr,)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            self.both(other, $function)
        }
    )*};
}

impl Floats for Portable {
    type Whole = [i32; WIDTH];

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Portable([value; WIDTH])
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Portable(*values)
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; WIDTH]) {
        *to = self.0;
    }

    #[inline(always)]
    fn stream(self, to: &mut [f32; WIDTH]) {
        self.store(to);
    }

    #[inline(always)]
    fn settle() {}

    binary! {
        add = |a, b| a + b,
        sub = |a, b| a - b,
        mul = |a, b| a * b,
        least = |a, b| if a < b { a } else { b },
        greatest = |a, b| if a > b { a } else { b },
        unless_nan = |a, b| if b.is_nan() { 0.0 } else { a },
    }

    #[inline(always)]
    fn floor(self) -> (Self, [i32; WIDTH]) {
        // Numbers of this size are whole, and their lowest bits are an integer's. Compilers call a function for `f32::floor` where a
        // processor may have no instruction for it.
        const WHOLE: f32 = 12_582_912.0;
        let (mut whole, mut steps) = ([0.0; WIDTH], [0; WIDTH]);
        for l in 0..WIDTH {
            let nearest = (self.0[l] + WHOLE) - WHOLE;
            whole[l] = if nearest > self.0[l] { nearest - 1.0 } else { nearest };
            steps[l] = (whole[l] + WHOLE).to_bits() as i32 - WHOLE.to_bits() as i32;
        }
        (Portable(whole), steps)
    }

    #[inline(always)]
    fn steps() -> Self {
        Portable(std::array::from_fn(|l| l as f32))
    }

    #[inline(always)]
    fn whole(value: i32) -> [i32; WIDTH] {
        [value; WIDTH]
    }

    #[inline(always)]
    fn whole_steps() -> [i32; WIDTH] {
        std::array::from_fn(|l| l as i32)
    }

    #[inline(always)]
    fn whole_add(a: [i32; WIDTH], b: [i32; WIDTH]) -> [i32; WIDTH] {
        let mut to = [0; WIDTH];
        for l in 0..WIDTH {
            to[l] = a[l].wrapping_add(b[l]);
        }
        to
    }

    #[inline(always)]
    fn wholes(of: [i32; WIDTH]) -> [i32; WIDTH] {
        of
    }

    #[inline(always)]
    fn around<const K: usize>(grid: Grid<'_>, x: [i32; WIDTH], y: [i32; WIDTH]) -> Option<[[Self; K]; K]> {
        let low = K as i32 / 2 - 1;
        let ([mut left, mut right], [mut bottom, mut top]) = ([x[0]; 2], [y[0]; 2]);
        for l in 1..WIDTH {
            (left, right) = (left.min(x[l]), right.max(x[l]));
            (bottom, top) = (bottom.min(y[l]), top.max(y[l]));
        }
        if !grid.holds::<K>([left, right], [bottom, top]) {
            return None;
        }
        let mut taps = [[[0.0; WIDTH]; K]; K];
        for l in 0..WIDTH {
            let from = (y[l] - low) as usize * grid.columns + (x[l] - low) as usize;
            for (r, row) in taps.iter_mut().enumerate() {
                let values = &grid.values[from + r * grid.columns..][..K];
                for c in 0..K {
                    row[c][l] = values[c];
                }
            }
        }
        let mut found = [[Portable([0.0; WIDTH]); K]; K];
        for r in 0..K {
            for c in 0..K {
                found[r][c] = Portable(taps[r][c]);
            }
        }
        Some(found)
    }

    #[inline(always)]
    fn inside<const K: usize>(size: [i32; 2], x: [i32; WIDTH], y: [i32; WIDTH]) -> bool {
        let low = K as i32 / 2 - 1;
        let mut inside = true;
        for l in 0..WIDTH {
            let (x, y) = (x[l].wrapping_sub(low), y[l].wrapping_sub(low));
            inside &= x >= 0 && y >= 0 && x <= size[0] - K as i32 && y <= size[1] - K as i32;
        }
        inside
    }

    #[inline(always)]
    fn side_by_side(x: [i32; WIDTH], y: [i32; WIDTH]) -> u32 {
        let mut bits = 0;
        for quad in 0..4 {
            let mut all = true;
            for l in 4 * quad + 1..4 * quad + 4 {
                all &= x[l] == x[l - 1].wrapping_add(1) && y[l] == y[l - 1];
            }
            bits |= u32::from(all) << quad;
        }
        bits
    }

    #[inline(always)]
    fn each_four_times(self, quad: usize) -> Self {
        Portable(std::array::from_fn(|l| self.0[4 * quad + l / 4]))
    }

    #[inline(always)]
    fn fours(values: [&[f32; 4]; 4]) -> Self {
        Portable(std::array::from_fn(|l| values[l / 4][l % 4]))
    }
}
