//! The state of a simulation at one frame.

use std::sync::Arc;

use super::field::Field;
use super::grid::Grid;
use super::program::{Tally, Water};
use super::settings::{Constants, Model};
use super::walls::Walls;

/// What holds for one whole simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// Where the columns stand.
    pub grid: Grid,
    /// What cannot be animated.
    pub constants: Constants,
}

/// The mass ledger. To the unit, per kind: now = start + added − removed − drained − clamped (modulo 2^64).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Water, then red, green, blue pigment in the start frame, in units.
    pub start: [i64; 4],
    /// What came and went since.
    pub since: Tally,
}

/// What a frame has to tell, beyond its water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notices {
    /// Steps taken.
    pub steps: u32,
    /// The wave speed needed more than 1,024 steps and was cut.
    pub speed_cut: bool,
    /// Pixels discarded for values that are no finite number, per input.
    pub bad_pixels: BadPixels,
    /// The source has no alpha: its luminance was used.
    pub luminance_for_alpha: bool,
    /// The source's alpha is 1 everywhere: it floods the frame.
    pub alpha_everywhere: bool,
    /// Water cut off above the ceiling in this frame, in units.
    pub clamped: i64,
}

/// Pixels whose value is no finite number, per input; they count as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BadPixels {
    /// Of the source.
    pub source: u64,
    /// Of the terrain.
    pub terrain: u64,
    /// Of the obstacles.
    pub obstacles: u64,
    /// Of the force.
    pub force: u64,
    /// Of the mask.
    pub mask: u64,
}

impl BadPixels {
    /// Of all inputs.
    pub fn total(&self) -> u64 {
        let BadPixels { source, terrain, obstacles, force, mask } = *self;
        source + terrain + obstacles + force + mask
    }
}

/// The water of one frame: integers only, immutable, cheap to clone (planes are shared).
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(super) grid: Grid,
    pub(super) model: Model,
    pub(super) units: f64,
    pub(super) colour_range: f64,
    pub(super) water: Arc<Water>,
    pub(super) terrain: Option<Arc<Field>>,
    pub(super) walls: Arc<Walls>,
    /// Time per step of the last step taken; 0 where none was.
    pub(super) dt: f64,
    pub(super) ledger: Ledger,
}

impl State {
    /// Memory held, in bytes. Terrain and walls count in full, though frames share them.
    pub fn bytes(&self) -> usize {
        size_of::<State>() + self.water.bytes() + self.terrain.as_ref().map_or(0, |t| t.bytes()) + self.walls.bytes()
    }

    /// Where the columns stand.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Which water it is.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Units per 1.0 of height.
    pub fn units(&self) -> f64 {
        self.units
    }

    /// Heights, flows and pigment in units.
    pub fn water(&self) -> &Water {
        &self.water
    }

    /// Ground in units, one plane; `None` where there is none.
    pub fn terrain(&self) -> Option<&Field> {
        self.terrain.as_deref()
    }

    /// Solid cells and edges.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The account of water and pigment.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Water in the frame, in units.
    pub fn water_units(&self) -> i64 {
        self.water.height.sum(0)
    }

    /// Water, red, green and blue pigment in the frame, in units.
    pub fn totals(&self) -> [i64; 4] {
        totals(&self.water)
    }

    /// Share of the cells that are wet.
    pub fn wet_share(&self) -> f64 {
        let limit = self.wet_limit();
        let h = &self.water.height;
        let wet: usize =
            (1..=h.height()).map(|y| h.row(y, 0)[1..=h.width()].iter().filter(|&&v| v >= limit).count()).sum();
        wet as f64 / (h.width() * h.height()) as f64
    }

    /// Least height, in units, that is shown and counted as wet: 2^−12.
    pub fn wet_limit(&self) -> i32 {
        (self.units / 4096.0) as i32
    }

    /// Row `y` of the water: straight RGB of its colour, its height in alpha. `out` holds the grid's width; what is
    /// beyond the grid is left alone.
    pub fn water_row(&self, y: usize, out: &mut [[f32; 4]]) {
        if y >= self.grid.height {
            return;
        }
        let heights = &self.water.height.row(y + 1, 0)[1..];
        let floor = self.wet_limit();
        for (pixel, &h) in out.iter_mut().zip(&heights[..self.grid.width]) {
            *pixel = [0.0, 0.0, 0.0, self.real(h)];
        }
        let Some(pigment) = &self.water.pigment else {
            return;
        };
        for channel in 0..3 {
            let masses = &pigment.row(y + 1, channel)[1..];
            for ((pixel, &h), &m) in out.iter_mut().zip(&heights[..self.grid.width]).zip(masses) {
                pixel[channel] = colour(m, h, floor, self.colour_range as f32);
            }
        }
    }

    /// Row `y` of the heights: R water, G surface (water and terrain), B terrain, A wet (1 or 0).
    pub fn height_row(&self, y: usize, out: &mut [[f32; 4]]) {
        if y >= self.grid.height {
            return;
        }
        let floor = self.wet_limit();
        for (x, pixel) in out.iter_mut().take(self.grid.width).enumerate() {
            let h = self.water.height.at(x, y, 0);
            let z = self.terrain.as_ref().map_or(0, |t| t.at(x, y, 0));
            let wet = if h >= floor { 1.0 } else { 0.0 };
            *pixel = [self.real(h), self.real(h + z), self.real(z), wet];
        }
    }

    /// Row `y` of the cross flows, height per step: R left, G up, B right, A down.
    pub fn cross_row(&self, y: usize, out: &mut [[f32; 4]]) {
        if y >= self.grid.height {
            return;
        }
        for (x, pixel) in out.iter_mut().take(self.grid.width).enumerate() {
            let (x, y) = (x + 1, y + 1);
            *pixel = [self.back(x - 1, y, 0), self.ahead(x, y, 1), self.ahead(x, y, 0), self.back(x, y - 1, 1)];
        }
    }

    /// Row `y` of the diagonal flows, height per step: R up-left, G up-right, B down-right, A down-left.
    pub fn diagonal_row(&self, y: usize, out: &mut [[f32; 4]]) {
        if y >= self.grid.height {
            return;
        }
        for (x, pixel) in out.iter_mut().take(self.grid.width).enumerate() {
            let (x, y) = (x + 1, y + 1);
            *pixel = [self.ahead(x, y, 3), self.ahead(x, y, 2), self.back(x + 1, y - 1, 3), self.back(x - 1, y - 1, 2)];
        }
    }

    /// What flows from the owner of a pipe to its neighbour.
    fn ahead(&self, x: usize, y: usize, pipe: usize) -> f32 {
        self.real(self.water.flow.row(y, pipe)[x].max(0))
    }

    /// What flows to the owner of a pipe from its neighbour.
    fn back(&self, x: usize, y: usize, pipe: usize) -> f32 {
        self.real(match self.model {
            Model::Pipes => (-self.water.flow.row(y, pipe)[x]).max(0),
            Model::Classic => self.water.flow.row(y, 4 + pipe)[x],
        })
    }

    fn real(&self, units: i32) -> f32 {
        (f64::from(units) / self.units) as f32
    }
}

/// The colour of water of height `h` that holds `m` of a pigment: the quotient is the f32 nearest to the exact ratio.
///
/// Rounding twice is harmless here: both integers have at most 29 bits, so the ratio is no nearer to a tie of f32 than
/// 2^−52 of itself.
pub fn colour(m: i32, h: i32, wet_limit: i32, colour_range: f32) -> f32 {
    if h == 0 {
        return 0.0;
    }
    colour_range * (f64::from(m.min(h)) / f64::from(h.max(wet_limit))) as f32
}

/// Sums over the grid: water, red, green, blue.
pub(super) fn totals(water: &Water) -> [i64; 4] {
    let mut sums = [water.height.sum(0), 0, 0, 0];
    if let Some(pigment) = &water.pigment {
        for (channel, sum) in sums[1..].iter_mut().enumerate() {
            *sum = pigment.sum(channel);
        }
    }
    sums
}
