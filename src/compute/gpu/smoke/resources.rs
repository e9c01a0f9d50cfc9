//! Resources that stay on a device from frame to frame: compiled passes, the last states, and workspaces of the pressure.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::backend::Plane;
use super::passes::Pass;
use super::regions::Runs;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::Passes;
use crate::compute::resources::Resource;
use crate::sim::fluid::{HostFields, Regions, workspace::DetachedWorkspace};

/// States whose buffers stay: the last of a few nodes that render by turns.
const STATES_MAX: usize = 4;
/// Workspaces that stay.
const WORKSPACES_MAX: usize = 2;
/// Regions whose runs stay: of a workspace with and without its solids.
const REGIONS_MAX: usize = 2 * WORKSPACES_MAX;

/// A state, and the buffers with its parts.
type State = (Weak<dyn HostFields>, Vec<Plane>);

/// The resources.
pub(in crate::compute::gpu) struct SmokeResources {
    pub(super) passes: Passes<Pass>,
    states: Mutex<VecDeque<State>>,
    workspaces: Mutex<VecDeque<DetachedWorkspace<Plane>>>,
    runs: Mutex<VecDeque<(Weak<Regions>, Arc<Runs>)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds to a list of so many at most.
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
    /// Nothing yet.
    pub fn new(device: &wgpu::Device) -> SmokeResources {
        let passes = Passes::new(device);
        SmokeResources { passes, states: Mutex::default(), workspaces: Mutex::default(), runs: Mutex::default() }
    }

    /// The buffer with a part of a state, where this device made the state and still has it.
    pub(super) fn find(&self, owner: &Arc<dyn HostFields>, part: usize) -> Option<Plane> {
        let states = lock(&self.states);
        // While the weak pointer is here, no other state can have the address.
        let (_, planes) = states.iter().find(|(of, _)| std::ptr::addr_eq(of.as_ptr(), Arc::as_ptr(owner)))?;
        planes.get(part).map(Plane::shared)
    }

    /// Keeps the buffers of a state.
    pub(super) fn keep(&self, owner: &Arc<dyn HostFields>, planes: Vec<Plane>) {
        let mut states = lock(&self.states);
        states.retain(|(of, _)| of.strong_count() > 0);
        push(&mut states, STATES_MAX, (Arc::downgrade(owner), planes));
    }

    /// Takes a workspace that `fits`.
    pub(super) fn take_workspace(
        &self,
        fits: &dyn Fn(&DetachedWorkspace<Plane>) -> bool,
    ) -> Option<DetachedWorkspace<Plane>> {
        let mut workspaces = lock(&self.workspaces);
        let at = workspaces.iter().position(fits)?;
        workspaces.remove(at)
    }

    /// Keeps a workspace.
    pub(super) fn keep_workspace(&self, workspace: DetachedWorkspace<Plane>) {
        push(&mut lock(&self.workspaces), WORKSPACES_MAX, workspace);
    }

    /// The runs of regions, made at first use.
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
