//! The state of a simulation at one frame.

use std::sync::Arc;

use super::settings::Boundary;
use crate::sim::diagnostics::{diagnostics, discarded};
use crate::sim::grid::Grid;
use crate::sim::memory::Values;

/// Velocity, pressure and advected fields. Values are stored row after row, the lowest row first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Air {
    /// Velocity component on the vertical faces, cells per frame: (width + 1) × height values. Face (i, j) is the left
    /// one of cell (i, j). Where left and right wrap, the last column repeats the first.
    pub u: Values<f32>,
    /// Velocity component on the horizontal faces, cells per frame: width × (height + 1) values. Face (i, j) is the
    /// lower one of cell (i, j). Where bottom and top wrap, the last row repeats the first.
    pub v: Values<f32>,
    /// Pressure over density, cells² per frame², width × height values: the warm start of the next solve. It belongs to
    /// the last sub-step, with reflection to its first half.
    pub pressure: Values<f32>,
    /// Dye, width × height values: colour times density in RGB, density in A.
    pub dye: Values<[f32; 4]>,
    /// The flow map that the dye is read through; `None` with other schemes, and before the first frame.
    pub dye_map: Option<DyeMap>,
    /// Temperature, width × height values; `None` where it has been 0 everywhere from the start.
    pub temperature: Option<Values<f32>>,
    /// Fire; `None` without fuel. A state with fire has a temperature.
    pub fire: Option<Fire>,
}

/// The fields of a fire with fuel, width × height values each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fire {
    /// Fuel, flame gas, flame gas times its age, and soot: fractions of the gas, all 0 and up. The age is in lives.
    pub gas: Values<[f32; 4]>,
    /// Fuel burnt per frame in the last sub-step: times the expansion, it is the divergence of the velocity.
    pub burning: Values<f32>,
}

/// Dye by a flow map. The dye of the state is the one that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct DyeMap {
    /// Frames since the last remap.
    pub age: u32,
    /// The map since the last remap.
    pub map: MapState,
    /// The map before it, while the dye fades from one to the other.
    pub fading: Option<MapState>,
}

/// A flow map with its base picture: [`FlowMap`](crate::sim::fluid::flow_map::FlowMap). Width × height values each.
#[derive(Clone, Debug, PartialEq)]
pub struct MapState {
    /// Dye at the remap, which frames share.
    pub base: Arc<Base>,
    /// Displacement along x and y, cells; survival; 0.
    pub map: Values<[f32; 4]>,
    /// Dye that is not of the base.
    pub residual: Values<[f32; 4]>,
    /// Factor of the base.
    pub scale: f32,
    /// Position of the grid in that of the base, cells.
    pub shift: [i32; 2],
}

/// The base picture of a flow map.
#[derive(Clone, Debug, PartialEq)]
pub struct Base(pub Values<[f32; 4]>);

/// The solids of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Solids {
    /// Whether a cell is solid, width × height values.
    pub solid: Vec<bool>,
    /// Velocity of the vertical faces of solid cells, cells per frame; 0 on other faces. (width + 1) × height values.
    pub u: Vec<f32>,
    /// Velocity of the horizontal faces of solid cells, cells per frame; 0 on other faces. Width × (height + 1) values.
    pub v: Vec<f32>,
}

diagnostics! {
    /// Diagnostics of a frame.
    pub struct Diagnostics {
        /// Sub-steps of the frame.
        pub substeps: u32 = last;
        /// Cycles, iterations or sweeps of the pressure in all projections of the frame.
        pub iterations: u32 = last;
        /// Residual of the last projection, relative to the divergence before it (root mean square).
        pub residual: f64 = last;
        /// Largest displacement in a sub-step, cells.
        pub cfl: f64 = last;
        /// Root mean square of the remaining divergence, per frame.
        pub divergence: f64 = last;
        /// Whether the velocity needed more sub-steps than are allowed, so that the largest displacement exceeds
        /// `max_cfl`. The frame report shows it for its frame.
        pub cfl_cut: bool = last;
        /// Whether the alpha of the Source was 1 in every cell, without a mask.
        pub source_everywhere: bool = max, |_| {
            "The Source's alpha is 1 everywhere, which fills the grid with smoke: choose another Source channel, or \
             connect a matte as Mask".into()
        };
        /// Whether every cell was solid.
        pub solid_everywhere: bool = max, |_| {
            "Obstacles are solid everywhere, which leaves no air: give them an alpha that is 0 where air is".into()
        };
        /// Whether fuel burnt in air without an open edge.
        pub enclosed_fire: bool = max, |_| {
            "Fuel burns in air without an open edge: its gas cannot grow, and the flame is lower. Set an edge to Open"
                .into()
        };
        /// Pixels that count as 0.
        pub bad_pixels: BadPixels = each;
        /// Values of the air that were not finite, or beyond bounds, and were sanitised.
        pub discarded: u64 = max, |count| format!("{count} values of the air were beyond all bounds and were set back");
    }

    /// Pixels that were no finite numbers, or beyond the range of a picture, per input; they count as 0.
    pub struct BadPixels {
        /// Of the Source.
        pub source: u64 = max, |count| discarded("Source", count);
        /// Of Velocity.
        pub velocity: u64 = max, |count| discarded("Velocity", count);
        /// Of Heat.
        pub heat: u64 = max, |count| discarded("Heat", count);
        /// Of Obstacles.
        pub obstacles: u64 = max, |count| discarded("Obstacles", count);
        /// Of ObstacleVelocity.
        pub obstacle_velocity: u64 = max, |count| discarded("ObstacleVelocity", count);
        /// Of Mask.
        pub mask: u64 = max, |count| discarded("Mask", count);
        /// Of the picture that the simulation starts from.
        pub start: u64 = max, |count| discarded("Initial state", count);
    }
}

/// The state of one frame. Immutable and cheap to clone: fields are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Grid of the frame.
    pub grid: Grid,
    /// Boundary conditions: left, right, bottom, top.
    pub edges: [Boundary; 4],
    /// Velocity, pressure, and advected fields.
    pub air: Arc<Air>,
    /// The solids; `None` where no cell is solid.
    pub solids: Option<Arc<Solids>>,
    /// Fractions of a cell that the motion has yet to make up: x and y of the position of the grid, then x and y of its
    /// contents.
    pub remainder: [f64; 4],
}

impl State {
    /// Size in bytes. Solids and base pictures count in full, though frames may share them.
    pub fn bytes(&self) -> usize {
        let Air { u, v, pressure, dye, dye_map, temperature, fire } = &*self.air;
        let maps = dye_map.iter().flat_map(|map| [Some(&map.map), map.fading.as_ref()]).flatten();
        let maps: usize = maps.map(|map| map.base.0.len() + map.map.len() + map.residual.len()).sum();
        let fire = fire.as_ref().map_or(0, |Fire { gas, burning }| gas.len() * 4 + burning.len());
        let temperature = temperature.as_ref().map_or(0, |plane| plane.len());
        let floats = u.len() + v.len() + pressure.len() + (dye.len() + maps) * 4 + temperature + fire;
        let solids = self.solids.as_ref().map_or(0, |s| s.solid.len() + (s.u.len() + s.v.len()) * size_of::<f32>());
        size_of::<State>() + floats * size_of::<f32>() + solids
    }
}
