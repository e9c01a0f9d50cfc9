//! Shading settings of particles. They enter no cache key, since they do not affect the simulation.

use crate::picture::camera::{Camera, DepthOfField};
use crate::picture::catcher::Catcher;
use crate::sim::particles::Particle;
use crate::sim::particles::births::{Births, PIECES};
use crate::sim::particles::settings::EMITTERS;

/// Keys of a curve over life.
pub const KEYS: usize = 4;

/// A picture of particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The sprites, premultiplied.
    Beauty,
    /// Distance from the camera.
    Depth,
    /// Motion to the next frame and to the previous one, pixels.
    Motion,
    /// Number, age as a share of life, emitter.
    Identity,
    /// Number of sprites over each pixel.
    Count,
    /// The light of the sprites, without their cover.
    Emission,
}

/// The shape of a sprite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sprite {
    /// A disc with a sharp edge.
    Disc,
    /// A disc that fades towards its edge.
    SoftDisc,
    /// A bright core in a glow.
    Spark,
    /// A cloud in the light.
    Puff,
    /// A star of four rays.
    Star,
    /// A snowflake.
    Flake,
    /// A chip with straight edges.
    Shard,
    /// The picture of sprites.
    Picture,
}

/// The frames of the picture of sprites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atlas {
    /// Columns and rows.
    pub frames: [usize; 2],
    /// Frames follow the age of a particle; otherwise each particle has one.
    pub by_age: bool,
}

/// The sprites of an emitter. A curve has its keys at birth, at one and two thirds of the life, and at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmitterLook {
    /// The shape.
    pub sprite: Sprite,
    /// Mean diameter, pixels.
    pub size: f64,
    /// Share by which sizes differ, 0 to 1.
    pub size_spread: f64,
    /// Skew of the sizes, 0 to 1: 0: all are as frequent; 1: most are small.
    pub size_skew: f64,
    /// Factor of the size over life.
    pub sizes: [f64; KEYS],
    /// Opacity.
    pub opacity: f64,
    /// Factor of the opacity over life.
    pub opacities: [f64; KEYS],
    /// Number of shock cells over life: peaks of the opacity, the first at birth, at which the sprite is smallest; 0:
    /// none.
    pub shock_cells: f64,
    /// Colour at birth, in the middle of the life and at its end, or factors of the Source's colour.
    pub colours: [[f64; 3]; 3],
    /// Factor of the colour.
    pub brightness: f64,
    /// Compositing operator: 0 adds the light of the sprite, 1 places the sprite over the background; values between
    /// blend both.
    pub cover: f64,
    /// Stretch of the sprite along its motion, as a factor of the distance that it moves while the shutter is open.
    pub stretch: f64,
    /// Rotation, turns per frame.
    pub spin: f64,
    /// Rotation of a flat sprite about an axis in the picture, turns per frame; 0: it faces the camera.
    pub tumble: f64,
    /// Seed of the emitter's random numbers.
    pub seed: i32,
}

/// Future births of an emitter. Each ends the life of the oldest particle where the emitter has its largest number of
/// particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Future {
    /// The last frame whose births are known.
    pub frame: i64,
    /// Births of each frame after `frame`, in the order of the frames.
    pub births: Vec<Births>,
    /// The number after the last one that is born by the end of each frame after `frame`.
    ends: Vec<u64>,
    /// Largest number of particles of the emitter.
    pub capacity: usize,
}

impl Future {
    /// The life of a particle: its own, or the time until the one that takes its place is born.
    pub fn life(&self, particle: &Particle) -> f64 {
        let own = f64::from(particle.life);
        let next = particle.id + self.capacity as u64;
        let frame = self.ends.partition_point(|end| *end <= next);
        let Some(births) = self.births.get(frame) else { return own };
        let time = self.frame as f64 + frame as f64 + births.time(next);
        own.min(time - particle.birth()).max(0.0)
    }

    /// The future births after `frame`. `before`: number of births up to the end of `frame`; `rates`: births in each
    /// eighth of each later frame.
    pub fn new(frame: i64, before: f64, rates: impl IntoIterator<Item = [f64; PIECES]>, capacity: usize) -> Self {
        let mut births: Vec<Births> = Vec::new();
        for pieces in rates {
            let before = births.last().map_or(before, Births::after);
            births.push(Births { before, pieces });
        }
        let ends = births.iter().map(|births| births.numbers(1.0).end).collect();
        Self { frame, births, ends, capacity }
    }
}

/// All shading settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The picture.
    pub output: Output,
    /// The sprites of each emitter.
    pub emitters: [Option<EmitterLook>; EMITTERS],
    /// Future births of each emitter.
    pub futures: [Option<Future>; EMITTERS],
    /// Factor of all sizes, which makes up for particles that a level of detail leaves out.
    pub scale: f64,
    /// Time for which the shutter is open, frames.
    pub shutter: f64,
    /// The camera.
    pub camera: Camera,
    /// The camera at the start and the end of the shutter's time, and half a frame before and after now; `None` where
    /// it does not move.
    pub moving: Option<[Camera; 4]>,
    /// Its focus; `None`: all is sharp.
    pub focus: Option<DepthOfField>,
    /// Frames of the picture of sprites.
    pub atlas: Atlas,
    /// Direction of the light on puffs: degrees counter-clockwise from the right, and above the picture.
    pub light: [f64; 2],
    /// Fraction of the light on puffs that is ambient.
    pub ambient: f64,
    /// Optical depth of sprites in the light that they take from each other, as a factor.
    pub self_shadow: f64,
    /// Light of sprites that add light on those that cover, as a factor.
    pub sprite_light: f64,
    /// A surface that catches shadow and light.
    pub catcher: Option<Catcher>,
    /// Distance before the camera over which sprites fade in, pixels.
    pub near_fade: f64,
    /// Distance in front of the scene over which sprites fade in, pixels.
    pub soft_depth: f64,
}

/// The value of a curve at a share of the life, linear between its keys.
pub fn curve(keys: &[f64; KEYS], share: f64) -> f64 {
    let at = share.clamp(0.0, 1.0) * (KEYS - 1) as f64;
    let low = (at as usize).min(KEYS - 2);
    keys[low] + (keys[low + 1] - keys[low]) * (at - low as f64)
}

/// The colour at a share of the life.
pub fn gradient(colours: &[[f64; 3]; 3], share: f64) -> [f64; 3] {
    let at = share.clamp(0.0, 1.0) * 2.0;
    let low = (at as usize).min(1);
    [0, 1, 2].map(|c| colours[low][c] + (colours[low + 1][c] - colours[low][c]) * (at - low as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_pass_through_their_keys() {
        let keys = [1.0, 3.0, 2.0, 0.0];
        for (share, value) in
            [(-1.0, 1.0), (0.0, 1.0), (1.0 / 6.0, 2.0), (1.0 / 3.0, 3.0), (0.5, 2.5), (1.0, 0.0), (2.0, 0.0)]
        {
            assert!((curve(&keys, share) - value).abs() < 1e-12, "{share}");
        }
        let colours = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(gradient(&colours, 0.25), [0.5, 0.5, 0.0]);
        assert_eq!(gradient(&colours, 1.0), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_life_ends_when_its_place_is_taken() {
        // Ten particles a frame; 25 exist at the end of frame 7.
        let future = Future::new(7, 25.0, [[10.0 / 8.0; PIECES]; 20], 30);
        let particle = |id: u64| Particle {
            id,
            born: 5 + (id / 10) as i32,
            fraction: (id % 10) as f32 / 10.0,
            life: 12.0,
            ..Particle::default()
        };
        // Particle 20 gives way to particle 50, which is born 2.5 frames after frame 7.
        let expected = 7.0 + 2.5 - particle(20).birth();
        assert!((future.life(&particle(20)) - expected).abs() < 1e-6);
        let roomy = Future { capacity: 1000, ..future };
        assert_eq!(roomy.life(&particle(20)), 12.0);
    }
}
