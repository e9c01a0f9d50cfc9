//! Parameters of the jets: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Condition, Control, Kind, blank, choice, colour, double, fields, position, text};
use JetField::{On, PulseRate};

/// Number of jets.
pub const JETS: usize = 4;

/// The group of the jets' groups.
pub const GROUP: &CStr = c"jets";

fields! {
    /// A parameter of a jet, in the order of the panel.
    JetField {
        On,
        Centre,
        Direction,
        Radius,
        Softness,
        Strength,
        Colour,
        Density,
        Heat,
        Fuel,
        Spread,
        Random,
        PulseRate,
        PulseDuty,
    }
}

/// Options of `jet1` to `jet4`.
const BLOWS: i32 = 1;
pub const OFF: i32 = 2;

/// Script names of a jet's parameters.
macro_rules! names {
    ($jet:literal) => {
        names!($jet "" "Centre" "Direction" "Radius" "Softness" "Strength" "Colour" "Density" "Heat" "Fuel" "Spread"
            "Random" "PulseRate" "PulseDuty")
    };
    ($jet:literal $($field:literal)*) => {
        [$(text(concat!($jet, $field, "\0"))),*]
    };
}

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
        names!("jet1"),
        Defaults { on: 0, centre: [0.5, 0.12], direction: 90.0, rgb: [0.85, 0.87, 0.9], random: 0.15 },
    ),
    rows(
        1,
        [c"jet2Group", c"Jet 2"],
        names!("jet2"),
        Defaults { on: BLOWS, centre: [0.12, 0.5], direction: 0.0, rgb: [0.9, 0.3, 0.1], random: 0.0 },
    ),
    rows(
        2,
        [c"jet3Group", c"Jet 3"],
        names!("jet3"),
        Defaults { on: BLOWS, centre: [0.88, 0.5], direction: 180.0, rgb: [0.1, 0.4, 0.9], random: 0.0 },
    ),
    rows(
        3,
        [c"jet4Group", c"Jet 4"],
        names!("jet4"),
        Defaults { on: BLOWS, centre: [0.5, 0.88], direction: -90.0, rgb: [0.2, 0.8, 0.3], random: 0.0 },
    ),
];

/// The rows of a jet.
const fn rows(
    n: usize,
    [group, label]: [&'static CStr; 2],
    names: [&'static CStr; JetField::COUNT],
    defaults: Defaults,
) -> [Control<Id>; JetField::COUNT] {
    let group = blank(Id::Jet(n, On), group).shown_when(Condition::AtLeast(Id::JetCount, n as i32 + 1));
    let on = group.when(Condition::NoneOf(Id::Jet(n, On), &[OFF]));
    let pulsing = on.when(Condition::Positive(Id::Jet(n, PulseRate)));
    let mut rows = [
        row(group, label, choice(&[c"When no Source", c"On", c"Off"], defaults.on))
            .hint(c"A nozzle of smoke. When no Source: it blows by itself where nothing else is let in."),
        row(on, c"Centre", position(defaults.centre)).hint(
            c"Where the nozzle is, in full-resolution pixels. One that is keyed or tracked blows all along its way.",
        ),
        row(on, c"Direction", double(defaults.direction, [-36_000.0, 36_000.0], [-180.0, 180.0]))
            .hint(c"Where it blows, in degrees counter-clockwise from the right; 90 is up."),
        row(on, c"Radius", double(24.0, [0.0, 100_000.0], [1.0, 200.0])).hint(c"Radius in full-resolution pixels."),
        row(on, c"Softness", double(0.5, [0.0, 1.0], [0.0, 1.0])).hint(
            c"Share of the radius across which its smoke and heat fade: 0 is a hard edge, 1 fades from the middle on.",
        ),
        row(on, c"Strength", double(8.0, [0.0, 10_000.0], [0.0, 60.0])).hint(c"Speed of its air, in pixels per frame."),
        row(on, c"Colour", colour(defaults.rgb)).hint(c"Colour of its smoke."),
        row(on, c"Density", double(0.2, [0.0, 1000.0], [0.0, 2.0]))
            .hint(c"Density of its smoke in the middle, per frame."),
        row(on, c"Heat", double(0.2, [-1000.0, 1000.0], [0.0, 2.0]))
            .hint(c"Temperature of its smoke in the middle, per frame."),
        row(on, c"Fuel", double(0.0, [0.0, 1.0], [0.0, 1.0])).hint(
            c"Fuel in the middle: above 0 it burns with a flame, as the group Fire says. Less fuel, a lower flame.",
        ),
        row(on, c"Spread", double(10.0, [0.0, 360.0], [0.0, 120.0]))
            .hint(c"Opening angle in degrees: how far the rim blows away from the middle."),
        row(on, c"Random", double(defaults.random, [0.0, 1.0], [0.0, 1.0]))
            .hint(c"How much direction and strength wander, smoothly in time."),
        row(on, c"Pulse rate", double(0.0, [0.0, 1.0], [0.0, 0.2]))
            .hint(c"Pulses per frame; 0 blows without a break. 0.04 is one a second."),
        row(pulsing, c"Pulse duty", double(0.5, [0.0, 1.0], [0.0, 1.0]))
            .hint(c"Share of each pulse in which it blows."),
    ];
    let mut place = 0;
    while place < rows.len() {
        let Control { label, kind, .. } = rows[place];
        rows[place] = rows[place].id(Id::Jet(n, JetField::ALL[place])).of(names[place], label, kind);
        place += 1;
    }
    rows
}

const fn row(group: Control<Id>, label: &'static CStr, kind: Kind) -> Control<Id> {
    Control { label, kind, ..group }
}
