//! Layers of a state, painted where it is: what comes back is what is shown, and no more.

use super::super::core::Core;
use super::super::fault::Fault;
use super::super::fetch::fetch;
use super::super::pool::{Lease, Use};
use super::layout::{Params, SHOWN_WORDS, Shown, flag};
use super::passes::Pass;
use super::record::Recorder;
use super::resident::Planes;
use super::upload::Slabs;
use crate::sim::memory::Values;
use crate::sim::water::buffers::{RawLayer, View};
use crate::sim::water::plan::flow_planes;
use crate::sim::water::settings::Model;

/// Paints a layer. `terrain` is that of the view.
pub(in crate::compute::gpu) fn paint(
    core: &Core,
    planes: &Planes,
    view: &View<'_>,
    terrain: Option<&Slabs>,
) -> Result<Values<[f32; 4]>, Fault> {
    let cut = &planes.cut;
    let on = |condition: bool, flag: u32| if condition { flag } else { 0 };
    let shown = Shown {
        unit_power: view.unit_power,
        wet: view.wet,
        range: view.colour_range.to_bits(),
        terrain: u32::from(terrain.is_some()),
        per_frame: view.per_frame.to_bits(),
        unused: [0; 3],
    };
    let words: [u32; SHOWN_WORDS] = shown.words();
    let told = uniform(core, &words)?;
    let flags = on(planes.pigment.is_some(), flag::PIGMENT) | on(view.model == Model::Classic, flag::CLASSIC);
    let mut recorder = Recorder::new(core, flags);
    let mut down = Vec::new();
    for (nth, slab) in cut.slabs.iter().enumerate() {
        let (first, last) = (slab.own_first.max(1), slab.own_last.min(cut.height));
        let params = Params {
            width: cut.width as u32,
            height: cut.height as u32,
            first: slab.first as u32,
            rows: slab.rows as u32,
            own_first: slab.own_first as u32,
            own_last: slab.own_last as u32,
            planes: flow_planes(view.model) as u32,
            flags,
            ..Params::default()
        };
        let params = uniform(core, &params.words())?;
        let size = (cut.width * (last + 1 - first) * size_of::<[f32; 4]>()) as u64;
        let (picture, lease) = (core.pool.take(size, Use::Planes)?, core.pool.take(size, Use::Down)?);
        let or_nothing = |slabs: Option<&Slabs>| slabs.map_or(&core.nothing, |s| s[nth].buffer()).clone();
        let (height, flow) = (planes.height[nth].buffer().clone(), planes.flow[nth].buffer().clone());
        let (pass, sources) = match view.layer {
            RawLayer::Water => (Pass::Water, vec![height, or_nothing(planes.pigment.as_ref())]),
            RawLayer::Height => (Pass::Height, vec![height, or_nothing(terrain)]),
            RawLayer::Cross => (Pass::Cross, vec![flow]),
            RawLayer::Diagonal => (Pass::Diagonal, vec![flow]),
        };
        let mut buffers = vec![params.buffer(), told.buffer()];
        buffers.extend(&sources);
        buffers.push(picture.buffer());
        let group = core.passes.group(pass, &buffers)?;
        recorder.dispatch(pass, &group, 0, cut, slab);
        recorder.encoder().copy_buffer_to_buffer(picture.buffer(), 0, lease.buffer(), 0, size);
        down.push((lease, size));
    }
    let submission = recorder.submit()?;
    let mut cells = Values::uninitialised(cut.width * cut.height);
    let mut rest: &mut [u8] = bytemuck::cast_slice_mut(&mut cells);
    let mut wanted = Vec::with_capacity(down.len());
    for (lease, size) in down {
        let (rows, others) = std::mem::take(&mut rest).split_at_mut(size as usize);
        wanted.push((lease, rows));
        rest = others;
    }
    fetch(core, &submission, wanted)?;
    Ok(cells)
}

fn uniform(core: &Core, words: &[u32]) -> Result<Lease, Fault> {
    let lease = core.pool.take(size_of_val(words) as u64, Use::Uniform)?;
    core.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(words));
    Ok(lease)
}
