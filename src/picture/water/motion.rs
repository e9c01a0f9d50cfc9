//! Motion vectors: paths of the water over a frame, forward and backward.

use super::plane::Plane;
use crate::compute::cpu::Cpu;
use crate::picture::layers::Cells;
use crate::sim::water::State;

/// Most steps of a path.
const STEPS: f32 = 16.0;

/// The water's velocity, full-resolution pixels per frame in R and G.
pub struct Velocity<'a> {
    /// The water.
    pub state: &'a State,
    /// Steps that its frame took.
    pub steps: u32,
}

impl Cells for Velocity<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.velocity_cells(y, from, self.steps, out);
    }
}

/// Paths through the velocity of a state, which is taken to hold for a frame.
pub struct Motion {
    velocity: Plane<2>,
    cells_per_pixel: f32,
}

impl Motion {
    /// Paths in a state, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, velocity: &Velocity<'_>) -> Self {
        let state = velocity.state;
        let cells_per_pixel = state.grid().cells_per_pixel as f32;
        Self { velocity: Plane::new(cpu, state, velocity), cells_per_pixel }
    }

    /// Displacement in pixels along the path from the middle of a cell over a frame, `time` 1, or back over one, −1:
    /// midpoint method with steps of at most two cells.
    fn path(&self, x: usize, y: usize, start: [f32; 2], time: f32) -> [f32; 2] {
        let fastest = start[0].abs().max(start[1].abs()) * self.cells_per_pixel;
        let steps = (fastest / 2.0).ceil().clamp(1.0, STEPS);
        let dt = time / steps;
        let mut way = [0.0; 2];
        let velocity =
            |way: [f32; 2]| self.velocity.at(x, y, way[0] * self.cells_per_pixel, way[1] * self.cells_per_pixel);
        let on = |way: [f32; 2], velocity: [f32; 2], dt: f32| [way[0] + velocity[0] * dt, way[1] + velocity[1] * dt];
        for _ in 0..steps as usize {
            let half = velocity(on(way, velocity(way), dt * 0.5));
            way = on(way, half, dt);
        }
        way
    }
}

impl Cells for Motion {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        for (x, pixel) in (from..).zip(out) {
            let start = self.velocity.at(x, y, 0.0, 0.0);
            *pixel = [0.0; 4];
            if start != [0.0; 2] {
                let [forward, backward] = [1.0, -1.0].map(|time| self.path(x, y, start, time));
                *pixel = [forward[0], forward[1], backward[0], backward[1]];
            }
        }
    }
}
