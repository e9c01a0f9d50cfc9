//! The CPU device: a thread pool, and vector code for each instruction set.
//!
//! | file | contents |
//! |---|---|
//! | `pool` | the thread pool |
//! | `handoff` | a frame's work on a thread of the pool |
//! | `bands` | work on bands of rows |
//! | `isa` | the instruction sets |
//! | `combustion` | burning of a cell |
//! | `kernel` | kernels compiled for each instruction set |
//! | `wide` | plain loops compiled for each instruction set |
//! | `lanes` | vectors of each instruction set |
//! | [`water`], [`smoke`], [`volume`] | the kernels of each model |
//! | `particles` | the threads of particles |

pub mod bands;
mod combustion;
mod handoff;
mod isa;
mod kernel;
mod lanes;
mod particles;
mod pool;
pub mod smoke;
pub mod volume;
pub mod water;
pub mod wide;

use std::sync::Arc;

pub use isa::Isa;
pub(crate) use lanes::{PrefetchQueue, prefetch};

use super::memory::page_pool;
use super::resources::Resources;
use crate::sim::memory::PagePool;
use pool::Pool;

/// The CPU. Results have the same bits for any number of threads and any instruction set.
pub struct Cpu {
    pool: Pool,
    handoff: handoff::Handoff,
    isa: Isa,
    memory: Arc<dyn PagePool>,
    resources: Resources,
}

impl Cpu {
    /// A device with the best instruction set of this processor, `threads` threads (0 and 1: none; work runs on the
    /// caller's thread) and a new memory pool. Dropping it joins the threads.
    pub fn new(threads: usize) -> Cpu {
        Cpu::with_memory(threads, page_pool())
    }

    /// As [`Cpu::new`], with a memory pool that other devices share.
    pub fn with_memory(threads: usize, memory: Arc<dyn PagePool>) -> Cpu {
        Cpu {
            pool: Pool::new(threads),
            handoff: handoff::Handoff::default(),
            isa: Isa::best(),
            memory,
            resources: Resources::default(),
        }
    }

    /// As [`Cpu::new`], with another instruction set; the best one where the processor does not have it.
    pub fn with_isa(threads: usize, isa: Isa) -> Cpu {
        Cpu { isa: if isa.is_available() { isa } else { Isa::best() }, ..Cpu::new(threads) }
    }

    /// The pool of buffers for reuse by later frames.
    pub fn memory(&self) -> &Arc<dyn PagePool> {
        &self.memory
    }

    /// Frees the memory that the device keeps for later frames.
    pub fn release(&self) {
        self.resources.release();
        self.memory.release();
    }

    /// Number of threads that work.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }
}
