//! Commands on their way to the device.

use super::super::core::{Core, Submission};
use super::super::fault::Fault;
use super::super::pipeline::Table;
use super::passes::{GROUP, Pass};
use super::slabs::{Cut, Slab};
use super::upload::Slabs;

/// An encoder that opens and closes compute passes as they are needed.
pub(in crate::compute::gpu) struct Recorder<'a> {
    core: &'a Core,
    flags: u32,
    encoder: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
}

impl<'a> Recorder<'a> {
    /// Nothing recorded, for passes with these flags.
    pub fn new(core: &'a Core, flags: u32) -> Recorder<'a> {
        Recorder { core, flags, encoder: core.encoder(), pass: None }
    }

    /// The encoder, outside of any compute pass.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        &mut self.encoder
    }

    /// Runs a pass over a slab's own rows.
    pub fn dispatch(&mut self, pass: Pass, group: &wgpu::BindGroup, step: u32, cut: &Cut, slab: &Slab) {
        let encoder = &mut self.encoder;
        let open = self.pass.get_or_insert_with(|| {
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        });
        let offset = [step * self.core.step_stride];
        open.set_pipeline(&self.core.passes.pipeline(pass, [self.flags, 0, 0]));
        open.set_bind_group(0, group, if pass.has_entry() { &offset } else { &[] });
        let rows = slab.own_last + 1 - slab.own_first;
        open.dispatch_workgroups(cut.stride().div_ceil(GROUP[0]) as u32, rows.div_ceil(GROUP[1]) as u32, 1);
    }

    /// Brings the neighbours' rows of a split field up to date.
    pub fn exchange(&mut self, cut: &Cut, slabs: &Slabs, planes: usize) {
        if !cut.is_split() {
            return;
        }
        let row = (cut.stride() * planes * size_of::<i32>()) as u64;
        let encoder = self.encoder();
        for seam in cut.seams() {
            let (from, to) = (slabs[seam.from].buffer(), slabs[seam.to].buffer());
            encoder.copy_buffer_to_buffer(from, seam.from_row as u64 * row, to, seam.to_row as u64 * row, row);
        }
    }

    /// Submits what was recorded.
    pub fn submit(mut self) -> Result<Submission, Fault> {
        self.pass = None;
        self.core.submit(self.encoder)
    }
}
