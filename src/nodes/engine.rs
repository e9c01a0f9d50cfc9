//! What all nodes of the process share: the store of states and the device that simulates.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::compute::cpu::Cpu;
use crate::sim;
use crate::timeline::Store;

/// The shared parts. Nothing is opened before the first render.
#[derive(Default)]
pub struct Engine {
    store: Arc<Store>,
    cpu: Mutex<Option<Arc<Cpu>>>,
}

/// The process's engine.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(Engine::default)
}

impl Engine {
    /// The store of states.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The CPU device; started, with as many threads as the host says there are processors (or the system, where it
    /// says nothing), on the first call after a load.
    pub fn cpu(&self, processors: Option<usize>) -> Arc<Cpu> {
        let mut slot = self.cpu.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slot.get_or_insert_with(|| {
            let available = || std::thread::available_parallelism().map_or(1, usize::from);
            let threads = processors.filter(|count| *count > 0).unwrap_or_else(available).min(MOST_THREADS);
            Arc::new(Cpu::new(threads))
        }))
    }

    /// Ends the threads and frees the states: called on unload. A later load starts anew.
    pub fn rest(&self) {
        let cpu = self.cpu.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(cpu);
        self.store.clear();
        sim::memory::release();
    }
}

/// More threads than this do not help a grid of rows, whatever a host claims to have.
const MOST_THREADS: usize = 256;
