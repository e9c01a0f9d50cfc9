//! The Flow node: water on a height field.
//!
//! | file | what |
//! |---|---|
//! | `controls` | every parameter, once |
//! | `values` | parameter values as settings of the water |
//! | `look` | what is shown of a frame |
//! | `layers` | what of it hosts with planes have at once |
//! | `presets` | looks to pick from |
//! | `inputs` | its inputs, and their pictures for the models |
//! | `frame_state` | the water of a frame, with what its chain has to tell |
//! | `simulation` | from frame to frame, and to a picture |
//! | `figures` | what is dragged in the viewer |
//! | `report` | the report of a frame |
//! | `initial` | a file as its start |
//! | `stored` | what is in its files |
//! | this file | the node |
//!
//! All else is what nodes have in common: [`crate::nodes::common`].

pub mod controls;
mod figures;
pub mod frame_state;
mod initial;
mod inputs;
mod layers;
mod look;
mod presets;
mod report;
mod simulation;
pub mod stored;
pub mod values;

use controls::Id;
use inputs::{BACKGROUND, REFLECTION};
use look::View;
use simulation::Water;

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
        version: (1, 6),
        description:
            c"Water on a height field: every pixel is a column of water on a terrain, which flows to its neighbours \
              through pipes, or as shallow water does. Water carries colour and foam. Any frame can be rendered at \
              any time, in any order, with the same pixels.",
        fluid: "water",
        icon: [c"org.flowofx.Flow.svg", c"org.flowofx.Flow.png"],
        folder: "flow",
        // Two states, the pictures of the seven inputs that a state takes in, and a device's own planes.
        bytes_per_cell: 320,
    };
    const INPUTS: &'static [Input] = inputs::INPUTS;
    const LAYERS: &'static [Layer] = layers::LAYERS;
    type Id = Id;
    const FIGURES: &'static [Figure<Id>] = figures::FIGURES;
    type Simulation = Water;
    type View = View;

    fn view(values: &impl Values<Id>, time: f64) -> Result<View> {
        View::read(values, time)
    }

    fn shows(view: &View, input: usize) -> bool {
        let bed = view.look.alpha_mode == AlphaMode::OverBed;
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
