//! Every pass of the pressure against the CPU's, and whole projections.

use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::smoke::machine::{Lattice, Machine};
use flow_ofx::sim::smoke::planes::Survey;
use flow_ofx::sim::smoke::pressure::{
    Colour, Corrected, Domain, Level, PressurePasses, Projection, Regions, Relax, Rooms, Rung, Walls, Weights, project,
};
use flow_ofx::sim::smoke::settings::Solver;

use crate::cases::{Case, Random, Results, cases};
use crate::shared;

/// Of the largest value of a plane.
const TOLERANCE: f64 = 2e-5;

fn results<M: Machine>(machine: &M, case: &Case) -> Results {
    let mut all = Results::default();
    let domain = Domain::new(case.size, case.edges, case.solids.as_ref().map(|solids| &*solids.solid));
    let up = |values: &[f32]| machine.up(values).expect("memory");
    let weights: Vec<Weights<M::Plane>> = domain
        .solids
        .iter()
        .flat_map(|solids| &solids.weights)
        .map(|of| Weights { x: up(&of.x), y: up(&of.y), inverse: up(&of.inverse) })
        .collect();
    let rung = |nth: usize| Rung { level: &domain.levels[nth], weights: weights.get(nth), symmetric: false };
    velocity(machine, case, &domain, rung(0), &mut all);
    if domain.levels.len() > 1 {
        ends(machine, case, [rung(0), rung(1)]);
    }
    let mut random = Random::new(11);
    for nth in 0..domain.levels.len() {
        let coarse = domain.levels.get(nth + 1).map(|_| rung(nth + 1));
        level(machine, rung(nth), coarse, &mut random, &mut all, nth);
        if let Some(coarse) = coarse {
            symmetric(machine, rung(nth), coarse, &mut random, &mut all, nth);
        }
    }
    all
}

fn velocity<M: Machine>(machine: &M, case: &Case, domain: &Domain, rung: Rung<'_, M::Plane>, all: &mut Results) {
    let mut random = Random::new(7);
    let ground = case.ground(machine);
    let up = |values: &[f32]| machine.up(values).expect("memory");
    let [mut u, mut v] = case.faces(&mut random, 1.0).map(|values| up(&values));
    let walls =
        ground.solids.as_ref().map(|solids| Walls { cells: &solids.cells, u: &solids.faces.u, v: &solids.faces.v });
    let changed = machine.hold(rung.level, walls, &mut u, &mut v).expect("works");
    all.numbers("changed by holding", &[changed]);
    all.plane("held, u", machine, &u);
    all.plane("held, v", machine, &v);
    let cells = case.len(Lattice::Cell);
    let mut b = up(&random.many(cells, 1.0));
    let sums = machine.divergence(rung, &u, &v, &mut b).expect("works");
    all.plane("divergence", machine, &b);
    // What sums up to 0 is known to a share of what was added up.
    all.numbers("its squares", &[sums.squares]);
    all.numbers("its sum", &[sums.sum, (cells as f64 * sums.squares).sqrt()]);
    let (e, mut p) = (up(&random.many(cells, 1.0)), up(&random.many(cells, 1.0)));
    let (mut again, mut spare) = (up(&vec![0.0; cells]), up(&vec![0.0; cells]));
    let left = machine.residual(rung, &b, &p, &mut spare).expect("works");
    let at_once = machine.divergence_to_residual(rung, [&u, &v], &mut again, &p, &mut spare).expect("works");
    assert_eq!(at_once, (sums, left), "divergence and residual at once");
    assert!(machine.down(&again).expect("works") == machine.down(&b).expect("works"), "divergence with a residual");
    let made = machine.correct(rung, &e, [&mut u, &mut v], Some(&mut p), &mut b, false).expect("works");
    all.numbers("squares after a correction", &[made.sums.squares]);
    surveyed(machine, made, [&u, &v]);
    for (name, plane) in [("u", &u), ("v", &v), ("p", &p), ("b", &b)] {
        all.plane(&format!("corrected {name}"), machine, plane);
    }
    // Without a pressure to add to, and for the last time: nobody reads the right-hand side then.
    let made = machine.correct(rung, &e, [&mut u, &mut v], None, &mut b, true).expect("works");
    all.numbers("squares after the last correction", &[made.sums.squares]);
    surveyed(machine, made, [&u, &v]);
    all.plane("corrected last, u", machine, &u);
    all.plane("corrected last, v", machine, &v);
    for regions in [&domain.regions, &domain.rectangle].into_iter().filter(|regions| regions.any_singular()) {
        // There is nothing in solids.
        let is_fluid = |at: usize| regions.labels.as_ref().is_none_or(|labels| labels[at] != Regions::SOLID);
        let values = random.many(cells, 1.0).into_iter().enumerate();
        let values: Vec<_> = values.map(|(at, value)| if is_fluid(at) { value + 0.5 } else { 0.0 }).collect();
        let mut b = up(&values);
        let squares = machine.level_out(regions, &mut b).expect("works");
        all.numbers("squares without means", &[squares]);
        all.plane("without means", machine, &b);
    }
}

fn level<M: Machine>(
    machine: &M,
    rung: Rung<'_, M::Plane>,
    coarse: Option<Rung<'_, M::Plane>>,
    random: &mut Random,
    all: &mut Results,
    nth: usize,
) {
    let cells = rung.level.cells();
    let mut plane = || machine.up(&random.many(cells, 1.0)).expect("memory");
    let (b, mut x, mut spare, z) = (plane(), plane(), plane(), plane());
    let relax = Relax { first: Colour::Red, sweeps: 2 };
    let name = |what: &str| format!("level {nth}: {what}");
    if let Some(coarse) = coarse {
        for zero in [true, false] {
            let mut to = machine.stale(coarse.level.cells()).expect("memory");
            machine.descend(rung, relax, zero, &b, &mut x, &mut spare, (coarse, &mut to));
            all.plane(&name("gone down"), machine, &x);
            all.plane(&name("made coarser"), machine, &to);
            let relaxes = [Relax { first: Colour::Red, sweeps: 1 }, relax];
            let [one, two] = [0, 1].map(|_| {
                let mut one = machine.stale(cells).expect("memory");
                machine.copy(&x, &mut one);
                one
            });
            at_once(machine, [rung, coarse], relaxes, (&b, &to), [one, two], &name("up and down"));
            let (relax, mut again) = (Relax { first: Colour::Black, sweeps: 1 }, machine.zeros(cells).expect("memory"));
            machine.copy(&x, &mut again);
            machine.ascend(rung, relax, &b, &mut x, &mut spare, (coarse, &to));
            all.plane(&name("gone up"), machine, &x);
            let apart = machine.residual(rung, &b, &x, &mut spare).expect("works");
            let at_once = machine.ascend_to_residual(rung, relax, &b, &mut again, &mut spare, (coarse, &to));
            assert_eq!(at_once.expect("works").to_bits(), apart.to_bits(), "{}", name("what is left, gone up"));
            assert!(machine.down(&again).expect("works") == machine.down(&x).expect("works"), "{}", name("gone up"));
        }
    } else {
        machine.bottom(rung, Relax { first: Colour::Red, sweeps: 8 }, &b, &mut x, &mut spare);
        all.plane(&name("bottom"), machine, &x);
    }
    let mut r = machine.stale(cells).expect("memory");
    let squares = machine.residual(rung, &b, &z, &mut r).expect("works");
    all.numbers(&name("squares left"), &[squares]);
    let rest = machine.rest(rung, &b, &z, &mut r).expect("works");
    assert_eq!(rest.to_bits(), squares.to_bits(), "{}", name("squares left"));
    all.plane(&name("what is left"), machine, &r);
    let product = machine.apply(rung, &z, &mut r).expect("works");
    all.numbers(&name("product with itself"), &[product]);
    all.plane(&name("product"), machine, &r);
    // Nothing is left of the product itself, in any cell.
    let nothing = machine.residual(rung, &r, &z, &mut spare).expect("works");
    all.numbers(&name("squares left of the product"), &[nothing, product]);
    assert!(nothing <= 1e-10 * product.abs(), "{}: {nothing} is left of {product}", name("product"));
    machine.jacobi(rung, 5, &b, &mut x, &mut spare);
    all.plane(&name("Jacobi"), machine, &x);
    let [a, c] = machine.products(&z, &b, &r).expect("works");
    all.numbers(&name("products"), &[a, c, cells as f64]);
    let squares = machine.advance(0.3, [&z, &r], &mut x, &mut spare).expect("works");
    all.plane(&name("advanced x"), machine, &x);
    all.plane(&name("advanced r"), machine, &spare);
    all.numbers(&name("squares after that"), &[squares]);
    machine.turn(0.7, &z, &mut x);
    all.plane(&name("turned"), machine, &x);
    machine.clear(&mut x);
    all.plane(&name("cleared"), machine, &x);
}

/// The way up in a symmetric cycle.
fn symmetric<M: Machine>(
    machine: &M,
    rung: Rung<'_, M::Plane>,
    coarse: Rung<'_, M::Plane>,
    random: &mut Random,
    all: &mut Results,
    nth: usize,
) {
    let mut plane = |rung: Rung<'_, M::Plane>| machine.up(&random.many(rung.level.cells(), 1.0)).expect("memory");
    let (b, mut x, mut spare, from) = (plane(rung), plane(rung), plane(rung), plane(coarse));
    let relax = Relax { first: Colour::Black, sweeps: 2 };
    let rung = Rung { symmetric: true, ..rung };
    machine.ascend(rung, relax, &b, &mut x, &mut spare, (coarse, &from));
    all.plane(&format!("level {nth}: gone up in a symmetric cycle"), machine, &x);
}

/// Up and down at once is up, then down, from two copies of the same x: to the bit.
fn at_once<M: Machine>(
    machine: &M,
    [rung, coarse]: [Rung<'_, M::Plane>; 2],
    [up, down]: [Relax; 2],
    (b, from): (&M::Plane, &M::Plane),
    [mut one, mut two]: [M::Plane; 2],
    name: &str,
) {
    let stale = |rung: Rung<'_, M::Plane>| machine.stale(rung.level.cells()).expect("memory");
    let (mut spare, mut made, mut made_at_once) = (stale(rung), stale(coarse), stale(coarse));
    let apart = machine.ascend_to_residual(rung, up, b, &mut one, &mut spare, (coarse, from)).expect("works");
    machine.descend(rung, down, false, b, &mut one, &mut spare, (coarse, &mut made));
    let of = (coarse, from, &mut made_at_once);
    let squares = machine.ascend_and_descend(rung, [up, down], b, &mut two, &mut spare, of).expect("works");
    assert_eq!(squares.to_bits(), apart.to_bits(), "{name}");
    let same = |a, b| machine.down(a).expect("works") == machine.down(b).expect("works");
    assert!(same(&one, &two) && same(&made, &made_at_once), "{name}");
}

/// Velocity statistics of a correction, where it returns any, are those of the velocity.
fn surveyed<M: Machine>(machine: &M, made: Corrected, [u, v]: [&M::Plane; 2]) {
    if let Some(survey) = made.survey {
        let sizes = [u, v].map(|plane| machine.down(plane).expect("works")).concat();
        let largest = sizes.iter().map(|value| value.abs()).fold(0.0, f32::max);
        assert_eq!(survey, Survey { largest, bad: 0 }, "a survey after a correction");
    }
}

/// Where a cycle begins and ends at the velocity, all at once is one after the other: to the bit.
fn ends<M: Machine>(machine: &M, case: &Case, [rung, coarse]: [Rung<'_, M::Plane>; 2]) {
    let mut random = Random::new(13);
    let up = |values: &[f32]| machine.up(values).expect("memory");
    let stale = |rung: Rung<'_, M::Plane>| machine.stale(rung.level.cells()).expect("memory");
    let same = |a: &M::Plane, b: &M::Plane| machine.down(a).expect("works") == machine.down(b).expect("works");
    let faces = case.faces(&mut random, 1.0);
    let before = up(&random.many(rung.level.cells(), 1.0));
    let [u, v] = faces.each_ref().map(|values| up(values));
    let relax = Relax { first: Colour::Red, sweeps: 2 };
    let mut spare = stale(rung);
    let begin = |at_once: bool, spare: &mut M::Plane| {
        let (mut b, mut x, mut to) = (stale(rung), stale(rung), stale(coarse));
        let told = if at_once {
            let of = (coarse, &mut to);
            machine.divergence_and_descend(rung, relax, [&u, &v], &mut b, (&before, &mut x), spare, of)
        } else {
            machine.copy(&before, &mut x);
            let told = machine.divergence_to_residual(rung, [&u, &v], &mut b, &x, spare);
            machine.descend(rung, relax, false, &b, &mut x, spare, (coarse, &mut to));
            told
        };
        (told.expect("works"), [b, x, to])
    };
    let ((told, planes), (apart, apart_planes)) = (begin(true, &mut spare), begin(false, &mut spare));
    assert_eq!(told, apart, "divergence and the way down");
    let all_same = |all: &[M::Plane], others: &[M::Plane]| all.iter().zip(others).all(|(a, b)| same(a, b));
    assert!(all_same(&planes, &apart_planes), "divergence and the way down");
    let [b, x, to] = planes;
    for sweeps in [1, 2, 3] {
        let relax = Relax { first: Colour::Red, sweeps };
        let mut end = |at_once: bool| {
            let [mut u, mut v] = faces.each_ref().map(|values| up(values));
            let mut e = stale(rung);
            machine.copy(&x, &mut e);
            let made = if at_once {
                let velocity = [&mut u, &mut v];
                machine.ascend_and_correct(rung, relax, &b, &mut e, &mut spare, (coarse, &to), velocity)
            } else {
                machine.ascend(rung, relax, &b, &mut e, &mut spare, (coarse, &to));
                let mut anything = stale(rung);
                machine.correct(rung, &e, [&mut u, &mut v], None, &mut anything, true)
            };
            let made = made.expect("works");
            surveyed(machine, made, [&u, &v]);
            (made, [u, v, e])
        };
        let ((made, planes), (apart, apart_planes)) = (end(false), end(true));
        assert_eq!(made, apart, "the way up and the correction, {sweeps} sweeps");
        assert!(all_same(&planes, &apart_planes), "the way up and the correction, {sweeps} sweeps");
    }
}

#[test]
fn every_pass_of_the_pressure_is_that_of_the_cpu() {
    let (cpu, gpu) = (Cpu::new(2), shared().machine().expect("a graphics device"));
    let mut worst: f64 = 0.0;
    for case in cases() {
        let (ours, theirs) = (results(&SmokeCpu::new(&cpu), &case), results(&gpu, &case));
        worst = worst.max(ours.compare(&theirs, &case.name(), TOLERANCE));
    }
    println!("largest difference of a pass: {worst:e} of a plane's largest value");
}

/// Velocity after a projection, the pressure, and what is told of it.
fn projected<M: Machine>(machine: &M, case: &Case, solver: Solver) -> (Results, f64) {
    let solid = case.solids.as_ref().map(|solids| &*solids.solid);
    let domain = Arc::new(Domain::new(case.size, case.edges, solid));
    let mut rooms = Rooms::new(machine, domain).expect("memory");
    let ground = case.ground(machine);
    let solids = ground.solids.as_ref().map(|solids| [&solids.faces.u, &solids.faces.v]);
    let [u, v] = case.faces(&mut Random::new(3), 1.0);
    let [mut u, mut v] = [machine.up(&u).expect("memory"), machine.up(&v).expect("memory")];
    let mut pressure = machine.stale(case.len(Lattice::Cell)).expect("memory");
    // Not all machines look after the same cycles: more is asked than is compared.
    let how = Projection { solver, iterations: 40, tolerance: 1e-6 };
    let told = project(machine, &mut rooms, solids, [&mut u, &mut v], (None, &mut pressure), &how, &mut || true)
        .expect("works");
    let mut all = Results::default();
    all.plane("u", machine, &u);
    all.plane("v", machine, &v);
    (all, told.residual)
}

#[test]
fn projections_end_where_those_of_the_cpu_do() {
    let (cpu, gpu) = (Cpu::new(2), shared().machine().expect("a graphics device"));
    let mut worst: f64 = 0.0;
    for case in cases() {
        let large = case.size[0] > 100;
        let all = [Solver::Auto, Solver::Jacobi, Solver::IteratedProjection];
        for solver in all.into_iter().take(if large { 1 } else { 3 }) {
            let (ours, our_residual) = projected(&SmokeCpu::new(&cpu), &case, solver);
            let (theirs, their_residual) = projected(&gpu, &case, solver);
            let name = format!("{} {solver:?}", case.name());
            let both = format!("{name}: {our_residual:e} and {their_residual:e} are left");
            assert!(their_residual <= 1.05 * our_residual.max(1e-5), "{both}");
            // What has not come to an end yet differs by more.
            let tolerance = if our_residual <= 1e-5 { 1e-4 } else { 5e-3 };
            worst = worst.max(ours.compare(&theirs, &both, tolerance));
        }
    }
    println!("largest difference of a projection: {worst:e}");
}

#[test]
fn a_machine_knows_regions_apart() {
    let gpu = shared().machine().expect("a graphics device");
    // Domains of the same size, one after the other where the last one was.
    for column in [3, 5] {
        let solid: Vec<bool> = (0..64).map(|at| at % 8 == column).collect();
        let level = Level::new([8, 8], [8, 8], [flow_ofx::sim::smoke::settings::Side::Closed; 4]);
        let regions = Regions::new(&level, Some(&solid));
        let values: Vec<f32> = (0..64).map(|at| if at % 8 < column { 1.0 } else { 3.0 }).collect();
        let mut b = flow_ofx::sim::smoke::planes::Planes::up(&gpu, &values).expect("memory");
        gpu.level_out(&regions, &mut b).expect("works");
        let left = flow_ofx::sim::smoke::planes::Planes::down(&gpu, &b).expect("works");
        assert!((0..64).all(|at| at % 8 == column || left[at] == 0.0), "{left:?}");
    }
}
