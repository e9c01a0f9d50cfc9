//! Forces, inflow and solids of one frame, rasterised onto the grid from settings and pictures. All devices get the
//! same values.
//!
//! | file | contents |
//! |---|---|
//! | `raster` | the grid of a frame: units, mask, wrapped sides |
//! | `patch`, `velocity_forcing` | rectangles of values; the list of velocity forcing |
//! | `source`, `heat`, `velocity` | the inputs of these names |
//! | `brush_stroke` | dye, heat and velocity of a disc that moves along a line |
//! | `brush`, `jet` | the two users of brush strokes |
//! | `disturbance` | the random acceleration inside a flame |
//! | `point_forces`, `noise`, `wind` | forces |
//! | `solids`, `components` | solid cells; connected components of a matte and their displacements |
//! | `registration`, `contour`, `similarity` | motion of components that rotate, scale or deform |
//! | `fresh_cells` | values of cells that solids have left |
//! | `grid_motion` | a grid that follows a point |

mod brush;
mod brush_stroke;
mod components;
mod contour;
mod disturbance;
mod fresh_cells;
mod grid_motion;
mod heat;
mod jet;
mod noise;
mod patch;
mod point_forces;
mod raster;
mod registration;
mod similarity;
mod solids;
mod source;
mod velocity;
mod velocity_forcing;
mod wind;

use std::sync::Arc;

use raster::Raster;

use super::state::{BadPixels, Diagnostics, Solids};
use super::{Inputs, Settings, Spec, State, Workers};
use crate::sim::grid::Grid;

pub use grid_motion::grid_motion;

/// A rectangle of values of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch<T> {
    /// First column.
    pub x: usize,
    /// First row, counted from the lowest.
    pub y: usize,
    /// Columns, at least 1.
    pub width: usize,
    /// Rows, at least 1.
    pub height: usize,
    /// `width` × `height` values, row after row.
    pub values: Vec<T>,
}

/// Forcing of the velocity on the faces of one axis.
#[derive(Clone, Debug, PartialEq)]
pub enum VelocityForcing {
    /// Added over the frame, cells per frame; a sub-step adds its part.
    Add(Patch<f32>),
    /// A target velocity, cells per frame, and the relaxation towards it per frame, 0 to 1; 1 sets the velocity.
    Steer(Patch<[f32; 2]>),
}

/// Dye that is set once, before the first sub-step.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialSource {
    /// Replaces the dye where the density of the patch is above 0.
    Replace(Patch<[f32; 4]>),
    /// Replaces the dye where the density of the patch is above that of the dye.
    FillUp(Patch<[f32; 4]>),
}

/// Values of fresh cells, those that solids have left since the previous frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreshCells {
    /// Colour times density, density.
    pub dye: Option<Patch<[f32; 4]>>,
    /// Temperature; `None` in a state without temperature.
    pub heat: Option<Patch<f32>>,
}

/// Fuel that comes in.
#[derive(Clone, Debug, PartialEq)]
pub struct Fuel {
    /// Least fuel and flame gas; the other components are 0.
    pub gas: Patch<[f32; 4]>,
    /// Least temperature; `None` where it is 0.
    pub temperature: Option<Patch<f32>>,
}

/// The forcing of one frame. Amounts are those of the whole frame, time scale included. All values are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forcing {
    /// Values of fresh cells, set before everything else.
    pub fresh_cells: FreshCells,
    /// Dye that is set once, before the first sub-step.
    pub initial_source: Option<InitialSource>,
    /// Dye added over the frame: colour times density, density.
    pub dye: Vec<Patch<[f32; 4]>>,
    /// Temperature added over the frame.
    pub heat: Vec<Patch<f32>>,
    /// Fuel that is kept up over the frame.
    pub fuel: Vec<Fuel>,
    /// Disturbance of a flame, added over the frame: velocity on the vertical and the horizontal faces, cells per
    /// frame.
    pub disturbance: Option<[Vec<f32>; 2]>,
    /// Forcing of the velocity on the vertical faces, in order.
    pub u: Vec<VelocityForcing>,
    /// Forcing of the velocity on the horizontal faces, in order.
    pub v: Vec<VelocityForcing>,
    /// The solids.
    pub solids: Option<Arc<Solids>>,
    /// Pixels of the inputs that count as 0.
    pub bad_pixels: BadPixels,
    /// As [`Diagnostics::source_everywhere`].
    pub source_everywhere: bool,
}

impl Forcing {
    /// The diagnostics of the inputs.
    pub fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            bad_pixels: self.bad_pixels,
            source_everywhere: self.source_everywhere,
            solid_everywhere: self.solids.as_ref().is_some_and(|solids| !solids.solid.contains(&false)),
            ..Diagnostics::default()
        }
    }
}

/// Motion of the grid from the previous frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridMotion {
    /// Grid of the frame.
    pub grid: Grid,
    /// Shift of the contents of the grid, cells: cell (x, y) of the new arrays is cell (x + dx, y + dy) of the old
    /// ones.
    pub shift: [i64; 2],
    /// As [`State::remainder`](super::State::remainder).
    pub remainder: [f64; 4],
}

/// The forcing of one frame.
///
/// `inputs` are sampled on `motion.grid`. `before`: the previous state; `None` in the start frame, in which the Source
/// is the initial smoke in every mode. `time`: simulated frames of this frame, time scale included, clamped to 0 …
/// 1,000. The result does not depend on the machine or the number of threads.
pub fn rasterise(
    spec: &Spec,
    settings: &Settings,
    inputs: &Inputs,
    motion: &GridMotion,
    before: Option<&State>,
    time: f64,
    workers: &dyn Workers,
) -> Forcing {
    let mut forcing = Forcing::default();
    let mut raster = Raster::new(spec, &motion.grid, [settings.frame_time(), time], inputs.mask.as_ref(), workers);
    forcing.bad_pixels.mask = raster.bad_mask_pixels();
    let (now, previous_solid) = solids::rasterise(&mut forcing.bad_pixels, &raster, settings, inputs, motion, before);
    if let (Some(before), Some(previous_solid)) = (before, &previous_solid) {
        forcing.fresh_cells = fresh_cells::rasterise(&raster, motion, now.as_deref(), previous_solid, before);
    }
    forcing.solids = now;
    let solids = forcing.solids.clone();
    raster.solid = solids.as_ref().map(|solids| &*solids.solid);
    if let Some(source) = &inputs.source {
        source::rasterise(&mut forcing, &raster, settings, source, before.is_none());
    }
    if let Some(heat) = &inputs.heat {
        heat::rasterise(&mut forcing, &raster, settings, heat);
    }
    // Steering overrides the forcing before it: sources with the strongest relaxation towards a target velocity come
    // last.
    wind::rasterise(&mut forcing, &raster, settings);
    if let Some(noise) = &settings.noise {
        noise::rasterise(&mut forcing, &raster, noise, settings.clock());
    }
    for (force, spins) in [(&settings.attractor, false), (&settings.vortex, true)] {
        if let Some(force) = force {
            point_forces::rasterise(&mut forcing, &raster, force, spins);
        }
    }
    if let Some(velocity) = &inputs.velocity {
        velocity::rasterise(&mut forcing, &raster, settings, velocity);
    }
    if let Some(brush) = &settings.brush {
        brush::rasterise(&mut forcing, &raster, brush);
    }
    for jet in &settings.jets {
        jet::rasterise(&mut forcing, &raster, jet, settings.fire.as_ref(), settings.clock());
    }
    if let Some(disturbance) = settings.fire.and_then(|fire| fire.disturbance) {
        forcing.disturbance = disturbance::rasterise(&raster, &disturbance, settings.clock());
    }
    forcing
}
