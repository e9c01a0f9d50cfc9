//! Conjugate gradients, preconditioned by a multigrid cycle.
//!
//! The flexible variant: β is that of Polak and Ribière, which tolerates a preconditioner that rounding makes a little
//! unsymmetric (Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput. 22, 2000). The residual of the recurrence
//! is replaced by the true one from time to time (van der Vorst and Ye, "Residual replacement strategies for Krylov
//! subspace iterative methods", SIAM J. Sci. Comput. 22, 2000): the velocity is corrected by the solution so far, and
//! its divergence is the next right-hand side. The matrix is singular where a region is closed: the right-hand side is
//! made consistent per region whenever it is measured, and the constant that a search direction may hold changes
//! neither the product with the matrix nor the velocity.

use super::backend::{Backend, Failed};
use super::fields::FieldId;
use super::multigrid::{LevelFields, Start};
use super::operation::Operation;
use super::projection::Solve;
use super::session::GoOn;

/// Ratio of the residual to its value at the start of a stage at which the residual is replaced and the stage ends.
const REPLACEMENT: f64 = 1.0 / 300.0;

/// Growth of the residual over the smallest one that ends a stage with the iterate of that one.
const GROWTH_MAX: f64 = 100.0;

/// Largest ratio of the squares after and before a correction for another correction to be worthwhile: rounding leaves
/// more.
const CORRECTION_MAX: f64 = 0.5;

/// Largest ratio of the squares of the true residual and the recurrence's for which the search direction is kept.
const DRIFT_MAX: f64 = 1.1;

/// A step along a search direction.
#[derive(Clone, Copy)]
struct Step {
    /// Length of the step, ρ / (d·q).
    alpha: f64,
    /// ρ = z·r.
    rho: f64,
}

impl<B: Backend> Solve<'_, '_, B> {
    /// Solves `A e = b` and corrects the velocity by e, in stages, until the residual meets the target or no longer
    /// falls: the divergence that a stage leaves is the b of the next. `from`: an initial solution and the squares of
    /// its residual; b is that residual.
    pub(super) fn conjugate_gradients(&mut self, from: Option<(FieldId, f64)>, go_on: GoOn<'_>) -> Result<(), Failed> {
        let len = self.multigrid.levels[0].level.cells();
        let [e, d, q] = match self.vectors.krylov {
            Some(vectors) => vectors,
            None => {
                let session = &mut *self.session;
                *self.vectors.krylov.insert([session.zeros(len)?, session.zeros(len)?, session.zeros(len)?])
            }
        };
        let first = match from {
            Some((from, _)) => Operation::Copy { from, to: e },
            None => Operation::Clear { to: e },
        };
        self.session.run(&[first])?;
        let mut squares = from.map_or(self.squares, |(_, squares)| squares);
        // Squares of the residual at the start of the stage, and the smallest since; whether the iterate of that one
        // was saved.
        let (mut start, mut least, mut saved) = (squares, squares, false);
        // Whether e holds a correction that the velocity lacks.
        let mut due = from.is_some();
        let (mut step, mut breaks_down) = (None, false);
        loop {
            let last = self.iterations >= self.parameters.iterations;
            let falls = squares > REPLACEMENT * REPLACEMENT * start && squares <= GROWTH_MAX * GROWTH_MAX * least;
            if last || breaks_down || !falls || squares <= self.goal() {
                if !due {
                    return Ok(());
                }
                if let Some(best) = self.vectors.best.filter(|_| saved) {
                    self.session.fields.swap(e, best);
                }
                let before = self.squares;
                let less = self.correct_if_less(e)?;
                if !less || last || self.is_good() || self.squares > CORRECTION_MAX * before {
                    return Ok(());
                }
                if breaks_down || saved || self.squares > DRIFT_MAX * squares {
                    step = None;
                }
                self.session.run(&[Operation::Clear { to: e }])?;
                squares = self.squares;
                (start, least, saved, due) = (squares, squares, false, false);
            }
            if !go_on() {
                return Err(Failed::Interrupted);
            }
            let Some(next) = self.step([e, d, q], &mut step)? else {
                breaks_down = true;
                continue;
            };
            (squares, due, breaks_down) = (next, true, false);
            self.iterations += 1;
            if squares < least {
                (least, saved) = (squares, false);
            } else if let (Some(Step { alpha, .. }), false) = (step, saved) {
                self.save_before_step(alpha, [e, d])?;
                saved = true;
            }
        }
    }

    /// One iteration. The field b has the residual r, and x the preconditioned residual z:
    ///
    /// ```text
    /// z = M r,  β = z·(r − r₋) / ρ₋,  ρ = z·r,  d = z + β d,  q = A d,  α = ρ / d·q,  e += α d,  r −= α q
    /// ```
    ///
    /// Without a `last` step β is 0. Returns r·r; `None`, with e and r unchanged, where ρ or d·q is not positive: the
    /// residual then consists of rounding errors.
    fn step(&mut self, [e, d, q]: [FieldId; 3], last: &mut Option<Step>) -> Result<Option<f64>, Failed> {
        let (level, LevelFields { b: r, x: z, .. }) = (self.multigrid.levels[0], self.multigrid.fields[0]);
        let mut list = self.multigrid.cycle(Start::Zero);
        list.extend([Operation::Dot { a: z, b: r }, Operation::Dot { a: z, b: if last.is_some() { q } else { r } }]);
        let [rho, change] = self.session.run(&list)?.take();
        let apply = Operation::Apply { level, x: d, to: q };
        let [product] = if let Some(Step { alpha, rho: before }) = *last {
            // r − r₋ is −α q.
            let beta = (-alpha * change / before) as f32;
            self.session.run(&[Operation::Xpay { x: z, a: beta, y: d }, apply])?.take()
        } else {
            self.session.fields.swap(z, d);
            self.session.run(&[apply])?.take()
        };
        let alpha = rho / product;
        if !(rho > 0.0 && product > 0.0 && alpha.is_finite()) {
            return Ok(None);
        }
        *last = Some(Step { alpha, rho });
        let a = alpha as f32;
        let list =
            [Operation::Axpy { a, x: d, y: e }, Operation::Axpy { a: -a, x: q, y: r }, Operation::Dot { a: r, b: r }];
        let [squares] = self.session.run(&list)?.take();
        Ok(Some(squares))
    }

    /// Saves the iterate before the last step: `e − α d`.
    fn save_before_step(&mut self, alpha: f64, [e, d]: [FieldId; 2]) -> Result<(), Failed> {
        let len = self.multigrid.levels[0].level.cells();
        let best = match self.vectors.best {
            Some(best) => best,
            None => *self.vectors.best.insert(self.session.zeros(len)?),
        };
        let list = [Operation::Copy { from: d, to: best }, Operation::Xpay { x: e, a: -alpha as f32, y: best }];
        self.session.run(&list).map(drop)
    }
}
