//! Pathlines: displacements of the contents of cells within a frame, forward and backward in time.

use super::quantities::finite;
use super::settings::Boundary;
use super::state::State;

/// Largest number of integration steps of a pathline.
const STEPS_MAX: f32 = 16.0;

/// Largest displacement along a wrapped axis, cells; beyond it `f32` cannot resolve a fraction of a cell.
const DISPLACEMENT_MAX: f32 = 1e6;

/// 3 · 2²². Adding it to a number within ±2²² rounds the number to an integer, which the low bits of the sum have.
const ROUND_TO_INTEGER: f32 = 12_582_912.0;

/// Number of pathlines that are integrated at once, in vectors.
const LANES: usize = 16;

/// A number per pathline. Positions are offsets from the centres of the cells, whose precision does not depend on the
/// size of the grid.
type PathValues = [f32; LANES];

/// Integrator of pathlines through the velocity of a state, taken as constant over a frame.
pub struct Pathlines<'a> {
    state: &'a State,
    /// Simulated frames per frame.
    time: f64,
    wraps: [bool; 2],
}

/// Columns and rows of the cells in which the pathlines start.
type Cells = [[i32; LANES]; 2];

impl<'a> Pathlines<'a> {
    /// Pathlines of a state over `time` simulated frames.
    pub fn new(state: &'a State, time: f64) -> Self {
        Self { state, time, wraps: [state.edges[0] == Boundary::Wrap, state.edges[2] == Boundary::Wrap] }
    }

    /// Writes the motion of a run of cells in row `y`, from column `x` on: the displacement over the next frame and
    /// back over the last one, x and y of each, in full-resolution pixels. A solid moves along a straight line. Beyond
    /// the grid the velocity at its border continues.
    #[inline(always)]
    pub fn motion(&self, x: usize, y: usize, out: &mut [[f32; 4]]) {
        let pixels = 1.0 / self.state.grid.cells_per_pixel;
        let time = self.time as f32;
        for (chunk, out) in out.chunks_mut(LANES).enumerate() {
            let x = x + chunk * LANES;
            // Unused lanes repeat the last cell.
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
                // Not read.
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

    /// Displacements of cells over `time`, backward where it is negative: fourth-order Runge-Kutta, in steps of at most
    /// two cells unless [`STEPS_MAX`] limits them.
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
                    // A pathline with fewer steps keeps its last position.
                    at[axis][lane] = if step < steps[lane] { next[axis][lane] } else { at[axis][lane] };
                }
            }
        }
        at
    }

    /// Velocity at offsets from cells, bilinear between faces.
    #[inline(always)]
    fn velocity(&self, from: &Cells, at: &[PathValues; 2]) -> [PathValues; 2] {
        let width = self.state.grid.width;
        let faces = [self.taps(0, from, at, false), self.taps(1, from, at, false)];
        let centred = [self.taps(0, from, at, true), self.taps(1, from, at, true)];
        let air = &self.state.air;
        [sample(&air.u, width + 1, &faces[0], &centred[1]), sample(&air.v, width, &centred[0], &faces[1])]
    }

    /// Taps along an axis, between its faces or its cell centres.
    #[inline(always)]
    fn taps(&self, axis: usize, from: &Cells, at: &[PathValues; 2], centred: bool) -> Taps {
        let cells = [self.state.grid.width, self.state.grid.height][axis];
        let last = (if centred { cells - 1 } else { cells }) as i32;
        let (from, at) = (&from[axis], &at[axis]);
        if self.wraps[axis] { wrapped(from, at, last, centred) } else { Taps::new(from, at, last, centred) }
    }
}

/// The two taps of each position along an axis: indices of the lower and the higher one, and the fraction.
struct Taps {
    low: [i32; LANES],
    high: [i32; LANES],
    /// Index of the lower tap minus that of the cell.
    offset: [i32; LANES],
    share: PathValues,
}

impl Taps {
    /// The taps at offsets from cells, on an axis whose last index is `last`.
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

/// As [`Taps::new`], on a wrapped axis.
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

/// The floor of a number within ±2²². Vectorises without an instruction for rounding.
#[inline(always)]
fn floor_to_integer(place: f32) -> i32 {
    let near = place + ROUND_TO_INTEGER;
    let number = near.to_bits().wrapping_sub(ROUND_TO_INTEGER.to_bits()) as i32;
    number - i32::from(near - ROUND_TO_INTEGER > place)
}

/// Positions after a fraction of a time step.
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

/// Bilinear samples of a plane with `row` values per row.
#[inline(always)]
fn sample(plane: &[f32], row: usize, x: &Taps, y: &Taps) -> PathValues {
    let mut around = [[0.0; LANES]; 4];
    // Neighbouring cells mostly sample neighbouring positions: often all of them, else groups of four.
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

/// Loads the taps of `N` pathlines from number `first` on where their positions are contiguous, and returns whether
/// they are. `M` is `N + 1`.
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
