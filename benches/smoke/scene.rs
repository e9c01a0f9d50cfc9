//! The measured air, and its forcing.

use std::f64::consts::TAU;
use std::sync::Arc;

use flow_ofx::sim::channel::Channel;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::forcing::{Forcing, GridMotion, Patch, VelocityForcing};
use flow_ofx::sim::smoke::settings::{Boundary, Scheme, Slips, Solver, SourceMode, VelocityMode};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Air, Constants, Device, FieldKind, Settings, Spec, State, Task};

use crate::cases::{Case, Kind};

/// Frames before the measurement, in which eddies form.
const RUN_IN: u32 = 24;
/// Lift of a density of 1, cells per frame².
pub const LIFT: f64 = 0.005;
/// Speed in the middle of a jet, cells per frame.
const JET: f32 = 2.0;
/// Radius of a jet, as a fraction of the frame's height.
const RADIUS: f64 = 0.03;
/// Positions and directions of the jets, in fractions of the frame's width and height, and degrees.
const JETS: [[f64; 3]; 4] = [[0.08, 0.3, 0.0], [0.92, 0.45, 180.0], [0.3, 0.08, 80.0], [0.7, 0.06, 100.0]];

/// A scene ready to run.
pub struct Scene {
    /// The work of each frame; one sub-step.
    pub task: Task,
    /// The initial air.
    pub start: State,
}

impl Scene {
    /// Creates the air, the obstacles and the jets, and runs them for a while.
    pub fn new(case: &Case, device: &dyn Device) -> Scene {
        let mut scene = Scene::still(case.size, case.kind);
        scene.task.forcing.u = JETS.iter().map(|jet| steer(case.size, jet, FieldKind::U)).collect();
        scene.task.forcing.v = JETS.iter().map(|jet| steer(case.size, jet, FieldKind::V)).collect();
        scene.task.forcing.dye = JETS.iter().enumerate().map(|(which, jet)| dye(case.size, jet, which)).collect();
        scene.start = scene.run(device, RUN_IN);
        if case.kind == Kind::Plain {
            scene.plain();
        }
        scene
    }

    /// Sets the steps of the simplest peers from here on.
    pub fn plain(&mut self) {
        let constants = &mut self.task.spec.constants;
        (constants.velocity_scheme, constants.dye_scheme) = (Scheme::SemiLagrangian, Scheme::SemiLagrangian);
        let settings = &mut self.task.settings;
        (settings.confinement, settings.dissipation) = (0.0, 0.0);
    }

    /// Without jets, not run yet.
    pub fn still(size: (usize, usize), kind: Kind) -> Scene {
        let grid = Grid { width: size.0, height: size.1, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let constants = Constants {
            edges: [Boundary::Closed; 4],
            slip: Slips::default(),
            velocity_scheme: Scheme::Cubic,
            dye_scheme: Scheme::Cubic,
            flow_map: false,
            reflection: false,
            follow: false,
            update_every: 1,
        };
        let solids = (kind == Kind::Solids).then(|| Arc::new(discs(size)));
        let forcing = Forcing { solids: solids.clone(), ..Forcing::default() };
        let motion = GridMotion { grid, shift: [0; 2], remainder: [0.0; 4] };
        let task = Task { spec: Spec { grid, constants }, settings: settings(), forcing, motion, time: 1.0 };
        let start = State { grid, edges: constants.edges, air: Arc::new(eddies(size)), solids, remainder: [0.0; 4] };
        Scene { task, start }
    }

    /// The scene's air after this number of frames.
    pub fn run(&self, device: &dyn Device, frames: u32) -> State {
        (0..frames).fold(self.start.clone(), |air, _| {
            device.run(&self.task, &air, &mut || true).expect("a device that works, and nobody interrupts").0
        })
    }
}

/// Settings of a lively shot: the node's defaults, without a limit on the displacement in a step.
fn settings() -> Settings {
    Settings {
        frame: 0,
        time_scale: 1.0,
        time_lead: 0.0,
        substeps: 1,
        max_cfl: 1e6,
        solver: Solver::Auto,
        iterations: 20,
        tolerance: 1e-3,
        viscosity: 0.0,
        confinement: 0.05,
        dissipation: 0.002,
        drag: 0.0,
        cooling: 0.0,
        weight: -LIFT,
        lift: 0.0,
        ambient: 0.0,
        gravity: -90.0,
        wind: [0.0; 2],
        wind_drag: 0.0,
        attractor: None,
        vortex: None,
        noise: None,
        brush: None,
        jets: Vec::new(),
        fire: None,
        source_mode: SourceMode::Add,
        source_channel: Channel::Alpha,
        source_density: 1.0,
        velocity_mode: VelocityMode::Set,
        velocity_scale: 1.0,
        heat_channel: Channel::Red,
        heat_scale: 0.0,
        obstacle_push: 1.0,
        grid_centre: [0.0; 2],
        inherit: 0.0,
    }
}

/// Eddies of several sizes, without divergence, at up to about 1.5 cells per frame, in air with stripes of dye.
fn eddies((width, height): (usize, usize)) -> Air {
    let stream = |x: usize, y: usize| {
        let (s, t) = (x as f64 / height as f64, y as f64 / height as f64);
        let eddy = |size: f64, tilt: f64| wave(s + tilt * t, 1.0 / size) * wave(t - tilt * s, 1.0 / size) * size;
        // 0 along the walls.
        let calm = wave(x as f64 / width as f64, 0.5) * wave(y as f64 / height as f64, 0.5);
        0.08 * height as f64 * calm * (eddy(0.9, 0.1) + eddy(0.31, 0.4) + eddy(0.083, -0.3))
    };
    let u = (0..height).flat_map(|y| (0..=width).map(move |x| (stream(x, y + 1) - stream(x, y)) as f32));
    let v = (0..=height).flat_map(|y| (0..width).map(move |x| (stream(x, y) - stream(x + 1, y)) as f32));
    let stripes = |x: usize, y: usize| {
        let (s, t) = (x as f64 / height as f64, y as f64 / height as f64);
        [[5.0, 1.0], [3.0, 4.0], [1.0, 7.0], [2.0, 3.0]].map(|[a, b]| (0.5 + 0.5 * wave(a * s + b * t, 1.0)) as f32)
    };
    Air {
        u: u.collect(),
        v: v.collect(),
        pressure: vec![0.0; width * height].into(),
        dye: (0..height).flat_map(|y| (0..width).map(move |x| stripes(x, y))).collect(),
        temperature: None,
        dye_map: None,
        fire: None,
    }
}

fn wave(at: f64, times: f64) -> f64 {
    (TAU * at * times).sin()
}

/// Discs at rest, all over the frame.
fn discs((width, height): (usize, usize)) -> Solids {
    let solid = |x: usize, y: usize| {
        let at = [x, y].map(|n| (n as f64 + 0.5) / height as f64 * 4.0);
        let radius = 0.08 + 0.06 * wave(at[0].floor() * 0.37 + at[1].floor() * 0.23, 1.0);
        (at[0].fract() - 0.5).hypot(at[1].fract() - 0.5) < radius
    };
    Solids {
        solid: (0..height).flat_map(|y| (0..width).map(move |x| solid(x, y))).collect(),
        u: vec![0.0; (width + 1) * height],
        v: vec![0.0; width * (height + 1)],
    }
}

/// A jet's velocity on one kind of faces.
fn steer(size: (usize, usize), &[x, y, degrees]: &[f64; 3], lattice: FieldKind) -> VelocityForcing {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let speed = JET * (if lattice == FieldKind::U { cos } else { sin }) as f32;
    VelocityForcing::Steer(disc(size, [x, y], lattice, |share| [speed, share]))
}

/// A jet's dye.
fn dye(size: (usize, usize), &[x, y, _]: &[f64; 3], which: usize) -> Patch<[f32; 4]> {
    let colour = [[0.9, 0.3, 0.1], [0.1, 0.4, 0.9], [0.8, 0.8, 0.2], [0.3, 0.9, 0.5]][which];
    disc(size, [x, y], FieldKind::Dye, |share| [colour[0] * share, colour[1] * share, colour[2] * share, share])
}

/// Values in the square around a jet, by the jet's profile: 1 in the centre, 0 at the rim.
fn disc<T>((width, height): (usize, usize), at: [f64; 2], lattice: FieldKind, value: impl Fn(f32) -> T) -> Patch<T> {
    let radius = RADIUS * height as f64;
    let [columns, rows] = lattice.size(width, height);
    let centre = [at[0] * width as f64, at[1] * height as f64];
    let [x, y] = centre.map(|c| (c - radius).max(0.0) as usize);
    let side = (2.0 * radius) as usize + 1;
    let (width, height) = (side.min(columns - x), side.min(rows - y));
    let share = |i: usize, j: usize| {
        let distance = ((x + i) as f64 - centre[0]).hypot((y + j) as f64 - centre[1]) / radius;
        (1.0 - distance * distance).max(0.0) as f32
    };
    let value = &value;
    let values = (0..height).flat_map(|j| (0..width).map(move |i| value(share(i, j)))).collect();
    Patch { x, y, width, height, values }
}
