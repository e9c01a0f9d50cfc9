//! The graphics device of the process: opened for the first frame that needs it, and not used for a while after a
//! failure.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::device::Gpu;
use super::fault::{Fallback, Fault, panic_text};
use super::options::{FaultKind, InjectedFault, Options};
use crate::compute::memory::page_pool;
use crate::sim::Interrupted;
use crate::sim::memory::PagePool;

/// Time for which a device is not used after a failure.
const PAUSE: Duration = Duration::from_secs(30);
/// Doublings of the pause, one for each hang: up to eight hours.
const DOUBLINGS_MAX: u32 = 10;
/// Time limit for opening a device.
const OPENING: Duration = Duration::from_secs(60);

/// Time between two polls of a device that is being opened.
const LOOK: Duration = Duration::from_millis(3);

enum Slot {
    /// Not tried yet.
    Idle,
    /// A thread opens the device; the number tells its result from that of an earlier attempt.
    Opening {
        number: u64,
        since: Instant,
        any: bool,
        fallback: Fallback,
    },
    Open(Arc<Gpu>),
    /// There is no hardware device, and no software device was asked for.
    NoHardware,
    /// Not used before a time.
    Resting {
        until: Instant,
    },
}

struct State {
    slot: Slot,
    openings: u64,
    /// The thread that opens, or opened, a device.
    opener: Option<JoinHandle<()>>,
    /// Number of hangs.
    hangs: u32,
    /// Messages for the user, each once.
    notices: Vec<String>,
    told: Vec<String>,
}

/// The graphics device of the process: opened for the first frame that needs it, shared by all nodes, and not used for
/// a while after a failure.
pub struct Graphics {
    options: Options,
    memory: Arc<dyn PagePool>,
    state: Mutex<State>,
    begun: AtomicU64,
    made: AtomicU64,
    cpu_frames: AtomicU64,
}

impl Graphics {
    /// No device yet, and a separate pool of host memory.
    pub fn new(options: Options) -> Arc<Graphics> {
        Graphics::with_memory(options, page_pool())
    }

    /// As [`Graphics::new`], with a memory pool that other devices share.
    pub fn with_memory(options: Options, memory: Arc<dyn PagePool>) -> Arc<Graphics> {
        let state =
            State { slot: Slot::Idle, openings: 0, opener: None, hangs: 0, notices: Vec::new(), told: Vec::new() };
        Arc::new(Graphics {
            options,
            memory,
            state: Mutex::new(state),
            begun: AtomicU64::new(0),
            made: AtomicU64::new(0),
            cpu_frames: AtomicU64::new(0),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a frame.
    pub(super) fn count(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of frames that a graphics device computed.
    pub fn frames(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Messages for the user since the last call; none comes twice.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().notices)
    }

    /// Name of the open device; `None` where a frame may not use it. `any`: a software device will do.
    pub(super) fn name(&self, any: bool) -> Option<String> {
        match &self.lock().slot {
            Slot::Open(gpu) if self.serves(gpu, any) => Some(gpu.core().name.clone()),
            _ => None,
        }
    }

    /// Whether the user allows a device: hardware, or software that was asked for or named.
    fn serves(&self, gpu: &Gpu, any: bool) -> bool {
        any || !gpu.core().software || self.options.adapter.is_some()
    }

    /// Closes the device and joins its threads, after pending readbacks. A later frame opens the device again.
    pub fn close(&self) {
        let mut state = self.lock();
        let slot = std::mem::replace(&mut state.slot, Slot::Idle);
        state.told.clear();
        state.notices.clear();
        let opener = state.opener.take();
        drop(state);
        // This waits for the device, so the lock is free.
        drop(slot);
        if let Some(opener) = opener {
            let since = Instant::now();
            while !opener.is_finished() && since.elapsed() < OPENING {
                std::thread::sleep(LOOK);
            }
            // A thread that hangs in a driver is left behind; the library stays in memory.
            if opener.is_finished() {
                drop(opener.join());
            }
        }
    }

    /// The device, opened if necessary; `None` where the CPU has to compute the frame. `any`: a software device will
    /// do.
    ///
    /// # Errors
    /// `go_on`, called while the device opens, returned false.
    pub(super) fn get(
        self: &Arc<Self>,
        any: bool,
        fallback: Fallback,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Arc<Gpu>>, Interrupted> {
        loop {
            let mut state = self.lock();
            let opening = matches!(state.slot, Slot::Opening { .. });
            if let Some(opener) = state.opener.take_if(|_| !opening) {
                drop(state);
                drop(opener.join());
                continue;
            }
            match &state.slot {
                Slot::Open(gpu) => return Ok(self.serves(gpu, any).then(|| Arc::clone(gpu))),
                Slot::Resting { until } if Instant::now() < *until => return Ok(None),
                Slot::NoHardware if !any => return Ok(None),
                Slot::Opening { since, .. } if since.elapsed() > OPENING => {
                    // A late result is dropped.
                    state.opener = None;
                    self.rest(&mut state, &Fault::Hang(OPENING), fallback);
                    return Ok(None);
                }
                Slot::Opening { .. } => {}
                Slot::Idle | Slot::Resting { .. } | Slot::NoHardware => {
                    if let Err(fault) = self.begin(&mut state, any, fallback) {
                        self.rest(&mut state, &fault, fallback);
                        return Ok(None);
                    }
                }
            }
            drop(state);
            std::thread::sleep(LOOK);
            if !go_on() {
                return Err(Interrupted);
            }
        }
    }

    /// Opens a device on a separate thread: some drivers hang or panic.
    fn begin(self: &Arc<Self>, state: &mut State, any: bool, fallback: Fallback) -> Result<(), Fault> {
        state.openings += 1;
        let number = state.openings;
        let graphics = Arc::clone(self);
        let open = move || {
            let open = || Gpu::open(&graphics.options, any, Arc::clone(&graphics.memory));
            let opened =
                catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|payload| Err(Fault::Panic(panic_text(&*payload))));
            graphics.opened(number, opened);
        };
        // The thread takes the lock at its end; the caller holds it now.
        let thread = std::thread::Builder::new().name("flow-gpu-open".to_owned()).spawn(open);
        state.opener = Some(thread.map_err(|e| Fault::Refused(e.to_string()))?);
        state.slot = Slot::Opening { number, since: Instant::now(), any, fallback };
        Ok(())
    }

    fn opened(&self, number: u64, opened: Result<Gpu, Fault>) {
        let mut state = self.lock();
        let (any, fallback) = match state.slot {
            Slot::Opening { number: awaited, any, fallback, .. } if awaited == number => (any, fallback),
            // The attempt was given up, or the plug-in unloaded.
            _ => {
                drop(state);
                drop(opened);
                return;
            }
        };
        match opened {
            Ok(gpu) => state.slot = Slot::Open(Arc::new(gpu)),
            Err(Fault::None(text)) if !any && self.options.adapter.is_none() => {
                tracing::info!("{text}; the CPU works");
                state.slot = Slot::NoHardware;
            }
            Err(fault) => self.rest(&mut state, &fault, fallback),
        }
    }

    /// Keeps the device unused for a while, with one message for the user.
    fn rest(&self, state: &mut State, fault: &Fault, fallback: Fallback) {
        // Each hang leaves memory or a thread behind.
        state.hangs += u32::from(matches!(fault, Fault::Hang(_)));
        let pause = PAUSE * (1 << state.hangs.min(DOUBLINGS_MAX));
        tracing::warn!("{fault}; the CPU works, and the graphics device is tried again in {pause:?}");
        state.slot = Slot::Resting { until: Instant::now() + pause };
        let text: String = fault.to_string().lines().next().unwrap_or_default().chars().take(160).collect();
        let text = text.trim_end_matches(['.', ':', ' ']);
        let mut letters = text.chars();
        let text: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let notice = format!("{text}. {}", fallback.text());
        if !state.told.contains(&notice) {
            state.told.push(notice.clone());
            state.notices.push(notice);
        }
    }

    /// Closes a device that failed.
    pub(super) fn put_away(&self, gpu: &Arc<Gpu>, fault: &Fault, fallback: Fallback) {
        let mut state = self.lock();
        let current = matches!(&state.slot, Slot::Open(open) if Arc::ptr_eq(open, gpu));
        if !current {
            return;
        }
        gpu.abandon();
        let before = std::mem::replace(&mut state.slot, Slot::Idle);
        self.rest(&mut state, fault, fallback);
        drop(state);
        drop(before);
    }

    /// The fault to inject in the next frame of a graphics device.
    pub(super) fn injected_fault(&self) -> Option<FaultKind> {
        let frame = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let due = |fault: &&InjectedFault| fault.frame == frame && fault.kind != FaultKind::Cpu;
        self.options.faults.iter().find(due).map(|fault| fault.kind)
    }

    /// Panics in a frame of the CPU that is to fail.
    pub(super) fn inject_cpu_fault(&self) {
        let frame = self.cpu_frames.fetch_add(1, Ordering::Relaxed) + 1;
        let due = InjectedFault { kind: FaultKind::Cpu, frame };
        assert!(!self.options.faults.contains(&due), "a rehearsal (FLOW_GPU_FAULT)");
    }
}
