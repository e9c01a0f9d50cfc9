//! A step: forces, advection, burning and projection, once or in two halves with a reflection between them (Zehnder,
//! Narain and Thomaszewski 2018; Narain, Zehnder and Thomaszewski 2019).

use std::sync::Arc;

use super::super::Cpu;
use super::super::lanes::mode::standard;
use super::backtrace::Finer;
use super::burn::Divergence;
use super::displacement::{Displacements, displacements};
use super::emission::emit;
use super::force_points::ForcePoints;
use super::forces::{Accelerations, Base, Lift, Rows, accelerations, forced, lift_row};
use super::halves::active;
use super::means::Means;
use super::momentum;
use super::padded::Padded;
use super::pressure::Pressure;
use super::solids::Solids;
use super::transport::transport;
use super::velocities::SourceVelocities;
use super::velocity::{compact, enforce_sides, expanded};
use crate::sim::memory::Values;
use crate::sim::volume::plan::{CYCLES_MAX, ITERATIONS_MAX, StepPlan, TOLERANCE};
use crate::sim::volume::settings::Side;
use crate::sim::volume::{Device, Failed, Solves, State, Statistics};

/// A step on the CPU: its plan, the force fields, the velocities that emitters set, and the solids.
struct Step<'a> {
    cpu: &'a Cpu,
    plan: &'a StepPlan,
    fields: Option<ForcePoints<'a>>,
    velocities: SourceVelocities,
    solids: Option<Solids>,
}

impl Step<'_> {
    /// Sets the velocity at closed sides and at closed faces of solids.
    fn enforce(&self, velocity: &mut [Padded; 3]) {
        enforce_sides(self.cpu, velocity, self.plan.sides);
        if let Some(solids) = &self.solids {
            solids.enforce(self.cpu, velocity);
        }
    }

    fn fill_layers(&self, velocity: &mut [Padded; 3]) {
        for (axis, field) in velocity.iter_mut().enumerate() {
            field.fill_layers(self.cpu, self.plan.sides, Some(axis), self.plan.forces.wind[axis]);
        }
    }

    /// The velocity `base`, or its reflection, with the forces over `time` frames, and filled layers of ghost values.
    /// `by`: the advecting velocity, whose layers must be filled.
    fn forced(
        &self,
        by: [&Padded; 3],
        base: ([&Padded; 3], Base<'_>),
        accelerations: Option<Accelerations>,
        time: f32,
    ) -> [Padded; 3] {
        let Self { cpu, plan, velocities, .. } = self;
        let base = (by, base.0, base.1);
        let mut to = forced(cpu, base, accelerations.as_ref(), velocities, &plan.forces, time);
        drop(accelerations);
        self.enforce(&mut to);
        self.fill_layers(&mut to);
        to
    }

    /// Accelerations of the cells in a velocity whose layers are filled.
    fn accelerations(&self, by: [&Padded; 3], lift: Lift<'_>) -> Option<Accelerations> {
        let forces = (&self.plan.forces, self.fields.as_ref());
        accelerations(self.cpu, by, lift, forces, self.plan.bounds.cells)
    }

    /// Displacements of the backtraces and of the forward traces over `time` frames in a velocity.
    fn traces(&self, by: [&Padded; 3], time: f32) -> [Displacements; 2] {
        [time, -time].map(|time| displacements(self.cpu, by, self.plan.sides, time))
    }

    /// Advects a velocity along backtraces and forward traces.
    fn advect(&self, from: [Padded; 3], traces: [&Displacements; 2]) -> [Padded; 3] {
        let Self { cpu, plan, .. } = self;
        let mut to = momentum::advect(cpu, from, traces, plan.sides, plan.forces.wind);
        self.enforce(&mut to);
        to
    }

    /// The means of packs over the cells of the velocity; `None` where the cells of the packs are those.
    fn means(&self, packs: &dyn Rows) -> Option<Means> {
        let StepPlan { bounds, detail, .. } = *self.plan;
        (detail > 1).then(|| Means::new(self.cpu, packs, bounds.cells, detail))
    }

    /// The fuel burnt per frame in the cells of the velocity.
    fn burnt(&self, gases: &dyn Rows) -> Values<f32> {
        let means = self.means(gases);
        let gases = means.as_ref().map_or(gases, |means| means);
        Divergence::burnt_of(self.cpu, gases, self.plan.bounds.cells)
    }
}

impl Device for Cpu {
    fn name(&self) -> String {
        crate::sim::water::Device::name(self)
    }

    fn class(&self) -> &'static str {
        "cpu"
    }

    fn step(
        &self,
        before: &State,
        plan: &StepPlan,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(State, Solves), Failed> {
        self.run_on_pool(go_on, |go_on| standard(|| step(self, before, plan, go_on)))
    }
}

/// A step, on a thread of the pool if there is one.
fn step(
    cpu: &Cpu,
    before: &State,
    plan: &StepPlan,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Solves), Failed> {
    let velocities = SourceVelocities::new(cpu, &plan.sources, plan.bounds);
    let fields = plan.forces.fields.as_ref().map(|fields| ForcePoints::new(fields, plan.bounds));
    let step = Step { cpu, plan, fields, velocities, solids: Solids::new(cpu, plan) };
    let has = [before.gases.is_some() || plan.fire.is_some(), before.tints.is_some() || plan.is_coloured()];
    let packs = [Some(&before.scalars), before.gases.as_ref(), before.tints.as_ref()];
    let packs = packs.map(|packs| packs.map(|packs| &packs[..]));
    let fine = plan.bounds.finer(plan.detail);
    let emitted = emit(cpu, (before.bounds.finer(before.detail), packs), plan, step.solids.as_ref(), has);
    let mut velocity = expanded(cpu, before, plan.bounds);
    step.enforce(&mut velocity);
    step.fill_layers(&mut velocity);
    let solids = step.solids.as_ref();
    let mut pressure = Pressure::new(cpu, plan.bounds.cells, plan.sides, solids);
    let accuracy = (TOLERANCE, if solids.is_some() { ITERATIONS_MAX } else { CYCLES_MAX });
    let mut solves = Solves::default();
    check_abort(go_on)?;
    let means = step.means(&emitted.scalars);
    let scalars = means.as_ref().map_or(&emitted.scalars as &dyn Rows, |means| means);
    let lift = |at: [usize; 2], to: [&mut [f32]; 2]| lift_row(cpu, &plan.forces, scalars.cells(at), to);
    let (transported, aimed) = if plan.reflection {
        // Fields are dropped as soon as they have been read: they are most of the memory of a step.
        let half = 0.5 * plan.time;
        let by = velocity.each_ref();
        let accelerations = step.accelerations(by, &lift);
        drop(means);
        let from = step.forced(by, (by, Base::Plain), accelerations, half);
        let traces = step.traces(by, half);
        drop(velocity);
        let first = step.advect(from, traces.each_ref());
        drop(traces);
        check_abort(go_on)?;
        let burnt = emitted.gases.as_ref().map(|gases| step.burnt(gases));
        let aim = Divergence::new(cpu, plan, burnt);
        solves = solves.and(pressure.project(cpu, first.each_ref(), &aim, accuracy));
        drop(aim);
        let mut middle = pressure.subtract(cpu, first.each_ref());
        step.enforce(&mut middle);
        step.fill_layers(&mut middle);
        check_abort(go_on)?;
        let by = middle.each_ref();
        let mut transported = match plan.detail {
            1 => transport(cpu, plan, solids, &emitted, &displacements(cpu, by, plan.sides, plan.time)),
            detail => transport(cpu, plan, solids, &emitted, &Finer::new(by, plan.sides, detail, plan.time)),
        };
        drop(emitted);
        check_abort(go_on)?;
        let lift = transported.lift.take();
        let row = |at: [usize; 2], to: [&mut [f32]; 2]| {
            if let Some(lift) = &lift {
                (0..).zip(to).for_each(|(part, to)| to.copy_from_slice(&lift.row(part, at)[..to.len()]));
            }
        };
        let accelerations = step.accelerations(by, &row);
        drop(lift);
        let from = step.forced(by, (first.each_ref(), Base::Reflected(by)), accelerations, half);
        drop(first);
        let traces = step.traces(by, half);
        drop(middle);
        let second = step.advect(from, traces.each_ref());
        (transported, second)
    } else {
        let by = velocity.each_ref();
        let accelerations = step.accelerations(by, &lift);
        drop(means);
        let from = step.forced(by, (by, Base::Plain), accelerations, plan.time);
        let [back, forth] = step.traces(by, plan.time);
        // Finer cells have backtraces of their own.
        let velocity = (plan.detail > 1).then_some(velocity);
        let aimed = step.advect(from, [&back, &forth]);
        drop(forth);
        check_abort(go_on)?;
        let transported = match &velocity {
            None => transport(cpu, plan, solids, &emitted, &back),
            Some(velocity) => {
                drop(back);
                let back = Finer::new(velocity.each_ref(), plan.sides, plan.detail, plan.time);
                transport(cpu, plan, solids, &emitted, &back)
            }
        };
        drop(emitted);
        (transported, aimed)
    };
    check_abort(go_on)?;
    let aim = Divergence::new(cpu, plan, transported.burnt);
    solves = solves.and(pressure.project(cpu, aimed.each_ref(), &aim, accuracy));
    drop(aim);
    let mut projected = pressure.subtract(cpu, aimed.each_ref());
    drop((pressure, aimed));
    step.enforce(&mut projected);
    check_abort(go_on)?;
    let (velocity, speed) = compact(cpu, projected);
    let [scalars, gases, tints] = transported.packs;
    let scalars = scalars.unwrap_or_default();
    let statistics = Statistics { active: active(cpu, &scalars, fine).map(|ends| coarser(ends, plan.detail)), speed };
    let state = State {
        bounds: plan.bounds,
        detail: plan.detail,
        steps: plan.number.wrapping_add(1),
        velocity,
        scalars: Arc::new(scalars),
        gases: gases.map(Arc::new),
        tints: tints.map(Arc::new),
        statistics,
    };
    Ok((state, solves))
}

/// Solves for the pressure of a state's velocity, for benchmarks.
pub fn solve(cpu: &Cpu, state: &State, sides: [[Side; 2]; 3], tolerance: f64) -> Solves {
    let velocity = expanded(cpu, state, state.bounds);
    let cells = state.bounds.cells;
    let aim = Divergence::none(cells);
    cpu.run_on_pool(&mut || true, |_| {
        let mut pressure = Pressure::new(cpu, cells, sides, None);
        pressure.project(cpu, velocity.each_ref(), &aim, (tolerance, CYCLES_MAX))
    })
}

/// Ends the step where the caller has aborted it.
fn check_abort(go_on: &mut dyn FnMut() -> bool) -> Result<(), Failed> {
    if go_on() { Ok(()) } else { Err(Failed::Interrupted) }
}

/// The cells of the velocity that hold a range of cells of scalars: its first cell along each axis, and the one after
/// its last.
pub(in crate::compute) fn coarser([first, end]: [[i32; 3]; 2], detail: usize) -> [[i32; 3]; 2] {
    let detail = detail as i32;
    [first.map(|cell| cell.div_euclid(detail)), end.map(|cell| (cell + detail - 1).div_euclid(detail))]
}
