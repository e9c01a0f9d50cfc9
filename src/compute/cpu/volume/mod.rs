//! The volume's kernels.
//!
//! | file | contents |
//! |---|---|
//! | `step` | a step as a sequence of passes |
//! | `padded` | fields with layers around the box |
//! | `sample` | sample positions and trilinear interpolation |
//! | `vectors` | vectors of cells |
//! | `displacement`, `backtrace` | backtraces, of the cells of the velocity and of finer ones |
//! | `momentum` | advection of the velocity |
//! | `occupied`, `scalars` | advection of packs of scalars |
//! | `transport` | advection, burning and rounding of packs |
//! | `emission`, `velocities` | emitters |
//! | `solids` | open shares of faces, closed faces and solid cells |
//! | `force_points` | force fields at points between which they are interpolated |
//! | `forces` | buoyancy, confinement, force fields, drag |
//! | `means` | means of finer scalars |
//! | `burn` | burning, and the divergence of a projection |
//! | `pressure` | multigrid and projection |
//! | `velocity`, `halves` | the fields of a state and back |
//!
//! Results have the same bits for any number of threads and any instruction set.

mod backtrace;
mod burn;
mod displacement;
mod emission;
mod force_points;
mod forces;
mod halves;
mod means;
mod momentum;
mod occupied;
mod padded;
mod pressure;
mod sample;
mod scalars;
mod solids;
mod step;
mod transport;
mod vectors;
mod velocities;
mod velocity;

pub(in crate::compute) use force_points::ForcePoints;
pub(in crate::compute) use pressure::Regions;
pub(in crate::compute) use solids::Solids;
pub(in crate::compute) use step::coarser;
#[doc(hidden)]
pub use step::solve;
pub(in crate::compute) use velocities::Cover;

#[cfg(test)]
mod tests;
