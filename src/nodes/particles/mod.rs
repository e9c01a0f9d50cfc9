//! The FlowParticles node: particles that emitters bear and the air moves, as sprites.
//!
//! | file | contents |
//! |---|---|
//! | `controls`, `parameters.txt` | the names of the parameters, and their table |
//! | `presets`, `presets.txt` | presets |
//! | `values` | parameter values as settings of the particles |
//! | `grids` | parameter values as settings of the grids of air |
//! | `fluid` | the frames of the grids |
//! | `inputs` | inputs, and their pictures for the model |
//! | `places` | positions of emitters and grids |
//! | `files` | files for other programs |
//! | `smoke_file` | the deep picture of smoke |
//! | `initial` | a file as the initial state |
//! | `frame_state` | the state of a frame with its diagnostics |
//! | `simulation` | simulation and painting |
//! | `view` | output and shading settings of a frame |
//! | `layers` | layers for hosts with planes |
//! | `handles` | overlay handles |
//! | `report` | the frame report |
//! | `stored` | the contents of cache files |
//! | this file | the node |
//!
//! [`crate::nodes::common`] has the parts that all nodes share.

pub mod controls;
mod files;
mod fluid;
mod frame_state;
mod grids;
mod handles;
mod initial;
mod inputs;
mod layers;
mod places;
mod presets;
mod report;
mod simulation;
mod smoke_file;
mod stored;
mod values;
mod view;

pub use smoke_file::release;

use std::ffi::CStr;

use controls::Id;
use simulation::Particles;
use view::View;

use crate::nodes::common::catcher;
use crate::nodes::common::geometry::Rect;
use crate::nodes::common::node::{About, Input, Node};
use crate::nodes::common::overlay::{Figure, Space};
use crate::nodes::common::pictures::Pictures;
use crate::nodes::common::planes;
use crate::nodes::common::values::Values;
use crate::ofx::{Premultiplication, Result};
use crate::picture::particles::{Output, Sprite};

/// The node type.
pub struct FlowParticles;

impl Node for FlowParticles {
    const ABOUT: About = About {
        identifier: c"org.flowofx.FlowParticles",
        label: c"FlowParticles",
        baking: c"Baking FlowParticles",
        version: (1, 0),
        description:
            c"Particles: embers, snow, rain, dust and magic. Emitters bear them, velocity pictures, wind, eddies \
                       and forces move them, and sprites draw them in front of a camera. Any frame can be rendered at \
                       any time, in any order, with the same pixels.",
        fluid: "particles",
        icon: [c"org.flowofx.FlowParticles.svg", c"org.flowofx.FlowParticles.png"],
        folder: "particles",
        // Two states, and the sprites of a picture.
        bytes_per_cell: 400,
    };
    const INPUTS: &'static [Input] = inputs::INPUTS;
    const CAMERA: Option<&'static CStr> = Some(c"Camera");
    const LAYERS: &'static [planes::Layer] = layers::LAYERS;
    type Id = Id;
    const FIGURES: &'static [Figure<Id>] = handles::HANDLES;
    type Simulation = Particles;
    type View = View;

    fn view(values: &impl Values<Id>, time: f64) -> Result<View> {
        View::read(values, time)
    }

    fn shows(view: &View, input: usize) -> bool {
        let shaded = matches!(view.look.output, Output::Beauty | Output::Emission);
        let sprite = || view.look.emitters.iter().flatten().any(|emitter| emitter.sprite == Sprite::Picture);
        match input {
            inputs::DEPTH => true,
            inputs::HOLDOUT => shaded,
            inputs::SPRITE => sprite(),
            _ => false,
        }
    }

    fn has_own_grid(input: usize) -> bool {
        input == inputs::SPRITE
    }

    fn invalidates_states(values: &impl Values<Id>, id: Id) -> Result<bool> {
        places::are_placed_by(values, id)
    }

    fn space(values: &impl Values<Id>, time: f64, frame: Rect) -> Result<Option<Space>> {
        view::space(values, time, frame)
    }

    fn exports(view: &View) -> bool {
        view.files.is_some()
    }

    fn notices(view: &View, pictures: &Pictures) -> Vec<String> {
        let has_depth = pictures.get(inputs::DEPTH).is_some();
        view.notices.iter().cloned().chain(catcher::notice(view.look.catcher.as_ref(), has_depth)).collect()
    }

    fn premultiplication(view: &View) -> Premultiplication {
        match view.look.output {
            Output::Beauty | Output::Emission => Premultiplication::Premultiplied,
            Output::Depth | Output::Motion | Output::Identity | Output::Count => Premultiplication::Unpremultiplied,
        }
    }
}
