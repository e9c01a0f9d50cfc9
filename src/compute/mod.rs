//! Devices that run the programs of [`crate::sim`].

pub mod cpu;
pub mod gpu;
