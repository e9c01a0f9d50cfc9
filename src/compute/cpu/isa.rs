//! The instruction sets, and the kernel for each.

use std::marker::PhantomData;
use std::sync::OnceLock;

use super::lanes::{Lanes, portable::Portable};
#[cfg(target_arch = "x86_64")]
use super::lanes::{avx2::Avx2, avx512::Avx512};
use super::sweep::{Counts, Out, Sweep, Tile, tile};
use super::wide::Wide;
#[cfg(target_arch = "x86_64")]
use super::wide::{in_avx2, in_avx512};
use super::window::Window;
use crate::sim::settings::Model;

/// An instruction set that kernels and loops are compiled for. Bits are the same on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// What every processor of the platform has: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// AVX2 with FMA and BMI2: x86-64 processors since about 2013.
    Avx2,
    /// AVX-512 (F, BW, CD, DQ, VL).
    Avx512,
}

impl Isa {
    /// All, the best last.
    const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// Whether this processor has it. It is asked once per process.
    pub fn is_available(self) -> bool {
        match self {
            Isa::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Those that this processor has, the best last.
    pub fn available() -> Vec<Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available()).collect()
    }

    /// The best that this processor has, or the available one that the environment variable `FLOW_ISA` names.
    pub fn best() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| {
            let available = Isa::available();
            let name = std::env::var("FLOW_ISA").unwrap_or_default();
            let named = available.iter().find(|isa| isa.name().eq_ignore_ascii_case(&name));
            named.or(available.last()).copied().unwrap_or(Isa::Baseline)
        })
    }

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
            Isa::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            Isa::Baseline => "baseline",
            Isa::Avx2 => "AVX2",
            Isa::Avx512 => "AVX-512",
        }
    }

    /// Takes a sweep's steps over a tile.
    pub(super) fn tile(self, sweep: &Sweep<'_>, window: &mut Window, tile: &Tile, out: &mut Out<'_>) -> Counts {
        match (sweep.program.model, out.pigment.is_some()) {
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
