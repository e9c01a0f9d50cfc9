//! Rectangles in pixels and in canonical coordinates, half open: `x1 <= x < x2`.

/// A rectangle of whole pixels at some render scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RectI {
    /// Left, included.
    pub x1: i32,
    /// Bottom, included.
    pub y1: i32,
    /// Right, excluded.
    pub x2: i32,
    /// Top, excluded.
    pub y2: i32,
}

/// A rectangle in canonical coordinates: square pixels at full resolution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RectD {
    /// Left.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
    /// Right.
    pub x2: f64,
    /// Top.
    pub y2: f64,
}

impl RectI {
    /// A rectangle from the lower left corner, inclusive, to the upper right one, exclusive.
    #[must_use]
    pub const fn new(x1: i32, y1: i32, x2: i32, y2: i32) -> Self {
        Self { x1, y1, x2, y2 }
    }

    /// Number of columns; 0 for an empty rectangle.
    #[must_use]
    pub fn width(&self) -> usize {
        usize::try_from(i64::from(self.x2) - i64::from(self.x1)).unwrap_or(0)
    }

    /// Number of rows; 0 for an empty rectangle.
    #[must_use]
    pub fn height(&self) -> usize {
        usize::try_from(i64::from(self.y2) - i64::from(self.y1)).unwrap_or(0)
    }

    /// Whether the rectangle has no pixel.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// Whether the pixel is inside.
    #[must_use]
    pub fn contains(&self, x: i32, y: i32) -> bool {
        x >= self.x1 && x < self.x2 && y >= self.y1 && y < self.y2
    }

    /// The intersection; two rectangles that do not overlap give one with equal corners.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let x1 = self.x1.max(other.x1);
        let y1 = self.y1.max(other.y1);
        Self { x1, y1, x2: self.x2.min(other.x2).max(x1), y2: self.y2.min(other.y2).max(y1) }
    }

    /// Conversion to canonical coordinates, from pixels at `scale` with pixel aspect `par`.
    #[must_use]
    pub fn canonical(&self, scale: (f64, f64), par: f64) -> RectD {
        RectD {
            x1: f64::from(self.x1) * par / scale.0,
            y1: f64::from(self.y1) / scale.1,
            x2: f64::from(self.x2) * par / scale.0,
            y2: f64::from(self.y2) / scale.1,
        }
    }

    pub(crate) fn to_array(self) -> [i32; 4] {
        [self.x1, self.y1, self.x2, self.y2]
    }
}

impl RectD {
    /// A rectangle from the lower left corner to the upper right one.
    #[must_use]
    pub const fn new(x1: f64, y1: f64, x2: f64, y2: f64) -> Self {
        Self { x1, y1, x2, y2 }
    }

    /// Whether the rectangle has no area.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(self.x2 > self.x1 && self.y2 > self.y1)
    }

    /// The smallest rectangle of pixels at `scale` that covers this one. An overhang of
    /// a thousandth of a pixel, due to rounding, does not add a row or a column.
    #[must_use]
    pub fn pixels(&self, scale: (f64, f64), par: f64) -> RectI {
        const HAIR: f64 = 1e-3;
        RectI {
            x1: (self.x1 * scale.0 / par + HAIR).floor() as i32,
            y1: (self.y1 * scale.1 + HAIR).floor() as i32,
            x2: (self.x2 * scale.0 / par - HAIR).ceil() as i32,
            y2: (self.y2 * scale.1 - HAIR).ceil() as i32,
        }
    }

    /// The same rectangle with every unbounded edge (beyond ±1e9, or not a number) replaced by that of `limits`.
    #[must_use]
    pub fn bounded_by(&self, limits: &Self) -> Self {
        let pick = |value: f64, limit: f64| if value.abs() < 1e9 { value } else { limit };
        Self {
            x1: pick(self.x1, limits.x1),
            y1: pick(self.y1, limits.y1),
            x2: pick(self.x2, limits.x2),
            y2: pick(self.y2, limits.y2),
        }
    }

    /// The smallest rectangle that covers both; an empty one adds no area.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        Self {
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
            x2: self.x2.max(other.x2),
            y2: self.y2.max(other.y2),
        }
    }

    pub(crate) fn to_array(self) -> [f64; 4] {
        [self.x1, self.y1, self.x2, self.y2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixel_and_canonical_rectangles_convert_back() {
        let rect = RectI::new(-3, 2, 17, 9);
        assert_eq!(rect.canonical((0.5, 0.5), 2.0), RectD::new(-12.0, 4.0, 68.0, 18.0));
        assert_eq!(rect.canonical((0.5, 0.5), 2.0).pixels((0.5, 0.5), 2.0), rect);
        assert_eq!(RectD::new(0.0, 0.0, 5.0, 5.0).pixels((0.5, 0.5), 1.0), RectI::new(0, 0, 3, 3));
    }

    #[test]
    fn disjoint_rectangles_have_an_empty_intersection() {
        let shared = RectI::new(0, 0, 4, 4).intersect(&RectI::new(9, 9, 12, 12));
        assert!(shared.is_empty());
        assert_eq!((shared.width(), shared.height()), (0, 0));
    }

    #[test]
    fn an_unbounded_region_is_clamped_to_the_limits() {
        let frame = RectD::new(0.0, 0.0, 10.0, 10.0);
        let open = RectD::new(-2_147_483_648.0, f64::NEG_INFINITY, f64::INFINITY, 5.0);
        assert_eq!(open.bounded_by(&frame), RectD::new(0.0, 0.0, 10.0, 5.0));
    }
}
