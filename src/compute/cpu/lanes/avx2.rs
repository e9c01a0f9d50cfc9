//! Vectors of AVX2, with FMA.

use core::arch::x86_64::*;

use super::x86::{binary, float, instructions, intrinsics, memory, unary};
use super::{BLOCK, Block, CACHE_LINE, INTEGERS, Lanes, Scale};

/// 8 lanes.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Avx2(__m256i);

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Avx2 {
    // `transmute` in place of the cast intrinsics: compilers do not inline all of them in large kernels.

    #[inline(always)]
    fn as_float(self) -> __m256 {
        intrinsics!(std::mem::transmute::<__m256i, __m256>(self.0))
    }

    #[inline(always)]
    fn bits(value: __m256) -> Self {
        Self(intrinsics!(std::mem::transmute::<__m256, __m256i>(value)))
    }

    /// The products of the lanes with `by`, plus `more`, in f64.
    #[inline(always)]
    fn products(self, by: __m256d, more: [__m256d; 2]) -> [__m256d; 2] {
        intrinsics!({
            let low = _mm256_cvtepi32_pd(_mm256_castsi256_si128(self.0));
            let high = _mm256_cvtepi32_pd(_mm256_extracti128_si256::<1>(self.0));
            [_mm256_fmadd_pd(low, by, more[0]), _mm256_fmadd_pd(high, by, more[1])]
        })
    }

    /// The integers in the low halves of sums with [`INTEGERS`].
    #[inline(always)]
    fn integers([low, high]: [__m256d; 2]) -> Self {
        Self(intrinsics!({
            let mixed = _mm256_shuffle_ps::<0b10_00_10_00>(_mm256_castpd_ps(low), _mm256_castpd_ps(high));
            _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_castps_si256(mixed))
        }))
    }
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Lanes for Avx2 {
    const N: usize = 8;
    type Float = __m256;
    type Scale = __m256d;

    memory! {
        __m256i, load _mm256_loadu_si256, store _mm256_storeu_si256, stream _mm256_stream_si256, splat _mm256_set1_epi32,
        float _mm256_cvtepi32_ps, nearest _mm256_cvtps_epi32, float_splat _mm256_set1_ps,
    }

    binary! {
        add = _mm256_add_epi32,
        sub = _mm256_sub_epi32,
        mul = _mm256_mullo_epi32,
        and = _mm256_and_si256,
        or = _mm256_or_si256,
        xor = _mm256_xor_si256,
        min = _mm256_min_epi32,
        max = _mm256_max_epi32,
        sra = _mm256_srav_epi32,
        shl = _mm256_sllv_epi32,
    }

    instructions! {
        __m256i, ymm_reg, "avx2",
        srl = "vpsrlvd",
        mul_low_halves = "vpmulhuw",
    }

    unary! {
        abs = _mm256_abs_epi32,
        sign = _mm256_srai_epi32::<31>,
        high = _mm256_srai_epi32::<16>,
        srl16 = _mm256_srli_epi32::<16>,
        srl31 = _mm256_srli_epi32::<31>,
        exponent = _mm256_srli_epi32::<23>,
        shl16 = _mm256_slli_epi32::<16>,
    }

    float! {
        float_add = _mm256_add_ps,
        float_mul = _mm256_mul_ps,
        float_div = _mm256_div_ps,
    }

    #[inline(always)]
    fn west(self, before: Self) -> Self {
        Self(intrinsics!(_mm256_alignr_epi8::<12>(self.0, _mm256_permute2x128_si256::<0x21>(before.0, self.0))))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(intrinsics!(_mm256_cmpeq_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn pick(self, yes: Self, no: Self) -> Self {
        Self::bits(intrinsics!(_mm256_blendv_ps(no.as_float(), yes.as_float(), self.as_float())))
    }

    #[inline(always)]
    fn negatives(self) -> u32 {
        intrinsics!(_mm256_movemask_ps(self.as_float())) as u32
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsics!(_mm256_testz_si256(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // Without the bit below the highest one, the conversion to f32 cannot round up to the next power of two.
        let top = Self(intrinsics!(_mm256_andnot_si256(_mm256_srli_epi32::<1>(self.0), self.0)));
        let exponent = Self(intrinsics!(_mm256_srli_epi32::<23>(Self::bits(top.float()).0)));
        Self::splat(158).sub(exponent)
    }

    #[inline(always)]
    fn leading(self) -> Self {
        // Without these bits, below the 17th, the conversion to f32 cannot round up.
        Self::bits(Self(intrinsics!(_mm256_andnot_si256(_mm256_srli_epi32::<17>(self.0), self.0))).float())
    }

    #[inline(always)]
    fn divisor(self) -> [Self; 2] {
        let number = self.float();
        [Self::bits(Self::float_div(Self::float_splat(1.0), number)), Self::bits(number)]
    }

    #[inline(always)]
    fn quotient(self, [inverse, number]: [Self; 2]) -> Self {
        // The nearest integer is the floor, or one more; then the exact remainder is negative.
        let (dividend, magic) = (self.as_float(), Self::float_splat(8_388_608.0));
        let near = intrinsics!(_mm256_fmadd_ps(dividend, inverse.as_float(), magic));
        let rest = intrinsics!(_mm256_fnmadd_ps(_mm256_sub_ps(near, magic), number.as_float(), dividend));
        Self::bits(near).and(Self::splat(0x007f_ffff)).add(Self::bits(rest).sign())
    }

    #[inline(always)]
    fn with_sign_of(self, of: Self) -> Self {
        Self(intrinsics!(_mm256_sign_epi32(self.0, of.0)))
    }

    #[inline(always)]
    fn scale_by(scale: Scale) -> Self::Scale {
        intrinsics!(_mm256_set1_pd(scale.factor))
    }

    #[inline(always)]
    fn scale(self, by: Self::Scale) -> Self {
        Self::integers(self.products(by, [intrinsics!(_mm256_set1_pd(INTEGERS)); 2]))
    }

    #[inline(always)]
    fn scale_both([a, b]: [Self; 2], by: [Self::Scale; 2]) -> Self {
        let first = a.products(by[0], [intrinsics!(_mm256_set1_pd(INTEGERS)); 2]);
        Self::integers(b.products(by[1], first))
    }
}
