//! What is shown.

use super::super::Id;
use crate::nodes::common::controls::{Control, Kind, Reach, blank, choice, double};

const PICTURE: Control<Id> = Control { reach: Reach::Picture, ..blank(Id::Output, c"picture") };

/// Group `picture`.
pub const PICTURE_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Output,
        name: c"output",
        label: c"Output",
        hint: c"What the node shows. Dye: premultiplied colour, to merge over. Smoke: lit, with its own shadow. \
               Fire: glowing heat with smoke. The others are data: Velocity in pixels per frame, x in red, y in green, the \
               speed in blue; Motion vectors in pixels, Vorticity, Pressure, Divergence, Temperature.",
        kind: choice(
            &[
                c"Dye",
                c"Smoke",
                c"Fire",
                c"Velocity",
                c"Motion vectors",
                c"Vorticity",
                c"Pressure",
                c"Divergence",
                c"Temperature",
                c"Density",
            ],
            0,
        ),
        ..PICTURE
    },
    Control {
        id: Id::LightDirection,
        name: c"lightDirection",
        label: c"Light direction",
        hint: c"Where the light comes from, in degrees counter-clockwise from the right (Smoke, Fire).",
        kind: double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightElevation,
        name: c"lightElevation",
        label: c"Light elevation",
        hint: c"How far the light stands above the picture, in degrees: 0 from the side, with long shadows, 90 \
               from the camera, with none (Smoke, Fire).",
        kind: double(25.0, [0.0, 90.0], [0.0, 90.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightSize,
        name: c"lightSize",
        label: c"Light size",
        hint: c"Half of the angle that the light takes up, in degrees: larger is softer (Smoke, Fire).",
        kind: double(12.0, [0.0, 45.0], [0.0, 45.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightColour,
        name: c"lightColour",
        label: c"Light colour",
        hint: c"Colour and brightness of the light (Smoke, Fire).",
        kind: Kind::Colour { default: [1.25, 1.2, 1.1] },
        ..PICTURE
    },
    Control {
        id: Id::AmbientLight,
        name: c"ambientLight",
        label: c"Ambient light",
        hint: c"Light from all around (Smoke, Fire).",
        kind: Kind::Colour { default: [0.14, 0.17, 0.22] },
        ..PICTURE
    },
    Control {
        id: Id::Shadow,
        name: c"shadow",
        label: c"Shadow",
        hint: c"How dark the smoke's own shadow is: optical depth of a density of 1 over 100 pixels (Smoke, \
               Fire).",
        kind: double(6.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..PICTURE
    },
    Control {
        id: Id::Depth,
        name: c"depth",
        label: c"Depth",
        hint: c"How deep the smoke is towards the camera, in full-resolution pixels: shadows reach further through \
               deeper smoke (Smoke, Fire).",
        kind: double(80.0, [0.1, 100_000.0], [1.0, 1000.0]),
        ..PICTURE
    },
    Control {
        id: Id::Opacity,
        name: c"opacity",
        label: c"Opacity",
        hint: c"How much smoke covers: alpha is 1 - exp(-density x opacity) (Smoke, Fire).",
        kind: double(2.0, [0.0, 10_000.0], [0.0, 10.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireEmber,
        name: c"fireEmber",
        label: c"Ember kelvin",
        hint: c"Colour of what hardly glows, in kelvin; 1150 is a deep orange (Fire).",
        kind: double(1150.0, [500.0, 20_000.0], [800.0, 3000.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireKelvin,
        name: c"fireKelvin",
        label: c"Fire kelvin",
        hint: c"Colour of a temperature of 1, in kelvin; 1900 is a candle, 2300 wood, 6500 white (Fire).",
        kind: double(2300.0, [500.0, 20_000.0], [1000.0, 8000.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireExposure,
        name: c"fireExposure",
        label: c"Fire exposure",
        hint: c"Brightness of a temperature of 1, in stops (Fire).",
        kind: double(3.0, [-20.0, 20.0], [-4.0, 8.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireFalloff,
        name: c"fireFalloff",
        label: c"Fire falloff",
        hint: c"How fast the glow fades as the fire cools: brightness goes with this power of the temperature \
               (Fire).",
        kind: double(2.5, [0.5, 8.0], [0.5, 8.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireSoot,
        name: c"fireSoot",
        label: c"Fire soot",
        hint: c"How dark smoke is where it burns. 0 turns red fire pink on grey smoke (Fire).",
        kind: double(8.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireOpacity,
        name: c"fireOpacity",
        label: c"Fire opacity",
        hint: c"How much fire hides what is behind it; 0 only adds its light (Fire).",
        kind: double(0.3, [0.0, 10_000.0], [0.0, 4.0]),
        ..PICTURE
    },
    Control {
        id: Id::FireLight,
        name: c"fireLight",
        label: c"Fire light",
        hint: c"How much of its light fire sheds on the smoke around it; the deeper (Depth), the further. 0: none, as if it \
               only glowed (Fire).",
        kind: double(1.0, [0.0, 10_000.0], [0.0, 4.0]),
        ..PICTURE
    },
];
