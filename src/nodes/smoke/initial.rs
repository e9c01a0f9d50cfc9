//! A file as the start of the smoke.

use flow_cache::{Pool, Wanted};

use super::controls::Id;
use super::frame_state::FrameState;
use super::stored;
use crate::nodes::common::initial::{Initial, Loaded, on_grid};
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::Averaging;
use crate::sim::smoke::{self, InitialCondition, Inputs, Settings, Spec, Workers};

/// Layers of a picture of smoke, by the names of this node's files.
const SMOKE: Wanted = Wanted {
    alpha: "density of the smoke",
    layers: &[("density", &["density"]), ("velocity", &["x", "y"]), ("temperature", &["temperature"])],
};

/// The initial state's file according to the panel; `None` if no file is set. States of every device class can be
/// continued: their floats are exact.
///
/// # Errors
/// The file cannot be used; the error is a text for the artist.
pub fn read(values: &impl Values<Id>, time: f64, spec: &Spec) -> Result<Option<Initial>> {
    let ours = [spec.grid.width, spec.grid.height];
    Initial::read(&values.text(Id::Shared(Shared::InitialState), time), |model, shape| {
        stored::is_model(model) && shape == ours
    })
}

/// The state of the first frame.
///
/// # Errors
/// The file is no start of this simulation; the error is a text for the artist.
pub fn start(
    initial: &Initial,
    spec: &Spec,
    settings: &Settings,
    inputs: &Inputs,
    workers: &dyn Workers,
    threads: &dyn Pool,
) -> Result<FrameState> {
    match initial.load(smoke::MODEL_VERSION..=smoke::MODEL_VERSION, &SMOKE, threads)? {
        Loaded::State(header, blobs) => stored::restore(spec, &header, blobs).map_err(|why| initial.unfit(&why)),
        Loaded::Layers(foreign) => {
            let grid = smoke::forcing::grid_motion(spec, settings, None).grid;
            let sampled = |layer: &[[f32; 4]]| on_grid(layer, foreign.size, &grid, Averaging::Plain);
            let mut others = foreign.layers.iter().map(|layer| Some(sampled(layer.as_ref()?)));
            let layers = InitialCondition {
                dye: sampled(&foreign.rgba),
                density: others.next().flatten(),
                velocity: others.next().flatten(),
                temperature: others.next().flatten(),
            };
            Ok(FrameState::after(None, smoke::initial_state(spec, settings, inputs, &layers, workers)))
        }
    }
}
