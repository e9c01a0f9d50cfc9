//! The pressure of the smoke on the CPU: finite for any input, convergent at any size, and the same bits always. Its
//! gates are in `smoke_gates`.

mod smoke;

use std::sync::Arc;

use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::fluid::{Boundary, Hierarchy, Operation, Projected, Session, Solver, Workspace};
use flow_ofx::sim::smoke::pressure::{RECIPES, hierarchy};
use smoke::projected::{CLOSED, Case, OPEN, Random, WRAP, discs, rooms};

/// Projects on the CPU.
fn project(case: &mut Case, solver: Solver, iterations: u32, tolerance: f64) -> Projected {
    case.project(&SmokeCpu::new(&Cpu::new(2)), solver, iterations, tolerance)
}

/// The factor of the residual per cycle: of the first two cycles, and of the next two.
fn factors(size: [usize; 2], edges: [Boundary; 4]) -> [f64; 2] {
    let residual = |cycles: u32| {
        let mut case = Case::random(size, edges, None);
        let projected = project(&mut case, Solver::Multigrid, cycles, 0.0);
        assert_eq!(projected.iterations, cycles);
        let before = projected.divergence_before;
        assert!((case.divergence() / before - projected.residual).abs() < 0.05 * projected.residual + 1e-7);
        projected.residual
    };
    let [two, four] = [2, 4].map(residual);
    [two.sqrt(), (four / two).sqrt()]
}

#[test]
fn odd_sizes_converge_about_as_well() {
    let mixed = [Boundary::Open, Boundary::Closed, Boundary::Wrap, Boundary::Wrap];
    for size in [[517, 389], [1920, 1080], [129, 1023], [1025, 33], [4097, 67], [37, 53]] {
        for edges in [CLOSED, OPEN, WRAP, mixed] {
            let factors = factors(size, edges);
            // On a wrapped axis with an odd number of cells, cells of one colour are neighbours at the seam.
            let most = if edges.contains(&Boundary::Wrap) { 0.15 } else { 0.1 };
            assert!(factors.iter().all(|factor| *factor <= most), "{size:?}, {edges:?}: {factors:?}");
        }
    }
    for size in [[4097, 3], [500, 2], [1, 500], [3, 3], [2, 7]] {
        for edges in [CLOSED, OPEN, WRAP] {
            let factors = factors(size, edges);
            assert!(factors.iter().all(|factor| *factor <= 0.4), "{size:?}, {edges:?}: {factors:?}");
        }
    }
}

#[test]
fn smooth_flow_past_solids_converges_too() {
    let n = 512;
    for solid in [discs(n, 40), rooms(n, 0, 6), rooms(n, 13, 6)] {
        let mut case = Case::new([n, n], CLOSED, Some(solid));
        for (at, u) in case.u.iter_mut().enumerate() {
            let (x, y) = ((at % (n + 1)) as f64 / n as f64 - 0.4, (at / (n + 1)) as f64 / n as f64 - 0.6);
            *u = (-200.0 * (x * x + y * y)).exp() as f32;
        }
        let projected = project(&mut case, Solver::Auto, 20, 1e-4);
        assert!(projected.residual <= 1e-4, "{projected:?}");
    }
}

/// The product of `a` with a two-level cycle applied to `b`, where the coarse level is solved by a factor.
fn two_levels(grids: &Arc<Hierarchy>, a: &[f32], b: &[f32]) -> f64 {
    let cpu = Cpu::new(2);
    let device = SmokeCpu::new(&cpu);
    let session = &mut Session::new(&device);
    let workspace = Workspace::new(session, Arc::clone(grids)).expect("there is memory");
    let has_solids = !grids.coefficients.is_empty();
    let recipe = if has_solids { &RECIPES.coefficients } else { &RECIPES.symmetric };
    let mut multigrid = workspace.multigrid(grids, has_solids, recipe);
    multigrid.levels.truncate(2);
    multigrid.fields[0].b = session.upload(b).expect("there is memory");
    let mut list = Vec::new();
    multigrid.smooth_and_restrict(0, true, &mut list);
    session.run(&list).expect("works");
    let [fine, coarse] = [multigrid.fields[0], multigrid.fields[1]];
    session.run(&[Operation::Scale { by: 0.7, from: coarse.b, to: coarse.x }]).expect("works");
    list.clear();
    multigrid.prolong_and_smooth(0, &mut list);
    session.run(&list).expect("works");
    let x = session.download(fine.x).expect("works");
    a.iter().zip(&x).map(|(a, x)| f64::from(*a) * f64::from(*x)).sum()
}

#[test]
fn the_preconditioner_is_symmetric() {
    for size in [[64, 48], [63, 45], [3, 5], [9, 1], [33, 2]] {
        let len = size[0] * size[1];
        let holes = (0..len).map(|at| at % 7 == 3 || at % 11 == 1).collect::<Vec<bool>>();
        for edges in [CLOSED, OPEN, WRAP] {
            for solid in [None, Some(&holes[..])] {
                let domain = Arc::new(hierarchy(size, edges, solid));
                let fluid = |at: usize| domain.coefficients.first().is_none_or(|of| of.inverse[at] > 0.0);
                let [a, b] = [1, 2].map(|seed| {
                    let values = Random(seed).plane(len).into_iter().enumerate();
                    values.map(|(at, value)| if fluid(at) { value } else { 0.0 }).collect::<Vec<f32>>()
                });
                let [ab, ba, aa] = [(&a, &b), (&b, &a), (&a, &a)].map(|(a, b)| two_levels(&domain, a, b));
                let place = format!("{size:?}, {edges:?}, solids: {}: {ab}, {ba}, {aa}", solid.is_some());
                assert!((ab - ba).abs() < 1e-5 * aa && aa > 0.0, "{place}");
            }
        }
    }
}

#[test]
fn jacobi_hardly_reduces_smooth_residuals() {
    let n = 1024;
    let mut case = Case::new([n, n], CLOSED, None);
    for at in 0..n * n {
        let (x, y) = ((at % n) as f64 / n as f64 - 0.5, (at / n) as f64 / n as f64 - 0.5);
        let splat = (-(x * x + y * y) / (2.0 * 0.1 * 0.1)).exp();
        let (i, j) = (at % n, at / n);
        case.u[j * (n + 1) + i + 1] = case.u[j * (n + 1) + i] + splat as f32;
    }
    for j in 0..n {
        let end = case.u[j * (n + 1) + n] / n as f32;
        (0..=n).for_each(|i| case.u[j * (n + 1) + i] -= end * i as f32);
    }
    let projected = project(&mut case, Solver::Jacobi, 40, 1e-4);
    assert!((0.993..0.999).contains(&projected.residual), "{projected:?}");
    assert_eq!(projected.iterations, 40);
}

#[test]
fn values_stay_finite_for_any_solids() {
    let everything = |w: usize, h: usize| Some(vec![true; w * h]);
    let cells_alone = |w: usize, h: usize| Some((0..w * h).map(|at| (at % w + at / w).is_multiple_of(2)).collect());
    let one = |w: usize, h: usize| Some((0..w * h).map(|at| at != w * h / 2).collect());
    let cut = |w: usize, h: usize| Some((0..w * h).map(|at| at % w % 13 == 12 || at / w % 13 == 12).collect());
    let nothing = |_: usize, _: usize| None;
    type Solid = fn(usize, usize) -> Option<Vec<bool>>;
    let kinds: [Solid; 5] = [everything, cells_alone, one, cut, nothing];
    let solvers =
        [Solver::Auto, Solver::Multigrid, Solver::ConjugateGradients, Solver::IteratedProjection, Solver::Jacobi];
    for [w, h] in [[1, 1], [1, 500], [2, 2], [7, 3], [65, 64], [260, 260]] {
        for solid in kinds {
            for edges in [CLOSED, OPEN, WRAP] {
                for solver in solvers {
                    let mut case = Case::random([w, h], edges, solid(w, h));
                    // Closing walls: in closed regions, divergence that no pressure can remove.
                    case.walls = [Random(1).plane(case.u.len()), Random(2).plane(case.v.len())];
                    let projected = project(&mut case, solver, 12, 1e-5);
                    let place = format!("{w} × {h}, {edges:?}, {solver:?}: {projected:?}");
                    assert!(case.is_finite() && projected.residual.is_finite(), "{place}");
                    assert!(projected.residual <= 1.0 || solver == Solver::IteratedProjection, "{place}");
                }
            }
        }
    }
}

#[test]
fn regions_are_separated_and_solved_each() {
    let n = 260;
    let cut = (0..n * n).map(|at| at % n % 13 == 12 || at / n % 15 == 14).collect();
    let mut case = Case::random([n, n], CLOSED, Some(cut));
    case.walls = [Random(1).plane(case.u.len()), Random(2).plane(case.v.len())];
    let regions = case.hierarchy().regions.clone();
    assert!(regions.cells.len() >= 300 && regions.singular.iter().all(|singular| *singular), "{}", regions.cells.len());
    let projected = project(&mut case, Solver::Auto, 60, 1e-4);
    assert!(projected.residual <= 1e-4, "{projected:?}");
    // The residual consists of the means, due to closing walls.
    assert!(projected.divergence_after > 1e-3 && case.divergence() < 2e-4);

    let mut solid = vec![false; 8 * 5];
    (0..5).for_each(|j| solid[j * 8 + 3] = true);
    let count = |edges| hierarchy([8, 5], edges, Some(&solid)).regions;
    assert_eq!(count(CLOSED).cells, [15, 20]);
    assert_eq!(count(WRAP).cells, [35]);
    assert_eq!(count([Boundary::Open, Boundary::Closed, Boundary::Closed, Boundary::Closed]).singular, [false, true]);
}

#[test]
fn a_wrapped_side_has_no_seam() {
    for size in [[64, 48], [63, 45]] {
        let [w, h] = size;
        let mut case = Case::random(size, WRAP, None);
        (0..h).for_each(|j| case.u[j * (w + 1) + w] = case.u[j * (w + 1)]);
        case.v.copy_within(..w, h * w);
        let mut moved = case.clone();
        let (by_x, by_y) = (w / 3, h / 3);
        let from = |i: usize, j: usize| ((i + by_x) % w, (j + by_y) % h);
        let shift = |case: &Case, moved: &mut Case| {
            for j in 0..=h {
                for i in 0..=w {
                    let (a, b) = from(i, j);
                    if j < h {
                        moved.u[j * (w + 1) + i] = case.u[b * (w + 1) + a];
                    }
                    if i < w {
                        moved.v[j * w + i] = case.v[b * w + a];
                    }
                }
            }
        };
        shift(&case, &mut moved);
        for case in [&mut case, &mut moved] {
            project(case, Solver::Multigrid, 20, 1e-7);
            assert!((0..h).all(|j| case.u[j * (w + 1) + w] == case.u[j * (w + 1)]));
            assert!((0..w).all(|i| case.v[h * w + i] == case.v[i]));
        }
        let mut expected = moved.clone();
        shift(&case, &mut expected);
        let off = moved.u.iter().zip(&expected.u).chain(moved.v.iter().zip(&expected.v));
        let off = off.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 1e-5, "{size:?}: {off}");
    }
}

#[test]
fn pcg_is_warm_started_from_the_previous_pressure() {
    for solid in [None, Some(discs(256, 12))] {
        let mut first = Case::random([256, 256], CLOSED, solid);
        let [mut again, mut wrong] = [first.clone(), first.clone()];
        let cold = project(&mut first, Solver::Auto, 20, 1e-4);
        again.pressure.clone_from(&first.pressure);
        let warm = project(&mut again, Solver::Auto, 20, 1e-3);
        assert!(cold.iterations > 0 && warm.iterations == 0 && warm.residual <= 1e-3, "{cold:?}, {warm:?}");
        // A previous pressure that does not help is discarded.
        wrong.pressure = first.pressure.iter().map(|p| p * -50.0).collect();
        let projected = project(&mut wrong, Solver::Auto, 20, 1e-4);
        assert_eq!((projected, &wrong.u, &wrong.pressure), (cold, &first.u, &first.pressure));
    }
}

#[test]
fn a_velocity_without_divergence_needs_no_pressure() {
    for solid in [None, Some(discs(64, 3))] {
        for solver in [Solver::Auto, Solver::Multigrid, Solver::ConjugateGradients, Solver::Jacobi] {
            let cpu = Cpu::new(2);
            let device = SmokeCpu::new(&cpu);
            let mut lively = Case::random([64, 64], CLOSED, solid.clone());
            let mut session = Session::new(&device);
            let mut workspace = Workspace::new(&mut session, lively.hierarchy()).expect("there is memory");
            lively.project_in(&mut session, &mut workspace, solver, 3, 1e-4);
            let mut still = Case::new([64, 64], CLOSED, solid.clone());
            still.pressure = Random(4).plane(64 * 64);
            let projected = still.project_in(&mut session, &mut workspace, solver, 20, 1e-4);
            assert!(still.u.iter().chain(&still.v).all(|velocity| *velocity == 0.0), "{solver:?}: {projected:?}");
            assert!(still.pressure.iter().all(|pressure| *pressure == 0.0), "{solver:?}: {projected:?}");
        }
    }
}

#[test]
fn bits_are_the_same_for_any_threads_and_instruction_set() {
    let solvers = [Solver::Multigrid, Solver::ConjugateGradients, Solver::IteratedProjection, Solver::Jacobi];
    for (size, edges, solid) in [
        ([640, 480], CLOSED, None),
        ([301, 211], WRAP, None),
        ([301, 211], OPEN, None),
        ([256, 256], CLOSED, Some(discs(256, 12))),
        ([256, 256], WRAP, Some(discs(256, 12))),
    ] {
        for solver in solvers {
            let start = Case::random(size, edges, solid.clone());
            let run = |cpu: Cpu| {
                let mut case = start.clone();
                let projected = case.project(&SmokeCpu::new(&cpu), solver, 6, 1e-9);
                (case, projected)
            };
            let expected = run(Cpu::with_isa(1, Isa::Baseline));
            for isa in Isa::available() {
                for threads in [1, 2, 8] {
                    let got = run(Cpu::with_isa(threads, isa));
                    assert!(got == expected, "{size:?}, {edges:?}, {solver:?}, {threads} threads, {isa:?}");
                }
            }
        }
    }
}
