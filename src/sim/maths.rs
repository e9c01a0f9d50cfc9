//! Arithmetic that models share.

/// `value` clamped to `low ..= high`; NaN becomes `low`.
pub(super) fn clamp(value: f64, low: f64, high: f64) -> f64 {
    if value.is_nan() { low } else { value.clamp(low, high) }
}
