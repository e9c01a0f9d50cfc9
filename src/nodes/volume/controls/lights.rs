//! Parameters of the lights: the same rows for each.

use std::ffi::CStr;

use super::{Id, output};
use crate::nodes::common::controls::{Condition, Control, Invalidates, blank, choice, colour, double, fields, triple};
use LightField::Type;

/// Number of lights.
pub const LIGHTS: usize = crate::picture::volume::LIGHTS;

/// The group of the lights' groups.
pub const GROUP: &CStr = c"light";

fields! {
    /// A parameter of a light, in the order of the panel.
    LightField of Light ["light1", "light2", "light3", "light4"] {
        Type, Direction, Elevation, Position, Reach, Cone, Colour, Intensity, Shadow,
    }
}

/// Options of the type.
pub mod kind {
    /// Parallel light.
    pub const DIRECTIONAL: i32 = 0;
    /// Light from a point.
    pub const POINT: i32 = 1;
    /// Light from a point in a cone.
    pub const SPOT: i32 = 2;
}

/// The rows of all lights.
pub const ROWS: [[Control<Id>; LightField::COUNT]; LIGHTS] = [
    rows(0, c"light1Group", [130.0, 20.0]),
    rows(1, c"light2Group", [-30.0, 10.0]),
    rows(2, c"light3Group", [60.0, -30.0]),
    rows(3, c"light4Group", [-140.0, 30.0]),
];

/// The outputs that show a light.
const SHOWN: [[i32; 2]; LIGHTS] = [
    [output::BEAUTY, output::LIGHTS[0]],
    [output::BEAUTY, output::LIGHTS[1]],
    [output::BEAUTY, output::LIGHTS[2]],
    [output::BEAUTY, output::LIGHTS[3]],
];

/// The rows of a light, with its angles by default.
const fn rows(n: usize, group: &'static CStr, [direction, elevation]: [f64; 2]) -> [Control<Id>; LightField::COUNT] {
    let group = blank(Id::Light(n, Type), group)
        .invalidates(Invalidates::Picture)
        .shown_when(Condition::AtLeast(Id::Lights, n as i32 + 1))
        .when(Condition::OneOf(Id::Output, &SHOWN[n]));
    let turned = group.when(Condition::OneOf(Id::Light(n, Type), &[kind::DIRECTIONAL, kind::SPOT]));
    let placed = group.when(Condition::OneOf(Id::Light(n, Type), &[kind::POINT, kind::SPOT]));
    let narrow = group.when(Condition::OneOf(Id::Light(n, Type), &[kind::SPOT]));
    let angle = [-36_000.0, 36_000.0];
    let rows = [
        group.field(c"Type", choice(&[c"Directional", c"Point", c"Spot"], kind::DIRECTIONAL)),
        turned.field(c"Direction", double(direction, angle, [-180.0, 180.0])),
        turned.field(c"Elevation", double(elevation, [-90.0, 90.0], [-90.0, 90.0])),
        placed.field(c"Position", triple(0.5, [-1000.0, 1000.0], [-2.0, 2.0])),
        placed.field(c"Reach", double(0.5, [0.0, 1000.0], [0.0, 2.0])),
        narrow.field(c"Cone", double(30.0, [1.0, 180.0], [1.0, 90.0])),
        group.field(c"Colour", colour([1.0, 0.94, 0.84])),
        group.field(c"Intensity", double(0.9, [0.0, 1000.0], [0.0, 5.0])),
        group.field(c"Self-shadow", double(1.0, [0.0, 100.0], [0.0, 2.0])),
    ];
    LightField::named(n, rows)
}
