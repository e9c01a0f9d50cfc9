//! The shadow of sprites, and their light, on a surface of the scene.
//!
//! The surface is a diffuse reflector in the light on puffs. Sprites that cover cast shadows; sprites that add light shine
//! on it, merged into a few point lights.

use super::look::Look;
use super::shadow::ShadowLattice;
use super::sprites::Sprites;
use crate::compute::cpu::Cpu;
use crate::picture::catcher::{Catcher, Caught, Position};
use crate::picture::lamps::{Glow, Lamp, at_most, radius2, reflected};
use crate::picture::maths::clamped;
use crate::sim::particles::Particle;

/// Largest number of point lights.
const MOST: usize = 32;

/// Least side of a block of sprites with one light, pixels.
const BLOCK: f32 = 8.0;

/// Number of particles that a task converts.
const PIECE: usize = 4096;

/// A surface beside sprites.
pub struct Surroundings<'a> {
    /// The surface.
    pub catcher: Catcher,
    lattice: Option<&'a ShadowLattice>,
    lamps: Vec<Lamp>,
    /// Share of the light that comes from all around.
    ambient: f64,
    reflectance: [f32; 3],
}

impl<'a> Surroundings<'a> {
    /// The surface of shading settings beside sprites with these shadows, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, look: &Look, sprites: &'a Sprites<'_>, particles: &[Particle]) -> Option<Self> {
        let catcher = look.catcher?;
        let reflectance = catcher.reflectance.map(|part| clamped(part, 0.0, 1e6) as f32);
        let lamps = if reflectance == [0.0; 3] { Vec::new() } else { lamps(cpu, sprites, particles) };
        let lattice = sprites.shadow();
        Some(Self { catcher, lattice, lamps, ambient: clamped(look.ambient, 0.0, 1.0), reflectance })
    }

    /// Shadow and light at a position.
    pub fn at(&self, position: &Position) -> Caught {
        let Position { world, normal } = *position;
        if world.iter().any(|part| !part.is_finite()) {
            return Caught::default();
        }
        let shadow = self.lattice.map_or(0.0, |lattice| {
            let to_light = lattice.to_light();
            let cosine: f64 = to_light.iter().zip(normal).map(|(a, b)| a * b).sum();
            let direct = (1.0 - self.ambient) * cosine.max(0.0);
            let lit = lattice.beyond(world);
            let kept = direct * f64::from(lit.direct) + self.ambient * f64::from(lit.ambient);
            let whole = direct + self.ambient;
            if whole > 0.0 { clamped(self.catcher.shadow, 0.0, 1.0) * (1.0 - kept / whole) } else { 0.0 }
        });
        let place = world.map(|part| part as f32);
        let light = reflected(&self.lamps, self.reflectance, place, normal.map(|part| part as f32));
        Caught { light, shadow: shadow as f32 }
    }
}

/// Sprites that add light as a few lamps.
fn lamps(cpu: &Cpu, sprites: &Sprites<'_>, particles: &[Particle]) -> Vec<Lamp> {
    let glows = cpu.each(particles.chunks(PIECE).collect(), |piece: &[Particle]| {
        let glow = |particle: &Particle| {
            let light = sprites.light(particle)?;
            Some(Glow { position: particle.position, light, radius2: radius2(BLOCK) })
        };
        piece.iter().filter_map(glow).collect::<Vec<_>>()
    });
    let lamp = |glow| Lamp { glow, clear: [[1.0; 2]; 3] };
    at_most(super::joined(glows), BLOCK, MOST).into_iter().map(lamp).collect()
}
