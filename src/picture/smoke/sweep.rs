//! Beams of light: attenuation through the smoke, row by row.
//!
//! The light on a row of cells is the light that left the previous row, shifted by the slant and blurred along the row,
//! so that light spreads behind thin smoke. The blur is reduced by the blur that the shift causes, so that shadows are
//! equally soft at every angle. Half of the smoke of a cell is before its centre, half behind it.

use std::sync::Arc;

use crate::compute::cpu::PrefetchQueue;
use crate::compute::cpu::wide::Wide;
use crate::picture::maths::decay;
use crate::sim::memory::{PagePool, Values};

/// Variance of the blur per cell length along the beam, cells².
const BLUR: f64 = 0.2;

/// Least transmitted fraction of the light, so that products do not become subnormal.
const LEAST: f32 = 1e-9;

/// Number of cells beyond each end of a row that the blur may read.
const MARGIN: usize = 2;

/// A beam; rows follow each other away from the light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Whether the light comes from the side of the last row.
    from_last: bool,
    /// Weight of the beam in the result.
    weight: f32,
    /// Optical depth of half a cell of density 1.
    half: f32,
    /// Fraction of the shadow of a row that falls on the next one.
    lasting: f32,
    /// Weights of five cells of the previous row, from two to the left to two to the right.
    taps: [f32; 5],
    /// Fractions of full light beyond the left and the right end of a row; the remaining fraction is the light at that
    /// end.
    beside: [f32; 2],
}

/// Slant from which on the light beyond the end of a row, on the side that it comes from, is full.
const OPEN: f64 = 0.125;

impl Beam {
    /// A beam from the side of the first row or, with `from_last`, of the last. `slant` (−1 to 1): the light on cell x
    /// of a row comes from x + `slant` in the previous row. `depth`: optical depth of a density of 1 per cell length;
    /// `fade`: decay of a shadow per cell length, as an exponent.
    pub fn new(weight: f64, from_last: bool, slant: f64, depth: f64, fade: f64) -> Self {
        let length = slant.hypot(1.0);
        let far = slant.abs();
        let near = 1.0 - far;
        let blur = (BLUR * length.powi(3) - far * near).clamp(0.0, 2.0 / 3.0) / 2.0;
        let mut taps = [
            0.0,
            blur * near,
            (1.0 - 2.0 * blur) * near + blur * far,
            blur * near + (1.0 - 2.0 * blur) * far,
            blur * far,
        ];
        if slant < 0.0 {
            taps.reverse();
        }
        Self {
            from_last,
            weight: weight as f32,
            half: (depth * length / 2.0) as f32,
            lasting: libm::exp(-fade * length) as f32,
            taps: taps.map(|tap| tap as f32),
            beside: [-slant, slant].map(|slant| (slant / OPEN).clamp(0.0, 1.0) as f32),
        }
    }
}

/// The light of beams at all cells of a plane.
pub struct Sweep<'a> {
    /// Density, row after row.
    pub density: &'a [f32],
    /// Columns.
    pub width: usize,
    /// The beams, at least one.
    pub beams: &'a [Beam],
    /// Offset of each beam's light.
    pub memory: &'a Arc<dyn PagePool>,
}

impl Wide for Sweep<'_> {
    type Output = Values<f32>;

    #[inline(always)]
    fn run(self) -> Values<f32> {
        let Self { density, width, beams, memory } = self;
        let mut light = Values::uninitialised(density.len(), memory);
        let height = density.len() / width.max(1);
        let mut fresh = true;
        for from_last in [false, true] {
            let mut front = Front::new(beams.iter().filter(|beam| beam.from_last == from_last), width);
            if front.beams.is_empty() {
                continue;
            }
            for step in 0..height {
                let y = if from_last { height - 1 - step } else { step };
                let (before, rest) = light.split_at_mut(y * width);
                let (light, after) = rest.split_at_mut(width);
                if fresh {
                    light.fill(0.0);
                }
                // Memory has as long as this row takes.
                let mut ahead = PrefetchQueue::new();
                let next = if from_last { y.checked_sub(1) } else { Some(y + 1).filter(|next| *next < height) };
                if let Some(next) = next {
                    ahead.push(&density[next * width..][..width]);
                    ahead.push(if from_last { &before[next * width..] } else { &after[..width] });
                }
                front.pass(&density[y * width..][..width], light, ahead);
            }
            fresh = false;
        }
        light
    }
}

/// The beams from one side, in progress.
struct Front {
    beams: Vec<Carried>,
    /// For each different optical depth of half a cell of density 1: this depth, and the transmittance of half a cell
    /// for each cell of the row.
    halves: Vec<(f32, Vec<f32>)>,
}

/// A beam in progress.
struct Carried {
    beam: Beam,
    /// Index in [`Front::halves`]: beams with the same optical depth of half a cell share an entry.
    half: usize,
    /// Light that left the previous row.
    before: Vec<f32>,
    /// Light that leaves this row.
    left: Vec<f32>,
}

impl Front {
    /// The beams before the first row, for rows of `count` cells.
    #[inline(always)]
    fn new<'a>(beams: impl Iterator<Item = &'a Beam>, count: usize) -> Self {
        let mut front = Self { beams: Vec::new(), halves: Vec::new() };
        for beam in beams {
            let half = front.halves.iter().position(|half| half.0 == beam.half).unwrap_or(front.halves.len());
            if half == front.halves.len() {
                front.halves.push((beam.half, vec![0.0; count]));
            }
            let lit = || vec![1.0_f32; count + 2 * MARGIN];
            front.beams.push(Carried { beam: *beam, half, before: lit(), left: lit() });
        }
        front
    }

    /// Advances the beams by a row of `density`, adds their light to `light`, and issues the prefetches of `ahead`.
    #[inline(always)]
    fn pass(&mut self, density: &[f32], light: &mut [f32], mut ahead: PrefetchQueue<'_>) {
        ahead.spread(self.beams.len());
        for (half, shares) in &mut self.halves {
            for (share, density) in shares.iter_mut().zip(density) {
                *share = decay(density * *half);
            }
        }
        for Carried { beam, half, before, left } in &mut self.beams {
            ahead.issue();
            pass(beam, &self.halves[*half].1, before, left, light);
            std::mem::swap(before, left);
        }
    }
}

/// Advances a beam by a row. `shares`: transmittance of half of each cell; `before`: light that left the previous row.
/// Adds the light at the centres of the cells to `light`, and writes the light that leaves the row to `left`.
#[inline(always)]
fn pass(beam: &Beam, shares: &[f32], before: &[f32], left: &mut [f32], light: &mut [f32]) {
    let &Beam { weight, lasting, taps: [a, b, c, d, e], beside, .. } = beam;
    let count = shares.len();
    let from = |offset: usize| &before[offset..offset + count];
    let cells = from(0).iter().zip(from(1)).zip(from(2)).zip(from(3)).zip(from(4));
    let out = left[MARGIN..].iter_mut().zip(light);
    for ((((((&l2, &l1), &m), &r1), &r2), &half), (left, light)) in cells.zip(shares).zip(out) {
        // The order of this sum gives the reflected bits for a reflected row.
        let came = ((l2 * a + r2 * e) + (l1 * b + r1 * d)) + m * c;
        let middle = (1.0 - lasting * (1.0 - came)).max(LEAST) * half;
        *light += middle * weight;
        *left = middle * half;
    }
    for (share, end, margin) in
        [(beside[0], MARGIN, 0..MARGIN), (beside[1], MARGIN + count - 1, MARGIN + count..count + 2 * MARGIN)]
    {
        let end = left[end];
        left[margin].fill(end + (1.0 - end) * share);
    }
}
