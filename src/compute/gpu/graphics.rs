//! The graphics device of the process: opened when it is first wanted, left alone for a while after it failed.

use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::fault::{Fault, Work, panic_text};
use super::open::Gpu;
use super::options::{FaultKind, InjectedFault, Options};
use crate::sim::Interrupted;

/// How long a device that failed is left alone.
const PAUSE: Duration = Duration::from_secs(30);
/// The pause doubles with each hang, up to eight hours.
const MOST_DOUBLINGS: u32 = 10;
/// How long a device may take to open.
const OPENING: Duration = Duration::from_secs(60);

/// Between two looks at a device that is being opened.
const LOOK: Duration = Duration::from_millis(3);

enum Slot {
    /// Not tried yet.
    Idle,
    /// A thread is at it; the number tells its result from that of one given up.
    Opening {
        number: u64,
        since: Instant,
        any: bool,
        work: Work,
    },
    Open(Arc<Gpu>),
    /// There is no hardware; a software device was not asked for.
    NoHardware,
    /// Left alone for a while.
    Resting {
        until: Instant,
    },
}

struct State {
    slot: Slot,
    openings: u64,
    /// The thread that opens, or opened, a device.
    opener: Option<JoinHandle<()>>,
    /// How often a device hung.
    hangs: u32,
    /// What went wrong, for the user: each once.
    notices: Vec<String>,
    told: Vec<String>,
}

/// The process's graphics device: opened when a frame first wants it, shared by all nodes, left alone for a while after
/// it failed.
pub struct Graphics {
    options: Options,
    state: Mutex<State>,
    begun: AtomicU64,
    made: AtomicU64,
    cpu_frames: AtomicU64,
}

impl Graphics {
    /// No device yet.
    pub fn new(options: Options) -> Arc<Graphics> {
        let state =
            State { slot: Slot::Idle, openings: 0, opener: None, hangs: 0, notices: Vec::new(), told: Vec::new() };
        Arc::new(Graphics {
            options,
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

    /// Frames that a graphics device made.
    pub fn frames(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// What went wrong since the last call, in the user's words; the same thing is told once.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().notices)
    }

    /// The name of the open device, where a frame may use it. `any`: a software device will do.
    pub(super) fn name(&self, any: bool) -> Option<String> {
        match &self.lock().slot {
            Slot::Open(gpu) if self.serves(gpu, any) => Some(gpu.name().to_owned()),
            _ => None,
        }
    }

    /// Whether a device is one that the user wants: hardware, unless software was asked for or named.
    fn serves(&self, gpu: &Gpu, any: bool) -> bool {
        any || !gpu.is_software() || self.options.adapter.is_some()
    }

    /// Closes the device and joins its threads: what is on its way comes down first. A later frame opens it anew.
    pub fn close(&self) {
        let mut state = self.lock();
        let slot = std::mem::replace(&mut state.slot, Slot::Idle);
        state.told.clear();
        state.notices.clear();
        let opener = state.opener.take();
        drop(state);
        // Waits for the device, so without the lock.
        drop(slot);
        if let Some(opener) = opener {
            let since = Instant::now();
            while !opener.is_finished() && since.elapsed() < OPENING {
                std::thread::sleep(LOOK);
            }
            // One that hangs in a driver stays behind; the library does not leave memory.
            if opener.is_finished() {
                drop(opener.join());
            }
        }
    }

    /// The device, opened if need be; `None` where the CPU is to do it. `any`: a software device will do. `work`: what
    /// for.
    pub(super) fn get(
        self: &Arc<Self>,
        any: bool,
        work: Work,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Arc<Gpu>>, Interrupted> {
        loop {
            let mut state = self.lock();
            let opening = matches!(state.slot, Slot::Opening { .. });
            if let Some(opener) = state.opener.take_if(|_| !opening) {
                drop(state);
                // It has done its work.
                drop(opener.join());
                continue;
            }
            match &state.slot {
                Slot::Open(gpu) => return Ok(self.serves(gpu, any).then(|| Arc::clone(gpu))),
                Slot::Resting { until } if Instant::now() < *until => return Ok(None),
                Slot::NoHardware if !any => return Ok(None),
                Slot::Opening { since, .. } if since.elapsed() > OPENING => {
                    // Nobody waits for it any more.
                    state.opener = None;
                    self.rest(&mut state, &Fault::Hang(OPENING), work);
                    return Ok(None);
                }
                Slot::Opening { .. } => {}
                Slot::Idle | Slot::Resting { .. } | Slot::NoHardware => {
                    if let Err(fault) = self.begin(&mut state, any, work) {
                        self.rest(&mut state, &fault, work);
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

    /// Opens a device on a thread of its own: drivers have been seen to hang and to crash there.
    fn begin(self: &Arc<Self>, state: &mut State, any: bool, work: Work) -> Result<(), Fault> {
        state.openings += 1;
        let number = state.openings;
        let graphics = Arc::clone(self);
        let open = move || {
            let opened = catch_unwind(|| Gpu::open(&graphics.options, any))
                .unwrap_or_else(|payload| Err(Fault::Panic(panic_text(&*payload))));
            graphics.opened(number, opened);
        };
        // It takes the lock, which the caller holds, once it is done.
        let thread = std::thread::Builder::new().name("flow-gpu-open".to_owned()).spawn(open);
        state.opener = Some(thread.map_err(|e| Fault::Refused(e.to_string()))?);
        state.slot = Slot::Opening { number, since: Instant::now(), any, work };
        Ok(())
    }

    fn opened(&self, number: u64, opened: Result<Gpu, Fault>) {
        let mut state = self.lock();
        let (any, work) = match state.slot {
            Slot::Opening { number: awaited, any, work, .. } if awaited == number => (any, work),
            // Given up, or unloaded, meanwhile.
            _ => {
                drop(state);
                drop(opened);
                return;
            }
        };
        match opened {
            Ok(gpu) => state.slot = Slot::Open(Arc::new(gpu)),
            Err(Fault::None(text)) if !any && self.options.adapter.is_none() => {
                tracing::info!("{text}; the CPU simulates");
                state.slot = Slot::NoHardware;
            }
            Err(fault) => self.rest(&mut state, &fault, work),
        }
    }

    /// Leaves the device alone for a while, and tells why, once.
    fn rest(&self, state: &mut State, fault: &Fault, work: Work) {
        // A hang costs memory or a thread that stays behind: it is not to happen every half minute.
        state.hangs += u32::from(matches!(fault, Fault::Hang(_)));
        let pause = PAUSE * (1 << state.hangs.min(MOST_DOUBLINGS));
        tracing::warn!("{fault}; the CPU simulates, and the graphics device is tried again in {pause:?}");
        state.slot = Slot::Resting { until: Instant::now() + pause };
        let text: String = fault.to_string().lines().next().unwrap_or_default().chars().take(160).collect();
        let text = text.trim_end_matches(['.', ':', ' ']);
        let mut letters = text.chars();
        let text: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let notice = format!("{text}. {}", work.goes_on());
        if !state.told.contains(&notice) {
            state.told.push(notice.clone());
            state.notices.push(notice);
        }
    }

    /// Puts a device that failed away.
    pub(super) fn put_away(&self, gpu: &Arc<Gpu>, fault: &Fault, work: Work) {
        let mut state = self.lock();
        let current = matches!(&state.slot, Slot::Open(open) if Arc::ptr_eq(open, gpu));
        if !current {
            return;
        }
        gpu.abandon();
        let before = std::mem::replace(&mut state.slot, Slot::Idle);
        self.rest(&mut state, fault, work);
        drop(state);
        drop(before);
    }

    /// The fault to rehearse in the next frame that a graphics device makes.
    pub(super) fn drill(&self) -> Option<FaultKind> {
        let frame = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let due = |drill: &&InjectedFault| drill.frame == frame && drill.kind != FaultKind::Cpu;
        self.options.faults.iter().find(due).map(|drill| drill.kind)
    }

    /// Fails in a frame of the CPU's that is to fail.
    pub(super) fn drill_cpu(&self) {
        let frame = self.cpu_frames.fetch_add(1, Ordering::Relaxed) + 1;
        let due = InjectedFault { kind: FaultKind::Cpu, frame };
        assert!(!self.options.faults.contains(&due), "a rehearsal (FLOW_GPU_FAULT)");
    }
}
