//! What moves the air everywhere.

use super::super::Id;
use crate::nodes::common::controls::{Control, Kind, blank, double, int};

const FORCES: Control<Id> = blank(Id::Wind, c"forces");

/// Group `forces`.
pub const FORCE_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Wind,
        name: c"wind",
        label: c"Wind",
        hint: c"Velocity of a wind over the whole frame, in pixels per frame.",
        kind: Kind::Vector { default: 0.0, range: [-10_000.0, 10_000.0], display: [-20.0, 20.0] },
        ..FORCES
    },
    Control {
        id: Id::WindDrag,
        name: c"windDrag",
        label: c"Wind drag",
        hint: c"How soon the wind has taken the air along: share of the difference made up per frame.",
        kind: double(0.05, [0.0, 1.0], [0.0, 0.5]),
        ..FORCES
    },
    Control {
        id: Id::Attractor,
        name: c"attractor",
        label: c"Attractor",
        hint: c"Pulls the air towards a point.",
        kind: Kind::Bool { default: false },
        ..FORCES
    },
    Control {
        id: Id::AttractorCentre,
        name: c"attractorCentre",
        label: c"Attractor centre",
        hint: c"Where it is, in full-resolution pixels.",
        kind: Kind::Position { default: [0.5, 0.5] },
        ..FORCES
    },
    Control {
        id: Id::AttractorRadius,
        name: c"attractorRadius",
        label: c"Attractor radius",
        hint: c"Distance at which it pulls most, in full-resolution pixels. It reaches about three times as far.",
        kind: double(200.0, [0.0, 100_000.0], [1.0, 1000.0]),
        ..FORCES
    },
    Control {
        id: Id::AttractorStrength,
        name: c"attractorStrength",
        label: c"Attractor strength",
        hint: c"Greatest pull, in pixels per frame squared; below 0 it pushes away.",
        kind: double(0.5, [-1000.0, 1000.0], [-4.0, 4.0]),
        ..FORCES
    },
    Control {
        id: Id::Vortex,
        name: c"vortex",
        label: c"Vortex",
        hint: c"Spins the air around a point.",
        kind: Kind::Bool { default: false },
        ..FORCES
    },
    Control {
        id: Id::VortexCentre,
        name: c"vortexCentre",
        label: c"Vortex centre",
        hint: c"Where it is, in full-resolution pixels.",
        kind: Kind::Position { default: [0.5, 0.5] },
        ..FORCES
    },
    Control {
        id: Id::VortexRadius,
        name: c"vortexRadius",
        label: c"Vortex radius",
        hint: c"Distance at which it pushes most, in full-resolution pixels. It reaches about three times as far.",
        kind: double(200.0, [0.0, 100_000.0], [1.0, 1000.0]),
        ..FORCES
    },
    Control {
        id: Id::VortexStrength,
        name: c"vortexStrength",
        label: c"Vortex strength",
        hint: c"Greatest push, in pixels per frame squared; counter-clockwise above 0.",
        kind: double(0.5, [-1000.0, 1000.0], [-4.0, 4.0]),
        ..FORCES
    },
    Control {
        id: Id::Noise,
        name: c"noise",
        label: c"Turbulence",
        hint: c"Eddies out of nothing: their push in pixels per frame squared.",
        kind: double(0.0, [0.0, 1000.0], [0.0, 2.0]),
        ..FORCES
    },
    Control {
        id: Id::NoiseSize,
        name: c"noiseSize",
        label: c"Turbulence size",
        hint: c"Size of these eddies in full-resolution pixels.",
        kind: double(120.0, [1.0, 100_000.0], [8.0, 1000.0]),
        ..FORCES
    },
    Control {
        id: Id::NoiseSpeed,
        name: c"noiseSpeed",
        label: c"Turbulence speed",
        hint: c"How fast their pattern changes, in turns per frame.",
        kind: double(0.05, [0.0, 10.0], [0.0, 0.5]),
        ..FORCES
    },
    Control {
        id: Id::Seed,
        name: c"seed",
        label: c"Seed",
        hint: c"Another number, other eddies and wandering jets.",
        kind: int(0, [i32::MIN, i32::MAX], [0, 100]),
        ..FORCES
    },
];
