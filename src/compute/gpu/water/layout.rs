//! What the passes are told: the structs of `shaders/water/shared/grid.wgsl`. A test compares the layouts.

use crate::sim::water::fixed_point::Coefficient;
use crate::sim::water::shallow::Gain;

/// Flags of [`Params`], as the shaders name them.
pub mod flag {
    /// Opposite edges join.
    pub const WRAP: u32 = 1;
    /// Opposite rows are in the same buffer.
    pub const WRAP_ROWS: u32 = 2;
    /// Classic pipes.
    pub const CLASSIC: u32 = 4;
    /// There is ground.
    pub const BASE: u32 = 8;
    /// There is a push.
    pub const PUSH: u32 = 16;
    /// Some cell is solid.
    pub const SOLID: u32 = 32;
    /// There is pigment.
    pub const PIGMENT: u32 = 64;
    /// The inflow has remainders.
    pub const SHARED: u32 = 128;
    /// The inflow has pigment.
    pub const COLOURED: u32 = 256;
    /// A source replaces.
    pub const REPLACE: u32 = 512;
    /// A source fills up.
    pub const FILL_UP: u32 = 1024;
    /// Solid cells are cleared.
    pub const CLEAR: u32 = 2048;
    /// Shallow water.
    pub const SHALLOW: u32 = 4096;
    /// There are shares of the coefficients.
    pub const CONTROL: u32 = 8192;

    /// All flags with the shaders' names.
    pub const NAMES: [(&str, u32); 14] = [
        ("WRAP", WRAP),
        ("WRAP_ROWS", WRAP_ROWS),
        ("CLASSIC", CLASSIC),
        ("BASE", BASE),
        ("PUSH", PUSH),
        ("SOLID", SOLID),
        ("PIGMENT", PIGMENT),
        ("SHARED", SHARED),
        ("COLOURED", COLOURED),
        ("REPLACE", REPLACE),
        ("FILL_UP", FILL_UP),
        ("CLEAR", CLEAR),
        ("SHALLOW", SHALLOW),
        ("CONTROL", CONTROL),
    ];
}

/// Uniforms of a slab in a frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader says what each is")]
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
    /// Compiled in: the shaders' struct has nothing here.
    pub flags: u32,
}

/// Words of [`Params`].
pub const PARAMS_WORDS: usize = size_of::<Params>() / 4;

impl Params {
    /// As the shaders read them.
    pub fn words(&self) -> [u32; PARAMS_WORDS] {
        let Params {
            width,
            height,
            first,
            rows,
            own_first,
            own_last,
            planes,
            wet,
            keep,
            diagonal,
            smoothing,
            rescale,
            cross,
            gravity,
            friction,
            inflow,
            evaporation,
            inflow_planes,
            flags,
        } = *self;
        let mut words = [0; PARAMS_WORDS];
        let head = [width, height, first, rows, own_first, own_last, planes, wet as u32];
        let tail = [evaporation[0], evaporation[1], inflow_planes, flags];
        let pairs = [keep, diagonal, smoothing, rescale];
        let all = head.into_iter().chain(pairs.into_iter().flatten()).chain(cross.into_iter().flatten());
        let shallow = [gravity, friction].into_iter().flatten();
        for (word, value) in words.iter_mut().zip(all.chain(shallow).chain(inflow).chain(tail)) {
            *word = value;
        }
        words
    }
}

/// Uniforms of a layer that is shown: the struct of `shaders/water/shared/real.wgsl`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader says what each is")]
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
    /// As the shaders read them.
    pub fn words(&self) -> [u32; SHOWN_WORDS] {
        let Shown { unit_power, wet, range, terrain, per_frame, unused: [a, b, c] } = *self;
        [unit_power as u32, wet as u32, range, terrain, per_frame, a, b, c]
    }
}

/// A coefficient as the shaders take it.
pub(in crate::compute::gpu) fn pair(c: Coefficient) -> [u32; 2] {
    [c.mantissa, c.shift]
}

/// A gain as the shaders take it.
pub(in crate::compute::gpu) fn gain(gain: Gain) -> [u32; 4] {
    [gain.lift, gain.by.mantissa, gain.by.shift, 0]
}

/// Counters of the frame's account: added, removed, clamped and totals of four kinds, wet cells, and the highest height.
pub const COUNTERS: usize = 18;

/// The account as 64-bit sums.
pub(in crate::compute::gpu) fn account(words: &[u32]) -> [u64; COUNTERS] {
    let mut sums = [0; COUNTERS];
    for (sum, pair) in sums.iter_mut().zip(words.chunks_exact(2)) {
        *sum = u64::from(pair[0]) | (u64::from(pair[1]) << 32);
    }
    sums
}
