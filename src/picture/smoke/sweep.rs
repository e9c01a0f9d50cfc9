//! One beam of light, carried row by row through the smoke.
//!
//! What comes to a row of cells is what left the row towards the light, taken a little to the side and blurred along the
//! row, so that light creeps in behind what is thin; the blur is set against what the slant itself blurs, so that shadows
//! are as soft at every angle. In a cell half of its smoke is before its middle and half behind.

use crate::compute::cpu::wide::Wide;
use crate::picture::maths::decay;
use crate::sim::memory::Values;

/// Variance of the blur over a cell's length along the beam, cells².
const BLUR: f64 = 0.2;

/// Least share of light that is carried on, so that products stay clear of subnormal numbers.
const LEAST: f32 = 1e-9;

/// Cells beside a row that a blur may ask for.
const MARGIN: usize = 2;

/// A beam; rows follow each other away from the light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Share of the beam in the result.
    weight: f32,
    /// Optical depth of half a cell of density 1.
    half: f32,
    /// Share of the shadow of one row that falls on the next.
    lasting: f32,
    /// Shares of five cells of the row before, from two to the left to two to the right.
    taps: [f32; 5],
    /// Share of full light that is to the left and the right of a row; the rest is as in the row's own end.
    beside: [f32; 2],
}

/// Slant from which on the light beside a row, on the side that it comes from, is as if nothing were there.
const OPEN: f64 = 0.125;

impl Beam {
    /// A beam to which every row lies `slant` cells (−1 to 1) further to the right than the row before, seen towards the
    /// light. `depth`: optical depth of a density of 1 over a cell's length; `fade`: how much of a shadow is lost over a
    /// cell's length, as the exponent of a decay.
    pub fn new(weight: f64, slant: f64, depth: f64, fade: f64) -> Self {
        let length = slant.hypot(1.0);
        let share = slant.abs();
        let blur = (BLUR * length.powi(3) - share * (1.0 - share)).clamp(0.0, 2.0 / 3.0) / 2.0;
        let (near, far) = (1.0 - share, share);
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
    /// The light comes from the last row.
    pub from_last: bool,
    /// The beams, all from that side.
    pub beams: &'a [Beam],
}

impl Wide for Sweep<'_> {
    type Output = Values<f32>;

    #[inline(always)]
    fn run(self) -> Values<f32> {
        let Self { density, width, from_last, beams } = self;
        let mut light = Values::stale(density.len());
        let lit = || vec![1.0_f32; width + 2 * MARGIN];
        let mut rows: Vec<_> = beams.iter().map(|beam| (beam, lit(), lit())).collect();
        let height = density.len() / width.max(1);
        for step in 0..height {
            let y = if from_last { height - 1 - step } else { step };
            let at = y * width..(y + 1) * width;
            light[at.clone()].fill(0.0);
            for (beam, before, left) in &mut rows {
                pass(beam, &density[at.clone()], before, left, &mut light[at.clone()]);
                std::mem::swap(before, left);
            }
        }
        light
    }
}

/// A row of a beam: adds its light to `light`, and writes what leaves the row to `left`.
#[inline(always)]
fn pass(beam: &Beam, density: &[f32], before: &[f32], left: &mut [f32], light: &mut [f32]) {
    let &Beam { weight, half, lasting, taps: [a, b, c, d, e], beside } = beam;
    let count = density.len();
    let from = |offset: usize| &before[offset..offset + count];
    let cells = from(0).iter().zip(from(1)).zip(from(2)).zip(from(3)).zip(from(4));
    let out = left[MARGIN..].iter_mut().zip(light);
    for ((((((&l2, &l1), &m), &r1), &r2), &density), (left, light)) in cells.zip(density).zip(out) {
        // In this order a mirrored row gives the mirrored bits.
        let came = ((l2 * a + r2 * e) + (l1 * b + r1 * d)) + m * c;
        let half = decay(density * half);
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
