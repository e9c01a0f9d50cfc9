//! Cached settings of past frames, so that a render does not read all of them from the host again.
//!
//! No host reports every change of a parameter: Nuke changes linked parameters silently, other hosts call
//! InstanceChanged on another instance or never. Cached settings are therefore verified:
//!
//! - A *stamp* covers all announcements of changes. Settings that were cached under another stamp are dropped.
//! - Each render reads a sample of the cached frames again ([`Sample`]) and compares. After a difference all cached
//!   settings are dropped, and the render reads every frame.
//!
//! A stale frame is found within a bounded number of renders. It is never stored under a wrong key, since the key of a
//! state is computed from the settings that it was simulated with.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::persistent::PersistentVec;
use crate::sim::fingerprint::Digest;

/// Limit of frames that a render reads again in addition to the first and the rendered one. A shot of up to this many
/// frames is read completely by every render.
pub const MOST_SAMPLES: usize = 64;

/// Limits of cached sequences (a proxy has its own settings), and of frames in all of them.
const MOST_SEQUENCES: usize = 4;
const MOST_FRAMES: usize = 1 << 17;

/// The settings of one frame.
#[derive(Debug)]
pub struct FrameSettings<F> {
    /// Settings of the frame.
    pub settings: Arc<F>,
    /// Hash of the settings.
    pub hash: u128,
    /// Hash of the context and of the settings of all frames up to this one.
    pub lineage: u128,
}

impl<F> Clone for FrameSettings<F> {
    fn clone(&self) -> Self {
        Self { settings: Arc::clone(&self.settings), ..*self }
    }
}

impl<F> FrameSettings<F> {
    /// Settings of the frame after `before`, or of the first frame of a context.
    pub fn after(before: Option<&Self>, context: u128, settings: F, hash: u128) -> Self {
        let mut digest = Digest::new("lineage");
        digest.wide(before.map_or(context, |before| before.lineage));
        digest.wide(hash);
        // Equal hashes mean equal settings: frames without animation share memory.
        let same = before.filter(|before| before.hash == hash).map(|before| Arc::clone(&before.settings));
        Self { settings: same.unwrap_or_else(|| Arc::new(settings)), hash, lineage: digest.finish() }
    }
}

/// The settings of a shot's frames from the first one on, as one render knows them.
#[derive(Debug)]
pub struct Sequence<F> {
    /// Settings of each frame, from the first one on.
    pub frames: PersistentVec<FrameSettings<F>>,
    epoch: u64,
}

impl<F> Default for Sequence<F> {
    fn default() -> Self {
        Self { frames: PersistentVec::default(), epoch: 0 }
    }
}

/// Positions of the cached frames that a render reads again. Every position is sampled at least once in `stride`
/// renders with that stride, and a run of `stride` frames or more is sampled by every render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Frames from one sampled position to the next, a power of two.
    pub stride: usize,
    /// The first sampled position, less than the stride.
    pub offset: usize,
}

impl Sample {
    fn stride(frames: usize) -> usize {
        frames.div_ceil(MOST_SAMPLES).next_power_of_two()
    }

    /// The sample of the render with index `turn` among those with this stride. Offsets are in bit-reversed order:
    /// after 2^k renders they are evenly spaced, so that a run of `stride / 2^k` frames has been found.
    fn new(stride: usize, turn: u64) -> Self {
        let turn = turn % stride as u64;
        let offset = if stride == 1 { 0 } else { turn.reverse_bits() >> (u64::BITS - stride.trailing_zeros()) };
        Self { stride, offset: offset as usize }
    }

    /// The sampled positions below `frames`.
    pub fn positions(self, frames: usize) -> impl Iterator<Item = usize> {
        (self.offset..frames).step_by(self.stride)
    }
}

struct Cached<F> {
    context: u128,
    stamp: u128,
    frames: PersistentVec<FrameSettings<F>>,
    /// Number of samples taken, by the logarithm of the stride.
    turns: [u64; usize::BITS as usize],
}

struct Inner<F> {
    epoch: u64,
    /// The sequence used last is at the end.
    cached: Vec<Cached<F>>,
}

/// The cache of one node. Thread-safe; the lock is not held during a call to the host.
pub struct SettingsCache<F> {
    inner: Mutex<Inner<F>>,
}

impl<F> Default for SettingsCache<F> {
    fn default() -> Self {
        Self { inner: Mutex::new(Inner { epoch: 0, cached: Vec::new() }) }
    }
}

impl<F> SettingsCache<F> {
    fn lock(&self) -> MutexGuard<'_, Inner<F>> {
        self.inner.lock()
    }

    /// Cached settings for a context (all dependencies of the settings except parameters) and a stamp, with the sample
    /// that a render of the first `frames` frames must verify before it uses them. Empty if nothing is cached.
    pub fn sequence(&self, context: u128, stamp: u128, frames: usize) -> (Sequence<F>, Sample) {
        let mut inner = self.lock();
        let epoch = inner.epoch;
        inner.cached.retain(|cached| cached.stamp == stamp);
        let Some(position) = inner.cached.iter().position(|cached| cached.context == context) else {
            return (Sequence { frames: PersistentVec::default(), epoch }, Sample::new(1, 0));
        };
        let mut cached = inner.cached.remove(position);
        let stride = Sample::stride(frames.min(cached.frames.len()).max(1));
        let turn = &mut cached.turns[stride.trailing_zeros() as usize];
        let sample = Sample::new(stride, *turn);
        *turn = turn.wrapping_add(1);
        let frames = cached.frames.clone();
        inner.cached.push(cached);
        (Sequence { frames, epoch }, sample)
    }

    /// Drops all cached settings, and makes running renders unable to store older ones. Returns an empty sequence.
    pub fn drop_all(&self) -> Sequence<F> {
        let mut inner = self.lock();
        inner.epoch += 1;
        inner.cached.clear();
        Sequence { frames: PersistentVec::default(), epoch: inner.epoch }
    }

    /// Stores a sequence that was read under a stamp. Has no effect if everything was dropped since
    /// [`sequence`](Self::sequence) returned its beginning. Of concurrent renders the longer sequence is stored.
    pub fn keep(&self, context: u128, stamp: u128, sequence: &Sequence<F>) {
        let mut inner = self.lock();
        if inner.epoch != sequence.epoch {
            return;
        }
        let frames = sequence.frames.clone();
        match inner.cached.iter_mut().find(|cached| cached.context == context && cached.stamp == stamp) {
            Some(cached) if cached.frames.len() < frames.len() => cached.frames = frames,
            Some(_) => {}
            None => inner.cached.push(Cached { context, stamp, frames, turns: [0; usize::BITS as usize] }),
        }
        let total = |cached: &[Cached<F>]| cached.iter().map(|cached| cached.frames.len()).sum::<usize>();
        while inner.cached.len() > 1 && (inner.cached.len() > MOST_SEQUENCES || total(&inner.cached) > MOST_FRAMES) {
            inner.cached.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(of: &Sequence<u32>, frames: std::ops::Range<u32>) -> Sequence<u32> {
        let mut sequence = Sequence { frames: of.frames.clone(), epoch: of.epoch };
        for frame in frames {
            let next = FrameSettings::after(sequence.frames.last(), 7, frame, u128::from(frame / 2));
            sequence.frames.push(next);
        }
        sequence
    }

    #[test]
    fn samples_visit_every_frame_and_find_longer_runs_earlier() {
        for frames in [1, 63, 64, 65, 1000, 5000] {
            let stride = Sample::stride(frames);
            let mut left: std::collections::BTreeSet<usize> = (0..frames).collect();
            for turn in 0..stride as u64 {
                let sample = Sample::new(stride, turn);
                let positions: Vec<usize> = sample.positions(frames).collect();
                assert!(positions.len() <= MOST_SAMPLES, "{} of {frames}", positions.len());
                positions.iter().for_each(|position| _ = left.remove(position));
                let runs = left.iter().fold((0, 0, None), |(longest, length, before), position| {
                    let length = if before == Some(position.wrapping_sub(1)) { length + 1 } else { 1 };
                    (longest.max(length), length, Some(*position))
                });
                let powers = (turn + 1).ilog2();
                assert!(runs.0 < (stride >> powers).max(1), "{} frames in a row after {} renders", runs.0, turn + 1);
            }
            assert!(left.is_empty(), "{frames} frames");
        }
    }

    #[test]
    fn a_lineage_names_all_settings_up_to_its_frame() {
        let [a, b] = [7, 8].map(|context| FrameSettings::after(None, context, 'a', 1));
        assert!(a.hash == b.hash && a.lineage != b.lineage);
        let [after_a, after_b] = [&a, &b].map(|before| FrameSettings::after(Some(before), 7, 'b', 2));
        assert!(after_a.lineage != after_b.lineage && after_a.lineage != a.lineage);
        assert!(Arc::ptr_eq(&a.settings, &FrameSettings::after(Some(&a), 7, 'a', 1).settings));
    }

    #[test]
    fn settings_read_before_a_drop_are_not_stored() {
        let cache = SettingsCache::default();
        let (empty, sample) = cache.sequence(7, 1, 10);
        assert_eq!((empty.frames.len(), sample), (0, Sample { stride: 1, offset: 0 }));
        cache.keep(7, 1, &sequence(&empty, 0..10));
        cache.keep(7, 1, &sequence(&empty, 0..5));
        let (ten, _) = cache.sequence(7, 1, 10);
        assert_eq!(ten.frames.len(), 10, "the longer one is kept");
        assert_eq!(cache.sequence(8, 1, 10).0.frames.len(), 0, "another context");
        let late = sequence(&ten, 10..20);
        let emptied = cache.drop_all();
        cache.keep(7, 1, &late);
        assert_eq!(cache.sequence(7, 1, 20).0.frames.len(), 0);
        cache.keep(7, 1, &sequence(&emptied, 0..3));
        assert_eq!(cache.sequence(7, 1, 20).0.frames.len(), 3);
        assert_eq!(cache.sequence(7, 2, 20).0.frames.len(), 0, "another stamp");
        assert_eq!(cache.sequence(7, 1, 20).0.frames.len(), 0, "it has dropped the others");
    }

    #[test]
    fn the_cache_is_bounded() {
        let cache = SettingsCache::default();
        for context in 0..20 {
            let (empty, _) = cache.sequence(context, 1, 10);
            cache.keep(context, 1, &sequence(&empty, 0..10));
        }
        let cached = (0..20).filter(|context| !cache.sequence(*context, 1, 10).0.frames.is_empty()).count();
        assert_eq!(cached, MOST_SEQUENCES);
    }
}
