//! The light of fire and sparks on surfaces of the scene: a few point lights, each with its transmittance in the six
//! directions of the axes.

use super::coarse::Coarse;
use super::firelight::{Source, at_most};
use super::sources::dot;
use crate::picture::maths::decay;

/// Largest number of point lights.
const MOST: usize = 32;

/// A point light with the transmittance of the medium around it.
#[derive(Clone, Copy)]
pub struct Lamp {
    source: Source,
    /// Transmittance of diffuse light from the point out of the medium, towards the low and the high end of each axis.
    clear: [[f32; 2]; 3],
}

impl Lamp {
    /// Irradiance at a position in the medium's coordinates on a surface with a unit normal.
    #[inline(always)]
    pub fn irradiance(&self, position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
        let to_light = [0, 1, 2].map(|axis| self.source.position[axis] - position[axis]);
        let distance2 = dot(to_light, to_light) + 1e-6;
        let cosine = dot(to_light, normal) / distance2.sqrt();
        if !(cosine > 0.0) {
            return [0.0; 3];
        }
        // Between the axes the transmittance is weighted by the squares of the direction's components, whose sum is 1.
        let clear: f32 = (0..3)
            .map(|axis| {
                let [low, high] = self.clear[axis];
                to_light[axis] * to_light[axis] * if to_light[axis] > 0.0 { low } else { high }
            })
            .sum();
        let factor = cosine * clear / (distance2 * (distance2 + self.source.radius2));
        self.source.light.map(|light| light * factor)
    }
}

/// At most [`MOST`] lamps with the light of the sources. `coarse`: extinction; `diffuse`: attenuation of diffuse light
/// relative to it.
pub fn lamps(coarse: &Coarse<f32>, sources: Vec<Source>, diffuse: f32) -> Vec<Lamp> {
    let lamp = |source: Source| Lamp {
        source,
        clear: [0, 1, 2].map(|axis| [-1, 1].map(|step| transmittance(coarse, &source, axis, step, diffuse))),
    };
    at_most(sources, MOST).into_iter().map(lamp).collect()
}

/// Transmittance from a source to the end of the medium along an axis. Half the extinction of its own cell counts.
fn transmittance(coarse: &Coarse<f32>, source: &Source, axis: usize, step: isize, diffuse: f32) -> f32 {
    let [width, height, _] = coarse.volume.size;
    let mut cell = coarse.cell(source.position);
    let mut sum = 0.5 * coarse.volume.values[cell[0] + width * (cell[1] + height * cell[2])];
    while let Some(next) = cell[axis].checked_add_signed(step).filter(|next| *next < coarse.volume.size[axis]) {
        cell[axis] = next;
        sum += coarse.volume.values[cell[0] + width * (cell[1] + height * cell[2])];
    }
    decay(sum * diffuse)
}
