//! Settings of a shot's frames during one render: from the cache as far as a sample of it still holds, else from the host.

use crate::ofx::Result;
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::timeline::{FrameSettings, Sequence, SettingsCache};

/// Frames whose parameters are read between two looks at the abort flag.
const FRAMES_BETWEEN_POLLS: usize = 64;

/// Reads settings from the first frame on. `F` is a frame's settings.
pub struct SettingsReader<'a, F> {
    /// As far as this render knows them.
    sequence: Sequence<F>,
    /// Where settings are taken from and kept, and the stamp of what announces their change.
    cache: Option<(&'a SettingsCache<F>, u128)>,
    /// The cache was asked.
    looked_up: bool,
    /// All that settings and views depend on, beside parameters.
    context: u128,
}

impl<'a, F: Fingerprint> SettingsReader<'a, F> {
    /// Without a cache.
    pub fn new(context: u128) -> Self {
        Self { sequence: Sequence::default(), cache: None, looked_up: false, context }
    }

    /// The same with a cache. `stamp` covers everything that announces a change of a parameter.
    pub fn with_cache(self, cache: &'a SettingsCache<F>, stamp: u128) -> Self {
        Self { cache: Some((cache, stamp)), ..self }
    }

    /// The settings at a position, if they are at hand.
    pub fn get(&self, position: usize) -> Option<&FrameSettings<F>> {
        self.sequence.frames.get(position)
    }

    /// Brings the settings up to a position to hand. `read` asks the host for those at a position, and is given those of the
    /// frame before. False once `go_on` says no; settings that were read by then are kept all the same.
    ///
    /// # Errors
    /// The host can't be asked.
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

    /// Takes what the cache has, once per render, unless a sample of it differs from what the host says.
    fn look_up(&mut self, position: usize, read: &mut impl FnMut(usize, Option<&F>) -> Result<F>) -> Result<()> {
        let Some((cache, stamp)) = self.cache.filter(|_| !self.looked_up) else { return Ok(()) };
        self.looked_up = true;
        let (sequence, sample) = cache.sequence(self.context, stamp, position + 1);
        self.sequence = sequence;
        // The sample says nothing about later frames.
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

    /// The settings at a position whose predecessor is known, as the host has them now.
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
