//! Pressure among solids: conjugate gradients, preconditioned with one multigrid cycle.
//!
//! | file | contents |
//! |---|---|
//! | `coloured` | fields with the cells of each colour in an array of their own |
//! | `level` | couplings of a level from the open areas of faces |
//! | `cycle` | the multigrid cycle |
//! | `regions` | closed regions of air |
//!
//! Sums are in f64, plane by plane, so that they are the same for any number of threads.

mod coloured;
mod cycle;
mod level;
mod regions;

#[cfg(test)]
mod tests;

use super::super::super::Cpu;
use super::super::super::wide::Do;
use coloured::{Coloured, Layout, Planes, Row};
use cycle::cycle;
use level::{Areas, Level, Stencil};
pub(in crate::compute) use regions::Regions;

use crate::sim::memory::Values;
use crate::sim::volume::Solves;
use crate::sim::volume::multigrid::levels;
use crate::sim::volume::settings::Side;

/// Accumulators of a row's sum.
const LANES: usize = 8;

/// The equation of a box with solids, and the fields of its solution.
pub(super) struct SolidPressure {
    /// The residual and the preconditioned residual are the right-hand side and the pressure of the finest level.
    levels: Vec<Level>,
    regions: Option<Regions>,
    pressure: Coloured,
    direction: Coloured,
    product: Coloured,
}

/// The cells of a colour in a row of a field.
fn cells(of: &Coloured, colour: usize, row: Row) -> &[f32] {
    &of.colours[colour][row.at..row.at + row.count]
}

/// Sum of products, in a fixed order.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0_f64; LANES];
    let (chunks, rest) = a.as_chunks::<LANES>();
    let (others, last) = b.as_chunks::<LANES>();
    for (a, b) in chunks.iter().zip(others) {
        for lane in 0..LANES {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    let rest = rest.iter().zip(last).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    sums.into_iter().sum::<f64>() + rest
}

/// Scalar product of two fields.
fn product(cpu: &Cpu, a: &Coloured, b: &Coloured) -> f64 {
    let layout = a.layout;
    let planes = cpu.each((0..layout.size[2]).collect(), |z: usize| {
        let mut sum = 0.0;
        for (y, colour) in rows(layout) {
            let row = layout.row(colour, [y, z], false);
            let (a, b) = (cells(a, colour, row), cells(b, colour, row));
            sum += cpu.isa.run(Do(
                #[inline(always)]
                || dot(a, b),
            ));
        }
        sum
    });
    planes.into_iter().sum()
}

/// The rows of a plane and their colours.
fn rows(layout: Layout) -> impl Iterator<Item = (usize, usize)> {
    (0..layout.size[1]).flat_map(|y| [(y, 0), (y, 1)])
}

/// `to` ← by · `to` + factor · `from`.
fn combine(cpu: &Cpu, to: &mut Coloured, by: f32, from: &Coloured, factor: f32) {
    let layout = to.layout;
    cpu.each(to.planes(), |(z, planes): (usize, Planes<'_>)| {
        for (y, colour) in rows(layout) {
            let from = cells(from, colour, layout.row(colour, [y, z], false));
            let to = &mut planes[colour][layout.row(colour, [y, z], true).at..][..from.len()];
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for (to, from) in to.iter_mut().zip(from) {
                        *to = by * *to + factor * from;
                    }
                },
            ));
        }
    });
}

impl SolidPressure {
    /// The equation of a box, given the open shares of its faces.
    pub fn new(cpu: &Cpu, size: [usize; 3], sides: [[Side; 2]; 3], open: [&[f32]; 3]) -> Self {
        let axes = levels(size, sides);
        let regions = Regions::new(cpu, size, open, sides);
        let finest = Areas { size, values: open };
        let mut all: Vec<Level> = Vec::with_capacity(axes.len());
        let mut areas: Option<Areas<Values<f32>>> = None;
        for axes in &axes {
            if all.is_empty() {
                all.push(Level::new(cpu, axes, &finest));
                continue;
            }
            let coarser = areas.as_ref().map_or_else(|| finest.coarser(cpu), |areas| areas.coarser(cpu));
            all.push(Level::new(cpu, axes, areas.insert(coarser)));
        }
        let layout = all[0].layout;
        let zeros = || Coloured::zeros(layout, cpu);
        Self { levels: all, regions, pressure: zeros(), direction: zeros(), product: zeros() }
    }

    /// Solves for the pressure of the divergence `divergence`, whose rows are `width` values apart, in at most `most`
    /// iterations, until the residual relative to the divergence is at most `tolerance`. Subtracts the means of closed
    /// regions from the divergence.
    pub fn solve(&mut self, cpu: &Cpu, (divergence, width): (&mut [f32], usize), tolerance: f64, most: u32) -> Solves {
        let layout = self.levels[0].layout;
        if let Some(regions) = &self.regions {
            regions.remove_means(divergence, width, layout.size[0]);
        }
        self.pressure.clear(cpu);
        self.direction.clear(cpu);
        self.residual_of(cpu, divergence, width, false);
        let first = product(cpu, &self.levels[0].b, &self.levels[0].b).sqrt();
        let mut solves = Solves::default();
        if first == 0.0 || !first.is_finite() {
            return solves;
        }
        let mut before = 0.0;
        while solves.cycles < most {
            cycle(cpu, &mut self.levels);
            let fine = &self.levels[0];
            let now = product(cpu, &fine.b, &fine.p);
            let along = if solves.cycles == 0 { 0.0 } else { now / before };
            combine(cpu, &mut self.direction, along as f32, &fine.p, 1.0);
            self.direction.wrap();
            before = now;
            let curvature = self.apply(cpu);
            let step = now / curvature;
            if !step.is_finite() || step == 0.0 {
                break;
            }
            combine(cpu, &mut self.pressure, 1.0, &self.direction, step as f32);
            combine(cpu, &mut self.levels[0].b, 1.0, &self.product, -step as f32);
            solves.cycles += 1;
            if product(cpu, &self.levels[0].b, &self.levels[0].b).sqrt() <= tolerance * first {
                break;
            }
        }
        self.residual_of(cpu, divergence, width, true);
        solves.residual = product(cpu, &self.levels[0].b, &self.levels[0].b).sqrt() / first;
        solves
    }

    /// Sets `product` to the matrix times `direction`; returns the scalar product of both.
    fn apply(&mut self, cpu: &Cpu) -> f64 {
        let (layout, matrix, from) = (self.levels[0].layout, &self.levels[0].matrix, &self.direction);
        let planes = cpu.each(self.product.planes(), |(z, planes): (usize, Planes<'_>)| {
            let mut sum = 0.0;
            for (y, colour) in rows(layout) {
                let row = layout.row(colour, [y, z], false);
                let stencil = Stencil::new(matrix, &from.colours[1 - colour], colour, row);
                let (own, diagonal) = (cells(from, colour, row), cells(&matrix.diagonal, colour, row));
                let to = &mut planes[colour][layout.row(colour, [y, z], true).at..][..row.count];
                sum += cpu.isa.run(Do(
                    #[inline(always)]
                    || {
                        for i in 0..to.len() {
                            to[i] = diagonal[i] * own[i] - stencil.sum(i);
                        }
                        dot(to, own)
                    },
                ));
            }
            sum
        });
        planes.into_iter().sum()
    }

    /// Sets the residual to minus the divergence and, if `solved`, minus the matrix times the pressure.
    fn residual_of(&mut self, cpu: &Cpu, divergence: &[f32], width: usize, solved: bool) {
        self.pressure.wrap();
        let Level { layout, b, matrix, .. } = &mut self.levels[0];
        let (layout, pressure): (Layout, &Coloured) = (*layout, &self.pressure);
        cpu.each(b.planes(), |(z, planes): (usize, Planes<'_>)| {
            for (y, colour) in rows(layout) {
                let row = layout.row(colour, [y, z], false);
                let from = &divergence[(y + layout.size[1] * z) * width..][..layout.size[0]];
                let inverse = cells(&matrix.inverse, colour, row);
                let to = &mut planes[colour][layout.row(colour, [y, z], true).at..][..row.count];
                let from = from[row.parity..].iter().step_by(2);
                for ((to, from), inverse) in to.iter_mut().zip(from).zip(inverse) {
                    *to = if *inverse > 0.0 { -from } else { 0.0 };
                }
                if solved {
                    let stencil = Stencil::new(matrix, &pressure.colours[1 - colour], colour, row);
                    let (own, diagonal) = (cells(pressure, colour, row), cells(&matrix.diagonal, colour, row));
                    for (i, to) in to.iter_mut().enumerate() {
                        *to += stencil.sum(i) - diagonal[i] * own[i];
                    }
                }
            }
        });
    }

    /// Writes the pressure of a row of cells.
    pub fn write_row(&self, [y, z]: [usize; 2], to: &mut [f32]) {
        let layout = self.pressure.layout;
        for colour in 0..2 {
            let row = layout.row(colour, [y, z], false);
            for (to, from) in to[row.parity..].iter_mut().step_by(2).zip(cells(&self.pressure, colour, row)) {
                *to = *from;
            }
        }
    }
}
