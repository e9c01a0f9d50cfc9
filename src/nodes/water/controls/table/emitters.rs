//! The emitters from the second on: one table, seven times. What the first has of it, too.

use std::ffi::CStr;

use super::super::Id;
use super::blank;
use crate::nodes::common::controls::{Control, Kind, choice, double, text};

/// Hint of a centre.
pub const CENTRE: &CStr = c"Where the emitter is, in full-resolution pixels. Moving it draws a stroke of water.";
/// Hint of a radius.
pub const RADIUS: &CStr = c"Radius of the emitter, or half the length of a line, in full-resolution pixels.";
/// Hint of a rate.
pub const RATE: &CStr = c"Height of water that flows in under the emitter per frame.";

/// What an emitter looks like from above.
pub const fn shape(id: Id, name: &'static CStr, label: &'static CStr, like: Control<Id>) -> Control<Id> {
    let hint =
        c"What the emitter looks like from above. Lines make straight waves and curtains, rings a splash's edge.";
    Control { id, name, label, hint, kind: choice(&[c"Disc", c"Line", c"Ring"], 0), ..like }
}

/// How wide lines and rings are.
pub const fn width(id: Id, name: &'static CStr, label: &'static CStr, like: Control<Id>) -> Control<Id> {
    let hint = c"Width of the emitter's line or ring, in full-resolution pixels.";
    Control { id, name, label, hint, kind: double(8.0, [0.0, 100_000.0], [0.0, 100.0]), ..like }
}

/// Where a line points.
pub const fn angle(id: Id, name: &'static CStr, label: &'static CStr, like: Control<Id>) -> Control<Id> {
    let hint = c"Direction of the emitter's line, in degrees counter-clockwise from the right.";
    Control { id, name, label, hint, kind: double(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0]), ..like }
}

/// How often waves come.
pub const fn frequency(id: Id, name: &'static CStr, label: &'static CStr, like: Control<Id>) -> Control<Id> {
    let hint = c"Waves per frame: the rate swells to twice its value and falls to nothing so often. 0 flows evenly, 0.05 makes a \
               wave every 20 frames.";
    Control { id, name, label, hint, kind: double(0.0, [0.0, 10.0], [0.0, 0.25]), ..like }
}

/// Where in a wave it begins.
pub const fn phase(id: Id, name: &'static CStr, label: &'static CStr, like: Control<Id>) -> Control<Id> {
    let hint = c"How far the waves are on at frame 0, in waves: 0.5 makes an emitter swell while another falls.";
    Control { id, name, label, hint, kind: double(0.0, [-1000.0, 1000.0], [0.0, 1.0]), ..like }
}

/// The controls of an emitter with its group and number, its defaults, and its names in [`Id`].
macro_rules! emitter {
    ($number:literal, $centre:expr, $colour:expr; $first:ident $(, $id:ident)* $(,)?) => {{
        const EMITTER: Control<Id> = blank(text(concat!("emitter", $number, "Group\0")));
        const IDS: [Id; CONTROLS_OF_AN_EMITTER] = [Id::$first $(, Id::$id)*];
        [
            Control {
                id: IDS[0],
                name: text(concat!("emitter", $number, "\0")),
                label: text(concat!("Emitter ", $number, "\0")),
                hint: c"One more emitter.",
                kind: Kind::Bool { default: false },
                ..EMITTER
            },
            Control {
                id: IDS[1],
                name: text(concat!("emitter", $number, "Centre\0")),
                label: c"Centre",
                hint: CENTRE,
                kind: Kind::Position { default: $centre },
                ..EMITTER
            },
            Control {
                id: IDS[2],
                name: text(concat!("emitter", $number, "Radius\0")),
                label: c"Radius",
                hint: RADIUS,
                kind: double(40.0, [0.0, 100_000.0], [0.0, 500.0]),
                ..EMITTER
            },
            Control {
                id: IDS[3],
                name: text(concat!("emitter", $number, "Rate\0")),
                label: c"Rate",
                hint: RATE,
                kind: double(0.05, [0.0, 10_000.0], [0.0, 1.0]),
                ..EMITTER
            },
            Control {
                id: IDS[4],
                name: text(concat!("emitter", $number, "Colour\0")),
                label: c"Colour",
                hint: c"Colour of its water.",
                kind: Kind::Colour { default: $colour },
                ..EMITTER
            },
            shape(IDS[5], text(concat!("emitter", $number, "Shape\0")), c"Shape", EMITTER),
            width(IDS[6], text(concat!("emitter", $number, "Width\0")), c"Width", EMITTER),
            angle(IDS[7], text(concat!("emitter", $number, "Angle\0")), c"Angle", EMITTER),
            frequency(IDS[8], text(concat!("emitter", $number, "Frequency\0")), c"Frequency", EMITTER),
            phase(IDS[9], text(concat!("emitter", $number, "Phase\0")), c"Phase", EMITTER),
        ]
    }};
}

/// Controls of one emitter.
const CONTROLS_OF_AN_EMITTER: usize = 10;

/// Groups `emitter2Group` to `emitter8Group`.
pub const EMITTER_CONTROLS: &[Control<Id>] = [
    emitter!(2, [0.25, 0.5], [0.1, 0.35, 0.6]; Emitter2, Emitter2Centre, Emitter2Radius, Emitter2Rate, Emitter2Colour, Emitter2Shape, Emitter2Width, Emitter2Angle, Emitter2Frequency, Emitter2Phase),
    emitter!(3, [0.75, 0.5], [0.6, 0.2, 0.1]; Emitter3, Emitter3Centre, Emitter3Radius, Emitter3Rate, Emitter3Colour, Emitter3Shape, Emitter3Width, Emitter3Angle, Emitter3Frequency, Emitter3Phase),
    emitter!(4, [0.5, 0.75], [0.2, 0.5, 0.15]; Emitter4, Emitter4Centre, Emitter4Radius, Emitter4Rate, Emitter4Colour, Emitter4Shape, Emitter4Width, Emitter4Angle, Emitter4Frequency, Emitter4Phase),
    emitter!(5, [0.25, 0.25], [0.1, 0.35, 0.6]; Emitter5, Emitter5Centre, Emitter5Radius, Emitter5Rate, Emitter5Colour, Emitter5Shape, Emitter5Width, Emitter5Angle, Emitter5Frequency, Emitter5Phase),
    emitter!(6, [0.75, 0.25], [0.6, 0.2, 0.1]; Emitter6, Emitter6Centre, Emitter6Radius, Emitter6Rate, Emitter6Colour, Emitter6Shape, Emitter6Width, Emitter6Angle, Emitter6Frequency, Emitter6Phase),
    emitter!(7, [0.25, 0.75], [0.2, 0.5, 0.15]; Emitter7, Emitter7Centre, Emitter7Radius, Emitter7Rate, Emitter7Colour, Emitter7Shape, Emitter7Width, Emitter7Angle, Emitter7Frequency, Emitter7Phase),
    emitter!(8, [0.75, 0.75], [0.1, 0.35, 0.6]; Emitter8, Emitter8Centre, Emitter8Radius, Emitter8Rate, Emitter8Colour, Emitter8Shape, Emitter8Width, Emitter8Angle, Emitter8Frequency, Emitter8Phase),
]
.as_flattened();
