//! Pictures of smoke: its raw layers, and smoke and fire in light.
//!
//! The light comes to the cells first, over the whole grid (`light`, `firelight`); then every cell is shaded by itself
//! (`shade`). Arithmetic is in a fixed order and the same with every instruction set.
//!
//! | file | what |
//! |---|---|
//! | `look` | what an artist sets of a picture |
//! | `light` | how much light comes to each cell |
//! | `sweep` | beams of light, carried row by row through the smoke |
//! | `turn` | planes whose columns become rows |
//! | `firelight` | the light that fire sheds on smoke |
//! | `glow` | how bright fire is, by its temperature |
//! | `shade` | a cell's colour |
//! | `passing` | velocity and motion as a shot shows them |
//! | `feather` | fading towards the grid's sides |
//! | `blackbody` | the colour of heat |

pub mod blackbody;
mod feather;
mod firelight;
mod glow;
mod light;
mod look;
mod passing;
mod shade;
mod sweep;
#[cfg(test)]
mod tests;
mod turn;

pub use look::{Fire, Look};
pub use passing::Passing;

use super::gather::Averaging;
use super::layers::{Canvas, Cells, Draw, paint_cells};
use super::placement::Placement;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::wide;
use crate::sim::smoke::State;
use crate::sim::smoke::quantities::Quantity;
use feather::Feathered;
use light::Lit;
use shade::Shaded;

/// What is shown of smoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A layer of the state as it is.
    Raw(Quantity),
    /// Smoke in light, premultiplied.
    Smoke,
    /// The same with its fire: alpha stays that of the smoke but for what the fire hides.
    Fire,
}

/// Paints a state over a canvas, on the threads of `cpu`. `grid` is where the state's cells lie; outside of it all is 0.
/// `look` counts for [`Output::Smoke`] and [`Output::Fire`], its feather for dye, too, and its passing for velocity and
/// motion. All pictures are averaged channel by channel: colour is
/// premultiplied.
pub fn paint_smoke(cpu: &Cpu, state: &State, output: Output, look: &Look, grid: &Placement, canvas: Canvas<'_>) {
    let fire = match output {
        Output::Raw(Quantity::Dye) => {
            let dye = Raw { state, layer: Quantity::Dye, passing: Passing::default() };
            return paint_cells(cpu, &Feathered::new(dye, state.grid, look.feather), Averaging::Plain, grid, canvas);
        }
        Output::Raw(layer) => {
            let raw = Raw { state, layer, passing: look.passing.held() };
            return paint_cells(cpu, &raw, Averaging::Plain, grid, canvas);
        }
        Output::Smoke => None,
        Output::Fire => Some(&look.fire),
    };
    let lit = Lit::new(cpu, state, look);
    let shaded = Shaded::new(cpu, state, look, fire, &lit);
    paint_cells(cpu, &Feathered::new(shaded, state.grid, look.feather), Averaging::Plain, grid, canvas);
}

/// Row `y` of a layer, 0 the lowest, with the best instruction set of this processor.
pub fn layer_row(state: &State, layer: Quantity, y: usize, out: &mut [[f32; 4]]) {
    wide(Draw { cells: &Raw { state, layer, passing: Passing::default() }, y, from: 0, out });
}

/// A layer as it is; velocity and motion as they are seen.
struct Raw<'a> {
    state: &'a State,
    layer: Quantity,
    passing: Passing,
}

impl Cells for Raw<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.quantity_cells(self.layer, y, from, out, self.passing.time);
        self.passing.ride_along(self.layer, out, |i| self.state.is_solid(from + i, y));
    }
}
