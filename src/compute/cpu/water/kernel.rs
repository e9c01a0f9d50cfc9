//! The sweep over a tile, compiled for each model and instruction set.

use super::sweep::{Counts, Out, Sweep, Tile, tile};
use super::window::Window;
use crate::compute::cpu::Isa;
use crate::compute::cpu::wide::{Simd, WithSimd};
use crate::sim::water::settings::Model;

/// A sweep over a tile. Each model has its own type and function, because the time to compile a function grows faster
/// than its size.
struct Kernel<'a, 'b, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> {
    sweep: &'a Sweep<'a>,
    window: &'a mut Window,
    tile: &'a Tile,
    out: &'a mut Out<'b>,
}

impl<const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> WithSimd
    for Kernel<'_, '_, CLASSIC, SHALLOW, COLOUR>
{
    type Output = Counts;

    #[inline(always)]
    fn run<S: Simd>(self) -> Counts {
        tile::<S::Integers, CLASSIC, SHALLOW, COLOUR>(self.sweep, self.window, self.tile, self.out)
    }
}

impl Isa {
    /// Takes the steps of a sweep over a tile.
    pub(super) fn tile(self, sweep: &Sweep<'_>, window: &mut Window, tile: &Tile, out: &mut Out<'_>) -> Counts {
        macro_rules! kernel {
            ($classic:literal, $shallow:literal, $colour:literal) => {
                self.dispatch(Kernel::<$classic, $shallow, $colour> { sweep, window, tile, out })
            };
        }
        match (sweep.plan.model, out.pigment.is_some()) {
            (Model::Pipes | Model::Ripples, false) => kernel!(false, false, false),
            (Model::Pipes | Model::Ripples, true) => kernel!(false, false, true),
            (Model::Classic, false) => kernel!(true, false, false),
            (Model::Classic, true) => kernel!(true, false, true),
            (Model::ShallowWater, false) => kernel!(false, true, false),
            (Model::ShallowWater, true) => kernel!(false, true, true),
        }
    }
}
