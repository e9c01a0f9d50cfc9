//! What all nodes of the process share: the store of states and the devices that simulate.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::compute::cpu::Cpu;
use crate::compute::gpu::{Graphics, Options};
use crate::compute::memory::page_pool;
use crate::ofx::{own_process, stay_loaded};
use crate::sim::memory::PagePool;
use crate::sim::request;
use crate::timeline::Store;
use crate::timeline::disk::Disks;

/// What a node wants to be simulated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A hardware graphics device where there is one, else the CPU.
    Auto,
    /// A graphics device, even one in software.
    Gpu,
    /// The CPU.
    Cpu,
}

impl Wanted {
    /// What an option of the `device` choice means.
    pub fn of_option(option: i32) -> Self {
        match option {
            1 => Self::Gpu,
            2 => Self::Cpu,
            _ => Self::Auto,
        }
    }
}

/// The shared parts. Nothing is opened before the first render.
pub struct Engine {
    store: Arc<Store>,
    /// Buffers that all devices use again.
    memory: Arc<dyn PagePool>,
    disks: Disks,
    cpu: Mutex<Option<Arc<Cpu>>>,
    graphics: Mutex<Option<Arc<Graphics>>>,
    edits: AtomicU64,
}

/// The process's engine.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine {
        store: Arc::default(),
        memory: page_pool(),
        disks: Disks::default(),
        cpu: Mutex::default(),
        graphics: Mutex::default(),
        edits: AtomicU64::default(),
    })
}

impl Engine {
    /// The store of states.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The folders on disk.
    pub fn disks(&self) -> &Disks {
        &self.disks
    }

    /// Notes that parameters of some node may have changed. One count for all nodes: a host may report an edit to another
    /// instance than the one that renders, and a parameter of a node may be linked to another node's.
    pub fn note_edit(&self) {
        self.edits.fetch_add(1, Ordering::SeqCst);
    }

    /// Edits that were noted so far.
    pub fn edits(&self) -> u64 {
        self.edits.load(Ordering::SeqCst)
    }

    /// What went wrong with the graphics device or a folder and was not told yet.
    pub fn take_notices(&self) -> Vec<String> {
        let graphics = self.graphics.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut notices = graphics.map(|graphics| graphics.take_notices()).unwrap_or_default();
        notices.extend(self.disks.take_notices());
        notices
    }

    /// The CPU device; started, with as many threads as the host says there are processors (or the system, where it
    /// says nothing), on the first call after a load.
    pub fn cpu(&self, processors: Option<usize>) -> Arc<Cpu> {
        let mut slot = self.cpu.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slot.get_or_insert_with(|| {
            let available = || std::thread::available_parallelism().map_or(1, usize::from);
            let threads = processors.filter(|count| *count > 0).unwrap_or_else(available).min(MOST_THREADS);
            own_process();
            request::reclaim_with(|| engine().memory.release());
            Arc::new(Cpu::with_memory(threads, Arc::clone(&self.memory)))
        }))
    }

    /// The graphics device, not opened by this; the environment is read on the first call after a load.
    pub fn graphics(&self) -> Arc<Graphics> {
        let mut slot = self.graphics.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slot.get_or_insert_with(|| {
            stay_loaded();
            own_process();
            Graphics::with_memory(Options::from_env(), Arc::clone(&self.memory))
        }))
    }

    /// Gives back what is kept for the next frame: a host asked for memory.
    pub fn purge(&self) {
        let cpu = self.cpu.lock().unwrap_or_else(PoisonError::into_inner).clone();
        cpu.iter().for_each(|cpu| cpu.release());
        self.memory.release();
    }

    /// Bytes that are kept for the next frame.
    pub fn spare(&self) -> u64 {
        self.memory.bytes()
    }

    /// Writes what is on its way to disk, frees the states, closes the devices and ends the threads: called on unload. A later load starts anew.
    pub fn rest(&self) {
        // States that are written may still be on a device.
        self.disks.close();
        self.store.clear();
        let graphics = self.graphics.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(graphics) = graphics {
            graphics.close();
        }
        let cpu = self.cpu.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(cpu);
        self.memory.release();
    }
}

/// More threads than this do not help a grid of rows, whatever a host claims to have.
const MOST_THREADS: usize = 256;
