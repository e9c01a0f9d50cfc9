//! What is shown of the panel over the picture, and dragged there: a table of figures per node, by which all of it goes.
//!
//! | file | what |
//! |---|---|
//! | `shape` | a figure at a time: where it is, what of it can be dragged, and what that sets |
//! | `stroke` | a shape as lines |
//! | `pen` | from the pen to the parameters, as one edit from press to release |
//! | this file | the table |

mod pen;
pub(super) mod shape;
mod stroke;

pub use pen::{Held, draw, leave, pen};

use super::controls::Controls;
use super::node::Node;
use super::values::Values;
use crate::ofx::Result;

/// Something of the panel that stands somewhere in the frame.
#[derive(Clone, Copy, Debug)]
pub struct Figure<Id: 'static> {
    /// When it is shown.
    pub shown: When<Id>,
    /// Where it stands.
    pub place: Place<Id>,
    /// What is around it.
    pub outline: Option<Outline<Id>>,
    /// Where it points.
    pub arrow: Option<Arrow<Id>>,
}

/// When a figure is shown: only what is on is.
#[derive(Clone, Copy, Debug)]
pub enum When<Id: 'static> {
    /// A switch is on.
    On(Id),
    /// A choice of *When no Source*, *On* and *Off* lets it be.
    Emits(Id),
    /// A choice has one of these options.
    OneOf(Id, &'static [i32]),
}

/// Where a figure stands.
#[derive(Clone, Copy, Debug)]
pub enum Place<Id> {
    /// At a position, which is dragged by it.
    At(Id),
    /// At a place in parts of the frame, for what has no position.
    Frame([f64; 2]),
}

/// What is around a figure, and dragged.
#[derive(Clone, Copy, Debug)]
pub enum Outline<Id> {
    /// A circle of a radius.
    Circle(Id),
    /// A rectangle of a width and height.
    Rectangle(Id),
}

/// Where a figure points. Angles are in degrees counter-clockwise from the right.
#[derive(Clone, Copy, Debug)]
pub enum Arrow<Id> {
    /// To where something blows: as long as the way that it goes in so many frames.
    Speed {
        /// The angle.
        direction: Id,
        /// Pixels per frame.
        strength: Id,
        /// The frames.
        frames: f64,
    },
    /// To somewhere on the outline, while a choice has one of some options.
    Turn {
        /// The angle.
        direction: Id,
        /// The choice.
        choice: Id,
        /// Its options.
        options: &'static [i32],
    },
    /// From where light comes, on a dial: in its middle the light is overhead, at its rim it comes from the side.
    Light {
        /// The angle.
        direction: Id,
        /// Degrees above the picture.
        elevation: Id,
    },
}

/// Options of [`When::Emits`].
const WHEN_NO_SOURCE: i32 = 0;
const EMITS: i32 = 1;

impl<Id: Controls> Figure<Id> {
    /// Whether it is shown at a time; `source` where the node has a Source.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn is_shown(&self, values: &impl Values<Id>, source: bool, time: f64) -> Result<bool> {
        Ok(match self.shown {
            When::On(id) => values.switch(id, time)?,
            When::OneOf(id, options) => options.contains(&values.choice(id, time)?),
            When::Emits(id) => match values.choice(id, time)? {
                WHEN_NO_SOURCE => !source,
                option => option == EMITS,
            },
        })
    }

    /// The parameters that it shows.
    fn ids(&self) -> Vec<Id> {
        let (When::On(shown) | When::Emits(shown) | When::OneOf(shown, _)) = self.shown;
        let place = if let Place::At(id) = self.place { Some(id) } else { None };
        let outline = self.outline.map(|(Outline::Circle(id) | Outline::Rectangle(id))| id);
        let arrow = match self.arrow {
            Some(
                Arrow::Speed { direction: first, strength: second, frames: _ }
                | Arrow::Light { direction: first, elevation: second }
                | Arrow::Turn { direction: first, choice: second, options: _ },
            ) => [Some(first), Some(second)],
            None => [None; 2],
        };
        [Some(shown), place, outline].into_iter().chain(arrow).flatten().collect()
    }
}

/// The names of all parameters that a node's overlay shows, each once.
pub fn names<N: Node>() -> Vec<&'static std::ffi::CStr> {
    let mut names = Vec::new();
    for name in N::FIGURES.iter().flat_map(Figure::ids).map(|id| id.control().name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a position is dragged by a figure of the node's own: then the host is not to draw a handle for it.
pub fn moves<N: Node>(id: N::Id) -> bool {
    N::FIGURES.iter().any(|figure| matches!(figure.place, Place::At(place) if place == id))
}

/// Checks a node's figures: of every position one, and of kinds that fit.
#[cfg(test)]
pub fn check<N: Node>() {
    use super::controls::Kind;
    for control in N::Id::TABLE.iter().filter(|control| matches!(control.kind, Kind::Position { .. })) {
        assert!(moves::<N>(control.id), "{:?} has no handle", control.name);
    }
    for figure in N::FIGURES {
        let is = |id: N::Id, fits: fn(&Kind) -> bool| assert!(fits(&id.control().kind), "{id:?}");
        match figure.shown {
            When::On(id) => is(id, |kind| matches!(kind, Kind::Bool { .. })),
            When::Emits(id) | When::OneOf(id, _) => is(id, |kind| matches!(kind, Kind::Choice { .. })),
        }
        if let Place::At(id) = figure.place {
            is(id, |kind| matches!(kind, Kind::Position { .. }));
        }
        match figure.outline {
            Some(Outline::Circle(id)) => is(id, |kind| matches!(kind, Kind::Double { .. })),
            Some(Outline::Rectangle(id)) => is(id, |kind| matches!(kind, Kind::Vector { .. })),
            None => {}
        }
        match figure.arrow {
            Some(
                Arrow::Speed { direction, strength: other, frames: _ } | Arrow::Light { direction, elevation: other },
            ) => [direction, other].into_iter().for_each(|id| is(id, |kind| matches!(kind, Kind::Double { .. }))),
            Some(Arrow::Turn { direction, choice, options: _ }) => {
                is(direction, |kind| matches!(kind, Kind::Double { .. }));
                is(choice, |kind| matches!(kind, Kind::Choice { .. }));
            }
            None => {}
        }
    }
}
