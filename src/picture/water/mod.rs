//! Pictures of water: its raw layers, its surface as data, and water in light. Each depends only on the frame's state
//! and on the pictures around the water (bed, reflection, sky).
//!
//! Seen from straight above. Arithmetic is in a fixed order and the same with every instruction set.
//!
//! | file | contents |
//! |---|---|
//! | `shading` | shading settings |
//! | `scene` | shading settings, and the pictures around the water |
//! | `surface` | the slopes of water and ground |
//! | `normals` | normals of the surface |
//! | `refraction` | refraction of rays down to the bed |
//! | `motion` | motion vectors |
//! | `light` | the light that falls on water and ground |
//! | `caustics` | the light through the surface, on the bed |
//! | `shadow` | shadows that the ground casts on itself |
//! | `bed` | the light from the bed |
//! | `detail` | textures that the water carries |
//! | `ground` | colour of the built-in ground |
//! | `reflection` | reflection of a picture in the surface |
//! | `sky` | the sky in the surface, and the eye |
//! | `tile`, `textures` | periodic textures |
//! | `optics` | reflectance |
//! | `shade` | a cell's colour |
//! | `plane` | interpolated values of all cells |

mod bed;
mod caustics;
mod detail;
mod ground;
mod light;
mod motion;
mod normals;
mod optics;
mod plane;
mod reflection;
mod refraction;
mod rows;
mod scene;
mod shade;
mod shading;
mod shadow;
mod sky;
mod skyline;
mod surface;
#[cfg(test)]
mod tests;
mod textures;
mod tile;

pub use scene::{Backdrop, Scene};
pub use shading::{AlphaMode, Shading};
pub use skyline::Row;

use super::gather::Averaging;
use super::layers::{Canvas, Cells, RawLayer, paint, paint_cells, paint_finished};
use super::maths::clamped;
use super::placement::Placement;
use crate::compute::cpu::Cpu;
use crate::sim::water::State;
use crate::sim::water::surface_maps::{FOAM, WETNESS};
use caustics::Caustics;
use detail::Carried;
use light::Light;
use motion::{Motion, Velocity};
use normals::Normals;
use refraction::{Displaced, Refraction};
use shade::Shaded;
use surface::Surface;

/// An output of water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A layer of the state as it is.
    Raw(RawLayer),
    /// Water in light, premultiplied.
    Shaded,
    /// RGB the unit normal of the water's surface, of the ground where it is dry: x to the right, y up, z towards the
    /// eye. A wet.
    Normals,
    /// R and G the velocity, full-resolution pixels per frame.
    Velocity,
    /// Motion vectors in full-resolution pixels: to the next frame in R and G, to the previous one in B and A.
    Motion,
    /// An ST map of the refracted bed: R and G in parts of the frame, A wet.
    RefractionMap,
    /// R and G the same as offsets in full-resolution pixels, B the water's height, A wet.
    Displacement,
    /// RGB the light on the bed, 1 below still water, A wet.
    Caustics,
    /// The share of the surface that foam covers, in all channels.
    Foam,
    /// Wetness, 1 under water, in all channels.
    Wetness,
}

/// A plane of the surface maps as a picture: foam or wetness.
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

/// Writes a picture of a state into a canvas, on the threads of `cpu`. `steps`: number of time steps of the state's
/// frame; `grid`: position of the state's cells. Pixels outside `grid` are 0, except in the ST map, which is not
/// displaced there.
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
    let shading = scene.shading;
    // The download comes before painting, because it may need the threads that paint.
    state.water();
    let detail = Carried::new(state, shading);
    let surface = Surface::new(state, detail.as_ref(), clamped(shading.relief, 0.0, 1e6));
    let refraction = Refraction::new(shading);
    let displaced = || Displaced { surface, refraction };
    let velocity = Velocity { state, steps };
    let plain = Averaging::Plain;
    let target = canvas.placement;
    match output {
        Output::Raw(_) => {}
        Output::Shaded => paint_cells(cpu, &Shaded::new(cpu, state, surface, scene), plain, grid, canvas),
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
            let light = Light::new(shading);
            paint_cells(cpu, &Caustics::new(cpu, state, surface, refraction, &light), plain, grid, canvas);
        }
    }
}
