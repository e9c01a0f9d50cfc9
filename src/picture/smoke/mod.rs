//! Pictures of smoke: its raw layers, and smoke and fire in light.
//!
//! The light on all cells is computed first (`light`, `firelight`); then each cell is shaded (`shade`). Arithmetic is
//! in a fixed order and the same with every instruction set.
//!
//! | file | contents |
//! |---|---|
//! | `shading` | shading settings |
//! | `light` | the light on each cell |
//! | `sweep` | beams of light through the smoke, row by row |
//! | `transpose` | planes transposed |
//! | `firelight` | the light that fire sheds on smoke |
//! | `glow` | emission and opacity of fire, by its temperature |
//! | `flame` | the flame of burning fuel |
//! | `shade` | a cell's colour |
//! | `ink` | dye before white paper |
//! | `motion` | velocity and motion vectors per frame of the shot |
//! | `feather` | fade towards the grid's sides |
//! | `blackbody` | the colour of heat |

pub mod blackbody;
mod feather;
mod firelight;
pub(super) mod flame;
pub(super) mod glow;
mod ink;
mod light;
mod motion;
mod shade;
mod shading;
mod sweep;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod transpose;

pub use motion::FrameMotion;
pub use shading::{Fire, FlameLook, Shading};

use super::gather::Averaging;
use super::layers::{Canvas, Cells, Draw, paint_cells};
use super::placement::Placement;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::wide;
use crate::sim::smoke::State;
use crate::sim::smoke::quantities::Quantity;
use feather::Feathered;
use ink::Ink;
use light::Lit;
use shade::Shaded;

/// An output of smoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A raw layer of the state.
    Raw(Quantity),
    /// Smoke in light, premultiplied.
    Smoke,
    /// Smoke with its fire: alpha is that of the smoke and of the fire's opacity.
    Fire,
    /// Dye before white paper, premultiplied.
    Ink,
}

/// Paints a state over a canvas, on the threads of `cpu`. `grid`: position of the state's cells; other pixels are 0.
/// `shading` has an effect on [`Output::Smoke`] and [`Output::Fire`], its opacity also on ink, its feather on ink and dye,
/// and its motion on
/// velocity and motion vectors. All pictures are averaged channel by channel: colour is premultiplied.
pub fn paint_smoke(cpu: &Cpu, state: &State, output: Output, shading: &Shading, grid: &Placement, canvas: Canvas<'_>) {
    let fire = match output {
        Output::Raw(Quantity::Dye) => {
            let dye = Raw { state, layer: Quantity::Dye, motion: FrameMotion::default() };
            return paint_cells(cpu, &Feathered::new(dye, state.grid, shading.feather), Averaging::Plain, grid, canvas);
        }
        Output::Raw(layer) => {
            let raw = Raw { state, layer, motion: shading.motion.clamped() };
            return paint_cells(cpu, &raw, Averaging::Plain, grid, canvas);
        }
        Output::Ink => {
            let ink = Feathered::new(Ink::new(state, shading.opacity), state.grid, shading.feather);
            return paint_cells(cpu, &ink, Averaging::Plain, grid, canvas);
        }
        Output::Smoke => None,
        Output::Fire => Some(&shading.fire),
    };
    let lit = Lit::new(cpu, state, shading);
    let shaded = Shaded::new(cpu, state, shading, fire, &lit);
    paint_cells(cpu, &Feathered::new(shaded, state.grid, shading.feather), Averaging::Plain, grid, canvas);
}

/// Row `y` of a layer, 0 the lowest, with the best instruction set of this processor.
pub fn layer_row(state: &State, layer: Quantity, y: usize, out: &mut [[f32; 4]]) {
    wide(Draw { cells: &Raw { state, layer, motion: FrameMotion::default() }, y, from: 0, out });
}

/// A layer of the state; velocity and motion vectors are those of the shot.
struct Raw<'a> {
    state: &'a State,
    layer: Quantity,
    motion: FrameMotion,
}

impl Cells for Raw<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.quantity_cells(self.layer, y, from, out, self.motion.time_scale);
        self.motion.add_grid_motion(self.layer, out, |i| self.state.is_solid(from + i, y));
    }
}
