//! What drives the air in one frame, on the grid: settings and pictures, once drawn, are the same for every machine.
//!
//! | file | what |
//! |---|---|
//! | `stage` | where things are drawn: units, mask, sides that are joined |
//! | `patch`, `pushes` | rectangles of values, drawn by rows, and their order |
//! | `source`, `heat`, `velocity` | the pictures |
//! | `disc` | dye and velocity under a disc on its way |
//! | `brush`, `jet` | who uses it |
//! | `poles`, `noise`, `wind` | forces |
//! | `solids`, `parts` | what is solid, and how its parts move |
//! | `morph`, `outline`, `similarity` | how parts move that turn, grow or bend |
//! | `wake` | what flows in behind solids |
//! | `follow` | a grid that follows a point |

mod brush;
mod brush_stroke;
mod components;
mod contour;
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

/// A rectangle of values on a plane: of cells, or of one kind of faces.
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

/// What is done to the velocity through one kind of faces.
#[derive(Clone, Debug, PartialEq)]
pub enum VelocityForcing {
    /// Added over the frame, cells per frame: a sub-step adds its share.
    Add(Patch<f32>),
    /// A velocity in cells per frame, and the share of the way to it that is gone in a frame, 0 to 1; 1 is all of it, at once.
    Steer(Patch<[f32; 2]>),
}

/// What is done to the dye once, before the first sub-step.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialSource {
    /// Where its density is above 0 the dye becomes this.
    Replace(Patch<[f32; 4]>),
    /// Where its density is above that of the dye, the dye becomes this.
    FillUp(Patch<[f32; 4]>),
}

/// What there is where solids have been, on the grid as it stands now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreshCells {
    /// Colour times density, density.
    pub dye: Option<Patch<[f32; 4]>>,
    /// Temperature; `None` where there is none.
    pub heat: Option<Patch<f32>>,
}

/// All of it. Amounts are those of the whole frame, time scale included; everything is finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forcing {
    /// What flows in where solids have been, before anything else.
    pub fresh_cells: FreshCells,
    /// Done once, before the first sub-step.
    pub initial_source: Option<InitialSource>,
    /// Dye added over the frame: colour times density, density.
    pub dye: Vec<Patch<[f32; 4]>>,
    /// Temperature added over the frame.
    pub heat: Vec<Patch<f32>>,
    /// Velocity through the vertical faces, in order.
    pub u: Vec<VelocityForcing>,
    /// Velocity through the horizontal faces, in order.
    pub v: Vec<VelocityForcing>,
    /// What is solid in this frame.
    pub solids: Option<Arc<Solids>>,
    /// What had to be left out of the pictures.
    pub bad_pixels: BadPixels,
    /// As [`Diagnostics::source_everywhere`].
    pub source_everywhere: bool,
}

impl Forcing {
    /// What there is to tell of the pictures.
    pub fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            bad_pixels: self.bad_pixels,
            source_everywhere: self.source_everywhere,
            solid_everywhere: self.solids.as_ref().is_some_and(|solids| !solids.solid.contains(&false)),
            ..Diagnostics::default()
        }
    }
}

/// How the grid moves into a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridMotion {
    /// Where it stands in the frame.
    pub grid: Grid,
    /// Cells by which what it holds moves on it: cell (x, y) of the new arrays is cell (x + dx, y + dy) of the old ones.
    pub shift: [i64; 2],
    /// As [`State::remainder`](super::State::remainder).
    pub remainder: [f64; 4],
}

/// Draws what drives the air in one frame.
///
/// `inputs` are sampled on `moved.grid`. `before`: the state that the frame goes on from; `None` is the start frame, where
/// the Source is smoke whatever its mode. `time`: simulated frames in this frame, `time_scale` included and held to 0 to
/// 1,000. The same on every machine and for any number of threads.
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
    let (now, vacated) = solids::rasterise(&mut forcing.bad_pixels, &raster, settings, inputs, motion, before);
    if let (Some(before), Some(vacated)) = (before, &vacated) {
        forcing.fresh_cells = fresh_cells::rasterise(&raster, motion, now.as_deref(), vacated, before);
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
    // What steers hard comes last: it stands.
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
        jet::rasterise(&mut forcing, &raster, jet, settings.clock());
    }
    forcing
}
