//! States of a simulation on disk.
//!
//! A state is written as one multi-part EXR. The first part shows what the simulation looks like in any program that reads
//! EXR; the second holds the exact values, integers or floats, from which the simulation goes on with the same bits. What
//! the file says of itself stands in its header, and nothing is taken from a file whose contents do not match it.
//!
//! Many processes share a [`Folder`] of such files. They agree on who makes which state by claims in it, and a process that
//! is killed, a disk that fills up or a folder that vanishes leave nothing that could be taken for a state.
//!
//! This crate knows nothing of OpenFX or of water, and starts no threads to encode or decode: whoever has some lends them
//! as a [`Pool`]. One thread of its own runs while claims are held, and [`rest`] ends it.
//!
//! # Map
//!
//! | file | what it is |
//! |---|---|
//! | `header` | [`Header`]: the description of a state; [`Expected`]: the state that a reader needs |
//! | `shape` | shapes of one to four axes, and their layout in an EXR |
//! | `blobs` | [`Blob`], [`BlobRows`], [`Layer`]: the contents of a state file |
//! | `pool` | [`Pool`]: threads lent by the caller; [`Serial`]: none |
//! | `encode` | [`encode()`]: writes a state |
//! | `decode` | [`peek`] and [`read`]: what a file says of itself, and the exact values |
//! | `foreign` | [`read_foreign`]: pictures of another program that hold a state as floats |
//! | `fields` | the header as attributes `flow.*`, and back |
//! | `parts` | the frame of an EXR, read with every size checked before it is believed |
//! | `refusal` | [`Refusal`]: why a file is not used, in words for an artist |
//! | `folder` | [`Folder`]: the states that many processes share |
//! | `place` | making a shot's folder, and nothing above it |
//! | `names` | [`expand`], [`safe_name`], and how state files are called |
//! | `view` | what lies in a folder, as last seen |
//! | `sight` | looking at it: listings and headers, each read once, with no lock held |
//! | `store` | under which name a state is written, and how |
//! | `underway` | states that this process is writing, for those that come after them |
//! | `temporary` | files that are being written |
//! | `claims`, `heart` | [`Claim`]: the duty to make a state; the claims of this process, and its sign of life |
//! | `trim` | [`trim()`] and [`Folder::clear`] |
//! | `index` | `index.tsv`, for people |
//! | `machine`, `clock` | which process this is, and whether another lives; [`Clock`] |

mod blobs;
mod claims;
mod clock;
mod decode;
mod encode;
mod fields;
mod folder;
mod foreign;
mod header;
mod heart;
mod index;
mod machine;
mod memory;
mod names;
mod parts;
mod place;
mod pool;
mod refusal;
mod shape;
mod sight;
mod store;
mod temporary;
mod trim;
mod underway;
mod view;

pub use blobs::{Blob, BlobRows, Layer, Row, Values};
pub use claims::{Claim, Claimed};
pub use clock::Clock;
pub use decode::{peek, read};
pub use encode::encode;
pub use folder::{Folder, Listed, is_used};
pub use foreign::{Foreign, Wanted, read_foreign};
pub use header::{Expected, Header};
pub use heart::rest;
pub use names::{NameError, expand, safe_name};
pub use pool::{Pool, Serial};
pub use refusal::Refusal;
pub use shape::sides;
pub use sight::without_use;
pub use store::StoreError;
pub use trim::{Trimmed, trim, trim_plan};
pub use view::Effort;
