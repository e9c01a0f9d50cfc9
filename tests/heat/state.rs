//! The temperatures of a frame: their memory, file and slices.

use flow_cache::{Blob, BlobRows, Header, Layer};
use flow_ofx::nodes::common::node::Simulation as _;
use flow_ofx::picture::Cells;
use flow_ofx::sim::grid::Grid;
use flow_ofx::timeline::CachedValue;
use flow_ofx::timeline::disk::Stored;

/// Name of the model in files.
pub const MODEL: &str = "org.flowofx.Heat";

/// The state of a frame.
#[derive(Debug)]
pub struct State {
    pub raster: Grid,
    /// Cells along the depth.
    pub depth: usize,
    /// Temperatures: x innermost, then y, then z.
    pub cells: Vec<f32>,
}

impl State {
    fn row(&self, y: usize, z: usize) -> &[f32] {
        let Grid { width, height, .. } = self.raster;
        &self.cells[(z * height + y) * width..][..width]
    }

    /// The state of a file, whose blob has a border of one cell.
    ///
    /// # Errors
    /// The file has no temperatures.
    pub fn restore(raster: Grid, depth: usize, blobs: Vec<Blob>) -> Result<Self, String> {
        let (_, values) = blobs.into_iter().next().ok_or("it has no temperatures")?.into_floats()?;
        let Grid { width, height, .. } = raster;
        let rows = values.chunks_exact(width + 2).skip(height + 2);
        let inner = rows.enumerate().filter(|(row, _)| (1..=height).contains(&(row % (height + 2))));
        let cells: Vec<f32> = inner.take(height * depth).flat_map(|(_, row)| &row[1..=width]).copied().collect();
        Ok(Self { raster, depth, cells })
    }
}

impl CachedValue for State {
    fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
    }
}

impl Stored for State {
    fn header(&self) -> Header {
        let Grid { width, height, origin: [x, y], cells_per_pixel } = self.raster;
        Header {
            model: MODEL.to_owned(),
            version: crate::Conduction::VERSION,
            shape: vec![width, height, self.depth],
            origin: vec![x, y, 0.0],
            cells_per_pixel,
            ..Header::default()
        }
    }

    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>])) {
        let height = self.raster.height;
        let temperatures = BlobRows::floats("temperature", move |row, out| {
            let (y, z) = (row % (height + 2), row / (height + 2));
            if (1..=height).contains(&y) && (1..=self.depth).contains(&z) {
                out[1..=self.raster.width].copy_from_slice(self.row(y - 1, z - 1));
            }
        });
        let slice = Slice { state: self, z: self.depth / 2 };
        let names = ["R", "G", "B", "A"].map(str::to_owned).to_vec();
        to(&[temperatures], &[Layer { names, row: Box::new(move |y, out| slice.row(y, 0, out)) }]);
    }
}

/// A slice as grey pixels.
pub struct Slice<'a> {
    pub state: &'a State,
    /// Its place along the depth.
    pub z: usize,
}

impl Cells for Slice<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        for (pixel, &value) in out.iter_mut().zip(&self.state.row(y, self.z)[from..]) {
            *pixel = [value, value, value, 1.0];
        }
    }
}
