//! Operations of the pressure as passes.

use std::sync::Arc;

use super::backend::{Plane, Reduce, SmokeBackend, lease, over};
use super::layout::{self, level_flag};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::{in_a_row, on};
use crate::compute::gpu::pool::Lease;
use crate::sim::fluid::{
    Boundary, Colour, Failed, FieldId, Fields, Level, LevelOperand, Operation, Prolongation, Relax, Restriction,
};

/// The relaxation factor of the shaders.
const OMEGA: f32 = 1.15;

/// Fails where an operation has parameters without a shader.
pub(super) fn supported(operations: &[Operation<'_>]) -> Result<(), Failed> {
    let is_supported = operations.iter().all(|operation| match operation {
        Operation::Relax { relax, level, .. } | Operation::CoarseSolve { relax, level, .. } => {
            relax.omega == OMEGA && level.level.size[2] == 1
        }
        Operation::Restrict { level, restriction, .. } => {
            (*restriction == Restriction::Sum) == level.coefficients.is_some()
        }
        Operation::Prolong { level, prolongation, .. } => match prolongation {
            Prolongation::Linear | Prolongation::Mean => level.coefficients.is_none(),
            Prolongation::Constant => level.coefficients.is_some(),
            Prolongation::Distances => false,
        },
        _ => true,
    });
    if is_supported { Ok(()) } else { Err(Failed::Device("the GPU has no shader for this multigrid cycle".to_owned())) }
}

/// Columns and rows of a level.
fn plane(level: &Level) -> [usize; 2] {
    [level.size[0], level.size[1]]
}

/// The parameters of a pass over a level.
fn params(of: LevelOperand<'_>, coarse: Option<&Level>, flags: u32) -> layout::LevelParams {
    layout::LevelParams::new(of.level, coarse, flags | on(of.coefficients.is_some(), level_flag::COEFFICIENTS))
}

/// Coefficients of the vertical and of the horizontal faces, and the inverse of their sum.
fn coefficients<'a>(fields: &'a Fields<Plane>, of: LevelOperand<'_>) -> [Option<&'a Arc<Lease>>; 3] {
    match of.coefficients {
        Some(of) => [lease(fields, of.faces[0]), lease(fields, of.faces[1]), lease(fields, of.inverse)],
        None => [None; 3],
    }
}

/// Whether cells may have neighbours of the same colour: across a wrapped side of an axis with an odd number of cells.
fn is_odd(level: &Level) -> bool {
    (0..2).any(|axis| level.sides[axis][0] == Boundary::Wrap && level.size[axis] > 1 && level.size[axis] % 2 == 1)
}

impl SmokeBackend {
    /// Records the vector operations at the start of a list; returns how many they are.
    pub(super) fn vectors(&self, fields: &Fields<Plane>, list: &[Operation<'_>]) -> Result<usize, Fault> {
        use Operation::{Axpy, Dot, Xpay};
        let advance = |a: f32, [d, q, x, r]: [&Arc<Lease>; 4], len: usize, sums: &Arc<Lease>| {
            self.row(Pass::CgUpdate, len, a, &[Some(d), Some(q), Some(x), Some(r), Some(sums)]);
        };
        match *list {
            [Axpy { a, x: d, y: x }, Axpy { a: minus, x: q, y: r }, Dot { a: first, b: second }, ..]
                if minus == -a && [first, second] == [r; 2] && ![d, q].contains(&x) && ![d, q, x].contains(&r) =>
            {
                let len = fields.get(x).len;
                let buffers = [d, q, x, r].map(|id| &fields.get(id).lease);
                self.sums(in_a_row(len), Reduce::First, |sums| advance(a, buffers, len, sums))?;
                Ok(3)
            }
            [Axpy { a, x: d, y: x }, ..] => {
                // The pass also updates a second field and sums its squares; both are ignored here.
                let (d, x) = (fields.get(d), fields.get(x));
                let (unused, (sums, _)) = (self.plane(x.len)?, self.pairs(in_a_row(x.len))?);
                advance(a, [&d.lease, &d.lease, &x.lease, &unused.lease], x.len, &sums);
                Ok(1)
            }
            [Dot { a, b }, ref rest @ ..] => {
                let second = match rest.first() {
                    Some(Dot { a: again, b: second }) if *again == a => Some(*second),
                    _ => None,
                };
                let (len, reduce) = (fields.get(a).len, if second.is_some() { Reduce::Both } else { Reduce::First });
                self.sums(in_a_row(len), reduce, |sums| {
                    let buffers = [a, b, second.unwrap_or(b)].map(|id| lease(fields, id));
                    self.row(Pass::DotProducts, len, 0.0, &[buffers[0], buffers[1], buffers[2], Some(sums)]);
                })?;
                Ok(1 + usize::from(second.is_some()))
            }
            [Xpay { x, a, y }, ..] => {
                self.row(Pass::Xpay, fields.get(y).len, a, &[lease(fields, x), lease(fields, y)]);
                Ok(1)
            }
            _ => Ok(0),
        }
    }

    /// Records an operation of the pressure; false where it is none.
    pub(super) fn pressure(&self, fields: &mut Fields<Plane>, operation: Operation<'_>) -> Result<bool, Fault> {
        match operation {
            Operation::Divergence { level, velocity, source, b, .. } => {
                let groups = over(plane(level.level));
                self.sums(groups, Reduce::Both, |sums| {
                    let [_, _, inverse] = coefficients(fields, level);
                    let [u, v, b] = [velocity[0], velocity[1], b].map(|id| lease(fields, id));
                    let params = params(level, None, on(source.is_some(), level_flag::SOURCE));
                    let source = source.and_then(|id| lease(fields, id));
                    self.pass(Pass::Divergence, &params, &[inverse, u, v, source, b, Some(sums)], groups);
                })?;
            }
            Operation::Correct { level, e, velocity, pressure } => {
                let [ax, ay, _] = coefficients(fields, level);
                let flags = on(pressure.is_some(), level_flag::ADD_TO_PRESSURE);
                // A buffer that can be written has to be bound.
                let unused = if pressure.is_none() { Some(self.plane(level.level.cells())?) } else { None };
                let p = pressure.map(|id| &fields.get(id).lease).or(unused.as_ref().map(|plane| &plane.lease));
                let [e, u, v] = [e, velocity[0], velocity[1]].map(|id| lease(fields, id));
                let groups = over(plane(level.level).map(|n| n + 1));
                self.pass(Pass::SubtractGradient, &params(level, None, flags), &[e, ax, ay, u, v, p], groups);
            }
            Operation::RemoveMean { regions, b } => self.remove_means(regions, fields.get(b))?,
            Operation::Residual { level, b, x, r, .. } => self.residual(fields, level, Some(b), x, r)?,
            Operation::Apply { level, x, to } => self.residual(fields, level, None, x, to)?,
            Operation::Relax { level, relax, zero, b, x, scratch } => {
                self.relax(fields, level, relax, zero, [b, x, scratch]);
            }
            Operation::Jacobi { level, sweeps, b, x, scratch } => {
                if sweeps == 0 {
                    self.clear(fields.get(x));
                }
                for sweep in 0..sweeps {
                    let flags = level_flag::JACOBI | on(sweep == 0, level_flag::ZERO);
                    self.sweep(fields, level, flags, [b, x, scratch]);
                }
            }
            Operation::Restrict { level, coarse, b, x, to, .. } => {
                let [ax, ay, _] = coefficients(fields, level);
                let [b, x, to] = [b, x, to].map(|id| lease(fields, id));
                let params = params(level, Some(coarse.level), 0);
                self.pass(Pass::Restrict, &params, &[b, ax, ay, x, to], over(plane(coarse.level)));
            }
            Operation::Prolong { level, coarse, prolongation, from, x } => {
                let [_, _, inverse] = coefficients(fields, level);
                let flags = on(prolongation == Prolongation::Mean, level_flag::CONSTANT);
                let params = params(level, Some(coarse.level), flags);
                let buffers = [inverse, lease(fields, from), lease(fields, x)];
                self.pass(Pass::Prolong, &params, &buffers, over(plane(level.level)));
            }
            Operation::CoarseSolve { level, relax, b, x, .. } => {
                debug_assert!(level.level.cells() <= 4, "the coarsest level has at most 2 × 2 cells");
                let flags = on(relax.first == Colour::Black, level_flag::BLACK)
                    | on(level.level.is_closed(), level_flag::ALL_CLOSED);
                let params = layout::LevelParams { sweeps: relax.sweeps, ..params(level, None, flags) };
                let [ax, ay, inverse] = coefficients(fields, level);
                self.pass(Pass::CoarseSolve, &params, &[lease(fields, b), ax, ay, inverse, lease(fields, x)], [1, 1]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Records red-black sweeps.
    fn relax(
        &self,
        fields: &mut Fields<Plane>,
        level: LevelOperand<'_>,
        relax: Relax,
        zero: bool,
        [b, x, scratch]: [FieldId; 3],
    ) {
        if zero && relax.sweeps == 0 {
            self.clear(fields.get(x));
        }
        let odd = is_odd(level.level);
        let [width, height] = plane(level.level);
        for half in 0..2 * relax.sweeps {
            let black = (relax.first == Colour::Black) != (half % 2 == 1);
            let flags = on(black, level_flag::BLACK) | on(zero && half == 0, level_flag::ZERO);
            if odd {
                self.sweep(fields, level, flags, [b, x, scratch]);
                continue;
            }
            let [ax, ay, inverse] = coefficients(fields, level);
            let buffers = [lease(fields, b), ax, ay, inverse, lease(fields, x)];
            self.pass(Pass::Relax, &params(level, None, flags), &buffers, over([width.div_ceil(2), height]));
        }
    }

    /// Records a sweep from x into the scratch field, and exchanges the two.
    fn sweep(&self, fields: &mut Fields<Plane>, level: LevelOperand<'_>, flags: u32, [b, x, scratch]: [FieldId; 3]) {
        let [ax, ay, inverse] = coefficients(fields, level);
        let buffers = [lease(fields, b), ax, ay, inverse, lease(fields, x), lease(fields, scratch)];
        self.pass(Pass::RelaxOutOfPlace, &params(level, None, flags), &buffers, over(plane(level.level)));
        fields.swap(x, scratch);
    }

    /// Records `r = b − A x` and the sum of r²; without b, `r = A x` and the sum of x·r.
    fn residual(
        &self,
        fields: &Fields<Plane>,
        level: LevelOperand<'_>,
        b: Option<FieldId>,
        x: FieldId,
        r: FieldId,
    ) -> Result<(), Fault> {
        let params = params(level, None, on(b.is_none(), level_flag::APPLY));
        let [ax, ay, _] = coefficients(fields, level);
        let groups = over(plane(level.level));
        self.sums(groups, Reduce::First, |sums| {
            let b = b.and_then(|b| lease(fields, b));
            let buffers = [b, ax, ay, lease(fields, x), lease(fields, r), Some(sums)];
            self.pass(Pass::Residual, &params, &buffers, groups);
        })
    }
}
