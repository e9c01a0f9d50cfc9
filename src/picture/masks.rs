//! Pictures that hide sprites and volumes: a holdout, and the depth of a scene.

use crate::picture::maths::up_to;
use crate::picture::{Axis, Placement};

/// A picture with one value per cell.
type Cells<'a> = &'a [[f32; 4]];

/// The pictures of a scene, sampled onto a grid.
#[derive(Clone, Copy, Default)]
pub struct Scene<'a> {
    /// Distance of the scene from the camera in red, pixels; 0 where there is none.
    pub depth: Option<Cells<'a>>,
    /// Its alpha is the share that it hides, at every distance.
    pub holdout: Option<Cells<'a>>,
}

/// The pictures of a scene, by pixels of a canvas.
pub struct Masks<'a> {
    scene: Scene<'a>,
    width: usize,
    grid: Placement,
    /// Cell under the middle of each column and row; `None` outside.
    columns: Vec<Option<usize>>,
    rows: Vec<Option<usize>>,
}

impl<'a> Masks<'a> {
    /// A scene on the cells of `grid`, for the pixels of `canvas`.
    pub fn new(scene: Scene<'a>, grid: &Placement, canvas: &Placement) -> Self {
        let cells = |grid: &Axis, canvas: &Axis| {
            let cell = |pixel: usize| {
                let cell = libm::floor((canvas.middle(pixel) - grid.start) / grid.size);
                (cell >= 0.0 && cell < grid.count as f64).then_some(cell as usize)
            };
            (0..canvas.count).map(cell).collect()
        };
        let (columns, rows) = (cells(&grid.x, &canvas.x), cells(&grid.y, &canvas.y));
        Self { scene, width: grid.x.count, grid: *grid, columns, rows }
    }

    fn at(&self, cells: Cells<'a>, x: usize, y: usize) -> Option<[f32; 4]> {
        let (column, row) = ((*self.columns.get(x)?)?, (*self.rows.get(y)?)?);
        cells.get(row * self.width + column).copied()
    }

    /// Whether the scene has a depth.
    pub fn has_depth(&self) -> bool {
        self.scene.depth.is_some()
    }

    /// Distance of the scene behind a pixel, infinite where there is none.
    pub fn distance(&self, x: usize, y: usize) -> f32 {
        let depth = self.scene.depth.and_then(|cells| self.at(cells, x, y)).map_or(0.0, |pixel| pixel[0]);
        if depth > 0.0 { depth } else { f32::INFINITY }
    }

    /// The middle of a cell that lies so many cells from that of a pixel, canonical pixels, and the distance of the scene
    /// there; `None` where there is none.
    pub fn near(&self, [x, y]: [usize; 2], [across, up]: [isize; 2]) -> Option<([f64; 2], f64)> {
        let column = (*self.columns.get(x)?)?.checked_add_signed(across).filter(|column| *column < self.width)?;
        let row = (*self.rows.get(y)?)?.checked_add_signed(up)?;
        let depth = self.scene.depth?.get(row * self.width + column)?[0];
        let place = [self.grid.x.middle(column), self.grid.y.middle(row)];
        (depth > 0.0 && depth.is_finite()).then_some((place, f64::from(depth)))
    }

    /// Share of a pixel that the holdout hides, 0 to 1.
    pub fn hidden(&self, x: usize, y: usize) -> f32 {
        self.scene.holdout.and_then(|cells| self.at(cells, x, y)).map_or(0.0, |pixel| up_to(pixel[3], 1.0))
    }

    /// Multiplies a line of premultiplied pixels, which starts at a pixel, by the share that the holdout leaves.
    pub fn hold_out(&self, [left, y]: [usize; 2], line: &mut [[f32; 4]]) {
        if self.scene.holdout.is_none() {
            return;
        }
        for (x, pixel) in line.iter_mut().enumerate() {
            let hidden = self.hidden(left + x, y);
            *pixel = pixel.map(|value| value * (1.0 - hidden));
        }
    }
}
