//! The matte of the input Emission as the shape of emitters, and the camera through which pictures enter the box.

use std::sync::Arc;

use super::FlowVolume;
use super::controls::{EmitterField, Id, MATTE, emitter_count};
use super::inputs::EMISSION;
use super::values::BoxSize;
use super::view::{LENS, centre};
use crate::nodes::common::geometry::{frame, placement};
use crate::nodes::common::node::Node as _;
use crate::nodes::common::pictures::Pictures;
use crate::nodes::common::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::Result;
use crate::picture::camera::Projection;
use crate::sim::grid::Grid;
use crate::sim::volume::Settings;
use crate::sim::volume::matte::{Matte, MatteSource};

/// What the camera of a frame sees of the box.
pub struct Seen {
    /// For a position (x, y, z, 1) in cells of the box the column and the row of its pixel on the raster, each times
    /// its distance along the axis of the camera, and the distance.
    pub view: [[f64; 4]; 3],
    /// Least distance that the camera sees.
    pub near: f64,
    /// World units per cell.
    pub spacing: f64,
    /// Distance of the middle of the box.
    pub middle: f64,
}

impl Seen {
    /// Reads the camera and the place of the box.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, (size, raster): (&BoxSize, &Grid), time: f64) -> Result<Self> {
        let middle = centre(values, time)?;
        let lattice = size.lattice(raster, middle);
        let grid = placement(raster);
        let projection = Projection::new(LENS.read(values, time)?.camera, frame(raster));
        let matrix = projection.matrix();
        // From places in canonical pixels to cells of the raster, and from cells of the box to the world.
        let rows: [[f64; 4]; 3] = [
            std::array::from_fn(|n| (matrix[0][n] - grid.x.start * matrix[2][n]) / grid.x.size),
            std::array::from_fn(|n| (matrix[1][n] - grid.y.start * matrix[2][n]) / grid.y.size),
            matrix[2],
        ];
        let view = rows.map(|[a, b, c, d]| {
            let [x, y, z] = lattice.origin;
            [a * lattice.spacing, b * lattice.spacing, c * lattice.spacing, a * x + b * y + c * z + d]
        });
        let [a, b, c, d] = matrix[2];
        let middle = a * middle[0] + b * middle[1] + c * middle[2] + d;
        Ok(Self { view, near: projection.near(), spacing: lattice.spacing, middle })
    }
}

/// Whether an emitter that is on has the matte of the input Emission as its shape.
///
/// # Errors
/// A call to the host fails.
pub fn are_emitted(values: &impl Values<Id>, time: f64) -> Result<bool> {
    for n in 0..emitter_count(values, time)? {
        let id = |field| Id::Emitter(n, field);
        if values.switch(id(EmitterField::On), time)? && values.choice(id(EmitterField::Shape), time)? == MATTE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The notice about emitters without a connected matte.
pub fn unwired() -> &'static str {
    const TEXT: &str = "Emitters with the shape Matte emit nothing: connect a matte to the input Emission, or choose \
                        another Shape.";
    engine().notices().add(FlowVolume::ABOUT.folder, TEXT);
    TEXT
}

/// Whether emitters of the settings have a matte.
pub fn are_in(settings: &Settings) -> bool {
    settings.emitters.iter().any(|emitter| emitter.matte.is_some())
}

/// The matte of an emitter, without its picture. `half`: half its thickness, cells.
///
/// # Errors
/// A call to the host fails.
pub fn matte(
    values: &impl Values<Id>,
    place: (&BoxSize, &Grid),
    (at, half): ([f64; 3], f64),
    time: f64,
) -> Result<MatteSource> {
    let Seen { view, near, .. } = Seen::read(values, place, time)?;
    Ok(MatteSource::new(view, near, at, half))
}

/// Adds the picture of a frame to the emitters that have a matte.
pub fn add_pictures(settings: &mut Settings, pictures: &Pictures) {
    let Some(picture) = pictures.get(EMISSION).filter(|_| are_in(settings)) else { return };
    let matte = Arc::new(Matte::new(picture.size, |at| picture.pixels[at][3]));
    for source in settings.emitters.iter_mut().filter_map(|emitter| emitter.matte.as_mut()) {
        source.matte = Some(Arc::clone(&matte));
    }
}
