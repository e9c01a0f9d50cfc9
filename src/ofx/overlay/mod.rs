//! Overlays: lines that a node draws over the image in a viewer, and the pen that drags them.
//!
//! The description passes the host an entry point for overlays. Version 2 draws with the host's draw suite. Version 1
//! draws with the OpenGL context that the host has made current, through functions that are looked up in the process at
//! the first drawing: the library links no graphics library.

mod drawing;
mod entry;
mod gl;

use flow_openfx as sys;

pub use drawing::{Drawing, LineColour};
pub(super) use entry::describe;

use super::{args, property::PropertySet};

/// The view of an image in a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// The frame shown.
    pub time: f64,
    /// The size of a screen pixel in canonical coordinates, in x and y.
    pub pixel: [f64; 2],
}

impl Viewer {
    /// Reads the arguments of the action, or else the properties of the interact, which some hosts set instead.
    fn read(inputs: Option<&PropertySet<'_>>, interact: Option<&PropertySet<'_>>) -> Self {
        let usable = |pixel: &[f64; 2]| pixel.iter().all(|size| size.is_finite() && *size > 0.0);
        let pixel = [inputs, interact]
            .into_iter()
            .flatten()
            .find_map(|properties| properties.doubles(sys::kOfxInteractPropPixelScale).ok().filter(usable));
        let time = inputs.and_then(|inputs| args::time(inputs).ok());
        Self { time: time.unwrap_or(0.0), pixel: pixel.unwrap_or([1.0; 2]) }
    }
}

/// An event of the pen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PenEvent {
    /// The pen was pressed.
    Down,
    /// The pen moved, pressed or not.
    Move,
    /// The pen was released.
    Up,
}

/// The pen over a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// The event.
    pub event: PenEvent,
    /// The position, in canonical coordinates.
    pub position: [f64; 2],
}

/// The response of a node to an event of the pen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PenResponse {
    /// The node takes the event: no other part of the viewer receives it.
    pub taken: bool,
    /// The overlay has to be redrawn.
    pub redraw: bool,
}
