//! The FlowVolume node: smoke and fire in three dimensions, before a camera.
//!
//! | file | contents |
//! |---|---|
//! | `controls`, `parameters.txt` | the names of the parameters, and their table |
//! | `presets`, `presets.txt` | presets |
//! | `values` | parameter values as settings of the volume |
//! | `inputs` | inputs |
//! | `simulation` | simulation and painting |
//! | `view` | output, camera and shading settings of a frame |
//! | `layers` | layers for hosts with planes |
//! | `handles` | overlay handles |
//! | `files` | files for other programs |
//! | `initial` | a file as the start |
//! | `axes` | places of emitters and solids |
//! | `box_view` | the box before the camera |
//! | `mattes` | the matte of emitters |
//! | `obstacles` | pictures as solids |
//! | `particle_file` | particles as lights |
//! | `vdb_sources` | files of other programs as emitters |
//! | `shock_cells` | emitters as jets with shock cells |
//! | `report` | the frame report |
//! | this file | the node |
//!
//! [`crate::nodes::common`] has the parts that all nodes share, `volume_state` the state of a frame.

mod axes;
mod box_view;
pub mod controls;
mod files;
mod handles;
mod initial;
mod inputs;
mod layers;
mod mattes;
mod obstacles;
mod particle_file;
mod presets;
mod report;
mod shock_cells;
mod simulation;
mod values;
mod vdb_sources;
mod view;

use std::ffi::CStr;

use controls::Id;
use simulation::Volume;
use view::{Output, View};

use crate::nodes::common::geometry::Rect;
use crate::nodes::common::node::{About, Input, Node};
use crate::nodes::common::overlay::{Figure, Space};
use crate::nodes::common::pictures::Pictures;
use crate::nodes::common::planes;
use crate::nodes::common::values::Values;
use crate::ofx::{Premultiplication, Result};
use crate::picture::volume::Layer;

/// Frees the contents of files that are kept for the next frame.
pub fn release() {
    vdb_sources::release();
    particle_file::release();
}

/// Name of the model in files.
const MODEL: &str = "org.flowofx.FlowVolume";

/// The node type.
pub struct FlowVolume;

impl Node for FlowVolume {
    const ABOUT: About = About {
        identifier: c"org.flowofx.FlowVolume",
        label: c"FlowVolume",
        baking: c"Baking FlowVolume",
        version: (1, 0),
        description: c"Smoke and fire in three dimensions: chimneys, campfires, explosions, fog and ink. Emitters let smoke, \
                       heat and fuel into a box of air, and a camera sees it in light, behind and before the scene of the \
                       Depth input. Any frame can be rendered at any time, in any order, with the same pixels.",
        fluid: "volume",
        icon: [c"org.flowofx.FlowVolume.svg", c"org.flowofx.FlowVolume.png"],
        folder: "volume",
        // Two states, the fields of a step, and the light of a picture.
        bytes_per_cell: 200,
    };
    const INPUTS: &'static [Input] = inputs::INPUTS;
    const LATER_INPUTS: usize = inputs::OBSTACLES;
    const CAMERA: Option<&'static CStr> = Some(c"Camera");
    const LAYERS: &'static [planes::Layer] = layers::LAYERS;
    type Id = Id;
    const FIGURES: &'static [Figure<Id>] = handles::HANDLES;
    type Simulation = Volume;
    type View = View;

    fn view(values: &impl Values<Id>, time: f64) -> Result<View> {
        View::read(values, time)
    }

    fn simulates_with(values: &impl Values<Id>, time: f64, input: usize) -> Result<bool> {
        if input == inputs::EMISSION {
            mattes::are_emitted(values, time)
        } else {
            obstacles::is_solid(values, time, input)
        }
    }

    fn invalidates_states(values: &impl Values<Id>, id: Id) -> Result<bool> {
        Ok(obstacles::places_pictures(values, id)? || axes::are_placed_by(values, id)?)
    }

    fn shows(view: &View, input: usize) -> bool {
        match input {
            inputs::DEPTH | inputs::HOLDOUT => true,
            inputs::ENVIRONMENT => view.shows_surroundings(),
            _ => false,
        }
    }

    fn has_own_grid(input: usize) -> bool {
        input == inputs::ENVIRONMENT
    }

    fn space(values: &impl Values<Id>, time: f64, frame: Rect) -> Result<Option<Space>> {
        view::space(values, time, frame)
    }

    fn exports(view: &View) -> bool {
        view.files.is_some()
    }

    fn notices(view: &View, pictures: &Pictures) -> Vec<String> {
        view.notices(pictures)
    }

    fn premultiplication(view: &View) -> Premultiplication {
        match view.output {
            Output::Layer(layer) if !layer.is_data() && layer != Layer::Transmittance => {
                Premultiplication::Premultiplied
            }
            Output::Layer(_) | Output::Slice(_) => Premultiplication::Unpremultiplied,
        }
    }
}
