//! Group `picture`.

use super::super::Id;
use super::blank;
use crate::nodes::common::controls::{Control, Kind, Reach, choice, double};

const PICTURE: Control<Id> = Control { reach: Reach::Picture, ..blank(c"picture") };

/// In the order of the panel.
pub const PICTURE_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Output,
        name: c"output",
        label: c"Output",
        hint:
            c"Water: RGB the water's colour, A its height. Height: R water, G surface (water and terrain), B terrain, \
               A wet. Cross: flow per frame to the left, up, right and down. Diagonal: flow per frame to the upper left, \
               upper right, lower right and lower left. Shaded: water in light, premultiplied. Normals: x, y, z from -1 \
               to 1, A wet. Velocity: pixels per frame in RG. Motion vectors: forward in RG, backward in BA, pixels. \
               Refraction map: for STMap, what the bed shows. Displacement: the same as an offset in pixels, B the \
               water's height. Caustics: the light on the bed, 1 below still water and on dry ground, A wet. Foam, Wetness: 0 to 1 in all \
               channels, where the simulation makes them. All but Shaded are unpremultiplied \
               data.",
        kind: choice(
            &[
                c"Water",
                c"Height",
                c"Cross",
                c"Diagonal",
                c"Shaded",
                c"Normals",
                c"Velocity",
                c"Motion vectors",
                c"Refraction map",
                c"Displacement",
                c"Caustics",
                c"Foam",
                c"Wetness",
            ],
            0,
        ),
        ..PICTURE
    },
    Control {
        id: Id::Relief,
        name: c"relief",
        label: c"Relief",
        hint: c"Full-resolution pixels that a height of 1 stands for. More makes waves steeper, refraction and caustics \
               stronger (Shaded, Normals, Refraction map, Displacement, Caustics).",
        kind: double(140.0, [0.0, 1_000_000.0], [0.0, 500.0]),
        ..PICTURE
    },
    Control {
        id: Id::IndexOfRefraction,
        name: c"indexOfRefraction",
        label: c"Index of refraction",
        hint: c"How strongly the surface bends and reflects light: 1 not at all, 1.333 water, 1.5 glass (Shaded, Refraction \
               map, Displacement, Caustics).",
        kind: double(1.333, [1.0, 3.0], [1.0, 2.0]),
        ..PICTURE
    },
    Control {
        id: Id::WaterColour,
        name: c"waterColour",
        label: c"Water colour",
        hint: c"Colour of deep water; shallow water lets through what it does not absorb. The water's own colour, where it \
               carries one, takes its place (Shaded).",
        kind: Kind::Colour { default: [0.01, 0.08, 0.1] },
        ..PICTURE
    },
    Control {
        id: Id::Density,
        name: c"density",
        label: c"Density",
        hint: c"How fast depth hides the bed, per height of 1: 0 is clear, 20 is milky (Shaded).",
        kind: double(3.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..PICTURE
    },
    Control {
        id: Id::AlphaMode,
        name: c"alphaMode",
        label: c"Alpha mode",
        hint: c"Over bed: the ground is part of the picture, which is opaque. Water only: premultiplied water to merge over \
               a plate, alpha from what it absorbs and reflects (Shaded).",
        kind: choice(&[c"Over bed", c"Water only"], 0),
        ..PICTURE
    },
    Control {
        id: Id::GroundColour,
        name: c"groundColour",
        label: c"Ground colour",
        hint: c"Colour of the ground in white light (Shaded, Over bed).",
        kind: Kind::Colour { default: [0.2, 0.165, 0.115] },
        ..PICTURE
    },
    Control {
        id: Id::SkyColour,
        name: c"skyColour",
        label: c"Sky colour",
        hint: c"The sky overhead: reflected by water that lies flat, and half of the light in the shade (Shaded).",
        kind: Kind::Colour { default: [0.16, 0.28, 0.48] },
        ..PICTURE
    },
    Control {
        id: Id::HorizonColour,
        name: c"horizonColour",
        label: c"Horizon colour",
        hint: c"The sky at the horizon: reflected by steep waves, and half of the light in the shade (Shaded).",
        kind: Kind::Colour { default: [0.6, 0.66, 0.72] },
        ..PICTURE
    },
    Control {
        id: Id::LightDirection,
        name: c"lightDirection",
        label: c"Light direction",
        hint: c"Where the light comes from, in degrees counter-clockwise from the right (Shaded, Caustics).",
        kind: double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightElevation,
        name: c"lightElevation",
        label: c"Light elevation",
        hint: c"How far the light stands above the picture, in degrees: 0 from the side, 90 from the camera (Shaded, \
               Caustics).",
        kind: double(40.0, [0.0, 90.0], [0.0, 90.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightColour,
        name: c"lightColour",
        label: c"Light colour",
        hint: c"Colour and brightness of the light, also of its highlights (Shaded).",
        kind: Kind::Colour { default: [1.4, 1.28, 1.1] },
        ..PICTURE
    },
    Control {
        id: Id::Roughness,
        name: c"roughness",
        label: c"Roughness",
        hint: c"Width of the light's highlights: 0.05 sharp and bright, 1 a soft sheen (Shaded).",
        kind: double(0.25, [0.05, 1.0], [0.05, 1.0]),
        ..PICTURE
    },
    Control {
        id: Id::Caustics,
        name: c"caustics",
        label: c"Caustics",
        hint: c"How strongly the light that waves gather shows on the bed: 0 lights it evenly, 1 is as in nature, more \
               draws the lines harder (Shaded, Over bed).",
        kind: double(1.0, [0.0, 100.0], [0.0, 4.0]),
        ..PICTURE
    },
    Control {
        id: Id::ReflectionDistance,
        name: c"reflectionDistance",
        label: c"Reflection distance",
        hint: c"Full-resolution pixels from the water up to the Reflection input. More makes waves break the reflection up \
               further (Shaded).",
        kind: double(200.0, [0.0, 1_000_000.0], [0.0, 2000.0]),
        ..PICTURE
    },
    Control {
        id: Id::FoamColour,
        name: c"foamColour",
        label: c"Foam colour",
        hint: c"Colour of foam in white light (Shaded, with Foam on).",
        kind: Kind::Colour { default: [0.75, 0.78, 0.8] },
        ..PICTURE
    },
    Control {
        id: Id::WetDarkening,
        name: c"wetDarkening",
        label: c"Wet darkening",
        hint: c"How much darker wet ground is: 0 as if dry, 0.45 sand, 0.7 asphalt (Shaded, Over bed, with Wetness on).",
        kind: double(0.45, [0.0, 1.0], [0.0, 1.0]),
        ..PICTURE
    },
];
