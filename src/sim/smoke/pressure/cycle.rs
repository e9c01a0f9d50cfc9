//! Multigrid cycles.

use super::passes::{Colour, PressurePasses, Relax, Rung};
use super::rooms::Room;

/// Sweeps on the coarsest level, of 2 × 2 cells at most.
const BOTTOM: Relax = Relax { first: Colour::Red, sweeps: 8 };

/// Levels with solids that are gone to twice in a cycle: walls that a coarser level can't see cost it its good factor.
const TWICE: std::ops::Range<usize> = 2..6;

/// One cycle on `A x = b` of the finest level; with `zero`, from x = 0.
///
/// Without weights two sweeps go before and one after, all in the same order of colours. With weights it is symmetric, as a
/// preconditioner has to be: two before, and after them two in the opposite order.
pub(super) fn cycle<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    zero: bool,
) {
    visit(machine, rungs, rooms, 0, zero);
}

fn visit<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    at: usize,
    zero: bool,
) {
    let (fine, coarser) = rooms[at..].split_at_mut(1);
    let Room { b, x, spare } = &mut fine[0];
    let rung = rungs[at];
    let Some(coarse) = coarser.first_mut() else {
        machine.bottom(rung, BOTTOM, b, x, spare);
        return;
    };
    let (before, after) = match rung.weights {
        None => (Relax { first: Colour::Red, sweeps: 2 }, Relax { first: Colour::Red, sweeps: 1 }),
        Some(_) => (Relax { first: Colour::Red, sweeps: 2 }, Relax { first: Colour::Black, sweeps: 2 }),
    };
    machine.descend(rung, before, zero, b, x, spare, (rungs[at + 1], &mut coarse.b));
    visit(machine, rungs, rooms, at + 1, true);
    if rung.weights.is_some() && TWICE.contains(&(at + 1)) {
        visit(machine, rungs, rooms, at + 1, false);
    }
    let (fine, coarser) = rooms[at..].split_at_mut(1);
    let Room { b, x, spare } = &mut fine[0];
    machine.ascend(rung, after, b, x, spare, (rungs[at + 1], &coarser[0].x));
}
