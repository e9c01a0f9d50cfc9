//! Vectors of AVX2.

use core::arch::x86_64::*;

use super::{BLOCK, Block, Lanes, Scale};

/// 8 lanes.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Avx2(__m256i);

/// Calls intrinsics.
macro_rules! intrinsics {
    ($($call:tt)*) => {{
        // SAFETY: the methods are inlined into kernels that `Isa` runs only where the processor has the instructions; values
        // in, values out.
        unsafe { $($call)* }
    }};
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Lanes for Avx2 {
    const N: usize = 8;
    type Float = __m256;
    /// Multiplier and rounding; the kernel is chosen so that there is no shift.
    type Scale = [__m256i; 2];

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Avx2(intrinsics!(_mm256_set1_epi32(value)))
    }

    #[inline(always)]
    fn load(block: &Block, index: usize) -> Self {
        assert!(index < BLOCK / 8);
        // SAFETY: the vector lies in the block, and the load asks for no alignment.
        Avx2(unsafe { _mm256_loadu_si256(block.as_ptr().add(index * 8).cast()) })
    }

    #[inline(always)]
    fn store(self, block: &mut Block, index: usize) {
        assert!(index < BLOCK / 8);
        // SAFETY: the vector lies in the block, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(block.as_mut_ptr().add(index * 8).cast(), self.0) };
    }

    #[inline(always)]
    fn stream(from: &[i32], to: &mut [i32]) {
        assert!(from.len() == to.len());
        let head = to.as_ptr().align_offset(32).min(to.len());
        let vectors = (to.len() - head) / 8;
        to[..head].copy_from_slice(&from[..head]);
        for index in 0..vectors {
            // SAFETY: both slices have 8 values there, and `head` makes the target's address a multiple of 32.
            unsafe {
                let values = _mm256_loadu_si256(from.as_ptr().add(head + index * 8).cast());
                _mm256_stream_si256(to.as_mut_ptr().add(head + index * 8).cast::<__m256i>(), values);
            }
        }
        let tail = head + vectors * 8;
        to[tail..].copy_from_slice(&from[tail..]);
    }

    #[inline(always)]
    fn settle() {
        intrinsics!(_mm_sfence());
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_sub_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_mullo_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_xor_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_min_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_max_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Avx2(intrinsics!(_mm256_srai_epi32::<31>(self.0)))
    }

    #[inline(always)]
    fn high(self) -> Self {
        Avx2(intrinsics!(_mm256_srai_epi32::<16>(self.0)))
    }

    #[inline(always)]
    fn srl16(self) -> Self {
        Avx2(intrinsics!(_mm256_srli_epi32::<16>(self.0)))
    }

    #[inline(always)]
    fn srl15(self) -> Self {
        Avx2(intrinsics!(_mm256_srli_epi32::<15>(self.0)))
    }

    #[inline(always)]
    fn shl15(self) -> Self {
        Avx2(intrinsics!(_mm256_slli_epi32::<15>(self.0)))
    }

    #[inline(always)]
    fn shl16(self) -> Self {
        Avx2(intrinsics!(_mm256_slli_epi32::<16>(self.0)))
    }

    #[inline(always)]
    fn sra(self, by: Self) -> Self {
        Avx2(intrinsics!(_mm256_srav_epi32(self.0, by.0)))
    }

    #[inline(always)]
    fn srl(self, by: Self) -> Self {
        Avx2(intrinsics!(_mm256_srlv_epi32(self.0, by.0)))
    }

    #[inline(always)]
    fn shl(self, by: Self) -> Self {
        Avx2(intrinsics!(_mm256_sllv_epi32(self.0, by.0)))
    }

    #[inline(always)]
    fn scale_by(scale: Scale) -> Self::Scale {
        debug_assert!(scale.shift == 0);
        let (multiplier, round) = (scale.multiplier as i32, scale.round as i64);
        intrinsics!([_mm256_set1_epi32(multiplier), _mm256_set1_epi64x(round)])
    }

    #[inline(always)]
    fn scale(self, [multiplier, round]: Self::Scale) -> Self {
        Avx2(intrinsics!({
            let n = _mm256_abs_epi32(self.0);
            let even = _mm256_add_epi64(_mm256_mul_epu32(n, multiplier), round);
            let odd = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64::<32>(n), multiplier), round);
            let size = _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd);
            _mm256_sign_epi32(size, self.0)
        }))
    }

    #[inline(always)]
    fn float(self) -> Self::Float {
        intrinsics!(_mm256_cvtepi32_ps(self.0))
    }

    #[inline(always)]
    fn as_float(self) -> Self::Float {
        intrinsics!(_mm256_castsi256_ps(self.0))
    }

    #[inline(always)]
    fn bits(value: Self::Float) -> Self {
        Avx2(intrinsics!(_mm256_castps_si256(value)))
    }

    #[inline(always)]
    fn float_splat(value: f32) -> Self::Float {
        intrinsics!(_mm256_set1_ps(value))
    }

    #[inline(always)]
    fn float_add(a: Self::Float, b: Self::Float) -> Self::Float {
        intrinsics!(_mm256_add_ps(a, b))
    }

    #[inline(always)]
    fn float_mul(a: Self::Float, b: Self::Float) -> Self::Float {
        intrinsics!(_mm256_mul_ps(a, b))
    }

    #[inline(always)]
    fn float_div(a: Self::Float, b: Self::Float) -> Self::Float {
        intrinsics!(_mm256_div_ps(a, b))
    }

    #[inline(always)]
    fn float_mul_add(a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float {
        intrinsics!(_mm256_fmadd_ps(a, b, c))
    }

    #[inline(always)]
    fn nearest(value: Self::Float) -> Self {
        Avx2(intrinsics!(_mm256_cvtps_epi32(value)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Avx2(intrinsics!(_mm256_abs_epi32(self.0)))
    }

    #[inline(always)]
    fn with_sign_of(self, of: Self) -> Self {
        Avx2(intrinsics!(_mm256_sign_epi32(self.0, of.0)))
    }

    #[inline(always)]
    fn west(self, before: Self) -> Self {
        Avx2(intrinsics!(_mm256_alignr_epi8::<12>(self.0, _mm256_permute2x128_si256::<0x21>(before.0, self.0))))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Avx2(intrinsics!(_mm256_cmpeq_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn pick(self, yes: Self, no: Self) -> Self {
        Self::bits(intrinsics!(_mm256_blendv_ps(no.as_float(), yes.as_float(), self.as_float())))
    }

    #[inline(always)]
    fn any_negative(self) -> bool {
        intrinsics!(_mm256_movemask_ps(self.as_float())) != 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsics!(_mm256_testz_si256(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // Without the bit below the highest one, a conversion to f32 does not round up to the next power of two.
        let top = Avx2(intrinsics!(_mm256_andnot_si256(_mm256_srli_epi32::<1>(self.0), self.0)));
        let exponent = Avx2(intrinsics!(_mm256_srli_epi32::<23>(Self::bits(top.float()).0)));
        Self::splat(158).sub(exponent)
    }
}
