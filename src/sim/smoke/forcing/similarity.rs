//! Similarity transforms: rotation, scaling and translation; and their least-squares fit.

/// A transform that maps `previous_centre` to `centre`, and rotates and scales around the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Similarity {
    centre: [f64; 2],
    previous_centre: [f64; 2],
    /// The inverse of rotation and scaling, as a complex factor of offsets from the centre.
    inverse_linear: [f64; 2],
}

/// Range of the scale factor, and largest rotation in radians, of a component within a frame.
const PLAUSIBLE: ([f64; 2], f64) = ([0.5, 2.0], std::f64::consts::FRAC_PI_3);

/// Least mean square of the normal displacement of the contour that one cell of an unknown causes. An unknown with less
/// effect, such as the rotation of a disc, is indistinguishable from rounding and stays 0.
const OBSERVABLE_MIN: f64 = 0.01;

impl Similarity {
    /// The translation by `by`.
    pub fn translation(centre: [f64; 2], by: [f64; 2]) -> Similarity {
        Similarity { centre, previous_centre: [centre[0] - by[0], centre[1] - by[1]], inverse_linear: [1.0, 0.0] }
    }

    /// Previous position of a point.
    pub fn backtrace(&self, at: [f64; 2]) -> [f64; 2] {
        let offset = times(self.inverse_linear, self.offset(at));
        [self.previous_centre[0] + offset[0], self.previous_centre[1] + offset[1]]
    }

    /// Velocity at a position, cells per frame, if the motion is steady over the frame.
    pub fn velocity(&self, at: [f64; 2]) -> [f64; 2] {
        let turn = [
            1.0 - libm::hypot(self.inverse_linear[0], self.inverse_linear[1]),
            -libm::atan2(self.inverse_linear[1], self.inverse_linear[0]),
        ];
        let offset = times(turn, self.offset(at));
        [0, 1].map(|i| self.centre[i] - self.previous_centre[i] + offset[i])
    }

    /// Whether scale and rotation are within [`PLAUSIBLE`].
    pub fn is_plausible(&self) -> bool {
        let growth = 1.0 / libm::hypot(self.inverse_linear[0], self.inverse_linear[1]);
        (PLAUSIBLE.0[0]..=PLAUSIBLE.0[1]).contains(&growth)
            && libm::atan2(self.inverse_linear[1], self.inverse_linear[0]).abs() <= PLAUSIBLE.1
    }

    /// Distance of a position from the centre.
    pub fn distance(&self, at: [f64; 2]) -> f64 {
        let offset = self.offset(at);
        libm::hypot(offset[0], offset[1])
    }

    /// Offset of a position from the centre.
    fn offset(&self, at: [f64; 2]) -> [f64; 2] {
        [at[0] - self.centre[0], at[1] - self.centre[1]]
    }

    /// This transform followed by an increment.
    fn compose(&self, Increment { by, turn }: &Increment) -> Similarity {
        let before = times(self.inverse_linear, *by);
        Similarity {
            previous_centre: [self.previous_centre[0] - before[0], self.previous_centre[1] - before[1]],
            inverse_linear: times(self.inverse_linear, [1.0 - turn[0], -turn[1]]),
            ..*self
        }
    }
}

/// A small translation, and a small scaling and rotation around the centre as a complex number.
struct Increment {
    by: [f64; 2],
    turn: [f64; 2],
}

/// Normal equations of the increment that minimises the distances between contour and moved previous contour.
#[derive(Clone, Copy, Default)]
pub(super) struct LeastSquares {
    /// Rows for two components of translation, scale and rotation, with the right-hand side.
    sums: [[f64; 5]; 4],
    weights: f64,
}

impl LeastSquares {
    /// Adds an observation: at `at`, the contour is `distance` ahead of the moved previous contour, along `normal`.
    /// `size`: the unit of length in which scale and rotation are measured.
    pub fn add(&mut self, motion: &Similarity, size: f64, at: [f64; 2], normal: [f64; 2], distance: f64, weight: f64) {
        let from = motion.offset(at).map(|v| v / size);
        let grows = normal[0] * from[0] + normal[1] * from[1];
        let turns = normal[1] * from[0] - normal[0] * from[1];
        let row = [normal[0], normal[1], grows, turns, distance];
        for (sums, a) in self.sums.iter_mut().zip(row) {
            for (sum, b) in sums.iter_mut().zip(row) {
                *sum += weight * a * b;
            }
        }
        self.weights += weight;
    }

    /// The improved motion, and the size of its change in cells.
    pub fn solve(&self, motion: &Similarity, size: f64) -> (Similarity, f64) {
        let mut m = self.sums;
        let observable = OBSERVABLE_MIN * self.weights;
        for i in 0..4 {
            let pivot = m[i];
            for row in &mut m[i + 1..] {
                let factor = if pivot[i] > observable { row[i] / pivot[i] } else { 0.0 };
                row.iter_mut().zip(pivot).for_each(|(a, b)| *a -= factor * b);
            }
        }
        let mut x = [0.0; 4];
        for i in (0..4).rev() {
            let known: f64 = (i + 1..4).map(|j| m[i][j] * x[j]).sum();
            x[i] = if m[i][i] > observable { (m[i][4] - known) / m[i][i] } else { 0.0 };
        }
        let increment = Increment { by: [x[0], x[1]], turn: [x[2] / size, x[3] / size] };
        (motion.compose(&increment), x.iter().fold(0.0, |most: f64, v| most.max(v.abs())))
    }
}

/// The product of two complex numbers.
fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_motion_of_a_square_from_its_normals() {
        let (size, centre) = (10.0, [3.0, -2.0]);
        let mut motion = Similarity::translation(centre, [0.0; 2]);
        // Before: 5 % smaller, turned by 0.3, and elsewhere.
        let truth = Similarity {
            centre,
            previous_centre: [1.0, 1.0],
            inverse_linear: [0.95 * libm::cos(-0.3), 0.95 * libm::sin(-0.3)],
        };
        for _ in 0..12 {
            let mut fit = LeastSquares::default();
            for (normal, along) in [([1.0, 0.0], [0.0, 1.0]), ([0.0, 1.0], [1.0, 0.0])] {
                for step in -9..=9 {
                    for side in [-1.0, 1.0] {
                        let at = [0, 1].map(|i| centre[i] + 10.0 * side * normal[i] + f64::from(step) * along[i]);
                        // Along the normal to the line that this side was, as the motion so far shows it.
                        let [there, next] =
                            [at, [0, 1].map(|i| at[i] + along[i])].map(|at| shown(&motion, truth.backtrace(at)));
                        let line = [next[1] - there[1], there[0] - next[0]];
                        let gap = (at[0] - there[0]) * line[0] + (at[1] - there[1]) * line[1];
                        fit.add(&motion, size, at, normal, gap / (line[0] * normal[0] + line[1] * normal[1]), 1.0);
                    }
                }
            }
            motion = fit.solve(&motion, size).0;
        }
        for at in [[0.0; 2], [13.0, 8.0], [-7.0, -12.0]] {
            let (found, true_one) = (motion.backtrace(at), truth.backtrace(at));
            assert!((0..2).all(|i| (found[i] - true_one[i]).abs() < 1e-2), "{found:?} {true_one:?}");
        }
        let velocity = truth.velocity([centre[0] + 1.0, centre[1]]);
        assert!((velocity[0] - (2.0 + 0.05)).abs() < 1e-12 && (velocity[1] - (-3.0 + 0.3)).abs() < 1e-12);
        assert!(truth.is_plausible() && !Similarity { inverse_linear: [0.3, 0.0], ..truth }.is_plausible());
        assert_eq!(Similarity::translation(centre, [2.5, -1.0]).velocity([1e4, 7.0]), [2.5, -1.0]);
    }

    /// Position of a point after a motion, from its position before.
    fn shown(motion: &Similarity, previous: [f64; 2]) -> [f64; 2] {
        let offset = [previous[0] - motion.previous_centre[0], previous[1] - motion.previous_centre[1]];
        let square =
            motion.inverse_linear[0] * motion.inverse_linear[0] + motion.inverse_linear[1] * motion.inverse_linear[1];
        let turned = times([motion.inverse_linear[0] / square, -motion.inverse_linear[1] / square], offset);
        [motion.centre[0] + turned[0], motion.centre[1] + turned[1]]
    }
}
