//! Arithmetic on vectors of four floats, such as the channels of a pixel or one value for each light.

use wide::{f32x4, i32x4};

/// 3 · 2^22, which rounds to integers.
const ROUND: f32 = 12_582_912.0;

/// e^−x for x ≥ 0, as [`decay`](crate::picture::maths::decay) computes it.
#[inline(always)]
pub fn decay4(x: f32x4) -> f32x4 {
    let power = x.fast_max(f32x4::ZERO).fast_min(f32x4::splat(60.0)) * f32x4::splat(-std::f32::consts::LOG2_E);
    let rounded = power + f32x4::splat(ROUND);
    let part = power - (rounded - f32x4::splat(ROUND));
    let mut sum = f32x4::splat(1.540_353e-4);
    for term in [1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 0.240_226_5, 6.931_472e-1, 1.0] {
        sum = sum * part + f32x4::splat(term);
    }
    let exponent: i32x4 = bytemuck::cast(rounded);
    let exponent = (exponent - i32x4::splat(ROUND.to_bits() as i32 - 127)) << 23;
    sum * bytemuck::cast::<i32x4, f32x4>(exponent)
}

/// Largest channel.
#[inline(always)]
pub fn largest(values: f32x4) -> f32 {
    let [a, b, c, d] = values.to_array();
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    larger(larger(a, b), larger(c, d))
}

/// A vector of three channels and a fourth value.
#[inline(always)]
pub fn four([a, b, c]: [f32; 3], d: f32) -> f32x4 {
    f32x4::new([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::maths::decay;

    #[test]
    fn four_exponentials_are_those_of_one() {
        for i in 0..4000 {
            let x = [i as f32 * 0.001, i as f32 * 0.01, i as f32 * 0.02, -1.0];
            assert_eq!(decay4(f32x4::new(x)).to_array(), x.map(decay));
        }
    }
}
