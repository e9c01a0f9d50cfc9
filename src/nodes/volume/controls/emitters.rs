//! Parameters of the emitters: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{
    Condition, Control, Kind, blank, choice, double, fields, int, switch, text, triple,
};
use EmitterField::{Breakup, Duration, On, Shape};

/// Number of emitters.
pub const EMITTERS: usize = crate::sim::volume::settings::EMITTERS;

/// The group of the emitters' groups.
pub const GROUP: &CStr = c"emitters";

fields! {
    /// A parameter of an emitter, in the order of the panel.
    EmitterField {
        On,
        Shape,
        Centre,
        Radius,
        Height,
        Softness,
        Density,
        Mode,
        Heat,
        Fuel,
        Velocity,
        Expansion,
        Breakup,
        BreakupSize,
        Delay,
        Duration,
    }
}

/// Options of the shape.
pub mod shape {
    /// A ball.
    pub const SPHERE: i32 = 0;
}

/// Script names of an emitter's parameters.
macro_rules! names {
    ($emitter:literal) => {
        names!($emitter "" "Shape" "Centre" "Radius" "Height" "Softness" "Density" "Mode" "Heat" "Fuel" "Velocity"
            "Expansion" "Breakup" "BreakupSize" "Delay" "Duration")
    };
    ($emitter:literal $($field:literal)*) => {
        [$(text(concat!($emitter, $field, "\0"))),*]
    };
}

/// The rows of all emitters.
pub const ROWS: [[Control<Id>; EmitterField::COUNT]; EMITTERS] = [
    rows(0, [c"emitter1Group", c"Emitter 1"], names!("emitter1")),
    rows(1, [c"emitter2Group", c"Emitter 2"], names!("emitter2")),
    rows(2, [c"emitter3Group", c"Emitter 3"], names!("emitter3")),
    rows(3, [c"emitter4Group", c"Emitter 4"], names!("emitter4")),
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
const fn rows(
    n: usize,
    [group, label]: [&'static CStr; 2],
    names: [&'static CStr; EmitterField::COUNT],
) -> [Control<Id>; EmitterField::COUNT] {
    let group = blank(Id::Emitter(n, On), group).shown_when(Condition::AtLeast(Id::EmitterCount, n as i32 + 1));
    let on = group.when(Condition::On(Id::Emitter(n, On)));
    let tall = on.when(Condition::NoneOf(Id::Emitter(n, Shape), &[shape::SPHERE]));
    let broken = on.when(Condition::Positive(Id::Emitter(n, Breakup)));
    let short = on.when(Condition::AtLeast(Id::Emitter(n, Duration), 1));
    let mut rows = [
        row(group, label, switch(true)).hint(c"A source of smoke, heat and fuel."),
        row(on, c"Shape", choice(&[c"Sphere", c"Box", c"Capsule", c"Disc"], shape::SPHERE))
            .hint(c"Its shape. Box: as wide and deep as twice the Radius. Capsule and Disc stand upright."),
        row(on, c"Centre", triple(0.0, [-1000.0, 1000.0], [-1.0, 1.0])).hint(
            c"Where it is, in heights of the box from the middle of the box's floor: to the right, up, and towards the \
              viewer. One that is keyed emits all along its way.",
        ),
        row(on, c"Radius", length(0.07, 0.5)).hint(c"Radius in heights of the box."),
        row(tall, c"Height", length(0.1, 1.0))
            .hint(c"Height in heights of the box; of a capsule, that of its straight part."),
        row(on, c"Softness", share(0.4)).hint(
            c"Share of the radius across which it fades: 0 is a hard edge, 1 fades from the middle on.",
        ),
        row(on, c"Density", double(1.0, [0.0, 1000.0], [0.0, 2.0])).hint(c"Density of its smoke in the middle."),
        row(on, c"Mode", choice(&[c"Fill up", c"Add", c"Replace"], 0)).hint(
            c"How it lets the density in. Fill up: to its density, where there is less. Add: its density per frame. \
              Replace: whatever there is.",
        ),
        row(on, c"Heat", share(1.0)).hint(c"Temperature up to which it heats; 1 is the hottest there can be."),
        row(on, c"Fuel", share(0.0)).hint(
            c"Fuel up to which it fills: above 0 it burns with a flame where it is hot enough, as the group Fire says. \
              Less fuel, a lower flame.",
        ),
        row(on, c"Velocity", triple(0.0, [-1000.0, 1000.0], [-10.0, 10.0])).hint(
            c"Velocity of its gas in percent of the box's height per frame: to the right, up, and towards the viewer. All 0: \
              the air is left alone.",
        ),
        row(on, c"Expansion", double(0.0, [-0.5, 0.5], [0.0, 0.3])).hint(
            c"Growth of the gas in it per frame, as an exponent: 0.2 is a blast. Below 0 it draws air in.",
        ),
        row(on, c"Break-up", share(0.5))
            .hint(c"How far a moving noise breaks its emission up: 0 is even, 1 leaves gaps."),
        row(broken, c"Break-up size", double(0.06, [0.001, 10.0], [0.01, 0.5]))
            .hint(c"Size of the patches of that noise, in heights of the box."),
        row(short, c"Delay", int(0, [-100_000, 100_000], [0, 100])).constant()
            .hint(c"Frames after the Start frame at which it begins."),
        row(on, c"Duration", int(0, [0, 100_000], [0, 100])).constant()
            .hint(c"Frames for which it emits; 0: always, also in the pre-roll."),
    ];
    let mut place = 0;
    while place < rows.len() {
        let Control { label, kind, .. } = rows[place];
        rows[place] = rows[place].id(Id::Emitter(n, EmitterField::ALL[place])).of(names[place], label, kind);
        place += 1;
    }
    rows
}

const fn row(group: Control<Id>, label: &'static CStr, kind: Kind) -> Control<Id> {
    Control { label, kind, ..group }
}
