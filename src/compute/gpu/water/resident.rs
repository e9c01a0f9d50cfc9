//! States on the device that made them, and their copies in memory.

use std::any::Any;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use super::device::WaterGpu;
use super::slabs::Partition;
use super::upload::Slabs;
use crate::sim::memory::Values;
use crate::sim::water::buffers::{LayerView, Resident, StateBuffers, Sums};
use crate::sim::water::plan::{Device, FramePlan, Water, flow_planes};

/// The buffers of a state on a device.
#[derive(Clone)]
pub(super) struct DeviceBuffers {
    pub partition: Arc<Partition>,
    pub height: Slabs,
    pub flow: Slabs,
    pub pigment: Option<Slabs>,
}

/// Input of the frame that made a state, to simulate it again where the device loses it before its readback.
#[derive(Clone)]
struct Recipe {
    plan: Arc<FramePlan>,
    before: Arc<StateBuffers>,
    device: Arc<dyn Device>,
}

/// The copies of a state.
#[derive(Default)]
struct Places {
    /// On the device; `None` once it needs the buffers for newer states.
    buffers: Option<DeviceBuffers>,
    /// In memory, until the planes are fetched.
    memory: Option<Water>,
    /// Kept until the planes are in memory.
    recipe: Option<Recipe>,
    /// The readback is under way, or yet to start.
    pending: bool,
}

/// The copies of a state: shared by the state, its readback and the list of the device.
pub(super) struct Copies {
    places: Mutex<Places>,
    arrived: Condvar,
}

impl Copies {
    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The buffers on the device, where there is no copy in memory.
    fn only_buffers(&self) -> Option<DeviceBuffers> {
        let places = self.lock();
        places.buffers.clone().filter(|_| places.memory.is_none() && places.pending)
    }

    /// The buffers on the device, where it still has them.
    pub fn buffers(&self) -> Option<DeviceBuffers> {
        self.lock().buffers.clone()
    }

    /// Takes the copy in memory.
    pub fn arrive(&self, water: Water) {
        let mut places = self.lock();
        places.memory = Some(water);
        places.pending = false;
        let recipe = places.recipe.take();
        drop(places);
        self.arrived.notify_all();
        // This may free the state before, and others before that one.
        drop(recipe);
    }

    /// Notes that the readback failed: the state is simulated again when its planes are needed.
    pub fn fail(&self) {
        self.lock().pending = false;
        self.arrived.notify_all();
    }

    /// Frees the buffers on the device. Does nothing and returns false while the readback is pending.
    pub fn release(&self) -> bool {
        let mut places = self.lock();
        if places.pending {
            return false;
        }
        let buffers = places.buffers.take();
        drop(places);
        drop(buffers);
        true
    }

    /// Blocks while the readback is pending; returns the planes, or how to simulate them.
    fn take(&self) -> Result<Water, Option<Recipe>> {
        let mut places = self.lock();
        while places.pending {
            places = self.arrived.wait(places).unwrap_or_else(PoisonError::into_inner);
        }
        places.memory.take().ok_or_else(|| places.recipe.clone())
    }
}

/// A state on a device, as [`StateBuffers`] holds it.
pub(super) struct OnDevice {
    copies: Arc<Copies>,
    gpu: Weak<WaterGpu>,
    sums: Sums,
    bytes: usize,
}

impl OnDevice {
    /// A state with a pending readback; `device` simulates it again where it is lost.
    pub fn new(
        gpu: &Arc<WaterGpu>,
        buffers: DeviceBuffers,
        sums: Sums,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        device: &Arc<dyn Device>,
    ) -> OnDevice {
        let partition = &buffers.partition;
        let count = 1 + flow_planes(plan.model) + if buffers.pigment.is_some() { 3 } else { 0 };
        let bytes = partition.stride() * (partition.height + 2) * count * size_of::<i32>();
        let (plan, before, device) = (Arc::clone(plan), Arc::clone(before), Arc::clone(device));
        let recipe = Some(Recipe { plan, before, device });
        let places = Places { buffers: Some(buffers), memory: None, recipe, pending: true };
        let copies = Arc::new(Copies { places: Mutex::new(places), arrived: Condvar::new() });
        OnDevice { copies, gpu: Arc::downgrade(gpu), sums, bytes }
    }

    /// The copies, which the device shares.
    pub fn copies(&self) -> &Arc<Copies> {
        &self.copies
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
        // The readback may not have started.
        if let Some(gpu) = self.gpu.upgrade() {
            gpu.start_readback();
        }
        match self.copies.take() {
            Ok(water) => water,
            Err(Some(recipe)) => {
                tracing::warn!("a state was lost with its device and is simulated again");
                match recipe.device.run(&recipe.plan, &recipe.before, &mut || true) {
                    Ok((state, _)) => {
                        let recipe = self.copies.lock().recipe.take();
                        drop(recipe);
                        state.water().clone()
                    }
                    Err(interrupted) => unreachable!("{interrupted}, though `go_on` is always true"),
                }
            }
            Err(None) => unreachable!("a state has its recipe until its planes are fetched"),
        }
    }

    fn picture(&self, view: &LayerView<'_>) -> Option<Values<[f32; 4]>> {
        let buffers = self.copies.only_buffers()?;
        self.gpu.upgrade()?.picture(&buffers, view)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
