//! Flow: fluid simulation nodes for OpenFX hosts.
//!
//! # Map
//!
//! | module | what it is | may use |
//! |---|---|---|
//! | [`ofx`] | the C ABI, the only door to the host; knows nothing of water | nothing |
//! | [`nodes`] | one folder per node, and [`nodes::common`]: controls, describe, instance, render, for any model | all |
//! | [`timeline`] | frames as pure functions: chain keys, store, catch-up, the folder on disk | `sim`, `compute`, `flow_cache` |
//! | [`sim`] | the models: state, settings, the passes of one step; no host, no threads | nothing |
//! | [`compute`] | the passes of `sim`, run on a device: `cpu`, and `gpu` with the shaders in `shaders/` | `sim` |
//! | [`picture`] | state to image, pixel formats, sampling | `sim`, `compute` |
//!
//! `tests/architecture.rs` holds these arrows. Beside this package:
//!
//! | package | folder | what it is |
//! |---|---|---|
//! | `flow_cache` | `cache/` | files and folders of states on disk; knows nothing of OpenFX or of water, so that `flow-host` reads them without the plug-in |
//! | `flow_host` | `host/` | the headless host, as a library and a command; knows no node |
//! | `xtask` | `xtask/` | the project's commands |
//!
//! The seam between the models and the devices is [`sim::water::Device`]: it takes a frame as integers ([`sim::water::FramePlan`]) and the
//! water before ([`sim::water::StateBuffers`], planes in memory or kept by a device), and gives the water after. All devices give the
//! same bits. Failures of graphics devices end in [`compute::gpu::water::GpuWithFallback`], which goes on with the CPU: the timeline and
//! the nodes never see one.
//!
//! Smoke is of floats: lists of operations on fields, which the CPU and graphics devices run ([`sim::fluid::Backend`]). Their
//! bits differ, so a chain of smoke names its class of device; where a graphics device
//! fails, the node's render begins anew with a chain of the CPU's.

pub mod compute;
pub mod nodes;
pub mod ofx;
pub mod picture;
pub mod sim;
pub mod timeline;

// What a library exports is compiled with all that it leads to: unit tests would wait for kernels that they do not run.
#[cfg(not(test))]
export_plugins!(crate::nodes::PLUGINS);
#[cfg(not(test))]
export_text!(FlowDevices, crate::nodes::devices);
