//! Claims: one render computes a state, and the others wait for it. Leases: the budgets that live nodes request.

use std::sync::Arc;
use std::time::Instant;

use super::super::key::ChainKey;
use super::{CachedValue, Place, Store};

/// Result of a request for a state.
pub enum Claimed<'a, S> {
    /// The stored state.
    Ready(Arc<S>),
    /// The caller computes the state.
    Mine(Claim<'a>),
    /// The wait was ended by `go_on`.
    Stopped,
}

/// A claim to compute a state. If it is dropped unfulfilled (after an abort or a panic), a waiter takes over.
pub struct Claim<'a> {
    pub(super) store: &'a Store,
    pub(super) id: u64,
    pub(super) key: ChainKey,
    pub(super) place: Place,
}

impl Claim<'_> {
    /// Restarts the time limit [`PATIENCE`](super::PATIENCE) of the claim.
    pub fn renew(&self) {
        let mut inner = self.store.lock();
        if let Some(claimant) = inner.claims.get_mut(&self.key).filter(|claimant| claimant.id == self.id) {
            claimant.since = Instant::now();
        }
    }

    /// Stores the state, within the budget, and wakes the waiters.
    pub fn fulfil<S: CachedValue>(self, state: Arc<S>) {
        self.store.put(self.key, self.place, state);
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        let mut inner = self.store.lock();
        if inner.claims.get(&self.key).is_some_and(|claimant| claimant.id == self.id) {
            inner.claims.remove(&self.key);
        }
        drop(inner);
        self.store.changed.notify_all();
    }
}

/// The budget that a live node requests; the largest request is in force.
pub struct BudgetLease {
    pub(super) store: Arc<Store>,
    pub(super) id: u64,
}

impl BudgetLease {
    /// Sets the requested budget in bytes; 0 requests none. Without any request the automatic budget is in force.
    pub fn set(&self, bytes: u64) {
        let dropped = {
            let mut inner = self.store.lock();
            if inner.leases.insert(self.id, bytes) == Some(bytes) { Vec::new() } else { inner.evict(None) }
        };
        drop(dropped);
    }
}

impl Drop for BudgetLease {
    fn drop(&mut self) {
        let dropped = {
            let mut inner = self.store.lock();
            inner.leases.remove(&self.id);
            inner.evict(None)
        };
        drop(dropped);
    }
}
