//! The pressure without solids: accuracy, and convergence.

use std::f64::consts::PI;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::{Boundary, Solver};

use crate::devices::Under;
use crate::record::{Line, Scale};
use crate::smoke::projected::{CLOSED, Case, OPEN, WRAP};

/// Solver, limit of iterations and tolerance of the manufactured solutions.
const SOLVED: (Solver, u32, f64) = (Solver::Multigrid, 20, 1e-6);

/// The largest error of the pressure whose Laplacian is that of `of`, a product of the same function of x and of y with
/// `∇² = −2·(π / span)²` of it, on n × n cells.
fn error<B: Backend>(backend: &B, n: usize, edges: [Boundary; 4], of: impl Fn(usize) -> f64, span: f64) -> f64 {
    let mut case = Case::new([n, n], edges, None);
    let factor = 2.0 * (PI / span).powi(2);
    for j in 0..n {
        let mut sum = 0.0;
        for i in 0..n {
            sum -= factor * of(i) * of(j);
            case.u[j * (n + 1) + i + 1] = sum as f32;
        }
    }
    case.project(backend, SOLVED.0, SOLVED.1, SOLVED.2);
    let off: Vec<f64> =
        case.pressure.iter().enumerate().map(|(at, p)| f64::from(*p) - of(at % n) * of(at / n)).collect();
    // Between closed sides the pressure is unique up to a constant.
    let free = if edges == CLOSED { off.iter().sum::<f64>() / off.len() as f64 } else { 0.0 };
    off.iter().map(|off| (off - free).abs()).fold(0.0, f64::max)
}

fn falls_to_a_quarter<B: Backend>(on: &Under<B>) {
    let backend = &on.backend;
    let closed = [32, 64, 128].map(|n| {
        let of = move |i: usize| (PI * (i as f64 + 0.5) / n as f64).cos();
        [n as f64, error(backend, n, CLOSED, of, n as f64)]
    });
    // The pressure is 0 half a cell beyond the open sides.
    let open = [31, 63, 127].map(|n| {
        let of = move |i: usize| (PI * (i as f64 + 1.0) / (n + 1) as f64).sin();
        [n as f64, error(backend, n, OPEN, of, (n + 1) as f64)]
    });
    let mut record = on.record("poisson");
    let (solver, iterations, tolerance) = SOLVED;
    record.under(format!("pressure {solver:?} to {tolerance} in at most {iterations} iterations"));
    for (name, errors) in [("cos·cos, closed", &closed), ("sin·sin, open", &open)] {
        for pair in errors.windows(2) {
            let ratio = pair[0][1] / pair[1][1];
            record.near(format!("Poisson, {name}, error from {} to {} cells", pair[0][0], pair[1][0]), ratio, 4.0, 0.2);
        }
    }
    let second: Vec<[f64; 2]> = [32.0_f64, 128.0].map(|n| [n, closed[0][1] * (32.0 / n).powi(2)]).to_vec();
    record.plot(
        "Poisson: largest error",
        ["cells along a side", "error of the pressure"],
        [Scale::Log; 2],
        &[("second order".to_owned(), second)],
        &[("cos·cos, closed".to_owned(), closed.to_vec()), ("sin·sin, open".to_owned(), open.to_vec())],
    );
    record.save();
}

/// Residual divergence of a random velocity after each cycle or sweep.
fn residuals<B: Backend>(backend: &B, n: usize, edges: [Boundary; 4], solver: Solver, after: &[u32]) -> Vec<[f64; 2]> {
    let remaining = |&count: &u32| {
        let mut case = Case::random([n, n], edges, None);
        let projected = case.project(backend, solver, count, 0.0);
        assert_eq!(projected.iterations, count);
        let found = case.divergence() / projected.divergence_before;
        assert!((found - projected.residual).abs() < 0.05 * projected.residual + 1e-7, "{found}: {projected:?}");
        [f64::from(count), projected.residual]
    };
    after.iter().map(remaining).collect()
}

fn leaves_less_than_a_tenth<B: Backend>(on: &Under<B>) {
    let mut record = on.record("cycles");
    let mut lines: Vec<Line> = Vec::new();
    let sizes: &[usize] = if on.is_cpu() { &[128, 256, 512, 1024, 2048] } else { &[128, 256, 512] };
    for &n in sizes {
        let all = if n < 1024 { vec![CLOSED, OPEN, WRAP] } else { vec![CLOSED] };
        for edges in all {
            let curve = residuals(&on.backend, n, edges, Solver::Multigrid, &[2, 4]);
            let [two, four] = [curve[0][1], curve[1][1]];
            let worst = two.sqrt().max((four / two).sqrt());
            record.under(format!("{n}×{n} cells, random velocity, pressure {:?}, 2 and 4 cycles", Solver::Multigrid));
            record.at_most(format!("multigrid, {n}², {:?}, residual per V(2,1)", edges[0]), worst, 0.09);
            if edges == CLOSED {
                lines.push((format!("multigrid, {n}²"), [vec![[0.0, 1.0]], curve].concat()));
            }
        }
    }
    let jacobi = residuals(&on.backend, 256, CLOSED, Solver::Jacobi, &[1, 2, 4, 6]);
    lines.push(("Jacobi sweeps, 256²".to_owned(), [vec![[0.0, 1.0]], jacobi].concat()));
    record.plot(
        "Residual of a random divergence",
        ["V(2,1) cycles, or sweeps", "residual"],
        [Scale::Linear, Scale::Log],
        &lines,
        &[],
    );
    record.save();
}

crate::gate!(the_error_falls_to_a_quarter_at_half_the_cell_size, super::falls_to_a_quarter);
crate::gate!(a_cycle_reduces_the_residual_below_a_tenth, super::leaves_less_than_a_tenth);
