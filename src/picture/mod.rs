//! Pictures: pixel formats of the host, and sampling between a host's images and the grid.
//!
//! An image is given as rows of bytes in a [`Format`], and the position of its pixels in the canonical plane as a
//! [`Placement`]. Arithmetic is in a fixed order, so that the same pixels give
//! the same bits on every machine.

mod absorption;
pub mod camera;
pub mod camera_path;
pub mod catcher;
pub mod format;
pub mod gather;
pub mod layers;
mod light_clusters;
pub mod masks;
mod maths;
pub mod particles;
pub mod placement;
pub mod resample;
pub mod smoke;
pub mod straight;
#[cfg(test)]
pub mod testing;
pub mod volume;
pub mod water;
mod zlib;

pub use format::{Channel, Components, Depth, Format};
pub use gather::{Averaging, Gather, Reading};
pub use layers::{Canvas, Cells, RawLayer, paint, paint_cells};
pub use placement::{Axis, Placement};
pub use resample::Resampling;
