//! Memory for pictures. If the system refuses it, the frame fails and the process continues: the refusal unwinds to
//! [`attempt`], or to the suite function that the plug-in called.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::{Error, Result};

/// Size in bytes from which a request leaves [`RESERVE`] free.
const LARGE: usize = 1 << 20;

/// Bytes that a large request leaves free for small allocations, which are not checked.
const RESERVE: usize = 64 << 20;

/// A refused request: its size in bytes.
struct Refused(usize);

/// Ends the frame if the system does not have this number of bytes.
pub(crate) fn reserve(bytes: usize) {
    if bytes < LARGE {
        return;
    }
    let mut probe: Vec<u8> = Vec::new();
    let has = probe.try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok();
    // The compiler may remove an unused allocation.
    std::hint::black_box(&mut probe);
    if !has {
        resume_unwind(Box::new(Refused(bytes)));
    }
}

/// A vector of zeros.
pub(crate) fn zeros(bytes: usize) -> Vec<u8> {
    reserve(bytes);
    vec![0; bytes]
}

/// An empty vector with a capacity of `len` values.
pub(crate) fn vector<T>(len: usize) -> Vec<T> {
    reserve(len.saturating_mul(size_of::<T>()));
    Vec::with_capacity(len)
}

/// Whether a panic's payload is a refused request.
pub(crate) fn is_refused(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Refused>()
}

/// Runs code that may reserve for memory. Panics pass through.
pub(crate) fn attempt<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| match payload.downcast::<Refused>() {
        Ok(refused) => Err(Error::Memory(refused.0.div_ceil(1 << 20))),
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossibly_large_picture_is_an_error() {
        let error = attempt(|| Ok(zeros(usize::MAX / 4))).expect_err("too much");
        assert!(matches!(error, Error::Memory(_)) && error.exit_code() == 1, "{error}");
        assert_eq!(attempt(|| Ok(vector::<u8>(2).capacity())).expect("is there"), 2);
    }
}
