//! Detail finer than the cells: an advected noise displaces the positions at which the medium is read, and makes it
//! thicker and thinner.
//!
//! This is flow noise (Perlin & Neyret 2001) without a state: a pattern is advected by the velocity of the shown frame
//! over its age, as advected textures are (Max & Becker 1995), and fades into the next one before shear has torn it.
//! Two patterns are alive at a time, and the squares of their weights add up to 1. A pattern is a sum of octaves.

use std::array;
use std::sync::LazyLock;

use wide::f32x4;

use super::coarse::{Coarse, CoarseGrid};
use super::medium::Medium;
use super::vector::four;
use crate::compute::cpu::Cpu;
use crate::picture::maths::clamped;
use crate::sim::memory::Values;
use crate::sim::noise::{patterns, to_oblique};
use crate::sim::particles::random::pcg4d;

/// Values of the noise along each side of its period.
const SIDE: usize = 32;

/// Wavelength, in values of the noise.
const WIDTH: f64 = 5.0;

/// Most values of the noise per cell, in its first octave.
const FINEST: f64 = 2.0;

/// Frames from one pattern to the next.
const PULSE: f64 = 7.0;

/// Largest value of the noise, whose root mean square is 1.
const MOST: f32 = 3.0;

/// Root mean square of the displacement at a strength of 1, as a share of the size.
const SHARE: f64 = 0.2;

/// Most octaves.
const OCTAVES: usize = 4;

/// Amplitude of an octave, whose lumps are half as large, by that of the one before.
const GAIN: f32 = 0.6;

/// Position of an octave in the noise at the origin of the one before.
const SHIFT: f32 = 7.3;

/// Distance that air moves from one pattern to the next where the displacement is half of that at rest, in sizes of the
/// lumps: in faster air shear has torn a pattern before it fades, and it would show a grain.
const FAST: f64 = 12.0;

/// Largest displacement of a pattern, in sizes of the lumps: over a longer one the gas of a burst would draw the
/// lumps out to strands.
const FARTHEST: f64 = 4.0;

/// Settings of the fine detail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FineDetail {
    /// Strength, 0 and up.
    pub strength: f64,
    /// Size of the lumps of the first octave, world units, above 0.
    pub size: f64,
    /// Number of octaves, 1 to 4.
    pub octaves: usize,
    /// Root mean square of the change of the extinction in the first octave, as a share of it.
    pub contrast: f64,
    /// Frame of the picture.
    pub frame: f64,
}

/// The noise in a medium in motion.
pub struct Detail {
    /// Values of the noise along the axes of its lattice per cell along each axis of the medium.
    columns: [f32x4; 3],
    patterns: [Pattern; 2],
    octaves: usize,
    /// Root mean square of the displacement in the first octave at rest, cells.
    amplitude: f32,
    /// Root mean square of the change of the extinction in the first octave at rest.
    contrast: f32,
}

/// A pattern of the noise.
struct Pattern {
    weight: f32,
    /// Position in the noise of the origin of the medium.
    offset: f32x4,
    /// Displacement of the pattern since it was in place, in values of the noise, and the amplitude relative to that at
    /// rest.
    displacement: Coarse<[f32; 4]>,
}

impl Detail {
    /// The detail in a medium whose `velocity` is in cells per frame; `None` without any.
    pub fn new(cpu: &Cpu, medium: &Medium, velocity: &Coarse<[f32; 4]>, settings: &FineDetail) -> Option<Self> {
        let FineDetail { strength, size, octaves, contrast, frame } = *settings;
        // Written so that NaN is none.
        if !(strength > 0.0 && size > 0.0 && frame.is_finite()) {
            return None;
        }
        let cells = clamped(size / medium.spacing, 1e-3, 1e6);
        let scale = (WIDTH / cells).min(FINEST);
        let columns = [0, 1, 2].map(|axis| {
            let mut along = [0.0; 3];
            along[axis] = scale;
            to_oblique(along).map(|part| part as f32)
        });
        let origin = to_oblique(medium.corner.map(|corner| corner * scale));
        // Whole periods that keep the positions of all cells above 0.
        let below = |axis: usize| {
            let lowest: f64 = (0..3)
                .map(|along| f64::from(columns[along][axis]).min(0.0) * medium.extinction.size[along] as f64)
                .sum();
            libm::ceil((2.0 * FARTHEST * WIDTH - lowest) / SIDE as f64) * SIDE as f64
        };
        let advection = Advection {
            columns: columns.map(|column| four(column, 0.0)),
            slowness: (PULSE / (FAST * cells) * (PULSE / (FAST * cells))) as f32,
            nearness: (1.0 / (FARTHEST * cells * FARTHEST * cells)) as f32,
        };
        let patterns = patterns(frame, PULSE).map(|(number, weight)| {
            let random = pcg4d([number, 0x0de7_a115, 3, 7]);
            let offset = |axis: usize| {
                let shift = f64::from(random[axis]) / f64::from(u32::MAX) * SIDE as f64;
                ((origin[axis] + shift).rem_euclid(SIDE as f64) + below(axis)) as f32
            };
            let age = (frame - f64::from(number as i32) * PULSE) as f32;
            Pattern {
                weight: weight as f32,
                offset: four([0, 1, 2].map(offset), 0.0),
                displacement: advection.displacement(cpu, velocity, age),
            }
        });
        Some(Self {
            columns: advection.columns,
            patterns,
            octaves: octaves.clamp(1, OCTAVES),
            amplitude: (clamped(strength, 0.0, 100.0) * SHARE * cells) as f32,
            contrast: clamped(contrast, 0.0, 100.0) as f32,
        })
    }

    /// Bound of the components of a displacement, cells. Larger ones, of octaves whose crests meet, are cut.
    pub fn longest(&self) -> f32 {
        let square: f32 = (0..self.octaves).map(|octave| GAIN.powi(2 * octave as i32)).sum();
        // The weights of two patterns add up to √2 at most.
        self.amplitude * MOST * std::f32::consts::SQRT_2 * square.sqrt()
    }

    /// The detail for reading.
    pub fn reader(&self) -> DetailReader<'_> {
        DetailReader {
            noise: &NOISE,
            columns: self.columns,
            displacements: array::from_fn(|at| self.patterns[at].displacement.grid()),
            offsets: array::from_fn(|at| self.patterns[at].offset),
            weights: array::from_fn(|at| self.patterns[at].weight),
            octaves: self.octaves,
            amplitude: self.amplitude,
            contrast: self.contrast,
            longest: f32x4::splat(self.longest()),
        }
    }
}

/// Advection of the patterns by a velocity.
struct Advection {
    columns: [f32x4; 3],
    /// One over the square of the speed at which the amplitude is half of that at rest.
    slowness: f32,
    /// One over the square of the largest displacement of a pattern, cells⁻².
    nearness: f32,
}

impl Advection {
    /// The displacement of a pattern of an age in frames, on the threads of `cpu`.
    fn displacement(&self, cpu: &Cpu, velocity: &Coarse<[f32; 4]>, age: f32) -> Coarse<[f32; 4]> {
        let Self { columns: [a, b, c], slowness, nearness } = *self;
        let from = &velocity.volume;
        let mut values: Values<[f32; 4]> = Values::uninitialised(from.values.len(), cpu.memory());
        let count = from.size[0] * from.size[1];
        let planes = values.chunks_mut(count).zip(from.values.chunks(count)).collect();
        cpu.each(planes, |(plane, velocity): (&mut [[f32; 4]], &[[f32; 4]])| {
            for (to, [x, y, z, _]) in plane.iter_mut().zip(velocity) {
                let speed2 = x * x + y * y + z * z;
                let time = age / (1.0 + nearness * speed2 * age * age).sqrt();
                let moved = (a * f32x4::splat(*x) + b * f32x4::splat(*y) + c * f32x4::splat(*z)) * f32x4::splat(time);
                let [x, y, z, _] = moved.to_array();
                *to = [x, y, z, 1.0 / (1.0 + slowness * speed2)];
            }
        });
        Coarse::new(from.size, velocity.side(), values)
    }
}

/// The noise in a medium, for reading.
#[derive(Clone, Copy)]
pub struct DetailReader<'a> {
    noise: &'a Noise,
    columns: [f32x4; 3],
    displacements: [CoarseGrid<'a, [f32; 4]>; 2],
    offsets: [f32x4; 2],
    weights: [f32; 2],
    octaves: usize,
    amplitude: f32,
    contrast: f32,
    longest: f32x4,
}

impl DetailReader<'_> {
    /// Number of octaves that show behind a medium of a transmittance.
    #[inline(always)]
    pub fn octaves(&self, clear: f32) -> usize {
        match clear {
            clear if clear >= 0.3 => self.octaves,
            clear if clear >= 0.1 => self.octaves.div_ceil(2),
            _ => 1,
        }
    }

    /// The displacement at a position, in cells, and the factor of the extinction.
    #[inline(always)]
    pub fn at(&self, q: f32x4, octaves: usize) -> (f32x4, f32) {
        let [x, y, z, _] = q.to_array();
        let [a, b, c] = self.columns;
        let own = a * f32x4::splat(x) + b * f32x4::splat(y) + c * f32x4::splat(z);
        let coarse = self.displacements[0].place(q);
        let mut sum = f32x4::ZERO;
        let mut fade = 0.0;
        for pattern in 0..2 {
            let displacement = self.displacements[pattern].at_place(&coarse);
            [.., fade] = displacement.to_array();
            let mut place = (own + self.offsets[pattern] - displacement).fast_max(f32x4::ZERO);
            let mut weight = self.weights[pattern];
            for _ in 0..octaves {
                sum += self.value(place) * f32x4::splat(weight);
                place = place * f32x4::splat(2.0) + f32x4::splat(SHIFT);
                weight *= GAIN;
            }
        }
        let [.., thickness] = sum.to_array();
        let displacement = sum * f32x4::splat(self.amplitude * fade);
        let displacement = displacement.fast_max(-self.longest).fast_min(self.longest);
        (displacement, (1.0 + self.contrast * fade * thickness).max(0.0))
    }

    /// The noise at a position above 0, between its values.
    #[inline(always)]
    fn value(&self, place: f32x4) -> f32x4 {
        let base = place.fast_trunc_int();
        let [u, v, w, _] = (place - base.round_float()).to_array();
        let [x, y, z, _] = base.to_array();
        let wrapped = |at: i32| (at & (SIDE as i32 - 1)) as usize;
        let ([x0, x1], [y0, y1], [z0, z1]) =
            ([x, x + 1].map(wrapped), [y, y + 1].map(wrapped), [z, z + 1].map(wrapped));
        let mix = |a: f32x4, b: f32x4, share: f32| a + (b - a) * f32x4::splat(share);
        let row = |y: usize, z: usize| {
            let row = &self.noise[z][y];
            mix(f32x4::new(row[x0]), f32x4::new(row[x1]), u)
        };
        mix(mix(row(y0, z0), row(y1, z0), v), mix(row(y0, z1), row(y1, z1), v), w)
    }
}

/// Values of the noise, by z, y and x.
type Noise = [[[[f32; 4]; SIDE]; SIDE]; SIDE];

/// Four independent noises of mean 0 and root mean square 1, with a period of [`SIDE`] values: white noise after four
/// binomial filters along each axis.
static NOISE: LazyLock<Box<Noise>> = LazyLock::new(|| {
    let count = SIDE * SIDE * SIDE;
    let random =
        |at: usize| pcg4d([at as u32, 0x0de7_a115, 0, 1]).map(|word| f64::from(word) / f64::from(u32::MAX) - 0.5);
    let mut values: Vec<[f64; 4]> = (0..count).map(random).collect();
    for _ in 0..4 {
        for stride in [1, SIDE, SIDE * SIDE] {
            let before = values.clone();
            for (at, value) in values.iter_mut().enumerate() {
                let own = at / stride % SIDE;
                let neighbour = |place: usize| before[at - own * stride + place % SIDE * stride];
                let (low, high) = (neighbour(own + SIDE - 1), neighbour(own + 1));
                *value = array::from_fn(|part| 0.25 * (low[part] + high[part]) + 0.5 * before[at][part]);
            }
        }
    }
    let mean = |of: &dyn Fn(&[f64; 4]) -> f64| values.iter().map(of).sum::<f64>() / count as f64;
    let means: [f64; 4] = array::from_fn(|part| mean(&|value| value[part]));
    let scales: [f64; 4] = array::from_fn(|part| 1.0 / libm::sqrt(mean(&|value| (value[part] - means[part]).powi(2))));
    let mut noise: Box<Noise> = Box::new([[[[0.0; 4]; SIDE]; SIDE]; SIDE]);
    for (to, value) in noise.as_flattened_mut().as_flattened_mut().iter_mut().zip(&values) {
        *to = array::from_fn(|part| (((value[part] - means[part]) * scales[part]) as f32).clamp(-MOST, MOST));
    }
    noise
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_has_no_mean_and_no_step_at_its_period() {
        let noise = NOISE.as_flattened().as_flattened();
        let next = |row: usize, stride: usize| match row / stride % SIDE {
            last if last == SIDE - 1 => row - last * stride,
            _ => row + stride,
        };
        for part in 0..4 {
            let sum = |power: i32| noise.iter().map(|value| f64::from(value[part]).powi(power)).sum::<f64>();
            let count = noise.len() as f64;
            assert!((sum(1) / count).abs() < 0.02 && (sum(2) / count - 1.0).abs() < 0.03, "{} {}", sum(1), sum(2));
            // Mean square of the steps from the values at a place along each axis to the next.
            let steps = |at: usize| {
                let across = |stride: usize| {
                    let rows = (0..count as usize).filter(move |row| row / stride % SIDE == at);
                    rows.map(move |row| f64::from(noise[row][part] - noise[next(row, stride)][part]).powi(2))
                };
                [1, SIDE, SIDE * SIDE].into_iter().flat_map(across).sum::<f64>()
            };
            let inside = (0..SIDE - 1).map(steps).sum::<f64>() / (SIDE - 1) as f64;
            let across = steps(SIDE - 1);
            assert!((across / inside - 1.0).abs() < 0.3, "{inside} {across}");
        }
    }
}
