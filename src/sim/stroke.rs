//! A disc that moves along a line: the shape of moving emitters and brushes.

use std::f64::consts::PI;

/// A disc with a soft rim that moves along a line during a frame, in cells.
pub(super) struct Stroke {
    from: [f64; 2],
    along: [f64; 2],
    length: f64,
    radius: f64,
    /// Width of the rim, across which the coverage falls from 1 to 0; `radius` is at its middle.
    rim: f64,
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
        }
    }

    /// A wider rim with the same outer edge. `softness`: 0, one cell, to 1, the whole radius.
    pub fn softened(self, softness: f64) -> Stroke {
        let outer = self.radius + 0.5;
        let rim = 1.0 + softness * (outer - 1.0);
        Stroke { radius: outer - rim / 2.0, rim, ..self }
    }

    /// Area of the disc at rest, cells.
    pub fn area(&self) -> f64 {
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
            return ((outer - libm::sqrt(rx * rx + ry * ry)) / self.rim).clamp(0.0, 1.0);
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
        // Coverage of the rim, (`outer` − distance) / `width`, integrated along the path.
        let rim = |a: f64, b: f64| (outer * (b - a) - (distance_integral(p, b) - distance_integral(p, a))) / self.rim;
        let core = if p < inner { libm::sqrt(inner * inner - p * p) } else { 0.0 };
        let (from, to) = (a.max(-core), b.min(core));
        let total = if core > 0.0 && to > from { rim(a, from) + (to - from) + rim(to, b) } else { rim(a, b) };
        (total / self.length).clamp(0.0, 1.0)
    }
}

/// Antiderivative of √(p² + u²) over u.
fn distance_integral(p: f64, u: f64) -> f64 {
    let curve = if p > 1e-9 { p * p * libm::asinh(u / p) } else { 0.0 };
    0.5 * (u * libm::sqrt(p * p + u * u) + curve)
}
