//! Positions and orientations of axes: from files, and by angles.

use super::camera_file::{self, Words};
use super::geometry::Rect;
use crate::picture::camera::{Camera, turned};
use crate::picture::camera_path::Pose;

/// The pose of an axis at a time, and a text for the artist where its file is not used as it is. `text`: path of the
/// file, as the artist wrote it; `owner`: that whose place it is; `otherwise`: the parameters that are used without it.
pub fn pose(owner: &str, otherwise: &str, text: &str, time: f64) -> (Option<Pose>, Option<String>) {
    let words = Words {
        file: &format!("Axis file of {owner}"),
        unset: &format!("{owner} is placed by Axis file, and none is chosen: {otherwise}"),
        otherwise,
        line: "frame tx ty tz rx ry rz",
        outside: "it stays at its first and its last position",
    };
    camera_file::pose(&words, text, time, Camera::default().order)
}

/// The position of a pose before a camera that shows `frame`, pixels. `scale`: pixels of a unit of the file; 0 for the
/// width of the frame.
pub fn position(pose: &Pose, scale: f64, frame: Rect) -> [f64; 3] {
    let unit = if scale > 0.0 { scale } else { (frame[2] - frame[0]).max(1.0) };
    let middle = [(frame[0] + frame[2]) / 2.0, (frame[1] + frame[3]) / 2.0, 0.0];
    [0, 1, 2].map(|axis| middle[axis] + pose.translate[axis] * unit)
}

/// Largest angle, degrees.
const FAR: f64 = 36_000.0;

/// The axes of a solid after rotations about x, y and z, degrees, in the order of an axis; a number that is not finite
/// is 0.
pub fn axes(rotate: [f64; 3]) -> [[f64; 3]; 3] {
    let rotate = rotate.map(|angle| if angle.is_finite() { angle.clamp(-FAR, FAR) } else { 0.0 });
    turned(rotate, Camera::default().order)
}
