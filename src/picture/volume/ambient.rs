//! Ambient light: the mean radiance of the sky over fourteen directions, each attenuated by the medium on the way.

use super::coarse::Coarse;
use super::look::Sky;
use super::sample::Volume;
use super::shadow::{Block, Depths, Rays, transposed};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::maths::decay;
use crate::sim::memory::Values;
use crate::sim::request;

/// Weights of the directions along the axes, and of those to the corners of a cube: Lebedev's quadrature of degree 5.
const WEIGHTS: [f64; 2] = [1.0 / 15.0, 3.0 / 40.0];

/// A direction, its weight, and the axis of the layers.
struct Direction {
    to_light: [f64; 3],
    weight: f64,
    axis: usize,
}

/// The fourteen directions. The optical depths of a direction are added up in layers normal to `axis`. Directions to
/// corners have no main axis and use z, since x would need the transposed extinction.
fn directions() -> Vec<Direction> {
    let mut all = Vec::new();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut to_light = [0.0; 3];
            to_light[axis] = sign;
            all.push(Direction { to_light, weight: WEIGHTS[0], axis });
        }
    }
    for corner in 0..8 {
        let to_light = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { 1.0 } else { -1.0 });
        all.push(Direction { to_light, weight: WEIGHTS[1], axis: 2 });
    }
    all
}

/// A direction of the quadrature as a unit vector, and the radiance from there times its weight.
pub type SkyLight = ([f32; 3], [f32; 3]);

/// The light of the sky from each of the directions.
pub fn sky_lights(sky: &Sky) -> Vec<SkyLight> {
    let light = |direction: &Direction| {
        let length = libm::sqrt(direction.to_light.iter().map(|part| part * part).sum());
        let unit = direction.to_light.map(|part| part / length);
        let light = sky.radiance(unit).map(|light| {
            let light = if light.is_nan() { 0.0 } else { light.min(1e30) };
            (light * direction.weight) as f32
        });
        (unit.map(|part| part as f32), light)
    };
    directions().iter().map(light).collect()
}

/// Mean radiance of the sky at each value of `extinction`, whose cells are `side` cells of the medium wide.
/// `occlusion`: factor of the extinction.
pub fn ambient(cpu: &Cpu, extinction: &Volume<f32>, side: usize, sky: &Sky, occlusion: f32) -> Coarse<[f32; 4]> {
    let size = extinction.size;
    let [width, height, count] = size;
    let exchanged = transposed(cpu, extinction);
    let shadows: Vec<(Option<Depths>, usize, [f32; 3])> = directions()
        .into_iter()
        .zip(sky_lights(sky))
        .map(|(Direction { to_light, axis, .. }, (_, light))| {
            let across = [[1, 2], [0, 2], [0, 1]][axis];
            let rays = Rays::Parallel { slopes: across.map(|across| -to_light[across]) };
            let block = if axis == 0 {
                Block { size: [height, width, count], values: &exchanged }
            } else {
                Block { size, values: &extinction.values }
            };
            let is_needed = occlusion > 0.0 && light != [0.0; 3];
            let depths = is_needed.then(|| Depths::new(cpu, block, rays, axis != 2, to_light[axis] > 0.0));
            (depths, axis, light)
        })
        .collect();
    let mut values: Values<[f32; 4]> = Values::uninitialised(width * height * count, cpu.memory());
    let planes = values.chunks_mut(width * height).enumerate().collect();
    cpu.each(planes, |(z, plane): (usize, &mut [[f32; 4]])| {
        wide(Radiances { shadows: &shadows, occlusion, size, z, plane });
    });
    Coarse::new(size, side, values)
}

/// The radiances of plane `z` of the values.
struct Radiances<'a> {
    /// Optical depths, the axis of their layers, and the weighted radiance, of each direction.
    shadows: &'a [(Option<Depths>, usize, [f32; 3])],
    occlusion: f32,
    size: [usize; 3],
    z: usize,
    plane: &'a mut [[f32; 4]],
}

impl Wide for Radiances<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { shadows, occlusion, size: [width, height, _], z, plane } = self;
        let mut depths = request::zeros::<f32>(width * height);
        plane.fill([0.0; 4]);
        for (shadow, axis, [r, g, b]) in shadows {
            match shadow {
                Some(lattice) => lattice.read_plane(z, *axis == 0, [width, height], &mut depths),
                None => depths.fill(0.0),
            }
            for (to, depth) in plane.iter_mut().zip(&depths) {
                let clear = decay(depth * occlusion);
                to[0] += r * clear;
                to[1] += g * clear;
                to[2] += b * clear;
            }
        }
    }
}
