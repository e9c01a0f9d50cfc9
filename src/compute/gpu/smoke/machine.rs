//! Planes on a graphics device, and its passes in their order.

use std::cell::RefCell;
use std::sync::Arc;

use super::kept::Stock;
use super::layout::{Params, Told};
use super::passes::Pass;
use super::rooms::RegionRuns;
use super::tape::Tape;
use crate::compute::gpu::core::Core;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pool::{Lease, Use};
use crate::sim::request;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::planes::Planes;

/// Values in a buffer.
pub struct Plane {
    pub(super) lease: Arc<Lease>,
    pub(super) len: usize,
}

impl Plane {
    /// Its size, bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.len * size_of::<f32>()) as u64
    }

    /// The same values, to be read by two.
    pub(super) fn shared(&self) -> Plane {
        Plane { lease: Arc::clone(&self.lease), len: self.len }
    }
}

/// A graphics device as a machine for smoke: for one frame, on one thread.
///
/// Passes are recorded, and submitted when somebody wants a number. What goes wrong meanwhile is kept, and said by the next call
/// that can fail.
pub struct SmokeMachine {
    pub(super) core: Arc<Core>,
    pub(super) stock: Arc<Stock>,
    tape: RefCell<Tape>,
    fault: RefCell<Option<Fault>>,
    /// Of the domain whose pressure is looked for.
    pub(super) regions: RefCell<RegionRuns>,
    /// The planes of the state that came down.
    pub(super) made: RefCell<Option<super::kept::AirPlanes>>,
}

/// Workgroups for so many values in a row.
pub(super) fn in_a_row(len: usize) -> [u32; 2] {
    const ACROSS: usize = 32768;
    let groups = len.div_ceil(256).max(1);
    [groups.min(ACROSS) as u32, groups.div_ceil(ACROSS) as u32]
}

/// Workgroups for so many columns and rows.
pub(super) fn over([columns, rows]: [usize; 2]) -> [u32; 2] {
    [columns.div_ceil(32).max(1) as u32, rows.div_ceil(8).max(1) as u32]
}

impl SmokeMachine {
    pub(in crate::compute::gpu) fn new(core: &Arc<Core>, stock: &Arc<Stock>) -> SmokeMachine {
        SmokeMachine {
            core: Arc::clone(core),
            stock: Arc::clone(stock),
            tape: RefCell::new(Tape::new(core)),
            fault: RefCell::new(None),
            regions: RefCell::default(),
            made: RefCell::new(None),
        }
    }

    /// What went wrong.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.fault.borrow().clone().or_else(|| self.core.faults.check().err())
    }

    /// Keeps what went wrong; the first of it counts.
    pub(super) fn note(&self, done: Result<(), Fault>) {
        if let Err(fault) = done {
            self.fault.borrow_mut().get_or_insert(fault);
        }
    }

    /// Hands over what came of something, unless anything went wrong before it.
    pub(super) fn told<T>(&self, found: Result<T, Fault>) -> Result<T, Failed> {
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

    /// A buffer with these bytes. It comes from the pool, where nothing is that a recorded command uses.
    pub(super) fn send(&self, bytes: &[u8]) -> Result<Arc<Lease>, Fault> {
        let lease = self.lease(bytes.len() as u64)?;
        if !bytes.is_empty() {
            self.core.queue.write_buffer(lease.buffer(), 0, bytes);
        }
        Ok(lease)
    }

    /// Runs a pass.
    pub(super) fn run(&self, pass: Pass, params: &impl Told, buffers: &[Option<&Arc<Lease>>], groups: [u32; 2]) {
        if self.fault.borrow().is_none() {
            let done = self.tape.borrow_mut().dispatch(&self.stock.passes, pass, params, buffers, groups);
            self.note(done);
        }
    }

    /// Runs a pass over the first `len` values in a row.
    pub(super) fn row(&self, pass: Pass, len: usize, amount: f32, buffers: &[Option<&Arc<Lease>>]) {
        let params = Params { area: [len as i32, 0, 0, 0], numbers: [amount, 0.0, 0.0, 0.0], ..Params::default() };
        self.run(pass, &params, buffers, in_a_row(len));
    }

    /// Runs a pass whose last buffer takes each workgroup's sums, and gives those.
    pub(super) fn sums(&self, groups: [u32; 2], run: impl FnOnce(&Arc<Lease>)) -> Result<Vec<[f32; 2]>, Fault> {
        let count = groups[0] as usize * groups[1] as usize;
        let lease = self.lease((count * size_of::<[f32; 2]>()) as u64)?;
        run(&lease);
        self.read(&lease, count)
    }

    /// The same, the first of the sums added up.
    pub(super) fn first(&self, groups: [u32; 2], run: impl FnOnce(&Arc<Lease>)) -> Result<f64, Fault> {
        Ok(self.sums(groups, run)?.iter().map(|sums| f64::from(sums[0])).sum())
    }

    /// The first values of a buffer.
    pub(super) fn read<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        &self,
        lease: &Arc<Lease>,
        count: usize,
    ) -> Result<Vec<T>, Fault> {
        let mut values = request::zeros::<T>(count);
        self.bring(&mut [(lease, bytemuck::cast_slice_mut(&mut values))])?;
        Ok(values)
    }

    /// Fills slices with the first bytes of buffers.
    pub(super) fn bring(&self, wanted: &mut [(&Arc<Lease>, &mut [u8])]) -> Result<(), Fault> {
        if let Some(fault) = self.fault() {
            return Err(fault);
        }
        self.tape.borrow_mut().down(wanted)?;
        self.core.faults.check()
    }
}

impl Planes for SmokeMachine {
    type Plane = Plane;

    fn zeros(&self, len: usize) -> Result<Plane, Failed> {
        let plane = self.told(self.plane(len))?;
        self.tape.borrow_mut().clear(&plane.lease);
        Ok(plane)
    }

    fn up(&self, values: &[f32]) -> Result<Plane, Failed> {
        let lease = self.send(bytemuck::cast_slice(values));
        self.told(lease.map(|lease| Plane { lease, len: values.len() }))
    }

    fn down(&self, plane: &Plane) -> Result<Vec<f32>, Failed> {
        self.told(self.read(&plane.lease, plane.len))
    }

    fn copy(&self, from: &Plane, to: &mut Plane) {
        self.tape.borrow_mut().copy(&from.lease, &to.lease, from.bytes());
    }
}

impl SmokeMachine {
    /// Sets a plane to 0.
    pub(super) fn zero(&self, plane: &Plane) {
        self.tape.borrow_mut().clear(&plane.lease);
    }
}
