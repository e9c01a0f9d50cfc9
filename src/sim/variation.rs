//! Variation of emitters over time: random, and in pulses.

use super::hash::{hash, unit};
use super::maths::{bounded, clamp};

/// Periods of the random variation, frames, and their weights.
const OCTAVES: [(f64, f64); 2] = [(24.0, 2.0 / 3.0), (9.0, 1.0 / 3.0)];

/// Largest number of pulses since the clock's 0.
const TURNS_MAX: f64 = 1e9;

/// Smooth value noise of the clock, from −1 to 1; `which` selects one of several independent ones.
pub fn wander(clock: f64, seed: i32, which: u64) -> f64 {
    OCTAVES.iter().enumerate().fold(0.0, |sum, (turn, (frames, weight))| {
        let at = clock / frames;
        let knot = libm::floor(at);
        let value = |k: i64| unit(hash(seed, k, turn as u64, which)) * 2.0 - 1.0;
        let (from, to) = (value(knot as i64), value((knot as i64).saturating_add(1)));
        let share = clamp(at - knot, 0.0, 1.0);
        sum + weight * (from + (to - from) * (share * share * (3.0 - 2.0 * share)))
    })
}

/// Emission in pulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulse {
    /// Pulses per simulated frame; 0 for a steady emission.
    pub rate: f64,
    /// Phase offset in pulses.
    pub lead: f64,
    /// Fraction of a pulse in which there is emission, 0 to 1.
    pub duty: f64,
}

impl Pulse {
    /// Fraction of a frame with emission. A pulse begins at each integer phase and lasts for the duty cycle. Its edges are
    /// ramps over a tenth of its shorter phase (emission or pause), or over a frame if that is longer.
    pub fn active_fraction(&self, clock: f64, frame_time: f64) -> f64 {
        let (rate, duty) = (clamp(self.rate, 0.0, 1e3), clamp(self.duty, 0.0, 1.0));
        if rate == 0.0 || duty == 1.0 {
            return 1.0;
        }
        let blown = |phase: f64| libm::floor(phase) * duty + (phase - libm::floor(phase)).min(duty);
        let turns = bounded(clock * rate + self.lead, TURNS_MAX);
        let phase = turns - libm::floor(turns);
        let window = (rate * frame_time).max(0.1 * duty.min(1.0 - duty));
        ((blown(phase + window) - blown(phase)) / window).clamp(0.0, 1.0)
    }
}
