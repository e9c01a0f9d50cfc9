//! Particles as lights on the smoke: a file as FlowParticles writes it, read at render time.

use std::sync::Arc;

use super::controls::Id;
use super::values::number;
use crate::nodes::common::frame_file::{FrameFile, Kept, Purpose};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::particles::read_lights;
use crate::picture::volume::PointSource;

const PURPOSE: Purpose = Purpose { subject: "Particle file", without: "have no light of particles" };

static KEPT: Kept<Vec<PointSource>> = Kept::empty();

/// Frees the particles that are kept.
pub fn release() {
    KEPT.release();
}

/// The file of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticleFile {
    file: FrameFile,
    /// Factor of their light.
    pub gain: f64,
}

/// A file or the error that the picture is, and a text for the artist.
pub type Found = (Option<Result<ParticleFile, String>>, Option<String>);

impl ParticleFile {
    /// The file at a time; none without a name.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Found> {
        let (file, notice) = PURPOSE.find(values, &values.text(Id::ParticleFile, time), time)?;
        let gain = number(values, Id::ParticleLight, time)?;
        Ok((file.map(|file| file.map(|file| Self { file, gain })), notice))
    }

    /// The particles.
    ///
    /// # Errors
    /// The file cannot be read; the error is a text for the artist.
    pub fn sources(&self) -> Result<Arc<Vec<PointSource>>, String> {
        PURPOSE.read(&self.file, &KEPT, read_lights)
    }
}
