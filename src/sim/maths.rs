//! Arithmetic that models share.

/// `value` clamped to ±`bound`; NaN becomes 0.
#[inline(always)]
pub(super) fn bounded(value: f64, bound: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-bound, bound) }
}

/// `value` clamped to `low ..= high`; NaN becomes `low`.
#[inline(always)]
pub(super) fn clamp(value: f64, low: f64, high: f64) -> f64 {
    if value.is_nan() { low } else { value.clamp(low, high) }
}

/// The largest integer that is not above `value`, and its lowest 32 bits. `value` is between ±2³¹.
#[inline(always)]
pub(super) fn floor(value: f64) -> (f64, u32) {
    // Sums with it are rounded to integers, and have them in their lowest bits. No instruction set lacks additions.
    const INTEGERS: f64 = 6_755_399_441_055_744.0;
    let nearest = (value + INTEGERS) - INTEGERS;
    let low = if nearest > value { nearest - 1.0 } else { nearest };
    (low, (low + INTEGERS).to_bits() as u32)
}

/// The acceleration of a point force away from its point, at an offset from it: `(r/R)·e^(½(1 − (r/R)²))` times the
/// strength, with the radius `R` at which it is largest, and equal to the strength.
pub(super) fn point_force(offset: [f64; 3], radius: f64, strength: f64) -> [f64; 3] {
    let offset = offset.map(|side| side / radius.max(1e-6));
    let square: f64 = offset.iter().map(|side| side * side).sum();
    let factor = strength * libm::exp(0.5 * (1.0 - square));
    offset.map(|side| side * factor)
}

/// A smooth bump: (1 − t²)², 0 from |t| = 1 on.
pub(super) fn bump(t: f64) -> f64 {
    let rest = (1.0 - t * t).max(0.0);
    rest * rest
}
