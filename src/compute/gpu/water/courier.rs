//! Brings states down behind the rendering: a thread that waits for copies and unpacks them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::super::core::{Core, Submission};
use super::super::fault::{Fault, panic_text};
use super::super::fetch::fetch;
use super::super::pool::{Lease, Use};
use super::resident::{Kept, Planes};
use super::slabs::Cut;
use super::upload::Slabs;
use crate::sim::request::Refused;
use crate::sim::water::field::Field;
use crate::sim::water::plan::Water;

/// States that may be on their way at once; more would only take memory.
const MOST: usize = 3;

/// Rows of one field of one slab.
struct Part {
    lease: Lease,
    field: usize,
    first: usize,
    last: usize,
}

struct Parcel {
    kept: Arc<Kept>,
    cut: Arc<Cut>,
    /// Planes of heights, flows, pigment.
    planes: Vec<usize>,
    parts: Vec<Part>,
    submission: Submission,
}

/// How many are on their way.
#[derive(Default)]
struct Traffic {
    count: Mutex<usize>,
    less: Condvar,
}

/// The courier of a device. Dropping it waits until all is down, or failed.
pub(in crate::compute::gpu) struct Courier {
    parcels: Option<Sender<Parcel>>,
    traffic: Arc<Traffic>,
    hurry: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Courier {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn new(core: &Arc<Core>) -> Result<Courier, Fault> {
        let (parcels, incoming) = mpsc::channel();
        let (traffic, hurry) = (Arc::new(Traffic::default()), Arc::new(AtomicBool::new(false)));
        let (theirs, core, quit) = (Arc::clone(&traffic), Arc::clone(core), Arc::clone(&hurry));
        let thread = std::thread::Builder::new()
            .name("flow-gpu-down".to_owned())
            .spawn(move || work(&core, &incoming, &theirs, &quit))
            .map_err(|e| Fault::Refused(e.to_string()))?;
        Ok(Courier { parcels: Some(parcels), traffic, hurry, thread: Some(thread) })
    }

    /// Sends a state on its way down; waits while too many are.
    ///
    /// # Errors
    /// A fault of the device; the state is then marked as lost.
    pub fn send(&self, core: &Core, kept: &Arc<Kept>, planes: &Planes) -> Result<(), Fault> {
        let sent = catch_unwind(AssertUnwindSafe(|| self.try_send(core, kept, planes)))
            .unwrap_or_else(|payload| Err(Fault::Panic(panic_text(&*payload))));
        sent.inspect_err(|fault| {
            core.faults.enter(fault.clone());
            kept.fail();
        })
    }

    fn try_send(&self, core: &Core, kept: &Arc<Kept>, planes: &Planes) -> Result<(), Fault> {
        let mut count = self.traffic.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count >= MOST {
            count = self.traffic.less.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
        *count += 1;
        drop(count);
        let way = Way(&self.traffic);
        let parcel = pack(core, kept, planes);
        let lost = match (parcel, &self.parcels) {
            (Ok(parcel), Some(parcels)) => match parcels.send(parcel) {
                Ok(()) => {
                    // The thread leaves in its place.
                    std::mem::forget(way);
                    return Ok(());
                }
                Err(_) => Fault::Panic("the courier is gone".to_owned()),
            },
            (Ok(_), None) => Fault::Panic("the courier has left".to_owned()),
            (Err(fault), _) => fault,
        };
        drop(way);
        Err(lost)
    }
}

impl Courier {
    /// From now on, only states that somebody still wants come down.
    pub fn hurry(&self) {
        self.hurry.store(true, Ordering::Release);
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        self.hurry();
        self.parcels.take();
        if let Some(thread) = self.thread.take() {
            // A panic there has marked its state as lost.
            drop(thread.join());
        }
    }
}

/// A place among those that are on their way; dropping it leaves it to another.
struct Way<'a>(&'a Traffic);

impl Drop for Way<'_> {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.less.notify_all();
    }
}

/// Copies a state into buffers that can be read, after all that was submitted before.
fn pack(core: &Core, kept: &Arc<Kept>, planes: &Planes) -> Result<Parcel, Fault> {
    let cut = &planes.cut;
    let mut encoder = core.encoder();
    let mut parts = Vec::new();
    let fields: [Option<&Slabs>; 3] = [Some(&planes.height), Some(&planes.flow), planes.pigment.as_ref()];
    let mut counts = Vec::new();
    for (field, slabs) in fields.into_iter().enumerate().filter_map(|(nth, slabs)| Some((nth, slabs?))) {
        let values = cut.stride() * cut.slabs[0].rows * size_of::<i32>();
        let count = slabs[0].buffer().size() as usize / values;
        counts.push(count);
        let row = (cut.stride() * count * size_of::<i32>()) as u64;
        for (nth, source) in slabs.iter().enumerate() {
            let (first, last) = cut.handed_over(nth, field == 1);
            let (from, size) = (cut.slabs[nth].local(first) as u64 * row, (last + 1 - first) as u64 * row);
            let lease = core.pool.take(size, Use::Down)?;
            encoder.copy_buffer_to_buffer(source.buffer(), from, lease.buffer(), 0, size);
            parts.push(Part { lease, field, first, last });
        }
    }
    let submission = core.submit(encoder)?;
    Ok(Parcel { kept: Arc::clone(kept), cut: Arc::clone(cut), planes: counts, parts, submission })
}

fn work(core: &Core, incoming: &Receiver<Parcel>, traffic: &Traffic, hurry: &AtomicBool) {
    while let Ok(parcel) = incoming.recv() {
        let way = Way(traffic);
        let kept = Arc::clone(&parcel.kept);
        // This one and the parcel's: nobody else wants the state any more.
        let unwanted = Arc::strong_count(&kept) <= 2;
        let brought = catch_unwind(AssertUnwindSafe(|| {
            if unwanted && hurry.load(Ordering::Acquire) { None } else { Some(bring(core, parcel)) }
        }));
        match brought {
            Ok(Some(Ok(water))) => kept.arrive(water),
            Ok(Some(Err(fault))) => {
                // It has its recipe; but a device that cannot hand over what it makes is of no use.
                core.faults.enter(fault);
                kept.fail();
            }
            Ok(None) => kept.fail(),
            // It has its recipe, and the device works.
            Err(payload) if payload.is::<Refused>() => kept.fail(),
            Err(payload) => {
                core.faults.enter(Fault::Panic(panic_text(&*payload)));
                kept.fail();
            }
        }
        drop((kept, way));
    }
}

fn bring(core: &Core, parcel: Parcel) -> Result<Water, Fault> {
    let Parcel { cut, planes, parts, submission, .. } = parcel;
    // Where the ring is no slab's own, it is 0; otherwise every row is handed over.
    let blank = if cut.wrap && cut.is_split() { Field::new } else { Field::uninitialised };
    let mut fields: Vec<Field> = planes.iter().map(|&count| blank(cut.width, cut.height, count)).collect();
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
