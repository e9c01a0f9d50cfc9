//! Coverage of cells by emitters: the part of a cell that an emitter covers while it moves along its path in a step;
//! and the change of a covered cell. The emission covers the displacement of its gas in the step, too, so that fast gas
//! has no gaps between steps. In pulses, emission is scaled by the part of the step in which there is any. A file is at
//! the middle of its path, and covers a cell by the largest of its values there, up to 1. A matte covers a cell by its
//! alpha.

use super::gas_velocity::{AdvectedPatterns, GasVelocity};
use super::matte::MatteSource;
use super::settings::{Emitter, Mode, Shape};
use super::shapes::{self, dot};
use crate::sim::maths::clamp;
use crate::sim::noise::patches;
use crate::sim::variation::Pulse;

/// An emitter during a step. Lengths are in cells of the lattice.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    emitter: Emitter,
    /// Centre at the beginning and the end of the step.
    path: [[f64; 3]; 2],
    /// The path, prolonged by the displacement of the gas in the step.
    emission_path: [[f64; 3]; 2],
    patterns: AdvectedPatterns,
    /// Frames of the step.
    time: f64,
    /// Part of the step with emission.
    active: f64,
    /// Velocity of the gas, if it is changed.
    velocity: Option<GasVelocity>,
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
        let patterns = AdvectedPatterns::new(emitter, clock);
        let pulse = Pulse { rate: emitter.pulse_rate, lead: 0.0, duty: emitter.pulse_duty };
        let active = pulse.active_fraction(clock, time);
        let velocity = GasVelocity::new(emitter, patterns, clock);
        let path = [at(from), at(to)];
        // Density that is added would grow with the length of the path.
        let prolonging =
            velocity.filter(|_| emitter.mode != Mode::Add && emitter.file.is_none() && emitter.matte.is_none());
        let displacement = prolonging.map_or([0.0; 3], |velocity| velocity.mean.map(|speed| speed * time));
        let emission_path = [path[0], std::array::from_fn(|axis| path[1][axis] + displacement[axis])];
        Self { emitter: emitter.clone(), path, emission_path, patterns, time, active, velocity }
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
        let [low, high] =
            self.emitter.matte.as_ref().map_or_else(|| self.reach(), |matte| matte.extent().unwrap_or_default());
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
        let whole = |end: f64, is_high: usize| {
            clamp(if is_high == 0 { libm::floor(end) } else { libm::ceil(end) }, -1e6, 1e6) as i32
        };
        if let Some(matte) = &self.emitter.matte {
            let Some(ends) = matte.extent() else { return [[0; 3]; 2] };
            return [0, 1].map(|is_high| ends[is_high].map(|end| whole(end, is_high)));
        }
        let reach = self.reach();
        let end = |axis: usize, is_high: usize| {
            let places = [self.path[0][axis], self.path[1][axis], self.emission_path[1][axis]];
            let end = if is_high == 0 {
                places.into_iter().fold(f64::INFINITY, f64::min) + reach[0][axis]
            } else {
                places.into_iter().fold(f64::NEG_INFINITY, f64::max) + reach[1][axis]
            };
            whole(end, is_high)
        };
        [0, 1].map(|is_high| std::array::from_fn(|axis| end(axis, is_high)))
    }

    /// Distance of a position from the surface, below 0 inside, at the point of a path nearest to it.
    fn distance(&self, position: [f64; 3], [from, to]: [[f64; 3]; 2]) -> f64 {
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

    /// Coverage of a cell whose centre is at a position by the emitter along a path, 0 to 1, without the break-up.
    fn cover(&self, position: [f64; 3], path: [[f64; 3]; 2]) -> f64 {
        if let Some(sampled) = self.sampled(position) {
            return largest(sampled);
        }
        let Emitter { shape, radius, height, softness, .. } = self.emitter;
        let (alpha, distance, thickness) = match (&self.emitter.matte, shape) {
            (Some(matte), _) => {
                let (alpha, distance) = matte.sample(position);
                (alpha, distance, matte.half())
            }
            (None, Shape::Box | Shape::Disc) => (1.0, self.distance(position, path), radius.min(height / 2.0)),
            (None, Shape::Sphere | Shape::Capsule) => (1.0, self.distance(position, path), radius),
        };
        let rim = (clamp(softness, 0.0, 1.0) * (thickness + 0.5)).max(1.0);
        let t = clamp((0.5 - distance) / rim, 0.0, 1.0);
        alpha * t * t * (3.0 - 2.0 * t)
    }

    /// Coverage of a cell whose centre is at a position by the emitter, 0 to 1.
    pub fn coverage(&self, position: [f64; 3]) -> f64 {
        self.broken_up(self.cover(position, self.path), position)
    }

    /// Coverage of a cell whose centre is at a position by gas that the emitter emits in the step, 0 to 1.
    pub fn emission(&self, position: [f64; 3]) -> f64 {
        self.broken_up(self.cover(position, self.emission_path), position)
    }

    /// A coverage in pulses and after the break-up.
    fn broken_up(&self, cover: f64, position: [f64; 3]) -> f64 {
        let cover = cover * self.active;
        let breakup = clamp(self.emitter.breakup, 0.0, 1.0);
        if cover == 0.0 || breakup == 0.0 {
            return cover;
        }
        let size = self.emitter.breakup_size.max(1.0);
        let places = self.patterns.places(position, size);
        cover * (1.0 - breakup + breakup * patches(self.emitter.seed, places, self.patterns.weighted))
    }

    /// Density, heat and fuel that the emitter has at a position where it has this coverage, at full coverage.
    pub fn amounts(&self, cover: f64, position: [f64; 3]) -> [f64; 3] {
        let Emitter { density, temperature, fuel, .. } = self.emitter;
        let Some(sampled) = self.sampled(position) else { return [density, temperature, fuel] };
        // Relative to the coverage, which has the largest of the three.
        let [dense, hot, fuelled] = sampled.map(|value| value / largest(sampled).max(f64::MIN_POSITIVE));
        [density * dense, (temperature * hot).min(1.0 / cover), (fuel * fuelled).min(1.0 / cover)]
    }

    /// Whether the emitter's smoke has a colour other than white.
    pub fn is_coloured(&self) -> bool {
        self.emitter.colour != [1.0; 3] || self.emitter.matte.as_ref().is_some_and(MatteSource::has_colours)
    }

    /// One less the colour of the smoke that the emitter emits at a position.
    pub fn tint(&self, position: [f64; 3]) -> [f64; 3] {
        let picture = self.emitter.matte.as_ref().map_or([1.0; 3], |matte| matte.colour(position));
        std::array::from_fn(|channel| 1.0 - clamp(self.emitter.colour[channel] * picture[channel], 0.0, 1.0))
    }

    /// The way in which the emitter changes density.
    pub fn mode(&self) -> Mode {
        self.emitter.mode
    }

    /// Simulated frames of the step.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The packs of a cell with this coverage after the emission. Without fire there are no gases, and without colours no
    /// tints. `position`: the centre of the cell.
    pub fn emit(
        &self,
        cover: f64,
        position: [f64; 3],
        scalars: &mut [f32; 4],
        [gases, tints]: [Option<&mut [f32; 4]>; 2],
    ) {
        let [density, temperature, fuel] = self.amounts(cover, position);
        let before = f64::from(scalars[0]);
        let (own, after) = match self.emitter.mode {
            Mode::Fill => (density * cover, before.max(density * cover)),
            Mode::Add => (density * cover * self.time, before + density * cover * self.time),
            Mode::Replace => (density * cover, before + (density - before) * cover),
        };
        scalars[0] = clamp(after, 0.0, 6e4) as f32;
        if let Some(tints) = tints {
            mix(tints, [before, own, f64::from(scalars[0])], self.tint(position));
        }
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

    /// The velocity that the emitter sets at a position, if any.
    pub fn velocity(&self, position: [f64; 3]) -> Option<[f64; 3]> {
        Some(self.velocity?.at(position))
    }

    /// Whether the emitter sets the velocity of its gas.
    pub fn has_velocity(&self) -> bool {
        self.velocity.is_some()
    }

    /// Whether the emitter expands or contracts the gas.
    pub fn expands(&self) -> bool {
        self.emitter.expansion != 0.0
    }
}

/// Sets the tints of a cell to those of its density `after`, of which an emission of the density `own` has the tint
/// `emitted`, and the rest that of the density `before`.
fn mix(tints: &mut [f32; 4], [before, own, after]: [f64; 3], emitted: [f64; 3]) {
    let share = if after > 0.0 { (own / after).min(1.0) } else { 0.0 };
    for (tint, emitted) in tints.iter_mut().zip(emitted) {
        let old = if before > 0.0 { (f64::from(*tint) / before).min(1.0) } else { 0.0 };
        *tint = (after * (old + (emitted - old) * share)) as f32;
    }
}

/// The largest of the values of a file, up to 1.
fn largest(sampled: [f64; 3]) -> f64 {
    sampled.into_iter().fold(0.0, f64::max).min(1.0)
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
    fn colours_mix_by_density() {
        let of = |mode: Mode, colour: [f64; 3]| {
            let emitter = Emitter { mode, colour, softness: 0.0, ..emitter([20.0; 3]) };
            Source::new(&emitter, [0.0, 1.0], 0.5, 0.0)
        };
        let emit = |source: &Source, cover: f64, scalars: &mut [f32; 4], tints: &mut [f32; 4]| {
            source.emit(cover, [20.0; 3], scalars, [None, Some(tints)]);
        };
        let colour = |scalars: &[f32; 4], tints: &[f32; 4]| [0, 1, 2].map(|channel| 1.0 - tints[channel] / scalars[0]);
        let (red, blue) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
        assert!(of(Mode::Add, red).is_coloured() && !of(Mode::Add, [1.0; 3]).is_coloured());
        // Half a frame of each adds half a density: equal parts.
        let (mut scalars, mut tints) = ([0.0; 4], [0.0; 4]);
        emit(&of(Mode::Add, red), 1.0, &mut scalars, &mut tints);
        assert_eq!((scalars[0], colour(&scalars, &tints)), (0.5, [1.0, 0.0, 0.0]));
        emit(&of(Mode::Add, blue), 1.0, &mut scalars, &mut tints);
        assert_eq!((scalars[0], colour(&scalars, &tints)), (1.0, [0.5, 0.0, 0.5]));
        // Smoke that is as dense as the emitter's takes its colour, smoke twice as dense takes half of it.
        for (before, share) in [(1.0, 1.0), (0.25, 1.0), (2.0, 0.5)] {
            let (mut scalars, mut tints) = ([before, 0.0, 0.0, 0.0], [0.0, before, before, 0.0]);
            emit(&of(Mode::Fill, blue), 1.0, &mut scalars, &mut tints);
            let [r, g, b] = colour(&scalars, &tints);
            assert!(
                (r - (1.0 - share)).abs() < 1e-6 && g.abs() < 1e-6 && (b - share).abs() < 1e-6,
                "{before}: {r} {b}"
            );
        }
        let (mut scalars, mut tints) = ([2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 2.0, 0.0]);
        emit(&of(Mode::Replace, blue), 0.5, &mut scalars, &mut tints);
        assert_eq!(scalars[0], 1.5);
        let [r, _, b] = colour(&scalars, &tints);
        assert!((r - 2.0 / 3.0).abs() < 1e-6 && (b - 1.0 / 3.0).abs() < 1e-6, "{r} {b}");
    }

    #[test]
    fn pulses_scale_the_emission() {
        let pulsing = Emitter { pulse_rate: 0.1, pulse_duty: 0.5, ..emitter([20.0; 3]) };
        let cover = |frame: i32| Source::new(&pulsing, [0.0, 1.0], 1.0, f64::from(frame)).coverage([20.5; 3]);
        let covers: Vec<f64> = (0..20).map(cover).collect();
        assert!(covers.iter().filter(|cover| **cover > 0.9).count() >= 8, "{covers:?}");
        assert!(covers.iter().filter(|cover| **cover == 0.0).count() >= 6, "{covers:?}");
    }

    #[test]
    fn emission_covers_the_displacement_of_fast_gas_without_gaps() {
        let jet = Emitter { velocity: Some([30.0, 0.0, 0.0]), softness: 0.0, ..emitter([20.0; 3]) };
        let source = Source::new(&jet, [0.0, 1.0], 1.0, 0.0);
        let along = |x: i32| source.emission([f64::from(x) + 0.5, 20.0, 20.0]);
        assert!((16..54).all(|x| along(x) == 1.0));
        assert_eq!([13, 56].map(along), [0.0; 2]);
        assert_eq!(source.coverage([40.0, 20.0, 20.0]), 0.0, "the velocity is set in the emitter alone");
        let adding = Emitter { mode: Mode::Add, ..jet };
        assert_eq!(Source::new(&adding, [0.0, 1.0], 1.0, 0.0).emission([40.0, 20.0, 20.0]), 0.0);
        assert!((20..54).all(|x| source.bounds()[1][0] > x));
    }

    #[test]
    fn a_moving_emitter_covers_its_path_without_gaps() {
        let emitter = Emitter { previous: [20.0, 20.0, 20.0], ..emitter([60.0, 20.0, 20.0]) };
        let whole = Source::new(&emitter, [0.0, 1.0], 1.0, 0.0);
        let halves = [[0.0, 0.5], [0.5, 1.0]].map(|span| Source::new(&emitter, span, 0.5, 0.0));
        for x in 20..60 {
            let at = [f64::from(x) + 0.5, 20.0, 20.0];
            assert_eq!(whole.coverage(at), 1.0);
            assert_eq!(halves.iter().map(|half| half.coverage(at)).fold(0.0, f64::max), 1.0);
        }
    }
}
