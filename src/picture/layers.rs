//! Painting of the cells of a state as a picture, and the raw layers of the water.

use super::format::Format;
use super::gather::Averaging;
use super::placement::Placement;
use super::resample::Resampling;
use super::straight::{premultiply, unpremultiply};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::bands::bands;
use crate::compute::cpu::wide::{Wide, wide};
use crate::sim::memory::Values;
use crate::sim::water::State;
pub use crate::sim::water::buffers::RawLayer;

/// The target of a picture.
pub struct Canvas<'a> {
    /// Position and size of its pixels.
    pub placement: Placement,
    /// Their format in memory.
    pub format: Format,
    /// Rows of bytes, the lowest first, each with exactly the columns of the placement; without alignment.
    pub rows: Vec<&'a mut [u8]>,
}

impl Canvas<'_> {
    /// Writes pixels, rows from the lowest on.
    pub fn write(self, pixels: &[[f32; 4]]) {
        let Canvas { placement, format, mut rows } = self;
        for (line, bytes) in pixels.chunks(placement.x.count.max(1)).zip(&mut rows) {
            format.encode(line, bytes);
        }
    }
}

/// Paints a layer of a state over a canvas, on the threads of `cpu`. Where cells and pixels coincide, pixels are
/// exactly the values of the cells; elsewhere colour is averaged with the heights as weights, so that dry neighbours do
/// not darken it. Pixels outside the grid are 0.
pub fn paint(cpu: &Cpu, state: &State, layer: RawLayer, grid: &Placement, canvas: Canvas<'_>) {
    let averaging = if layer == RawLayer::Water { Averaging::ByAlpha } else { Averaging::Plain };
    // Of a device-resident state, only the shown layer is downloaded.
    match state.picture(layer) {
        Some(cells) => paint_cells(cpu, &Painted { width: state.grid().width, cells }, averaging, grid, canvas),
        None => {
            // The download ends before painting begins: it may need the threads that paint.
            state.water();
            paint_cells(cpu, &LayerOf { state, layer }, averaging, grid, canvas);
        }
    }
}

/// Source of a layer's cells.
pub trait Cells: Sync {
    /// Writes the cells of grid row `y`, 0 the lowest, from column `from` on; `out` ends on the grid. Mark it
    /// `#[inline(always)]`, as in [`Wide`].
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]);
}

/// A layer of a state in this machine's memory.
struct LayerOf<'a> {
    state: &'a State,
    layer: RawLayer,
}

impl Cells for LayerOf<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        match self.layer {
            RawLayer::Water => self.state.water_cells(y, from, out),
            RawLayer::Height => self.state.height_cells(y, from, out),
            RawLayer::Cross => self.state.cross_cells(y, from, out),
            RawLayer::Diagonal => self.state.diagonal_cells(y, from, out),
        }
    }
}

/// A layer that was downloaded from the device with the state.
struct Painted {
    width: usize,
    cells: Values<[f32; 4]>,
}

impl Cells for Painted {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        if from < self.width
            && let Some(row) = self.cells.chunks_exact(self.width).nth(y)
        {
            let count = out.len().min(self.width - from);
            out[..count].copy_from_slice(&row[from..from + count]);
        }
    }
}

/// A row of cells to be drawn.
pub(super) struct Draw<'a, C> {
    pub cells: &'a C,
    pub y: usize,
    pub from: usize,
    pub out: &'a mut [[f32; 4]],
}

impl<C: Cells> Wide for Draw<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.cells.row(self.y, self.from, self.out);
    }
}

/// Paints cells over a canvas, on the threads of `cpu`. Where cells and pixels coincide, pixels are exactly the values
/// of the cells; elsewhere cells are averaged according to `averaging`. Pixels outside the grid are 0.
pub fn paint_cells<C: Cells>(cpu: &Cpu, cells: &C, averaging: Averaging, grid: &Placement, canvas: Canvas<'_>) {
    paint_finished(cpu, cells, averaging, grid, canvas, |_, _| {});
}

/// [`paint_cells`] with a last operation `finish(y, pixels)` on row `y` of the canvas, 0 the lowest, for values that
/// cannot be averaged, such as positions and unit vectors.
pub fn paint_finished<C: Cells>(
    cpu: &Cpu,
    cells: &C,
    averaging: Averaging,
    grid: &Placement,
    canvas: Canvas<'_>,
    finish: impl Fn(usize, &mut [[f32; 4]]) + Sync,
) {
    let Canvas { placement: target, format, mut rows } = canvas;
    let by_alpha = averaging == Averaging::ByAlpha && !grid.coincides(&target);
    let sampling = Resampling::new(grid, &target);
    let width = target.x.count;
    let mut pieces = Vec::new();
    for band in bands(rows.len(), width).into_iter().rev() {
        let rows = rows.split_off(band.start);
        pieces.push((band, rows));
    }
    cpu.each(pieces, |(band, mut rows)| {
        let mut line = vec![[0.0_f32; 4]; width];
        if let Some((columns, grid_rows)) = sampling.copied()
            && !by_alpha
        {
            for (y, row) in band.zip(rows) {
                let draw = |line: &mut [[f32; 4]]| {
                    match grid_rows.source_of(y) {
                        Some(y) => {
                            line[..columns.to.start].fill([0.0; 4]);
                            line[columns.to.end..].fill([0.0; 4]);
                            wide(Draw { cells, y, from: columns.from, out: &mut line[columns.to.clone()] });
                        }
                        None => line.fill([0.0; 4]),
                    }
                    finish(y, line);
                };
                // Pixels are computed in place where the format of the picture is that of pixels in memory.
                match bytemuck::try_cast_slice_mut(row) {
                    Ok(pixels) if format.is_plain() => draw(pixels),
                    _ => {
                        draw(&mut line);
                        format.encode(&line, row);
                    }
                }
            }
            return;
        }
        let first = band.start;
        let row = |y: usize, out: &mut [[f32; 4]]| {
            wide(Draw { cells, y, from: 0, out: &mut *out });
            if by_alpha {
                out.iter_mut().for_each(|pixel| *pixel = premultiply(*pixel));
            }
        };
        sampling.band(band, row, |y, pixels| {
            if by_alpha {
                line.iter_mut().zip(pixels).for_each(|(out, pixel)| *out = unpremultiply(*pixel));
            } else {
                line.copy_from_slice(pixels);
            }
            finish(y, &mut line);
            format.encode(&line, rows[y - first]);
        });
    });
}

#[cfg(test)]
mod tests {
    use super::super::format::{Components, Depth};
    use super::*;
    use crate::compute::cpu::Isa;
    use crate::picture::testing::{constants, still};
    use crate::sim::grid::Grid;
    use crate::sim::water::inputs::{Inputs, SourcePixels};
    use crate::sim::water::settings::{Channel, Constants, Edges, Model, Settings};
    use crate::sim::water::{Spec, next_frame, start_frame};

    const LAYERS: [RawLayer; 4] = [RawLayer::Water, RawLayer::Height, RawLayer::Cross, RawLayer::Diagonal];
    const WIDTH: usize = 45;
    const HEIGHT: usize = 19;

    /// A few frames of coloured, uneven water over ground.
    fn state(model: Model) -> State {
        let grid = Grid { width: WIDTH, height: HEIGHT, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let constants = Constants { model, ..constants(Edges::Open) };
        let spec = Spec { grid, constants };
        let settings = Settings { substeps: 2, terrain_channel: Channel::Luminance, ..still() };
        let picture = |factor: f32| -> Vec<[f32; 4]> {
            let value = |i: usize| ((i * i * 7919 + i * 31) % 1009) as f32 / 1009.0 * factor;
            (0..WIDTH * HEIGHT).map(|i| [0, 5, 11, 23].map(|k| value(i + k))).collect()
        };
        let source = SourcePixels { pixels: picture(1.0).into(), has_alpha: true, premultiplied: false };
        let inputs = Inputs { source: Some(source), terrain: Some(picture(0.3).into()), ..Inputs::default() };
        let cpu = Cpu::new(1);
        let mut state = start_frame(&spec, &settings, &inputs, &cpu).0;
        for _ in 0..3 {
            state = next_frame(&spec, &state, &settings, &inputs, &cpu, &mut || true).expect("never interrupted").0;
        }
        state
    }

    #[test]
    fn every_vector_unit_draws_the_same() {
        for model in [Model::Pipes, Model::Classic] {
            let state = state(model);
            for layer in LAYERS {
                for (y, from) in [(0, 0), (7, 5), (18, 44)] {
                    let rows = Isa::available().into_iter().map(|isa| {
                        let mut out = vec![[0.0; 4]; WIDTH - from];
                        isa.run(Draw { cells: &LayerOf { state: &state, layer }, y, from, out: &mut out });
                        out.into_iter().map(|pixel| pixel.map(f32::to_bits)).collect::<Vec<_>>()
                    });
                    let rows: Vec<_> = rows.collect();
                    assert!(rows[0].iter().flatten().any(|bits| *bits != 0), "{layer:?} shows something");
                    assert!(rows.iter().all(|row| *row == rows[0]), "{model:?} {layer:?} {y} {from}");
                }
            }
        }
    }

    /// The layer over pixel bounds at a scale, painted in a format with so many threads, from so many bytes past an
    /// aligned address.
    fn painted(
        state: &State,
        layer: RawLayer,
        bounds: [i32; 4],
        scale: f64,
        format: Format,
        at: [usize; 2],
    ) -> Vec<u8> {
        let [threads, offset] = at;
        let grid = Placement::of_pixels([0, 0, WIDTH as i32, HEIGHT as i32], [1.0; 2], 1.0);
        let placement = Placement::of_pixels(bounds, [scale; 2], 1.0);
        let line = placement.x.count * format.bytes();
        let mut memory = vec![[7.0_f32; 4]; (line * placement.y.count).div_ceil(16) + 1];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
        let rows = bytes[offset..offset + line * placement.y.count].chunks_mut(line).collect();
        paint(&Cpu::new(threads), state, layer, &grid, Canvas { placement, format, rows });
        bytes[offset..offset + line * placement.y.count].to_vec()
    }

    #[test]
    fn where_pixels_are_cells_the_picture_is_their_values() {
        let state = state(Model::Pipes);
        for (index, layer) in LAYERS.into_iter().enumerate() {
            for bounds in [[0, 0, 45, 19], [3, 4, 30, 19], [-4, -3, 60, 22], [100, 0, 110, 5]] {
                for depth in [Depth::Float, Depth::Half, Depth::Short] {
                    let format = Format { depth, components: Components::Rgba };
                    let picture = painted(&state, layer, bounds, 1.0, format, [1, 0]);
                    assert_eq!(picture, painted(&state, layer, bounds, 1.0, format, [3, 0]), "of 3 threads");
                    assert_eq!(picture, painted(&state, layer, bounds, 1.0, format, [1, 2]), "not aligned");
                    let rows = [State::water_row, State::height_row, State::cross_row, State::diagonal_row];
                    let mut truth = Vec::new();
                    for y in bounds[1]..bounds[3] {
                        let mut row = [[0.0; 4]; WIDTH];
                        if let Ok(y) = usize::try_from(y) {
                            rows[index](&state, y, &mut row);
                        }
                        let pixel = |x: i32| usize::try_from(x).ok().and_then(|x| row.get(x)).copied();
                        let line: Vec<_> = (bounds[0]..bounds[2]).map(|x| pixel(x).unwrap_or_default()).collect();
                        let mut bytes = vec![0; line.len() * format.bytes()];
                        format.encode(&line, &mut bytes);
                        truth.extend(bytes);
                    }
                    assert!(picture == truth, "{layer:?} {bounds:?} {depth:?}");
                }
            }
        }
    }

    #[test]
    fn a_scaled_picture_does_not_depend_on_the_threads() {
        let state = state(Model::Pipes);
        let format = Format { depth: Depth::Float, components: Components::Rgba };
        for layer in LAYERS {
            // Large enough to be cut into bands.
            for (bounds, scale) in [([0, 0, 1800, 760], 40.0), ([0, 0, 15, 6], 1.0 / 3.0)] {
                let picture = painted(&state, layer, bounds, scale, format, [1, 0]);
                assert!(picture == painted(&state, layer, bounds, scale, format, [3, 2]), "{layer:?} {scale}");
            }
        }
    }
}
