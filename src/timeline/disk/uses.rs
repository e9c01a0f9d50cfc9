//! The states on disk that each node has read and written; needed to clear the states of one node.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::timeline::key::ChainKey;

/// Limit of recorded states per node.
const MOST: usize = 1 << 18;

/// Keys of the states that a node has read and written.
#[derive(Clone, Default)]
pub struct Uses(Arc<Mutex<HashSet<u128>>>);

impl Uses {
    /// Records a state.
    pub(super) fn add(&self, key: ChainKey) {
        let mut keys = self.0.lock();
        if keys.len() < MOST {
            keys.insert(key.0);
        }
    }

    /// Whether a state is recorded.
    pub(super) fn has(&self, key: u128) -> bool {
        self.0.lock().contains(&key)
    }
}

/// The records of all live nodes.
#[derive(Default)]
pub(super) struct AllUses(Mutex<Vec<Weak<Mutex<HashSet<u128>>>>>);

impl AllUses {
    /// Creates the record of a new node.
    pub(super) fn add(&self) -> Uses {
        let uses = Uses::default();
        let mut all = self.0.lock();
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&uses.0));
        uses
    }

    /// The records of all live nodes except one.
    pub(super) fn but(&self, own: &Uses) -> Vec<Uses> {
        let all = self.0.lock();
        all.iter().filter_map(Weak::upgrade).filter(|other| !Arc::ptr_eq(other, &own.0)).map(Uses).collect()
    }
}
