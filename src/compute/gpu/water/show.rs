//! Raw layers of a state that is on the device: only the picture is read back.

use super::kernels::Kernels;
use super::layout::{Params, Shown, flag};
use super::passes::Pass;
use super::record::Recorder;
use super::resident::DeviceBuffers;
use super::upload::Slabs;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::fetch::fetch;
use crate::compute::gpu::pool::{Lease, Use};
use crate::sim::memory::Values;
use crate::sim::water::buffers::{LayerView, RawLayer};
use crate::sim::water::plan::flow_planes;
use crate::sim::water::settings::Model;

/// Makes a raw layer. `terrain`: that of the view, on the device.
pub(super) fn paint(
    kernels: &Kernels,
    state: &DeviceBuffers,
    view: &LayerView<'_>,
    terrain: Option<&Slabs>,
) -> Result<Values<[f32; 4]>, Fault> {
    let partition = &state.partition;
    let on = |condition: bool, flag: u32| if condition { flag } else { 0 };
    let shown = Shown {
        unit_power: view.unit_power,
        wet: view.wet,
        range: view.colour_range.to_bits(),
        terrain: u32::from(terrain.is_some()),
        per_frame: view.per_frame.to_bits(),
        unused: [0; 3],
    };
    let shown = uniform(kernels, &shown.words())?;
    let flags = on(state.pigment.is_some(), flag::PIGMENT) | on(view.model == Model::Classic, flag::CLASSIC);
    let mut recorder = Recorder::new(kernels, flags);
    let mut down = Vec::new();
    for (nth, slab) in partition.slabs.iter().enumerate() {
        let (first, last) = (slab.own_first.max(1), slab.own_last.min(partition.height));
        let params = Params {
            width: partition.width as u32,
            height: partition.height as u32,
            first: slab.first as u32,
            rows: slab.rows as u32,
            own_first: slab.own_first as u32,
            own_last: slab.own_last as u32,
            planes: flow_planes(view.model) as u32,
            flags,
            ..Params::default()
        };
        let params = uniform(kernels, &params.words())?;
        let size = (partition.width * (last + 1 - first) * size_of::<[f32; 4]>()) as u64;
        let (picture, lease) = (kernels.pool.take(size, Use::Planes)?, kernels.pool.take(size, Use::Down)?);
        let or_nothing = |slabs: Option<&Slabs>| slabs.map_or(&kernels.nothing, |s| s[nth].buffer()).clone();
        let (height, flow) = (state.height[nth].buffer().clone(), state.flow[nth].buffer().clone());
        let (pass, sources) = match view.layer {
            RawLayer::Water => (Pass::Water, vec![height, or_nothing(state.pigment.as_ref())]),
            RawLayer::Height => (Pass::Height, vec![height, or_nothing(terrain)]),
            RawLayer::Cross => (Pass::Cross, vec![flow]),
            RawLayer::Diagonal => (Pass::Diagonal, vec![flow]),
        };
        let mut buffers = vec![params.buffer(), shown.buffer()];
        buffers.extend(&sources);
        buffers.push(picture.buffer());
        let group = kernels.passes.group(pass, &buffers)?;
        recorder.dispatch(pass, &group, 0, partition, slab);
        recorder.encoder().copy_buffer_to_buffer(picture.buffer(), 0, lease.buffer(), 0, size);
        down.push((lease, size));
    }
    let submission = recorder.submit()?;
    let mut cells = Values::uninitialised(partition.width * partition.height, &kernels.memory);
    let mut rest: &mut [u8] = bytemuck::cast_slice_mut(&mut cells);
    let mut wanted = Vec::with_capacity(down.len());
    for (lease, size) in down {
        let (rows, others) = std::mem::take(&mut rest).split_at_mut(size as usize);
        wanted.push((lease, rows));
        rest = others;
    }
    fetch(kernels, &submission, wanted)?;
    Ok(cells)
}

/// Uniforms in a pooled buffer.
fn uniform(kernels: &Kernels, words: &[u32]) -> Result<Lease, Fault> {
    let lease = kernels.pool.take(size_of_val(words) as u64, Use::Uniform)?;
    kernels.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(words));
    Ok(lease)
}
