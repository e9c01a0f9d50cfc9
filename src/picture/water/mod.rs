//! Pictures of water: its raw layers, its surface as data, and water in light. All of a frame's state alone, and of the
//! pictures that the light meets.
//!
//! Seen from straight above. Arithmetic is in a fixed order and the same with every instruction set.
//!
//! | file | what |
//! |---|---|
//! | `look` | what an artist sets of a picture |
//! | `scene` | the look, and the pictures that it takes in |
//! | `surface` | the slopes of water and ground |
//! | `normals` | which way the surface faces |
//! | `refraction` | where a ray meets the bed |
//! | `motion` | where water goes within a frame |
//! | `light` | the light that falls on water and ground |
//! | `caustics` | what of it comes through the surface where on the bed |
//! | `bed` | what the bed sends up |
//! | `mirror` | the picture that the surface reflects |
//! | `optics` | what a surface reflects, and what a depth lets through |
//! | `shade` | a cell's colour |
//! | `plane` | values of all cells, to be read between them |

mod bed;
mod caustics;
mod light;
mod look;
mod mirror;
mod motion;
mod normals;
mod optics;
mod plane;
mod refraction;
mod scene;
mod shade;
mod surface;
#[cfg(test)]
mod tests;

pub use look::{AlphaMode, Look};
pub use scene::{Backdrop, Scene};

use super::gather::Averaging;
use super::layers::{Canvas, Cells, RawLayer, paint, paint_cells, paint_finished};
use super::maths::held;
use super::placement::Placement;
use crate::compute::cpu::Cpu;
use crate::sim::water::State;
use crate::sim::water::surface_maps::{FOAM, WETNESS};
use caustics::Caustics;
use light::Light;
use motion::{Motion, Velocity};
use normals::Normals;
use refraction::{Displaced, Refraction};
use shade::Shaded;
use surface::Surface;

/// What is shown of water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A layer of the state as it is.
    Raw(RawLayer),
    /// Water in light, premultiplied.
    Shaded,
    /// RGB the unit normal of the water's surface, of the ground where it is dry: x to the right, y up, z towards the eye.
    /// A wet.
    Normals,
    /// R and G the velocity, full-resolution pixels per frame.
    Velocity,
    /// Where the water of a pixel is a frame later in R and G, and where it was a frame before in B and A: full-resolution
    /// pixels from there.
    Motion,
    /// An ST map of what the bed shows: R and G in parts of the frame, A wet.
    RefractionMap,
    /// R and G the same as offsets in full-resolution pixels, B the water's height, A wet.
    Displacement,
    /// RGB the light on the bed, 1 below still water, A wet.
    Caustics,
    /// The share of the surface that foam covers, in all channels.
    Foam,
    /// 1 under water, and what is left of it afterwards, in all channels.
    Wetness,
}

/// Foam or wetness.
struct Trace<'a> {
    state: &'a State,
    plane: usize,
}

impl Cells for Trace<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.surface_map_cells(self.plane, y, from, out);
    }
}

/// Paints a state over a canvas, on the threads of `cpu`. `steps` is how many the state's frame took; `grid` is where its
/// cells lie. Outside of it all is 0, but for the ST map, which goes on as if nothing were there.
pub fn paint_water(
    cpu: &Cpu,
    state: &State,
    steps: u32,
    output: Output,
    scene: &Scene<'_>,
    grid: &Placement,
    canvas: Canvas<'_>,
) {
    if let Output::Raw(layer) = output {
        return paint(cpu, state, layer, grid, canvas);
    }
    let look = scene.look;
    // Fetched here: whoever fetches may need the threads that paint.
    state.water();
    let surface = Surface::new(state, held(look.relief, 0.0, 1e6));
    let refraction = Refraction::new(look);
    let displaced = || Displaced { surface, refraction };
    let velocity = Velocity { state, steps };
    let plain = Averaging::Plain;
    let target = canvas.placement;
    match output {
        Output::Raw(_) => {}
        Output::Shaded => paint_cells(cpu, &Shaded::new(cpu, state, scene), plain, grid, canvas),
        Output::Normals => {
            let finish = |_, pixels: &mut [[f32; 4]]| normals::normalise(pixels);
            paint_finished(cpu, &Normals(surface), plain, grid, canvas, finish);
        }
        Output::Velocity => paint_cells(cpu, &velocity, plain, grid, canvas),
        Output::Motion => paint_cells(cpu, &Motion::new(cpu, &velocity), plain, grid, canvas),
        Output::RefractionMap => {
            let finish = |y, pixels: &mut [[f32; 4]]| refraction::map(y, pixels, &target, grid);
            paint_finished(cpu, &displaced(), plain, grid, canvas, finish);
        }
        Output::Displacement => paint_cells(cpu, &displaced(), plain, grid, canvas),
        Output::Foam => paint_cells(cpu, &Trace { state, plane: FOAM }, plain, grid, canvas),
        Output::Wetness => paint_cells(cpu, &Trace { state, plane: WETNESS }, plain, grid, canvas),
        Output::Caustics => {
            let light = Light::new(look);
            paint_cells(cpu, &Caustics::new(cpu, state, surface, refraction, &light), plain, grid, canvas);
        }
    }
}
