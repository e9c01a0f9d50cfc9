//! The interface to the threads of the caller.

/// Parallel execution by the threads of the caller.
pub trait Pool: Sync {
    /// Calls `work` once with each number below `count`, in any order, on any threads. Returns when all calls have
    /// returned.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync));

    /// Expected number of concurrent calls. It determines the memory that is allocated; results do not depend on it.
    fn width(&self) -> usize {
        8
    }
}

/// A pool without threads: the calling thread does all work, in order.
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
