//! Arithmetic that models share.

/// `value` clamped to ±`bound`; NaN becomes 0.
#[inline(always)]
pub(super) fn bounded(value: f64, bound: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-bound, bound) }
}

/// `value` clamped to `low ..= high`; NaN becomes `low`.
pub(super) fn clamp(value: f64, low: f64, high: f64) -> f64 {
    if value.is_nan() { low } else { value.clamp(low, high) }
}

/// A smooth bump: (1 − t²)², 0 from |t| = 1 on.
pub(super) fn bump(t: f64) -> f64 {
    let rest = (1.0 - t * t).max(0.0);
    rest * rest
}
