//! One render's view of its simulation, which the host answers.

use super::key::{ChainKey, PixelHash};
use super::memory::View;
use super::store::CachedValue;

/// Pictures, and the hash of each clip's.
pub type Hashed<I> = (I, Vec<PixelHash>);

/// One render's view of its simulation. All calls come from the thread that calls [`catch_up`], which is the thread of
/// the host's action, and with no lock held.
pub trait Shot {
    /// A frame's state.
    type State: CachedValue;
    /// A frame's pictures on the grid.
    type Inputs;
    /// What can go wrong while the host is asked.
    type Error;

    /// The key from which the chain starts: everything that holds for all its frames.
    fn family(&self) -> ChainKey;
    /// The first frame of the chain; the inputs of no earlier one are read.
    fn first(&self) -> i64;
    /// Brings the settings of the frames up to `last` to hand. False if the host wants the render to stop.
    fn read_settings(&mut self, last: i64) -> Result<bool, Self::Error> {
        let _ = last;
        Ok(true)
    }
    /// Hash of the settings at a frame up to the last one that was read.
    fn settings(&mut self, frame: i64) -> Result<u128, Self::Error>;
    /// Hash of everything that decides settings, views and family at the frames up to this one, of those that were read: where
    /// it is equal in two renders, they differ in pictures alone. `None` where no such hash is known.
    fn lineage(&self, frame: i64) -> Option<u128> {
        let _ = frame;
        None
    }
    /// The frame whose pictures a frame consumes.
    fn input_frame(&self, frame: i64) -> i64;
    /// How each clip is looked at; `None` for one that the frame does not consume.
    fn views(&mut self, frame: i64) -> Result<Vec<Option<View>>, Self::Error>;
    /// Reads the pictures that a frame consumes, with the hash of each clip's ([`PixelHash::NOTHING`] where unused).
    /// `Ok(None)` if the host wants the render to stop.
    fn read(&mut self, frame: i64) -> Result<Option<Hashed<Self::Inputs>>, Self::Error>;
    /// As [`read`](Self::read), for the hashes alone: the pictures are not kept.
    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Self::Error> {
        Ok(self.read(frame)?.map(|(_, hashes)| hashes))
    }
    /// Simulates a frame; `before` is `None` for the first. `Ok(None)` if the host wants the render to stop.
    fn step(
        &mut self,
        before: Option<&Self::State>,
        frame: i64,
        inputs: Self::Inputs,
    ) -> Result<Option<Self::State>, Self::Error>;
    /// What a frame was simulated with, for people.
    fn account(&mut self, frame: i64) -> Result<String, Self::Error> {
        let _ = frame;
        Ok(String::new())
    }
    /// False once the host wants the render to stop.
    fn go_on(&mut self) -> bool;
}

/// Why there is no state.
#[derive(Debug)]
pub enum Stop<E> {
    /// The host aborted the render. What was computed is kept.
    Aborted,
    /// The host could not be asked.
    Failed(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Self::Failed(error)
    }
}
