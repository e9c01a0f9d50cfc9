//! Whole frames compared with the CPU's, and repeated on the device.

use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::settings::{Boundary, Brush, Jet, Noise, Scheme, Solver};
use flow_ofx::sim::smoke::{
    Air, Device, Diagnostics, Executor, Failed, Inputs, Settings, Spec, State, Workers, next_frame, start_frame,
};

use crate::record::{Record, Scale, in_full};
use crate::smoke::{numbers, settings, settings_text, spec};
use crate::{opened, shared, smoke_on};

pub const SIZE: [usize; 2] = [96, 64];

/// Number of compared frames.
const FRAMES: i64 = 100;

/// A moving brush, a wandering jet, buoyancy, eddies and a moving solid.
pub struct Scene {
    pub spec: Spec,
    solver: Solver,
}

impl Scene {
    pub fn new(velocity: Scheme, dye: Scheme, edges: [Boundary; 4]) -> Scene {
        let mut spec = spec(SIZE[0], SIZE[1], edges);
        spec.constants.velocity_scheme = velocity;
        spec.constants.dye_scheme = dye;
        Scene { spec, solver: Solver::Auto }
    }

    fn settings(&self, frame: i64) -> Settings {
        let at = |frame: i64| {
            let turn = frame as f64 * 0.11;
            [48.0 + 25.0 * turn.cos(), 32.0 + 15.0 * (1.3 * turn).sin()]
        };
        let brush = Brush {
            centre: at(frame),
            previous: at(frame - 1),
            radius: 5.0,
            softness: 0.3,
            force: 1.0,
            colour: [0.1, 0.2, 0.4, 0.4],
        };
        let jet = Jet {
            number: 1,
            centre: [20.0, 8.0],
            previous: [20.0, 8.0],
            direction: 70.0,
            radius: 4.0,
            softness: 0.5,
            strength: 2.0,
            colour: [0.4, 0.2, 0.1, 0.5],
            heat: 0.5,
            fuel: 0.0,
            spread: 20.0,
            random: 0.3,
            breakup: 0.5,
            breakup_size: 3.0,
            seed: 3,
            pulse_rate: 0.0,
            pulse_lead: 0.0,
            pulse_duty: 1.0,
        };
        Settings {
            frame,
            solver: self.solver,
            tolerance: 1e-5,
            confinement: 0.1,
            viscosity: 0.02,
            dissipation: 0.01,
            cooling: 0.05,
            lift: 0.05,
            weight: 0.01,
            noise: Some(Noise {
                strength: 0.02,
                size: 20.0,
                octaves: 2,
                speed: 0.05,
                lead: 0.0,
                drift: [0.0; 2],
                seed: 1,
            }),
            brush: Some(brush),
            jets: vec![jet],
            ..settings()
        }
    }

    /// An oscillating disc.
    fn inputs(&self, frame: i64) -> Inputs {
        let x = 60.0 + 12.0 * (frame as f64 * 0.15).sin();
        let solid = |at: usize| {
            let (column, row) = ((at % SIZE[0]) as f64 + 0.5, (at / SIZE[0]) as f64 + 0.5);
            f32::from(u8::from((column - x).hypot(row - 40.0) < 6.0))
        };
        let cells = SIZE[0] * SIZE[1];
        let pixels: Vec<_> = (0..cells).map(|at| [0.0, 0.0, 0.0, solid(at)]).collect();
        Inputs { obstacles: Some(Arc::new(pixels)), ..Inputs::default() }
    }

    pub fn start(&self, workers: &dyn Workers) -> State {
        start_frame(&self.spec, &self.settings(0), &self.inputs(0), workers).0
    }

    pub fn next(
        &self,
        state: &State,
        frame: i64,
        device: &dyn Device,
        workers: &dyn Workers,
    ) -> Result<(State, Diagnostics), Failed> {
        let (settings, inputs) = (self.settings(frame), self.inputs(frame));
        next_frame(&self.spec, state, &settings, &inputs, Executor { device, workers }, &mut || true)
    }

    /// As [`next`](Scene::next), with a check for interruption.
    pub fn interrupted(
        &self,
        state: &State,
        device: &dyn Device,
        workers: &dyn Workers,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failed> {
        let (settings, inputs) = (self.settings(1), self.inputs(1));
        next_frame(&self.spec, state, &settings, &inputs, Executor { device, workers }, go_on).map(drop)
    }
}

/// Root mean square of the difference, over that of the values: of velocity and dye.
fn apart(ours: &State, theirs: &State) -> [f64; 2] {
    let share = |pairs: &mut dyn Iterator<Item = (f32, f32)>| {
        let (mut apart, mut all) = (0.0, 0.0);
        for (a, b) in pairs {
            apart += f64::from(a - b).powi(2);
            all += f64::from(a).powi(2);
        }
        (apart / f64::max(all, 1e-30)).sqrt()
    };
    let (a, b) = (&ours.air, &theirs.air);
    let faces = |air: &Air| air.u.iter().chain(&air.v).copied().collect::<Vec<_>>();
    let dye = |air: &Air| air.dye.iter().flatten().copied().collect::<Vec<_>>();
    [share(&mut faces(a).into_iter().zip(faces(b))), share(&mut dye(a).into_iter().zip(dye(b)))]
}

/// Independent chains of two devices: the differences of velocity and dye after each frame.
fn chains_apart(scene: &Scene, frames: i64) -> [Vec<[f64; 2]>; 2] {
    let (cpu, gpu) = (Cpu::new(2), shared());
    let mut ours = scene.start(&cpu);
    let mut theirs = ours.clone();
    let mut curves = [Vec::new(), Vec::new()];
    for frame in 1..=frames {
        ours = scene.next(&ours, frame, &cpu, &cpu).expect("the CPU works").0;
        theirs = scene.next(&theirs, frame, &*gpu, &cpu).expect("the graphics device works").0;
        for (curve, apart) in curves.iter_mut().zip(apart(&ours, &theirs)) {
            curve.push([frame as f64, apart]);
        }
    }
    assert!(numbers(&theirs).all(f32::is_finite));
    curves
}

/// The maximum of a curve.
fn most(curve: &[[f64; 2]]) -> f64 {
    curve.iter().map(|point| point[1]).fold(0.0, f64::max)
}

#[test]
fn frames_agree_with_the_cpu() {
    let scene = Scene::new(
        Scheme::MacCormack,
        Scheme::Cubic,
        [Boundary::Closed, Boundary::Closed, Boundary::Closed, Boundary::Open],
    );
    let frames = if in_full() { FRAMES } else { FRAMES / 4 };
    let [velocity, dye] = chains_apart(&scene, frames);
    let mut record = Record::new("devices", "GPU");
    record.under(settings_text(&scene.spec, &scene.settings(0), 1.0));
    record.at_most(format!("{frames} frames against the CPU's: velocity, RMS over RMS"), most(&velocity), 1e-3);
    record.at_most(format!("{frames} frames against the CPU's: dye, RMS over RMS"), most(&dye), 1e-3);
    record.plot(
        "A chain on a graphics device against one on the CPU",
        ["frame", "RMS of the difference over RMS"],
        [Scale::Linear, Scale::Log],
        &[("velocity".to_owned(), velocity), ("dye".to_owned(), dye)],
        &[],
    );
    record.save();
}

#[test]
fn dye_by_a_flow_map_agrees_with_the_cpu() {
    let mut scene = Scene::new(Scheme::Cubic, Scheme::Cubic, [Boundary::Open; 4]);
    scene.spec.constants.flow_map = true;
    let [velocity, dye] = chains_apart(&scene, if in_full() { FRAMES } else { FRAMES / 4 });
    let mut record = Record::new("devices-flow-map", "GPU");
    record.under(settings_text(&scene.spec, &scene.settings(0), 1.0));
    record.at_most("frames by a flow map against the CPU's: velocity, RMS over RMS", most(&velocity), 1e-3);
    record.at_most("frames by a flow map against the CPU's: dye, RMS over RMS", most(&dye), 1e-3);
    record.save();
}

#[test]
fn all_solvers_and_reflection_agree_for_some_frames() {
    for (solver, reflection, edges) in [
        (Solver::Multigrid, false, [Boundary::Wrap; 4]),
        (Solver::ConjugateGradients, true, [Boundary::Closed; 4]),
        (Solver::IteratedProjection, false, [Boundary::Open; 4]),
        (Solver::Jacobi, true, [Boundary::Wrap, Boundary::Wrap, Boundary::Closed, Boundary::Open]),
    ] {
        let mut scene = Scene::new(Scheme::Cubic, Scheme::MacCormack, edges);
        scene.solver = solver;
        scene.spec.constants.reflection = reflection;
        let [velocity, dye] = chains_apart(&scene, if in_full() { 10 } else { 4 }).map(|curve| most(&curve));
        println!("{solver:?}: velocity {velocity:.1e}, dye {dye:.1e}");
        assert!(velocity <= 2e-5 && dye <= 2e-5, "{solver:?}: velocity {velocity:e}, dye {dye:e}");
    }
}

/// The same numbers in new planes, which no device has.
fn elsewhere(state: &State) -> State {
    State { air: Arc::new((*state.air).clone()), ..state.clone() }
}

#[test]
fn repeated_runs_and_other_plane_positions_give_the_same_bits() {
    [false, true].into_iter().for_each(repeats);
}

fn repeats(flow_map: bool) {
    let mut scene = Scene::new(
        Scheme::MacCormack,
        Scheme::Cubic,
        [Boundary::Wrap, Boundary::Wrap, Boundary::Closed, Boundary::Open],
    );
    scene.spec.constants.flow_map = flow_map;
    let (cpu, gpu) = (Cpu::new(2), shared());
    let another = opened(flow_ofx::compute::gpu::Options::default());
    let other = smoke_on(&another);
    let start = scene.start(&cpu);
    let [mut kept, mut sent, mut again] = [start.clone(), start.clone(), start];
    let [long, short] = if in_full() { [12, 8] } else { [6, 6] };
    for frame in 1..=long {
        kept = scene.next(&kept, frame, &*gpu, &cpu).expect("works").0;
        sent = scene.next(&elsewhere(&sent), frame, &*gpu, &cpu).expect("works").0;
        again = scene.next(&again, frame, &*other, &cpu).expect("works").0;
        let same = |state: &State| numbers(&kept).map(f32::to_bits).eq(numbers(state).map(f32::to_bits));
        assert!(same(&sent), "frame {frame} from planes that were sent up");
        assert!(same(&again), "frame {frame} on the device opened once more");
    }
    // Continued from older frames, too, whose planes may be evicted.
    let mut states = vec![scene.start(&cpu)];
    for frame in 1..=short {
        states.push(scene.next(&states[frame as usize - 1], frame, &*gpu, &cpu).expect("works").0);
    }
    for frame in (1..=short).rev() {
        let made = scene.next(&states[frame as usize - 1], frame, &*gpu, &cpu).expect("works").0;
        let wanted = &states[frame as usize];
        assert!(numbers(&made).map(f32::to_bits).eq(numbers(wanted).map(f32::to_bits)), "frame {frame} once more");
    }
}

#[test]
fn a_following_grid_moves_its_contents() {
    let mut scene = Scene::new(Scheme::MacCormack, Scheme::Cubic, [Boundary::Open; 4]);
    scene.spec.constants.follow = true;
    scene.spec.constants.update_every = 2;
    let Grid { width, height, .. } = scene.spec.grid;
    assert_eq!([width, height], SIZE);
    let (cpu, gpu) = (Cpu::new(2), shared());
    let mut ours = scene.start(&cpu);
    let mut theirs = ours.clone();
    for frame in 1..=8 {
        let settings = |frame: i64| {
            let grid_centre = [48.0 + 3.0 * frame as f64, 32.0 - frame as f64];
            Settings { grid_centre, inherit: 0.5, ..scene.settings(frame) }
        };
        let (inputs, settings) = (scene.inputs(frame), settings(frame));
        let step = |state: &State, device: &dyn Device| {
            let executor = Executor { device, workers: &cpu };
            next_frame(&scene.spec, state, &settings, &inputs, executor, &mut || true).expect("works").0
        };
        ours = step(&ours, &cpu);
        theirs = step(&theirs, &*gpu);
        assert_eq!(ours.grid, theirs.grid);
        let [velocity, dye] = apart(&ours, &theirs);
        assert!(velocity <= 2e-5 && dye <= 2e-5, "frame {frame}: velocity {velocity:e}, dye {dye:e}");
    }
}
