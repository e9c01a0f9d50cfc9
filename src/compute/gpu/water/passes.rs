//! The water's passes: their shaders, and what each binds.

use super::super::pipeline::{Binding, Shader, Table, shader};
use super::layout::flag;

/// Every shader, in the order of the passes.
pub static SHADERS: [Shader; 11] = [
    shader!("water/prepare" as "water/prepare": "water/shared/fixed", "water/shared/grid", "water/shared/codes", "water/shared/tally"),
    shader!("water/accelerate" as "water/accelerate": "water/shared/fixed", "water/shared/grid", "water/shared/codes", "water/shared/given"),
    shader!("water/shallow" as "water/shallow": "water/shared/fixed", "water/shared/grid", "water/shared/codes", "water/shared/given"),
    shader!("water/limit" as "water/limit": "water/shared/fixed", "water/shared/grid"),
    shader!("water/pigment" as "water/pigment": "water/shared/fixed", "water/shared/grid", "water/shared/cut", "water/shared/inflow", "water/shared/tally"),
    shader!("water/move" as "water/move": "water/shared/fixed", "water/shared/grid", "water/shared/cut", "water/shared/inflow", "water/shared/tally"),
    shader!("water/sum" as "water/sum": "water/shared/grid", "water/shared/tally"),
    shader!("water/water" as "water/water": "water/shared/fixed", "water/shared/grid", "water/shared/real", "water/shared/picture"),
    shader!("water/height" as "water/height": "water/shared/grid", "water/shared/real", "water/shared/picture"),
    shader!("water/cross" as "water/cross": "water/shared/fixed", "water/shared/grid", "water/shared/real", "water/shared/outflow", "water/shared/picture"),
    shader!("water/diagonal" as "water/diagonal": "water/shared/fixed", "water/shared/grid", "water/shared/real", "water/shared/outflow", "water/shared/picture"),
];

/// A pass over the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compute::gpu) enum Pass {
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
pub(in crate::compute::gpu) const GROUP: [usize; 2] = [32, 8];
