//! The part of a node that is the same for all models: a simulation from frame to frame, controlled by a panel of
//! parameters and by images of the inputs.
//!
//! A node implements [`Node`](node::Node), [`Simulation`](node::Simulation) and [`Controls`](controls::Controls), which
//! makes it an [`Effect`](crate::ofx::Effect). No file here depends on a model, or on the rank of its grid: only images
//! and rasters have two axes.
//!
//! | file | content |
//! |---|---|
//! | `node` | the traits of a node |
//! | `controls`, `shared` | parameters as data, and those that every node has |
//! | `table`, `parameters.txt`, `declaration` | the text of a table of parameters, and the macro that declares them |
//! | `presets` | values for many parameters, set as one edit |
//! | `undo` | edits of several parameters in hosts that end edit blocks early |
//! | `identity` | the id that names a node's cache folder |
//! | `panel_state` | enabled and hidden parameters |
//! | `overlay` | handles in the viewer |
//! | `describe` | the description for the host |
//! | `actions` | the host's actions |
//! | `instance`, `params`, `values` | handles and caches of a node, and the values of its parameters |
//! | `geometry`, `clips`, `pictures` | regions and images of the host as a raster and pictures on it |
//! | `job` | the parts of a simulation for one render or bake |
//! | `reader` | the settings of past frames, from a cache or from the host |
//! | `chain` | the frames of a node for the timeline |
//! | `sequential`, `interpolated` | the simulation in sequential-only hosts, and values between two frames |
//! | `initial` | a file as the start of the simulation |
//! | `axis_file` | places from the files of axes |
//! | `camera`, `camera_file`, `camera_input` | the camera of nodes in three dimensions; its files; a camera of the host |
//! | `catcher` | a message about the shadow catcher |
//! | `cache`, `bake` | the folder on disk, and its buttons |
//! | `files` | files of frames for other programs |
//! | `frame_file` | files that a picture shows |
//! | `file_hash`, `numbered` | hashes of files that a simulation reads; names with a place for a frame's number |
//! | `memory` | the memory of a frame |
//! | `progress`, `draft_badge` | progress and previews, and the badge of a preview |
//! | `planes` | the planes of a node other than colour |
//! | `render`, `report` | the render action and its report |

mod actions;
pub mod axis_file;
mod bake;
pub mod cache;
pub mod camera;
pub mod camera_file;
pub mod camera_input;
pub mod catcher;
mod chain;
mod clips;
pub mod controls;
mod declaration;
mod describe;
mod draft_badge;
pub mod file_hash;
pub mod files;
pub mod frame_file;
pub mod geometry;
mod identity;
pub mod initial;
pub mod instance;
mod interpolated;
mod job;
mod memory;
pub mod node;
pub mod numbered;
pub mod overlay;
mod panel_state;
mod params;
pub mod pictures;
pub mod planes;
pub mod presets;
mod progress;
mod reader;
mod render;
pub mod report;
mod sequential;
pub mod shared;
pub mod table;
#[cfg(test)]
mod tests;
mod undo;
pub mod values;
