//! Frames of the water on a graphics device, and the states and terrains that stay on it from frame to frame.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::frame::{self, FrameInput};
use super::inflow::MOST_LAYERS;
use super::kernels::Kernels;
use super::readback::Readback;
use super::resident::{Copies, DeviceBuffers, OnDevice};
use super::ripples::{self, RippleKernels};
use super::show;
use super::slabs::Partition;
use super::upload::{self, Slabs};
use crate::compute::gpu::device::Gpu;
use crate::compute::gpu::fault::{Fault, Stop, panic_text};
use crate::compute::gpu::options::FaultKind;
use crate::compute::resources::Resource;
use crate::sim::memory::Values;
use crate::sim::request::unless_refused;
use crate::sim::water::buffers::{LayerView, RawLayer, StateBuffers};
use crate::sim::water::domain::Domain;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, MassBalance};
use crate::sim::water::settings::Edges;
use crate::sim::water::time_step::STEPS_MAX;

/// States whose buffers stay on the device: the last ones of a few nodes that render in turn.
const MOST_STATES: usize = 4;
/// Terrains, and domains, that stay on the device.
const MOST_UPLOADED: usize = 4;

/// Uploaded data that consecutive frames share.
struct Upload<T> {
    of: Weak<T>,
    partition: Arc<Partition>,
    slabs: Slabs,
}

struct Uploads<T>(VecDeque<Upload<T>>);

impl<T> Default for Uploads<T> {
    fn default() -> Self {
        Uploads(VecDeque::new())
    }
}

impl<T> Uploads<T> {
    /// The buffers of `of` for a partition; `upload` makes them where the device has none.
    fn find(
        &mut self,
        of: &Arc<T>,
        partition: &Arc<Partition>,
        upload: impl FnOnce() -> Result<Slabs, Fault>,
    ) -> Result<Slabs, Fault> {
        // A weak reference keeps the address from being used again.
        self.0.retain(|kept| kept.of.strong_count() > 0);
        let same = |kept: &&Upload<T>| std::ptr::eq(kept.of.as_ptr(), Arc::as_ptr(of)) && kept.partition == *partition;
        if let Some(kept) = self.0.iter().find(same) {
            return Ok(kept.slabs.clone());
        }
        let slabs = upload()?;
        if self.0.len() >= MOST_UPLOADED {
            self.0.pop_front();
        }
        self.0.push_back(Upload { of: Arc::downgrade(of), partition: Arc::clone(partition), slabs: slabs.clone() });
        Ok(slabs)
    }
}

/// The water on an open device. Threads share it. Dropping it waits until the states that are being read back are in
/// memory.
pub(super) struct WaterGpu {
    kernels: Kernels,
    ripples: RippleKernels,
    /// `None` only while this is dropped.
    readback: Option<Readback>,
    states: Mutex<VecDeque<Weak<Copies>>>,
    /// States whose readback waits for the pictures that are made from them.
    unsent: Mutex<Vec<(Arc<Copies>, DeviceBuffers)>>,
    bases: Mutex<Uploads<Field>>,
    domains: Mutex<Uploads<Domain>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WaterGpu {
    /// The water on `gpu`.
    ///
    /// # Errors
    /// The system starts no thread for the readback.
    pub fn of(gpu: &Gpu) -> Result<Arc<WaterGpu>, Fault> {
        gpu.resource(|core| {
            Ok(WaterGpu {
                kernels: Kernels::new(core),
                ripples: RippleKernels::new(core),
                readback: Some(Readback::new(core)?),
                states: Mutex::default(),
                unsent: Mutex::default(),
                bases: Mutex::default(),
                domains: Mutex::default(),
            })
        })
    }

    /// Whether the passes can run a plan: true for every plan that takes a step.
    pub fn takes(plan: &FramePlan) -> bool {
        (1..=STEPS_MAX).contains(&plan.steps) && plan.inflows.len() <= MOST_LAYERS
    }

    /// Runs a frame. `cpu` works on rows, and simulates a state again that is lost before its readback.
    ///
    /// # Errors
    /// `go_on` returned false, or the device failed.
    pub fn run(
        self: &Arc<Self>,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        cpu: &Arc<dyn Device>,
        fault: Option<FaultKind>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Stop> {
        let kernels = &self.kernels;
        kernels.faults.check()?;
        self.start_readback();
        if let Some(of) = &plan.ripples {
            kernels.inject(fault)?;
            let place =
                ripples::Place { core: kernels.core(), kernels: &self.ripples, steps: &kernels.steps, device: &**cpu };
            let (after, balance) = ripples::run(&place, plan, of, before, go_on)?;
            kernels.pool.sweep();
            return Ok((Arc::new(after), balance));
        }
        let totals = before.totals();
        let made = match self.try_run(plan, before, totals, cpu, fault, go_on) {
            // Frees the buffers of older states that are in memory too.
            Err(Stop::Fault(Fault::Memory(_))) if kernels.faults.check().is_ok() && self.keep_at_most(0) => {
                self.try_run(plan, before, totals, cpu, None, go_on)
            }
            made => made,
        }?;
        let resident = OnDevice::new(self, made.buffers.clone(), made.sums, plan, before, cpu);
        let copies = Arc::clone(resident.copies());
        let next = Arc::new(StateBuffers::resident(Box::new(resident)));
        if fault == Some(FaultKind::Late) {
            kernels.lose();
        }
        lock(&self.unsent).push((Arc::clone(&copies), made.buffers));
        lock(&self.states).push_back(Arc::downgrade(&copies));
        self.keep_at_most(MOST_STATES);
        kernels.pool.sweep();
        Ok((next, made.balance))
    }

    fn try_run(
        &self,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        totals: [i64; 4],
        cpu: &Arc<dyn Device>,
        fault: Option<FaultKind>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<frame::Made, Stop> {
        let kernels = &self.kernels;
        let (width, height) = (plan.domain.width(), plan.domain.height());
        let wrap = plan.domain.edges() == Edges::Wrap;
        let partition = Partition::new(width, height, wrap, kernels.largest)
            .ok_or_else(|| Fault::Memory(format!("a row of {width} cells is more than it takes")))?;
        let partition = Arc::new(partition);
        let before = match self.resident(before, &partition) {
            Some(buffers) => buffers,
            None => self.upload(before, &partition)?,
        };
        let codes = || upload::codes(kernels, &partition, &plan.domain);
        let codes = lock(&self.domains).find(&plan.domain, &partition, codes)?;
        let base = plan.base.as_ref().map(|base| self.base(base, &partition)).transpose()?;
        let input = FrameInput { kernels, partition, before, totals, base, codes, device: &**cpu, fault };
        frame::run(input, plan, go_on)
    }

    /// A terrain on the device.
    fn base(&self, base: &Arc<Field>, partition: &Arc<Partition>) -> Result<Slabs, Fault> {
        lock(&self.bases).find(base, partition, || upload::field(&self.kernels, partition, base))
    }

    /// The buffers of a state that this device made and still has.
    fn resident(&self, state: &StateBuffers, partition: &Arc<Partition>) -> Option<DeviceBuffers> {
        let copies = state.resident_copy()?.as_any().downcast_ref::<OnDevice>()?.copies();
        let buffers = copies.buffers()?;
        (buffers.height[0].is_of(&self.kernels.pool) && buffers.partition == *partition).then_some(buffers)
    }

    /// Uploads a state.
    fn upload(&self, state: &StateBuffers, partition: &Arc<Partition>) -> Result<DeviceBuffers, Fault> {
        let water = state.water();
        let field = |field| upload::field(&self.kernels, partition, field);
        Ok(DeviceBuffers {
            partition: Arc::clone(partition),
            height: field(&water.height)?,
            flow: field(&water.flow)?,
            pigment: water.pigment.as_ref().map(field).transpose()?,
        })
    }

    /// Starts the readback of the states that wait for it.
    pub fn start_readback(&self) {
        let unsent = std::mem::take(&mut *lock(&self.unsent));
        for (copies, buffers) in unsent {
            match &self.readback {
                // No state refers to it any more.
                _ if Arc::strong_count(&copies) == 1 => {}
                // Where the readback fails, the state is simulated again when its planes are needed.
                Some(readback) => {
                    if let Err(fault) = readback.send(self.kernels.core(), &copies, &buffers) {
                        tracing::debug!("{fault}");
                    }
                }
                None => copies.fail(),
            }
        }
    }

    /// A raw layer of a state of this device; `None` where the device fails, which the next frame reports.
    pub fn picture(&self, buffers: &DeviceBuffers, view: &LayerView<'_>) -> Option<Values<[f32; 4]>> {
        let kernels = &self.kernels;
        let paint = || {
            kernels.faults.check()?;
            let terrain = view.terrain.filter(|_| view.layer == RawLayer::Height);
            let terrain = terrain.map(|terrain| self.base(terrain, &buffers.partition)).transpose()?;
            show::paint(kernels, buffers, view, terrain.as_ref())
        };
        let painted = catch_unwind(AssertUnwindSafe(paint)).unwrap_or_else(|payload| {
            let fault = Fault::Panic(panic_text(&*unless_refused(payload)));
            kernels.faults.enter(fault.clone());
            Err(fault)
        });
        // The readback runs while the host uses the picture.
        self.start_readback();
        painted.inspect_err(|fault| tracing::debug!("a picture was not painted: {fault}")).ok()
    }

    /// Frees the buffers of the oldest states until `most` are left; those whose readback is under way stay. True where
    /// any was freed.
    fn keep_at_most(&self, most: usize) -> bool {
        let mut oldest = Vec::new();
        let mut states = lock(&self.states);
        states.retain(|copies| copies.strong_count() > 0);
        while states.len() > most
            && let Some(copies) = states.pop_front()
        {
            oldest.extend(copies.upgrade());
        }
        drop(states);
        let (freed, busy): (Vec<_>, Vec<_>) = oldest.into_iter().partition(|copies| copies.release());
        let mut states = lock(&self.states);
        busy.iter().rev().for_each(|copies| states.push_front(Arc::downgrade(copies)));
        !freed.is_empty()
    }
}

impl Resource for WaterGpu {
    fn release(&self) -> bool {
        self.ripples.release();
        self.keep_at_most(0)
    }
}

impl Drop for WaterGpu {
    fn drop(&mut self) {
        self.readback.iter().for_each(Readback::skip_unreferenced);
        self.start_readback();
        drop(self.readback.take());
        self.keep_at_most(0);
    }
}
