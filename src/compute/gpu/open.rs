//! A graphics device that simulates: what stays on it from frame to frame, and how a frame gets there and back.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::core::Core;
use super::fault::{Fault, Stop, panic_text};
use super::options::{FaultKind, Options};
use super::smoke::Stock;
use super::water::courier::Courier;
use super::water::frame::{self, Given};
use super::water::inflow::MOST_LAYERS;
use super::water::resident::{Kept, OnDevice, Planes};
use super::water::show;
use super::water::slabs::Cut;
use super::water::upload::{self, Slabs};
use crate::sim::memory::Values;
use crate::sim::request::{fits, unless_refused};
use crate::sim::water::buffers::{RawLayer, StateBuffers, View};
use crate::sim::water::domain::Domain;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, MassBalance};
use crate::sim::water::settings::Edges;
use crate::sim::water::time_step::STEPS_MAX;

/// States whose buffers stay: the last of a few nodes that render by turns.
const MOST_STATES: usize = 4;
/// Grounds and walls that stay.
const MOST_STILLS: usize = 4;

/// What a frame has in common with the one before it: ground or walls.
struct Still<T> {
    of: Weak<T>,
    cut: Arc<Cut>,
    slabs: Slabs,
}

struct Stills<T>(VecDeque<Still<T>>);

impl<T> Stills<T> {
    /// The buffers of `of` as it is cut, sent up if they are not there.
    fn find(
        &mut self,
        of: &Arc<T>,
        cut: &Arc<Cut>,
        send: impl FnOnce() -> Result<Slabs, Fault>,
    ) -> Result<Slabs, Fault> {
        // As long as it is remembered here, no other can have its address.
        self.0.retain(|still| still.of.strong_count() > 0);
        let found = self.0.iter().find(|still| std::ptr::eq(still.of.as_ptr(), Arc::as_ptr(of)) && still.cut == *cut);
        if let Some(still) = found {
            return Ok(still.slabs.clone());
        }
        let slabs = send()?;
        if self.0.len() >= MOST_STILLS {
            self.0.pop_front();
        }
        self.0.push_back(Still { of: Arc::downgrade(of), cut: Arc::clone(cut), slabs: slabs.clone() });
        Ok(slabs)
    }
}

/// An open device at work. Threads share it; frames of several nodes take turns on its queue. Dropping it waits until
/// what it keeps is in memory.
pub(super) struct Gpu {
    core: Arc<Core>,
    /// Dropped before what follows: it brings down what is on its way.
    courier: Option<Courier>,
    states: Mutex<VecDeque<Weak<Kept>>>,
    /// States that wait for their way down until nothing is shown of them any more.
    unsent: Mutex<Vec<(Arc<Kept>, Planes)>>,
    bases: Mutex<Stills<Field>>,
    domain: Mutex<Stills<Domain>>,
    smoke: Arc<Stock>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Address space that drivers need to open, in bytes. Some end the process where they don't get theirs.
const ROOM: usize = 1 << 30;

impl Gpu {
    /// Opens a device. `any`: a software one will do.
    ///
    /// # Errors
    /// There is none, or it does not open.
    pub fn open(options: &Options, any: bool) -> Result<Gpu, Fault> {
        if !fits(ROOM) {
            return Err(Fault::Memory(format!("its driver needs {} MB of address space", ROOM >> 20)));
        }
        let core = Arc::new(Core::open(options, any)?);
        let courier = Courier::new(&core)?;
        let smoke = Stock::new(&core.device);
        Ok(Gpu {
            core,
            courier: Some(courier),
            states: Mutex::default(),
            unsent: Mutex::default(),
            bases: Mutex::new(Stills(VecDeque::new())),
            domain: Mutex::new(Stills(VecDeque::new())),
            smoke,
        })
    }

    /// What it is, for people.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// The device itself.
    pub fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// What stays of smoke.
    pub fn smoke(&self) -> &Arc<Stock> {
        &self.smoke
    }

    /// It is a processor in disguise.
    pub fn is_software(&self) -> bool {
        self.core.software
    }

    /// Whether a frame has a form that the passes know. All frames that take a step have.
    pub fn takes(plan: &FramePlan) -> bool {
        (1..=STEPS_MAX).contains(&plan.steps) && plan.layers.len() <= MOST_LAYERS
    }

    /// Runs a frame. `cpu` makes rows, and states once more that are lost before they came down.
    pub fn run(
        self: &Arc<Self>,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        cpu: &Arc<dyn Device>,
        drill: Option<FaultKind>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Stop> {
        let core = &*self.core;
        core.faults.check()?;
        self.send_down();
        let totals = body.totals();
        let made = match self.try_run(plan, body, totals, cpu, drill, go_on) {
            // Older states may go: those that are in memory too.
            Err(Stop::Fault(Fault::Memory(_))) if core.faults.check().is_ok() && self.release(0) => {
                self.try_run(plan, body, totals, cpu, None, go_on)
            }
            made => made,
        }?;
        let resident = OnDevice::new(self, made.planes.clone(), made.sums, plan, body, cpu);
        let kept = Arc::clone(resident.kept());
        let next = Arc::new(StateBuffers::resident(Box::new(resident)));
        if drill == Some(FaultKind::Late) {
            core.lose();
        }
        lock(&self.unsent).push((Arc::clone(&kept), made.planes));
        lock(&self.states).push_back(Arc::downgrade(&kept));
        self.release(MOST_STATES);
        core.pool.sweep();
        Ok((next, made.tally))
    }

    fn try_run(
        &self,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        totals: [i64; 4],
        cpu: &Arc<dyn Device>,
        drill: Option<FaultKind>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<frame::Made, Stop> {
        let core = &*self.core;
        let (width, height) = (plan.domain.width(), plan.domain.height());
        let wrap = plan.domain.edges() == Edges::Wrap;
        let cut = Cut::new(width, height, wrap, core.largest)
            .ok_or_else(|| Fault::Memory(format!("a row of {width} cells is more than it takes")))?;
        let cut = Arc::new(cut);
        let before = match self.resident(body, &cut) {
            Some(planes) => planes,
            None => self.send_up(body, &cut)?,
        };
        let codes = lock(&self.domain).find(&plan.domain, &cut, || upload::codes(core, &cut, &plan.domain))?;
        let base = match &plan.base {
            Some(base) => Some(lock(&self.bases).find(base, &cut, || upload::field(core, &cut, base))?),
            None => None,
        };
        let given = Given { core, cut, before, totals, base, codes, device: &**cpu, drill };
        frame::run(given, plan, go_on)
    }

    /// The planes of a state that this device made and still has.
    fn resident(&self, body: &StateBuffers, cut: &Arc<Cut>) -> Option<Planes> {
        let kept = body.keeper()?.as_any().downcast_ref::<OnDevice>()?.kept();
        let planes = kept.buffers()?;
        (planes.height[0].is_of(&self.core.pool) && planes.cut == *cut).then_some(planes)
    }

    /// Sends a state up.
    fn send_up(&self, body: &StateBuffers, cut: &Arc<Cut>) -> Result<Planes, Fault> {
        let water = body.water();
        let field = |field| upload::field(&self.core, cut, field);
        Ok(Planes {
            cut: Arc::clone(cut),
            height: field(&water.height)?,
            flow: field(&water.flow)?,
            pigment: water.pigment.as_ref().map(field).transpose()?,
        })
    }

    /// Sends the states down that wait for it, behind whatever was submitted before.
    pub fn send_down(&self) {
        let unsent = std::mem::take(&mut *lock(&self.unsent));
        for (kept, planes) in unsent {
            match &self.courier {
                // Nobody wants it any more.
                _ if Arc::strong_count(&kept) == 1 => {}
                // A state that cannot come down is made once more where it is needed.
                Some(courier) => {
                    if let Err(fault) = courier.send(&self.core, &kept, &planes) {
                        tracing::debug!("{fault}");
                    }
                }
                None => kept.fail(),
            }
        }
    }

    /// A layer of a state of this device's; `None` if the device fails, which the next frame reports.
    pub fn picture(&self, planes: &Planes, view: &View<'_>) -> Option<Values<[f32; 4]>> {
        let paint = || {
            self.core.faults.check()?;
            let terrain = match view.terrain.filter(|_| view.layer == RawLayer::Height) {
                Some(terrain) => Some(
                    lock(&self.bases).find(terrain, &planes.cut, || upload::field(&self.core, &planes.cut, terrain))?,
                ),
                None => None,
            };
            show::paint(&self.core, planes, view, terrain.as_ref())
        };
        let painted = catch_unwind(AssertUnwindSafe(paint)).unwrap_or_else(|payload| {
            let fault = Fault::Panic(panic_text(&*unless_refused(payload)));
            self.core.faults.enter(fault.clone());
            Err(fault)
        });
        // While the host is busy with the picture, the state comes down.
        self.send_down();
        painted.inspect_err(|fault| tracing::debug!("a picture was not painted: {fault}")).ok()
    }

    /// Gives up the buffers of the oldest states until `most` are left, or one is not in memory yet. True if any went.
    fn release(&self, most: usize) -> bool {
        let mut gone = Vec::new();
        let mut states = lock(&self.states);
        states.retain(|kept| kept.strong_count() > 0);
        while states.len() > most
            && let Some(kept) = states.pop_front()
        {
            gone.extend(kept.upgrade());
        }
        drop(states);
        let mut any = false;
        let mut stay = Vec::new();
        for kept in gone {
            if kept.release() {
                any = true;
            } else {
                stay.push(Arc::downgrade(&kept));
            }
        }
        let mut states = lock(&self.states);
        stay.into_iter().rev().for_each(|kept| states.push_front(kept));
        any
    }

    /// Never lets go of the device: one that hangs would hang whoever closes it.
    pub fn abandon(&self) {
        if let Err(Fault::Hang(_)) = self.core.faults.check() {
            std::mem::forget(Arc::clone(&self.core));
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        self.courier.iter().for_each(Courier::hurry);
        self.send_down();
        drop(self.courier.take());
        self.release(0);
    }
}
