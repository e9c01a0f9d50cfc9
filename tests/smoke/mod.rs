//! Helpers shared by the tests of smoke.
#![allow(dead_code, reason = "each test takes what it needs")]

pub mod projected;

use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::channel::Channel;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::drive::{Drive, Move};
use flow_ofx::sim::smoke::machine::{Cells, Faces, Ground, Lattice, Machine, Offsets, Solid, Way};
use flow_ofx::sim::smoke::planes::Planes as _;
use flow_ofx::sim::smoke::settings::{Jet, Scheme, Side, Slips, Solver, SourceMode, VelocityMode};
use flow_ofx::sim::smoke::{Air, Constants, Device, Diagnostics, Settings, Spec, State, Task};

/// A grid of square pixels.
pub fn spec(width: usize, height: usize, edges: [Side; 4]) -> Spec {
    Spec {
        grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 },
        constants: Constants {
            edges,
            slip: Slips::default(),
            velocity_scheme: Scheme::Cubic,
            dye_scheme: Scheme::Cubic,
            reflection: false,
            follow: false,
            update_every: 1,
        },
    }
}

/// Settings that do nothing but carry.
pub fn settings() -> Settings {
    Settings {
        frame: 0,
        time_scale: 1.0,
        time_lead: 0.0,
        substeps: 1,
        max_cfl: 2.0,
        solver: Solver::Auto,
        iterations: 20,
        tolerance: 1e-4,
        viscosity: 0.0,
        confinement: 0.0,
        dissipation: 0.0,
        drag: 0.0,
        cooling: 0.0,
        weight: 0.0,
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
        source_mode: SourceMode::Add,
        source_channel: Channel::Alpha,
        source_density: 1.0,
        velocity_mode: VelocityMode::Set,
        velocity_scale: 1.0,
        heat_channel: Channel::Red,
        heat_scale: 1.0,
        obstacle_push: 1.0,
        grid_centre: [0.0; 2],
        inherit: 0.0,
    }
}

/// A jet that blows all the time, up and to the right, with hard edges.
pub fn jet() -> Jet {
    Jet {
        number: 1,
        centre: [60.0, 40.0],
        previous: [60.0, 40.0],
        direction: 30.0,
        radius: 10.0,
        softness: 0.0,
        strength: 6.0,
        colour: [1.0, 0.5, 0.25, 0.6],
        heat: 2.0,
        spread: 0.0,
        random: 0.0,
        seed: 1,
        pulse_rate: 0.0,
        pulse_lead: 0.0,
        pulse_duty: 0.5,
    }
}

/// Still, empty air.
pub fn still(spec: &Spec) -> State {
    let Grid { width, height, .. } = spec.grid;
    State {
        grid: spec.grid,
        edges: spec.constants.edges,
        air: Arc::new(Air {
            u: vec![0.0; (width + 1) * height].into(),
            v: vec![0.0; width * (height + 1)].into(),
            pressure: vec![0.0; width * height].into(),
            dye: vec![[0.0; 4]; width * height].into(),
            temperature: None,
        }),
        solids: None,
        remainder: [0.0; 4],
    }
}

/// Air with velocities and smoke by place, in cells.
pub fn air(spec: &Spec, velocity: impl Fn([f64; 2]) -> [f64; 2], dye: impl Fn([f64; 2]) -> [f32; 4]) -> State {
    let mut state = still(spec);
    let Grid { width, height, .. } = spec.grid;
    let air = Arc::make_mut(&mut state.air);
    each(width + 1, height, [0.0, 0.5], |at, place| air.u[at] = velocity(place)[0] as f32);
    each(width, height + 1, [0.5, 0.0], |at, place| air.v[at] = velocity(place)[1] as f32);
    each(width, height, [0.5, 0.5], |at, place| air.dye[at] = dye(place));
    state
}

/// Every place of a lattice: its index, and where it stands.
pub fn each(columns: usize, rows: usize, offset: [f64; 2], mut what: impl FnMut(usize, [f64; 2])) {
    for y in 0..rows {
        for x in 0..columns {
            what(y * columns + x, [x as f64 + offset[0], y as f64 + offset[1]]);
        }
    }
}

/// A frame's work with nothing driving the air.
pub fn task(spec: &Spec, settings: &Settings, time: f64) -> Task {
    Task {
        spec: *spec,
        settings: settings.clone(),
        drive: Drive::default(),
        moved: Move { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] },
        time,
    }
}

/// The settings of a frame of `time` frames, for the validation report.
pub fn told(spec: &Spec, settings: &Settings, time: f64) -> String {
    let (grid, constants) = (spec.grid, &spec.constants);
    let scheme = |scheme| match scheme {
        Scheme::SemiLagrangian => "semi-Lagrangian",
        Scheme::MacCormack => "MacCormack",
        Scheme::Cubic => "cubic",
    };
    let edges = match constants.edges {
        [a, b, c, d] if a == b && b == c && c == d => format!("{a:?}"),
        edges => format!("{edges:?}"),
    };
    let mut text = format!(
        "{}×{} cells, edges {edges}, velocity {}, dye {}, {} reflection, max CFL {}, pressure {:?} to {} in at most {} iterations",
        grid.width,
        grid.height,
        scheme(constants.velocity_scheme),
        scheme(constants.dye_scheme),
        if constants.reflection { "with" } else { "no" },
        settings.max_cfl,
        settings.solver,
        settings.tolerance,
        settings.iterations,
    );
    for (name, value, idle) in [
        ("frames per step", time, 1.0),
        ("sub-steps", f64::from(settings.substeps), 1.0),
        ("viscosity", settings.viscosity, 0.0),
        ("confinement", settings.confinement, 0.0),
        ("weight", settings.weight, 0.0),
    ] {
        if value != idle {
            text += &format!(", {name} {value}");
        }
    }
    text
}

/// The state after a frame.
pub fn run(device: &dyn Device, task: &Task, before: &State) -> (State, Diagnostics) {
    device.run(task, before, &mut || true).expect("nobody interrupts")
}

/// Energy of the faces, each once where an axis wraps.
pub fn energy(state: &State) -> f64 {
    let Grid { width, height, .. } = state.grid;
    let u = state.air.u.chunks_exact(width + 1).flat_map(|row| &row[..width]);
    u.chain(&state.air.v[..width * height]).map(|&v| f64::from(v) * f64::from(v)).sum()
}

/// Every number of a state.
pub fn numbers(state: &State) -> impl Iterator<Item = f32> {
    let Air { u, v, pressure, dye, temperature } = &*state.air;
    let temperature = temperature.iter().flatten();
    u.iter().chain(v).chain(pressure).chain(dye.iter().flatten()).chain(temperature).copied()
}

/// Where looks back over `time` end, and looks ahead.
pub fn looks<M: Machine>(
    machine: &M,
    ground: &Ground<M::Plane>,
    wind: &Faces<M::Plane>,
    time: f32,
) -> [Offsets<M::Plane>; 2] {
    [time, -time].map(|time| {
        let plane = || machine.stale(ground.len(Lattice::Cell)).expect("memory");
        let mut to = Offsets { x: plane(), y: plane() };
        machine.look(ground, time, wind, &mut to);
        to
    })
}

/// Carries dye so many times in a steady wind.
pub fn carried(cpu: &Cpu, scheme: Scheme, state: &State, time: f32, times: usize) -> Vec<[f32; 4]> {
    let device = SmokeCpu::new(cpu);
    let solids = state.solids.as_ref().map(|solids| {
        let up = |values: &[f32]| device.up(values).expect("memory");
        let cells: Vec<f32> = solids.solid.iter().map(|&solid| f32::from(u8::from(solid))).collect();
        Solid { cells: up(&cells), faces: Faces { u: up(&solids.u), v: up(&solids.v) } }
    });
    let ground = Ground {
        width: state.grid.width,
        height: state.grid.height,
        edges: state.edges,
        slip: Slips::default(),
        solids,
    };
    let way = Way { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
    let (wind, mut cells, _) = device.load(&state.air).expect("memory");
    let [back, ahead] = looks(&device, &ground, &wind, time);
    let stale = || Cells { dye: device.stale(ground.len(Lattice::Dye)).expect("memory"), temperature: None };
    for _ in 0..times {
        let mut to = stale();
        device.carry_cells(&ground, &way, &back, &cells, &mut to);
        if scheme == Scheme::MacCormack {
            let there = std::mem::replace(&mut to, stale());
            device.correct_cells(&ground, &way, [&back, &ahead], &cells, &there, &mut to);
        }
        cells = to;
    }
    bytemuck::cast_slice(&device.down(&cells.dye).expect("memory")).to_vec()
}

/// The faces of a state, carried once by themselves.
pub fn carried_faces(cpu: &Cpu, scheme: Scheme, state: &State, time: f32) -> Faces<Vec<f32>> {
    let device = SmokeCpu::new(cpu);
    let ground = Ground {
        width: state.grid.width,
        height: state.grid.height,
        edges: state.edges,
        slip: Slips::default(),
        solids: None,
    };
    let (wind, ..) = device.load(&state.air).expect("memory");
    let plane = |lattice| device.stale(ground.len(lattice)).expect("memory");
    let mut to = Faces { u: plane(Lattice::U), v: plane(Lattice::V) };
    let [mut back, _] = looks(&device, &ground, &wind, time);
    device.carry_faces(&ground, scheme, time, &wind, &wind, &mut back, &mut to);
    Faces { u: to.u.to_vec(), v: to.v.to_vec() }
}
