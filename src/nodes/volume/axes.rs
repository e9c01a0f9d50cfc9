//! Positions and orientations of emitters and solids: by parameters, or by the file of an axis.

use super::controls::{EmitterField, Id, SolidField, emitter_count, solid_count};
use super::values::{BoxSize, number, triple};
use super::vdb_sources::Owner;
use super::view::centre;
use crate::nodes::common::axis_file;
use crate::nodes::common::geometry::frame;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::camera::turned;
use crate::picture::camera_path::Pose;
use crate::sim::grid::Grid;

/// The option *Axis file* of *Placed by*.
const BY_FILE: i32 = 1;

/// The end of a message about a file that cannot be used.
const OTHERWISE: &str = "Centre is used.";

/// A place in the box.
pub struct Placed {
    /// Position, cells.
    pub centre: [f64; 3],
    /// Its own axes.
    pub axes: [[f64; 3]; 3],
}

impl Owner {
    fn choice(self) -> Id {
        match self {
            Self::Emitter(n) => Id::Emitter(n, EmitterField::Place),
            Self::Solid(n) => Id::Solid(n, SolidField::Place),
        }
    }

    fn on(self) -> Id {
        match self {
            Self::Emitter(n) => Id::Emitter(n, EmitterField::On),
            Self::Solid(n) => Id::Solid(n, SolidField::On),
        }
    }

    /// The pose in its file at a time, and a text for the artist where the file is not used as it is.
    fn pose(self, values: &impl Values<Id>, time: f64) -> (Option<Pose>, Option<String>) {
        let file = match self {
            Self::Emitter(n) => Id::Emitter(n, EmitterField::AxisFile),
            Self::Solid(n) => Id::Solid(n, SolidField::AxisFile),
        };
        axis_file::pose(&self.to_string(), OTHERWISE, &values.text(file, time), time)
    }

    /// Its place at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn placed(self, values: &impl Values<Id>, (size, raster): (&BoxSize, &Grid), time: f64) -> Result<Placed> {
        if values.choice(self.choice(), time)? == BY_FILE
            && let Some(pose) = self.pose(values, time).0
        {
            let world = axis_file::position(&pose, number(values, Id::CameraScale, time)?, frame(raster));
            let centre = size.place_of(world, raster, centre(values, time)?);
            return Ok(Placed { centre, axes: turned(pose.rotate, pose.order) });
        }
        let (place, rotate) = match self {
            Self::Emitter(n) => (Id::Emitter(n, EmitterField::Centre), [0.0; 3]),
            Self::Solid(n) => {
                (Id::Solid(n, SolidField::Centre), values.triple(Id::Solid(n, SolidField::Rotate), time)?)
            }
        };
        Ok(Placed { centre: size.place(triple(values, place, time)?), axes: axis_file::axes(rotate) })
    }
}

/// The pose of an emitter at a time in the file of its axis, if it is placed by one that can be used.
///
/// # Errors
/// A call to the host fails.
pub fn emitter_pose(values: &impl Values<Id>, n: usize, time: f64) -> Result<Option<Pose>> {
    let owner = Owner::Emitter(n);
    let by_file = values.choice(owner.choice(), time)? == BY_FILE;
    Ok(if by_file { owner.pose(values, time).0 } else { None })
}

/// The emitters and solids in the panel that are placed by the file of an axis, on or off.
fn by_file(values: &impl Values<Id>, time: f64) -> Result<Vec<Owner>> {
    let emitters = (0..emitter_count(values, time)?).map(Owner::Emitter);
    let solids = (0..solid_count(values, time)?).map(Owner::Solid);
    let mut found = Vec::new();
    for owner in emitters.chain(solids) {
        if values.choice(owner.choice(), time)? == BY_FILE {
            found.push(owner);
        }
    }
    Ok(found)
}

/// Texts for the artist about the files of axes at a time.
///
/// # Errors
/// A call to the host fails.
pub fn notices(values: &impl Values<Id>, time: f64) -> Result<Vec<String>> {
    let mut notices = Vec::new();
    for owner in by_file(values, time)? {
        if values.switch(owner.on(), time)? {
            notices.extend(owner.pose(values, time).1);
        }
    }
    Ok(notices)
}

/// Whether a parameter of the box or the camera gives the place of an emitter or a solid.
///
/// # Errors
/// A call to the host fails.
pub fn are_placed_by(values: &impl Values<Id>, id: Id) -> Result<bool> {
    // Whether they are on may be keyed: their place may count at another time.
    let places = matches!(id, Id::BoxCentre | Id::BoxDepth | Id::CameraScale);
    Ok(places && !by_file(values, 0.0)?.is_empty())
}
