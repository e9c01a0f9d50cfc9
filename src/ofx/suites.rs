//! Fetching suites, each at most once and only when it is needed.

use std::{
    ffi::{CStr, c_void},
    ptr::{self, NonNull},
    sync::atomic::{AtomicBool, AtomicPtr, Ordering},
};

use super::ffi::sys;

/// One suite version of the host that may be absent; fetched on first use.
///
/// The fetch takes no lock: two threads that come first at once both ask, and hosts answer both alike.
pub(super) struct Slot<S> {
    asked: AtomicBool,
    suite: AtomicPtr<S>,
}

impl<S> Slot<S> {
    pub(super) const fn new() -> Self {
        Self { asked: AtomicBool::new(false), suite: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The suite, or `None` where the host answered with null.
    ///
    /// # Safety
    ///
    /// `host` is valid, and the suite `name` of `version` has the layout `S`.
    pub(super) unsafe fn get(&self, host: NonNull<sys::OfxHost>, name: &CStr, version: i32) -> Option<&S> {
        if !self.asked.load(Ordering::Acquire) {
            // SAFETY: passed on from the caller.
            let suite = unsafe { fetch::<S>(host, name, version) };
            self.suite.store(suite.map_or(ptr::null_mut(), NonNull::as_ptr), Ordering::Release);
            self.asked.store(true, Ordering::Release);
        }
        // SAFETY: ofxCore.h, fetchSuite: a suite that was handed out stays valid and unchanged while the library is loaded.
        unsafe { self.suite.load(Ordering::Acquire).as_ref() }
    }
}

/// Asks the host for a suite.
///
/// # Safety
///
/// `host` points to a valid `OfxHost`, and the suite `name` of `version` has the layout `S`.
pub(super) unsafe fn fetch<S>(host: NonNull<sys::OfxHost>, name: &CStr, version: i32) -> Option<NonNull<S>> {
    // SAFETY: the caller's promise.
    let host = unsafe { host.as_ref() };
    let fetch_suite = host.fetchSuite?;
    // SAFETY: ofxCore.h, OfxHost: fetchSuite takes the `host` member, an ASCII name and a version, and answers null for
    // what it does not know.
    let suite = unsafe { fetch_suite(host.host, name.as_ptr(), version) };
    NonNull::new(suite.cast::<c_void>().cast_mut().cast::<S>())
}
