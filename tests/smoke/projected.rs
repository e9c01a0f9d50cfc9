//! Projected velocities on various grids.

use std::sync::Arc;

use flow_ofx::sim::fluid::{
    Backend, Boundary, Domain, Hierarchy, Projected, Projection, Session, Slips, SolidFields, Solver, VALUE_MAX,
    VectorField, VelocityStatistics, Workspace, project,
};
use flow_ofx::sim::smoke::pressure::{RECIPES, hierarchy};

pub const CLOSED: [Boundary; 4] = [Boundary::Closed; 4];
pub const OPEN: [Boundary; 4] = [Boundary::Open; 4];
pub const WRAP: [Boundary; 4] = [Boundary::Wrap; 4];

/// Pseudo-random numbers between −½ and ½, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    pub fn plane(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| self.next()).collect()
    }
}

/// A velocity on its grid, with solids.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub size: [usize; 2],
    pub edges: [Boundary; 4],
    pub solid: Option<Vec<bool>>,
    pub walls: [Vec<f32>; 2],
    pub u: Vec<f32>,
    pub v: Vec<f32>,
    pub pressure: Vec<f32>,
}

impl Case {
    pub fn new(size: [usize; 2], edges: [Boundary; 4], solid: Option<Vec<bool>>) -> Case {
        let [w, h] = size;
        let (u, v) = (vec![0.0; (w + 1) * h], vec![0.0; w * (h + 1)]);
        Case { size, edges, solid, walls: [u.clone(), v.clone()], u, v, pressure: vec![0.0; w * h] }
    }

    pub fn random(size: [usize; 2], edges: [Boundary; 4], solid: Option<Vec<bool>>) -> Case {
        let mut case = Case::new(size, edges, solid);
        let mut random = Random(7);
        (case.u, case.v) = (random.plane(case.u.len()), random.plane(case.v.len()));
        case
    }

    pub fn hierarchy(&self) -> Arc<Hierarchy> {
        Arc::new(hierarchy(self.size, self.edges, self.solid.as_deref()))
    }

    /// Projects the velocity, from the current pressure.
    pub fn project<B: Backend>(&mut self, backend: &B, solver: Solver, iterations: u32, tolerance: f64) -> Projected {
        let mut session = Session::new(backend);
        let mut workspace = Workspace::new(&mut session, self.hierarchy()).expect("there is memory");
        self.project_in(&mut session, &mut workspace, solver, iterations, tolerance)
    }

    /// The same in a workspace that another case has used.
    pub fn project_in<B: Backend>(
        &mut self,
        session: &mut Session<'_, B>,
        workspace: &mut Workspace,
        solver: Solver,
        iterations: u32,
        tolerance: f64,
    ) -> Projected {
        let how = Projection { solver, iterations, tolerance, recipes: RECIPES, source: None };
        let cells: Vec<f32> = self.solid.iter().flatten().map(|solid| f32::from(u8::from(*solid))).collect();
        // Previous contents of the pressure have no effect.
        let nothing = vec![f32::NAN; self.pressure.len()];
        let [wall_u, wall_v, u, v, before, pressure, cells] =
            [&self.walls[0], &self.walls[1], &self.u, &self.v, &self.pressure, &nothing, &cells]
                .map(|values| session.upload(values).expect("there is memory"));
        let solids = SolidFields { cells, velocity: VectorField::new(&[wall_u, wall_v]) };
        let solids = self.solid.is_some().then_some(solids);
        let domain = Domain::plane(self.size, self.edges, Slips::default(), solids);
        let velocity = VectorField::new(&[u, v]);
        let projected = project(session, workspace, &domain, velocity, (Some(before), pressure), &how, &mut || true);
        [self.u, self.v, self.pressure] = [u, v, pressure].map(|field| session.download(field).expect("works"));
        let projected = projected.expect("nothing fails");
        if let Some(statistics) = projected.statistics {
            let sizes = || self.u.iter().chain(&self.v).map(|value| value.abs());
            let largest = sizes().filter(|size| *size <= VALUE_MAX).fold(0.0, f32::max);
            let bad = sizes().filter(|size| *size > VALUE_MAX || size.is_nan()).count() as u64;
            assert_eq!(statistics, VelocityStatistics { largest, bad }, "of the velocity afterwards");
        }
        projected
    }

    /// Root mean square of the divergence, computed independently, without its mean in each singular region.
    pub fn divergence(&self) -> f64 {
        let [w, h] = self.size;
        let regions = &self.hierarchy().regions;
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

    /// Root mean square error of the velocity at the solids' faces.
    pub fn off_at_solids(&self) -> f64 {
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

    pub fn is_finite(&self) -> bool {
        [&self.u, &self.v, &self.pressure].iter().all(|plane| plane.iter().all(|value| value.is_finite()))
    }
}

pub fn discs(n: usize, count: usize) -> Vec<bool> {
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

/// 16 × 16 rooms with a door of `gap` cells in each wall; the first walls are at cell `first`.
pub fn rooms(n: usize, first: usize, gap: usize) -> Vec<bool> {
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
