//! Goal velocities: a goal picture or setting, and moving obstacles that drag the water beside them.
//!
//! Once per frame, before its steps, every flow moves a share of the way towards the flow of water of its depth at the
//! goal velocity. All other forces act within the frame, so a goal steers the water but does not freeze it.

use super::displace;
use super::domain::PIPES;
use super::fixed_point::FLOW_MAX;
use super::plan::{SPEEDS, Water};
use super::ripples;
use super::settings::{Edges, Model, Settings};
use super::shallow::SPEED_ONE;
use super::time_step::TimeSteps;
use crate::sim::inputs::Pixels;
use crate::sim::maths::clamp;
use crate::sim::request;

/// Distance within which obstacles drag water, full-resolution pixels.
const NEAR: f64 = 3.0;

/// Resolution of the obstacles' velocities in the sums, parts of a cell per frame.
const PARTS: f64 = 1_048_576.0;

/// A goal velocity in cells per frame, and the share of the way to it per frame.
#[derive(Clone, Copy, Default)]
struct Pull {
    velocity: [f64; 2],
    share: f64,
}

/// The goal velocities of a frame.
pub(super) struct Goal {
    width: usize,
    height: usize,
    wraps: bool,
    pulls: Vec<Pull>,
}

/// The grid of a goal.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Columns and rows.
    pub size: [usize; 2],
    pub edges: Edges,
    /// Cells per full-resolution pixel.
    pub scale: f64,
}

impl Goal {
    /// Goals of a frame of length `time`, and the number of bad pixels; `None` where nothing is drawn. `picture`: red
    /// and green are the velocity in full-resolution pixels per frame. `solid`: the obstacles of the frame before and
    /// of this one, where they differ.
    pub fn new(
        place: Place,
        settings: &Settings,
        time: f64,
        picture: Option<&Pixels>,
        solid: Option<[&[bool]; 2]>,
    ) -> (Option<Goal>, u64) {
        let [width, height] = place.size;
        let over = |strength: f64| 1.0 - libm::pow(1.0 - clamp(strength, 0.0, 1.0), time);
        let (share, drag) = (over(settings.goal_strength), over(settings.obstacle_drag));
        let mut bad = 0;
        let mut pulls: Vec<Pull> = Vec::new();
        if share > 0.0 {
            let even = settings.goal_velocity.map(finite);
            pulls = request::collected((0..width * height).map(|cell| {
                let own = picture.map_or([0.0; 2], |picture| {
                    let pixel = picture.get(cell).copied().unwrap_or_default();
                    bad += u64::from(pixel[..2].iter().any(|v| !v.is_finite()));
                    [finite(f64::from(pixel[0])), finite(f64::from(pixel[1]))]
                });
                Pull { velocity: [0, 1].map(|axis| (even[axis] + own[axis]) * place.scale), share }
            }));
        }
        if let Some([before, now]) = solid.filter(|_| drag > 0.0) {
            let reach = libm::ceil(NEAR * place.scale).clamp(1.0, 64.0) as usize;
            // Integer sums do not depend on the order of the components.
            let mut sums = request::zeros::<[i64; 3]>(width * height);
            for (cells, velocity) in displace::moved(place.size, place.edges, before, now, reach) {
                let [x, y] = velocity.map(|v| whole(v * PARTS) as i64);
                for cell in cells {
                    let [sum_x, sum_y, count] = sums[cell];
                    sums[cell] = [sum_x + x, sum_y + y, count + 1];
                }
            }
            if pulls.is_empty() && sums.iter().any(|sum| sum[2] > 0) {
                pulls = request::filled(width * height, Pull::default());
            }
            for (pull, [x, y, count]) in pulls.iter_mut().zip(sums).filter(|(_, sum)| sum[2] > 0) {
                let velocity = [x, y].map(|sum| sum as f64 / (PARTS * count as f64));
                let both = pull.share + drag;
                let mean = [0, 1].map(|at| (pull.velocity[at] * pull.share + velocity[at] * drag) / both);
                *pull = Pull { velocity: mean, share: both.min(1.0) };
            }
        }
        let goal = Goal { width, height, wraps: place.edges == Edges::Wrap, pulls };
        ((!goal.pulls.is_empty()).then_some(goal), bad)
    }

    /// The water with its flows, of a step of length `dt`, drawn towards the goals of a frame of length `time`.
    /// `rest_level`: that of Ripples.
    pub fn drawn(
        &self,
        water: &Water,
        (model, rest_level): (Model, f64),
        time_steps: &TimeSteps,
        dt: f64,
        time: f64,
    ) -> Water {
        let mut water = water.clone();
        let per_step = dt / time;
        let Water { height, flow, .. } = &mut water;
        let depth = |[x, y]: [usize; 2]| match model {
            Model::Ripples => ripples::depth(height.at(x, y, 0), rest_level),
            Model::Pipes | Model::Classic | Model::ShallowWater => f64::from(height.at(x, y, 0)),
        };
        // Weights of cross and diagonal pipes, whose transport adds up to depth times velocity.
        let diagonal = match model {
            Model::Pipes | Model::Ripples => time_steps.diagonal_weight,
            Model::Classic => 1.0,
            Model::ShallowWater => 0.0,
        };
        let weights = [1.0, diagonal].map(|weight| weight / (1.0 + 2.0 * diagonal));
        let pipes = if model == Model::ShallowWater { 2 } else { 4 };
        for y in 0..self.height {
            for x in 0..self.width {
                for (pipe, &(dx, dy)) in PIPES[..pipes].iter().enumerate() {
                    let Some(far) = self.ahead([x, y], [dx, dy]) else { continue };
                    let [own, other] = [self.pulls[y * self.width + x], self.pulls[far[1] * self.width + far[0]]];
                    let shares = own.share + other.share;
                    if shares == 0.0 {
                        continue;
                    }
                    let mean = [0, 1]
                        .map(|axis| (own.velocity[axis] * own.share + other.velocity[axis] * other.share) / shares);
                    let speed = (mean[0] * dx as f64 + mean[1] * dy as f64) * per_step;
                    let share = shares / 2.0;
                    let depth = (depth([x, y]) + depth(far)) / 2.0;
                    let wanted = speed * depth * weights[usize::from(pipe >= 2)];
                    let mut draw = |plane: usize, wanted: f64, range: [f64; 2]| {
                        let at = flow.at(x, y, plane);
                        let drawn = f64::from(at) + (wanted.clamp(range[0], range[1]) - f64::from(at)) * share;
                        flow.set(x, y, plane, whole(drawn) as i32);
                    };
                    let most = f64::from(FLOW_MAX);
                    match model {
                        Model::Pipes | Model::Ripples => draw(pipe, wanted, [-most, most]),
                        Model::Classic => {
                            draw(pipe, wanted, [0.0, most]);
                            draw(pipe + 4, -wanted, [0.0, most]);
                        }
                        Model::ShallowWater => {
                            draw(pipe, wanted, [-most, most]);
                            let one = f64::from(SPEED_ONE);
                            draw(SPEEDS[pipe], speed * one, [-one, one]);
                        }
                    }
                }
            }
        }
        if self.wraps {
            flow.wrap_ring();
        }
        water
    }

    /// The cell at the far end of a pipe; `None` beyond the border.
    fn ahead(&self, [x, y]: [usize; 2], [dx, dy]: [isize; 2]) -> Option<[usize; 2]> {
        let axis = |at: usize, by: isize, count: usize| match at.checked_add_signed(by) {
            Some(at) if at < count => Some(at),
            _ if self.wraps => Some((at + count).wrapping_add_signed(by) % count),
            _ => None,
        };
        Some([axis(x, dx, self.width)?, axis(y, dy, self.height)?])
    }
}

/// The nearest integer, halves away from zero, so that a mirrored scene stays mirrored.
fn whole(value: f64) -> f64 {
    let size = libm::floor(value.abs() + 0.5);
    if value < 0.0 { -size } else { size }
}

/// A velocity; 0 where it is no finite number.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-1e6, 1e6) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;

    #[test]
    fn water_of_one_depth_comes_to_flow_at_the_goal() {
        for model in [Model::Pipes, Model::Classic, Model::ShallowWater] {
            let size = [6, 5];
            let place = Place { size, edges: Edges::Wrap, scale: 1.0 };
            let settings = Settings { goal_strength: 1.0, goal_velocity: [0.5, -0.25], ..Settings::IDLE };
            let goal = Goal::new(place, &settings, 1.0, None, None).0.expect("a goal");
            let mut height = Field::new(6, 5, 1);
            (0..30).for_each(|i| height.set(i % 6, i / 6, 0, 1 << 20));
            let planes = super::super::plan::flow_planes(model);
            let water = Water { height, flow: Field::new(6, 5, planes), pigment: None };
            let time_steps = TimeSteps { diagonal_weight: 0.25, ..TimeSteps::STILL };
            let drawn = goal.drawn(&water, (model, 0.0), &time_steps, 0.5, 1.0);
            let back = |plane: usize| if model == Model::Classic { drawn.flow.at(2, 2, plane + 4) } else { 0 };
            let q = [0, 1, 2, 3].map(|plane| f64::from(drawn.flow.at(2, 2, plane) - back(plane)) / f64::from(1 << 20));
            let through = [q[0] + q[2] - q[3], q[1] + q[2] + q[3]];
            assert!((through[0] - 0.25).abs() < 1e-5 && (through[1] + 0.125).abs() < 1e-5, "{model:?}: {through:?}");
        }
    }
}
