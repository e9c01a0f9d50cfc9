//! Premultiplication.

/// RGB times alpha, alpha kept.
pub fn premultiply([r, g, b, a]: [f32; 4]) -> [f32; 4] {
    [r * a, g * a, b * a, a]
}

/// RGB divided by alpha; black where alpha is not above 0.
pub fn unpremultiply([r, g, b, a]: [f32; 4]) -> [f32; 4] {
    if a > 0.0 { [r / a, g / a, b / a, a] } else { [0.0, 0.0, 0.0, a] }
}
