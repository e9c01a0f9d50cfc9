//! Fronts: jumps of the level that water passed within a frame.
//!
//! A front is found by the rise of the water along its path, so that one as fast as many cells per frame leaves the
//! same on all water that it passed, and not only where it is at the end of the frame.

use super::field::Field;
use super::paths::Stencil;
use super::plan::{Device, Inflow, RowCounts};
use super::ripples::{REST, UNITS};
use super::settings::{Edges, Model};
use super::state::State;

/// Cells to each side within which a front has its foot and its crest.
const REACH: isize = 6;
/// Jump at which a front begins to break, and from which on it breaks, depths of the water before it.
const BREAKING: [f64; 2] = [0.3, 0.6];
/// Depth that is added to that of the water before a front, height.
const FILM: f64 = 1.0 / 64.0;
/// Planes: highest level of the new state and lowest of the old one, around a cell.
const CREST: usize = 0;
const FOOT: usize = 1;
/// Their values where there is no level.
const NONE: [i32; 2] = [i32::MIN, i32::MAX];

/// Levels before and after a frame.
pub(super) struct Fronts<'a> {
    state: &'a State,
    previous: &'a State,
    /// The inflows of the frame, which raise the level but are no front.
    inflows: &'a [Inflow],
    steps: i32,
    /// Highest and lowest levels around the cells.
    around: Field,
}

/// A cell of a line of `count`; `None` beyond its ends, unless they join.
fn within(at: isize, count: usize, wraps: bool) -> Option<usize> {
    match usize::try_from(at) {
        Ok(at) if at < count => Some(at),
        _ if wraps => Some(at.rem_euclid(count as isize) as usize),
        _ => None,
    }
}

fn solid(state: &State, [x, y]: [usize; 2]) -> bool {
    state.domain().solid().is_some_and(|solid| solid[y * state.grid().width + x])
}

fn height(state: &State, [x, y]: [usize; 2]) -> i32 {
    state.water().height.at(x, y, 0)
}

fn ground(state: &State, [x, y]: [usize; 2]) -> i32 {
    state.terrain().map_or(0, |terrain| terrain.at(x, y, 0))
}

/// Level of a cell after a frame where it is wet, and before the frame where it is open.
fn levels(state: &State, previous: &State, cell: [usize; 2]) -> [i32; 2] {
    let mut levels = NONE;
    if height(state, cell) >= state.wet_limit() {
        levels[CREST] = height(state, cell) + ground(state, cell);
    }
    if !solid(previous, cell) {
        levels[FOOT] = height(previous, cell) + ground(previous, cell);
    }
    levels
}

impl<'a> Fronts<'a> {
    /// The frame of `steps` steps from one state to another, over which `inflows` came.
    pub fn new(
        state: &'a State,
        previous: &'a State,
        inflows: &'a [Inflow],
        steps: u32,
        device: &dyn Device,
    ) -> Fronts<'a> {
        let grid = state.grid();
        let wraps = state.domain().edges() == Edges::Wrap;
        // Fetches the planes before threads need them.
        state.water();
        previous.water();
        let mut rows = Field::new(grid.width, grid.height, 2);
        let stride = rows.stride();
        device.rows(&mut rows, &|y, row| {
            // The levels of the row, with those beyond its ends.
            let columns = (-REACH..grid.width as isize + REACH).map(|x| within(x, grid.width, wraps));
            let levels: Vec<[i32; 2]> = columns.map(|x| x.map_or(NONE, |x| levels(state, previous, [x, y]))).collect();
            let (crests, feet) = row.split_at_mut(stride);
            crests.fill(NONE[CREST]);
            feet.fill(NONE[FOOT]);
            for by in 0..=2 * REACH as usize {
                for (x, level) in levels[by..][..grid.width].iter().enumerate() {
                    crests[x + 1] = crests[x + 1].max(level[CREST]);
                    feet[x + 1] = feet[x + 1].min(level[FOOT]);
                }
            }
            RowCounts::default()
        });
        let mut all = Field::new(grid.width, grid.height, 2);
        device.rows(&mut all, &|y, row| {
            let (crests, feet) = row.split_at_mut(stride);
            crests.fill(NONE[CREST]);
            feet.fill(NONE[FOOT]);
            let y = y as isize;
            for y in (y - REACH..=y + REACH).filter_map(|y| within(y, grid.height, wraps)) {
                crests.iter_mut().zip(rows.row(y + 1, CREST)).for_each(|(all, &crest)| *all = (*all).max(crest));
                feet.iter_mut().zip(rows.row(y + 1, FOOT)).for_each(|(all, &foot)| *all = (*all).min(foot));
            }
            RowCounts::default()
        });
        Fronts { state, previous, inflows, steps: steps as i32, around: all }
    }

    /// Whether a cell was open and dry before the frame, and nothing flowed in.
    pub fn is_fresh(&self, cell: [usize; 2]) -> bool {
        self.was_dry(cell) && self.inflow(cell) == 0
    }

    /// Whether a cell was open and dry before the frame.
    pub fn was_dry(&self, cell: [usize; 2]) -> bool {
        !solid(self.previous, cell) && height(self.previous, cell) < self.state.wet_limit()
    }

    /// Rise of the water at a cell within the frame, units, without what flowed in.
    pub fn rise(&self, cell: [usize; 2]) -> i64 {
        if solid(self.previous, cell) {
            return 0;
        }
        i64::from(height(self.state, cell)) - i64::from(height(self.previous, cell)) - self.inflow(cell)
    }

    fn inflow(&self, [x, y]: [usize; 2]) -> i64 {
        let here = self.inflows.iter().filter(|inflow| inflow.extents[y].contains(&(x + 1)));
        let amounts = here.map(|inflow| {
            let rest = if inflow.shares.planes() == 8 { inflow.shares.at(x, y, 4) } else { 0 };
            i64::from(inflow.shares.at(x, y, 0)) * i64::from(self.steps) + i64::from(rest.min(self.steps))
        });
        amounts.sum()
    }

    /// Share of a breaking front that the water of a wet cell passed within the frame: all shares of a passage add up
    /// to 1. `from`: where the water was before.
    pub fn passage(&self, cell: [usize; 2], from: &Stencil) -> f64 {
        let (mut level, mut weights, mut nearest) = (0.0, 0.0, (from[0].0, 0.0));
        for &(before, weight) in from.iter().filter(|(before, _)| !solid(self.previous, *before)) {
            let old = height(self.previous, before) + ground(self.previous, before);
            (level, weights) = (level + weight * f64::from(old), weights + weight);
            nearest = if weight > nearest.1 { (before, weight) } else { nearest };
        }
        if weights == 0.0 || solid(self.previous, cell) {
            return 0.0;
        }
        // The level at the old height of the ground, without what flowed in.
        let now = i64::from(height(self.state, cell)) + i64::from(ground(self.previous, cell)) - self.inflow(cell);
        let rise = now as f64 - level / weights;
        let ([x, y], [back_x, back_y]) = (cell, nearest.0);
        let crest = i64::from(self.around.at(x, y, CREST));
        let foot = i64::from(self.around.at(back_x, back_y, FOOT));
        let jump = crest - foot;
        if rise <= 0.0 || jump <= 0 {
            return 0.0;
        }
        let ahead = (foot - self.bed(nearest.0)).max(0) as f64;
        let size = jump as f64 / (ahead + FILM * self.state.units());
        let breaks = ((size - BREAKING[0]) / (BREAKING[1] - BREAKING[0])).clamp(0.0, 1.0);
        (rise / jump as f64).min(1.0) * breaks * breaks * (3.0 - 2.0 * breaks)
    }

    /// Level without water at a cell before the frame, units.
    fn bed(&self, cell: [usize; 2]) -> i64 {
        let bottom = match self.state.model() {
            Model::Ripples => i64::from(REST) - (self.state.rest_level * f64::from(UNITS)) as i64,
            Model::Pipes | Model::Classic | Model::ShallowWater => 0,
        };
        i64::from(ground(self.previous, cell)) + bottom
    }
}
