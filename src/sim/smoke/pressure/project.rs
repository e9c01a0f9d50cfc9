//! The order of it all.

use super::passes::PressurePasses;
use super::rooms::Rooms;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::settings::Solver;

/// How the pressure is to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// By which method.
    pub solver: Solver,
    /// Most cycles, iterations, passes or sweeps.
    pub iterations: u32,
    /// Residual, against the divergence before, at which it is good.
    pub tolerance: f64,
}

/// What is to know of a projection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projected {
    /// Cycles, iterations, passes or sweeps taken.
    pub iterations: u32,
    /// What is left of the divergence before, both without the means of singular regions; of the iterated projection, what is left
    /// of the difference to the solids' velocity.
    pub residual: f64,
    /// Root mean square of the fluid cells before, per frame.
    pub divergence_before: f64,
    /// The same after.
    pub divergence_after: f64,
}

/// Takes the divergence out of a velocity. Faces at closed sides become 0, those that touch solids the solids' velocity
/// `[u, v]`, which may be left out where the domain has no solids. `pressure` is where to start from, and what was found.
///
/// # Errors
/// [`Failed`]; the velocity is anything then.
pub fn project<M: PressurePasses>(
    machine: &M,
    rooms: &mut Rooms<M::Plane>,
    solids: Option<[&M::Plane; 2]>,
    velocity: [&mut M::Plane; 2],
    pressure: &mut M::Plane,
    how: &Projection,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Projected, Failed> {
    let _ = (machine, rooms, solids, velocity, pressure, how, go_on);
    Err(Failed::Interrupted)
}
