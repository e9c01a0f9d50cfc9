//! Arrays in place of vectors, for any processor: compilers turn them into SSE2 or NEON.

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
    fn as_float(self) -> [f32; 8] {
        self.0.map(|a| f32::from_bits(a as u32))
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(i32, i32) -> i32) -> Self {
        Portable(std::array::from_fn(|i| f(self.0[i], other.0[i])))
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

/// Methods of one vector.
macro_rules! unary {
    ($($name:ident = $function:expr,)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            self.each($function)
        }
    )*};
}

/// Functions of two vectors of f32.
macro_rules! float {
    ($($name:ident = $function:expr,)*) => {$(
        #[inline(always)]
        fn $name(a: Self::Float, b: Self::Float) -> Self::Float {
            floats(a, b, $function)
        }
    )*};
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

    binary! {
        add = i32::wrapping_add,
        sub = i32::wrapping_sub,
        mul = i32::wrapping_mul,
        and = |a, b| a & b,
        or = |a, b| a | b,
        xor = |a, b| a ^ b,
        min = i32::min,
        max = i32::max,
        sra = |a, b| a.wrapping_shr(b as u32),
        srl = |a, b| (a as u32).checked_shr(b as u32).unwrap_or(0) as i32,
        shl = |a, b| a.wrapping_shl(b as u32),
        mul_low_halves = |a, b| (((a & 0xffff) as u32).wrapping_mul(b as u32) >> 16) as i32,
        equal = |a, b| -i32::from(a == b),
        with_sign_of = |size, of| (size ^ (of >> 31)).wrapping_sub(of >> 31),
    }

    unary! {
        // Without these bits, below the 17th, the conversion to f32 cannot round up.
        leading = |n| ((n & !(n >> 17)) as f32).to_bits() as i32,
        abs = i32::wrapping_abs,
        sign = |a| a >> 31,
        high = |a| a >> 16,
        srl16 = |a| (a as u32 >> 16) as i32,
        srl31 = |a| (a as u32 >> 31) as i32,
        exponent = |a| (a as u32 >> 23) as i32,
        shl16 = |a| a << 16,
        // Without the bit below the highest one, the conversion to f32 cannot round up to the next power of two.
        leading_zeros = |n| 158 - (((n & !(n >> 1)) as f32).to_bits() >> 23) as i32,
    }

    float! {
        float_add = |a, b| a + b,
        float_mul = |a, b| a * b,
        float_div = |a, b| a / b,
    }

    #[inline(always)]
    fn pick(self, yes: Self, no: Self) -> Self {
        Portable(std::array::from_fn(|i| if self.0[i] < 0 { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn negatives(self) -> u32 {
        self.0.iter().rev().fold(0, |all, &lane| all << 1 | lane as u32 >> 31)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, lane| all | lane) != 0
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
    fn divisor(self) -> [Self; 2] {
        [self.each(|number| (1.0 / number as f32).to_bits() as i32), self]
    }

    #[inline(always)]
    fn quotient(self, [inverse, number]: [Self; 2]) -> Self {
        // The nearest integer is the floor, or one more; then the remainder is negative.
        let near = Self::nearest(floats(self.as_float(), inverse.as_float(), |a, b| a * b));
        let dividend = self.each(|bits| (bits & 0x007f_ff00 | 0x0080_0000) << 7);
        near.add(dividend.sub(near.mul(number)).sign())
    }

    #[inline(always)]
    fn float(self) -> Self::Float {
        self.0.map(|a| a as f32)
    }

    #[inline(always)]
    fn float_splat(value: f32) -> Self::Float {
        [value; 8]
    }

    #[inline(always)]
    fn nearest(value: Self::Float) -> Self {
        Portable(value.map(|v| (v + 8_388_608.0).to_bits() as i32 & 0x007f_ffff))
    }
}
