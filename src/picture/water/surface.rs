//! The slopes of the water's surface and of the ground.

use super::detail::Carried;
use crate::sim::water::State;
use crate::sim::water::settings::Edges;

/// Cells of a chunk.
pub const CHUNK: usize = 256;

/// A chunk of cells and one more at each end.
const LINE: usize = CHUNK + 2;

/// Level above all others, in units.
const HIGHEST: i32 = 1 << 30;

/// Steepest slope that counts.
const STEEPEST: f32 = 1e6;

/// Slopes of some cells of a row, rise over run: to the right and up.
pub struct Slopes {
    /// To the right.
    pub x: [f32; CHUNK],
    /// Up.
    pub y: [f32; CHUNK],
    /// Changes of the slopes over a cell: of that to the right along x, of that up along y, and of either across.
    pub bend: [[f32; 3]; CHUNK],
    /// Sum of the squared changes of both over a cell, in both directions.
    pub change: [f32; CHUNK],
}

impl Slopes {
    /// Flat.
    pub const FLAT: Slopes = Slopes { x: [0.0; CHUNK], y: [0.0; CHUNK], bend: [[0.0; 3]; CHUNK], change: [0.0; CHUNK] };

    /// Slopes of one cell of the chunk, by its number in the chunk.
    #[inline(always)]
    pub fn facet(&self, at: usize) -> Facet {
        Facet { slopes: [self.x[at], self.y[at]], bend: self.bend[at], change: self.change[at] }
    }
}

/// Slopes of a cell of the surface.
#[derive(Clone, Copy)]
pub struct Facet {
    /// To the right and up, in the middle of the cell.
    pub slopes: [f32; 2],
    /// Their changes over the cell ([`Slopes::bend`]).
    pub bend: [f32; 3],
    /// Sum of the squared changes.
    pub change: f32,
}

/// The heights of a state as a relief.
#[derive(Clone, Copy)]
pub struct Surface<'a> {
    state: &'a State,
    /// Fine waves and the texture of foam.
    detail: Option<&'a Carried<'a>>,
    wraps: bool,
    /// Slope of a difference of one unit over eight cells.
    steepness: f32,
}

/// Levels in units of a row of cells. A cell that is not `wet` is at most as high as the cell whose slope is computed.
struct Line {
    level: [i32; LINE],
    wet: [bool; LINE],
}

impl Line {
    const NOTHING: Line = Line { level: [HIGHEST; LINE], wet: [false; LINE] };
}

impl<'a> Surface<'a> {
    /// Relief of a state whose planes are in memory, where a height of 1 stands for `relief` full-resolution pixels.
    pub fn new(state: &'a State, detail: Option<&'a Carried<'a>>, relief: f64) -> Self {
        let steepness = relief * state.grid().cells_per_pixel / state.units() / 8.0;
        Self { state, detail, wraps: state.domain().edges() == Edges::Wrap, steepness: steepness as f32 }
    }

    /// Fine waves and the texture of foam; `None` where the water carries none.
    pub fn detail(&self) -> Option<&'a Carried<'a>> {
        self.detail
    }

    /// Slopes of `count` cells by Sobel's operator, of the water in wet cells and of the ground in dry ones. Walls, the
    /// frame's border and higher dry ground beside water count as level with it: a lake at rest is flat up to its
    /// shore, and a front falls off to the ground before it.
    #[inline(always)]
    pub fn slopes(&self, y: usize, from: usize, count: usize, slopes: &mut Slopes) {
        let mut lines = [Line::NOTHING; 3];
        for (line, dy) in lines.iter_mut().zip([-1, 0, 1]) {
            self.water_line(y, dy, from, count, line);
        }
        self.sobel(&lines, count, slopes);
        if let Some(detail) = self.detail {
            detail.roughen(y, from, count, [&mut slopes.x, &mut slopes.y]);
        }
        if self.state.terrain().is_none() {
            for (at, wet) in lines[1].wet[1..=count].iter().enumerate() {
                slopes.x[at] = if *wet { slopes.x[at] } else { 0.0 };
                slopes.y[at] = if *wet { slopes.y[at] } else { 0.0 };
            }
            return;
        }
        let wet = lines[1].wet;
        let mut ground = Slopes::FLAT;
        self.ground(y, from, count, &mut ground);
        for (at, wet) in wet[1..=count].iter().enumerate() {
            slopes.x[at] = if *wet { slopes.x[at] } else { ground.x[at] };
            slopes.y[at] = if *wet { slopes.y[at] } else { ground.y[at] };
        }
    }

    /// Cells of a row from column `from` on, as `of` makes them of their height and wetness ([`State::height_cells`])
    /// and their slopes.
    #[inline(always)]
    pub fn cells(&self, y: usize, from: usize, out: &mut [[f32; 4]], of: impl Fn([f32; 4], f32, f32) -> [f32; 4]) {
        self.state.height_cells(y, from, out);
        let mut slopes = Slopes::FLAT;
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            self.slopes(y, from + i * CHUNK, out.len(), &mut slopes);
            for ((pixel, x), y) in out.iter_mut().zip(&slopes.x).zip(&slopes.y) {
                *pixel = of(*pixel, *x, *y);
            }
        }
    }

    /// Slopes of the ground, with or without water on it.
    #[inline(always)]
    pub fn ground(&self, y: usize, from: usize, count: usize, slopes: &mut Slopes) {
        let Some(terrain) = self.state.terrain() else { return };
        let mut lines = [Line::NOTHING; 3];
        for (line, dy) in lines.iter_mut().zip([-1, 0, 1]) {
            let Some(row) = self.row(y, dy) else { continue };
            let z = terrain.row(row + 1, 0);
            self.columns(from, count, |to, column| {
                line.level[to] = z[column + 1];
                line.wet[to] = true;
            });
        }
        self.sobel(&lines, count, slopes);
    }

    /// The grid row `dy` above row `y`; `None` beyond the border.
    #[inline(always)]
    fn row(&self, y: usize, dy: isize) -> Option<usize> {
        let height = self.state.grid().height;
        match y.checked_add_signed(dy).filter(|row| *row < height) {
            None if self.wraps => Some((y + height).wrapping_add_signed(dy) % height),
            row => row,
        }
    }

    /// Calls `take(place in a line, grid column)` for the cells of a line that are on the grid.
    #[inline(always)]
    fn columns(&self, from: usize, count: usize, mut take: impl FnMut(usize, usize)) {
        let width = self.state.grid().width;
        for at in 0..count {
            take(at + 1, from + at);
        }
        if from > 0 || self.wraps {
            take(0, (from + width - 1) % width);
        }
        if from + count < width || self.wraps {
            take(count + 1, (from + count) % width);
        }
    }

    #[inline(always)]
    fn water_line(&self, y: usize, dy: isize, from: usize, count: usize, line: &mut Line) {
        let Some(row) = self.row(y, dy) else { return };
        let (width, floor) = (self.state.grid().width, self.state.wet_limit());
        let h = self.state.water().height.row(row + 1, 0);
        let wet = |column: usize| h[column + 1] >= floor;
        match self.state.terrain() {
            Some(terrain) => {
                let z = terrain.row(row + 1, 0);
                self.columns(from, count, |to, column| {
                    line.level[to] = h[column + 1] + z[column + 1];
                    line.wet[to] = wet(column);
                });
            }
            None => self.columns(from, count, |to, column| {
                line.level[to] = h[column + 1];
                line.wet[to] = wet(column);
            }),
        }
        if let Some(solid) = self.state.domain().solid() {
            let solid = &solid[row * width..(row + 1) * width];
            self.columns(from, count, |to, column| {
                if solid[column] {
                    line.level[to] = HIGHEST;
                    line.wet[to] = false;
                }
            });
        }
    }

    #[inline(always)]
    fn sobel(&self, lines: &[Line; 3], count: usize, slopes: &mut Slopes) {
        let [below, own, above] = lines;
        for at in 0..count {
            let level = own.level[at + 1];
            let seen = |line: &Line, at: usize| {
                if line.wet[at] { line.level[at] } else { line.level[at].min(level) }
            };
            let difference = |high: i32, low: i32| (high - low) as f32;
            let [ll, lm, lr] = [0, 1, 2].map(|dx| seen(below, at + dx));
            let [ml, mr] = [0, 2].map(|dx| seen(own, at + dx));
            let [ul, um, ur] = [0, 1, 2].map(|dx| seen(above, at + dx));
            let x = difference(mr, ml) * 2.0 + (difference(ur, ul) + difference(lr, ll));
            let y = difference(um, lm) * 2.0 + (difference(ur, lr) + difference(ul, ll));
            slopes.x[at] = (x * self.steepness).clamp(-STEEPEST, STEEPEST);
            slopes.y[at] = (y * self.steepness).clamp(-STEEPEST, STEEPEST);
            // Second differences: the slopes here are per eight cells' differences.
            let middle = difference(level, 0);
            let bend_x = difference(mr, 0) + difference(ml, 0) - 2.0 * middle;
            let bend_y = difference(um, 0) + difference(lm, 0) - 2.0 * middle;
            let twist = (difference(ur, ul) - difference(lr, ll)) * 0.25;
            let scale = 8.0 * self.steepness;
            let bend = [bend_x, bend_y, twist].map(|second| (second * scale).clamp(-STEEPEST, STEEPEST));
            slopes.bend[at] = bend;
            slopes.change[at] = (bend[0] * bend[0] + bend[1] * bend[1] + 2.0 * bend[2] * bend[2]).min(STEEPEST);
        }
    }
}
