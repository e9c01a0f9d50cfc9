//! The pictures of a frame: images of the inputs, sampled onto a grid.

use std::sync::Arc;

use crate::ofx::Result;
use crate::picture::{Averaging, Components, Placement};
use crate::sim::fingerprint::Digest;
use crate::timeline::PixelHash;

/// A picture on the grid: one RGBA value per cell, row 0 lowest.
pub type Pixels = Arc<Vec<[f32; 4]>>;

/// An image of the host, sampled onto the grid.
pub struct Sampled {
    /// Hash of the values.
    pub hash: PixelHash,
    /// One value per cell, in the range and premultiplication of the clip; `None` if only the hash was requested.
    pub pixels: Option<Pixels>,
    /// Channels of the clip.
    pub components: Components,
    /// Whether RGB is multiplied by alpha.
    pub premultiplied: bool,
}

impl Sampled {
    /// Hash of the values and of their meaning.
    pub fn consumed(&self) -> PixelHash {
        let Self { hash, pixels: _, components, premultiplied } = self;
        let mut digest = Digest::new("picture");
        digest.int(*components as i64);
        digest.int(i64::from(*premultiplied));
        digest.wide(hash.0);
        PixelHash(digest.finish())
    }
}

/// Parameters of the sampling of an image.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// The cells.
    pub grid: Placement,
    /// Weight of straight colour where it is averaged.
    pub averaging: Averaging,
    /// Whether the result includes the pixels, in addition to their hash.
    pub keep: bool,
}

/// A source of images. Inputs are given by their index among the inputs of the node. Called on the action's thread
/// without a lock.
pub trait ImageSource {
    /// Hash of the format of an input and of the grid; `None` for one that is not connected.
    fn view(&self, input: usize) -> Option<u128>;
    /// Pixels that are the region of an input at a time; `None` where there is none.
    fn own_grid(&self, input: usize, time: f64) -> Option<Placement>;
    /// The picture at a time; `None` where the host has no image.
    ///
    /// # Errors
    /// The host cannot be asked, or the image cannot be read.
    fn sample(&mut self, input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>>;
    /// A transparent picture.
    fn nothing(&mut self, sampling: &Sampling) -> Sampled;
    /// False after an abort.
    fn go_on(&mut self) -> bool;
}

/// The set of connected inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wired(u32);

impl Wired {
    /// The connected ones of a number of inputs.
    pub fn new(inputs: usize, connected: impl Fn(usize) -> bool) -> Self {
        Self((0..inputs).filter(|input| connected(*input)).fold(0, |all, input| all | 1 << input))
    }

    /// Whether an input is connected.
    pub fn has(self, input: usize) -> bool {
        self.0 >> input & 1 == 1
    }
}

/// A picture that a frame consumes.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Values of the picture: any numbers, including NaN and infinities.
    pub pixels: Pixels,
    /// False where the clip has no alpha.
    pub has_alpha: bool,
    /// Whether RGB is multiplied by alpha.
    pub premultiplied: bool,
    /// Columns and rows.
    pub size: [usize; 2],
}

/// The pictures that a frame consumes, by input.
#[derive(Clone, Debug, Default)]
pub struct Pictures(Vec<Option<Picture>>);

impl Pictures {
    /// No pictures, for a number of inputs.
    pub fn none(inputs: usize) -> Self {
        Self(vec![None; inputs])
    }

    /// Adds a picture that is sampled onto a grid, where there are pixels.
    pub fn put(&mut self, input: usize, sampled: Sampled, grid: &Placement) {
        let Sampled { hash: _, pixels, components, premultiplied } = sampled;
        let has_alpha = components != Components::Rgb;
        self.0[input] =
            pixels.map(|pixels| Picture { pixels, has_alpha, premultiplied, size: [grid.x.count, grid.y.count] });
    }

    /// The picture of an input; `None` for one that the frame does not consume.
    pub fn get(&self, input: usize) -> Option<&Picture> {
        self.0.get(input)?.as_ref()
    }

    /// The values of an input's picture.
    pub fn pixels(&self, input: usize) -> Option<Pixels> {
        self.get(input).map(|picture| Arc::clone(&picture.pixels))
    }
}
