//! Parameters of the Velocity inputs: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Control, blank, double, fields, int, text};

/// Number of Velocity inputs.
pub const VELOCITIES: usize = crate::sim::particles::settings::FIELDS;

fields! {
    /// A parameter of a Velocity input, in the order of the panel.
    VelocityField {
        Scale,
        Depth,
        Thickness,
        Fade,
        Group,
    }
}

/// Script names and labels of an input's parameters.
macro_rules! names {
    ($name:literal, $label:literal) => {
        [
            [text(concat!($name, "Scale\0")), text(concat!($label, " scale\0"))],
            [text(concat!($name, "Depth\0")), text(concat!($label, " depth\0"))],
            [text(concat!($name, "Thickness\0")), text(concat!($label, " thickness\0"))],
            [text(concat!($name, "Fade\0")), text(concat!($label, " fade\0"))],
            [text(concat!($name, "Group\0")), text(concat!($label, " group\0"))],
        ]
    };
}

/// The rows of all Velocity inputs.
pub const ROWS: [[Control<Id>; VelocityField::COUNT]; VELOCITIES] = [
    rows(0, names!("velocity1", "Velocity 1")),
    rows(1, names!("velocity2", "Velocity 2")),
    rows(2, names!("velocity3", "Velocity 3")),
    rows(3, names!("velocity4", "Velocity 4")),
];

const fn rows(n: usize, names: [[&'static CStr; 2]; VelocityField::COUNT]) -> [Control<Id>; VelocityField::COUNT] {
    let group = blank(Id::Velocity(n, VelocityField::Scale), c"velocityGroup");
    let far = 100_000.0;
    let mut rows = [
        Control { kind: double(1.0, [-1_000_000.0, 1_000_000.0], [-4.0, 4.0]), ..group }.hint(
            c"Pixels per frame for a value of 1 in red (to the right) and green (up) of the input. Its alpha is its weight. \
              0: the input is not used.",
        ),
        Control { kind: double(0.0, [-far, far], [-1000.0, 1000.0]), ..group }
            .hint(c"Distance of the field in front of the picture's plane, in pixels."),
        Control { kind: double(0.0, [0.0, far], [0.0, 1000.0]), ..group }
            .hint(c"Extent of the field towards the camera, in pixels; 0: it is the same at all depths."),
        Control { kind: double(4.0, [0.0, far], [0.0, 200.0]), ..group }
            .hint(c"Distance from its borders over which the field fades in, in full-resolution pixels."),
        Control { kind: int(0, [0, 4], [0, 4]), ..group }.hint(
            c"Fields of different groups, and those of group 0, add up where they overlap. Fields of the same group share: \
              two of the same flow count as one.",
        ),
    ];
    let mut place = 0;
    while place < rows.len() {
        let [name, label] = names[place];
        rows[place] = rows[place].id(Id::Velocity(n, VelocityField::ALL[place])).of(name, label, rows[place].kind);
        place += 1;
    }
    rows
}
