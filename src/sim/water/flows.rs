//! Flows of the layers `cross` and `diagonal` of an image, at the faces and corners of the grid.

use std::sync::Arc;

use crate::sim::inputs::Pixels;
use crate::sim::request;

/// Flows through the faces and corners of a grid per frame, in height; the two directions are separate.
#[derive(Clone, Debug)]
pub struct FlowLayers {
    size: [usize; 2],
    /// Faces between columns, width + 1 per row, row 0 lowest. R: to the right. G: to the left.
    pub beside: Pixels,
    /// Faces between rows, height + 1 rows. R: up. G: down.
    pub above: Pixels,
    /// Corners, width + 1 by height + 1. R: to the upper right. G: to the lower left. B: to the upper left. A: to the
    /// lower right.
    pub corners: Pixels,
}

/// A layer of an image, one value per cell.
type Layer<'a> = Option<&'a [[f32; 4]]>;

impl FlowLayers {
    /// Flows from layers of `size` cells: `cross` holds the outflows to the left, up, right, down, `diagonal` those to
    /// the upper left, upper right, lower right, lower left. Negative values and those that are no finite number count
    /// as 0. `wraps`: opposite edges join; otherwise nothing flows in through the border.
    pub fn of_layers(size: [usize; 2], cross: Layer<'_>, diagonal: Layer<'_>, wraps: bool) -> FlowLayers {
        let [width, height] = size;
        // Cells count from 1, so that a cell beyond the border has an index, too.
        let inside = |at: usize, count: usize| match at.checked_sub(1) {
            Some(at) if at < count => Some(at),
            _ if wraps => Some((at + count - 1) % count),
            _ => None,
        };
        let leaving = |layer: Layer<'_>, x: usize, y: usize, channel: usize| {
            let at = inside(x, width).zip(inside(y, height)).map(|(x, y)| y * width + x);
            let value = layer.zip(at).and_then(|(layer, at)| layer.get(at)).map_or(0.0, |pixel| pixel[channel]);
            if value.is_finite() { value.max(0.0) } else { 0.0 }
        };
        let lattice = |columns: usize, rows: usize, pixel: &dyn Fn(usize, usize) -> [f32; 4]| -> Pixels {
            Arc::new(request::collected((0..columns * rows).map(|at| pixel(at % columns, at / columns))))
        };
        FlowLayers {
            size,
            beside: lattice(width + 1, height, &|x, y| {
                [leaving(cross, x, y + 1, 2), leaving(cross, x + 1, y + 1, 0), 0.0, 0.0]
            }),
            above: lattice(width, height + 1, &|x, y| {
                [leaving(cross, x + 1, y, 1), leaving(cross, x + 1, y + 1, 3), 0.0, 0.0]
            }),
            corners: lattice(width + 1, height + 1, &|x, y| {
                [
                    leaving(diagonal, x, y, 1),
                    leaving(diagonal, x + 1, y + 1, 3),
                    leaving(diagonal, x + 1, y, 0),
                    leaving(diagonal, x, y + 1, 2),
                ]
            }),
        }
    }

    /// The same flows on another grid over the same place. `sample` resamples values onto that grid; its last argument
    /// says along which axes they lie between cells.
    ///
    /// At the same velocity water crosses more cells of a finer grid: heights stay, and flows scale with the number of
    /// cells along their direction.
    pub fn on_grid(&self, size: [usize; 2], sample: impl Fn(&[[f32; 4]], [bool; 2]) -> Vec<[f32; 4]>) -> FlowLayers {
        let ratio = [0, 1].map(|axis| size[axis] as f32 / self.size[axis] as f32);
        let drawn = |pixels: &Pixels, between: [bool; 2], factor: f32| -> Pixels {
            let mut drawn = sample(pixels, between);
            drawn.iter_mut().flatten().for_each(|flow| *flow *= factor);
            Arc::new(drawn)
        };
        FlowLayers {
            size,
            beside: drawn(&self.beside, [true, false], ratio[0]),
            above: drawn(&self.above, [false, true], ratio[1]),
            corners: drawn(&self.corners, [true, true], (ratio[0] + ratio[1]) * 0.5),
        }
    }

    /// Number of columns and rows of cells.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Flow along a pipe (E, N, NE, NW) of a cell, counted with the ring of cells around the grid: out of the cell, and
    /// back.
    pub(super) fn along(&self, pipe: usize, x: usize, y: usize) -> [f64; 2] {
        let width = self.size[0];
        let at = |pixels: &Pixels, stride: usize, x: Option<usize>, y: Option<usize>| {
            let place = x.filter(|x| *x < stride).zip(y).and_then(|(x, y)| pixels.get(y * stride + x));
            place.copied().unwrap_or_default().map(f64::from)
        };
        let (left, below) = (x.checked_sub(1), y.checked_sub(1));
        let [a, b, c, d] = match pipe {
            0 => at(&self.beside, width + 1, Some(x), below),
            1 => at(&self.above, width, left, Some(y)),
            2 => at(&self.corners, width + 1, Some(x), Some(y)),
            _ => at(&self.corners, width + 1, left, Some(y)),
        };
        if pipe == 3 { [c, d] } else { [a, b] }
    }

    /// Flow through the face to the right (0) of a ring cell, or above it (1), with half of the diagonal flows past
    /// each end of the face: the whole transport in this direction, for models without diagonal pipes.
    pub(super) fn through(&self, face: usize, x: usize, y: usize) -> f64 {
        let net = |pipe: usize, x: usize, y: usize| {
            let [ahead, back] = self.along(pipe, x, y);
            ahead - back
        };
        let past = if face == 0 {
            // The corners below and above the face.
            net(2, x, y) + net(2, x, y.saturating_sub(1)) - net(3, x + 1, y) - net(3, x + 1, y.saturating_sub(1))
        } else {
            // The corners to the right and left of the face.
            net(2, x, y) + net(2, x.saturating_sub(1), y) + net(3, x + 1, y) + net(3, x, y)
        };
        net(face, x, y) + past * 0.5
    }
}
