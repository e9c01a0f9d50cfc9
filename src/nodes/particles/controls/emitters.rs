//! Parameters of the emitters: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{
    Condition, Control, Invalidates, Kind, blank, choice, colour, double, fields, int, position, switch, vector,
};
use EmitterField::{BurstCount, Moves, On, Shape, Sprite};

/// Number of emitters.
pub const EMITTERS: usize = crate::sim::particles::settings::EMITTERS;

fields! {
    /// A parameter of an emitter, in the order of the panel.
    EmitterField of Emitter ["emitter1", "emitter2", "emitter3", "emitter4"] {
        On "", Shape, Centre, Depth, Radius, Height, Thickness, Angle, Threshold, Rate, BurstCount "Burst",
        BurstFrame, BurstEvery, Life, LifeSpread, Speed, SpeedSpread, Direction, Spread, Elevation, DepthSpread,
        Inherit, InheritAir, Moves, Drag, Weight, Capacity, ColourFrom, Sprite, Size, SizeSpread, SizeYoung,
        SizeOld, Opacity, OpacityYoung, OpacityLate, OpacityEnd, ColourBirth, ColourMiddle, ColourEnd, Brightness,
        Cover, Stretch, Spin,
    }
}

/// Options of the shape.
mod shape {
    pub const POINT: i32 = 0;
    pub const LINE: i32 = 1;
    pub const DISC: i32 = 2;
    pub const SPHERE: i32 = 3;
    pub const BOX: i32 = 4;
    pub const MATTE: i32 = 5;
    pub const EDGE: i32 = 6;
}

/// Option of the motion: with drag.
const DRAGGED: i32 = 0;

/// The defaults in which emitters differ.
struct Defaults {
    on: bool,
    centre: [f64; 2],
}

/// The rows of all emitters.
pub static ROWS: [[Control<Id>; EmitterField::COUNT]; EMITTERS] = [
    rows(0, [c"emitter1Group", c"emitter1Look"], c"Emitter 1", Defaults { on: true, centre: [0.5, 0.1] }),
    rows(1, [c"emitter2Group", c"emitter2Look"], c"Emitter 2", Defaults { on: false, centre: [0.25, 0.5] }),
    rows(2, [c"emitter3Group", c"emitter3Look"], c"Emitter 3", Defaults { on: false, centre: [0.5, 0.5] }),
    rows(3, [c"emitter4Group", c"emitter4Look"], c"Emitter 4", Defaults { on: false, centre: [0.75, 0.5] }),
];

/// A share of 0 to 1.
const fn share(default: f64) -> Kind {
    double(default, [0.0, 1.0], [0.0, 1.0])
}

/// A length in pixels, 0 and up.
const fn pixels(default: f64, slider: f64) -> Kind {
    double(default, [0.0, 100_000.0], [0.0, slider])
}

/// An angle in degrees.
const fn degrees(default: f64) -> Kind {
    double(default, [-36_000.0, 36_000.0], [-180.0, 180.0])
}

/// Two keys of a curve over life.
const fn keys(default: f64) -> Kind {
    vector(default, [0.0, 100.0], [0.0, 2.0])
}

/// The rows of an emitter.
const fn rows(
    n: usize,
    groups: [&'static CStr; 2],
    label: &'static CStr,
    defaults: Defaults,
) -> [Control<Id>; EmitterField::COUNT] {
    let group = blank(Id::Emitter(n, On), groups[0]);
    let on = group.when(Condition::On(Id::Emitter(n, On)));
    let with = Id::Emitter(n, Shape);
    let bursts = on.when(Condition::Positive(Id::Emitter(n, BurstCount)));
    let look = blank(Id::Emitter(n, Sprite), groups[1])
        .invalidates(Invalidates::Picture)
        .when(Condition::On(Id::Emitter(n, On)));
    let rows = [
        group.field(label, switch(defaults.on)).constant(),
        on.field(
            c"Shape",
            choice(&[c"Point", c"Line", c"Disc", c"Sphere", c"Box", c"Matte", c"Matte edge"], shape::DISC),
        )
        .constant(),
        on.field(c"Centre", position(defaults.centre)),
        on.field(c"Depth", double(0.0, [-100_000.0, 100_000.0], [-1000.0, 1000.0])),
        on.when(Condition::NoneOf(with, &[shape::POINT, shape::MATTE, shape::EDGE]))
            .field(c"Radius", pixels(120.0, 1000.0)),
        on.when(Condition::OneOf(with, &[shape::BOX])).field(c"Height", pixels(100.0, 1000.0)),
        on.when(Condition::NoneOf(with, &[shape::SPHERE])).field(c"Thickness", pixels(0.0, 1000.0)),
        on.when(Condition::OneOf(with, &[shape::LINE, shape::BOX])).field(c"Angle", degrees(0.0)),
        on.when(Condition::OneOf(with, &[shape::EDGE])).field(c"Threshold", share(0.5)),
        on.field(c"Rate", double(30.0, [0.0, 1_000_000.0], [0.0, 1000.0])),
        on.field(c"Burst", double(0.0, [0.0, 1_000_000.0], [0.0, 10_000.0])).constant(),
        bursts.field(c"Burst frame", int(1, [-1_000_000, 1_000_000], [0, 200])).constant(),
        bursts.field(c"Burst every", int(0, [0, 100_000], [0, 100])).constant(),
        on.field(c"Life", double(60.0, [0.125, 10_000.0], [1.0, 200.0])),
        on.field(c"Life spread", share(0.5)),
        on.field(c"Speed", double(5.0, [-10_000.0, 10_000.0], [0.0, 60.0])),
        on.field(c"Speed spread", share(0.5)),
        on.field(c"Direction", degrees(90.0)),
        on.field(c"Spread", double(50.0, [0.0, 360.0], [0.0, 360.0])),
        on.field(c"Elevation", degrees(0.0)),
        on.field(c"Depth spread", double(0.0, [0.0, 360.0], [0.0, 360.0])),
        on.field(c"Inherit", double(0.0, [-100.0, 100.0], [0.0, 1.0])),
        on.field(c"Inherit air", double(0.0, [-100.0, 100.0], [0.0, 1.0])),
        on.field(c"Motion", choice(&[c"With mass", c"As the air"], DRAGGED)),
        on.when(Condition::OneOf(Id::Emitter(n, Moves), &[DRAGGED]))
            .field(c"Drag", double(0.05, [0.0, 100.0], [0.0, 1.0])),
        on.when(Condition::OneOf(Id::Emitter(n, Moves), &[DRAGGED]))
            .field(c"Weight", double(1.0, [-100.0, 100.0], [0.0, 2.0])),
        on.field(c"Capacity", int(20_000, [1, 4_000_000], [100, 200_000])).constant(),
        on.field(c"Colour from", choice(&[c"Colours", c"Source"], 0)).constant(),
        look.field(
            c"Sprite",
            choice(&[c"Disc", c"Soft disc", c"Spark", c"Puff", c"Star", c"Flake", c"Sprite input"], 2),
        ),
        look.field(c"Size", pixels(16.0, 200.0)),
        look.field(c"Size spread", share(0.5)),
        look.field(c"Size, young", keys(1.0)),
        look.field(c"Size, old", keys(1.0)),
        look.field(c"Opacity", double(1.0, [0.0, 100.0], [0.0, 1.0])),
        look.field(c"Opacity, young", keys(1.0)),
        look.field(c"Opacity, late", double(0.6, [0.0, 100.0], [0.0, 2.0])),
        look.field(c"Opacity, end", double(0.0, [0.0, 100.0], [0.0, 2.0])),
        look.field(c"Colour at birth", colour([1.0, 0.75, 0.35])),
        look.field(c"Colour in the middle", colour([1.0, 0.35, 0.06])),
        look.field(c"Colour at the end", colour([0.5, 0.06, 0.01])),
        look.field(c"Brightness", double(1.5, [0.0, 10_000.0], [0.0, 10.0])),
        look.field(c"Cover", share(0.0)),
        look.field(c"Stretch", double(1.0, [0.0, 1000.0], [0.0, 4.0])),
        look.field(c"Spin", double(0.0, [-10.0, 10.0], [0.0, 0.2])),
    ];
    EmitterField::named(n, rows)
}
