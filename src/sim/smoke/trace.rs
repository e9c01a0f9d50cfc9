//! Where the content of a cell goes within a frame, and where it came from.

use super::layers::finite;
use super::settings::Side;
use super::state::State;

/// Most steps of a path.
const STEPS: f64 = 16.0;

/// Paths through the velocity of a state, which is taken to hold for a frame.
pub struct Trace<'a> {
    state: &'a State,
    wraps: [bool; 2],
}

impl<'a> Trace<'a> {
    /// Of this state.
    pub fn new(state: &'a State) -> Self {
        Self { state, wraps: [state.edges[0] == Side::Wrap, state.edges[2] == Side::Wrap] }
    }

    /// From the middle of a cell to where its content is a frame on, and to where it was a frame ago: x and y of each, in
    /// full-resolution pixels. A solid moves straight on. Beyond the grid the velocity of its border goes on.
    pub fn motion(&self, x: usize, y: usize) -> [f32; 4] {
        let start = self.state.velocity(x, y);
        let pixels = 1.0 / self.state.grid.cells_per_pixel;
        let still = start == [0.0; 2];
        let [forward, backward] = if still || self.state.is_solid(x, y) {
            let [u, v] = start.map(f64::from);
            [[u, v], [-u, -v]]
        } else {
            let from = [x as f64 + 0.5, y as f64 + 0.5];
            [self.path(from, start, 1.0), self.path(from, start, -1.0)]
        };
        [forward[0], forward[1], backward[0], backward[1]].map(|cells| finite(cells * pixels))
    }

    /// The way from a place over a frame, `time` 1, or back over one, −1: Runge-Kutta of fourth order, two cells a step or
    /// less, so that a path that turns ends where it should.
    fn path(&self, from: [f64; 2], velocity: [f32; 2], time: f64) -> [f64; 2] {
        let fastest = f64::from(velocity[0].abs().max(velocity[1].abs()));
        let steps = (fastest / 2.0).ceil().clamp(1.0, STEPS);
        let dt = time / steps;
        let mut at = from;
        let mut here = velocity.map(f64::from);
        for step in 0..steps as usize {
            if step > 0 {
                here = self.velocity(at);
            }
            let on = |velocity: [f64; 2], dt: f64| [at[0] + velocity[0] * dt, at[1] + velocity[1] * dt];
            let half = self.velocity(on(here, dt / 2.0));
            let again = self.velocity(on(half, dt / 2.0));
            let end = self.velocity(on(again, dt));
            let mean = [0, 1].map(|axis| (here[axis] + 2.0 * (half[axis] + again[axis]) + end[axis]) / 6.0);
            at = on(mean, dt);
        }
        [at[0] - from[0], at[1] - from[1]]
    }

    /// The velocity of the air at a place, in cells, bilinear between faces.
    fn velocity(&self, at: [f64; 2]) -> [f64; 2] {
        let (width, height) = (self.state.grid.width, self.state.grid.height);
        let [x, y] = at;
        let faces = [self.between(x, width, 0, false), self.between(y, height, 1, false)];
        let middles = [self.between(x - 0.5, width, 0, true), self.between(y - 0.5, height, 1, true)];
        let sample = |plane: &[f32], row: usize, x: Between, y: Between| {
            let at = |x: usize, y: usize| f64::from(plane[y * row + x]);
            let below = at(x.low, y.low) * (1.0 - x.share) + at(x.high, y.low) * x.share;
            let above = at(x.low, y.high) * (1.0 - x.share) + at(x.high, y.high) * x.share;
            below * (1.0 - y.share) + above * y.share
        };
        let air = &self.state.air;
        [sample(&air.u, width + 1, faces[0], middles[1]), sample(&air.v, width, middles[0], faces[1])]
    }

    /// Between which values of an axis of `cells` cells a place lies: its faces, or the middles of its cells, of which the
    /// first is at 0.
    fn between(&self, place: f64, cells: usize, axis: usize, middles: bool) -> Between {
        let count = cells as f64;
        if self.wraps[axis] {
            let place = place.rem_euclid(count);
            let low = (place as usize).min(cells - 1);
            let high = if middles { (low + 1) % cells } else { low + 1 };
            return Between { low, high, share: place - low as f64 };
        }
        let last = if middles { cells - 1 } else { cells };
        let place = place.clamp(0.0, last as f64);
        let low = (place as usize).min(last.saturating_sub(1));
        Between { low, high: (low + 1).min(last), share: place - low as f64 }
    }
}

/// A place between two values.
#[derive(Clone, Copy)]
struct Between {
    low: usize,
    high: usize,
    share: f64,
}
