//! Rectangles and ranges of OpenFX: lower bounds inclusive, upper bounds exclusive, y upwards.

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RectI {
    /// Left, inclusive.
    pub x1: i32,
    /// Bottom, inclusive.
    pub y1: i32,
    /// Right, exclusive.
    pub x2: i32,
    /// Top, exclusive.
    pub y2: i32,
}

impl RectI {
    /// The width in pixels, 0 for an inverted rectangle.
    #[must_use]
    pub fn width(&self) -> usize {
        usize::try_from(i64::from(self.x2) - i64::from(self.x1)).unwrap_or(0)
    }

    /// The height in pixels, 0 for an inverted rectangle.
    #[must_use]
    pub fn height(&self) -> usize {
        usize::try_from(i64::from(self.y2) - i64::from(self.y1)).unwrap_or(0)
    }

    /// Whether the rectangle has no pixel.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// The pixels of both rectangles, possibly none.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self {
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
            x2: self.x2.min(other.x2),
            y2: self.y2.min(other.y2),
        }
    }
}

/// A rectangle in canonical coordinates, or in those that the use names.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RectD {
    /// Left, inclusive.
    pub x1: f64,
    /// Bottom, inclusive.
    pub y1: f64,
    /// Right, exclusive.
    pub x2: f64,
    /// Top, exclusive.
    pub y2: f64,
}

impl RectD {
    /// The width, negative for an inverted rectangle.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.x2 - self.x1
    }

    /// The height, negative for an inverted rectangle.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.y2 - self.y1
    }

    /// Whether the rectangle has no area, or an edge that is not a number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(self.width() > 0.0 && self.height() > 0.0)
    }

    /// Whether the rectangle is bounded: OpenFX hosts express infinity with huge values.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        /// The smallest value for infinity: hosts use `DBL_MAX`, `FLT_MAX`, or the largest int.
        const HUGE: f64 = i32::MAX as f64;
        [self.x1, self.y1, self.x2, self.y2].iter().all(|edge| edge.abs() < HUGE)
    }
}

/// A range of times in frames, both ends inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RangeD {
    /// First frame.
    pub min: f64,
    /// Last frame.
    pub max: f64,
}
