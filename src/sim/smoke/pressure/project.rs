//! The order of it all.

use super::cycle::{Start, begin, cycle, cycle_and_correct, cycle_to_residual};
use super::passes::{Corrected, PressurePasses, Rung, Sums, Walls};
use super::regions::Regions;
use super::rooms::{Room, Rooms, Vectors};
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::planes::Survey;
use crate::sim::smoke::settings::Solver;

/// Share of the squares of the right-hand side below which the mean of a single singular region stays in it.
const NO_TILT: f64 = 1e-8;

/// The same as a share of the squares that are to be reached: the smaller of the two limits counts.
const NO_TILT_OF_GOAL: f64 = 1e-2;

/// What the last pressure has to leave of b's squares to be worth starting from.
const WORTH: f64 = 0.8;

/// Share of the squares that a cycle leaves at most while a correction's numbers have room for more.
const FALLS: f64 = 0.1;

/// A stricter tolerance than this is reached in stages: 32-bit pressures hold no more in one correction. The iteration is the same for
/// every stricter tolerance until this one is reached.
const STAGE: f64 = 1e-5;

/// Share of the squares that a cycle without solids mostly leaves: whether another one will be needed is reckoned from it.
const LEAVES: f64 = 0.0036;

/// Cycles of each pass of the iterated projection.
const PER_PASS: u32 = 2;

/// What a [`Solver`] comes to where there are solids, or none.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Cycles,
    Conjugate,
    Iterated,
    Jacobi,
}

/// An x that is better than nothing.
#[derive(Clone, Copy)]
struct Warm {
    /// Sum of the squares of what it leaves.
    squares: f64,
    /// Where cycles go on from it.
    start: Start,
}

/// How the pressure is to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// By which method.
    pub solver: Solver,
    /// Most cycles, iterations, passes or sweeps.
    pub iterations: u32,
    /// Residual, against the divergence before, at which it is good.
    pub tolerance: f64,
}

/// What is to know of a projection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projected {
    /// Cycles, iterations, passes or sweeps taken.
    pub iterations: u32,
    /// What is left of the divergence before, both without the means of singular regions; of the iterated projection, what is left
    /// of the difference to the solids' velocity.
    pub residual: f64,
    /// Root mean square of the fluid cells before, per frame.
    pub divergence_before: f64,
    /// The same after.
    pub divergence_after: f64,
    /// Of the velocity then, where the machine knows.
    pub survey: Option<Survey>,
}

/// Takes the divergence out of a velocity. Faces at closed sides become 0, those that touch solids the solids' velocity
/// `[u, v]`, which may be left out where the domain has no solids. `before` is a pressure to start from, if there is one; what was
/// found goes to `pressure`, whose values before are anybody's.
///
/// # Errors
/// [`Failed`]; velocity and pressure are anything then.
pub fn project<M: PressurePasses>(
    machine: &M,
    rooms: &mut Rooms<M::Plane>,
    solids: Option<[&M::Plane; 2]>,
    velocity: [&mut M::Plane; 2],
    (before, pressure): (Option<&M::Plane>, &mut M::Plane),
    how: &Projection,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Projected, Failed> {
    let domain = std::sync::Arc::clone(rooms.domain());
    let count = domain.solids.is_some() && how.solver != Solver::IteratedProjection;
    let conjugate = how.solver == Solver::ConjugateGradients || (how.solver == Solver::Auto && count);
    let (rungs, steps, vectors, solid) = rooms.open(count, conjugate);
    let walls = solid.zip(solids).map(|(cells, [u, v])| Walls { cells, u, v });
    let regions = if count { &domain.regions } else { &domain.rectangle };
    let mut run = Run {
        machine,
        rungs,
        rooms: steps,
        vectors,
        regions,
        velocity,
        pressure,
        nothing: true,
        how,
        iterations: 0,
        before: 0.0,
        squares: 0.0,
        sums: Sums::default(),
        survey: None,
    };
    let mut jump = run.hold(walls)?;
    let way = match how.solver {
        Solver::Jacobi => Way::Jacobi,
        Solver::ConjugateGradients | Solver::Auto if conjugate => Way::Conjugate,
        Solver::IteratedProjection if walls.is_some() => Way::Iterated,
        Solver::Auto | Solver::ConjugateGradients | Solver::IteratedProjection | Solver::Multigrid => Way::Cycles,
    };
    let mut warm = run.measure_and_warm_up(before, way)?;
    run.before = run.squares;
    let per_cell = |squares: f64| (squares / regions.fluid().max(1) as f64).sqrt();
    let divergence_before = per_cell(run.sums.squares);
    // Cycles and conjugate gradients go on from it; whatever else there is begins with what it leaves.
    let goes_on = way == Way::Conjugate || (way == Way::Cycles && run.rungs[0].weights.is_none());
    if warm.is_some() && !goes_on {
        run.correct_by_x(false)?;
        warm = None;
    }
    let mut residual = None;
    match way {
        Way::Cycles => run.multigrid(warm, go_on)?,
        Way::Jacobi => run.jacobi(go_on)?,
        Way::Conjugate => run.conjugate(before.zip(warm.map(|warm| warm.squares)), go_on)?,
        Way::Iterated => {
            let first = jump;
            for pass in 0..how.iterations {
                if pass > 0 {
                    jump = run.hold(walls)?;
                    run.measure()?;
                }
                run.cycles(PER_PASS, true, go_on)?;
                run.correct_by_x(false)?;
                run.iterations = pass + 1;
                residual = Some(if first > 0.0 { (jump / first).sqrt() } else { 0.0 });
                if pass > 0 && jump <= how.tolerance * how.tolerance * first {
                    break;
                }
            }
        }
    }
    if run.nothing {
        machine.clear(run.pressure);
    }
    let left = if run.before > 0.0 { (run.squares / run.before).sqrt() } else { 0.0 };
    Ok(Projected {
        iterations: run.iterations,
        residual: residual.unwrap_or(left),
        divergence_before,
        divergence_after: per_cell(run.sums.squares),
        survey: run.survey,
    })
}

/// A projection under way.
pub(super) struct Run<'a, M: PressurePasses> {
    pub machine: &'a M,
    /// The finest level first.
    pub rungs: Vec<Rung<'a, M::Plane>>,
    /// Planes of the same levels. The finest right-hand side is what is left of the divergence.
    pub rooms: &'a mut [Room<M::Plane>],
    pub vectors: &'a mut Vectors<M::Plane>,
    regions: &'a Regions,
    velocity: [&'a mut M::Plane; 2],
    pressure: &'a mut M::Plane,
    /// The pressure is 0, whatever is in its plane.
    nothing: bool,
    pub how: &'a Projection,
    /// Taken so far.
    pub iterations: u32,
    /// Sum of the squares of the right-hand side, without means: before, and now.
    before: f64,
    pub squares: f64,
    /// Of the right-hand side, means and all.
    sums: Sums,
    /// Of the velocity as it is, where that is known.
    survey: Option<Survey>,
}

impl<M: PressurePasses> Run<'_, M> {
    /// Sum of the squares of the first right-hand side, which may be this one.
    fn first(&self) -> f64 {
        if self.before > 0.0 { self.before } else { self.squares }
    }

    /// The sum of squares at which the pressure is good.
    pub fn target(&self) -> f64 {
        self.how.tolerance * self.how.tolerance * self.first()
    }

    /// The sum of squares at which the correction under way is applied.
    pub fn goal(&self) -> f64 {
        let stage = STAGE * STAGE * self.first();
        self.target().max(if self.squares > stage { stage } else { STAGE * STAGE * self.squares })
    }

    /// Whether it is.
    pub fn is_good(&self) -> bool {
        self.squares <= self.target()
    }

    /// Corrects the velocity by x, whose values are unspecified afterwards; so is the right-hand side after the `last` correction.
    fn correct_by_x(&mut self, last: bool) -> Result<(), Failed> {
        let [u, v] = &mut self.velocity;
        let Room { b, x, .. } = &mut self.rooms[0];
        let p = (!self.nothing).then_some(&mut *self.pressure);
        // Means of several regions are taken off what is there.
        let last = last && self.regions.labels.is_none();
        let corrected = self.machine.correct(self.rungs[0], x, [u, v], p, b, last)?;
        if std::mem::take(&mut self.nothing) {
            std::mem::swap(self.pressure, x);
        }
        self.take(corrected, last)
    }

    /// Corrects the velocity by `e`, or by x without one, and measures the divergence. Where that did not fall, the velocity and the
    /// pressure are as before, and the right-hand side is unspecified. Returns whether it fell; `e` is unspecified afterwards.
    pub fn correct_if_less(&mut self, e: Option<&mut M::Plane>) -> Result<bool, Failed> {
        let (machine, rung) = (self.machine, self.rungs[0]);
        let before = (self.squares, self.sums, self.survey);
        let saved = match &mut self.vectors.velocity {
            Some(saved) => saved,
            none => {
                let [w, h] = rung.level.size;
                none.insert([machine.zeros((w + 1) * h)?, machine.zeros(w * (h + 1))?])
            }
        };
        let [u, v] = &mut self.velocity;
        machine.copy(u, &mut saved[0]);
        machine.copy(v, &mut saved[1]);
        let Room { b, x, .. } = &mut self.rooms[0];
        let corrected = machine.correct(rung, e.as_deref().unwrap_or(x), [u, v], None, b, false)?;
        self.take(corrected, false)?;
        if self.squares < before.0 {
            let e = e.unwrap_or(&mut self.rooms[0].x);
            if !std::mem::take(&mut self.nothing) {
                machine.turn(1.0, self.pressure, e);
            }
            std::mem::swap(self.pressure, e);
            return Ok(true);
        }
        (self.squares, self.sums, self.survey) = before;
        for (velocity, saved) in self.velocity.iter_mut().zip(self.vectors.velocity.iter_mut().flatten()) {
            std::mem::swap(&mut **velocity, saved);
        }
        Ok(false)
    }

    /// Corrects the velocity by x, unless the divergence would not fall. The first correction without solids needs no copy to go back to,
    /// since cycles converge there.
    fn correct_by_cycles(&mut self, last: bool) -> Result<bool, Failed> {
        let before = self.squares;
        if self.nothing && self.rungs[0].weights.is_none() {
            self.correct_by_x(last)?;
            return Ok(self.squares < before);
        }
        self.correct_if_less(None)
    }

    /// Takes over what a correction made of the velocity.
    fn take(&mut self, corrected: Corrected, last: bool) -> Result<(), Failed> {
        Corrected { sums: self.sums, survey: self.survey } = corrected;
        if last {
            self.take_last_sums();
        } else {
            self.settle()?;
        }
        Ok(())
    }

    /// Squares without the mean, of one region.
    fn take_last_sums(&mut self) {
        let mean = if self.regions.any_singular() { self.tilt() } else { 0.0 };
        let rest = self.sums.squares - mean;
        self.squares = if rest < 0.0 { 0.0 } else { rest };
    }

    /// What the mean of the right-hand side makes up of its squares, where it has one region.
    fn tilt(&self) -> f64 {
        self.sums.sum * self.sums.sum / self.regions.fluid().max(1) as f64
    }

    fn hold(&mut self, walls: Option<Walls<'_, M::Plane>>) -> Result<f64, Failed> {
        let [u, v] = &mut self.velocity;
        self.survey = None;
        self.machine.hold(self.rungs[0].level, walls, u, v)
    }

    fn measure(&mut self) -> Result<(), Failed> {
        let [u, v] = &self.velocity;
        self.sums = self.machine.divergence(self.rungs[0], u, v, &mut self.rooms[0].b)?;
        self.settle()?;
        Ok(())
    }

    /// Takes means off the right-hand side where there is anything to take; gives whether there was.
    fn settle(&mut self) -> Result<bool, Failed> {
        self.squares = self.sums.squares;
        let single = self.regions.labels.is_none();
        let small = (NO_TILT * self.squares).min(NO_TILT_OF_GOAL * self.goal());
        let leans = self.regions.any_singular() && !(single && self.tilt() <= small);
        if leans {
            self.squares = self.machine.level_out(self.regions, &mut self.rooms[0].b)?;
        }
        Ok(leans)
    }

    /// As [`measure`](Self::measure); and takes the pressure `before` for a start of x, if there is one that is better than nothing.
    fn measure_and_warm_up(&mut self, before: Option<&M::Plane>, way: Way) -> Result<Option<Warm>, Failed> {
        let Some(before) = before else {
            self.measure()?;
            return Ok(None);
        };
        if way == Way::Conjugate {
            self.measure()?;
            let Room { b, spare, .. } = &mut self.rooms[0];
            let squares = self.machine.rest(self.rungs[0], b, before, spare)?;
            let warm = squares < WORTH * self.squares;
            if warm {
                std::mem::swap(b, spare);
            }
            return Ok(warm.then_some(Warm { squares, start: Start::Here }));
        }
        let velocity = [&*self.velocity[0], &*self.velocity[1]];
        // Going down for the first cycle costs little where all that it reads is in hand.
        let cycles = way == Way::Cycles && self.how.iterations > 0 && self.rungs[0].weights.is_none();
        let begun = match cycles && self.machine.between_looks() == 1 {
            true => begin(self.machine, &self.rungs, self.rooms, velocity, before)?,
            false => None,
        };
        let begins = begun.is_some();
        let Room { b, spare, .. } = &mut self.rooms[0];
        let (sums, mut squares) = match begun {
            Some(told) => told,
            None => self.machine.divergence_to_residual(self.rungs[0], velocity, b, before, spare)?,
        };
        self.sums = sums;
        let leans = self.settle()?;
        let Room { b, x, spare } = &mut self.rooms[0];
        if leans {
            squares = self.machine.residual(self.rungs[0], b, if begins { x } else { before }, spare)?;
        }
        let warm = squares < WORTH * self.squares;
        if warm && !begins {
            self.machine.copy(before, x);
        }
        let start = if begins && !leans { Start::Below } else { Start::Here };
        Ok(warm.then_some(Warm { squares, start }))
    }

    fn cycles(&mut self, count: u32, mut zero: bool, go_on: &mut dyn FnMut() -> bool) -> Result<(), Failed> {
        for _ in 0..count {
            if !go_on() {
                return Err(Failed::Interrupted);
            }
            cycle(self.machine, &self.rungs, self.rooms, std::mem::take(&mut zero));
        }
        self.iterations += count;
        Ok(())
    }

    /// One cycle more; gives the sum of the squares of what it leaves, and where the next one begins. See [`cycle_to_residual`].
    fn cycle_to_residual(
        &mut self,
        start: Start,
        more: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(f64, Start), Failed> {
        if !go_on() {
            return Err(Failed::Interrupted);
        }
        self.iterations += 1;
        cycle_to_residual(self.machine, &self.rungs, self.rooms, start, more)
    }

    /// A cycle after which the `goal` is likely reached, and the first correction by it; gives whether the velocity is good, or as
    /// good as its own numbers can be.
    fn cycle_and_correct(&mut self, start: Start, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Failed> {
        if !go_on() {
            return Err(Failed::Interrupted);
        }
        self.iterations += 1;
        let goal = self.goal();
        let [u, v] = &mut self.velocity;
        let Corrected { sums, survey } = cycle_and_correct(self.machine, &self.rungs, self.rooms, start, [u, v])?;
        (self.sums, self.survey) = (sums, survey);
        std::mem::swap(self.pressure, &mut self.rooms[0].x);
        self.nothing = false;
        self.take_last_sums();
        if self.squares <= goal {
            return Ok(self.is_good());
        }
        let Room { b, spare, .. } = &mut self.rooms[0];
        Ok(self.machine.residual(self.rungs[0], b, self.pressure, spare)? <= goal)
    }

    /// Cycles on one correction until it reaches its goal, or what it leaves is the rounding of its own numbers, and on the next one then.
    fn multigrid(&mut self, warm: Option<Warm>, go_on: &mut dyn FnMut() -> bool) -> Result<(), Failed> {
        let (most, solids) = (self.how.iterations, self.rungs[0].weights.is_some());
        let each = self.machine.between_looks();
        let mut left = warm.map(|warm| warm.squares);
        let mut next = warm.map_or(Start::Here, |warm| warm.start);
        while self.iterations < most && left.unwrap_or(self.squares) > self.target() {
            let goal = self.goal();
            if left.is_some_and(|left| left <= goal) {
                if !self.correct_by_cycles(false)? {
                    return Ok(());
                }
                (left, next) = (None, Start::Here);
                continue;
            }
            let before = left.unwrap_or(self.squares);
            let zero = left.is_none();
            let count = each.min(most - self.iterations);
            if each == 1 || solids {
                self.cycles(count - 1, zero, go_on)?;
                let start = if zero && count == 1 { Start::Zero } else { next };
                let more = !solids && self.iterations + 1 < most && LEAVES * before > goal;
                let single = self.nothing && self.regions.labels.is_none();
                if !more && !solids && single {
                    let all = self.squares;
                    let good = self.cycle_and_correct(start, go_on)?;
                    if good || self.iterations == most || self.squares.is_nan() || self.squares >= all {
                        return Ok(());
                    }
                    self.measure()?;
                    (left, next) = (None, Start::Here);
                    continue;
                }
                let (squares, begins) = self.cycle_to_residual(start, more, go_on)?;
                next = begins;
                // With solids, cycles alone may go astray: what was no good is left out.
                if squares.is_nan() || squares >= self.squares {
                    return Ok(());
                }
                left = Some(squares);
                let goes_on = squares > goal && squares < FALLS * before && self.iterations < most;
                if goes_on && !solids {
                    continue;
                }
            } else {
                self.cycles(count, zero, go_on)?;
            }
            if !self.correct_by_cycles(false)? {
                return Ok(());
            }
            (left, next) = (None, Start::Here);
        }
        if left.is_some() {
            self.correct_by_cycles(true)?;
        }
        Ok(())
    }

    fn jacobi(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), Failed> {
        if self.how.iterations == 0 || self.is_good() {
            return Ok(());
        }
        if !go_on() {
            return Err(Failed::Interrupted);
        }
        let Room { b, x, spare } = &mut self.rooms[0];
        self.machine.jacobi(self.rungs[0], self.how.iterations, b, x, spare);
        self.iterations = self.how.iterations;
        self.correct_by_x(true)
    }
}
