//! Keys of states: 128-bit hashes of all dependencies of a state.

use xxhash_rust::xxh3::Xxh3;

use crate::sim::fingerprint::Digest;

/// Hash of the pixels that a frame consumes from one clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PixelHash(pub u128);

impl PixelHash {
    /// The hash for a clip that is not connected or not used by the frame.
    pub const NOTHING: Self = Self(0);

    /// Hash of a picture from the hashes of its pieces, in order.
    pub fn of_pieces(pieces: &[u128]) -> Self {
        let mut digest = Digest::new("pieces");
        pieces.iter().for_each(|piece| digest.wide(*piece));
        Self(digest.finish())
    }
}

/// Incremental hash of the bytes of a piece of a picture. The split into calls does not affect the hash.
#[derive(Default)]
pub struct PieceHash(Xxh3);

impl PieceHash {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Hash of the added bytes.
    pub fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

/// Key of a state. Equal keys mean equal states, in any process and on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChainKey(pub u128);

impl ChainKey {
    /// Key of the next frame, from this key, the settings of that frame, and the hash of each clip's pixels.
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
    fn a_piece_is_its_bytes_and_a_picture_its_pieces() {
        let bytes: Vec<u8> = (0..5000_u32).map(|i| (i * 7 / 3) as u8).collect();
        let of = |cut: usize| {
            let mut piece = PieceHash::default();
            bytes.chunks(cut).for_each(|chunk| piece.add(chunk));
            piece.finish()
        };
        assert_eq!(of(5000), of(16));
        assert_eq!(of(5000), of(1201));
        assert_ne!(PixelHash::of_pieces(&[1, 2]), PixelHash::of_pieces(&[2, 1]));
        assert_ne!(PixelHash::of_pieces(&[1, 2]), PixelHash::of_pieces(&[1]));
    }
}
