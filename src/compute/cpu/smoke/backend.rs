//! The CPU as a backend for smoke: memory, and the dispatch of operations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::Cpu;
use super::plane::Plane;
use super::{FrameCache, SmokeCpu};
use crate::sim::fluid::{Backend, Failed, Fields, HostFields, Operation, Reductions, VelocityStatistics, workspace};
use crate::sim::memory::Values;
use crate::sim::request;

/// Number of values that a thread copies at once.
const PIECE: usize = 1 << 18;

/// A callback for time measurements, called after each kernel on the calling thread: the name of the kernel's part of a
/// step, and the duration of the kernel.
pub type Observer<'a> = &'a (dyn Fn(&'static str, Duration) + Sync);

/// Name of the part of a step that copies memory.
const MEMORY: &str = "memory";

impl<'a> SmokeCpu<'a> {
    /// A backend on this device's threads.
    pub fn new(cpu: &'a Cpu) -> Self {
        SmokeCpu { cpu, observer: None }
    }

    /// A backend on this device's threads that times each kernel.
    pub fn observed(cpu: &'a Cpu, observer: Observer<'a>) -> Self {
        SmokeCpu { cpu, observer: Some(observer) }
    }

    fn frame_cache(&self) -> Arc<FrameCache> {
        self.cpu.resources.get_or_default()
    }

    /// Copies values on all threads.
    pub(super) fn copy(&self, from: &[f32], to: &mut [f32]) {
        let pieces = to.chunks_mut(PIECE).zip(from.chunks(PIECE)).collect();
        self.cpu.each(pieces, |(to, from): (&mut [f32], &[f32])| to.copy_from_slice(from));
    }

    /// Sets values to 0 on all threads.
    pub(super) fn clear(&self, to: &mut [f32]) {
        self.cpu.each(to.chunks_mut(PIECE).collect(), |piece: &mut [f32]| piece.fill(0.0));
    }

    fn timed<R>(&self, name: impl FnOnce(&R) -> &'static str, work: impl FnOnce() -> R) -> R {
        let Some(observer) = self.observer else { return work() };
        let clock = Instant::now();
        let made = work();
        observer(name(&made), clock.elapsed());
        made
    }

    /// The velocity statistics of a state that this device made last.
    pub(super) fn known_statistics(&self, velocity: [&Plane; 2]) -> Option<VelocityStatistics> {
        let (owner, statistics) = super::lock(&self.frame_cache().statistics).clone()?;
        let owned = |plane: &Plane| plane.lender().is_some_and(|of| std::ptr::addr_eq(Arc::as_ptr(of), owner.as_ptr()));
        velocity.into_iter().all(owned).then_some(statistics)
    }
}

impl Backend for SmokeCpu<'_> {
    type Buffer = Plane;

    fn allocate(&self, len: usize) -> Result<Plane, Failed> {
        Ok(self.timed(|_| MEMORY, || Plane::uninitialised(len, self.cpu.memory())))
    }

    fn upload(&self, values: &[f32]) -> Result<Plane, Failed> {
        self.timed(
            |_| MEMORY,
            || {
                let mut plane = Plane::uninitialised(values.len(), self.cpu.memory());
                self.copy(values, &mut plane);
                Ok(plane)
            },
        )
    }

    fn download(&self, plane: &Plane) -> Result<Vec<f32>, Failed> {
        Ok(request::copied(plane))
    }

    fn run(&self, fields: &mut Fields<Plane>, operations: &[Operation<'_>]) -> Result<Reductions, Failed> {
        let mut reductions = Reductions::default();
        let mut rest = operations;
        while !rest.is_empty() {
            let name = |done: &Result<(&'static str, usize), Failed>| done.as_ref().map_or(MEMORY, |done| done.0);
            let (_, count) = self.timed(name, || match self.pressure(fields, rest, &mut reductions)? {
                Some(done) => Ok(done),
                None => Ok((self.transport(fields, rest[0], &mut reductions), 1)),
            })?;
            rest = &rest[count..];
        }
        Ok(reductions)
    }

    fn load(&self, owner: &Arc<dyn HostFields>, part: usize) -> Result<Plane, Failed> {
        Ok(Plane::lent(owner, part, self.cpu.memory()))
    }

    fn store(&self, buffers: Vec<Plane>) -> Result<Vec<Values<f32>>, Failed> {
        Ok(self.timed(|_| MEMORY, || buffers.into_iter().map(Plane::into_values).collect()))
    }

    fn stored(&self, owner: &Arc<dyn HostFields>, statistics: Option<VelocityStatistics>) {
        if let Some(statistics) = statistics {
            *super::lock(&self.frame_cache().statistics) = Some((Arc::downgrade(owner), statistics));
        }
    }

    fn take_workspace(
        &self,
        fits: &dyn Fn(&workspace::DetachedWorkspace<Plane>) -> bool,
    ) -> Option<workspace::DetachedWorkspace<Plane>> {
        super::lock(&self.frame_cache().workspace).take().filter(fits)
    }

    fn keep_workspace(&self, workspace: workspace::DetachedWorkspace<Plane>) {
        *super::lock(&self.frame_cache().workspace) = Some(workspace);
    }

    fn cycles_per_readback(&self) -> u32 {
        1
    }
}
