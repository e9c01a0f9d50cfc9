//! What is dragged in the viewer.

use super::controls::Id;
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

/// Options of `output` that the light is seen in: Shaded and Caustics.
const LIT: &[i32] = &[4, 10];

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
    Figure {
        shown: When::Emits(Id::Emitter),
        place: Place::At(Id::EmitterCentre),
        outline: Some(Outline::Circle(Id::EmitterRadius)),
        arrow: None,
    },
];
