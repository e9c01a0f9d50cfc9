//! The CPU device: vector code on threads of its own.
//!
//! | file | what |
//! |---|---|
//! | `pool` | the threads |
//! | `inside` | a frame's work among them |
//! | `lanes` | vectors of each instruction set |
//! | `bands` | work on pictures, on the same threads |
//! | `wide` | plain loops compiled for each instruction set |
//! | `isa` | the instruction sets |
//! | `water` | the passes of the water |
//! | `smoke` | the passes of the smoke |

pub mod bands;
mod inside;
mod isa;
mod lanes;
mod pool;
pub mod smoke;
pub mod water;
pub mod wide;

pub use isa::Isa;
pub(crate) use lanes::{PrefetchQueue, prefetch};

use pool::Pool;

/// The CPU. Bits do not depend on the number of threads, nor on the instruction set.
pub struct Cpu {
    pool: Pool,
    door: inside::Door,
    isa: Isa,
    /// Planes between the sweeps of water.
    water: water::Kept,
    /// Planes between the passes of smoke.
    smoke: smoke::Kept,
}

impl Cpu {
    /// A device with `threads` threads of its own (0 and 1: none, work runs on the caller's thread) and the best
    /// instruction set there is. Dropping it joins them.
    pub fn new(threads: usize) -> Cpu {
        Cpu::with_isa(threads, Isa::best())
    }

    /// A device that uses an instruction set; the best there is, where the processor does not have it.
    pub fn with_isa(threads: usize, isa: Isa) -> Cpu {
        let isa = if isa.is_available() { isa } else { Isa::best() };
        Cpu {
            pool: Pool::new(threads),
            door: inside::Door::default(),
            isa,
            water: water::Kept::default(),
            smoke: smoke::Kept::default(),
        }
    }

    /// Gives back the memory that is kept for the next frame.
    pub fn release(&self) {
        self.water.release();
        self.smoke.release();
    }

    /// Bytes of planes that are kept for the next frame.
    pub fn spare(&self) -> u64 {
        self.water.bytes() + self.smoke.bytes()
    }

    /// Number of threads that work.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }
}
