//! Overlay handles of the FlowParticles node: the parameters that are dragged in the viewer.

use super::controls::{EmitterField, Id};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

/// Options of `floor` that turn it on.
const THERE: &[i32] = &[1, 2];
/// Length of an emitter's arrow, as a number of frames of its speed.
const FRAMES: f64 = 20.0;

const fn around(shown: Id, [centre, depth]: [Id; 2], radius: Id) -> Figure<Id> {
    let place = Place::AtDepth { position: centre, depth };
    Figure { shown: When::On(shown), place, outline: Some(Outline::Circle(radius)), arrow: None }
}

const fn emitter(n: usize) -> Figure<Id> {
    use EmitterField::{Centre, Depth, Direction, On, Radius, Speed};
    Figure {
        shown: When::On(Id::Emitter(n, On)),
        place: Place::AtDepth { position: Id::Emitter(n, Centre), depth: Id::Emitter(n, Depth) },
        outline: Some(Outline::Circle(Id::Emitter(n, Radius))),
        arrow: Some(Arrow::Speed {
            direction: Id::Emitter(n, Direction),
            strength: Id::Emitter(n, Speed),
            frames: FRAMES,
        }),
    }
}

/// The overlay handles, the last on top.
pub const HANDLES: &[Figure<Id>] = &[
    Figure { shown: When::OneOf(Id::Floor, THERE), place: Place::At(Id::FloorPoint), outline: None, arrow: None },
    around(Id::Attractor, [Id::AttractorCentre, Id::AttractorDepth], Id::AttractorRadius),
    around(Id::Vortex, [Id::VortexCentre, Id::VortexDepth], Id::VortexRadius),
    emitter(3),
    emitter(2),
    emitter(1),
    emitter(0),
];
