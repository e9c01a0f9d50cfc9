//! Emitters as jets with shock cells.

use super::axes;
use super::controls::{EmitterField, Id, emitter_count};
use super::values::{emits, number, triple};
use crate::nodes::common::axis_file;
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::geometry::frame;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::camera_path::Pose;
use crate::picture::volume::ShockCells;
use crate::sim::grid::Grid;

/// A jet with shock cells. The unit of length is the height of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    nozzle: Nozzle,
    direction: [f64; 3],
    radius: f64,
    length: f64,
    count: f64,
}

/// The place of an emitter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Nozzle {
    /// In the box, from the middle of its floor.
    InBox([f64; 3]),
    /// In the file of an axis.
    InFile {
        pose: Pose,
        /// Pixels of a unit of the file; 0 for the width of the frame.
        scale: f64,
    },
}

impl Jet {
    /// The jets of the emitters that emit at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read_all(values: &impl Values<Id>, time: f64) -> Result<Vec<Self>> {
        let jets: Result<Vec<_>> = (0..emitter_count(values, time)?).map(|n| Self::read(values, n, time)).collect();
        Ok(jets?.into_iter().flatten().collect())
    }

    fn read(values: &impl Values<Id>, n: usize, time: f64) -> Result<Option<Self>> {
        use EmitterField as F;
        let id = |field| Id::Emitter(n, field);
        let double = |field| number(values, id(field), time);
        let is_on = id(F::ShockCells).matters(values, time)? && double(F::ShockCells)? > 0.0;
        if !is_on || !emits(values, n, time.floor() as i64, time)? {
            return Ok(None);
        }
        let nozzle = match axes::emitter_pose(values, n, time)? {
            Some(pose) => Nozzle::InFile { pose, scale: number(values, Id::CameraScale, time)? },
            None => Nozzle::InBox(triple(values, id(F::Centre), time)?),
        };
        Ok(Some(Self {
            nozzle,
            direction: triple(values, id(F::Velocity), time)?,
            radius: double(F::Radius)?,
            length: double(F::ShockLength)?,
            count: double(F::ShockCells)?,
        }))
    }

    /// The shock cells in a box of a height in world units. `place`: converts a position in the box to the world.
    pub fn cells(&self, height: f64, raster: &Grid, place: impl Fn([f64; 3]) -> [f64; 3]) -> ShockCells {
        ShockCells {
            nozzle: match self.nozzle {
                Nozzle::InBox(position) => place(position),
                Nozzle::InFile { pose, scale } => axis_file::position(&pose, scale, frame(raster)),
            },
            direction: self.direction,
            radius: self.radius * height,
            length: self.length * height,
            count: self.count,
        }
    }
}
