//! Resources of volumes on a graphics device that later steps use again: compiled passes and the last states.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::commands::Buffer;
use super::passes::Pass;
use crate::compute::gpu::pipeline::Passes;
use crate::compute::resources::Resource;
use crate::sim::memory::Values;
use crate::sim::volume::State;

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
}

impl Resource for VolumeResources {
    fn release(&self) -> bool {
        !std::mem::take(&mut *self.lock()).is_empty()
    }
}

impl VolumeResources {
    /// Resources without states.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { passes: Passes::new(device), states: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Weak<Values<f32>>, Resident)>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
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
