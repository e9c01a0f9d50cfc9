//! An open graphics device.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::adapter;
use super::fault::{Fault, FaultCell};
use super::options::Options;
use super::pipeline::Passes;
use super::pool::Pool;
use super::water::passes::Pass;
use crate::sim::water::time_step::STEPS_MAX;

/// Time for a submission where the environment sets none.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The same on a software device, which shares the processor with everything else.
const TIMEOUT_SOFTWARE: Duration = Duration::from_secs(120);

/// No buffer is larger than this, whatever a device allows: indices stay far within 32 bits.
const LARGEST: u64 = 1 << 30;

/// Between two questions whether to go on.
const ASKED: Duration = Duration::from_millis(50);

/// Work that was submitted.
#[derive(Clone, Debug, Default)]
pub(super) struct Submission(Arc<AtomicBool>);

/// Between two looks: short at first, since most waits are.
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

/// A device, its queue, and what lives as long as they do. Shared by all threads.
pub(super) struct Core {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub passes: Passes<Pass>,
    pub pool: Arc<Pool>,
    pub faults: FaultCell,
    /// The name, for people.
    pub name: String,
    pub software: bool,
    pub largest: u64,
    timeout: Duration,
    /// Indices of steps, `step_stride` bytes apart.
    pub steps: wgpu::Buffer,
    pub step_stride: u32,
    /// What is bound where there is nothing to read.
    pub nothing: wgpu::Buffer,
    /// What is bound where nothing is written.
    pub nowhere: wgpu::Buffer,
}

impl Core {
    /// Opens a device. `any`: a software one will do.
    ///
    /// # Errors
    /// There is none, or it does not open.
    pub fn open(options: &Options, any: bool) -> Result<Core, Fault> {
        let (adapter, software) = adapter::find(options.adapter.as_deref(), any)?;
        let info = adapter.get_info();
        let limits = adapter.limits();
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("Flow"),
            required_features: wgpu::Features::empty(),
            required_limits: limits.clone(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            // Few large buffers: blocks to cut small ones from would only be waste.
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
        let step_stride = limits.min_uniform_buffer_offset_alignment.max(16);
        let [steps, nothing, nowhere] = constants(&device, &queue, step_stride);
        let passes = Passes::new(&device);
        passes.read();
        let pool = Pool::new(device.clone(), options.memory.unwrap_or(u64::MAX), largest);
        let timeout = options.timeout.unwrap_or(if software { TIMEOUT_SOFTWARE } else { TIMEOUT });
        let name = format!("GPU, {}, {}", info.name, adapter::backend(&info));
        tracing::info!("opened {name} ({} {})", info.driver, info.driver_info);
        let core = Core {
            device,
            queue,
            passes,
            pool,
            faults,
            name,
            software,
            largest,
            timeout,
            steps,
            step_stride,
            nothing,
            nowhere,
        };
        core.faults.check()?;
        Ok(core)
    }

    /// Submits what was recorded.
    ///
    /// # Errors
    /// A fault of the device, maybe an earlier one.
    pub fn submit(&self, encoder: wgpu::CommandEncoder) -> Result<Submission, Fault> {
        self.queue.submit([encoder.finish()]);
        let submission = Submission::default();
        let done = Arc::clone(&submission.0);
        self.queue.on_submitted_work_done(move || done.store(true, Ordering::Release));
        self.faults.check()?;
        Ok(submission)
    }

    /// Blocks until a submission is done; gives up once `go_on` says no, and then answers `false`.
    ///
    /// # Errors
    /// A fault of the device; a hang past `deadline` is one.
    pub fn wait_until(
        &self,
        submission: &Submission,
        deadline: Instant,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Fault> {
        let mut asked = Instant::now();
        let mut pause = Pause::default();
        loop {
            self.look()?;
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

    /// Lets wgpu call back what is done. Several threads may: none of them waits inside, where wgpu 30 fails an assertion if
    /// another one looks meanwhile (gfx-rs/wgpu#9958).
    pub fn look(&self) -> Result<(), Fault> {
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

    /// Enters a hang.
    pub fn hung(&self) -> Fault {
        let fault = Fault::Hang(self.timeout);
        self.faults.enter(fault.clone());
        fault
    }

    /// An encoder.
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Rehearses a loss.
    pub fn lose(&self) {
        self.device.destroy();
        self.faults.enter(Fault::Lost("a rehearsal (FLOW_GPU_FAULT)".to_owned()));
    }
}

fn constants(device: &wgpu::Device, queue: &wgpu::Queue, stride: u32) -> [wgpu::Buffer; 3] {
    let mut table = vec![0_u8; STEPS_MAX as usize * stride as usize];
    for (step, entry) in (0_u32..).zip(table.chunks_exact_mut(stride as usize)) {
        entry[..4].copy_from_slice(&step.to_ne_bytes());
    }
    let buffer = |size: usize, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage,
            mapped_at_creation: false,
        })
    };
    let steps = buffer(table.len(), wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST);
    queue.write_buffer(&steps, 0, &table);
    let empty = || buffer(256, wgpu::BufferUsages::STORAGE);
    [steps, empty(), empty()]
}

fn fault_of(error: &wgpu::Error) -> Fault {
    match error {
        wgpu::Error::OutOfMemory { source } => Fault::Memory(source.to_string()),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            Fault::Invalid(description.clone())
        }
    }
}
