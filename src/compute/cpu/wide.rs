//! Work compiled more than once, for the instruction sets that a processor may have.
//!
//! This is one of the few places with `unsafe` code: calling what was compiled for an instruction set is sound only
//! where the processor has it.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "code for an instruction set may be called only where the processor has it")
)]

use super::Isa;

/// Work whose loops are worth wide vectors. Its arithmetic gives the same bits with all of them.
pub trait Wide {
    /// What the work makes.
    type Output;

    /// Does the work. To be marked `#[inline(always)]`, as all that it calls in its loops: only what is inlined is
    /// compiled for the instruction set.
    fn run(self) -> Self::Output;
}

/// A closure as work; it is to be marked `#[inline(always)]` itself.
pub struct Do<F>(pub F);

impl<R, F: FnOnce() -> R> Wide for Do<F> {
    type Output = R;

    #[inline(always)]
    fn run(self) -> R {
        (self.0)()
    }
}

impl Isa {
    /// Does work with this instruction set; with what every processor has, where this one does not have it.
    pub fn run<W: Wide>(self, work: W) -> W::Output {
        match self {
            // SAFETY: Rust reference, attribute `target_feature`: the processor was asked for each of the features.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if self.is_available() => unsafe { with_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if self.is_available() => unsafe { with_avx512(work) },
            _ => work.run(),
        }
    }
}

/// Does work that is written for AVX2 and compiled for nothing else, where the processor has it.
#[cfg(target_arch = "x86_64")]
pub(super) fn in_avx2<W: Wide>(work: W) -> W::Output {
    assert!(Isa::Avx2.is_available());
    // SAFETY: Rust reference, attribute `target_feature`: the processor was asked for each of the features.
    unsafe { with_avx2(work) }
}

/// As [`in_avx2`], with AVX-512.
#[cfg(target_arch = "x86_64")]
pub(super) fn in_avx512<W: Wide>(work: W) -> W::Output {
    assert!(Isa::Avx512.is_available());
    // SAFETY: as above.
    unsafe { with_avx512(work) }
}

/// Does work with the best instruction set of this processor.
pub fn wide<W: Wide>(work: W) -> W::Output {
    Isa::best().run(work)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn with_avx512<W: Wide>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn with_avx2<W: Wide>(work: W) -> W::Output {
    work.run()
}
