//! The command recorder, which holds resources until its commands are submitted.

use std::sync::Arc;

use super::core::{Core, Submission};
use super::fault::Fault;
use super::fetch::fetch;
use super::pipeline::{Parameters, Passes, Table};
use super::pool::{Lease, Use};

/// Largest number of dispatches of a submission.
const DISPATCHES_MAX: usize = 256;

/// Size of the uniforms of a dispatch, bytes.
const ENTRY: u32 = 128;

/// Records commands and holds the buffers that they use until they are submitted: the pool does not hand them out
/// before.
pub(super) struct Recorder {
    core: Arc<Core>,
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// Uniforms of the dispatches.
    table: Option<Lease>,
    uniforms: Vec<u8>,
    stride: u32,
    held: Vec<Arc<Lease>>,
}

impl Recorder {
    /// A recorder without commands.
    pub fn new(core: &Arc<Core>) -> Recorder {
        let stride = ENTRY.next_multiple_of(core.uniform_stride);
        Recorder {
            core: Arc::clone(core),
            encoder: None,
            pass: None,
            table: None,
            uniforms: Vec::new(),
            stride,
            held: Vec::new(),
        }
    }

    /// Records a dispatch of a pass with these workgroups. It binds `params` first, then the buffers; `None` binds an
    /// empty one.
    pub fn dispatch<T: Table>(
        &mut self,
        passes: &Passes<T>,
        pass: T,
        params: &impl Parameters,
        buffers: &[Option<&Arc<Lease>>],
        groups: [u32; 3],
    ) -> Result<(), Fault> {
        if self.uniforms.len() >= DISPATCHES_MAX * self.stride as usize {
            self.submit()?;
        }
        let table = match self.table.take() {
            Some(table) => table,
            None => self.core.pool.take(DISPATCHES_MAX as u64 * u64::from(self.stride), Use::Uniform)?,
        };
        let bound: Vec<_> = std::iter::once(table.buffer())
            .chain(buffers.iter().map(|lease| lease.map_or(&self.core.nothing, |lease| lease.buffer())))
            .collect();
        let group = passes.group(pass, &bound);
        self.table = Some(table);
        let offset = self.uniforms.len() as u32;
        self.uniforms.extend_from_slice(bytemuck::bytes_of(params));
        self.uniforms.resize((offset + self.stride) as usize, 0);
        self.held.extend(buffers.iter().flatten().map(|lease| Arc::clone(lease)));
        let encoder = self.encoder.get_or_insert_with(|| self.core.encoder());
        let open = self.pass.get_or_insert_with(|| {
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        });
        open.set_pipeline(&passes.pipeline(pass, params.constants()));
        open.set_bind_group(0, &group?, if pass.has_entry() { std::slice::from_ref(&offset) } else { &[] });
        open.dispatch_workgroups(groups[0], groups[1], groups[2]);
        Ok(())
    }

    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder.get_or_insert_with(|| self.core.encoder())
    }

    /// Records copying the first bytes of a buffer.
    pub fn copy(&mut self, from: &Arc<Lease>, to: &Arc<Lease>, size: u64) {
        self.held.extend([Arc::clone(from), Arc::clone(to)]);
        self.encoder().copy_buffer_to_buffer(from.buffer(), 0, to.buffer(), 0, size);
    }

    /// Records setting a buffer to 0.
    pub fn clear(&mut self, lease: &Arc<Lease>) {
        self.held.push(Arc::clone(lease));
        self.encoder().clear_buffer(lease.buffer(), 0, None);
    }

    /// Submits the recorded commands.
    pub fn submit(&mut self) -> Result<Option<Submission>, Fault> {
        self.pass = None;
        let Some(encoder) = self.encoder.take() else { return Ok(None) };
        let table = self.table.take();
        if let Some(table) = &table {
            self.core.queue.write_buffer(table.buffer(), 0, &self.uniforms);
        }
        self.uniforms.clear();
        let submitted = self.core.submit(encoder);
        // The table returns to the pool only now.
        drop(table);
        self.held.clear();
        submitted.map(Some)
    }

    /// Downloads the first bytes of buffers into slices: submits all recorded commands and waits for them.
    pub fn down(&mut self, wanted: &mut [(&Arc<Lease>, &mut [u8])]) -> Result<(), Fault> {
        self.down_from(wanted.iter_mut().map(|(source, bytes)| (*source, 0, &mut **bytes)))
    }

    /// As [`down`](Self::down), from a place in each buffer on, a multiple of 4 bytes.
    pub fn down_from<'a>(
        &mut self,
        wanted: impl Iterator<Item = (&'a Arc<Lease>, u64, &'a mut [u8])>,
    ) -> Result<(), Fault> {
        let mut down = Vec::new();
        for (source, from, bytes) in wanted {
            let size = bytes.len() as u64;
            let lease = self.core.pool.take(size, Use::Down)?;
            self.held.push(Arc::clone(source));
            self.encoder().copy_buffer_to_buffer(source.buffer(), from, lease.buffer(), 0, size);
            down.push((lease, bytes));
        }
        match self.submit()? {
            Some(submission) => fetch(&self.core, &submission, down),
            None => Ok(()),
        }
    }
}
