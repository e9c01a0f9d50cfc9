//! The light of fire on smoke: point lights, one for each block of cells with fire, on a coarse volume.
//!
//! The radiance that isotropic smoke scatters is Σ E·T/(4π·r²), with the emission E of a block, summed over its cells,
//! the distance r from the centroid of its light, softened by the radius of the block, and the transmittance T of
//! diffuse light.

use super::coarse::{Coarse, coarse_extinction};
use super::look::VolumeLook;
use super::medium::{HOT, Medium, TILE};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::maths::{clamped, decay};
use crate::sim::memory::Values;
use crate::sim::request;

/// Cells along a side of a coarse cell.
const SIDE: usize = 4;

/// Largest number of point lights.
const MOST: usize = 96;

/// A point light: centroid in the medium, emission, and square of the radius of its block.
#[derive(Clone, Copy, Default)]
struct Source {
    position: [f32; 3],
    light: [f32; 3],
    radius2: f32,
}

/// Radiance of fire; `None` without fire. `diffuse`: attenuation of diffuse light relative to the extinction.
pub fn firelight(cpu: &Cpu, medium: &Medium, look: &VolumeLook, diffuse: f32) -> Option<Coarse<[f32; 4]>> {
    let strength = clamped(look.fire.light, 0.0, 1e6) as f32;
    let sources = sources(cpu, medium);
    if sources.is_empty() || strength == 0.0 {
        return None;
    }
    let coarse = coarse_extinction(cpu, &medium.extinction, SIDE);
    let size = coarse.volume.size;
    let [width, height, count] = size;
    let mut values: Values<[f32; 4]> = Values::uninitialised(width * height * count, cpu.memory());
    let planes = values.chunks_mut(width * height).enumerate().collect();
    let factor = strength / (4.0 * std::f32::consts::PI);
    cpu.each(planes, |(z, plane): (usize, &mut [[f32; 4]])| {
        wide(Radiances { coarse: &coarse, sources: &sources, diffuse, factor, z, plane });
    });
    Some(Coarse::new(size, SIDE, values))
}

/// Whether a coarse cell or one of its neighbours has extinction.
#[inline(always)]
fn has_smoke(coarse: &Coarse<f32>, [x, y, z]: [usize; 3]) -> bool {
    let size = coarse.volume.size;
    let range = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
    range(z, size[2]).any(|z| {
        range(y, size[1]).any(|y| {
            let row = &coarse.volume.values[size[0] * (y + size[1] * z)..][..size[0]];
            row[range(x, size[0])].iter().any(|extinction| *extinction > 0.0)
        })
    })
}

/// The radiances of plane `z` of coarse cells.
struct Radiances<'a> {
    coarse: &'a Coarse<f32>,
    sources: &'a [Source],
    diffuse: f32,
    factor: f32,
    z: usize,
    plane: &'a mut [[f32; 4]],
}

impl Wide for Radiances<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { coarse, sources, diffuse, factor, z, plane } = self;
        let width = coarse.volume.size[0];
        for (at, to) in plane.iter_mut().enumerate() {
            let place = [at % width, at / width, z];
            *to = [0.0; 4];
            if !has_smoke(coarse, place) {
                continue;
            }
            for source in sources {
                let falloff = factor * falloff(coarse, source, place, diffuse);
                to[0] += source.light[0] * falloff;
                to[1] += source.light[1] * falloff;
                to[2] += source.light[2] * falloff;
            }
        }
    }
}

/// Transmittance between a source and a coarse cell, divided by the square of the distance in cells of the medium.
#[inline(always)]
fn falloff(coarse: &Coarse<f32>, source: &Source, [x, y, z]: [usize; 3], diffuse: f32) -> f32 {
    let scale = 1.0 / SIDE as f32;
    let offset = 0.5 - 0.5 * scale;
    // In coarse cells.
    let here = [x as f32, y as f32, z as f32];
    let [u, v, w] = source.position;
    let way = [u * scale + offset - here[0], v * scale + offset - here[1], w * scale + offset - here[2]];
    let distance2 = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    let distance = distance2.sqrt();
    let steps = distance as usize + 1;
    let step = 1.0 / steps as f32;
    let [width, height, depth] = coarse.volume.size;
    let values = &coarse.volume.values[..];
    let mut sum = 0.0;
    for i in 0..steps {
        let share = (i as f32 + 0.5) * step;
        let near = |axis: usize, count: usize| ((here[axis] + way[axis] * share + 0.5) as usize).min(count - 1);
        sum += values[near(0, width) + width * (near(1, height) + height * near(2, depth))];
    }
    decay(sum * step * distance * diffuse) / (distance2 * (SIDE * SIDE) as f32 + source.radius2)
}

/// Blocks of the smallest size of which there are at most [`MOST`].
fn sources(cpu: &Cpu, medium: &Medium) -> Vec<Source> {
    let mut blocks = tiles(cpu, medium);
    let mut side = TILE;
    while blocks.len() > MOST {
        side *= 2;
        blocks = merged(blocks, side);
    }
    blocks
}

/// One light for each tile with fire.
fn tiles(cpu: &Cpu, medium: &Medium) -> Vec<Source> {
    let (Some(gas), Some(burning)) = (&medium.gas, &medium.burning) else { return Vec::new() };
    let [across, up, deep] = medium.tiles.count;
    let layers = (0..deep).collect();
    let lights = cpu.each(layers, |tile_z: usize| {
        let mut found = Vec::new();
        for (tile_y, tile_x) in (0..up).flat_map(|y| (0..across).map(move |x| (y, x))) {
            let tile = [tile_x, tile_y, tile_z];
            if medium.tiles.flag(tile) & HOT == 0 {
                continue;
            }
            // The first value of each position.
            let range = |axis: usize| tile[axis] * TILE..((tile[axis] + 1) * TILE).min(gas.size[axis]);
            let (mut light, mut weight, mut moment) = ([0.0_f32; 3], 0.0_f32, [0.0_f32; 3]);
            for (z, y) in range(2).flat_map(|z| range(1).map(move |y| (z, y))) {
                let start = gas.size[0] * (y + gas.size[1] * z);
                for x in range(0) {
                    let emission = burning.emission(gas.values[start + x]);
                    let bright = emission[0] + emission[1] + emission[2];
                    weight += bright;
                    for (channel, emission) in emission.into_iter().enumerate() {
                        light[channel] += emission;
                    }
                    for (moment, place) in moment.iter_mut().zip([x, y, z]) {
                        *moment += bright * place as f32;
                    }
                }
            }
            if weight > 0.0 && weight.is_finite() {
                let position = moment.map(|moment| moment / weight);
                found.push(Source { position, light, radius2: radius2(TILE) });
            }
        }
        found
    });
    let mut all = request::with_capacity(lights.iter().map(Vec::len).sum());
    lights.into_iter().for_each(|mut list| all.append(&mut list));
    all
}

/// Square of the radius of a block.
fn radius2(side: usize) -> f32 {
    (side * side) as f32 / 4.0
}

/// Lights whose centroids are in the same block, as one, in the order of the first of each block.
fn merged(lights: Vec<Source>, side: usize) -> Vec<Source> {
    let mut blocks: Vec<([usize; 3], Source, f32)> = Vec::new();
    for light in lights {
        let block = light.position.map(|place| place as usize / side);
        let weight = light.light.iter().sum::<f32>();
        let at = blocks.iter().position(|(other, ..)| *other == block).unwrap_or_else(|| {
            blocks.push((block, Source::default(), 0.0));
            blocks.len() - 1
        });
        let (_, sum, total) = &mut blocks[at];
        for axis in 0..3 {
            sum.position[axis] += light.position[axis] * weight;
            sum.light[axis] += light.light[axis];
        }
        *total += weight;
    }
    blocks
        .into_iter()
        .map(|(_, sum, total)| Source {
            position: sum.position.map(|place| place / total),
            radius2: radius2(side),
            ..sum
        })
        .collect()
}
