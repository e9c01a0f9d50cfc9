//! The C side: one file per suite. Every function looks its handles up, counts the
//! call, and catches panics.
#![expect(unsafe_code, reason = "the suites are C functions over C pointers")]

pub(crate) mod camera;
pub(crate) mod effect;
pub(crate) mod handles;
pub(crate) mod memory;
pub(crate) mod message;
pub(crate) mod multithread;
pub(crate) mod overlay;
pub(crate) mod param;
pub(crate) mod plane;
pub(crate) mod progress;
pub(crate) mod property;
pub(crate) mod stats;
pub(crate) mod suites;
pub(crate) mod timeline;

use std::any::Any;
use std::ffi::CStr;
use std::os::raw::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Status;
use crate::action;
use crate::memory::is_refused;
use crate::record::Record;

/// Runs a suite function: a panic becomes a failed status instead of crossing into C.
fn guard(call: &'static str, body: impl FnOnce() -> Status) -> c_int {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        if let Some(action) = action::current() {
            action.record.count_call(call);
            if action.fatal_calls.contains(&call) {
                return violation(format!("{call}: this host ends the process"), Status::FAILED);
            }
        }
        body()
    }));
    let status = |payload: &(dyn Any + Send)| if is_refused(payload) { Status::ERR_MEMORY } else { Status::FAILED };
    outcome.unwrap_or_else(|payload| status(&*payload)).0
}

/// Uses the record of the host whose action runs on this thread, if one does.
fn with_record(use_it: impl FnOnce(&Record)) {
    if let Some(action) = action::current() {
        use_it(&action.record);
    }
}

/// Records a violation and returns the status for it.
fn violation(text: String, status: Status) -> Status {
    with_record(|record| record.violation(text));
    status
}

/// Text from a plug-in's pointer; `None` for NULL.
fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the suites require NUL-terminated strings that last for the call, and
    // NULL was ruled out.
    Some(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

/// Writes through a plug-in's out pointer; NULL is left alone.
fn write<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: the suites require out pointers to be valid for their type, and NULL
        // was ruled out; `write_unaligned` asks nothing more of it.
        unsafe { out.write_unaligned(value) };
    }
}
