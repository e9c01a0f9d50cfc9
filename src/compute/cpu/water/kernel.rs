//! The kernel for each instruction set.

use std::marker::PhantomData;

use super::super::Isa;
use super::super::lanes::{Lanes, portable::Portable};
#[cfg(target_arch = "x86_64")]
use super::super::lanes::{avx2::Avx2, avx512::Avx512};
use super::super::wide::Wide;
#[cfg(target_arch = "x86_64")]
use super::super::wide::{in_avx2, in_avx512};
use super::sweep::{Counts, Out, Sweep, Tile, tile};
use super::window::Window;
use crate::sim::water::settings::Model;

impl Isa {
    /// Takes a sweep's steps over a tile.
    pub(super) fn tile(self, sweep: &Sweep<'_>, window: &mut Window, tile: &Tile, out: &mut Out<'_>) -> Counts {
        match (sweep.plan.model, out.pigment.is_some()) {
            (Model::Pipes, false) => self.kernel::<false, false, false>(sweep, window, tile, out),
            (Model::Pipes, true) => self.kernel::<false, false, true>(sweep, window, tile, out),
            (Model::Classic, false) => self.kernel::<true, false, false>(sweep, window, tile, out),
            (Model::Classic, true) => self.kernel::<true, false, true>(sweep, window, tile, out),
            (Model::ShallowWater, false) => self.kernel::<false, true, false>(sweep, window, tile, out),
            (Model::ShallowWater, true) => self.kernel::<false, true, true>(sweep, window, tile, out),
        }
    }

    /// A model's kernel for the instruction set. Each is a function of its own: compilers take more than their share of time
    /// for large ones, and one core for each.
    fn kernel<const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool>(
        self,
        sweep: &Sweep<'_>,
        window: &mut Window,
        tile: &Tile,
        out: &mut Out<'_>,
    ) -> Counts {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if self.is_available() => {
                in_avx2(Kernel::<Avx2, CLASSIC, SHALLOW, COLOUR>::new(sweep, window, tile, out))
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if self.is_available() => {
                in_avx512(Kernel::<Avx512, CLASSIC, SHALLOW, COLOUR>::new(sweep, window, tile, out))
            }
            _ => Kernel::<Portable, CLASSIC, SHALLOW, COLOUR>::new(sweep, window, tile, out).run(),
        }
    }
}

/// A sweep over a tile, in some vectors.
struct Kernel<'a, 'b, V, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> {
    sweep: &'a Sweep<'a>,
    window: &'a mut Window,
    tile: &'a Tile,
    out: &'a mut Out<'b>,
    vectors: PhantomData<V>,
}

impl<'a, 'b, V, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool>
    Kernel<'a, 'b, V, CLASSIC, SHALLOW, COLOUR>
{
    fn new(sweep: &'a Sweep<'a>, window: &'a mut Window, tile: &'a Tile, out: &'a mut Out<'b>) -> Self {
        Self { sweep, window, tile, out, vectors: PhantomData }
    }
}

impl<V: Lanes, const CLASSIC: bool, const SHALLOW: bool, const COLOUR: bool> Wide
    for Kernel<'_, '_, V, CLASSIC, SHALLOW, COLOUR>
{
    type Output = Counts;

    #[inline(always)]
    fn run(self) -> Counts {
        tile::<V, CLASSIC, SHALLOW, COLOUR>(self.sweep, self.window, self.tile, self.out)
    }
}
