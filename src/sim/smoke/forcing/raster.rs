//! The grid of a frame as a raster: its units, its mask and its solids.

use crate::sim::fluid::Staggering;
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;
use crate::sim::smoke::Workers;
use crate::sim::smoke::inputs::Pixels;
use crate::sim::smoke::settings::{Boundary, Spec};
use crate::sim::smoke::time_step::FRAME_TIME_MAX;

/// Bound of positions, cells.
pub const POSITION_MAX: f64 = 1e9;

/// Bound of amounts other than speeds.
pub(super) const AMOUNT_MAX: f64 = 1e9;

/// Bound of speeds, full-resolution pixels per frame.
pub(super) const SPEED_MAX: f64 = 1e6;

/// The faces normal to x and to y.
pub(super) const FACES: [Staggering; 2] = [Staggering::Face(0), Staggering::Face(1)];

/// The grid of a frame, on which forcing is rasterised.
pub(super) struct Raster<'a> {
    /// Columns of cells.
    pub width: usize,
    /// Rows of cells.
    pub height: usize,
    /// Canonical position of the lower left corner.
    pub origin: [f64; 2],
    /// Cells per full-resolution pixel, clamped to 2^−20 … 2^20.
    pub scale: f64,
    /// Simulated frames per frame of the shot.
    frame_time: f64,
    /// Simulated frames of this step: fewer in a fraction of a frame.
    pub time: f64,
    /// Whether each axis wraps.
    pub wrap: [bool; 2],
    /// The mask: its alpha scales all inflow.
    pub mask: Option<&'a Pixels>,
    /// Solid cells, which take no inflow.
    pub solid: Option<&'a [bool]>,
    /// Threads.
    pub workers: &'a dyn Workers,
}

impl<'a> Raster<'a> {
    /// The raster of a frame on `grid`; `[frame_time, time]` are the simulated frames per frame, and those of this
    /// step.
    pub fn new(
        spec: &Spec,
        grid: &Grid,
        [frame_time, time]: [f64; 2],
        mask: Option<&'a Pixels>,
        workers: &'a dyn Workers,
    ) -> Raster<'a> {
        let edges = spec.constants.edges;
        Raster {
            width: grid.width,
            height: grid.height,
            origin: grid.origin.map(|o| if o.is_finite() { o } else { 0.0 }),
            scale: clamp(grid.cells_per_pixel, 1.0 / 1048576.0, 1048576.0),
            frame_time: clamp(frame_time, 0.0, FRAME_TIME_MAX),
            time: clamp(time, 0.0, FRAME_TIME_MAX),
            wrap: [
                edges[0] == Boundary::Wrap && edges[1] == Boundary::Wrap,
                edges[2] == Boundary::Wrap && edges[3] == Boundary::Wrap,
            ],
            mask,
            solid: None,
            workers,
        }
    }

    /// Converts a canonical position to cells from the lower left corner; `None` if it is not finite.
    pub fn position(&self, at: [f64; 2]) -> Option<[f64; 2]> {
        let place = [0, 1].map(|i| ((at[i] - self.origin[i]) * self.scale).clamp(-POSITION_MAX, POSITION_MAX));
        at.iter().all(|v| v.is_finite()).then_some(place)
    }

    /// Converts a radius to cells; `None` if it is not positive.
    pub fn radius(&self, pixels: f64) -> Option<f64> {
        let radius = (clamp(pixels, 0.0, AMOUNT_MAX) * self.scale).min(POSITION_MAX);
        (radius > 0.0).then_some(radius)
    }

    /// Largest displacement of solids that is searched from frame to frame, cells.
    pub fn search_radius(&self) -> f64 {
        (self.width.min(self.height) as f64 / 16.0).clamp(8.0, 64.0)
    }

    /// Velocity per simulated frame of a displacement over this step; 0 in a step of no time.
    pub fn velocity(&self, displacement: f64) -> f64 {
        if self.time > 0.0 { displacement / self.time } else { 0.0 }
    }

    /// Velocity per simulated frame of a velocity per frame of the shot; 0 at a time scale of 0.
    pub fn simulated(&self, velocity: f64) -> f64 {
        if self.frame_time > 0.0 { velocity / self.frame_time } else { 0.0 }
    }

    /// Simulated frames per frame of the shot.
    pub fn frame_time(&self) -> f64 {
        self.frame_time
    }

    /// Columns and rows of a field.
    pub fn size(&self, staggering: Staggering) -> [usize; 2] {
        [
            self.width + usize::from(staggering == Staggering::Face(0)),
            self.height + usize::from(staggering == Staggering::Face(1)),
        ]
    }

    /// Position of a value, in cells. On a wrapped axis the last face has the position of the first.
    pub fn position_of(&self, staggering: Staggering, x: usize, y: usize) -> [f64; 2] {
        match staggering {
            Staggering::Cell => [x as f64 + 0.5, y as f64 + 0.5],
            Staggering::Face(0) if self.wrap[0] && x == self.width => [0.0, y as f64 + 0.5],
            Staggering::Face(0) => [x as f64, y as f64 + 0.5],
            Staggering::Face(_) if self.wrap[1] && y == self.height => [x as f64 + 0.5, 0.0],
            Staggering::Face(_) => [x as f64 + 0.5, y as f64],
        }
    }

    /// Indices of the two cells at a face; at a side that does not wrap, the inner cell twice.
    pub fn adjacent_cells(&self, staggering: Staggering, x: usize, y: usize) -> [usize; 2] {
        let pair = |i: usize, cells: usize, wrap: bool| match (i, wrap) {
            (0, true) => [cells - 1, 0],
            (0, false) => [0, 0],
            _ if i == cells => [cells - 1, if wrap { 0 } else { cells - 1 }],
            _ => [i - 1, i],
        };
        match staggering {
            Staggering::Cell => [y * self.width + x; 2],
            Staggering::Face(0) => pair(x, self.width, self.wrap[0]).map(|x| y * self.width + x),
            Staggering::Face(_) => pair(y, self.height, self.wrap[1]).map(|y| y * self.width + x),
        }
    }

    /// Factor of the mask at a cell, 0 to 1; 0 where the mask is not finite.
    pub fn mask_at(&self, cell: usize) -> f64 {
        match self.mask {
            None => 1.0,
            Some(mask) => match mask.get(cell) {
                Some(pixel) if pixel[3].is_finite() => f64::from(pixel[3]).clamp(0.0, 1.0),
                _ => 0.0,
            },
        }
    }

    /// Number of cells whose mask is not finite.
    pub fn bad_mask_pixels(&self) -> u64 {
        let cells = self.width * self.height;
        self.mask.map_or(0, |mask| mask.iter().take(cells).filter(|p| !p[3].is_finite()).count() as u64)
    }

    /// Factor of the inflow to a cell: its mask, and 0 in solids.
    pub fn inflow_factor(&self, cell: usize) -> f64 {
        if self.solid.is_some_and(|solid| solid[cell]) { 0.0 } else { self.mask_at(cell) }
    }

    /// Factor of the mask at a face: the mean of its two cells.
    pub fn mask_at_face(&self, staggering: Staggering, x: usize, y: usize) -> f64 {
        if self.mask.is_none() {
            return 1.0;
        }
        let [a, b] = self.adjacent_cells(staggering, x, y);
        f64::midpoint(self.mask_at(a), self.mask_at(b))
    }

    /// Relaxation over this step from one of `rate` per frame: `1 − (1 − rate)^time`.
    pub fn over_time(&self, rate: f64) -> f64 {
        if self.time == 1.0 || rate <= 0.0 || rate >= 1.0 {
            return rate.clamp(0.0, 1.0);
        }
        1.0 - libm::pow(1.0 - rate, self.time)
    }

    /// Offsets of the periodic images of an object, cells.
    pub fn periodic_offsets(&self) -> Vec<[f64; 2]> {
        let offsets = |wrap: bool, cells: usize| {
            let cells = cells as f64;
            if wrap { vec![-cells, 0.0, cells] } else { vec![0.0] }
        };
        let columns = offsets(self.wrap[0], self.width);
        let rows = offsets(self.wrap[1], self.height);
        rows.iter().flat_map(|&y| columns.iter().map(move |&x| [x, y])).collect()
    }
}

/// Smoothstep: 3t² − 2t³, t clamped to 0 … 1.
pub(super) fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
