//! The birth of a particle: its position, velocity, life and colour, from its number and the settings of its emitter.

use super::air::Air;
use super::figure;
use super::inputs::Inputs;
use super::places::Places;
use super::random::{Purpose, units};
use super::release::delay;
use super::settings::{Emitter, Shape};
use super::state::{Particle, State};
use crate::sim::grid::Grid;
use crate::sim::maths::{bounded, clamp};

/// Shortest life of a particle, frames.
const SHORTEST: f64 = 0.125;

/// Largest value of a colour.
const BRIGHTEST: f64 = 65_504.0;

/// An emitter with the pictures of a frame.
pub struct Source<'a> {
    /// The emitter.
    pub emitter: &'a Emitter,
    grid: &'a Grid,
    inputs: &'a Inputs,
    /// Cells of a matte in which particles are born.
    places: Option<Places>,
}

impl<'a> Source<'a> {
    /// An emitter in a frame after the state `before`.
    pub fn new(emitter: &'a Emitter, grid: &'a Grid, inputs: &'a Inputs, before: Option<&State>) -> Self {
        let bears = !emitter.births.numbers(1.0).is_empty();
        let places = inputs.emission.as_ref().filter(|_| bears).and_then(|pixels| match emitter.shape {
            Shape::Matte => Places::weighted(pixels.iter().map(|pixel| pixel[3])),
            Shape::Edge => {
                let last = before?.matte.as_ref().filter(|last| last.len() == pixels.len())?;
                let above = |value: f32| f64::from(value) >= emitter.threshold;
                let fell = |(now, last): (&[f32; 4], &f32)| f32::from(u8::from(above(*last) && !above(now[3])));
                Places::weighted(pixels.iter().zip(&last[..]).map(fell))
            }
            _ => None,
        });
        Self { emitter, grid, inputs, places }
    }

    /// Position at which particle `n` is born at `time`, a fraction of the frame; `None` where the emitter's matte is
    /// empty.
    fn place(&self, n: u64, time: f64) -> Option<[f64; 3]> {
        let Emitter { seed, shape, centre, previous, radius, height, thickness, angle, .. } = *self.emitter;
        let [a, b, c, d] = units(seed, n, Purpose::Place);
        let middle = [0, 1, 2].map(|axis| previous[axis] + (centre[axis] - previous[axis]) * time);
        let deep = |share: f64| (share - 0.5) * thickness;
        let turned = |[x, y]: [f64; 2]| {
            let (sin, cos) = (libm::sin(angle.to_radians()), libm::cos(angle.to_radians()));
            [x * cos - y * sin, x * sin + y * cos]
        };
        let circle = |share: f64| {
            let angle = share * 2.0 * std::f64::consts::PI;
            [libm::cos(angle), libm::sin(angle)]
        };
        let [x, y, z] = match shape {
            Shape::Point => [0.0, 0.0, deep(c)],
            Shape::Line => {
                let [x, y] = turned([(2.0 * a - 1.0) * radius, 0.0]);
                [x, y, deep(c)]
            }
            Shape::Disc => {
                let [x, y] = circle(b).map(|side| side * radius * libm::sqrt(a));
                [x, y, deep(c)]
            }
            Shape::Sphere => {
                let (z, r) = (2.0 * c - 1.0, radius * libm::cbrt(a));
                let [x, y] = circle(b).map(|side| side * r * libm::sqrt((1.0 - z * z).max(0.0)));
                [x, y, z * r]
            }
            Shape::Box => {
                let [x, y] = turned([(2.0 * a - 1.0) * radius, (b - 0.5) * height]);
                [x, y, deep(c)]
            }
            Shape::Figure => {
                let [x, y, z] = figure::place([a, b, c, d]).map(|share| share * height);
                let [x, y] = turned([x, y]);
                [x, y, z]
            }
            Shape::Matte | Shape::Edge => {
                let cell = self.places.as_ref()?.cell(a);
                let [column, row] = [cell % self.grid.width, cell / self.grid.width].map(|index| index as f64);
                let Grid { origin, cells_per_pixel, .. } = *self.grid;
                let place = [origin[0] + (column + b) / cells_per_pixel, origin[1] + (row + c) / cells_per_pixel];
                return Some([place[0], place[1], middle[2] + deep(d)]);
            }
        };
        Some([middle[0] + x, middle[1] + y, middle[2] + z])
    }

    /// Sets the attributes of a new particle from its number and time of birth. Leaves its life at 0 where the
    /// emitter's matte is empty.
    #[inline(always)]
    pub fn bear(&self, particle: &mut Particle, frame_start: f64, air: &Air<'_>) {
        let Emitter { seed, life, life_spread, .. } = *self.emitter;
        let time = f64::from(particle.fraction);
        let Some(place) = self.place(particle.id, time) else { return };
        let [of_life, ..] = units(seed, particle.id, Purpose::Life);
        if self.emitter.delays() {
            let birth = frame_start + time + delay(self.emitter, self.grid, particle.id, place, time);
            let before = libm::floor(birth);
            (particle.born, particle.fraction) = (before as i32 + 1, (birth - before) as f32);
        } else {
            particle.velocity = self.start_velocity(particle.id, place, frame_start + time, air);
        }
        particle.life = (life * (1.0 + (2.0 * of_life - 1.0) * life_spread)).max(SHORTEST) as f32;
        particle.position = place.map(|x| x as f32);
        particle.colour = if self.emitter.plate { self.colour(place) } else { [1.0; 4] };
    }

    /// Velocity of the particle `n` at its start from a place, at a time in frames.
    pub fn start_velocity(&self, n: u64, place: [f64; 3], time: f64, air: &Air<'_>) -> [f32; 3] {
        let Emitter { centre, previous, inherit, inherit_air, .. } = *self.emitter;
        let mut velocity = self.velocity(n);
        for axis in 0..3 {
            velocity[axis] += (centre[axis] - previous[axis]) * inherit;
        }
        if inherit_air != 0.0 {
            let wind = air.velocity(place, time);
            (0..3).for_each(|axis| velocity[axis] += wind[axis] * inherit_air);
        }
        velocity.map(|v| v as f32)
    }

    /// Velocity of the particle `n` relative to its emitter.
    fn velocity(&self, n: u64) -> [f64; 3] {
        let Emitter { seed, speed, speed_spread, direction, elevation, spread, depth_spread, .. } = *self.emitter;
        let [a, b, c, _] = units(seed, n, Purpose::Velocity);
        let angle = (direction + (a - 0.5) * spread).to_radians();
        let tilt = (elevation + (b - 0.5) * depth_spread).to_radians();
        let speed = speed * (1.0 + (2.0 * c - 1.0) * speed_spread);
        let flat = speed * libm::cos(tilt);
        [flat * libm::cos(angle), flat * libm::sin(angle), speed * libm::sin(tilt)]
    }

    /// Colour of the Source at a position, not multiplied by its alpha; transparent outside.
    fn colour(&self, [x, y, _]: [f64; 3]) -> [f32; 4] {
        let Some(source) = &self.inputs.source else { return [1.0; 4] };
        let Grid { width, height, origin, cells_per_pixel } = *self.grid;
        let cell = [(x - origin[0]) * cells_per_pixel, (y - origin[1]) * cells_per_pixel].map(libm::floor);
        if !(cell[0] >= 0.0 && cell[1] >= 0.0 && cell[0] < width as f64 && cell[1] < height as f64) {
            return [0.0; 4];
        }
        let [r, g, b, a] = source.pixels[cell[1] as usize * width + cell[0] as usize].map(f64::from);
        let alpha = if source.has_alpha { clamp(a, 0.0, 1.0) } else { 1.0 };
        let divisor = if source.premultiplied && alpha > 0.0 { alpha } else { 1.0 };
        let [r, g, b] = [r, g, b].map(|value| bounded(value / divisor, BRIGHTEST) as f32);
        [r, g, b, alpha as f32]
    }
}
