//! Point lights that stand for many lights of an effect, and their light on surfaces of the scene.

use std::collections::BTreeMap;

use super::maths::dot;

/// Lights of a block as one: their centroid, their sum, and the square of the radius of the block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Glow {
    /// Centroid.
    pub position: [f32; 3],
    /// Radiance times projected area, lengths².
    pub light: [f32; 3],
    /// Square of the radius of its block, lengths².
    pub radius2: f32,
}

/// The lights in blocks of which there are at most `most`, of the smallest side that is `side` times a power of two.
pub fn at_most(mut lights: Vec<Glow>, mut side: f32, most: usize) -> Vec<Glow> {
    while lights.len() > most {
        side *= 2.0;
        lights = merged(lights, side);
    }
    lights
}

/// Square of the radius of a block.
pub fn radius2(side: f32) -> f32 {
    side * side / 4.0
}

/// Lights whose centroids are in the same block, as one, in the order of the blocks.
pub fn merged(lights: impl IntoIterator<Item = Glow>, side: f32) -> Vec<Glow> {
    let mut blocks: BTreeMap<[i32; 3], (Glow, f32)> = BTreeMap::new();
    for light in lights {
        let block = light.position.map(|place| (place / side).floor() as i32);
        let weight = light.light.iter().sum::<f32>();
        let (sum, total) = blocks.entry(block).or_default();
        for axis in 0..3 {
            sum.position[axis] += light.position[axis] * weight;
            sum.light[axis] += light.light[axis];
        }
        *total += weight;
    }
    let centroid = |(sum, total): (Glow, f32)| Glow {
        position: sum.position.map(|place| place / total),
        radius2: radius2(side),
        ..sum
    };
    blocks.into_values().map(centroid).collect()
}

/// A light on surfaces of the scene.
#[derive(Clone, Copy, Debug)]
pub struct Lamp {
    /// The light.
    pub glow: Glow,
    /// Transmittance of what is around it, towards the low and the high end of each axis.
    pub clear: [[f32; 2]; 3],
}

impl Lamp {
    /// Irradiance at a position on a surface with a unit normal.
    #[inline(always)]
    pub fn irradiance(&self, position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
        let to_light = [0, 1, 2].map(|axis| self.glow.position[axis] - position[axis]);
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
        let factor = cosine * clear / (distance2 * (distance2 + self.glow.radius2));
        self.glow.light.map(|light| light * factor)
    }
}

/// Radiance of a diffuse surface with a reflectance in the light of some lamps.
#[inline(always)]
pub fn reflected(lamps: &[Lamp], reflectance: [f32; 3], position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
    let mut light = [0.0; 3];
    for lamp in lamps {
        let irradiance = lamp.irradiance(position, normal);
        light.iter_mut().zip(irradiance).for_each(|(sum, part)| *sum += part);
    }
    light.iter_mut().zip(reflectance).for_each(|(light, part)| *light *= part * std::f32::consts::FRAC_1_PI);
    light
}
