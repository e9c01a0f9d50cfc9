//! Clusters of the many lights of an effect, and their light on surfaces of the scene.

use std::collections::BTreeMap;

use super::maths::dot;

/// Largest number of lights on a surface of the scene.
pub const SURFACE_LIGHTS: usize = 32;

/// Several lights as one.
#[derive(Clone, Copy, Debug, Default)]
pub struct LightCluster {
    /// Centroid.
    pub position: [f32; 3],
    /// Radiance times projected area, lengths².
    pub light: [f32; 3],
    /// Square of the radius of the lights around the centroid, lengths².
    pub radius2: f32,
}

/// At most `most` clusters with the light of others: those of blocks of the smallest side that is `side` times a power
/// of two.
pub fn at_most(mut lights: Vec<LightCluster>, mut side: f32, most: usize) -> Vec<LightCluster> {
    while lights.len() > most {
        lights = merged(lights, side);
        side *= 2.0;
    }
    lights
}

/// Square of the radius of a block of even light: its variance.
pub fn radius2(side: f32) -> f32 {
    side * side / 4.0
}

/// Sums over the lights of a block, weighted by their light.
#[derive(Clone, Copy, Default)]
struct Sums {
    light: [f32; 3],
    weight: f64,
    moment: [f64; 3],
    /// Of the squares of the positions and of the radii.
    square: f64,
}

/// Lights whose centroids are in the same block, as one, in the order of the blocks.
pub fn merged(lights: impl IntoIterator<Item = LightCluster>, side: f32) -> Vec<LightCluster> {
    let mut blocks: BTreeMap<[i32; 3], Sums> = BTreeMap::new();
    for LightCluster { position, light, radius2 } in lights {
        let block = position.map(|place| (place / side).floor() as i32);
        let weight = f64::from(light.iter().sum::<f32>());
        let position = position.map(f64::from);
        let sums = blocks.entry(block).or_default();
        for axis in 0..3 {
            sums.moment[axis] += position[axis] * weight;
            sums.light[axis] += light[axis];
        }
        sums.square += (position.iter().map(|part| part * part).sum::<f64>() + f64::from(radius2)) * weight;
        sums.weight += weight;
    }
    let cluster = |Sums { light, weight, moment, square }: Sums| {
        let centroid = moment.map(|moment| moment / weight);
        let variance = square / weight - centroid.iter().map(|part| part * part).sum::<f64>();
        LightCluster { position: centroid.map(|part| part as f32), light, radius2: variance.max(0.0) as f32 }
    };
    blocks.into_values().map(cluster).collect()
}

/// A light on surfaces of the scene, with the medium around it.
#[derive(Clone, Copy, Debug)]
pub struct OccludedLight {
    /// The light.
    pub cluster: LightCluster,
    /// Transmittance of the medium around it, towards the low and the high end of each axis.
    pub transmittance: [[f32; 2]; 3],
}

impl OccludedLight {
    /// Irradiance at a position on a surface with a unit normal.
    #[inline(always)]
    pub fn irradiance(&self, position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
        let to_light = [0, 1, 2].map(|axis| self.cluster.position[axis] - position[axis]);
        let distance2 = dot(to_light, to_light) + 1e-6;
        let cosine = dot(to_light, normal) / distance2.sqrt();
        if cosine.is_nan() || cosine <= 0.0 {
            return [0.0; 3];
        }
        // Between the axes the transmittance is weighted by the squares of the direction's components, whose sum is 1.
        let transmittance: f32 = (0..3)
            .map(|axis| {
                let [low, high] = self.transmittance[axis];
                to_light[axis] * to_light[axis] * if to_light[axis] > 0.0 { low } else { high }
            })
            .sum();
        let factor = cosine * transmittance / (distance2 * (distance2 + self.cluster.radius2));
        self.cluster.light.map(|light| light * factor)
    }
}

/// Radiance of a diffuse surface with a reflectance in some lights.
#[inline(always)]
pub fn reflected(lights: &[OccludedLight], reflectance: [f32; 3], position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
    let mut light = [0.0; 3];
    for source in lights {
        let irradiance = source.irradiance(position, normal);
        light.iter_mut().zip(irradiance).for_each(|(sum, part)| *sum += part);
    }
    light.iter_mut().zip(reflectance).for_each(|(light, part)| *light *= part * std::f32::consts::FRAC_1_PI);
    light
}
