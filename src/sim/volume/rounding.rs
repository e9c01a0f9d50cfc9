//! Stochastic rounding of scalars to halves: unbiased, so that a slow decay is not lost.
//!
//! The random bits are a hash of the cell, its channel and the step, so that the rounding depends on neither threads
//! nor the box.

use crate::sim::hash::pcg4d;

/// Bits that a half lacks of an f32's fraction.
const LOST: u32 = 13;

/// Distance of the upper bits of a hash from the bits that are used.
const SHIFT: u32 = 32 - LOST;

/// Largest half.
pub const LARGEST: f32 = 65504.0;

/// Least normal half, 2⁻¹⁴.
const NORMAL: f32 = 6.103_515_6e-5;

/// 2²⁴: subnormal halves are multiples of its inverse.
const FIXED: f32 = 16_777_216.0;

/// Packs per step in the hash: more than a state has.
pub const PACKS: u32 = 8;

/// Random bits for the channels of a pack of a cell of the lattice in a step.
#[inline(always)]
pub fn bits([x, y, z]: [i32; 3], step: u32, pack: u32) -> [u32; 4] {
    let of = [x as u32, y as u32, z as u32, step.wrapping_mul(PACKS).wrapping_add(pack)];
    // No `map`: where it is not inlined, it is compiled for the baseline.
    let [a, b, c, d] = pcg4d(of);
    [a >> SHIFT, b >> SHIFT, c >> SHIFT, d >> SHIFT]
}

/// The bits of the half below or above a number of at least 0, at random in proportion. `random`: less than 2¹³. NaN
/// and numbers below 0 become 0.
#[inline(always)]
pub fn round(value: f32, random: u32) -> u16 {
    // NaN is not above 0.
    let value = if value > 0.0 { value.min(LARGEST) } else { 0.0 };
    // The exponents of a half and an f32 differ by 112.
    let normal = (value.to_bits().wrapping_add(random) >> LOST).wrapping_sub(112 << 10);
    let fixed = (value.min(NORMAL) * FIXED + random as f32 * (1.0 / 8192.0)) as i32 as u32;
    let half = if value < NORMAL { fixed } else { normal };
    half.min(0x7bff) as u16
}

/// The number of a half that is finite and at least 0.
#[inline(always)]
pub fn widen(half: u16) -> f32 {
    // The bits of a half in the place of an f32's, whose exponent is less by 112: 2¹¹² also widens subnormal numbers.
    f32::from_bits(u32::from(half) << LOST) * f32::from_bits((127 + 112) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_come_back() {
        for half in 0..0x7c00_u16 {
            assert_eq!(widen(half).to_bits(), half::f16::from_bits(half).to_f32().to_bits());
            assert_eq!(round(widen(half), 0), half);
            // A number that is a half stays so with all random bits.
            assert_eq!(round(widen(half), (1 << LOST) - 1), half, "{half:x}");
        }
        for value in [f32::NAN, -1.0, f32::NEG_INFINITY] {
            assert_eq!(round(value, 8191), 0);
        }
        assert_eq!([1e30, f32::INFINITY, 65504.0].map(|value| round(value, 8191)), [0x7bff; 3]);
    }

    #[test]
    fn a_slow_decay_is_not_lost() {
        // 0.0002 a frame is less than half a step of a half at 0.5.
        let keep = (-2e-4_f32).exp();
        let cells = 4096;
        let mut halves = vec![round(0.549, 0); cells];
        let first = halves.iter().map(|half| f64::from(widen(*half))).sum::<f64>() / cells as f64;
        for step in 0..300 {
            for (x, half) in halves.iter_mut().enumerate() {
                *half = round(widen(*half) * keep, bits([x as i32, 3, -5], step, 0)[0]);
            }
        }
        let mean = halves.iter().map(|half| f64::from(widen(*half))).sum::<f64>() / cells as f64;
        let exact = first * (-2e-4 * 300.0_f64).exp();
        assert!((mean / exact - 1.0).abs() < 5e-4, "{mean} for {exact}");
        // Rounding to nearest loses the decay: the half does not change.
        let nearest = half::f16::from_f32(half::f16::from_f32(0.549).to_f32() * keep);
        assert_eq!(nearest, half::f16::from_f32(0.549));
    }
}
