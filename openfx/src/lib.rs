//! Facts of OpenFX that the plug-in and the headless host share: names, status codes, layouts of suites.
//!
//! The C declarations of `openfx-sys` are re-exported under their published names (`kOfxPropTime`, `OfxHost`). This
//! crate adds the declarations that `openfx-sys` lacks, and the sets of strings of the standard as enums. It has no
//! `unsafe` block.
//!
//! | module | contents |
//! |---|---|
//! | `action` | [`Action`] |
//! | `names` | names that `openfx-sys` lacks, and their types |
//! | `plane` | names of planes |
//! | `status` | [`Status`] |
//! | `suites` | layouts of suites that `openfx-sys` lacks |
//! | `values` | values of string properties as enums |

#![forbid(unsafe_code)]

#[macro_use]
mod strings;

mod action;
mod names;
pub mod plane;
mod status;
mod suites;
mod values;

pub use openfx_sys::*;

pub use action::Action;
pub use names::*;
pub use status::Status;
pub use suites::*;
pub use values::{
    CacheInvalidation, ChangeReason, Components, Context, Coordinates, Depth, DoubleType, Field, MessageType,
    ParamType, Premultiplication, StringMode, ThreadSafety,
};
