//! Overlay handles: figures for parameters, drawn over the picture and dragged there. A node has a table of them.
//!
//! | file | content |
//! |---|---|
//! | `shape` | a figure at a time: its position, its grips, and the values that a drag sets |
//! | `space` | positions in three dimensions, through the node's camera |
//! | `stroke` | the lines of a shape |
//! | `pen` | a drag as an edit of parameters, from press to release |
//! | this file | the table |

mod pen;
pub(super) mod shape;
mod space;
mod stroke;

pub use pen::{Held, draw, leave, pen};
pub use space::Space;

use super::controls::Controls;
use super::node::Node;
use super::values::Values;
use crate::ofx::Result;

/// A handle of the overlay: parameters with a position in the frame.
#[derive(Clone, Copy, Debug)]
pub struct Figure<Id: 'static> {
    /// Condition under which it is shown.
    pub shown: When<Id>,
    /// Its position.
    pub place: Place<Id>,
    /// The outline around it.
    pub outline: Option<Outline<Id>>,
    /// Its arrow.
    pub arrow: Option<Arrow<Id>>,
}

/// The condition under which a figure is shown.
#[derive(Clone, Copy, Debug)]
pub enum When<Id: 'static> {
    /// A switch is on.
    On(Id),
    /// A choice with the options *When no Source*, *On* and *Off* turns the emitter on.
    Emits(Id),
    /// A choice has one of these options.
    OneOf(Id, &'static [i32]),
    /// A parameter is not hidden.
    Listed(Id),
}

/// The position of a figure.
#[derive(Clone, Copy, Debug)]
pub enum Place<Id> {
    /// A position parameter, which a drag sets.
    At(Id),
    /// A position parameter at a depth in the scene, through the node's camera ([`Node::space`]).
    AtDepth {
        /// The position.
        position: Id,
        /// Pixels towards the camera.
        depth: Id,
    },
    /// A pair and a depth, both relative to another position at a depth.
    Beside {
        /// The offset.
        offset: Id,
        /// Pixels towards the camera.
        depth: Id,
        /// The other position, and its depth.
        of: [Id; 2],
    },
    /// A point of the node's box, of three numbers in its unit.
    InBox(Id),
    /// A fixed position, 0 to 1 across the frame.
    Frame([f64; 2]),
}

/// The outline of a figure, which can be dragged.
#[derive(Clone, Copy, Debug)]
pub enum Outline<Id> {
    /// A circle of a radius.
    Circle(Id),
    /// A rectangle of a width and height.
    Rectangle(Id),
    /// The edges of the node's box, which cannot be dragged.
    Box,
    /// The edges of a box of a width, a height and an extent along z, which cannot be dragged.
    Sides([Id; 3]),
}

/// The arrow of a figure. Angles are in degrees counter-clockwise from the right.
#[derive(Clone, Copy, Debug)]
pub enum Arrow<Id> {
    /// A velocity, whose arrow has the length of the distance covered in a number of frames.
    Speed {
        /// The angle.
        direction: Id,
        /// Pixels per frame.
        strength: Id,
        /// The frames.
        frames: f64,
    },
    /// A direction, to the outline, while a choice has one of some options.
    Turn {
        /// The angle.
        direction: Id,
        /// The choice.
        choice: Id,
        /// Its options.
        options: &'static [i32],
    },
    /// The direction to the light, on a dial: the middle is a light overhead, the rim a light from the side.
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
    /// Whether it is shown at a time; `source` if a Source is connected.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn is_shown(&self, values: &impl Values<Id>, source: bool, time: f64) -> Result<bool> {
        let (When::On(by) | When::Emits(by) | When::OneOf(by, _) | When::Listed(by)) = self.shown;
        if !by.is_shown(values, time)? {
            return Ok(false);
        }
        Ok(match self.shown {
            When::Listed(_) => true,
            When::On(id) => values.switch(id, time)? && self.is_placed(values, time)?,
            When::OneOf(id, options) => options.contains(&values.choice(id, time)?),
            When::Emits(id) => match values.choice(id, time)? {
                WHEN_NO_SOURCE => !source,
                option => option == EMITS,
            },
        })
    }

    /// Whether the position in the box has an effect: something else may give its place.
    fn is_placed(&self, values: &impl Values<Id>, time: f64) -> Result<bool> {
        match self.place {
            Place::InBox(id) => id.matters(values, time),
            _ => Ok(true),
        }
    }

    /// Its parameters.
    fn ids(&self) -> Vec<Id> {
        let (When::On(shown) | When::Emits(shown) | When::OneOf(shown, _) | When::Listed(shown)) = self.shown;
        let mut ids = vec![shown];
        match self.outline {
            Some(Outline::Circle(id) | Outline::Rectangle(id)) => ids.push(id),
            Some(Outline::Sides(sides)) => ids.extend(sides),
            Some(Outline::Box) | None => {}
        }
        match self.place {
            Place::At(id) | Place::InBox(id) => ids.push(id),
            Place::AtDepth { position, depth } => ids.extend([position, depth]),
            Place::Beside { offset, depth, of } => ids.extend([offset, depth].into_iter().chain(of)),
            Place::Frame(_) => {}
        }
        match self.arrow {
            Some(
                Arrow::Speed { direction: first, strength: second, frames: _ }
                | Arrow::Light { direction: first, elevation: second }
                | Arrow::Turn { direction: first, choice: second, options: _ },
            ) => ids.extend([first, second]),
            None => {}
        }
        ids
    }
}

/// The names of all parameters in a node's overlay, each once.
pub fn names<N: Node>() -> Vec<&'static std::ffi::CStr> {
    let mut names = Vec::new();
    for name in N::FIGURES.iter().flat_map(Figure::ids).map(|id| id.control().name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether the node has a figure for a position; the host then draws no handle for it.
pub fn moves<N: Node>(id: N::Id) -> bool {
    let is = |place| matches!(place, Place::At(at) | Place::AtDepth { position: at, .. } if at == id);
    N::FIGURES.iter().any(|figure| is(figure.place))
}

/// Checks a node's figures: one for each position, with parameters of the right types.
#[cfg(test)]
pub fn check<N: Node>() {
    use super::controls::Kind;
    for control in N::Id::controls().iter().filter(|control| matches!(control.kind, Kind::Position { .. })) {
        assert!(moves::<N>(control.id), "{:?} has no handle", control.name);
    }
    for figure in N::FIGURES {
        let is = |id: N::Id, fits: fn(&Kind) -> bool| assert!(fits(&id.control().kind), "{id:?}");
        match figure.shown {
            When::On(id) => is(id, |kind| matches!(kind, Kind::Bool { .. })),
            When::Emits(id) | When::OneOf(id, _) => is(id, |kind| matches!(kind, Kind::Choice { .. })),
            When::Listed(_) => {}
        }
        match figure.place {
            Place::At(id) | Place::AtDepth { position: id, .. } => is(id, |kind| matches!(kind, Kind::Position { .. })),
            Place::Beside { offset, depth: _, of: [position, _] } => {
                is(offset, |kind| matches!(kind, Kind::Vector { .. }));
                is(position, |kind| matches!(kind, Kind::Position { .. }));
            }
            Place::InBox(id) => is(id, |kind| matches!(kind, Kind::Triple { .. })),
            Place::Frame(_) => {}
        }
        match figure.outline {
            Some(Outline::Circle(id)) => is(id, |kind| matches!(kind, Kind::Double { .. })),
            Some(Outline::Rectangle(id)) => is(id, |kind| matches!(kind, Kind::Vector { .. })),
            Some(Outline::Sides(sides)) => {
                sides.into_iter().for_each(|id| is(id, |kind| matches!(kind, Kind::Double { .. })));
            }
            Some(Outline::Box) | None => {}
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
