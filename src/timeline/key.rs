//! Names of states: 128-bit hashes over everything that a state depends on.

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Hash of the pixels that a frame consumed of one clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PixelHash(pub u128);

impl PixelHash {
    /// Nothing was consumed: the clip is not connected, or the frame does not use it.
    pub const NOTHING: Self = Self(0);

    /// Of the bytes of a picture that was sampled onto the grid.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }
}

/// A running hash over tagged values. Values of different kinds never meet: each is written with fixed width.
pub struct Digest(Xxh3);

impl Digest {
    /// Starts a digest of the named kind of thing.
    pub fn new(kind: &str) -> Self {
        let mut digest = Self(Xxh3::new());
        digest.text(kind);
        digest
    }

    /// Adds a whole number.
    pub fn int(&mut self, value: i64) {
        self.0.update(&value.to_le_bytes());
    }

    /// Adds a real number by its bits; both zeros count as one, and so do all NaNs.
    pub fn real(&mut self, value: f64) {
        let canonical = if value.is_nan() {
            f64::NAN
        } else if value == 0.0 {
            0.0
        } else {
            value
        };
        self.0.update(&canonical.to_bits().to_le_bytes());
    }

    /// Adds a hash.
    pub fn wide(&mut self, value: u128) {
        self.0.update(&value.to_le_bytes());
    }

    /// Adds a text, with its length.
    pub fn text(&mut self, value: &str) {
        self.int(value.len() as i64);
        self.0.update(value.as_bytes());
    }

    /// The hash of all that was added.
    pub fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

/// Name of a state. Equal keys mean equal states, in any process and on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChainKey(pub u128);

impl ChainKey {
    /// The key of the next frame: this one's, the settings there, and the pixels consumed there, clip by clip.
    pub fn next(self, settings: u128, pixels: &[PixelHash]) -> Self {
        let mut digest = Digest::new("frame");
        digest.wide(self.0);
        digest.wide(settings);
        for hash in pixels {
            digest.wide(hash.0);
        }
        Self(digest.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_depends_on_every_part_and_on_their_order() {
        let [a, b] = [PixelHash(1), PixelHash(2)];
        let key = ChainKey(7).next(3, &[a, b]);
        assert_eq!(key, ChainKey(7).next(3, &[a, b]));
        assert_ne!(key, ChainKey(8).next(3, &[a, b]));
        assert_ne!(key, ChainKey(7).next(4, &[a, b]));
        assert_ne!(key, ChainKey(7).next(3, &[b, a]));
        assert_ne!(key, ChainKey(7).next(3, &[a]));
    }

    #[test]
    fn zeros_and_nans_count_as_one() {
        let of = |value: f64| {
            let mut digest = Digest::new("x");
            digest.real(value);
            digest.finish()
        };
        assert_eq!(of(0.0), of(-0.0));
        assert_eq!(of(f64::NAN), of(-f64::NAN));
        assert_ne!(of(1.0), of(1.0 + f64::EPSILON));
    }
}
