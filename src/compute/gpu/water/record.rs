//! Recording of commands.

use super::kernels::Kernels;
use super::passes::{GROUP, Pass};
use super::slabs::{Partition, Slab};
use super::upload::Slabs;
use crate::compute::gpu::core::Submission;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::Table;

/// A command encoder that opens and closes compute passes as needed.
pub(super) struct Recorder<'a> {
    kernels: &'a Kernels,
    flags: u32,
    encoder: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
}

impl<'a> Recorder<'a> {
    /// An empty recorder for passes with these flags.
    pub fn new(kernels: &'a Kernels, flags: u32) -> Recorder<'a> {
        Recorder { kernels, flags, encoder: kernels.encoder(), pass: None }
    }

    /// The encoder, outside any compute pass.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        &mut self.encoder
    }

    /// Records a pass over the rows that a slab owns.
    pub fn dispatch(&mut self, pass: Pass, group: &wgpu::BindGroup, step: u32, partition: &Partition, slab: &Slab) {
        let encoder = &mut self.encoder;
        let open = self.pass.get_or_insert_with(|| {
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        });
        let offset = [step * self.kernels.uniform_stride];
        open.set_pipeline(&self.kernels.passes.pipeline(pass, [self.flags, 0, 0]));
        open.set_bind_group(0, group, if pass.has_entry() { &offset } else { &[] });
        let rows = slab.own_last + 1 - slab.own_first;
        open.dispatch_workgroups(partition.stride().div_ceil(GROUP[0]) as u32, rows.div_ceil(GROUP[1]) as u32, 1);
    }

    /// Records the copies of the rows that slabs share.
    pub fn exchange(&mut self, partition: &Partition, slabs: &Slabs, planes: usize) {
        if !partition.is_split() {
            return;
        }
        let row = (partition.stride() * planes * size_of::<i32>()) as u64;
        let encoder = self.encoder();
        for seam in partition.seams() {
            let (from, to) = (slabs[seam.from].buffer(), slabs[seam.to].buffer());
            encoder.copy_buffer_to_buffer(from, seam.from_row as u64 * row, to, seam.to_row as u64 * row, row);
        }
    }

    /// Submits the commands.
    pub fn submit(mut self) -> Result<Submission, Fault> {
        self.pass = None;
        self.kernels.submit(self.encoder)
    }
}
