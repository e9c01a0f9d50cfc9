//! Which states on disk each node has read and written, as far as they are remembered: by that a node clears its own.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::timeline::key::ChainKey;

/// States that a node remembers at most.
const MOST: usize = 1 << 18;

/// The states that a node has read and written.
#[derive(Clone, Default)]
pub struct Uses(Arc<Mutex<HashSet<u128>>>);

impl Uses {
    /// Notes a state.
    pub(super) fn add(&self, key: ChainKey) {
        let mut keys = self.0.lock();
        if keys.len() < MOST {
            keys.insert(key.0);
        }
    }

    /// Whether a state is among them.
    pub(super) fn has(&self, key: u128) -> bool {
        self.0.lock().contains(&key)
    }
}

/// Those of all live nodes.
#[derive(Default)]
pub(super) struct AllUses(Mutex<Vec<Weak<Mutex<HashSet<u128>>>>>);

impl AllUses {
    /// A new node's.
    pub(super) fn add(&self) -> Uses {
        let uses = Uses::default();
        let mut all = self.0.lock();
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&uses.0));
        uses
    }

    /// All but a node's.
    pub(super) fn but(&self, own: &Uses) -> Vec<Uses> {
        let all = self.0.lock();
        all.iter().filter_map(Weak::upgrade).filter(|other| !Arc::ptr_eq(other, &own.0)).map(Uses).collect()
    }
}
