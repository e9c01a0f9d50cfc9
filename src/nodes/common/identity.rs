//! The persistent id of a node, which names its cache folder in hosts that do not provide the name of a node.
//!
//! The id is a secret parameter, which projects store. It is set when the artist sets the cache folder, on the main
//! thread of a host with a user interface. Render clones and background processes only read it. The id enters no key:
//! it determines the place of files, not their contents.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use super::controls::Controls;
use super::params::Params;
use super::shared::Shared;
use crate::ofx::EffectHandle;

/// The id of a live node.
pub struct Identity(Arc<Live>);

struct Live {
    /// Number in the order of creation.
    number: u64,
    /// The last id that was read or set.
    id: Mutex<String>,
}

impl Live {
    fn id(&self) -> String {
        self.id.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The live nodes of the process.
static LIVE: Mutex<Vec<Weak<Live>>> = Mutex::new(Vec::new());

impl Identity {
    /// The identity of a new node, with the id of its project, if any.
    pub fn new(number: u64, id: String) -> Self {
        let live = Arc::new(Live { number, id: Mutex::new(id) });
        let mut all = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&live));
        Self(live)
    }

    /// Whether an older node has the same id: then this one is a copy.
    fn is_taken(&self, id: &str) -> bool {
        let all = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).any(|other| other.number < self.0.number && other.id() == id)
    }

    /// Assigns a new id to a copy of a live node and, if an id is `wanted`, to a node without one. Call it in a
    /// main-thread action in which parameters may be set.
    pub fn assign<Id: Controls>(&self, effect: &EffectHandle<'_>, params: &Params<Id>, wanted: bool) {
        if effect.host().info().is_background || effect.instance_name().is_some() {
            return;
        }
        let parameter = Id::shared(Shared::CacheId);
        let (now, before) = (params.text(effect, parameter), self.0.id());
        let id = match (now.is_empty(), wanted) {
            (true, false) => return,
            // An undo may have removed the id from the parameter; the folder still has its name.
            (true, true) if !before.is_empty() && !self.is_taken(&before) => before,
            (true, true) => fresh(self.0.number),
            (false, _) if self.is_taken(&now) => fresh(self.0.number),
            (false, _) => now,
        };
        *self.0.id.lock().unwrap_or_else(PoisonError::into_inner) = id.clone();
        // The host is called without a lock.
        params.set_text(effect, parameter, &id);
    }
}

/// A new id, unique with overwhelming probability.
fn fresh(number: u64) -> String {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(number);
    hasher.write_u32(std::process::id());
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    hasher.write_u128(since.as_nanos());
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::{Identity, fresh};

    #[test]
    fn the_younger_of_two_live_nodes_is_the_copy() {
        let id = fresh(1);
        let (older, younger) = (Identity::new(u64::MAX - 2, id.clone()), Identity::new(u64::MAX - 1, id.clone()));
        assert!(!older.is_taken(&id) && younger.is_taken(&id));
        drop(older);
        assert!(!younger.is_taken(&id));
        assert_ne!(fresh(1), fresh(1));
    }
}
