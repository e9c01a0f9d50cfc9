//! Position of pixels in the canonical plane.

/// One axis of a raster: `count` samples of equal size, sample i covering `start + i·size .. start + (i + 1)·size`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Canonical position of the first sample's lower edge.
    pub start: f64,
    /// Canonical size of a sample, above 0.
    pub size: f64,
    /// Number of samples.
    pub count: usize,
}

/// A raster in the canonical plane: its columns and its rows, the lowest row first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Columns.
    pub x: Axis,
    /// Rows.
    pub y: Axis,
}

impl Axis {
    /// Canonical position of the middle of a sample.
    #[inline(always)]
    pub fn middle(&self, at: usize) -> f64 {
        self.start + (at as f64 + 0.5) * self.size
    }

    /// Whether the samples of both axes coincide, within a millionth of a sample.
    fn coincides(&self, other: &Self) -> bool {
        let offset = (other.start - self.start) / self.size;
        (other.size / self.size - 1.0).abs() <= 1e-6 && (offset - offset.round()).abs() <= 1e-6
    }
}

impl Placement {
    /// The rectangle that the samples cover, `[x1, y1, x2, y2]`.
    pub fn frame(&self) -> [f64; 4] {
        let Self { x, y } = self;
        let end = |axis: &Axis| axis.start + axis.size * axis.count as f64;
        [x.start, y.start, end(x), end(y)]
    }

    /// Whether sampling one raster onto the other is a copy.
    pub fn coincides(&self, other: &Self) -> bool {
        self.x.coincides(&other.x) && self.y.coincides(&other.y)
    }

    /// Placement of a host's pixels: `[x1, y1, x2, y2]` at a render scale, with a pixel aspect ratio. A pixel is
    /// `par / scale.0` wide and `1 / scale.1` high. Empty or reversed bounds have no samples.
    pub fn of_pixels(bounds: [i32; 4], scale: [f64; 2], pixel_aspect: f64) -> Self {
        let axis = |low: i32, high: i32, size: f64| Axis {
            start: f64::from(low) * size,
            size,
            count: (i64::from(high) - i64::from(low)).max(0) as usize,
        };
        let [x1, y1, x2, y2] = bounds;
        Self { x: axis(x1, x2, pixel_aspect / scale[0]), y: axis(y1, y2, 1.0 / scale[1]) }
    }
}
