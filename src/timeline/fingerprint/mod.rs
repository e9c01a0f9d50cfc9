//! What of the settings enters a chain key. Every struct is taken apart without `..`, so that a new field does not
//! compile until it is entered here or left out on purpose.

mod smoke;
mod water;

use super::key::Digest;
use crate::sim::grid::Grid;

/// A thing that a state depends on.
pub trait Fingerprint {
    /// Enters all of it into the digest.
    fn enter(&self, digest: &mut Digest);
}

impl Fingerprint for Grid {
    fn enter(&self, digest: &mut Digest) {
        let Self { width, height, origin: [x, y], cells_per_pixel } = *self;
        digest.int(width as i64);
        digest.int(height as i64);
        digest.real(x);
        digest.real(y);
        digest.real(cells_per_pixel);
    }
}
