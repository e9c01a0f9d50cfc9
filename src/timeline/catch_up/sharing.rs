//! Catch-up with an archive: loading states, waiting for other processes, storing states.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::archive::{self, Address};
use super::super::chains::Keys;
use super::super::store::{Claim, Claimed, Place};
use super::{Base, Run, Shot, Stop};

/// Limit of the wait for a frame that a live process simulates. Afterwards this render simulates the frame as well.
const PATIENCE: Duration = Duration::from_secs(120);

/// Number of damaged states after which a render continues without the archive.
const MOST_DAMAGED_LOADS: u32 = 64;

/// Number of earlier keys that are passed to the archive with a state.
const MOST_EARLIER: usize = 8;

/// Time between two calls of `go_on` during a wait.
const POLL: Duration = Duration::from_millis(20);

/// Maximum time between two queries of the archive during a wait.
const LONGEST_PAUSE: Duration = Duration::from_millis(320);

impl<H: Shot> Run<'_, H> {
    /// Loads the base state. The inner `None` is the start of the chain; the outer `None` means that the file is
    /// damaged.
    pub(super) fn load(&mut self, base: &Base<H::State>) -> Result<Settled<H::State>, Stop<H::Error>> {
        let (position, key) = match base {
            Base::Start => return Ok(Some(None)),
            Base::InMemory(state) => return Ok(Some(Some(Arc::clone(state)))),
            Base::InArchive(position, key) => (*position, *key),
        };
        let place = self.chain.place(position);
        // Another render may be loading the state, or have loaded it.
        let claim = match self.store.claim::<H::State>(key, place, &mut || self.shot.go_on()) {
            Claimed::Ready(state) => return Ok(Some(Some(state))),
            Claimed::Stopped => return Err(Stop::Aborted),
            Claimed::Mine(claim) => claim,
        };
        let loaded = self.archive.and_then(|archive| archive.load(self.chain.frame(position), key));
        let Some(state) = loaded.map(Arc::new) else {
            self.damaged_loads += 1;
            if self.damaged_loads >= MOST_DAMAGED_LOADS {
                self.archive = None;
            }
            return Ok(None);
        };
        self.loaded += 1;
        claim.fulfil(Arc::clone(&state));
        Ok(Some(Some(state)))
    }

    /// Acquires the claim on a frame's strip among processes, or finds that another process has stored the frame.
    pub(super) fn claim_elsewhere(
        &mut self,
        position: usize,
        keys: &Keys,
        claim: &Claim<'_>,
    ) -> Result<Decision, Stop<H::Error>> {
        let Some(archive) = self.archive else { return Ok(Decision::Simulate) };
        let first = archive.strip(self.chain.place(position));
        if self.timed_out_strip == Some(first) || self.strip_claim.as_ref().is_some_and(|(held, _)| *held == first) {
            return Ok(Decision::Simulate);
        }
        self.strip_claim = None;
        let (frame, key) = (self.chain.frame(position), keys[position]);
        let begun = Instant::now();
        let mut pause = POLL;
        loop {
            if archive.has(frame, key) {
                return Ok(Decision::Archived);
            }
            match archive.claim(keys[first as usize]) {
                archive::Claimed::Mine(strip_claim) => {
                    // The other process may have finished between the two queries.
                    if archive.has(frame, key) {
                        return Ok(Decision::Archived);
                    }
                    if self.waited && position + 1 < self.chain.frames() && self.kept_beyond(position + 1) {
                        return Ok(Decision::Retry);
                    }
                    self.strip_claim = Some((first, strip_claim));
                    return Ok(Decision::Simulate);
                }
                archive::Claimed::Theirs if begun.elapsed() >= PATIENCE => {
                    self.timed_out_strip = Some(first);
                    return Ok(Decision::Simulate);
                }
                archive::Claimed::Theirs => {
                    self.waited = true;
                    let paused_at = Instant::now();
                    while paused_at.elapsed() < pause {
                        self.check_abort()?;
                        std::thread::sleep(POLL);
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    // Other renders of this process wait for this one, so its claim in the store must not expire.
                    claim.renew();
                }
            }
        }
    }

    /// Stores a state in the archive, and passes on the claim of its strip.
    pub(super) fn archive_state(
        &mut self,
        position: usize,
        keys: &Keys,
        state: &Arc<H::State>,
    ) -> Result<(), Stop<H::Error>> {
        let Some(archive) = self.archive else { return Ok(()) };
        let (place, frame, key) = (self.chain.place(position), self.chain.frame(position), keys[position]);
        if !archive.wants(place, frame, key) {
            return Ok(());
        }
        let account = self.shot.account(frame)?;
        let strip_claim = self.strip_claim.take().map(|(_, strip_claim)| strip_claim);
        let mut earlier = Vec::new();
        let mut index = place.index;
        while index > 0 && earlier.len() < MOST_EARLIER {
            index = archive.strip(Place { index, ..place }) - 1;
            earlier.push(keys[index as usize]);
        }
        let address = Address { place, frame, key, earlier };
        archive.keep(address, state, account, strip_claim, &mut || self.shot.go_on());
        Ok(())
    }
}

/// The base state (`None` for the start of the chain); the outer `None` means that its file is damaged.
pub(super) type Settled<S> = Option<Option<Arc<S>>>;

/// The next action for a frame.
pub(super) enum Decision {
    /// Simulate the frame.
    Simulate,
    /// Load the frame from the archive when it is needed.
    Archived,
    /// Search the archive again for later frames.
    Retry,
}
