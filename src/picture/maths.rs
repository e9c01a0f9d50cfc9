//! Arithmetic of pictures, without library calls: compilers vectorise it, and it has the same bits on every machine.

/// 3 · 2^22. Adding it to a small number rounds the number to an integer, which the low bits of the sum have.
const ROUND: f32 = 12_582_912.0;

/// Largest argument of [`decay`]; larger ones are clamped to it.
const MOST: f32 = 60.0;

/// `value` clamped to `low ..= high`; NaN becomes `low`.
pub fn clamped(value: f64, low: f64, high: f64) -> f64 {
    value.max(low).min(high)
}

/// `value` clamped to `0 ..= most`; NaN becomes 0.
#[inline(always)]
pub fn up_to(value: f32, most: f32) -> f32 {
    value.max(0.0).min(most)
}

/// The scalar product.
#[inline(always)]
pub fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The nearest integer to a number of at most 2^22, the even one of two.
#[inline(always)]
pub fn nearest(value: f32) -> f32 {
    (value + ROUND) - ROUND
}

/// e^−x for x ≥ 0, with a relative error below 3 · 10^−7 for x < 1 and below 4 · 10^−6 for all x; 1 for negative x and
/// NaN. Never less than e^−60, so that products do not become subnormal.
#[inline(always)]
pub fn decay(x: f32) -> f32 {
    let power = -(up_to(x, MOST) * std::f32::consts::LOG2_E);
    let rounded = power + ROUND;
    let part = power - (rounded - ROUND);
    // 2^part for part in −½..½: the series of e^(part · ln 2).
    let mut sum = 1.540_353e-4_f32;
    for term in [1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 0.240_226_5, 6.931_472e-1, 1.0] {
        sum = sum * part + term;
    }
    let exponent = rounded.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127);
    sum * f32::from_bits(exponent << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential() {
        for i in 0..60_000 {
            let x = i as f32 / 1000.0;
            let truth = (-f64::from(x)).exp();
            let error = (f64::from(decay(x)) / truth - 1.0).abs();
            assert!(error < if x < 1.0 { 3e-7 } else { 4e-6 }, "{x}: {error}");
        }
        assert_eq!([0.0, -1.0, f32::NAN, f32::NEG_INFINITY].map(decay), [1.0; 4]);
        assert_eq!([1e30, f32::INFINITY].map(decay), [decay(60.0); 2]);
        assert!(decay(60.0) > 8.0e-27);
    }
}
