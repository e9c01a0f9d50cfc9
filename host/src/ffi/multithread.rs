//! The multi-thread suite: real threads, or serial execution in a profile with
//! one; recursive mutexes.

use std::cell::Cell;
use std::os::raw::{c_int, c_uint, c_void};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::ThreadId;

use flow_openfx as ofx;

use super::handles::{self, Object};
use super::{guard, violation, write};
use crate::{Status, action};

pub(crate) static SUITE: ofx::OfxMultiThreadSuiteV1 = ofx::OfxMultiThreadSuiteV1 {
    multiThread: Some(multi_thread),
    multiThreadNumCPUs: Some(cpus),
    multiThreadIndex: Some(thread_index),
    multiThreadIsSpawnedThread: Some(is_spawned),
    mutexCreate: Some(mutex_create),
    mutexDestroy: Some(mutex_destroy),
    mutexLock: Some(mutex_lock),
    mutexUnLock: Some(mutex_unlock),
    mutexTryLock: Some(mutex_try_lock),
};

thread_local! {
    /// This thread's index within `multiThread`; `None` for a thread of another origin.
    static INDEX: Cell<Option<u32>> = const { Cell::new(None) };
}

fn threads() -> u32 {
    action::current().map_or(1, |action| action.threads) as u32
}

/// The plug-in's function and argument, sent to another thread.
struct Work(unsafe extern "C" fn(c_uint, c_uint, *mut c_void), *mut c_void);

// SAFETY: the suite's contract is that function and argument may be used from several
// threads at once.
unsafe impl Sync for Work {}

unsafe extern "C" fn multi_thread(
    function: Option<unsafe extern "C" fn(c_uint, c_uint, *mut c_void)>,
    count: c_uint,
    argument: *mut c_void,
) -> c_int {
    guard("multiThread", || {
        let Some(function) = function else { return Status::ERR_VALUE };
        if INDEX.get().is_some() {
            return violation("multiThread called from one of its threads".into(), Status::ERR_EXISTS);
        }
        let count = if count == 0 { threads() } else { count.min(1024) };
        let action = action::current();
        let work = Work(function, argument);
        let work = &work;
        let one = |index: u32| {
            INDEX.set(Some(index));
            // SAFETY: the plug-in's function, called with the arguments that the suite
            // promises.
            unsafe { (work.0)(index, count, work.1) };
            INDEX.set(None);
        };
        if threads() == 1 {
            (0..count).for_each(one);
            return Status::OK;
        }
        std::thread::scope(|scope| {
            for index in 0..count {
                let action = action.clone();
                scope.spawn(move || {
                    let _entered = action.map(action::enter);
                    one(index);
                });
            }
        });
        Status::OK
    })
}

unsafe extern "C" fn cpus(out: *mut c_uint) -> c_int {
    guard("multiThreadNumCPUs", || {
        write(out, threads());
        Status::OK
    })
}

unsafe extern "C" fn thread_index(out: *mut c_uint) -> c_int {
    guard("multiThreadIndex", || match INDEX.get() {
        Some(index) => {
            write(out, index);
            Status::OK
        }
        None => {
            write(out, 0);
            Status::FAILED
        }
    })
}

unsafe extern "C" fn is_spawned() -> c_int {
    let counted = guard("multiThreadIsSpawnedThread", || Status::OK);
    c_int::from(counted == Status::OK.0 && INDEX.get().is_some())
}

/// A recursive mutex: its owner may lock it again.
#[derive(Default)]
pub(crate) struct PluginMutex {
    state: Mutex<(Option<ThreadId>, u32)>,
    free: Condvar,
}

impl PluginMutex {
    /// Locks the mutex, waiting if `wait`; returns whether this thread holds it.
    pub(crate) fn lock(&self, wait: bool) -> bool {
        let me = std::thread::current().id();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.0.is_some_and(|owner| owner != me) {
            if !wait {
                return false;
            }
            state = self.free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        *state = (Some(me), state.1 + 1);
        true
    }

    /// Unlocks the mutex; returns whether this thread held it.
    pub(crate) fn unlock(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 != Some(std::thread::current().id()) {
            return false;
        }
        state.1 -= 1;
        if state.1 == 0 {
            state.0 = None;
            self.free.notify_one();
        }
        true
    }
}

fn mutex(handle: ofx::OfxMutexHandle, body: impl FnOnce(&PluginMutex) -> Status) -> Status {
    match handles::find(handle.addr()) {
        Some(Object::Mutex(mutex)) => body(&mutex),
        _ => violation("not a mutex".into(), Status::ERR_BAD_HANDLE),
    }
}

unsafe extern "C" fn mutex_create(out: *mut ofx::OfxMutexHandle, locks: c_int) -> c_int {
    guard("mutexCreate", || {
        let mutex = PluginMutex::default();
        for _ in 0..locks.clamp(0, 1024) {
            mutex.lock(true);
        }
        let id = handles::insert(Object::Mutex(Arc::new(mutex)));
        write(out, std::ptr::without_provenance_mut(id));
        Status::OK
    })
}

unsafe extern "C" fn mutex_destroy(handle: ofx::OfxMutexHandle) -> c_int {
    guard("mutexDestroy", || {
        mutex(handle, |_| {
            drop(handles::remove(handle.addr()));
            Status::OK
        })
    })
}

unsafe extern "C" fn mutex_lock(handle: ofx::OfxMutexHandle) -> c_int {
    guard("mutexLock", || {
        mutex(handle, |mutex| {
            mutex.lock(true);
            Status::OK
        })
    })
}

unsafe extern "C" fn mutex_unlock(handle: ofx::OfxMutexHandle) -> c_int {
    guard("mutexUnLock", || {
        mutex(handle, |mutex| {
            if mutex.unlock() {
                Status::OK
            } else {
                violation("mutexUnLock: not locked by this thread".into(), Status::FAILED)
            }
        })
    })
}

unsafe extern "C" fn mutex_try_lock(handle: ofx::OfxMutexHandle) -> c_int {
    guard("mutexTryLock", || mutex(handle, |mutex| if mutex.lock(false) { Status::OK } else { Status::FAILED }))
}
