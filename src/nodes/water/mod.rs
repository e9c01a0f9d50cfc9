//! The Flow node: water on a height field.
//!
//! | file | contents |
//! |---|---|
//! | `controls`, `parameters.txt` | the names of the parameters, and their table |
//! | `presets`, `presets.txt` | presets |
//! | `values` | parameter values as settings of the water |
//! | `view` | output and shading settings of a frame |
//! | `layers` | layers for hosts with planes |
//! | `inputs` | inputs, and their pictures for the models |
//! | `frame_state` | the state of a frame with its diagnostics |
//! | `simulation` | simulation and painting |
//! | `handles` | overlay handles |
//! | `report` | the frame report |
//! | `initial` | a file as the initial state |
//! | `stored` | the contents of cache files |
//! | this file | the node |
//!
//! [`crate::nodes::common`] has the parts that all nodes share.

pub mod controls;
pub mod frame_state;
mod handles;
mod initial;
mod inputs;
mod layers;
mod presets;
mod report;
mod simulation;
pub mod stored;
pub mod values;
mod view;

use controls::Id;
use inputs::{BACKGROUND, REFLECTION};
use simulation::Water;
use view::View;

use crate::nodes::common::node::{About, Input, Node};
use crate::nodes::common::overlay::Figure;
use crate::nodes::common::planes::Layer;
use crate::nodes::common::values::Values;
use crate::ofx::{Premultiplication, Result};
use crate::picture::water::{AlphaMode, Output};

/// The node type.
pub struct Flow;

impl Node for Flow {
    const ABOUT: About = About {
        identifier: c"org.flowofx.Flow",
        label: c"Flow",
        baking: c"Baking Flow",
        version: (1, 7),
        description:
            c"Water on a height field: every pixel is a column of water on a terrain, which flows to its neighbours \
              through pipes, or as shallow water does. Water carries colour and foam. Any frame can be rendered at \
              any time, in any order, with the same pixels.",
        fluid: "water",
        icon: [c"org.flowofx.Flow.svg", c"org.flowofx.Flow.png"],
        folder: "flow",
        // Two states, the pictures of the seven inputs of a state, and a device's own planes.
        bytes_per_cell: 344,
    };
    const INPUTS: &'static [Input] = inputs::INPUTS;
    const LAYERS: &'static [Layer] = layers::LAYERS;
    type Id = Id;
    const FIGURES: &'static [Figure<Id>] = handles::HANDLES;
    type Simulation = Water;
    type View = View;

    fn view(values: &impl Values<Id>, time: f64) -> Result<View> {
        View::read(values, time)
    }

    fn overscan(values: &impl Values<Id>, time: f64) -> Result<[f64; 2]> {
        values.pair(Id::Overscan, time)
    }

    fn shows(view: &View, input: usize) -> bool {
        let bed = view.shading.alpha_mode == AlphaMode::OverBed;
        view.output == Output::Shaded && (input == REFLECTION || input == BACKGROUND && bed)
    }

    fn premultiplication(view: &View) -> Premultiplication {
        if view.output == Output::Shaded {
            Premultiplication::Premultiplied
        } else {
            Premultiplication::Unpremultiplied
        }
    }
}
