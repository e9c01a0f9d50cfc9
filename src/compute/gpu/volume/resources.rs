//! Resources of volumes on a graphics device that later steps use again: compiled passes, the last states and standing
//! solids.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::commands::{Buffer, Commands};
use super::passes::Pass;
use super::solids::{Solids, Standing};
use crate::compute::cpu::Cpu;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::Passes;
use crate::compute::resources::Resource;
use crate::sim::memory::Values;
use crate::sim::volume::State;
use crate::sim::volume::plan::StepPlan;

/// Largest number of states whose buffers stay on the device: those that were used last, of all nodes.
const STATES_MAX: usize = 2;

/// The buffers of a state.
#[derive(Clone)]
pub(super) struct Resident {
    pub velocity: Buffer,
    pub scalars: Buffer,
    pub gases: Option<Buffer>,
    pub tints: Option<Buffer>,
}

/// Device-resident buffers and compiled passes.
pub(super) struct VolumeResources {
    pub passes: Passes<Pass>,
    /// By the velocity across x faces, which belongs to one state.
    states: Mutex<VecDeque<(Weak<Values<f32>>, Resident)>>,
    /// The last standing solids.
    standing: Mutex<Option<Standing>>,
}

impl Resource for VolumeResources {
    fn release(&self) -> bool {
        let solids = self.standing().take();
        !std::mem::take(&mut *self.lock()).is_empty() | solids.is_some()
    }
}

impl VolumeResources {
    /// Resources without states.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { passes: Passes::new(device), states: Mutex::default(), standing: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Weak<Values<f32>>, Resident)>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self) -> MutexGuard<'_, Option<Standing>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The solids of a step; `None` where no face of the box is covered.
    pub fn solids(&self, commands: &Commands<'_>, cpu: &Cpu, plan: &StepPlan) -> Result<Option<Arc<Solids>>, Fault> {
        if plan.solids.is_empty() && plan.projected.is_empty() {
            return Ok(None);
        }
        if let Some(found) = self.standing().as_ref().filter(|standing| standing.are_of(plan)) {
            return Ok(found.solids.clone());
        }
        let solids = Solids::new(commands, cpu, plan)?.map(Arc::new);
        if let Some(standing) = Standing::new(plan, solids.clone()) {
            *self.standing() = Some(standing);
        }
        Ok(solids)
    }

    /// The buffers of a state, if they are on the device.
    pub fn find(&self, state: &State) -> Option<Resident> {
        let states = self.lock();
        // The weak pointer keeps the address from being used again.
        let found = states.iter().find(|(of, _)| std::ptr::eq(of.as_ptr(), Arc::as_ptr(&state.velocity[0])))?;
        Some(found.1.clone())
    }

    /// Stores the buffers of a state.
    pub fn keep(&self, state: &State, resident: Resident) {
        let mut states = self.lock();
        states.retain(|(of, _)| of.strong_count() > 0);
        if states.len() >= STATES_MAX {
            states.pop_front();
        }
        states.push_back((Arc::downgrade(&state.velocity[0]), resident));
    }
}
