//! The floating-point mode that code built with fast-math leaves on a host's threads.
#![expect(unsafe_code, reason = "no function reads or sets the mode")]

use std::arch::asm;

/// Runs `job` on this thread with denormal numbers flushed to 0, read and written, and sets the standard mode
/// afterwards.
#[cfg(target_arch = "x86_64")]
pub fn with_denormals_flushed<R>(job: impl FnOnce() -> R) -> R {
    /// Round to nearest, every exception masked.
    const STANDARD: u32 = 0x1f80;
    const FLUSH_TO_ZERO: u32 = 0x8000;
    const DENORMALS_ARE_ZERO: u32 = 0x40;
    let set = |mode: u32| {
        // SAFETY: loads MXCSR, its reserved bits 0 and exceptions masked.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const mode, options(nostack, preserves_flags)) };
    };
    set(STANDARD | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    let done = job();
    set(STANDARD);
    done
}

/// Runs `job` on this thread with denormal numbers flushed to 0, and sets the standard mode afterwards.
#[cfg(target_arch = "aarch64")]
pub fn with_denormals_flushed<R>(job: impl FnOnce() -> R) -> R {
    const FLUSH_TO_ZERO: u64 = 1 << 24;
    let set = |mode: u64| {
        // SAFETY: writes FPCR, traps off.
        unsafe { asm!("msr fpcr, {}", in(reg) mode, options(nomem, nostack, preserves_flags)) };
    };
    set(FLUSH_TO_ZERO);
    let done = job();
    set(0);
    done
}
