//! The contents of the store, and their eviction.

use std::any::Any;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use super::super::budget::automatic_budget;
use super::super::chains::{Chain, Chains, Keys};
use super::super::eviction::{self, Candidate};
use super::super::key::ChainKey;
use super::super::limits::Bound;
use super::Place;

/// A state of any type.
pub(super) type AnyState = Arc<dyn Any + Send + Sync>;

/// A state in the store.
pub(super) struct Entry {
    pub state: AnyState,
    pub place: Place,
    pub bytes: u64,
    /// Tick of the last use.
    pub used: u64,
}

/// The contents of the store, under its lock.
#[derive(Default)]
pub(super) struct Inner {
    pub entries: HashMap<ChainKey, Entry>,
    /// Number of states at an index of a family.
    pub places: BTreeMap<(ChainKey, u64), usize>,
    pub claims: HashMap<ChainKey, Claimant>,
    pub next_claim: u64,
    pub heads: VecDeque<Place>,
    pub chains: Chains,
    pub bytes: u64,
    pub tick: u64,
    pub next_lease: u64,
    pub leases: HashMap<u64, u64>,
    /// Memory that the process may use, after it was first queried.
    pub memory: Option<(Bound, u64)>,
}

/// The render that computes a state, with the time of its claim or last renewal.
pub(super) struct Claimant {
    pub id: u64,
    pub since: Instant,
}

impl Inner {
    /// The largest budget that a live node requests; without a request the automatic one.
    pub fn budget(&self) -> u64 {
        let wish = self.leases.values().copied().max().unwrap_or(0);
        if wish > 0 { wish } else { self.memory.as_ref().map_or(u64::MAX, |(_, memory)| automatic_budget(*memory)) }
    }

    /// Marks every chain that contains these keys as used now, with its states.
    pub fn follow(&mut self, family: ChainKey, keys: &Keys) {
        let forgotten = self.chains.follow(family, keys, self.tick);
        // The states of dropped chains keep the tick of their last use.
        for Chain { family, keys, used } in &forgotten {
            for key in keys.iter() {
                if let Some(entry) = self.entries.get_mut(key).filter(|entry| entry.place.family == *family) {
                    entry.used = entry.used.max(*used);
                }
            }
        }
    }

    pub fn insert(&mut self, key: ChainKey, entry: Entry) {
        *self.places.entry((entry.place.family, entry.place.index)).or_default() += 1;
        self.bytes += entry.bytes;
        self.entries.insert(key, entry);
    }

    pub fn remove(&mut self, key: ChainKey) -> Option<AnyState> {
        let entry = self.entries.remove(&key)?;
        self.bytes -= entry.bytes;
        let place = (entry.place.family, entry.place.index);
        match self.places.get_mut(&place) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(self.places.remove(&place)),
        }
        Some(entry.state)
    }

    /// Drops states until the budget is met, but not `newest`, which the next frame most likely needs. Returns the
    /// dropped states, to be freed outside the lock.
    pub fn evict(&mut self, newest: Option<ChainKey>) -> Vec<AnyState> {
        self.evict_to(self.budget(), |key, _| Some(*key) == newest)
    }

    /// Drops states until `budget` bytes are met, except those for which `stays` returns true. Returns the dropped
    /// states, to be freed outside the lock.
    pub fn evict_to(&mut self, budget: u64, stays: impl Fn(&ChainKey, &Entry) -> bool) -> Vec<AnyState> {
        let mut dropped = Vec::new();
        // In batches: the order changes little from one state to the next, and a reduced budget may drop thousands of
        // states.
        while self.bytes > budget {
            let entries = self.entries.iter().filter(|(key, entry)| !stays(key, entry));
            let keys: Vec<ChainKey> = entries.map(|(key, _)| *key).collect();
            let candidates: Vec<Candidate> = keys
                .iter()
                .map(|key| {
                    let entry = &self.entries[key];
                    let used = self.chains.used(entry.place.family, entry.place.index, *key);
                    let near = self.heads.iter().filter(|head| head.family == entry.place.family);
                    Candidate {
                        index: entry.place.index,
                        distance: near.map(|head| head.index.abs_diff(entry.place.index)).min().unwrap_or(u64::MAX),
                        bytes: entry.bytes,
                        idle: self.tick.saturating_sub(entry.used.max(used)),
                    }
                })
                .collect();
            if candidates.is_empty() {
                break;
            }
            let batch = (candidates.len() / 16).max(1);
            for victim in eviction::order(&candidates, budget).into_iter().take(batch) {
                if self.bytes > budget {
                    dropped.extend(self.remove(keys[victim]));
                }
            }
        }
        dropped
    }
}
