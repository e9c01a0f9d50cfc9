//! A start from the layers of an image, written by this node, its original, or another tool.
//!
//! Flows are in height per frame of time scale 1, for any number of steps per frame; the model that starts from them
//! divides them by its own number of steps. In Ripples, heights are those above the level at rest and the level.

use std::sync::Arc;

use super::amounts::pigment;
use super::buffers::StateBuffers;
use super::depth_bounds::DepthBounds;
use super::domain::{CLOSED, PIPES};
use super::field::Field;
use super::fixed_point::{FLOW_MAX, HEIGHT_MAX, to_units};
use super::flows::FlowLayers;
use super::frame::Scene;
use super::inputs::Inputs;
use super::plan::{Device, SPEEDS, Water};
use super::ripples::{DEVIATION, REST};
use super::settings::{Edges, Model, Settings};
use super::state::{Diagnostics, Ledger, Spec, State, wet_limit};
use super::time_step::{TimeSteps, time_scale};
use crate::sim::inputs::Pixels;

/// Layers of an image of the size of the grid, one value per cell, row 0 lowest.
#[derive(Clone, Debug, Default)]
pub struct Adopted {
    /// RGB: the unpremultiplied colour of the water. A: its height.
    pub water: Pixels,
    /// Flows per frame; `None` for water at rest.
    pub flows: Option<FlowLayers>,
}

/// The state in the layers, over the terrain and among the obstacles of `inputs`. Values that are no finite number
/// count as 0 and as bad pixels of the source.
pub fn adopt(
    spec: &Spec,
    settings: &Settings,
    inputs: &Inputs,
    layers: &Adopted,
    device: &dyn Device,
) -> (State, Diagnostics) {
    let scene = Scene::new(spec, None, settings, inputs, device);
    let mut diagnostics = Diagnostics::default();
    let mut height = scene.field(1);
    let mut colours = scene.field(3);
    let (columns, rows) = (height.width(), height.height());
    let cell = |x: usize, y: usize| y * columns + x;
    let solid = |at: usize| scene.domain.solid().is_some_and(|solid| solid[at]);
    let ripples = spec.constants.model == Model::Ripples;
    for y in 0..rows {
        for x in 0..columns {
            if ripples && !solid(cell(x, y)) {
                height.set(x, y, 0, REST);
            }
            let Some(pixel) = layers.water.get(cell(x, y)).filter(|_| !solid(cell(x, y))) else { continue };
            let [r, g, b, a] = pixel.map(f64::from);
            let stored = if ripples {
                to_units(a - scene.rest_level, scene.units, -DEVIATION, DEVIATION).map(|deviation| REST + deviation)
            } else {
                to_units(a, scene.units, 0, HEIGHT_MAX)
            };
            let Some(h) = stored else {
                diagnostics.bad_pixels.source += 1;
                continue;
            };
            height.set(x, y, 0, h);
            if ripples {
                continue;
            }
            for (channel, colour) in [r, g, b].into_iter().enumerate() {
                let colour = if colour.is_finite() { colour } else { 0.0 };
                colours.set(x, y, channel, pigment(h, colour, scene.colour_range));
            }
        }
    }
    let dt = step_length(spec, settings, inputs, &scene, &height);
    let flow = match &layers.flows {
        Some(flows) if flows.size() == [columns, rows] => {
            let (flow, cut) = planes(spec, &scene, flows, &height, dt);
            diagnostics.start_cut = cut;
            flow
        }
        _ => scene.field(scene.flow_planes()),
    };
    let water = Water { height, flow, pigment: (!colours.is_zero()).then_some(colours) };
    let ledger = Ledger { start: water.totals(), ..Ledger::default() };
    let bad = diagnostics.bad_pixels.source;
    scene.count_bad(&mut diagnostics);
    diagnostics.bad_pixels.source = bad;
    (scene.state(Arc::new(StateBuffers::new(water)), dt, ledger), diagnostics)
}

/// Length of a step in a frame with these settings that begins with water of this height; at time scale 0, that of time
/// scale 1.
fn step_length(spec: &Spec, settings: &Settings, inputs: &Inputs, scene: &Scene<'_>, height: &Field) -> f64 {
    let time = Some(time_scale(settings)).filter(|time| *time > 0.0).unwrap_or(1.0);
    let settings = Settings { time_scale: time, ..*settings };
    let bounds = match spec.constants.model {
        Model::ShallowWater => {
            let buffers = StateBuffers::new(Water { height: height.clone(), flow: Field::new(0, 0, 0), pigment: None });
            DepthBounds::new(&buffers, scene.terrain.as_deref(), scene.units, &settings, inputs, time, scene.area())
        }
        Model::Pipes | Model::Classic | Model::Ripples => DepthBounds::default(),
    };
    TimeSteps::new(spec, &settings, bounds).dt
}

/// Flows of the open pipes per step of length `dt`, and whether a noticeable part exceeded the limit of a step.
fn planes(spec: &Spec, scene: &Scene<'_>, flows: &FlowLayers, height: &Field, dt: f64) -> (Field, bool) {
    let model = spec.constants.model;
    let mut flow = scene.field(scene.flow_planes());
    let (columns, rows) = (flow.width(), flow.height());
    let units = |per_frame: f64, low: i32| to_units(per_frame * dt, scene.units, low, FLOW_MAX).unwrap_or(0);
    let wraps = spec.constants.edges == Edges::Wrap;
    let turned = |at: usize, count: usize| if wraps { (at + count - 1) % count + 1 } else { at };
    let wet = wet_limit(scene.units);
    let (mut all, mut cut) = (0_i64, 0_i64);
    // Ring coordinates: the pipes of an open edge belong to the cells outside, too.
    for y in 0..=rows {
        for x in 0..columns + 2 {
            let code = scene.domain.codes(y)[x];
            for (pipe, (dx, dy)) in PIPES.into_iter().enumerate() {
                let code = code >> (4 * pipe) & 15;
                if code & 7 == CLOSED {
                    continue;
                }
                match model {
                    Model::Pipes | Model::Ripples => {
                        let [ahead, back] = flows.along(pipe, x, y).map(|flow| units(flow, 0));
                        flow.row_mut(y, pipe)[x] = ahead - back;
                    }
                    Model::Classic => {
                        let [ahead, back] = flows.along(pipe, x, y).map(|flow| units(flow, 0));
                        flow.row_mut(y, pipe)[x] = ahead;
                        flow.row_mut(y, pipe + 4)[x] = back;
                    }
                    Model::ShallowWater if pipe >= SPEEDS.len() => {}
                    Model::ShallowWater => {
                        let q = units(flows.through(pipe, x, y), -FLOW_MAX);
                        let near = [x, y];
                        let far = [turned(x.wrapping_add_signed(dx), columns), turned(y + dy as usize, rows)];
                        let depth = |[x, y]: [usize; 2]| height.row(y, 0)[x];
                        let [near, far] = [near, far].map(depth);
                        let (upwind, downwind) = if q > 0 { (near, far) } else { (far, near) };
                        if upwind >= wet {
                            all += i64::from(q.abs());
                            cut += i64::from((q.abs() - upwind).max(0));
                        }
                        let q = q.clamp(-upwind, upwind);
                        flow.row_mut(y, pipe)[x] = q;
                        flow.row_mut(y, SPEEDS[pipe])[x] = spec.constants.order.speed_of(q, upwind, downwind);
                    }
                }
            }
        }
    }
    if wraps {
        flow.wrap_ring();
    }
    (flow, cut > all / 1000)
}
