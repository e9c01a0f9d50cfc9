//! Cameras of a host that has camera inputs, as Nuke's: knobs by name, each a constant or a curve.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use flow_openfx as ofx;

use crate::error::listing;
use crate::ffi::handles::{HandleId, Object};
use crate::params::Curve;
use crate::props::PropSet;
use crate::{Error, Result, Value};

/// Knobs of a camera: names and defaults. The position is a matrix of the others, unless it is given itself.
const KNOBS: [(&str, &[f64]); 13] = [
    ("translate", &[0.0; 3]),
    ("rotate", &[0.0; 3]),
    ("rot_order", &[4.0]),
    ("projection_mode", &[0.0]),
    ("focal", &[50.0]),
    ("haperture", &[24.576]),
    ("vaperture", &[18.672]),
    ("near", &[0.1]),
    ("far", &[10_000.0]),
    ("win_translate", &[0.0; 2]),
    ("win_scale", &[1.0; 2]),
    ("winroll", &[0.0]),
    ("focal_point", &[2.0]),
];

/// The knob of the position, 16 numbers.
const MATRIX: &str = "position_matrix";

/// Axes in the order of the rotations, by the number of the knob `rot_order`.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A camera in the host's scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Camera {
    knobs: BTreeMap<&'static str, Curve>,
}

impl Camera {
    /// A camera at the origin, with a lens of 50 mm.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keys from a `.chan` file: lines of `frame tx ty tz rx ry rz vfov`.
    ///
    /// # Errors
    /// The file cannot be read, or has another line.
    pub fn chan(mut self, path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).map_err(|error| Error::file(path, format!("cannot be read: {error}")))?;
        for (place, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if numbers.is_empty() && line.trim().is_empty() {
                continue;
            }
            let [frame, tx, ty, tz, rx, ry, rz, angle] = numbers[..] else {
                let why = format!("line {} is not \"frame tx ty tz rx ry rz vfov\"", place + 1);
                return Err(Error::file(path, why));
            };
            let vertical = self.number("vaperture", frame);
            let focal = vertical / 2.0 / libm::tan(angle.to_radians() / 2.0);
            self = self.key("translate", frame, &[tx, ty, tz])?;
            self = self.key("rotate", frame, &[rx, ry, rz])?.key("focal", frame, &[focal])?;
        }
        Ok(self)
    }

    /// Sets a knob for all times.
    ///
    /// # Errors
    /// Wrong usage: no such knob, or another number of values.
    pub fn set(mut self, knob: &str, values: &[f64]) -> Result<Self> {
        self.curve(knob, values)?.set_constant(Value::Doubles(values.to_vec()));
        Ok(self)
    }

    /// Sets a knob's key.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn key(mut self, knob: &str, time: f64, values: &[f64]) -> Result<Self> {
        self.curve(knob, values)?.set_key(time, Value::Doubles(values.to_vec()));
        Ok(self)
    }

    fn curve(&mut self, knob: &str, values: &[f64]) -> Result<&mut Curve> {
        let matrix = (MATRIX, &[0.0; 16][..]);
        let found = KNOBS.iter().chain([&matrix]).find(|(name, _)| *name == knob);
        let Some((name, default)) = found else {
            let names = KNOBS.iter().map(|(name, _)| *name).chain([MATRIX]);
            return Err(Error::usage(format!("a camera has no '{knob}'; it has {}", listing(names))));
        };
        if values.len() != default.len() {
            return Err(Error::usage(format!("{knob} of a camera: expected {} numbers", default.len())));
        }
        Ok(self.knobs.entry(name).or_insert_with(|| Curve::constant(Value::Doubles(default.to_vec()))))
    }

    /// The numbers of a parameter at a time; `None` for an unknown one.
    pub(crate) fn parameter(&self, name: &str, time: f64) -> Option<Vec<f64>> {
        if let Some(curve) = self.knobs.get(name) {
            return Some(curve.at(time).numbers());
        }
        if name == MATRIX {
            return Some(self.matrix(time).to_vec());
        }
        KNOBS.iter().find(|(known, _)| *known == name).map(|(_, default)| default.to_vec())
    }

    fn number(&self, name: &str, time: f64) -> f64 {
        self.parameter(name, time).and_then(|values| values.first().copied()).unwrap_or_default()
    }

    fn triple(&self, name: &str, time: f64) -> [f64; 3] {
        self.parameter(name, time).and_then(|values| values.try_into().ok()).unwrap_or_default()
    }

    /// The matrix from the camera's coordinates to the scene's, row by row.
    fn matrix(&self, time: f64) -> [f64; 16] {
        let order = ORDERS.get(self.number("rot_order", time) as usize).unwrap_or(&ORDERS[4]);
        let [translate, rotate] = ["translate", "rotate"].map(|name| self.triple(name, time));
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis: [f64; 3]| {
            order.iter().fold(axis, |mut axis, about| {
                let [a, b] = [(about + 1) % 3, (about + 2) % 3];
                let angle = rotate[*about].to_radians();
                let (sin, cos) = (libm::sin(angle), libm::cos(angle));
                (axis[a], axis[b]) = (axis[a] * cos - axis[b] * sin, axis[a] * sin + axis[b] * cos);
                axis
            })
        });
        let mut matrix = [0.0; 16];
        for row in 0..3 {
            matrix[row * 4..row * 4 + 4].copy_from_slice(&[axes[0][row], axes[1][row], axes[2][row], translate[row]]);
        }
        matrix[15] = 1.0;
        matrix
    }
}

/// A camera input of a node.
pub(crate) struct CameraInput {
    pub name: String,
    pub props: Arc<PropSet>,
    id: HandleId,
    camera: RwLock<Option<Arc<Camera>>>,
}

impl CameraInput {
    pub(crate) fn new(name: &str, described: &PropSet) -> Arc<Self> {
        let props = described.copy(format!("camera {name}"));
        props.ints(ofx::kOfxImageClipPropConnected, &[0]).seal_some(&[ofx::text(ofx::kOfxImageClipPropConnected)]);
        Arc::new_cyclic(|weak| Self {
            name: name.to_owned(),
            props,
            id: HandleId::new(Object::Camera(weak.clone())),
            camera: RwLock::default(),
        })
    }

    pub(crate) fn handle<T>(&self) -> *mut T {
        self.id.pointer()
    }

    pub(crate) fn camera(&self) -> Option<Arc<Camera>> {
        self.camera.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn connect(&self, camera: Option<Camera>) {
        self.props.put(
            ofx::text(ofx::kOfxImageClipPropConnected),
            crate::props::Values::Int(vec![i32::from(camera.is_some())]),
        );
        *self.camera.write().unwrap_or_else(PoisonError::into_inner) = camera.map(Arc::new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_have_defaults_constants_and_keys() {
        let camera = Camera::new().set("focal", &[35.0]).expect("set");
        let camera = camera.key("translate", 1.0, &[0.0; 3]).and_then(|camera| camera.key("translate", 3.0, &[4.0; 3]));
        let camera = camera.expect("keys");
        assert_eq!(camera.parameter("focal", 7.0), Some(vec![35.0]));
        assert_eq!(camera.parameter("haperture", 7.0), Some(vec![24.576]));
        assert_eq!(camera.parameter("translate", 1.5), Some(vec![1.0; 3]));
        assert_eq!(camera.parameter("fish", 1.0), None);
        let matrix = camera.parameter("position_matrix", 2.0).expect("a matrix");
        assert_eq!(matrix, [1., 0., 0., 2., 0., 1., 0., 2., 0., 0., 1., 2., 0., 0., 0., 1.]);
        for (knob, count, phrase) in [("fish", 1, "has no 'fish'"), ("focal", 2, "expected 1 numbers")] {
            let error = camera.clone().set(knob, &vec![0.0; count]).expect_err(phrase).to_string();
            assert!(error.contains(phrase), "{error}");
        }
    }

    #[test]
    fn a_turn_to_the_left_turns_the_view_axis_to_the_right() {
        let camera = Camera::new().set("rotate", &[0.0, 90.0, 0.0]).expect("set");
        let matrix = camera.parameter("position_matrix", 0.0).expect("a matrix");
        let backward = [2, 6, 10].map(|place| (matrix[place] * 1e9).round() / 1e9);
        assert_eq!(backward, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn lines_of_a_file_are_keys() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("shot.chan");
        std::fs::write(&path, "# shot\n1 0 0 5 0 0 0 40\n\n3 2 0 5 0 10 0 40\n").expect("written");
        let camera = Camera::new().chan(&path).expect("a camera");
        assert_eq!(camera.parameter("translate", 2.0), Some(vec![1.0, 0.0, 5.0]));
        let focal = 18.672 / 2.0 / 20.0_f64.to_radians().tan();
        assert!((camera.number("focal", 2.0) - focal).abs() < 1e-9);
        std::fs::write(&path, "1 0 0 5 0 0 0 40\n2 0 0 x 0 0 0 40\n").expect("written");
        let error = Camera::new().chan(&path).expect_err("a word").to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
