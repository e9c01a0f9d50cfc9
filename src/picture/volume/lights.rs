//! The light at each value of a medium: shadows of the lights, the light from all around, and that of fire.

use wide::f32x4;

use super::ambient::{SkyLight, ambient, sky_lights};
use super::coarse::{Coarse, coarse_extinction};
use super::firelight::{Firelight, firelight};
use super::look::{LIGHTS, Light, LightKind, VolumeLook};
use super::medium::Medium;
use super::sample::Volume;
use super::shadow::{Block, Depths, Rays, transposed};
use super::vector::four;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::maths::{clamped, decay};
use crate::sim::memory::Values;
use crate::sim::request;

/// Cells along a side of a coarse cell, for the ambient light and for point lights within or close to the medium.
const SIDE: usize = 2;

/// Least distance of a point light from the medium at which its optical depths are computed by `shadow`, in lengths of
/// the longest side of the medium; those of a closer one are integrated for each coarse cell.
const OUTSIDE: f64 = 0.25;

/// Largest coordinate of a point light that shines, cells.
const FARTHEST: f64 = 1e9;

/// The light in a medium.
pub struct Illumination {
    /// Fourth root of the transmittance between each light and each value, in units of 1/65535. The octaves of multiple
    /// scattering are its powers.
    pub shadows: Option<Volume<[u16; 4]>>,
    /// Radiance of the ambient light.
    pub around: Coarse<[f32; 4]>,
    /// Light of the sky from each direction of the quadrature, outside of the medium.
    pub sky: Vec<SkyLight>,
    /// Light of fire.
    pub fire: Option<Firelight>,
}

/// The shadow of a light.
enum Shadow {
    None,
    /// Optical depths by layers along the main axis of the light; `transposed`: those of the transposed extinction.
    Lattice {
        depths: Depths,
        transposed: bool,
    },
    /// Optical depths between a point light and the coarse cells.
    Marched(Coarse<f32>),
}

impl Illumination {
    /// The light of at most [`LIGHTS`] lights in a medium, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, medium: &Medium, look: &VolumeLook, lights: &[Light], mean_cosine: f64) -> Self {
        let lights = &lights[..lights.len().min(LIGHTS)];
        let coarse = coarse_extinction(cpu, &medium.extinction, SIDE);
        let shadows = if lights.is_empty() { None } else { Some(shadows(cpu, medium, &coarse, lights)) };
        let albedo = look.albedo.iter().map(|albedo| clamped(*albedo, 0.0, 1.0)).sum::<f64>() / 3.0;
        // Attenuation of diffuse light relative to the extinction (diffusion approximation).
        let diffuse = libm::sqrt((3.0 * (1.0 - albedo) * (1.0 - albedo * mean_cosine)).clamp(0.0, 1.0));
        let occlusion = clamped(look.occlusion, 0.0, 1e3) * diffuse;
        let around = ambient(cpu, &coarse.volume, SIDE, &look.sky, occlusion as f32);
        let fire = firelight(cpu, medium, look, diffuse as f32);
        Self { shadows, around, sky: sky_lights(&look.sky), fire }
    }
}

/// Fourth root of the transmittance of each light at each value; the light's number is the index of the component.
fn shadows(cpu: &Cpu, medium: &Medium, coarse: &Coarse<f32>, lights: &[Light]) -> Volume<[u16; 4]> {
    let extinction = &medium.extinction;
    let size = extinction.size;
    let exchanged = lights
        .iter()
        .any(|light| matches!(lattice(size, medium, light), Some((0, ..))))
        .then(|| transposed(cpu, extinction));
    let shadow = |light: &Light| {
        if clamped(light.shadow, 0.0, 1e6) == 0.0 {
            return Shadow::None;
        }
        match lattice(size, medium, light) {
            Some((axis, rays, is_reversed)) => {
                let (block, transposed) = match &exchanged {
                    Some(values) if axis == 0 => (Block { size: [size[1], size[0], size[2]], values }, true),
                    _ => (Block { size, values: &extinction.values }, false),
                };
                Shadow::Lattice { depths: Depths::new(cpu, block, rays, axis != 2, is_reversed), transposed }
            }
            None => match light.kind {
                LightKind::Point { position, .. } | LightKind::Spot { position, .. } => {
                    Shadow::Marched(marched(cpu, coarse, medium.position(position)))
                }
                LightKind::Directional { .. } => Shadow::None,
            },
        }
    };
    let shadows: Vec<(Shadow, f32)> =
        lights.iter().map(|light| (shadow(light), (clamped(light.shadow, 0.0, 1e6) / 4.0) as f32)).collect();
    let [width, height, count] = size;
    let mut values: Values<[u16; 4]> = Values::uninitialised(width * height * count, cpu.memory());
    let planes = values.chunks_mut(width * height).enumerate().collect();
    cpu.each(planes, |(z, plane): (usize, &mut [[u16; 4]])| {
        wide(Transmittances { shadows: &shadows, size, z, plane });
    });
    Volume { size, values }
}

/// The transmittances of plane `z` of the values.
struct Transmittances<'a> {
    /// Shadows, and a quarter of the factor of their optical depths.
    shadows: &'a [(Shadow, f32)],
    size: [usize; 3],
    z: usize,
    plane: &'a mut [[u16; 4]],
}

impl Wide for Transmittances<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { shadows, size: [width, height, _], z, plane } = self;
        let mut depths = request::zeros::<f32>(width * height);
        plane.fill([u16::MAX; 4]);
        for (lane, (shadow, quarter)) in shadows.iter().enumerate() {
            match shadow {
                Shadow::None => continue,
                Shadow::Lattice { depths: lattice, transposed } => {
                    lattice.read_plane(z, *transposed, [width, height], &mut depths);
                }
                Shadow::Marched(volume) => {
                    let volume = volume.grid();
                    for (y, row) in depths.chunks_exact_mut(width).enumerate() {
                        for (x, to) in row.iter_mut().enumerate() {
                            *to = volume.at(f32x4::new([x as f32, y as f32, z as f32, 0.0]));
                        }
                    }
                }
            }
            for (to, depth) in plane.iter_mut().zip(&depths) {
                to[lane] = (decay(depth * quarter) * 65535.0 + 0.5) as i32 as u16;
            }
        }
    }
}

/// The main axis of a light, its rays, and whether it lies at the end of that axis; `None` for a point within or close
/// to the medium, and for a light without direction.
fn lattice(size: [usize; 3], medium: &Medium, light: &Light) -> Option<(usize, Rays, bool)> {
    // The axes across: the one that changes fastest in the block of this main axis, and the other.
    let across = [[1, 2], [0, 2], [0, 1]];
    match light.kind {
        LightKind::Directional { to_light } => {
            let largest = to_light.into_iter().map(f64::abs).fold(0.0, f64::max);
            if !(largest > 0.0 && largest.is_finite()) || to_light.iter().any(|part| part.is_nan()) {
                return None;
            }
            let axis = (0..3).rev().find(|axis| to_light[*axis].abs() == largest)?;
            let slopes = across[axis].map(|across| -to_light[across] / largest);
            Some((axis, Rays::Parallel { slopes }, to_light[axis] > 0.0))
        }
        LightKind::Point { position, .. } | LightKind::Spot { position, .. } => {
            let point = medium.position(position);
            if point.iter().any(|place| place.is_nan() || place.abs() > FARTHEST) {
                return None;
            }
            let last = size.map(|count| (count - 1) as f64);
            let outside = [0, 1, 2].map(|axis| (-point[axis]).max(point[axis] - last[axis]));
            let longest = last.into_iter().fold(0.0, f64::max);
            let axis = (0..3).max_by(|a, b| outside[*a].total_cmp(&outside[*b]))?;
            // A ray that crosses many cells between two layers would miss thin smoke.
            if outside[axis] < OUTSIDE * longest {
                return None;
            }
            let height = outside[axis];
            let rays =
                Rays::Point { point: across[axis].map(|across| point[across]), height, far: height + last[axis] };
            Some((axis, rays, point[axis] > last[axis]))
        }
    }
}

/// Optical depths between the values of a coarse volume and a point in the medium, in steps of a coarse cell.
fn marched(cpu: &Cpu, coarse: &Coarse<f32>, point: [f64; 3]) -> Coarse<f32> {
    let size = coarse.volume.size;
    let [width, height, count] = size;
    let mut values: Values<f32> = Values::zeros(width * height * count);
    // A point that is not finite lights nothing.
    let is_finite = point.iter().all(|place| place.abs() <= FARTHEST);
    let own = point.map(|place| (place / SIDE as f64 + 0.5 - 0.5 / SIDE as f64) as f32);
    let longest = size.iter().map(|count| (count * count) as f32).sum::<f32>().sqrt();
    let planes = values.chunks_mut(width * height).enumerate().collect();
    cpu.each(planes, |(z, plane): (usize, &mut [f32])| {
        if is_finite {
            wide(Marched { coarse, point: own, longest, z, plane });
        }
    });
    Coarse::new(size, SIDE, values)
}

/// The optical depths of plane `z` of a coarse volume to a point in it.
struct Marched<'a> {
    coarse: &'a Coarse<f32>,
    point: [f32; 3],
    /// Largest distance within the volume.
    longest: f32,
    z: usize,
    plane: &'a mut [f32],
}

impl Wide for Marched<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.coarse.volume.size[0];
        let coarse = self.coarse.grid();
        for (at, to) in self.plane.iter_mut().enumerate() {
            let from = [(at % width) as f32, (at / width) as f32, self.z as f32];
            let [x, y, z] = [self.point[0] - from[0], self.point[1] - from[1], self.point[2] - from[2]];
            let distance = (x * x + y * y + z * z).sqrt();
            let reach = if distance < self.longest { distance } else { self.longest };
            let steps = reach as usize + 1;
            let length = reach / steps as f32;
            let step = f32x4::new([x, y, z, 0.0]) * f32x4::splat(length / (distance + 1e-6));
            let start = four(from, 0.0);
            let mut sum = 0.0;
            for i in 0..steps {
                sum += coarse.at_own(start + step * f32x4::splat(i as f32 + 0.5));
            }
            *to = sum * length;
        }
    }
}
