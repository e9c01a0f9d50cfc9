//! Threads are the caller's.

/// Work in parallel, given by who has threads.
pub trait Pool: Sync {
    /// Calls `work` once with each number below `count`, in any order, on any threads, and returns when all calls have.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync));

    /// How many calls are likely to run at once. Bounds how much is held in memory; the result never depends on it.
    fn width(&self) -> usize {
        8
    }
}

/// No threads: all work is done by the caller's, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Pool for Serial {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }

    fn width(&self) -> usize {
        1
    }
}
