//! The pressure among solids by conjugate gradients, preconditioned with one multigrid cycle.
//!
//! The cycle is V(2,2), red-black before the coarser level and black-red after it, with constant prolongation and its
//! transpose, so that it is symmetric. The scalars stay on the device; after each iteration the host reads whether it
//! was the last.

use super::commands::{Buffer, Commands};
use super::layout::{Params, scalar, whole};
use super::level::{BLACK_RED, Level, Passes, RED_BLACK, halved};
use super::passes::Pass;
use super::regions::Regions;
use super::solids::Solids;
use crate::compute::gpu::fault::Fault;
use crate::sim::volume::Solves;
use crate::sim::volume::multigrid::among_solids::{COARSE_SWEEPS, FACTOR, SWEEPS};
use crate::sim::volume::multigrid::{AxisLevel, levels};
use crate::sim::volume::plan::{ITERATIONS_MAX, StepPlan, TOLERANCE};
use crate::sim::volume::state::{face_sizes, faces};

/// The passes among solids.
const PASSES: Passes = Passes {
    relax: Pass::SolidRelax,
    relax_out_of_place: Pass::SolidRelaxOutOfPlace,
    restrict: Pass::SolidRestrict,
    coarse_solve: Pass::SolidCoarseSolve,
};

/// Number of scalars.
const SCALARS: usize = scalar::NAMES.len();

/// Sums by workgroup, and their number.
type Sums = (Buffer, usize);

/// The equation of a box with solids, and the fields of its solution.
pub(super) struct SolidPressure<'a> {
    commands: &'a Commands<'a>,
    regions: Option<&'a Regions>,
    /// Minus the residual and the preconditioned residual are the right-hand side and the pressure of the finest level.
    levels: Vec<Level>,
    divergence: Buffer,
    pressure: Buffer,
    direction: Buffer,
    product: Buffer,
    scalars: Buffer,
}

/// Open areas of the faces of the next coarser level.
fn coarser(commands: &Commands<'_>, areas: &Buffer, fine: [usize; 3], coarse: [usize; 3]) -> Result<Buffer, Fault> {
    let to = commands.words(faces(coarse).into_iter().sum())?;
    for axis in 0..3 {
        let params = Params { size: whole(fine), part: whole(coarse), axis: axis as u32, ..commands.shared };
        commands.over(Pass::CoarsenAreas, params, &[Some(areas), Some(&to)], face_sizes(coarse, axis))?;
    }
    Ok(to)
}

impl<'a> SolidPressure<'a> {
    /// The equation of a plan's box.
    pub fn new(commands: &'a Commands<'a>, plan: &StepPlan, solids: &'a Solids) -> Result<Self, Fault> {
        let axes = levels(plan.bounds.cells, plan.sides);
        let distances = axes.iter().flatten().flat_map(AxisLevel::inverse_distances);
        let distances = commands.uploaded(&distances.map(|inverse| inverse as f32).collect::<Vec<_>>())?;
        let (mut first, mut areas) = (0, solids.open.clone());
        let mut levels: Vec<Level> = Vec::with_capacity(axes.len());
        for axes in &axes {
            let size: [usize; 3] = axes.each_ref().map(|axis| axis.widths.len());
            if let Some(finer) = levels.last() {
                areas = coarser(commands, &areas, finer.size, size)?;
            }
            let matrix = commands.words(4 * size.iter().product::<usize>())?;
            let params = Params { size: whole(size), number: first as u32, ..commands.shared };
            let buffers = [Some(&areas), Some(&distances), Some(&matrix)];
            commands.over(Pass::Couplings, params, &buffers, size)?;
            first += size.iter().map(|cells| cells + 1).sum::<usize>();
            let wrapped = axes.each_ref().map(|axis| axis.wrapped);
            levels.push(Level::new(commands, (size, wrapped), (matrix, 0), halved(axes), PASSES)?);
        }
        let field = || commands.words(plan.bounds.len());
        Ok(Self {
            commands,
            regions: solids.regions.as_ref(),
            levels,
            divergence: field()?,
            pressure: field()?,
            direction: field()?,
            product: field()?,
            scalars: commands.words(SCALARS)?,
        })
    }

    fn finest(&self) -> &Level {
        &self.levels[0]
    }

    /// One cycle on a level and those below. The pressure of the level must be 0.
    fn cycle(&self, at: usize) -> Result<(), Fault> {
        let (commands, level) = (self.commands, &self.levels[at]);
        let Some(coarse) = self.levels.get(at + 1) else {
            return level.coarse_solve(commands, [COARSE_SWEEPS; 2]);
        };
        for _ in 0..SWEEPS {
            level.relax(commands, RED_BLACK, FACTOR)?;
        }
        level.restrict(commands, coarse)?;
        self.cycle(at + 1)?;
        let params = Params { part: whole(coarse.size), ..level.params(commands) };
        commands.over(Pass::SolidProlong, params, &[Some(&coarse.p), Some(&level.p)], level.size)?;
        for _ in 0..SWEEPS {
            level.relax(commands, BLACK_RED, FACTOR)?;
        }
        Ok(())
    }

    /// Records a pass with the finest level's operator that also adds up values by workgroup.
    fn sums(&self, pass: Pass, buffers: &[&Buffer]) -> Result<Sums, Fault> {
        let (commands, level) = (self.commands, self.finest());
        let buffers: Vec<_> = buffers.iter().copied().map(Some).collect();
        commands.sums(pass, level.params(commands), &buffers, level.len())
    }

    /// Computes a scalar from sums by workgroup.
    fn scalar(&self, which: u32, (sums, count): Sums) -> Result<(), Fault> {
        let params = Params { mode: which, count: count as u32, ..self.commands.shared };
        self.commands.single(Pass::Scalars, params, &[Some(&sums), Some(&self.scalars)])
    }

    /// Sets minus the residual to the divergence minus the operator's value, and a scalar to the square of its norm.
    fn residual(&self, which: u32) -> Result<(), Fault> {
        let level = self.finest();
        let buffers = [&level.operator.0, &self.divergence, &self.pressure, &level.b];
        self.scalar(which, self.sums(Pass::SolidResidual, &buffers)?)
    }

    /// One iteration of conjugate gradients.
    fn iterate(&self) -> Result<(), Fault> {
        let Self { commands, pressure, direction, product, scalars, .. } = self;
        let level = self.finest();
        commands.clear(&level.p);
        self.cycle(0)?;
        self.scalar(scalar::PRODUCT, self.sums(Pass::Dot, &[&level.b, &level.p])?)?;
        let buffers = [Some(scalars), Some(&level.p), Some(direction)];
        commands.along(Pass::Direction, commands.shared, &buffers, level.len())?;
        self.scalar(scalar::STEP, self.sums(Pass::Apply, &[&level.operator.0, direction, product])?)?;
        let squares = self.sums(Pass::UpdatePressure, &[scalars, direction, product, pressure, &level.b])?;
        self.scalar(scalar::SQUARE, squares)
    }

    /// Solves for the pressure of the divergence, from which it subtracts the means of closed regions.
    pub fn solve(&self) -> Result<Solves, Fault> {
        let commands = self.commands;
        if let Some(regions) = self.regions {
            regions.remove_means(commands, &self.divergence)?;
        }
        [&self.pressure, &self.direction, &self.scalars].into_iter().for_each(|field| commands.clear(field));
        self.residual(scalar::FIRST)?;
        let scalars = || -> Result<[f64; 3], Fault> {
            let all: Vec<f32> = commands.read(&self.scalars, SCALARS)?;
            Ok([scalar::STEP, scalar::FIRST, scalar::SQUARE].map(|which| f64::from(all[which as usize])))
        };
        let mut solves = Solves::default();
        while solves.cycles < ITERATIONS_MAX {
            self.iterate()?;
            let [step, first, square] = scalars()?;
            if first == 0.0 || !first.is_finite() {
                return Ok(solves);
            }
            if step == 0.0 {
                break;
            }
            solves.cycles += 1;
            if square.sqrt() <= TOLERANCE * first.sqrt() {
                break;
            }
        }
        self.residual(scalar::SQUARE)?;
        let [_, first, square] = scalars()?;
        solves.residual = (square / first).sqrt();
        Ok(solves)
    }

    /// The divergence to be solved for, by cell.
    pub fn divergence(&self) -> &Buffer {
        &self.divergence
    }

    /// The pressure of the cells.
    pub fn pressure(&self) -> &Buffer {
        &self.pressure
    }
}
