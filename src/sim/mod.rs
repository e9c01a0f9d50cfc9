//! The models: what the water is, as numbers. No host, no threads, no GPU.

pub mod grid;
pub mod inputs;
pub mod settings;
