//! Poisson problems of three axes, with the cycle of a volume: V(1,1), restriction by the sum, prolongation by
//! distances.

use std::sync::Arc;

use flow_ofx::sim::fluid::Boundary::{self, Closed, Open};
use flow_ofx::sim::fluid::multigrid::Start;
use flow_ofx::sim::fluid::workspace::FaceCoefficients;
use flow_ofx::sim::fluid::{
    Colour, Domain, Hierarchy, Level, Operation, Projection, Prolongation, Recipe, Recipes, Regions, Relax,
    Restriction, Session, Slips, Solver, VectorField, Workspace, project,
};

use crate::cases::Random;
use crate::reference::{Reference, face_size, index, positions};

const fn relax(sweeps: u32, omega: f32) -> Relax {
    Relax { first: Colour::Red, sweeps, omega }
}

const fn recipe() -> Recipe {
    Recipe {
        before: relax(1, 1.2),
        after: relax(1, 1.2),
        coarsest: relax(16, 1.0),
        restriction: Restriction::Sum,
        prolongation: Prolongation::Distances,
        twice: 0..0,
    }
}

const VOLUME: &Recipes = &Recipes { plain: recipe(), symmetric: recipe(), coefficients: recipe() };

/// Widths of the cells of an axis, level by level: pairs are added up.
fn coarser(widths: &[f64]) -> Vec<f64> {
    if widths.len() <= 1 { widths.to_vec() } else { widths.chunks(2).map(|pair| pair.iter().sum()).collect() }
}

/// Centres of the cells of an axis, between the points where x is 0 beyond open sides, or NaN. The last cell keeps its
/// true width at an open side; at a closed one its centre is that of a full cell.
fn centres(widths: &[f64], full: f64, [low, high]: [Boundary; 2]) -> Vec<f64> {
    let end: f64 = widths.iter().sum();
    let mut all = vec![if low == Open { -0.5 } else { f64::NAN }];
    let mut start = 0.0;
    for (at, width) in widths.iter().enumerate() {
        let is_last = at + 1 == widths.len() && widths.len() > 1 && high == Closed;
        all.push(start + if is_last { full } else { *width } / 2.0);
        start += width;
    }
    all.push(if high == Open { end + 0.5 } else { f64::NAN });
    all
}

/// `⌈n / 2⌉` cells per axis and level until none has more than two, with true widths: a coefficient is the area of the
/// face over the distance of the centres.
fn hierarchy(size: [usize; 3], sides: [[Boundary; 2]; 3]) -> Hierarchy {
    let mut widths = size.map(|n| vec![1.0; n]);
    let (mut levels, mut coefficients, mut full) = (Vec::new(), Vec::new(), 1.0);
    loop {
        let cells = widths.each_ref().map(Vec::len);
        let mut level = Level::new(cells, size, sides);
        level.centres = [0, 1, 2].map(|axis| centres(&widths[axis], full, sides[axis]));
        let mut sums = vec![0.0_f32; level.cells()];
        let faces = [0, 1, 2].map(|axis| {
            let at = &level.centres[axis];
            let one = |face: [usize; 3]| {
                let area: f64 = (0..3).filter(|other| *other != axis).map(|other| widths[other][face[other]]).product();
                let distance = at[face[axis] + 1] - at[face[axis]];
                if distance.is_nan() { 0.0 } else { (area / distance) as f32 }
            };
            positions(face_size(cells, axis)).map(one).collect::<Vec<f32>>()
        });
        for (cell, sum) in positions(cells).zip(&mut sums) {
            for (axis, faces) in faces.iter().enumerate() {
                let (size, mut high) = (face_size(cells, axis), cell);
                high[axis] += 1;
                *sum += faces[index(size, cell)] + faces[index(size, high)];
            }
        }
        let inverse = sums.iter().map(|sum| if *sum > 0.0 { 1.0 / sum } else { 0.0 }).collect();
        coefficients.push(FaceCoefficients { faces: faces.to_vec(), inverse });
        levels.push(level);
        if cells.iter().all(|n| *n <= 2) {
            let regions = Arc::new(Regions::new(&levels[0], None));
            return Hierarchy { levels, box_regions: Arc::clone(&regions), regions, coefficients };
        }
        widths = widths.map(|of| coarser(&of));
        full *= 2.0;
    }
}

const MIXED: [[Boundary; 2]; 3] = [[Closed, Open], [Open, Closed], [Closed, Closed]];
const OTHER: [[Boundary; 2]; 3] = [[Open, Open], [Closed, Closed], [Open, Closed]];

/// Residual factors of the cycles 2 to 8 from a random right-hand side, each on the residual of the one before.
fn factors(size: [usize; 3], sides: [[Boundary; 2]; 3]) -> Vec<f64> {
    let grids = Arc::new(hierarchy(size, sides));
    let session = &mut Session::new(&Reference);
    let workspace = Workspace::new(session, Arc::clone(&grids)).expect("memory");
    let mut multigrid = workspace.multigrid(&grids, true, &VOLUME.coefficients);
    let level = multigrid.levels[0];
    let b = session.upload(&Random::new(5).many(level.level.cells(), 1.0)).expect("memory");
    multigrid.fields[0].b = b;
    let (x, scratch) = (multigrid.fields[0].x, multigrid.fields[0].scratch);
    let mean = Operation::RemoveMean { regions: &grids.regions, b };
    let [mut before]: [f64; 1] = session.run(&[mean]).expect("works").take();
    let mut all = Vec::new();
    for _ in 0..8 {
        let mut list = multigrid.cycle(Start::Zero);
        list.extend([
            Operation::Residual { level, b, x, r: scratch, keep: true },
            Operation::Copy { from: scratch, to: b },
            mean,
        ]);
        let [_, squares]: [f64; 2] = session.run(&list).expect("works").take();
        all.push((squares / before).sqrt());
        before = squares;
    }
    all.split_off(1)
}

#[test]
fn a_cycle_leaves_a_tenth_of_a_residual_in_three_dimensions() {
    for size in [[32; 3], [25, 33, 40]] {
        for (name, sides) in
            [("closed", [[Closed; 2]; 3]), ("open", [[Open; 2]; 3]), ("mixed", MIXED), ("other mixed", OTHER)]
        {
            let factors = factors(size, sides);
            let mean = factors.iter().product::<f64>().powf(1.0 / factors.len() as f64);
            println!("{size:?} {name}: {mean:.3} per cycle, {factors:.3?}");
            // Late cycles of odd sizes with mixed sides miss a tenth: their slowest mode falls by 0.14 a cycle.
            let single = if size == [32; 3] || !name.ends_with("mixed") { 0.105 } else { 0.145 };
            assert!(mean <= 0.1 && factors.iter().all(|factor| *factor <= single), "{size:?} {name}: {factors:?}");
        }
    }
}

#[test]
fn the_projection_removes_divergence_in_three_dimensions() {
    for (size, sides) in [([32; 3], [[Closed; 2]; 3]), ([25, 33, 40], [[Open; 2]; 3]), ([25, 33, 40], MIXED)] {
        let session = &mut Session::new(&Reference);
        let mut workspace = Workspace::new(session, Arc::new(hierarchy(size, sides))).expect("memory");
        let mut random = Random::new(9);
        let faces = [0, 1, 2].map(|axis| {
            let len = face_size(size, axis).into_iter().product();
            session.upload(&random.many(len, 1.0)).expect("memory")
        });
        let pressure = session.allocate(size.into_iter().product()).expect("memory");
        let domain = Domain { size, sides, slip: Slips::default(), solids: None };
        let (velocity, go_on) = (VectorField::new(&faces), &mut || true);
        let how =
            Projection { solver: Solver::Multigrid, iterations: 12, tolerance: 1e-3, recipes: VOLUME, source: None };
        let found = project(session, &mut workspace, &domain, velocity, (None, pressure), &how, go_on).expect("works");
        println!("{size:?} {sides:?}: {found:?}");
        assert!(found.residual <= 1e-3 && found.iterations <= 4, "{size:?} {sides:?}: {found:?}");
    }
}
