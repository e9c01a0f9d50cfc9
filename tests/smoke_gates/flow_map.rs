//! Dye by a flow map against Catmull-Rom's cubic, in the same velocities: errors, fine structure, the change of both at
//! a remap, and ranges. The exact dye is found by tracing nine points of each cell back through all frames.

use std::f64::consts::TAU;
use std::sync::Arc;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::flow_map::REMAP_FRAMES;
use flow_ofx::sim::smoke::forcing::{InitialSource, Patch};
use flow_ofx::sim::smoke::settings::Boundary::{self, Closed, Open, Wrap};
use flow_ofx::sim::smoke::{Settings, Spec, State};

use crate::devices::Under;
use crate::record::{Bound, Scale, in_full};
use crate::smoke::{air, each, run, settings, spec, task};

/// Density at a position, as fractions of the grid's side.
type Picture = fn([f64; 2]) -> f64;

/// Dye that comes in: its region at a frame.
#[derive(Clone, Copy)]
enum Inflow {
    None,
    Add(fn([f64; 2], f64) -> f64),
    Replace(fn([f64; 2], f64) -> f64),
    FillUp(fn([f64; 2], f64) -> f64),
}

/// A flow with dye.
struct Case {
    name: &'static str,
    edges: [Boundary; 4],
    /// Stream function in cells² per frame of a grid of 256² cells.
    stream: fn([f64; 2], f64) -> f64,
    /// Uniform velocity, cells per frame of a grid of 256² cells.
    drift: [f64; 2],
    picture: Picture,
    inflow: Inflow,
    /// Fraction of the dye lost per frame.
    dissipation: f64,
    /// Largest error, as a share of that of Catmull-Rom.
    most: f64,
}

/// Largest change of the logarithm of the gradient energy in the frame after a remap, and the one that the cases are held
/// to.
const PULSE: f64 = 0.04;
const PULSE_HELD: f64 = 0.1;

/// Side of the grid for which the stream functions are made.
const SIDE: f64 = 256.0;

fn nothing(_: [f64; 2]) -> f64 {
    0.0
}

fn disc([x, y]: [f64; 2], [at_x, at_y]: [f64; 2], radius: f64) -> f64 {
    if (x - at_x).hypot(y - at_y) < radius { 1.0 } else { 0.0 }
}

/// Eddies of several sizes that drift past each other.
fn eddies([x, y]: [f64; 2], t: f64) -> f64 {
    let wave =
        |a: f64, b: f64, speed: f64, phase: f64| (TAU * (a * x + b * y + speed * t) + phase).sin() / (a * a + b * b);
    wave(1.0, 2.0, 0.004, 0.3)
        + wave(-2.0, 1.0, 0.006, 1.1)
        + wave(3.0, 2.0, -0.008, 2.0)
        + wave(2.0, -4.0, 0.01, 4.0)
        + wave(-5.0, 3.0, 0.012, 5.2)
}

/// A spinning disc; the air outside is at rest.
fn spin([x, y]: [f64; 2]) -> f64 {
    let r = (x - 0.5).hypot(y - 0.5) * SIDE;
    let (rate, rim) = (TAU / 110.0, 80.0);
    // Solid rotation up to the rim, which fades out over a quarter of it.
    let fade = 20.0;
    let inner = r.min(rim);
    let mut stream = -0.5 * rate * inner * inner;
    if r > rim {
        let out = (r - rim).min(fade);
        stream -= rate * rim * (out - 0.5 * out * out / fade);
    }
    stream
}

fn striped([x, y]: [f64; 2]) -> f64 {
    let stripe = if (x * SIDE / 16.0).rem_euclid(1.0) < 0.5 { 1.0 } else { 0.25 };
    disc([x, y], [0.5; 2], 70.0 / SIDE) * stripe
}

const CASES: [Case; 6] = [
    Case {
        name: "stirring of a picture",
        edges: [Closed; 4],
        stream: |[x, y], t| {
            let shift = 0.1 * (TAU * t / 90.0).sin();
            let x = x + shift * (TAU * x / 2.0).sin() / 2.0;
            60.0 * (TAU * x).sin() * (TAU * y / 2.0).sin()
        },
        drift: [0.0; 2],
        picture: |[x, y]| {
            let check = ((x * 8.0).floor() + (y * 8.0).floor()).rem_euclid(2.0);
            0.15 + 0.7 * check + 0.15 * (TAU * 3.0 * x).sin() * (TAU * 2.0 * y).sin()
        },
        inflow: Inflow::None,
        dissipation: 0.0,
        most: 0.56,
    },
    Case {
        name: "jet, Replace, open edges",
        edges: [Open; 4],
        stream: |[x, y], t| {
            let middle = 0.5 + 0.06 * (TAU * (2.0 * x - t / 70.0)).sin();
            1.8 * 0.12 * SIDE * ((y - middle) / 0.12).tanh() + 40.0 * eddies([x, y], t)
        },
        drift: [0.0; 2],
        picture: nothing,
        inflow: Inflow::Replace(|place, _| disc(place, [0.12, 0.5], 0.07)),
        dissipation: 0.0,
        most: 0.60,
    },
    Case {
        name: "plume, Fill up",
        edges: [Open, Open, Closed, Open],
        stream: |[x, y], t| {
            let middle = 0.5 + 0.05 * (TAU * (1.5 * y - t / 60.0)).sin();
            let floor = (y * 8.0).tanh();
            floor * (-1.5 * 0.1 * SIDE * ((x - middle) / 0.1).tanh() + 60.0 * eddies([x, y], t))
        },
        drift: [0.0; 2],
        picture: nothing,
        inflow: Inflow::FillUp(|place, _| disc(place, [0.5, 0.12], 0.06)),
        dissipation: 0.0,
        most: 0.90,
    },
    Case {
        name: "brush, Add, 1 % lost per frame",
        edges: [Closed; 4],
        stream: |[x, y], t| {
            let walls = (TAU * x / 2.0).sin() * (TAU * y / 2.0).sin();
            90.0 * walls * eddies([x, y], t)
        },
        drift: [0.0; 2],
        picture: nothing,
        inflow: Inflow::Add(|place, t| {
            let turn = TAU * t / 80.0;
            0.2 * disc(place, [0.5 + 0.28 * turn.cos(), 0.5 + 0.22 * turn.sin()], 0.035)
        }),
        dissipation: 0.01,
        most: 0.66,
    },
    Case {
        name: "disc in stripes",
        edges: [Wrap; 4],
        stream: |place, _| spin(place),
        drift: [0.0; 2],
        picture: striped,
        inflow: Inflow::None,
        dissipation: 0.0,
        most: 0.58,
    },
    Case {
        name: "disc in stripes, moving",
        edges: [Wrap; 4],
        stream: |[x, y], t| {
            let [x, y] = [x - 0.37 * t / SIDE, y - 0.23 * t / SIDE];
            spin([x.rem_euclid(1.0), y.rem_euclid(1.0)])
        },
        drift: [0.37, 0.23],
        picture: striped,
        inflow: Inflow::None,
        dissipation: 0.0,
        most: 0.62,
    },
];

/// The faces of a frame.
struct Faces {
    u: Vec<f32>,
    v: Vec<f32>,
}

/// A case on a grid of `n`² cells, in so many frames.
struct Scene<'a> {
    case: &'a Case,
    n: usize,
    frames: usize,
    /// Velocity of each frame.
    faces: Vec<Faces>,
    spec: Spec,
    settings: Settings,
}

impl<'a> Scene<'a> {
    fn new(case: &'a Case, n: usize, frames: usize) -> Scene<'a> {
        let mut spec = spec(n, n, case.edges);
        // Velocity and pressure never advance.
        spec.constants.update_every = u32::MAX;
        let settings = Settings { frame: 1, max_cfl: 1e6, dissipation: case.dissipation, ..settings() };
        let faces = (1..=frames).map(|frame| faces(case, n, frame as f64 * SIDE / n as f64)).collect();
        Scene { case, n, frames, faces, spec, settings }
    }

    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x / self.n as f64, y / self.n as f64]
    }

    /// The time of a frame in those of a grid of 256² cells.
    fn time(&self, frame: usize) -> f64 {
        frame as f64 * SIDE / self.n as f64
    }

    /// Density of the picture at the start.
    fn start(&self) -> State {
        let mut state = air(&self.spec, |_| [0.0; 2], |_| [0.0; 4]);
        let dye = mean_of_cells(self.n, |place| (self.case.picture)(self.place(place)));
        Arc::make_mut(&mut state.air).dye = dye.into_iter().map(|density| [density; 4]).collect();
        state
    }

    fn patch(&self, frame: usize, region: fn([f64; 2], f64) -> f64) -> Patch<[f32; 4]> {
        let values = mean_of_cells(self.n, |place| region(self.place(place), self.time(frame)));
        Patch { x: 0, y: 0, width: self.n, height: self.n, values: values.into_iter().map(|m| [m; 4]).collect() }
    }

    /// A patch with all of a cell or nothing of it.
    fn hard_patch(&self, frame: usize, region: fn([f64; 2], f64) -> f64) -> Patch<[f32; 4]> {
        let mut patch = self.patch(frame, region);
        patch.values.iter_mut().for_each(|value| *value = value.map(f32::round));
        patch
    }

    /// The state after each frame, from the start on, to `see`.
    fn play<B: Backend>(&self, on: &Under<B>, flow_map: bool, mut see: impl FnMut(usize, &State)) {
        let mut state = self.start();
        let mut spec = self.spec;
        spec.constants.flow_map = flow_map;
        see(0, &state);
        for frame in 1..=self.frames {
            let air = Arc::make_mut(&mut state.air);
            let Faces { u, v } = &self.faces[frame - 1];
            (air.u, air.v) = (u.clone().into(), v.clone().into());
            let mut task = task(&spec, &self.settings, 1.0);
            match self.case.inflow {
                Inflow::None => {}
                Inflow::Add(region) => task.forcing.dye.push(self.patch(frame, region)),
                Inflow::Replace(region) => {
                    task.forcing.initial_source = Some(InitialSource::Replace(self.hard_patch(frame, region)));
                }
                Inflow::FillUp(region) => {
                    task.forcing.initial_source = Some(InitialSource::FillUp(self.hard_patch(frame, region)));
                }
            }
            state = run(on.device, &task, &state).0;
            see(frame, &state);
        }
    }

    /// The exact density after the last frame: the mean of nine points of each cell.
    fn exact(&self) -> Vec<f32> {
        let rows: Vec<usize> = (0..self.n).collect();
        let mut exact = vec![0.0; self.n * self.n];
        let half = self.n.div_ceil(2);
        let (low, high) = exact.split_at_mut(half * self.n);
        std::thread::scope(|threads| {
            for (rows, to) in [(&rows[..half], low), (&rows[half..], high)] {
                threads.spawn(|| {
                    for (y, to) in rows.iter().zip(to.chunks_exact_mut(self.n)) {
                        for (x, to) in to.iter_mut().enumerate() {
                            let part = |at: usize| (at as f64 + 0.5) / 3.0;
                            let points = (0..9).map(|l| [x as f64 + part(l % 3), *y as f64 + part(l / 3)]);
                            *to = (points.map(|place| self.exact_at(place)).sum::<f64>() / 9.0) as f32;
                        }
                    }
                });
            }
        });
        exact
    }

    fn exact_at(&self, mut place: [f64; 2]) -> f64 {
        let (mut share, mut sum) = (1.0, 0.0_f64);
        let keep = 1.0 - self.case.dissipation;
        for frame in (1..=self.frames).rev() {
            let at = |region: fn([f64; 2], f64) -> f64, place| region(self.place(place), self.time(frame));
            if let Inflow::Add(region) = self.case.inflow {
                sum += share * at(region, place);
            }
            share *= keep;
            place = self.back(&self.faces[frame - 1], place);
            for (part, edge) in place.iter_mut().zip([self.case.edges[0], self.case.edges[2]]) {
                if edge == Wrap {
                    *part = part.rem_euclid(self.n as f64);
                }
            }
            match self.case.inflow {
                Inflow::Replace(region) if at(region, place) > 0.0 => return share,
                Inflow::FillUp(region) => sum = sum.max(at(region, place)),
                _ => {}
            }
            let outside = place.iter().any(|at| !(-1.0..=self.n as f64 + 1.0).contains(at));
            if outside && self.case.edges.contains(&Open) {
                return sum;
            }
        }
        let start = share * (self.case.picture)(self.place(place));
        if matches!(self.case.inflow, Inflow::FillUp(_)) { sum.max(start) } else { sum + start }
    }

    /// A point a frame earlier, by the midpoint method.
    fn back(&self, faces: &Faces, [x, y]: [f64; 2]) -> [f64; 2] {
        let [u, v] = self.velocity(faces, [x, y]);
        let [u, v] = self.velocity(faces, [x - 0.5 * u, y - 0.5 * v]);
        [x - u, y - v]
    }

    fn velocity(&self, Faces { u, v }: &Faces, [x, y]: [f64; 2]) -> [f64; 2] {
        let n = self.n;
        let sample = |values: &[f32], columns: usize, rows: usize, [x, y]: [f64; 2]| {
            let axis = |at: f64, count: usize, side: usize| {
                let low = at.floor();
                let tap = |i: f64| {
                    if self.case.edges[side] == Wrap {
                        i.rem_euclid(n as f64) as usize
                    } else {
                        i.clamp(0.0, (count - 1) as f64) as usize
                    }
                };
                (tap(low), tap(low + 1.0), at - low)
            };
            let ((a, b, s), (c, d, t)) = (axis(x, columns, 0), axis(y, rows, 2));
            let value = |x: usize, y: usize| f64::from(values[y * columns + x]);
            let low = value(a, c) + (value(b, c) - value(a, c)) * s;
            let high = value(a, d) + (value(b, d) - value(a, d)) * s;
            low + (high - low) * t
        };
        [sample(u, n + 1, n, [x, y - 0.5]), sample(v, n, n + 1, [x - 0.5, y])]
    }
}

/// The mean of nine points of each cell.
fn mean_of_cells(n: usize, of: impl Fn([f64; 2]) -> f64) -> Vec<f32> {
    let mut means = vec![0.0; n * n];
    let part = |at: usize| (at as f64 + 0.5) / 3.0;
    each(n, n, [0.0; 2], |at, [x, y]| {
        let points = (0..9).map(|l| of([x + part(l % 3), y + part(l / 3)]));
        means[at] = (points.sum::<f64>() / 9.0) as f32;
    });
    means
}

/// Differences of the stream function between the corners: no cell has divergence.
fn faces(case: &Case, n: usize, time: f64) -> Faces {
    let cell = SIDE / n as f64;
    let wraps = [0, 1].map(|axis| case.edges[2 * axis] == Wrap);
    // A wrapped axis repeats its first corner.
    let corner = |x: usize, y: usize| {
        let [x, y] = [if wraps[0] { x % n } else { x }, if wraps[1] { y % n } else { y }];
        (case.stream)([x as f64 / n as f64, y as f64 / n as f64], time)
    };
    let corners: Vec<f64> = (0..=n).flat_map(|y| (0..=n).map(move |x| (x, y))).map(|(x, y)| corner(x, y)).collect();
    let at = |x: usize, y: usize| corners[y * (n + 1) + x];
    // Velocity in cells of this grid per its own frame, whose time is `cell` frames: the factors cancel once.
    let (mut u, mut v) = (vec![0.0; (n + 1) * n], vec![0.0; n * (n + 1)]);
    each(n + 1, n, [0.0; 2], |to, [x, y]| {
        let (x, y) = (x as usize, y as usize);
        u[to] = ((at(x, y + 1) - at(x, y)) / cell + case.drift[0]) as f32;
    });
    each(n, n + 1, [0.0; 2], |to, [x, y]| {
        let (x, y) = (x as usize, y as usize);
        v[to] = ((at(x, y) - at(x + 1, y)) / cell + case.drift[1]) as f32;
    });
    Faces { u, v }
}

fn density(state: &State) -> Vec<f32> {
    state.air.dye.iter().map(|dye| dye[3]).collect()
}

/// Sum of the absolute differences over that of the values.
fn error(found: &[f32], exact: &[f32]) -> f64 {
    let sum = |values: &mut dyn Iterator<Item = f32>| values.map(|v| f64::from(v.abs())).sum::<f64>();
    sum(&mut found.iter().zip(exact).map(|(a, b)| a - b)) / sum(&mut exact.iter().copied())
}

/// Sum of the squares of the gradient.
fn gradient(values: &[f32], n: usize) -> f64 {
    let square = |a: usize, b: usize| f64::from(values[a] - values[b]).powi(2);
    (0..n * n)
        .map(|at| {
            let right = if at % n + 1 < n { square(at, at + 1) } else { 0.0 };
            right + if at + n < n * n { square(at, at + n) } else { 0.0 }
        })
        .sum()
}

fn is_sharper<B: Backend>(on: &Under<B>) {
    let mut record = on.record("flow-map");
    let (n, frames) = match (on.is_cpu(), in_full()) {
        (true, true) => (256, 200),
        (true, false) => (128, 100),
        (false, _) => (96, 40),
    };
    let mut lines = Vec::new();
    let shown = match (on.is_cpu(), in_full()) {
        (true, true) => CASES.len(),
        (true, false) => 3,
        (false, _) => 1,
    };
    for case in &CASES[..shown] {
        let scene = Scene::new(case, n, frames);
        let exact = scene.exact();
        let mut ends = [const { Vec::new() }; 2];
        let mut energies: Vec<f64> = Vec::new();
        let (mut least, mut most) = (0.0_f32, 0.0_f32);
        for (flow_map, end) in [false, true].into_iter().zip(&mut ends) {
            scene.play(on, flow_map, |frame, state| {
                let now = density(state);
                if flow_map {
                    least = now.iter().copied().fold(least, f32::min);
                    most = now.iter().copied().fold(most, f32::max);
                    energies.push(gradient(&now, n));
                }
                if frame == frames {
                    *end = now;
                }
            });
        }
        let [cubic, mapped] = ends.each_ref().map(|end| error(end, &exact));
        let fine = |end: &[f32]| gradient(end, n) / gradient(&exact, n);
        record.under(format!(
            "{n}×{n} cells, frame {frames}, {}, given velocities, remap every {REMAP_FRAMES} frames",
            case.name
        ));
        record.row(format!("{}: L1 error, Catmull-Rom", case.name), "", cubic);
        record.row(format!("{}: L1 error, flow map", case.name), "", mapped);
        record.at_most(
            format!("{}: error of a flow map, of that of Catmull-Rom", case.name),
            mapped / cubic,
            case.most,
        );
        record.row(format!("{}: gradient energy, of the exact one, Catmull-Rom", case.name), "", fine(&ends[0]));
        record.row(format!("{}: gradient energy, of the exact one, flow map", case.name), "", fine(&ends[1]));
        record.at_least(format!("{}: least density", case.name), f64::from(least), 0.0);
        if !matches!(case.inflow, Inflow::Add(_)) {
            record.at_most(format!("{}: greatest density", case.name), f64::from(most), 1.05);
        }
        let remaps = (REMAP_FRAMES as usize + 1..frames).step_by(REMAP_FRAMES as usize);
        let pulse = remaps.map(|frame| (energies[frame] / energies[frame - 1]).ln().abs()).fold(0.0, f64::max);
        let name = format!("{}: change of ln gradient energy in the frame after a remap", case.name);
        let why = "a residual that is renewed every ten frames follows fast shear too late";
        record.known_to_miss(name, pulse, Bound::AtMost(PULSE), Bound::AtMost(PULSE_HELD), why);
        lines.push((
            case.name.to_owned(),
            energies.iter().enumerate().skip(1).map(|(frame, energy)| [frame as f64, *energy]).collect(),
        ));
    }
    record.plot(
        "Dye by a flow map: gradient energy",
        ["frame", "sum of the squares of the gradient"],
        [Scale::Linear, Scale::Log],
        &lines,
        &[],
    );
    record.save();
}

crate::gate!(a_flow_map_keeps_fine_structure, super::is_sharper);
