//! The settings of a chain's frames during one render: from the cache if a sample of it is up to date, else from the
//! host.

use crate::ofx::Result;
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::timeline::{FrameSettings, Sequence, SettingsCache};

/// Frames whose parameters are read between two polls of the abort.
const FRAMES_BETWEEN_POLLS: usize = 64;

/// Reads settings from the first frame on. `F` is a frame's settings.
pub struct SettingsReader<'a, F> {
    /// The settings known to this render.
    sequence: Sequence<F>,
    /// The cache, and the stamp of all announcements of a change.
    cache: Option<(&'a SettingsCache<F>, u128)>,
    /// Whether the cache was read.
    looked_up: bool,
    /// Hash of all dependencies of settings and views except parameters.
    context: u128,
}

impl<'a, F: Fingerprint> SettingsReader<'a, F> {
    /// A reader without a cache.
    pub fn new(context: u128) -> Self {
        Self { sequence: Sequence::default(), cache: None, looked_up: false, context }
    }

    /// A reader with a cache. `stamp` covers all announcements of a change of a parameter.
    pub fn with_cache(self, cache: &'a SettingsCache<F>, stamp: u128) -> Self {
        Self { cache: Some((cache, stamp)), ..self }
    }

    /// The settings at a position, if they are known.
    pub fn get(&self, position: usize) -> Option<&FrameSettings<F>> {
        self.sequence.frames.get(position)
    }

    /// Reads the settings up to a position. `read` asks the host for the settings at a position, given those of the
    /// previous frame. Returns false after an abort; settings that were read before it are kept.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read_up_to(
        &mut self,
        position: usize,
        mut read: impl FnMut(usize, Option<&F>) -> Result<F>,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<bool> {
        self.look_up(position, &mut read)?;
        let before = self.sequence.frames.len();
        let mut goes_on = true;
        while self.sequence.frames.len() <= position {
            let next = self.sequence.frames.len();
            if (next - before).is_multiple_of(FRAMES_BETWEEN_POLLS) && !go_on() {
                goes_on = false;
                break;
            }
            let settings = self.read_at(next, &mut read)?;
            self.sequence.frames.push(settings);
        }
        if let Some((cache, stamp)) = self.cache
            && self.sequence.frames.len() > before
        {
            cache.keep(self.context, stamp, &self.sequence);
        }
        Ok(goes_on)
    }

    /// Takes the settings of the cache, once per render, unless a sample of them differs from the host's.
    fn look_up(&mut self, position: usize, read: &mut impl FnMut(usize, Option<&F>) -> Result<F>) -> Result<()> {
        let Some((cache, stamp)) = self.cache.filter(|_| !self.looked_up) else { return Ok(()) };
        self.looked_up = true;
        let (sequence, sample) = cache.sequence(self.context, stamp, position + 1);
        self.sequence = sequence;
        // The sample does not cover later frames.
        self.sequence.frames.truncate(position + 1);
        let frames = self.sequence.frames.len();
        let ends = [0, position].into_iter().filter(|end| *end < frames && *end % sample.stride != sample.offset);
        for position in ends.chain(sample.positions(frames)) {
            if self.read_at(position, read)?.hash != self.sequence.frames[position].hash {
                tracing::debug!("a parameter changed unreported: those of all frames are read again");
                self.sequence = cache.drop_all();
                break;
            }
        }
        Ok(())
    }

    /// The host's settings at a position whose predecessor is known.
    fn read_at(
        &self,
        position: usize,
        read: &mut impl FnMut(usize, Option<&F>) -> Result<F>,
    ) -> Result<FrameSettings<F>> {
        let before = position.checked_sub(1).map(|before| &self.sequence.frames[before]);
        let settings = read(position, before.map(|before| &*before.settings))?;
        let hash = digest(&settings);
        Ok(FrameSettings::after(before, self.context, settings, hash))
    }
}

/// Hash of a frame's settings.
pub fn digest(settings: &impl Fingerprint) -> u128 {
    let mut digest = Digest::new("settings");
    settings.enter(&mut digest);
    digest.finish()
}
