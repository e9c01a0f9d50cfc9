//! Shading settings of a volume. They do not affect the simulation.

use std::sync::Arc;

use super::detail::FineDetail;
use super::shock_cells::ShockCells;
use crate::picture::catcher::Catcher;
use crate::picture::maths::clamped;
use crate::picture::smoke::Fire;

/// Largest number of lights.
pub const LIGHTS: usize = 4;

/// A light on the volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Its place or direction.
    pub kind: LightKind,
    /// Colour, linear, 0 and up.
    pub colour: [f64; 3],
    /// Factor of the colour, 0 and up. A light of intensity 1 lights scattering smoke to about its albedo.
    pub intensity: f64,
    /// Factor of the extinction on the way from the light, 0 and up; 0 casts no shadow.
    pub shadow: f64,
}

/// The place or direction of a light, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// Parallel light.
    Directional {
        /// Vector to the light, of any length.
        to_light: [f64; 3],
    },
    /// Light from a point.
    Point {
        /// Position.
        position: [f64; 3],
        /// Distance at which the light has its intensity; it falls with the square of the distance.
        reach: f64,
    },
    /// Light from a point in a cone.
    Spot {
        /// Position.
        position: [f64; 3],
        /// Distance at which the light has its intensity; it falls with the square of the distance.
        reach: f64,
        /// Axis of the cone, away from the light, of any length.
        axis: [f64; 3],
        /// Angles between the axis and the rays at which the light begins to fade, and at which it ends, degrees.
        cone: [f64; 2],
    },
}

/// The radiance of the surroundings: `mean + slope · ω` in the direction ω, 0 where that is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Mean over all directions.
    pub mean: [f64; 3],
    /// Change along each axis of the world, by channel.
    pub slope: [[f64; 3]; 3],
}

impl Sky {
    /// A sky between the colour straight up and the colour straight down.
    pub fn between(up: [f64; 3], down: [f64; 3]) -> Self {
        let mean = [0, 1, 2].map(|channel| (up[channel] + down[channel]) / 2.0);
        let slope = [0, 1, 2].map(|channel| [0.0, (up[channel] - down[channel]) / 2.0, 0.0]);
        Self { mean, slope }
    }

    /// The sky of an environment map in spherical projection, rows from the lowest on, `width` pixels each: −z in the
    /// middle, +x to the right of it. Components are those of the spherical harmonics of order 0 and 1.
    pub fn of_map(pixels: &[[f32; 4]], width: usize) -> Self {
        let mut sky = Self { mean: [0.0; 3], slope: [[0.0; 3]; 3] };
        let height = pixels.len() / width.max(1);
        let mut total = 0.0;
        for (y, row) in pixels.chunks_exact(width.max(1)).enumerate() {
            let latitude = ((y as f64 + 0.5) / height as f64 - 0.5) * std::f64::consts::PI;
            let (sin, cos) = libm::sincos(latitude);
            for (x, pixel) in row.iter().enumerate() {
                let longitude = ((x as f64 + 0.5) / width as f64 - 0.5) * 2.0 * std::f64::consts::PI;
                let direction = [cos * libm::sin(longitude), sin, -cos * libm::cos(longitude)];
                total += cos;
                let channels = pixel.iter().zip(&mut sky.mean).zip(&mut sky.slope);
                for ((value, mean), slope) in channels {
                    let light = clamped(f64::from(*value), 0.0, 1e6) * cos;
                    *mean += light;
                    direction.iter().zip(slope).for_each(|(axis, sum)| *sum += 3.0 * light * axis);
                }
            }
        }
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        sky.mean.iter_mut().chain(sky.slope.as_flattened_mut()).for_each(|value| *value *= scale);
        sky
    }

    /// The sky turned about the vertical axis, degrees to the left as seen from above, and its radiance times `gain`.
    pub fn turned(mut self, degrees: f64, gain: f64) -> Self {
        let (sin, cos) = libm::sincos(degrees.to_radians());
        for [x, y, z] in &mut self.slope {
            (*x, *z) = ((*x * cos + *z * sin) * gain, (*z * cos - *x * sin) * gain);
            *y *= gain;
        }
        self.mean = self.mean.map(|mean| mean * gain);
        self
    }

    /// Radiance in a direction, a unit vector.
    pub fn radiance(&self, direction: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|channel| {
            let slope: f64 = (0..3).map(|axis| self.slope[channel][axis] * direction[axis]).sum();
            (self.mean[channel] + slope).max(0.0)
        })
    }
}

/// A point that shines on the smoke in all directions, such as a spark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSource {
    /// World position.
    pub position: [f64; 3],
    /// Radiance times projected area, world units².
    pub intensity: [f32; 3],
}

/// Shading settings.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeLook {
    /// Optical depth of a density of 1 over 100 world units, 0 and up.
    pub density: f64,
    /// Bounds of a ramp that sharpens the edge of the smoke: density up to the first is invisible, and density from the
    /// second on is unchanged. 0 and 0 leave all density unchanged.
    pub edge: [f64; 2],
    /// Sharpening against the softness of interpolation: 0 leaves it, 1 makes up for it, 2 is the most.
    pub sharpness: f64,
    /// Detail finer than the cells, of media [`in_motion`](super::Lit::in_motion).
    pub detail: FineDetail,
    /// Albedo of smoke, by channel: the fraction of the extinguished light that it scatters, 0 to 1.
    pub albedo: [f64; 3],
    /// Extinction of red, green and blue light, relative to the extinction that defines alpha, 0 and up.
    pub extinction: [f64; 3],
    /// Whether the extinction of smoke is in each channel that of its tint, times the above, so that it lets its own colour
    /// through.
    pub absorbs_by_colour: bool,
    /// Light behind the medium that the picture has in its ambient light: what channels with less extinction than alpha
    /// let through of it.
    pub behind: [f64; 3],
    /// Optical depth of soot of 1 over 100 world units, 0 and up.
    pub soot: f64,
    /// Albedo of soot, relative to that of smoke, 0 to 1.
    pub soot_albedo: f64,
    /// Mean cosine of the forward and of the backward lobe of the phase function of Henyey and Greenstein, −0.95 to
    /// 0.95.
    pub lobes: [f64; 2],
    /// Share of the forward lobe, 0 to 1.
    pub forward: f64,
    /// Strength of multiple scattering, 0 to 1: the factor from one octave to the next (Wrenninge, Kulla & Lundqvist
    /// 2013).
    pub scattering: f64,
    /// Ambient light.
    pub sky: Sky,
    /// Factor of the extinction for the ambient light, 0 and up; at 0 the medium does not occlude it.
    pub occlusion: f64,
    /// Fire: its emission, opacity, and light on smoke.
    pub fire: Fire,
    /// Points that shine on the smoke.
    pub sources: Arc<Vec<PointSource>>,
    /// Factor of their light, 0 and up.
    pub source_gain: f64,
    /// Length over which fire has its brightness and opacity, world units, above 0.
    pub fire_depth: f64,
    /// Shock cells in jets of hot gas.
    pub shock_cells: Vec<ShockCells>,
    /// A surface that catches shadow and light.
    pub catcher: Option<Catcher>,
    /// Length of a step, cells: ½, or 1 for drafts.
    pub step: f64,
}

impl Default for VolumeLook {
    fn default() -> Self {
        Self {
            density: 12.0,
            edge: [0.0; 2],
            sharpness: 0.0,
            detail: FineDetail::default(),
            albedo: [0.88, 0.88, 0.89],
            extinction: [1.0; 3],
            absorbs_by_colour: false,
            behind: [0.0; 3],
            soot: 6.0,
            soot_albedo: 0.03,
            lobes: [0.5, -0.25],
            forward: 0.7,
            scattering: 0.5,
            sky: Sky::between([0.18, 0.22, 0.30], [0.12, 0.11, 0.10]),
            occlusion: 1.0,
            fire: Fire::default(),
            sources: Arc::default(),
            source_gain: 1.0,
            fire_depth: 30.0,
            shock_cells: Vec::new(),
            catcher: None,
            step: 0.5,
        }
    }
}
