//! Parameters of the emitters: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{
    Condition, Control, Kind, blank, choice, colour, double, fields, position, switch, text,
};
use crate::sim::water::settings::EMITTERS;
use EmitterField::On;

fields! {
    /// A parameter of an emitter, in the order of the panel.
    EmitterField {
        On,
        Centre,
        Radius,
        Softness,
        Rate,
        Colour,
        Shape,
        Width,
        Angle,
        Frequency,
        Phase,
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

type Texts = [&'static CStr; EmitterField::COUNT];

/// Script names of an emitter's parameters.
macro_rules! names {
    ($emitter:literal) => {
        names!($emitter "" "Centre" "Radius" "Softness" "Rate" "Colour" "Shape" "Width" "Angle" "Frequency" "Phase")
    };
    ($emitter:literal $($field:literal)*) => {
        [$(text(concat!($emitter, $field, "\0"))),*]
    };
}

/// Labels of an emitter's parameters in a group of their own.
const fn labels(emitter: &'static CStr) -> Texts {
    [
        emitter,
        c"Centre",
        c"Radius",
        c"Softness",
        c"Rate",
        c"Colour",
        c"Shape",
        c"Width",
        c"Angle",
        c"Frequency",
        c"Phase",
    ]
}

/// Labels of the first emitter's parameters, which share a group with others.
const FIRST_LABELS: Texts = [
    c"Emitter",
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
    rows(0, GROUP, names!("emitter"), FIRST_LABELS, [0.5, 0.5], BLUE),
    rows(1, c"emitter2Group", names!("emitter2"), labels(c"Emitter 2"), [0.25, 0.5], BLUE),
    rows(2, c"emitter3Group", names!("emitter3"), labels(c"Emitter 3"), [0.75, 0.5], RED),
    rows(3, c"emitter4Group", names!("emitter4"), labels(c"Emitter 4"), [0.5, 0.75], GREEN),
    rows(4, c"emitter5Group", names!("emitter5"), labels(c"Emitter 5"), [0.25, 0.25], BLUE),
    rows(5, c"emitter6Group", names!("emitter6"), labels(c"Emitter 6"), [0.75, 0.25], RED),
    rows(6, c"emitter7Group", names!("emitter7"), labels(c"Emitter 7"), [0.25, 0.75], GREEN),
    rows(7, c"emitter8Group", names!("emitter8"), labels(c"Emitter 8"), [0.75, 0.75], BLUE),
];

/// The rows of an emitter: the first is on by itself where there is no Source, and its colour is the rain's, too.
const fn rows(
    n: usize,
    group: &'static CStr,
    names: Texts,
    labels: Texts,
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
    let mut rows = [
        if first {
            row(group, choice(&[c"When no Source", c"On", c"Off"], 0))
                .hint(c"A built-in source, so that the node shows water at once.")
        } else {
            row(group, switch(true)).hint(c"One more emitter.")
        },
        row(on, position(centre))
            .hint(c"Where the emitter is, in full-resolution pixels. Moving it draws a stroke of water."),
        row(on, double(40.0, [0.0, 100_000.0], [0.0, 500.0]))
            .hint(c"Radius of the emitter, or half the length of a line, in full-resolution pixels."),
        row(on, double(0.5, [0.0, 1.0], [0.0, 1.0])).hint(
            c"How softly the emitter's inflow fades towards its rim: 0 is a hard edge, 1 fades from the middle on. The volume \
              stays.",
        ),
        row(on, double(0.05, [0.0, 10_000.0], [0.0, 1.0]))
            .hint(c"Height of water that flows in under the emitter per frame."),
        if first {
            row(group, colour(rgb)).hint(c"Colour of the emitter's water and of the rain.")
        } else {
            row(on, colour(rgb)).hint(c"Colour of its water.")
        },
        row(on, choice(&[c"Disc", c"Line", c"Ring"], 0)).hint(
            c"What the emitter looks like from above. Lines make straight waves and curtains, rings a splash's edge.",
        ),
        row(on.when(Condition::NoneOf(shape, &[DISC])), double(8.0, [0.0, 100_000.0], [0.0, 100.0]))
            .hint(c"Width of the emitter's line or ring, in full-resolution pixels."),
        row(on.when(Condition::OneOf(shape, &[LINE])), double(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0]))
            .hint(c"Direction of the emitter's line, in degrees counter-clockwise from the right."),
        row(on, double(0.0, [0.0, 10.0], [0.0, 0.25])).hint(
            c"Waves per frame: the rate swells to twice its value and falls to nothing so often. 0 flows evenly, 0.05 \
              makes a wave every 20 frames.",
        ),
        row(
            on.when(Condition::NonZero(Id::Emitter(n, EmitterField::Frequency))),
            double(0.0, [-1000.0, 1000.0], [0.0, 1.0]),
        )
        .hint(c"How far the waves are on at frame 0, in waves: 0.5 makes an emitter swell while another falls."),
    ];
    let mut place = 0;
    while place < rows.len() {
        let field = EmitterField::ALL[place];
        rows[place] = rows[place].id(Id::Emitter(n, field)).of(names[place], labels[place], rows[place].kind);
        place += 1;
    }
    rows
}

const fn row(group: Control<Id>, kind: Kind) -> Control<Id> {
    Control { kind, ..group }
}
