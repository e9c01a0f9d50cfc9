//! Requests for memory of the size of a grid. A refused request ends the frame, not the process.
//!
//! A request that the system refuses unwinds with a [`Refused`] up to [`attempt`], where it becomes an error: kernels
//! allocate on any thread, and the thread pool carries the payload of an unwinding task to its caller. No panic hook
//! runs. A handler of panics in between passes the payload on with [`unless_refused`].
//!
//! Small allocations, and those of other packages (graphics, EXR), abort the process where the system refuses them.
//! Their memory comes from [`RESERVE`], which every large request leaves free.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bytemuck::Zeroable;

/// Least size of a request that leaves [`RESERVE`] free, bytes.
pub const LARGE: usize = 1 << 20;

/// As [`LARGE`], in a process whose address space is limited: small planes must not use the reserve up.
const LARGE_IF_LIMITED: usize = 1 << 16;

/// Address space that a large request leaves free, in bytes.
pub const RESERVE: usize = 64 << 20;

/// Names injected refusals: `3@5` refuses the third request of the fifth attempt; several with commas.
const FAULTS: &str = "FLOW_MEMORY_FAULT";

/// A request that the system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system refused {bytes} bytes of memory")]
pub struct Refused {
    /// Bytes of the request.
    pub bytes: usize,
}

/// Runs a render whose requests may be refused, by the system or by an injected fault. Panics pass through.
///
/// # Errors
/// The first refused request.
pub fn attempt<R>(work: impl FnOnce() -> R) -> Result<R, Refused> {
    rehearsal::begin();
    let done = caught(work);
    rehearsal::end();
    done
}

/// As [`attempt`], for work outside of renders, without injected faults.
///
/// # Errors
/// The first refused request.
pub fn caught<R>(work: impl FnOnce() -> R) -> Result<R, Refused> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Refused>() {
        Ok(refused) => *refused,
        Err(panic) => resume_unwind(panic),
    })
}

/// Returns the payload of a panic; resumes unwinding where it is a refused request.
pub fn unless_refused(payload: Box<dyn Any + Send>) -> Box<dyn Any + Send> {
    if payload.is::<Refused>() { resume_unwind(payload) } else { payload }
}

/// Unwinds to [`attempt`] with a refused request.
#[cold]
pub fn refuse(bytes: usize) -> ! {
    resume_unwind(Box::new(Refused { bytes }))
}

/// Checks a request of `bytes`, before the caller allocates them.
pub fn permit(bytes: usize) {
    if rehearsal::is_due() {
        refuse(bytes);
    }
    if bytes >= SMALLEST.load(Ordering::Relaxed) && !fits(bytes) {
        if let Some(reclaim) = RECLAIM.get() {
            reclaim();
        }
        if !fits(bytes) {
            refuse(bytes);
        }
    }
}

/// Least size of a request that is compared with the free memory, bytes.
static SMALLEST: AtomicUsize = AtomicUsize::new(LARGE);

/// Frees memory that is kept for later frames.
static RECLAIM: OnceLock<fn()> = OnceLock::new();

/// Sets the function that frees memory kept for later frames. It is called, on any thread, before a request is refused.
/// Only the first call counts.
pub fn reclaim_with(reclaim: fn()) {
    RECLAIM.get_or_init(|| reclaim);
}

/// Sets whether the address space of the process is limited.
pub fn limited(is_limited: bool) {
    SMALLEST.store(if is_limited { LARGE_IF_LIMITED } else { LARGE }, Ordering::Relaxed);
}

/// Whether the system has `bytes` and [`RESERVE`] more.
pub fn fits(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let fits = probe.try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok();
    // Keeps the compiler from leaving the allocation out.
    std::hint::black_box(&mut probe);
    fits
}

/// An empty vector with capacity for `len` values.
pub fn with_capacity<T>(len: usize) -> Vec<T> {
    let bytes = len.saturating_mul(size_of::<T>());
    permit(bytes);
    let mut values = Vec::new();
    if values.try_reserve_exact(len).is_err() {
        refuse(bytes);
    }
    values
}

/// Zeros.
pub fn zeros<T: Zeroable>(len: usize) -> Vec<T> {
    let bytes = len.saturating_mul(size_of::<T>());
    permit(bytes);
    bytemuck::allocation::try_zeroed_vec(len).unwrap_or_else(|()| refuse(bytes))
}

/// A vector of `len` equal values.
pub fn filled<T: Clone>(len: usize, value: T) -> Vec<T> {
    let mut values = with_capacity(len);
    values.resize(len, value);
    values
}

/// A copy of a slice.
pub fn copied<T: Clone>(values: &[T]) -> Vec<T> {
    let mut copy = with_capacity(values.len());
    copy.extend_from_slice(values);
    copy
}

/// A vector of the values of an iterator.
pub fn collected<T>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let values = values.into_iter();
    let (least, most) = values.size_hint();
    let mut collected = with_capacity(least);
    if most == Some(least) {
        collected.extend(values);
    } else {
        extend(&mut collected, values);
    }
    collected
}

/// Appends values to a vector that may grow to the size of a grid.
pub fn extend<T>(list: &mut Vec<T>, values: impl IntoIterator<Item = T>) {
    values.into_iter().for_each(|value| push(list, value));
}

/// Appends a value to a vector that may grow to the size of a grid.
pub fn push<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        let more = list.len().max(64);
        let bytes = (list.len() + more).saturating_mul(size_of::<T>());
        permit(bytes);
        if list.try_reserve_exact(more).is_err() {
            refuse(bytes);
        }
    }
    list.push(value);
}

/// Injected refusals, from [`FAULTS`].
mod rehearsal {
    use super::{AtomicU64, FAULTS, OnceLock, Ordering};

    /// Number of attempts so far.
    static ATTEMPTS: AtomicU64 = AtomicU64::new(0);
    /// Number of requests up to the one to refuse, included; 0 for none.
    static LEFT: AtomicU64 = AtomicU64::new(0);

    /// The requests to refuse, each with its attempt.
    fn plan() -> &'static [(u64, u64)] {
        static PLAN: OnceLock<Vec<(u64, u64)>> = OnceLock::new();
        PLAN.get_or_init(|| std::env::var(FAULTS).map(|text| parse(&text)).unwrap_or_default())
    }

    pub fn parse(text: &str) -> Vec<(u64, u64)> {
        let parse = |item: &str| {
            let (request, attempt) = item.trim().split_once('@')?;
            Some((request.parse().ok()?, attempt.parse().ok()?))
        };
        let understood = |item: &str| {
            let parsed = parse(item);
            if parsed.is_none() {
                tracing::warn!("{FAULTS}: {item:?} is not understood; write it like 3@5");
            }
            parsed
        };
        text.split(',').filter_map(understood).collect()
    }

    pub fn begin() {
        if plan().is_empty() {
            return;
        }
        let attempt = ATTEMPTS.fetch_add(1, Ordering::Relaxed) + 1;
        let due = plan().iter().find(|(_, at)| *at == attempt).map_or(0, |(request, _)| *request);
        LEFT.store(due, Ordering::Relaxed);
    }

    pub fn end() {
        LEFT.store(0, Ordering::Relaxed);
    }

    pub fn is_due() -> bool {
        if LEFT.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let before = LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        before == Ok(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_beyond_any_machine_is_refused_and_a_panic_stays_a_panic() {
        let absurd = usize::MAX / 4;
        assert_eq!(attempt(|| zeros::<u8>(absurd)), Err(Refused { bytes: absurd }));
        assert_eq!(attempt(|| with_capacity::<u8>(absurd)), Err(Refused { bytes: absurd }));
        assert_eq!(attempt(|| filled(absurd, [1_u64; 8])), Err(Refused { bytes: usize::MAX }));
        assert_eq!(attempt(|| zeros::<i32>(3)), Ok(vec![0; 3]));
        assert_eq!(attempt(|| collected((1..=300).filter(|n| n % 3 == 0)).len()), Ok(100));
        let panic = catch_unwind(|| attempt(|| -> () { panic!("a bug") })).expect_err("passes through");
        assert_eq!(unless_refused(panic).downcast_ref(), Some(&"a bug"));
        let refused = attempt(|| {
            catch_unwind(|| refuse(7)).map_err(|payload| drop(unless_refused(payload))).expect("unwinds before")
        });
        assert_eq!(refused, Err(Refused { bytes: 7 }));
    }

    #[test]
    fn a_task_of_the_thread_pool_hands_its_refusal_to_the_caller() {
        let refused = attempt(|| {
            std::thread::scope(|scope| {
                let task = scope.spawn(|| zeros::<u8>(usize::MAX / 4));
                task.join().unwrap_or_else(|payload| resume_unwind(payload))
            })
        });
        assert!(refused.is_err());
    }

    #[test]
    fn rehearsals_are_read() {
        assert_eq!(rehearsal::parse("3@5, 1@20"), [(3, 5), (1, 20)]);
        assert_eq!(rehearsal::parse("3,x@1"), []);
    }
}
