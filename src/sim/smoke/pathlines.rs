//! Where the content of a cell goes within a frame, and where it came from.

use super::quantities::finite;
use super::settings::Boundary;
use super::state::State;

/// Most steps of a path.
const STEPS_MAX: f32 = 16.0;

/// Furthest from its cell that a path on joined sides is followed, cells: there parts of a cell are still told apart.
const DISPLACEMENT_MAX: f32 = 1e6;

/// 3 · 2²²: a small number added to it is rounded to a whole one, which its last bits hold.
const ROUND_TO_INTEGER: f32 = 12_582_912.0;

/// Paths that are followed side by side: what is not a load is done for all of them at once.
const LANES: usize = 16;

/// A number of each path. Places are offsets from the middles of the paths' cells, which keep their digits on any grid.
type PathValues = [f32; LANES];

/// Paths through the velocity of a state, which is taken to hold for a frame.
pub struct Pathlines<'a> {
    state: &'a State,
    /// Simulated frames in it.
    time: f64,
    wraps: [bool; 2],
}

/// Columns and rows of the cells that paths start from.
type Cells = [[i32; LANES]; 2];

impl<'a> Pathlines<'a> {
    /// Of this state, in a frame of so many simulated ones.
    pub fn new(state: &'a State, time: f64) -> Self {
        Self { state, time, wraps: [state.edges[0] == Boundary::Wrap, state.edges[2] == Boundary::Wrap] }
    }

    /// For a run of cells in row `y`, from column `x` on: from the middle of a cell to where its content is a frame on, and
    /// to where it was a frame ago, x and y of each, in full-resolution pixels. A solid moves straight on. Beyond the grid
    /// the velocity of its border goes on.
    #[inline(always)]
    pub fn motion(&self, x: usize, y: usize, out: &mut [[f32; 4]]) {
        let pixels = 1.0 / self.state.grid.cells_per_pixel;
        let time = self.time as f32;
        for (chunk, out) in out.chunks_mut(LANES).enumerate() {
            let x = x + chunk * LANES;
            // Paths beyond the last cell go along with it.
            let last = out.len() - 1;
            let (mut from, mut start) = ([[0; LANES], [y as i32; LANES]], [[0.0; LANES]; 2]);
            let mut moves = false;
            for lane in 0..LANES {
                let cell = x + lane.min(last);
                let [u, v] = self.state.velocity(cell, y);
                from[0][lane] = cell as i32;
                (start[0][lane], start[1][lane]) = (u, v);
                moves |= u != 0.0 || v != 0.0;
            }
            let (forward, backward) = if moves {
                (self.path(&from, &start, time), self.path(&from, &start, -time))
            } else {
                // Nobody looks at them.
                ([[0.0; LANES]; 2], [[0.0; LANES]; 2])
            };
            for (lane, out) in out.iter_mut().enumerate() {
                let [u, v] = [start[0][lane], start[1][lane]];
                let still = u == 0.0 && v == 0.0;
                let cells = if still || self.state.is_solid(x + lane, y) {
                    [u, v, -u, -v].map(|cells| f64::from(cells) * self.time)
                } else {
                    [forward[0][lane], forward[1][lane], backward[0][lane], backward[1][lane]].map(f64::from)
                };
                for (out, cells) in out.iter_mut().zip(cells) {
                    *out = finite(cells * pixels);
                }
            }
        }
    }

    /// The ways from cells over a time, or back over one below 0: Runge-Kutta of fourth order, two cells a step or less, so
    /// that a path that turns ends where it should.
    #[inline(always)]
    fn path(&self, from: &Cells, start: &[PathValues; 2], time: f32) -> [PathValues; 2] {
        let (mut steps, mut dt, mut most) = ([1; LANES], [0.0; LANES], 1);
        for lane in 0..LANES {
            let wanted = (start[0][lane].abs().max(start[1][lane].abs()) * time.abs() / 2.0).min(STEPS_MAX);
            let floor = floor_to_integer(wanted);
            steps[lane] = (floor + i32::from((floor as f32) < wanted)).max(1);
            dt[lane] = time / steps[lane] as f32;
            most = most.max(steps[lane]);
        }
        let mut at = [[0.0; LANES]; 2];
        let mut here = *start;
        for step in 0..most {
            if step > 0 {
                here = self.velocity(from, &at);
            }
            let half = self.velocity(from, &advanced(&at, &here, &dt, 0.5));
            let again = self.velocity(from, &advanced(&at, &half, &dt, 0.5));
            let end = self.velocity(from, &advanced(&at, &again, &dt, 1.0));
            let mut mean = [[0.0; LANES]; 2];
            for axis in 0..2 {
                for lane in 0..LANES {
                    let middle = half[axis][lane] + again[axis][lane];
                    mean[axis][lane] = (here[axis][lane] + 2.0 * middle + end[axis][lane]) / 6.0;
                }
            }
            let next = advanced(&at, &mean, &dt, 1.0);
            for axis in 0..2 {
                for lane in 0..LANES {
                    // Those that have arrived wait for the others.
                    at[axis][lane] = if step < steps[lane] { next[axis][lane] } else { at[axis][lane] };
                }
            }
        }
        at
    }

    /// The velocity of the air at offsets from cells, bilinear between faces.
    #[inline(always)]
    fn velocity(&self, from: &Cells, at: &[PathValues; 2]) -> [PathValues; 2] {
        let width = self.state.grid.width;
        let faces = [self.taps(0, from, at, false), self.taps(1, from, at, false)];
        let centred = [self.taps(0, from, at, true), self.taps(1, from, at, true)];
        let air = &self.state.air;
        [sample(&air.u, width + 1, &faces[0], &centred[1]), sample(&air.v, width, &centred[0], &faces[1])]
    }

    /// Places on an axis, between its faces or the middles of its cells.
    #[inline(always)]
    fn taps(&self, axis: usize, from: &Cells, at: &[PathValues; 2], centred: bool) -> Taps {
        let cells = [self.state.grid.width, self.state.grid.height][axis];
        let last = (if centred { cells - 1 } else { cells }) as i32;
        let (from, at) = (&from[axis], &at[axis]);
        if self.wraps[axis] { wrapped(from, at, last, centred) } else { Taps::new(from, at, last, centred) }
    }
}

/// Places between two values each of an axis: its faces, or the middles of its cells.
struct Taps {
    low: [i32; LANES],
    high: [i32; LANES],
    /// From the cell to the lower one.
    offset: [i32; LANES],
    share: PathValues,
}

impl Taps {
    /// At offsets from cells, on an axis whose values end with number `last`.
    #[inline(always)]
    fn new(from: &[i32; LANES], offset: &PathValues, last: i32, centred: bool) -> Self {
        let after = if centred { 0.0 } else { 0.5 };
        let mut found = Taps { low: [0; LANES], high: [0; LANES], offset: [0; LANES], share: [0.0; LANES] };
        for lane in 0..LANES {
            let cell = from[lane];
            let place = (offset[lane] + after).max((-cell) as f32).min((last - cell) as f32);
            let low = (cell + floor_to_integer(place)).min(last - 1).max(0);
            found.low[lane] = low;
            found.high[lane] = (low + 1).min(last);
            found.offset[lane] = low - cell;
            found.share[lane] = place - (low - cell) as f32;
        }
        found
    }
}

/// As [`Between::new`], where what leaves the axis at one end comes in at the other.
#[inline(always)]
fn wrapped(from: &[i32; LANES], offset: &PathValues, last: i32, centred: bool) -> Taps {
    let (after, cells) = if centred { (0.0, last + 1) } else { (0.5, last) };
    let mut found = Taps { low: [0; LANES], high: [0; LANES], offset: [0; LANES], share: [0.0; LANES] };
    for lane in 0..LANES {
        let place = (offset[lane] + after).clamp(-DISPLACEMENT_MAX, DISPLACEMENT_MAX);
        let low = (from[lane] + floor_to_integer(place)).rem_euclid(cells);
        found.low[lane] = low;
        found.high[lane] = if low == last { 0 } else { low + 1 };
        found.offset[lane] = low - from[lane];
        found.share[lane] = place - floor_to_integer(place) as f32;
    }
    found
}

/// The greatest whole number that is at most this, which is within ±2²²: a conversion of its own would be done one by one.
#[inline(always)]
fn floor_to_integer(place: f32) -> i32 {
    let near = place + ROUND_TO_INTEGER;
    let number = near.to_bits().wrapping_sub(ROUND_TO_INTEGER.to_bits()) as i32;
    number - i32::from(near - ROUND_TO_INTEGER > place)
}

/// Where one comes from places with a velocity over a share of a time.
#[inline(always)]
fn advanced(at: &[PathValues; 2], velocity: &[PathValues; 2], dt: &PathValues, share: f32) -> [PathValues; 2] {
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
fn sample(plane: &[f32], row: usize, x: &Taps, y: &Taps) -> PathValues {
    let mut around = [[0.0; LANES]; 4];
    // In most winds cells side by side come from places side by side: most often all of them, if not, then every four.
    if !load_contiguous::<LANES, { LANES + 1 }>(plane, row, [x, y], 0, &mut around) {
        for first in (0..LANES).step_by(4) {
            if !load_contiguous::<4, 5>(plane, row, [x, y], first, &mut around) {
                let [a, b, c, d] = &mut around;
                for lane in first..first + 4 {
                    let (below, above) = (y.low[lane] as usize * row, y.high[lane] as usize * row);
                    let (left, right) = (x.low[lane] as usize, x.high[lane] as usize);
                    (a[lane], b[lane]) = (plane[below + left], plane[below + right]);
                    (c[lane], d[lane]) = (plane[above + left], plane[above + right]);
                }
            }
        }
    }
    let [a, b, c, d] = around;
    let mut values = [0.0; LANES];
    for lane in 0..LANES {
        let (left, right) = (1.0 - x.share[lane], x.share[lane]);
        let below = a[lane] * left + b[lane] * right;
        let above = c[lane] * left + d[lane] * right;
        values[lane] = below * (1.0 - y.share[lane]) + above * y.share[lane];
    }
    values
}

/// What is around `N` paths from number `first` on, if their places are side by side; `M` is one more. Says whether they are.
#[inline(always)]
fn load_contiguous<const N: usize, const M: usize>(
    plane: &[f32],
    row: usize,
    [x, y]: [&Taps; 2],
    first: usize,
    around: &mut [PathValues; 4],
) -> bool {
    let mut off = 0;
    for lane in first..first + N {
        off |= (x.offset[lane] ^ x.offset[first]) | (y.offset[lane] ^ y.offset[first]);
    }
    let last = first + N - 1;
    off |= (x.low[last] - x.low[first]) ^ (last - first) as i32;
    off |= (x.high[last] - x.low[last]) ^ 1;
    let (left, below, above) = (x.low[first] as usize, y.low[first] as usize * row, y.high[first] as usize * row);
    let rows = [below, above].map(|start| plane[start + left..].first_chunk::<M>());
    let ([Some(low), Some(high)], 0) = (rows, off) else { return false };
    let [a, b, c, d] = around.each_mut().map(|lane| &mut lane[first..first + N]);
    a.copy_from_slice(&low[..N]);
    b.copy_from_slice(&low[1..]);
    c.copy_from_slice(&high[..N]);
    d.copy_from_slice(&high[1..]);
    true
}
