//! Readback of states in the background of rendering, on a separate thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::resident::{Copies, DeviceBuffers};
use super::slabs::Partition;
use super::upload::Slabs;
use crate::compute::gpu::core::{Core, Submission};
use crate::compute::gpu::fault::{Fault, panic_text};
use crate::compute::gpu::fetch::fetch;
use crate::compute::gpu::pool::{Lease, Use};
use crate::sim::request::Refused;
use crate::sim::water::field::Field;
use crate::sim::water::plan::Water;

/// Largest number of readbacks at once; more would only take memory.
const MOST: usize = 3;

/// Rows of one field of one slab.
struct Part {
    lease: Lease,
    field: usize,
    first: usize,
    last: usize,
}

/// A submitted readback of a state.
struct Request {
    copies: Arc<Copies>,
    partition: Arc<Partition>,
    /// Number of planes of height, flow and pigment.
    planes: Vec<usize>,
    parts: Vec<Part>,
    submission: Submission,
}

/// The number of readbacks under way.
#[derive(Default)]
struct Traffic {
    count: Mutex<usize>,
    finished: Condvar,
}

/// The readback thread of a device. Dropping it waits for the readbacks under way.
pub(super) struct Readback {
    requests: Option<Sender<Request>>,
    traffic: Arc<Traffic>,
    /// Whether readbacks of states that nothing refers to are skipped.
    skip: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Readback {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new(core: &Arc<Core>) -> Result<Readback, Fault> {
        let (requests, incoming) = mpsc::channel();
        let (traffic, skip) = (Arc::new(Traffic::default()), Arc::new(AtomicBool::new(false)));
        let (theirs, core, skipping) = (Arc::clone(&traffic), Arc::clone(core), Arc::clone(&skip));
        let thread = std::thread::Builder::new()
            .name("flow-gpu-down".to_owned())
            .spawn(move || work(&core, &incoming, &theirs, &skipping))
            .map_err(|e| Fault::Refused(e.to_string()))?;
        Ok(Readback { requests: Some(requests), traffic, skip, thread: Some(thread) })
    }

    /// Submits the readback of a state; blocks while [`MOST`] are under way.
    ///
    /// # Errors
    /// A fault of the device; the copies are then marked as failed.
    pub fn send(&self, core: &Core, copies: &Arc<Copies>, buffers: &DeviceBuffers) -> Result<(), Fault> {
        let sent = catch_unwind(AssertUnwindSafe(|| self.try_send(core, copies, buffers)))
            .unwrap_or_else(|payload| Err(Fault::Panic(panic_text(&*payload))));
        sent.inspect_err(|fault| {
            core.faults.enter(fault.clone());
            copies.fail();
        })
    }

    fn try_send(&self, core: &Core, copies: &Arc<Copies>, buffers: &DeviceBuffers) -> Result<(), Fault> {
        let mut count = self.traffic.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count >= MOST {
            count = self.traffic.finished.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
        *count += 1;
        drop(count);
        let slot = Slot(&self.traffic);
        let request = submit(core, copies, buffers);
        let lost = match (request, &self.requests) {
            (Ok(request), Some(requests)) => match requests.send(request) {
                Ok(()) => {
                    // The thread frees the slot.
                    std::mem::forget(slot);
                    return Ok(());
                }
                Err(_) => Fault::Panic("the readback thread has ended".to_owned()),
            },
            (Ok(_), None) => Fault::Panic("the readback has ended".to_owned()),
            (Err(fault), _) => fault,
        };
        drop(slot);
        Err(lost)
    }
}

impl Readback {
    /// From now on, states that nothing refers to are not read back.
    pub fn skip_unreferenced(&self) {
        self.skip.store(true, Ordering::Release);
    }
}

impl Drop for Readback {
    fn drop(&mut self) {
        self.skip_unreferenced();
        self.requests.take();
        if let Some(thread) = self.thread.take() {
            // A panic there has marked its copies as failed.
            drop(thread.join());
        }
    }
}

/// One of the [`MOST`] readbacks under way, until it is dropped.
struct Slot<'a>(&'a Traffic);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.finished.notify_all();
    }
}

/// Submits copies of a state into mappable buffers.
fn submit(core: &Core, copies: &Arc<Copies>, buffers: &DeviceBuffers) -> Result<Request, Fault> {
    let partition = &buffers.partition;
    let mut encoder = core.encoder();
    let mut parts = Vec::new();
    let fields: [Option<&Slabs>; 3] = [Some(&buffers.height), Some(&buffers.flow), buffers.pigment.as_ref()];
    let mut counts = Vec::new();
    for (field, slabs) in fields.into_iter().enumerate().filter_map(|(nth, slabs)| Some((nth, slabs?))) {
        let values = partition.stride() * partition.slabs[0].rows * size_of::<i32>();
        let count = slabs[0].buffer().size() as usize / values;
        counts.push(count);
        let row = (partition.stride() * count * size_of::<i32>()) as u64;
        for (nth, source) in slabs.iter().enumerate() {
            let (first, last) = partition.read_back(nth, field == 1);
            let (from, size) = (partition.slabs[nth].local(first) as u64 * row, (last + 1 - first) as u64 * row);
            let lease = core.pool.take(size, Use::Down)?;
            encoder.copy_buffer_to_buffer(source.buffer(), from, lease.buffer(), 0, size);
            parts.push(Part { lease, field, first, last });
        }
    }
    let submission = core.submit(encoder)?;
    Ok(Request { copies: Arc::clone(copies), partition: Arc::clone(partition), planes: counts, parts, submission })
}

fn work(core: &Core, incoming: &Receiver<Request>, traffic: &Traffic, skip: &AtomicBool) {
    while let Ok(request) = incoming.recv() {
        let slot = Slot(traffic);
        let copies = Arc::clone(&request.copies);
        // Only this reference and that of the request are left.
        let unreferenced = Arc::strong_count(&copies) <= 2;
        let done = catch_unwind(AssertUnwindSafe(|| {
            if unreferenced && skip.load(Ordering::Acquire) { None } else { Some(unpack(core, request)) }
        }));
        match done {
            Ok(Some(Ok(water))) => copies.arrive(water),
            Ok(Some(Err(fault))) => {
                // The state can be simulated again, but a device without readback is of no use.
                core.faults.enter(fault);
                copies.fail();
            }
            Ok(None) => copies.fail(),
            // The state can be simulated again, and the device works.
            Err(payload) if payload.is::<Refused>() => copies.fail(),
            Err(payload) => {
                core.faults.enter(Fault::Panic(panic_text(&*payload)));
                copies.fail();
            }
        }
        drop((copies, slot));
    }
}

/// Waits for a readback and copies it into planes.
fn unpack(core: &Core, request: Request) -> Result<Water, Fault> {
    let Request { partition, planes, parts, submission, .. } = request;
    let (width, height) = (partition.width, partition.height);
    let field = |count: &usize| match partition.wrap && partition.is_split() {
        // No slab owns the ring, which is 0.
        true => Field::new(width, height, *count),
        false => Field::uninitialised(width, height, *count, &core.memory),
    };
    let mut fields: Vec<Field> = planes.iter().map(field).collect();
    for part in parts {
        let values = bytemuck::cast_slice_mut(fields[part.field].rows_mut(part.first, part.last));
        fetch(core, &submission, vec![(part.lease, values)])?;
    }
    let mut fields = fields.into_iter();
    match (fields.next(), fields.next(), fields.next()) {
        (Some(height), Some(flow), pigment) => Ok(Water { height, flow, pigment }),
        _ => Err(Fault::Panic("a state without planes".to_owned())),
    }
}
