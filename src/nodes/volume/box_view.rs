//! The box of a frame before its camera: the place at which pictures enter the simulation.

use super::controls::Id;
use super::values::BoxSize;
use super::view::{LENS, centre};
use crate::nodes::common::geometry::{frame, placement};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::camera::Projection;
use crate::sim::grid::Grid;
use crate::sim::volume::camera_view::CameraView;

/// The box of a frame before its camera.
pub struct BoxView {
    /// The camera: cells of the box to pixels of the raster.
    pub camera: CameraView,
    /// World units per cell.
    pub spacing: f64,
    /// Distance of the middle of the box from the camera, world units.
    pub middle: f64,
}

impl BoxView {
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
        let rows = rows.map(|[a, b, c, d]| {
            let [x, y, z] = lattice.origin;
            [a * lattice.spacing, b * lattice.spacing, c * lattice.spacing, a * x + b * y + c * z + d]
        });
        let [a, b, c, d] = matrix[2];
        let middle = a * middle[0] + b * middle[1] + c * middle[2] + d;
        Ok(Self { camera: CameraView { rows, near: projection.near() }, spacing: lattice.spacing, middle })
    }
}
