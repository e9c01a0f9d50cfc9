//! An open graphics device: its queue, buffers and time limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::adapter;
use super::fault::{Fault, FaultCell};
use super::options::{FaultKind, Options};
use super::pool::Pool;
use crate::sim::memory::PagePool;

/// Time limit of a submission where the environment sets none.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit of a submission on a software device, which shares the processor with other work.
const TIMEOUT_SOFTWARE: Duration = Duration::from_secs(120);

/// Largest size of a buffer in bytes, even if a device allows more: indices stay far below 32 bits.
const LARGEST: u64 = 1 << 30;

/// Time between two calls of `go_on`.
const ASKED: Duration = Duration::from_millis(50);

/// Submitted work.
#[derive(Clone, Debug, Default)]
pub(super) struct Submission(Arc<AtomicBool>);

/// Pauses between polls; short at first, since most waits are.
#[derive(Default)]
pub(super) struct Pause(u32);

impl Pause {
    pub fn take(&mut self) {
        self.0 = self.0.saturating_add(1);
        if self.0 < 64 {
            std::thread::yield_now();
        } else {
            std::thread::sleep(Duration::from_micros(u64::from(self.0.min(1000))));
        }
    }
}

/// A device and its queue, shared by all threads.
pub(super) struct Core {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub pool: Arc<Pool>,
    /// Host memory for data that is read back.
    pub memory: Arc<dyn PagePool>,
    pub faults: FaultCell,
    /// Name for users.
    pub name: String,
    pub software: bool,
    /// Largest size of a buffer, bytes.
    pub largest: u64,
    timeout: Duration,
    /// Bytes between two entries of a table of uniforms.
    pub uniform_stride: u32,
    /// An empty buffer, bound where a shader reads no values.
    pub nothing: wgpu::Buffer,
}

impl Core {
    /// Opens a device. `any`: a software device will do.
    ///
    /// # Errors
    /// No device is found, or it does not open.
    pub fn open(options: &Options, any: bool, memory: Arc<dyn PagePool>) -> Result<Core, Fault> {
        let (adapter, software) = adapter::find(options.adapter.as_deref(), any)?;
        let info = adapter.get_info();
        let limits = adapter.limits();
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("Flow"),
            required_features: wgpu::Features::empty(),
            required_limits: limits.clone(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            // Few large buffers: suballocation would only waste memory.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            trace: wgpu::Trace::Off,
        });
        let (device, queue) = pollster::block_on(request).map_err(|e| Fault::Refused(e.to_string()))?;
        let faults = FaultCell::default();
        let cell = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error| cell.enter(fault_of(&error))));
        let cell = faults.clone();
        device.set_device_lost_callback(move |reason, text| {
            // Dropping a device destroys it, too.
            if reason != wgpu::DeviceLostReason::Destroyed {
                cell.enter(Fault::Lost(text));
            }
        });
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size).min(LARGEST);
        let largest = options.largest_buffer.map_or(largest, |most| most.min(largest));
        let name = format!("GPU, {}, {}", info.name, adapter::backend(&info));
        tracing::info!("opened {name} ({} {})", info.driver, info.driver_info);
        let core = Core {
            nothing: buffer(&device, 256, wgpu::BufferUsages::STORAGE),
            pool: Pool::new(device.clone(), options.memory.unwrap_or(u64::MAX), largest),
            memory,
            device,
            queue,
            faults,
            name,
            software,
            largest,
            timeout: options.timeout.unwrap_or(if software { TIMEOUT_SOFTWARE } else { TIMEOUT }),
            uniform_stride: limits.min_uniform_buffer_offset_alignment.max(16),
        };
        core.faults.check()?;
        Ok(core)
    }

    /// Submits recorded commands.
    ///
    /// # Errors
    /// A fault of the device, possibly an earlier one.
    pub fn submit(&self, encoder: wgpu::CommandEncoder) -> Result<Submission, Fault> {
        self.queue.submit([encoder.finish()]);
        let submission = Submission::default();
        let done = Arc::clone(&submission.0);
        self.queue.on_submitted_work_done(move || done.store(true, Ordering::Release));
        self.faults.check()?;
        Ok(submission)
    }

    /// Blocks until a submission is done; returns `false` at once when `go_on` does.
    ///
    /// # Errors
    /// A fault of the device, a hang past `deadline` included.
    pub fn wait_until(
        &self,
        submission: &Submission,
        deadline: Instant,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Fault> {
        let mut asked = Instant::now();
        let mut pause = Pause::default();
        loop {
            self.poll()?;
            if submission.0.load(Ordering::Acquire) {
                return Ok(true);
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(self.hung());
            }
            if now - asked >= ASKED {
                asked = now;
                if !go_on() {
                    return Ok(false);
                }
            }
            pause.take();
        }
    }

    /// Lets wgpu run its callbacks. Several threads may call it; none waits inside, where wgpu 30 fails an assertion
    /// when another thread polls meanwhile (gfx-rs/wgpu#9958).
    pub fn poll(&self) -> Result<(), Fault> {
        let polled = self.device.poll(wgpu::PollType::Poll);
        self.faults.check()?;
        if let Err(error) = polled {
            self.faults.enter(Fault::Lost(error.to_string()));
            self.faults.check()?;
        }
        Ok(())
    }

    /// The time limit of a submission that begins now.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }

    /// Records a hang as the fault of the device.
    pub fn hung(&self) -> Fault {
        let fault = Fault::Hang(self.timeout);
        self.faults.enter(fault.clone());
        fault
    }

    /// An empty command encoder.
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Loses the device, as an injected fault.
    pub fn lose(&self) {
        self.device.destroy();
        self.faults.enter(Fault::Lost("a rehearsal (FLOW_GPU_FAULT)".to_owned()));
    }

    /// Injects the fault of this frame.
    ///
    /// # Errors
    /// The fault, where it shows at once.
    pub fn inject(&self, kind: Option<FaultKind>) -> Result<(), Fault> {
        match kind {
            Some(FaultKind::Lost) => self.lose(),
            Some(FaultKind::Invalid) => {
                // The range is longer than the buffer: the device refuses the command.
                let mut encoder = self.encoder();
                encoder.clear_buffer(&self.nothing, 0, Some(1 << 20));
                self.submit(encoder)?;
            }
            Some(FaultKind::Hang) => {
                // A hang as the caller sees it: time passes and no work completes.
                let deadline = self.deadline();
                while Instant::now() < deadline {
                    std::thread::sleep(Duration::from_millis(5));
                }
                return Err(self.hung());
            }
            Some(FaultKind::Panic) => panic!("a rehearsal (FLOW_GPU_FAULT)"),
            Some(FaultKind::Late | FaultKind::Cpu) | None => {}
        }
        self.faults.check()
    }
}

/// A buffer outside the pool, zeroed.
pub(super) fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}

fn fault_of(error: &wgpu::Error) -> Fault {
    match error {
        wgpu::Error::OutOfMemory { source } => Fault::Memory(source.to_string()),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            Fault::Invalid(description.clone())
        }
    }
}
