//! The processor's floating-point mode during an action.
//!
//! Plug-ins built with fast-math leave flush-to-zero and denormals-are-zero set on the host's render threads. Pixels
//! must not depend on them, so an action runs in the standard mode, and restores the host's mode at its end.

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// The mode of a new process: round to nearest, no flushing, every exception masked.
    pub(super) const STANDARD: Mode = 0x1f80;

    pub(super) type Mode = u32;

    pub(super) fn get() -> Mode {
        let mut mode: Mode = 0;
        // SAFETY: stores MXCSR, which every x86-64 processor has, to four bytes of memory.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mode, options(nostack, preserves_flags)) };
        mode
    }

    pub(super) fn set(mode: Mode) {
        // SAFETY: loads MXCSR with the standard mode or with a result of `get`, whose reserved bits are 0. The standard
        // mode masks exceptions and has the rounding and flushing that the compiler assumes; the host's mode is
        // restored at the end of the action.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const mode, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// The mode of a new process: round to nearest, no flushing, no traps.
    pub(super) const STANDARD: Mode = 0;

    pub(super) type Mode = u64;

    pub(super) fn get() -> Mode {
        let mode: Mode;
        // SAFETY: reads FPCR, which every AArch64 processor with floating point has.
        unsafe { asm!("mrs {}, fpcr", out(reg) mode, options(nomem, nostack, preserves_flags)) };
        mode
    }

    pub(super) fn set(mode: Mode) {
        // SAFETY: writes FPCR with the standard mode or with a result of `get`.
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

/// Keeps the standard mode set; restores the previous mode when dropped.
pub(super) struct FloatMode {
    before: control::Mode,
}

impl FloatMode {
    /// Sets the standard mode on this thread. Threads that this thread starts inherit the mode.
    pub(super) fn standard() -> Self {
        let before = control::get();
        control::set(control::STANDARD);
        Self { before }
    }
}

impl Drop for FloatMode {
    fn drop(&mut self) {
        control::set(self.before);
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn denormals_are_kept_and_the_hosts_mode_is_restored() {
        const FLUSH: u32 = control::STANDARD | 0x8040;
        let own = control::get();
        let halved = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        control::set(FLUSH);
        let flushed = halved();
        let mode = FloatMode::standard();
        let kept = halved();
        drop(mode);
        let after = control::get();
        control::set(own);
        assert_eq!(flushed, 0.0);
        assert!(kept > 0.0);
        // Without the exception flags, which the computation may raise.
        assert_eq!(after & 0xffc0, FLUSH & 0xffc0);
    }
}
