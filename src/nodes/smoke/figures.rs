//! What is dragged in the viewer.

use super::controls::{Id, JETS, JetIds};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

/// Options of `output` that the light is seen in: Smoke and Fire.
const LIT: &[i32] = &[1, 2];
/// Option of `gridMode`.
const FOLLOW: &[i32] = &[1];
/// Frames whose way a jet's arrow is.
const FRAMES: f64 = 10.0;

const fn around(shown: Id, centre: Id, radius: Id) -> Figure<Id> {
    Figure { shown: When::On(shown), place: Place::At(centre), outline: Some(Outline::Circle(radius)), arrow: None }
}

const fn jet(ids: &JetIds) -> Figure<Id> {
    Figure {
        shown: When::Emits(ids.on),
        place: Place::At(ids.centre),
        outline: Some(Outline::Circle(ids.radius)),
        arrow: Some(Arrow::Speed { direction: ids.direction, strength: ids.strength, frames: FRAMES }),
    }
}

/// The figures, the last on top.
pub const FIGURES: &[Figure<Id>] = &[
    Figure {
        shown: When::OneOf(Id::Output, LIT),
        place: Place::Frame([0.88, 0.8]),
        outline: None,
        arrow: Some(Arrow::Light { direction: Id::LightDirection, elevation: Id::LightElevation }),
    },
    Figure {
        shown: When::OneOf(Id::GridMode, FOLLOW),
        place: Place::At(Id::GridCentre),
        outline: Some(Outline::Rectangle(Id::GridSize)),
        arrow: None,
    },
    around(Id::Attractor, Id::AttractorCentre, Id::AttractorRadius),
    around(Id::Vortex, Id::VortexCentre, Id::VortexRadius),
    around(Id::Brush, Id::BrushCentre, Id::BrushRadius),
    jet(&JETS[3]),
    jet(&JETS[2]),
    jet(&JETS[1]),
    jet(&JETS[0]),
];
