//! Lights in the coordinates of a medium.

use super::look::{Light, LightKind};
use super::medium::Medium;
use crate::picture::maths::{clamped, dot, up_to};

/// A light in the coordinates of the medium: cells, value (0, 0, 0) at the origin.
#[derive(Clone, Copy)]
pub struct Source {
    /// Colour times intensity, 0 and up.
    pub colour: [f32; 3],
    /// Position or direction of the light.
    pub kind: SourceKind,
}

/// Position or direction of a light.
#[derive(Clone, Copy)]
pub enum SourceKind {
    /// Unit vector to the light.
    Parallel([f32; 3]),
    /// A point light or a spot.
    Point(Point),
}

/// A point light or a spot.
#[derive(Clone, Copy)]
pub struct Point {
    /// Position, cells.
    pub position: [f32; 3],
    /// Square of the distance at which the light has its intensity, cells².
    reach2: f32,
    /// Unit vector along the axis of the cone; and the cosines of the angles from it at which the light ends, and at
    /// which it begins to fade.
    axis: [f32; 3],
    cone: [f32; 2],
}

/// The light of a point at a position.
pub struct PointLight {
    /// Vector to the point, cells.
    pub to_light: [f32; 3],
    /// 1 / its length, softened by half a cell.
    pub inverse: f32,
    /// Factor of the colour.
    pub intensity: f32,
}

impl Point {
    /// The light at a position.
    #[inline(always)]
    pub fn at(&self, [x, y, z]: [f32; 3]) -> PointLight {
        let to_light = [self.position[0] - x, self.position[1] - y, self.position[2] - z];
        // Half a cell softens the light at the point itself.
        let distance2 = dot(to_light, to_light) + 0.25;
        let inverse = 1.0 / distance2.sqrt();
        let cosine = -dot(to_light, self.axis) * inverse;
        let edge = up_to((cosine - self.cone[0]) / (self.cone[1] - self.cone[0]), 1.0);
        PointLight { to_light, inverse, intensity: self.reach2 / distance2 * (edge * edge * (3.0 - 2.0 * edge)) }
    }
}

impl Source {
    /// A light on a medium; one without a direction or far away is black.
    pub fn new(medium: &Medium, light: &Light) -> Self {
        let intensity = clamped(light.intensity, 0.0, 1e6);
        let mut colour = light.colour.map(|channel| (clamped(channel, 0.0, 1e6) * intensity) as f32);
        let unit = |vector: [f64; 3]| {
            let largest = vector.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            let scaled = vector.map(|part| part / largest);
            let length = libm::sqrt(scaled.iter().map(|part| part * part).sum());
            let unit = scaled.map(|part| (part / length) as f32);
            unit.iter().all(|part| part.is_finite()).then_some(unit)
        };
        let point = |position: [f64; 3], reach: f64| {
            let reach = clamped(reach, 0.0, 1e9) / medium.spacing;
            Point {
                position: medium.position(position).map(|place| place as f32),
                reach2: (reach * reach).min(1e18) as f32,
                axis: [0.0; 3],
                cone: [-2.0, -1.0],
            }
        };
        let kind = match light.kind {
            LightKind::Directional { to_light } => unit(to_light).map(SourceKind::Parallel),
            LightKind::Point { position, reach } => Some(SourceKind::Point(point(position, reach))),
            LightKind::Spot { position, reach, axis, cone } => unit(axis).map(|axis| {
                let [whole, end] = [clamped(cone[0], 0.0, 179.0), clamped(cone[1], 0.0, 180.0)];
                let end = end.max(whole + 0.1);
                let cone = [end, whole].map(|degrees| libm::cos(degrees.to_radians()) as f32);
                SourceKind::Point(Point { axis, cone, ..point(position, reach) })
            }),
        };
        let is_placed = match &kind {
            Some(SourceKind::Parallel(_)) => true,
            Some(SourceKind::Point(point)) => point.position.iter().all(|place| place.is_finite() && place.abs() < 1e9),
            None => false,
        };
        if is_placed {
            Self { colour, kind: kind.unwrap_or(SourceKind::Parallel([0.0; 3])) }
        } else {
            colour = [0.0; 3];
            Self { colour, kind: SourceKind::Parallel([0.0; 3]) }
        }
    }
}
