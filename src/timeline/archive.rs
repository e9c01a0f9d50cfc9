//! The interface of stored states that outlive the process.

use std::sync::Arc;

use super::key::ChainKey;
use super::store::Place;

/// Identity of a state for an archive: its position and its keys.
#[derive(Clone, Debug)]
pub struct Address {
    /// Family of its chain, and index in the chain.
    pub place: Place,
    /// Frame number in the host's time.
    pub frame: i64,
    /// Key of the state.
    pub key: ChainKey,
    /// Keys of the archived frames before it, the nearest first; a few are enough.
    pub earlier: Vec<ChainKey>,
}

/// A claim to simulate a strip of frames. Other processes wait until it is dropped, which the archive does after it has
/// stored the state.
pub struct ArchiveClaim(pub Box<dyn Send>);

/// Result of a request for a claim on a strip.
pub enum Claimed {
    /// The caller holds the claim.
    Mine(ArchiveClaim),
    /// Another process holds the claim.
    Theirs,
}

/// States that outlive the process, shared with other processes. All methods may be called from any thread; none calls
/// the host. The implementation reports each failure once, and a render continues without the archive.
pub trait Archive<S>: Send + Sync {
    /// Whether a state of a family may be stored at a frame from `first` to `last`. The search ends when `go_on`
    /// returns false.
    fn has_between(&self, family: ChainKey, first: i64, last: i64, go_on: &mut dyn FnMut() -> bool) -> bool;
    /// Whether exactly this state is stored.
    fn has(&self, frame: i64, key: ChainKey) -> bool;
    /// Loads a state. `None` if it is not stored or is damaged; [`has`](Self::has) returns false afterwards.
    fn load(&self, frame: i64, key: ChainKey) -> Option<S>;
    /// Whether a state should be passed to [`keep`](Self::keep): its index is one that the archive stores, and the
    /// state is neither stored nor queued.
    fn wants(&self, place: Place, frame: i64, key: ChainKey) -> bool;
    /// Index of the first frame of the strip that contains this place. A strip is the frames that are simulated under
    /// one claim, up to the next one that is stored.
    fn strip(&self, place: Place) -> u64;
    /// Requests the claim on the strip that begins with the state of this key.
    fn claim(&self, key: ChainKey) -> Claimed;
    /// Passes a state to the archive. The claim ends when the state is stored. If the queue is full, the call may wait
    /// while `go_on` returns true.
    fn keep(
        &self,
        address: Address,
        state: &Arc<S>,
        parameters: String,
        claim: Option<ArchiveClaim>,
        go_on: &mut dyn FnMut() -> bool,
    );
}
