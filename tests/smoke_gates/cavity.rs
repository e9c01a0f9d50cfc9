//! Lid-driven cavity: u on the vertical centre line against Ghia, Ghia and Shin 1982.

use std::sync::{Arc, OnceLock};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::{Boundary, Scheme};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Device, Settings, Spec, State, Task};

use crate::defaults;
use crate::devices::Under;
use crate::record::{Bound, Record, Scale, in_full};
use crate::smoke::{air, run, settings, spec, still, task};

/// Cells along each side of the box.
const N: usize = 128;

/// Largest difference of u from the paper.
const WITHIN: f64 = 0.006;

/// Bound for the node's defaults, and the reason why they miss the asked one.
const HELD: f64 = 0.05;
const WHY: &str = "without Reflection the projections remove energy from the eddies";

/// A lid-driven cavity at one Reynolds number.
#[derive(Clone, Copy)]
struct Cavity {
    reynolds: f64,
    how: How,
    /// Height, and u there: the gates.
    gates: &'static [[f64; 2]],
    /// u over the height, from the paper.
    known: [f64; 15],
}

/// Settings of a run.
#[derive(Clone, Copy, PartialEq)]
enum How {
    /// With reflection: the velocity's scheme, and frames per step. The lid moves a cell per frame.
    Reflecting(Scheme, f64),
    /// With the node's defaults, a frame at a time.
    Defaults,
}

impl How {
    /// Frames per step.
    fn frames(self) -> f64 {
        match self {
            How::Reflecting(_, frames) => frames,
            How::Defaults => 1.0,
        }
    }
}

const HEIGHTS: [f64; 15] = [
    0.0547, 0.0625, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5, 0.6172, 0.7344, 0.8516, 0.9531, 0.9609, 0.9688, 0.9766,
];

const SLOW: Cavity = Cavity {
    reynolds: 100.0,
    how: How::Reflecting(Scheme::MacCormack, 4.0),
    gates: &[[0.4531, -0.21090], [0.7344, 0.00332]],
    known: [
        -0.03717, -0.04192, -0.04775, -0.06434, -0.10150, -0.15662, -0.21090, -0.20581, -0.13641, 0.00332, 0.23151,
        0.68717, 0.73722, 0.78871, 0.84123,
    ],
};

const THIN: Cavity = Cavity {
    reynolds: 400.0,
    how: How::Reflecting(Scheme::MacCormack, 2.0),
    gates: &[[0.2813, -0.32726]],
    known: [
        -0.08186, -0.09266, -0.10338, -0.14612, -0.24299, -0.32726, -0.17119, -0.11477, 0.02135, 0.16256, 0.29093,
        0.55892, 0.61756, 0.68439, 0.75837,
    ],
};

const THINNER: Cavity = Cavity {
    reynolds: 1000.0,
    // MacCormack ends at a u_min of -0.3775 and a v_min of -0.5137.
    how: How::Reflecting(Scheme::Cubic, 2.0),
    gates: &[[0.1719, -0.38289], [0.9531, 0.46604]],
    known: [
        -0.18109, -0.20196, -0.22220, -0.29730, -0.38289, -0.27805, -0.10648, -0.06080, 0.05702, 0.18719, 0.33304,
        0.46604, 0.51117, 0.57492, 0.65928,
    ],
};

impl Cavity {
    /// A frame in a box of `n`² cells.
    fn task(&self, n: usize) -> (Spec, Task) {
        let (w, h) = (n + 2, n + 2);
        let mut spec = spec(w, h, [Boundary::Closed; 4]);
        let ring = |x: usize, y: usize| x == 0 || y == 0 || x == w - 1 || y == h - 1;
        let solid: Vec<bool> = (0..w * h).map(|at| ring(at % w, at / w)).collect();
        let mut solids = Solids { solid, u: vec![0.0; (w + 1) * h], v: vec![0.0; w * (h + 1)] };
        // The lid's cells move; its ends at the side walls are at rest.
        for x in 2..w - 1 {
            solids.u[(h - 1) * (w + 1) + x] = 1.0;
        }
        let viscosity = n as f64 / self.reynolds;
        let mut settings = Settings { viscosity, max_cfl: 100.0, iterations: 6, tolerance: 1e-3, ..settings() };
        match self.how {
            How::Reflecting(scheme, _) => {
                spec.constants.velocity_scheme = scheme;
                spec.constants.dye_scheme = Scheme::SemiLagrangian;
                // Without reflection the projections take energy out of the eddies.
                spec.constants.reflection = true;
            }
            How::Defaults => defaults::apply(&mut spec, &mut settings),
        }
        let mut task = task(&spec, &settings, self.how.frames());
        task.forcing.solids = Some(Arc::new(solids));
        (spec, task)
    }

    /// Runs from a state until u changes by less than 3e-4 while the lid crosses the box once.
    fn settled(&self, n: usize, start: Option<&State>) -> State {
        let (spec, task) = self.task(n);
        let cpu = Cpu::new(1);
        let mut state = start.map_or_else(|| still(&spec), |start| finer(&spec, start));
        for _ in 0..60 {
            let before = Arc::clone(&state.air);
            state = self.cross(&cpu, &task, n, state);
            if change(&state.air.u, &before.u) < 3e-4 {
                return state;
            }
        }
        panic!("Re {}: the air never comes to rest", self.reynolds);
    }

    /// Runs while the lid crosses the box once.
    fn cross(&self, device: &dyn Device, task: &Task, n: usize, state: State) -> State {
        (0..n / self.how.frames() as usize).fold(state, |state, _| run(device, task, &state).0)
    }

    /// The CPU's steady flow, started from those on coarser grids: computed once.
    fn steady<'a>(&self, kept: &'a OnceLock<State>) -> &'a State {
        kept.get_or_init(|| self.settled(N, Some(&self.settled(N / 2, Some(&self.settled(N / 4, None))))))
    }

    /// The gates. A graphics device continues the CPU's steady flow for one more crossing, which changes it
    /// no more than the CPU would.
    fn holds<B: Backend>(&self, on: &Under<B>, kept: &OnceLock<State>, gate: &'static str) -> (Record, State) {
        let mut record = on.record(gate);
        let mut state = self.steady(kept).clone();
        let re = self.reynolds;
        let (spec, task) = self.task(N);
        record.under(defaults::settings_text(&spec, &task.settings, task.time));
        if !on.is_cpu() {
            let after = self.cross(on.device, &task, N, state.clone());
            record.at_most(
                format!("cavity, Re {re}, change of u in one more turn"),
                change(&after.air.u, &state.air.u),
                1e-3,
            );
            state = after;
        }
        for &[at, expected] in self.gates {
            record.near(format!("cavity, Re {re}, u({at})"), across(&state, at), expected, WITHIN);
        }
        (record, state)
    }

    /// The same with the node's defaults, on the CPU and for the report only, since it takes long.
    fn usual<B: Backend>(&self, on: &Under<B>, record: &mut Record) -> Option<State> {
        if !on.is_cpu() || !in_full() {
            return None;
        }
        let usual = Cavity { how: How::Defaults, ..*self };
        let state = usual.settled(N, Some(&usual.settled(N / 2, Some(&usual.settled(N / 4, None)))));
        let (spec, task) = usual.task(N);
        record.under(defaults::settings_text(&spec, &task.settings, task.time));
        for &[at, expected] in self.gates {
            let what = format!("cavity, Re {}, u({at}), the node's defaults", self.reynolds);
            let (asked, enforced) = (Bound::Near(expected, WITHIN), Bound::Near(expected, HELD));
            record.known_to_miss(what, across(&state, at), asked, enforced, WHY);
        }
        Some(state)
    }

    /// u on the vertical centre line, with reflection and by default.
    fn plot(&self, record: &mut Record, state: &State, usual: Option<&State>) {
        let profile = |state: &State| -> Vec<[f64; 2]> {
            (1..=N).map(|y| (y as f64 - 0.5) / N as f64).map(|at| [across(state, at), at]).collect()
        };
        let mut lines = vec![(format!("with reflection, {N}²"), profile(state))];
        lines.extend(usual.map(|state| (format!("the node's defaults, {N}²"), profile(state))));
        let known = self.known.into_iter().zip(HEIGHTS).map(|(u, at)| [u, at]).collect();
        record.plot(
            &format!("Driven cavity, Re {}", self.reynolds),
            ["u on the middle line, over the lid's", "height"],
            [Scale::Linear; 2],
            &lines,
            &[("Ghia, Ghia and Shin 1982".to_owned(), known)],
        );
    }

    /// The parts of a gate that do not depend on the Reynolds number.
    fn gate<B: Backend>(&self, on: &Under<B>, kept: &OnceLock<State>, gate: &'static str) {
        let (mut record, state) = self.holds(on, kept, gate);
        let usual = self.usual(on, &mut record);
        self.plot(&mut record, &state, usual.as_ref());
        record.save();
    }
}

fn change(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max)
}

/// The velocity of a box with half as many cells per side, inside the walls.
fn finer(spec: &Spec, coarse: &State) -> State {
    let w = coarse.grid.width;
    let value = |plane: &[f32], columns: usize, rows: usize, [x, y]: [f64; 2]| {
        let (x, y) = (x.clamp(0.0, columns as f64 - 1.001), y.clamp(0.0, rows as f64 - 1.001));
        let at = y as usize * columns + x as usize;
        let row = |at: usize| f64::from(plane[at]) * (1.0 - x.fract()) + f64::from(plane[at + 1]) * x.fract();
        row(at) * (1.0 - y.fract()) + row(at + columns) * y.fract()
    };
    let velocity = |[x, y]: [f64; 2]| {
        let (x, y) = ((x + 1.0) / 2.0, (y + 1.0) / 2.0);
        [value(&coarse.air.u, w + 1, w, [x, y - 0.5]), value(&coarse.air.v, w, w + 1, [x - 0.5, y])]
    };
    air(spec, velocity, |_| [0.0; 4])
}

/// u over the lid's velocity on the vertical centre line, at the fraction `at` of the height, linear between faces.
fn across(state: &State, at: f64) -> f64 {
    let w = N + 2;
    let place = (at * N as f64 - 0.5).clamp(0.0, N as f64 - 1.001);
    let row = place.floor();
    let u = |row: f64| f64::from(state.air.u[(row as usize + 1) * (w + 1) + N / 2 + 1]);
    let part = place - row;
    u(row) * (1.0 - part) + u(row + 1.0) * part
}

/// Minimum and maximum.
fn extremes(values: impl Iterator<Item = f32>) -> [f64; 2] {
    values.map(f64::from).fold([f64::MAX, f64::MIN], |[low, high], v| [low.min(v), high.max(v)])
}

/// Minimum of u, minimum and maximum of v on the centre lines, with their names and the paper's values.
fn least_and_greatest(state: &State) -> [(&'static str, f64, f64); 3] {
    let u = extremes((1..=N).map(|y| state.air.u[y * (N + 3) + N / 2 + 1]));
    let v = extremes((1..=N).map(|x| state.air.v[(N / 2 + 1) * (N + 2) + x]));
    [("u_min", u[0], -0.3857), ("v_min", v[0], -0.5246), ("v_max", v[1], 0.3757)]
}

fn slow<B: Backend>(on: &Under<B>) {
    if !on.is_cpu() && !in_full() {
        return;
    }
    static KEPT: OnceLock<State> = OnceLock::new();
    SLOW.gate(on, &KEPT, "cavity-100");
}

fn thin<B: Backend>(on: &Under<B>) {
    if !in_full() {
        return;
    }
    static KEPT: OnceLock<State> = OnceLock::new();
    THIN.gate(on, &KEPT, "cavity-400");
}

fn thinner<B: Backend>(on: &Under<B>) {
    if !in_full() {
        return;
    }
    static KEPT: OnceLock<State> = OnceLock::new();
    let (mut record, state) = THINNER.holds(on, &KEPT, "cavity-1000");
    for (name, found, expected) in least_and_greatest(&state) {
        record.near(format!("cavity, Re 1000, {name}"), found, expected, 0.008);
    }
    let usual = THINNER.usual(on, &mut record);
    for (name, found, expected) in usual.iter().flat_map(least_and_greatest) {
        let what = format!("cavity, Re 1000, {name}, the node's defaults");
        record.known_to_miss(what, found, Bound::Near(expected, 0.008), Bound::Near(expected, HELD), WHY);
    }
    THINNER.plot(&mut record, &state, usual.as_ref());
    record.save();
}

crate::gate!(a_lid_driven_cavity_matches_ghia_at_re_100, super::slow);
crate::gate!(a_lid_driven_cavity_matches_ghia_at_re_400, super::thin);
crate::gate!(a_lid_driven_cavity_matches_ghia_at_re_1000, super::thinner);
