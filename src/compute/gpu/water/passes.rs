//! The passes of the water: shaders and bindings.

use super::layout::flag;
use crate::compute::gpu::pipeline::Binding::{self, Entry, Params, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

passes! {
    constants: &["FLAGS"], flags: &flag::NAMES;

    Prepare: "water/prepare" ["water/shared/fixed_point", "water/shared/grid", "water/shared/pipe_codes", "water/shared/counters"]
        => [Params, Read, Read, Read, Read, Write, Write, Write];
    Accelerate: "water/accelerate" ["water/shared/fixed_point", "water/shared/grid", "water/shared/pipe_codes", "water/shared/forces"]
        => [Params, Entry(4), Read, Read, Read, Read, Read, Read, Write];
    Shallow: "water/shallow" ["water/shared/fixed_point", "water/shared/grid", "water/shared/pipe_codes", "water/shared/forces"]
        => [Params, Entry(4), Read, Read, Read, Read, Read, Read, Write];
    Limit: "water/limit" ["water/shared/fixed_point", "water/shared/grid"]
        => [Params, Read, Read, Write];
    Pigment: "water/pigment"
        ["water/shared/fixed_point", "water/shared/grid", "water/shared/limited_flow", "water/shared/inflow", "water/shared/counters"]
        => [Params, Entry(4), Read, Read, Read, Read, Read, Write, Write];
    Move: "water/move"
        ["water/shared/fixed_point", "water/shared/grid", "water/shared/limited_flow", "water/shared/inflow", "water/shared/counters"]
        => [Params, Entry(4), Read, Read, Read, Read, Write, Write, Write];
    Sum: "water/sum" ["water/shared/grid", "water/shared/counters"]
        => [Params, Read, Read, Write];
    Water: "water/water" ["water/shared/fixed_point", "water/shared/grid", "water/shared/float", "water/shared/output"]
        => [Params, Params, Read, Read, Write];
    Height: "water/height" ["water/shared/grid", "water/shared/float", "water/shared/output"]
        => [Params, Params, Read, Read, Write];
    Cross: "water/cross"
        ["water/shared/fixed_point", "water/shared/grid", "water/shared/float", "water/shared/outflow", "water/shared/output"]
        => [Params, Params, Read, Write];
    Diagonal: "water/diagonal"
        ["water/shared/fixed_point", "water/shared/grid", "water/shared/float", "water/shared/outflow", "water/shared/output"]
        => [Params, Params, Read, Write];
}

/// Cells per workgroup, across and up.
pub(super) const GROUP: [usize; 2] = [32, 8];
