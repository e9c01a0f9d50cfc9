//! The steps of Ripples on the CPU.

pub(super) mod reference;

use crate::compute::cpu::Cpu;
use crate::sim::Interrupted;
use crate::sim::water::plan::{FramePlan, MassBalance, Water};
use crate::sim::water::ripples::Ripples;

/// Runs a frame.
///
/// # Errors
/// [`Interrupted`] when `go_on` returns false.
pub(super) fn run(
    _cpu: &Cpu,
    plan: &FramePlan,
    ripples: &Ripples,
    water: &Water,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(Water, MassBalance), Interrupted> {
    reference::run(plan, ripples, water, go_on)
}
