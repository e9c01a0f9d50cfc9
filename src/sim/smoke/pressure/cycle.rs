//! Multigrid cycles.

use super::passes::{Colour, PressurePasses, Relax, Rung};
use super::rooms::Room;
use crate::sim::smoke::device::Failed;

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

/// As [`cycle`]; gives the sum of the squares of what it leaves of the equation.
///
/// # Errors
/// Work before this failed.
pub(super) fn cycle_to_residual<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    zero: bool,
) -> Result<f64, Failed> {
    match below(machine, rungs, rooms, 0, zero) {
        Some(Up { relax, fine: Room { b, x, spare }, coarse }) => {
            machine.ascend_to_residual(rungs[0], relax, b, x, spare, (rungs[1], &coarse.x))
        }
        None => {
            let Room { b, x, spare } = &mut rooms[0];
            machine.residual(rungs[0], b, x, spare)
        }
    }
}

fn visit<M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &mut [Room<M::Plane>],
    at: usize,
    zero: bool,
) {
    if let Some(Up { relax, fine: Room { b, x, spare }, coarse }) = below(machine, rungs, rooms, at, zero) {
        machine.ascend(rungs[at], relax, b, x, spare, (rungs[at + 1], &coarse.x));
    }
}

/// What is left of a visit to a level once all coarser ones were gone to.
struct Up<'a, P> {
    relax: Relax,
    fine: &'a mut Room<P>,
    coarse: &'a Room<P>,
}

/// Everything of a visit up to the way up from the next coarser level; all of it on the coarsest.
fn below<'a, M: PressurePasses>(
    machine: &M,
    rungs: &[Rung<'_, M::Plane>],
    rooms: &'a mut [Room<M::Plane>],
    at: usize,
    zero: bool,
) -> Option<Up<'a, M::Plane>> {
    let (fine, coarser) = rooms[at..].split_at_mut(1);
    let Room { b, x, spare } = &mut fine[0];
    let rung = rungs[at];
    let Some(coarse) = coarser.first_mut() else {
        machine.bottom(rung, BOTTOM, b, x, spare);
        return None;
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
    Some(Up { relax: after, fine: &mut fine[0], coarse: &coarser[0] })
}
