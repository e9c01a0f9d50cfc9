//! Overlay handles of the FlowParticles node: the parameters that are dragged in the viewer.

use super::controls::{EmitterField, GRID_JETS, GridField, Id, JetField};
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

const fn grid(n: usize) -> Figure<Id> {
    use GridField::{Centre, Depth, Height, Length, Width};
    Figure {
        shown: When::Listed(Id::Grid(n, Width)),
        place: Place::AtDepth { position: Id::Grid(n, Centre), depth: Id::Grid(n, Depth) },
        outline: Some(Outline::Sides([Id::Grid(n, Width), Id::Grid(n, Height), Id::Grid(n, Length)])),
        arrow: None,
    }
}

/// Options of an obstacle that turn it on.
const SOLID: &[i32] = &[1, 2, 3, 4];

const fn obstacle(n: usize) -> Figure<Id> {
    use GridField::{Centre, Depth, Obstacle, ObstacleDepth, ObstacleOffset, ObstacleRadius};
    Figure {
        shown: When::OneOf(Id::Grid(n, Obstacle), SOLID),
        place: Place::Beside {
            offset: Id::Grid(n, ObstacleOffset),
            depth: Id::Grid(n, ObstacleDepth),
            of: [Id::Grid(n, Centre), Id::Grid(n, Depth)],
        },
        outline: Some(Outline::Circle(Id::Grid(n, ObstacleRadius))),
        arrow: None,
    }
}

const fn jet(n: usize) -> Figure<Id> {
    use JetField::{Depth, Direction, Offset, On, Radius, Speed};
    Figure {
        shown: When::On(Id::Jet(n, On)),
        place: Place::Beside {
            offset: Id::Jet(n, Offset),
            depth: Id::Jet(n, Depth),
            of: [Id::Grid(n / GRID_JETS, GridField::Centre), Id::Grid(n / GRID_JETS, GridField::Depth)],
        },
        outline: Some(Outline::Circle(Id::Jet(n, Radius))),
        arrow: Some(Arrow::Speed { direction: Id::Jet(n, Direction), strength: Id::Jet(n, Speed), frames: FRAMES }),
    }
}

/// The overlay handles, the last on top.
pub const HANDLES: &[Figure<Id>] = &[
    Figure { shown: When::OneOf(Id::Floor, THERE), place: Place::At(Id::FloorPoint), outline: None, arrow: None },
    Figure { shown: When::OneOf(Id::Catcher, &[1]), place: Place::At(Id::CatcherPoint), outline: None, arrow: None },
    around(Id::Attractor, [Id::AttractorCentre, Id::AttractorDepth], Id::AttractorRadius),
    around(Id::Vortex, [Id::VortexCentre, Id::VortexDepth], Id::VortexRadius),
    grid(3),
    grid(2),
    grid(1),
    grid(0),
    obstacle(3),
    obstacle(2),
    obstacle(1),
    obstacle(0),
    jet(7),
    jet(6),
    jet(5),
    jet(4),
    jet(3),
    jet(2),
    jet(1),
    jet(0),
    emitter(3),
    emitter(2),
    emitter(1),
    emitter(0),
];
