//! Incompressible flow on staggered grids of up to three dimensions: the part that models share.
//!
//! A model keeps its values in [fields](fields::Fields) and describes its work as lists of
//! [operations](operation::Operation). A [backend](backend::Backend) stores the fields and runs the lists. Algorithms
//! are written once, over lists: the multigrid cycle, conjugate gradients and the projection. Lengths are cells, times
//! are frames, values are `f32`, sums over a grid `f64`. An axis beyond the rank of a grid has one cell and closed
//! sides.
//!
//! | file | content |
//! |---|---|
//! | `shape` | sizes, staggering, boundary conditions |
//! | `fields` | fields by number |
//! | `operation` | the operations and their operands |
//! | `parameters` | parameters and small formulas of the operations |
//! | `combustion` | those of fire with fuel |
//! | `flow_map` | those of dye by a flow map |
//! | `backend` | the trait of a device |
//! | `session` | a backend with the fields of one frame |
//! | `level` | a grid of the multigrid hierarchy |
//! | `regions` | connected components of the fluid cells |
//! | `workspace` | the hierarchy of a domain, and the fields of the pressure solver |
//! | `multigrid` | the cycle and its recipe |
//! | `conjugate_gradients` | conjugate gradients, preconditioned by a cycle |
//! | `projection` | the projection of a velocity |
//! | `corrections` | cycles and sweeps on the corrections of a projection |

pub mod backend;
pub mod combustion;
mod conjugate_gradients;
mod corrections;
pub mod fields;
pub mod flow_map;
pub mod level;
pub mod multigrid;
pub mod operation;
pub mod parameters;
mod projection;
mod regions;
pub mod session;
pub mod shape;
pub mod workspace;

pub use backend::{Backend, Failed, HostFields, Reductions, VelocityStatistics};
pub use fields::{FieldId, Fields, VectorField};
pub use level::Level;
pub use multigrid::{Colour, Multigrid, Prolongation, Recipe, Relax, Restriction};
pub use operation::{Coefficients, LevelOperand, Operation, Scalars};
pub use parameters::{Advection, Confinement, Curve, Forces, Scheme, Stamp, VALUE_MAX, wall_share};
pub use projection::{Projected, Projection, Recipes, Solver, project};
pub use regions::Regions;
pub use session::{GoOn, Session};
pub use shape::{Boundary, Domain, Shape, Slip, Slips, SolidFields, Staggering};
pub use workspace::{Hierarchy, Workspace};
