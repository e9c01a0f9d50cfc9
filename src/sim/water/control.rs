//! Control maps: shares of speed, damping and smoothing from a picture, and absorbing edges.

use super::amounts::Basis;
use super::buffers::StateBuffers;
use super::field::Field;
use super::fixed_point::{WHOLE, units_per_height};
use super::plan::{RowCounts, control};
use super::settings::{Constants, Edges, Model, Settings};
use super::state::{Spec, wet_limit};
use super::time_step::{TimeSteps, cells_per_pixel};
use crate::sim::inputs::Pixels;
use crate::sim::maths::clamp;

/// Strength of an absorbing edge: a wave that runs to the wall and back keeps exp(−4 · `STRENGTH` · (ln(1 / `SOFT`) −
/// 1)) of its height.
const STRENGTH: f64 = 1.3;
/// Bound of the strength at the wall, as a share of the width.
const SOFT: f64 = 0.03;

/// The absorbing layer along an edge.
///
/// The damping grows with the inverse of the distance to the wall, as in a matched layer: waves up to 1.5 times as long
/// as the layer is wide return with less than 2 % of their height. Water is not removed, and may stand there.
pub(super) struct Sponge {
    sides: [bool; 4],
    /// Width of the layer, cells.
    width: f64,
    /// Share of the flow lost per step, at a distance of one width.
    loss: f64,
}

impl Sponge {
    /// The layer of a frame; `None` where no side absorbs.
    pub fn new(spec: &Spec, settings: &Settings, time_steps: &TimeSteps, before: &StateBuffers) -> Option<Sponge> {
        let Constants { absorb, edges, .. } = spec.constants;
        let width = clamp(settings.absorb_width, 0.0, 1e6) * cells_per_pixel(spec);
        if edges == Edges::Wrap || absorb == [false; 4] || width < 1.0 {
            return None;
        }
        // Wave speed, cells per step.
        let speed = match spec.constants.model {
            Model::Pipes => libm::sqrt(time_steps.k * (1.0 + 2.0 * time_steps.diagonal_weight)),
            Model::Classic => libm::sqrt(6.0 * time_steps.k),
            Model::Ripples => libm::sqrt(time_steps.push),
            Model::ShallowWater => {
                let units = units_per_height(spec.constants.max_height);
                let cells = before.wet(wet_limit(units)).max(1) as f64;
                libm::sqrt(time_steps.gravity * before.water_units() as f64 / units / cells)
            }
        };
        Some(Sponge { sides: absorb, width, loss: 2.0 * STRENGTH * speed / width })
    }

    /// Share of a flow that a step leaves, at a distance from the wall in cells.
    fn left(&self, distance: f64) -> f64 {
        let near = (distance / self.width).min(1.0);
        1.0 / (1.0 + self.loss * (1.0 / (near + SOFT) - 1.0 / (1.0 + SOFT)))
    }

    /// Shares that the layers at the two ends of an axis leave, cell by cell.
    fn axis(&self, cells: usize, [low, high]: [bool; 2]) -> Vec<f64> {
        let end = |absorbs: bool, distance: f64| if absorbs { self.left(distance) } else { 1.0 };
        (0..cells).map(|at| end(low, at as f64 + 0.5) * end(high, (cells - at) as f64 - 0.5)).collect()
    }
}

/// The control maps of a frame, and the number of bad pixels.
pub(super) struct Shares {
    pub field: Option<Field>,
    pub bad: u64,
}

/// Makes the control maps of a frame.
pub(super) fn shares(basis: &Basis<'_>, spec: &Spec, picture: Option<&Pixels>, sponge: Option<&Sponge>) -> Shares {
    if picture.is_none() && sponge.is_none() {
        return Shares { field: None, bad: 0 };
    }
    let (width, height) = (basis.width, basis.height);
    let [left, bottom, right, top] = sponge.map_or([false; 4], |sponge| sponge.sides);
    let along = |cells: usize, ends: [bool; 2]| sponge.map_or(vec![1.0; cells], |sponge| sponge.axis(cells, ends));
    let (columns, rows) = (along(width, [left, right]), along(height, [bottom, top]));
    let mut field = basis.field(control::PLANES);
    let stride = field.stride();
    let [bad, ..] = basis.device.rows(&mut field, &|y, row| {
        let mut counts = RowCounts::default();
        for x in 0..width {
            let [mut speed, mut damping, mut smoothing] = [1.0; 3];
            if let Some(picture) = picture {
                let pixel = picture.get(y * width + x).copied().unwrap_or_default();
                counts[0] += u64::from(pixel[..3].iter().any(|c| !c.is_finite()));
                [speed, damping, smoothing] = [pixel[0], pixel[1], pixel[2]].map(masked);
            }
            for (plane, share) in [
                (control::PULL, speed * speed),
                (control::LOSS, damping),
                (control::REST, columns[x] * rows[y]),
                (control::SMOOTHING, smoothing),
            ] {
                row[plane * stride + x + 1] = libm::floor(share * f64::from(WHOLE) + 0.5) as i32;
            }
        }
        counts
    });
    if spec.constants.edges == Edges::Wrap {
        field.wrap_ring();
    } else {
        field.continue_ring();
    }
    Shares { field: Some(field), bad }
}

/// A value clamped to 0 … 1; 0 for NaN and infinities.
fn masked(value: f32) -> f64 {
    if value.is_finite() { f64::from(value).clamp(0.0, 1.0) } else { 0.0 }
}
