//! The project that nodes live in.

use crate::{Error, RectD, RectI, Result};

/// Size, origin, pixel shape, rate and range of a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// Width and height in full-resolution pixels.
    pub size: (u32, u32),
    /// The lower left pixel.
    pub origin: (i32, i32),
    /// Width over height of a pixel.
    pub par: f64,
    /// Frames per second.
    pub fps: f64,
    /// First and last frame.
    pub frames: (f64, f64),
}

impl Project {
    /// A project of square pixels with its origin at 0, 24 frames a second, frames 1 to 100.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { size: (width, height), origin: (0, 0), par: 1.0, fps: 24.0, frames: (1.0, 100.0) }
    }

    /// The same project with another lower left pixel.
    #[must_use]
    pub fn origin(mut self, x: i32, y: i32) -> Self {
        self.origin = (x, y);
        self
    }

    /// The same project with other pixels.
    #[must_use]
    pub fn par(mut self, par: f64) -> Self {
        self.par = par;
        self
    }

    /// The same project with another rate.
    #[must_use]
    pub fn fps(mut self, fps: f64) -> Self {
        self.fps = fps;
        self
    }

    /// The same project with another range.
    #[must_use]
    pub fn frames(mut self, first: f64, last: f64) -> Self {
        self.frames = (first, last);
        self
    }

    /// The largest width or height that the host accepts.
    pub const MAX_SIDE: u32 = 65_536;

    pub(crate) fn check(&self) -> Result<()> {
        let (width, height) = self.size;
        if width == 0 || height == 0 || width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return Err(Error::usage(format!(
                "size {width}x{height}: both sides must lie between 1 and {}",
                Self::MAX_SIDE
            )));
        }
        if self.origin.0.unsigned_abs() > 1 << 24 || self.origin.1.unsigned_abs() > 1 << 24 {
            return Err(Error::usage("the origin claims beyond 16 million pixels"));
        }
        if !(self.par.is_finite() && self.par > 0.0) {
            return Err(Error::usage(format!("pixel aspect ratio {}: must be above 0", self.par)));
        }
        if !(self.fps.is_finite() && self.fps > 0.0) {
            return Err(Error::usage(format!("{} frames per second: must be above 0", self.fps)));
        }
        if !(self.frames.0.is_finite() && self.frames.1 >= self.frames.0) {
            return Err(Error::usage(format!(
                "frame range {}-{}: the last frame comes before the first",
                self.frames.0, self.frames.1
            )));
        }
        Ok(())
    }

    /// The project's pixels at full resolution.
    #[must_use]
    pub fn pixels(&self) -> RectI {
        let (x, y) = self.origin;
        RectI::new(x, y, x + self.size.0 as i32, y + self.size.1 as i32)
    }

    /// The project's area in canonical coordinates.
    #[must_use]
    pub fn canonical(&self) -> RectD {
        self.pixels().canonical((1.0, 1.0), self.par)
    }
}
