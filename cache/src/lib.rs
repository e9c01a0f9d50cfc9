//! States of a simulation on disk.
//!
//! A state is one multi-part EXR. The first part, which is optional, is a picture of the state for any program that
//! reads EXR. The last part holds the exact values, integers or floats; the simulation continues from them bit by bit.
//! The header describes the state, and a file whose contents do not match its header is refused.
//!
//! Many processes share a [`Folder`] of such files, and divide the work by claims in it. A killed process, a full disk
//! or a missing folder never leaves an incomplete file under the name of a state.
//!
//! This crate does not depend on OpenFX or on models. It starts no threads to encode or decode: the caller provides a
//! [`Pool`]. One thread of the crate runs while claims are held; [`stop_heartbeat`] ends it.
//!
//! # Map
//!
//! | file | contents |
//! |---|---|
//! | `header` | [`Header`]: the description of a state; [`Expected`]: the state that a reader needs |
//! | `shape` | shapes of one to four axes, and their layout in an EXR |
//! | `blobs` | [`Blob`], [`BlobRows`], [`Layer`]: the contents of a state file |
//! | `pool` | [`Pool`]: threads of the caller; [`Serial`]: none |
//! | `encode` | [`encode()`]: writes a state |
//! | `decode` | [`peek`] and [`read`]: the header, and the exact values |
//! | `foreign` | [`read_foreign`]: pictures of another program that hold a state as floats |
//! | `fields` | the header as attributes `flow.*`, and back |
//! | `parts` | parts and chunks of an EXR; every size is checked before it is used |
//! | `refusal` | [`Refusal`]: the reason why a file is not used, for an artist |
//! | `folder` | [`Folder`]: the states that many processes share |
//! | `directory` | creation of folders, but not of their parents |
//! | `names` | [`expand`], [`safe_name`], names of state files |
//! | `view` | the known contents of a folder |
//! | `scan` | listings and headers of a folder, each read once, with no lock held |
//! | `store` | names and writing of states |
//! | `in_progress` | states that this process is writing; states after them in a chain wait |
//! | `temporary` | files that are being written |
//! | `claims`, `heartbeat` | [`Claim`]: the announcement that this process simulates a state; its heartbeat |
//! | `trim` | [`trim()`] and [`Folder::clear`] |
//! | `index` | `index.tsv`, a readable list |
//! | `machine`, `clock` | identity of this process, whether another process lives; [`Clock`] |

mod blobs;
mod claims;
mod clock;
mod decode;
mod directory;
mod encode;
mod fields;
mod folder;
mod foreign;
mod header;
mod heartbeat;
mod in_progress;
mod index;
mod machine;
mod memory;
mod names;
mod parts;
mod pool;
mod refusal;
mod scan;
mod shape;
mod store;
mod temporary;
mod trim;
mod view;

pub use blobs::{Blob, BlobRows, Layer, Row, Values};
pub use claims::{Claim, Claimed};
pub use clock::Clock;
pub use decode::{peek, read};
pub use encode::encode;
pub use folder::{Folder, Listed, is_used};
pub use foreign::{Foreign, Wanted, read_foreign};
pub use header::{Expected, Header};
pub use heartbeat::stop_heartbeat;
pub use names::{NameError, expand, safe_name};
pub use pool::{Pool, Serial};
pub use refusal::Refusal;
pub use scan::without_use;
pub use shape::sides;
pub use store::StoreError;
pub use trim::{Trimmed, trim, trim_plan};
pub use view::Effort;
