//! A moving line or ring: the shapes of emitters that are no discs.

use crate::sim::stroke::{bump_area, smooth_rim};

/// Positions along the path at which a moving shape is drawn, at most.
const PLACES_MAX: f64 = 64.0;

/// A line or a ring with a soft rim that moves during a frame, in cells.
pub(super) struct Outline {
    /// Positions of the centre, evenly spaced in time.
    places: Vec<[f64; 2]>,
    /// Half the length of the line, or the radius of the ring.
    radius: f64,
    /// Width, at least one cell.
    width: f64,
    /// 0: a linear rim, one cell wide; up to 1: a smooth one, as wide as half the shape.
    softness: f64,
    /// Direction of the line; `None` for a ring.
    along: Option<[f64; 2]>,
}

impl Outline {
    /// A shape that moves from one place to another. `angle`: of the line, degrees counter-clockwise from the right;
    /// `None` for a ring; `softness`: 0 to 1. All numbers are finite.
    pub fn new(
        [previous, centre]: [[f64; 2]; 2],
        radius: f64,
        [width, softness]: [f64; 2],
        angle: Option<f64>,
    ) -> Outline {
        let (dx, dy) = (centre[0] - previous[0], centre[1] - previous[1]);
        let width = width.max(1.0);
        let count = libm::ceil((2.0 + 2.0 * softness) * libm::sqrt(dx * dx + dy * dy) / width).clamp(1.0, PLACES_MAX);
        let place = |k: u32| {
            let part = (f64::from(k) + 0.5) / count;
            [previous[0] + dx * part, previous[1] + dy * part]
        };
        let along = angle.map(|degrees| {
            let radians = (degrees % 360.0).to_radians();
            [libm::cos(radians), libm::sin(radians)]
        });
        Outline { places: (0..count as u32).map(place).collect(), radius, width, softness, along }
    }

    /// Area of the shape as it is drawn, cells.
    pub fn drawn_area(&self) -> f64 {
        if self.softness == 0.0 {
            return self.area(self.width);
        }
        let (inner, rim) = self.rim();
        let across = 2.0 * (inner + 8.0 / 15.0 * rim);
        match self.along {
            Some(_) => 2.0 * self.radius * across + bump_area(inner, rim),
            None => 2.0 * std::f64::consts::PI * self.radius * across,
        }
    }

    /// Distance from the middle of the line up to which the coverage is 1, and the width of the rim.
    fn rim(&self) -> (f64, f64) {
        let outer = self.width / 2.0 + 0.5;
        let rim = 1.0 + self.softness * (outer - 1.0);
        (outer - rim, rim)
    }

    /// Area of the shape with another width, cells.
    pub fn area(&self, width: f64) -> f64 {
        let half = width / 2.0;
        if self.along.is_some() {
            return 2.0 * self.radius * width + std::f64::consts::PI * half * half;
        }
        let (outer, inner) = (self.radius + half, (self.radius - half).max(0.0));
        std::f64::consts::PI * (outer * outer - inner * inner)
    }

    /// Bounds of the cells that the shape may touch: the first, and the one after the last.
    pub fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let reach = self.radius + self.width / 2.0 + 1.0;
        let ends = |axis: usize| {
            let values = || self.places.iter().map(|place| place[axis]);
            [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
        };
        let (x, y) = (ends(0), ends(1));
        ([libm::floor(x[0] - reach), libm::floor(y[0] - reach)], [libm::ceil(x[1] + reach), libm::ceil(y[1] + reach)])
    }

    /// Share of the frame's time in which the shape covers a point; the rim counts in part.
    pub fn cover(&self, x: f64, y: f64) -> f64 {
        let sum: f64 = self.places.iter().map(|place| self.cover_at(x - place[0], y - place[1])).sum();
        sum / self.places.len() as f64
    }

    fn cover_at(&self, x: f64, y: f64) -> f64 {
        let distance = match self.along {
            Some([cos, sin]) => {
                let at = (x * cos + y * sin).clamp(-self.radius, self.radius);
                let (dx, dy) = (x - at * cos, y - at * sin);
                libm::sqrt(dx * dx + dy * dy)
            }
            None => (libm::sqrt(x * x + y * y) - self.radius).abs(),
        };
        if self.softness == 0.0 {
            return (self.width / 2.0 + 0.5 - distance).clamp(0.0, 1.0);
        }
        let (inner, rim) = self.rim();
        smooth_rim(distance, inner, rim)
    }
}
