//! The layer against a small host of its own.

#![cfg(target_os = "linux")]

mod fake;
mod images;
mod lifecycle;
mod probe;
mod values;
