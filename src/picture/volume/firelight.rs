//! The light of fire and of sparks on smoke: point lights, one for each block of cells with either, on a coarse volume.
//!
//! The radiance that isotropic smoke scatters is Σ E·T/(4π·r²), with the emission E of a block, summed over its cells,
//! the distance r from the centroid of its light, softened by the radius of the block, and the transmittance T of
//! diffuse light.

use super::coarse::{Coarse, coarse_extinction};
use super::fire_lights::surface_lights;
use super::look::{PointSource, VolumeLook};
use super::medium::{HOT, Medium, TILE};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::light_clusters::{LightCluster, OccludedLight, at_most, merged, radius2};
use crate::picture::maths::{clamped, decay};
use crate::sim::memory::Values;
use crate::sim::request;

/// Cells along a side of a coarse cell.
const SIDE: usize = 4;

/// Largest number of point lights of fire, and of sparks.
const MOST: usize = 96;

/// The light of fire and sparks.
pub struct Firelight {
    /// Radiance that isotropic smoke scatters.
    pub radiance: Coarse<[f32; 4]>,
    /// Lights on surfaces of the scene; none without a catcher.
    pub surface: Vec<OccludedLight>,
}

/// The light of fire and sparks; `None` without any. `diffuse`: attenuation of diffuse light relative to the
/// extinction.
pub fn firelight(cpu: &Cpu, medium: &Medium, look: &VolumeLook, diffuse: f32) -> Option<Firelight> {
    let strength = clamped(look.fire.light, 0.0, 1e6) as f32;
    let fire = if strength > 0.0 { tiles(cpu, medium, strength) } else { Vec::new() };
    // Apart, so that sparks all around do not make the blocks of fire larger.
    let mut sources = few(fire);
    request::extend(&mut sources, few(sparks(medium, look)));
    if sources.is_empty() {
        return None;
    }
    let coarse = coarse_extinction(cpu, &medium.extinction, SIDE);
    let size = coarse.volume.size;
    let [width, height, count] = size;
    let mut values: Values<[f32; 4]> = Values::uninitialised(width * height * count, cpu.memory());
    let planes = values.chunks_mut(width * height).enumerate().collect();
    let factor = 1.0 / (4.0 * std::f32::consts::PI);
    cpu.each(planes, |(z, plane): (usize, &mut [[f32; 4]])| {
        wide(Radiances { coarse: &coarse, sources: &sources, diffuse, factor, z, plane });
    });
    let surface = look.catcher.map_or_else(Vec::new, |_| surface_lights(&coarse, sources.clone(), diffuse));
    Some(Firelight { radiance: Coarse::new(size, SIDE, values), surface })
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
    sources: &'a [LightCluster],
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
fn falloff(coarse: &Coarse<f32>, source: &LightCluster, [x, y, z]: [usize; 3], diffuse: f32) -> f32 {
    let scale = 1.0 / SIDE as f32;
    let offset = 0.5 - 0.5 * scale;
    // In coarse cells.
    let here = [x as f32, y as f32, z as f32];
    let [u, v, w] = source.position;
    let way = [u * scale + offset - here[0], v * scale + offset - here[1], w * scale + offset - here[2]];
    let distance2 = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    let distance = distance2.sqrt();
    let [width, height, depth] = coarse.volume.size;
    // Farther away there is no extinction.
    let longest = ((width * width + height * height + depth * depth) as f32).sqrt();
    let (reach, part) = if distance > longest { (longest, longest / distance) } else { (distance, 1.0) };
    let steps = reach as usize + 1;
    let step = 1.0 / steps as f32;
    let values = &coarse.volume.values[..];
    let mut sum = 0.0;
    for i in 0..steps {
        let share = (i as f32 + 0.5) * step * part;
        let near = |axis: usize, count: usize| ((here[axis] + way[axis] * share + 0.5) as usize).min(count - 1);
        sum += values[near(0, width) + width * (near(1, height) + height * near(2, depth))];
    }
    decay(sum * step * reach * diffuse) / (distance2 * (SIDE * SIDE) as f32 + source.radius2)
}

/// The lights in blocks of the smallest size of which there are at most [`MOST`].
fn few(lights: Vec<LightCluster>) -> Vec<LightCluster> {
    at_most(lights, TILE as f32, MOST)
}

/// The sparks, those of a tile as one light.
fn sparks(medium: &Medium, look: &VolumeLook) -> Vec<LightCluster> {
    // Radiance in cells.
    let gain = clamped(look.source_gain, 0.0, 1e6) / (medium.spacing * medium.spacing);
    let light = |source: &PointSource| {
        let light = source.intensity.map(|channel| clamped(f64::from(channel) * gain, 0.0, 1e12) as f32);
        let position = medium.position(source.position).map(|place| place as f32);
        let is_near = position.iter().all(|place| place.abs() < 1e6);
        (is_near && light.iter().sum::<f32>() > 0.0).then_some(LightCluster {
            position,
            light,
            radius2: radius2(TILE as f32),
        })
    };
    merged(look.sources.iter().filter_map(light), TILE as f32)
}

/// One light for each tile with fire, whose light has a factor.
fn tiles(cpu: &Cpu, medium: &Medium, strength: f32) -> Vec<LightCluster> {
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
                let light = light.map(|light| light * strength);
                found.push(LightCluster { position, light, radius2: radius2(TILE as f32) });
            }
        }
        found
    });
    let mut all = request::with_capacity(lights.iter().map(Vec::len).sum());
    lights.into_iter().for_each(|mut list| all.append(&mut list));
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::picture::volume::tests::{ball, burning_of, look};

    #[test]
    fn sparks_light_thin_smoke_by_the_square_of_the_distance() {
        let (cpu, volume) = (Cpu::new(2), ball(40));
        let spark = |position: [f64; 3], light: f32| PointSource { position, intensity: [light, 2.0 * light, 0.0] };
        let medium = |look: &VolumeLook| Medium::new(&cpu, &volume.view(), look).expect("cells");
        let plain = look();
        let inside = medium(&plain);
        let world = |cell: f64| [0, 1, 2].map(|axis| inside.origin[axis] + cell * inside.spacing);
        // Two sparks beside each other, before a corner of the box.
        let sources = Arc::new(vec![spark(world(-6.0), 3e4), spark(world(-6.5), 1e4)]);
        let lit = VolumeLook { sources, source_gain: 0.5, ..plain.clone() };
        assert!(firelight(&cpu, &inside, &plain, 0.0).is_none());
        let light = firelight(&cpu, &medium(&lit), &lit, 0.0).expect("two sparks").radiance;
        let middle = (inside.extinction.size[0] as f64 - 1.0) / 2.0;
        for cell in [middle - 8.0, middle, middle + 8.0] {
            let q = wide::f32x4::new([cell as f32, cell as f32, cell as f32, 0.0]);
            let [red, green, ..] = light.grid().at(q).to_array();
            let distance = (cell + 6.125) * inside.spacing * 3.0_f64.sqrt();
            let truth = (0.5 * 4e4 / (4.0 * std::f64::consts::PI * distance * distance)) as f32;
            assert!((red / truth - 1.0).abs() < 0.03 && (green / red - 2.0).abs() < 1e-3, "{cell}: {red} {truth}");
        }
        let shaded = firelight(&cpu, &medium(&lit), &lit, 1.0).expect("two sparks").radiance;
        let behind = wide::f32x4::splat((middle + 10.0) as f32);
        let part = shaded.grid().at(behind).to_array()[0] / light.grid().at(behind).to_array()[0];
        assert!(part < 0.9, "smoke between them: {part}");
    }

    #[test]
    fn sparks_add_to_the_light_of_fire() {
        let (cpu, volume) = (Cpu::new(2), burning_of(40, true));
        let dark = look();
        let medium = Medium::new(&cpu, &volume.view(), &dark).expect("cells");
        let far = (0..400).map(|n| PointSource {
            position: [f64::from(n % 20) * 40.0, f64::from(n / 20) * 40.0, -900.0],
            intensity: [1.0; 3],
        });
        let lit = VolumeLook { sources: Arc::new(far.collect()), ..dark.clone() };
        let light = |look: &VolumeLook| firelight(&cpu, &medium, look, 0.1).expect("fire").radiance;
        let (fire, both) = (light(&dark), light(&lit));
        let pairs = || fire.volume.values.iter().zip(both.volume.values.iter());
        assert!(pairs().all(|(fire, both)| (0..3).all(|n| both[n] >= fire[n])));
        assert!(pairs().any(|(fire, both)| both[0] > fire[0]));
    }

    #[test]
    fn many_sparks_are_few_lights_and_absurd_ones_are_none() {
        let (cpu, volume) = (Cpu::new(1), ball(40));
        let medium = Medium::new(&cpu, &volume.view(), &look()).expect("cells");
        let many = (0..5000).map(|n| {
            let at = f64::from(n);
            PointSource { position: [at % 71.0 - 10.0, at % 83.0, at % 97.0 - 50.0], intensity: [1.0; 3] }
        });
        let absurd = [f64::NAN, 1e30].map(|at| PointSource { position: [at; 3], intensity: [1.0; 3] });
        let dark = PointSource { position: [0.0; 3], intensity: [f32::NAN, 0.0, 0.0] };
        let with = |sources: Vec<PointSource>| VolumeLook { sources: sources.into(), ..look() };
        let lights = few(sparks(&medium, &with(many.collect())));
        assert!(lights.len() <= MOST && lights.len() > 8, "{}", lights.len());
        let sum: f32 = lights.iter().map(|light| light.light[0]).sum();
        let whole = 5000.0 / (medium.spacing * medium.spacing) as f32;
        assert!((sum / whole - 1.0).abs() < 1e-3, "{sum} {whole}");
        assert!(sparks(&medium, &with(absurd.into_iter().chain([dark]).collect())).is_empty());
    }
}
