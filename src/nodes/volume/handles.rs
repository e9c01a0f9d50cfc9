//! Overlay handles of the FlowVolume node: the parameters that are dragged in the viewer, through the camera.

use super::controls::{EmitterField, Id, LightField, SolidField, kind};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

const fn emitter(n: usize) -> Figure<Id> {
    use EmitterField::{Centre, On, Radius};
    Figure {
        shown: When::On(Id::Emitter(n, On)),
        place: Place::InBox(Id::Emitter(n, Centre)),
        outline: Some(Outline::Circle(Id::Emitter(n, Radius))),
        arrow: None,
    }
}

const fn solid(n: usize) -> Figure<Id> {
    use SolidField::{Centre, On, Radius};
    Figure {
        shown: When::On(Id::Solid(n, On)),
        place: Place::InBox(Id::Solid(n, Centre)),
        outline: Some(Outline::Circle(Id::Solid(n, Radius))),
        arrow: None,
    }
}

/// The centre of a force and the distance at which it is greatest.
const fn force(on: Id, centre: Id, radius: Id) -> Figure<Id> {
    Figure { shown: When::On(on), place: Place::InBox(centre), outline: Some(Outline::Circle(radius)), arrow: None }
}

/// The direction of a light, on a dial at the right.
const fn direction(n: usize) -> Figure<Id> {
    use LightField::{Direction, Elevation, Type};
    Figure {
        shown: When::OneOf(Id::Light(n, Type), &[kind::DIRECTIONAL, kind::SPOT]),
        place: Place::Frame([0.92, 0.86 - 0.2 * n as f64]),
        outline: None,
        arrow: Some(Arrow::Light { direction: Id::Light(n, Direction), elevation: Id::Light(n, Elevation) }),
    }
}

const fn position(n: usize) -> Figure<Id> {
    use LightField::{Position, Type};
    Figure {
        shown: When::OneOf(Id::Light(n, Type), &[kind::POINT, kind::SPOT]),
        place: Place::InBox(Id::Light(n, Position)),
        outline: None,
        arrow: None,
    }
}

/// The overlay handles, the last on top.
pub const HANDLES: &[Figure<Id>] = &[
    Figure {
        shown: When::OneOf(Id::Camera, &[0, 1, 2]),
        place: Place::AtDepth { position: Id::BoxCentre, depth: Id::BoxDepth },
        outline: Some(Outline::Box),
        arrow: None,
    },
    direction(3),
    direction(2),
    direction(1),
    direction(0),
    position(3),
    position(2),
    position(1),
    position(0),
    force(Id::Vortex, Id::VortexCentre, Id::VortexRadius),
    force(Id::Attractor, Id::AttractorCentre, Id::AttractorRadius),
    solid(3),
    solid(2),
    solid(1),
    solid(0),
    emitter(3),
    emitter(2),
    emitter(1),
    emitter(0),
];
