//! Every operation of the pressure, on every level, and whole projections.

use std::sync::Arc;

use flow_ofx::sim::fluid::{
    Backend, Colour, FieldId, Level, LevelOperand, Operation, Projection, Regions, Relax, Session, Solver, VectorField,
    VelocityStatistics, Workspace, project,
};
use flow_ofx::sim::smoke::FieldKind;
use flow_ofx::sim::smoke::pressure::{RECIPES, hierarchy};

use crate::cases::{Case, Random, Results};

/// Red-black sweeps of smoke.
fn relax(first: Colour, sweeps: u32) -> Relax {
    Relax { first, sweeps, ..RECIPES.plain.before }
}

/// Results that depend on sums; a sum near 0 is known to a fraction of its terms only.
pub fn results<B: Backend>(backend: &B, case: &Case) -> Results {
    let mut all = Results::default();
    let session = &mut Session::new(backend);
    let grids = hierarchy(case.size, case.edges, case.solids.as_ref().map(|solids| &*solids.solid));
    let workspace = Workspace::new(session, Arc::new(grids.clone())).expect("memory");
    let recipe = if grids.coefficients.is_empty() { &RECIPES.plain } else { &RECIPES.coefficients };
    let levels = workspace.multigrid(&grids, true, recipe).levels;
    velocity(session, case, [&grids.regions, &grids.box_regions], levels[0], &mut all);
    if levels.len() > 1 {
        ends(session, case, [levels[0], levels[1]]);
    }
    let mut random = Random::new(11);
    for (nth, fine) in levels.iter().enumerate() {
        level(session, *fine, levels.get(nth + 1).copied(), &mut random, &mut all, nth);
    }
    all
}

fn upload<B: Backend>(session: &mut Session<'_, B>, values: &[f32]) -> FieldId {
    session.upload(values).expect("memory")
}

fn cells<B: Backend>(session: &mut Session<'_, B>, of: LevelOperand<'_>) -> FieldId {
    session.allocate(of.level.cells()).expect("memory")
}

/// Runs operations and returns their sums.
fn run<const N: usize, B: Backend>(session: &mut Session<'_, B>, list: &[Operation<'_>]) -> [f64; N] {
    session.run(list).expect("works").take()
}

fn same<B: Backend>(session: &Session<'_, B>, a: &[FieldId], b: &[FieldId]) -> bool {
    let values = |field: &FieldId| session.download(*field).expect("works");
    a.iter().zip(b).all(|(a, b)| values(a) == values(b))
}

/// Checks that a list run at once has the bits of its operations run one by one, on a device that fuses neighbours.
fn apart<B: Backend>(session: &mut Session<'_, B>, list: &[Operation<'_>]) -> Vec<f64> {
    let mut sums = Vec::new();
    for operation in list {
        let count = match operation {
            Operation::Divergence { .. } => 2,
            Operation::Residual { .. } => 1,
            _ => 0,
        };
        let mut found = session.run(&[*operation]).expect("works");
        sums.extend((0..count).map(|_| found.take::<1>()[0]));
    }
    sums
}

fn velocity<B: Backend>(
    session: &mut Session<'_, B>,
    case: &Case,
    all_regions: [&Arc<Regions>; 2],
    level: LevelOperand<'_>,
    all: &mut Results,
) {
    let mut random = Random::new(7);
    let domain = &case.domain(session);
    let velocity = case.faces(&mut random, 1.0).map(|values| upload(session, &values));
    let velocity = VectorField::new(&velocity);
    let changed: [f64; 1] = run(session, &[Operation::EnforceBoundaries { domain, velocity, measure: true }]);
    all.numbers("change by boundary conditions", &changed);
    all.vector("with boundary conditions", session, velocity);
    let count = case.len(FieldKind::Cell);
    let b = upload(session, &random.many(count, 1.0));
    let [sum, squares] = run(session, &[Operation::Divergence { level, velocity, source: None, b, keep: true }]);
    all.field("divergence", session, b);
    // A sum near 0 is known to a fraction of its terms.
    all.numbers("its squares", &[squares]);
    all.numbers("its sum", &[sum, (count as f64 * squares).sqrt()]);
    let source = Some(upload(session, &random.many(count, 1.0)));
    let grown = cells(session, level);
    let list = [Operation::Divergence { level, velocity, source, b: grown, keep: true }];
    let [sum_of_growth, squares_of_growth] = run(session, &list);
    all.field("divergence less a source", session, grown);
    all.numbers("its squares, less a source", &[squares_of_growth]);
    all.numbers("its sum, less a source", &[sum_of_growth, (count as f64 * squares_of_growth).sqrt()]);
    let [e, p] = [(); 2].map(|()| upload(session, &random.many(count, 1.0)));
    let [again, scratch] = [(); 2].map(|()| cells(session, level));
    let [left] = run(session, &[Operation::Residual { level, b, x: p, r: scratch, keep: false }]);
    let list = [
        Operation::Divergence { level, velocity, source: None, b: again, keep: true },
        Operation::Residual { level, b: again, x: p, r: scratch, keep: false },
    ];
    assert_eq!(run(session, &list), [sum, squares, left], "divergence and residual at once");
    assert!(same(session, &[again], &[b]), "divergence with a residual");
    for (name, pressure, keep) in [("", Some(p), true), (" last", None, false)] {
        let list = [
            Operation::Correct { level, e, velocity, pressure },
            Operation::Divergence { level, velocity, source: None, b, keep },
        ];
        let mut made = session.run(&list).expect("works");
        let [_, squares] = made.take();
        all.numbers(&format!("squares after a correction{name}"), &[squares]);
        check_statistics(session, made.velocity, velocity);
        all.vector(&format!("corrected{name}"), session, velocity);
        if keep {
            all.field("corrected p", session, p);
            all.field("corrected b", session, b);
        }
    }
    for regions in all_regions.into_iter().filter(|regions| regions.any_singular()) {
        // Solids hold 0.
        let is_fluid = |at: usize| regions.labels.as_ref().is_none_or(|labels| labels[at] != Regions::SOLID);
        let values = random.many(count, 1.0).into_iter().enumerate();
        let values: Vec<_> = values.map(|(at, value)| if is_fluid(at) { value + 0.5 } else { 0.0 }).collect();
        let b = upload(session, &values);
        let squares: [f64; 1] = run(session, &[Operation::RemoveMean { regions, b }]);
        all.numbers("squares without means", &squares);
        all.field("without means", session, b);
    }
}

fn level<B: Backend>(
    session: &mut Session<'_, B>,
    level: LevelOperand<'_>,
    coarse: Option<LevelOperand<'_>>,
    random: &mut Random,
    all: &mut Results,
    nth: usize,
) {
    let count = level.level.cells();
    let name = |what: &str| format!("level {nth}: {what}");
    let [b, x, scratch, z] = [(); 4].map(|()| upload(session, &random.many(count, 1.0)));
    if let Some(coarse) = coarse {
        let recipes = match level.coefficients {
            None => vec![&RECIPES.plain, &RECIPES.symmetric],
            Some(_) => vec![&RECIPES.coefficients],
        };
        for (recipe, zero) in recipes.into_iter().flat_map(|recipe| [(recipe, true), (recipe, false)]) {
            let (restriction, prolongation) = (recipe.restriction, recipe.prolongation);
            let [to, from] = [(); 2].map(|()| cells(session, coarse));
            let down = |relax, zero, x, to| {
                [
                    Operation::Relax { level, relax, zero, b, x, scratch },
                    Operation::Restrict { level, coarse, restriction, b, x, to },
                ]
            };
            let up = |relax, from, x| {
                [
                    Operation::Prolong { level, coarse, prolongation, from, x },
                    Operation::Relax { level, relax, zero: false, b, x, scratch },
                    Operation::Residual { level, b, x, r: scratch, keep: false },
                ]
            };
            let list = down(relax(Colour::Red, 2), zero, x, to);
            let other = cells(session, level);
            let made = cells(session, coarse);
            session.run(&[Operation::Copy { from: x, to: other }]).expect("works");
            apart(session, &down(relax(Colour::Red, 2), zero, other, made));
            session.run(&list).expect("works");
            assert!(same(session, &[x, to], &[other, made]), "{}", name("smooth and restrict"));
            all.field(&name("smoothed"), session, x);
            all.field(&name("restricted"), session, to);
            session.run(&[Operation::Copy { from: to, to: from }]).expect("works");
            for (first, sweeps) in [(Colour::Red, 1), (Colour::Black, 1), (Colour::Black, 2)] {
                session.run(&[Operation::Copy { from: x, to: other }]).expect("works");
                let mut list = up(relax(first, sweeps), from, x).to_vec();
                let found: [f64; 1] = run(session, &list);
                list = up(relax(first, sweeps), from, other).to_vec();
                assert_eq!(apart(session, &list), found, "{}", name("prolong and smooth"));
                assert!(same(session, &[x], &[other]), "{}", name("prolong and smooth"));
                all.field(&name("prolonged"), session, x);
            }
            // The end of a cycle and the start of the next one.
            let both =
                |x, to| [&up(relax(Colour::Red, 1), from, x)[..], &down(relax(Colour::Red, 2), false, x, to)].concat();
            session.run(&[Operation::Copy { from: x, to: other }]).expect("works");
            let found: [f64; 1] = run(session, &both(x, to));
            assert_eq!(apart(session, &both(other, made)), found, "{}", name("up and down"));
            assert!(same(session, &[x, to], &[other, made]), "{}", name("up and down"));
        }
    } else {
        let relax = relax(Colour::Red, 8);
        session.run(&[Operation::CoarseSolve { level, relax, b, x, scratch }]).expect("works");
        all.field(&name("coarse solve"), session, x);
    }
    let r = cells(session, level);
    let squares: [f64; 1] = run(session, &[Operation::Residual { level, b, x: z, r, keep: false }]);
    all.numbers(&name("squares of the residual"), &squares);
    let again: [f64; 1] = run(session, &[Operation::Residual { level, b, x: z, r, keep: true }]);
    assert_eq!(again, squares, "{}", name("squares of the residual"));
    all.field(&name("residual"), session, r);
    let [product] = run(session, &[Operation::Apply { level, x: z, to: r }]);
    all.numbers(&name("product with itself"), &[product]);
    all.field(&name("product"), session, r);
    // The residual of the product itself is 0.
    let [nothing] = run(session, &[Operation::Residual { level, b: r, x: z, r: scratch, keep: false }]);
    all.numbers(&name("squares of the residual of the product"), &[nothing, product]);
    assert!(nothing <= 1e-10 * product.abs(), "{}: {nothing} is left of {product}", name("product"));
    session.run(&[Operation::Jacobi { level, sweeps: 5, b, x, scratch }]).expect("works");
    all.field(&name("Jacobi"), session, x);
    vectors(session, [b, x, z, r, scratch], count, all, nth);
}

fn vectors<B: Backend>(
    session: &mut Session<'_, B>,
    [b, x, z, r, scratch]: [FieldId; 5],
    count: usize,
    all: &mut Results,
    nth: usize,
) {
    let name = |what: &str| format!("level {nth}: {what}");
    let [first, second] = run(session, &[Operation::Dot { a: z, b }, Operation::Dot { a: z, b: r }]);
    all.numbers(&name("dot products"), &[first, second, count as f64]);
    let [alone] = run(session, &[Operation::Dot { a: z, b }]);
    assert_eq!(alone, first, "{}", name("dot products"));
    session.run(&[Operation::Copy { from: r, to: scratch }]).expect("works");
    let list = [
        Operation::Axpy { a: 0.3, x: z, y: x },
        Operation::Axpy { a: -0.3, x: r, y: scratch },
        Operation::Dot { a: scratch, b: scratch },
    ];
    let squares: [f64; 1] = run(session, &list);
    all.field(&name("axpy, x"), session, x);
    all.field(&name("axpy, r"), session, scratch);
    all.numbers(&name("squares after that"), &squares);
    session.run(&[Operation::Axpy { a: 0.4, x: z, y: x }]).expect("works");
    all.field(&name("axpy alone"), session, x);
    session.run(&[Operation::Xpay { x: z, a: 0.7, y: x }]).expect("works");
    all.field(&name("xpay"), session, x);
    session.run(&[Operation::Clear { to: x }]).expect("works");
    all.field(&name("cleared"), session, x);
}

/// Statistics that a correction returns are those of the velocity.
fn check_statistics<B: Backend>(session: &Session<'_, B>, found: Option<VelocityStatistics>, velocity: VectorField) {
    if let Some(found) = found {
        let sizes = velocity.iter().flat_map(|field| session.download(*field).expect("works"));
        let largest = sizes.map(f32::abs).fold(0.0, f32::max);
        assert_eq!(found, VelocityStatistics { largest, bad: 0 }, "statistics after a correction");
    }
}

/// The start and the end of a cycle at the velocity: a list run at once has the bits of its operations run one by one.
fn ends<B: Backend>(session: &mut Session<'_, B>, case: &Case, [level, coarse]: [LevelOperand<'_>; 2]) {
    let mut random = Random::new(13);
    let faces = case.faces(&mut random, 1.0);
    let before = upload(session, &random.many(level.level.cells(), 1.0));
    let scratch = cells(session, level);
    let recipe = if level.coefficients.is_some() { &RECIPES.coefficients } else { &RECIPES.plain };
    let (restriction, prolongation) = (recipe.restriction, recipe.prolongation);
    let mut begin = |at_once: bool| {
        let [b, x, to] = [level, level, coarse].map(|of| cells(session, of));
        let velocity = VectorField::new(&faces.each_ref().map(|values| upload(session, values)));
        let list = [
            Operation::Divergence { level, velocity, source: None, b, keep: true },
            Operation::Residual { level, b, x: before, r: scratch, keep: false },
            Operation::Copy { from: before, to: x },
            Operation::Relax { level, relax: relax(Colour::Red, 2), zero: false, b, x, scratch },
            Operation::Restrict { level, coarse, restriction, b, x, to },
        ];
        let sums = if at_once { run::<3, _>(session, &list).to_vec() } else { apart(session, &list) };
        (sums, [b, x, to])
    };
    let ((sums, fields), (others, other_fields)) = (begin(true), begin(false));
    assert_eq!(sums, others, "divergence and the first half of a cycle");
    assert!(same(session, &fields, &other_fields), "divergence and the first half of a cycle");
    let [b, x, from] = fields;
    for sweeps in [1, 2, 3] {
        let relax = relax(Colour::Red, sweeps);
        let mut end = |at_once: bool| {
            let [u, v] = faces.each_ref().map(|values| upload(session, values));
            let (velocity, e) = (VectorField::new(&[u, v]), cells(session, level));
            session.run(&[Operation::Copy { from: x, to: e }]).expect("works");
            let list = [
                Operation::Prolong { level, coarse, prolongation, from, x: e },
                Operation::Relax { level, relax, zero: false, b, x: e, scratch },
                Operation::Correct { level, e, velocity, pressure: None },
                Operation::Divergence { level, velocity, source: None, b: scratch, keep: false },
            ];
            if !at_once {
                return (apart(session, &list), [u, v, e]);
            }
            let mut made = session.run(&list).expect("works");
            check_statistics(session, made.velocity, velocity);
            (made.take::<2>().to_vec(), [u, v, e])
        };
        let ((made, fields), (others, other_fields)) = (end(true), end(false));
        assert_eq!(made, others, "the second half of a cycle and the correction, {sweeps} sweeps");
        assert!(same(session, &fields, &other_fields), "the second half and the correction, {sweeps} sweeps");
    }
}

/// Velocity after a projection, and the residual.
pub fn projected<B: Backend>(backend: &B, case: &Case, solver: Solver) -> (Results, f64) {
    let session = &mut Session::new(backend);
    let solid = case.solids.as_ref().map(|solids| &*solids.solid);
    let grids = Arc::new(hierarchy(case.size, case.edges, solid));
    let mut workspace = Workspace::new(session, grids).expect("memory");
    let domain = case.domain(session);
    let velocity = VectorField::new(&case.faces(&mut Random::new(3), 1.0).map(|values| upload(session, &values)));
    let pressure = session.allocate(case.len(FieldKind::Cell)).expect("memory");
    // Devices read the residual after different cycles: the tolerance is stricter than the comparison.
    let how = Projection { solver, iterations: 40, tolerance: 1e-6, recipes: RECIPES, source: None };
    let found = project(session, &mut workspace, &domain, velocity, (None, pressure), &how, &mut || true);
    let mut all = Results::default();
    all.vector("velocity", session, velocity);
    (all, found.expect("works").residual)
}

/// Regions of the same size, one after the other in the same memory, are separated.
pub fn knows_regions_apart<B: Backend>(backend: &B) {
    let session = &mut Session::new(backend);
    for column in [3, 5] {
        let solid: Vec<bool> = (0..64).map(|at| at % 8 == column).collect();
        let sides = [[flow_ofx::sim::fluid::Boundary::Closed; 2]; 3];
        let regions = &Arc::new(Regions::new(&Level::new([8, 8, 1], [8, 8, 1], sides), Some(&solid)));
        let values: Vec<f32> = (0..64).map(|at| if at % 8 < column { 1.0 } else { 3.0 }).collect();
        let b = upload(session, &values);
        session.run(&[Operation::RemoveMean { regions, b }]).expect("works");
        let left = session.download(b).expect("works");
        assert!((0..64).all(|at| at % 8 == column || left[at] == 0.0), "{left:?}");
    }
}
