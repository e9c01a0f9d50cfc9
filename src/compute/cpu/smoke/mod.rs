//! Smoke on the CPU: the operations of `sim::fluid`.
//!
//! Bits depend neither on the number of threads nor on the instruction set: bands of rows are cut by the data alone, every value
//! is a function of the fields before the kernel, and every loop has the same arithmetic, without fused multiply-add.
//!
//! | file | content |
//! |---|---|
//! | `backend`, `plane` | memory, and the dispatch of operations |
//! | `transport` | operations on velocity and scalars |
//! | `operands` | operands as the kernels take them |
//! | `band` | passes over rows of planes, on the threads |
//! | `axis` | the values along an axis, and what stands beyond them |
//! | `places`, `look` | places between values, what is around them, and where the wind blew from |
//! | `value` | one number or four, where one is worked on alone |
//! | `walls` | where solid cells are near |
//! | `faces`, `carry` | velocity, and what cells hold, carried: semi-Lagrangian, cubic, MacCormack |
//! | `force` | weight, lift, confinement |
//! | `slip` | velocity beside solids along which air slips |
//! | `rows` | bands of rows of faces, and rows in hand |
//! | `spans` | where planes hold anything |
//! | `diffuse` | viscosity |
//! | `stamp` | what is done to values on their own |
//! | `pressure` | the passes that take the divergence out |

mod axis;
mod backend;
mod band;
mod carry;
mod diffuse;
mod faces;
mod force;
mod look;
mod operands;
mod places;
mod plane;
mod pressure;
mod rows;
mod slip;
mod spans;
mod stamp;
mod transport;
mod value;
mod walls;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Cpu;
use super::lanes::mode::standard;
use crate::sim::fluid::{HostFields, VelocityStatistics, workspace};
use crate::sim::smoke::{Device, Failed, Notices, State, Task, Workers};
pub use backend::Observer;
pub use plane::Plane;
use plane::Spare;

/// The CPU as a backend for smoke. Bits do not depend on the number of threads, nor on the instruction set.
#[derive(Clone, Copy)]
pub struct SmokeCpu<'a> {
    cpu: &'a Cpu,
    observer: Option<Observer<'a>>,
}

/// Memory and results that are kept for the next frame.
#[derive(Default)]
pub(super) struct Kept {
    spare: Arc<Spare>,
    workspace: Mutex<Option<workspace::Kept<Plane>>>,
    /// The state that was made last, and the statistics of its velocity.
    statistics: Mutex<Option<(Weak<dyn HostFields>, VelocityStatistics)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    /// Drops everything.
    pub fn release(&self) {
        drop(lock(&self.workspace).take());
        drop(lock(&self.statistics).take());
        self.spare.release();
    }

    /// Bytes of the spare buffers.
    pub fn bytes(&self) -> u64 {
        self.spare.bytes()
    }
}

impl Workers for Cpu {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        Cpu::each(self, (0..count).collect(), work);
    }
}

impl Device for Cpu {
    fn name(&self) -> String {
        crate::sim::Device::name(self)
    }

    fn class(&self) -> &'static str {
        "cpu"
    }

    fn run(&self, task: &Task, before: &State, go_on: &mut dyn FnMut() -> bool) -> Result<(State, Notices), Failed> {
        self.inside(go_on, |go_on| standard(|| crate::sim::smoke::run(&SmokeCpu::new(self), task, before, go_on)))
    }
}
