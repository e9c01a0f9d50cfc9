//! A pixel: what a march along its ray collects.

use super::look::LIGHTS;

/// A pixel.
#[derive(Clone, Copy, Default)]
pub struct Pixel {
    /// Light of each of the lights, premultiplied.
    pub lights: [[f32; 3]; LIGHTS],
    /// Light from all around.
    pub ambient: [f32; 3],
    /// Light of fire, and its light on smoke.
    pub emission: [f32; 3],
    /// Transmittance by channel, and that of alpha.
    pub clear: [f32; 4],
    /// Data along the ray.
    pub data: Data,
}

/// Data along a ray. Distances are in segments from the start of the first one.
#[derive(Clone, Copy, Default)]
pub struct Data {
    /// Alpha reaches 0.01.
    pub first: Option<f32>,
    /// The transmittance passes ½.
    pub half: Option<f32>,
    /// End of the last segment with contents before the ray is dark.
    pub last: f32,
    /// Sum of the contributions to alpha.
    pub covered: f32,
    /// Sum of the distances, weighted by the contribution to alpha.
    pub mean: f32,
    /// Sum of the gradients of the extinction, weighted by the contribution to alpha.
    pub gradient: [f32; 3],
    /// Optical depth, and the largest temperature of fire.
    pub integrals: [f32; 2],
}

/// Takes the segments of a ray.
pub trait Record {
    /// Whether segments are taken.
    const ON: bool;

    /// Takes a segment with contents: its ends in segments from the start of the first one, its optical depth, and the
    /// light and the transmittance of all segments so far.
    fn segment(&mut self, ends: [f32; 2], depth: f32, light: [f32; 3], clear: f32);
}

impl Record for () {
    const ON: bool = false;

    #[inline(always)]
    fn segment(&mut self, _ends: [f32; 2], _depth: f32, _light: [f32; 3], _clear: f32) {}
}

impl Pixel {
    /// Light of all lights.
    pub fn light(&self) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for group in self.lights.iter().chain([&self.ambient, &self.emission]) {
            sum.iter_mut().zip(group).for_each(|(sum, light)| *sum += light);
        }
        sum
    }

    /// Adds the light and the transmittance of another pixel.
    pub fn add(&mut self, other: &Self) {
        let lights = self.lights.as_flattened_mut().iter_mut().zip(other.lights.as_flattened());
        let around = self.ambient.iter_mut().zip(&other.ambient).chain(self.emission.iter_mut().zip(&other.emission));
        lights.chain(around).for_each(|(sum, light)| *sum += light);
        self.clear.iter_mut().zip(other.clear).for_each(|(sum, clear)| *sum += clear);
    }

    /// Light and transmittance times a factor.
    pub fn scaled(mut self, factor: f32) -> Self {
        let light = self.lights.as_flattened_mut().iter_mut().chain(&mut self.ambient).chain(&mut self.emission);
        light.chain(&mut self.clear).for_each(|value| *value *= factor);
        self
    }
}
