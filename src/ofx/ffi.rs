//! The raw declarations of OpenFX: the crate `openfx-sys`, and what it lacks.
//!
//! Everything here is as the C headers have it. The other files of this module are the only users, and
//! `tests/bindings.rs` checks the two against each other.

pub use openfx_sys as sys;

use std::ffi::CStr;

/// What `openfx-sys` does not carry, from `openfx-headers/`.
#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub,
    dead_code,
    clippy::all,
    reason = "generated from C headers, under their names"
)]
pub mod extra {
    include!(concat!(env!("OUT_DIR"), "/flow_openfx.rs"));
}

/// A name of `openfx-sys`, which has them as byte arrays that end in NUL, as a C string.
///
/// # Panics
///
/// At compile time, where `bytes` is not one NUL-terminated string.
#[must_use]
pub const fn name(bytes: &'static [u8]) -> &'static CStr {
    match CStr::from_bytes_with_nul(bytes) {
        Ok(name) => name,
        Err(_) => panic!("an OpenFX name holds exactly one NUL, at its end"),
    }
}
