//! Writing in the background: a bounded queue, and one thread per four cores.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

/// Minimum capacity of the queue in jobs, running ones included. Each job holds a state in memory.
const MOST: usize = 4;

/// `flush` gives up if no job has ended for this time, since the disk does not respond.
const STALLED: Duration = Duration::from_secs(20);

/// Time between two calls of `go_on` during a wait.
const POLL: Duration = Duration::from_millis(10);

/// Without waiting, at most one part in this number of the time is spent on writing: the memory bandwidth and the disk
/// bandwidth of a write slow down rendering at any thread priority.
const PART_OF_THE_TIME: u32 = 6;

/// Cores per writing thread: compressing a state takes longer than simulating it.
const SHARE_OF_CORES: usize = 4;

/// A job for a writing thread.
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
    /// Numbers of the waiting and running jobs.
    open: BTreeSet<u64>,
    /// Bytes held by these jobs.
    bytes: u64,
    /// Time until which jobs that do not wait are refused.
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

    /// Runs jobs until the queue is closed and empty.
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
                tracing::error!("writing a state panicked");
            }
            inner = self.lock();
            inner.open.remove(&number);
            inner.bytes -= bytes;
            inner.rest = Some(Instant::now() + begun.elapsed() * (PART_OF_THE_TIME - 1));
            self.changed.notify_all();
        }
    }
}

/// Thread priority from 0 to 100, where 50 is the default: low in comparison with the rendering threads, but high
/// enough for progress on a machine whose cores are all busy. It is a niceness of 9 on Linux.
const PRIORITY: u8 = 25;

/// Lowers the priority of this thread below that of the rendering threads.
fn lower_priority() {
    let priority = ThreadPriorityValue::try_from(PRIORITY).map(ThreadPriority::Crossplatform);
    if let Err(error) = set_current_thread_priority(priority.unwrap_or(ThreadPriority::Min)) {
        tracing::debug!(%error, "the writing thread has the default priority");
    }
}

/// The write queue. Its threads start with the first job.
#[derive(Default)]
pub struct Writer(Arc<Shared>);

impl Writer {
    /// Queues a job that holds `bytes` bytes, out of `capacity` bytes for all jobs. One job is accepted whatever its
    /// size. If the queue is full, the call waits while `patience` returns true. Without `patience` the job is refused
    /// while another job is open, and until the pause after the last write has ended. Returns false if the job was
    /// dropped.
    pub fn submit(&self, job: Job, bytes: u64, capacity: u64, mut patience: Option<&mut dyn FnMut() -> bool>) -> bool {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).div_ceil(SHARE_OF_CORES);
        let mut inner = self.0.lock();
        let full = |inner: &Inner| {
            inner.open.len() >= MOST.max(threads + 2) || !inner.open.is_empty() && inner.bytes + bytes > capacity
        };
        if patience.is_none() && (!inner.open.is_empty() || inner.rest.is_some_and(|rest| Instant::now() < rest)) {
            return false;
        }
        while full(&inner) {
            let Some(go_on) = &mut patience else { return false };
            self.0.changed.wait_for(&mut inner, POLL);
            // The host is called without the lock.
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
                    tracing::warn!(%error, "cannot start a thread for writing");
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

    /// Waits until all jobs that were queued before the call are done. Returns false if `go_on` ended the wait, or if
    /// no job has ended for `STALLED`.
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

    /// Runs all queued jobs and joins the threads.
    pub fn close(&self) {
        let threads = {
            let mut inner = self.0.lock();
            inner.closing = true;
            std::mem::take(&mut inner.threads)
        };
        self.0.changed.notify_all();
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a writing thread panicked");
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
    fn a_full_queue_refuses_or_waits_and_survives_a_panic() {
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
        assert!(!writer.submit(job(false), 10, 1000, Some(&mut patience)), "the wait ends with `go_on`");
        assert_eq!(asked, 3);
        assert!(!writer.flush(&mut || false));
        drop(open);
        assert!(writer.flush(&mut || true));
        assert_eq!(done.load(Ordering::Relaxed), taken);
        writer.close();
        assert!(writer.submit(Box::new(|| ()), 10, 1000, Some(&mut || true)), "the threads start again");
        writer.close();
    }

    #[test]
    fn memory_is_bounded_but_one_job_is_always_accepted() {
        let writer = Writer::default();
        let (open, gate) = mpsc::channel::<()>();
        assert!(
            writer.submit(Box::new(move || assert!(gate.recv().is_err())), 900, 100, None),
            "larger than the capacity"
        );
        assert!(!writer.submit(Box::new(|| ()), 1, 100, Some(&mut || false)));
        assert!(writer.submit(Box::new(|| ()), 50, 1000, Some(&mut || false)), "a larger capacity accepts it");
        drop(open);
        writer.close();
    }

    #[test]
    fn without_waiting_most_of_the_time_is_left() {
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
            // The pause is a multiple of the job's own duration, so this holds on a slow machine too.
            assert!(next - ended >= (ended - began) * (PART_OF_THE_TIME - 1));
        }
        assert_eq!(times.len(), 3);
    }
}
