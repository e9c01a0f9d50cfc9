//! Parameters of the emitters: the same rows for each.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{
    Condition, Control, Invalidates, Kind, blank, choice, colour, double, fields, int, position, switch, text, vector,
};
use EmitterField::{BurstCount, Moves, On, Shape, Sprite};

/// Number of emitters.
pub const EMITTERS: usize = crate::sim::particles::settings::EMITTERS;

fields! {
    /// A parameter of an emitter, in the order of the panel.
    EmitterField {
        On,
        Shape,
        Centre,
        Depth,
        Radius,
        Height,
        Thickness,
        Angle,
        Threshold,
        Rate,
        BurstCount,
        BurstFrame,
        BurstEvery,
        Life,
        LifeSpread,
        Speed,
        SpeedSpread,
        Direction,
        Spread,
        Elevation,
        DepthSpread,
        Inherit,
        InheritAir,
        Moves,
        Drag,
        Weight,
        Capacity,
        ColourFrom,
        Sprite,
        Size,
        SizeSpread,
        SizeYoung,
        SizeOld,
        Opacity,
        OpacityYoung,
        OpacityLate,
        OpacityEnd,
        ColourBirth,
        ColourMiddle,
        ColourEnd,
        Brightness,
        Cover,
        Stretch,
        Spin,
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

/// Script names of an emitter's parameters.
macro_rules! names {
    ($emitter:literal) => {
        names!($emitter "" "Shape" "Centre" "Depth" "Radius" "Height" "Thickness" "Angle" "Threshold" "Rate" "Burst"
            "BurstFrame" "BurstEvery" "Life" "LifeSpread" "Speed" "SpeedSpread" "Direction" "Spread" "Elevation"
            "DepthSpread" "Inherit" "InheritAir" "Moves" "Drag" "Weight" "Capacity" "ColourFrom" "Sprite" "Size"
            "SizeSpread" "SizeYoung" "SizeOld" "Opacity" "OpacityYoung" "OpacityLate" "OpacityEnd" "ColourBirth" "ColourMiddle"
            "ColourEnd" "Brightness" "Cover" "Stretch" "Spin")
    };
    ($emitter:literal $($field:literal)*) => {
        [$(text(concat!($emitter, $field, "\0"))),*]
    };
}

/// The defaults in which emitters differ.
struct Defaults {
    on: bool,
    centre: [f64; 2],
}

/// The rows of all emitters.
pub static ROWS: [[Control<Id>; EmitterField::COUNT]; EMITTERS] = [
    rows(
        0,
        [c"emitter1Group", c"emitter1Look"],
        c"Emitter 1",
        names!("emitter1"),
        Defaults { on: true, centre: [0.5, 0.1] },
    ),
    rows(
        1,
        [c"emitter2Group", c"emitter2Look"],
        c"Emitter 2",
        names!("emitter2"),
        Defaults { on: false, centre: [0.25, 0.5] },
    ),
    rows(
        2,
        [c"emitter3Group", c"emitter3Look"],
        c"Emitter 3",
        names!("emitter3"),
        Defaults { on: false, centre: [0.5, 0.5] },
    ),
    rows(
        3,
        [c"emitter4Group", c"emitter4Look"],
        c"Emitter 4",
        names!("emitter4"),
        Defaults { on: false, centre: [0.75, 0.5] },
    ),
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
    names: [&'static CStr; EmitterField::COUNT],
    defaults: Defaults,
) -> [Control<Id>; EmitterField::COUNT] {
    let group = blank(Id::Emitter(n, On), groups[0]);
    let on = group.when(Condition::On(Id::Emitter(n, On)));
    let with = Id::Emitter(n, Shape);
    let bursts = on.when(Condition::Positive(Id::Emitter(n, BurstCount)));
    let look = blank(Id::Emitter(n, Sprite), groups[1])
        .invalidates(Invalidates::Picture)
        .when(Condition::On(Id::Emitter(n, On)));
    let mut rows = [
        row(group, label, switch(defaults.on)).constant().hint(c"A source of particles."),
        row(on, c"Shape", choice(
            &[c"Point", c"Line", c"Disc", c"Sphere", c"Box", c"Matte", c"Matte edge"],
            shape::DISC,
        )).constant().hint(
            c"Where particles are born. Matte: inside the Emission input, more where it is brighter. Matte edge: where \
              Emission has just gone below Threshold, as of a plate that burns away. Without an Emission input both are \
              a disc.",
        ),
        row(on, c"Centre", position(defaults.centre)).hint(
            c"Its middle, in full-resolution pixels. A keyed or tracked emitter bears particles all along its way.",
        ),
        row(on, c"Depth", double(0.0, [-100_000.0, 100_000.0], [-1000.0, 1000.0])).hint(
            c"Distance of the emitter in front of the picture's plane, in pixels; below 0 it is behind.",
        ),
        row(on.when(Condition::NoneOf(with, &[shape::POINT, shape::MATTE, shape::EDGE])), c"Radius", pixels(120.0, 1000.0)).hint(
            c"Radius of a disc or sphere, half the length of a line, half the width of a box, in full-resolution pixels.",
        ),
        row(on.when(Condition::OneOf(with, &[shape::BOX])), c"Height", pixels(100.0, 1000.0)).hint(
            c"Height of a box, in full-resolution pixels.",
        ),
        row(on.when(Condition::NoneOf(with, &[shape::SPHERE])), c"Thickness", pixels(0.0, 1000.0)).hint(
            c"Extent towards the camera, in pixels.",
        ),
        row(on.when(Condition::OneOf(with, &[shape::LINE, shape::BOX])), c"Angle", degrees(0.0)).hint(
            c"Direction of a line or of a box's width, in degrees counter-clockwise from the right.",
        ),
        row(on.when(Condition::OneOf(with, &[shape::EDGE])), c"Threshold", share(0.5)).hint(
            c"Value of Emission below which a pixel counts as gone.",
        ),
        row(on, c"Rate", double(30.0, [0.0, 1_000_000.0], [0.0, 1000.0])).hint(
            c"Particles born per frame. Key it to start and stop the emitter; the particles that exist live on.",
        ),
        row(on, c"Burst", double(0.0, [0.0, 1_000_000.0], [0.0, 10_000.0])).constant().hint(
            c"Particles born at once at Burst frame, in addition to Rate.",
        ),
        row(bursts, c"Burst frame", int(1, [-1_000_000, 1_000_000], [0, 200])).constant().hint(
            c"Frame of the first burst.",
        ),
        row(bursts, c"Burst every", int(0, [0, 100_000], [0, 100])).constant().hint(
            c"Frames from one burst to the next; 0 for a single burst.",
        ),
        row(on, c"Life", double(60.0, [0.125, 10_000.0], [1.0, 200.0])).hint(
            c"Life of a particle in frames. A frame that is rendered alone simulates as many frames as the longest life.",
        ),
        row(on, c"Life spread", share(0.5)).hint(c"Share of Life by which lives differ: 0.5 is half to one and a half."),
        row(on, c"Speed", double(5.0, [-10_000.0, 10_000.0], [0.0, 60.0])).hint(c"Speed at birth, in pixels per frame."),
        row(on, c"Speed spread", share(0.5)).hint(c"Share of Speed by which speeds differ."),
        row(on, c"Direction", degrees(90.0)).hint(
            c"Direction at birth, in degrees counter-clockwise from the right; 90 is up.",
        ),
        row(on, c"Spread", double(50.0, [0.0, 360.0], [0.0, 360.0])).hint(
            c"Opening angle of the directions in degrees; 360 is all around.",
        ),
        row(on, c"Elevation", degrees(0.0)).hint(c"Direction at birth towards the camera, in degrees."),
        row(on, c"Depth spread", double(0.0, [0.0, 360.0], [0.0, 360.0])).hint(
            c"Opening angle of the directions towards the camera and away from it, in degrees.",
        ),
        row(on, c"Inherit", double(0.0, [-100.0, 100.0], [0.0, 1.0])).hint(
            c"Share of the emitter's own motion that its particles have at birth.",
        ),
        row(on, c"Inherit air", double(0.0, [-100.0, 100.0], [0.0, 1.0])).hint(
            c"Share of the air's velocity, wind and Velocity inputs, that its particles have at birth.",
        ),
        row(on, c"Motion", choice(&[c"With mass", c"As the air"], DRAGGED)).hint(
            c"With mass: particles fly, and the air drags them along. As the air: they go exactly where the air goes.",
        ),
        row(on.when(Condition::OneOf(Id::Emitter(n, Moves), &[DRAGGED])), c"Drag", double(0.05, [0.0, 100.0], [0.0, 1.0]))
            .hint(
                c"How soon the air takes a particle along, per frame: 0.05 takes 20 frames, 1 takes one, 0 is empty space.",
            ),
        row(on.when(Condition::OneOf(Id::Emitter(n, Moves), &[DRAGGED])), c"Weight", double(1.0, [-100.0, 100.0], [0.0, 2.0]))
            .hint(c"Factor of Gravity on its particles; below 0 they rise."),
        row(on, c"Capacity", int(20_000, [1, 4_000_000], [100, 200_000])).constant().hint(
            c"Most particles of this emitter at a time. Beyond it the oldest end early, faded out as by age; a message \
              says so.",
        ),
        row(on, c"Colour from", choice(&[c"Colours", c"Source"], 0)).constant().hint(
            c"Colours: those of the look. Source: the Source's colour where a particle is born, times those of the look.",
        ),
        row(look, c"Sprite", choice(
            &[c"Disc", c"Soft disc", c"Spark", c"Puff", c"Star", c"Flake", c"Sprite input"],
            2,
        )).hint(
            c"The picture of a particle. Puff: a small cloud in the light. Sprite input: the picture of the Sprite input, or \
              a frame of it; without one, a soft disc.",
        ),
        row(look, c"Size", pixels(16.0, 200.0)).hint(c"Diameter in full-resolution pixels."),
        row(look, c"Size spread", share(0.5)).hint(c"Share of Size by which sizes differ."),
        row(look, c"Size, young", keys(1.0)).hint(c"Factors of Size at birth and at a third of the life."),
        row(look, c"Size, old", keys(1.0)).hint(c"Factors of Size at two thirds of the life and at its end."),
        row(look, c"Opacity", double(1.0, [0.0, 100.0], [0.0, 1.0])).hint(
            c"How much of it there is: cover, or light where Cover is 0.",
        ),
        row(look, c"Opacity, young", keys(1.0)).hint(c"Factors of Opacity at birth and at a third of the life."),
        row(look, c"Opacity, late", double(0.6, [0.0, 100.0], [0.0, 2.0])).hint(
            c"Factor of Opacity at two thirds of the life.",
        ),
        row(look, c"Opacity, end", double(0.0, [0.0, 100.0], [0.0, 2.0])).hint(
            c"Factor of Opacity at the end of the life. Above 0, particles disappear at once.",
        ),
        row(look, c"Colour at birth", colour([1.0, 0.75, 0.35])).hint(c"Colour at birth."),
        row(look, c"Colour in the middle", colour([1.0, 0.35, 0.06])).hint(c"Colour at half of the life."),
        row(look, c"Colour at the end", colour([0.5, 0.06, 0.01])).hint(c"Colour at the end of the life."),
        row(look, c"Brightness", double(1.5, [0.0, 10_000.0], [0.0, 10.0])).hint(c"Factor of the colours."),
        row(look, c"Cover", share(0.0)).hint(
            c"0: adds its light, as fire does. 1: covers what is behind it, as dust does.",
        ),
        row(look, c"Stretch", double(1.0, [0.0, 1000.0], [0.0, 4.0])).hint(
            c"Length along the motion, as a factor of the way while the shutter is open: 1 is motion blur. The light \
              stays the same.",
        ),
        row(look, c"Spin", double(0.0, [-10.0, 10.0], [0.0, 0.2])).hint(
            c"Rotation in turns per frame, at most, to either side.",
        ),
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
