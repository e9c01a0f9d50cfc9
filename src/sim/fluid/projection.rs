//! The projection: makes a velocity free of divergence, or gives it the divergence of a source.
//!
//! `A p = b` is solved with `b = source − ∇·velocity` per frame on the cells (spacing 1) and `(A p)(c) = Σ w(f)·(p(c) − p(n))`
//! over the faces f of cell c, n being the cell beyond f; then `velocity ← velocity − ∇p`. So p is the pressure times
//! the time step over the density, cells² per frame. w is 1, or 0 at faces of solid cells and on closed sides; beyond
//! an open side p is 0, one cell away from the last.
//!
//! **Corrections.** The pressure is solved in corrections: some cycles give a correction e, then `velocity ← velocity −
//! ∇e`, and b is the divergence of that. So the error of 32-bit numbers shrinks with each correction.
//!
//! **Singular regions.** A connected region without a cell at an open side determines its pressure up to a constant,
//! and has a solution only where its b sums up to 0: the mean of b is subtracted, per region. With a source that is a
//! uniform sink in the region.

use crate::sim::fingerprint::fingerprinted;
use std::sync::Arc;

use super::backend::{Backend, Failed, Reductions, VelocityStatistics};
use super::fields::{FieldId, VectorField};
use super::multigrid::{LevelFields, Multigrid, Recipe, Start};
use super::operation::{LevelOperand, Operation};
use super::regions::Regions;
use super::session::{GoOn, Session};
use super::shape::Domain;
use super::workspace::{Hierarchy, Workspace};

/// Largest ratio of the squares of the mean to those of the right-hand side for which the mean of a single singular
/// region is not subtracted.
const MEAN_MIN: f64 = 1e-8;

/// Largest ratio of the squares of the mean to the squared goal; the smaller of both limits applies.
const MEAN_MIN_OF_GOAL: f64 = 1e-2;

/// Largest ratio of the squared residual of the previous pressure to the squares of b for a warm start.
const WARM_START_MAX: f64 = 0.8;

/// A stricter tolerance is reached in stages with this one, which is the precision of a correction in 32-bit numbers.
/// The iteration is the same for every stricter tolerance until this one is reached.
const STAGE_TOLERANCE: f64 = 1e-5;

/// Cycles in each pass of the iterated projection.
const CYCLES_PER_PASS: u32 = 2;

fingerprinted! {
    /// The pressure solver.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Solver {
        /// Multigrid cycles; conjugate gradients, preconditioned by a cycle, where there are solids.
        Auto,
        /// Multigrid cycles alone.
        Multigrid,
        /// Conjugate gradients, preconditioned by a cycle.
        ConjugateGradients,
        /// Iterated orthogonal projection (Molemaker et al. 2008): projections of the whole box, with the solids'
        /// velocities enforced before each.
        IteratedProjection,
        /// Jacobi sweeps, as in tutorials.
        Jacobi,
    }
}

/// A [`Solver`], given whether there are solids.
#[derive(Clone, Copy, PartialEq)]
enum Method {
    Cycles,
    ConjugateGradients,
    Iterated,
    Jacobi,
}

/// The cycles of a model.
#[derive(Debug, PartialEq)]
pub struct Recipes {
    /// Cycles without solids.
    pub plain: Recipe,
    /// A symmetric cycle without solids, as conjugate gradients need it.
    pub symmetric: Recipe,
    /// A symmetric cycle with face coefficients.
    pub coefficients: Recipe,
}

/// Parameters of a projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// The solver.
    pub solver: Solver,
    /// Most cycles, iterations, passes or sweeps.
    pub iterations: u32,
    /// Residual, relative to the divergence before, at which the pressure is good.
    pub tolerance: f64,
    /// The cycles.
    pub recipes: &'static Recipes,
    /// Divergence that the velocity is to have, per frame; `None`: 0.
    pub source: Option<FieldId>,
}

/// Diagnostics of a projection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projected {
    /// Cycles, iterations, passes or sweeps taken.
    pub iterations: u32,
    /// Divergence that is left, relative to the divergence before, both without the means of singular regions; of the
    /// iterated projection, the change of velocity at solids with which its last pass begins, over that of its first.
    pub residual: f64,
    /// Root mean square of the divergence of the fluid cells before, less the source, per frame.
    pub divergence_before: f64,
    /// Root mean square of the divergence of the fluid cells after, less the source, per frame.
    pub divergence_after: f64,
    /// Statistics of the projected velocity, if the device has them.
    pub statistics: Option<VelocityStatistics>,
}

/// An initial x that is better than 0.
#[derive(Clone, Copy)]
pub(super) struct Warm {
    /// Sum of the squares of its residual.
    pub squares: f64,
    /// The start of the first cycle.
    pub start: Start,
}

/// Sums of b over the fluid cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub sum: f64,
    pub squares: f64,
}

/// Gives a velocity the divergence of the source, after its boundary conditions are enforced. `before` is a pressure to start
/// from; the pressure found goes to `pressure`, whose contents before are unspecified.
///
/// # Errors
/// [`Failed`]; contents of velocity and pressure are unspecified then.
pub fn project<B: Backend>(
    session: &mut Session<'_, B>,
    workspace: &mut Workspace,
    domain: &Domain,
    velocity: VectorField,
    (before, pressure): (Option<FieldId>, FieldId),
    parameters: &Projection,
    go_on: GoOn<'_>,
) -> Result<Projected, Failed> {
    let hierarchy = Arc::clone(&workspace.hierarchy);
    let has_solids = !hierarchy.coefficients.is_empty();
    let has_coefficients = has_solids && parameters.solver != Solver::IteratedProjection;
    let conjugate =
        parameters.solver == Solver::ConjugateGradients || (parameters.solver == Solver::Auto && has_coefficients);
    let recipe = match (has_coefficients, conjugate) {
        (true, _) => &parameters.recipes.coefficients,
        (false, true) => &parameters.recipes.symmetric,
        (false, false) => &parameters.recipes.plain,
    };
    let domain = Domain { solids: domain.solids.filter(|_| has_solids), ..*domain };
    let method = match parameters.solver {
        Solver::Jacobi => Method::Jacobi,
        Solver::ConjugateGradients | Solver::Auto if conjugate => Method::ConjugateGradients,
        Solver::IteratedProjection if domain.solids.is_some() => Method::Iterated,
        Solver::Auto | Solver::ConjugateGradients | Solver::IteratedProjection | Solver::Multigrid => Method::Cycles,
    };
    let mut solve = Solve {
        session,
        multigrid: workspace.multigrid(&hierarchy, has_coefficients, recipe),
        vectors: workspace,
        domain: &domain,
        regions: if has_coefficients { &hierarchy.regions } else { &hierarchy.box_regions },
        velocity,
        pressure,
        is_zero: true,
        parameters,
        iterations: 0,
        before: 0.0,
        squares: 0.0,
        sums: Sums::default(),
        statistics: None,
    };
    solve.run(before, method, go_on)
}

impl Workspace {
    /// The levels of the hierarchy and their fields, with or without face coefficients.
    pub fn multigrid<'a>(&self, hierarchy: &'a Hierarchy, has_coefficients: bool, recipe: &'a Recipe) -> Multigrid<'a> {
        let coefficients = |level: usize| self.coefficients.get(level).copied().filter(|_| has_coefficients);
        let operand = |(at, level)| LevelOperand { level, coefficients: coefficients(at) };
        let levels = hierarchy.levels.iter().enumerate().map(operand).collect();
        Multigrid { levels, fields: self.levels.clone(), recipe }
    }
}

/// A projection in progress. The right-hand side of the finest level is the negative remaining divergence.
pub(super) struct Solve<'a, 's, B: Backend> {
    pub session: &'a mut Session<'s, B>,
    pub multigrid: Multigrid<'a>,
    pub vectors: &'a mut Workspace,
    domain: &'a Domain,
    pub regions: &'a Arc<Regions>,
    pub velocity: VectorField,
    pub pressure: FieldId,
    /// The pressure counts as 0; its field is not read.
    pub is_zero: bool,
    pub parameters: &'a Projection,
    /// Cycles, iterations, passes or sweeps so far.
    pub iterations: u32,
    /// Sum of the squares of the right-hand side, without means: before, and now.
    before: f64,
    pub squares: f64,
    /// Sum and sum of squares of the right-hand side, with its means.
    pub sums: Sums,
    /// Statistics of the current velocity, where known.
    pub statistics: Option<VelocityStatistics>,
}

impl<'a, B: Backend> Solve<'a, '_, B> {
    fn run(&mut self, before: Option<FieldId>, method: Method, go_on: GoOn<'_>) -> Result<Projected, Failed> {
        let mut jump = self.enforce_boundaries(method == Method::Iterated)?;
        let mut warm = self.measure_and_warm_up(before, method)?;
        self.before = self.squares;
        let fluid = self.regions.fluid().max(1) as f64;
        let per_cell = |squares: f64| (squares / fluid).sqrt();
        let divergence_before = per_cell(self.sums.squares);
        // Cycles and conjugate gradients continue from it; the other methods begin with its residual.
        let continues = method == Method::ConjugateGradients || (method == Method::Cycles && !self.has_coefficients());
        if warm.is_some() && !continues {
            self.correct_by_x(false)?;
            warm = None;
        }
        let mut residual = None;
        match method {
            Method::Cycles => self.cycle_until_good(warm, go_on)?,
            Method::Jacobi => self.jacobi(go_on)?,
            Method::ConjugateGradients => {
                self.conjugate_gradients(before.zip(warm.map(|warm| warm.squares)), go_on)?;
            }
            Method::Iterated => {
                let (most, tolerance, first) = (self.parameters.iterations, self.parameters.tolerance, jump);
                for pass in 0..most {
                    if pass > 0 {
                        jump = self.enforce_boundaries(true)?;
                        self.measure()?;
                    }
                    self.cycles(CYCLES_PER_PASS, true, go_on)?;
                    self.correct_by_x(false)?;
                    self.iterations = pass + 1;
                    residual = Some(if first > 0.0 { (jump / first).sqrt() } else { 0.0 });
                    if pass > 0 && jump <= tolerance * tolerance * first {
                        break;
                    }
                }
            }
        }
        if self.is_zero {
            self.session.run(&[Operation::Clear { to: self.pressure }])?;
        }
        let left = if self.before > 0.0 { (self.squares / self.before).sqrt() } else { 0.0 };
        Ok(Projected {
            iterations: self.iterations,
            residual: residual.unwrap_or(left),
            divergence_before,
            divergence_after: per_cell(self.sums.squares),
            statistics: self.statistics,
        })
    }

    pub fn has_coefficients(&self) -> bool {
        self.multigrid.levels[0].coefficients.is_some()
    }

    /// The finest level and its fields.
    pub fn finest(&self) -> (LevelOperand<'a>, LevelFields) {
        (self.multigrid.levels[0], self.multigrid.fields[0])
    }

    /// Sum of the squares of the first right-hand side, which may be this one.
    fn first(&self) -> f64 {
        if self.before > 0.0 { self.before } else { self.squares }
    }

    /// The sum of squares at which the pressure is good.
    pub fn target(&self) -> f64 {
        self.parameters.tolerance * self.parameters.tolerance * self.first()
    }

    /// The sum of squares at which the current correction is applied.
    pub fn goal(&self) -> f64 {
        let stage = STAGE_TOLERANCE * STAGE_TOLERANCE * self.first();
        self.target().max(if self.squares > stage { stage } else { STAGE_TOLERANCE * STAGE_TOLERANCE * self.squares })
    }

    /// Whether the divergence meets the tolerance.
    pub fn is_good(&self) -> bool {
        self.squares <= self.target()
    }

    pub fn divergence(&self, b: FieldId, keep: bool) -> Operation<'a> {
        let (level, source) = (self.multigrid.levels[0], self.parameters.source);
        Operation::Divergence { level, velocity: self.velocity, source, b, keep }
    }

    /// Corrects the velocity by x, whose values are unspecified afterwards; so is the right-hand side after the `last`
    /// correction.
    pub fn correct_by_x(&mut self, last: bool) -> Result<(), Failed> {
        let (level, LevelFields { b, x, .. }) = self.finest();
        // Means of several regions are subtracted from the right-hand side.
        let last = last && self.regions.labels.is_none();
        let pressure = (!self.is_zero).then_some(self.pressure);
        let correct = Operation::Correct { level, e: x, velocity: self.velocity, pressure };
        let sums = self.session.run(&[correct, self.divergence(b, !last)])?;
        if std::mem::take(&mut self.is_zero) {
            self.session.fields.swap(self.pressure, x);
        }
        self.take(sums, last)
    }

    /// Corrects the velocity by `e` and measures the divergence. Where that did not fall, velocity and pressure are as
    /// before, and the right-hand side is unspecified. Returns whether it fell; `e` is unspecified afterwards.
    pub fn correct_if_less(&mut self, e: FieldId) -> Result<bool, Failed> {
        let (level, LevelFields { b, .. }) = self.finest();
        let before = (self.squares, self.sums, self.statistics);
        let saved = match self.vectors.velocity {
            Some(saved) => saved,
            None => {
                let lens: Vec<usize> = (0..self.velocity.len()).map(|axis| level.level.faces(axis)).collect();
                let fields = lens.iter().map(|len| self.session.zeros(*len)).collect::<Result<Vec<_>, _>>()?;
                *self.vectors.velocity.insert(VectorField::new(&fields))
            }
        };
        let velocity = self.velocity;
        let pairs = || velocity.iter().copied().zip(saved.iter().copied());
        let mut list: Vec<_> = pairs().map(|(from, to)| Operation::Copy { from, to }).collect();
        list.extend([Operation::Correct { level, e, velocity, pressure: None }, self.divergence(b, true)]);
        let sums = self.session.run(&list)?;
        self.take(sums, false)?;
        if self.squares < before.0 {
            if !std::mem::take(&mut self.is_zero) {
                self.session.run(&[Operation::Xpay { x: self.pressure, a: 1.0, y: e }])?;
            }
            self.session.fields.swap(self.pressure, e);
            return Ok(true);
        }
        (self.squares, self.sums, self.statistics) = before;
        pairs().for_each(|(velocity, saved)| self.session.fields.swap(velocity, saved));
        Ok(false)
    }

    /// Corrects the velocity by x, unless the divergence would not fall. The first correction without solids needs no
    /// copy to return to, since cycles converge there.
    pub fn correct_by_cycles(&mut self, last: bool) -> Result<bool, Failed> {
        let before = self.squares;
        if self.is_zero && !self.has_coefficients() {
            self.correct_by_x(last)?;
            return Ok(self.squares < before);
        }
        self.correct_if_less(self.multigrid.fields[0].x)
    }

    /// Takes over the sums after a correction.
    fn take(&mut self, mut sums: Reductions, last: bool) -> Result<(), Failed> {
        self.statistics = sums.velocity;
        let [sum, squares] = sums.take();
        self.sums = Sums { sum, squares };
        if last {
            self.take_last_sums();
            return Ok(());
        }
        self.remove_means().map(drop)
    }

    /// The squares without the mean of one region.
    pub fn take_last_sums(&mut self) {
        let mean = if self.regions.any_singular() { self.squares_of_mean() } else { 0.0 };
        let rest = self.sums.squares - mean;
        self.squares = if rest < 0.0 { 0.0 } else { rest };
    }

    /// Squares of the mean of the right-hand side, where it has one region.
    fn squares_of_mean(&self) -> f64 {
        self.sums.sum * self.sums.sum / self.regions.fluid().max(1) as f64
    }

    /// Enforces the boundary conditions; returns the squares of the changes at solids where these are measured.
    fn enforce_boundaries(&mut self, measure: bool) -> Result<f64, Failed> {
        self.statistics = None;
        let (domain, velocity) = (self.domain, self.velocity);
        let mut sums = self.session.run(&[Operation::EnforceBoundaries { domain, velocity, measure }])?;
        Ok(if measure { sums.take::<1>()[0] } else { 0.0 })
    }

    pub fn measure(&mut self) -> Result<(), Failed> {
        let b = self.multigrid.fields[0].b;
        let [sum, squares] = self.session.run(&[self.divergence(b, true)])?.take();
        self.sums = Sums { sum, squares };
        self.remove_means().map(drop)
    }

    /// Subtracts the means of the right-hand side where they matter; returns whether they do.
    fn remove_means(&mut self) -> Result<bool, Failed> {
        self.squares = self.sums.squares;
        let single = self.regions.labels.is_none();
        let small = (MEAN_MIN * self.squares).min(MEAN_MIN_OF_GOAL * self.goal());
        let matter = self.regions.any_singular() && !(single && self.squares_of_mean() <= small);
        if matter {
            let remove = Operation::RemoveMean { regions: self.regions, b: self.multigrid.fields[0].b };
            [self.squares] = self.session.run(&[remove])?.take();
        }
        Ok(matter)
    }

    /// As [`measure`](Self::measure); and makes the pressure `before` the initial x, where that is better than 0.
    fn measure_and_warm_up(&mut self, before: Option<FieldId>, method: Method) -> Result<Option<Warm>, Failed> {
        let Some(before) = before else {
            self.measure()?;
            return Ok(None);
        };
        let (level, LevelFields { b, x, scratch }) = self.finest();
        if method == Method::ConjugateGradients {
            self.measure()?;
            let residual = Operation::Residual { level, b, x: before, r: scratch, keep: true };
            let [squares] = self.session.run(&[residual])?.take();
            let warm = squares < WARM_START_MAX * self.squares;
            if warm {
                self.session.fields.swap(b, scratch);
            }
            return Ok(warm.then_some(Warm { squares, start: Start::Here }));
        }
        // The first half of the first cycle costs little in the same list.
        let cycles = method == Method::Cycles && self.parameters.iterations > 0 && !self.has_coefficients();
        let begins = cycles && self.session.backend.cycles_per_readback() == 1 && self.multigrid.is_deep();
        let residual = |x| Operation::Residual { level, b, x, r: scratch, keep: false };
        let mut list = vec![self.divergence(b, true), residual(before)];
        if begins {
            list.push(Operation::Copy { from: before, to: x });
            self.multigrid.smooth_and_restrict(0, false, &mut list);
        }
        let [sum, squares_of_b, mut squares] = self.session.run(&list)?.take();
        self.sums = Sums { sum, squares: squares_of_b };
        let changed = self.remove_means()?;
        if changed {
            [squares] = self.session.run(&[residual(if begins { x } else { before })])?.take();
        }
        let warm = squares < WARM_START_MAX * self.squares;
        if warm && !begins {
            self.session.run(&[Operation::Copy { from: before, to: x }])?;
        }
        let start = if begins && !changed { Start::Below } else { Start::Here };
        Ok(warm.then_some(Warm { squares, start }))
    }
}
