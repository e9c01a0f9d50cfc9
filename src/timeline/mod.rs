//! Frames as pure functions.
//!
//! The state of frame n depends only on the settings and the input pixels of the frames up to n. A [`ChainKey`] names a
//! state by all its dependencies. The process-wide [`Store`] holds states by key, evicts some when a budget of bytes is
//! reached, and coordinates renders that need the same frame, so that it is computed once. An [`InputMemory`] remembers
//! the hashes of the pictures of each clip, so that known pictures are not read again. [`catch_up()`] brings a node to
//! the requested frame.
//!
//! # Protocol of one render
//!
//! 0. The settings of the frames up to the requested one are taken from a [`SettingsCache`], as far as it reaches. A
//!    sample of them is read again and compared; after a difference all settings are read again.
//! 1. The sentinels (the requested frame, the first frame and a rotating one) are read and compared with the memory. If
//!    a picture of a clip has changed, all hashes of that clip are dropped. Pictures that are only compared are hashed
//!    without a copy; those of the requested frame are kept unless a state of that frame is stored.
//! 2. Keys are computed from the first frame on as far as the memory reaches. Keys that were already computed from the
//!    same settings and hashes are taken from the memory. If the store holds later states of the same family, the
//!    missing inputs are read, without simulation, to find out whether these states belong to this chain.
//! 3. The render continues from the nearest stored state. Frames are read and simulated one at a time, each under a
//!    claim, so that other renders wait for a frame and do not compute it as well.
//!
//! An [`Archive`](archive::Archive), a folder that other processes may share, extends the store. A state in the archive
//! counts as stored, and simulated states are passed to it. A render waits for a frame that another process simulates,
//! and checks its own abort meanwhile. If only every n-th frame is archived, one claim covers the strip of frames up to
//! the next archived one, and is held while the inputs of the strip are read. A claim is not a lock: other processes
//! take over after a time limit.
//!
//! No lock is held during a call to the host: inputs are read before a claim is acquired. A waiter checks its own abort
//! and computes the frame itself after [`store::PATIENCE`].

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
