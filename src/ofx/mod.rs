//! The C ABI of OpenFX, and the only door to the host. Knows nothing of what a node does.
//!
//! A node type implements [`Effect`]; [`plugins!`](crate::plugins) lists the types and
//! [`export_plugins!`](crate::export_plugins) makes the library's symbols of the list. From there:
//!
//! ```text
//! host ── mainEntry ──▶ trampoline ──▶ Effect::render(instance, effect, args)
//!                          │                    │
//!                          │                    └─ EffectHandle: this instance, during this action, on this thread
//!                          │                         Clip, Param: kept by the instance, used with the handle
//!                          │                         Image, OutputImage: checked rows, given back when dropped
//!                          └─ State: the Host, and the instances by handle
//!
//! host ── overlay's entry ──▶ guarded alike ──▶ Effect::draw_overlay(instance, effect, viewer, drawing), Effect::pen(…)
//! ```
//!
//! What holds everywhere:
//!
//! - A host is a stranger. Suites, functions, properties and images may be missing; each absence is an `Err` or a `None`.
//! - Nothing escapes. The trampoline turns panics and errors into a status and one message.
//! - No lock is held while the host is called, here or in a node: hosts hold locks of their own. And the host is called on
//!   the action's thread only, which the types see to: [`EffectHandle`] does not leave it.
//! - Strings that a host is handed are `'static`, since some keep the pointer.
//!
//! `unsafe` is in this folder alone. Each block names the header whose promise it relies on.

#![expect(unsafe_code, reason = "the C ABI; each block says what it relies on")]

mod action;
mod args;
mod clip;
mod descriptor;
mod effect;
#[doc(hidden)]
pub mod entry;
pub mod ffi;
mod float_mode;
mod format;
mod geometry;
mod handle;
mod host;
mod image;
mod layout;
mod log;
mod message;
mod names;
mod overlay;
mod param;
mod pin;
mod plane;
mod plugin;
mod process;
mod progress;
mod property;
mod stats;
mod status;
mod suites;
mod trampoline;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use args::{
    Answer, ChangedArgs, ChangedKind, ClipPlanes, ClipPreferences, FrameArgs, FramesNeeded, Identity, IdentityArgs,
    RegionsOfInterest, RenderArgs, SequenceArgs,
};
pub use clip::Clip;
pub use descriptor::{ClipDescriptor, EffectDescriptor};
pub use effect::Effect;
pub use format::{
    CacheInvalidation, ChangeReason, Components, Context, Coordinates, Depth, DoubleType, Field, Premultiplication,
    StringMode, ThreadSafety,
};
pub use geometry::{RangeD, RectD, RectI};
pub use handle::EffectHandle;
pub use host::{Host, HostInfo};
pub use image::{Image, OutputImage, RowMut};
pub use message::MessageKind;
pub use overlay::{Drawing, LineColour, Pen, PenEvent, PenResponse, Viewer};
pub use param::{AnyValue, Bounds, Choice, Edit, Param, ParamDescriptor, ParamValue};
pub use pin::stay_loaded;
pub use plane::Plane;
pub(crate) use plane::layer;
pub use plugin::{Plugin, Registered, State};
pub use process::own_process;
pub use progress::Progress;
pub use property::PropertySet;
pub use status::{Error, Result, Status};
