//! Arithmetic on the value of a cell, a scalar or four channels.

use bytemuck::Pod;

use super::operands::VALUE_MAX;

/// Component-wise arithmetic.
pub(super) trait Value: Pod + Send + Sync {
    const ZERO: Self;
    fn each(self, f: impl Fn(f32) -> f32) -> Self;
    fn with(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn times(self, factor: f32) -> Self {
        self.each(|a| a * factor)
    }

    /// Clamped to ±[`VALUE_MAX`]; 0 for NaN.
    #[inline(always)]
    fn clamped(self) -> Self {
        self.each(clamped)
    }
}

/// The lesser; the second one if either is NaN, as in the vector instructions.
#[inline(always)]
pub(super) fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater; the second one if either is NaN.
#[inline(always)]
pub(super) fn greatest(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Clamped to ±[`VALUE_MAX`]; 0 for NaN.
#[inline(always)]
pub(super) fn clamped(value: f32) -> f32 {
    let clamped = least(greatest(value, -VALUE_MAX), VALUE_MAX);
    if value.is_nan() { 0.0 } else { clamped }
}

impl Value for f32 {
    const ZERO: f32 = 0.0;

    #[inline(always)]
    fn each(self, f: impl Fn(f32) -> f32) -> f32 {
        f(self)
    }

    #[inline(always)]
    fn with(self, other: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
        f(self, other)
    }
}

impl Value for [f32; 4] {
    const ZERO: [f32; 4] = [0.0; 4];

    #[inline(always)]
    fn each(self, f: impl Fn(f32) -> f32) -> [f32; 4] {
        let [a, b, c, d] = self;
        [f(a), f(b), f(c), f(d)]
    }

    #[inline(always)]
    fn with(self, other: [f32; 4], f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
        let ([a, b, c, d], [e, g, h, i]) = (self, other);
        [f(a, e), f(b, g), f(c, h), f(d, i)]
    }
}
