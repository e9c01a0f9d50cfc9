//! The interface of a render to its simulation and to the host.

use super::key::{ChainKey, PixelHash};
use super::memory::View;
use super::store::CachedValue;

/// Pictures, with the hash of each clip's picture.
pub type Hashed<I> = (I, Vec<PixelHash>);

/// One render (a *shot*) as the timeline sees it: the simulation of its frames, the keys of their states, and the host.
/// All calls come from the thread that calls [`catch_up`], which is the thread of the host's action, with no lock held.
///
/// [`catch_up`]: super::catch_up()
pub trait Shot {
    /// The state of a frame.
    type State: CachedValue;
    /// The pictures of a frame on the grid.
    type Inputs;
    /// Error of a call to the host.
    type Error;

    /// Family key: the hash of all dependencies that are constant over the chain.
    fn family(&self) -> ChainKey;
    /// First frame of the chain. Inputs of earlier frames are not read.
    fn first(&self) -> i64;
    /// Reads the settings of the frames up to `last`. Returns false if the host aborts the render.
    fn read_settings(&mut self, last: i64) -> Result<bool, Self::Error> {
        let _ = last;
        Ok(true)
    }
    /// Hash of the settings of a frame, which must not be after the last one read.
    fn settings(&mut self, frame: i64) -> Result<u128, Self::Error>;
    /// Hash of all dependencies of the settings, views and family at the frames up to this one. Two renders with equal
    /// hashes differ in pictures alone. `None` if the hash is not known.
    fn lineage(&self, frame: i64) -> Option<u128> {
        let _ = frame;
        None
    }
    /// Frame number of the pictures that a frame consumes.
    fn input_frame(&self, frame: i64) -> i64;
    /// View of each clip; `None` for a clip that the frame does not consume.
    fn views(&mut self, frame: i64) -> Result<Vec<Option<View>>, Self::Error>;
    /// Reads the pictures that a frame consumes, with the hash of each clip's picture ([`PixelHash::NOTHING`] if
    /// unused). `Ok(None)` if the host aborts the render.
    fn read(&mut self, frame: i64) -> Result<Option<Hashed<Self::Inputs>>, Self::Error>;
    /// Like [`read`](Self::read), but returns the hashes only; the pictures are not kept.
    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Self::Error> {
        Ok(self.read(frame)?.map(|(_, hashes)| hashes))
    }
    /// First frame to simulate for the state of a frame where no state is stored: the state depends on no state before
    /// that frame. States between the two, simulated from there, are incomplete and never stored.
    fn restart(&mut self, frame: i64) -> Result<i64, Self::Error> {
        let _ = frame;
        Ok(self.first())
    }
    /// Simulates a frame; `before` is `None` for the first and after [`restart`](Self::restart). `Ok(None)` if the host
    /// aborts the render.
    fn step(
        &mut self,
        before: Option<&Self::State>,
        frame: i64,
        inputs: Self::Inputs,
    ) -> Result<Option<Self::State>, Self::Error>;
    /// The parameters of a frame as readable text.
    fn account(&mut self, frame: i64) -> Result<String, Self::Error> {
        let _ = frame;
        Ok(String::new())
    }
    /// Returns false after the host has aborted the render.
    fn go_on(&mut self) -> bool;
}

/// The reason why a render has no state.
#[derive(Debug)]
pub enum Stop<E> {
    /// The host aborted the render. Finished frames stay in the store.
    Aborted,
    /// A call to the host failed.
    Failed(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Self::Failed(error)
    }
}
