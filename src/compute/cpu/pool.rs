//! The device's own threads, and work cut by rows.

use std::ops::AddAssign;
use std::sync::Mutex;
use std::thread::JoinHandle;

use rayon::prelude::*;

use crate::sim::field::Field;

/// Cells that a band of rows holds at least: work is cut by data, never by the number of threads.
const BAND_CELLS: usize = 16384;

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

    /// Number of threads that work.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |p| p.current_num_threads())
    }

    /// Calls `job` once for every row `first ..= last` (ring coordinates) of `field` with all its planes, and adds up
    /// what it gives. `scratch` makes what a band of rows shares.
    pub fn rows<S, T: Default + AddAssign + Send>(
        &self,
        field: &mut Field,
        (first, last): (usize, usize),
        scratch: impl Fn() -> S + Sync,
        job: impl Fn(&mut S, usize, &mut [i32]) -> T + Sync,
    ) -> T {
        let len = field.row_len();
        let band = BAND_CELLS.div_ceil(field.stride());
        let work = |(index, rows): (usize, &mut [i32])| {
            let mut scratch = scratch();
            let mut sum = T::default();
            for (i, row) in rows.chunks_exact_mut(len).enumerate() {
                sum += job(&mut scratch, first + index * band + i, row);
            }
            sum
        };
        let add = |mut a: T, b: T| {
            a += b;
            a
        };
        let rows = field.rows_mut(first, last);
        match &self.pool {
            Some(pool) if last - first >= band => {
                pool.install(|| rows.par_chunks_mut(band * len).enumerate().map(work).reduce(T::default, add))
            }
            _ => rows.chunks_mut(band * len).enumerate().map(work).fold(T::default(), add),
        }
    }

    /// A copy of a field.
    pub fn copy(&self, from: &Field) -> Field {
        let mut copy = Field::new(from.width(), from.height(), from.planes());
        let stride = from.stride();
        self.rows(
            &mut copy,
            (0, from.height() + 1),
            || (),
            |(), y, row| {
                for (plane, values) in row.chunks_exact_mut(stride).enumerate() {
                    values.copy_from_slice(from.row(y, plane));
                }
                Nothing
            },
        );
        copy
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

/// The sum of jobs that count nothing.
#[derive(Default)]
pub(super) struct Nothing;

impl AddAssign for Nothing {
    fn add_assign(&mut self, _: Nothing) {}
}
