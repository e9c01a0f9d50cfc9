//! Parameters of the emitters: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Condition, Control, blank, choice, colour, double, fields, position, switch};
use crate::sim::water::settings::EMITTERS;
use EmitterField::On;

fields! {
    /// A parameter of an emitter, in the order of the panel.
    EmitterField of Emitter
        ["emitter", "emitter2", "emitter3", "emitter4", "emitter5", "emitter6", "emitter7", "emitter8"]
    {
        On "", Centre, Radius, Softness, Rate, Colour, Shape, Width, Angle, Frequency, Phase,
    }
}

/// Options of `emitter` and of `emitterShape`.
const OFF: i32 = 2;
const DISC: i32 = 0;
const LINE: i32 = 1;

/// The group of the first emitter, and of the groups of the others.
pub const GROUP: &CStr = c"emitters";

const BLUE: [f64; 3] = [0.1, 0.35, 0.6];
const RED: [f64; 3] = [0.6, 0.2, 0.1];
const GREEN: [f64; 3] = [0.2, 0.5, 0.15];

/// Labels of the fields after the first, in a group of their own.
const IN_OWN_GROUP: [&CStr; EmitterField::COUNT - 1] =
    [c"Centre", c"Radius", c"Softness", c"Rate", c"Colour", c"Shape", c"Width", c"Angle", c"Frequency", c"Phase"];

/// Labels of the first emitter's fields after the first, which share a group with other parameters.
const IN_GROUP_OF_ALL: [&CStr; EmitterField::COUNT - 1] = [
    c"Emitter centre",
    c"Emitter radius",
    c"Emitter softness",
    c"Emitter rate",
    c"Emitter colour",
    c"Emitter shape",
    c"Emitter width",
    c"Emitter angle",
    c"Emitter frequency",
    c"Emitter phase",
];

/// The rows of all emitters.
pub static ROWS: [[Control<Id>; EmitterField::COUNT]; EMITTERS] = [
    rows(0, GROUP, c"Emitter", [0.5, 0.5], BLUE),
    rows(1, c"emitter2Group", c"Emitter 2", [0.25, 0.5], BLUE),
    rows(2, c"emitter3Group", c"Emitter 3", [0.75, 0.5], RED),
    rows(3, c"emitter4Group", c"Emitter 4", [0.5, 0.75], GREEN),
    rows(4, c"emitter5Group", c"Emitter 5", [0.25, 0.25], BLUE),
    rows(5, c"emitter6Group", c"Emitter 6", [0.75, 0.25], RED),
    rows(6, c"emitter7Group", c"Emitter 7", [0.25, 0.75], GREEN),
    rows(7, c"emitter8Group", c"Emitter 8", [0.75, 0.75], BLUE),
];

/// The rows of an emitter: the first is on by itself where there is no Source, and its colour is the rain's, too.
const fn rows(
    n: usize,
    group: &'static CStr,
    label: &'static CStr,
    centre: [f64; 2],
    rgb: [f64; 3],
) -> [Control<Id>; EmitterField::COUNT] {
    let first = n == 0;
    let group = blank(Id::Emitter(n, On), group);
    let group = if first { group } else { group.shown_when(Condition::AtLeast(Id::EmitterCount, n as i32 + 1)) };
    let on = if first {
        group.when(Condition::NoneOf(Id::Emitter(0, On), &[OFF]))
    } else {
        group.when(Condition::On(Id::Emitter(n, On)))
    };
    let shape = Id::Emitter(n, EmitterField::Shape);
    let labels = if first { IN_GROUP_OF_ALL } else { IN_OWN_GROUP };
    let rows = [
        group.field(label, if first { choice(&[c"When no Source", c"On", c"Off"], 0) } else { switch(true) }),
        on.field(labels[0], position(centre)),
        on.field(labels[1], double(40.0, [0.0, 100_000.0], [0.0, 500.0])),
        on.field(labels[2], double(0.5, [0.0, 1.0], [0.0, 1.0])),
        on.field(labels[3], double(0.05, [0.0, 10_000.0], [0.0, 1.0])),
        if first { group } else { on }.field(labels[4], colour(rgb)),
        on.field(labels[5], choice(&[c"Disc", c"Line", c"Ring"], 0)),
        on.when(Condition::NoneOf(shape, &[DISC])).field(labels[6], double(8.0, [0.0, 100_000.0], [0.0, 100.0])),
        on.when(Condition::OneOf(shape, &[LINE])).field(labels[7], double(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0])),
        on.field(labels[8], double(0.0, [0.0, 10.0], [0.0, 0.25])),
        on.when(Condition::NonZero(Id::Emitter(n, EmitterField::Frequency)))
            .field(labels[9], double(0.0, [-1000.0, 1000.0], [0.0, 1.0])),
    ];
    EmitterField::named(n, rows)
}
