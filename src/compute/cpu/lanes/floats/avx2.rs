//! AVX2: two vectors. Taps of neighbouring positions are mostly contiguous, or off by one column or row.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use core::arch::x86_64::*;

use super::super::CACHE_LINE;
use super::super::x86::intrinsics;
use super::{Floats, Grid, WIDTH, quads};

/// Two vectors.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Avx2([__m256; 2]);

/// Numbers of one vector.
const HALF: usize = WIDTH / 2;

/// Methods of two vectors.
macro_rules! binary {
    ($($name:ident = $intrinsic:ident,)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            let (Self([a, b]), Self([c, d])) = (self, other);
            Self(intrinsics!([$intrinsic(a, c), $intrinsic(b, d)]))
        }
    )*};
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Avx2 {
    /// A vector of a grid from an index on.
    #[inline(always)]
    fn half(grid: Grid<'_>, from: usize) -> __m256 {
        let values: &[f32] = &grid.values[from..from + HALF];
        // SAFETY: the slice holds a vector, and the load asks for no alignment.
        unsafe { _mm256_loadu_ps(values.as_ptr()) }
    }

    /// The columns from an index on, or the next ones where `right` is negative.
    #[inline(always)]
    fn line<const K: usize>(grid: Grid<'_>, from: usize, right: __m256i) -> [__m256; K] {
        let mut line = [intrinsics!(_mm256_setzero_ps()); K];
        for c in 0..K {
            let (here, next) = (Self::half(grid, from + c), Self::half(grid, from + c + 1));
            line[c] = intrinsics!(_mm256_blendv_ps(here, next, _mm256_castsi256_ps(right)));
        }
        line
    }

    /// All bits set in lanes less than `least` or more than `most`.
    #[inline(always)]
    fn outside(at: __m256i, [least, most]: [i32; 2]) -> __m256i {
        intrinsics!({
            let (least, most) = (_mm256_set1_epi32(least), _mm256_set1_epi32(most));
            _mm256_or_si256(_mm256_cmpgt_epi32(least, at), _mm256_cmpgt_epi32(at, most))
        })
    }

    /// The taps of the positions of one vector, all of them on the grid.
    #[inline(always)]
    fn around_half<const K: usize>(grid: Grid<'_>, x: __m256i, y: __m256i) -> [[__m256; K]; K] {
        let low = K as i32 / 2 - 1;
        let mut taps = [[intrinsics!(_mm256_setzero_ps()); K]; K];
        let [x0, x7, y0, y7] = intrinsics!([
            _mm256_extract_epi32::<0>(x),
            _mm256_extract_epi32::<7>(x),
            _mm256_extract_epi32::<0>(y),
            _mm256_extract_epi32::<7>(y),
        ]);
        let (first, bottom) = (x0.min(x7 - (HALF as i32 - 1)), y0.min(y7));
        // Offset of each position from the first one's row and column: 0 or −1.
        let [right, up, far] = intrinsics!({
            let steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let right = _mm256_sub_epi32(_mm256_add_epi32(steps, _mm256_set1_epi32(first)), x);
            let up = _mm256_sub_epi32(_mm256_set1_epi32(bottom), y);
            // Neither 0 nor −1: bits other than the sign's differ from it.
            let far = _mm256_or_si256(
                _mm256_xor_si256(right, _mm256_srai_epi32::<31>(right)),
                _mm256_xor_si256(up, _mm256_srai_epi32::<31>(up)),
            );
            // Or less than −1.
            let one = _mm256_set1_epi32(-1);
            let less = _mm256_or_si256(_mm256_cmpgt_epi32(one, right), _mm256_cmpgt_epi32(one, up));
            [right, up, _mm256_or_si256(far, less)]
        });
        let near = intrinsics!(_mm256_testz_si256(far, far)) == 1;
        let (column, row) = (first - low, bottom - low);
        let fits =
            column >= 0 && row >= 0 && (column as usize) + HALF + K <= grid.columns && (row as usize) + K < grid.rows;
        if near && fits {
            let from = row as usize * grid.columns + column as usize;
            // In smooth flow, neighbouring cells trace back to neighbouring positions.
            let off = intrinsics!(_mm256_or_si256(right, up));
            if intrinsics!(_mm256_testz_si256(off, off)) == 1 {
                for r in 0..K {
                    for c in 0..K {
                        taps[r][c] = Self::half(grid, from + r * grid.columns + c);
                    }
                }
                return taps;
            }
            let mut below = Self::line::<K>(grid, from, right);
            for r in 0..K {
                let above = Self::line::<K>(grid, from + (r + 1) * grid.columns, right);
                for c in 0..K {
                    taps[r][c] = intrinsics!(_mm256_blendv_ps(below[c], above[c], _mm256_castsi256_ps(up)));
                }
                below = above;
            }
            return taps;
        }
        let stride = grid.columns as i32;
        let at = intrinsics!(_mm256_add_epi32(_mm256_mullo_epi32(y, _mm256_set1_epi32(stride)), x));
        for (r, row) in taps.iter_mut().enumerate() {
            for (c, tap) in row.iter_mut().enumerate() {
                let more = (r as i32 - low) * stride + c as i32 - low;
                // SAFETY: all positions are on the grid.
                *tap = unsafe {
                    let at = _mm256_add_epi32(at, _mm256_set1_epi32(more));
                    _mm256_i32gather_ps::<4>(grid.values.as_ptr(), at)
                };
            }
        }
        taps
    }
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Floats for Avx2 {
    type Whole = [__m256i; 2];

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([intrinsics!(_mm256_set1_ps(value)); 2])
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        // SAFETY: the array is two vectors', and loads ask for no alignment.
        Self(unsafe { [_mm256_loadu_ps(values.as_ptr()), _mm256_loadu_ps(values.as_ptr().add(HALF))] })
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; WIDTH]) {
        // SAFETY: the array is two vectors', and stores ask for no alignment.
        unsafe {
            _mm256_storeu_ps(to.as_mut_ptr(), self.0[0]);
            _mm256_storeu_ps(to.as_mut_ptr().add(HALF), self.0[1]);
        }
    }

    #[inline(always)]
    fn stream(self, to: &mut [f32; WIDTH]) {
        if to.as_ptr().addr().is_multiple_of(CACHE_LINE) {
            // SAFETY: the array is two vectors', at a multiple of their size.
            unsafe {
                _mm256_stream_ps(to.as_mut_ptr(), self.0[0]);
                _mm256_stream_ps(to.as_mut_ptr().add(HALF), self.0[1]);
            }
        } else {
            self.store(to);
        }
    }

    #[inline(always)]
    fn settle() {
        intrinsics!(_mm_sfence());
    }

    binary! {
        add = _mm256_add_ps,
        sub = _mm256_sub_ps,
        mul = _mm256_mul_ps,
        least = _mm256_min_ps,
        greatest = _mm256_max_ps,
    }

    #[inline(always)]
    fn unless_nan(self, of: Self) -> Self {
        let (Self([a, b]), Self([c, d])) = (self, of);
        Self(intrinsics!([
            _mm256_and_ps(a, _mm256_cmp_ps::<_CMP_ORD_Q>(c, c)),
            _mm256_and_ps(b, _mm256_cmp_ps::<_CMP_ORD_Q>(d, d)),
        ]))
    }

    #[inline(always)]
    fn unless_zero(self, of: Self, other: Self) -> Self {
        let (Self([a, b]), Self([c, d]), Self([e, f])) = (self, of, other);
        Self(intrinsics!({
            let zero = _mm256_setzero_ps();
            [
                _mm256_blendv_ps(a, e, _mm256_cmp_ps::<_CMP_EQ_OQ>(c, zero)),
                _mm256_blendv_ps(b, f, _mm256_cmp_ps::<_CMP_EQ_OQ>(d, zero)),
            ]
        }))
    }

    #[inline(always)]
    fn any_zero(self, other: Self) -> bool {
        let (Self([a, b]), Self([c, d])) = (self, other);
        intrinsics!({
            let zero = _mm256_setzero_ps();
            let low = _mm256_or_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, zero), _mm256_cmp_ps::<_CMP_EQ_OQ>(c, zero));
            let high = _mm256_or_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(b, zero), _mm256_cmp_ps::<_CMP_EQ_OQ>(d, zero));
            _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0
        })
    }

    #[inline(always)]
    fn floor(self) -> (Self, Self::Whole) {
        let whole = intrinsics!([_mm256_floor_ps(self.0[0]), _mm256_floor_ps(self.0[1])]);
        (Self(whole), intrinsics!([_mm256_cvtps_epi32(whole[0]), _mm256_cvtps_epi32(whole[1])]))
    }

    #[inline(always)]
    fn steps() -> Self {
        let [low, high] = Self::whole_steps();
        Self(intrinsics!([_mm256_cvtepi32_ps(low), _mm256_cvtepi32_ps(high)]))
    }

    #[inline(always)]
    fn whole(value: i32) -> Self::Whole {
        [intrinsics!(_mm256_set1_epi32(value)); 2]
    }

    #[inline(always)]
    fn whole_steps() -> Self::Whole {
        intrinsics!([_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15)])
    }

    #[inline(always)]
    fn whole_add([a, b]: Self::Whole, [c, d]: Self::Whole) -> Self::Whole {
        intrinsics!([_mm256_add_epi32(a, c), _mm256_add_epi32(b, d)])
    }

    #[inline(always)]
    fn wholes([low, high]: Self::Whole) -> [i32; WIDTH] {
        let mut list = [0; WIDTH];
        // SAFETY: the array is two vectors', and stores ask for no alignment.
        unsafe {
            _mm256_storeu_si256(list.as_mut_ptr().cast(), low);
            _mm256_storeu_si256(list.as_mut_ptr().add(HALF).cast(), high);
        }
        list
    }

    #[inline(always)]
    fn around<const K: usize>(grid: Grid<'_>, x: Self::Whole, y: Self::Whole) -> Option<[[Self; K]; K]> {
        if Self::inside::<K>([grid.columns as i32, grid.rows as i32], x, y) != 0xf {
            return None;
        }
        let low = Self::around_half::<K>(grid, x[0], y[0]);
        let high = Self::around_half::<K>(grid, x[1], y[1]);
        let mut taps = [[Self::splat(0.0); K]; K];
        for r in 0..K {
            for c in 0..K {
                taps[r][c] = Self([low[r][c], high[r][c]]);
            }
        }
        Some(taps)
    }

    #[inline(always)]
    fn inside<const K: usize>(size: [i32; 2], x: Self::Whole, y: Self::Whole) -> u32 {
        let (low, high) = (K as i32 / 2 - 1, K as i32 - (K as i32 / 2 - 1));
        let mut outside = 0;
        for half in 0..2 {
            outside |= intrinsics!({
                let columns = Self::outside(x[half], [low, size[0] - high]);
                let any = _mm256_or_si256(columns, Self::outside(y[half], [low, size[1] - high]));
                _mm256_movemask_ps(_mm256_castsi256_ps(any)) as u32
            }) << (HALF * half);
        }
        quads(!outside)
    }

    #[inline(always)]
    fn side_by_side(x: Self::Whole, y: Self::Whole) -> u32 {
        let mut mask = 0;
        for half in 0..2 {
            mask |= intrinsics!({
                let at = _mm256_sub_epi32(x[half], Self::whole_steps()[0]);
                let columns = _mm256_cmpeq_epi32(at, _mm256_shuffle_epi32::<0>(at));
                let rows = _mm256_cmpeq_epi32(y[half], _mm256_shuffle_epi32::<0>(y[half]));
                _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_and_si256(columns, rows))) as u32
            }) << (HALF * half);
        }
        quads(mask)
    }

    #[inline(always)]
    fn each_four_times(self, quad: usize) -> Self {
        let half = self.0[quad / 2];
        let from = 4 * (quad % 2) as i32;
        Self(intrinsics!({
            let first = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
            let from = _mm256_add_epi32(first, _mm256_set1_epi32(from));
            let more = _mm256_add_epi32(from, _mm256_set1_epi32(2));
            [_mm256_permutevar8x32_ps(half, from), _mm256_permutevar8x32_ps(half, more)]
        }))
    }

    #[inline(always)]
    fn fours([a, b, c, d]: [&[f32; 4]; 4]) -> Self {
        // SAFETY: each array is half a vector, and loads ask for no alignment.
        Self(unsafe { [_mm256_loadu2_m128(b.as_ptr(), a.as_ptr()), _mm256_loadu2_m128(d.as_ptr(), c.as_ptr())] })
    }
}
