//! Where things are drawn: the grid of a frame, its units, and what the mask and the solids leave open.

use crate::sim::fluid::Staggering;
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;
use crate::sim::smoke::Workers;
use crate::sim::smoke::inputs::Pixels;
use crate::sim::smoke::settings::{Boundary, Spec};
use crate::sim::smoke::time_step::FRAME_TIME_MAX;

/// Furthest place that counts, in cells.
const POSITION_MAX: f64 = 1e9;

/// Largest amount, of anything but speed.
pub(super) const AMOUNT_MAX: f64 = 1e9;

/// Largest speed, in full-resolution pixels per frame.
pub(super) const SPEED_MAX: f64 = 1e6;

/// Both kinds of faces, by the axis of the velocity through them.
pub(super) const FACES: [Staggering; 2] = [Staggering::Face(0), Staggering::Face(1)];

/// What all drawing in a frame needs to know.
pub(super) struct Raster<'a> {
    /// Columns of cells.
    pub width: usize,
    /// Rows of cells.
    pub height: usize,
    /// Canonical place of the lower left corner.
    pub origin: [f64; 2],
    /// Cells per full-resolution pixel, held to 2^−20 … 2^20.
    pub scale: f64,
    /// Simulated frames in a frame of the shot.
    frame_time: f64,
    /// Simulated frames that pass now: fewer in a part of a frame.
    pub time: f64,
    /// Whether the sides of an axis are joined.
    pub wrap: [bool; 2],
    /// Picture whose alpha lets through.
    pub mask: Option<&'a Pixels>,
    /// Cells that let nothing in.
    pub solid: Option<&'a [bool]>,
    /// Who draws.
    pub workers: &'a dyn Workers,
}

impl<'a> Raster<'a> {
    /// The stage of a frame whose cells are `grid`; `times` are the simulated frames in it, and those that pass now.
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

    /// A canonical place in cells from the corner; `None` where it is no place.
    pub fn position(&self, at: [f64; 2]) -> Option<[f64; 2]> {
        let place = [0, 1].map(|i| ((at[i] - self.origin[i]) * self.scale).clamp(-POSITION_MAX, POSITION_MAX));
        at.iter().all(|v| v.is_finite()).then_some(place)
    }

    /// A radius in cells; `None` where there is none.
    pub fn radius(&self, pixels: f64) -> Option<f64> {
        let radius = (clamp(pixels, 0.0, AMOUNT_MAX) * self.scale).min(POSITION_MAX);
        (radius > 0.0).then_some(radius)
    }

    /// How far solids are followed from frame to frame, in cells.
    pub fn search_radius(&self) -> f64 {
        (self.width.min(self.height) as f64 / 16.0).clamp(8.0, 64.0)
    }

    /// The velocity, per simulated frame, of what goes so far while the time of now passes; 0 where none does.
    pub fn velocity(&self, way: f64) -> f64 {
        if self.time > 0.0 { way / self.time } else { 0.0 }
    }

    /// The same of what goes so far in a whole frame of the shot.
    pub fn simulated(&self, velocity: f64) -> f64 {
        if self.frame_time > 0.0 { velocity / self.frame_time } else { 0.0 }
    }

    /// Simulated frames in a frame of the shot.
    pub fn frame_time(&self) -> f64 {
        self.frame_time
    }

    /// Columns and rows of a plane.
    pub fn size(&self, staggering: Staggering) -> [usize; 2] {
        [
            self.width + usize::from(staggering == Staggering::Face(0)),
            self.height + usize::from(staggering == Staggering::Face(1)),
        ]
    }

    /// Place of a value, in cells. Where sides are joined, the last faces are the first.
    pub fn position_of(&self, staggering: Staggering, x: usize, y: usize) -> [f64; 2] {
        match staggering {
            Staggering::Cell => [x as f64 + 0.5, y as f64 + 0.5],
            Staggering::Face(0) if self.wrap[0] && x == self.width => [0.0, y as f64 + 0.5],
            Staggering::Face(0) => [x as f64, y as f64 + 0.5],
            Staggering::Face(_) if self.wrap[1] && y == self.height => [x as f64 + 0.5, 0.0],
            Staggering::Face(_) => [x as f64 + 0.5, y as f64],
        }
    }

    /// The two cells that a face parts; at a border of the frame, the one that there is, twice.
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

    /// The mask's factor for a cell, 0 where it is no number.
    pub fn mask_at(&self, cell: usize) -> f64 {
        match self.mask {
            None => 1.0,
            Some(mask) => match mask.get(cell) {
                Some(pixel) if pixel[3].is_finite() => f64::from(pixel[3]).clamp(0.0, 1.0),
                _ => 0.0,
            },
        }
    }

    /// Cells whose mask is no number.
    pub fn bad_mask_pixels(&self) -> u64 {
        let cells = self.width * self.height;
        self.mask.map_or(0, |mask| mask.iter().take(cells).filter(|p| !p[3].is_finite()).count() as u64)
    }

    /// What a cell lets in of what its place gets: by the mask, and nothing where it is solid.
    pub fn inflow_factor(&self, cell: usize) -> f64 {
        if self.solid.is_some_and(|solid| solid[cell]) { 0.0 } else { self.mask_at(cell) }
    }

    /// The mask's factor for a face: the mean of its cells'.
    pub fn mask_at_face(&self, staggering: Staggering, x: usize, y: usize) -> f64 {
        if self.mask.is_none() {
            return 1.0;
        }
        let [a, b] = self.adjacent_cells(staggering, x, y);
        f64::midpoint(self.mask_at(a), self.mask_at(b))
    }

    /// Share of a way gone in this frame, of which `share` is gone in a frame of length 1.
    pub fn over_time(&self, share: f64) -> f64 {
        if self.time == 1.0 || share <= 0.0 || share >= 1.0 {
            return share.clamp(0.0, 1.0);
        }
        1.0 - libm::pow(1.0 - share, self.time)
    }

    /// Offsets, in cells, at which things appear again: where sides are joined, once on either side.
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

/// The ramp from 0 to 1 that starts and ends level.
pub(super) fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
