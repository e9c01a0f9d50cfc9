//! The kernel, compiled for each instruction set, and the choice among them when the program runs.

use super::lanes::{Lanes, portable::Portable};
#[cfg(target_arch = "x86_64")]
use super::lanes::{avx2::Avx2, avx512::Avx512};
use super::sweep::{Counts, Out, Sweep, Tile, tile};
use super::window::Window;
use crate::sim::settings::Model;

/// An instruction set that the kernel is compiled for. Bits are the same on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// What every processor of the platform has: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// AVX2: x86-64 processors since about 2013.
    Avx2,
    /// AVX-512 (F, BW, CD, DQ, VL).
    Avx512,
}

impl Isa {
    /// Those that this processor has, the best last.
    pub fn available() -> Vec<Isa> {
        let mut found = vec![Isa::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi2") {
                found.push(Isa::Avx2);
            }
            if ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"].iter().all(|f| has_avx512(f)) {
                found.push(Isa::Avx512);
            }
        }
        found
    }

    /// The best that this processor has.
    pub fn best() -> Isa {
        Isa::available().pop().unwrap_or(Isa::Baseline)
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
    pub(super) fn tile(self, sweep: &Sweep<'_>, window: &mut Window, place: &Tile, out: &mut Out<'_>) -> Counts {
        match self {
            _ if sweep.coefficients.shifts() => any::<Portable>(sweep, window, place, out),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "code for an instruction set runs where that set was found")]
            // SAFETY: a `Cpu` takes this value only from `Isa::available`, which asked the processor for AVX2 and BMI2.
            Isa::Avx2 => unsafe { avx2(sweep, window, place, out) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "code for an instruction set runs where that set was found")]
            // SAFETY: a `Cpu` takes this value only from `Isa::available`, which asked the processor for each of them.
            Isa::Avx512 => unsafe { avx512(sweep, window, place, out) },
            _ => any::<Portable>(sweep, window, place, out),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512(feature: &str) -> bool {
    match feature {
        "avx512f" => is_x86_feature_detected!("avx512f"),
        "avx512bw" => is_x86_feature_detected!("avx512bw"),
        "avx512cd" => is_x86_feature_detected!("avx512cd"),
        "avx512dq" => is_x86_feature_detected!("avx512dq"),
        _ => is_x86_feature_detected!("avx512vl"),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn avx2(sweep: &Sweep<'_>, window: &mut Window, place: &Tile, out: &mut Out<'_>) -> Counts {
    any::<Avx2>(sweep, window, place, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn avx512(sweep: &Sweep<'_>, window: &mut Window, place: &Tile, out: &mut Out<'_>) -> Counts {
    any::<Avx512>(sweep, window, place, out)
}

#[inline(always)]
fn any<V: Lanes>(sweep: &Sweep<'_>, window: &mut Window, place: &Tile, out: &mut Out<'_>) -> Counts {
    match (sweep.program.model, out.pigment.is_some()) {
        (Model::Pipes, false) => tile::<V, false, false>(sweep, window, place, out),
        (Model::Pipes, true) => tile::<V, false, true>(sweep, window, place, out),
        (Model::Classic, false) => tile::<V, true, false>(sweep, window, place, out),
        (Model::Classic, true) => tile::<V, true, true>(sweep, window, place, out),
    }
}
