//! Vectors of AVX-512. Taps of a row come from a table: 32 consecutive columns in two vectors, from which each lane
//! picks its column by a permutation.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use core::arch::x86_64::*;

use super::super::CACHE_LINE;
use super::super::x86::{binary, intrinsics};
use super::{Floats, Grid, WIDTH, quads};

/// A vector.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Avx512(__m512);

/// Columns of a table.
const TABLE: usize = 2 * WIDTH;

/// Columns of a table to the left of the taps of the first and the last lane: lanes between them may lie further left.
const SPARE: i32 = 7;

impl Grid<'_> {
    /// Whether the `K` × `K` taps of all positions from the least to the greatest column and row are on the grid.
    #[inline(always)]
    fn holds<const K: usize>(self, [left, right]: [i32; 2], [bottom, top]: [i32; 2]) -> bool {
        let low = K as i32 / 2 - 1;
        let high = K as i64 - i64::from(low);
        left >= low
            && bottom >= low
            && i64::from(right) + high <= self.columns as i64
            && i64::from(top) + high <= self.rows as i64
    }
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Avx512 {
    /// Looks up `K` taps per lane in the table that begins at index `from` of the grid's values; `x`: columns in the
    /// table.
    ///
    /// # Safety
    /// The columns of the table are on the grid.
    #[inline(always)]
    unsafe fn look_up<const K: usize>(grid: Grid<'_>, from: usize, x: [__m512i; K]) -> [Self; K] {
        debug_assert!(from + TABLE <= grid.values.len());
        // SAFETY: the caller's; loads ask for no alignment.
        let (low, high) = unsafe {
            let row = grid.values.as_ptr().add(from);
            (_mm512_loadu_ps(row), _mm512_loadu_ps(row.add(WIDTH)))
        };
        let mut found = [Self(low); K];
        for c in 0..K {
            found[c] = Self(intrinsics!(_mm512_permutex2var_ps(low, x[c], high)));
        }
        found
    }

    /// As [`Floats::around`], for positions in any rows whose taps are in the columns of one table. `first`: the first
    /// column of the table; `at`: columns of the first taps in it, below `TABLE`. `None` also where the table is not on
    /// the grid.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    fn around_rows<const K: usize>(grid: Grid<'_>, first: usize, at: __m512i, y: __m512i) -> Option<[[Self; K]; K]> {
        if first + TABLE > grid.columns {
            return None;
        }
        let low = K as i32 / 2 - 1;
        let mut columns = [at; K];
        for c in 1..K {
            columns[c] = Self::whole_add(at, Self::whole(c as i32));
        }
        let mut taps = [[Self::splat(0.0); K]; K];
        // One pass for each distinct row. The planes of a volume follow one another in the grid, so that neighbours in two
        // planes are many rows apart.
        let mut remaining = u16::MAX;
        while remaining != 0 {
            let lane_row = _mm512_cvtsi512_si32(_mm512_maskz_compress_epi32(remaining, y));
            let lanes = _mm512_cmpeq_epi32_mask(y, Self::whole(lane_row));
            remaining &= !lanes;
            let row = lane_row.wrapping_sub(low);
            if row < 0 || row as usize + K > grid.rows {
                return None;
            }
            for (r, taps) in taps.iter_mut().enumerate() {
                let from = (row as usize + r) * grid.columns + first;
                // SAFETY: the row and the columns of the table were just found to be on the grid.
                let found: [Self; K] = unsafe { Self::look_up(grid, from, columns) };
                for (tap, value) in taps.iter_mut().zip(found) {
                    *tap = Self(_mm512_mask_mov_ps(tap.0, lanes, value.0));
                }
            }
        }
        Some(taps)
    }

    /// As [`Floats::around`], for positions that are not within the table of the first and the last lane.
    #[cold]
    #[inline(never)]
    fn around_far<const K: usize>(grid: Grid<'_>, x: __m512i, y: __m512i) -> Option<[[Self; K]; K]> {
        // SAFETY: the vectors are those of a processor that has the instructions.
        unsafe { Self::around_any(grid, x, y) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    fn around_any<const K: usize>(grid: Grid<'_>, x: __m512i, y: __m512i) -> Option<[[Self; K]; K]> {
        let low = K as i32 / 2 - 1;
        let [left, right] = [_mm512_reduce_min_epi32(x), _mm512_reduce_max_epi32(x)];
        let [bottom, top] = [_mm512_reduce_min_epi32(y), _mm512_reduce_max_epi32(y)];
        if !grid.holds::<K>([left, right], [bottom, top]) {
            return None;
        }
        let first = ((left - low) as usize).min(grid.columns.saturating_sub(TABLE));
        let last = (right - low) as usize + K - 1;
        if last - first < TABLE && grid.columns >= TABLE {
            let at = _mm512_sub_epi32(x, Self::whole(low + first as i32));
            return Self::around_rows(grid, first, at, y);
        }
        let mut taps = [[Self::splat(0.0); K]; K];
        let stride = grid.columns as i32;
        let at = _mm512_add_epi32(_mm512_mullo_epi32(y, Self::whole(stride)), x);
        for (r, row) in taps.iter_mut().enumerate() {
            for (c, tap) in row.iter_mut().enumerate() {
                let more = (r as i32 - low) * stride + c as i32 - low;
                // SAFETY: all positions were found to be on the grid.
                *tap = Self(unsafe {
                    let at = _mm512_add_epi32(at, Self::whole(more));
                    _mm512_i32gather_ps::<4>(at, grid.values.as_ptr())
                });
            }
        }
        Some(taps)
    }
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Avx512 {
    /// As [`Floats::around_sides`].
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    fn gather<const K: usize>(grid: Grid<'_>, [x, y]: [__m512i; 2], open: [bool; 4]) -> [[Self; K]; K] {
        assert!(grid.columns > 0 && grid.rows > 0, "a grid without numbers");
        let low = K as i32 / 2 - 1;
        // Along one axis: the indices of a tap clamped to the grid, and the lanes whose tap is not 0.
        let clamped_index = |at: __m512i, more: usize, count: usize, [before, after]: [bool; 2]| {
            let (none, last) = (_mm512_setzero_si512(), Self::whole(count as i32 - 1));
            let at = _mm512_add_epi32(at, Self::whole(more as i32 - low));
            let above = if before { _mm512_cmpge_epi32_mask(at, none) } else { u16::MAX };
            let below = if after { _mm512_cmple_epi32_mask(at, last) } else { u16::MAX };
            (_mm512_min_epi32(_mm512_max_epi32(at, none), last), above & below)
        };
        let stride = Self::whole(grid.columns as i32);
        let mut taps = [[Self::splat(0.0); K]; K];
        for (r, row) in taps.iter_mut().enumerate() {
            let (line, there) = clamped_index(y, r, grid.rows, [open[2], open[3]]);
            let line = _mm512_mullo_epi32(line, stride);
            for (c, tap) in row.iter_mut().enumerate() {
                let (column, here) = clamped_index(x, c, grid.columns, [open[0], open[1]]);
                let at = _mm512_add_epi32(line, column);
                // SAFETY: positions are clamped to the grid, whose indices fit an i32.
                *tap = Self(unsafe { _mm512_mask_i32gather_ps::<4>(tap.0, there & here, at, grid.values.as_ptr()) });
            }
        }
        taps
    }

    /// [`gather`](Self::gather), not inlined: it is rarely called.
    #[cold]
    #[inline(never)]
    fn gather_seldom<const K: usize>(grid: Grid<'_>, at: [__m512i; 2], open: [bool; 4]) -> [[Self; K]; K] {
        // SAFETY: the vectors are those of a processor that has the instructions.
        unsafe { Self::gather(grid, at, open) }
    }
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Floats for Avx512 {
    type Whole = __m512i;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(intrinsics!(_mm512_set1_ps(value)))
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        // SAFETY: the array is a vector's, and the load asks for no alignment.
        Self(unsafe { _mm512_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; WIDTH]) {
        // SAFETY: the array is a vector's, and the store asks for no alignment.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn stream(self, to: &mut [f32; WIDTH]) {
        if to.as_ptr().addr().is_multiple_of(CACHE_LINE) {
            // SAFETY: the array is a vector's, at a multiple of a vector's size.
            unsafe { _mm512_stream_ps(to.as_mut_ptr(), self.0) };
        } else {
            self.store(to);
        }
    }

    #[inline(always)]
    fn settle() {
        intrinsics!(_mm_sfence());
    }

    binary! {
        add = _mm512_add_ps,
        sub = _mm512_sub_ps,
        mul = _mm512_mul_ps,
        least = _mm512_min_ps,
        greatest = _mm512_max_ps,
    }

    #[inline(always)]
    fn unless_nan(self, of: Self) -> Self {
        Self(intrinsics!({
            let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(of.0, of.0);
            _mm512_maskz_mov_ps(number, self.0)
        }))
    }

    #[inline(always)]
    fn unless_zero(self, of: Self, other: Self) -> Self {
        Self(intrinsics!({
            let zero = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(of.0, _mm512_setzero_ps());
            _mm512_mask_mov_ps(self.0, zero, other.0)
        }))
    }

    #[inline(always)]
    fn any_zero(self, other: Self) -> bool {
        intrinsics!({
            let zero = _mm512_setzero_ps();
            let of_self = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self.0, zero);
            (of_self | _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(other.0, zero)) != 0
        })
    }

    #[inline(always)]
    fn floor(self) -> (Self, __m512i) {
        let whole = intrinsics!(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(self.0));
        (Self(whole), intrinsics!(_mm512_cvtps_epi32(whole)))
    }

    #[inline(always)]
    fn steps() -> Self {
        Self(intrinsics!(_mm512_cvtepi32_ps(Self::whole_steps())))
    }

    #[inline(always)]
    fn whole(value: i32) -> __m512i {
        intrinsics!(_mm512_set1_epi32(value))
    }

    #[inline(always)]
    fn whole_steps() -> __m512i {
        intrinsics!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }

    #[inline(always)]
    fn whole_add(a: __m512i, b: __m512i) -> __m512i {
        intrinsics!(_mm512_add_epi32(a, b))
    }

    #[inline(always)]
    fn wholes(of: __m512i) -> [i32; WIDTH] {
        let mut list = [0; WIDTH];
        // SAFETY: the array is a vector's, and the store asks for no alignment.
        unsafe { _mm512_storeu_si512(list.as_mut_ptr().cast(), of) };
        list
    }

    #[inline(always)]
    fn around<const K: usize>(grid: Grid<'_>, x: __m512i, y: __m512i) -> Option<[[Self; K]; K]> {
        let low = K as i32 / 2 - 1;
        let [x0, x15, y0, y15] = intrinsics!({
            let (x_last, y_last) = (_mm512_extracti32x4_epi32::<3>(x), _mm512_extracti32x4_epi32::<3>(y));
            [
                _mm512_cvtsi512_si32(x),
                _mm_extract_epi32::<3>(x_last),
                _mm512_cvtsi512_si32(y),
                _mm_extract_epi32::<3>(y_last),
            ]
        });
        // In smooth flow, neighbouring cells trace back to neighbouring positions.
        let (column, row) = (x0.wrapping_sub(low), y0.wrapping_sub(low));
        let along = intrinsics!({
            let columns = _mm512_add_epi32(Self::whole_steps(), _mm512_set1_epi32(x0));
            let columns = _mm512_cmpeq_epi32_mask(x, columns);
            _mm512_mask_cmpeq_epi32_mask(columns, y, _mm512_set1_epi32(y0))
        });
        let fits =
            column >= 0 && row >= 0 && column as usize + WIDTH + K - 1 <= grid.columns && row as usize + K <= grid.rows;
        if along == u16::MAX && fits {
            let from = row as usize * grid.columns + column as usize;
            let mut taps = [[Self::splat(0.0); K]; K];
            for r in 0..K {
                for c in 0..K {
                    // SAFETY: the rows and columns around the positions were just found to be on the grid.
                    taps[r][c] =
                        Self(unsafe { _mm512_loadu_ps(grid.values.as_ptr().add(from + r * grid.columns + c)) });
                }
            }
            return Some(taps);
        }
        // A table on the grid, with some columns on either side of the taps of the first and the last lane.
        let last = grid.columns as i32 - TABLE as i32;
        let first = (x0.min(x15.wrapping_sub(WIDTH as i32 - 1)).wrapping_sub(low + SPARE)).min(last).max(0);
        let bottom = y0.min(y15);
        let at = intrinsics!(_mm512_sub_epi32(x, Self::whole(first + low)));
        let [inside, lower, upper] = intrinsics!([
            _mm512_cmple_epu32_mask(at, Self::whole(TABLE as i32 - K as i32)),
            _mm512_cmpeq_epi32_mask(y, Self::whole(bottom)),
            _mm512_cmpeq_epi32_mask(y, Self::whole(bottom.wrapping_add(1))),
        ]);
        let more = usize::from(upper != 0);
        let row = bottom.wrapping_sub(low);
        let near = (inside & (lower | upper)) == u16::MAX;
        if !near || last < 0 || row < 0 || row as usize + more + K > grid.rows {
            // Vectors are copied one by one: returning the array of a call would make the compiler keep the arrays of
            // the other paths in memory too.
            let far: [[Self; K]; K] = if inside == u16::MAX && last >= 0 {
                intrinsics!(Self::around_rows(grid, first as usize, at, y))?
            } else {
                Self::around_far(grid, x, y)?
            };
            let mut taps = [[Self::splat(0.0); K]; K];
            for r in 0..K {
                for c in 0..K {
                    taps[r][c] = far[r][c];
                }
            }
            return Some(taps);
        }
        let mut columns = [at; K];
        for c in 1..K {
            columns[c] = Self::whole_add(at, Self::whole(c as i32));
        }
        let from = row as usize * grid.columns + first as usize;
        let mut taps = [[Self::splat(0.0); K]; K];
        for r in 0..K {
            // SAFETY: `first` is at most `last`, so the table ends within the row; the rows were just found to be on
            // the grid.
            taps[r] = unsafe { Self::look_up(grid, from + r * grid.columns, columns) };
        }
        if upper != 0 {
            // SAFETY: as above, with one row more.
            let above = unsafe { Self::look_up(grid, from + K * grid.columns, columns) };
            for r in 0..K {
                for c in 0..K {
                    let next = if r + 1 < K { taps[r + 1][c] } else { above[c] };
                    taps[r][c] = Self(intrinsics!(_mm512_mask_mov_ps(taps[r][c].0, upper, next.0)));
                }
            }
        }
        Some(taps)
    }

    #[inline(always)]
    fn around_sides<const K: usize>(grid: Grid<'_>, x: __m512i, y: __m512i, open: [bool; 4]) -> [[Self; K]; K] {
        // Vectors are copied one by one, as in `around`.
        let all: [[Self; K]; K] = Self::gather_seldom(grid, [x, y], open);
        let mut taps = [[Self::splat(0.0); K]; K];
        for r in 0..K {
            for c in 0..K {
                taps[r][c] = all[r][c];
            }
        }
        taps
    }

    #[inline(always)]
    fn inside<const K: usize>(size: [i32; 2], x: __m512i, y: __m512i) -> u32 {
        let (low, most) = (K as i32 / 2 - 1, [size[0] - K as i32, size[1] - K as i32]);
        if most[0] < 0 || most[1] < 0 {
            return 0;
        }
        quads(u32::from(intrinsics!({
            let low = _mm512_set1_epi32(low);
            let columns = _mm512_cmple_epu32_mask(_mm512_sub_epi32(x, low), _mm512_set1_epi32(most[0]));
            _mm512_mask_cmple_epu32_mask(columns, _mm512_sub_epi32(y, low), _mm512_set1_epi32(most[1]))
        })))
    }

    #[inline(always)]
    fn side_by_side(x: __m512i, y: __m512i) -> u32 {
        let mask = intrinsics!({
            let at = _mm512_sub_epi32(x, Self::whole_steps());
            let columns = _mm512_cmpeq_epi32_mask(at, _mm512_shuffle_epi32::<0>(at));
            _mm512_mask_cmpeq_epi32_mask(columns, y, _mm512_shuffle_epi32::<0>(y))
        });
        quads(u32::from(mask))
    }

    #[inline(always)]
    fn each_four_times(self, quad: usize) -> Self {
        let from = 4 * quad as i32;
        Self(intrinsics!({
            let lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
            _mm512_permutexvar_ps(_mm512_add_epi32(lanes, _mm512_set1_epi32(from)), self.0)
        }))
    }

    #[inline(always)]
    fn fours([a, b, c, d]: [&[f32; 4]; 4]) -> Self {
        // SAFETY: each array is a quarter of a vector, and loads ask for no alignment.
        Self(unsafe {
            let low = _mm512_castps128_ps512(_mm_loadu_ps(a.as_ptr()));
            let low = _mm512_insertf32x4::<1>(low, _mm_loadu_ps(b.as_ptr()));
            let low = _mm512_insertf32x4::<2>(low, _mm_loadu_ps(c.as_ptr()));
            _mm512_insertf32x4::<3>(low, _mm_loadu_ps(d.as_ptr()))
        })
    }

    #[inline(always)]
    fn blocks<const K: usize>(values: &[[f32; 4]], from: usize, stride: usize) -> [[Self; K]; K] {
        // End of the last row.
        let end = (K - 1).saturating_mul(stride).saturating_add(K + 3).saturating_add(from);
        assert!(end <= values.len(), "fours that are not there");
        let mut blocks = [[Self::splat(0.0); K]; K];
        for r in 0..K {
            for c in 0..K {
                // SAFETY: a vector has four groups of four, and those of the last row end within the slice.
                blocks[r][c] = Self(unsafe { _mm512_loadu_ps(values.as_ptr().add(from + r * stride + c).cast()) });
            }
        }
        blocks
    }

    #[inline(always)]
    fn blocks_apart<const K: usize>(values: &[[f32; 4]], from: [usize; 4], stride: usize) -> [[Self; K]; K] {
        let furthest = from[0].max(from[1]).max(from[2].max(from[3]));
        let end = (K - 1).saturating_mul(stride).saturating_add(K).saturating_add(furthest);
        assert!(end <= values.len(), "fours that are not there");
        let mut blocks = [[Self::splat(0.0); K]; K];
        for r in 0..K {
            for c in 0..K {
                // SAFETY: the last row of the furthest block ends within the slice.
                blocks[r][c] = Self(unsafe {
                    let four = |from: usize| _mm_loadu_ps(values.as_ptr().add(from + r * stride + c).cast());
                    let low = _mm512_castps128_ps512(four(from[0]));
                    let low = _mm512_insertf32x4::<1>(low, four(from[1]));
                    let low = _mm512_insertf32x4::<2>(low, four(from[2]));
                    _mm512_insertf32x4::<3>(low, four(from[3]))
                });
            }
        }
        blocks
    }
}
