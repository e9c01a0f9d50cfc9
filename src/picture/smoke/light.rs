//! Light on each cell of a grid. Full light enters at the borders of the grid: smoke outside casts no shadow.

use std::f64::consts::FRAC_1_SQRT_2;

use super::shading::Shading;
use super::sweep::{Beam, Sweep};
use super::transpose::transposed;
use crate::compute::cpu::{Cpu, Isa};
use crate::picture::maths::clamped;
use crate::sim::memory::Values;
use crate::sim::smoke::State;

/// Number of beams that represent a light with an angular size.
const BEAMS: i32 = 8;

/// Number of beams that represent the ambient light.
const AROUND: i32 = 8;

/// Number of beams that one sweep computes.
const TOGETHER: usize = 4;

/// Ratio of the optical depth for the ambient light to that for the light: ambient light is scattered more often.
const AMBIENT_SHADOW: f64 = 0.5;

/// The light at the cells of a grid, 0 to 1: the sums of planes.
pub struct Lit {
    width: usize,
    direct: Vec<Values<f32>>,
    around: Vec<Values<f32>>,
}

impl Lit {
    /// Computes the light in a state, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: &State, shading: &Shading) -> Self {
        Self::with(cpu, Isa::best(), state, shading)
    }

    /// [`Lit::new`], with an instruction set.
    pub(super) fn with(cpu: &Cpu, isa: Isa, state: &State, shading: &Shading) -> Self {
        let grid = state.grid;
        let cell = 1.0 / grid.cells_per_pixel;
        let shadow = clamped(shading.shadow, 0.0, 1e6) / 100.0 * cell;
        let elevation = clamped(shading.light_elevation, 0.0, 90.0).to_radians();
        let fade = cell / clamped(shading.depth, 1e-3, 1e9);
        let steep = libm::sin(elevation) / libm::cos(elevation).max(1e-9);
        let size = clamped(shading.light_size, 0.0, 45.0);
        let direction = if shading.light_direction.is_finite() { shading.light_direction } else { 0.0 };
        let beams = if size > 0.0 { BEAMS } else { 1 };
        let direct = (0..beams).map(|i| {
            let side = (f64::from(2 * i + 1) / f64::from(beams) - 1.0) * size;
            Ray { degrees: direction + side, weight: 1.0 / f64::from(beams), depth: shadow, fade: fade * steep }
        });
        let around = (0..AROUND).map(|i| Ray {
            degrees: (f64::from(i) + 0.5) * 360.0 / f64::from(AROUND),
            weight: 1.0 / f64::from(AROUND),
            depth: shadow * AMBIENT_SHADOW,
            fade,
        });
        let mut jobs = jobs(direct, false);
        jobs.extend(self::jobs(around, true));

        let upright = densities(cpu, &state.air.dye);
        let lying =
            if jobs.iter().any(|job| job.lying) { transposed(cpu, &upright, grid.width) } else { Values::default() };
        let planes = cpu.each(jobs, |Job { lying: is_lying, around, beams }| {
            let (density, width) = if is_lying { (&lying, grid.height) } else { (&upright, grid.width) };
            (is_lying, around, isa.run(Sweep { density, width, beams: &beams, memory: cpu.memory() }))
        });
        let mut lit = Self { width: grid.width, direct: Vec::new(), around: Vec::new() };
        for (lying, around, plane) in planes {
            let plane = if lying { transposed(cpu, &plane, grid.height) } else { plane };
            if around { &mut lit.around } else { &mut lit.direct }.push(plane);
        }
        lit
    }

    /// The planes that are read for a row.
    #[inline(always)]
    pub fn planes(&self) -> impl Iterator<Item = &[f32]> {
        self.direct.iter().chain(&self.around).map(|plane| &plane[..])
    }

    /// Direct and ambient light at the cells of row `y` from column `from` on, for each of `direct` and `around`.
    #[inline(always)]
    pub fn row(&self, y: usize, from: usize, direct: &mut [f32], around: &mut [f32]) {
        for (planes, out) in [(&self.direct, direct), (&self.around, around)] {
            out.fill(0.0);
            for plane in planes {
                let row = &plane[y * self.width + from..];
                out.iter_mut().zip(row).for_each(|(sum, light)| *sum += light);
            }
        }
    }
}

/// A beam before it is assigned to a sweep.
struct Ray {
    degrees: f64,
    weight: f64,
    depth: f64,
    fade: f64,
}

/// Beams that are carried together, along rows or, `lying`, along columns.
struct Job {
    lying: bool,
    around: bool,
    beams: Vec<Beam>,
}

fn jobs(rays: impl Iterator<Item = Ray>, around: bool) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for Ray { degrees, weight, depth, fade } in rays {
        let (sin, cos) = direction(degrees);
        let lying = cos.abs() > FRAC_1_SQRT_2;
        let (along, across) = if lying { (cos, sin) } else { (sin, cos) };
        let beam = Beam::new(weight, along > 0.0, across / along.abs(), depth, fade);
        match jobs.iter_mut().find(|job| job.lying == lying && job.beams.len() < TOGETHER) {
            Some(job) => job.beams.push(beam),
            None => jobs.push(Job { lying, around, beams: vec![beam] }),
        }
    }
    jobs
}

/// Sine and cosine of an angle in degrees: exactly 0 and 1 where they are.
fn direction(degrees: f64) -> (f64, f64) {
    let angle = degrees.rem_euclid(360.0);
    let quarter = (angle / 90.0).round();
    let (sin, cos) = libm::sincos((angle - quarter * 90.0).to_radians());
    match quarter as i32 % 4 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The density of dye.
fn densities(cpu: &Cpu, dye: &[[f32; 4]]) -> Values<f32> {
    const PIECE: usize = 1 << 16;
    let mut plane = Values::uninitialised(dye.len(), cpu.memory());
    cpu.each(plane.chunks_mut(PIECE).zip(dye.chunks(PIECE)).collect(), |(piece, dye): (&mut [f32], &[[f32; 4]])| {
        for (density, dye) in piece.iter_mut().zip(dye) {
            *density = dye[3];
        }
    });
    plane
}
