//! The pressure in a box without solids, by multigrid V(1,1) cycles from an initial value of 0.

use std::sync::Arc;

use super::commands::{Buffer, Commands};
use super::layout::{Params, whole};
use super::level::{Level, Passes, RED_BLACK, halved};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::sim::volume::Solves;
use crate::sim::volume::multigrid::{AxisLevel, COARSE_SWEEPS, FACTOR, FASTEST, levels};
use crate::sim::volume::plan::{CYCLES_MAX, StepPlan, TOLERANCE};

/// The passes in a box without solids.
const PASSES: Passes = Passes {
    relax: Pass::Relax,
    relax_out_of_place: Pass::RelaxOutOfPlace,
    restrict: Pass::Restrict,
    coarse_solve: Pass::CoarseSolve,
};

/// The multigrid hierarchy of a box.
pub(super) struct Pressure<'a> {
    commands: &'a Commands<'a>,
    /// With the first row of the weights of the prolongation to the finer level.
    levels: Vec<(Level, usize)>,
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
        let tables: Vec<[f32; 4]> = axes.iter().flat_map(rows).collect();
        let tables = commands.uploaded(&tables)?;
        let (mut first, mut weights) = (0, Vec::<[f32; 2]>::new());
        let mut levels = Vec::with_capacity(axes.len());
        for axes in &axes {
            let size: [usize; 3] = std::array::from_fn(|axis| axes[axis].widths.len());
            let wrapped = axes.each_ref().map(|axis| axis.wrapped);
            let operator = (Arc::clone(&tables), first);
            let level = Level::new(commands, (size, wrapped), operator, halved(axes), PASSES)?;
            levels.push((level, weights.len()));
            first += size.iter().sum::<usize>();
            weights.extend(axes.iter().flat_map(|axis| &axis.prolongation).map(|pair| pair.map(|w| w as f32)));
        }
        let singular = axes[0].iter().all(|axis| !axis.open);
        let weights = commands.uploaded(&weights)?;
        Ok(Self { commands, levels, weights, singular })
    }

    fn cycle(&self, at: usize) -> Result<(), Fault> {
        let (commands, (level, _)) = (self.commands, &self.levels[at]);
        let Some((coarse, weights)) = self.levels.get(at + 1) else {
            return level.coarse_solve(commands, [COARSE_SWEEPS, 0]);
        };
        level.relax(commands, RED_BLACK, FACTOR)?;
        level.restrict(commands, coarse)?;
        self.cycle(at + 1)?;
        let params =
            Params { part: whole(coarse.size), mode: coarse.halved, number: *weights as u32, ..level.params(commands) };
        let buffers = [Some(&self.weights), Some(&coarse.p), Some(&level.p)];
        commands.over(Pass::Prolong, params, &buffers, level.size)?;
        level.relax(commands, RED_BLACK, FACTOR)
    }

    fn finest(&self) -> &Level {
        &self.levels[0].0
    }

    /// Norm of the residual.
    fn norm(&self) -> Result<f64, Fault> {
        let (commands, level) = (self.commands, self.finest());
        let buffers = [Some(&level.operator.0), Some(&level.b), Some(&level.p)];
        let (sums, count) = commands.sums(Pass::ResidualNorm, level.params(commands), &buffers, level.len())?;
        let sums: Vec<f32> = commands.read(&sums, count)?;
        Ok(sums.into_iter().map(f64::from).sum::<f64>().sqrt())
    }

    /// Subtracts the mean of the right-hand side.
    fn remove_mean(&self) -> Result<(), Fault> {
        let (commands, level) = (self.commands, self.finest());
        let mut sums = commands.sums(Pass::Sum, commands.shared, &[Some(&level.b)], level.len())?;
        while sums.1 > 1 {
            sums = commands.sums(Pass::Sum, commands.shared, &[Some(&sums.0)], sums.1)?;
        }
        let params = Params { numbers: [1.0 / level.len() as f32, 0.0, 0.0, 0.0], ..commands.shared };
        commands.along(Pass::SubtractMean, params, &[Some(&sums.0), Some(&level.b)], level.len())
    }

    /// Solves for the pressure of the divergence.
    pub fn solve(&self) -> Result<Solves, Fault> {
        if self.singular {
            self.remove_mean()?;
        }
        self.commands.clear(self.pressure());
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

    /// The divergence to be solved for, by cell.
    pub fn divergence(&self) -> &Buffer {
        &self.finest().b
    }

    /// The pressure of the cells.
    pub fn pressure(&self) -> &Buffer {
        &self.finest().p
    }
}
