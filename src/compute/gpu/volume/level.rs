//! A level of the multigrid hierarchy: red-black relaxation and restriction.

use super::commands::{Buffer, Commands};
use super::layout::{Params, flag, whole};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::on;
use crate::sim::volume::multigrid::AxisLevel;

/// The passes of a level.
#[derive(Clone, Copy)]
pub(super) struct Passes {
    pub relax: Pass,
    pub relax_out_of_place: Pass,
    pub restrict: Pass,
    pub coarse_solve: Pass,
}

/// A level of the hierarchy.
pub(super) struct Level {
    pub size: [usize; 3],
    /// Pressure.
    pub p: Buffer,
    /// Right-hand side.
    pub b: Buffer,
    /// A second buffer of the pressure, where two cells of a colour are neighbours.
    other: Option<Buffer>,
    /// Its operator, and the first row of it in the buffer.
    pub operator: (Buffer, usize),
    /// The axes that have half the cells of the finer level, a bit each.
    pub halved: u32,
    passes: Passes,
}

/// The colours of a sweep in their order: cells of even x + y + z first.
pub(super) const RED_BLACK: [u32; 2] = [0, flag::BLACK];

/// The colours of a sweep in the opposite order.
pub(super) const BLACK_RED: [u32; 2] = [flag::BLACK, 0];

/// The axes of a level that have half the cells of the finer level, a bit each.
pub(super) fn halved(axes: &[AxisLevel; 3]) -> u32 {
    (0..3).map(|axis| on(axes[axis].halved, 1 << axis)).sum()
}

impl Level {
    /// A level with unspecified values. `wrapped`: the axes that wrap.
    pub fn new(
        commands: &Commands<'_>,
        (size, wrapped): ([usize; 3], [bool; 3]),
        operator: (Buffer, usize),
        halved: u32,
        passes: Passes,
    ) -> Result<Self, Fault> {
        let len = size.iter().product();
        // Along a wrapped axis of an odd number of cells, the first and the last cell have the same colour.
        let is_odd = (0..3).any(|axis| wrapped[axis] && size[axis] > 1 && size[axis] % 2 == 1);
        let other = if is_odd { Some(commands.words(len)?) } else { None };
        Ok(Self { size, p: commands.words(len)?, b: commands.words(len)?, other, operator, halved, passes })
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.size.iter().product()
    }

    /// Parameters of a pass over the level.
    pub fn params(&self, commands: &Commands<'_>) -> Params {
        Params { size: whole(self.size), number: self.operator.1 as u32, ..commands.shared }
    }

    /// Relaxes the cells of both colours.
    pub fn relax(&self, commands: &Commands<'_>, order: [u32; 2], factor: f32) -> Result<(), Fault> {
        let operator = Some(&self.operator.0);
        let [columns, rows, planes] = self.size;
        for (nth, colour) in order.into_iter().enumerate() {
            let params = Params { numbers: [factor, 0.0, 0.0, 0.0], flags: colour, ..self.params(commands) };
            match &self.other {
                Some(other) => {
                    let (from, to) = if nth == 0 { (&self.p, other) } else { (other, &self.p) };
                    let buffers = [operator, Some(&self.b), Some(from), Some(to)];
                    commands.over(self.passes.relax_out_of_place, params, &buffers, self.size)?;
                }
                None => {
                    let buffers = [operator, Some(&self.b), Some(&self.p)];
                    commands.over(self.passes.relax, params, &buffers, [columns.div_ceil(2), rows, planes])?;
                }
            }
        }
        Ok(())
    }

    /// Sets the right-hand side of the coarser level to the residual, and its pressure to 0.
    pub fn restrict(&self, commands: &Commands<'_>, coarse: &Level) -> Result<(), Fault> {
        let params = Params { part: whole(coarse.size), mode: coarse.halved, ..self.params(commands) };
        let buffers = [Some(&self.operator.0), Some(&self.b), Some(&self.p), Some(&coarse.b), Some(&coarse.p)];
        commands.over(self.passes.restrict, params, &buffers, coarse.size)
    }

    /// Iterations on the coarsest level: so many red-black ones, then so many black-red ones.
    pub fn coarse_solve(&self, commands: &Commands<'_>, [forward, backward]: [usize; 2]) -> Result<(), Fault> {
        let (mode, count) = ((forward + backward) as u32, 2 * forward as u32);
        let buffers = [Some(&self.operator.0), Some(&self.b), Some(&self.p)];
        commands.single(self.passes.coarse_solve, Params { mode, count, ..self.params(commands) }, &buffers)
    }
}
