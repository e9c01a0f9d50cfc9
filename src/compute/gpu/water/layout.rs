//! Uniforms, flags and counters, laid out as in `shaders/water/shared/grid.wgsl`. A test compares the layouts.

use crate::sim::water::fixed_point::Coefficient;
use crate::sim::water::shallow::Gain;

/// Flags of [`Params`].
pub mod flag {
    macro_rules! flags {
        ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
            $($(#[$doc])* pub const $name: u32 = 1 << $bit;)*

            /// All flags with their names in the shaders.
            pub const NAMES: [(&str, u32); [$($bit),*].len()] = [$((stringify!($name), $name)),*];
        };
    }

    flags! {
        /// Opposite edges join.
        WRAP = 0;
        /// Opposite rows are in the same buffer.
        WRAP_ROWS = 1;
        /// Classic pipes.
        CLASSIC = 2;
        /// There is terrain or pressure.
        BASE = 3;
        /// There is a push.
        PUSH = 4;
        /// Some cells are solid.
        SOLID = 5;
        /// There is pigment.
        PIGMENT = 6;
        /// The inflow has remainders.
        SHARED = 7;
        /// The inflow has pigment.
        COLOURED = 8;
        /// The initial source replaces water.
        REPLACE = 9;
        /// The initial source fills water up.
        FILL_UP = 10;
        /// Water in solid cells is removed.
        CLEAR = 11;
        /// Shallow water.
        SHALLOW = 12;
        /// There are control maps.
        CONTROL = 13;
        /// Shallow water is of the second order.
        SECOND_ORDER = 14;
    }
}

/// Uniforms of a slab in a frame.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader describes each field")]
pub struct Params {
    pub width: u32,
    pub height: u32,
    pub first: u32,
    pub rows: u32,
    pub own_first: u32,
    pub own_last: u32,
    pub planes: u32,
    pub wet: i32,
    pub keep: [u32; 2],
    pub diagonal: [u32; 2],
    pub smoothing: [u32; 2],
    pub rescale: [u32; 2],
    pub cross: [[u32; 4]; 5],
    pub gravity: [u32; 4],
    pub friction: [u32; 4],
    pub inflow: [u32; 4],
    pub evaporation: [u32; 2],
    pub inflow_planes: u32,
    /// A pipeline constant: padding in the shaders' struct.
    pub flags: u32,
}

/// Words of [`Params`].
pub const PARAMS_WORDS: usize = size_of::<Params>() / 4;

impl Params {
    /// The words in the order of the shaders' struct.
    pub fn words(&self) -> [u32; PARAMS_WORDS] {
        bytemuck::cast(*self)
    }
}

/// Uniforms of a raw layer, laid out as in `shaders/water/shared/float.wgsl`.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader describes each field")]
pub struct Shown {
    pub unit_power: i32,
    pub wet: i32,
    pub range: u32,
    pub terrain: u32,
    pub per_frame: u32,
    pub unused: [u32; 3],
}

/// Words of [`Shown`].
pub const SHOWN_WORDS: usize = size_of::<Shown>() / 4;

impl Shown {
    /// The words in the order of the shaders' struct.
    pub fn words(&self) -> [u32; SHOWN_WORDS] {
        bytemuck::cast(*self)
    }
}

/// A coefficient as the shaders' pair.
pub(super) fn pair(c: Coefficient) -> [u32; 2] {
    [c.mantissa, c.shift]
}

/// A gain as the shaders' vector.
pub(super) fn gain(gain: Gain) -> [u32; 4] {
    [gain.lift, gain.by.mantissa, gain.by.shift, 0]
}

/// Counters of a frame's mass balance: added, removed, clamped and totals of four kinds each, wet cells, greatest
/// height.
pub const COUNTERS: usize = 18;

/// The counters, from pairs of words.
pub(super) fn counters(words: &[u32]) -> [u64; COUNTERS] {
    let mut sums = [0; COUNTERS];
    for (sum, pair) in sums.iter_mut().zip(words.chunks_exact(2)) {
        *sum = u64::from(pair[0]) | (u64::from(pair[1]) << 32);
    }
    sums
}
