//! The four jets: one table, four times.

use super::super::Id;
use crate::nodes::common::controls::{Control, Kind, blank, choice, double, text};

/// The controls of a jet with its group and number, its defaults, and its names in [`Id`].
macro_rules! jet {
    ($number:literal, $on:literal, $centre:expr, $direction:literal, $colour:expr, $random:literal;
     $first:ident $(, $id:ident)* $(,)?) => {{
        const JET: Control<Id> = blank(Id::$first, text(concat!("jet", $number, "Group\0")));
        const IDS: [Id; CONTROLS_OF_A_JET] = [Id::$first $(, Id::$id)*];
        [
            Control {
                id: IDS[0],
                name: text(concat!("jet", $number, "\0")),
                label: text(concat!("Jet ", $number, "\0")),
                hint: c"A nozzle of smoke. When no Source: it blows by itself where nothing else is let in.",
                kind: choice(&[c"When no Source", c"On", c"Off"], $on),
                ..JET
            },
            Control {
                id: IDS[1],
                name: text(concat!("jet", $number, "Centre\0")),
                label: c"Centre",
                hint: c"Where the nozzle is, in full-resolution pixels. One that is keyed or tracked blows all along its way.",
                kind: Kind::Position { default: $centre },
                ..JET
            },
            Control {
                id: IDS[2],
                name: text(concat!("jet", $number, "Direction\0")),
                label: c"Direction",
                hint: c"Where it blows, in degrees counter-clockwise from the right; 90 is up.",
                kind: double($direction, [-36_000.0, 36_000.0], [-180.0, 180.0]),
                ..JET
            },
            Control {
                id: IDS[3],
                name: text(concat!("jet", $number, "Radius\0")),
                label: c"Radius",
                hint: c"Radius in full-resolution pixels.",
                kind: double(24.0, [0.0, 100_000.0], [1.0, 200.0]),
                ..JET
            },
            Control {
                id: IDS[4],
                name: text(concat!("jet", $number, "Softness\0")),
                label: c"Softness",
                hint: c"Share of the radius across which its smoke and heat fade: 0 is a hard edge, 1 fades from the middle on.",
                kind: double(0.5, [0.0, 1.0], [0.0, 1.0]),
                ..JET
            },
            Control {
                id: IDS[5],
                name: text(concat!("jet", $number, "Strength\0")),
                label: c"Strength",
                hint: c"Speed of its air, in pixels per frame.",
                kind: double(8.0, [0.0, 10_000.0], [0.0, 60.0]),
                ..JET
            },
            Control {
                id: IDS[6],
                name: text(concat!("jet", $number, "Colour\0")),
                label: c"Colour",
                hint: c"Colour of its smoke.",
                kind: Kind::Colour { default: $colour },
                ..JET
            },
            Control {
                id: IDS[7],
                name: text(concat!("jet", $number, "Density\0")),
                label: c"Density",
                hint: c"Density of its smoke in the middle, per frame.",
                kind: double(0.2, [0.0, 1000.0], [0.0, 2.0]),
                ..JET
            },
            Control {
                id: IDS[8],
                name: text(concat!("jet", $number, "Heat\0")),
                label: c"Heat",
                hint: c"Temperature of its smoke in the middle, per frame.",
                kind: double(0.2, [-1000.0, 1000.0], [0.0, 2.0]),
                ..JET
            },
            Control {
                id: IDS[9],
                name: text(concat!("jet", $number, "Spread\0")),
                label: c"Spread",
                hint: c"Opening angle in degrees: how far the rim blows away from the middle.",
                kind: double(10.0, [0.0, 360.0], [0.0, 120.0]),
                ..JET
            },
            Control {
                id: IDS[10],
                name: text(concat!("jet", $number, "Random\0")),
                label: c"Random",
                hint: c"How much direction and strength wander, smoothly in time.",
                kind: double($random, [0.0, 1.0], [0.0, 1.0]),
                ..JET
            },
            Control {
                id: IDS[11],
                name: text(concat!("jet", $number, "PulseRate\0")),
                label: c"Pulse rate",
                hint: c"Pulses per frame; 0 blows without a break. 0.04 is one a second.",
                kind: double(0.0, [0.0, 1.0], [0.0, 0.2]),
                ..JET
            },
            Control {
                id: IDS[12],
                name: text(concat!("jet", $number, "PulseDuty\0")),
                label: c"Pulse duty",
                hint: c"Share of each pulse in which it blows.",
                kind: double(0.5, [0.0, 1.0], [0.0, 1.0]),
                ..JET
            },
        ]
    }};
}

/// Controls of one jet.
pub const CONTROLS_OF_A_JET: usize = 13;

/// Groups `jet1Group` to `jet4Group`.
pub const JET_CONTROLS: [[Control<Id>; CONTROLS_OF_A_JET]; 4] = [
    jet!(1, 0, [0.5, 0.12], 90.0, [0.85, 0.87, 0.9], 0.15; Jet1, Jet1Centre, Jet1Direction, Jet1Radius, Jet1Softness, Jet1Strength, Jet1Colour, Jet1Density, Jet1Heat, Jet1Spread, Jet1Random, Jet1PulseRate, Jet1PulseDuty),
    jet!(2, 2, [0.12, 0.5], 0.0, [0.9, 0.3, 0.1], 0.0; Jet2, Jet2Centre, Jet2Direction, Jet2Radius, Jet2Softness, Jet2Strength, Jet2Colour, Jet2Density, Jet2Heat, Jet2Spread, Jet2Random, Jet2PulseRate, Jet2PulseDuty),
    jet!(3, 2, [0.88, 0.5], 180.0, [0.1, 0.4, 0.9], 0.0; Jet3, Jet3Centre, Jet3Direction, Jet3Radius, Jet3Softness, Jet3Strength, Jet3Colour, Jet3Density, Jet3Heat, Jet3Spread, Jet3Random, Jet3PulseRate, Jet3PulseDuty),
    jet!(4, 2, [0.5, 0.88], -90.0, [0.2, 0.8, 0.3], 0.0; Jet4, Jet4Centre, Jet4Direction, Jet4Radius, Jet4Softness, Jet4Strength, Jet4Colour, Jet4Density, Jet4Heat, Jet4Spread, Jet4Random, Jet4PulseRate, Jet4PulseDuty),
];
