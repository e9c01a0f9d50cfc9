//! A plug-in of the library: what the host sees of a node type, and which hosts and instances it has.

use std::{
    any::Any,
    collections::HashMap,
    ptr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    },
};

use super::{effect::Effect, ffi::sys, host::Host, names, status::Result, trampoline};

/// The host and the instances of one node type. Made by [`plugins!`](crate::plugins), one static per type.
#[derive(Default)]
pub struct State {
    raw_host: AtomicPtr<sys::OfxHost>,
    host: Mutex<Option<(usize, Host)>>,
    /// By the address of the host's effect handle. Nothing is kept in the host's instance-data property: Natron copies it
    /// into clones, and MLT uses one handle for descriptor and instance.
    instances: Mutex<Option<HashMap<usize, Arc<dyn Any + Send + Sync>>>>,
}

/// One instance: what the node made of it, and what this layer keeps beside.
pub(super) struct Record<I> {
    /// Unique in the process, whatever handles the host uses again.
    pub(super) id: u64,
    /// Whether a persistent message of ours may be up.
    pub(super) posted: AtomicBool,
    pub(super) instance: I,
}

/// A number that no instance has had.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// What is behind these locks stays whole whatever panics: they guard single map and option operations.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// No host, no instances.
    #[must_use]
    pub const fn new() -> Self {
        Self { raw_host: AtomicPtr::new(ptr::null_mut()), host: Mutex::new(None), instances: Mutex::new(None) }
    }

    /// Remembers the host, which hosts hand over once per plug-in, once per library, or both. A null is not remembered.
    ///
    /// # Safety
    ///
    /// `host` is null or an `OfxHost` that stays valid while the library is loaded or until another one is set.
    pub unsafe fn set_host(&self, host: *mut sys::OfxHost) {
        if !host.is_null() {
            self.raw_host.store(host, Ordering::Release);
        }
    }

    /// The host, made on first use and whenever another was set since.
    pub(super) fn host(&self) -> Result<Host> {
        let raw = self.raw_host.load(Ordering::Acquire);
        if let Some((address, host)) = &*lock(&self.host)
            && *address == raw.addr()
        {
            return Ok(host.clone());
        }
        // Without the lock: this asks the host for suites and properties. Two threads that come first at once make two,
        // of which the later is kept.
        // SAFETY: `set_host` was promised that the host is valid.
        let host = unsafe { Host::new(raw) }?;
        let before = lock(&self.host).replace((raw.addr(), host.clone()));
        drop(before);
        Ok(host)
    }

    /// The host, made anew without a lock: in a forked child a thread that is not there may hold it.
    pub(super) fn host_without_lock(&self) -> Result<Host> {
        // SAFETY: `set_host` was promised that the host is valid.
        unsafe { Host::new(self.raw_host.load(Ordering::Acquire)) }
    }

    /// Forgets what was made of the host, whose suites may move until the next load.
    pub(super) fn unload(&self) {
        let before = lock(&self.host).take();
        drop(before);
    }

    /// Keeps an instance under the host's handle, in the place of one that the host forgot to destroy.
    pub(super) fn insert<I: Send + Sync + 'static>(&self, handle: usize, record: Record<I>) {
        let before = lock(&self.instances).get_or_insert_default().insert(handle, Arc::new(record));
        if before.is_some() {
            tracing::debug!("the host made an instance where it had not destroyed the last");
        }
    }

    /// The instance of a handle, or `None` for one that is not known.
    pub(super) fn find<I: Send + Sync + 'static>(&self, handle: usize) -> Option<Arc<Record<I>>> {
        let record = lock(&self.instances).as_ref()?.get(&handle).cloned()?;
        record.downcast().ok()
    }

    /// Removes an instance; actions that are still running keep it alive.
    pub(super) fn remove<I: Send + Sync + 'static>(&self, handle: usize) -> Option<Arc<Record<I>>> {
        let record = lock(&self.instances).as_mut()?.remove(&handle)?;
        record.downcast().ok()
    }

    /// How many instances there are.
    #[must_use]
    pub fn instance_count(&self) -> usize {
        lock(&self.instances).as_ref().map_or(0, HashMap::len)
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("instances", &self.instance_count()).finish_non_exhaustive()
    }
}

/// A node type with its state; implemented by [`plugins!`](crate::plugins).
pub trait Registered: Effect {
    /// The state of this type.
    fn state() -> &'static State;
}

/// What the host gets for a node type, and where its state is.
#[derive(Debug)]
pub struct Plugin {
    raw: sys::OfxPlugin,
    state: fn() -> &'static State,
}

// SAFETY: the pointers in `raw` are to `'static` strings, and nothing in it is ever written.
unsafe impl Sync for Plugin {}

impl Plugin {
    /// The plug-in of a node type.
    #[must_use]
    pub const fn new<T: Registered>() -> Self {
        Self {
            raw: sys::OfxPlugin {
                pluginApi: names::PLUGIN_API.as_ptr(),
                apiVersion: 1,
                pluginIdentifier: T::IDENTIFIER.as_ptr(),
                pluginVersionMajor: T::VERSION.0,
                pluginVersionMinor: T::VERSION.1,
                setHost: Some(trampoline::set_host::<T>),
                mainEntry: Some(trampoline::main_entry::<T>),
            },
            state: T::state,
        }
    }

    /// The structure for the host, which only reads it.
    #[must_use]
    pub fn raw(&'static self) -> *mut sys::OfxPlugin {
        (&raw const self.raw).cast_mut()
    }

    /// The state of this plug-in.
    #[must_use]
    pub fn state(&self) -> &'static State {
        (self.state)()
    }
}
