//! The plug-ins of the library: the host's view of each node type, its host and its instances.

use std::{
    any::Any,
    collections::HashMap,
    ptr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    },
};

use flow_openfx as sys;

use super::{effect::Effect, error::Result, host::Host, trampoline};

/// The host and the instances of one node type: one static per type, from [`plugins!`](crate::plugins).
#[derive(Default)]
pub struct State {
    raw_host: AtomicPtr<sys::OfxHost>,
    host: Mutex<Option<(usize, Host)>>,
    /// Instances by the address of the host's effect handle. The host's instance-data property is not used: Natron
    /// copies it to render clones, and MLT uses one handle for descriptor and instance.
    instances: Mutex<Option<HashMap<usize, Arc<dyn Any + Send + Sync>>>>,
}

/// One instance: the node's own state, and the state of this layer.
pub(super) struct Record<I> {
    /// Unique in the process, even if the host uses a handle again.
    pub(super) id: u64,
    /// Whether the host may show a persistent message of this instance.
    pub(super) posted: AtomicBool,
    pub(super) instance: I,
}

/// A new number for an instance.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Locks a value that stays valid after a panic: each lock guards a single operation on a map or an option.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// A state without host and instances.
    #[must_use]
    pub const fn new() -> Self {
        Self { raw_host: AtomicPtr::new(ptr::null_mut()), host: Mutex::new(None), instances: Mutex::new(None) }
    }

    /// Stores the host, which hosts set once per plug-in, once per library, or both. Null is ignored.
    ///
    /// # Safety
    ///
    /// `host` is null or an `OfxHost` that stays valid while the library is loaded or until another host is set.
    pub unsafe fn set_host(&self, host: *mut sys::OfxHost) {
        if !host.is_null() {
            self.raw_host.store(host, Ordering::Release);
        }
    }

    /// The host, wrapped at the first use after each change.
    pub(super) fn host(&self) -> Result<Host> {
        let raw = self.raw_host.load(Ordering::Acquire);
        if let Some((address, host)) = &*lock(&self.host)
            && *address == raw.addr()
        {
            return Ok(host.clone());
        }
        // No lock is held here, because this calls the host. Of two threads that come first at once, the later one's
        // stays.
        let host = self.host_without_lock()?;
        let before = lock(&self.host).replace((raw.addr(), host.clone()));
        drop(before);
        Ok(host)
    }

    /// The host, wrapped without a lock: in a forked child, a thread that no longer exists may hold the lock.
    pub(super) fn host_without_lock(&self) -> Result<Host> {
        // SAFETY: the caller of `set_host` has promised that the host is valid.
        unsafe { Host::new(self.raw_host.load(Ordering::Acquire)) }
    }

    /// Drops the wrapped host, whose suites may move before the next load.
    pub(super) fn unload(&self) {
        let before = lock(&self.host).take();
        drop(before);
    }

    /// Stores an instance under the host's handle, and replaces one that the host did not destroy.
    pub(super) fn insert<I: Send + Sync + 'static>(&self, handle: usize, record: Record<I>) {
        let before = lock(&self.instances).get_or_insert_default().insert(handle, Arc::new(record));
        if before.is_some() {
            tracing::debug!("the host created an instance without destroying the previous one of the same handle");
        }
    }

    /// The instance of a handle; `None` for an unknown handle.
    pub(super) fn find<I: Send + Sync + 'static>(&self, handle: usize) -> Option<Arc<Record<I>>> {
        let record = lock(&self.instances).as_ref()?.get(&handle).cloned()?;
        record.downcast().ok()
    }

    /// Removes an instance and returns it; actions in progress keep it alive.
    pub(super) fn remove(&self, handle: usize) -> Option<Arc<dyn Any + Send + Sync>> {
        lock(&self.instances).as_mut()?.remove(&handle)
    }

    /// The number of instances.
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

/// A node type with its state; [`plugins!`](crate::plugins) implements it.
pub trait Registered: Effect {
    /// The state of this type.
    fn state() -> &'static State;
}

/// The host's view of a node type, with its state.
#[derive(Debug)]
pub struct Plugin {
    raw: sys::OfxPlugin,
    state: fn() -> &'static State,
}

// SAFETY: the pointers in `raw` are to `'static` strings, and no field is ever written.
unsafe impl Sync for Plugin {}

impl Plugin {
    /// The plug-in of a node type.
    #[must_use]
    pub const fn new<T: Registered>() -> Self {
        Self {
            raw: sys::OfxPlugin {
                pluginApi: sys::name(sys::kOfxImageEffectPluginApi).as_ptr(),
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
