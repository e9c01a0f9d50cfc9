//! The passes of smoke on the CPU.
//!
//! Work is cut into bands of rows by data alone; every value is a function of the planes before the pass; so no number of
//! threads shows, and, since nothing is fused and every loop is the same arithmetic for all instruction sets, neither do
//! those.
//!
//! | file | what |
//! |---|---|
//! | `machine` | the passes by name |
//! | `plane` | memory |
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
mod band;
mod carry;
mod diffuse;
mod faces;
mod force;
mod look;
mod machine;
mod places;
mod plane;
mod pressure;
mod rows;
mod slip;
mod spans;
mod stamp;
mod value;
mod walls;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Cpu;
use super::lanes::mode::standard;
use crate::compute::resources::Resource;
use crate::sim::request;
use crate::sim::smoke::planes::{Planes, Survey};
use crate::sim::smoke::pressure::Rooms;
use crate::sim::smoke::state::Solids;
use crate::sim::smoke::{Air, Device, Diagnostics, Failed, State, Task, Workers};
pub use plane::Plane;

/// The CPU as a machine for smoke. Bits do not depend on the number of threads, nor on the instruction set.
#[derive(Clone, Copy)]
pub struct SmokeCpu<'a> {
    cpu: &'a Cpu,
}

/// Values that a thread copies at a time.
const PIECE: usize = 1 << 18;

impl<'a> SmokeCpu<'a> {
    /// Works on this device's threads.
    pub fn new(cpu: &'a Cpu) -> Self {
        SmokeCpu { cpu }
    }

    fn kept(&self) -> Arc<Kept> {
        self.cpu.resources.get_or_default()
    }

    /// Copies values on all threads.
    fn fill(&self, to: &mut [f32], from: &[f32]) {
        let pieces = to.chunks_mut(PIECE).zip(from.chunks(PIECE)).collect();
        self.cpu.each(pieces, |(to, from): (&mut [f32], &[f32])| to.copy_from_slice(from));
    }
}

/// Room for the pressure, and the solids that it is for.
type Furnished = (Rooms<Plane>, Option<Arc<Solids>>);

/// What is kept for the next frame.
#[derive(Default)]
pub(super) struct Kept {
    rooms: Mutex<Option<Furnished>>,
    /// The air that was made last, and what a survey of it finds.
    surveyed: Mutex<Option<(Weak<Air>, Survey)>>,
}

impl Resource for Kept {
    fn release(&self) -> bool {
        let rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).take();
        let surveyed = self.surveyed.lock().unwrap_or_else(PoisonError::into_inner).take();
        rooms.is_some() || surveyed.is_some()
    }
}

impl Planes for SmokeCpu<'_> {
    type Plane = Plane;

    fn zeros(&self, len: usize) -> Result<Plane, Failed> {
        let mut plane = Plane::stale(len, self.cpu.memory());
        self.cpu.each(plane.chunks_mut(PIECE).collect(), |piece: &mut [f32]| piece.fill(0.0));
        Ok(plane)
    }

    fn up(&self, values: &[f32]) -> Result<Plane, Failed> {
        let mut plane = Plane::stale(values.len(), self.cpu.memory());
        self.fill(&mut plane, values);
        Ok(plane)
    }

    fn down(&self, plane: &Plane) -> Result<Vec<f32>, Failed> {
        Ok(request::copied(plane))
    }

    fn copy(&self, from: &Plane, to: &mut Plane) {
        self.fill(to, from);
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
