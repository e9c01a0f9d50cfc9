//! The FlowSmoke node: incompressible air, and the dye, smoke and heat that it advects.
//!
//! | file | contents |
//! |---|---|
//! | `controls`, `parameters.txt` | the names of the parameters, and their table |
//! | `presets`, `presets.txt` | presets |
//! | `values` | parameter values as settings of the smoke |
//! | `inputs` | inputs, and their pictures for the model |
//! | `frame_state` | the state of a frame with its diagnostics |
//! | `initial` | a file as the initial state |
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
use simulation::Smoke;
use view::View;

use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::node::{About, Input, Node};
use crate::nodes::common::overlay::Figure;
use crate::nodes::common::planes;
use crate::nodes::common::values::Values;
use crate::ofx::{Premultiplication, Result};
use crate::picture::smoke::Output;
use crate::sim::smoke::quantities::Quantity;

/// The node type.
pub struct FlowSmoke;

impl Node for FlowSmoke {
    const ABOUT: About = About {
        identifier: c"org.flowofx.FlowSmoke",
        label: c"FlowSmoke",
        baking: c"Baking FlowSmoke",
        version: (1, 6),
        description: c"Smoke, ink, fire and heat in two dimensions: air that cannot be compressed carries dye and heat, \
                       stirred by a brush, jets, velocity pictures and moving obstacles. Any frame can be rendered at any \
                       time, in any order, with the same pixels.",
        fluid: "smoke",
        icon: [c"org.flowofx.FlowSmoke.svg", c"org.flowofx.FlowSmoke.png"],
        folder: "smoke",
        // Two states with fire and two flow maps, the scratch fields of a step, and the pictures of six inputs.
        bytes_per_cell: 680,
    };
    const INPUTS: &'static [Input] = inputs::INPUTS;
    const LAYERS: &'static [planes::Layer] = layers::LAYERS;
    type Id = Id;
    const FIGURES: &'static [Figure<Id>] = handles::HANDLES;
    type Simulation = Smoke;
    type View = View;

    fn view(values: &impl Values<Id>, time: f64) -> Result<View> {
        View::read(values, time)
    }

    fn overscan(values: &impl Values<Id>, time: f64) -> Result<[f64; 2]> {
        if Id::Overscan.matters(values, time)? { values.pair(Id::Overscan, time) } else { Ok([0.0; 2]) }
    }

    fn premultiplication(view: &View) -> Premultiplication {
        match view.output {
            Output::Raw(Quantity::Dye) | Output::Smoke | Output::Fire | Output::Ink => Premultiplication::Premultiplied,
            Output::Raw(_) => Premultiplication::Unpremultiplied,
        }
    }
}
