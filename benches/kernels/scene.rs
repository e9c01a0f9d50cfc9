//! The measured water, and its frame plans.

use std::f64::consts::TAU;
use std::sync::{Arc, Mutex};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::inputs::{Inputs, Pixels, SourcePixels};
use flow_ofx::sim::water::plan::{RowCounts, RowJob};
use flow_ofx::sim::water::settings::{Channel, Constants, Edges, Model, Order, Settings};
use flow_ofx::sim::{
    Interrupted,
    water::{
        Device, FramePlan, MassBalance, Spec, State, StateBuffers, Water, next_frame, start_frame, steps_per_frame,
    },
};

use crate::cases::{Group, Kind};

/// Courant number: about four fifths of the stability limit.
const SPEED: f64 = 0.6;
/// Fraction of the flow lost per step.
const LOSS: f64 = 0.001;
/// Gravity of shallow water per step²: the value for which a frame's minimum of steps suffices.
const GRAVITY: f64 = 0.05;
/// Acceleration of the classic pipes.
const FLOW_RATE: f64 = 0.1;
/// Viscosity: the node's default.
const SMOOTHING: f64 = 0.1;
/// Steps before the measurement, in which fronts form.
const RUN_IN: u32 = 32;

/// A scene ready to run.
pub struct Scene {
    spec: Spec,
    inputs: Inputs,
    start: State,
    cpu: Cpu,
    /// The initial water.
    pub water: Arc<StateBuffers>,
    /// Fraction of wet cells in it.
    pub wet: f64,
}

impl Scene {
    /// Creates pictures, water and terrain.
    pub fn new(group: &Group, threads: usize) -> Scene {
        let (width, height) = group.size;
        let constants = constants(group.model, group.order);
        let spec = Spec { grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 }, constants };
        let cpu = Cpu::new(threads);
        let inputs = pictures(group);
        let start = start_frame(&spec, &settings(group.model, 1), &inputs, &cpu).0;
        // The measured shot has the terrain alone as an input, like a shot whose source acts at its start.
        let terrain = inputs.terrain.filter(|_| group.model != Model::Ripples);
        let inputs = Inputs { source: None, terrain, ..Inputs::default() };
        let water = Arc::new(StateBuffers::new(start.water().clone()));
        let mut scene = Scene { spec, inputs, start, cpu, water, wet: 0.0 };
        // A frame of ripples takes few steps.
        scene.water = if group.model == Model::Ripples { scene.run(1, 2) } else { scene.run(1, RUN_IN) };
        scene.wet = scene.wet_share(scene.water.water());
        scene
    }

    /// The plan of one frame of `steps` steps.
    pub fn plan(&self, steps: u32) -> Arc<FramePlan> {
        let settings = settings(self.spec.constants.model, steps);
        assert_eq!(steps_per_frame(&self.spec, &settings), (steps, false), "the speed makes other steps");
        let recorder = Recorder { cpu: &self.cpu, plan: Mutex::new(None) };
        next_frame(&self.spec, &self.start, &settings, &self.inputs, &recorder, &mut || true).expect("not interrupted");
        recorder.plan.into_inner().ok().flatten().expect("a frame runs a plan")
    }

    /// The scene's water after `frames` more frames of `steps` steps.
    pub fn run(&self, frames: u32, steps: u32) -> Arc<StateBuffers> {
        let plan = self.plan(steps);
        let next =
            |water: Arc<StateBuffers>, _| self.cpu.run(&plan, &water, &mut || true).expect("nobody interrupts").0;
        (0..frames).fold(Arc::clone(&self.water), next)
    }

    /// Units per 1.0 of height.
    pub fn units(&self) -> f64 {
        self.start.units()
    }

    /// Fraction of wet cells.
    pub fn wet_share(&self, water: &Water) -> f64 {
        let (limit, width, height) = (self.start.wet_limit(), water.height.width(), water.height.height());
        let row = |y| water.height.row(y, 0)[1..=width].iter().filter(|&&h| h >= limit).count();
        (1..=height).map(row).sum::<usize>() as f64 / (width * height) as f64
    }
}

/// A device that records the plan of a frame.
struct Recorder<'a> {
    cpu: &'a Cpu,
    plan: Mutex<Option<Arc<FramePlan>>>,
}

impl Device for Recorder<'_> {
    fn name(&self) -> String {
        "recorder".to_owned()
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        self.cpu.rows(field, job)
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        water: &Arc<StateBuffers>,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        *self.plan.lock().unwrap_or_else(|e| e.into_inner()) = Some(plan.clone());
        Ok((water.clone(), MassBalance::default()))
    }
}

/// Closed edges, and the node's defaults.
pub fn constants(model: Model, order: Order) -> Constants {
    Constants {
        model,
        order,
        edges: Edges::Closed,
        shut: [false; 4],
        absorb: [false; 4],
        diagonal_weight: 0.25,
        max_height: 8.0,
        colour_range: 16.0,
    }
}

/// Settings for which a frame takes `steps` steps.
fn settings(model: Model, steps: u32) -> Settings {
    if model == Model::Ripples {
        return ripples(steps);
    }
    Settings {
        frame: 2,
        speed: SPEED * f64::from(steps),
        flow_rate: FLOW_RATE,
        gravity: GRAVITY * f64::from(steps * steps),
        friction: 0.002,
        substeps: steps as i32,
        damping: 1.0 - (1.0 - LOSS).powi(steps as i32),
        smoothing: SMOOTHING,
        source_height: 1.0,
        terrain_channel: Channel::Red,
        ..Settings::IDLE
    }
}

/// Ripples of the node's defaults but for the speed, at which a frame takes `steps` steps.
pub fn ripples(steps: u32) -> Settings {
    Settings {
        frame: 2,
        speed: f64::from(steps),
        ripple_length: 60.0,
        ripple_slowest: 6.0,
        smoothing: 0.02,
        damping: 0.02,
        substeps: steps as i32,
        source_height: 1.0,
        ..Settings::IDLE
    }
}

fn pictures(group: &Group) -> Inputs {
    let (width, height) = group.size;
    let picture = |pixel: &dyn Fn(f64, f64) -> [f64; 4]| -> Pixels {
        let at = |i: usize| ((i % width) as f64 / height as f64, (i / width) as f64 / height as f64);
        (0..width * height).map(|i| pixel(at(i).0, at(i).1).map(|v| v as f32)).collect::<Vec<_>>().into()
    };
    let [ground, water] = match group.kind {
        Kind::Wet => [sea_bed, sea],
        Kind::Dry => [slope as fn(f64, f64) -> f64, pools],
    };
    let tint = if group.pigment { 1.0 } else { 0.0 };
    let source = picture(&|u, v| {
        [tint * (0.2 + 0.1 * wave(u, 3.0)), tint * (0.4 + 0.2 * wave(v, 5.0)), tint * 0.6, water(u, v)]
    });
    let terrain = picture(&|u, v| [ground(u, v), 0.0, 0.0, 1.0]);
    Inputs {
        source: Some(SourcePixels { pixels: source, has_alpha: true, premultiplied: false }),
        terrain: Some(terrain),
        ..Inputs::default()
    }
}

fn wave(at: f64, times: f64) -> f64 {
    (TAU * at * times).sin()
}

/// Bumps of several sizes in [−1, 1], flat nowhere. Lengths are fractions of the frame's height.
fn bumps(u: f64, v: f64) -> f64 {
    let large = wave(u + 0.13, 1.7) * wave(v + 0.4 * u, 1.3);
    let middle = wave(u - 0.6 * v, 4.9) * wave(v + 0.21, 5.3);
    let small = wave(u + 0.3 * v, 19.0) * wave(v - 0.2 * u, 17.0);
    0.6 * large + 0.28 * middle + 0.12 * small
}

/// The terrain under the waves: its highest bumps are islands.
fn sea_bed(u: f64, v: f64) -> f64 {
    0.45 + 0.9 * bumps(u, v)
}

/// Water to a level of 1, with waves on it.
fn sea(u: f64, v: f64) -> f64 {
    let swell = 0.04 * wave(u + 0.2 * v, 3.1) + 0.03 * wave(v, 7.3) + 0.01 * wave(u - v, 31.0);
    (1.0 + swell - sea_bed(u, v)).max(0.0)
}

/// Uneven terrain that falls by 2 from left to right.
fn slope(u: f64, v: f64) -> f64 {
    1.0 - 1.1 * u + 0.25 * bumps(u, v)
}

/// Large pools with steep sides, all over the slope.
fn pools(u: f64, v: f64) -> f64 {
    (0.8 * (wave(u + 0.1 * v, 1.1) * wave(v + 0.15 * u, 1.3) - 0.78)).max(0.0)
}
