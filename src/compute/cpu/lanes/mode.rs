//! The floating-point mode.
//!
//! Other code of the process may have set flush-to-zero, and threads inherit it. Results must not depend on that, so
//! work runs in the standard mode.

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// Round to nearest, no flushing, all exceptions masked: the mode of a new process.
    pub(super) const STANDARD: Mode = 0x1f80;

    pub(super) type Mode = u32;

    #[expect(unsafe_code, reason = "no function reads the mode")]
    pub(super) fn get() -> Mode {
        let mut mode: Mode = 0;
        // SAFETY: stores MXCSR, which every x86-64 processor has, in four bytes of memory.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mode, options(nostack, preserves_flags)) };
        mode
    }

    #[expect(unsafe_code, reason = "no function sets the mode")]
    pub(super) fn set(mode: Mode) {
        // SAFETY: loads MXCSR with the standard mode, which the compiler assumes, or with what `get` read.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const mode, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// Round to nearest, no flushing, no traps: the mode of a new process.
    pub(super) const STANDARD: Mode = 0;

    pub(super) type Mode = u64;

    #[expect(unsafe_code, reason = "no function reads the mode")]
    pub(super) fn get() -> Mode {
        let mode: Mode;
        // SAFETY: reads FPCR, which every AArch64 processor with floating point has.
        unsafe { asm!("mrs {}, fpcr", out(reg) mode, options(nomem, nostack, preserves_flags)) };
        mode
    }

    #[expect(unsafe_code, reason = "no function sets the mode")]
    pub(super) fn set(mode: Mode) {
        // SAFETY: writes FPCR with the standard mode, which the compiler assumes, or with what `get` read.
        unsafe { asm!("msr fpcr, {}", in(reg) mode, options(nomem, nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub(super) type Mode = ();

    pub(super) const STANDARD: Mode = ();

    pub(super) fn get() -> Mode {}

    pub(super) fn set(_: Mode) {}
}

/// Runs `work` in the standard mode, on this thread. A panic of `work` leaves the mode set.
pub(in crate::compute::cpu) fn standard<R>(work: impl FnOnce() -> R) -> R {
    let before = control::get();
    control::set(control::STANDARD);
    let made = work();
    control::set(before);
    made
}
