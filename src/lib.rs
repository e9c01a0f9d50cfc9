//! Flow: fluid simulation nodes for OpenFX hosts.
//!
//! # Map
//!
//! | module | what it is | may use |
//! |---|---|---|
//! | [`ofx`] | the C ABI, the only door to the host; knows nothing of water | nothing |
//! | [`nodes`] | one folder per node: controls, describe, instance, render | all |
//! | [`timeline`] | frames as pure functions: chain keys, store, catch-up | `sim`, `compute` |
//! | [`sim`] | the models: state, settings, the passes of one step; no host, no threads | nothing |
//! | [`compute`] | the passes of `sim`, run on a device | `sim` |
//! | [`picture`] | state to image, pixel formats, sampling | `sim`, `compute` |
//!
//! `tests/architecture.rs` holds these arrows.

pub mod compute;
pub mod nodes;
pub mod ofx;
pub mod picture;
pub mod sim;
pub mod timeline;

export_plugins!(crate::nodes::PLUGINS);
