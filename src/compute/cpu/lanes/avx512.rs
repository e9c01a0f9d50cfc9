//! Vectors of AVX-512 (F, BW, CD, DQ, VL).

use core::arch::x86_64::*;

use super::{BLOCK, Block, Lanes, Scale};

/// 16 lanes.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Avx512(__m512i);

/// Calls intrinsics.
macro_rules! intrinsics {
    ($($call:tt)*) => {{
        // SAFETY: the methods are inlined into kernels that `Isa` runs only where the processor has the instructions; values
        // in, values out.
        unsafe { $($call)* }
    }};
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Lanes for Avx512 {
    const N: usize = 16;
    type Float = __m512;
    /// Multiplier and rounding; the kernel is chosen so that there is no shift.
    type Scale = [__m512i; 2];

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Avx512(intrinsics!(_mm512_set1_epi32(value)))
    }

    #[inline(always)]
    fn load(block: &Block, index: usize) -> Self {
        assert!(index < BLOCK / 16);
        // SAFETY: the vector lies in the block, and the load asks for no alignment.
        Avx512(unsafe { _mm512_loadu_epi32(block.as_ptr().add(index * 16).cast()) })
    }

    #[inline(always)]
    fn store(self, block: &mut Block, index: usize) {
        assert!(index < BLOCK / 16);
        // SAFETY: the vector lies in the block, and the store asks for no alignment.
        unsafe { _mm512_storeu_epi32(block.as_mut_ptr().add(index * 16).cast(), self.0) };
    }

    #[inline(always)]
    fn stream(from: &[i32], to: &mut [i32]) {
        assert!(from.len() == to.len());
        let head = to.as_ptr().align_offset(64).min(to.len());
        let vectors = (to.len() - head) / 16;
        to[..head].copy_from_slice(&from[..head]);
        for index in 0..vectors {
            // SAFETY: both slices have 16 values there, and `head` makes the target's address a multiple of 64.
            unsafe {
                let values = _mm512_loadu_si512(from.as_ptr().add(head + index * 16).cast());
                _mm512_stream_si512(to.as_mut_ptr().add(head + index * 16).cast::<__m512i>(), values);
            }
        }
        let tail = head + vectors * 16;
        to[tail..].copy_from_slice(&from[tail..]);
    }

    #[inline(always)]
    fn settle() {
        intrinsics!(_mm_sfence());
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_sub_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_mullo_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_and_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_or_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_xor_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_min_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_max_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Avx512(intrinsics!(_mm512_srai_epi32::<31>(self.0)))
    }

    #[inline(always)]
    fn high(self) -> Self {
        Avx512(intrinsics!(_mm512_srai_epi32::<16>(self.0)))
    }

    #[inline(always)]
    fn srl16(self) -> Self {
        Avx512(intrinsics!(_mm512_srli_epi32::<16>(self.0)))
    }

    #[inline(always)]
    fn srl15(self) -> Self {
        Avx512(intrinsics!(_mm512_srli_epi32::<15>(self.0)))
    }

    #[inline(always)]
    fn shl15(self) -> Self {
        Avx512(intrinsics!(_mm512_slli_epi32::<15>(self.0)))
    }

    #[inline(always)]
    fn shl16(self) -> Self {
        Avx512(intrinsics!(_mm512_slli_epi32::<16>(self.0)))
    }

    #[inline(always)]
    fn sra(self, by: Self) -> Self {
        Avx512(intrinsics!(_mm512_srav_epi32(self.0, by.0)))
    }

    #[inline(always)]
    fn srl(self, by: Self) -> Self {
        Avx512(intrinsics!(_mm512_srlv_epi32(self.0, by.0)))
    }

    #[inline(always)]
    fn shl(self, by: Self) -> Self {
        Avx512(intrinsics!(_mm512_sllv_epi32(self.0, by.0)))
    }

    #[inline(always)]
    fn scale_by(scale: Scale) -> Self::Scale {
        debug_assert!(scale.shift == 0);
        let (multiplier, round) = (scale.multiplier as i32, scale.round as i64);
        intrinsics!([_mm512_set1_epi32(multiplier), _mm512_set1_epi64(round)])
    }

    #[inline(always)]
    fn scale(self, [multiplier, round]: Self::Scale) -> Self {
        Avx512(intrinsics!({
            let n = _mm512_abs_epi32(self.0);
            let even = _mm512_add_epi64(_mm512_mul_epu32(n, multiplier), round);
            let odd = _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64::<32>(n), multiplier), round);
            let size = _mm512_mask_shuffle_epi32::<0b1111_0101>(odd, 0b0101_0101_0101_0101, even);
            _mm512_mask_sub_epi32(size, _mm512_movepi32_mask(self.0), _mm512_setzero_si512(), size)
        }))
    }

    #[inline(always)]
    fn float(self) -> Self::Float {
        intrinsics!(_mm512_cvtepi32_ps(self.0))
    }

    #[inline(always)]
    fn as_float(self) -> Self::Float {
        intrinsics!(_mm512_castsi512_ps(self.0))
    }

    #[inline(always)]
    fn bits(value: Self::Float) -> Self {
        Avx512(intrinsics!(_mm512_castps_si512(value)))
    }

    #[inline(always)]
    fn float_splat(value: f32) -> Self::Float {
        intrinsics!(_mm512_set1_ps(value))
    }

    #[inline(always)]
    fn float_add(a: Self::Float, b: Self::Float) -> Self::Float {
        intrinsics!(_mm512_add_ps(a, b))
    }

    #[inline(always)]
    fn float_mul(a: Self::Float, b: Self::Float) -> Self::Float {
        intrinsics!(_mm512_mul_ps(a, b))
    }

    #[inline(always)]
    fn float_div(a: Self::Float, b: Self::Float) -> Self::Float {
        intrinsics!(_mm512_div_ps(a, b))
    }

    #[inline(always)]
    fn float_mul_add(a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float {
        intrinsics!(_mm512_fmadd_ps(a, b, c))
    }

    #[inline(always)]
    fn nearest(value: Self::Float) -> Self {
        Avx512(intrinsics!(_mm512_cvtps_epi32(value)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Avx512(intrinsics!(_mm512_abs_epi32(self.0)))
    }

    #[inline(always)]
    fn with_sign_of(self, of: Self) -> Self {
        Avx512(intrinsics!({
            _mm512_mask_sub_epi32(self.0, _mm512_movepi32_mask(of.0), _mm512_setzero_si512(), self.0)
        }))
    }

    #[inline(always)]
    fn west(self, before: Self) -> Self {
        Avx512(intrinsics!(_mm512_alignr_epi32::<15>(self.0, before.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Avx512(intrinsics!(_mm512_movm_epi32(_mm512_cmpeq_epi32_mask(self.0, other.0))))
    }

    #[inline(always)]
    fn pick(self, yes: Self, no: Self) -> Self {
        Avx512(intrinsics!(_mm512_mask_mov_epi32(no.0, _mm512_movepi32_mask(self.0), yes.0)))
    }

    #[inline(always)]
    fn any_negative(self) -> bool {
        intrinsics!(_mm512_movepi32_mask(self.0)) != 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsics!(_mm512_test_epi32_mask(self.0, self.0)) != 0
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        Avx512(intrinsics!(_mm512_lzcnt_epi32(self.0)))
    }
}
