//! The FlowSmoke node: air that cannot be compressed, and the dye, smoke and heat that it carries.
//!
//! | file | what |
//! |---|---|
//! | `controls` | every parameter, once |
//! | `presets` | looks to pick from |
//! | `values` | parameter values as settings of the smoke |
//! | `inputs` | its inputs, and their pictures for the model |
//! | `told` | the smoke of a frame, with what its chain has to tell |
//! | `initial` | a file as its start |
//! | `simulation` | from frame to frame, and to a picture |
//! | `look` | what is shown |
//! | `layers` | what of it hosts with planes have at once |
//! | `figures` | what is dragged in the viewer |
//! | `findings` | what there is to tell of a frame |
//! | `stored` | what is in its files |
//! | this file | the node |
//!
//! All else is what nodes have in common: [`crate::nodes::common`].

pub mod controls;
mod figures;
mod findings;
mod initial;
mod inputs;
mod layers;
mod look;
mod presets;
mod simulation;
pub mod stored;
pub mod told;
pub mod values;

use controls::Id;
use look::View;
use simulation::Smoke;

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
        version: (1, 4),
        description: c"Smoke, ink, fire and heat in two dimensions: air that cannot be compressed carries dye and heat, \
                       stirred by a brush, jets, velocity pictures and moving obstacles. Any frame can be rendered at any \
                       time, in any order, with the same pixels.",
        fluid: "smoke",
        icon: [c"org.flowofx.FlowSmoke.svg", c"org.flowofx.FlowSmoke.png"],
        folder: "smoke",
        // Two states, what is made on the way from one to the other, and the pictures of six inputs.
        bytes_per_cell: 320,
    };
    const INPUTS: &'static [Input] = inputs::INPUTS;
    const LAYERS: &'static [planes::Layer] = layers::LAYERS;
    type Id = Id;
    const FIGURES: &'static [Figure<Id>] = figures::FIGURES;
    type Simulation = Smoke;
    type View = View;

    fn view(values: &impl Values<Id>, time: f64) -> Result<View> {
        View::read(values, time)
    }

    fn premultiplication(view: &View) -> Premultiplication {
        match view.output {
            Output::Raw(Quantity::Dye) | Output::Smoke | Output::Fire => Premultiplication::Premultiplied,
            Output::Raw(_) => Premultiplication::Unpremultiplied,
        }
    }
}
