//! A line or a ring on its way: emitters that are no discs.

/// Most places that a shape on its way is drawn at.
const PLACES_MAX: f64 = 64.0;

/// A line, or a ring, of soft rim (one cell wide) on its way, in cells.
pub(super) struct Outline {
    /// Where its middle is, evenly spread over the time.
    places: Vec<[f64; 2]>,
    /// Half the line's length, or the ring's radius.
    radius: f64,
    /// At least a cell.
    width: f64,
    /// Along the line; `None` for a ring.
    along: Option<[f64; 2]>,
}

impl Outline {
    /// The way of a shape from one place to another. `angle`: of the line, in degrees counter-clockwise from the right; none for
    /// a ring. All are finite.
    pub fn new([previous, centre]: [[f64; 2]; 2], radius: f64, width: f64, angle: Option<f64>) -> Outline {
        let (dx, dy) = (centre[0] - previous[0], centre[1] - previous[1]);
        let width = width.max(1.0);
        let count = libm::ceil(2.0 * libm::sqrt(dx * dx + dy * dy) / width).clamp(1.0, PLACES_MAX);
        let place = |k: u32| {
            let part = (f64::from(k) + 0.5) / count;
            [previous[0] + dx * part, previous[1] + dy * part]
        };
        let along = angle.map(|degrees| {
            let radians = (degrees % 360.0).to_radians();
            [libm::cos(radians), libm::sin(radians)]
        });
        Outline { places: (0..count as u32).map(place).collect(), radius, width, along }
    }

    /// The width that is drawn.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Area of the shape, were it of another width.
    pub fn area(&self, width: f64) -> f64 {
        let half = width / 2.0;
        if self.along.is_some() {
            return 2.0 * self.radius * width + std::f64::consts::PI * half * half;
        }
        let (outer, inner) = (self.radius + half, (self.radius - half).max(0.0));
        std::f64::consts::PI * (outer * outer - inner * inner)
    }

    /// Cells that the shape may touch: from the first up to before the second.
    pub fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let reach = self.radius + self.width / 2.0 + 1.0;
        let ends = |axis: usize| {
            let values = || self.places.iter().map(|place| place[axis]);
            [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
        };
        let (x, y) = (ends(0), ends(1));
        ([libm::floor(x[0] - reach), libm::floor(y[0] - reach)], [libm::ceil(x[1] + reach), libm::ceil(y[1] + reach)])
    }

    /// Share of the time in which the shape covers a point, its rim counted by half tones.
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
        (self.width / 2.0 + 0.5 - distance).clamp(0.0, 1.0)
    }
}
