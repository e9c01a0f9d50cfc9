//! The C ABI of OpenFX: the only access to the host. Independent of the work of a node.
//!
//! A node type implements [`Effect`]; [`plugins!`](crate::plugins) lists the types, and
//! [`export_plugins!`](crate::export_plugins) exports the library's symbols for the list:
//!
//! ```text
//! host ── mainEntry ──▶ trampoline ──▶ Effect::render(instance, effect, args)
//!                          │                    │
//!                          │                    └─ EffectHandle: this instance, during this action, on this thread
//!                          │                         Clip, Param: kept by the instance, used with the handle
//!                          │                         Image, OutputImage: checked rows, released when dropped
//!                          └─ State: the Host, and the instances by handle
//!
//! host ── entry point of the overlay ──▶ Effect::draw_overlay(instance, effect, viewer, drawing), Effect::pen(…)
//! ```
//!
//! Rules of the layer:
//!
//! - A host may lack any suite, function, property or image; each absence is an `Err` or a `None`.
//! - Only a status leaves the layer: the trampoline turns panics and errors into a status and one message.
//! - No lock is held while the host is called, here or in a node, because hosts use locks too. The host is
//!   called on the action's thread only: [`EffectHandle`] does not leave that thread.
//! - Strings for a host are `'static`, because some hosts keep the pointer.
//!
//! Names, status codes and suite layouts are those of the crate `flow_openfx`. `unsafe` is in this folder and, for
//! vectors, in `compute::cpu`. Each block names the header whose promise it relies on.

#![expect(unsafe_code, reason = "the C ABI; each block names the promise that it relies on")]

mod args;
mod camera;
mod clip;
mod descriptor;
mod effect;
#[doc(hidden)]
pub mod entry;
mod error;
mod float_mode;
mod geometry;
mod handle;
mod host;
mod image;
mod layout;
mod log;
mod message;
mod overlay;
mod param;
mod pin;
mod plane;
mod plugin;
mod process;
mod progress;
mod property;
mod stats;
mod suites;
mod trampoline;

#[cfg(test)]
mod tests;

pub use args::{
    Answer, ChangedArgs, ChangedKind, ClipPlanes, ClipPreferences, FrameArgs, FramesNeeded, Identity,
    RegionsOfInterest, RenderArgs, SequenceArgs,
};
pub use camera::Camera;
pub use clip::Clip;
pub use descriptor::{ClipDescriptor, EffectDescriptor};
pub use effect::Effect;
pub use error::{Error, Result};
pub use flow_openfx::{
    Action, CacheInvalidation, ChangeReason, Components, Context, Coordinates, Depth, DoubleType, Field, MessageType,
    Premultiplication, Status, StringMode, ThreadSafety,
};
pub use geometry::{RangeD, RectD, RectI};
pub use handle::EffectHandle;
pub use host::{Host, HostInfo};
pub use image::{Image, OutputImage, RowMut};
pub use overlay::{Drawing, LineColour, Pen, PenEvent, PenResponse, Viewer};
pub use param::{AnyValue, Bounds, Choice, Edit, Param, ParamDescriptor, ParamValue, Triple};
pub use pin::stay_loaded;
pub use plane::Plane;
pub(crate) use plane::layer;
pub use plugin::{Plugin, Registered, State};
pub use process::own_process;
pub use progress::Progress;
pub use property::{PropertySet, PropertyValue};
