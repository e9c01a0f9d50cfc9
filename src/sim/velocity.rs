//! How fast the water moves.

use super::settings::Model;
use super::state::State;
use super::walls::PIPES;

impl State {
    /// Row `y` of the velocity in full-resolution pixels per frame: R to the right, G up, B and A 0. The mean of what flows
    /// through a cell's two sides (diagonal pipes count in both directions) by its height; 0 where it is not wet. `steps`:
    /// how many the frame took. At most one cell per step: no water moves faster.
    pub fn velocity_row(&self, y: usize, steps: u32, out: &mut [[f32; 4]]) {
        let flow = &self.water().flow;
        let heights = &self.water().height.row(y + 1, 0)[1..];
        let floor = self.wet_limit();
        let per_frame = f64::from(steps) / self.grid.cells_per_pixel;
        let signed = |x: usize, y: usize, pipe: usize| {
            let ahead = f64::from(flow.row(y, pipe)[x]);
            match self.model {
                Model::Pipes => ahead,
                Model::Classic => ahead - f64::from(flow.row(y, pipe + 4)[x]),
            }
        };
        for (x, pixel) in out.iter_mut().take(self.grid.width).enumerate() {
            *pixel = [0.0; 4];
            let h = heights[x];
            if h < floor {
                continue;
            }
            let mut through = [0.0; 2];
            for (pipe, (dx, dy)) in PIPES.into_iter().enumerate() {
                // The pipe that the cell owns, and the same one behind it.
                let (bx, by) = ((x + 1).wrapping_add_signed(-dx), (y + 1).wrapping_add_signed(-dy));
                let mean = f64::midpoint(signed(x + 1, y + 1, pipe), signed(bx, by, pipe));
                through[0] += mean * dx as f64;
                through[1] += mean * dy as f64;
            }
            let [vx, vy] = through.map(|flow| (flow / f64::from(h)).clamp(-1.0, 1.0) * per_frame);
            *pixel = [vx as f32, vy as f32, 0.0, 0.0];
        }
    }
}
