//! Multigrid against the Jacobi sweeps of tutorials.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::fluid::{Boundary, Domain, Projection, Session, Slips, Solver, VectorField, Workspace, project};
use flow_ofx::sim::smoke::pressure::{RECIPES, hierarchy};
use serde_json::{Value, json};

use crate::comparison::least_and_median;

/// Cells along each side.
const SIDE: usize = 1024;
/// Names and settings of the compared solvers.
const SOLVERS: [(&str, Projection); 2] = [
    (
        "multigrid",
        Projection { solver: Solver::Multigrid, iterations: 20, tolerance: 1e-4, recipes: RECIPES, source: None },
    ),
    ("jacobi", Projection { solver: Solver::Jacobi, iterations: 60, tolerance: 0.0, recipes: RECIPES, source: None }),
];

/// The name that filters match, after the device's.
pub fn name() -> String {
    format!("{SIDE}x{SIDE} smoke pressure")
}

/// Projects a random velocity by both solvers in turn, for about `budget` each.
pub fn run(cpu: &Cpu, name: &str, budget: Duration) -> Value {
    let (threads, backend) = (cpu.threads(), SmokeCpu::new(cpu));
    let start = [random(1), random(2)];
    let session = &mut Session::new(&backend);
    let (edges, go_on) = ([Boundary::Closed; 4], &mut || true);
    let domain = Domain::plane([SIDE; 2], edges, Slips::default(), None);
    let grids = Arc::new(hierarchy([SIDE; 2], edges, None));
    let mut workspace = Workspace::new(session, grids).expect("there is memory");
    let mut times = [Vec::new(), Vec::new()];
    let mut diagnostics = [None; 2];
    let begun = Instant::now();
    while times[0].len() < 3 || begun.elapsed() < 2 * budget {
        for (which, (_, how)) in SOLVERS.iter().enumerate() {
            let [u, v] = [0, 1].map(|axis| session.upload(&start[axis]).expect("there is memory"));
            let pressure = session.allocate(SIDE * SIDE).expect("there is memory");
            let velocity = VectorField::new(&[u, v]);
            let clock = Instant::now();
            let found = project(session, &mut workspace, &domain, velocity, (None, pressure), how, go_on);
            times[which].push(clock.elapsed());
            diagnostics[which] = found.ok();
            session.free(&[u, v, pressure]);
        }
    }
    let mut row = json!({ "row": "pressure", "name": name, "threads": threads, "side": SIDE });
    for (which, (name, _)) in SOLVERS.iter().enumerate() {
        // The first run warms up.
        let [least, median] = least_and_median(times[which].split_off(1));
        let diagnostics = diagnostics[which].expect("the CPU works, uninterrupted");
        row[*name] = json!({ "least": least, "median": median, "iterations": diagnostics.iterations, "residual": diagnostics.residual });
    }
    row
}

/// Values in [−1, 1), the same in every run.
fn random(seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..SIDE * (SIDE + 1)).map(|_| next()).collect()
}
