//! The measured shot: a coast with dry land, waves and coloured water.

use std::f64::consts::TAU;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::nodes::water::frame_state::FrameState;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::water::inputs::{Inputs, Pixels, SourcePixels};
use flow_ofx::sim::water::settings::{Channel, Constants, Edges, Emitter, Model, Order, Settings, Shape};
use flow_ofx::sim::water::{Spec, next_frame, start_frame, steps_per_frame};

/// Wave speed, pixels per frame: the node's default.
const SPEED: f64 = 4.0;
/// Frames before the measurement, in which waves and colour spread.
const RUN_IN: i64 = 12;

/// A shot and its current water.
pub struct Scene {
    /// Its grid and constants.
    pub spec: Spec,
    inputs: Inputs,
    /// The water of the last frame.
    pub told: Arc<FrameState>,
    frame: i64,
}

impl Scene {
    /// Makes the pictures and simulates the first frames.
    pub fn new((width, height): (usize, usize), cpu: &Cpu) -> Scene {
        let constants = Constants {
            model: Model::Pipes,
            order: Order::Second,
            edges: Edges::Closed,
            shut: [false; 4],
            absorb: [false; 4],
            diagonal_weight: 0.25,
            max_height: 8.0,
            colour_range: 16.0,
        };
        let spec = Spec { grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 }, constants };
        let inputs = pictures(width, height);
        let (water, diagnostics) = start_frame(&spec, &settings(&spec, 0), &inputs, cpu);
        // The source acts at the start only.
        let inputs = Inputs { source: None, ..inputs };
        let mut scene = Scene { spec, inputs, told: Arc::new(FrameState::new(water, diagnostics)), frame: 0 };
        (0..RUN_IN).for_each(|_| scene.advance(cpu));
        scene
    }

    /// The same shot at the same frame, to continue from several times.
    pub fn again(&self) -> Scene {
        let Scene { spec, inputs, told, frame } = self;
        Scene { spec: *spec, inputs: inputs.clone(), told: Arc::clone(told), frame: *frame }
    }

    /// Simulates the next frame.
    pub fn advance(&mut self, cpu: &Cpu) {
        self.frame += 1;
        let settings = settings(&self.spec, self.frame);
        let made = next_frame(&self.spec, &self.told.water, &settings, &self.inputs, cpu, &mut || true);
        let (water, diagnostics) = made.expect("nobody interrupts");
        self.told = Arc::new(FrameState::new(water, diagnostics));
    }

    /// Mean time of the next `frames` frames.
    pub fn time(&mut self, frames: u32, cpu: &Cpu) -> Duration {
        let start = Instant::now();
        (0..frames).for_each(|_| self.advance(cpu));
        start.elapsed() / frames
    }

    /// Steps per frame.
    pub fn steps(&self) -> u32 {
        steps_per_frame(&self.spec, &settings(&self.spec, self.frame)).0
    }
}

/// The node's defaults, with an emitter that circles in the bay.
fn settings(spec: &Spec, frame: i64) -> Settings {
    let [width, height] = [spec.grid.width as f64, spec.grid.height as f64];
    let centre = |frame: i64| {
        let angle = frame as f64 * TAU / 60.0;
        [width * 0.35 + height * 0.2 * angle.cos(), height * (0.5 + 0.2 * angle.sin())]
    };
    let emitter = Emitter {
        centre: centre(frame),
        previous: centre(frame - 1),
        shape: Shape::Disc,
        radius: height / 20.0,
        width: 0.0,
        angle: 0.0,
        softness: 0.5,
        rate: 0.05,
        colour: [0.1, 0.35, 0.6],
    };
    Settings {
        frame,
        speed: SPEED,
        damping: 0.02,
        smoothing: 0.1,
        source_height: 1.0,
        emitters: std::array::from_fn(|nth| (nth == 0).then_some(emitter)),
        terrain_channel: Channel::Red,
        ..Settings::IDLE
    }
}

fn pictures(width: usize, height: usize) -> Inputs {
    let picture = |pixel: &dyn Fn(f64, f64) -> [f64; 4]| -> Pixels {
        let at = |i: usize| ((i % width) as f64 / height as f64, (i / width) as f64 / height as f64);
        (0..width * height).map(|i| pixel(at(i).0, at(i).1).map(|v| v as f32)).collect::<Vec<_>>().into()
    };
    let source = picture(&|u, v| {
        let stripes = 0.5 + 0.5 * (9.0 * u + 4.0 * v).sin();
        [0.1 + 0.3 * stripes, 0.3, 0.6 - 0.3 * stripes, (level(u, v) - ground(u, v)).max(0.0)]
    });
    let terrain = picture(&|u, v| [ground(u, v), 0.0, 0.0, 1.0]);
    Inputs {
        source: Some(SourcePixels { pixels: source, has_alpha: true, premultiplied: false }),
        terrain: Some(terrain),
        ..Inputs::default()
    }
}

/// Terrain that rises to the right, out of the water at about two thirds of the frame. Lengths are fractions of the
/// frame's height.
fn ground(u: f64, v: f64) -> f64 {
    let hills = (3.0 * u + 1.0).sin() * (4.0 * v).cos() + 0.3 * (17.0 * u - 5.0 * v).sin() + 0.1 * (61.0 * v).sin();
    0.9 * u - 0.6 + 0.12 * hills
}

/// The water's surface: a swell that runs ashore.
fn level(u: f64, v: f64) -> f64 {
    0.5 + 0.04 * (25.0 * u + 3.0 * v).sin() + 0.02 * (70.0 * v - 30.0 * u).sin()
}
