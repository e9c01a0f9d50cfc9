//! Vectors of AVX-512 (F, BW, CD, DQ, VL).

use core::arch::x86_64::*;

use super::x86::{binary, float, instructions, intrinsics, memory, unary};
use super::{BLOCK, Block, CACHE_LINE, INTEGERS, Lanes, Scale};

/// 16 lanes.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Avx512(__m512i);

/// Rounding towards zero.
const TO_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Avx512 {
    #[inline(always)]
    fn as_float(self) -> __m512 {
        intrinsics!(_mm512_castsi512_ps(self.0))
    }

    #[inline(always)]
    fn bits(value: __m512) -> Self {
        Self(intrinsics!(_mm512_castps_si512(value)))
    }

    /// Products of the lanes with `by`, plus `more`, in f64: those of the even lanes, and those of the odd lanes.
    #[inline(always)]
    fn products(self, by: __m512d, more: [__m512d; 2]) -> [__m512d; 2] {
        // Integers of 64 bits are converted twice as fast as those of 32. Each lane is converted as a multiple of 2^32;
        // `by` contains the factor 2^−32.
        intrinsics!({
            let even = _mm512_cvtepi64_pd(_mm512_slli_epi64::<32>(self.0));
            let odd = _mm512_cvtepi64_pd(_mm512_and_si512(self.0, _mm512_set1_epi64(-1 << 32)));
            [_mm512_fmadd_pd(even, by, more[0]), _mm512_fmadd_pd(odd, by, more[1])]
        })
    }

    /// The integers in the low halves of sums with [`INTEGERS`], in the order of the lanes.
    #[inline(always)]
    fn integers([even, odd]: [__m512d; 2]) -> Self {
        Self(intrinsics!(_mm512_mask_shuffle_epi32::<0b10_10_00_00>(
            _mm512_castpd_si512(even),
            0b1010_1010_1010_1010,
            _mm512_castpd_si512(odd),
        )))
    }
}

#[allow(unsafe_code, reason = "vectors are the processor's own")]
impl Lanes for Avx512 {
    const N: usize = 16;
    type Float = __m512;
    type Scale = __m512d;

    memory! {
        __m512i, load _mm512_loadu_si512, store _mm512_storeu_si512, stream _mm512_stream_si512, splat _mm512_set1_epi32,
        float _mm512_cvtepi32_ps, nearest _mm512_cvtps_epi32, float_splat _mm512_set1_ps,
    }

    binary! {
        add = _mm512_add_epi32,
        sub = _mm512_sub_epi32,
        mul = _mm512_mullo_epi32,
        and = _mm512_and_si512,
        or = _mm512_or_si512,
        xor = _mm512_xor_si512,
        min = _mm512_min_epi32,
        max = _mm512_max_epi32,
        sra = _mm512_srav_epi32,
        shl = _mm512_sllv_epi32,
    }

    instructions! {
        __m512i, zmm_reg, "avx512f,avx512bw",
        srl = "vpsrlvd",
        mul_low_halves = "vpmulhuw",
    }

    unary! {
        abs = _mm512_abs_epi32,
        sign = _mm512_srai_epi32::<31>,
        high = _mm512_srai_epi32::<16>,
        srl16 = _mm512_srli_epi32::<16>,
        srl31 = _mm512_srli_epi32::<31>,
        exponent = _mm512_srli_epi32::<23>,
        shl16 = _mm512_slli_epi32::<16>,
    }

    float! {
        float_add = _mm512_add_ps,
        float_mul = _mm512_mul_ps,
        float_div = _mm512_div_ps,
    }

    #[inline(always)]
    fn west(self, before: Self) -> Self {
        Self(intrinsics!(_mm512_alignr_epi32::<15>(self.0, before.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(intrinsics!(_mm512_movm_epi32(_mm512_cmpeq_epi32_mask(self.0, other.0))))
    }

    #[inline(always)]
    fn pick(self, yes: Self, no: Self) -> Self {
        Self(intrinsics!(_mm512_mask_mov_epi32(no.0, _mm512_movepi32_mask(self.0), yes.0)))
    }

    #[inline(always)]
    fn negatives(self) -> u32 {
        u32::from(intrinsics!(_mm512_movepi32_mask(self.0)))
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsics!(_mm512_test_epi32_mask(self.0, self.0)) != 0
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        Self(intrinsics!(_mm512_lzcnt_epi32(self.0)))
    }

    #[inline(always)]
    fn leading(self) -> Self {
        Self::bits(intrinsics!(_mm512_cvt_roundepi32_ps::<TO_ZERO>(self.0)))
    }

    #[inline(always)]
    fn divisor(self) -> [Self; 2] {
        // The inverse as a sum of two numbers, with a relative error below 2^−46.
        let (number, one) = (self.float(), Self::float_splat(1.0));
        let inverse = Self::float_div(one, number);
        let error = intrinsics!(_mm512_fnmadd_ps(inverse, number, one));
        [Self::bits(inverse), Self::bits(Self::float_mul(error, inverse))]
    }

    #[inline(always)]
    fn quotient(self, [inverse, more]: [Self; 2]) -> Self {
        // A quotient that is no integer is at least 2^-16 below the next one; adding 2^-18 lifts one that is.
        let (dividend, lift) = (self.as_float(), Self::float_splat(1.0 / 262_144.0));
        Self(intrinsics!({
            let low = _mm512_fmadd_ps(dividend, more.as_float(), lift);
            _mm512_cvttps_epi32(_mm512_fmadd_round_ps::<TO_ZERO>(dividend, inverse.as_float(), low))
        }))
    }

    #[inline(always)]
    fn with_sign_of(self, of: Self) -> Self {
        let negative = intrinsics!(_mm512_movepi32_mask(of.0));
        Self(intrinsics!(_mm512_mask_sub_epi32(self.0, negative, _mm512_setzero_si512(), self.0)))
    }

    #[inline(always)]
    fn scale_by(scale: Scale) -> Self::Scale {
        intrinsics!(_mm512_set1_pd(scale.factor / 4_294_967_296.0))
    }

    #[inline(always)]
    fn scale(self, by: Self::Scale) -> Self {
        Self::integers(self.products(by, [intrinsics!(_mm512_set1_pd(INTEGERS)); 2]))
    }

    #[inline(always)]
    fn scale_both([a, b]: [Self; 2], by: [Self::Scale; 2]) -> Self {
        let first = a.products(by[0], [intrinsics!(_mm512_set1_pd(INTEGERS)); 2]);
        Self::integers(b.products(by[1], first))
    }
}
