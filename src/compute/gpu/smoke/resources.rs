//! Resources of smoke on a graphics device that later frames use again: compiled passes, the last states, and
//! workspaces of the pressure solver.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::backend::Plane;
use super::passes::Pass;
use super::regions::Runs;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::Passes;
use crate::compute::resources::Resource;
use crate::sim::fluid::{HostFields, Regions, workspace::DetachedWorkspace};

/// Largest number of states, and of base pictures of flow maps, whose buffers stay on the device: those that were used
/// last, of all nodes.
const STATES_MAX: usize = 6;
/// Largest number of workspaces.
const WORKSPACES_MAX: usize = 2;
/// Largest number of lists of region runs: each workspace has one with its solids and one without.
const REGIONS_MAX: usize = 2 * WORKSPACES_MAX;

/// A state, and the buffers of its parts.
type State = (Weak<dyn HostFields>, Vec<Plane>);

/// Device-resident buffers and compiled passes.
pub(in crate::compute::gpu) struct SmokeResources {
    pub(super) passes: Passes<Pass>,
    states: Mutex<VecDeque<State>>,
    workspaces: Mutex<VecDeque<DetachedWorkspace<Plane>>>,
    runs: Mutex<VecDeque<(Weak<Regions>, Arc<Runs>)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Appends to a list of at most `most` entries, dropping the oldest.
fn push<T>(list: &mut VecDeque<T>, most: usize, value: T) {
    if list.len() >= most {
        list.pop_front();
    }
    list.push_back(value);
}

impl Resource for SmokeResources {
    fn release(&self) -> bool {
        let states = std::mem::take(&mut *lock(&self.states));
        let workspaces = std::mem::take(&mut *lock(&self.workspaces));
        lock(&self.runs).clear();
        !(states.is_empty() && workspaces.is_empty())
    }
}

impl SmokeResources {
    /// Resources without states or workspaces.
    pub fn new(device: &wgpu::Device) -> SmokeResources {
        let passes = Passes::new(device);
        SmokeResources { passes, states: Mutex::default(), workspaces: Mutex::default(), runs: Mutex::default() }
    }

    /// The buffer of a part of a state, which becomes the last used one; `None` where it is not on the device.
    pub(super) fn find(&self, owner: &Arc<dyn HostFields>, part: usize) -> Option<Plane> {
        let mut states = lock(&self.states);
        // The weak pointer keeps the address from being used again.
        let at = states.iter().position(|(of, _)| std::ptr::addr_eq(of.as_ptr(), Arc::as_ptr(owner)))?;
        let found = states.remove(at)?;
        let plane = found.1.get(part).map(Plane::shared);
        states.push_back(found);
        plane
    }

    /// Stores the buffers of a state.
    pub(super) fn keep(&self, owner: &Arc<dyn HostFields>, planes: Vec<Plane>) {
        let mut states = lock(&self.states);
        states.retain(|(of, _)| of.strong_count() > 0);
        push(&mut states, STATES_MAX, (Arc::downgrade(owner), planes));
    }

    /// Removes and returns a workspace accepted by `fits`.
    pub(super) fn take_workspace(
        &self,
        fits: &dyn Fn(&DetachedWorkspace<Plane>) -> bool,
    ) -> Option<DetachedWorkspace<Plane>> {
        let mut workspaces = lock(&self.workspaces);
        let at = workspaces.iter().position(fits)?;
        workspaces.remove(at)
    }

    /// Stores a workspace.
    pub(super) fn keep_workspace(&self, workspace: DetachedWorkspace<Plane>) {
        push(&mut lock(&self.workspaces), WORKSPACES_MAX, workspace);
    }

    /// The runs of regions, computed at first use.
    pub(super) fn runs(
        &self,
        regions: &Arc<Regions>,
        make: impl FnOnce() -> Result<Runs, Fault>,
    ) -> Result<Arc<Runs>, Fault> {
        let mut all = lock(&self.runs);
        if let Some((_, runs)) = all.iter().find(|(of, _)| std::ptr::eq(of.as_ptr(), Arc::as_ptr(regions))) {
            return Ok(Arc::clone(runs));
        }
        let runs = Arc::new(make()?);
        all.retain(|(of, _)| of.strong_count() > 0);
        push(&mut all, REGIONS_MAX, (Arc::downgrade(regions), Arc::clone(&runs)));
        Ok(runs)
    }
}
