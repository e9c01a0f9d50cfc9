//! A camera that is connected to a node, in hosts that have such inputs.

use std::ffi::CStr;

use crate::ofx::{self, EffectHandle, Result};
use crate::picture::camera::Camera;

/// Deviation of the squared length of an axis from 1 that is a rounding error.
const ROUNDING: f64 = 1e-6;

/// Largest cosine between two axes that counts as a right angle.
const SKEW: f64 = 1e-3;

/// Smallest length of an axis, and smallest focal length and aperture.
const LEAST: f64 = 1e-6;

/// Largest number of a camera, which keeps all products finite.
const FAR: f64 = 1e12;

/// The parameters of a connected camera at a time, as the host gives them. An axis has no lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connected {
    /// The matrix from its coordinates to the scene's, row by row; not finite where the host gives none.
    pub matrix: [f64; 16],
    /// 0 for perspective.
    pub projection: Option<f64>,
    /// Focal length, millimetres.
    pub focal: Option<f64>,
    /// Horizontal aperture, millimetres.
    pub aperture: Option<f64>,
    /// Shift of the picture, in halves of its width.
    pub window_translate: Option<[f64; 2]>,
    /// Scale of the picture's window.
    pub window_scale: Option<[f64; 2]>,
    /// Rotation of the picture, degrees.
    pub roll: Option<f64>,
}

impl Connected {
    /// The camera that is connected to an input at a time; `None` without one.
    ///
    /// # Errors
    /// The input belongs to another instance.
    pub fn read(camera: &ofx::Camera, effect: &EffectHandle<'_>, time: f64) -> Result<Option<Self>> {
        let matrix = match camera.parameter(effect, ofx::Camera::MATRIX, time) {
            Ok(Some(matrix)) => matrix,
            Ok(None) => return Ok(None),
            Err(error @ ofx::Error::Foreign(_)) => return Err(error),
            Err(_) => [f64::NAN; 16],
        };
        let number = |name: &'static CStr| camera.parameter(effect, name, time).ok().flatten().map(|[number]| number);
        let pair = |name: &'static CStr| camera.parameter::<2>(effect, name, time).ok().flatten();
        Ok(Some(Self {
            matrix,
            projection: number(ofx::Camera::PROJECTION),
            focal: number(ofx::Camera::FOCAL),
            aperture: number(ofx::Camera::APERTURE),
            window_translate: pair(ofx::Camera::WINDOW_TRANSLATE),
            window_scale: pair(ofx::Camera::WINDOW_SCALE),
            roll: number(ofx::Camera::ROLL),
        }))
    }

    /// The camera in a scene with `unit` pixels per unit, 0 for the width of the frame. An axis gets the lens of
    /// `otherwise`.
    ///
    /// # Errors
    /// The reason why it cannot be used, and the way out, as the end of a sentence.
    pub fn camera(&self, unit: f64, otherwise: Camera) -> Result<Camera, String> {
        match self.projection {
            None => {}
            Some(0.0) => {}
            Some(mode) => {
                let name = match mode {
                    1.0 => "orthographic",
                    2.0 => "UV",
                    3.0 => "spherical",
                    _ => "of an unknown kind",
                };
                return Err(format!("its projection is {name}. Set its projection to perspective"));
            }
        }
        let Pose { axes, lengths, translate } = pose(&self.matrix)?;
        let usable = |value: f64| value.is_finite() && value.abs() < FAR;
        let length = |name: &str, own: Option<f64>, otherwise: f64| match own {
            None => Ok(otherwise),
            Some(value) if usable(value) && value >= LEAST => Ok(value),
            Some(value) => Err(format!("its {name} is {value}. Set it to a number above 0")),
        };
        let window_scale = self.window_scale.unwrap_or(otherwise.window_scale);
        if !window_scale.into_iter().all(|scale| usable(scale) && scale >= LEAST) {
            return Err(format!("its window scale is {window_scale:?}. Set it to numbers above 0"));
        }
        let window_translate = self.window_translate.unwrap_or(otherwise.window_translate);
        let roll = self.roll.unwrap_or(otherwise.roll);
        if !window_translate.into_iter().chain([roll]).all(usable) {
            return Err("the shift or the roll of its window is no number. Set them to 0".to_owned());
        }
        // An axis that is longer than the view's axis acts as a larger window.
        let [right, up, backward] = lengths;
        let stretch = [right / backward, up / backward];
        let stretched = |pair: [f64; 2]| [pair[0] * stretch[0], pair[1] * stretch[1]];
        Ok(Camera {
            translate,
            unit: Some(unit),
            axes: Some(axes),
            focal: length("focal length", self.focal, otherwise.focal)?,
            aperture: length("horizontal aperture", self.aperture, otherwise.aperture)?,
            window_translate: stretched(window_translate),
            window_scale: stretched(window_scale),
            roll,
            ..Camera::default()
        })
    }
}

/// The pose of a camera in its scene.
struct Pose {
    /// Right, up, backward: unit vectors.
    axes: [[f64; 3]; 3],
    /// Lengths of the axes in the matrix.
    lengths: [f64; 3],
    translate: [f64; 3],
}

/// The pose in a matrix from a camera's coordinates to its scene's.
fn pose(matrix: &[f64; 16]) -> Result<Pose, String> {
    if !matrix.iter().all(|element| element.is_finite() && element.abs() < FAR) {
        return Err("its position is no number. Check the expressions of its position and rotation".to_owned());
    }
    let zero = |elements: [usize; 3]| elements.iter().all(|element| matrix[*element] == 0.0);
    // For row vectors, the position is in the last row.
    let transposed = !zero([12, 13, 14]) && zero([3, 7, 11]);
    let element = |row: usize, column: usize| matrix[if transposed { column * 4 + row } else { row * 4 + column }];
    let column = |column: usize| [0, 1, 2].map(|row| element(row, column));
    let columns = [0, 1, 2].map(column);
    let squares = columns.map(|[x, y, z]| x * x + y * y + z * z);
    if squares.iter().any(|square| *square < LEAST * LEAST) {
        return Err("its scale is 0. Set it to 1".to_owned());
    }
    let lengths = squares.map(|square| if (square - 1.0).abs() > ROUNDING { libm::sqrt(square) } else { 1.0 });
    let axes = [0, 1, 2].map(|axis| columns[axis].map(|side| side / lengths[axis]));
    let cosine = |a: usize, b: usize| (0..3).map(|side| axes[a][side] * axes[b][side]).sum::<f64>().abs();
    let affine = (0..3).all(|column| element(3, column) == 0.0) && (element(3, 3) - 1.0).abs() < ROUNDING;
    if !affine || cosine(0, 1).max(cosine(1, 2)).max(cosine(2, 0)) > SKEW {
        return Err("its axes are skewed. Set its skew to 0".to_owned());
    }
    Ok(Pose { axes, lengths, translate: column(3) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Projection;

    const FRAME: [f64; 4] = [0.0, 0.0, 1920.0, 1080.0];

    /// A camera two units before the picture's plane, up and to the right, turned a little to the left.
    fn connected() -> Connected {
        let (sin, cos) = libm::sincos(0.2);
        Connected {
            matrix: [cos, 0.0, sin, 0.1, 0.0, 1.0, 0.0, 0.2, -sin, 0.0, cos, 2.0, 0.0, 0.0, 0.0, 1.0],
            projection: Some(0.0),
            focal: Some(35.0),
            aperture: Some(36.0),
            window_translate: Some([0.1, -0.2]),
            window_scale: Some([1.5, 1.25]),
            roll: Some(10.0),
        }
    }

    fn seen(connected: &Connected) -> [f64; 2] {
        let camera = connected.camera(0.0, Camera::default()).expect("a camera");
        Projection::new(camera, FRAME).project([700.0, 900.0, 50.0]).expect("in front").place
    }

    fn close(a: [f64; 2], b: [f64; 2]) -> bool {
        (0..2).all(|axis| (a[axis] - b[axis]).abs() < 1e-6)
    }

    /// The matrix with its first columns multiplied.
    fn scaled(matrix: [f64; 16], by: [f64; 3]) -> [f64; 16] {
        std::array::from_fn(|place| matrix[place] * by.get(place % 4).copied().unwrap_or(1.0))
    }

    #[test]
    fn a_matrix_of_rows_or_columns_is_the_rotation() {
        let rows = connected();
        let columns = Connected { matrix: std::array::from_fn(|n| rows.matrix[n % 4 * 4 + n / 4]), ..rows };
        assert_eq!(seen(&rows), seen(&columns));
        let same = rows.camera(0.0, Camera::default()).expect("a camera");
        let turned = Camera { axes: None, rotate: [0.0, 0.2_f64.to_degrees(), 0.0], ..same };
        let place = Projection::new(turned, FRAME).project([700.0, 900.0, 50.0]).expect("in front").place;
        assert!(close(seen(&rows), place), "{:?} {place:?}", seen(&rows));
    }

    #[test]
    fn a_scale_acts_as_in_the_projection_of_nuke() {
        let plain = connected();
        let even = Connected { matrix: scaled(plain.matrix, [3.0; 3]), ..plain };
        assert!(close(seen(&plain), seen(&even)), "an even scale changes no picture");
        let wide = Connected { roll: Some(0.0), matrix: scaled(plain.matrix, [2.0, 1.0, 1.0]), ..plain };
        let narrow = Connected { roll: Some(0.0), window_translate: Some([0.0; 2]), ..plain };
        // The position is (x / 2, y) in the coordinates of the camera with a longer first axis.
        let [x, y] = [0, 1].map(|axis| (seen(&narrow)[axis] - FRAME[axis + 2] / 2.0) * [1.5, 1.25][axis]);
        let shift = [0.1 * 960.0, -0.2 * 960.0];
        let truth = [960.0 + (x / 2.0 + shift[0]) / 1.5, 540.0 + (y + shift[1]) / 1.25];
        assert!(close(seen(&wide), truth), "{:?} {truth:?}", seen(&wide));
    }

    #[test]
    fn rubble_is_refused_with_a_reason() {
        let good = connected();
        let at = |place: usize, value: f64| {
            let mut matrix = good.matrix;
            matrix[place] = value;
            Connected { matrix, ..good }
        };
        let cases = [
            (at(5, f64::NAN), "no number"),
            (at(3, f64::INFINITY), "no number"),
            (at(3, 1e300), "no number"),
            (at(1, 0.5), "skewed"),
            (at(13, 2.0), "skewed"),
            (at(15, 0.0), "skewed"),
            (Connected { matrix: [0.0; 16], ..good }, "scale is 0"),
            (Connected { focal: Some(0.0), ..good }, "focal length is 0"),
            (Connected { focal: Some(f64::NAN), ..good }, "focal length is NaN"),
            (Connected { aperture: Some(-1.0), ..good }, "aperture is -1"),
            (Connected { window_scale: Some([1.0, 0.0]), ..good }, "window scale"),
            (Connected { window_translate: Some([f64::NAN, 0.0]), ..good }, "window is no number"),
            (Connected { roll: Some(f64::INFINITY), ..good }, "window is no number"),
            (Connected { projection: Some(1.0), ..good }, "orthographic"),
            (Connected { projection: Some(3.0), ..good }, "spherical"),
            (Connected { projection: Some(f64::NAN), ..good }, "unknown kind"),
        ];
        for (camera, phrase) in cases {
            let why = camera.camera(0.0, Camera::default()).expect_err(phrase);
            assert!(why.contains(phrase), "{phrase}: {why}");
        }
    }

    #[test]
    fn an_axis_has_the_lens_of_the_parameters() {
        let axis = Connected {
            matrix: connected().matrix,
            projection: None,
            focal: None,
            aperture: None,
            window_translate: None,
            window_scale: None,
            roll: None,
        };
        let lens = Camera { focal: 80.0, aperture: 20.0, roll: 3.0, ..Camera::default() };
        let camera = axis.camera(1.0, lens).expect("a camera");
        assert_eq!((camera.focal, camera.aperture, camera.roll), (80.0, 20.0, 3.0));
        assert_eq!(camera.translate, [0.1, 0.2, 2.0]);
    }
}
