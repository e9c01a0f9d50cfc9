//! Arrays in the place of vectors, for processors of which nothing is known: compilers turn them into SSE2 or NEON.

use super::{BLOCK, Block, Lanes, Scale};

/// Eight lanes.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Portable([i32; 8]);

impl Portable {
    #[inline(always)]
    fn each(self, f: impl Fn(i32) -> i32) -> Self {
        Portable(std::array::from_fn(|i| f(self.0[i])))
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(i32, i32) -> i32) -> Self {
        Portable(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

#[inline(always)]
fn floats(a: [f32; 8], b: [f32; 8], f: impl Fn(f32, f32) -> f32) -> [f32; 8] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Lanes for Portable {
    const N: usize = 8;
    type Float = [f32; 8];
    type Scale = Scale;

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Portable([value; 8])
    }

    #[inline(always)]
    fn load(block: &Block, index: usize) -> Self {
        assert!(index < BLOCK / 8);
        Portable(std::array::from_fn(|i| block[index * 8 + i]))
    }

    #[inline(always)]
    fn store(self, block: &mut Block, index: usize) {
        assert!(index < BLOCK / 8);
        block[index * 8..][..8].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn west(self, before: Self) -> Self {
        Portable(std::array::from_fn(|i| if i == 0 { before.0[7] } else { self.0[i - 1] }))
    }

    #[inline(always)]
    fn stream(from: &[i32], to: &mut [i32]) {
        to.copy_from_slice(from);
    }

    #[inline(always)]
    fn settle() {}

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.both(other, i32::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.both(other, i32::wrapping_sub)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.both(other, i32::wrapping_mul)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.both(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.both(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.both(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.both(other, i32::min)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.both(other, i32::max)
    }

    #[inline(always)]
    fn sign(self) -> Self {
        self.each(|a| a >> 31)
    }

    #[inline(always)]
    fn high(self) -> Self {
        self.each(|a| a >> 16)
    }

    #[inline(always)]
    fn srl16(self) -> Self {
        self.each(|a| (a as u32 >> 16) as i32)
    }

    #[inline(always)]
    fn srl15(self) -> Self {
        self.each(|a| (a as u32 >> 15) as i32)
    }

    #[inline(always)]
    fn shl15(self) -> Self {
        self.each(|a| a << 15)
    }

    #[inline(always)]
    fn shl16(self) -> Self {
        self.each(|a| a << 16)
    }

    #[inline(always)]
    fn sra(self, by: Self) -> Self {
        self.both(by, |a, b| a.wrapping_shr(b as u32))
    }

    #[inline(always)]
    fn srl(self, by: Self) -> Self {
        self.both(by, |a, b| (a as u32).wrapping_shr(b as u32) as i32)
    }

    #[inline(always)]
    fn shl(self, by: Self) -> Self {
        self.both(by, |a, b| a.wrapping_shl(b as u32))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        self.both(other, |a, b| -i32::from(a == b))
    }

    #[inline(always)]
    fn pick(self, yes: Self, no: Self) -> Self {
        Portable(std::array::from_fn(|i| if self.0[i] < 0 { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn any_negative(self) -> bool {
        self.0.iter().fold(0, |all, lane| all | lane) < 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, lane| all | lane) != 0
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // Without the bit below the highest one, a conversion to f32 does not round up to the next power of two.
        self.each(|n| 158 - (((n & !(n >> 1)) as f32).to_bits() >> 23) as i32)
    }

    #[inline(always)]
    fn scale_by(scale: Scale) -> Scale {
        scale
    }

    #[inline(always)]
    fn scale(self, by: Scale) -> Self {
        self.each(|a| {
            let sign = a >> 31;
            let n = (a ^ sign).wrapping_sub(sign) as u32;
            let size = ((u64::from(n) * u64::from(by.multiplier) + by.round) >> 32) as u32;
            ((size.wrapping_shr(by.shift)) as i32 ^ sign).wrapping_sub(sign)
        })
    }

    #[inline(always)]
    fn float(self) -> Self::Float {
        self.0.map(|a| a as f32)
    }

    #[inline(always)]
    fn as_float(self) -> Self::Float {
        self.0.map(|a| f32::from_bits(a as u32))
    }

    #[inline(always)]
    fn bits(value: Self::Float) -> Self {
        Portable(value.map(|a| a.to_bits() as i32))
    }

    #[inline(always)]
    fn float_splat(value: f32) -> Self::Float {
        [value; 8]
    }

    #[inline(always)]
    fn float_add(a: Self::Float, b: Self::Float) -> Self::Float {
        floats(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn float_mul(a: Self::Float, b: Self::Float) -> Self::Float {
        floats(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn float_div(a: Self::Float, b: Self::Float) -> Self::Float {
        floats(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn float_mul_add(a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float {
        std::array::from_fn(|i| a[i] * b[i] + c[i])
    }

    #[inline(always)]
    fn nearest(value: Self::Float) -> Self {
        Portable(value.map(|v| (v + 8_388_608.0).to_bits() as i32 & 0x007f_ffff))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.each(i32::wrapping_abs)
    }

    #[inline(always)]
    fn with_sign_of(self, of: Self) -> Self {
        self.both(of, |size, of| (size ^ (of >> 31)).wrapping_sub(of >> 31))
    }
}
