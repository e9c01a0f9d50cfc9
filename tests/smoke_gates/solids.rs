//! The pressure among solids.

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::Solver;

use crate::devices::Under;
use crate::record::{Scale, in_full};
use crate::smoke::projected::{CLOSED, Case, OPEN, Random, discs, rooms};

fn few_iterations<B: Backend>(on: &Under<B>) {
    let mut record = on.record("solids");
    let (n, every) = if on.is_cpu() || in_full() { (1024, 1) } else { (512, 2) };
    let cases = [
        ("discs, closed", discs(n, 60), CLOSED),
        ("discs, open", discs(n, 60), OPEN),
        ("256 rooms", rooms(n, 0, 8), CLOSED),
        ("256 rooms, walls amid coarse cells", rooms(n, 31, 8), CLOSED),
    ];
    for (name, solid, edges) in cases.into_iter().step_by(every) {
        let mut case = Case::random([n, n], edges, Some(solid));
        case.walls = [Random(11).plane(case.u.len()), Random(12).plane(case.v.len())];
        let mut held = case.clone();
        held.project(&on.backend, Solver::Auto, 0, 0.0);
        let before = held.divergence();
        let (solver, iterations, tolerance) = (Solver::Auto, 10, 1e-4);
        let projected = case.project(&on.backend, solver, iterations, tolerance);
        record.under(format!("random velocity, pressure {solver:?} to {tolerance} in at most {iterations} iterations"));
        let remaining = case.divergence() / before;
        record.at_most(format!("{name}, {n}², iterations to 1e-4"), f64::from(projected.iterations), 10.0);
        record.at_most(format!("{name}, {n}², true residual"), remaining, 1e-4);
        assert!(
            (remaining / projected.residual - 1.0).abs() < 0.1,
            "{name}: {remaining} is not {}",
            projected.residual
        );
        assert_eq!(case.off_at_solids(), 0.0, "{name}");
    }
    record.save();
}

fn each_pass_is_closer<B: Backend>(on: &Under<B>) {
    let mut record = on.record("iterated");
    let n = 256;
    let mut case = Case::random([n, n], OPEN, Some(discs(n, 12)));
    case.walls[0].fill(0.5);
    case.walls[1].fill(-0.25);
    let mut curve = vec![[0.0, case.off_at_solids()]];
    for passes in 1..=8 {
        let mut case = case.clone();
        let projected = case.project(&on.backend, Solver::IteratedProjection, passes, 0.0);
        let (off, last) = (case.off_at_solids(), curve.last().expect("one")[1]);
        assert!(passes == 1 || off < 0.99 * last, "pass {passes}: {off} after {last}");
        assert!(projected.divergence_after < 1e-3 * projected.divergence_before, "{projected:?}");
        curve.push([f64::from(passes), off]);
    }
    record
        .under(format!("{n}×{n} cells, 12 discs, open edges, pressure {:?}, tolerance 0", Solver::IteratedProjection));
    record.at_most("iterated projection, 8 passes, velocity at solids off by (RMS)", curve[8][1], 0.02);
    record.plot(
        "Iterated projection: velocity at the solids",
        ["passes", "difference to the solids' (RMS)"],
        [Scale::Linear, Scale::Log],
        &[("12 discs, 256²".to_owned(), curve)],
        &[],
    );
    record.save();
}

crate::gate!(solids_take_few_iterations_and_are_exact, super::few_iterations);
crate::gate!(each_pass_reduces_the_error_at_solid_faces, super::each_pass_is_closer);
