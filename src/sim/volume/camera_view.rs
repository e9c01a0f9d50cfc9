//! The view of a camera: positions in cells of a volume to pixels and distances.

use super::shapes::norm;
use super::turn::cross;
use crate::sim::fingerprint::{Digest, Fingerprint};

/// A pinhole camera before a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraView {
    /// For a position (x, y, z, 1) in cells the column and the row of its pixel, each times its distance along the axis
    /// of the camera, and the distance.
    pub rows: [[f64; 4]; 3],
    /// Least distance that the camera sees, above 0.
    pub near: f64,
}

impl CameraView {
    /// Column and row of the pixel of a position, and the distance of the position along the axis of the camera.
    pub fn seen(&self, position: [f64; 3]) -> ([f64; 2], f64) {
        let [x, y, z] = position;
        let [column, row, distance] = self.rows.map(|[a, b, c, d]| a * x + b * y + c * z + d);
        ([column / distance, row / distance], distance)
    }

    /// Lengths of the gradients of the homogeneous image coordinates, per cell; the last is that of the distance.
    pub fn slopes(&self) -> [f64; 3] {
        self.rows.map(|[x, y, z, _]| norm([x, y, z]))
    }

    /// The position with the homogeneous image coordinates (column·distance, row·distance, distance); `None` where the
    /// rows are dependent.
    pub fn position(&self, coordinates: [f64; 3]) -> Option<[f64; 3]> {
        let rows = self.rows.map(|[a, b, c, _]| [a, b, c]);
        let columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
        let determinant: f64 = (0..3).map(|axis| rows[0][axis] * columns[0][axis]).sum();
        if determinant.is_nan() || determinant.abs() < 1e-30 {
            return None;
        }
        let constant: [f64; 3] = std::array::from_fn(|row| coordinates[row] - self.rows[row][3]);
        Some(std::array::from_fn(|axis| {
            (0..3).map(|row| columns[row][axis] * constant[row]).sum::<f64>() / determinant
        }))
    }
}

impl Fingerprint for CameraView {
    fn enter(&self, digest: &mut Digest) {
        let Self { rows, near } = self;
        rows.enter(digest);
        near.enter(digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_coordinates_give_the_position_back() {
        let view = CameraView {
            rows: [[90.0, 4.0, -20.0, 800.0], [3.0, 95.0, -15.0, 700.0], [0.2, 0.1, -0.9, 60.0]],
            near: 1.0,
        };
        for position in [[0.0; 3], [4.0, -7.0, 12.5], [-30.0, 2.0, 1.0]] {
            let ([column, row], distance) = view.seen(position);
            let found = view.position([column * distance, row * distance, distance]).expect("independent rows");
            assert!((0..3).all(|axis| (found[axis] - position[axis]).abs() < 1e-9), "{found:?}");
        }
        for rows in [[[1.0; 4]; 3], [[f64::NAN; 4]; 3]] {
            assert_eq!(CameraView { rows, near: 1.0 }.position([1.0; 3]), None);
        }
    }
}
