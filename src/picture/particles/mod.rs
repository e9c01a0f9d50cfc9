//! Pictures of particles: sprites that face the camera.
//!
//! | file | contents |
//! |---|---|
//! | `look` | shading settings |
//! | `appearance` | size and colour of a particle |
//! | `sprites` | particles as sprites |
//! | `shapes` | the built-in sprites |
//! | `texture` | the picture of sprites |
//! | `shadow` | shadows of sprites on each other |
//! | `sprite_light` | light of sprites on each other |
//! | `catcher` | shadow and light of sprites on a surface of the scene |
//! | `smoke` | deep pictures of smoke that hide and light sprites |
//! | `tiles` | sprites by tiles, and compositing |
//! | `stamps` | compositing of a tile |
//! | `graphics` | compositing on a graphics device |
//! | `export`, `import` | files for other programs; particles from such files |
//! | this file | a picture |

mod appearance;
mod catcher;
mod export;
mod graphics;
mod import;
mod look;
#[cfg(test)]
mod pixel_aspect_tests;
mod shadow;
mod shapes;
mod smoke;
mod sprite_light;
mod sprites;
mod stamps;
#[cfg(test)]
mod tests;
mod texture;
mod tiles;

pub use export::{FileFormat, write};
pub use import::{read, read_lights};
pub use look::{Atlas, EmitterLook, Future, KEYS, Look, Output, Sprite};
pub use smoke::Smoke;
pub use texture::SpritePicture;

pub use super::camera::{Camera, DepthOfField};
pub use super::masks::Scene;

use super::camera::Projection;
use super::catcher::Received;
use super::layers::Canvas;
use super::masks::Masks;
use super::placement::Placement;
use crate::compute::cpu::Cpu;
use crate::compute::gpu::particles::SpriteGpu;
use crate::sim::particles::State;
use crate::sim::request;
use catcher::CatcherShading;
use smoke::SmokeView;
use sprite_light::SpriteLight;
use sprites::{Drawn, Sprites};
use texture::Texture;
use tiles::{Bins, Compositor, SIDE, Settings};

/// Number of particles that a task converts to sprites.
const PIECE: usize = 4096;

/// A state to be painted.
#[derive(Clone, Copy)]
pub struct Painting<'a> {
    /// The particles.
    pub state: &'a State,
    /// Shading settings.
    pub look: &'a Look,
    /// The cells before the camera, onto which the scene is sampled.
    pub grid: Placement,
    /// Pictures that hide sprites.
    pub scene: Scene<'a>,
    /// The picture of sprites.
    pub sprite: Option<SpritePicture<'a>>,
    /// Smoke that hides and lights sprites.
    pub smoke: Option<&'a Smoke>,
    /// A graphics device that composites; where it fails, and with smoke, the CPU does.
    pub gpu: Option<&'a SpriteGpu>,
}

/// Writes a picture of particles into a canvas, on the threads of `cpu`. A graphics device gives the same picture within
/// the rounding of its arithmetic.
pub fn paint_particles(cpu: &Cpu, painting: Painting<'_>, canvas: Canvas<'_>) {
    paint_in_tiles(cpu, painting, canvas, SIDE);
}

/// [`paint_particles`] with tiles of another size, at most [`SIDE`].
fn paint_in_tiles(cpu: &Cpu, painting: Painting<'_>, canvas: Canvas<'_>, side: usize) {
    let Painting { state, look, grid, scene, sprite, smoke, gpu } = painting;
    let texture = sprite.and_then(|picture| Texture::new(picture, look.atlas));
    let texture = texture.as_ref();
    let Canvas { placement, format, mut rows } = canvas;
    let (width, height) = (placement.x.count, rows.len());
    let frame = grid.frame();
    let mut sprites = Sprites::new(look, frame, state.time, &placement, texture);
    if look.self_shadow > 0.0 || look.catcher.is_some_and(|catcher| catcher.shadow > 0.0) {
        sprites.cast_shadows(cpu, &state.particles);
    }
    let shading = match look.output {
        Output::Beauty | Output::Emission => CatcherShading::new(cpu, look, &sprites, &state.particles),
        Output::Depth | Output::Motion | Output::Identity | Output::Count => None,
    };
    let projection = Projection::new(look.camera, frame);
    let masks = Masks::new(scene, &grid, &placement);
    // Data are those of all particles, seen or not.
    let smoke = smoke.filter(|_| matches!(look.output, Output::Beauty | Output::Emission));
    let smoke = smoke.map(|smoke| SmokeView::new(smoke, frame, &placement));
    let light = match look.output {
        Output::Beauty | Output::Emission => SpriteLight::new(cpu, look, frame, &sprites, &state.particles),
        Output::Depth | Output::Motion | Output::Identity | Output::Count => None,
    };
    let pieces = state.particles.chunks(PIECE).collect();
    let drawn = cpu.each(pieces, |piece: &[_]| {
        let mut drawn = Vec::with_capacity(piece.len());
        drawn.extend(piece.iter().filter_map(|particle| {
            let covers = light.as_ref().filter(|_| sprites.covers(particle));
            sprites.draw(particle, covers.map_or([0.0; 3], |light| light.at(particle.position)))
        }));
        if let Some(smoke) = &smoke {
            drawn.iter_mut().for_each(|sprite| smoke.light_up(sprite, sprites.first()));
        }
        drawn
    });
    let drawn: Vec<Drawn> = joined(drawn);
    let bins = Bins::new(&drawn, sprites.first(), [width, height], side);
    let settings = Settings { output: look.output, soft_depth: look.soft_depth, texture, smoke: smoke.as_ref() };
    let composited = gpu
        .filter(|_| smoke.is_none())
        .and_then(|gpu| graphics::composite(cpu, gpu, &drawn, &bins, &masks, settings, [width, height]));
    let bands = rows.chunks_mut(side).enumerate().collect();
    cpu.each(bands, |(row, rows): (usize, &mut [&mut [u8]])| {
        let mut compositor = Compositor::new(&bins, &drawn, &masks, settings);
        let mut line = [[0.0_f32; 4]; SIDE];
        for left in (0..width).step_by(side) {
            let line = &mut line[..side.min(width - left)];
            let size = [line.len(), rows.len()];
            let tile = if composited.is_some() { None } else { compositor.tile([left / side, row], size) };
            for (n, bytes) in rows.iter_mut().enumerate() {
                let y = row * side + n;
                match (&composited, tile) {
                    (Some(pixels), _) => line.copy_from_slice(&pixels[y * width + left..][..line.len()]),
                    (None, Some(tile)) => tile.write(n, look.output, line),
                    (None, None) => line.fill([0.0; 4]),
                }
                if let Some(shading) = &shading {
                    behind(line, [left, y], (shading, &masks), &projection, &placement);
                }
                match look.output {
                    Output::Beauty => masks.hold_out([left, y], line),
                    Output::Emission => {
                        line.iter_mut().for_each(|pixel| pixel[3] = 0.0);
                        masks.hold_out([left, y], line);
                    }
                    Output::Depth | Output::Motion | Output::Identity | Output::Count => {}
                }
                let bytes = &mut bytes[left * format.bytes()..][..line.len() * format.bytes()];
                if format.is_plain() {
                    bytes.copy_from_slice(bytemuck::cast_slice(line));
                } else {
                    format.encode(line, bytes);
                }
            }
        }
    });
}

/// Puts the surface of a shadow catcher behind a line of premultiplied pixels from the pixel `first` on.
fn behind(
    line: &mut [[f32; 4]],
    first: [usize; 2],
    (shading, masks): (&CatcherShading<'_>, &Masks<'_>),
    projection: &Projection,
    placement: &Placement,
) {
    for (n, pixel) in line.iter_mut().enumerate() {
        let clear = 1.0 - pixel[3];
        if clear == 0.0 {
            continue;
        }
        let [x, y] = [first[0] + n, first[1]];
        let place = [placement.x.middle(x), placement.y.middle(y)];
        let Some(position) = shading.catcher.intersect(masks, projection, [x, y], place) else { continue };
        let Received { light, shadow } = shading.at(&position);
        pixel.iter_mut().zip(light).for_each(|(pixel, light)| *pixel += clear * light);
        pixel[3] += clear * shadow;
    }
}

/// Concatenates lists.
fn joined<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut all = request::with_capacity(lists.iter().map(Vec::len).sum());
    lists.into_iter().for_each(|mut list| all.append(&mut list));
    all
}
