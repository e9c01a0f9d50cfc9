//! Smoke on the CPU: the operations of `sim::fluid`.
//!
//! Bits depend neither on the number of threads nor on the instruction set: every value is a function of the fields
//! before the kernel, every loop has the same arithmetic, without fused multiply-add, and sums are added in an order
//! that does not depend on the bands of rows. The size of the data determines the bands; in `pressure` the number of
//! threads does too.
//!
//! | file | content |
//! |---|---|
//! | `backend`, `plane` | memory, and the dispatch of operations |
//! | `transport` | operations on velocity and scalars |
//! | `operands` | operands as the kernels take them |
//! | `band` | passes over bands of rows, on the threads |
//! | `axis` | indices along an axis and boundary conditions at its ends |
//! | `sample`, `backtrace` | sample positions with their taps; displacements along the velocity |
//! | `value` | arithmetic on a scalar or on four channels |
//! | `obstacles` | search for solid cells near a sample position |
//! | `momentum`, `advect` | advection of velocity and of cell-centred fields: semi-Lagrangian, cubic, MacCormack |
//! | `force` | buoyancy, drag and vorticity confinement |
//! | `fire` | burning, radiation and diffusion of fire with fuel |
//! | `flow_map`, `read_map` | the map of a flow map; the dye that it gives |
//! | `flame_force` | forces in and around a flame |
//! | `slip` | velocity samples beside free-slip solids |
//! | `rows` | bands of face rows, a ring of recent rows, streaming stores |
//! | `occupied` | the columns of each row that hold nonzero values |
//! | `diffuse` | viscosity |
//! | `pointwise` | operations on each value by itself: stamps, sanitising, boundary faces, statistics |
//! | `pressure` | operations of the pressure solver and the projection |

mod advect;
mod axis;
mod backend;
mod backtrace;
mod band;
mod diffuse;
mod fire;
mod flame_force;
mod flow_map;
mod force;
mod momentum;
mod obstacles;
mod occupied;
mod operands;
mod plane;
mod pointwise;
mod pressure;
mod read_map;
mod rows;
mod sample;
mod slip;
mod transport;
mod value;

use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use super::Cpu;
use super::lanes::mode::standard;
use crate::compute::resources::Resource;
use crate::sim::fluid::{HostFields, VelocityStatistics, workspace};
use crate::sim::smoke::{Device, Diagnostics, Failed, State, Task, Workers};
pub use backend::Observer;
pub use plane::Plane;

/// The CPU as a backend for smoke. Bits do not depend on the number of threads, nor on the instruction set.
#[derive(Clone, Copy)]
pub struct SmokeCpu<'a> {
    cpu: &'a Cpu,
    observer: Option<Observer<'a>>,
}

/// Workspace and results that later frames use again.
#[derive(Default)]
pub(super) struct FrameCache {
    workspace: Mutex<Option<workspace::DetachedWorkspace<Plane>>>,
    /// The last state that the device computed, and the statistics of its velocity.
    statistics: Mutex<Option<(Weak<dyn HostFields>, VelocityStatistics)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Resource for FrameCache {
    fn release(&self) -> bool {
        let (workspace, statistics) = (lock(&self.workspace).take(), lock(&self.statistics).take());
        workspace.is_some() || statistics.is_some()
    }
}

impl Workers for Cpu {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        Cpu::each(self, (0..count).collect(), work);
    }
}

impl Device for Cpu {
    fn name(&self) -> String {
        crate::sim::water::Device::name(self)
    }

    fn class(&self) -> &'static str {
        "cpu"
    }

    fn run(
        &self,
        task: &Task,
        before: &State,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(State, Diagnostics), Failed> {
        self.run_on_pool(go_on, |go_on| standard(|| crate::sim::smoke::run(&SmokeCpu::new(self), task, before, go_on)))
    }
}
