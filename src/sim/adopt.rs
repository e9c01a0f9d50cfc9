//! The layers of an image as the start of a simulation: what another tool, or the original of this node, has written.

use std::sync::Arc;

use super::amounts::pigment;
use super::body::Body;
use super::field::Field;
use super::fixed::{FLOW_MAX, HEIGHT_MAX, to_units};
use super::frame::Scene;
use super::inputs::{Inputs, Pixels};
use super::program::{Device, SPEEDS, Water, flow_planes};
use super::settings::{Edges, Model, Settings};
use super::shallow::SPEED_ONE;
use super::state::{Ledger, Notices, Spec, State};
use super::walls::{CLOSED, OUTSIDE, PIPES};

/// Layers of an image as large as the grid, one value per cell, row 0 lowest.
#[derive(Clone, Debug, Default)]
pub struct Adopted {
    /// RGB the water's colour, straight; A its height.
    pub water: Pixels,
    /// Flow in one frame to the left, up, right, down; without it there is none.
    pub cross: Option<Pixels>,
    /// Flow in one frame to the upper left, upper right, lower right, lower left.
    pub diagonal: Option<Pixels>,
}

/// Where the flow along each pipe (E, N, NE, NW) stands in the layers: whether in the diagonal one, its channel at the
/// owner, and the channel of the flow back at the neighbour.
const CHANNELS: [(bool, usize, usize); 4] = [(false, 2, 0), (false, 1, 3), (true, 1, 3), (true, 0, 2)];

/// The state that layers show, on the ground and among the walls of `inputs`. Values that are no finite number count as 0
/// and are told as bad pixels of the source.
pub fn adopt(
    spec: &Spec,
    settings: &Settings,
    inputs: &Inputs,
    layers: &Adopted,
    device: &dyn Device,
) -> (State, Notices) {
    let scene = Scene::new(spec, None, settings, inputs, device);
    let mut told = Notices::default();
    let mut height = scene.field(1);
    let mut colours = scene.field(3);
    let (columns, rows) = (height.width(), height.height());
    let cell = |x: usize, y: usize| y * columns + x;
    let solid = |at: usize| scene.walls.solid().is_some_and(|solid| solid[at]);
    for y in 0..rows {
        for x in 0..columns {
            let Some(pixel) = layers.water.get(cell(x, y)).filter(|_| !solid(cell(x, y))) else { continue };
            let [r, g, b, a] = pixel.map(f64::from);
            let Some(h) = to_units(a, scene.units, 0, HEIGHT_MAX) else {
                told.bad_pixels.source += 1;
                continue;
            };
            height.set(x, y, 0, h);
            for (channel, colour) in [r, g, b].into_iter().enumerate() {
                let colour = if colour.is_finite() { colour } else { 0.0 };
                colours.set(x, y, channel, pigment(h, colour, scene.colour_range));
            }
        }
    }
    let flow = flows(spec, &scene, layers, &height);
    let water = Water { height, flow, pigment: (!colours.is_zero()).then_some(colours) };
    let ledger = Ledger { start: water.totals(), ..Ledger::default() };
    let bad = told.bad_pixels.source;
    scene.count_bad(&mut told);
    told.bad_pixels.source = bad;
    // The layers hold what flows in one frame of one step.
    (scene.state(Arc::new(Body::new(water)), 1.0, ledger), told)
}

/// The flow along each open pipe inside the grid.
fn flows(spec: &Spec, scene: &Scene<'_>, layers: &Adopted, height: &Field) -> Field {
    let model = spec.constants.model;
    let mut flow = scene.field(flow_planes(model));
    let (columns, rows) = (flow.width(), flow.height());
    let leaving = |diagonal: bool, channel: usize, x: usize, y: usize| {
        let layer = if diagonal { &layers.diagonal } else { &layers.cross };
        let value = layer.as_ref().and_then(|pixels| pixels.get(y * columns + x)).map_or(0.0, |pixel| pixel[channel]);
        to_units(f64::from(value), scene.units, 0, FLOW_MAX).unwrap_or(0)
    };
    let wraps = spec.constants.edges == Edges::Wrap;
    let step = |at: usize, by: isize, count: usize| match at.checked_add_signed(by) {
        Some(next) if next < count => Some(next),
        _ if wraps => Some((at + count).wrapping_add_signed(by) % count),
        _ => None,
    };
    for y in 0..rows {
        for x in 0..columns {
            for (pipe, ((dx, dy), (diagonal, ahead, back))) in PIPES.into_iter().zip(CHANNELS).enumerate() {
                let code = scene.walls.codes(y + 1)[x + 1] >> (4 * pipe) & 15;
                let (Some(nx), Some(ny)) = (step(x, dx, columns), step(y, dy, rows)) else { continue };
                if code & 7 == CLOSED || code & OUTSIDE != 0 {
                    continue;
                }
                let [ahead, back] = [leaving(diagonal, ahead, x, y), leaving(diagonal, back, nx, ny)];
                match model {
                    Model::Pipes => flow.set(x, y, pipe, ahead - back),
                    Model::ShallowWater if diagonal => {}
                    Model::ShallowWater => {
                        let q = ahead - back;
                        let depth = height.at(if q > 0 { x } else { nx }, if q > 0 { y } else { ny }, 0).max(1);
                        let speed = i64::from(q) * i64::from(SPEED_ONE) / i64::from(depth);
                        let speed = speed.clamp(-i64::from(SPEED_ONE), i64::from(SPEED_ONE)) as i32;
                        flow.set(x, y, pipe, q);
                        flow.set(x, y, SPEEDS[pipe], speed);
                    }
                    Model::Classic => {
                        flow.set(x, y, pipe, ahead);
                        flow.set(x, y, pipe + 4, back);
                    }
                }
            }
        }
    }
    if wraps {
        flow.wrap_ring();
    }
    flow
}
