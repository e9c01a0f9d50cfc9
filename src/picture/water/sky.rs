//! The sky that the surface reflects, and the eye that sees it.

use super::light::{Light, colour};
use super::shading::Shading;
use super::skyline::Skyline;
use super::textures::CLOUDS;
use super::tile::Level;
use crate::picture::maths::{clamped, up_to};
use crate::sim::grid::{Frame, Grid};

/// Texels of the clouds over the height of the frame.
const CLOUD_TEXELS: f32 = 640.0;

/// Least cosine between the normal and the eye: steeper facets are hidden behind others.
const GRAZING: f32 = 0.02;

/// Brightness of a cloud at its rim, and the gain in its middle, of the horizon's.
const CLOUD: [f32; 2] = [0.9, 0.9];

/// Change of a reflected ray per change of the slopes, twice over, since leaves and windows are fine.
const SPREAD: f32 = 4.0;

/// Share of a colour in the darkest part of a sky with contrast.
const DARKEST: f32 = 0.06;

/// A distant eye above the lower edge of the frame, seen from the water.
#[derive(Clone, Copy)]
pub struct Eye {
    /// Unit vector towards the eye.
    pub towards: [f32; 3],
}

impl Eye {
    /// The eye of shading settings.
    pub fn new(shading: &Shading) -> Self {
        let (up, flat) = libm::sincos(clamped(shading.view_elevation, 1.0, 90.0).to_radians());
        // Exactly upright at 90 degrees.
        let flat = if shading.view_elevation >= 90.0 { 0.0 } else { flat };
        Self { towards: [0.0, -flat as f32, up as f32] }
    }

    /// Cosine between the eye and the normal of a slope whose upright part is `upright`.
    #[inline(always)]
    pub fn cosine(&self, slope_y: f32, upright: f32) -> f32 {
        let [_, y, z] = self.towards;
        ((z - y * slope_y) * upright).max(GRAZING)
    }
}

/// Radiance of the sky by direction: from the horizon to the zenith, brighter around the light, with clouds, and
/// what stands before it.
pub struct Sky {
    zenith: [f32; 3],
    horizon: [f32; 3],
    light: Light,
    contrast: f32,
    clouds: Option<Clouds>,
    skyline: Option<Skyline>,
}

/// Clouds in a plane above the water.
struct Clouds {
    level: Level<'static, 1>,
    cover: f32,
    texels_per_cell: f32,
    /// Cells between the water and the clouds.
    distance: f32,
}

impl Sky {
    /// The sky of shading settings over a frame of a grid.
    pub fn new(shading: &Shading, light: Light, grid: &Grid, frame: &Frame) -> Self {
        let cover = clamped(shading.clouds, 0.0, 1.0) as f32;
        let texels_per_cell = CLOUD_TEXELS / frame.size[1] as f32;
        let clouds = (cover > 0.0).then(|| Clouds {
            level: CLOUDS.level(texels_per_cell),
            cover,
            texels_per_cell,
            distance: (clamped(shading.reflection_distance, 0.0, 1e6) * grid.cells_per_pixel) as f32,
        });
        Self {
            zenith: colour(shading.sky_colour),
            horizon: colour(shading.horizon_colour),
            light,
            contrast: clamped(shading.sky_contrast, 0.0, 4.0) as f32,
            clouds,
            skyline: Skyline::new(shading, &light, grid, frame),
        }
    }

    /// Radiance that a cell reflects towards the eye, of the cosine between its normal and the eye. `change` is the
    /// squared change of the slopes over the cell.
    #[inline(always)]
    pub fn reflected(
        &self,
        eye: &Eye,
        [x, y]: [usize; 2],
        [slope_x, slope_y]: [f32; 2],
        change: f32,
        upright: f32,
        cosine: f32,
    ) -> [f32; 3] {
        let double = 2.0 * cosine * upright;
        let ray = [-double * slope_x, -double * slope_y - eye.towards[1], double - eye.towards[2]];
        // Most of the change is near the horizon.
        let low = 1.0 - up_to(ray[2], 1.0);
        let up = 1.0 - low * low * low;
        let to_light = up_to(
            0.5 + 0.5
                * (ray[0] * self.light.towards[0] + ray[1] * self.light.towards[1] + ray[2] * self.light.towards[2]),
            1.0,
        );
        let glow = (1.0 + self.contrast * (1.8 * to_light * to_light - 0.8)).max(DARKEST);
        let cover = self.clouds.as_ref().map_or(0.0, |clouds| clouds.cover([x, y], [slope_x, slope_y]));
        let [r, g, b, hidden] = match &self.skyline {
            Some(skyline) => skyline.at([x, y], ray, SPREAD * change.sqrt()),
            None => [0.0; 4],
        };
        std::array::from_fn(|i| {
            let clear = (self.horizon[i] + (self.zenith[i] - self.horizon[i]) * up) * glow;
            let sky = clear + (self.horizon[i] * (CLOUD[0] + CLOUD[1] * cover) - clear) * cover;
            sky * (1.0 - hidden) + [r, g, b][i]
        })
    }
}

impl Clouds {
    /// Cover at the place that a cell reflects.
    #[inline(always)]
    fn cover(&self, [x, y]: [usize; 2], [slope_x, slope_y]: [f32; 2]) -> f32 {
        let place = |at: usize, slope: f32| {
            (at as f32 - (2.0 * self.distance * slope).clamp(-4096.0, 4096.0)) * self.texels_per_cell
        };
        let (u, v) = (place(x, slope_x), place(y, slope_y));
        // A second layer, turned and of another scale, so that no cloud is seen twice.
        let [large] = self.level.at(u, v);
        let [small] = self.level.at(0.47 * u - 0.61 * v + 150.0, 0.61 * u + 0.47 * v);
        let cloud = 0.5 * (large + small);
        up_to((cloud - (1.0 - self.cover)) * 2.2, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Radiance that flat water reflects to an eye at an elevation.
    fn flat(shading: &Shading) -> [f32; 3] {
        let grid = Grid { width: 16, height: 9, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let (sky, eye) = (Sky::new(shading, Light::new(shading), &grid, &grid.frame([0.0; 2])), Eye::new(shading));
        sky.reflected(&eye, [3, 4], [0.0; 2], 0.0, 1.0, eye.cosine(0.0, 1.0))
    }

    #[test]
    fn flat_water_reflects_the_zenith_to_an_eye_above_and_the_horizon_to_a_low_one() {
        let from = |view_elevation| Shading { sky_contrast: 0.0, view_elevation, ..Shading::default() };
        let [above, low] = [90.0, 1.0].map(|elevation| flat(&from(elevation)));
        let near = |rgb: [f32; 3], truth: [f64; 3], off: f32| {
            assert!(rgb.iter().zip(truth).all(|(a, b)| (a - b as f32).abs() < off), "{rgb:?} {truth:?}");
        };
        near(above, Shading::default().sky_colour, 1e-6);
        near(low, Shading::default().horizon_colour, 0.04);
    }

    #[test]
    fn contrast_brightens_the_sky_towards_the_light() {
        let towards = |light_direction| {
            let shading = Shading { sky_contrast: 1.0, view_elevation: 30.0, light_direction, ..Shading::default() };
            flat(&shading)[1]
        };
        // The eye stands above the lower edge, so that it sees the sky above the upper one.
        assert!(towards(90.0) > 1.5 * towards(-90.0), "{} {}", towards(90.0), towards(-90.0));
    }
}
