//! The thread pool of a CPU device.

use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rayon::prelude::*;

use crate::sim::request::fits;

/// Address space of a thread: its stack of 2 MiB, and memory of the system for the thread.
const STACK: usize = 3 << 20;

/// A thread pool, or the caller's thread only. Dropping it joins the threads.
pub(super) struct Pool {
    pool: Option<rayon::ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of `threads` threads; the caller's thread only, if `threads` is below two or the system starts no
    /// threads.
    pub fn new(threads: usize) -> Pool {
        let without_threads = || Pool { pool: None, handles: Vec::new() };
        if threads <= 1 {
            return without_threads();
        }
        // A thread that lacks the memory to start would end the process.
        if !fits(threads * STACK) {
            tracing::warn!("no memory for {threads} threads: simulations run on the caller's thread");
            return without_threads();
        }
        let handles = Mutex::new(Vec::new());
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|thread| {
                let name = format!("flow-cpu-{}", thread.index());
                let handle = std::thread::Builder::new().name(name).spawn(|| thread.run())?;
                handles.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
                Ok(())
            })
            .build();
        if let Err(error) = &pool {
            tracing::warn!(%error, "no threads: simulations run on the caller's thread");
        }
        Pool { pool: pool.ok(), handles: handles.into_inner().unwrap_or_else(PoisonError::into_inner) }
    }

    /// The threads; `None` for the caller's thread only.
    pub fn inner(&self) -> Option<&rayon::ThreadPool> {
        self.pool.as_ref()
    }

    /// Number of threads that work.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |p| p.current_num_threads())
    }

    /// Calls `job` once for each item, and adds up the results.
    pub fn each<I: Send, T: Default + AddAssign + Send>(&self, items: &mut [I], job: impl Fn(&mut I) -> T + Sync) -> T {
        let add = |mut a: T, b: T| {
            a += b;
            a
        };
        match &self.pool {
            Some(pool) if items.len() > 1 => {
                pool.install(|| items.par_iter_mut().with_max_len(1).map(&job).reduce(T::default, add))
            }
            _ => items.iter_mut().map(job).fold(T::default(), add),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.pool = None;
        for handle in self.handles.drain(..) {
            // The caller of a job has already received a panic of its worker.
            drop(handle.join());
        }
    }
}
