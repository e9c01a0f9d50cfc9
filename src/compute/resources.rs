//! Resources that a model keeps on a device from frame to frame.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The resources of one model on a device: compiled shaders, states, workspaces. Threads share them.
pub(super) trait Resource: Any + Send + Sync {
    /// Frees what later frames can do without; false where there is nothing to free.
    fn release(&self) -> bool;
}

/// The resources of a device, one of each type. A new model registers its own; the device does not know them.
#[derive(Default)]
pub(super) struct Resources(Mutex<Vec<(TypeId, Arc<dyn Resource>)>>);

impl Resources {
    fn lock(&self) -> MutexGuard<'_, Vec<(TypeId, Arc<dyn Resource>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The resource of type `R`, made on the first call.
    ///
    /// # Errors
    /// The errors of `make`; the next call tries again.
    pub fn get<R: Resource, E>(&self, make: impl FnOnce() -> Result<R, E>) -> Result<Arc<R>, E> {
        let mut resources = self.lock();
        let found = resources.iter().find(|(id, _)| *id == TypeId::of::<R>());
        if let Some((_, resource)) = found {
            let any: Arc<dyn Any + Send + Sync> = Arc::clone(resource) as _;
            return Ok(any.downcast().unwrap_or_else(|_| unreachable!("resources are found by their type")));
        }
        let made = Arc::new(make()?);
        resources.push((TypeId::of::<R>(), Arc::clone(&made) as _));
        Ok(made)
    }

    /// As [`Resources::get`], for a resource that begins empty.
    pub fn get_or_default<R: Resource + Default>(&self) -> Arc<R> {
        self.get(|| Ok::<_, std::convert::Infallible>(R::default())).unwrap_or_else(|never| match never {})
    }

    /// Frees what later frames can do without.
    pub fn release(&self) {
        let resources: Vec<_> = self.lock().iter().map(|(_, resource)| Arc::clone(resource)).collect();
        for resource in resources {
            resource.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[derive(Default)]
    struct Counter(AtomicU32);

    impl Resource for Counter {
        fn release(&self) -> bool {
            self.0.swap(0, Ordering::Relaxed) > 0
        }
    }

    struct Refused;

    impl Resource for Refused {
        fn release(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_resource_is_made_once_and_found_by_its_type() {
        let resources = Resources::default();
        assert_eq!(resources.get::<Refused, _>(|| Err(7)).err(), Some(7));
        resources.get_or_default::<Counter>().0.store(3, Ordering::Relaxed);
        assert!(resources.get::<Refused, ()>(|| Ok(Refused)).is_ok());
        assert_eq!(resources.get_or_default::<Counter>().0.load(Ordering::Relaxed), 3);
        resources.release();
        assert_eq!(resources.get_or_default::<Counter>().0.load(Ordering::Relaxed), 0);
    }
}
