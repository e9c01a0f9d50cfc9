//! A file as the start of the water.

use flow_cache::{Foreign, Pool, Wanted};

use super::controls::Id;
use super::stored;
use crate::nodes::common::initial::{Initial, Loaded, on_grid, on_lattice};
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::Averaging;
use crate::sim::water::inputs::Inputs;
use crate::sim::water::settings::{Edges, Settings};
use crate::sim::{
    self,
    water::{Adopted, Device, Diagnostics, FlowLayers, Spec, State},
};

/// Layers of a picture of water.
const WATER: Wanted = Wanted {
    alpha: "height of the water",
    layers: &[("cross", &["R", "G", "B", "A"]), ("diagonal", &["R", "G", "B", "A"])],
};

/// The file that the panel names; `None` where it names none.
///
/// # Errors
/// It can't be used, in the artist's words.
pub fn read(values: &impl Values<Id>, time: f64, spec: &Spec) -> Result<Option<Initial>> {
    let (model, _) = stored::model(spec.constants.model);
    let ours = [spec.grid.width, spec.grid.height];
    Initial::read(&values.text(Id::Shared(Shared::InitialState), time), |theirs, shape| {
        theirs == model && shape == ours
    })
}

/// The flows of a picture on the simulation's grid, in height per frame; `None` where it has none.
fn flows(foreign: &Foreign, spec: &Spec) -> Option<FlowLayers> {
    let [cross, diagonal] = [0, 1].map(|layer| foreign.layers.get(layer)?.as_deref());
    if cross.is_none() && diagonal.is_none() {
        return None;
    }
    let flows = FlowLayers::of_layers(foreign.size, cross, diagonal, spec.constants.edges == Edges::Wrap);
    let sample = |values: &[[f32; 4]], between: [bool; 2]| {
        on_lattice(values, foreign.size, &spec.grid, between, Averaging::Plain)
    };
    Some(flows.on_grid([spec.grid.width, spec.grid.height], sample))
}

/// The state of the first frame.
///
/// # Errors
/// The file is no start of this simulation, in the artist's words.
pub fn start(
    initial: &Initial,
    spec: &Spec,
    settings: &Settings,
    inputs: &Inputs,
    device: &dyn Device,
    threads: &dyn Pool,
) -> Result<(State, Diagnostics)> {
    match initial.load(sim::water::MODEL_VERSION..=sim::water::MODEL_VERSION, &WATER, threads)? {
        Loaded::State(header, blobs) => {
            let state = stored::restore(spec, &header, blobs).map_err(|why| initial.unfit(&why))?;
            Ok((state.water, state.diagnostics))
        }
        Loaded::Layers(foreign) => {
            let layers = Adopted {
                // The water's colour counts by its height.
                water: on_grid(&foreign.rgba, foreign.size, &spec.grid, Averaging::ByAlpha),
                flows: flows(&foreign, spec),
            };
            Ok(sim::water::adopt(spec, settings, inputs, &layers, device))
        }
    }
}
