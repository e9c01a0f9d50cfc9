//! Multigrid cycles.

use super::passes::{Colour, Corrected, PressurePasses, Relax, Rung, Sums};
use super::rooms::Room;
use crate::sim::smoke::device::Failed;

/// Sweeps on the coarsest level, of 2 × 2 cells at most.
const BOTTOM: Relax = Relax { first: Colour::Red, sweeps: 8 };

/// Levels with solids that are gone to twice in a cycle: walls that a coarser level can't see cost it its good factor.
const TWICE: std::ops::Range<usize> = 2..6;

/// One cycle on `A x = b` of the finest level; with `zero`, from x = 0.
///
/// Without weights two sweeps go before and one after, all in the same order of colours. With weights, and where it is to be
/// [symmetric](Rung::symmetric), two go before and two after in the opposite order, and the prolongation is the transpose of the
/// restriction.
pub(super) fn cycle<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    zero: bool,
) {
    visit(machine, rungs, rooms, 0, if zero { Start::Zero } else { Start::Here });
}

/// Where a cycle begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// With x = 0, whatever is in it.
    Zero,
    /// With x as it is.
    Here,
    /// Below the finest level: the cycle before it has gone down there already.
    Below,
}

/// As [`cycle`]; gives the sum of the squares of what it leaves of the equation. With `more`, goes down for the next cycle after that
/// where it can, and says where that one begins then: x is no worse for it, should there be no next one.
///
/// # Errors
/// Work before this failed.
pub(super) fn cycle_to_residual<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    start: Start,
    more: bool,
) -> Result<(f64, Start), Failed> {
    match below(machine, rungs, rooms, 0, start) {
        Some(Up { relax, fine: Room { b, x, spare }, coarse }) if more => {
            let both = [relax, relaxing(rungs[0])[0]];
            let of = (rungs[1], &coarse.x, &mut coarse.b);
            Ok((machine.ascend_and_descend(rungs[0], both, b, x, spare, of)?, Start::Below))
        }
        Some(Up { relax, fine: Room { b, x, spare }, coarse }) => {
            Ok((machine.ascend_to_residual(rungs[0], relax, b, x, spare, (rungs[1], &coarse.x))?, Start::Here))
        }
        None => {
            let Room { b, x, spare } = &mut rooms[0];
            Ok((machine.residual(rungs[0], b, x, spare)?, Start::Here))
        }
    }
}

/// Measures the divergence, and what `from` leaves of it; then begins a cycle with a copy of that in x, which is to be gone on with
/// from [`Start::Below`]. `None` where there is no level to go down to: nothing is done then.
///
/// # Errors
/// Work before this failed.
pub(super) fn begin<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    velocity: [&M::Plane; 2],
    from: &M::Plane,
) -> Result<Option<(Sums, f64)>, Failed> {
    let ([rung, below, ..], [Room { b, x, spare }, coarse, ..]) = (rungs, rooms) else { return Ok(None) };
    let relax = relaxing(*rung)[0];
    let of = (*below, &mut coarse.b);
    machine.divergence_and_descend(*rung, relax, velocity, b, (from, x), spare, of).map(Some)
}

/// As [`cycle`], from `start`; then corrects the velocity by x, for the last time: gives what that makes of it. Where there
/// is but one level, apart.
///
/// # Errors
/// Work before this failed.
pub(super) fn cycle_and_correct<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    start: Start,
    velocity: [&mut M::Plane; 2],
) -> Result<Corrected, Failed> {
    if let Some(Up { relax, fine: Room { b, x, spare }, coarse }) = below(machine, rungs, rooms, 0, start) {
        return machine.ascend_and_correct(rungs[0], relax, b, x, spare, (rungs[1], &coarse.x), velocity);
    }
    let Room { x, spare, .. } = &mut rooms[0];
    machine.correct(rungs[0], x, velocity, None, spare, true)
}

fn visit<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    at: usize,
    start: Start,
) {
    if let Some(Up { relax, fine: Room { b, x, spare }, coarse }) = below(machine, rungs, rooms, at, start) {
        machine.ascend(rungs[at], relax, b, x, spare, (rungs[at + 1], &coarse.x));
    }
}

/// What is left of a visit to a level once all coarser ones were gone to.
struct Up<'a, P> {
    relax: Relax,
    fine: &'a mut Room<P>,
    coarse: &'a mut Room<P>,
}

/// How a level relaxes before and after the coarser ones are gone to.
fn relaxing<P>(rung: Rung<'_, P>) -> [Relax; 2] {
    let first = Relax { first: Colour::Red, sweeps: 2 };
    match rung.weights.is_some() || rung.symmetric {
        false => [first, Relax { first: Colour::Red, sweeps: 1 }],
        true => [first, Relax { first: Colour::Black, sweeps: 2 }],
    }
}

/// Everything of a visit up to the way up from the next coarser level; all of it on the coarsest.
fn below<'a, M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &'a mut [Room<M::Plane>],
    at: usize,
    start: Start,
) -> Option<Up<'a, M::Plane>> {
    let (fine, coarser) = rooms[at..].split_at_mut(1);
    let Room { b, x, spare } = &mut fine[0];
    let rung = rungs[at];
    let Some(coarse) = coarser.first_mut() else {
        machine.bottom(rung, BOTTOM, b, x, spare);
        return None;
    };
    let [before, after] = relaxing(rung);
    if start != Start::Below {
        machine.descend(rung, before, start == Start::Zero, b, x, spare, (rungs[at + 1], &mut coarse.b));
    }
    visit(machine, rungs, rooms, at + 1, Start::Zero);
    if rung.weights.is_some() && TWICE.contains(&(at + 1)) {
        visit(machine, rungs, rooms, at + 1, Start::Here);
    }
    let (fine, coarser) = rooms[at..].split_at_mut(1);
    Some(Up { relax: after, fine: &mut fine[0], coarse: &mut coarser[0] })
}
