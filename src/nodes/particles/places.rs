//! Positions of emitters and grids: by a position, by a track at a distance from the camera, or by the file of an axis.

use super::controls::{EMITTERS, EmitterField, GRIDS, GridField, Id};
use super::values::{is_on, number, pair};
use super::view::LENS;
use crate::nodes::common::axis_file;
use crate::nodes::common::geometry::Rect;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::camera::Projection;
use crate::picture::camera_path::Pose;

/// Options of *Placed by*.
const BY_TRACK: i32 = 1;
const BY_FILE: i32 = 2;

/// The end of a message about a file that cannot be used.
const OTHERWISE: &str = "Centre and Depth are used.";

/// The parameters of a position.
#[derive(Clone, Copy)]
pub struct Place {
    /// *Placed by*.
    choice: Id,
    /// Position in the picture's plane, or track.
    pub centre: Id,
    depth: Id,
    distance: Id,
    file: Id,
    /// Its owner, and the owner's number from 1.
    owner: (&'static str, usize),
}

/// A position that is not that of *Centre* and *Depth*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The position in the scene.
    pub position: [f64; 3],
    /// Whether *Centre* is its place in the picture.
    pub is_tracked: bool,
}

impl Place {
    /// The position of an emitter.
    pub fn of_emitter(n: usize) -> Self {
        use EmitterField as F;
        let fields = [F::Place, F::Centre, F::Depth, F::Distance, F::File];
        Self::new(("Emitter", n + 1), fields.map(|field| Id::Emitter(n, field)))
    }

    /// The position of a grid.
    pub fn of_grid(n: usize) -> Self {
        use GridField as F;
        let fields = [F::Place, F::Centre, F::Depth, F::Distance, F::File];
        Self::new(("Grid", n + 1), fields.map(|field| Id::Grid(n, field)))
    }

    fn new(owner: (&'static str, usize), [choice, centre, depth, distance, file]: [Id; 5]) -> Self {
        Self { choice, centre, depth, distance, file, owner }
    }

    /// The position at a time, before a camera that shows `frame`.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn position(&self, values: &impl Values<Id>, frame: Rect, time: f64) -> Result<[f64; 3]> {
        if let Some(anchor) = self.anchor(values, frame, time)? {
            return Ok(anchor.position);
        }
        let [x, y] = pair(values, self.centre, time)?;
        Ok([x, y, number(values, self.depth, time)?])
    }

    /// The position at a time by a track or a file; `None` where it is that of *Centre* and *Depth*, as it also is
    /// without a file that can be read.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn anchor(&self, values: &impl Values<Id>, frame: Rect, time: f64) -> Result<Option<Anchor>> {
        match values.choice(self.choice, time)? {
            BY_TRACK => {
                let projection = Projection::new(LENS.read(values, time)?.camera, frame);
                let ray = projection.ray(pair(values, self.centre, time)?);
                let distance = number(values, self.distance, time)?;
                let position = [0, 1, 2].map(|axis| ray.origin[axis] + ray.direction[axis] * distance);
                Ok(Some(Anchor { position, is_tracked: true }))
            }
            BY_FILE => {
                let Some(pose) = self.pose(values, time).0 else { return Ok(None) };
                let position = axis_file::position(&pose, number(values, Id::CameraScale, time)?, frame);
                Ok(Some(Anchor { position, is_tracked: false }))
            }
            _ => Ok(None),
        }
    }

    /// The pose of the file at a time, and a text for the artist where it is not used as it is.
    fn pose(&self, values: &impl Values<Id>, time: f64) -> (Option<Pose>, Option<String>) {
        let (name, number) = self.owner;
        axis_file::pose(&format!("{name} {number}"), OTHERWISE, &values.text(self.file, time), time)
    }

    fn is_by(&self, option: i32, values: &impl Values<Id>, time: f64) -> Result<bool> {
        Ok(values.choice(self.choice, time)? == option)
    }
}

/// The positions of the emitters and grids that are on.
///
/// # Errors
/// A call to the host fails.
pub fn places(values: &impl Values<Id>, time: f64) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for n in 0..EMITTERS {
        if is_on(values, n, time)? {
            places.push(Place::of_emitter(n));
        }
    }
    let grids = usize::try_from(values.int(Id::Grids, time)?).unwrap_or(0).min(GRIDS);
    places.extend((0..grids).map(Place::of_grid));
    Ok(places)
}

/// Texts for the artist about the files of axes at a time.
///
/// # Errors
/// A call to the host fails.
pub fn notices(values: &impl Values<Id>, time: f64) -> Result<Vec<String>> {
    let mut notices = Vec::new();
    for place in places(values, time)? {
        if place.is_by(BY_FILE, values, time)? {
            notices.extend(place.pose(values, time).1);
        }
    }
    Ok(notices)
}

/// Whether a parameter of the camera gives the position of an emitter or a grid.
///
/// # Errors
/// A call to the host fails.
pub fn are_placed_by(values: &impl Values<Id>, id: Id) -> Result<bool> {
    if !LENS.has(id) {
        return Ok(false);
    }
    for place in places(values, 0.0)? {
        let by_scale = id == Id::CameraScale && place.is_by(BY_FILE, values, 0.0)?;
        if by_scale || place.is_by(BY_TRACK, values, 0.0)? {
            return Ok(true);
        }
    }
    Ok(false)
}
