//! The parts that all nodes of the process share: the store of states, the disk cache and the devices.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::common::camera_file::CameraFiles;
use super::notices::Notices;
use crate::compute::cpu::Cpu;
use crate::compute::gpu::{Graphics, Options};
use crate::compute::memory::page_pool;
use crate::ofx::{own_process, stay_loaded};
use crate::sim::memory::PagePool;
use crate::sim::request;
use crate::timeline::Store;
use crate::timeline::disk::Disks;

/// The requested device.
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
    /// The device of an option of the choice `device`.
    pub fn of_option(option: i32) -> Self {
        match option {
            1 => Self::Gpu,
            2 => Self::Cpu,
            _ => Self::Auto,
        }
    }
}

/// The shared parts. No device or file is opened before the first render.
pub struct Engine {
    store: Arc<Store>,
    /// Buffers for reuse by all devices.
    memory: Arc<dyn PagePool>,
    disks: Disks,
    cpu: Mutex<Option<Arc<Cpu>>>,
    graphics: Mutex<Option<Arc<Graphics>>>,
    edits: AtomicU64,
    camera_files: CameraFiles,
    notices: Notices,
}

/// The engine of the process.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine {
        store: Arc::default(),
        memory: page_pool(),
        disks: Disks::default(),
        cpu: Mutex::default(),
        graphics: Mutex::default(),
        edits: AtomicU64::default(),
        camera_files: CameraFiles::default(),
        notices: Notices::default(),
    })
}

impl Engine {
    /// The store of states.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The cache folders.
    pub fn disks(&self) -> &Disks {
        &self.disks
    }

    /// The files of cameras.
    pub fn camera_files(&self) -> &CameraFiles {
        &self.camera_files
    }

    /// Notices about files that parameters name.
    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    /// Counts a possible change of parameters. All nodes have one common counter: a host may report an edit to another
    /// instance than the one that renders, and parameters of two nodes may be linked.
    pub fn note_edit(&self) {
        self.edits.fetch_add(1, Ordering::SeqCst);
    }

    /// The count of edits.
    pub fn edits(&self) -> u64 {
        self.edits.load(Ordering::SeqCst)
    }

    /// Takes the notices about the graphics device, the cache folders and other files.
    pub fn take_notices(&self) -> Vec<String> {
        let graphics = self.graphics.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut notices = graphics.map(|graphics| graphics.take_notices()).unwrap_or_default();
        notices.extend(self.disks.take_notices());
        notices.extend(self.notices.take());
        notices
    }

    /// The CPU device. The first call after a load starts its threads: as many as the host reports processors or,
    /// without a report, as the system has.
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

    /// The graphics device, which this does not open. The first call after a load reads the environment.
    pub fn graphics(&self) -> Arc<Graphics> {
        let mut slot = self.graphics.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slot.get_or_insert_with(|| {
            stay_loaded();
            own_process();
            Graphics::with_memory(Options::from_env(), Arc::clone(&self.memory))
        }))
    }

    /// Frees the memory that is kept for the next frame.
    pub fn purge(&self) {
        let cpu = self.cpu.lock().unwrap_or_else(PoisonError::into_inner).clone();
        cpu.iter().for_each(|cpu| cpu.release());
        super::particles::release();
        super::volume::release();
        self.memory.release();
    }

    /// Bytes of memory that is kept for the next frame.
    pub fn spare(&self) -> u64 {
        self.memory.bytes()
    }

    /// Writes the states that wait for the disk, frees all states, closes the devices and ends the threads, before the
    /// library is unloaded.
    pub fn shut_down(&self) {
        // States to be written may be device-resident.
        self.disks.close();
        self.store.clear();
        super::particles::release();
        super::volume::release();
        let graphics = self.graphics.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(graphics) = graphics {
            graphics.close();
        }
        let cpu = self.cpu.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(cpu);
        self.memory.release();
    }
}

/// Largest number of threads of the CPU device, whatever number of processors a host reports.
const MOST_THREADS: usize = 256;
