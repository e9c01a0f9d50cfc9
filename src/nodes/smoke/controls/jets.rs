//! Parameters of the jets: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Condition, Control, blank, choice, colour, double, fields, position};
use JetField::{Breakup, On, PulseRate};

/// Number of jets.
pub const JETS: usize = 4;

/// The group of the jets' groups.
pub const GROUP: &CStr = c"jets";

fields! {
    /// A parameter of a jet, in the order of the panel.
    JetField of Jet ["jet1", "jet2", "jet3", "jet4"] {
        On "", Centre, Direction, Radius, Softness, Strength, Colour, Density, Heat, Fuel, Spread, Random,
        Breakup, BreakupSize, PulseRate, PulseDuty,
    }
}

/// Options of `jet1` to `jet4`.
const BLOWS: i32 = 1;
pub const OFF: i32 = 2;

/// The defaults in which jets differ.
struct Defaults {
    on: i32,
    centre: [f64; 2],
    direction: f64,
    rgb: [f64; 3],
    random: f64,
}

/// The rows of all jets.
pub const ROWS: [[Control<Id>; JetField::COUNT]; JETS] = [
    rows(
        0,
        [c"jet1Group", c"Jet 1"],
        Defaults { on: 0, centre: [0.5, 0.12], direction: 90.0, rgb: [0.85, 0.87, 0.9], random: 0.15 },
    ),
    rows(
        1,
        [c"jet2Group", c"Jet 2"],
        Defaults { on: BLOWS, centre: [0.12, 0.5], direction: 0.0, rgb: [0.9, 0.3, 0.1], random: 0.0 },
    ),
    rows(
        2,
        [c"jet3Group", c"Jet 3"],
        Defaults { on: BLOWS, centre: [0.88, 0.5], direction: 180.0, rgb: [0.1, 0.4, 0.9], random: 0.0 },
    ),
    rows(
        3,
        [c"jet4Group", c"Jet 4"],
        Defaults { on: BLOWS, centre: [0.5, 0.88], direction: -90.0, rgb: [0.2, 0.8, 0.3], random: 0.0 },
    ),
];

/// The rows of a jet.
const fn rows(n: usize, [group, label]: [&'static CStr; 2], defaults: Defaults) -> [Control<Id>; JetField::COUNT] {
    let group = blank(Id::Jet(n, On), group).shown_when(Condition::AtLeast(Id::JetCount, n as i32 + 1));
    let on = group.when(Condition::NoneOf(Id::Jet(n, On), &[OFF]));
    let broken = on.when(Condition::Positive(Id::Jet(n, Breakup)));
    let pulsing = on.when(Condition::Positive(Id::Jet(n, PulseRate)));
    let rows = [
        group.field(label, choice(&[c"When no Source", c"On", c"Off"], defaults.on)),
        on.field(c"Centre", position(defaults.centre)),
        on.field(c"Direction", double(defaults.direction, [-36_000.0, 36_000.0], [-180.0, 180.0])),
        on.field(c"Radius", double(24.0, [0.0, 100_000.0], [1.0, 200.0])),
        on.field(c"Softness", double(0.5, [0.0, 1.0], [0.0, 1.0])),
        on.field(c"Strength", double(8.0, [0.0, 10_000.0], [0.0, 60.0])),
        on.field(c"Colour", colour(defaults.rgb)),
        on.field(c"Density", double(0.2, [0.0, 1000.0], [0.0, 2.0])),
        on.field(c"Heat", double(0.2, [-1000.0, 1000.0], [0.0, 2.0])),
        on.field(c"Fuel", double(0.0, [0.0, 1.0], [0.0, 1.0])),
        on.field(c"Spread", double(10.0, [0.0, 360.0], [0.0, 120.0])),
        on.field(c"Random", double(defaults.random, [0.0, 1.0], [0.0, 1.0])),
        on.field(c"Break-up", double(0.0, [0.0, 1.0], [0.0, 1.0])),
        broken.field(c"Break-up size", double(60.0, [0.1, 100_000.0], [4.0, 300.0])),
        on.field(c"Pulse rate", double(0.0, [0.0, 1.0], [0.0, 0.2])),
        pulsing.field(c"Pulse duty", double(0.5, [0.0, 1.0], [0.0, 1.0])),
    ];
    JetField::named(n, rows)
}
