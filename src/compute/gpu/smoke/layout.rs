//! Parameters of the passes: the structs of `shaders/smoke/shared/domain.wgsl` and `level.wgsl`. `tests/gpu_shaders.rs`
//! compares the layouts.

use bytemuck::{Pod, Zeroable};

use crate::compute::gpu::pipeline::{Constants, Parameters, flags};
use crate::sim::fluid::{self, Boundary};

/// Flags of [`Params`], as the shaders name them.
pub mod flag {
    super::flags! {
        /// Some cell is solid.
        SOLID = 1;
        /// Cubic interpolation.
        CUBIC = 2;
        /// Losses apply.
        DECAYS = 4;
        /// A temperature exists.
        TEMPERATURE = 8;
        /// Four components.
        FOUR = 16;
        /// The stamp is Steer.
        STEER = 32;
        /// The stamp is Replace.
        REPLACE = 64;
        /// The stamp is FillUp.
        FILL_UP = 128;
        /// Some closed side is without slip.
        NO_SLIP_EDGES = 256;
        /// Air slips along solids.
        FREE_SLIP_SOLIDS = 512;
        /// The stamp is Raise.
        RAISE = 1024;
        /// The stamp is Fuel.
        FUEL = 2048;
        /// A disturbance exists.
        DISTURBED = 4096;
        /// The dye of another flow map fades.
        FADING = 8192;
    }
}

/// Flags of [`LevelParams`], as the shaders name them.
pub mod level_flag {
    super::flags! {
        /// Face coefficients replace those of the level.
        COEFFICIENTS = 1;
        /// Cells of odd column + row change.
        BLACK = 2;
        /// From x = 0.
        ZERO = 4;
        /// The product A x alone.
        APPLY = 8;
        /// All cells change.
        JACOBI = 16;
        /// No side is open.
        ALL_CLOSED = 32;
        /// A correction is added to the pressure.
        ADD_TO_PRESSURE = 64;
        /// Prolongation by the mean of values constant in each coarse cell.
        CONSTANT = 128;
        /// A source is part of the right-hand side.
        SOURCE = 256;
    }
}

/// Parameters of a pass over a field, or over values in a row.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader says what each is")]
pub struct Params {
    pub size: [i32; 2],
    /// Compiled in: the shaders' struct has nothing here.
    pub staggering: u32,
    /// Compiled in.
    pub flags: u32,
    pub numbers: [f32; 4],
    pub area: [i32; 4],
    pub more: [f32; 4],
    /// Compiled in; beyond the shaders' struct.
    pub edges: [u32; 4],
}

impl Parameters for Params {
    fn constants(&self) -> Constants {
        [self.flags, packed(self.edges), self.staggering]
    }
}

/// Parameters of a pass over a level.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader says what each is")]
pub struct LevelParams {
    pub size: [i32; 2],
    pub coarse: [i32; 2],
    pub coefficient: [f32; 2],
    pub sweeps: u32,
    /// Compiled in: the shaders' struct has nothing here.
    pub flags: u32,
    pub side_coefficient: [f32; 4],
    pub ghost: [f32; 4],
    /// Compiled in; beyond the shaders' struct.
    pub edges: [u32; 4],
}

impl Parameters for LevelParams {
    fn constants(&self) -> Constants {
        [self.flags, packed(self.edges), 0]
    }
}

/// The sides of the first two axes, as the shaders number them.
pub(super) fn edges([x, y, _]: [[Boundary; 2]; 3]) -> [u32; 4] {
    [x[0], x[1], y[0], y[1]].map(|side| match side {
        Boundary::Closed => 0,
        Boundary::Open => 1,
        Boundary::Wrap => 2,
    })
}

/// The sides in one number, two bits each.
fn packed(edges: [u32; 4]) -> u32 {
    edges.into_iter().rev().fold(0, |all, edge| all << 2 | edge)
}

/// A size as the shaders take it.
pub(super) fn size(of: [usize; 2]) -> [i32; 2] {
    of.map(|n| n as i32)
}

impl LevelParams {
    /// A level, and the part of the next coarser one that its passes need.
    pub(super) fn new(level: &fluid::Level, coarse: Option<&fluid::Level>, flags: u32) -> LevelParams {
        let plane = |of: &fluid::Level| size([of.size[0], of.size[1]]);
        let four = |sides: [[f32; 2]; 3]| [sides[0][0], sides[0][1], sides[1][0], sides[1][1]];
        LevelParams {
            size: plane(level),
            coarse: coarse.map_or([0; 2], plane),
            coefficient: [level.coefficient[0], level.coefficient[1]],
            sweeps: 0,
            flags,
            side_coefficient: four(level.side_coefficient),
            ghost: coarse.map_or([0.0; 4], |coarse| four(coarse.ghost)),
            edges: edges(level.sides),
        }
    }
}
