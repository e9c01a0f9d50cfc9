//! The state of a simulation at one frame.

use std::sync::Arc;

use super::settings::Boundary;
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
    /// Temperature, width × height values; `None` where it has been 0 everywhere from the start.
    pub temperature: Option<Values<f32>>,
}

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

/// Numbers of pixels that are not finite or out of range, per input; they count as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BadPixels {
    /// Pixels of the Source.
    pub source: u64,
    /// Pixels of the Velocity input.
    pub velocity: u64,
    /// Pixels of the Heat input.
    pub heat: u64,
    /// Pixels of the Obstacles input.
    pub obstacles: u64,
    /// Pixels of the ObstacleVelocity input.
    pub obstacle_velocity: u64,
    /// Pixels of the Mask input.
    pub mask: u64,
    /// Pixels of the initial condition's image.
    pub start: u64,
}

/// Diagnostics of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Diagnostics {
    /// Sub-steps taken.
    pub substeps: u32,
    /// Cycles, iterations or sweeps of the pressure in all projections of the frame.
    pub iterations: u32,
    /// Residual of the last projection, relative to the divergence before it (root mean squares).
    pub residual: f64,
    /// Largest CFL number of a sub-step, cells.
    pub cfl: f64,
    /// Root mean square of the remaining divergence, per frame.
    pub divergence: f64,
    /// The CFL condition asked for more sub-steps than are allowed: a sub-step exceeded `max_cfl`.
    pub cfl_cut: bool,
    /// Number of velocity values that were not finite or out of range and were sanitised.
    pub discarded: u64,
    /// Input pixels that count as 0.
    pub bad_pixels: BadPixels,
    /// The Source's alpha is 1 in every cell, and no mask limits it.
    pub source_everywhere: bool,
    /// Every cell is solid.
    pub solid_everywhere: bool,
}

/// The state of one frame. Immutable and cheap to clone: fields are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Grid of the frame.
    pub grid: Grid,
    /// Boundary conditions: left, right, bottom, top.
    pub edges: [Boundary; 4],
    /// Velocity, pressure, dye and temperature.
    pub air: Arc<Air>,
    /// The solids; `None` where no cell is solid.
    pub solids: Option<Arc<Solids>>,
    /// Motion below one cell that is still due, cells: x and y of the grid's position, then of its contents.
    pub remainder: [f64; 4],
}

impl State {
    /// Size in bytes. Solids count in full, though frames may share them.
    pub fn bytes(&self) -> usize {
        let Air { u, v, pressure, dye, temperature } = &*self.air;
        let floats =
            u.len() + v.len() + pressure.len() + dye.len() * 4 + temperature.as_ref().map_or(0, |plane| plane.len());
        let solids = self.solids.as_ref().map_or(0, |s| s.solid.len() + (s.u.len() + s.v.len()) * size_of::<f32>());
        size_of::<State>() + floats * size_of::<f32>() + solids
    }
}
