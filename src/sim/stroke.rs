//! A disc that moves along a line: the shape of moving emitters and brushes.

use std::f64::consts::PI;

use super::maths::bump;

/// Nodes above 0 and weights of Gauss's rule of six nodes.
const GAUSS: [(f64, f64); 3] = [
    (0.238_619_186_083_196_9, 0.467_913_934_572_691),
    (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
    (0.932_469_514_203_152, 0.171_324_492_379_170_4),
];

/// A disc with a soft rim that moves along a line during a frame, in cells.
pub(super) struct Stroke {
    from: [f64; 2],
    along: [f64; 2],
    length: f64,
    radius: f64,
    /// Width of the rim, across which the coverage falls from 1 to 0; `radius` is at its middle.
    rim: f64,
    /// The coverage falls as a smooth bump; else linearly.
    smooth: bool,
}

impl Stroke {
    /// A disc that moves from one place to another. Its radius is at least one cell, its rim one cell wide. All numbers
    /// are finite.
    pub fn new(previous: [f64; 2], centre: [f64; 2], radius: f64) -> Stroke {
        let (dx, dy) = (centre[0] - previous[0], centre[1] - previous[1]);
        let length = libm::sqrt(dx * dx + dy * dy);
        // For a shorter path, the mean over the path and the value at its middle differ by less than the rounding
        // error.
        let moving = length > 1e-3;
        Stroke {
            from: if moving { previous } else { [centre[0] - dx / 2.0, centre[1] - dy / 2.0] },
            along: if moving { [dx / length, dy / length] } else { [1.0, 0.0] },
            length: if moving { length } else { 0.0 },
            radius: radius.max(1.0),
            rim: 1.0,
            smooth: false,
        }
    }

    /// A wider rim with the same outer edge. `softness`: 0, one cell, to 1, the whole radius.
    pub fn softened(self, softness: f64) -> Stroke {
        let outer = self.radius + 0.5;
        let rim = 1.0 + softness * (outer - 1.0);
        Stroke { radius: outer - rim / 2.0, rim, ..self }
    }

    /// A wider and smooth rim with the same outer edge. `softness`: 0, one cell and linear, to 1, a bump as wide as the
    /// disc.
    pub fn smoothed(self, softness: f64) -> Stroke {
        if softness > 0.0 { Stroke { smooth: true, ..self.softened(softness) } } else { self }
    }

    /// Area of the disc at rest, cells.
    pub fn area(&self) -> f64 {
        if self.smooth {
            return bump_area(self.radius - self.rim / 2.0, self.rim);
        }
        PI * (self.radius * self.radius + self.rim * self.rim / 12.0)
    }

    /// Place of the disc at the end of the frame.
    pub fn end(&self) -> [f64; 2] {
        [0, 1].map(|i| self.from[i] + self.along[i] * self.length)
    }

    /// Bounds of the cells that the disc may touch: the first, and the one after the last.
    pub fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let to = self.end();
        let reach = self.radius + self.rim / 2.0 + 0.5;
        (
            [0, 1].map(|i| libm::floor(self.from[i].min(to[i]) - reach)),
            [0, 1].map(|i| libm::ceil(self.from[i].max(to[i]) + reach)),
        )
    }

    /// Offset of a point from the nearest point of the path.
    pub fn offset(&self, x: f64, y: f64) -> [f64; 2] {
        let (rx, ry) = (x - self.from[0], y - self.from[1]);
        let along = (rx * self.along[0] + ry * self.along[1]).clamp(0.0, self.length);
        [rx - along * self.along[0], ry - along * self.along[1]]
    }

    /// Fraction of the frame in which the disc covers a point; under the rim, weighted with its coverage.
    pub fn coverage(&self, x: f64, y: f64) -> f64 {
        let (rx, ry) = (x - self.from[0], y - self.from[1]);
        let (outer, inner) = (self.radius + self.rim / 2.0, self.radius - self.rim / 2.0);
        if self.length == 0.0 {
            return self.profile(libm::sqrt(rx * rx + ry * ry));
        }
        let along = rx * self.along[0] + ry * self.along[1];
        let p = (rx * self.along[1] - ry * self.along[0]).abs();
        if p >= outer {
            return 0.0;
        }
        let reach = libm::sqrt(outer * outer - p * p);
        let (a, b) = ((-along).max(-reach), (self.length - along).min(reach));
        if b <= a {
            return 0.0;
        }
        if self.smooth {
            return (self.smooth_integral(p, inner, [a, b]) / self.length).clamp(0.0, 1.0);
        }
        // Coverage of the rim, (`outer` − distance) / `width`, integrated along the path.
        let rim = |a: f64, b: f64| (outer * (b - a) - (distance_integral(p, b) - distance_integral(p, a))) / self.rim;
        let core = if p < inner { libm::sqrt(inner * inner - p * p) } else { 0.0 };
        let (from, to) = (a.max(-core), b.min(core));
        let total = if core > 0.0 && to > from { rim(a, from) + (to - from) + rim(to, b) } else { rim(a, b) };
        (total / self.length).clamp(0.0, 1.0)
    }

    /// Coverage at a distance from the middle of the disc.
    fn profile(&self, distance: f64) -> f64 {
        let (outer, inner) = (self.radius + self.rim / 2.0, self.radius - self.rim / 2.0);
        if self.smooth {
            smooth_rim(distance, inner, self.rim)
        } else {
            ((outer - distance) / self.rim).clamp(0.0, 1.0)
        }
    }

    /// Coverage of a smooth disc along a part of its path, which passes a point at the distance `p`: exact in the core,
    /// by Gauss's rule in the rim.
    fn smooth_integral(&self, p: f64, inner: f64, [a, b]: [f64; 2]) -> f64 {
        let core = if p < inner { libm::sqrt(inner * inner - p * p) } else { 0.0 };
        let (from, to) = (a.max(-core), b.min(core));
        let rim = |a: f64, b: f64| {
            let (middle, half) = ((a + b) / 2.0, (b - a) / 2.0);
            let at = |u: f64| self.profile(libm::sqrt(p * p + u * u));
            let pairs = GAUSS.map(|(node, weight)| weight * (at(middle - half * node) + at(middle + half * node)));
            if half > 0.0 { half * pairs.iter().sum::<f64>() } else { 0.0 }
        };
        rim(a, b.min(-core)) + (to - from).max(0.0) + rim(a.max(core), b)
    }
}

/// Area of a disc, whose coverage is 1 up to a radius, and falls as a bump across a rim.
pub(super) fn bump_area(inner: f64, rim: f64) -> f64 {
    PI * (inner * inner + rim * (16.0 / 15.0 * inner + rim / 3.0))
}

/// Coverage at a distance from the middle, 1 up to `inner`, of a smooth rim.
pub(super) fn smooth_rim(distance: f64, inner: f64, rim: f64) -> f64 {
    bump(((distance - inner) / rim).max(0.0))
}

/// Antiderivative of √(p² + u²) over u.
fn distance_integral(p: f64, u: f64) -> f64 {
    let curve = if p > 1e-9 { p * p * libm::asinh(u / p) } else { 0.0 };
    0.5 * (u * libm::sqrt(p * p + u * u) + curve)
}
