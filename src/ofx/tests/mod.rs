//! Tests of the layer with a small fake host.

#![cfg(target_os = "linux")]

mod camera;
mod fake;
mod images;
mod lifecycle;
mod probe;
mod values;
