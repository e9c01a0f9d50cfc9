//! The interface of stored states that outlive the process.

use std::sync::Arc;

use super::key::ChainKey;
use super::store::Place;

/// A state's place and names.
#[derive(Clone, Debug)]
pub struct Address {
    /// Its chain's family, and its frame counted from the chain's first.
    pub place: Place,
    /// Its frame.
    pub frame: i64,
    /// Its name.
    pub key: ChainKey,
    /// The names of the last frames before it that are to be kept, the nearest first; a few.
    pub earlier: Vec<ChainKey>,
}

/// The duty to simulate: others wait until it is dropped, or handed over with the state.
pub struct ArchiveClaim(pub Box<dyn Send>);

/// What an archive answers to a render that is about to simulate.
pub enum Claimed {
    /// Nobody else does it: the caller does.
    Mine(ArchiveClaim),
    /// Another process does.
    Theirs,
}

/// Keeps states beyond the process, and shares the work with other processes. All methods may be called from any thread;
/// none calls the host. What it cannot do it tells by itself, once: a render goes on without it.
pub trait Archive<S>: Send + Sync {
    /// Whether a state of a family may be kept at a frame from `first` to `last`. Looks as long as `go_on` says so.
    fn has_between(&self, family: ChainKey, first: i64, last: i64, go_on: &mut dyn FnMut() -> bool) -> bool;
    /// Whether exactly this state is kept.
    fn has(&self, frame: i64, key: ChainKey) -> bool;
    /// The state; `None` where it is not kept or turned out bad, after which [`has`](Self::has) says no.
    fn load(&self, frame: i64, key: ChainKey) -> Option<S>;
    /// Whether a state is to be handed in: its place is one that is kept, and it is neither there nor on its way.
    fn wants(&self, place: Place, frame: i64, key: ChainKey) -> bool;
    /// The place of the first frame that is simulated under the same duty as this one: the frames up to the next one that
    /// is kept belong together.
    fn strip(&self, place: Place) -> u64;
    /// The duty to simulate the strip that begins with the state of this name.
    fn claim(&self, key: ChainKey) -> Claimed;
    /// Hands in a state. `duty` ends when the state is kept. Where the archive can't keep up it may wait, as long as `go_on`
    /// says so.
    fn keep(
        &self,
        address: Address,
        state: &Arc<S>,
        parameters: String,
        duty: Option<ArchiveClaim>,
        go_on: &mut dyn FnMut() -> bool,
    );
}
