//! The passes of Ripples: shaders, bindings and uniforms.

use crate::compute::gpu::pipeline::Binding::{self, Entry, Params as Uniforms, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

/// Flags of the shaders.
pub(super) mod flag {
    /// There are control maps.
    pub const CONTROL: u32 = 1;
    /// There is a push.
    pub const PUSH: u32 = 2;
    /// There is an inflow.
    pub const INFLOW: u32 = 4;
    /// There is a margin.
    pub const MARGIN: u32 = 8;
    /// All flags with their names in the shaders.
    pub const NAMES: [(&str, u32); 4] = [("CONTROL", CONTROL), ("PUSH", PUSH), ("INFLOW", INFLOW), ("MARGIN", MARGIN)];
}

passes! {
    constants: &["FLAGS"], flags: &flag::NAMES;

    Press: "water/ripples/press" ["water/ripples/shared/fixed", "water/ripples/shared/level"]
        => [Uniforms, Read, Read, Read, Write];
    Blur: "water/ripples/blur"
        ["water/ripples/shared/level", "water/ripples/shared/mean", "water/ripples/shared/around", "water/ripples/shared/blur"]
        => [Uniforms, Read, Read, Write];
    Restrict: "water/ripples/restrict" ["water/ripples/shared/level", "water/ripples/shared/mean"]
        => [Uniforms, Read, Read, Write];
    Sum: "water/ripples/sum" ["water/ripples/shared/level", "water/ripples/shared/product"]
        => [Uniforms, Read, Read, Read, Write];
    Head: "water/ripples/head"
        [
            "water/shared/fixed_point", "water/ripples/shared/fixed", "water/ripples/shared/level",
            "water/ripples/shared/mean", "water/ripples/shared/around", "water/ripples/shared/blur", "water/ripples/shared/product"
        ]
        => [Uniforms, Read, Read, Read, Read, Read, Write];
    Flow: "water/ripples/flow"
        ["water/shared/fixed_point", "water/ripples/shared/fixed", "water/ripples/shared/level", "water/ripples/shared/around"]
        => [Uniforms, Read, Read, Read, Read, Read, Read, Write];
    Level: "water/ripples/level"
        ["water/shared/fixed_point", "water/ripples/shared/fixed", "water/ripples/shared/level"]
        => [Uniforms, Read, Entry(4), Read, Read, Read, Read, Write, Write];
}

/// Uniforms of a level. The struct of the shaders is in `shaders/water/ripples/shared/level.wgsl`.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Params {
    pub size: [i32; 2],
    /// Columns and rows of the coarser level; 0 where there is none.
    pub coarse: [i32; 2],
    pub before: [i32; 2],
    pub grid: [i32; 2],
    pub keep: [u32; 2],
    pub smoothing: [u32; 2],
    pub push: [u32; 4],
    pub coefficients: [i32; 4],
    pub wraps: u32,
    pub padding: [u32; 3],
}
