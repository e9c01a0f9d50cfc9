//! Hashes of the pictures that were read from the clips of one node; no pixels.

use std::collections::HashMap;

use parking_lot::Mutex;

use super::chains::Keys;
use super::key::{ChainKey, PixelHash};
use super::persistent::PersistentVec;

/// Hash of the sampling geometry and the clip's format. Another proxy scale, grid, depth or number of components is
/// another view; hashes are not shared between views.
pub type View = u128;

/// Remembered hashes by clip index, view and frame. Shared by the renders of a node. Thread-safe; the lock is not held
/// during a call to the host.
#[derive(Default)]
pub struct InputMemory {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    seen: HashMap<(usize, View), HashMap<i64, PixelHash>>,
    turn: u64,
    epoch: u64,
    /// Keys that were computed from remembered hashes, the chain used last at the end. Emptied when a hash is dropped
    /// or replaced.
    chains: Vec<KnownKeys>,
    /// Number of times that `chains` was emptied.
    generation: u64,
}

impl Inner {
    /// Drops all keys, after a hash they may depend on was dropped.
    fn drop_keys(&mut self) {
        self.generation += 1;
        self.chains.clear();
    }
}

/// Keys of a chain's first frames, each with the lineage of the settings up to its frame.
#[derive(Clone, Debug, Default)]
pub struct KnownKeys {
    lineages: PersistentVec<u128>,
    keys: Keys,
}

impl KnownKeys {
    /// Keys of the frames.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Appends the lineage and key of the next frame.
    pub fn push(&mut self, lineage: u128, key: ChainKey) {
        self.lineages.push(lineage);
        self.keys.push(key);
    }

    /// Drops the frames from a position on.
    fn truncate(&mut self, length: usize) {
        self.lineages.truncate(length);
        self.keys.truncate(length);
    }

    /// Whether `other` begins with all of these frames.
    fn is_part_of(&self, other: &Self) -> bool {
        self.lineages.last().is_none_or(|last| other.lineages.get(self.lineages.len() - 1) == Some(last))
    }
}

/// Limit of chains with remembered keys.
const MOST_CHAINS: usize = 4;

/// Limit of views of all clips, above which all hashes are dropped. The limit is high, since a grid that follows a
/// point has another view at every frame.
const MOST_VIEWS: usize = 1 << 16;

impl InputMemory {
    fn lock(&self) -> parking_lot::MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    /// Hashes of all clips at `frame`, if all are remembered. A clip without a view is not consumed.
    pub fn recall(&self, frame: i64, views: &[Option<View>]) -> Option<Vec<PixelHash>> {
        let inner = self.lock();
        let known = |(clip, view): (usize, &Option<View>)| match view {
            None => Some(PixelHash::NOTHING),
            Some(view) => inner.seen.get(&(clip, *view))?.get(&frame).copied(),
        };
        views.iter().enumerate().map(known).collect()
    }

    /// Number of times that hashes were dropped by [`forget`](Self::forget) or [`forget_all`](Self::forget_all). A
    /// render that began in an earlier epoch must not record hashes.
    pub fn epoch(&self) -> u64 {
        self.lock().epoch
    }

    /// Records the hashes that a render has read. `epoch` is the epoch at its beginning; the call has no effect in a
    /// later one. Returns false if a hash differs from the remembered one. All hashes of that clip are dropped first,
    /// since a change in one frame may affect all frames.
    pub fn record(&self, epoch: u64, frame: i64, views: &[Option<View>], hashes: &[PixelHash]) -> bool {
        let mut inner = self.lock();
        if inner.epoch != epoch {
            return true;
        }
        let known = |(clip, view): (usize, &Option<View>)| view.is_none_or(|v| inner.seen.contains_key(&(clip, v)));
        if inner.seen.len() >= MOST_VIEWS && !views.iter().enumerate().all(known) {
            inner.seen.clear();
            inner.drop_keys();
        }
        let mut agrees = true;
        for (clip, (view, hash)) in views.iter().zip(hashes).enumerate() {
            let Some(view) = view else { continue };
            let known = inner.seen.get(&(clip, *view)).and_then(|frames| frames.get(&frame));
            if known.is_some_and(|known| known != hash) {
                agrees = false;
                inner.seen.retain(|(other, _), _| *other != clip);
                inner.drop_keys();
            }
            inner.seen.entry((clip, *view)).or_default().insert(frame, *hash);
        }
        agrees
    }

    /// Drops the hashes of one clip.
    pub fn forget(&self, clip: usize) {
        let mut inner = self.lock();
        inner.epoch += 1;
        inner.seen.retain(|(other, _), _| *other != clip);
        inner.drop_keys();
    }

    /// Drops the hashes of all clips.
    pub fn forget_all(&self) {
        let mut inner = self.lock();
        inner.epoch += 1;
        inner.seen.clear();
        inner.drop_keys();
    }

    /// Remembered keys of the chain that shares the most frames with a shot of `frames` frames, truncated to these, and
    /// the generation for [`keep_keys`](Self::keep_keys). `lineage` returns the shot's lineage at a position; equal
    /// lineages at a position imply equal lineages at all earlier positions.
    pub fn keys(&self, frames: usize, lineage: impl Fn(usize) -> u128) -> (KnownKeys, u64) {
        let (chains, generation) = {
            let inner = self.lock();
            (inner.chains.clone(), inner.generation)
        };
        let shared = |chain: &KnownKeys| {
            let agrees = |position: usize| chain.lineages[position] == lineage(position);
            let (mut low, mut high) = (0, chain.lineages.len().min(frames));
            // In most cases all frames agree.
            if high > 0 && agrees(high - 1) {
                return high;
            }
            while low < high {
                let middle = low.midpoint(high);
                if agrees(middle) { low = middle + 1 } else { high = middle }
            }
            low
        };
        let longest = chains.into_iter().map(|chain| (shared(&chain), chain)).max_by_key(|(shared, _)| *shared);
        let keys = longest.map(|(shared, mut chain)| {
            chain.truncate(shared);
            chain
        });
        (keys.unwrap_or_default(), generation)
    }

    /// Records keys that were computed from remembered hashes alone since [`keys`](Self::keys) returned the generation.
    /// Has no effect if a hash was dropped meanwhile.
    pub fn keep_keys(&self, generation: u64, keys: &KnownKeys) {
        let mut inner = self.lock();
        if inner.generation != generation || inner.chains.iter().any(|chain| keys.is_part_of(chain)) {
            return;
        }
        inner.chains.retain(|chain| !chain.is_part_of(keys));
        if inner.chains.len() == MOST_CHAINS {
            inner.chains.remove(0);
        }
        inner.chains.push(keys.clone());
    }

    /// A frame of `first..=last` that differs from call to call, so that every frame is checked in time.
    pub fn rotating(&self, first: i64, last: i64) -> i64 {
        let mut inner = self.lock();
        let span = last.saturating_sub(first).unsigned_abs().saturating_add(1);
        // An odd stride near the golden section visits distant frames first and all frames eventually.
        let frame = first + (inner.turn.wrapping_mul(0x9e37_79b1) % span) as i64;
        inner.turn = inner.turn.wrapping_add(1);
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: PixelHash = PixelHash(1);
    const B: PixelHash = PixelHash(2);

    #[test]
    fn a_changed_picture_drops_the_hashes_of_its_clip_only() {
        let memory = InputMemory::default();
        for frame in 1..=5 {
            assert!(memory.record(0, frame, &[Some(10), Some(20)], &[A, A]));
        }
        assert!(!memory.record(0, 3, &[Some(10), Some(20)], &[B, A]));
        assert_eq!(memory.recall(3, &[Some(10), Some(20)]), Some(vec![B, A]));
        assert_eq!(memory.recall(4, &[Some(10), Some(20)]), None);
        memory.record(0, 4, &[Some(10), Some(20)], &[B, A]);
        assert_eq!(memory.recall(4, &[Some(10), Some(20)]), Some(vec![B, A]));
        assert_eq!(memory.recall(4, &[Some(11), Some(20)]), None, "another view is another reading");
        assert_eq!(memory.recall(4, &[None, None]), Some(vec![PixelHash::NOTHING; 2]), "nothing is consumed");
    }

    #[test]
    fn a_render_of_an_earlier_epoch_records_nothing() {
        let memory = InputMemory::default();
        let epoch = memory.epoch();
        memory.forget(0);
        assert!(memory.record(epoch, 1, &[Some(10)], &[A]));
        assert_eq!(memory.recall(1, &[Some(10)]), None);
        assert!(memory.record(memory.epoch(), 1, &[Some(10)], &[B]));
        assert_eq!(memory.recall(1, &[Some(10)]), Some(vec![B]));
    }

    #[test]
    fn keys_are_known_up_to_the_first_different_settings_until_a_hash_is_dropped() {
        let memory = InputMemory::default();
        let lineage = |of: usize| move |position: usize| (if position < 3 { position } else { of + position }) as u128;
        let made = |of: usize, frames: usize| {
            let mut keys = KnownKeys::default();
            (0..frames).for_each(|position| keys.push(lineage(of)(position), ChainKey(position as u128)));
            keys
        };
        let known = |of: usize, frames: usize| memory.keys(frames, lineage(of)).0.keys().len();
        let keep = |keys: &KnownKeys| memory.keep_keys(memory.keys(0, lineage(0)).1, keys);
        assert_eq!(known(100, 9), 0);
        keep(&made(100, 6));
        keep(&made(100, 4));
        keep(&made(200, 9));
        assert_eq!([known(100, 9), known(100, 5), known(200, 9), known(300, 9)], [6, 5, 9, 3]);
        keep(&made(100, 12));
        assert_eq!((known(100, 20), memory.lock().chains.len()), (12, 2), "the longer one takes the place of its part");
        (3..9).for_each(|of| keep(&made(of * 100, 5)));
        assert_eq!(memory.lock().chains.len(), MOST_CHAINS);
        // Dropping a hash drops all keys, also those that are recorded later with the old generation.
        memory.record(0, 1, &[Some(10)], &[A]);
        let forgets: [&dyn Fn(); 3] =
            [&|| _ = memory.record(0, 1, &[Some(10)], &[B]), &|| memory.forget(5), &|| memory.forget_all()];
        for forget in forgets {
            keep(&made(100, 6));
            let (keys, generation) = memory.keys(9, lineage(100));
            assert_eq!(keys.keys().len(), 6);
            forget();
            memory.keep_keys(generation, &keys);
            assert_eq!(known(100, 9), 0);
        }
    }

    #[test]
    fn the_rotation_visits_every_frame() {
        let memory = InputMemory::default();
        let mut seen: Vec<i64> = (0..1000).map(|_| memory.rotating(-3, 96)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (-3..=96).collect::<Vec<_>>());
    }
}
