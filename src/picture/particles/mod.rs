//! Pictures of particles: sprites that face the camera.
//!
//! | file | contents |
//! |---|---|
//! | `look` | shading settings |
//! | `camera` | positions as places in the picture |
//! | `sprites` | particles as sprites |
//! | `shapes` | the built-in sprites |
//! | `tiles` | compositing |
//! | this file | a picture |

mod camera;
mod look;
mod shapes;
mod sprites;
#[cfg(test)]
mod tests;
mod tiles;

pub use camera::Camera;
pub use look::{EmitterLook, Future, KEYS, Look, Output, Sprite};

use super::layers::Canvas;
use crate::compute::cpu::Cpu;
use crate::sim::particles::State;
use crate::sim::request;
use sprites::{Drawn, Sprites};
use tiles::{Bins, SIDE};

/// Particles that are turned into sprites at once.
const PIECE: usize = 4096;

/// Paints a state over a canvas, on the threads of `cpu`. `frame`: the region `[x1, y1, x2, y2]` before the camera.
pub fn paint_particles(cpu: &Cpu, state: &State, look: &Look, frame: [f64; 4], canvas: Canvas<'_>) {
    paint_in_tiles(cpu, state, look, frame, canvas, SIDE);
}

/// [`paint_particles`] with tiles of another size, at most [`SIDE`].
fn paint_in_tiles(cpu: &Cpu, state: &State, look: &Look, frame: [f64; 4], canvas: Canvas<'_>, side: usize) {
    let Canvas { placement, format, mut rows } = canvas;
    let (width, height) = (placement.x.count, rows.len());
    let sprites = Sprites::new(look, frame, state.time, &placement);
    let pieces = state.particles.chunks(PIECE).collect();
    let drawn = cpu.each(pieces, |piece: &[_]| {
        let mut drawn = Vec::with_capacity(piece.len());
        drawn.extend(piece.iter().filter_map(|particle| sprites.draw(particle)));
        drawn
    });
    let drawn: Vec<Drawn> = request::collected(drawn.into_iter().flatten());
    let bins = Bins::new(&drawn, sprites.first(), [width, height], side);
    let mut bands = Vec::new();
    for (row, rows) in rows.chunks_mut(side).enumerate() {
        bands.push((row, rows));
    }
    cpu.each(bands, |(row, rows): (usize, &mut [&mut [u8]])| {
        let mut lines = vec![vec![[0.0_f32; 4]; width]; rows.len()];
        bins.composite(row, &drawn, look.output, &mut lines);
        for (line, row) in lines.iter_mut().zip(rows) {
            if look.output == Output::Emission {
                line.iter_mut().for_each(|pixel| pixel[3] = 0.0);
            }
            format.encode(line, row);
        }
    });
}
