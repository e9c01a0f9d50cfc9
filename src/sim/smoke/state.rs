//! The state of a simulation at one frame.

use std::sync::Arc;

use super::settings::Boundary;
use crate::sim::grid::Grid;
use crate::sim::memory::Values;

/// The air and what it carries. Planes are row after row, the lowest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Air {
    /// Velocity through the vertical faces, cells per frame: (width + 1) × height. Face (i, j) is the left one of cell (i, j).
    /// Where left and right wrap, the last column repeats the first.
    pub u: Values<f32>,
    /// Velocity through the horizontal faces: width × (height + 1). Face (i, j) is the lower one of cell (i, j).
    pub v: Values<f32>,
    /// Pressure over density, cells² per frame²: where the next solution starts from. Of the last sub-step, or, with
    /// reflection, of its first half. Width × height.
    pub pressure: Values<f32>,
    /// Colour times density in RGB, density in A. Width × height.
    pub dye: Values<[f32; 4]>,
    /// Temperature; `None` where nothing was ever heated: it is 0 everywhere. Width × height.
    pub temperature: Option<Values<f32>>,
}

/// What is solid in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Solids {
    /// Whether a cell is. Width × height.
    pub solid: Vec<bool>,
    /// Velocity through the vertical faces that touch one, cells per frame; 0 elsewhere. (width + 1) × height.
    pub u: Vec<f32>,
    /// Velocity through the horizontal faces. Width × (height + 1).
    pub v: Vec<f32>,
}

/// Pixels that were no finite numbers, or beyond what a picture can mean, per input; they count as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BadPixels {
    /// Of the Source.
    pub source: u64,
    /// Of Velocity.
    pub velocity: u64,
    /// Of Heat.
    pub heat: u64,
    /// Of Obstacles.
    pub obstacles: u64,
    /// Of ObstacleVelocity.
    pub obstacle_velocity: u64,
    /// Of Mask.
    pub mask: u64,
    /// Of the picture that the simulation starts from.
    pub start: u64,
}

/// What there is to tell of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Diagnostics {
    /// Sub-steps taken.
    pub substeps: u32,
    /// Cycles, iterations or sweeps of the pressure in all projections of the frame.
    pub iterations: u32,
    /// Residual of the last projection, against the divergence before it (root mean square).
    pub residual: f64,
    /// Largest distance moved in a sub-step, cells.
    pub cfl: f64,
    /// Root mean square of the divergence that is left, per frame.
    pub divergence: f64,
    /// The velocity wanted more sub-steps than are allowed: some of it moved further than `max_cfl` in one.
    pub cfl_cut: bool,
    /// Values of the air that were not finite, or beyond bounds, and were set back.
    pub discarded: u64,
    /// Pixels that count as 0.
    pub bad_pixels: BadPixels,
    /// The Source's alpha was 1 in every cell, with no mask to let in less of it.
    pub source_everywhere: bool,
    /// Every cell was solid.
    pub solid_everywhere: bool,
}

/// The smoke of one frame: immutable, cheap to clone (planes are shared).
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Where the cells stand at this frame.
    pub grid: Grid,
    /// What the sides do: left, right, bottom, top.
    pub edges: [Boundary; 4],
    /// The air.
    pub air: Arc<Air>,
    /// What is solid; `None` where nothing is.
    pub solids: Option<Arc<Solids>>,
    /// What the grid still has to move, in cells, below one: of its place, and of what it holds.
    pub remainder: [f64; 4],
}

impl State {
    /// Memory held, in bytes. Solids count in full, though frames share them.
    pub fn bytes(&self) -> usize {
        let Air { u, v, pressure, dye, temperature } = &*self.air;
        let floats =
            u.len() + v.len() + pressure.len() + dye.len() * 4 + temperature.as_ref().map_or(0, |plane| plane.len());
        let solids = self.solids.as_ref().map_or(0, |s| s.solid.len() + (s.u.len() + s.v.len()) * size_of::<f32>());
        size_of::<State>() + floats * size_of::<f32>() + solids
    }
}
