//! Frames as pure functions.
//!
//! The state at frame n depends on the settings and the input pixels of the frames up to n and on nothing else. This
//! module turns that into a machine: a [`ChainKey`] names a state by everything it depends on; the process-wide
//! [`Store`] keeps states under their keys, evicts some when a byte budget is reached and lets two renders that need the
//! same frame compute it once; an [`InputMemory`] remembers what was read from each clip so that a warm chain does not
//! read it again; [`catch_up()`] brings a node to the frame that was asked for.
//!
//! # Protocol of one render
//!
//! 0. The settings of the frames up to the wanted one are taken from a [`SettingsCache`], as far as it reaches: a sample of
//!    them is read again and compared, and where one differs all are read again.
//! 1. The sentinels (the wanted frame, the first frame and one that rotates) are read and compared with the memory. A
//!    clip whose pixels no longer agree is forgotten as a whole. Pictures that are read only to be compared are hashed
//!    where they lie; those of the wanted frame are kept unless a state of that frame is.
//! 2. Keys are computed from the first frame on as far as the memory reaches; those that were computed before from the same
//!    settings and hashes are taken from the memory. Where the store holds later states of the
//!    same chain, the missing inputs are read (and not simulated) to find out whether those states are ours.
//! 3. The nearest kept state is the base. From there frames are read and stepped one at a time, each under a claim, so
//!    that other renders wait for it rather than compute it too.
//!
//! An [`Archive`](archive::Archive) (a folder that other processes may share) stands behind the store: a state that lies
//! there counts as kept, what is simulated is handed in, and a render that would simulate what another process simulates
//! waits for it, asking its own abort. Where only every n-th frame is handed in, the duty to simulate the frames up to the
//! next of them is held while the inputs of these are read: it is no lock, but a sign to others, whose patience ends.
//!
//! No lock is held while the host is called: reading an input happens before a claim is taken, and a claim is not a
//! lock: a waiter polls its own abort and, after [`store::PATIENCE`], computes the frame itself.

pub mod archive;
mod budget;
mod catch_up;
mod chains;
pub mod disk;
mod eviction;
mod key;
pub mod limits;
mod memory;
mod persistent;
mod settings;
mod shot;
pub mod store;
#[cfg(test)]
mod tests;

pub use catch_up::{Outcome, catch_up, peek};
pub use key::{ChainKey, PieceHash, PixelHash};
pub use memory::InputMemory;
pub use persistent::PersistentVec;
pub use settings::{FrameSettings, Sequence, SettingsCache};
pub use shot::{Hashed, Shot, Stop};
pub use store::{CachedValue, Store};
