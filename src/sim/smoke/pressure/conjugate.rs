//! Conjugate gradients, preconditioned by a multigrid cycle.
//!
//! The flexible variant: β is that of Polak and Ribière, which tolerates a preconditioner that rounding makes a little
//! unsymmetric (Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput. 22, 2000). The residual of the recurrence is replaced
//! by the true one from time to time (van der Vorst and Ye, "Residual replacement strategies for Krylov subspace iterative methods",
//! SIAM J. Sci. Comput. 22, 2000): the velocity is corrected by the solution so far, and its divergence is the next right-hand
//! side. The matrix is singular where a region is closed: the right-hand side is made consistent per region whenever it is measured,
//! and the constant that a search direction may hold changes neither the product with the matrix nor the velocity.

use super::cycle::cycle;
use super::passes::PressurePasses;
use super::project::Run;
use super::rooms::Room;
use crate::sim::smoke::device::Failed;

/// The residual is replaced, and a stage ends, when it has fallen to this share of what it was at the start.
const REPLACE: f64 = 1.0 / 300.0;

/// The residual may grow to this multiple of the smallest one before the stage ends with the iterate of that one.
const GROWTH: f64 = 100.0;

/// Share of the squares at most that a correction has to leave for another one to be worthwhile: rounding leaves more.
const WORTHWHILE: f64 = 0.5;

/// The search direction is kept when the squares of the true residual are at most this multiple of the recurrence's.
const SAME: f64 = 1.1;

/// The last step along a search direction.
#[derive(Clone, Copy)]
struct Step {
    /// Its length, ρ / (d·q).
    alpha: f64,
    /// ρ = z·r.
    rho: f64,
}

impl<M: PressurePasses> Run<'_, M> {
    /// Iterates until the residual is good, or no longer falls. `from`: a first solution, and the squares of its residual, which is the
    /// right-hand side already.
    pub(super) fn conjugate(
        &mut self,
        from: Option<(&M::Plane, f64)>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failed> {
        let machine = self.machine;
        let len = self.rungs[0].level.cells();
        let [mut e, mut d, mut q] = match self.vectors.krylov.take() {
            Some(vectors) => vectors,
            None => [machine.zeros(len)?, machine.zeros(len)?, machine.zeros(len)?],
        };
        let done = self.iterate([&mut e, &mut d, &mut q], from, go_on);
        self.vectors.krylov = Some([e, d, q]);
        done
    }

    /// Solves `A e = b`, in stages: each ends with a correction of the velocity by e, and the divergence that this leaves is the b of
    /// the next.
    fn iterate(
        &mut self,
        [e, d, q]: [&mut M::Plane; 3],
        from: Option<(&M::Plane, f64)>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failed> {
        let machine = self.machine;
        match from {
            Some((from, _)) => machine.copy(from, e),
            None => machine.clear(e),
        }
        let mut squares = from.map_or(self.squares, |(_, squares)| squares);
        // Squares of the residual at the start of the stage, and the smallest since; whether the iterate of that one was saved.
        let (mut start, mut least, mut saved) = (squares, squares, false);
        // Whether e holds a correction that the velocity lacks.
        let mut due = from.is_some();
        let (mut step, mut breaks_down) = (None, false);
        loop {
            let last = self.iterations >= self.how.iterations;
            let falls = squares > REPLACE * REPLACE * start && squares <= GROWTH * GROWTH * least;
            if last || breaks_down || !falls || squares <= self.goal() {
                if !due {
                    return Ok(());
                }
                if let Some(best) = self.vectors.best.as_mut().filter(|_| saved) {
                    std::mem::swap(e, best);
                }
                let before = self.squares;
                let less = self.correct_if_less(Some(e))?;
                if !less || last || self.is_good() || self.squares > WORTHWHILE * before {
                    return Ok(());
                }
                if breaks_down || saved || self.squares > SAME * squares {
                    step = None;
                }
                machine.clear(e);
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

    /// One iteration, the residual r being in b, and the preconditioned one, z, in x:
    ///
    /// ```text
    /// z = M r,  β = z·(r − r₋) / ρ₋,  ρ = z·r,  d = z + β d,  q = A d,  α = ρ / d·q,  e += α d,  r −= α q
    /// ```
    ///
    /// Without a `last` step β is 0. Returns r·r; `None`, with e and r unchanged, where ρ or d·q is not positive: rounding is all that
    /// is left then.
    fn step(&mut self, [e, d, q]: [&mut M::Plane; 3], last: &mut Option<Step>) -> Result<Option<f64>, Failed> {
        let machine = self.machine;
        cycle(machine, &self.rungs, self.rooms, true);
        let Room { b: r, x: z, .. } = &mut self.rooms[0];
        let rho = if let Some(Step { alpha, rho: before }) = *last {
            let [rho, change] = machine.products(z, r, q)?;
            // r − r₋ is −α q.
            machine.turn((-alpha * change / before) as f32, z, d);
            rho
        } else {
            let [rho, _] = machine.products(z, r, r)?;
            std::mem::swap(z, d);
            rho
        };
        let product = machine.apply(self.rungs[0], d, q)?;
        let alpha = rho / product;
        if !(rho > 0.0 && product > 0.0 && alpha.is_finite()) {
            return Ok(None);
        }
        *last = Some(Step { alpha, rho });
        machine.advance(alpha as f32, [d, q], e, r).map(Some)
    }

    /// Saves the iterate before the last step: `e − α d`.
    fn save_before_step(&mut self, alpha: f64, [e, d]: [&M::Plane; 2]) -> Result<(), Failed> {
        let machine = self.machine;
        let best = match &mut self.vectors.best {
            Some(best) => best,
            none => none.insert(machine.zeros(self.rungs[0].level.cells())?),
        };
        machine.copy(d, best);
        machine.turn(-alpha as f32, e, best);
        Ok(())
    }
}
