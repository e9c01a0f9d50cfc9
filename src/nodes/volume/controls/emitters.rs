//! Parameters of the emitters: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Condition, Control, Kind, blank, choice, double, fields, int, switch, triple};
use EmitterField::{Breakup, Duration, On, Shape};

/// Number of emitters.
pub const EMITTERS: usize = crate::sim::volume::settings::EMITTERS;

/// The group of the emitters' groups.
pub const GROUP: &CStr = c"emitters";

fields! {
    /// A parameter of an emitter, in the order of the panel.
    EmitterField of Emitter ["emitter1", "emitter2", "emitter3", "emitter4"] {
        On "", Shape, Centre, Radius, Height, Softness, Density, Mode, Heat, Fuel, Velocity, Expansion, Breakup,
        BreakupSize, Delay, Duration,
    }
}

/// Options of the shape.
pub mod shape {
    /// A ball.
    pub const SPHERE: i32 = 0;
}

/// The rows of all emitters.
pub const ROWS: [[Control<Id>; EmitterField::COUNT]; EMITTERS] = [
    rows(0, [c"emitter1Group", c"Emitter 1"]),
    rows(1, [c"emitter2Group", c"Emitter 2"]),
    rows(2, [c"emitter3Group", c"Emitter 3"]),
    rows(3, [c"emitter4Group", c"Emitter 4"]),
];

/// A share of 0 to 1.
const fn share(default: f64) -> Kind {
    double(default, [0.0, 1.0], [0.0, 1.0])
}

/// A length in heights of the box.
const fn length(default: f64, slider: f64) -> Kind {
    double(default, [0.0, 100.0], [0.0, slider])
}

/// The rows of an emitter.
const fn rows(n: usize, [group, label]: [&'static CStr; 2]) -> [Control<Id>; EmitterField::COUNT] {
    let group = blank(Id::Emitter(n, On), group).shown_when(Condition::AtLeast(Id::EmitterCount, n as i32 + 1));
    let on = group.when(Condition::On(Id::Emitter(n, On)));
    let tall = on.when(Condition::NoneOf(Id::Emitter(n, Shape), &[shape::SPHERE]));
    let broken = on.when(Condition::Positive(Id::Emitter(n, Breakup)));
    let short = on.when(Condition::AtLeast(Id::Emitter(n, Duration), 1));
    let rows = [
        group.field(label, switch(true)),
        on.field(c"Shape", choice(&[c"Sphere", c"Box", c"Capsule", c"Disc"], shape::SPHERE)),
        on.field(c"Centre", triple(0.0, [-1000.0, 1000.0], [-1.0, 1.0])),
        on.field(c"Radius", length(0.07, 0.5)),
        tall.field(c"Height", length(0.1, 1.0)),
        on.field(c"Softness", share(0.4)),
        on.field(c"Density", double(1.0, [0.0, 1000.0], [0.0, 2.0])),
        on.field(c"Mode", choice(&[c"Fill up", c"Add", c"Replace"], 0)),
        on.field(c"Heat", share(1.0)),
        on.field(c"Fuel", share(0.0)),
        on.field(c"Velocity", triple(0.0, [-1000.0, 1000.0], [-10.0, 10.0])),
        on.field(c"Expansion", double(0.0, [-0.5, 0.5], [0.0, 0.3])),
        on.field(c"Break-up", share(0.5)),
        broken.field(c"Break-up size", double(0.06, [0.001, 10.0], [0.01, 0.5])),
        short.field(c"Delay", int(0, [-100_000, 100_000], [0, 100])).constant(),
        on.field(c"Duration", int(0, [0, 100_000], [0, 100])).constant(),
    ];
    EmitterField::named(n, rows)
}
