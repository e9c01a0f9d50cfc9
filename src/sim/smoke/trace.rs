//! Where the content of a cell goes within a frame, and where it came from.

use super::layers::finite;
use super::settings::Side;
use super::state::State;

/// Most steps of a path.
const STEPS: f64 = 16.0;

/// Paths that are followed side by side: what is not a load is done for all of them at once.
const LANES: usize = 16;

/// A number of each path.
type Lane = [f64; LANES];

/// Paths through the velocity of a state, which is taken to hold for a frame.
pub struct Trace<'a> {
    state: &'a State,
    /// Simulated frames in it.
    time: f64,
    wraps: [bool; 2],
}

impl<'a> Trace<'a> {
    /// Of this state, in a frame of so many simulated ones.
    pub fn new(state: &'a State, time: f64) -> Self {
        Self { state, time, wraps: [state.edges[0] == Side::Wrap, state.edges[2] == Side::Wrap] }
    }

    /// For a run of cells in row `y`, from column `x` on: from the middle of a cell to where its content is a frame on, and
    /// to where it was a frame ago, x and y of each, in full-resolution pixels. A solid moves straight on. Beyond the grid
    /// the velocity of its border goes on.
    #[inline(always)]
    pub fn motion(&self, x: usize, y: usize, out: &mut [[f32; 4]]) {
        let pixels = 1.0 / self.state.grid.cells_per_pixel;
        for (chunk, out) in out.chunks_mut(LANES).enumerate() {
            let x = x + chunk * LANES;
            // Paths beyond the last cell go along with it.
            let last = out.len() - 1;
            let (mut from, mut start) = ([[0.0; LANES], [y as f64 + 0.5; LANES]], [[0.0; LANES]; 2]);
            let mut moves = false;
            for lane in 0..LANES {
                let cell = x + lane.min(last);
                let [u, v] = self.state.velocity(cell, y);
                from[0][lane] = cell as f64 + 0.5;
                (start[0][lane], start[1][lane]) = (f64::from(u), f64::from(v));
                moves |= u != 0.0 || v != 0.0;
            }
            let (forward, backward) = if moves {
                (self.path(&from, &start, self.time), self.path(&from, &start, -self.time))
            } else {
                // Nobody looks at them.
                ([[0.0; LANES]; 2], [[0.0; LANES]; 2])
            };
            for (lane, out) in out.iter_mut().enumerate() {
                let [u, v] = [start[0][lane], start[1][lane]];
                let still = u == 0.0 && v == 0.0;
                let cells = if still || self.state.is_solid(x + lane, y) {
                    [u, v, -u, -v].map(|cells| cells * self.time)
                } else {
                    [forward[0][lane], forward[1][lane], backward[0][lane], backward[1][lane]]
                };
                for (out, cells) in out.iter_mut().zip(cells) {
                    *out = finite(cells * pixels);
                }
            }
        }
    }

    /// The ways from places over a time, or back over one below 0: Runge-Kutta of fourth order, two cells a step or less, so
    /// that a path that turns ends where it should.
    #[inline(always)]
    fn path(&self, from: &[Lane; 2], start: &[Lane; 2], time: f64) -> [Lane; 2] {
        let (mut steps, mut dt, mut most) = ([1.0; LANES], [0.0; LANES], 1.0_f64);
        for lane in 0..LANES {
            let wanted = (start[0][lane].abs().max(start[1][lane].abs()) * time.abs() / 2.0).min(STEPS);
            let whole = f64::from(wanted as u32);
            steps[lane] = (if whole < wanted { whole + 1.0 } else { whole }).max(1.0);
            dt[lane] = time / steps[lane];
            most = most.max(steps[lane]);
        }
        let mut at = *from;
        let mut here = *start;
        for step in 0..most as usize {
            if step > 0 {
                here = self.velocity(&at);
            }
            let half = self.velocity(&on(&at, &here, &dt, 0.5));
            let again = self.velocity(&on(&at, &half, &dt, 0.5));
            let end = self.velocity(&on(&at, &again, &dt, 1.0));
            let mut mean = [[0.0; LANES]; 2];
            for axis in 0..2 {
                for lane in 0..LANES {
                    let middle = half[axis][lane] + again[axis][lane];
                    mean[axis][lane] = (here[axis][lane] + 2.0 * middle + end[axis][lane]) / 6.0;
                }
            }
            let next = on(&at, &mean, &dt, 1.0);
            for axis in 0..2 {
                for lane in 0..LANES {
                    // Those that have arrived wait for the others.
                    at[axis][lane] = if (step as f64) < steps[lane] { next[axis][lane] } else { at[axis][lane] };
                }
            }
        }
        for axis in 0..2 {
            for lane in 0..LANES {
                at[axis][lane] -= from[axis][lane];
            }
        }
        at
    }

    /// The velocity of the air at places, in cells, bilinear between faces.
    #[inline(always)]
    fn velocity(&self, at: &[Lane; 2]) -> [Lane; 2] {
        let (width, height) = (self.state.grid.width, self.state.grid.height);
        let faces = [self.between(&at[0], width, 0, false), self.between(&at[1], height, 1, false)];
        let middles = [self.between(&at[0], width, 0, true), self.between(&at[1], height, 1, true)];
        let air = &self.state.air;
        [sample(&air.u, width + 1, &faces[0], &middles[1]), sample(&air.v, width, &middles[0], &faces[1])]
    }

    /// Between which values of an axis of `cells` cells places lie: its faces, or the middles of its cells.
    #[inline(always)]
    fn between(&self, places: &Lane, cells: usize, axis: usize, middles: bool) -> Between {
        let before = if middles { 0.5 } else { 0.0 };
        let mut found = Between { low: [0; LANES], high: [0; LANES], share: [0.0; LANES] };
        if self.wraps[axis] {
            let (count, last) = (cells as f64, cells as u32 - 1);
            for (lane, place) in places.iter().enumerate() {
                let place = (place - before).rem_euclid(count);
                let low = (place as u32).min(last);
                found.low[lane] = low;
                found.high[lane] = if middles && low == last { 0 } else { low + 1 };
                found.share[lane] = place - f64::from(low);
            }
        } else {
            let last = if middles { cells - 1 } else { cells } as u32;
            for (lane, place) in places.iter().enumerate() {
                let place = (place - before).clamp(0.0, f64::from(last));
                let low = (place as u32).min(last.saturating_sub(1));
                found.low[lane] = low;
                found.high[lane] = (low + 1).min(last);
                found.share[lane] = place - f64::from(low);
            }
        }
        found
    }
}

/// Where one comes from places with a velocity over a share of a time.
#[inline(always)]
fn on(at: &[Lane; 2], velocity: &[Lane; 2], dt: &Lane, share: f64) -> [Lane; 2] {
    let mut to = [[0.0; LANES]; 2];
    for axis in 0..2 {
        for lane in 0..LANES {
            to[axis][lane] = at[axis][lane] + velocity[axis][lane] * (dt[lane] * share);
        }
    }
    to
}

/// Values of a plane of `row` values a row, bilinear.
#[inline(always)]
fn sample(plane: &[f32], row: usize, x: &Between, y: &Between) -> Lane {
    let [mut a, mut b, mut c, mut d] = [[0.0_f32; LANES]; 4];
    for lane in 0..LANES {
        let (below, above) = (y.low[lane] as usize * row, y.high[lane] as usize * row);
        let (left, right) = (x.low[lane] as usize, x.high[lane] as usize);
        (a[lane], b[lane]) = (plane[below + left], plane[below + right]);
        (c[lane], d[lane]) = (plane[above + left], plane[above + right]);
    }
    let mut values = [0.0; LANES];
    for lane in 0..LANES {
        let (left, right) = (1.0 - x.share[lane], x.share[lane]);
        let below = f64::from(a[lane]) * left + f64::from(b[lane]) * right;
        let above = f64::from(c[lane]) * left + f64::from(d[lane]) * right;
        values[lane] = below * (1.0 - y.share[lane]) + above * y.share[lane];
    }
    values
}

/// Places between two values each.
struct Between {
    low: [u32; LANES],
    high: [u32; LANES],
    share: Lane,
}
