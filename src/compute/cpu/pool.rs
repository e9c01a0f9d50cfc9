//! The device's own threads.

use std::ops::AddAssign;
use std::sync::Mutex;
use std::thread::JoinHandle;

use rayon::prelude::*;

use crate::sim::request::fits;

/// Address space of a thread: its stack of 2 MiB, and what the system puts beside it.
const STACK: usize = 3 << 20;

/// Threads that are joined when the pool is dropped. One thread means the caller's own.
pub(super) struct Pool {
    pool: Option<rayon::ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of `threads`. Where the system gives no threads, the caller's own serves.
    pub fn new(threads: usize) -> Pool {
        if threads <= 1 {
            return Pool { pool: None, handles: Vec::new() };
        }
        // A thread that cannot set itself up ends the process.
        if !fits(threads * STACK) {
            tracing::warn!("no memory for {threads} threads: simulations run on the caller's");
            return Pool { pool: None, handles: Vec::new() };
        }
        let handles = Mutex::new(Vec::new());
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|thread| {
                let name = format!("flow-water-{}", thread.index());
                let handle = std::thread::Builder::new().name(name).spawn(|| thread.run())?;
                handles.lock().unwrap_or_else(|e| e.into_inner()).push(handle);
                Ok(())
            })
            .build();
        if let Err(error) = &pool {
            tracing::warn!(%error, "no threads for the water: it runs on the caller's");
        }
        Pool { pool: pool.ok(), handles: handles.into_inner().unwrap_or_else(|e| e.into_inner()) }
    }

    /// The threads, where there are any beside the caller's.
    pub fn inner(&self) -> Option<&rayon::ThreadPool> {
        self.pool.as_ref()
    }

    /// Number of threads that work.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |p| p.current_num_threads())
    }

    /// Calls `job` once with every item, and adds up what it gives.
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
            // A worker's panic was already handed to the caller of its job.
            drop(handle.join());
        }
    }
}
