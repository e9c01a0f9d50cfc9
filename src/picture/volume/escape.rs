//! The light of fire and sparks out of a medium: a few point lights, each with its transmittance in the six directions of
//! the axes.

use super::coarse::Coarse;
use super::medium::TILE;
use crate::picture::lamps::{Glow, Lamp, at_most};
use crate::picture::maths::decay;

/// Largest number of point lights.
const MOST: usize = 32;

/// At most [`MOST`] lamps with the light of the sources. `coarse`: extinction; `diffuse`: attenuation of diffuse light
/// relative to it.
pub fn lamps(coarse: &Coarse<f32>, sources: Vec<Glow>, diffuse: f32) -> Vec<Lamp> {
    let lamp = |glow: Glow| Lamp {
        glow,
        clear: [0, 1, 2].map(|axis| [-1, 1].map(|step| transmittance(coarse, &glow, axis, step, diffuse))),
    };
    at_most(sources, TILE as f32, MOST).into_iter().map(lamp).collect()
}

/// Transmittance from a source to the end of the medium along an axis. Half the extinction of its own cell counts.
fn transmittance(coarse: &Coarse<f32>, glow: &Glow, axis: usize, step: isize, diffuse: f32) -> f32 {
    let [width, height, _] = coarse.volume.size;
    let mut cell = coarse.cell(glow.position);
    let mut sum = 0.5 * coarse.volume.values[cell[0] + width * (cell[1] + height * cell[2])];
    while let Some(next) = cell[axis].checked_add_signed(step).filter(|next| *next < coarse.volume.size[axis]) {
        cell[axis] = next;
        sum += coarse.volume.values[cell[0] + width * (cell[1] + height * cell[2])];
    }
    decay(sum * diffuse)
}
