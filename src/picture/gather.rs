//! Sampling of an image of the host onto the grid.

use std::ops::Range;

use super::format::Format;
use super::placement::Placement;
use super::resample::Resampling;
use super::straight::{premultiply, unpremultiply};

/// Weights of a picture's RGB in an average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Averaging {
    /// Each channel is averaged separately: premultiplied colour, heights, forces.
    Plain,
    /// RGB is weighted by alpha: straight colour. An image that is copied without resampling is unchanged.
    ByAlpha,
}

/// Format and averaging of an image that is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Format of its rows.
    pub format: Format,
    /// The average of the pixels of a cell, where there are several.
    pub averaging: Averaging,
    /// Alpha is the luminance, for a matte without alpha.
    pub alpha_of_luminance: bool,
}

/// An image sampled onto the grid, row 0 lowest; cells outside the image are 0. Bands of rows can be sampled on several
/// threads at once.
pub struct Gather<R> {
    reading: Reading,
    sampling: Resampling,
    /// Whether RGB is weighted by alpha.
    by_alpha: bool,
    row: R,
}

impl<'i, R: Fn(usize) -> Option<&'i [u8]> + Sync> Gather<R> {
    /// Sampling of an image over `image`, onto the cells of `grid`. `row` gives the image's rows by their number, the
    /// lowest first.
    pub fn new(image: &Placement, grid: &Placement, reading: Reading, row: R) -> Self {
        let by_alpha = reading.averaging == Averaging::ByAlpha && !image.coincides(grid);
        Self { reading, sampling: Resampling::new(image, grid), by_alpha, row }
    }

    /// Samples rows of the grid into `cells`, whose length is that of these rows.
    pub fn fill(&self, rows: Range<usize>, cells: &mut [[f32; 4]]) {
        let (first, width) = (rows.start, self.sampling.width());
        let at = |y: usize| (y - first) * width..(y - first + 1) * width;
        if let Some((columns, source_rows)) = self.sampling.copied()
            && !self.by_alpha
        {
            for y in rows {
                let cells = &mut cells[at(y)];
                match source_rows.source_of(y).and_then(&self.row) {
                    Some(row) => {
                        cells[..columns.to.start].fill([0.0; 4]);
                        cells[columns.to.end..].fill([0.0; 4]);
                        let row = &row[columns.from * self.reading.format.bytes()..];
                        self.reading.format.decode(row, &mut cells[columns.to.clone()]);
                    }
                    None => cells.fill([0.0; 4]),
                }
                self.finish(cells);
            }
            return;
        }
        let read = |y: usize, out: &mut [[f32; 4]]| {
            if let Some(row) = (self.row)(y) {
                self.reading.format.decode(row, out);
            }
            if self.by_alpha {
                out.iter_mut().for_each(|pixel| *pixel = premultiply(*pixel));
            }
        };
        self.sampling.band(rows, read, |y, pixels| {
            let cells = &mut cells[at(y)];
            cells.copy_from_slice(pixels);
            if self.by_alpha {
                cells.iter_mut().for_each(|pixel| *pixel = unpremultiply(*pixel));
            }
            self.finish(cells);
        });
    }

    fn finish(&self, cells: &mut [[f32; 4]]) {
        if self.reading.alpha_of_luminance {
            for [r, g, b, a] in cells {
                *a = 0.2126 * *r + 0.7152 * *g + 0.0722 * *b;
            }
        }
    }

    /// Passes rows of the grid to `sink` in rising order, in pieces of any length, without storing the picture. The
    /// rows of an image that needs no conversion are slices of the image.
    pub fn visit(&self, rows: Range<usize>, mut sink: impl FnMut(&[u8])) {
        let width = self.sampling.width();
        let as_it_is = self.reading.format.is_plain() && !self.reading.alpha_of_luminance && !self.by_alpha;
        if let Some((columns, source_rows)) = self.sampling.copied()
            && as_it_is
            && columns.to == (0..width)
        {
            const PIXEL: usize = size_of::<[f32; 4]>();
            let nothing = vec![0; width * PIXEL];
            for y in rows {
                let row = source_rows.source_of(y).and_then(&self.row);
                sink(row.map_or(&nothing, |row| &row[columns.from * PIXEL..(columns.from + width) * PIXEL]));
            }
            return;
        }
        let mut cells = vec![[0.0; 4]; rows.len() * width];
        self.fill(rows, &mut cells);
        sink(bytemuck::cast_slice(&cells));
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{Components, Depth};
    use super::*;

    fn reading(depth: Depth, averaging: Averaging) -> Reading {
        Reading { format: Format { depth, components: Components::Rgba }, averaging, alpha_of_luminance: false }
    }

    #[test]
    fn straight_colour_does_not_darken_where_alpha_ends() {
        let image = Placement::of_pixels([0, 0, 2, 1], [1.0; 2], 1.0);
        let grid = Placement::of_pixels([0, 0, 1, 1], [0.5, 1.0], 1.0);
        let pixels: [[f32; 4]; 2] = [[0.8, 0.4, 0.2, 1.0], [0.0, 0.0, 0.0, 0.0]];
        let gather = |averaging| {
            let row = |_: usize| Some(bytemuck::cast_slice(&pixels));
            let mut cells = [[9.0; 4]];
            Gather::new(&image, &grid, reading(Depth::Float, averaging), row).fill(0..1, &mut cells);
            cells
        };
        assert_eq!(gather(Averaging::ByAlpha), [[0.8, 0.4, 0.2, 0.5]]);
        assert_eq!(gather(Averaging::Plain), [[0.4, 0.2, 0.1, 0.5]]);
    }

    #[test]
    fn what_is_visited_is_what_is_filled() {
        let (width, height) = (7, 5);
        let values: Vec<f32> = (0..width * height * 4).map(|i| (i * 31 % 64) as f32 / 64.0).collect();
        for depth in [Depth::Float, Depth::Half, Depth::Byte] {
            let format = Format { depth, components: Components::Rgba };
            let mut bytes = vec![0; width * height * format.bytes()];
            format.encode(values.as_chunks().0, &mut bytes);
            let row = |y: usize| bytes.chunks(width * format.bytes()).nth(y);
            let image = Placement::of_pixels([0, 0, width as i32, height as i32], [1.0; 2], 1.0);
            // All pixels of the image, some of them, more than it has, shifted ones, and ones of another size.
            for (bounds, scale) in [
                ([0, 0, 7, 5], 1.0),
                ([1, 2, 4, 5], 1.0),
                ([0, -2, 7, 9], 1.0),
                ([-3, 0, 9, 6], 1.0),
                ([0, 0, 3, 3], 0.5),
            ] {
                let grid = Placement::of_pixels(bounds, [scale; 2], 1.0);
                for alpha_of_luminance in [false, true] {
                    let reading = Reading { alpha_of_luminance, ..reading(depth, Averaging::Plain) };
                    let gather = Gather::new(&image, &grid, reading, row);
                    let rows = 0..grid.y.count;
                    let mut cells = vec![[9.0; 4]; grid.x.count * grid.y.count];
                    gather.fill(rows.clone(), &mut cells);
                    let mut seen = Vec::new();
                    gather.visit(rows, |bytes| seen.extend_from_slice(bytes));
                    assert_eq!(seen, bytemuck::cast_slice::<_, u8>(&cells), "{depth:?} {bounds:?}");
                    if scale == 1.0 && !alpha_of_luminance {
                        for (i, cell) in cells.iter().enumerate() {
                            let (x, y) = (bounds[0] + (i % grid.x.count) as i32, bounds[1] + (i / grid.x.count) as i32);
                            let inside = (0..7).contains(&x) && (0..5).contains(&y);
                            let mut truth = [[0.0; 4]];
                            if inside {
                                let at = (y * 7 + x) as usize * format.bytes();
                                format.decode(&bytes[at..], &mut truth);
                            }
                            assert_eq!([*cell], truth, "{depth:?} {bounds:?} {x} {y}");
                        }
                    }
                }
            }
        }
    }
}
