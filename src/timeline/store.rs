//! The process-wide store of states, by chain key.

mod claim;
mod entries;

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::budget::ceiling;
use super::chains::Keys;
use super::key::ChainKey;
use super::limits::{Bound, Limits};
use crate::sim::request;
pub use claim::{BudgetLease, Claim, Claimed};
use entries::{Claimant, Entry, Inner};

/// Limit of the wait for a state that another render has claimed. Afterwards the waiter computes the state itself.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two calls of `go_on` during a wait.
const POLL: Duration = Duration::from_millis(5);

/// Number of recent renders whose frames count as in use.
const HEADS: usize = 16;

/// A state that the store can hold.
pub trait CachedValue: Send + Sync + 'static {
    /// Size in bytes, including memory that is shared with other frames.
    fn bytes(&self) -> usize;
}

/// Position of a state: its family (all chains with the same start) and its index in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Key from which the chain starts.
    pub family: ChainKey,
    /// Frames since the first of the chain.
    pub index: u64,
}

/// States by key, independent of nodes: hosts clone, recreate and destroy instances at any time, and nodes with equal
/// dependencies share all states. Thread-safe; no foreign code is called while the lock is held.
#[derive(Default)]
pub struct Store {
    inner: Mutex<Inner>,
    changed: Condvar,
    limits: Limits,
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    /// Registers a live node, without a requested budget: a node that was never rendered must not raise the budget of
    /// the others.
    pub fn lease(self: &Arc<Self>) -> BudgetLease {
        let mut inner = self.lock();
        inner.next_lease += 1;
        BudgetLease { store: Arc::clone(self), id: inner.next_lease }
    }

    /// The budget in force, in bytes. The first call queries the system for the automatic budget.
    pub fn budget(&self) -> u64 {
        self.measure();
        self.lock().budget()
    }

    /// Share of the budget of each live node that has requested one, in bytes.
    pub fn share(&self) -> u64 {
        self.measure();
        let inner = self.lock();
        inner.budget() / inner.leases.len().max(1) as u64
    }

    /// Bytes of the stored states.
    pub fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// Number of stored states.
    pub fn len(&self) -> usize {
        self.lock().entries.len()
    }

    /// Whether the store is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn measure(&self) {
        if self.lock().memory.is_none() {
            self.ceiling();
        }
    }

    /// The result of the last call of [`ceiling`](Self::ceiling), which is called if necessary.
    pub fn known_ceiling(&self) -> (Bound, u64) {
        let known = self.lock().memory.clone();
        known.unwrap_or_else(|| self.ceiling())
    }

    /// Memory that the process may use, in bytes, with its origin. Queries the system each time. Updates the automatic
    /// budget.
    pub fn ceiling(&self) -> (Bound, u64) {
        let ceiling = ceiling(&self.limits);
        request::limited(self.limits.bounds_address_space());
        self.lock().memory = Some(ceiling.clone());
        ceiling
    }

    /// The memory limits that the system sets for the process.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Drops states that no render uses until `bytes` bytes are free, for a frame that would not fit otherwise. Returns
    /// false, without dropping any, if the unused states are smaller than that.
    pub fn make_room(&self, bytes: u64) -> bool {
        let is_used = |entry: &Entry| Arc::strong_count(&entry.state) > 1;
        let dropped = {
            let mut inner = self.lock();
            let idle: u64 = inner.entries.values().filter(|entry| !is_used(entry)).map(|entry| entry.bytes).sum();
            if idle < bytes {
                return false;
            }
            let budget = inner.bytes.saturating_sub(bytes);
            inner.evict_to(budget, |_, entry| is_used(entry))
        };
        tracing::debug!("{} states were dropped to free memory for a frame", dropped.len());
        drop(dropped);
        true
    }

    /// Searches a chain of keys for the last stored state. Marks the chain, and longer known chains that begin with
    /// these keys, as used, and `wanted` as a frame in use. Returns the position of the key and its state.
    pub fn nearest<S: CachedValue>(&self, keys: &Keys, wanted: Place) -> Option<(usize, Arc<S>)> {
        self.measure();
        let mut inner = self.lock();
        inner.tick += 1;
        inner.heads.retain(|head| *head != wanted);
        if inner.heads.len() >= HEADS {
            inner.heads.pop_front();
        }
        inner.heads.push_back(wanted);
        inner.follow(wanted.family, keys);
        (0..keys.len()).rev().find_map(|position| {
            let state = Arc::clone(&inner.entries.get(&keys[position])?.state);
            state.downcast().ok().map(|state| (position, state))
        })
    }

    /// Records the keys that a render has followed, from the first frame to the requested one.
    pub fn follow(&self, family: ChainKey, keys: &Keys) {
        self.lock().follow(family, keys);
    }

    /// The stored state of a family that is nearest to an index, on any chain, with its index. Of several states the
    /// one used last is returned.
    pub fn nearest_of_family<S: CachedValue>(&self, family: ChainKey, index: u64) -> Option<(u64, Arc<S>)> {
        let inner = self.lock();
        let ours = inner.entries.values().filter(|entry| entry.place.family == family);
        let entry = ours.min_by_key(|entry| (entry.place.index.abs_diff(index), std::cmp::Reverse(entry.used)))?;
        Some((entry.place.index, Arc::clone(&entry.state).downcast().ok()?))
    }

    /// Whether a state of this family is stored at an index from `first` to `last`.
    pub fn has_between(&self, family: ChainKey, first: u64, last: u64) -> bool {
        first <= last && self.lock().places.range((family, first)..=(family, last)).next().is_some()
    }

    /// Returns the state of a key, or a claim to compute it. If another render holds the claim, the call waits and
    /// calls `go_on` every few milliseconds with no lock held. A claim expires after [`PATIENCE`]; one waiter takes
    /// over and computes the state as well.
    pub fn claim<S: CachedValue>(
        &self,
        key: ChainKey,
        place: Place,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Claimed<'_, S> {
        loop {
            {
                let mut inner = self.lock();
                let tick = inner.tick;
                if let Some(entry) = inner.entries.get_mut(&key) {
                    entry.used = tick;
                    if let Ok(state) = Arc::clone(&entry.state).downcast() {
                        return Claimed::Ready(state);
                    }
                }
                if inner.claims.get(&key).is_none_or(|claimant| claimant.since.elapsed() >= PATIENCE) {
                    inner.next_claim += 1;
                    let id = inner.next_claim;
                    inner.claims.insert(key, Claimant { id, since: Instant::now() });
                    return Claimed::Mine(Claim { store: self, id, key, place });
                }
                self.changed.wait_for(&mut inner, POLL);
            }
            if !go_on() {
                return Claimed::Stopped;
            }
        }
    }

    /// Stores a state and drops others until the budget is met.
    pub fn put<S: CachedValue>(&self, key: ChainKey, place: Place, state: Arc<S>) {
        let bytes = state.bytes() as u64;
        let dropped = {
            let mut inner = self.lock();
            let replaced = inner.remove(key);
            let used = inner.tick;
            inner.insert(key, Entry { state, place, bytes, used });
            (inner.evict(Some(key)), replaced)
        };
        drop(dropped);
    }

    /// Drops all states of a family. Renders that use one keep it until they end.
    pub fn forget(&self, family: ChainKey) {
        let dropped: Vec<_> = {
            let mut inner = self.lock();
            let keys: Vec<ChainKey> =
                inner.entries.iter().filter(|(_, e)| e.place.family == family).map(|(key, _)| *key).collect();
            inner.chains.forget(family);
            keys.into_iter().filter_map(|key| inner.remove(key)).collect()
        };
        drop(dropped);
    }

    /// Drops all states.
    pub fn clear(&self) {
        let dropped = {
            let mut inner = self.lock();
            inner.bytes = 0;
            inner.places.clear();
            inner.chains.clear();
            std::mem::take(&mut inner.entries)
        };
        drop(dropped);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Block(usize);
    impl CachedValue for Block {
        fn bytes(&self) -> usize {
            self.0
        }
    }

    fn place(index: u64) -> Place {
        Place { family: ChainKey(0), index }
    }

    #[test]
    fn the_largest_requested_budget_is_met() {
        let store = Arc::new(Store::default());
        let [small, large] = [store.lease(), store.lease()];
        small.set(100);
        large.set(1000);
        for index in 0..200 {
            store.nearest::<Block>(&Keys::default(), place(index));
            store.put(ChainKey(u128::from(index)), place(index), Arc::new(Block(10)));
        }
        assert_eq!((store.bytes(), store.len()), (1000, 100));
        small.set(50);
        let _silent = store.lease();
        assert_eq!(store.bytes(), 1000, "the larger wish holds");
        assert_eq!(store.share(), 500, "two have asked");
        drop(large);
        assert_eq!(store.share(), 50);
        assert_eq!(store.bytes(), 50, "a node that is gone wishes nothing, nor does one that has not asked");
        store.put(ChainKey(999), place(999), Arc::new(Block(5000)));
        assert_eq!(store.len(), 1, "the newest state stays");
    }

    #[test]
    fn memory_is_freed_from_unused_states_or_not_at_all() {
        let store = Store::default();
        store.put(ChainKey(1), place(1), Arc::new(Block(100)));
        store.put(ChainKey(2), place(2), Arc::new(Block(100)));
        store.put(ChainKey(3), place(3), Arc::new(Block(100)));
        let (_, used) = store.nearest::<Block>(&Keys::from_iter([ChainKey(2)]), place(2)).expect("is kept");
        assert!(!store.make_room(201) && store.len() == 3, "nothing is dropped in vain");
        assert!(store.make_room(150));
        assert_eq!((store.len(), store.bytes(), used.0), (1, 100, 100));
        assert!(store.has_between(ChainKey(0), 2, 2), "a state in use stays");
    }

    #[test]
    fn many_renders_compute_a_state_once() {
        let store = Store::default();
        let computed = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| match store.claim::<Block>(ChainKey(5), place(0), &mut || true) {
                    Claimed::Mine(claim) => {
                        std::thread::sleep(Duration::from_millis(30));
                        computed.fetch_add(1, Ordering::SeqCst);
                        claim.fulfil(Arc::new(Block(1)));
                    }
                    Claimed::Ready(state) => assert_eq!(state.0, 1),
                    Claimed::Stopped => unreachable!("no wait is ended"),
                });
            }
        });
        assert_eq!(computed.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_dropped_claim_is_taken_over_and_a_wait_can_be_ended() {
        let store = Store::default();
        let Claimed::Mine(first) = store.claim::<Block>(ChainKey(1), place(0), &mut || true) else {
            panic!("the claim is free")
        };
        assert!(matches!(store.claim::<Block>(ChainKey(1), place(0), &mut || false), Claimed::Stopped));
        drop(first);
        assert!(matches!(store.claim::<Block>(ChainKey(1), place(0), &mut || true), Claimed::Mine(_)));
    }

    #[test]
    fn all_states_of_a_family_are_dropped() {
        let store = Store::default();
        let other = Place { family: ChainKey(9), index: 3 };
        store.put(ChainKey(1), place(1), Arc::new(Block(1)));
        store.put(ChainKey(2), other, Arc::new(Block(1)));
        assert!(store.has_between(ChainKey(9), 3, 3) && !store.has_between(ChainKey(9), 4, 9));
        store.forget(ChainKey(9));
        assert!(!store.has_between(ChainKey(9), 0, 9));
        assert_eq!((store.len(), store.bytes()), (1, 1));
    }
}
