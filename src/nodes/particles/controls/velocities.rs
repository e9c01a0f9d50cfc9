//! Parameters of the Velocity inputs: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Control, blank, double, fields, int, text};

/// Number of Velocity inputs.
pub const VELOCITIES: usize = crate::sim::particles::settings::FIELDS;

fields! {
    /// A parameter of a Velocity input, in the order of the panel.
    VelocityField of Velocity ["velocity1", "velocity2", "velocity3", "velocity4"] {
        Scale, Depth, Thickness, Fade, Group,
    }
}

/// Labels of an input's parameters.
macro_rules! labels {
    ($input:literal) => {
        labels!($input " scale" " depth" " thickness" " fade" " group")
    };
    ($input:literal $($field:literal)*) => {
        [$(text(concat!($input, $field, "\0"))),*]
    };
}

/// The rows of all Velocity inputs.
pub const ROWS: [[Control<Id>; VelocityField::COUNT]; VELOCITIES] = [
    rows(0, labels!("Velocity 1")),
    rows(1, labels!("Velocity 2")),
    rows(2, labels!("Velocity 3")),
    rows(3, labels!("Velocity 4")),
];

const fn rows(n: usize, labels: [&'static CStr; VelocityField::COUNT]) -> [Control<Id>; VelocityField::COUNT] {
    let group = blank(Id::Velocity(n, VelocityField::Scale), c"velocityGroup");
    let [scale, depth, thickness, fade, shared] = labels;
    let far = 100_000.0;
    let rows = [
        group.field(scale, double(1.0, [-1_000_000.0, 1_000_000.0], [-4.0, 4.0])),
        group.field(depth, double(0.0, [-far, far], [-1000.0, 1000.0])),
        group.field(thickness, double(0.0, [0.0, far], [0.0, 1000.0])),
        group.field(fade, double(4.0, [0.0, far], [0.0, 200.0])),
        group.field(shared, int(0, [0, 4], [0, 4])),
    ];
    VelocityField::named(n, rows)
}
