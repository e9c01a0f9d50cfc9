//! A frame's inputs as pictures on the grid.

use std::sync::Arc;

use crate::ofx::Result;
use crate::picture::{Averaging, Components, Placement};
use crate::sim::fingerprint::Digest;
use crate::timeline::PixelHash;

/// A picture on the grid: one RGBA value per cell, row 0 lowest.
pub type Pixels = Arc<Vec<[f32; 4]>>;

/// A picture that the host gave, sampled onto the grid.
pub struct Sampled {
    /// Hash of the cells' values.
    pub hash: PixelHash,
    /// One value per cell, as the clip has them; `None` where only the hash was asked for.
    pub pixels: Option<Pixels>,
    /// Channels of the clip.
    pub components: Components,
    /// RGB is multiplied by alpha.
    pub premultiplied: bool,
}

impl Sampled {
    /// Hash of what is consumed of it.
    pub fn consumed(&self) -> PixelHash {
        let Self { hash, pixels: _, components, premultiplied } = self;
        let mut digest = Digest::new("picture");
        digest.int(*components as i64);
        digest.int(i64::from(*premultiplied));
        digest.wide(hash.0);
        PixelHash(digest.finish())
    }
}

/// How a picture is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// The cells.
    pub grid: Placement,
    /// What straight colour counts by where it has to be averaged.
    pub averaging: Averaging,
    /// The pixels are wanted, not only their hash.
    pub keep: bool,
}

/// Where pictures come from; inputs by their places among the node's. Called on the thread of the action, with no lock
/// held.
pub trait Feed {
    /// How an input is looked at (its format and geometry, as a hash); `None` where it is not connected.
    fn view(&self, input: usize) -> Option<u128>;
    /// The picture at a time; `None` where the host has none.
    ///
    /// # Errors
    /// The host can't be asked, or the picture can't be read.
    fn sample(&mut self, input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>>;
    /// A picture of nothing.
    fn nothing(&mut self, sampling: &Sampling) -> Sampled;
    /// False once the host wants the render to stop.
    fn go_on(&mut self) -> bool;
}

/// Which inputs are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wired(u32);

impl Wired {
    /// Of a number of inputs.
    pub fn new(inputs: usize, connected: impl Fn(usize) -> bool) -> Self {
        Self((0..inputs).filter(|input| connected(*input)).fold(0, |all, input| all | 1 << input))
    }

    /// Whether one is.
    pub fn has(self, input: usize) -> bool {
        self.0 >> input & 1 == 1
    }
}

/// A picture that a frame consumes.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its cells, as the clip has them. Values may be anything, NaN and infinities included.
    pub pixels: Pixels,
    /// False where the clip carries no alpha.
    pub has_alpha: bool,
    /// RGB is multiplied by alpha.
    pub premultiplied: bool,
}

/// The pictures that a frame consumes, by input.
#[derive(Clone, Debug, Default)]
pub struct Pictures(Vec<Option<Picture>>);

impl Pictures {
    /// None, of a number of inputs.
    pub fn none(inputs: usize) -> Self {
        Self(vec![None; inputs])
    }

    /// Puts one in, where there are pixels.
    pub fn put(&mut self, input: usize, sampled: Sampled) {
        let Sampled { hash: _, pixels, components, premultiplied } = sampled;
        let has_alpha = components != Components::Rgb;
        self.0[input] = pixels.map(|pixels| Picture { pixels, has_alpha, premultiplied });
    }

    /// One of them; `None` where the frame consumes none.
    pub fn get(&self, input: usize) -> Option<&Picture> {
        self.0.get(input)?.as_ref()
    }

    /// The cells of one.
    pub fn pixels(&self, input: usize) -> Option<Pixels> {
        self.get(input).map(|picture| Arc::clone(&picture.pixels))
    }
}
