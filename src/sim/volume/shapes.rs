//! Shapes of emitters and solids, as distances from their surface.

use super::settings::Shape;
use crate::sim::maths::clamp;

/// Signed distance of a position from the surface of an upright shape at the origin, below 0 inside.
pub(super) fn distance(shape: Shape, offset: [f64; 3], radius: f64, height: f64) -> f64 {
    let [x, y, z] = offset;
    match shape {
        Shape::Sphere => norm(offset) - radius,
        Shape::Capsule => norm([x, y - clamp(y, -height / 2.0, height / 2.0), z]) - radius,
        Shape::Box => corner([x.abs() - radius, y.abs() - height / 2.0, z.abs() - radius]),
        Shape::Disc => corner([norm([x, 0.0, z]) - radius, y.abs() - height / 2.0, f64::NEG_INFINITY]),
    }
}

/// Half the extent of a shape along each axis.
pub(super) fn extent(shape: Shape, radius: f64, height: f64) -> [f64; 3] {
    let up = match shape {
        Shape::Sphere => radius,
        Shape::Box | Shape::Disc => height / 2.0,
        Shape::Capsule => height / 2.0 + radius,
    };
    [radius, up, radius]
}

/// Scalar product.
pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Length of a vector.
pub(super) fn norm(of: [f64; 3]) -> f64 {
    libm::sqrt(dot(of, of))
}

/// Signed distance from the intersection of half-spaces with perpendicular sides, given the signed distances from the
/// sides.
fn corner(from: [f64; 3]) -> f64 {
    norm(from.map(|distance| distance.max(0.0))) + from.into_iter().fold(f64::NEG_INFINITY, f64::max).min(0.0)
}
