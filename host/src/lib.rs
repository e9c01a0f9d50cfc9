//! flow-host: a headless OpenFX host, as a library and a command.
//!
//! The host loads any OpenFX image effect through the C ABI and renders it with frames and
//! time, without a user interface:
//!
//! ```no_run
//! use flow_host::{Context, Host, Profile, Project, Source};
//!
//! # fn main() -> flow_host::Result<()> {
//! let host = Host::new(Profile::generic());
//! let plugin = host.load("Flow.ofx.bundle")?.plugin("org.flowofx.Flow")?;
//! let node = plugin
//!     .node(Context::General)
//!     .project(Project::new(960, 540))
//!     .key("speed", 1.0, 4.0)
//!     .key("speed", 50.0, 8.0)
//!     .clip("Source", Source::constant([0.1, 0.3, 0.6, 1.0]))
//!     .create()?;
//! let frame = node.frame(20.0)?;
//! println!("{:?}, {:?}", frame.pixel(10, 10), frame.stats);
//! # Ok(())
//! # }
//! ```
//!
//! # Map
//!
//! | module | contents |
//! |---|---|
//! | [`Profile`] | properties and behaviour of a host: generic, Nuke, Natron, Resolve, MLT |
//! | [`Host`], [`Bundle`], [`Plugin`] | a host, an open library, a described plug-in |
//! | [`Node`], [`NodeBuilder`] | an effect in a project: parameters, connections, edits |
//! | [`Source`], [`Image`] | inputs of clips: constants, functions of time, files, nodes |
//! | [`Request`], [`Frame`] | a render and its result |
//! | [`Camera`] | a camera that is connected to a node, in the hosts that have such inputs |
//! | [`Plane`] | layers other than colour, in the hosts that have them |
//! | [`Overlay`], [`Viewer`] | a plug-in's overlay as lines, and a pen that drags it |
//! | [`Record`] | calls between host and plug-ins, broken rules included |
//! | [`Plugin::misuse`], [`Request::misstate`] | wrong use by a broken host, for tests of plug-ins |
//! | [`StandIn`], `with_denormals_flushed` | other parts of a host's process: a system's library, fast-math code |
//! | [`io`] | EXR and PNG files |
//! | [`cli`] | the command |
//!
//! # Threads and locks
//!
//! A [`Node`] may be rendered from several threads at once; the host serialises renders that the plug-in's declared
//! thread safety forbids. A render calls upstream nodes on its own thread. Where plug-ins are not fully safe, render
//! different nodes of one graph from one thread only: a lock is held while upstream nodes render. Edits run on the
//! calling thread, concurrently with renders. No lock of the host is held while a plug-in is called, except those that
//! stand for thread safety.
//!
//! # Handles
//!
//! A plug-in holds numbers, not addresses. A stale or invented handle, a wrong index,
//! an image that is not released, a parameter set during render: each is answered with
//! a status and noted in the [`Record`].
//!
//! # Statistics from a plug-in
//!
//! The host offers the suite `org.flowofx.FlowHostStatsSuite`, version 1, a struct
//! with one function
//! `OfxStatus (*report)(OfxImageEffectHandle instance, double time, const char *json)`.
//! Called in a render action on that action's thread with a JSON object, it adds the
//! object's members to [`Frame::stats`] and to the command's `--stats` file.

mod action;
mod batch;
mod builder;
mod cache;
mod camera;
pub mod cli;
mod clip;
mod description;
mod descriptor;
mod edit;
mod enabling;
mod error;
mod ffi;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod float_mode;
#[cfg(unix)]
mod fork;
mod frame;
mod frames;
mod geometry;
mod host;
mod image;
mod inspect;
mod instance;
pub mod io;
mod library;
mod memory;
mod misuse;
mod names;
mod node;
mod overlay;
mod params;
mod plane;
mod plugin;
mod preferences;
pub mod profile;
mod project;
mod props;
mod queries;
mod raster;
mod record;
mod render;
mod source;
mod undo;
mod write;

pub use action::{AbortCheck, Fetch};
pub use builder::NodeBuilder;
pub use camera::Camera;
pub use description::{ClipDescription, Description, ParamDescription};
pub use error::{Error, Result};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use float_mode::with_denormals_flushed;
pub use flow_openfx::{Components, Context, Depth, ParamType as Kind, Premultiplication, Status};
#[cfg(unix)]
pub use fork::in_forked_child;
pub use frame::Frame;
pub use frames::{Order, parse_frames};
pub use geometry::{RectD, RectI};
pub use host::{Host, live_handles};
pub use image::{Image, RowLayout};
pub use inspect::Part;
pub use library::StandIn;
pub use node::Node;
pub use overlay::{Line, Overlay, Viewer};
pub use params::{Curve, Value};
pub use plane::Plane;
pub use plugin::{Bundle, Plugin};
pub use preferences::Preferences;
pub use profile::Profile;
pub use project::Project;
pub use queries::Ranges;
pub use record::{Event, Record};
pub use render::Request;
pub use source::{Pictures, Source};
pub use write::{InputPremult, Written};
