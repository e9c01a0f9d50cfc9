//! Overlay handles of the Flow node: the parameters that are dragged in the viewer.

use super::controls::{EmitterField, Id};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

/// Options of `output` that show the light: Shaded and Caustics.
const LIT: &[i32] = &[4, 10];
/// Option of an emitter's shape that has a direction.
const LINE: &[i32] = &[1];

const fn emitter(n: usize) -> Figure<Id> {
    use EmitterField::{Angle, Centre, On, Radius, Shape};
    let on = Id::Emitter(n, On);
    Figure {
        shown: if n == 0 { When::Emits(on) } else { When::On(on) },
        place: Place::At(Id::Emitter(n, Centre)),
        outline: Some(Outline::Circle(Id::Emitter(n, Radius))),
        arrow: Some(Arrow::Turn { direction: Id::Emitter(n, Angle), choice: Id::Emitter(n, Shape), options: LINE }),
    }
}

/// The overlay handles, the last on top.
pub const HANDLES: &[Figure<Id>] = &[
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
    emitter(7),
    emitter(6),
    emitter(5),
    emitter(4),
    emitter(3),
    emitter(2),
    emitter(1),
    emitter(0),
];
