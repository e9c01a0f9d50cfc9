//! Devices that run the passes of [`crate::sim`].

pub mod cpu;
