//! A graphics device as a backend for smoke: buffers, and passes in their order.

use std::cell::RefCell;
use std::sync::Arc;

use super::layout::Params;
use super::passes::Pass;
use super::resources::SmokeResources;
use crate::compute::gpu::core::Core;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::{Parameters, in_a_row};
use crate::compute::gpu::pool::{Lease, Use};
use crate::compute::gpu::recorder::Recorder;
use crate::sim::fluid::{
    Backend, Failed, FieldId, Fields, HostFields, Operation, Reductions, VelocityStatistics, workspace,
};
use crate::sim::memory::Values;
use crate::sim::request;

/// An array of `f32` on the device.
pub struct Plane {
    pub(super) lease: Arc<Lease>,
    pub(super) len: usize,
}

impl Plane {
    /// A second handle of the same buffer.
    pub(super) fn shared(&self) -> Plane {
        Plane { lease: Arc::clone(&self.lease), len: self.len }
    }
}

/// Partial sums on the device, a pair per workgroup, and their reduction.
pub(super) struct Pending {
    /// Buffers, and the pairs in each.
    pub pairs: Vec<(Arc<Lease>, usize)>,
    pub reduce: Reduce,
}

/// The reduction of pairs.
#[derive(Clone, Copy)]
pub(super) enum Reduce {
    /// The sum of the first numbers.
    First,
    /// The sums of both.
    Both,
    /// The largest first number, the sum of the second ones.
    Largest,
}

/// A graphics device as a backend for smoke: for one frame, on one thread.
///
/// Passes are recorded, and submitted when sums or values are read. The first failure is kept, and reported by the next
/// call that can fail.
pub struct SmokeBackend {
    pub(super) core: Arc<Core>,
    pub(super) resources: Arc<SmokeResources>,
    recorder: RefCell<Recorder>,
    fault: RefCell<Option<Fault>>,
    /// Sums of the list in progress.
    pub(super) pending: RefCell<Vec<Pending>>,
    /// The buffers that were stored last.
    stored: RefCell<Option<Vec<Plane>>>,
}

/// Workgroups for so many columns and rows.
pub(super) fn over([columns, rows]: [usize; 2]) -> [u32; 2] {
    [columns.div_ceil(32).max(1) as u32, rows.div_ceil(8).max(1) as u32]
}

/// The buffer of a field.
pub(super) fn lease(fields: &Fields<Plane>, id: FieldId) -> Option<&Arc<Lease>> {
    Some(&fields.get(id).lease)
}

impl SmokeBackend {
    pub(in crate::compute::gpu) fn new(core: &Arc<Core>, resources: &Arc<SmokeResources>) -> SmokeBackend {
        SmokeBackend {
            core: Arc::clone(core),
            resources: Arc::clone(resources),
            recorder: RefCell::new(Recorder::new(core)),
            fault: RefCell::new(None),
            pending: RefCell::default(),
            stored: RefCell::new(None),
        }
    }

    /// The first failure.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.fault.borrow().clone().or_else(|| self.core.faults.check().err())
    }

    /// Records a failure; only the first is kept.
    fn note(&self, done: Result<(), Fault>) {
        if let Err(fault) = done {
            self.fault.borrow_mut().get_or_insert(fault);
        }
    }

    /// A result, unless anything failed before it.
    fn checked<T>(&self, found: Result<T, Fault>) -> Result<T, Failed> {
        let failed = |fault: Fault| Failed::Device(fault.to_string());
        match (self.fault(), found) {
            (None, Ok(found)) => Ok(found),
            (Some(fault), _) => Err(failed(fault)),
            (None, Err(fault)) => {
                self.note(Err(fault.clone()));
                Err(failed(fault))
            }
        }
    }

    pub(super) fn lease(&self, bytes: u64) -> Result<Arc<Lease>, Fault> {
        Ok(Arc::new(self.core.pool.take(bytes, Use::Planes)?))
    }

    pub(super) fn plane(&self, len: usize) -> Result<Plane, Fault> {
        Ok(Plane { lease: self.lease((len * size_of::<f32>()) as u64)?, len })
    }

    /// A buffer with these bytes, from the pool: no recorded command uses its buffers.
    pub(super) fn send(&self, bytes: &[u8]) -> Result<Arc<Lease>, Fault> {
        let lease = self.lease(bytes.len() as u64)?;
        if !bytes.is_empty() {
            self.core.queue.write_buffer(lease.buffer(), 0, bytes);
        }
        Ok(lease)
    }

    /// Records a pass.
    pub(super) fn pass(&self, pass: Pass, params: &impl Parameters, buffers: &[Option<&Arc<Lease>>], groups: [u32; 2]) {
        if self.fault.borrow().is_none() {
            let groups = [groups[0], groups[1], 1];
            let done = self.recorder.borrow_mut().dispatch(&self.resources.passes, pass, params, buffers, groups);
            self.note(done);
        }
    }

    /// Records a pass over the first `len` values in a row.
    pub(super) fn row(&self, pass: Pass, len: usize, amount: f32, buffers: &[Option<&Arc<Lease>>]) {
        let params = Params { area: [len as i32, 0, 0, 0], numbers: [amount, 0.0, 0.0, 0.0], ..Params::default() };
        self.pass(pass, &params, buffers, in_a_row(len));
    }

    /// Records copying a field.
    fn copy(&self, from: &Plane, to: &Plane) {
        self.recorder.borrow_mut().copy(&from.lease, &to.lease, (from.len * size_of::<f32>()) as u64);
    }

    /// Records setting a field to 0.
    pub(super) fn clear(&self, plane: &Plane) {
        self.recorder.borrow_mut().clear(&plane.lease);
    }

    /// Room for the pairs of so many workgroups.
    pub(super) fn pairs(&self, groups: [u32; 2]) -> Result<(Arc<Lease>, usize), Fault> {
        let count = groups[0] as usize * groups[1] as usize;
        Ok((self.lease((count * size_of::<[f32; 2]>()) as u64)?, count))
    }

    /// Records a pass whose last buffer takes each workgroup's pair, to be reduced at the end of the list.
    pub(super) fn sums(&self, groups: [u32; 2], reduce: Reduce, record: impl FnOnce(&Arc<Lease>)) -> Result<(), Fault> {
        let pairs = self.pairs(groups)?;
        record(&pairs.0);
        self.pending.borrow_mut().push(Pending { pairs: vec![pairs], reduce });
        Ok(())
    }

    /// Reads and reduces the sums of a list.
    fn reduced(&self) -> Result<Reductions, Fault> {
        let mut reductions = Reductions::default();
        let pending = self.pending.take();
        if pending.is_empty() {
            return Ok(reductions);
        }
        let sources: Vec<_> = pending.iter().flat_map(|pending| &pending.pairs).collect();
        let mut values: Vec<Vec<[f32; 2]>> = sources.iter().map(|(_, count)| request::zeros(*count)).collect();
        let mut wanted: Vec<(&Arc<Lease>, &mut [u8])> = Vec::with_capacity(sources.len());
        for ((lease, _), values) in sources.iter().zip(&mut values) {
            wanted.push((lease, bytemuck::cast_slice_mut(values)));
        }
        self.read(&mut wanted)?;
        let mut values = values.into_iter();
        for Pending { pairs, reduce } in &pending {
            let found = values.by_ref().take(pairs.len()).flatten().map(|pair| pair.map(f64::from));
            match reduce {
                Reduce::First => reductions.push(&[found.map(|pair| pair[0]).sum()]),
                Reduce::Both => {
                    let sums = found.fold([0.0; 2], |sums: [f64; 2], pair| [sums[0] + pair[0], sums[1] + pair[1]]);
                    reductions.push(&sums);
                }
                Reduce::Largest => {
                    let both = found.fold([0.0; 2], |all: [f64; 2], pair| [all[0].max(pair[0]), all[1] + pair[1]]);
                    reductions.push(&both);
                }
            }
        }
        Ok(reductions)
    }

    /// Fills slices with the first bytes of buffers, after all recorded commands.
    pub(super) fn read(&self, wanted: &mut [(&Arc<Lease>, &mut [u8])]) -> Result<(), Fault> {
        if let Some(fault) = self.fault() {
            return Err(fault);
        }
        self.recorder.borrow_mut().down(wanted)?;
        self.core.faults.check()
    }

    fn record(&self, fields: &mut Fields<Plane>, operations: &[Operation<'_>]) -> Result<Reductions, Fault> {
        let mut rest = operations;
        while let [first, ..] = *rest {
            let count = match first {
                Operation::Clear { to } => {
                    self.clear(fields.get(to));
                    1
                }
                Operation::Copy { from, to } => {
                    self.copy(fields.get(from), fields.get(to));
                    1
                }
                _ => match self.vectors(fields, rest)? {
                    0 => {
                        if !self.pressure(fields, first)? {
                            self.transport(fields, first)?;
                        }
                        1
                    }
                    count => count,
                },
            };
            rest = &rest[count..];
        }
        self.reduced()
    }
}

impl Backend for SmokeBackend {
    type Buffer = Plane;

    fn allocate(&self, len: usize) -> Result<Plane, Failed> {
        self.checked(self.plane(len))
    }

    fn upload(&self, values: &[f32]) -> Result<Plane, Failed> {
        let lease = self.send(bytemuck::cast_slice(values));
        self.checked(lease.map(|lease| Plane { lease, len: values.len() }))
    }

    fn download(&self, plane: &Plane) -> Result<Vec<f32>, Failed> {
        let mut values = request::zeros::<f32>(plane.len);
        self.checked(self.read(&mut [(&plane.lease, bytemuck::cast_slice_mut(&mut values))]))?;
        Ok(values)
    }

    fn run(&self, fields: &mut Fields<Plane>, operations: &[Operation<'_>]) -> Result<Reductions, Failed> {
        super::pressure::supported(operations)?;
        self.pending.borrow_mut().clear();
        let done = self.record(fields, operations);
        self.checked(done)
    }

    fn load(&self, owner: &Arc<dyn HostFields>, part: usize) -> Result<Plane, Failed> {
        match self.resources.find(owner, part) {
            Some(plane) => Ok(plane),
            None => self.upload(owner.part(part)),
        }
    }

    fn store(&self, buffers: Vec<Plane>) -> Result<Vec<Values<f32>>, Failed> {
        let mut values: Vec<Values<f32>> =
            buffers.iter().map(|plane| Values::uninitialised(plane.len, &self.core.memory)).collect();
        let mut wanted: Vec<(&Arc<Lease>, &mut [u8])> = Vec::with_capacity(buffers.len());
        for (plane, values) in buffers.iter().zip(&mut values) {
            wanted.push((&plane.lease, bytemuck::cast_slice_mut(values)));
        }
        self.checked(self.read(&mut wanted))?;
        *self.stored.borrow_mut() = Some(buffers);
        Ok(values)
    }

    fn stored(&self, owner: &Arc<dyn HostFields>, _: Option<VelocityStatistics>) {
        if let Some(planes) = self.stored.take() {
            self.resources.keep(owner, planes);
        }
    }

    fn take_workspace(
        &self,
        fits: &dyn Fn(&workspace::DetachedWorkspace<Plane>) -> bool,
    ) -> Option<workspace::DetachedWorkspace<Plane>> {
        self.resources.take_workspace(fits)
    }

    fn keep_workspace(&self, workspace: workspace::DetachedWorkspace<Plane>) {
        self.resources.keep_workspace(workspace);
    }

    fn cycles_per_readback(&self) -> u32 {
        2
    }
}
