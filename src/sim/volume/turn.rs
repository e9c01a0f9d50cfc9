//! The orientation of a solid, and its rotation within a frame.

use super::shapes::{dot, norm};
use crate::sim::fingerprint::fingerprinted;

fingerprinted! {
    /// An orientation that turns about a fixed axis within a frame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Turn {
        /// The solid's own x, y and z axes at the end of the frame: orthonormal, right-handed.
        pub axes: [[f64; 3]; 3],
        /// Axis of the rotation within the frame, as long as its angle in radians; at most half a turn a frame.
        pub spin: [f64; 3],
    }
}

/// Axes without rotation.
const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The vector product.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Turns a vector about an axis by the length of that axis in radians (Rodrigues' formula).
fn rotated(vector: [f64; 3], about: [f64; 3]) -> [f64; 3] {
    let angle = norm(about);
    if angle < 1e-12 {
        return vector;
    }
    let axis = about.map(|part| part / angle);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let (across, along) = (cross(axis, vector), dot(axis, vector) * (1.0 - cos));
    std::array::from_fn(|n| vector[n] * cos + across[n] * sin + axis[n] * along)
}

/// The rotation from one set of axes to another, as an axis that is as long as the angle in radians: by the quaternion,
/// whose largest part is computed first (Shepperd 1978).
fn between(from: &[[f64; 3]; 3], to: &[[f64; 3]; 3]) -> [f64; 3] {
    // The matrix that takes `from` to `to`.
    let entry = |row: usize, column: usize| (0..3).map(|n| to[n][row] * from[n][column]).sum::<f64>();
    let matrix: [[f64; 3]; 3] = std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)));
    let [x, y, z] = [0, 1, 2].map(|n| matrix[n][n]);
    let squares = [1.0 + x - y - z, 1.0 - x + y - z, 1.0 - x - y + z, 1.0 + x + y + z];
    let largest = (1..4).fold(0, |most, n| if squares[n] > squares[most] { n } else { most });
    let twice = libm::sqrt(squares[largest].max(0.0));
    let skew = |a: usize, b: usize| (matrix[b][a] - matrix[a][b]) / twice;
    let sum = |a: usize, b: usize| (matrix[b][a] + matrix[a][b]) / twice;
    let (mut vector, mut real) = match largest {
        0 => ([twice, sum(0, 1), sum(0, 2)], skew(1, 2)),
        1 => ([sum(0, 1), twice, sum(1, 2)], skew(2, 0)),
        2 => ([sum(0, 2), sum(1, 2), twice], skew(0, 1)),
        _ => ([skew(1, 2), skew(2, 0), skew(0, 1)], twice),
    };
    if real < 0.0 {
        (vector, real) = (vector.map(|part| -part), -real);
    }
    let length = norm(vector);
    if length < 1e-12 {
        return [0.0; 3];
    }
    let angle = 2.0 * libm::atan2(length, real);
    vector.map(|part| part / length * angle)
}

impl Turn {
    /// The orientation of a solid that turns from the axes `previous` to `axes` the short way; `None` where it stands
    /// upright without turning.
    pub fn new(previous: [[f64; 3]; 3], axes: [[f64; 3]; 3]) -> Option<Self> {
        let is_finite = previous.iter().chain(&axes).flatten().all(|part| part.is_finite());
        let is_upright = axes == UPRIGHT && previous == UPRIGHT;
        (is_finite && !is_upright).then(|| Self { axes, spin: between(&previous, &axes) })
    }

    /// The axes at the fraction `share` of the frame.
    pub fn at(&self, share: f64) -> [[f64; 3]; 3] {
        let back = self.spin.map(|part| part * (share - 1.0));
        self.axes.map(|axis| rotated(axis, back))
    }

    /// The orientation of a solid that goes on turning as in this frame for a number of frames.
    #[must_use]
    pub fn over(&self, frames: f64) -> Self {
        Self { axes: self.at(frames), spin: self.spin.map(|part| part * frames) }
    }
}

/// A vector in the coordinates of axes.
pub fn along(axes: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    axes.map(|axis| dot(axis, vector))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    fn turned(about: [f64; 3]) -> [[f64; 3]; 3] {
        UPRIGHT.map(|axis| rotated(axis, about))
    }

    #[test]
    fn a_quarter_about_z_takes_x_to_y() {
        let quarter = turned([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
        assert!(close(quarter, [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), "{quarter:?}");
        assert!(along(&quarter, [0.0, 2.0, 0.0]).iter().zip([2.0, 0.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn a_turn_goes_from_one_orientation_to_the_other() {
        // With each part of the quaternion as the largest one.
        for about in [[0.3, -0.2, 0.1], [3.0, 0.1, 0.2], [0.1, -3.0, 0.3], [0.2, 0.1, 3.1], [0.0, 0.0, 1e-9]] {
            let previous = turned([0.4, 0.5, -0.6]);
            let axes = previous.map(|axis| rotated(axis, about));
            let turn = Turn::new(previous, axes).expect("it turns");
            let is_same = turn.spin.iter().zip(about).all(|(found, wanted)| (found - wanted).abs() < 1e-9);
            assert!(is_same, "{:?} for {about:?}", turn.spin);
            assert!(close(turn.at(1.0), axes) && close(turn.at(0.0), previous), "{about:?}");
            let on = turn.over(3.0);
            assert!(close(on.at(0.0), previous) && close(on.at(1.0 / 3.0), axes), "{about:?}");
            let half = previous.map(|axis| rotated(axis, about.map(|part| part / 2.0)));
            assert!(close(turn.at(0.5), half), "{about:?}");
        }
        assert_eq!(Turn::new(UPRIGHT, UPRIGHT), None);
        assert_eq!(Turn::new(UPRIGHT, [[f64::NAN; 3]; 3]), None);
        let still = turned([1.0, 2.0, 0.5]);
        assert!(Turn::new(still, still).expect("it is not upright").spin.iter().all(|part| part.abs() < 1e-7));
    }
}
