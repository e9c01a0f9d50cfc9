//! Velocity of the water.

use super::domain::PIPES;
use super::ripples;
use super::settings::Model;
use super::state::State;

/// Cells at a time.
const CHUNK: usize = 256;

impl State {
    /// Row `y` of the velocity in full-resolution pixels per frame: R to the right, G up, B and A 0. The mean of what
    /// flows through a cell's two sides (diagonal pipes count in both directions) by its height (in Ripples, at least
    /// half the level at rest); 0 where it is not wet. `steps`: how many the frame took. At most one cell per step: no
    /// water moves faster.
    pub fn velocity_row(&self, y: usize, steps: u32, out: &mut [[f32; 4]]) {
        self.velocity_cells(y, 0, steps, out);
    }

    /// [`State::velocity_row`] from column `from` on.
    #[inline(always)]
    pub fn velocity_cells(&self, y: usize, from: usize, steps: u32, out: &mut [[f32; 4]]) {
        let Some(out) = self.within(y, from, out) else { return };
        let water = self.water();
        let heights = &water.height.row(y + 1, 0)[from + 1..];
        let floor = self.wet_limit();
        let depth = |stored: i32| match self.model {
            Model::Ripples => ripples::depth(stored, self.rest_level),
            Model::Pipes | Model::Classic | Model::ShallowWater => f64::from(stored.max(floor)),
        };
        let per_frame = f64::from(steps) / self.grid.cells_per_pixel;
        for (i, (out, heights)) in out.chunks_mut(CHUNK).zip(heights.chunks(CHUNK)).enumerate() {
            let (from, count) = (from + 1 + i * CHUNK, out.len());
            let mut through = [[0.0; 2]; CHUNK];
            for (pipe, (dx, dy)) in PIPES.into_iter().enumerate() {
                // The pipe that the cell owns, and the same one behind it.
                let own = |pipe| &water.flow.row(y + 1, pipe)[from..][..count];
                let behind = |pipe| {
                    let row = water.flow.row((y + 1).wrapping_add_signed(-dy), pipe);
                    &row[from.wrapping_add_signed(-dx)..][..count]
                };
                let mut add = |at: usize, sum: f64| {
                    let mean = sum * 0.5;
                    through[at][0] += mean * dx as f64;
                    through[at][1] += mean * dy as f64;
                };
                let (a, b) = (own(pipe), behind(pipe));
                match self.model {
                    Model::Pipes | Model::ShallowWater | Model::Ripples => {
                        (0..count).for_each(|at| add(at, f64::from(a[at]) + f64::from(b[at])))
                    }
                    Model::Classic => {
                        let (a_back, b_back) = (own(pipe + 4), behind(pipe + 4));
                        let signed = |ahead: i32, back: i32| f64::from(ahead) - f64::from(back);
                        (0..count).for_each(|at| add(at, signed(a[at], a_back[at]) + signed(b[at], b_back[at])));
                    }
                }
            }
            for ((pixel, through), &h) in out.iter_mut().zip(&through).zip(heights) {
                let [vx, vy] = through.map(|flow| {
                    let share = (flow / depth(h)).clamp(-1.0, 1.0);
                    (if h < floor { 0.0 } else { share * per_frame }) as f32
                });
                *pixel = [vx, vy, 0.0, 0.0];
            }
        }
    }
}
