//! Overlay handles of the FlowSmoke node: the parameters that are dragged in the viewer.

use super::controls::{Id, JetField};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};

/// Options of `output` that show the light: Smoke and Fire.
const LIT: &[i32] = &[1, 2];
/// Option of `gridMode`.
const FOLLOW: &[i32] = &[1];
/// Length of a jet's arrow, as a number of frames of its speed.
const FRAMES: f64 = 10.0;

const fn around(shown: Id, centre: Id, radius: Id) -> Figure<Id> {
    Figure { shown: When::On(shown), place: Place::At(centre), outline: Some(Outline::Circle(radius)), arrow: None }
}

const fn jet(n: usize) -> Figure<Id> {
    use JetField::{Centre, Direction, On, Radius, Strength};
    Figure {
        shown: When::Emits(Id::Jet(n, On)),
        place: Place::At(Id::Jet(n, Centre)),
        outline: Some(Outline::Circle(Id::Jet(n, Radius))),
        arrow: Some(Arrow::Speed { direction: Id::Jet(n, Direction), strength: Id::Jet(n, Strength), frames: FRAMES }),
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
        shown: When::OneOf(Id::GridMode, FOLLOW),
        place: Place::At(Id::GridCentre),
        outline: Some(Outline::Rectangle(Id::GridSize)),
        arrow: None,
    },
    around(Id::Attractor, Id::AttractorCentre, Id::AttractorRadius),
    around(Id::Vortex, Id::VortexCentre, Id::VortexRadius),
    around(Id::Brush, Id::BrushCentre, Id::BrushRadius),
    jet(3),
    jet(2),
    jet(1),
    jet(0),
];
