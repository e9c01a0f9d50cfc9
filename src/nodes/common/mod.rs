//! What all nodes have in common: a fluid simulated from frame to frame, from a panel of parameters and pictures on a grid.
//! It knows no model: a node implements [`Node`](node::Node), [`Simulation`](node::Simulation) and
//! [`Controls`](controls::Controls), and is an [`Effect`](crate::ofx::Effect) by that.
//!
//! | file | what |
//! |---|---|
//! | `node` | what a node has of its own |
//! | `controls`, `shared` | parameters as data, and those that every node has |
//! | `presets` | looks that a user picks from a list |
//! | `undo` | presets and drags that one undo takes back in hosts that end edit blocks early |
//! | `identity` | the id by which a node has a cache folder of its own |
//! | `greyed` | what of the panel is greyed out |
//! | `overlay` | what of the panel is dragged in the viewer |
//! | `describe` | what the host is told before there is a node |
//! | `instance`, `params`, `values` | a node's handles and memories, and its parameters' values |
//! | `geometry`, `feed`, `pictures` | the host's rectangles and images as the grid and its pictures |
//! | `reader` | the settings of past frames, from a cache or from the host |
//! | `shot` | all of that as the timeline wants it |
//! | `stage` | what the three above are made of |
//! | `cache`, `bake` | the folder on disk, and its buttons |
//! | `initial` | a file as the start of the simulation |
//! | `present`, `between` | the simulation in a host that shows the present only |
//! | `planes` | the layers that hosts with planes have of a node beside its colour |
//! | `need` | the memory of a frame, and of the process |
//! | `watch`, `mark` | how far a render is, and drafts that do not wait |
//! | `render`, `report` | a frame, and what there is to tell of it |
//! | `actions` | the host's actions |

mod actions;
mod bake;
mod between;
pub mod cache;
pub mod controls;
mod describe;
mod feed;
pub mod geometry;
mod greyed;
mod identity;
pub mod initial;
pub mod instance;
mod mark;
mod need;
pub mod node;
pub mod overlay;
mod params;
pub mod pictures;
pub mod planes;
mod present;
pub mod presets;
mod reader;
mod render;
pub mod report;
pub mod shared;
pub mod shot;
mod stage;
#[cfg(test)]
mod tests;
mod undo;
pub mod values;
mod watch;
