//! Detail finer than the cells: an advected noise displaces the positions at which the medium is read.
//!
//! This is flow noise (Perlin & Neyret 2001) without a state: a pattern is advected by the velocity of the shown frame
//! over its age, as advected textures are (Max & Becker 1995), and fades into the next one before shear has torn it.
//! Two patterns are alive at a time, and the squares of their weights add up to 1.

use std::sync::OnceLock;

use wide::f32x4;

use super::medium::Medium;
use super::vector::four;
use crate::picture::maths::clamped;
use crate::sim::noise::{patterns, to_oblique};
use crate::sim::particles::random::pcg4d;

/// Values of the noise along each side of its period.
const SIDE: usize = 32;

/// Values from crest to crest.
const WIDTH: f64 = 5.0;

/// Most values of the noise per cell.
const FINEST: f64 = 2.0;

/// Frames from one pattern to the next.
const PULSE: f64 = 7.0;

/// Largest value of the noise, whose root mean square is 1.
const MOST: f32 = 3.0;

/// Root mean square of the displacement at a strength of 1, as a share of the size.
const SHARE: f64 = 0.2;

/// Distance that air moves from one pattern to the next where the displacement is half of that at rest, in sizes of the
/// lumps: in faster air shear has torn a pattern before it fades, and it would show a grain.
const FAST: f64 = 12.0;

/// Longest way that a pattern is advected, in sizes of the lumps: over a longer one the gas of a burst would draw the
/// lumps out to strands.
const FARTHEST: f64 = 4.0;

/// Settings of the detail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    /// Strength, 0 and up.
    pub strength: f64,
    /// Size of its lumps, world units, above 0.
    pub size: f64,
    /// Frame of the picture.
    pub frame: f64,
}

/// The noise in a medium.
pub struct Detail {
    noise: &'static [[f32; 4]],
    /// Values of the noise along the axes of its lattice per cell along each axis of the medium.
    columns: [f32x4; 3],
    patterns: [Pattern; 2],
    /// Root mean square of the displacement at rest, cells.
    amplitude: f32,
    /// One over the square of the speed at which it is half of that.
    slowness: f32,
    /// One over the square of the longest way of a pattern, cells⁻².
    nearness: f32,
}

/// A pattern of the noise.
#[derive(Clone, Copy)]
struct Pattern {
    /// Frames since it was in place.
    age: f32,
    weight: f32,
    /// Position in the noise of the origin of the medium.
    offset: f32x4,
}

impl Detail {
    /// The detail in a medium; `None` without any.
    pub fn new(medium: &Medium, settings: &Displacement) -> Option<Self> {
        let Displacement { strength, size, frame } = *settings;
        // Written so that NaN is none.
        if !(strength > 0.0 && size > 0.0 && frame.is_finite()) {
            return None;
        }
        let cells = clamped(size / medium.spacing, 1e-3, 1e6);
        let scale = (WIDTH / cells).min(FINEST);
        let columns = [0, 1, 2].map(|axis| {
            let mut along = [0.0; 3];
            along[axis] = scale;
            to_oblique(along)
        });
        let origin = to_oblique(medium.corner.map(|corner| corner * scale));
        let patterns = patterns(frame, PULSE).map(|(number, weight)| {
            let random = pcg4d([number, 0x0de7_a115, 3, 7]);
            let offset = |axis: usize| {
                let shift = f64::from(random[axis]) / f64::from(u32::MAX) * SIDE as f64;
                (origin[axis] + shift).rem_euclid(SIDE as f64) as f32
            };
            let age = (frame - f64::from(number as i32) * PULSE) as f32;
            Pattern { age, weight: weight as f32, offset: four([0, 1, 2].map(offset), 0.0) }
        });
        Some(Self {
            noise: noise(),
            columns: columns.map(|column| four(column.map(|part| part as f32), 0.0)),
            patterns,
            amplitude: (clamped(strength, 0.0, 100.0) * SHARE * cells) as f32,
            slowness: (PULSE / (FAST * cells) * (PULSE / (FAST * cells))) as f32,
            nearness: (1.0 / (FARTHEST * cells * FARTHEST * cells)) as f32,
        })
    }

    /// Bound of the components of a displacement, cells.
    pub fn longest(&self) -> f64 {
        // The weights of two patterns add up to √2 at most.
        f64::from(self.amplitude * MOST * std::f32::consts::SQRT_2)
    }

    /// The displacement at a position with a velocity, in cells and cells per frame.
    #[inline(always)]
    pub fn at(&self, q: f32x4, velocity: f32x4) -> f32x4 {
        let [x, y, z, _] = (velocity * velocity).to_array();
        let speed2 = x + y + z;
        let mut sum = f32x4::ZERO;
        for pattern in &self.patterns {
            let time = pattern.age / (1.0 + self.nearness * speed2 * pattern.age * pattern.age).sqrt();
            let [x, y, z, _] = (q - velocity * f32x4::splat(time)).to_array();
            let [a, b, c] = self.columns;
            let place = a * f32x4::splat(x) + b * f32x4::splat(y) + c * f32x4::splat(z) + pattern.offset;
            sum += self.value(place) * f32x4::splat(pattern.weight);
        }
        sum * f32x4::splat(self.amplitude / (1.0 + self.slowness * speed2))
    }

    /// The noise at a position, between its values.
    #[inline(always)]
    fn value(&self, place: f32x4) -> f32x4 {
        let base = place.floor();
        let [u, v, w, _] = (place - base).to_array();
        let [x, y, z, _] = base.fast_trunc_int().to_array();
        let wrapped = |at: i32| (at & (SIDE as i32 - 1)) as usize;
        let ([x0, x1], [y0, y1], [z0, z1]) =
            ([x, x + 1].map(wrapped), [y, y + 1].map(wrapped), [z, z + 1].map(wrapped));
        let mix = |a: f32x4, b: f32x4, share: f32| a + (b - a) * f32x4::splat(share);
        let row = |y: usize, z: usize| {
            let row = SIDE * (y + SIDE * z);
            mix(f32x4::new(self.noise[row + x0]), f32x4::new(self.noise[row + x1]), u)
        };
        mix(mix(row(y0, z0), row(y1, z0), v), mix(row(y0, z1), row(y1, z1), v), w)
    }
}

/// Three independent noises of mean 0 and root mean square 1, with a period of [`SIDE`] values: white noise after four
/// binomial filters along each axis.
fn noise() -> &'static [[f32; 4]] {
    static NOISE: OnceLock<Vec<[f32; 4]>> = OnceLock::new();
    NOISE.get_or_init(|| {
        let count = SIDE * SIDE * SIDE;
        let random = |at: usize| {
            let words = pcg4d([at as u32, 0x0de7_a115, 0, 1]).map(|word| f64::from(word) / f64::from(u32::MAX) - 0.5);
            [words[0], words[1], words[2]]
        };
        let mut values: Vec<[f64; 3]> = (0..count).map(random).collect();
        for _ in 0..4 {
            for stride in [1, SIDE, SIDE * SIDE] {
                let before = values.clone();
                for (at, value) in values.iter_mut().enumerate() {
                    let own = at / stride % SIDE;
                    let neighbour = |place: usize| before[at - own * stride + place % SIDE * stride];
                    let (low, high) = (neighbour(own + SIDE - 1), neighbour(own + 1));
                    *value = [0, 1, 2].map(|part| 0.25 * (low[part] + high[part]) + 0.5 * before[at][part]);
                }
            }
        }
        let mean = |of: &dyn Fn(&[f64; 3]) -> f64| values.iter().map(of).sum::<f64>() / count as f64;
        let means = [0, 1, 2].map(|part| mean(&|value| value[part]));
        let scales = [0, 1, 2].map(|part| 1.0 / libm::sqrt(mean(&|value| (value[part] - means[part]).powi(2))));
        let scaled =
            |value: &[f64; 3], part: usize| (((value[part] - means[part]) * scales[part]) as f32).clamp(-MOST, MOST);
        values.iter().map(|value| [scaled(value, 0), scaled(value, 1), scaled(value, 2), 0.0]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_has_no_mean_and_no_step_at_its_period() {
        let noise = noise();
        for part in 0..3 {
            let sum = |power: i32| noise.iter().map(|value| f64::from(value[part]).powi(power)).sum::<f64>();
            let count = noise.len() as f64;
            assert!((sum(1) / count).abs() < 0.02 && (sum(2) / count - 1.0).abs() < 0.03, "{} {}", sum(1), sum(2));
            let steps = |places: &dyn Fn(usize) -> [usize; 2]| {
                let of = |row: usize| {
                    let [a, b] = places(row * SIDE).map(|at| noise[at][part]);
                    f64::from(a - b).powi(2)
                };
                (0..SIDE * SIDE).map(of).sum::<f64>() / (SIDE * SIDE) as f64
            };
            let (inside, across) = (steps(&|row| [row + 10, row + 11]), steps(&|row| [row + SIDE - 1, row]));
            assert!((across / inside - 1.0).abs() < 0.3, "{inside} {across}");
        }
    }
}
