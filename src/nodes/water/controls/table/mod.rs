//! The table: every parameter with its label, hint, kind, default and range, in the order of the panel.

mod emitters;
mod ground;
mod picture;
mod simulation;
mod source;
mod work;

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{self, Control, join};

/// The table, in the order of the panel and of [`Id`].
pub const CONTROLS: &[Control<Id>] = &join::<Id, { Id::PositionsSet as usize + 1 }>(&[
    simulation::SIMULATION_CONTROLS,
    source::SOURCE_CONTROLS,
    emitters::EMITTER_CONTROLS,
    ground::GROUND_CONTROLS,
    picture::PICTURE_CONTROLS,
    work::WORK_CONTROLS,
]);

/// A control of a group, of which nothing is said yet.
const fn blank(group: &'static CStr) -> Control<Id> {
    controls::blank(Id::Model, group)
}
