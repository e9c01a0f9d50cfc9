//! A file as the start of the water.

use flow_cache::{Pool, Wanted};

use super::controls::Id;
use super::stored;
use crate::nodes::common::initial::{Initial, Loaded, on_grid};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::Averaging;
use crate::sim::inputs::Inputs;
use crate::sim::settings::Settings;
use crate::sim::{self, Adopted, Device, Notices, Spec, State};

/// What a picture of water has.
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
    Initial::read(&values.text(Id::InitialState, time), |theirs, grid| theirs == model && grid == ours)
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
) -> Result<(State, Notices)> {
    match initial.load(sim::MODEL_VERSION, &WATER, threads)? {
        Loaded::State(header, planes) => {
            let told = stored::restore(spec, &header, planes).map_err(|why| initial.unfit(&why))?;
            Ok((told.water, told.notices))
        }
        Loaded::Layers(foreign) => {
            let sampled = |layer: &[[f32; 4]], averaging| on_grid(layer, foreign.size, &spec.grid, averaging);
            let mut flows = foreign.layers.iter().map(|layer| Some(sampled(layer.as_ref()?, Averaging::Plain)));
            let layers = Adopted {
                // The water's colour counts by its height.
                water: sampled(&foreign.rgba, Averaging::ByAlpha),
                cross: flows.next().flatten(),
                diagonal: flows.next().flatten(),
            };
            Ok(sim::adopt(spec, settings, inputs, &layers, device))
        }
    }
}
