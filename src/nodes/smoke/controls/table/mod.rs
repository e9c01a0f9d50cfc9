//! The table: every parameter with its label, hint, kind, default and range, in the order of the panel.

mod air;
mod forces;
mod jets;
mod picture;
mod simulation;
mod work;

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Control, Kind, Reach};

/// The table, in the order of the panel and of [`Id`].
pub const CONTROLS: &[Control<Id>] = &join::<{ Id::PositionsSet as usize + 1 }>(&[
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

/// Tables one after the other. One that is too short or too long does not compile.
const fn join<const N: usize>(parts: &[&[Control<Id>]]) -> [Control<Id>; N] {
    let mut all = [blank(Id::Preset, c""); N];
    let mut place = 0;
    let mut part = 0;
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            all[place] = parts[part][at];
            at += 1;
            place += 1;
        }
        part += 1;
    }
    assert!(place == N, "there are more names than controls");
    all
}

/// A control of a group, of which nothing is said yet.
const fn blank(id: Id, group: &'static CStr) -> Control<Id> {
    Control {
        id,
        name: c"",
        label: c"",
        hint: c"",
        group,
        kind: Kind::Button,
        animates: true,
        reach: Reach::Simulation,
        shared: None,
    }
}
