//! Vectors of four: SSE2, NEON, or else scalars.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use wide::{f32x4, i32x4};

use super::{Floats, Grid, WIDTH};

/// Number of vectors.
const VECTORS: usize = WIDTH / 4;

/// Four vectors.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Portable([f32x4; VECTORS]);

/// Methods of two vectors.
macro_rules! binary {
    ($($name:ident = |$a:ident, $b:ident| $value:expr,)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            let mut to = self;
            for v in 0..VECTORS {
                let ($a, $b) = (self.0[v], other.0[v]);
                to.0[v] = $value;
            }
            to
        }
    )*};
}

impl Floats for Portable {
    type Whole = [i32x4; VECTORS];

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Portable([f32x4::splat(value); VECTORS])
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Portable(bytemuck::cast(*values))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; WIDTH]) {
        *to = bytemuck::cast(self.0);
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
        least = |a, b| a.simd_lt(b).bitselect(a, b),
        greatest = |a, b| a.simd_gt(b).bitselect(a, b),
        unless_nan = |a, b| b.is_nan().bitselect(f32x4::ZERO, a),
    }

    #[inline(always)]
    fn unless_zero(self, of: Self, other: Self) -> Self {
        let mut to = self;
        for v in 0..VECTORS {
            to.0[v] = of.0[v].simd_eq(f32x4::ZERO).bitselect(other.0[v], self.0[v]);
        }
        to
    }

    #[inline(always)]
    fn any_zero(self, other: Self) -> bool {
        let mut zero = f32x4::ZERO;
        for v in 0..VECTORS {
            zero |= self.0[v].simd_eq(f32x4::ZERO) | other.0[v].simd_eq(f32x4::ZERO);
        }
        zero.any()
    }

    #[inline(always)]
    fn floor(self) -> (Self, Self::Whole) {
        // Numbers of this magnitude are integers, whose low bits are those of an i32. SSE2 has no instruction that
        // rounds down.
        const WHOLE: f32 = 12_582_912.0;
        let (large, bits) = (f32x4::splat(WHOLE), i32x4::splat(WHOLE.to_bits() as i32));
        let (mut whole, mut steps) = (self, [i32x4::ZERO; VECTORS]);
        for v in 0..VECTORS {
            let nearest = (self.0[v] + large) - large;
            whole.0[v] = nearest.simd_gt(self.0[v]).bitselect(nearest - f32x4::ONE, nearest);
            steps[v] = bytemuck::cast::<f32x4, i32x4>(whole.0[v] + large) - bits;
        }
        (whole, steps)
    }

    #[inline(always)]
    fn steps() -> Self {
        Self::load(&std::array::from_fn(|l| l as f32))
    }

    #[inline(always)]
    fn whole(value: i32) -> Self::Whole {
        [i32x4::splat(value); VECTORS]
    }

    #[inline(always)]
    fn whole_steps() -> Self::Whole {
        bytemuck::cast::<[i32; WIDTH], _>(std::array::from_fn(|l| l as i32))
    }

    #[inline(always)]
    fn whole_add(a: Self::Whole, b: Self::Whole) -> Self::Whole {
        let mut to = a;
        for v in 0..VECTORS {
            to[v] = a[v] + b[v];
        }
        to
    }

    #[inline(always)]
    fn wholes(of: Self::Whole) -> [i32; WIDTH] {
        bytemuck::cast(of)
    }

    #[inline(always)]
    fn around<const K: usize>(grid: Grid<'_>, x: Self::Whole, y: Self::Whole) -> Option<[[Self; K]; K]> {
        if Self::inside::<K>([grid.columns as i32, grid.rows as i32], x, y) != 0xf {
            return None;
        }
        let low = K as i32 / 2 - 1;
        let (x, y) = (Self::wholes(x), Self::wholes(y));
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
        let mut found = [[Self::splat(0.0); K]; K];
        for r in 0..K {
            for c in 0..K {
                found[r][c] = Self::load(&taps[r][c]);
            }
        }
        Some(found)
    }

    #[inline(always)]
    fn inside<const K: usize>(size: [i32; 2], x: Self::Whole, y: Self::Whole) -> u32 {
        let low = i32x4::splat(K as i32 / 2 - 1);
        let [right, top] = size.map(|n| i32x4::splat(n - K as i32));
        let mut bits = 0;
        for v in 0..VECTORS {
            let (x, y) = (x[v] - low, y[v] - low);
            // Negative where a tap is off the grid.
            let outside = (x | y) | ((right - x) | (top - y));
            bits |= u32::from(!outside.any()) << v;
        }
        bits
    }

    #[inline(always)]
    fn side_by_side(x: Self::Whole, y: Self::Whole) -> u32 {
        let (x, y) = (Self::wholes(x), Self::wholes(y));
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
        Portable(self.0[quad].to_array().map(f32x4::splat))
    }

    #[inline(always)]
    fn fours(values: [&[f32; 4]; 4]) -> Self {
        Portable(values.map(|four| f32x4::from(*four)))
    }
}
