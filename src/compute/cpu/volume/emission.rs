//! Scalars before the advection: the halves of a state in the new box, with emission and decay.

use super::super::Cpu;
use super::super::wide::Do;
use super::padded::Padded;
use super::solids::Solids;
use super::velocities::Cover;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::rounding::widen;

/// Packs of a state in another box, as floats; 0 in new cells. `None`: zeros.
fn widened(cpu: &Cpu, packs: Option<&[u16]>, from: Bounds, to: Bounds) -> Padded {
    let mut padded = Padded::uninitialised(to.cells, 4, cpu.memory());
    let shift: [i32; 3] = std::array::from_fn(|axis| to.low[axis] - from.low[axis]);
    let [columns, rows, planes] = from.cells;
    // Columns of the new box that the old one has.
    let first = (-shift[0]).clamp(0, to.cells[0] as i32) as usize;
    let last = (columns as i32 - shift[0]).clamp(first as i32, to.cells[0] as i32) as usize;
    cpu.each(padded.planes(), |mut plane| {
        let z = plane.z as i32 + shift[2];
        for y in 0..to.cells[1] {
            let row = plane.row(y);
            let y = y as i32 + shift[1];
            let inside = (0..rows as i32).contains(&y) && (0..planes as i32).contains(&z);
            let Some(packs) = packs.filter(|_| inside && last > first) else {
                row.fill(0.0);
                continue;
            };
            let start = (y as usize + rows * z as usize) * columns + (first as i32 + shift[0]) as usize;
            row[..4 * first].fill(0.0);
            row[4 * last..].fill(0.0);
            let (row, packs) = (&mut row[4 * first..4 * last], &packs[4 * start..4 * (start + last - first)]);
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for (to, half) in row.iter_mut().zip(packs) {
                        *to = widen(*half);
                    }
                },
            ));
        }
    });
    padded
}

/// The scalars of a step before their advection, with filled layers.
pub(super) struct Emitted {
    pub scalars: Padded,
    pub gases: Option<Padded>,
    pub tints: Option<Padded>,
}

/// Reads the packs of a state in the box `before` of their cells, and applies emission and decay; solid cells have none.
/// `has`: whether there are gases, and whether there are tints.
pub(super) fn emit(
    cpu: &Cpu,
    (before, packs): (Bounds, [Option<&[u16]>; 3]),
    plan: &StepPlan,
    solids: Option<&Solids>,
    has: [bool; 2],
) -> Emitted {
    let bounds = plan.bounds.finer(plan.detail);
    let mut scalars = widened(cpu, packs[0], before, bounds);
    let mut gases = has[0].then(|| widened(cpu, packs[1], before, bounds));
    let mut tints = has[1].then(|| widened(cpu, packs[2], before, bounds));
    for source in &plan.sources {
        let Some(cover) = Cover::emission(cpu, source, bounds, plan.detail) else { continue };
        let [mut of_gases, mut of_tints] =
            [&mut gases, &mut tints].map(|packs| packs.as_mut().map(|packs| packs.planes().into_iter()));
        let others = || [&mut of_gases, &mut of_tints].map(|planes| planes.as_mut().and_then(Iterator::next));
        let pieces: Vec<_> = scalars.planes().into_iter().zip(std::iter::repeat_with(others)).collect();
        cpu.each(pieces, |(mut scalars, [mut gases, mut tints])| {
            for y in 0..bounds.cells[1] {
                let z = scalars.z;
                let (first, cover) = cover.row([y, z]);
                let scalars = scalars.row(y).as_chunks_mut::<4>().0;
                let [mut gases, mut tints] =
                    [&mut gases, &mut tints].map(|packs| packs.as_mut().map(|packs| packs.row(y).as_chunks_mut().0));
                for (x, cover) in (first..).zip(cover).filter(|(_, cover)| **cover > 0.0) {
                    let others = [&mut gases, &mut tints].map(|packs| packs.as_mut().map(|packs| &mut packs[x]));
                    let centre = std::array::from_fn(|axis| {
                        (f64::from(bounds.low[axis]) + [x, y, z][axis] as f64 + 0.5) / plan.detail as f64
                    });
                    source.emit(f64::from(*cover), centre, &mut scalars[x], others);
                }
            }
        });
    }
    let [density, temperature] = plan.keep;
    decay(cpu, &mut scalars, [density, temperature, 1.0, 1.0]);
    if let Some(tints) = &mut tints {
        decay(cpu, tints, [density; 4]);
    }
    if let Some(solids) = solids {
        [Some(&mut scalars), gases.as_mut(), tints.as_mut()]
            .into_iter()
            .flatten()
            .for_each(|packs| solids.clear(cpu, packs, plan.detail));
    }
    [Some(&mut scalars), gases.as_mut(), tints.as_mut()]
        .into_iter()
        .flatten()
        .for_each(|packs| packs.fill_layers(cpu, plan.sides, None, 0.0));
    Emitted { scalars, gases, tints }
}

/// Multiplies the channels of packs by factors.
fn decay(cpu: &Cpu, packs: &mut Padded, keep: [f32; 4]) {
    if keep == [1.0; 4] {
        return;
    }
    let rows = packs.size[1];
    cpu.each(packs.planes(), |mut plane| {
        for y in 0..rows {
            let row = plane.row(y);
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for pack in row.as_chunks_mut::<4>().0 {
                        for (value, keep) in pack.iter_mut().zip(keep) {
                            *value *= keep;
                        }
                    }
                },
            ));
        }
    });
}
