//! Vectors of the processor. Intrinsics are called here, and in no other module.
//!
//! | file | contents |
//! |---|---|
//! | `portable` | arrays, which compilers turn into vectors of the baseline |
//! | `avx2`, `avx512`, `x86` | vectors of x86-64, and their macros |
//! | `floats` | vectors of sixteen floats, and interpolation taps |
//! | `mode` | the floating-point mode |

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
pub(super) mod floats;
pub(super) mod mode;
pub(super) mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Cells of a block: the unit of work, a multiple of every vector.
pub(super) const BLOCK: usize = 64;

/// The cells of a block.
pub(super) type Block = [i32; BLOCK];

/// A vector of integers. Arithmetic wraps; the result of a shift by 32 or more is unspecified except where stated.
pub(super) trait Lanes: Copy {
    /// Number of lanes; divides [`BLOCK`].
    const N: usize;
    /// A vector of f32 with the same number of lanes.
    type Float: Copy;
    /// A multiplier in the form that [`Lanes::scale`] takes.
    type Scale: Copy;

    /// The same number in all lanes.
    fn splat(value: i32) -> Self;
    /// Vector `index` of a block.
    fn load(block: &Block, index: usize) -> Self;
    /// Sets vector `index` of a block.
    fn store(self, block: &mut Block, index: usize);
    /// The lanes shifted by one, with the last lane of `before` first.
    fn west(self, before: Self) -> Self;

    /// Copies values with stores that bypass the caches. Call [`Lanes::settle`] after the last copy.
    fn stream(from: &[i32], to: &mut [i32]);
    /// Makes streamed values visible to other threads.
    fn settle();

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// The low 32 bits of the products.
    fn mul(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// −1 for negative lanes, else 0.
    fn sign(self) -> Self;
    /// Arithmetic shift by 16.
    fn high(self) -> Self;
    /// Logical shift by 16.
    fn srl16(self) -> Self;
    /// 1 for negative lanes, else 0.
    fn srl31(self) -> Self;
    /// Logical shift by 23: the biased exponents of non-negative f32 numbers, from their bits.
    fn exponent(self) -> Self;
    fn shl16(self) -> Self;
    /// Arithmetic shift, lane by lane.
    fn sra(self, by: Self) -> Self;
    /// Logical shift, lane by lane; 0 from 32 on.
    fn srl(self, by: Self) -> Self;
    fn shl(self, by: Self) -> Self;
    /// −1 where equal, else 0.
    fn equal(self, other: Self) -> Self;
    /// `yes` where `self` is negative, else `no`.
    fn pick(self, yes: Self, no: Self) -> Self;
    /// A bit mask of the negative lanes.
    fn negatives(self) -> u32;
    #[inline(always)]
    fn any_negative(self) -> bool {
        self.negatives() != 0
    }
    /// Whether some lane is not 0.
    fn any(self) -> bool;
    /// Leading zeros of numbers from 1 to 2^30; 31 or more for 0.
    fn leading_zeros(self) -> Self;
    /// Bits of f32 numbers with the same bit lengths and the same highest 17 bits as numbers from 0 to 2^30.
    fn leading(self) -> Self;
    /// Absolute values.
    fn abs(self) -> Self;
    /// The lanes with the signs of `of`; unspecified sign or 0 where `of` is 0.
    fn with_sign_of(self, of: Self) -> Self;

    /// A multiplier for all lanes.
    fn scale_by(scale: Scale) -> Self::Scale;
    /// (|n|·multiplier + round) >> 32 >> shift, with the sign of n.
    fn scale(self, by: Self::Scale) -> Self;
    /// The sums of two products, each with its own multiplier.
    #[inline(always)]
    fn scale_both([a, b]: [Self; 2], by: [Self::Scale; 2]) -> Self {
        a.scale(by[0]).add(b.scale(by[1]))
    }

    /// The low halves of the lanes times `other` < 2^16, shifted by 16.
    fn mul_low_halves(self, other: Self) -> Self;
    /// Numbers from 2^15 to 2^16 as divisors.
    fn divisor(self) -> [Self; 2];
    /// The floors of the quotients. The lanes are the bits of f32 numbers n·2^15, n from 2^15 to 2^16 − 1.
    fn quotient(self, by: [Self; 2]) -> Self;

    fn float(self) -> Self::Float;
    fn float_splat(value: f32) -> Self::Float;
    fn float_add(a: Self::Float, b: Self::Float) -> Self::Float;
    fn float_mul(a: Self::Float, b: Self::Float) -> Self::Float;
    fn float_div(a: Self::Float, b: Self::Float) -> Self::Float;
    /// The integers nearest to numbers from 0 to 2^22.
    fn nearest(value: Self::Float) -> Self;
}

/// A multiplier with rounding; see [`Lanes::scale`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    pub multiplier: u32,
    pub round: u64,
    pub shift: u32,
    /// The multiplier as a float: its product with |a| < 2^31 is never halfway between two integers.
    pub factor: f64,
}

/// Adding this to a number below 2^51 leaves the nearest integer in the low half of the f64's bits.
const INTEGERS: f64 = 6_755_399_441_055_744.0;

/// Memory to prefetch, a few cache lines at a time, before it is read.
pub(crate) struct PrefetchQueue<'a> {
    slices: [&'a [u8]; 24],
    count: usize,
    /// The current slice, and the position in it.
    slice: usize,
    at: usize,
    /// Cache lines to prefetch per call.
    quota: usize,
}

/// Bytes of a cache line.
pub(super) const CACHE_LINE: usize = 64;

impl<'a> PrefetchQueue<'a> {
    /// An empty queue.
    #[inline(always)]
    pub fn new() -> PrefetchQueue<'a> {
        PrefetchQueue { slices: [&[]; 24], count: 0, slice: 0, at: 0, quota: 0 }
    }

    /// Adds values; they are dropped where the queue is full.
    #[inline(always)]
    pub fn push<T: bytemuck::NoUninit>(&mut self, values: &'a [T]) {
        if self.count < self.slices.len() {
            self.slices[self.count] = bytemuck::cast_slice(values);
            self.count += 1;
        }
    }

    /// Sets the quota so that `times` calls of [`PrefetchQueue::issue`] prefetch all.
    #[inline(always)]
    pub fn spread(&mut self, times: usize) {
        let lines: usize = self.slices[..self.count].iter().map(|slice| slice.len() / CACHE_LINE + 1).sum();
        self.quota = lines.div_ceil(times.max(1));
    }

    /// Prefetches the next cache lines.
    #[inline(always)]
    pub fn issue(&mut self) {
        let mut quota = self.quota;
        while quota > 0 && self.slice < self.count {
            let rest = &self.slices[self.slice][self.at..];
            let bytes = rest.len().min(quota * CACHE_LINE);
            for byte in rest[..bytes].iter().step_by(CACHE_LINE) {
                prefetch(byte);
            }
            quota -= bytes.div_ceil(CACHE_LINE);
            self.at += bytes;
            if bytes == rest.len() {
                if let Some(byte) = rest.last() {
                    prefetch(byte);
                }
                (self.slice, self.at) = (self.slice + 1, 0);
            }
        }
    }
}

/// Prefetches the cache line of a value.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(unsafe_code, reason = "a hint to the processor")]
        // SAFETY: prefetching reads nothing and changes nothing; the instruction is part of x86-64.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::compute::cpu::Isa;
    use crate::compute::cpu::wide::{Simd, WithSimd};

    /// A check of one kind of vector.
    pub trait Check {
        fn with<V: Lanes>(&self, name: &str);
    }

    struct Run<'a, C>(&'a C, &'a str);

    impl<C: Check> WithSimd for Run<'_, C> {
        type Output = ();

        fn run<S: Simd>(self) {
            self.0.with::<S::Integers>(self.1);
        }
    }

    /// Checks the vectors of all instruction sets of this processor.
    pub fn every(check: &impl Check) {
        Isa::available().into_iter().for_each(|isa| isa.dispatch(Run(check, isa.name())));
    }

    /// Numbers of every magnitude from 0 to `top`, the extremes among them, a multiple of a block of them.
    pub fn numbers(top: i32) -> Vec<i32> {
        let mut z = 1u64;
        let powers = (0..31).flat_map(|b| [(1i32 << b) - 1, 1i32 << b, (1i32 << b).wrapping_add(1)]);
        let mixed = (0..300).map(move |i| {
            z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
            ((z >> 33) as i32) >> (i % 29)
        });
        let mut all: Vec<i32> = powers.chain(mixed).chain([top, top - 1]).filter(|&v| v >= 0 && v <= top).collect();
        all.resize(all.len().next_multiple_of(BLOCK), top);
        all
    }

    /// Applies a function of vectors to a block.
    pub fn apply<V: Lanes>(a: &[i32], f: impl Fn(V, usize) -> V) -> Block {
        let (mut out, block) = ([0; BLOCK], a.first_chunk().expect("a block"));
        for j in 0..BLOCK / V::N {
            f(V::load(block, j), j).store(&mut out, j);
        }
        out
    }

    struct Shifts;

    impl Check for Shifts {
        fn with<V: Lanes>(&self, name: &str) {
            for block in numbers(1 << 30).chunks(BLOCK) {
                let zeros = apply::<V>(block, |n, _| n.leading_zeros());
                for (&n, &z) in block.iter().zip(&zeros) {
                    assert!(if n == 0 { z >= 31 } else { z as u32 == n.leading_zeros() }, "{name} {n}: {z}");
                }
                let leading = apply::<V>(block, |n, _| n.leading());
                for (&n, &bits) in block.iter().zip(&leading) {
                    let (found, length) = (f32::from_bits(bits as u32) as i32, 32 - n.leading_zeros());
                    assert_eq!(found >> length.saturating_sub(17), n >> length.saturating_sub(17), "{name} {n}");
                    assert_eq!(bits >> 23, if n == 0 { 0 } else { 126 + length as i32 }, "{name} {n}");
                }
                let low = apply::<V>(block, |n, _| n.mul_low_halves(V::splat(65533)));
                for (&n, &low) in block.iter().zip(&low) {
                    assert_eq!(low as u32, ((n as u32 & 0xffff) * 65533) >> 16, "{name} {n}");
                }
                let mut streamed = vec![0; BLOCK + 40];
                for from in 0..20 {
                    V::stream(&block[..BLOCK - from], &mut streamed[from..BLOCK]);
                    V::settle();
                    assert_eq!(streamed[from..BLOCK], block[..BLOCK - from], "{name} from {from}");
                }
                let before = V::load(block.first_chunk().expect("a block"), 0);
                let west = apply::<V>(block, |n, _| n.west(before));
                assert_eq!((west[0], west[1]), (block[V::N - 1], block[0]), "{name}");
            }
        }
    }

    struct Quotients;

    impl Check for Quotients {
        fn with<V: Lanes>(&self, name: &str) {
            for top in 32768..=65536u32 {
                // Some numbers, and those of an interval whose quotients are nearest to an integer from below and from
                // above.
                let numbers = |x: u32| {
                    let some = 32768 + (x * 521 + top * 7) % 32768;
                    let stretch = some..(some + 40).min(65536);
                    let rest = |n: &u32| (n << 15) % top;
                    [Some(some), stretch.clone().max_by_key(rest), stretch.min_by_key(rest)]
                };
                let mut block = [0; BLOCK];
                let edges = [32768, 65535, top.clamp(32769, 65536) - 1, top.min(65535)];
                let all = edges.into_iter().chain((0..20).flat_map(|x| numbers(x).into_iter().flatten()));
                block.iter_mut().zip(all).for_each(|(b, n)| *b = ((n << 15) as f32).to_bits() as i32);
                let by = V::splat(top as i32).divisor();
                for (&bits, found) in block.iter().zip(apply::<V>(&block, |n, _| n.quotient(by))) {
                    let n = f32::from_bits(bits as u32) as u32;
                    assert_eq!(found as u32, n / top, "{name} {n} / {top}");
                }
            }
        }
    }

    #[test]
    fn quotients_are_exact() {
        every(&Quotients);
    }

    #[test]
    fn vectors_count_copy_and_shift() {
        every(&Shifts);
    }
}
