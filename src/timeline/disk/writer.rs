//! Writing behind the rendering: a thread for every four cores, and a short queue.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

/// Writes under way or waiting, at most, where there are few threads: each holds a state in memory.
const MOST: usize = 4;

/// Who waits for the queue to be empty gives up when nothing was finished for so long: a disk hangs.
const STALLED: Duration = Duration::from_secs(20);

/// How often a waiter asks whether to go on.
const POLL: Duration = Duration::from_millis(10);

/// Who would rather leave a frame out than wait writes no more than this part of the time: the memory and the disk that a
/// write takes are felt, whatever the priority of its thread.
const PART_OF_THE_TIME: u32 = 6;

/// Cores for each thread that writes: compressing a state takes longer than simulating it.
const SHARE_OF_CORES: usize = 4;

/// A piece of work.
pub type Job = Box<dyn FnOnce() + Send>;

/// A job in the queue.
struct Queued {
    number: u64,
    bytes: u64,
    job: Job,
}

#[derive(Default)]
struct Inner {
    jobs: VecDeque<Queued>,
    /// Jobs waiting and under way, by their numbers.
    open: BTreeSet<u64>,
    /// Memory that they hold.
    bytes: u64,
    /// Until when those who do not wait leave their frames out.
    rest: Option<Instant>,
    next: u64,
    closing: bool,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    /// Works until the queue is closed and empty.
    fn work(&self) {
        let mut inner = self.lock();
        loop {
            let Some(Queued { number, bytes, job }) = inner.jobs.pop_front() else {
                if inner.closing {
                    return;
                }
                self.changed.wait(&mut inner);
                continue;
            };
            drop(inner);
            let begun = Instant::now();
            if catch_unwind(AssertUnwindSafe(job)).is_err() {
                tracing::error!("writing a state failed in an unexpected way");
            }
            inner = self.lock();
            inner.open.remove(&number);
            inner.bytes -= bytes;
            inner.rest = Some(Instant::now() + begun.elapsed() * (PART_OF_THE_TIME - 1));
            self.changed.notify_all();
        }
    }
}

/// Of 100, where 50 is what threads have by themselves: little beside whoever renders, but not so little that nothing is
/// ever written on a machine whose cores are all busy. On Linux it is a niceness of 9.
const PRIORITY: u8 = 25;

/// Lets whoever renders go first: this thread gets what they leave, and all of it where they wait.
fn lower_priority() {
    let priority = ThreadPriorityValue::try_from(PRIORITY).map(ThreadPriority::Crossplatform);
    if let Err(error) = set_current_thread_priority(priority.unwrap_or(ThreadPriority::Min)) {
        tracing::debug!(%error, "the thread that writes has the priority of all others");
    }
}

/// The queue. Its threads start with the first job.
#[derive(Default)]
pub struct Writer(Arc<Shared>);

impl Writer {
    /// Takes a job that holds so many bytes, of `room` for all; one job is always taken. Where the queue is full it waits as
    /// long as `patience` says so; without any it refuses, and also while writing has had its part of the time. False where
    /// the job was dropped.
    pub fn submit(&self, job: Job, bytes: u64, room: u64, mut patience: Option<&mut dyn FnMut() -> bool>) -> bool {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).div_ceil(SHARE_OF_CORES);
        let mut inner = self.0.lock();
        let full = |inner: &Inner| {
            inner.open.len() >= MOST.max(threads + 2) || !inner.open.is_empty() && inner.bytes + bytes > room
        };
        if patience.is_none() && (!inner.open.is_empty() || inner.rest.is_some_and(|rest| Instant::now() < rest)) {
            return false;
        }
        while full(&inner) {
            let Some(go_on) = &mut patience else { return false };
            self.0.changed.wait_for(&mut inner, POLL);
            // The host is asked with no lock held.
            drop(inner);
            if !go_on() {
                return false;
            }
            inner = self.0.lock();
        }
        inner.closing = false;
        if inner.threads.len() < threads {
            let shared = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name("flow-disk".to_owned()).spawn(move || {
                lower_priority();
                shared.work();
            });
            match thread {
                Ok(thread) => inner.threads.push(thread),
                Err(error) => {
                    tracing::warn!(%error, "no thread to write with");
                    if inner.threads.is_empty() {
                        return false;
                    }
                }
            }
        }
        inner.next += 1;
        let number = inner.next;
        inner.open.insert(number);
        inner.bytes += bytes;
        inner.jobs.push_back(Queued { number, bytes, job });
        drop(inner);
        self.0.changed.notify_all();
        true
    }

    /// Waits until all jobs that were handed in before are done, as long as `go_on` says so and any is finished now and
    /// then; false where they are not done.
    pub fn flush(&self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let last = self.0.lock().next;
        let (mut since, mut left) = (Instant::now(), usize::MAX);
        loop {
            let mut inner = self.0.lock();
            let now = inner.open.range(..=last).count();
            if now == 0 {
                return true;
            }
            if now < left {
                (since, left) = (Instant::now(), now);
            } else if since.elapsed() > STALLED {
                return false;
            }
            self.0.changed.wait_for(&mut inner, POLL);
            drop(inner);
            if !go_on() {
                return false;
            }
        }
    }

    /// Finishes all jobs and joins the threads.
    pub fn close(&self) {
        let threads = {
            let mut inner = self.0.lock();
            inner.closing = true;
            std::mem::take(&mut inner.threads)
        };
        self.0.changed.notify_all();
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("the thread that writes failed in an unexpected way");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_full_queue_refuses_or_waits_and_a_panic_ends_nothing() {
        let writer = Writer::default();
        let done = Arc::new(AtomicUsize::new(0));
        let (open, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let job = |fails: bool| -> Job {
            let (done, gate) = (Arc::clone(&done), Arc::clone(&gate));
            Box::new(move || {
                let _ = gate.lock().recv();
                done.fetch_add(1, Ordering::Relaxed);
                assert!(!fails, "a job that fails");
            })
        };
        let mut taken = 0;
        while writer.submit(job(taken == 0), 10, 1000, Some(&mut || false)) {
            taken += 1;
            assert!(taken < 1000, "the queue has a bound");
        }
        assert!(taken >= MOST);
        assert!(!writer.submit(job(false), 10, 1000, None));
        let mut asked = 0;
        let mut patience = || {
            asked += 1;
            asked < 3
        };
        assert!(!writer.submit(job(false), 10, 1000, Some(&mut patience)), "it stops waiting when it is told to");
        assert_eq!(asked, 3);
        assert!(!writer.flush(&mut || false));
        drop(open);
        assert!(writer.flush(&mut || true));
        assert_eq!(done.load(Ordering::Relaxed), taken);
        writer.close();
        assert!(writer.submit(Box::new(|| ()), 10, 1000, Some(&mut || true)), "it starts anew");
        writer.close();
    }

    #[test]
    fn memory_is_bounded_but_one_job_always_has_room() {
        let writer = Writer::default();
        let (open, gate) = mpsc::channel::<()>();
        assert!(
            writer.submit(Box::new(move || assert!(gate.recv().is_err())), 900, 100, None),
            "larger than all the room"
        );
        assert!(!writer.submit(Box::new(|| ()), 1, 100, Some(&mut || false)));
        assert!(writer.submit(Box::new(|| ()), 50, 1000, Some(&mut || false)), "with more room there is more");
        drop(open);
        writer.close();
    }

    #[test]
    fn who_does_not_wait_leaves_the_machine_most_of_the_time() {
        let writer = Writer::default();
        let times = Arc::new(Mutex::new(Vec::new()));
        let mut taken = 0;
        while taken < 3 {
            let times = Arc::clone(&times);
            let job = move || {
                let began = Instant::now();
                std::thread::sleep(Duration::from_millis(5));
                times.lock().push((began, Instant::now()));
            };
            taken += u32::from(writer.submit(Box::new(job), 10, 1000, None));
            std::thread::sleep(Duration::from_micros(100));
        }
        writer.close();
        let times = times.lock();
        for pair in times.windows(2) {
            let [(began, ended), (next, _)] = [pair[0], pair[1]];
            // True however slow the machine is: the pause is measured from the job's own length.
            assert!(next - ended >= (ended - began) * (PART_OF_THE_TIME - 1));
        }
        assert_eq!(times.len(), 3);
    }
}
