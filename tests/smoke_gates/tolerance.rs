//! The tolerance of the pressure: a stricter one never gives more divergence.

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::{Boundary, Solver};

use crate::devices::Under;
use crate::record::{Record, in_full};
use crate::smoke::projected::{CLOSED, Case, OPEN, Random, WRAP};

/// The tolerance that the stricter ones are compared with.
const REFERENCE: f64 = 1e-5;
const STRICTER: [f64; 3] = [1e-6, 1e-8, 0.0];

/// A disc in the middle of the grid.
fn disc([w, h]: [usize; 2]) -> Vec<bool> {
    let inside = |at: usize| ((at % w) as f64 - 0.45 * w as f64).hypot((at / w) as f64 - 0.55 * h as f64);
    (0..w * h).map(|at| inside(at) < 0.15 * w.min(h) as f64).collect()
}

/// Walls of one cell that split the grid into nine closed regions; the largest holds a disc.
fn closets([w, h]: [usize; 2]) -> Vec<bool> {
    let wall = |at: usize| [w / 5, 4 * w / 5].contains(&(at % w)) || [h / 5, 4 * h / 5].contains(&(at / w));
    disc([w, h]).iter().enumerate().map(|(at, disc)| *disc || wall(at)).collect()
}

/// A fast smooth flow with little divergence: rounding of the velocity is a large part of it.
fn fast(size: [usize; 2], edges: [Boundary; 4], solid: Option<Vec<bool>>) -> Case {
    let mut case = Case::new(size, edges, solid);
    let [w, h] = size;
    let wave = |i: f64, j: f64| (6.0 * i / w as f64).sin() * (5.0 * j / h as f64).cos();
    for (at, u) in case.u.iter_mut().enumerate() {
        *u = (20.0 + wave((at % (w + 1)) as f64, (at / (w + 1)) as f64 + 0.5)) as f32;
    }
    for (at, v) in case.v.iter_mut().enumerate() {
        *v = (-7.0 + wave((at % w) as f64 + 0.5, (at / w) as f64)) as f32;
    }
    case
}

/// The case a frame later: its pressure is that of the previous frame, and the velocity has changed by a tenth.
fn later<B: Backend>(backend: &B, case: &Case, solver: Solver) -> Case {
    let (mut before, mut after) = (case.clone(), case.clone());
    before.project(backend, solver, 20, 1e-3);
    after.pressure = before.pressure;
    let mut random = Random(17);
    after.u.iter_mut().chain(&mut after.v).for_each(|velocity| *velocity += 0.1 * random.next());
    after
}

/// Projects the case with each tolerance and the same limit of iterations; gives the largest divergence with a stricter
/// tolerance than [`REFERENCE`] as a multiple of that with it.
fn growth<B: Backend>(backend: &B, name: &str, case: &Case, solver: Solver, limit: u32) -> f64 {
    let remaining = |tolerance: f64| {
        let mut case = case.clone();
        let projected = case.project(backend, solver, limit, tolerance);
        let (remaining, place) =
            (case.divergence(), format!("{name}, tolerance {tolerance:e}, {limit}: {projected:?}"));
        assert!(case.is_finite() && projected.iterations <= limit, "{place}");
        // The smallest limits of the list are too low for some tolerances.
        assert!(projected.residual <= tolerance.max(if limit >= 20 { 1e-4 } else { 1.0 }), "{place}");
        remaining
    };
    let [rough, fair, reference] = [1e-3, 1e-4, REFERENCE].map(remaining);
    let stricter = STRICTER.map(remaining);
    let [a, b, c] = stricter;
    println!("{name}, {limit}: {rough:.2e} {fair:.2e} {reference:.2e}, {a:.2e} {b:.2e} {c:.2e}");
    stricter.into_iter().fold(0.0, f64::max) / reference
}

fn never_more<B: Backend>(on: &Under<B>) {
    use Solver::{Auto, ConjugateGradients, Multigrid};
    let mut record: Record = on.record("tolerance");
    let (sizes, limits): (&[[usize; 2]], &[u32]) = match (on.is_cpu(), in_full()) {
        (true, true) => (&[[96, 64], [129, 75]], &[5, 20, 50, 100]),
        (true, false) => (&[[96, 64]], &[20]),
        (false, true) => (&[[48, 32]], &[5, 50]),
        (false, false) => (&[[48, 32]], &[20]),
    };
    record.under(format!(
        "{sizes:?} cells; random, warm-started and fast velocities; tolerances {STRICTER:?} against {REFERENCE:?}; at most {limits:?} \
         iterations, all of them on the first size"
    ));
    let cases = [
        ("disc, closed", CLOSED, Some(disc as fn([usize; 2]) -> Vec<bool>), &[Auto, Multigrid][..]),
        ("disc, open", OPEN, Some(disc), &[Auto, Multigrid]),
        ("disc, wrapped", WRAP, Some(disc), &[Auto]),
        ("closets", CLOSED, Some(closets), &[Auto, Multigrid]),
        ("no solids, closed", CLOSED, None, &[Auto, ConjugateGradients]),
        ("no solids, open", OPEN, None, &[Auto, ConjugateGradients]),
        ("no solids, wrapped", WRAP, None, &[Auto, ConjugateGradients]),
    ];
    // A software graphics device takes ten seconds for each: every other one.
    let every = if on.is_cpu() || in_full() { 1 } else { 2 };
    for (name, edges, solid, solvers) in cases.into_iter().step_by(every) {
        for solver in solvers {
            let (mut worst, mut first) = (0.0_f64, true);
            for size in sizes {
                let solid = solid.map(|solid| solid(*size));
                let random = Case::random(*size, edges, solid.clone());
                let warm = later(&on.backend, &random, *solver);
                for (kind, case) in [("random", random), ("warm", warm), ("fast", fast(*size, edges, solid))] {
                    // The other limits at one size only.
                    let limits = if first { limits } else { &limits[limits.len() - 1..] };
                    for limit in limits {
                        let name = format!("{name}, {solver:?}, {size:?}, {kind}");
                        worst = worst.max(growth(&on.backend, &name, &case, *solver, *limit));
                    }
                }
                first = false;
            }
            let what = format!("{name}, {solver:?}, divergence at tolerances 1e-6 to 0, times that at 1e-5");
            record.at_most(what, worst, 1.1);
        }
    }
    record.save();
}

crate::gate!(a_stricter_tolerance_leaves_no_more_divergence, super::never_more);
