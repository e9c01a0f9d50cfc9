//! Projection: the pressure by multigrid V(1,1) cycles from an initial value of 0, then the subtraction of its gradient.

use super::commands::{Buffer, Commands};
use super::layout::{Params, flag, whole};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::on;
use crate::sim::volume::Solves;
use crate::sim::volume::multigrid::{AxisLevel, BOTTOM, FACTOR, FASTEST, levels};
use crate::sim::volume::plan::{CYCLES_MAX, StepPlan, TOLERANCE};

/// A level of the hierarchy.
struct Level {
    size: [usize; 3],
    p: Buffer,
    b: Buffer,
    /// A second buffer of the pressure, where two cells of a colour are neighbours.
    other: Option<Buffer>,
    /// First row of its operator in the tables.
    tables: usize,
    /// First row of the weights of its prolongation to the finer level.
    weights: usize,
    /// The axes that have half the cells of the finer level, a bit each.
    halved: u32,
}

impl Level {
    fn len(&self) -> usize {
        self.size.iter().product()
    }
}

/// The multigrid hierarchy of a box.
pub(super) struct Pressure<'a> {
    commands: &'a Commands<'a>,
    levels: Vec<Level>,
    tables: Buffer,
    weights: Buffer,
    /// Whether no side is open: the pressure is then defined up to a constant.
    singular: bool,
}

/// The rows of an operator.
fn rows(axes: &[AxisLevel; 3]) -> impl Iterator<Item = [f32; 4]> {
    axes.iter().flat_map(|axis| {
        (0..axis.widths.len()).map(|cell| {
            let [down, up] = axis.couplings[cell];
            [down, up, axis.widths[cell], axis.diagonal[cell]].map(|value| value as f32)
        })
    })
}

impl<'a> Pressure<'a> {
    /// The hierarchy of a plan's box.
    pub fn new(commands: &'a Commands<'a>, plan: &StepPlan) -> Result<Self, Fault> {
        let axes = levels(plan.bounds.cells, plan.sides);
        let (mut tables, mut weights) = (Vec::<[f32; 4]>::new(), Vec::<[f32; 2]>::new());
        let mut levels = Vec::with_capacity(axes.len());
        for axes in &axes {
            let size: [usize; 3] = std::array::from_fn(|axis| axes[axis].widths.len());
            let len = size.iter().product();
            let is_odd = (0..3).any(|axis| axes[axis].wrapped && size[axis] > 1 && size[axis] % 2 == 1);
            levels.push(Level {
                size,
                p: commands.words(len)?,
                b: commands.words(len)?,
                other: if is_odd { Some(commands.words(len)?) } else { None },
                tables: tables.len(),
                weights: weights.len(),
                halved: (0..3).map(|axis| on(axes[axis].halved, 1 << axis)).sum(),
            });
            tables.extend(rows(axes));
            weights.extend(axes.iter().flat_map(|axis| &axis.prolongation).map(|pair| pair.map(|w| w as f32)));
        }
        let singular = axes[0].iter().all(|axis| !axis.open);
        let (tables, weights) = (commands.uploaded(&tables)?, commands.uploaded(&weights)?);
        Ok(Self { commands, levels, tables, weights, singular })
    }

    /// Parameters of a pass over a level.
    fn params(&self, level: &Level) -> Params {
        Params { size: whole(level.size), number: level.tables as u32, ..self.commands.shared }
    }

    fn relax(&self, level: &Level, factor: f32) -> Result<(), Fault> {
        for colour in [0, flag::BLACK] {
            let params = Params { numbers: [factor, 0.0, 0.0, 0.0], flags: colour, ..self.params(level) };
            let [columns, rows, planes] = level.size;
            match &level.other {
                Some(other) => {
                    let (from, to) = if colour == 0 { (&level.p, other) } else { (other, &level.p) };
                    let buffers = [Some(&self.tables), Some(&level.b), Some(from), Some(to)];
                    self.commands.over(Pass::RelaxOutOfPlace, params, &buffers, level.size)?;
                }
                None => {
                    let buffers = [Some(&self.tables), Some(&level.b), Some(&level.p)];
                    self.commands.over(Pass::Relax, params, &buffers, [columns.div_ceil(2), rows, planes])?;
                }
            }
        }
        Ok(())
    }

    fn cycle(&self, at: usize) -> Result<(), Fault> {
        let level = &self.levels[at];
        let Some(coarse) = self.levels.get(at + 1) else {
            let params = Params { mode: BOTTOM as u32, ..self.params(level) };
            let buffers = [Some(&self.tables), Some(&level.b), Some(&level.p)];
            return self.commands.single(Pass::CoarseSolve, params, &buffers);
        };
        self.relax(level, FACTOR)?;
        let params = Params { part: whole(coarse.size), mode: coarse.halved, ..self.params(level) };
        let buffers = [Some(&self.tables), Some(&level.b), Some(&level.p), Some(&coarse.b), Some(&coarse.p)];
        self.commands.over(Pass::Restrict, params, &buffers, coarse.size)?;
        self.cycle(at + 1)?;
        let params = Params { number: coarse.weights as u32, ..params };
        let buffers = [Some(&self.weights), Some(&coarse.p), Some(&level.p)];
        self.commands.over(Pass::Prolong, params, &buffers, level.size)?;
        self.relax(level, FACTOR)
    }

    /// Norm of the residual.
    fn norm(&self) -> Result<f64, Fault> {
        let level = &self.levels[0];
        let buffers = [Some(&self.tables), Some(&level.b), Some(&level.p)];
        let (sums, count) = self.commands.sums(Pass::ResidualNorm, self.params(level), &buffers, level.len())?;
        let sums: Vec<f32> = self.commands.read(&sums, count)?;
        Ok(sums.into_iter().map(f64::from).sum::<f64>().sqrt())
    }

    /// Subtracts the mean of the right-hand side.
    fn remove_mean(&self) -> Result<(), Fault> {
        let (commands, level) = (self.commands, &self.levels[0]);
        let mut sums = commands.sums(Pass::Sum, commands.shared, &[Some(&level.b)], level.len())?;
        while sums.1 > 1 {
            sums = commands.sums(Pass::Sum, commands.shared, &[Some(&sums.0)], sums.1)?;
        }
        let params = Params { numbers: [1.0 / level.len() as f32, 0.0, 0.0, 0.0], ..commands.shared };
        commands.along(Pass::SubtractMean, params, &[Some(&sums.0), Some(&level.b)], level.len())
    }

    /// Computes the pressure whose gradient, subtracted from `velocity`, leaves the divergence of emitters and of
    /// burning; `gases`: those of the cells of the velocity.
    pub fn project(
        &self,
        velocity: &Buffer,
        (gases, expansion): (Option<&Buffer>, f32),
        emitters: &[EmitterDivergence],
    ) -> Result<Solves, Fault> {
        let (commands, level) = (self.commands, &self.levels[0]);
        let params = Params {
            numbers: [expansion, 0.0, 0.0, 0.0],
            flags: on(gases.is_some() && expansion > 0.0, flag::EXPANDING),
            ..commands.shared
        };
        commands.over(Pass::Divergence, params, &[Some(velocity), gases, Some(&level.b)], level.size)?;
        for EmitterDivergence { from, size, cover, divergence } in emitters {
            let params = Params {
                first: whole(*from),
                part: whole(*size),
                numbers: [*divergence, 0.0, 0.0, 0.0],
                ..commands.shared
            };
            commands.over(Pass::EmitterDivergence, params, &[Some(cover), Some(&level.b)], *size)?;
        }
        if self.singular {
            self.remove_mean()?;
        }
        commands.clear(&level.p);
        let first = self.norm()?;
        let mut solves = Solves::default();
        if first == 0.0 || !first.is_finite() {
            return Ok(solves);
        }
        solves.residual = 1.0;
        let mut reachable = 1.0;
        while solves.cycles < CYCLES_MAX && solves.residual > TOLERANCE {
            self.cycle(0)?;
            solves.cycles += 1;
            reachable *= FASTEST;
            if reachable <= TOLERANCE || solves.cycles == CYCLES_MAX {
                solves.residual = self.norm()? / first;
            }
        }
        Ok(solves)
    }

    /// The pressure of the cells.
    pub fn pressure(&self) -> &Buffer {
        &self.levels[0].p
    }
}

/// The divergence of an emitter.
pub(super) struct EmitterDivergence {
    pub from: [usize; 3],
    pub size: [usize; 3],
    pub cover: Buffer,
    /// At full coverage, per frame.
    pub divergence: f32,
}
