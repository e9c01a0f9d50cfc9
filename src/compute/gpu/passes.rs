//! The water's passes: their shaders, and what each binds.

use super::layout::flag;
use super::pipeline::{Binding, Shader, Table, shader};

/// Every shader, in the order of the passes.
pub static SHADERS: [Shader; 11] = [
    shader!("prepare": "shared/fixed", "shared/grid", "shared/codes", "shared/tally"),
    shader!("accelerate": "shared/fixed", "shared/grid", "shared/codes", "shared/given"),
    shader!("shallow": "shared/fixed", "shared/grid", "shared/codes", "shared/given"),
    shader!("limit": "shared/fixed", "shared/grid"),
    shader!("pigment": "shared/fixed", "shared/grid", "shared/cut", "shared/inflow", "shared/tally"),
    shader!("move": "shared/fixed", "shared/grid", "shared/cut", "shared/inflow", "shared/tally"),
    shader!("sum": "shared/grid", "shared/tally"),
    shader!("water": "shared/fixed", "shared/grid", "shared/real", "shared/picture"),
    shader!("height": "shared/grid", "shared/real", "shared/picture"),
    shader!("cross": "shared/fixed", "shared/grid", "shared/real", "shared/outflow", "shared/picture"),
    shader!("diagonal": "shared/fixed", "shared/grid", "shared/real", "shared/outflow", "shared/picture"),
];

/// A pass over the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Prepare,
    Accelerate,
    Shallow,
    Limit,
    Pigment,
    Move,
    Sum,
    Water,
    Height,
    Cross,
    Diagonal,
}

/// Uniforms of the step, one of a table.
const STEP: Binding = Binding::Entry(4);

impl Table for Pass {
    const ALL: &'static [Pass] = &[
        Pass::Prepare,
        Pass::Accelerate,
        Pass::Shallow,
        Pass::Limit,
        Pass::Pigment,
        Pass::Move,
        Pass::Sum,
        Pass::Water,
        Pass::Height,
        Pass::Cross,
        Pass::Diagonal,
    ];

    fn number(self) -> usize {
        self as usize
    }

    fn shader(self) -> &'static Shader {
        &SHADERS[self as usize]
    }

    fn constants(self) -> &'static [&'static str] {
        &["FLAGS"]
    }

    fn flags(self) -> &'static [(&'static str, u32)] {
        &flag::NAMES
    }

    fn bindings(self) -> &'static [Binding] {
        use Binding::{Params, Read, Write};
        match self {
            Pass::Prepare => &[Params, Read, Read, Read, Read, Write, Write, Write],
            Pass::Accelerate | Pass::Shallow => &[Params, STEP, Read, Read, Read, Read, Read, Read, Write],
            Pass::Limit => &[Params, Read, Read, Write],
            Pass::Pigment => &[Params, STEP, Read, Read, Read, Read, Read, Write, Write],
            Pass::Move => &[Params, STEP, Read, Read, Read, Read, Write, Write, Write],
            Pass::Sum => &[Params, Read, Read, Write],
            Pass::Water | Pass::Height => &[Params, Params, Read, Read, Write],
            Pass::Cross | Pass::Diagonal => &[Params, Params, Read, Write],
        }
    }
}

/// Cells per workgroup, across and up.
pub(super) const GROUP: [usize; 2] = [32, 8];
