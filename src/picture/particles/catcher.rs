//! The shadow of sprites, and their light, on a surface of the scene.
//!
//! The surface is a diffuse reflector in the light on puffs. Sprites that cover cast shadows; sprites that add light shine
//! on it, merged into a few lights.

use super::look::Look;
use super::shadow::ShadowLattice;
use super::sprite_light::lights;
use super::sprites::Sprites;
use crate::compute::cpu::Cpu;
use crate::picture::catcher::{Catcher, Received, SurfacePoint};
use crate::picture::light_clusters::{OccludedLight, SURFACE_LIGHTS, at_most, reflected};
use crate::picture::maths::clamped;
use crate::sim::particles::Particle;

/// Least side of a block of sprites with one light, pixels.
const BLOCK: f32 = 8.0;

/// Shading of a catcher by sprites.
pub struct CatcherShading<'a> {
    /// The surface.
    pub catcher: Catcher,
    lattice: Option<&'a ShadowLattice>,
    lights: Vec<OccludedLight>,
    /// Offsets of the rays to the light across its direction.
    rays: Vec<[f64; 2]>,
    /// Share of the light that comes from all around.
    ambient: f64,
    reflectance: [f32; 3],
}

impl<'a> CatcherShading<'a> {
    /// The surface of shading settings beside sprites with these shadows, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, look: &Look, sprites: &'a Sprites<'_>, particles: &[Particle]) -> Option<Self> {
        let catcher = look.catcher?;
        let reflectance = catcher.reflectance.map(|part| clamped(part, 0.0, 1e6) as f32);
        let lights = if reflectance == [0.0; 3] { Vec::new() } else { surface_lights(cpu, sprites, particles) };
        let lattice = sprites.shadow();
        let ambient = clamped(look.ambient, 0.0, 1.0);
        Some(Self { catcher, lattice, lights, rays: catcher.rays(), ambient, reflectance })
    }

    /// Shadow and light at a position.
    pub fn at(&self, position: &SurfacePoint) -> Received {
        let SurfacePoint { world, normal } = *position;
        if world.iter().any(|part| !part.is_finite()) {
            return Received::default();
        }
        let shadow = self.lattice.map_or(0.0, |lattice| {
            let to_light = lattice.to_light();
            let cosine: f64 = to_light.iter().zip(normal).map(|(a, b)| a * b).sum();
            let direct = (1.0 - self.ambient) * cosine.max(0.0);
            let lit = lattice.on_surface(world, &self.rays);
            let kept = direct * f64::from(lit.direct) + self.ambient * f64::from(lit.ambient);
            let whole = direct + self.ambient;
            if whole > 0.0 { clamped(self.catcher.shadow, 0.0, 1.0) * (1.0 - kept / whole) } else { 0.0 }
        });
        let place = world.map(|part| part as f32);
        let light = reflected(&self.lights, self.reflectance, place, normal.map(|part| part as f32));
        Received { light, shadow: shadow as f32 }
    }
}

/// Sprites that add light as a few lights.
fn surface_lights(cpu: &Cpu, sprites: &Sprites<'_>, particles: &[Particle]) -> Vec<OccludedLight> {
    let light = |cluster| OccludedLight { cluster, transmittance: [[1.0; 2]; 3] };
    at_most(lights(cpu, sprites, particles, BLOCK), BLOCK, SURFACE_LIGHTS).into_iter().map(light).collect()
}
