//! The light of sprites that add light on those that cover.
//!
//! Sprites that add light are merged into a few point lights. A diffuse sphere in the fluence E / r² of a light, with the
//! light's radiance times area E and the distance r, softened by the radius of the light, has the mean radiance
//! ρ·E / (4π·r²), with its reflectance ρ. Nothing is in the way of that light.

use super::sprites::Sprites;
use super::{PIECE, joined};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::light_clusters::{LightCluster, at_most, radius2};
use crate::picture::maths::clamped;
use crate::sim::particles::Particle;

/// Least side of a block of sprites with one light, pixels.
const BLOCK: f32 = 8.0;

/// Largest number of lights on sprites.
const MOST: usize = 96;

/// Particles that are lit together.
const LANES: usize = 16;

/// Sprites that add light as lights, at most `most`, on the threads of `cpu`.
pub fn clusters(cpu: &Cpu, sprites: &Sprites<'_>, particles: &[Particle], most: usize) -> Vec<LightCluster> {
    let lights = cpu.each(particles.chunks(PIECE).collect(), |piece: &[Particle]| {
        let cluster = |particle: &Particle| {
            let light = sprites.light(particle)?;
            Some(LightCluster { position: particle.position, light, radius2: radius2(BLOCK) })
        };
        piece.iter().filter_map(cluster).collect::<Vec<_>>()
    });
    at_most(joined(lights), BLOCK, most)
}

/// The light of sprites on other sprites.
pub struct SpriteLight {
    lights: Vec<LightCluster>,
    /// Radiance of a sprite of reflectance 1 in a fluence of 1.
    factor: f32,
}

impl SpriteLight {
    /// The light of sprites times `strength`, on the threads of `cpu`; `None` without any.
    pub fn new(cpu: &Cpu, sprites: &Sprites<'_>, particles: &[Particle], strength: f64) -> Option<Self> {
        let strength = clamped(strength, 0.0, 1e6) as f32;
        if strength == 0.0 {
            return None;
        }
        let lights = clusters(cpu, sprites, particles, MOST);
        (!lights.is_empty()).then_some(Self { lights, factor: strength / (4.0 * std::f32::consts::PI) })
    }

    /// Radiance of a sprite of reflectance 1 at each particle.
    pub fn on(&self, particles: &[Particle]) -> Vec<[f32; 3]> {
        let mut light = vec![[0.0; 3]; particles.len()];
        wide(Radiances { of: self, particles, light: &mut light });
        light
    }
}

/// Evaluates the light at particles.
struct Radiances<'a> {
    of: &'a SpriteLight,
    particles: &'a [Particle],
    light: &'a mut [[f32; 3]],
}

impl Wide for Radiances<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (particles, light) in self.particles.chunks(LANES).zip(self.light.chunks_mut(LANES)) {
            let mut places = [[0.0_f32; LANES]; 3];
            for (n, particle) in particles.iter().enumerate() {
                for axis in 0..3 {
                    places[axis][n] = particle.position[axis];
                }
            }
            let mut sums = [[0.0_f32; LANES]; 3];
            for LightCluster { position: [x, y, z], light, radius2 } in &self.of.lights {
                for n in 0..LANES {
                    let (dx, dy, dz) = (x - places[0][n], y - places[1][n], z - places[2][n]);
                    let factor = 1.0 / (dx * dx + dy * dy + dz * dz + radius2);
                    for channel in 0..3 {
                        sums[channel][n] += light[channel] * factor;
                    }
                }
            }
            for (n, light) in light.iter_mut().enumerate() {
                *light = [0, 1, 2].map(|channel| sums[channel][n] * self.of.factor);
            }
        }
    }
}
