//! The memory layout of an image, checked once.

use super::{Components, Depth, geometry::RectI};

/// The most pixels on a side of an image: more than any host has, and few enough for a list of rows to fit into memory.
const MOST_SIDE: usize = 1 << 20;

/// Bounds, format and stride of an image, consistent with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) bounds: RectI,
    pub(super) components: Components,
    pub(super) depth: Depth,
    /// Bytes from the start of a row to the start of the row above; negative if the top row is stored first.
    stride: isize,
}

impl Layout {
    /// The layout of an image that a host describes, with disjoint rows and offsets that fit `isize`.
    ///
    /// # Errors
    ///
    /// The contradiction in the description, for a message.
    pub(super) fn check(bounds: RectI, components: Components, depth: Depth, row_bytes: i32) -> Result<Self, String> {
        // The smallest integer has no opposite: the result of a host's faulty arithmetic, never a stride.
        let stride = isize::try_from(row_bytes).ok().filter(|_| row_bytes != i32::MIN);
        let stride = stride.ok_or_else(|| format!("rows of {row_bytes} bytes"))?;
        let [width, height] = [bounds.width(), bounds.height()];
        if !bounds.is_empty() && width.max(height) > MOST_SIDE {
            return Err(format!("{width} x {height} pixels, where {MOST_SIDE} is the most on a side"));
        }
        let layout = Self { bounds, components, depth, stride };
        let needed = bounds.width().checked_mul(layout.pixel_bytes());
        if !bounds.is_empty() && needed.is_none_or(|needed| stride.unsigned_abs() < needed) {
            return Err(format!(
                "rows of {row_bytes} bytes, which cannot hold {} pixels of {} samples of {} bytes",
                bounds.width(),
                components.count(),
                depth.bytes(),
            ));
        }
        let span = stride.unsigned_abs().checked_mul(bounds.height());
        if span.is_none_or(|span| isize::try_from(span).is_err()) {
            return Err(format!("{} rows of {row_bytes} bytes, more than fits into memory", bounds.height()));
        }
        Ok(layout)
    }

    /// Bytes per pixel.
    pub(super) const fn pixel_bytes(&self) -> usize {
        self.components.count() * self.depth.bytes()
    }

    /// Bytes per row, without padding.
    pub(super) fn row_bytes(&self) -> usize {
        self.bounds.width() * self.pixel_bytes()
    }

    /// The offset in bytes from the lower left pixel to the start of row `y`; `None` outside the bounds.
    pub(super) fn offset(&self, y: i32) -> Option<isize> {
        if self.bounds.is_empty() || y < self.bounds.y1 || y >= self.bounds.y2 {
            return None;
        }
        let row = isize::try_from(i64::from(y) - i64::from(self.bounds.y1)).ok()?;
        Some(row * self.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x1: i32, y1: i32, x2: i32, y2: i32) -> RectI {
        RectI { x1, y1, x2, y2 }
    }

    #[test]
    fn negative_and_padded_strides_step_whole_rows() {
        let bounds = rect(-3, 7, 2, 10);
        let down = Layout::check(bounds, Components::Rgba, Depth::Float, -96).unwrap();
        assert_eq!(down.row_bytes(), 80);
        assert_eq!([7, 8, 9].map(|y| down.offset(y)), [Some(0), Some(-96), Some(-192)]);
        assert_eq!([6, 10].map(|y| down.offset(y)), [None, None]);
    }

    #[test]
    fn short_rows_are_refused_with_the_numbers() {
        // The ASWF demo host describes float and passes 8-bit rows.
        let bounds = rect(0, 0, 720, 576);
        let error = Layout::check(bounds, Components::Rgba, Depth::Float, 720 * 4).unwrap_err();
        assert!(error.contains("2880") && error.contains("720"), "{error}");
        assert!(Layout::check(bounds, Components::Rgba, Depth::Float, -720 * 16 + 1).is_err());
        assert!(Layout::check(bounds, Components::Rgba, Depth::Float, -720 * 16).is_ok());
    }

    #[test]
    fn extreme_numbers_do_not_overflow() {
        let huge = rect(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
        assert!(Layout::check(huge, Components::Rgba, Depth::Float, i32::MIN).is_err());
        for bounds in [rect(0, 0, 96, 64), rect(0, 0, 1, 1)] {
            let error = Layout::check(bounds, Components::Rgba, Depth::Float, i32::MIN).unwrap_err();
            assert!(error.contains("-2147483648 bytes"), "{error}");
        }
        let rows = Layout::check(rect(0, i32::MIN, 96, 0), Components::Rgba, Depth::Float, 96 * 16).unwrap_err();
        assert!(rows.contains("96 x 2147483648 pixels"), "{rows}");
        let inverted = Layout::check(rect(5, 5, -5, -5), Components::Alpha, Depth::Byte, 0).unwrap();
        assert_eq!(inverted.offset(0), None);
        assert_eq!(inverted.row_bytes(), 0);
    }
}
