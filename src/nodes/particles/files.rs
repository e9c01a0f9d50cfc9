//! Files of particles for other programs: one per frame, written by renders in full quality.

use super::controls::Id;
use crate::compute::cpu::Cpu;
use crate::nodes::common::files::FrameFiles;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::particles::{FileFormat, Look, write};
use crate::sim::particles::State;

/// The files on the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Files {
    frames: FrameFiles,
    format: FileFormat,
}

impl Files {
    /// The files on the panel at a time; `None` without a folder.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Option<Self>> {
        let texts = ("Particles", "particles");
        let frames = FrameFiles::read(values, [Id::ParticleFolder, Id::ParticleName], texts, time);
        let Some(frames) = frames else { return Ok(None) };
        let format = if values.choice(Id::ParticleFormat, time)? == 1 { FileFormat::Csv } else { FileFormat::Ply };
        Ok(Some(Self { frames, format }))
    }

    /// Writes a frame. Returns a text for the artist where that failed.
    pub fn write(&self, cpu: &Cpu, state: &State, look: &Look, frame: i64) -> Option<String> {
        self.frames.write(frame, self.format.extension(), |to| write(cpu, state, look, self.format, to))
    }
}
