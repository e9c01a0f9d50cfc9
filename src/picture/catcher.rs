//! Shadow catchers: surfaces of the scene that show the shadow of an effect and its light.

use super::camera::{Projection, Ray};
use super::masks::Masks;
use super::maths::clamped;

/// Cells of the scene between a pixel and those that give the normal of its surface.
const BESIDE: isize = 2;

/// Rays to a light that is not a point: the edges of their shadows overlap to a smooth one.
const RAYS: usize = 16;

/// Largest angular radius of a light, degrees.
const WIDEST: f64 = 45.0;

/// A surface of the scene that catches the shadow of an effect and its light: a diffuse reflector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catcher {
    /// Its geometry.
    pub surface: Surface,
    /// Strength of the shadow, 0 to 1.
    pub shadow: f64,
    /// Angular radius of the lights, degrees: the edges of shadows blur with the distance from what casts them.
    pub softness: f64,
    /// Reflectance for the light of the effect, by channel, 0 and up.
    pub reflectance: [f64; 3],
}

/// The geometry of a shadow catcher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// An endless level plane at a height, world units, seen from above.
    Floor(f64),
    /// The surfaces of the scene's depth.
    Depth,
}

/// A position on a surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    /// World position.
    pub world: [f64; 3],
    /// Unit normal, towards the camera.
    pub normal: [f64; 3],
}

/// Light of an effect that a surface reflects, and shadow of the effect on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Received {
    /// Radiance.
    pub light: [f32; 3],
    /// Share of the surface's other light that is blocked, 0 to 1.
    pub shadow: f32,
}

impl Catcher {
    /// Rays to a light: their offsets across its direction, relative to their length along it, evenly spread over the disc
    /// of the light on a spiral (Vogel 1979); a single ray to a point.
    pub fn rays(&self) -> Vec<[f64; 2]> {
        let radius = libm::tan(clamped(self.softness, 0.0, WIDEST).to_radians());
        if radius == 0.0 {
            return vec![[0.0; 2]];
        }
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let ray = |n: usize| {
            let away = radius * libm::sqrt((n as f64 + 0.5) / RAYS as f64);
            let (sin, cos) = libm::sincos(n as f64 * golden);
            [away * cos, away * sin]
        };
        (0..RAYS).map(ray).collect()
    }

    /// The position on the surface that is seen at a pixel with a place in canonical pixels; `None` where there is none.
    pub fn intersect(
        &self,
        masks: &Masks<'_>,
        projection: &Projection,
        pixel: [usize; 2],
        place: [f64; 2],
    ) -> Option<SurfacePoint> {
        let ray = projection.ray(place);
        let depth = f64::from(masks.distance(pixel[0], pixel[1]));
        match self.surface {
            Surface::Floor(height) => {
                let distance = (height - ray.origin[1]) / ray.direction[1];
                let is_above = ray.origin[1] > height;
                // Written so that NaN is left out.
                (is_above && distance > projection.near() && distance < depth)
                    .then(|| SurfacePoint { world: along(&ray, distance), normal: [0.0, 1.0, 0.0] })
            }
            Surface::Depth if depth.is_finite() => {
                let world = along(&ray, depth);
                Some(SurfacePoint { world, normal: normal(masks, projection, pixel, (&ray, depth)) })
            }
            Surface::Depth => None,
        }
    }
}

/// Factor of the solid angle of a box with these sides, at the square of a distance from it, relative to that at the
/// box: it falls with the square of the distance. The radius is that of the largest side.
pub fn nearness([x, y, z]: [f64; 3], distance2: f64) -> f64 {
    let area = (x * y).max(y * z).max(z * x) / 4.0;
    if area > 0.0 { area / (area + distance2) } else { 0.0 }
}

/// The position on a ray at a distance.
pub fn along(ray: &Ray, distance: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| ray.origin[axis] + ray.direction[axis] * distance)
}

/// Normal of the scene's depth at a pixel, from the nearer surface on either side along both axes of the picture; the
/// direction to the camera where there is none.
fn normal(masks: &Masks<'_>, projection: &Projection, pixel: [usize; 2], (ray, depth): (&Ray, f64)) -> [f64; 3] {
    let own = masks.near(pixel, [0, 0]);
    let slope = |[across, up]: [isize; 2]| {
        let (place, distance) = own?;
        let here = along(&projection.ray(place), distance);
        let sides = [-1, 1].map(|sign| {
            let (place, distance) = masks.near(pixel, [across * sign, up * sign])?;
            let there = along(&projection.ray(place), distance);
            Some((distance, [0, 1, 2].map(|axis| (there[axis] - here[axis]) * sign as f64)))
        });
        let difference = |side: &(f64, [f64; 3])| (side.0 - distance).abs();
        let nearer = sides.into_iter().flatten().min_by(|a, b| difference(a).total_cmp(&difference(b)))?;
        Some(nearer.1)
    };
    let to_camera = ray.direction.map(|part| -part * depth);
    let crossed = slope([BESIDE, 0])
        .zip(slope([0, BESIDE]))
        .map(|(a, b)| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]);
    let unit = |vector: [f64; 3]| {
        let length = libm::sqrt(vector.iter().map(|part| part * part).sum());
        let faces: f64 = vector.iter().zip(to_camera).map(|(part, to)| part * to).sum();
        let sign = if faces < 0.0 { -1.0 } else { 1.0 };
        let unit = vector.map(|part| sign * part / length);
        unit.iter().all(|part| part.is_finite()).then_some(unit)
    };
    crossed.and_then(unit).or_else(|| unit(to_camera)).unwrap_or([0.0, 0.0, 1.0])
}
