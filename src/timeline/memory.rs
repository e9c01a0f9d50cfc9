//! What was read from the clips of one node: hashes only, never pixels.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::key::PixelHash;

/// How pixels were looked at: a hash over the sampling geometry and the clip's format. A change of proxy scale, grid,
/// depth or components is another way of looking, and shares nothing with this one.
pub type View = u128;

/// Remembered hashes, by clip (its index), view and frame. Shared by the renders of a node; the lock is held for a
/// look-up and never across a call to the host.
#[derive(Default)]
pub struct InputMemory {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    seen: HashMap<(usize, View), HashMap<i64, PixelHash>>,
    turn: u64,
    epoch: u64,
}

/// Views of all clips that are remembered before everything is forgotten. Many, since a grid that follows a point is
/// another view at every frame.
const MOST_VIEWS: usize = 1 << 16;

impl InputMemory {
    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all clips showed at `frame`, if all are remembered. A clip without a view is not consumed there.
    pub fn recall(&self, frame: i64, views: &[Option<View>]) -> Option<Vec<PixelHash>> {
        let inner = self.lock();
        let known = |(clip, view): (usize, &Option<View>)| match view {
            None => Some(PixelHash::NOTHING),
            Some(view) => inner.seen.get(&(clip, *view))?.get(&frame).copied(),
        };
        views.iter().enumerate().map(known).collect()
    }

    /// The number of times that something was forgotten on demand. A render that began before must not bring back what
    /// was forgotten while it ran.
    pub fn epoch(&self) -> u64 {
        self.lock().epoch
    }

    /// Remembers what was just read by a render that began in `epoch`; nothing in a later one. False where it disagrees with what was remembered: then everything known of that
    /// clip has been forgotten first, for what changed in one frame may have changed in all.
    pub fn record(&self, epoch: u64, frame: i64, views: &[Option<View>], hashes: &[PixelHash]) -> bool {
        let mut inner = self.lock();
        if inner.epoch != epoch {
            return true;
        }
        let known = |(clip, view): (usize, &Option<View>)| view.is_none_or(|v| inner.seen.contains_key(&(clip, v)));
        if inner.seen.len() >= MOST_VIEWS && !views.iter().enumerate().all(known) {
            inner.seen.clear();
        }
        let mut agrees = true;
        for (clip, (view, hash)) in views.iter().zip(hashes).enumerate() {
            let Some(view) = view else { continue };
            let known = inner.seen.get(&(clip, *view)).and_then(|frames| frames.get(&frame));
            if known.is_some_and(|known| known != hash) {
                agrees = false;
                inner.seen.retain(|(other, _), _| *other != clip);
            }
            inner.seen.entry((clip, *view)).or_default().insert(frame, *hash);
        }
        agrees
    }

    /// Forgets one clip.
    pub fn forget(&self, clip: usize) {
        let mut inner = self.lock();
        inner.epoch += 1;
        inner.seen.retain(|(other, _), _| *other != clip);
    }

    /// Forgets all clips.
    pub fn forget_all(&self) {
        let mut inner = self.lock();
        inner.epoch += 1;
        inner.seen.clear();
    }

    /// A frame of `first..=last` that differs from call to call, so that in time every frame is looked at again.
    pub fn rotating(&self, first: i64, last: i64) -> i64 {
        let mut inner = self.lock();
        let span = last.saturating_sub(first).unsigned_abs().saturating_add(1);
        // An odd stride near the golden section visits distant frames first and, in the end, all of them.
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
    fn a_disagreement_forgets_that_clip_and_no_other() {
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
    fn a_render_that_began_before_brings_nothing_back() {
        let memory = InputMemory::default();
        let epoch = memory.epoch();
        memory.forget(0);
        assert!(memory.record(epoch, 1, &[Some(10)], &[A]));
        assert_eq!(memory.recall(1, &[Some(10)]), None);
        assert!(memory.record(memory.epoch(), 1, &[Some(10)], &[B]));
        assert_eq!(memory.recall(1, &[Some(10)]), Some(vec![B]));
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
