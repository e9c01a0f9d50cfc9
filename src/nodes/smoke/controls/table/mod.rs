//! The table: every parameter with its label, hint, kind, default and range, in the order of the panel.

mod air;
mod forces;
mod jets;
mod picture;
mod simulation;
mod work;

use super::Id;
use crate::nodes::common::controls::{Control, join};

/// The table, in the order of the panel and of [`Id`].
pub const CONTROLS: &[Control<Id>] = &join::<Id, { Id::PositionsSet as usize + 1 }>(&[
    simulation::SIMULATION_CONTROLS,
    air::AIR_CONTROLS,
    &jets::JET_CONTROLS[0],
    &jets::JET_CONTROLS[1],
    &jets::JET_CONTROLS[2],
    &jets::JET_CONTROLS[3],
    forces::FORCE_CONTROLS,
    picture::PICTURE_CONTROLS,
    work::WORK_CONTROLS,
]);
