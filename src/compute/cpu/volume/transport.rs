//! Transport of packs: advection, burning and rounding, row by row of the cells of the velocity, so that advected packs
//! need no field in f32.

use super::super::Cpu;
use super::backtrace::Backtraces;
use super::burn::burn_cells;
use super::emission::Emitted;
use super::forces::lift_row;
use super::halves::round_row;
use super::means::{fine_rows, mean_row};
use super::scalars::Advection;
use super::solids::Solids;
use super::vectors::Vectors;
use crate::sim::memory::Values;
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::state::PACK;

/// The packs after a step, and the numbers by cell of the velocity that the rest of the step needs of them.
pub(super) struct Transported {
    /// The scalars, gases and tints as halves.
    pub packs: [Option<Values<u16>>; 3],
    /// The fuel burnt per frame; `None` without gases.
    pub burnt: Option<Values<f32>>,
    /// Lift and share of the force fields, of packs that are not rounded; `None` without a reflection.
    pub lift: Option<Vectors<2>>,
}

/// A plane of cells of the velocity: its packs, the fuel burnt, and lift and share of the force fields.
struct Piece<'a> {
    packs: [Option<&'a mut [u16]>; 3],
    burnt: Option<&'a mut [f32]>,
    lift: Option<[&'a mut [f32]; 2]>,
}

/// The packs of a row of cells of the velocity: those of `band`, or their means.
fn cells<'a>(cpu: &Cpu, band: &'a [f32], detail: usize, means: &'a mut [[f32; PACK]]) -> &'a [[f32; PACK]] {
    let packs = band.as_chunks().0;
    if detail == 1 {
        return packs;
    }
    mean_row(cpu, packs.chunks_exact(means.len() * detail), detail, means);
    means
}

/// Advects packs along backtraces, burns them, and rounds them.
pub(super) fn transport<B: Backtraces>(
    cpu: &Cpu,
    plan: &StepPlan,
    solids: Option<&Solids>,
    emitted: &Emitted,
    back: &B,
) -> Transported {
    let StepPlan { bounds, detail, ref fire, .. } = *plan;
    let (fine, reach) = (bounds.finer(detail), back.reach(cpu));
    let ([columns, rows, planes], [long, lines, _]) = (bounds.cells, fine.cells);
    let others = [emitted.gases.as_ref(), emitted.tints.as_ref()];
    let advection = Advection::new(cpu, (&emitted.scalars, others), (back, reach), plan.sides);
    let has = [true, emitted.gases.is_some(), emitted.tints.is_some()];
    let mut packs = has.map(|has| has.then(|| Values::uninitialised(PACK * fine.len(), cpu.memory())));
    let mut burnt = emitted.gases.is_some().then(|| Values::uninitialised(bounds.len(), cpu.memory()));
    let mut lift = plan.reflection.then(|| Vectors::<2>::uninitialised(bounds.cells, 0, cpu.memory()));
    let mut of_packs =
        packs.each_mut().map(|packs| packs.as_mut().map(|packs| packs.chunks_exact_mut(PACK * long * lines * detail)));
    let mut of_burnt = burnt.as_mut().map(|burnt| burnt.chunks_exact_mut(columns * rows));
    let mut of_lift = lift.as_mut().map(|lift| lift.planes_mut().into_iter());
    let pieces = (0..planes).map(|z| {
        let packs = of_packs.each_mut().map(|planes| planes.as_mut().and_then(Iterator::next));
        let burnt = of_burnt.as_mut().and_then(Iterator::next);
        let lift = of_lift.as_mut().and_then(Iterator::next).map(|(_, lift)| lift);
        (z, Piece { packs, burnt, lift })
    });
    cpu.each(pieces.collect(), |(z, mut piece): (usize, Piece<'_>)| {
        let mut bands = has.map(|has| has.then(|| vec![0.0_f32; PACK * long * detail * detail]));
        let mut means = vec![[0.0; PACK]; if detail > 1 { columns } else { 0 }];
        let width = PACK * long;
        for y in 0..rows {
            for (row, at) in fine_rows([y, z], detail).enumerate() {
                let row = row * width..(row + 1) * width;
                advection.row(at, bands.each_mut().map(|band| band.as_mut().map(|band| &mut band[row.clone()])));
            }
            if let Some(solids) = solids {
                bands.iter_mut().flatten().for_each(|band| solids.clear_rows([y, z], band, detail));
            }
            let [scalars, gases, _] = &mut bands;
            if let (Some(fire), Some(scalars), Some(gases)) = (fire, scalars, gases) {
                burn_cells(fire, scalars, gases);
            }
            let row = y * columns..(y + 1) * columns;
            if let (Some(burnt), Some(gases)) = (&mut piece.burnt, &bands[1]) {
                let gases = cells(cpu, gases, detail, &mut means);
                burnt[row.clone()].iter_mut().zip(gases).for_each(|(to, gas)| *to = gas[2]);
            }
            if let (Some(lift), Some(scalars)) = (&mut piece.lift, &bands[0]) {
                let to = lift.each_mut().map(|part| &mut part[row.clone()]);
                lift_row(cpu, &plan.forces, cells(cpu, scalars, detail, &mut means), to);
            }
            for (pack, (band, to)) in (0..).zip(bands.iter().zip(&mut piece.packs)) {
                let (Some(band), Some(to)) = (band, to) else { continue };
                for ([line, plane], from) in fine_rows([y, z], detail).zip(band.chunks_exact(width)) {
                    let first = [0, line, plane].map(|at| at as i32);
                    let first = std::array::from_fn(|axis| fine.low[axis] + first[axis]);
                    let at = width * (line + lines * (plane - z * detail));
                    round_row(cpu, from, first, (plan.number, pack), &mut to[at..at + width]);
                }
            }
        }
    });
    Transported { packs, burnt, lift }
}
