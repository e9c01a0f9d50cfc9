//! Water that stays on the device that made it, and comes down behind the rendering.

use std::any::Any;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use super::super::open::Gpu;
use super::slabs::Cut;
use super::upload::Slabs;
use crate::sim::memory::Values;
use crate::sim::water::buffers::{Resident, StateBuffers, Sums, View};
use crate::sim::water::plan::{Device, FramePlan, Water, flow_planes};

/// A state in a device's buffers.
#[derive(Clone)]
pub(in crate::compute::gpu) struct Planes {
    pub cut: Arc<Cut>,
    pub height: Slabs,
    pub flow: Slabs,
    pub pigment: Option<Slabs>,
}

/// How a state is made once more, should its planes be lost before they came down.
#[derive(Clone)]
struct Recipe {
    plan: Arc<FramePlan>,
    before: Arc<StateBuffers>,
    device: Arc<dyn Device>,
}

/// Where the planes are.
#[derive(Default)]
struct Places {
    /// In buffers; `None` once the device needs them for newer states.
    buffers: Option<Planes>,
    /// In memory, until they are fetched.
    memory: Option<Water>,
    /// Kept until the planes are in memory.
    recipe: Option<Recipe>,
    /// On their way, or still to be sent.
    coming: bool,
}

/// Shared by the state, the courier that brings it down, and the device's list of what it keeps.
pub(in crate::compute::gpu) struct Kept {
    places: Mutex<Places>,
    arrived: Condvar,
}

impl Kept {
    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The planes in the device's buffers, where they are nowhere else.
    fn only_buffers(&self) -> Option<Planes> {
        let places = self.lock();
        places.buffers.clone().filter(|_| places.memory.is_none() && places.coming)
    }

    /// The planes in the device's buffers, where they still are.
    pub fn buffers(&self) -> Option<Planes> {
        self.lock().buffers.clone()
    }

    /// The planes are in memory: nothing else is needed any more to have them.
    pub fn arrive(&self, water: Water) {
        let mut places = self.lock();
        places.memory = Some(water);
        places.coming = false;
        let recipe = places.recipe.take();
        drop(places);
        self.arrived.notify_all();
        // May free the state before, which may free others.
        drop(recipe);
    }

    /// The planes will not come: they are made once more where they are needed.
    pub fn fail(&self) {
        self.lock().coming = false;
        self.arrived.notify_all();
    }

    /// Gives the buffers back; false while the planes are on their way down, and then nothing happens.
    pub fn release(&self) -> bool {
        let mut places = self.lock();
        if places.coming {
            return false;
        }
        let buffers = places.buffers.take();
        drop(places);
        drop(buffers);
        true
    }

    /// Blocks until the planes are in memory or lost.
    fn take(&self) -> Result<Water, Option<Recipe>> {
        let mut places = self.lock();
        while places.coming {
            places = self.arrived.wait(places).unwrap_or_else(PoisonError::into_inner);
        }
        places.memory.take().ok_or_else(|| places.recipe.clone())
    }
}

/// What a [`StateBuffers`] has of it.
pub(in crate::compute::gpu) struct OnDevice {
    kept: Arc<Kept>,
    gpu: Weak<Gpu>,
    sums: Sums,
    bytes: usize,
}

impl OnDevice {
    /// A state that is about to come down; `device` makes it once more should it be lost.
    pub fn new(
        gpu: &Arc<Gpu>,
        planes: Planes,
        sums: Sums,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        device: &Arc<dyn Device>,
    ) -> OnDevice {
        let cut = &planes.cut;
        let count = 1 + flow_planes(plan.model) + if planes.pigment.is_some() { 3 } else { 0 };
        let bytes = cut.stride() * (cut.height + 2) * count * size_of::<i32>();
        let (plan, before, device) = (Arc::clone(plan), Arc::clone(before), Arc::clone(device));
        let recipe = Some(Recipe { plan, before, device });
        let places = Places { buffers: Some(planes), memory: None, recipe, coming: true };
        let kept = Arc::new(Kept { places: Mutex::new(places), arrived: Condvar::new() });
        OnDevice { kept, gpu: Arc::downgrade(gpu), sums, bytes }
    }

    /// What the device shares with it.
    pub fn kept(&self) -> &Arc<Kept> {
        &self.kept
    }
}

impl Resident for OnDevice {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn sums(&self) -> Sums {
        self.sums
    }

    fn fetch(&self) -> Water {
        // It may not have been sent on its way yet.
        if let Some(gpu) = self.gpu.upgrade() {
            gpu.send_down();
        }
        match self.kept.take() {
            Ok(water) => water,
            Err(Some(recipe)) => {
                tracing::warn!("a state was lost with its device and is made once more");
                match recipe.device.run(&recipe.plan, &recipe.before, &mut || true) {
                    Ok((body, _)) => {
                        let recipe = self.kept.lock().recipe.take();
                        drop(recipe);
                        body.water().clone()
                    }
                    Err(interrupted) => unreachable!("{interrupted}, though nobody asked for it"),
                }
            }
            Err(None) => unreachable!("a state has its recipe until it was fetched"),
        }
    }

    fn picture(&self, view: &View<'_>) -> Option<Values<[f32; 4]>> {
        let planes = self.kept.only_buffers()?;
        self.gpu.upgrade()?.picture(&planes, view)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
