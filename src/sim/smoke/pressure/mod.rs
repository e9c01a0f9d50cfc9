//! The pressure: takes the divergence out of velocities.
//!
//! **What is solved.** `A p = b`, with `b = −∇·(u, v)` per frame on the cells (spacing 1), and
//! `(A p)(c) = Σ w(f)·(p(c) − p(n))` over the four faces f of cell c, n being the cell beyond f. Then `u −= ∇p`. So p
//! is the pressure times the time step over the density, cells² per frame. w is 1; it is 0 at faces that touch a solid cell
//! or lie on a closed side; beyond an open side p is 0, one cell away from the last; beyond a wrapped side lies the other.
//!
//! **Planes** are row after row, the lowest first: `width·height` of cells, `(width + 1)·height` of u,
//! `width·(height + 1)` of v. Where an axis wraps, the last column of u, or row of v, repeats the first.
//!
//! **Corrections.** Nothing accumulates in one plane of pressure before it is used: a few cycles give a correction e, then
//! `u −= ∇e`, and b is the divergence of that. So the error of 32-bit numbers shrinks with the corrections.
//!
//! **Regions.** Fluid cells that hang together, where none of them lies at an open side, have a pressure only up to a
//! constant, and only where b sums up to 0: the mean of b is taken off, per region.
//!
//! | file | what |
//! |---|---|
//! | `domain` | cells, sides, and the coarser levels |
//! | `level` | a rectangle of a coarser grid |
//! | `weights` | the same with solids in it |
//! | `regions` | which cells hang together |
//! | `passes` | what a machine does |
//! | `rooms` | the planes that it needs |
//! | `cycle` | multigrid cycles |
//! | `project` | the order of it all |
//! | `conjugate` | conjugate gradients |

mod conjugate;
mod cycle;
pub mod domain;
pub mod level;
pub mod passes;
mod project;
mod regions;
pub mod rooms;
pub mod weights;

pub use domain::Domain;
pub use level::Level;
pub use passes::{Colour, Corrected, PressurePasses, Relax, Rung, Sums, Walls};
pub use project::{Projected, Projection, project};
pub use regions::Regions;
pub use rooms::Rooms;
pub use weights::Weights;
