//! Writing behind the rendering: one thread, and a short queue.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Writes under way or waiting, at most: each holds a state in memory.
const MOST: usize = 4;

/// How often a waiter asks whether to go on.
const POLL: Duration = Duration::from_millis(10);

/// Threads that write: compressing a state takes longer than simulating it.
const SHARE_OF_CORES: usize = 4;

/// A piece of work.
pub type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Inner {
    jobs: VecDeque<Job>,
    /// Jobs waiting and under way.
    open: usize,
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
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, inner: MutexGuard<'a, Inner>) -> MutexGuard<'a, Inner> {
        self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until the queue is closed and empty.
    fn work(&self) {
        let mut inner = self.lock();
        loop {
            let Some(job) = inner.jobs.pop_front() else {
                if inner.closing {
                    return;
                }
                inner = self.wait(inner);
                continue;
            };
            drop(inner);
            if catch_unwind(AssertUnwindSafe(job)).is_err() {
                tracing::error!("writing a state failed in an unexpected way");
            }
            inner = self.lock();
            inner.open -= 1;
            self.changed.notify_all();
        }
    }
}

/// The queue. Its threads start with the first job.
#[derive(Default)]
pub struct Writer(Arc<Shared>);

impl Writer {
    /// Takes a job. Where the queue is full it waits as long as `patience` says so, or, without any, refuses; false where
    /// the job was dropped.
    pub fn submit(&self, job: Job, mut patience: Option<&mut dyn FnMut() -> bool>) -> bool {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).div_ceil(SHARE_OF_CORES);
        let mut inner = self.0.lock();
        while inner.open >= MOST.max(threads + 2) {
            let Some(go_on) = &mut patience else { return false };
            let waited = self.0.changed.wait_timeout(inner, POLL);
            // The host is asked with no lock held.
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            if !go_on() {
                return false;
            }
            inner = self.0.lock();
        }
        inner.closing = false;
        if inner.threads.len() < threads {
            let shared = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name("flow-disk".to_owned()).spawn(move || shared.work());
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
        inner.open += 1;
        inner.jobs.push_back(job);
        drop(inner);
        self.0.changed.notify_all();
        true
    }

    /// Waits until no job is open, as long as `go_on` says so; false where it said no.
    pub fn flush(&self, go_on: &mut dyn FnMut() -> bool) -> bool {
        loop {
            let inner = self.0.lock();
            if inner.open == 0 {
                return true;
            }
            drop(self.0.changed.wait_timeout(inner, POLL).unwrap_or_else(PoisonError::into_inner));
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
                let _ = gate.lock().unwrap_or_else(PoisonError::into_inner).recv();
                done.fetch_add(1, Ordering::Relaxed);
                assert!(!fails, "a job that fails");
            })
        };
        let mut taken = 0;
        while writer.submit(job(taken == 0), None) {
            taken += 1;
            assert!(taken < 1000, "the queue has a bound");
        }
        assert!(taken >= MOST);
        let mut asked = 0;
        let mut patience = || {
            asked += 1;
            asked < 3
        };
        assert!(!writer.submit(job(false), Some(&mut patience)), "it stops waiting when it is told to");
        assert_eq!(asked, 3);
        assert!(!writer.flush(&mut || false));
        drop(open);
        assert!(writer.flush(&mut || true));
        assert_eq!(done.load(Ordering::Relaxed), taken);
        writer.close();
        assert!(writer.submit(Box::new(|| ()), None), "it starts anew");
        writer.close();
    }
}
