//! Cycles and Jacobi sweeps on the corrections of a [projection](super::projection).

use super::backend::{Backend, Failed};
use super::multigrid::{LevelFields, Start};
use super::operation::Operation;
use super::projection::{Solve, Sums, Warm};
use super::session::{GoOn, ask};

/// Largest ratio of the squared residuals after and before a cycle; above it, a correction has reached its precision.
const REDUCTION_MAX: f64 = 0.1;

/// Usual ratio of the squared residuals after and before a cycle without solids: predicts whether another cycle
/// follows.
const REDUCTION_EXPECTED: f64 = 0.0036;

impl<B: Backend> Solve<'_, '_, B> {
    pub fn cycles(&mut self, count: u32, mut zero: bool, go_on: GoOn<'_>) -> Result<(), Failed> {
        for _ in 0..count {
            ask(go_on)?;
            let start = if std::mem::take(&mut zero) { Start::Zero } else { Start::Here };
            self.session.run(&self.multigrid.cycle(start))?;
        }
        self.iterations += count;
        Ok(())
    }

    /// One cycle; returns the squares of its residual. With `more`, the same list runs the first half of the next
    /// cycle, which x is no worse for; also returns the start of the next cycle.
    fn cycle_to_residual(&mut self, start: Start, more: bool, go_on: GoOn<'_>) -> Result<(f64, Start), Failed> {
        ask(go_on)?;
        self.iterations += 1;
        let (level, LevelFields { b, x, scratch }) = self.finest();
        let mut list = self.multigrid.cycle(start);
        list.push(Operation::Residual { level, b, x, r: scratch, keep: false });
        let more = more && self.multigrid.is_deep();
        if more {
            self.multigrid.smooth_and_restrict(0, false, &mut list);
        }
        let [squares] = self.session.run(&list)?.take();
        Ok((squares, if more { Start::Below } else { Start::Here }))
    }

    /// A cycle that is expected to reach the [`goal`](Self::goal), and the first correction by it; returns whether the
    /// velocity is good, or as good as its precision allows.
    fn cycle_and_correct(&mut self, start: Start, go_on: GoOn<'_>) -> Result<bool, Failed> {
        ask(go_on)?;
        self.iterations += 1;
        let goal = self.goal();
        let (level, LevelFields { b, x, scratch }) = self.finest();
        let mut list = self.multigrid.cycle(start);
        list.push(Operation::Correct { level, e: x, velocity: self.velocity, pressure: None });
        list.push(self.divergence(scratch, false));
        let mut sums = self.session.run(&list)?;
        self.statistics = sums.velocity;
        let [sum, squares] = sums.take();
        self.sums = Sums { sum, squares };
        self.session.fields.swap(self.pressure, x);
        self.is_zero = false;
        self.take_last_sums();
        if self.squares <= goal {
            return Ok(self.is_good());
        }
        let operation = Operation::Residual { level, b, x: self.pressure, r: scratch, keep: false };
        let [squares] = self.session.run(&[operation])?.take();
        Ok(squares <= goal)
    }

    /// Runs cycles on a correction until it meets its goal or its residual consists of rounding errors, then on the
    /// next correction.
    pub fn cycle_until_good(&mut self, warm: Option<Warm>, go_on: GoOn<'_>) -> Result<(), Failed> {
        let (most, solids) = (self.parameters.iterations, self.has_coefficients());
        let per_readback = self.session.backend.cycles_per_readback();
        let mut residual = warm.map(|warm| warm.squares);
        let mut next = warm.map_or(Start::Here, |warm| warm.start);
        while self.iterations < most && residual.unwrap_or(self.squares) > self.target() {
            let goal = self.goal();
            if residual.is_some_and(|residual| residual <= goal) {
                if !self.correct_by_cycles(false)? {
                    return Ok(());
                }
                (residual, next) = (None, Start::Here);
                continue;
            }
            let before = residual.unwrap_or(self.squares);
            let zero = residual.is_none();
            let count = per_readback.min(most - self.iterations);
            if per_readback == 1 || solids {
                self.cycles(count - 1, zero, go_on)?;
                let start = if zero && count == 1 { Start::Zero } else { next };
                let more = !solids && self.iterations + 1 < most && REDUCTION_EXPECTED * before > goal;
                let single = self.is_zero && self.regions.labels.is_none();
                if !more && !solids && single {
                    let all = self.squares;
                    let good = self.cycle_and_correct(start, go_on)?;
                    if good || self.iterations == most || self.squares.is_nan() || self.squares >= all {
                        return Ok(());
                    }
                    self.measure()?;
                    (residual, next) = (None, Start::Here);
                    continue;
                }
                let (squares, begins) = self.cycle_to_residual(start, more, go_on)?;
                next = begins;
                // With solids, cycles alone may diverge: a cycle without progress is discarded.
                if squares.is_nan() || squares >= self.squares {
                    return Ok(());
                }
                residual = Some(squares);
                let continues = squares > goal && squares < REDUCTION_MAX * before && self.iterations < most;
                if continues && !solids {
                    continue;
                }
            } else {
                self.cycles(count, zero, go_on)?;
            }
            if !self.correct_by_cycles(false)? {
                return Ok(());
            }
            (residual, next) = (None, Start::Here);
        }
        if residual.is_some() {
            self.correct_by_cycles(true)?;
        }
        Ok(())
    }

    pub fn jacobi(&mut self, go_on: GoOn<'_>) -> Result<(), Failed> {
        if self.parameters.iterations == 0 || self.is_good() {
            return Ok(());
        }
        ask(go_on)?;
        let (level, LevelFields { b, x, scratch }) = self.finest();
        self.iterations = self.parameters.iterations;
        self.session.run(&[Operation::Jacobi { level, sweeps: self.iterations, b, x, scratch }])?;
        self.correct_by_x(true)
    }
}
