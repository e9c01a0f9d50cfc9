//! The deep picture of smoke before the sprites, read at render time.

use super::controls::Id;
use super::values::number;
use crate::nodes::common::frame_file::{FrameFile, Kept, Purpose};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::particles::Smoke;
use crate::picture::volume::Deep;

const PURPOSE: Purpose = Purpose { subject: "Deep smoke", without: "show no smoke" };

/// Option of the unit of distances: the scene of the camera.
const SCENE: i32 = 1;

static KEPT: Kept<Deep> = Kept::empty();

/// Frees the picture that is kept.
pub fn release() {
    KEPT.release();
}

/// The file of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SmokeFile {
    file: FrameFile,
    /// Pixels of a unit of its distances; 0 for the width of the frame.
    unit: f64,
    light: f64,
}

/// A file or the error that the picture is, and a text for the artist.
pub type Found = (Option<Result<SmokeFile, String>>, Option<String>);

impl SmokeFile {
    /// The file at a time; none without a name.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Found> {
        let (file, notice) = PURPOSE.find(values, &values.text(Id::SmokeFile, time), time)?;
        let file = match file {
            None => None,
            Some(Err(why)) => Some(Err(why)),
            Some(Ok(file)) => {
                let is_scene = values.choice(Id::SmokeUnits, time)? == SCENE;
                let unit = if is_scene { number(values, Id::CameraScale, time)? } else { 1.0 };
                Some(Ok(Self { file, unit, light: number(values, Id::SmokeLight, time)? }))
            }
        };
        Ok((file, notice))
    }

    /// The smoke before a frame of a width.
    ///
    /// # Errors
    /// The file cannot be read; the error is a text for the artist.
    pub fn smoke(&self, width: f64) -> Result<Smoke, String> {
        let unit = if self.unit > 0.0 { self.unit } else { width.max(1.0) };
        let deep = PURPOSE.read(&self.file, &KEPT, |bytes| Deep::read(bytes).map_err(|error| error.to_string()))?;
        Ok(Smoke { deep, unit, light: self.light })
    }
}
