//! The state of a volume as the store and the disk cache keep it, for the nodes that simulate volumes.
//!
//! | file | contents |
//! |---|---|
//! | `frame_state` | the state of a frame with its diagnostics |
//! | `sparse_packs` | packs without empty tiles |
//! | `stored` | the contents of cache files |

mod frame_state;
mod sparse_packs;
pub mod stored;

pub use frame_state::FrameState;
