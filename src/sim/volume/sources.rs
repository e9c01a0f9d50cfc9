//! Coverage of cells by emitters: the part of a cell that an emitter covers while it moves along its path in a step;
//! and the change of a covered cell. In pulses, emission is scaled by the part of the step in which there is any. A
//! file is at the middle of its path, and covers a cell by the largest of its values there, up to 1.

use super::settings::{Emitter, Mode, Shape};
use super::shapes::{self, dot, norm};
use crate::sim::maths::clamp;
use crate::sim::noise::{PATCHES_PULSE, patches, patterns, to_oblique};
use crate::sim::variation::{Pulse, wander};

/// Largest sideways part of a velocity that wanders, as a share of its length: 60 degrees.
const ASIDE: f64 = 1.732;

/// An emitter during a step. Lengths are in cells of the lattice.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    emitter: Emitter,
    /// Centre at the beginning and the end of the step.
    path: [[f64; 3]; 2],
    patterns: [(u32, f64); 2],
    /// Frames of the step.
    time: f64,
    /// Part of the step with emission.
    active: f64,
    /// Velocity of the gas, if it is changed.
    velocity: Option<[f64; 3]>,
}

impl Source {
    /// An emitter in the step from the share `from` to the share `to` of its frame, of `time` simulated frames.
    /// `clock`: simulated time.
    pub fn new(emitter: &Emitter, [from, to]: [f64; 2], time: f64, clock: f64) -> Self {
        let at = |share: f64| {
            std::array::from_fn(|axis| {
                let (first, last) = (emitter.previous[axis], emitter.centre[axis]);
                first + (last - first) * share
            })
        };
        let patterns = patterns(clock, PATCHES_PULSE);
        let pulse = Pulse { rate: emitter.pulse_rate, lead: 0.0, duty: emitter.pulse_duty };
        let active = pulse.active_fraction(clock, time);
        let velocity = emitter.velocity.map(|velocity| varied(velocity, emitter, clock));
        Self { emitter: emitter.clone(), path: [at(from), at(to)], patterns, time, active, velocity }
    }

    /// The offsets from the centre that the shape may cover: lowest and highest along each axis, cells, with a margin
    /// of one cell.
    fn reach(&self) -> [[f64; 3]; 2] {
        let Emitter { shape, radius, height, .. } = self.emitter;
        match &self.emitter.file {
            Some(file) => {
                let [low, high] = file.extent().unwrap_or_default();
                [low.map(|side| side - 1.0), high.map(|side| side + 1.0)]
            }
            None => {
                let extent = shapes::extent(shape, radius, height).map(|extent| extent.max(0.0) + 1.0);
                [extent.map(|side| -side), extent]
            }
        }
    }

    /// Largest half extent of the shape, cells, with a margin of one cell.
    pub fn radius(&self) -> f64 {
        let [low, high] = self.reach();
        (0..3).map(|axis| (high[axis] - low[axis]) / 2.0).fold(0.0, f64::max)
    }

    /// The middle of the path.
    fn middle(&self) -> [f64; 3] {
        std::array::from_fn(|axis| (self.path[0][axis] + self.path[1][axis]) / 2.0)
    }

    /// Density, heat and fuel of the file at a position, if the shape is one.
    fn sampled(&self, position: [f64; 3]) -> Option<[f64; 3]> {
        let middle = self.middle();
        let file = self.emitter.file.as_ref()?;
        Some(file.sample(std::array::from_fn(|axis| position[axis] - middle[axis])))
    }

    /// The cells that the emitter may cover: the first along each axis, and the one after the last.
    pub fn bounds(&self) -> [[i32; 3]; 2] {
        let reach = self.reach();
        let end = |axis: usize, is_high: usize| {
            let [from, to] = [self.path[0][axis], self.path[1][axis]];
            let end = if is_high == 0 { from.min(to) } else { from.max(to) } + reach[is_high][axis];
            let whole = if is_high == 0 { libm::floor(end) } else { libm::ceil(end) };
            clamp(whole, -1e6, 1e6) as i32
        };
        [0, 1].map(|is_high| std::array::from_fn(|axis| end(axis, is_high)))
    }

    /// Distance of a position from the surface, below 0 inside, at the point of the path nearest to it.
    fn distance(&self, position: [f64; 3]) -> f64 {
        let [from, to] = self.path;
        let along: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let mut offset: [f64; 3] = std::array::from_fn(|axis| position[axis] - from[axis]);
        let length = dot(along, along);
        if length > 1e-12 {
            let share = clamp(dot(offset, along) / length, 0.0, 1.0);
            offset = std::array::from_fn(|axis| offset[axis] - share * along[axis]);
        }
        let Emitter { shape, radius, height, .. } = self.emitter;
        shapes::distance(shape, offset, radius, height)
    }

    /// Coverage of a cell whose centre is at a position, 0 to 1, without the break-up.
    fn cover(&self, position: [f64; 3]) -> f64 {
        if let Some(sampled) = self.sampled(position) {
            return largest(sampled);
        }
        let Emitter { shape, radius, height, softness, .. } = self.emitter;
        let thickness = match shape {
            Shape::Box | Shape::Disc => radius.min(height / 2.0),
            Shape::Sphere | Shape::Capsule => radius,
        };
        let rim = (clamp(softness, 0.0, 1.0) * (thickness + 0.5)).max(1.0);
        let t = clamp((0.5 - self.distance(position)) / rim, 0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }

    /// Coverage of a cell whose centre is at a position, 0 to 1.
    pub fn coverage(&self, position: [f64; 3]) -> f64 {
        let cover = self.cover(position) * self.active;
        let breakup = clamp(self.emitter.breakup, 0.0, 1.0);
        if cover == 0.0 || breakup == 0.0 {
            return cover;
        }
        let size = self.emitter.breakup_size.max(1.0);
        let place = to_oblique(position.map(|x| x / size));
        cover * (1.0 - breakup + breakup * patches(self.emitter.seed, place, self.patterns))
    }

    /// Density, heat and fuel that the emitter has at a position where it has this coverage, at full coverage.
    pub fn amounts(&self, cover: f64, position: [f64; 3]) -> [f64; 3] {
        let Emitter { density, temperature, fuel, .. } = self.emitter;
        let Some(sampled) = self.sampled(position) else { return [density, temperature, fuel] };
        // Relative to the coverage, which has the largest of the three.
        let [dense, hot, fuelled] = sampled.map(|value| value / largest(sampled).max(f64::MIN_POSITIVE));
        [density * dense, (temperature * hot).min(1.0 / cover), (fuel * fuelled).min(1.0 / cover)]
    }

    /// The way in which the emitter changes density.
    pub fn mode(&self) -> Mode {
        self.emitter.mode
    }

    /// Simulated frames of the step.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Scalars and gases of a cell with this coverage after the emission. Without fire the gases stay. `position`: the
    /// centre of the cell.
    pub fn emit(&self, cover: f64, position: [f64; 3], scalars: &mut [f32; 4], gases: Option<&mut [f32; 4]>) {
        let [density, temperature, fuel] = self.amounts(cover, position);
        let before = f64::from(scalars[0]);
        let after = match self.emitter.mode {
            Mode::Fill => before.max(density * cover),
            Mode::Add => before + density * cover * self.time,
            Mode::Replace => before + (density - before) * cover,
        };
        scalars[0] = clamp(after, 0.0, 6e4) as f32;
        scalars[1] = scalars[1].max((temperature * cover) as f32);
        if fuel > 0.0 {
            scalars[2] = scalars[2].max((fuel * cover) as f32);
            if let Some([gas, aged, ..]) = gases {
                // Fuel brings fresh flame gas of age 0, as in the model of smoke: the mean age falls in proportion.
                let fresh = (3.0 * fuel * cover).min(1.0) as f32;
                let age = if *gas > 0.0 { *aged / *gas } else { 0.0 };
                *gas = gas.max(fresh);
                *aged = *gas * age * (1.0 - fresh);
            }
        }
    }

    /// Divergence of a cell with this coverage, per frame.
    pub fn divergence(&self, cover: f64) -> f64 {
        clamp(self.emitter.expansion, -1.0, 1.0) * cover
    }

    /// The velocity that the emitter sets, if any.
    pub fn velocity(&self) -> Option<[f64; 3]> {
        self.velocity
    }

    /// Whether the emitter expands or contracts the gas.
    pub fn expands(&self) -> bool {
        self.emitter.expansion != 0.0
    }
}

/// The largest of the values of a file, up to 1.
fn largest(sampled: [f64; 3]) -> f64 {
    sampled.into_iter().fold(0.0, f64::max).min(1.0)
}

/// A velocity in its variation at a time: turned by up to 60 degrees, longer and shorter by up to its own length.
fn varied(velocity: [f64; 3], emitter: &Emitter, clock: f64) -> [f64; 3] {
    let amount = clamp(emitter.wander, 0.0, 1.0);
    let length = norm(velocity);
    if amount == 0.0 || length == 0.0 {
        return velocity;
    }
    let noise = |which| amount * wander(clock, emitter.seed, which);
    // Two directions across: the axis that is the farthest from it, made perpendicular, and the product of both.
    let axis = velocity.map(|part| part / length);
    let far = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let along = dot(far, axis);
    let side: [f64; 3] = std::array::from_fn(|i| far[i] - along * axis[i]);
    let side = side.map(|part| part / norm(side));
    let other = [1, 2, 0].map(|i| {
        let j = (i + 1) % 3;
        axis[i] * side[j] - axis[j] * side[i]
    });
    let [first, second] = [ASIDE * noise(0), ASIDE * noise(1)];
    let turned: [f64; 3] = std::array::from_fn(|i| axis[i] + first * side[i] + second * other[i]);
    let scale = length * (1.0 + noise(2)) / norm(turned);
    turned.map(|part| part * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::volume::testing::emitter;

    fn still(shape: Shape) -> Source {
        let emitter = Emitter { shape, radius: 6.0, height: 8.0, softness: 0.0, breakup: 0.0, ..emitter([20.0; 3]) };
        Source::new(&emitter, [0.0, 1.0], 1.0, 0.0)
    }

    /// Volume of an emitter's cells.
    fn volume(source: &Source) -> f64 {
        let [low, high] = source.bounds();
        let mut sum = 0.0;
        for z in low[2]..high[2] {
            for y in low[1]..high[1] {
                for x in low[0]..high[0] {
                    sum += source.coverage([x, y, z].map(|at| f64::from(at) + 0.5));
                }
            }
        }
        sum
    }

    #[test]
    fn shapes_have_their_volume() {
        use std::f64::consts::PI;
        let cylinder = PI * 36.0 * 8.0;
        let ball = 4.0 / 3.0 * PI * 216.0;
        let cases = [
            (Shape::Sphere, ball),
            (Shape::Box, 144.0 * 8.0),
            (Shape::Capsule, ball + cylinder),
            (Shape::Disc, cylinder),
        ];
        for (shape, exact) in cases {
            let found = volume(&still(shape));
            assert!((found / exact - 1.0).abs() < 0.03, "{shape:?}: {found} for {exact}");
        }
    }

    #[test]
    fn a_velocity_wanders_around_its_mean_and_pulses_scale_the_emission() {
        let steady = Emitter { velocity: Some([0.0, 3.0, 0.0]), ..emitter([20.0; 3]) };
        let wandering = Emitter { wander: 0.4, ..steady.clone() };
        let at = |emitter: &Emitter, clock: f64| Source::new(emitter, [0.0, 1.0], 1.0, clock);
        assert_eq!(at(&steady, 5.0).velocity(), steady.velocity);
        let mut mean = [0.0; 3];
        for frame in 0..2000 {
            let velocity = at(&wandering, f64::from(frame)).velocity().expect("a velocity");
            let next = at(&wandering, f64::from(frame) + 0.01).velocity().expect("a velocity");
            assert!((0..3).all(|axis| (velocity[axis] - next[axis]).abs() < 0.05), "smooth: {velocity:?} {next:?}");
            assert!(velocity[1] > 0.0 && norm(velocity) <= 4.2 + 1e-9, "{velocity:?}");
            mean = std::array::from_fn(|axis| mean[axis] + velocity[axis] / 2000.0);
        }
        assert!(mean[0].abs() < 0.3 && mean[2].abs() < 0.3 && (2.2..3.0).contains(&mean[1]), "{mean:?}");
        let pulsing = Emitter { pulse_rate: 0.1, pulse_duty: 0.5, ..steady.clone() };
        let cover = |frame: i32| at(&pulsing, f64::from(frame)).coverage([20.5; 3]);
        let covers: Vec<f64> = (0..20).map(cover).collect();
        assert!(covers.iter().filter(|cover| **cover > 0.9).count() >= 8, "{covers:?}");
        assert!(covers.iter().filter(|cover| **cover == 0.0).count() >= 6, "{covers:?}");
    }

    #[test]
    fn a_moving_emitter_covers_its_path_without_gaps() {
        let emitter = Emitter { previous: [20.0, 20.0, 20.0], ..emitter([60.0, 20.0, 20.0]) };
        let whole = Source::new(&emitter, [0.0, 1.0], 1.0, 0.0);
        let halves = [[0.0, 0.5], [0.5, 1.0]].map(|span| Source::new(&emitter, span, 0.5, 0.0));
        for x in 20..60 {
            let at = [f64::from(x) + 0.5, 20.0, 20.0];
            assert_eq!(whole.cover(at), 1.0);
            assert_eq!(halves.iter().map(|half| half.cover(at)).fold(0.0, f64::max), 1.0);
        }
    }
}
