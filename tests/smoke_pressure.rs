//! The pressure of the smoke: right, fast to converge, exact at solids, finite whatever comes, and the same bits always.

use std::sync::Arc;

use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::smoke::planes::Planes as _;
use flow_ofx::sim::smoke::pressure::{Domain, Projected, Projection, Rooms, project};
use flow_ofx::sim::smoke::settings::{Side, Solver};

const CLOSED: [Side; 4] = [Side::Closed; 4];
const OPEN: [Side; 4] = [Side::Open; 4];
const WRAP: [Side; 4] = [Side::Wrap; 4];

/// Numbers between −½ and ½ that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    fn plane(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| self.next()).collect()
    }
}

/// A velocity on its grid, with what is solid there.
#[derive(Clone, Debug, PartialEq)]
struct Case {
    size: [usize; 2],
    edges: [Side; 4],
    solid: Option<Vec<bool>>,
    walls: [Vec<f32>; 2],
    u: Vec<f32>,
    v: Vec<f32>,
    pressure: Vec<f32>,
}

impl Case {
    fn new(size: [usize; 2], edges: [Side; 4], solid: Option<Vec<bool>>) -> Case {
        let [w, h] = size;
        let (u, v) = (vec![0.0; (w + 1) * h], vec![0.0; w * (h + 1)]);
        Case { size, edges, solid, walls: [u.clone(), v.clone()], u, v, pressure: vec![0.0; w * h] }
    }

    fn random(size: [usize; 2], edges: [Side; 4], solid: Option<Vec<bool>>) -> Case {
        let mut case = Case::new(size, edges, solid);
        let mut random = Random(7);
        (case.u, case.v) = (random.plane(case.u.len()), random.plane(case.v.len()));
        case
    }

    fn domain(&self) -> Arc<Domain> {
        Arc::new(Domain::new(self.size, self.edges, self.solid.as_deref()))
    }

    fn project_on(&mut self, cpu: &Cpu, solver: Solver, iterations: u32, tolerance: f64) -> Projected {
        let machine = SmokeCpu::new(cpu);
        let mut rooms = Rooms::new(&machine, self.domain()).expect("there is memory");
        let how = Projection { solver, iterations, tolerance };
        let up = |values: &[f32]| machine.up(values).expect("there is memory");
        let [wall_u, wall_v] = [up(&self.walls[0]), up(&self.walls[1])];
        let [mut u, mut v, mut pressure] = [up(&self.u), up(&self.v), up(&self.pressure)];
        let (velocity, walls) = ([&mut u, &mut v], Some([&wall_u, &wall_v]));
        let projected = project(&machine, &mut rooms, walls, velocity, &mut pressure, &how, &mut || true);
        [self.u, self.v, self.pressure] = [u.to_vec(), v.to_vec(), pressure.to_vec()];
        projected.expect("nothing fails")
    }

    fn project(&mut self, solver: Solver, iterations: u32, tolerance: f64) -> Projected {
        self.project_on(&Cpu::new(2), solver, iterations, tolerance)
    }

    /// Root mean square of the divergence, reckoned here, less its mean in each singular region.
    fn divergence(&self) -> f64 {
        let [w, h] = self.size;
        let regions = &self.domain().regions;
        let label = |cell: usize| regions.labels.as_ref().map_or(0, |labels| labels[cell]) as usize;
        let of = |cell: usize| {
            let (i, j) = (cell % w, cell / w);
            let (west, south) = (j * (w + 1) + i, cell);
            f64::from(self.u[west + 1]) - f64::from(self.u[west]) + f64::from(self.v[south + w])
                - f64::from(self.v[south])
        };
        let mut means = vec![0.0; regions.cells.len()];
        for cell in (0..w * h).filter(|cell| label(*cell) < means.len()).collect::<Vec<_>>() {
            means[label(cell)] += of(cell) / regions.cells[label(cell)] as f64;
        }
        for (mean, singular) in means.iter_mut().zip(&regions.singular) {
            *mean = if *singular { *mean } else { 0.0 };
        }
        let fluid = (0..w * h).filter(|cell| label(*cell) < means.len());
        (fluid.map(|cell| (of(cell) - means[label(cell)]).powi(2)).sum::<f64>() / regions.fluid().max(1) as f64).sqrt()
    }

    /// Root mean square of what the velocity through the solids' faces is off.
    fn off_at_solids(&self) -> f64 {
        let [w, h] = self.size;
        let solid = |i: Option<usize>, j: Option<usize>| {
            let cell = i.filter(|i| *i < w).zip(j.filter(|j| *j < h));
            cell.is_some_and(|(i, j)| self.solid.as_ref().is_some_and(|solid| solid[j * w + i]))
        };
        let (mut sum, mut count) = (0.0, 0);
        for j in 0..h {
            for i in (0..=w).filter(|i| solid(i.checked_sub(1), Some(j)) || solid(Some(*i), Some(j))) {
                let at = j * (w + 1) + i;
                sum += f64::from(self.u[at] - self.walls[0][at]).powi(2);
                count += 1;
            }
        }
        for j in 0..=h {
            for i in (0..w).filter(|i| solid(Some(*i), j.checked_sub(1)) || solid(Some(*i), Some(j))) {
                let at = j * w + i;
                sum += f64::from(self.v[at] - self.walls[1][at]).powi(2);
                count += 1;
            }
        }
        (sum / f64::from(count.max(1))).sqrt()
    }

    fn is_finite(&self) -> bool {
        [&self.u, &self.v, &self.pressure].iter().all(|plane| plane.iter().all(|value| value.is_finite()))
    }
}

fn discs(n: usize, count: usize) -> Vec<bool> {
    let mut random = Random(3);
    let mut solid = vec![false; n * n];
    for _ in 0..count {
        let [x, y, size] = [0; 3].map(|_| f64::from(random.next() + 0.5));
        let (x, y, radius) = (x * n as f64, y * n as f64, (0.008 + 0.04 * size) * n as f64);
        for (at, solid) in solid.iter_mut().enumerate() {
            *solid |= ((at % n) as f64 - x).hypot((at / n) as f64 - y) < radius;
        }
    }
    solid
}

/// 16 × 16 rooms with a door of `gap` cells in each wall, walls `first` cells after the beginning of each.
fn rooms(n: usize, first: usize, gap: usize) -> Vec<bool> {
    let room = n / 16;
    let mut random = Random(5);
    let mut solid = vec![false; n * n];
    for wall in (first..n).step_by(room).filter(|wall| *wall > 0) {
        for along in 0..n {
            solid[along * n + wall] = true;
            solid[wall * n + along] = true;
        }
    }
    for wall in (first..n).step_by(room) {
        for other in (0..n).step_by(room) {
            let door = other + first + 1 + ((random.next() + 0.5) * (room - gap - 2) as f32) as usize;
            for at in (door..door + gap).filter(|at| *at < n) {
                solid[at * n + wall] = false;
                solid[wall * n + at] = false;
            }
        }
    }
    solid
}

/// The largest error of the pressure whose Laplacian is that of `of`, a product of the same function of x and of y with
/// `∇² = −2·(π / span)²` of it, on n × n cells.
fn error(n: usize, edges: [Side; 4], of: impl Fn(usize) -> f64, span: f64) -> f64 {
    let mut case = Case::new([n, n], edges, None);
    let factor = 2.0 * (std::f64::consts::PI / span).powi(2);
    for j in 0..n {
        let mut sum = 0.0;
        for i in 0..n {
            sum -= factor * of(i) * of(j);
            case.u[j * (n + 1) + i + 1] = sum as f32;
        }
    }
    case.project(Solver::Multigrid, 20, 1e-6);
    let off: Vec<f64> =
        case.pressure.iter().enumerate().map(|(at, p)| f64::from(*p) - of(at % n) * of(at / n)).collect();
    // Between closed sides a constant is free.
    let free = if edges == CLOSED { off.iter().sum::<f64>() / off.len() as f64 } else { 0.0 };
    off.iter().map(|off| (off - free).abs()).fold(0.0, f64::max)
}

#[test]
fn error_falls_to_a_quarter_when_cells_are_halved() {
    let pi = std::f64::consts::PI;
    let closed = [32, 64, 128].map(|n| {
        let of = move |i: usize| (pi * (i as f64 + 0.5) / n as f64).cos();
        error(n, CLOSED, of, n as f64)
    });
    // 0 stands half a cell beyond the open sides.
    let open = [31, 63, 127].map(|n| {
        let of = move |i: usize| (pi * (i as f64 + 1.0) / (n + 1) as f64).sin();
        error(n, OPEN, of, (n + 1) as f64)
    });
    for errors in [closed, open] {
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((3.8..=4.2).contains(&ratio), "{errors:?}: {ratio}");
        }
    }
}

/// The factor of the residual per cycle: of the first two, and of the next two.
fn factors(size: [usize; 2], edges: [Side; 4]) -> [f64; 2] {
    let residual = |cycles: u32| {
        let mut case = Case::random(size, edges, None);
        let projected = case.project(Solver::Multigrid, cycles, 0.0);
        assert_eq!(projected.iterations, cycles);
        let before = projected.divergence_before;
        assert!((case.divergence() / before - projected.residual).abs() < 0.05 * projected.residual + 1e-7);
        projected.residual
    };
    let [two, four] = [2, 4].map(residual);
    [two.sqrt(), (four / two).sqrt()]
}

#[test]
fn a_cycle_leaves_less_than_a_tenth() {
    for n in [128, 256, 512, 1024, 2048] {
        let all = if n < 1024 { vec![CLOSED, OPEN, WRAP] } else { vec![CLOSED] };
        for edges in all {
            let factors = factors([n, n], edges);
            assert!(factors.iter().all(|factor| *factor <= 0.09), "{n}, {edges:?}: {factors:?}");
        }
    }
}

#[test]
fn odd_sizes_converge_about_as_well() {
    let mixed = [Side::Open, Side::Closed, Side::Wrap, Side::Wrap];
    for size in [[517, 389], [1920, 1080], [129, 1023], [1025, 33], [4097, 67], [37, 53]] {
        for edges in [CLOSED, OPEN, WRAP, mixed] {
            let factors = factors(size, edges);
            // Where an odd number of cells wraps, cells of one colour meet at the seam.
            let most = if edges.contains(&Side::Wrap) { 0.15 } else { 0.1 };
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
fn solids_take_few_iterations_and_are_exact() {
    let n = 1024;
    for (name, solid, edges) in [
        ("discs, closed", discs(n, 60), CLOSED),
        ("discs, open", discs(n, 60), OPEN),
        ("rooms", rooms(n, 0, 8), CLOSED),
        ("rooms, walls amid coarse cells", rooms(n, 31, 8), CLOSED),
    ] {
        let mut case = Case::random([n, n], edges, Some(solid));
        case.walls = [Random(11).plane(case.u.len()), Random(12).plane(case.v.len())];
        let mut held = case.clone();
        held.project(Solver::Auto, 0, 0.0);
        let before = held.divergence();
        let projected = case.project(Solver::Auto, 10, 1e-4);
        let left = case.divergence() / before;
        assert!(left <= 1e-4, "{name}: {left} after {} iterations", projected.iterations);
        assert!((left / projected.residual - 1.0).abs() < 0.1, "{name}: {left} is not {}", projected.residual);
        assert_eq!(case.off_at_solids(), 0.0, "{name}");
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
        let projected = case.project(Solver::Auto, 20, 1e-4);
        assert!(projected.residual <= 1e-4, "{projected:?}");
    }
}

#[test]
fn each_pass_brings_the_air_closer_to_the_solids_velocity() {
    let n = 256;
    let mut case = Case::random([n, n], OPEN, Some(discs(n, 12)));
    case.walls[0].fill(0.5);
    case.walls[1].fill(-0.25);
    let mut last = f64::INFINITY;
    for passes in 1..=8 {
        let mut case = case.clone();
        let projected = case.project(Solver::IteratedProjection, passes, 0.0);
        let off = case.off_at_solids();
        assert!(off < 0.99 * last, "pass {passes}: {off} after {last}");
        assert!(projected.divergence_after < 1e-3 * projected.divergence_before, "{projected:?}");
        last = off;
    }
    assert!(last < 0.02, "{last}");
}

#[test]
fn jacobi_hardly_touches_what_is_large() {
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
    let projected = case.project(Solver::Jacobi, 40, 1e-4);
    assert!((0.993..0.999).contains(&projected.residual), "{projected:?}");
    assert_eq!(projected.iterations, 40);
}

#[test]
fn whatever_is_solid_values_stay_finite() {
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
                    // Walls that squeeze: in closed regions, sums that no pressure can answer.
                    case.walls = [Random(1).plane(case.u.len()), Random(2).plane(case.v.len())];
                    let projected = case.project(solver, 12, 1e-5);
                    let place = format!("{w} × {h}, {edges:?}, {solver:?}: {projected:?}");
                    assert!(case.is_finite() && projected.residual.is_finite(), "{place}");
                    assert!(projected.residual <= 1.0 || solver == Solver::IteratedProjection, "{place}");
                }
            }
        }
    }
}

#[test]
fn regions_are_told_apart_and_solved_each() {
    let n = 260;
    let cut = (0..n * n).map(|at| at % n % 13 == 12 || at / n % 15 == 14).collect();
    let mut case = Case::random([n, n], CLOSED, Some(cut));
    case.walls = [Random(1).plane(case.u.len()), Random(2).plane(case.v.len())];
    let regions = case.domain().regions.clone();
    assert!(regions.cells.len() >= 300 && regions.singular.iter().all(|singular| *singular), "{}", regions.cells.len());
    let projected = case.project(Solver::Auto, 60, 1e-4);
    assert!(projected.residual <= 1e-4, "{projected:?}");
    // What is left are the means: walls that squeeze.
    assert!(projected.divergence_after > 1e-3 && case.divergence() < 2e-4);

    let mut solid = vec![false; 8 * 5];
    (0..5).for_each(|j| solid[j * 8 + 3] = true);
    let count = |edges| Domain::new([8, 5], edges, Some(&solid)).regions;
    assert_eq!(count(CLOSED).cells, [15, 20]);
    assert_eq!(count(WRAP).cells, [35]);
    assert_eq!(count([Side::Open, Side::Closed, Side::Closed, Side::Closed]).singular, [false, true]);
}

#[test]
fn a_wrapped_seam_does_not_show() {
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
            case.project(Solver::Multigrid, 20, 1e-7);
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
fn the_last_pressure_is_a_start() {
    for solid in [None, Some(discs(256, 12))] {
        let mut first = Case::random([256, 256], CLOSED, solid);
        let [mut again, mut wrong] = [first.clone(), first.clone()];
        let cold = first.project(Solver::Auto, 20, 1e-4);
        again.pressure.clone_from(&first.pressure);
        let warm = again.project(Solver::Auto, 20, 1e-3);
        assert!(cold.iterations > 0 && warm.iterations == 0 && warm.residual <= 1e-3, "{cold:?}, {warm:?}");
        // One that is of no use is left out.
        wrong.pressure = first.pressure.iter().map(|p| p * -50.0).collect();
        let projected = wrong.project(Solver::Auto, 20, 1e-4);
        assert_eq!((projected, &wrong.u), (cold, &first.u));
    }
}

#[test]
fn bits_are_the_same_on_any_threads_and_instructions() {
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
                let projected = case.project_on(&cpu, solver, 6, 1e-9);
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
