//! Helpers shared by the tests of smoke.
#![allow(dead_code, reason = "each test takes what it needs")]

pub mod projected;

use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::channel::Channel;
use flow_ofx::sim::fluid::{
    Advection, Backend, Domain, FieldId, HostFields, Operation, Scalars, Session, SolidFields, VectorField,
};
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::forcing::{Forcing, GridMotion};
use flow_ofx::sim::smoke::settings::{Boundary, Jet, Scheme, Slips, Solver, SourceMode, VelocityMode};
use flow_ofx::sim::smoke::{Air, Constants, Device, Diagnostics, FieldKind, Settings, Spec, State, Task};

/// A grid of square pixels.
pub fn spec(width: usize, height: usize, edges: [Boundary; 4]) -> Spec {
    Spec {
        grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 },
        constants: Constants {
            edges,
            slip: Slips::default(),
            velocity_scheme: Scheme::Cubic,
            dye_scheme: Scheme::Cubic,
            flow_map: false,
            reflection: false,
            follow: false,
            update_every: 1,
        },
    }
}

/// Settings of pure advection.
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
        fire: None,
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

/// A constant jet, up and to the right, with hard edges.
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
        fuel: 0.0,
        spread: 0.0,
        random: 0.0,
        breakup: 0.0,
        breakup_size: 0.0,
        seed: 1,
        pulse_rate: 0.0,
        pulse_lead: 0.0,
        pulse_duty: 0.5,
    }
}

/// Empty air at rest.
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
            dye_map: None,
            fire: None,
        }),
        solids: None,
        remainder: [0.0; 4],
    }
}

/// Air with velocities and smoke as functions of the position, in cells.
pub fn air(spec: &Spec, velocity: impl Fn([f64; 2]) -> [f64; 2], dye: impl Fn([f64; 2]) -> [f32; 4]) -> State {
    let mut state = still(spec);
    let Grid { width, height, .. } = spec.grid;
    let air = Arc::make_mut(&mut state.air);
    each(width + 1, height, [0.0, 0.5], |at, place| air.u[at] = velocity(place)[0] as f32);
    each(width, height + 1, [0.5, 0.0], |at, place| air.v[at] = velocity(place)[1] as f32);
    each(width, height, [0.5, 0.5], |at, place| air.dye[at] = dye(place));
    state
}

/// Every position of a staggering: its index and coordinates.
pub fn each(columns: usize, rows: usize, offset: [f64; 2], mut what: impl FnMut(usize, [f64; 2])) {
    for y in 0..rows {
        for x in 0..columns {
            what(y * columns + x, [x as f64 + offset[0], y as f64 + offset[1]]);
        }
    }
}

/// A frame without forcing.
pub fn task(spec: &Spec, settings: &Settings, time: f64) -> Task {
    Task {
        spec: *spec,
        settings: settings.clone(),
        forcing: Forcing::default(),
        motion: GridMotion { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] },
        time,
    }
}

/// The settings of a frame of `time` frames, for the validation report.
pub fn settings_text(spec: &Spec, settings: &Settings, time: f64) -> String {
    let (grid, constants) = (spec.grid, &spec.constants);
    let scheme = |scheme| match scheme {
        Scheme::SemiLagrangian => "semi-Lagrangian",
        Scheme::MacCormack => "MacCormack",
        Scheme::Cubic => "cubic",
    };
    let dye = if constants.flow_map { "by a flow map" } else { scheme(constants.dye_scheme) };
    let edges = match constants.edges {
        [a, b, c, d] if a == b && b == c && c == d => format!("{a:?}"),
        edges => format!("{edges:?}"),
    };
    let mut text = format!(
        "{}×{} cells, edges {edges}, velocity {}, dye {}, {} reflection, max CFL {}, pressure {:?} to {} in at most {} iterations",
        grid.width,
        grid.height,
        scheme(constants.velocity_scheme),
        dye,
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

/// Energy of the faces, each counted once on a wrapped axis.
pub fn energy(state: &State) -> f64 {
    let Grid { width, height, .. } = state.grid;
    let u = state.air.u.chunks_exact(width + 1).flat_map(|row| &row[..width]);
    u.chain(&state.air.v[..width * height]).map(|&v| f64::from(v) * f64::from(v)).sum()
}

/// Every number of a state.
pub fn numbers(state: &State) -> impl Iterator<Item = f32> {
    let Air { u, v, pressure, dye, dye_map, temperature, fire } = &*state.air;
    let maps = dye_map.iter().flat_map(|map| [Some(&map.map), map.fading.as_ref()]).flatten();
    let maps = maps.flat_map(|map| map.base.0.iter().chain(&map.map).chain(&map.residual).flatten());
    let temperature = temperature.iter().flatten();
    let fire = fire.iter().flat_map(|fire| fire.gas.iter().flatten().chain(&fire.burning));
    u.iter().chain(v).chain(pressure).chain(dye.iter().flatten()).chain(maps).chain(temperature).chain(fire).copied()
}

/// A field with unspecified contents.
pub fn field<B: Backend>(session: &mut Session<'_, B>, domain: &Domain, kind: FieldKind) -> FieldId {
    session.allocate(kind.shape([domain.size[0], domain.size[1]]).len()).expect("memory")
}

/// A velocity with unspecified contents.
pub fn faces<B: Backend>(session: &mut Session<'_, B>, domain: &Domain) -> VectorField {
    VectorField::new(&[FieldKind::U, FieldKind::V].map(|kind| field(session, domain, kind)))
}

/// Displacements with unspecified contents.
pub fn displacements<B: Backend>(session: &mut Session<'_, B>, domain: &Domain) -> VectorField {
    VectorField::new(&[FieldKind::Cell; 2].map(|kind| field(session, domain, kind)))
}

/// Uploads the values of solids.
pub fn solid_fields<B: Backend>(session: &mut Session<'_, B>, cells: &[f32], faces: [&[f32]; 2]) -> SolidFields {
    let mut upload = |values: &[f32]| session.upload(values).expect("memory");
    SolidFields { cells: upload(cells), velocity: VectorField::new(&faces.map(&mut upload)) }
}

/// Velocity and dye of a state.
pub fn load<B: Backend>(session: &mut Session<'_, B>, air: &Arc<Air>) -> (VectorField, FieldId) {
    let owner: Arc<dyn HostFields> = Arc::clone(air) as _;
    let mut part = |number| session.fields.add(session.backend.load(&owner, number).expect("memory"));
    (VectorField::new(&[part(0), part(1)]), part(3))
}

/// Backtrace displacements over `time`, and forward ones.
pub fn traces<B: Backend>(
    session: &mut Session<'_, B>,
    domain: &Domain,
    wind: VectorField,
    time: f32,
) -> [VectorField; 2] {
    [time, -time].map(|time| {
        let to = displacements(session, domain);
        session.run(&[Operation::Backtrace { domain, time, wind, to }]).expect("works");
        to
    })
}

/// One step of advection of `from`, by backward and forward displacements; the other fields are scratch.
pub fn advect<B: Backend>(
    session: &mut Session<'_, B>,
    domain: &Domain,
    advection: Advection,
    traces: [VectorField; 2],
    [from, advected, to]: [&mut Scalars; 3],
) {
    let (backtrace, from_there) = (traces[0], *from);
    if advection.scheme == Scheme::MacCormack {
        let (there, to) = (*advected, *to);
        let list = [
            Operation::AdvectScalars { domain, advection, backtrace, from: from_there, to: there },
            Operation::CorrectScalars { domain, advection, traces, from: from_there, advected: there, to },
        ];
        session.run(&list).expect("works");
    } else {
        session
            .run(&[Operation::AdvectScalars { domain, advection, backtrace, from: from_there, to: *to }])
            .expect("works");
    }
    std::mem::swap(from, to);
}

/// Scalars without temperature, contents unspecified.
pub fn dye<B: Backend>(session: &mut Session<'_, B>, domain: &Domain) -> Scalars {
    Scalars { colour: field(session, domain, FieldKind::Dye), temperature: None }
}

/// Dye after this number of steps in a constant wind.
pub fn advected_dye(cpu: &Cpu, scheme: Scheme, state: &State, time: f32, times: usize) -> Vec<[f32; 4]> {
    let device = SmokeCpu::new(cpu);
    let session = &mut Session::new(&device);
    let solids = state.solids.as_ref().map(|solids| {
        let cells: Vec<f32> = solids.solid.iter().map(|&solid| f32::from(u8::from(solid))).collect();
        solid_fields(session, &cells, [&solids.u, &solids.v])
    });
    let domain = Domain::plane([state.grid.width, state.grid.height], state.edges, Slips::default(), solids);
    let advection = Advection { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
    let (wind, colour) = load(session, &state.air);
    let traces = traces(session, &domain, wind, time);
    let mut scalars = Scalars { colour, temperature: None };
    let [mut there, mut to] = [(); 2].map(|()| dye(session, &domain));
    for _ in 0..times {
        advect(session, &domain, advection, traces, [&mut scalars, &mut there, &mut to]);
    }
    bytemuck::cast_slice(&session.download(scalars.colour).expect("works")).to_vec()
}

/// The faces of a state, advected once by their own velocity.
pub fn advected_faces(cpu: &Cpu, scheme: Scheme, state: &State, time: f32) -> [Vec<f32>; 2] {
    let device = SmokeCpu::new(cpu);
    let session = &mut Session::new(&device);
    let domain = &Domain::plane([state.grid.width, state.grid.height], state.edges, Slips::default(), None);
    let (wind, _) = load(session, &state.air);
    let (to, backtrace) = (faces(session, domain), displacements(session, domain));
    let advect = Operation::AdvectVelocity { domain, scheme, time, wind, from: wind, backtrace, to };
    session.run(&[advect]).expect("works");
    [to[0], to[1]].map(|field| session.download(field).expect("works"))
}
