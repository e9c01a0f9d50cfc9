//! The passes of the water: shaders and bindings.

use super::layout::flag;
use crate::compute::gpu::pipeline::Binding::{self, Entry, Params, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

passes! {
    constants: &["FLAGS"], flags: &flag::NAMES;

    Prepare: "water/prepare" ["water/shared/fixed", "water/shared/grid", "water/shared/codes", "water/shared/tally"]
        => [Params, Read, Read, Read, Read, Write, Write, Write];
    Accelerate: "water/accelerate" ["water/shared/fixed", "water/shared/grid", "water/shared/codes", "water/shared/given"]
        => [Params, Entry(4), Read, Read, Read, Read, Read, Read, Write];
    Shallow: "water/shallow" ["water/shared/fixed", "water/shared/grid", "water/shared/codes", "water/shared/given"]
        => [Params, Entry(4), Read, Read, Read, Read, Read, Read, Write];
    Limit: "water/limit" ["water/shared/fixed", "water/shared/grid"]
        => [Params, Read, Read, Write];
    Pigment: "water/pigment"
        ["water/shared/fixed", "water/shared/grid", "water/shared/cut", "water/shared/inflow", "water/shared/tally"]
        => [Params, Entry(4), Read, Read, Read, Read, Read, Write, Write];
    Move: "water/move"
        ["water/shared/fixed", "water/shared/grid", "water/shared/cut", "water/shared/inflow", "water/shared/tally"]
        => [Params, Entry(4), Read, Read, Read, Read, Write, Write, Write];
    Sum: "water/sum" ["water/shared/grid", "water/shared/tally"]
        => [Params, Read, Read, Write];
    Water: "water/water" ["water/shared/fixed", "water/shared/grid", "water/shared/real", "water/shared/picture"]
        => [Params, Params, Read, Read, Write];
    Height: "water/height" ["water/shared/grid", "water/shared/real", "water/shared/picture"]
        => [Params, Params, Read, Read, Write];
    Cross: "water/cross"
        ["water/shared/fixed", "water/shared/grid", "water/shared/real", "water/shared/outflow", "water/shared/picture"]
        => [Params, Params, Read, Write];
    Diagonal: "water/diagonal"
        ["water/shared/fixed", "water/shared/grid", "water/shared/real", "water/shared/outflow", "water/shared/picture"]
        => [Params, Params, Read, Write];
}

/// Cells per workgroup, across and up.
pub(super) const GROUP: [usize; 2] = [32, 8];
