//! Projection: the pressure by multigrid V(1,1) cycles from an initial value of 0, or among solids by conjugate gradients,
//! then the subtraction of its gradient.
//!
//! | file | contents |
//! |---|---|
//! | `level` | fields and operator of a level |
//! | `relax` | red-black relaxation |
//! | `transfer` | residual, restriction and prolongation |
//! | `solids` | pressure among solids |

mod level;
mod relax;
mod solids;
mod transfer;

use super::super::Cpu;
use super::super::wide::Do;
use super::burn::Divergence;
use super::padded::Padded;
use super::solids::Solids;
use crate::sim::memory::Values;
use crate::sim::volume::Solves;
use crate::sim::volume::multigrid::{COARSE_SWEEPS, FACTOR, FASTEST, levels};
use crate::sim::volume::settings::Side;
use level::Level;
use relax::{Start, relax};
pub(in crate::compute) use solids::Regions;
use solids::SolidPressure;
use transfer::{Of, norm, prolong, restrict};

/// The multigrid hierarchy of a box.
pub(super) struct Pressure<'a> {
    levels: Vec<Level>,
    singular: bool,
    sides: [[Side; 2]; 3],
    solids: Option<(&'a Solids, SolidPressure)>,
}

impl<'a> Pressure<'a> {
    /// The hierarchy of a box.
    pub fn new(cpu: &Cpu, cells: [usize; 3], sides: [[Side; 2]; 3], solids: Option<&'a Solids>) -> Self {
        let mut axes = levels(cells, sides);
        let solids = solids.map(|solids| (solids, SolidPressure::new(cpu, cells, sides, solids.open())));
        // The solver among solids has levels and means of its own.
        let singular = solids.is_none() && Level::is_singular(&axes[0]);
        axes.truncate(if solids.is_some() { 1 } else { axes.len() });
        Self { levels: axes.iter().map(Level::new).collect(), singular, sides, solids }
    }

    /// Takes memory for the fields and sets the right-hand side: `fill` writes each row of cells, given [y, z]. Subtracts
    /// the mean where all sides are closed or wrap.
    fn fill_rows(&mut self, cpu: &Cpu, fill: impl Fn([usize; 2], &mut [f32]) + Sync) {
        self.levels.iter_mut().for_each(|level| level.take(cpu.memory()));
        let level = &mut self.levels[0];
        let (columns, rows, width, singular) = (level.size[0], level.size[1], level.width, self.singular);
        let planes = level.b.chunks_exact_mut(width * rows).enumerate();
        let sums = cpu.each(planes.collect(), |(z, plane): (usize, &mut [f32])| {
            let mut sum = 0.0;
            for (y, row) in plane.chunks_exact_mut(width).enumerate() {
                fill([y, z], &mut row[..columns]);
                if singular {
                    sum += row[..columns].iter().map(|value| f64::from(*value)).sum::<f64>();
                }
            }
            sum
        });
        if singular {
            let mean = (sums.into_iter().sum::<f64>() / level.cells() as f64) as f32;
            cpu.each(level.b.chunks_exact_mut(width).collect(), |row: &mut [f32]| {
                row[..columns].iter_mut().for_each(|value| *value -= mean);
            });
        }
    }

    /// Solves for the pressure in at most `most` cycles, until the residual relative to the right-hand side is at most
    /// `tolerance`.
    fn solve(&mut self, cpu: &Cpu, tolerance: f64, most: u32) -> Solves {
        if let Some((_, solver)) = &mut self.solids {
            let level = &mut self.levels[0];
            let solves = solver.solve(cpu, (&mut level.b, level.width), tolerance, most);
            let (size, stride, plane) = (level.size, level.stride(), level.plane());
            cpu.each(level.p.chunks_exact_mut(plane).enumerate().collect(), |(z, plane): (usize, &mut [f32])| {
                for (y, row) in plane.chunks_exact_mut(stride).enumerate() {
                    solver.write_row([y, z], &mut row[1..=size[0]]);
                }
            });
            return solves;
        }
        // Of a pressure of 0, the residual is the right-hand side.
        let first = norm(cpu, &self.levels[0], Of::RightHandSide);
        let mut solves = Solves::default();
        if first == 0.0 || !first.is_finite() {
            let level = &mut self.levels[0];
            let plane = level.plane();
            cpu.each(level.p.chunks_exact_mut(plane).collect(), |plane: &mut [f32]| plane.fill(0.0));
            return solves;
        }
        solves.residual = 1.0;
        let mut reachable = 1.0;
        while solves.cycles < most && solves.residual > tolerance {
            self.cycle(cpu, 0, solves.cycles == 0);
            solves.cycles += 1;
            reachable *= FASTEST;
            if reachable <= tolerance || solves.cycles == most {
                solves.residual = norm(cpu, &self.levels[0], Of::Residual) / first;
            }
        }
        solves
    }

    /// One cycle on a level and those below. `is_first`: from a pressure of 0, whatever the level holds.
    fn cycle(&mut self, cpu: &Cpu, at: usize, is_first: bool) {
        let start = if is_first { Start::Zero } else { Start::Pressure };
        if at + 1 == self.levels.len() {
            relax(cpu, &mut self.levels[at], 1.0, start);
            for _ in 1..COARSE_SWEEPS {
                relax(cpu, &mut self.levels[at], 1.0, Start::Pressure);
            }
            return;
        }
        relax(cpu, &mut self.levels[at], FACTOR, start);
        let (fine, coarse) = self.levels.split_at_mut(at + 1);
        restrict(cpu, &fine[at], &mut coarse[0]);
        self.cycle(cpu, at + 1, true);
        let (fine, coarse) = self.levels.split_at_mut(at + 1);
        prolong(cpu, &coarse[0], &mut fine[at]);
        relax(cpu, &mut self.levels[at], FACTOR, Start::Pressure);
    }

    /// A row of the pressure: a value before the first cell, the cells, and a value after the last.
    fn row(&self, [y, z]: [usize; 2]) -> &[f32] {
        let level = &self.levels[0];
        &level.p[(y + level.size[1] * z) * level.stride()..][..level.size[0] + 2]
    }

    /// Computes the pressure whose gradient, subtracted from `velocity`, leaves the divergence `aim`. The layers of
    /// ghost values around the velocity are not read.
    pub fn project(
        &mut self,
        cpu: &Cpu,
        velocity: [&Padded; 3],
        aim: &Divergence,
        (tolerance, most): (f64, u32),
    ) -> Solves {
        let columns = self.levels[0].size[0];
        let isa = cpu.isa;
        if let Some(solids) = self.solids.as_ref().map(|(solids, _)| *solids) {
            self.fill_rows(cpu, |[y, z], to| {
                solids.outflow(cpu, velocity, [y, z], to);
                aim.subtract([y, z], to);
            });
        } else {
            self.fill_rows(cpu, |[y, z], to| {
                let u = velocity[0].row([y, z]);
                let [v0, v1] = [velocity[1].row([y, z]), velocity[1].row([y + 1, z])];
                let [w0, w1] = [velocity[2].row([y, z]), velocity[2].row([y, z + 1])];
                isa.run(Do(
                    #[inline(always)]
                    || {
                        for x in 0..columns {
                            to[x] = (u[x + 1] - u[x]) + (v1[x] - v0[x]) + (w1[x] - w0[x]);
                        }
                    },
                ));
                aim.subtract([y, z], to);
            });
        }
        let solves = self.solve(cpu, tolerance, most);
        let (finest, coarser) = self.levels.split_at_mut(1);
        finest.iter_mut().for_each(|level| level.b = Values::default());
        coarser.iter_mut().for_each(Level::release);
        solves
    }

    /// Subtracts the gradient of the pressure, and returns its memory: `to` = `from` − ∇p; layers of `to` are
    /// unspecified.
    pub fn subtract(&mut self, cpu: &Cpu, from: [&Padded; 3]) -> [Padded; 3] {
        let to = self.subtracted(cpu, from);
        self.levels[0].release();
        to
    }

    fn subtracted(&self, cpu: &Cpu, from: [&Padded; 3]) -> [Padded; 3] {
        let [columns, rows, planes] = self.levels[0].size;
        let sides = self.sides;
        // The pressure beyond a side: 0 at an open one, that of the nearest cell at a closed one, that of the other end
        // at a wrapped one.
        let beyond = |at: usize, axis: usize, count: usize| -> [Option<usize>; 2] {
            let low = match (at, sides[axis][0]) {
                (0, Side::Open) => None,
                (0, Side::Closed) => Some(0),
                (0, Side::Wrapped) => Some(count - 1),
                (at, _) => Some(at - 1),
            };
            let high = match (at == count, sides[axis][1]) {
                (false, _) => Some(at),
                (true, Side::Open) => None,
                (true, Side::Closed) => Some(count - 1),
                (true, Side::Wrapped) => Some(0),
            };
            [low, high]
        };
        let nothing = vec![0.0; columns + 2];
        let nothing = &nothing;
        std::array::from_fn(|axis| {
            let from = from[axis];
            let mut to = Padded::uninitialised(from.size, 1, cpu.memory());
            cpu.each(to.planes(), |mut plane| {
                let z = plane.z;
                for y in 0..from.size[1] {
                    let from = from.row([y, z]);
                    let to = plane.row(y);
                    let ends = match axis {
                        0 => {
                            let p = self.row([y, z]);
                            let [low, high] = [beyond(0, 0, columns)[0], beyond(columns, 0, columns)[1]]
                                .map(|cell| cell.map_or(0.0, |cell| p[cell + 1]));
                            cpu.isa.run(Do(
                                #[inline(always)]
                                || {
                                    for x in 1..columns {
                                        to[x] = from[x] - (p[x + 1] - p[x]);
                                    }
                                },
                            ));
                            to[0] = from[0] - (p[1] - low);
                            to[columns] = from[columns] - (high - p[columns]);
                            continue;
                        }
                        1 => beyond(y, 1, rows).map(|y| y.map(|y| [y, z])),
                        _ => beyond(z, 2, planes).map(|z| z.map(|z| [y, z])),
                    };
                    let [low, high] = ends.map(|row| row.map_or(&nothing[..], |row| self.row(row)));
                    cpu.isa.run(Do(
                        #[inline(always)]
                        || {
                            for x in 0..columns {
                                to[x] = from[x] - (high[x + 1] - low[x + 1]);
                            }
                        },
                    ));
                }
            });
            to
        })
    }
}

#[cfg(test)]
mod tests;
