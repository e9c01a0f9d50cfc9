//! A standing person as a volume: a stand-in until there is an actor's matte.

/// A part of the body: a tapered limb of an oval section with round ends. Lengths are shares of the height.
struct Part {
    /// Middle of the section at both ends, from the point between the feet: to the right, up and towards the camera.
    ends: [[f64; 3]; 2],
    /// Half width at both ends.
    radii: [f64; 2],
    /// Extent across the width as a share of the width.
    flatness: f64,
    /// Height of the round ends as a share of the half width.
    roundness: f64,
}

const fn part(ends: [[f64; 3]; 2], radii: [f64; 2], flatness: f64, roundness: f64) -> Part {
    Part { ends, radii, flatness, roundness }
}

/// The body, turned a little to the left, in a step.
const BODY: [Part; 17] = [
    // Head, neck.
    part([[-0.012, 0.905, 0.02], [-0.006, 0.94, 0.012]], [0.048, 0.057], 1.15, 1.05),
    part([[0.0, 0.82, 0.0], [-0.008, 0.87, 0.01]], [0.038, 0.032], 1.0, 0.3),
    // Shoulders, chest, hips.
    part([[-0.12, 0.8, 0.0], [0.12, 0.8, 0.0]], [0.04, 0.04], 1.1, 1.0),
    part([[0.0, 0.59, 0.0], [0.0, 0.79, 0.0]], [0.08, 0.116], 0.66, 0.35),
    part([[0.0, 0.49, 0.0], [0.0, 0.59, 0.0]], [0.095, 0.08], 0.72, 0.3),
    // The arm on the left, which is raised a little: upper arm, forearm, hand.
    part([[-0.14, 0.79, 0.0], [-0.205, 0.665, 0.03]], [0.041, 0.034], 1.0, 0.8),
    part([[-0.207, 0.655, 0.032], [-0.262, 0.55, 0.11]], [0.034, 0.024], 1.0, 0.8),
    part([[-0.264, 0.54, 0.115], [-0.286, 0.505, 0.135]], [0.025, 0.018], 0.7, 1.0),
    // The arm on the right.
    part([[0.14, 0.79, 0.0], [0.19, 0.655, -0.03]], [0.041, 0.034], 1.0, 0.8),
    part([[0.192, 0.645, -0.028], [0.222, 0.515, 0.0]], [0.034, 0.024], 1.0, 0.8),
    part([[0.223, 0.505, 0.002], [0.229, 0.455, 0.012]], [0.025, 0.018], 0.7, 1.0),
    // Legs: thigh, shin, foot.
    part([[-0.052, 0.48, 0.0], [-0.1, 0.275, 0.06]], [0.068, 0.046], 1.0, 0.6),
    part([[-0.101, 0.27, 0.06], [-0.128, 0.05, 0.02]], [0.046, 0.028], 1.0, 0.8),
    part([[-0.13, 0.026, 0.0], [-0.165, 0.018, 0.08]], [0.026, 0.018], 0.9, 1.0),
    part([[0.052, 0.48, 0.0], [0.09, 0.275, -0.03]], [0.068, 0.046], 1.0, 0.6),
    part([[0.091, 0.27, -0.032], [0.113, 0.05, -0.088]], [0.046, 0.028], 1.0, 0.8),
    part([[0.115, 0.026, -0.09], [0.133, 0.018, -0.02]], [0.026, 0.018], 0.9, 1.0),
];

/// The volume of a unit ball's half, over π.
const HALF_BALL: f64 = 2.0 / 3.0;

impl Part {
    fn axis(&self) -> [f64; 3] {
        let [from, to] = self.ends;
        [0, 1, 2].map(|axis| to[axis] - from[axis])
    }

    fn length(&self) -> f64 {
        libm::sqrt(self.axis().iter().map(|side| side * side).sum())
    }

    /// Volumes, over π, of the end, the limb and the other end.
    fn volumes(&self) -> [f64; 3] {
        let [a, b] = self.radii;
        let limb = self.length() * (a * a + a * b + b * b) / 3.0;
        let end = |radius: f64| HALF_BALL * radius * radius * radius * self.roundness;
        [end(a), limb, end(b)].map(|volume| volume * self.flatness)
    }

    fn volume(&self) -> f64 {
        self.volumes().iter().sum()
    }

    /// A point of it, evenly spread, from random numbers in [0, 1).
    fn point(&self, along: f64, [first, second]: [f64; 2]) -> [f64; 3] {
        let ([start, limb, end], [a, b]) = (self.volumes(), self.radii);
        let angle = second * 2.0 * std::f64::consts::PI;
        let chosen = along * (start + limb + end);
        // Position along the axis, from its start, and half width of the section there.
        let ball = |rest: f64, radius: f64| {
            let reach = radius * libm::cbrt(first);
            (rest * reach * self.roundness, reach * libm::sqrt(1.0 - rest * rest))
        };
        let (position, reach) = if chosen < start {
            let (beyond, reach) = ball(chosen / start, a);
            (-beyond, reach)
        } else if chosen < start + limb {
            let share = (chosen - start) / limb;
            let radius = libm::cbrt(a * a * a + share * (b * b * b - a * a * a));
            let at = if a == b { share } else { (radius - a) / (b - a) };
            (at * self.length(), radius * libm::sqrt(first))
        } else {
            let (beyond, reach) = ball((chosen - start - limb) / end, b);
            (self.length() + beyond, reach)
        };
        let (u, v) = (reach * libm::cos(angle), reach * libm::sin(angle) * self.flatness);
        let axis = self.axis();
        let across = match [axis[0].abs(), axis[1].abs(), axis[2].abs()] {
            [x, y, z] if y >= x.max(z) => [u, 0.0, v],
            [x, _, z] if x >= z => [0.0, u, v],
            _ => [u, v, 0.0],
        };
        [0, 1, 2].map(|side| self.ends[0][side] + axis[side] * (position / self.length()) + across[side])
    }
}

/// A point in the figure, from four random numbers in [0, 1): relative to its middle, for a height of 1.
pub fn place([which, along, first, second]: [f64; 4]) -> [f64; 3] {
    let mut rest = which * BODY.iter().map(Part::volume).sum::<f64>();
    let mut chosen = &BODY[0];
    for part in &BODY {
        chosen = part;
        rest -= part.volume();
        if rest < 0.0 {
            break;
        }
    }
    let [x, y, z] = chosen.point(along, [first, second]);
    [x, y - 0.5, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::particles::random::{Purpose, units};

    #[test]
    fn the_figure_is_as_high_as_it_says_and_has_a_neck_and_two_legs() {
        let points: Vec<[f64; 3]> = (0..40_000).map(|n| place(units(3, n, Purpose::Place))).collect();
        let extent = |axis: usize, side: f64| points.iter().map(|p| p[axis] * side).fold(f64::MIN, f64::max);
        let [top, bottom, front] = [extent(1, 1.0), extent(1, -1.0), extent(2, 1.0)];
        assert!((top - 0.5).abs() < 0.01 && (bottom - 0.5).abs() < 0.02 && front < 0.2, "{top} {bottom} {front}");
        let width = |low: f64, high: f64| {
            let row = points.iter().filter(|p| (low..high).contains(&p[1]));
            row.map(|p| p[0].abs()).fold(0.0, f64::max)
        };
        assert!(width(0.345, 0.353) < 0.7 * width(0.4, 0.46), "the neck is narrower than the head");
        assert!(width(0.345, 0.353) < 0.3 * width(0.25, 0.3), "and than the shoulders");
        let between = points.iter().filter(|p| (-0.35..-0.15).contains(&p[1]) && p[0].abs() < 0.01).count();
        assert_eq!(between, 0, "there is air between the legs");
        let sides = points
            .iter()
            .filter(|p| p[1] < -0.1)
            .fold([0, 0], |[left, right], p| if p[0] < 0.0 { [left + 1, right] } else { [left, right + 1] });
        assert!(sides[0] > 3000 && sides[1] > 3000, "{sides:?}");
    }
}
