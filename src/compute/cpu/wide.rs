//! Work compiled for each instruction set, and the choice between them at run time.
//!
//! This file has `unsafe` code: code for an instruction set may be called only where the processor has it.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "code for an instruction set may be called only where the processor has it")
)]

use super::Isa;
use super::lanes::{Lanes, floats, floats::Floats, portable};
#[cfg(target_arch = "x86_64")]
use super::lanes::{avx2, avx512};

/// An instruction set as a type: its vectors.
pub(super) trait Simd {
    /// Vectors of integers.
    type Integers: Lanes;
    /// Vectors of floats.
    type Floats: Floats;
}

/// The baseline of the platform.
struct Baseline;

impl Simd for Baseline {
    type Integers = portable::Portable;
    type Floats = floats::portable::Portable;
}

/// AVX2, FMA and BMI2.
#[cfg(target_arch = "x86_64")]
struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Simd for Avx2 {
    type Integers = avx2::Avx2;
    type Floats = floats::avx2::Avx2;
}

/// AVX-512.
#[cfg(target_arch = "x86_64")]
struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Simd for Avx512 {
    type Integers = avx512::Avx512;
    type Floats = floats::avx512::Avx512;
}

/// Work in the vectors of an instruction set. Results have the same bits with every instruction set.
pub(super) trait WithSimd {
    /// The result.
    type Output;

    /// Does the work. Mark it, and all functions called in its loops, `#[inline(always)]`: only inlined code is
    /// compiled for the instruction set.
    fn run<S: Simd>(self) -> Self::Output;
}

/// Work in plain loops that gain from wide vectors. Results have the same bits with all instruction sets.
pub trait Wide {
    /// The result.
    type Output;

    /// Does the work. Mark it, and all functions called in its loops, `#[inline(always)]`: only inlined code is
    /// compiled for the instruction set.
    fn run(self) -> Self::Output;
}

/// A closure as [`Wide`] work. Mark the closure `#[inline(always)]`.
pub struct Do<F>(pub F);

// `FnMut` and not `FnOnce`: a call of such a closure as `FnOnce` goes through a shim of the compiler. A shim that is not
// inlined is compiled for the baseline.
impl<R, F: FnMut() -> R> Wide for Do<F> {
    type Output = R;

    #[inline(always)]
    fn run(mut self) -> R {
        (self.0)()
    }
}

/// [`Wide`] work as [`WithSimd`] work: scalar loops that the compiler vectorises for the instruction set.
struct Loops<W>(W);

impl<W: Wide> WithSimd for Loops<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run<S: Simd>(self) -> W::Output {
        self.0.run()
    }
}

impl Isa {
    /// Does work with this instruction set; with the baseline where the processor does not have it.
    pub(super) fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        match self {
            // SAFETY: Rust reference, attribute `target_feature`: `is_available` has detected every feature that the
            // function enables.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if self.is_available() => unsafe { with_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if self.is_available() => unsafe { with_avx512(work) },
            _ => work.run::<Baseline>(),
        }
    }

    /// Does work in plain loops with this instruction set; with the baseline where the processor does not have it.
    pub fn run<W: Wide>(self, work: W) -> W::Output {
        self.dispatch(Loops(work))
    }
}

/// Runs plain loops with the best instruction set of this processor.
pub fn wide<W: Wide>(work: W) -> W::Output {
    Isa::best().run(work)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn with_avx512<W: WithSimd>(work: W) -> W::Output {
    work.run::<Avx512>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn with_avx2<W: WithSimd>(work: W) -> W::Output {
    work.run::<Avx2>()
}
