//! Gates of the integrals: shadows against integrals along rays, and the march against a fine one with true light.

use wide::f32x4;

use super::lights::Illumination;
use super::look::{Light, LightKind, Sky, VolumeLook};
use super::medium::Medium;
use super::phase::Phase;
use super::sample::{Finder, Grid};
use super::tests::{SIDE, ball, directional, shot};
use super::{Layer, Lit};
use crate::compute::cpu::Cpu;
use crate::picture::camera::{Camera, Projection};

/// Extinction of a medium at positions.
struct Field<'a> {
    finder: Finder,
    grid: Grid<'a, f32>,
    last: [f64; 3],
}

impl<'a> Field<'a> {
    fn new(medium: &'a Medium) -> Self {
        let size = medium.extinction.size;
        let last = size.map(|count| (count - 1) as f64);
        Self { finder: Finder::new(size), grid: medium.extinction.grid(), last }
    }

    fn at(&self, q: [f64; 3]) -> f64 {
        let inside = q.iter().zip(self.last).all(|(place, last)| (0.0..last).contains(place));
        let [x, y, z] = q.map(|place| place as f32);
        if inside { f64::from(self.grid.smooth(&self.finder.patch(f32x4::new([x, y, z, 0.0])))) } else { 0.0 }
    }

    /// Optical depth from a position on along a direction, a unit vector, as far as `most` cells, in steps of `step`.
    fn depth(&self, from: [f64; 3], direction: [f64; 3], most: f64, step: f64) -> f64 {
        let count = (most / step) as usize;
        let at = |i: usize| [0, 1, 2].map(|axis| from[axis] + direction[axis] * (i as f64 + 0.5) * step);
        (0..count).map(|i| self.at(at(i))).sum::<f64>() * step
    }
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = libm::sqrt(vector.iter().map(|part| part * part).sum());
    vector.map(|part| part / length)
}

/// Whether all samples are compared, as for the report; else some, in seconds instead of a minute.
fn in_full() -> bool {
    std::env::var_os("FLOW_GATES").is_some()
}

/// Directions 0° to 55° from each axis.
fn directions() -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    for axis in 0..3 {
        for (i, degrees) in [0.0_f64, 15.0, 30.0, 45.0, 55.0].into_iter().enumerate() {
            let (sin, cos) = libm::sincos(degrees.to_radians());
            let (y, x) = libm::sincos(1.1 + 1.9 * i as f64);
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let mut direction = [0.0; 3];
            direction[axis] = cos * sign;
            direction[(axis + 1) % 3] = sin * x;
            direction[(axis + 2) % 3] = sin * y;
            all.push(direction);
        }
    }
    all
}

/// Mean and largest error of the transmittance of a light over the cells with smoke. `way`: direction and distance to
/// the light from a position.
fn errors(light: Light, way: impl Fn(&Medium, [f64; 3]) -> ([f64; 3], f64)) -> [f64; 2] {
    let (cpu, look, volume) = (Cpu::new(2), VolumeLook { density: 12.0, ..VolumeLook::default() }, ball(40));
    let medium = Medium::new(&cpu, &volume.view(), &look).expect("there are cells");
    let light = Illumination::new(&cpu, &medium, &look, &[light], 0.0);
    let shadows = light.shadows.expect("there is a light");
    let field = Field::new(&medium);
    let [width, height, _] = shadows.size;
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0);
    for (at, shadow) in shadows.values.iter().enumerate().step_by(if in_full() { 7 } else { 41 }) {
        if medium.extinction.values[at] <= 0.0 {
            continue;
        }
        let place = [at % width, at / width % height, at / (width * height)].map(|place| place as f64);
        let (direction, distance) = way(&medium, place);
        let truth = libm::exp(-field.depth(place, direction, distance, 0.125));
        let error = ((f64::from(shadow[0]) / 65535.0).powi(4) - truth).abs();
        (sum, most, count) = (sum + error, most.max(error), count + 1);
    }
    assert!(count > if in_full() { 1000 } else { 200 }, "{count}");
    [sum / f64::from(count), most]
}

#[test]
fn shadows_of_parallel_light_are_integrals_along_rays() {
    for to_light in directions() {
        let [mean, most] = errors(directional(to_light), |_, _| (unit(to_light), 80.0));
        assert!(mean <= 0.015 && most <= 0.15, "{to_light:?}: mean {mean}, largest {most}");
    }
}

#[test]
fn shadows_of_points_are_integrals_along_rays() {
    // A light far away, one at the least distance for optical depths by layers, and one within the smoke.
    for (position, bounds) in
        [([80.0, 40.0, 10.0], [0.015, 0.15]), ([10.0, -15.0, 5.0], [0.015, 0.15]), ([22.0, 24.0, 3.0], [0.03, 0.3])]
    {
        let kind = LightKind::Point { position, reach: 1.0 };
        let [mean, most] = errors(Light { kind, ..directional([1.0; 3]) }, |medium, place| {
            let point = medium.position(position);
            let way = [0, 1, 2].map(|axis| point[axis] - place[axis]);
            (unit(way), libm::sqrt(way.iter().map(|part| part * part).sum()))
        });
        assert!(mean <= bounds[0] && most <= bounds[1], "{position:?}: mean {mean}, largest {most}");
    }
}

#[test]
fn a_march_is_near_a_fine_one_with_true_light() {
    let black = Sky::between([0.0; 3], [0.0; 3]);
    let look = VolumeLook {
        albedo: [1.0; 3],
        lobes: [0.0; 2],
        scattering: 0.0,
        sky: black,
        density: 12.0,
        ..VolumeLook::default()
    };
    let to_light = [1.0, 1.5, 0.6];
    let (cpu, volume) = (Cpu::new(2), ball(32));
    let camera = Camera { translate: [15.0, 10.0, 0.0], rotate: [-8.0, 11.0, 0.0], ..Camera::default() };
    let light = Light { colour: [1.0; 3], ..directional(to_light) };
    let lights = [light];
    let layers = Lit::new(&cpu, &volume.view(), &look, &lights).render(&cpu, &shot(camera), &[Layer::Beauty]);
    let medium = Medium::new(&cpu, &volume.view(), &look).expect("there are cells");
    let (field, phase) = (Field::new(&medium), Phase::new(&look));
    assert_eq!(phase.weights(0.3), [1.0, 0.0, 0.0]);
    let projection = Projection::new(camera, [0.0, 0.0, SIDE as f64, SIDE as f64]);
    let (mut sum, mut most) = (0.0, 0.0_f64);
    let step = 0.125;
    let mut count = 0;
    for (at, pixel) in layers.get(Layer::Beauty).iter().enumerate().step_by(if in_full() { 1 } else { 5 }) {
        count += 1;
        let ray = projection.ray([(at % SIDE) as f64 + 0.5, (at / SIDE) as f64 + 0.5]);
        let (eye, direction) = (medium.position(ray.origin), unit(ray.direction));
        let (mut colour, mut clear) = (0.0, 1.0);
        for i in 0..1200 {
            let q = [0, 1, 2].map(|axis| eye[axis] + direction[axis] * (f64::from(i) + 0.5) * step);
            let depth = field.at(q) * step;
            if depth > 0.0 && clear > 1e-4 {
                let lit = libm::exp(-field.depth(q, unit(to_light), 48.0, 0.5));
                colour += clear * (1.0 - libm::exp(-depth)) * lit;
                clear *= libm::exp(-depth);
            }
        }
        sum += (f64::from(pixel[0]) - colour) * (f64::from(pixel[0]) - colour);
        most = most.max(colour);
    }
    let error = libm::sqrt(sum / f64::from(count)) / most;
    assert!(most > 0.3 && error <= 0.008, "{error} of {most}");
}
