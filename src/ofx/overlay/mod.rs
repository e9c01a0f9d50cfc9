//! What a node draws over the picture in a viewer, and the pen that drags it.
//!
//! A host calls an entry point of its own for that, which the description hands over. Version 2 of it draws with the host's
//! draw suite; version 1 with the OpenGL context that the host has made current, through functions that are looked up in
//! the process when first drawn with, so that nothing links a graphics library.

mod drawing;
mod entry;
mod gl;

pub use drawing::{Drawing, LineColour};
pub(super) use entry::describe;

use super::{args, names, property::PropertySet};

/// How a viewer looks at the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// The frame that it shows.
    pub time: f64,
    /// The size of a screen's pixel in canonical coordinates, in x and y.
    pub pixel: [f64; 2],
}

impl Viewer {
    /// Hosts say these things with the action, some on the interact only.
    fn read(inputs: Option<&PropertySet<'_>>, interact: Option<&PropertySet<'_>>) -> Self {
        let usable = |pixel: &[f64; 2]| pixel.iter().all(|size| size.is_finite() && *size > 0.0);
        let pixel = [inputs, interact]
            .into_iter()
            .flatten()
            .find_map(|properties| properties.doubles(names::PIXEL_SCALE).ok().filter(usable));
        let time = inputs.and_then(|inputs| args::time(inputs).ok());
        Self { time: time.unwrap_or(0.0), pixel: pixel.unwrap_or([1.0; 2]) }
    }
}

/// What the pen does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PenEvent {
    /// It was pressed.
    Down,
    /// It moves, pressed or not.
    Move,
    /// It was let go.
    Up,
}

/// The pen over a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// What it does.
    pub event: PenEvent,
    /// Where it is, in canonical coordinates.
    pub position: [f64; 2],
}

/// What a node makes of the pen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PenResponse {
    /// It takes the pen for itself: nothing else in the viewer gets it.
    pub taken: bool,
    /// The overlay looks different now.
    pub redraw: bool,
}
