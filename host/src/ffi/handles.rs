//! Handles of a plug-in are numbers, never addresses. A stale or invented handle is
//! looked up, not dereferenced, so that wrong use is an error instead of a crash.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, Weak};

use crate::camera::CameraInput;
use crate::clip::{Clip, ClipImage};
use crate::descriptor::Descriptor;
use crate::host::HostCore;
use crate::instance::Instance;
use crate::node::NodeCore;
use crate::overlay::{DrawContext, Interact};
use crate::params::Param;
use crate::props::PropSet;

use super::memory::Block;
use super::multithread::PluginMutex;

/// Target of a handle. The targets belong to other objects; the table owns only the objects that the plug-in holds
/// (fetched images, memory, mutexes).
#[derive(Clone)]
pub(crate) enum Object {
    Host(Weak<HostCore>),
    Props(Weak<PropSet>),
    Descriptor(Weak<Descriptor>),
    Instance(Weak<Instance>),
    DescribedParams(Weak<Descriptor>),
    Params(Weak<NodeCore>),
    Param(Weak<Param>),
    Clip(Weak<Clip>),
    Camera(Weak<CameraInput>),
    Interact(Weak<Interact>),
    DrawContext(Arc<DrawContext>),
    Image(Arc<ClipImage>),
    Block(Arc<Block>),
    Mutex(Arc<PluginMutex>),
}

/// A tree, whose memory is freed with its entries: spare capacity of a table would look like a leak.
type Table = RwLock<BTreeMap<usize, Object>>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::default)
}

/// Handles start here and go up in steps that look aligned.
static NEXT: AtomicUsize = AtomicUsize::new(0x10_000);

/// A handle that is released with its owner.
#[derive(Debug)]
pub(crate) struct HandleId(usize);

impl HandleId {
    pub(crate) fn new(object: Object) -> Self {
        Self(insert(object))
    }

    /// Transfers the handle of another object to a new one, as hosts do that
    /// use one handle for the descriptor and the instance.
    pub(crate) fn reuse(id: usize, object: Object) -> Self {
        write().insert(id, object);
        Self(id)
    }

    pub(crate) fn number(&self) -> usize {
        self.0
    }

    pub(crate) fn pointer<T>(&self) -> *mut T {
        std::ptr::without_provenance_mut(self.0)
    }
}

impl Drop for HandleId {
    fn drop(&mut self) {
        let mut table = write();
        // A transferred handle is not released here.
        let released = match table.get(&self.0) {
            Some(Object::Host(weak)) => weak.strong_count() == 0,
            Some(Object::Props(weak)) => weak.strong_count() == 0,
            Some(Object::Descriptor(weak) | Object::DescribedParams(weak)) => weak.strong_count() == 0,
            Some(Object::Instance(weak)) => weak.strong_count() == 0,
            Some(Object::Params(weak)) => weak.strong_count() == 0,
            Some(Object::Param(weak)) => weak.strong_count() == 0,
            Some(Object::Clip(weak)) => weak.strong_count() == 0,
            Some(Object::Camera(weak)) => weak.strong_count() == 0,
            Some(Object::Interact(weak)) => weak.strong_count() == 0,
            Some(_) => true,
            None => false,
        };
        if released {
            table.remove(&self.0);
        }
    }
}

fn write() -> std::sync::RwLockWriteGuard<'static, BTreeMap<usize, Object>> {
    table().write().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn insert(object: Object) -> usize {
    let id = NEXT.fetch_add(16, Ordering::Relaxed);
    write().insert(id, object);
    id
}

/// Releases a handle and returns its target.
pub(crate) fn remove(id: usize) -> Option<Object> {
    write().remove(&id)
}

pub(crate) fn find(id: usize) -> Option<Object> {
    table().read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
}

/// Number of handles in use, for leak tests.
pub(crate) fn count() -> usize {
    table().read().unwrap_or_else(PoisonError::into_inner).len()
}

macro_rules! finders {
    ($($name:ident: $variant:ident -> $type:ty;)*) => {
        $(pub(crate) fn $name<T>(handle: *const T) -> Option<Arc<$type>> {
            match find(handle.addr())? {
                Object::$variant(weak) => weak.upgrade(),
                _ => None,
            }
        })*
    };
}

finders! {
    host: Host -> HostCore;
    descriptor: Descriptor -> Descriptor;
    instance: Instance -> Instance;
    described_params: DescribedParams -> Descriptor;
    node_params: Params -> NodeCore;
    param: Param -> Param;
    clip: Clip -> Clip;
    camera: Camera -> CameraInput;
    interact: Interact -> Interact;
}

/// The property set behind a handle: a set's own, or that of an image.
pub(crate) fn props<T>(handle: *const T) -> Option<Arc<PropSet>> {
    match find(handle.addr())? {
        Object::Props(weak) => weak.upgrade(),
        Object::Host(weak) => weak.upgrade().map(|host| Arc::clone(&host.props)),
        Object::Image(image) => Some(Arc::clone(&image.props)),
        _ => None,
    }
}
