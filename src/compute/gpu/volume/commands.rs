//! Passes with their parameters and buffers, recorded and submitted.

use std::cell::RefCell;
use std::sync::Arc;

use super::layout::Params;
use super::passes::Pass;
use super::resources::VolumeResources;
use crate::compute::gpu::core::Core;
use crate::compute::gpu::fault::{Fault, Stop};
use crate::compute::gpu::pipeline::in_a_row;
use crate::compute::gpu::pool::{Lease, Use};
use crate::compute::gpu::recorder::Recorder;

/// Columns, rows and planes of a workgroup.
const GROUP: [usize; 3] = [32, 4, 2];

/// Values that a workgroup adds up.
const BLOCK: usize = 4096;

/// A buffer on the device.
pub(super) type Buffer = Arc<Lease>;

/// The passes of a step in their order.
pub(super) struct Commands<'a> {
    core: &'a Arc<Core>,
    resources: &'a VolumeResources,
    recorder: RefCell<Recorder>,
    /// Parameters that all passes share.
    pub shared: Params,
}

/// Workgroups of a box of values.
fn over(size: [usize; 3]) -> [u32; 3] {
    std::array::from_fn(|axis| size[axis].div_ceil(GROUP[axis]).max(1) as u32)
}

/// Workgroups of so many values in a row.
fn row(len: usize) -> [u32; 3] {
    let [across, up] = in_a_row(len);
    [across, up, 1]
}

impl<'a> Commands<'a> {
    /// No commands yet.
    pub fn new(core: &'a Arc<Core>, resources: &'a VolumeResources, shared: Params) -> Self {
        Self { core, resources, recorder: RefCell::new(Recorder::new(core)), shared }
    }

    /// A buffer of so many numbers of 32 bits.
    pub fn words(&self, count: usize) -> Result<Buffer, Fault> {
        Ok(Arc::new(self.core.pool.take((count * size_of::<f32>()) as u64, Use::Planes)?))
    }

    /// A buffer of so many packs.
    pub fn packs(&self, count: usize) -> Result<Buffer, Fault> {
        self.words(4 * count)
    }

    /// Writes to a buffer that no recorded command uses, from a place on.
    pub fn write<T: bytemuck::Pod>(&self, to: &Buffer, from: usize, values: &[T]) {
        self.core.queue.write_buffer(to.buffer(), from as u64, bytemuck::cast_slice(values));
    }

    /// A buffer with these values.
    pub fn uploaded<T: bytemuck::Pod>(&self, values: &[T]) -> Result<Buffer, Fault> {
        let lease = Arc::new(self.core.pool.take(size_of_val(values) as u64, Use::Planes)?);
        if !values.is_empty() {
            self.write(&lease, 0, values);
        }
        Ok(lease)
    }

    /// A buffer with the values of the faces across all axes.
    pub fn uploaded_faces(&self, parts: [&[f32]; 3]) -> Result<Buffer, Fault> {
        let to = self.words(parts.iter().map(|part| part.len()).sum())?;
        let mut from = 0;
        for part in parts {
            self.write(&to, from, part);
            from += size_of_val(part);
        }
        Ok(to)
    }

    /// Records setting a buffer to 0.
    pub fn clear(&self, buffer: &Buffer) {
        self.recorder.borrow_mut().clear(buffer);
    }

    fn record(&self, pass: Pass, params: &Params, buffers: &[Option<&Buffer>], groups: [u32; 3]) -> Result<(), Fault> {
        self.recorder.borrow_mut().dispatch(&self.resources.passes, pass, params, buffers, groups)
    }

    /// Records a pass over a box of values. `None` binds an empty buffer.
    pub fn over(&self, pass: Pass, params: Params, buffers: &[Option<&Buffer>], size: [usize; 3]) -> Result<(), Fault> {
        self.record(pass, &params, buffers, over(size))
    }

    /// Records a pass over values in a row.
    pub fn along(&self, pass: Pass, params: Params, buffers: &[Option<&Buffer>], len: usize) -> Result<(), Fault> {
        self.record(pass, &Params { count: len as u32, ..params }, buffers, row(len))
    }

    /// Records so many workgroups of a pass.
    pub fn groups(&self, pass: Pass, params: Params, buffers: &[Option<&Buffer>], count: usize) -> Result<(), Fault> {
        self.record(pass, &Params { count: count as u32, ..params }, buffers, row(256 * count))
    }

    /// Records one workgroup of a pass.
    pub fn single(&self, pass: Pass, params: Params, buffers: &[Option<&Buffer>]) -> Result<(), Fault> {
        self.record(pass, &params, buffers, [1; 3])
    }

    /// Records a pass that adds up values by workgroup; returns the sums and their number.
    pub fn sums(
        &self,
        pass: Pass,
        params: Params,
        buffers: &[Option<&Buffer>],
        len: usize,
    ) -> Result<(Buffer, usize), Fault> {
        let groups = row(len.div_ceil(BLOCK) * 256);
        let count = (groups[0] * groups[1]) as usize;
        let to = self.words(count)?;
        let all: Vec<Option<&Buffer>> = buffers.iter().copied().chain([Some(&to)]).collect();
        self.record(pass, &Params { count: len as u32, ..params }, &all, groups)?;
        Ok((to, count))
    }

    /// Submits the recorded commands, and reads the first numbers of a buffer.
    pub fn read<T: bytemuck::Pod>(&self, from: &Buffer, count: usize) -> Result<Vec<T>, Fault> {
        let mut values = vec![T::zeroed(); count];
        self.recorder.borrow_mut().down(&mut [(from, bytemuck::cast_slice_mut(&mut values))])?;
        self.core.faults.check()?;
        Ok(values)
    }

    /// Submits the recorded commands, and reads buffers, each from a place on, in bytes.
    pub fn down(&self, wanted: Vec<(&Buffer, usize, &mut [u8])>) -> Result<(), Fault> {
        let wanted = wanted.into_iter().map(|(buffer, from, bytes)| (buffer, from as u64, bytes));
        self.recorder.borrow_mut().down_from(wanted)?;
        self.core.faults.check()
    }
}

/// Ends the step where the caller has aborted it.
pub(super) fn check_abort(go_on: &mut dyn FnMut() -> bool) -> Result<(), Stop> {
    if go_on() { Ok(()) } else { Err(Stop::Interrupted) }
}
