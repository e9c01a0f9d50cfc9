//! Turning, growing and moving at once.

/// Moves what was at `was` to `middle`, and turns and scales around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Similarity {
    middle: [f64; 2],
    was: [f64; 2],
    /// Factor, as a complex number, from ways around `middle` to those before around `was`.
    back: [f64; 2],
}

/// Least and greatest growth, and greatest turn, in radians.
const SOUND: ([f64; 2], f64) = ([0.5, 2.0], std::f64::consts::FRAC_PI_3);

/// An unknown of a fit that moves the outline across itself by less is not to be told from its steps: it stays 0. The turn
/// of a disc is one. The mean square, of the way of a place that the unknown moves by one cell.
const SEEN: f64 = 0.01;

impl Similarity {
    /// Moves by `by`.
    pub fn translation(middle: [f64; 2], by: [f64; 2]) -> Similarity {
        Similarity { middle, was: [middle[0] - by[0], middle[1] - by[1]], back: [1.0, 0.0] }
    }

    /// Where what is at a place now was before.
    pub fn back(&self, at: [f64; 2]) -> [f64; 2] {
        let way = times(self.back, self.way(at));
        [self.was[0] + way[0], self.was[1] + way[1]]
    }

    /// The velocity at a place, per frame, where all that is done evenly.
    pub fn velocity(&self, at: [f64; 2]) -> [f64; 2] {
        let turn = [1.0 - libm::hypot(self.back[0], self.back[1]), -libm::atan2(self.back[1], self.back[0])];
        let way = times(turn, self.way(at));
        [0, 1].map(|i| self.middle[i] - self.was[i] + way[i])
    }

    /// Whether it is one that a matte's part may do in a frame.
    pub fn is_sound(&self) -> bool {
        let growth = 1.0 / libm::hypot(self.back[0], self.back[1]);
        (SOUND.0[0]..=SOUND.0[1]).contains(&growth) && libm::atan2(self.back[1], self.back[0]).abs() <= SOUND.1
    }

    /// How far a place is from the middle.
    pub fn distance(&self, at: [f64; 2]) -> f64 {
        let way = self.way(at);
        libm::hypot(way[0], way[1])
    }

    /// From the middle to a place.
    fn way(&self, at: [f64; 2]) -> [f64; 2] {
        [at[0] - self.middle[0], at[1] - self.middle[1]]
    }

    /// This, and then what is missing.
    fn then(&self, Missing { by, turn }: &Missing) -> Similarity {
        let before = times(self.back, *by);
        Similarity {
            was: [self.was[0] - before[0], self.was[1] - before[1]],
            back: times(self.back, [1.0 - turn[0], -turn[1]]),
            ..*self
        }
    }
}

/// What a motion lacks: a translation, and a growth and a turn, small ones, around its middle.
struct Missing {
    by: [f64; 2],
    turn: [f64; 2],
}

/// The least squares of how far an outline is from where a motion puts it.
#[derive(Clone, Copy, Default)]
pub(super) struct Fit {
    /// Normal equations for two of translation, growth and turn, and the right-hand side.
    sums: [[f64; 5]; 4],
    weights: f64,
}

impl Fit {
    /// Takes a place of the outline, which is `way` ahead along `normal`. `size`: lengths are measured by it.
    pub fn add(&mut self, motion: &Similarity, size: f64, at: [f64; 2], normal: [f64; 2], way: f64, weight: f64) {
        let from = motion.way(at).map(|v| v / size);
        let grows = normal[0] * from[0] + normal[1] * from[1];
        let turns = normal[1] * from[0] - normal[0] * from[1];
        let row = [normal[0], normal[1], grows, turns, way];
        for (sums, a) in self.sums.iter_mut().zip(row) {
            for (sum, b) in sums.iter_mut().zip(row) {
                *sum += weight * a * b;
            }
        }
        self.weights += weight;
    }

    /// The motion that is left least, and how far that is from `motion`, in cells.
    pub fn solve(&self, motion: &Similarity, size: f64) -> (Similarity, f64) {
        let mut m = self.sums;
        let seen = SEEN * self.weights;
        for i in 0..4 {
            let pivot = m[i];
            for row in &mut m[i + 1..] {
                let factor = if pivot[i] > seen { row[i] / pivot[i] } else { 0.0 };
                row.iter_mut().zip(pivot).for_each(|(a, b)| *a -= factor * b);
            }
        }
        let mut x = [0.0; 4];
        for i in (0..4).rev() {
            let known: f64 = (i + 1..4).map(|j| m[i][j] * x[j]).sum();
            x[i] = if m[i][i] > seen { (m[i][4] - known) / m[i][i] } else { 0.0 };
        }
        let missing = Missing { by: [x[0], x[1]], turn: [x[2] / size, x[3] / size] };
        (motion.then(&missing), x.iter().fold(0.0, |most: f64, v| most.max(v.abs())))
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
        let (size, middle) = (10.0, [3.0, -2.0]);
        let mut motion = Similarity::translation(middle, [0.0; 2]);
        // Before: 5 % smaller, turned by 0.3, and elsewhere.
        let truth = Similarity { middle, was: [1.0, 1.0], back: [0.95 * libm::cos(-0.3), 0.95 * libm::sin(-0.3)] };
        for _ in 0..12 {
            let mut fit = Fit::default();
            for (normal, along) in [([1.0, 0.0], [0.0, 1.0]), ([0.0, 1.0], [1.0, 0.0])] {
                for step in -9..=9 {
                    for side in [-1.0, 1.0] {
                        let at = [0, 1].map(|i| middle[i] + 10.0 * side * normal[i] + f64::from(step) * along[i]);
                        // Along the normal to the line that this side was, as the motion so far shows it.
                        let [there, next] =
                            [at, [0, 1].map(|i| at[i] + along[i])].map(|at| shown(&motion, truth.back(at)));
                        let line = [next[1] - there[1], there[0] - next[0]];
                        let gap = (at[0] - there[0]) * line[0] + (at[1] - there[1]) * line[1];
                        fit.add(&motion, size, at, normal, gap / (line[0] * normal[0] + line[1] * normal[1]), 1.0);
                    }
                }
            }
            motion = fit.solve(&motion, size).0;
        }
        for at in [[0.0; 2], [13.0, 8.0], [-7.0, -12.0]] {
            let (found, true_one) = (motion.back(at), truth.back(at));
            assert!((0..2).all(|i| (found[i] - true_one[i]).abs() < 1e-2), "{found:?} {true_one:?}");
        }
        let velocity = truth.velocity([middle[0] + 1.0, middle[1]]);
        assert!((velocity[0] - (2.0 + 0.05)).abs() < 1e-12 && (velocity[1] - (-3.0 + 0.3)).abs() < 1e-12);
        assert!(truth.is_sound() && !Similarity { back: [0.3, 0.0], ..truth }.is_sound());
        assert_eq!(Similarity::translation(middle, [2.5, -1.0]).velocity([1e4, 7.0]), [2.5, -1.0]);
    }

    /// Where a motion puts what was at a place.
    fn shown(motion: &Similarity, was: [f64; 2]) -> [f64; 2] {
        let way = [was[0] - motion.was[0], was[1] - motion.was[1]];
        let square = motion.back[0] * motion.back[0] + motion.back[1] * motion.back[1];
        let turned = times([motion.back[0] / square, -motion.back[1] / square], way);
        [motion.middle[0] + turned[0], motion.middle[1] + turned[1]]
    }
}
