//! Parameters of the passes: the struct of `shaders/volume/shared/box.wgsl`. `tests/gpu_shaders.rs` compares the
//! layouts.

use bytemuck::{Pod, Zeroable};

use crate::compute::gpu::pipeline::{Constants, Parameters, flags};
use crate::sim::volume::settings::Side;

/// Flags of [`Params`], as the shaders name them.
pub mod flag {
    super::flags! {
        /// The velocity is a reflection across its projection.
        REFLECTED = 1;
        /// Viscous friction acts.
        VISCOUS = 2;
        /// Cells have accelerations.
        ACCELERATED = 4;
        /// Packs have cells of their own, finer than the velocity's.
        FINER = 8;
        /// Force fields act.
        FIELDS = 16;
        /// Vorticity confinement acts.
        CONFINED = 32;
        /// Burning expands the gas.
        EXPANDING = 64;
        /// Cells of odd x + y + z change.
        BLACK = 128;
        /// Gases change with the emission of fuel.
        GASES = 256;
        /// Emission adds density.
        ADD = 512;
        /// Emission replaces density.
        REPLACE = 1024;
        /// Gas radiates.
        RADIATES = 2048;
        /// Solids cover faces.
        COVERED = 4096;
        /// Solids move.
        MOVING = 8192;
        /// Smoke has tints.
        TINTED = 16384;
        /// Packs other than the scalars are rounded.
        OTHERS = 32768;
    }
}

/// Places of the scalars of conjugate gradients, as the shaders name them.
pub mod scalar {
    super::flags! {
        /// Scalar product of the residual and the preconditioned residual.
        PRODUCT = 0;
        /// The product over that of the iteration before.
        RATIO = 1;
        /// Length of the step along the direction.
        STEP = 2;
        /// Square of the first residual's norm.
        FIRST = 3;
        /// Square of the last residual's norm.
        SQUARE = 4;
    }
}

/// Parameters of a pass.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader says what each is")]
pub struct Params {
    pub size: [i32; 3],
    pub detail: i32,
    pub low: [i32; 3],
    pub number: u32,
    pub first: [i32; 3],
    pub mode: u32,
    pub part: [i32; 3],
    pub count: u32,
    pub wind: [f32; 3],
    pub time: f32,
    pub numbers: [f32; 4],
    pub more: [f32; 4],
    /// Compiled in; beyond the shaders' struct.
    pub flags: u32,
    /// Compiled in.
    pub sides: u32,
    /// Compiled in.
    pub axis: u32,
    /// Nothing.
    pub padding: u32,
}

impl Parameters for Params {
    fn constants(&self) -> Constants {
        [self.flags, self.sides, self.axis]
    }
}

/// The sides as the shaders number them, two bits each.
pub(super) fn sides(of: [[Side; 2]; 3]) -> u32 {
    of.into_iter().flatten().rev().fold(0, |all, side| {
        let number = match side {
            Side::Closed => 0,
            Side::Open => 1,
            Side::Wrapped => 2,
        };
        all << 2 | number
    })
}

/// A number of cells as the shaders take it.
pub(super) fn whole(of: [usize; 3]) -> [i32; 3] {
    of.map(|count| count as i32)
}
