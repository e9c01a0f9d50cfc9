//! What is dragged in the viewer.

use super::controls::{EMITTER_IDS, EmitterIds, Id};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

/// Options of `output` that the light is seen in: Shaded and Caustics.
const LIT: &[i32] = &[4, 10];
/// Option of an emitter's shape that has a direction.
const LINE: &[i32] = &[1];

const fn emitter(shown: When<Id>, ids: &EmitterIds) -> Figure<Id> {
    Figure {
        shown,
        place: Place::At(ids.centre),
        outline: Some(Outline::Circle(ids.radius)),
        arrow: Some(Arrow::Turn { direction: ids.angle, choice: ids.shape, options: LINE }),
    }
}

/// One of the emitters from the second on.
const fn another(nth: usize) -> Figure<Id> {
    emitter(When::On(EMITTER_IDS[nth].on), &EMITTER_IDS[nth])
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
        shown: When::On(Id::Drain),
        place: Place::At(Id::DrainCentre),
        outline: Some(Outline::Circle(Id::DrainRadius)),
        arrow: None,
    },
    another(7),
    another(6),
    another(5),
    another(4),
    another(3),
    another(2),
    another(1),
    emitter(When::Emits(Id::Emitter), &EMITTER_IDS[0]),
];
