//! The dispersion relation ω² = (g·k + s·k³)·tanh(k·d), and the fit of the coefficients of the head operator to it.
//!
//! The frequency of the steps is 2·asin(½·√(P·Λ)), with the symbols P of the head operator and Λ of the pipes. The
//! coefficients are a non-negative least-squares fit of P·Λ, in `f64`, in a fixed order and with `libm`, so that all
//! machines compute the same coefficients.

use std::f64::consts::PI;

use super::least_squares::{COLUMNS, Problem};

/// Coarsest level of the pyramid.
pub const COARSEST: usize = 7;
/// Number of levels.
pub const LEVELS: usize = COARSEST + 1;
/// Stored value of a coefficient of 1.
pub const ONE: i32 = 4096;

/// Number of wave numbers of the fit.
const WAVES: usize = 160;
/// Number of directions of the fit.
const DIRECTIONS: usize = 5;
/// Highest frequency that the fit asks for, radians per step: the steps do not resolve the phase of faster waves.
const FASTEST: f64 = 2.6;
/// Weight in the fit of waves shorter than four cells.
const SHORT_WEIGHT: f64 = 0.3;
/// Least part of the restoring force of the shortest waves that comes from the identity term: the fit may set the only
/// other term that acts on a chequerboard, the 5-point Laplacian, to 0.
const LOCAL: f64 = 0.1;
/// Intervals of the search for the largest eigenvalue, per axis.
const SEARCH: usize = 32;

/// The dispersion relation in cells and steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    /// Gravity, cells per step².
    pub gravity: f64,
    /// Surface tension by density, cells³ per step².
    pub tension: f64,
    /// Depth, cells; may be infinite.
    pub depth: f64,
}

impl Dispersion {
    /// ω² of a wave number, radians per step squared.
    pub fn square(&self, k: f64) -> f64 {
        (self.gravity * k + self.tension * k * k * k) * libm::tanh(k * self.depth)
    }
}

/// Squares of the sines of half the components of a wave vector. On the next coarser level the vector is twice as long.
#[derive(Clone, Copy)]
struct Sines([f64; 2]);

impl Sines {
    fn new(wave: [f64; 2]) -> Sines {
        Sines(wave.map(|k| {
            let sine = libm::sin(0.5 * k);
            sine * sine
        }))
    }

    fn coarser(self) -> Sines {
        Sines(self.0.map(|s| 4.0 * s * (1.0 - s)))
    }

    fn faces(self) -> f64 {
        4.0 * (self.0[0] + self.0[1])
    }

    fn diagonals(self) -> f64 {
        8.0 * (self.0[0] + self.0[1]) - 16.0 * self.0[0] * self.0[1]
    }

    fn pipes(self) -> f64 {
        self.faces() + 0.25 * self.diagonals()
    }

    /// Symbols of the head operator's terms, in the order of the unknowns.
    fn terms(self) -> [f64; COLUMNS] {
        let mut terms = [0.0; COLUMNS];
        terms[..3].copy_from_slice(&[1.0, self.faces(), self.diagonals()]);
        let (mut level, mut through) = (self, 1.0);
        for term in &mut terms[3..] {
            let blur = (1.0 - level.0[0]) * (1.0 - level.0[1]);
            *term = through * blur * blur;
            through *= blur * blur * blur * blur * blur;
            level = level.coarser();
        }
        terms
    }
}

/// Coefficients of the head operator in parts of [`ONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// Coefficient of the identity.
    pub cell: i32,
    /// Coefficient of the 5-point Laplacian.
    pub faces: i32,
    /// Coefficient of the diagonal Laplacian.
    pub diagonals: i32,
    /// Coefficient of each level of the pyramid, the finest first.
    pub levels: [i32; LEVELS],
}

impl Coefficients {
    /// The coefficients of water without waves.
    pub const NONE: Coefficients = Coefficients { cell: 0, faces: 0, diagonals: 0, levels: [0; LEVELS] };

    /// The coefficients with which the steps have the dispersion relation `of`.
    pub fn fit(of: &Dispersion) -> Coefficients {
        if of.square(PI) < 1e-12 {
            return Coefficients::NONE;
        }
        let least = LOCAL * of.square(PI) / (1.5 * PI * PI);
        let (low, high) = (libm::log(2.0 * PI / (8.0 * f64::from(1 << COARSEST))), libm::log(2.0 * PI / 3.0));
        let mut problem = Problem::new();
        for wave in 0..WAVES {
            let k = libm::exp(low + (high - low) * wave as f64 / (WAVES - 1) as f64);
            let frequency = libm::sqrt(of.square(k)).min(FASTEST);
            let root = 2.0 * libm::sin(0.5 * frequency);
            let target = root * root;
            let weight = if k > 0.5 * PI { SHORT_WEIGHT } else { 1.0 };
            for direction in 0..DIRECTIONS {
                let angle = 0.25 * PI * direction as f64 / (DIRECTIONS - 1) as f64;
                let sines = Sines::new([k * libm::cos(angle), k * libm::sin(angle)]);
                let scale = weight * sines.pipes() / target;
                let row = sines.terms().map(|term| term * scale);
                problem.add(&row, weight - row[0] * least);
            }
        }
        let found = problem.solve();
        let stored = |value: f64| libm::floor(f64::from(ONE) * value + 0.5).min(f64::from(1 << 20) - 1.0) as i32;
        Coefficients {
            cell: stored(found[0] + least),
            faces: stored(found[1]),
            diagonals: stored(found[2]),
            levels: std::array::from_fn(|level| stored(found[3 + level])),
        }
    }

    /// P·Λ of a wave vector, radians per cell.
    pub fn square(&self, wave: [f64; 2]) -> f64 {
        let sines = Sines::new(wave);
        let Coefficients { cell, faces, diagonals, levels } = *self;
        let coefficients = [cell, faces, diagonals].into_iter().chain(levels);
        let sum: f64 = coefficients.zip(sines.terms()).map(|(stored, term)| f64::from(stored) * term).sum();
        sum / f64::from(ONE) * sines.pipes()
    }

    /// The largest value of P·Λ + 2·`smoothing`·Λ over all wave vectors; the steps are stable below 4.
    pub fn largest(&self, smoothing: f64) -> f64 {
        let at = |index: usize| PI * index as f64 / SEARCH as f64;
        let mut largest = 0.0_f64;
        for y in 0..=SEARCH {
            for x in y..=SEARCH {
                let wave = [at(x), at(y)];
                largest = largest.max(self.square(wave) + 2.0 * smoothing * Sines::new(wave).pipes());
            }
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficients_of_deep_water_are_those_of_the_reference() {
        let found = Coefficients::fit(&Dispersion { gravity: 1.0, tension: 0.0, depth: f64::INFINITY });
        let real = |part: i32| f64::from(part) / f64::from(ONE);
        let near = |part: i32, value: f64| (real(part) - value).abs() <= 2e-4 + 5e-3 * value;
        let Coefficients { cell, faces, diagonals, levels } = found;
        let local = [(cell, 0.0325), (faces, 0.0314), (diagonals, 0.0374)];
        let pyramid = [0.850, 1.039, 2.065, 4.092, 7.991, 16.90, 29.63, 78.81];
        for (part, value) in local.into_iter().chain(levels.into_iter().zip(pyramid)) {
            assert!(near(part, value), "{} is not {value}: {found:?}", real(part));
        }
    }
}
