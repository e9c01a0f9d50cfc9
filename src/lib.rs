//! Flow: fluid simulation nodes for OpenFX hosts.
//!
//! # Map
//!
//! | module | contents | may use |
//! |---|---|---|
//! | [`ofx`] | the C ABI, the only interface to the host; independent of the models | nothing |
//! | [`nodes`] | one folder per node, and [`nodes::common`]: controls, describe, instance, render, for any model | all |
//! | [`timeline`] | frames as pure functions: chain keys, store, catch-up, the folder on disk | `sim`, `compute`, `flow_cache` |
//! | [`sim`] | the models: state, settings, the passes of one step; no host, no threads | nothing |
//! | [`compute`] | the passes of `sim`, run on a device: `cpu`, and `gpu` with the shaders in `shaders/` | `sim` |
//! | [`picture`] | state to image, pixel formats, sampling | `sim`, `compute` |
//!
//! `tests/architecture.rs` checks these dependencies. Beside this package:
//!
//! | package | folder | contents |
//! |---|---|---|
//! | `flow_cache` | `cache/` | files and folders of states on disk; independent of OpenFX and of the models, so that `flow-host` reads states without the plug-in |
//! | `flow_openfx` | `openfx/` | names, status codes and suite layouts of OpenFX, shared by plug-in and host |
//! | `flow_host` | `host/` | the headless host, as a library and a command; independent of the nodes |
//! | `xtask` | `xtask/` | the project's commands |
//!
//! The interface between the water and the devices is [`sim::water::Device`]: it takes a frame as integers
//! ([`sim::water::FramePlan`]) and the water before ([`sim::water::StateBuffers`], in memory or device-resident), and
//! returns the water after. All devices give the same bits. A failure of a graphics device ends in
//! [`compute::gpu::water::GpuWithFallback`], which continues with the CPU; the timeline and the nodes do not see it.
//!
//! Smoke consists of floats: lists of operations on fields, which the CPU and graphics devices run
//! ([`sim::fluid::Backend`]). Their bits differ, so the chain key of smoke contains the device class; after a failure
//! of a graphics device, the render starts again with a chain of the CPU's class.
//!
//! A step of a volume is a plan of numbers, which a device runs whole ([`sim::volume::Device`]): the CPU or, without
//! solids, a graphics device. Volumes have the device class in their key, and restart after a failure, as smoke does.
//! Particles are simulated on the CPU.

pub mod compute;
pub mod nodes;
pub mod ofx;
pub mod picture;
pub mod sim;
pub mod timeline;

// Exports reference all kernels: unit tests, which do not need them, compile without exports.
#[cfg(not(test))]
export_plugins!(crate::nodes::PLUGINS);
#[cfg(not(test))]
export_text!(FlowDevices, crate::nodes::devices);
