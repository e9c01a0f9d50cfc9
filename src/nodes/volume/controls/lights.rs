//! Parameters of the lights: the same rows for each.

use std::ffi::CStr;

use super::{Id, output};
use crate::nodes::common::controls::{
    Condition, Control, Invalidates, Kind, blank, choice, colour, double, fields, text, triple,
};
use LightField::Type;

/// Number of lights.
pub const LIGHTS: usize = crate::picture::volume::LIGHTS;

/// The group of the lights' groups.
pub const GROUP: &CStr = c"light";

fields! {
    /// A parameter of a light, in the order of the panel.
    LightField {
        Type,
        Direction,
        Elevation,
        Position,
        Reach,
        Cone,
        Colour,
        Intensity,
        Shadow,
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

/// Script names of a light's parameters.
macro_rules! names {
    ($light:literal) => {
        names!($light "Type" "Direction" "Elevation" "Position" "Reach" "Cone" "Colour" "Intensity" "Shadow")
    };
    ($light:literal $($field:literal)*) => {
        [$(text(concat!($light, $field, "\0"))),*]
    };
}

/// The rows of all lights.
pub const ROWS: [[Control<Id>; LightField::COUNT]; LIGHTS] = [
    rows(0, c"light1Group", names!("light1"), [130.0, 20.0]),
    rows(1, c"light2Group", names!("light2"), [-30.0, 10.0]),
    rows(2, c"light3Group", names!("light3"), [60.0, -30.0]),
    rows(3, c"light4Group", names!("light4"), [-140.0, 30.0]),
];

/// The outputs that show a light.
const SHOWN: [[i32; 2]; LIGHTS] = [
    [output::BEAUTY, output::LIGHTS[0]],
    [output::BEAUTY, output::LIGHTS[1]],
    [output::BEAUTY, output::LIGHTS[2]],
    [output::BEAUTY, output::LIGHTS[3]],
];

/// The rows of a light, with its angles by default.
const fn rows(
    n: usize,
    group: &'static CStr,
    names: [&'static CStr; LightField::COUNT],
    [direction, elevation]: [f64; 2],
) -> [Control<Id>; LightField::COUNT] {
    let group = blank(Id::Light(n, Type), group)
        .invalidates(Invalidates::Picture)
        .shown_when(Condition::AtLeast(Id::Lights, n as i32 + 1))
        .when(Condition::OneOf(Id::Output, &SHOWN[n]));
    let turned = group.when(Condition::OneOf(Id::Light(n, Type), &[kind::DIRECTIONAL, kind::SPOT]));
    let placed = group.when(Condition::OneOf(Id::Light(n, Type), &[kind::POINT, kind::SPOT]));
    let narrow = group.when(Condition::OneOf(Id::Light(n, Type), &[kind::SPOT]));
    let angle = [-36_000.0, 36_000.0];
    let mut rows = [
        row(group, c"Type", choice(&[c"Directional", c"Point", c"Spot"], kind::DIRECTIONAL)).hint(
            c"Directional: parallel light, as of the sun. Point: to all sides from a position. Spot: from a position in a \
              cone.",
        ),
        row(turned, c"Direction", double(direction, angle, [-180.0, 180.0]))
            .hint(c"Where the light comes from, in degrees counter-clockwise from the right."),
        row(turned, c"Elevation", double(elevation, [-90.0, 90.0], [-90.0, 90.0])).hint(
            c"How far the light stands in front of the picture, in degrees; below 0 it shines from behind.",
        ),
        row(placed, c"Position", triple(0.5, [-1000.0, 1000.0], [-2.0, 2.0])).hint(
            c"Where it is, in heights of the box from the middle of the box's floor: to the right, up, and towards the \
              viewer.",
        ),
        row(placed, c"Reach", double(0.5, [0.0, 1000.0], [0.0, 2.0])).hint(
            c"Distance at which it has its intensity, in heights of the box. It falls with the square of the distance.",
        ),
        row(narrow, c"Cone", double(30.0, [1.0, 180.0], [1.0, 90.0]))
            .hint(c"Angle between the middle of the cone and its edge, in degrees."),
        row(group, c"Colour", colour([1.0, 0.94, 0.84])).hint(c"Colour of the light."),
        row(group, c"Intensity", double(0.9, [0.0, 1000.0], [0.0, 5.0]))
            .hint(c"Brightness of the light. 1 lights thick smoke to about its own colour."),
        row(group, c"Self-shadow", double(1.0, [0.0, 100.0], [0.0, 2.0]))
            .hint(c"How dark the smoke's own shadow is, relative to its opacity."),
    ];
    let mut place = 0;
    while place < rows.len() {
        let Control { label, kind, .. } = rows[place];
        rows[place] = rows[place].id(Id::Light(n, LightField::ALL[place])).of(names[place], label, kind);
        place += 1;
    }
    rows
}

const fn row(group: Control<Id>, label: &'static CStr, kind: Kind) -> Control<Id> {
    Control { label, kind, ..group }
}
