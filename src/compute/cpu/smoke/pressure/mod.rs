//! Operations of the pressure on the CPU. Consecutive operations of a list run in one fused kernel where one exists.
//!
//! A fused kernel gives the same bits as its operations in turn. Work is cut into bands of rows, and the bits of a cell
//! do not depend on the bands. Sums are computed per row or block of cells, and added in the order of these. Loops over
//! rows call no iterator that takes a closure: closures in library functions are not compiled for the instruction set.
//!
//! | file | content |
//! |---|---|
//! | `single` | single operations, vector kernels |
//! | `stencil` | the five-point equation of a row |
//! | `red_black` | temporally blocked red-black sweeps, in place |
//! | `wavefront` | temporally blocked Jacobi sweeps |
//! | `smoothing` | smoothing on a level, fused with restriction and prolongation |
//! | `fused_projection` | divergence fused with smoothing; smoothing fused with the gradient subtraction |
//! | `residual` | residuals and the operator applied to a vector |
//! | `transfer` | restriction and prolongation of a row |
//! | `velocity_rows` | divergence, gradient and boundary conditions of a row of faces |
//! | `projection` | divergence, gradient subtraction and mean removal of whole planes |
//! | `reductions` | sums in a fixed order |

mod fused_projection;
mod projection;
mod red_black;
mod reductions;
mod residual;
mod single;
mod smoothing;
mod stencil;
mod transfer;
mod velocity_rows;
mod wavefront;

use std::ops::Range;

use super::operands::{LevelOperands, OMEGA, PlaneLevel, Prolongation, Relax, write, write_all};
use super::{Plane, SmokeCpu};
use crate::compute::cpu::wide::Wide;
use crate::sim::fluid::{Failed, FieldId, Fields, LevelOperand, Operation, Reductions, Restriction, VectorField};
use reductions::{BLOCK, sum, total};

/// Number of cells up to which one thread processes a whole level.
const SMALL: usize = 128 * 128;

/// A job with its piece of work.
struct Job<'a, F, T>(&'a F, T);

impl<R, T, F: Fn(T) -> R> Wide for Job<'_, F, T> {
    type Output = R;

    #[inline(always)]
    fn run(self) -> R {
        (self.0)(self.1)
    }
}

impl SmokeCpu<'_> {
    /// Calls `job` with each piece on the device's threads, compiled for the instruction set.
    fn spread<T: Send, R: Send>(&self, pieces: Vec<T>, job: impl Fn(T) -> R + Sync) -> Vec<R> {
        self.cpu.each(pieces, |piece| self.cpu.isa.run(Job(&job, piece)))
    }

    /// Cuts `rows` rows into bands: several per thread, but none so low that its margins are most of the work.
    fn cut(&self, rows: usize, width: usize) -> Vec<Range<usize>> {
        let bands = if rows * width <= SMALL { 1 } else { (2 * self.cpu.threads()).min(rows / 32).max(1) };
        (0..bands).map(|band| band * rows / bands..(band + 1) * rows / bands).collect()
    }

    /// Calls `row` with the number and the values of each row of `n` values, and a scratch row; returns the totals of
    /// the sums that `row` returns.
    fn make_rows<const M: usize>(
        &self,
        plane: &mut Plane,
        n: usize,
        row: impl Fn(usize, &mut [f32], &mut [f32]) -> [f64; M] + Sync,
    ) -> [f64; M] {
        let bands = self.cut(plane.len() / n, n);
        let pieces = velocity_rows::split_bands(plane, n, &bands).into_iter().zip(bands).collect();
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |(lines, band): (&mut [f32], Range<usize>)| {
                let mut line_sums = vec![0.0; n];
                let mut sums = Vec::with_capacity(band.len());
                for (line, at) in lines.chunks_exact_mut(n).zip(band) {
                    sums.push(row(at, line, &mut line_sums));
                }
                sums
            },
        );
        total(sums.into_iter().flatten())
    }

    /// The sums of `of` over the values of planes.
    fn reduce<const N: usize, const M: usize>(
        &self,
        planes: [&[f32]; N],
        of: impl Fn([f64; N]) -> [f64; M] + Sync,
    ) -> [f64; M] {
        let len = planes[0].len();
        let blocks: Vec<usize> = (0..len).step_by(BLOCK).collect();
        total(self.spread(
            blocks,
            #[inline(always)]
            |from| sum(planes.map(|plane| &plane[from..(from + BLOCK).min(len)]), &of),
        ))
    }
}

/// The parts of a step that operations belong to.
const CYCLES: &str = "multigrid";
const DIVERGENCE: &str = "divergence and residual";
const GRADIENT: &str = "gradient and divergence";
const KRYLOV: &str = "conjugate gradients";
const MEMORY: &str = "memory";

/// A group of executed operations: the name of its part of a step, and the number of operations.
type Done = (&'static str, usize);

impl SmokeCpu<'_> {
    /// Runs the first operations of a list in one kernel, as many as that can run; `None` if the first operation is no
    /// operation of the pressure.
    pub(super) fn pressure(
        &self,
        fields: &mut Fields<Plane>,
        list: &[Operation<'_>],
        sums: &mut Reductions,
    ) -> Result<Option<Done>, Failed> {
        supported(list)?;
        let done = match self.fused_end(fields, list, sums) {
            Some(done) => Some(done),
            None => match self.fused_level(fields, list, sums) {
                Some(done) => Some(done),
                None => self.single(fields, list[0], sums).map(|part| (part, 1)),
            },
        };
        Ok(done)
    }

    /// Runs operations at the start or the end of a multigrid cycle together with divergence or gradient subtraction.
    fn fused_end(&self, fields: &mut Fields<Plane>, list: &[Operation<'_>], sums: &mut Reductions) -> Option<Done> {
        use Operation::{Copy, Correct, Divergence, Prolong, Relax, Residual, Restrict};
        match *list {
            [
                Divergence { level, velocity, source: None, b, keep: true },
                Residual { level: of, b: right, x: before, keep: false, .. },
                Copy { from, to },
                Relax { level: relaxed, relax, zero: false, b: relax_b, x, .. },
                Restrict {
                    level: fine,
                    coarse,
                    b: restrict_b,
                    x: restrict_x,
                    to: made,
                    restriction: Restriction::Mean,
                },
                ..,
            ] if level.coefficients.is_none()
                && [of, relaxed, fine] == [level; 3]
                && [right, relax_b, restrict_b] == [b; 3]
                && (from, to, restrict_x) == (before, x, x) =>
            {
                let part = fused_projection::single_pass(relax)?;
                let (plane, coarse) = (PlaneLevel::new(level.level), PlaneLevel::new(coarse.level));
                let (found, left) = write_all(fields, [b, x, made], |fields, [b, x, made]| {
                    let velocity = read_planes(fields, velocity);
                    self.divergence_and_restrict(&plane, part, velocity, b, (fields.get(before), x), (&coarse, made))
                });
                sums.push(&[found.sum, found.squares, left]);
                Some((DIVERGENCE, 5))
            }
            [
                Divergence { level, velocity, source: None, b, keep: true },
                Residual { level: of, b: right, x, keep: false, .. },
                ..,
            ] if level.coefficients.is_none() && of == level && right == b => {
                let plane = PlaneLevel::new(level.level);
                let (found, left) = write(fields, b, |fields, b| {
                    self.divergence_and_residual(&plane, read_planes(fields, velocity), b, fields.get(x))
                });
                sums.push(&[found.sum, found.squares, left]);
                Some((DIVERGENCE, 2))
            }
            [
                Prolong { level, coarse, prolongation: Prolongation::Linear, from, x },
                Relax { level: relaxed, relax, zero: false, b, x: relax_x, .. },
                Correct { level: corrected, e, velocity, pressure: None },
                Divergence { level: measured, velocity: of, source: None, keep: false, .. },
                ..,
            ] if level.coefficients.is_none()
                && [relaxed, corrected, measured] == [level; 3]
                && [relax_x, e] == [x; 2]
                && of == velocity =>
            {
                let part = fused_projection::single_pass(relax)?;
                let (plane, coarse) = (PlaneLevel::new(level.level), PlaneLevel::new(coarse.level));
                let made = write_all(fields, [x, velocity[0], velocity[1]], |fields, [x, u, v]| {
                    self.prolong_smooth_project(&plane, part, fields.get(b), x, (&coarse, fields.get(from)), [u, v])
                });
                push_corrected(sums, made);
                Some((GRADIENT, 4))
            }
            [
                Correct { level, e, velocity, pressure },
                Divergence { level: measured, velocity: of, source: None, b, keep },
                ..,
            ] if measured == level && of == velocity => {
                self.correct(fields, level, e, velocity, pressure, b, keep, sums);
                Some((GRADIENT, 2))
            }
            _ => None,
        }
    }

    /// Runs a relaxation with the transfer before or after it, or vector operations of conjugate gradients.
    fn fused_level(&self, fields: &mut Fields<Plane>, list: &[Operation<'_>], sums: &mut Reductions) -> Option<Done> {
        use Operation::{Axpy, Dot, Prolong, Relax, Residual, Restrict};
        match *list {
            [
                Prolong { level, coarse, prolongation: Prolongation::Linear, from, x },
                Relax { level: up_level, relax: up, zero: false, b, x: up_x, .. },
                Residual { level: left_level, b: left_b, x: left_x, keep: false, .. },
                Relax { level: down_level, relax: down, zero: false, b: down_b, x: down_x, .. },
                Restrict { level: fine, coarse: below, restriction: Restriction::Mean, b: fine_b, x: fine_x, to },
                ..,
            ] if level.coefficients.is_none()
                && [up_level, left_level, down_level, fine] == [level; 4]
                && below == coarse
                && [left_b, down_b, fine_b] == [b; 3]
                && [up_x, left_x, down_x, fine_x] == [x; 4]
                && is_one_wavefront(up, down) =>
            {
                let (plane, coarse) = (PlaneLevel::new(level.level), PlaneLevel::new(coarse.level));
                let squares = write_all(fields, [x, to], |fields, [x, to]| {
                    self.prolong_smooth_restrict(&plane, [up, down], fields.get(b), x, &coarse, fields.get(from), to)
                });
                sums.push(&[squares]);
                Some((CYCLES, 5))
            }
            [
                Prolong { level, coarse, prolongation, from, x },
                Relax { level: relaxed, relax, zero: false, b, x: relax_x, .. },
                ref rest @ ..,
            ] if relaxed == level && relax_x == x => {
                let (plane, below) = (PlaneLevel::new(level.level), PlaneLevel::new(coarse.level));
                let measured = matches!(rest.first(), Some(Residual { level: of, b: right, x: left, keep: false, .. })
                    if *of == level && *right == b && *left == x);
                let squares = write(fields, x, |fields, x| {
                    let (fine, b, from) = (LevelOperands::new(fields, level, &plane), fields.get(b), fields.get(from));
                    let transfer = (&below, prolongation);
                    if measured {
                        return Some(self.prolong_smooth_residual(fine, relax, b, x, transfer, from));
                    }
                    self.prolong_and_smooth(fine, relax, b, x, transfer, from);
                    None
                });
                sums.push(squares.as_slice());
                Some((CYCLES, if measured { 3 } else { 2 }))
            }
            [
                Relax { level, relax, zero, b, x, .. },
                Restrict { level: fine, coarse, restriction, b: right, x: of, to },
                ..,
            ] if fine == level && right == b && of == x => {
                self.relax_and_restrict(fields, level, relax, zero, [b, x], (coarse, restriction, to));
                Some((CYCLES, 2))
            }
            [Axpy { a, x: d, y: e }, Axpy { a: minus, x: q, y: r }, Dot { a: first, b: second }, ..]
                if minus == -a && first == r && second == r && ![d, q].contains(&e) && ![d, q, e].contains(&r) =>
            {
                let squares =
                    write_all(fields, [e, r], |fields, [e, r]| self.advance(a, [fields.get(d), fields.get(q)], e, r));
                sums.push(&[squares]);
                Some((KRYLOV, 3))
            }
            [Dot { a, b }, Dot { a: again, b: other }, ..] if again == a => {
                let planes = [a, b, other].map(|id| &fields.get(id)[..]);
                let products: [f64; 2] = self.reduce(
                    planes,
                    #[inline(always)]
                    |[z, r, q]| [z * r, z * q],
                );
                sums.push(&products);
                Some((KRYLOV, 2))
            }
            _ => None,
        }
    }

    fn relax_and_restrict(
        &self,
        fields: &mut Fields<Plane>,
        level: LevelOperand<'_>,
        relax: Relax,
        zero: bool,
        [b, x]: [FieldId; 2],
        (coarse, restriction, to): (LevelOperand<'_>, Restriction, FieldId),
    ) {
        let (plane, coarse) = (PlaneLevel::new(level.level), PlaneLevel::new(coarse.level));
        write_all(fields, [x, to], |fields, [x, to]| {
            let (fine, b) = (LevelOperands::new(fields, level, &plane), fields.get(b));
            self.smooth_and_restrict(fine, relax, zero, b, x, (&coarse, restriction == Restriction::Sum), to);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the operands of two operations")]
    fn correct(
        &self,
        fields: &mut Fields<Plane>,
        level: LevelOperand<'_>,
        e: FieldId,
        velocity: VectorField,
        pressure: Option<FieldId>,
        b: FieldId,
        keep: bool,
        sums: &mut Reductions,
    ) {
        let plane = PlaneLevel::new(level.level);
        let mut pressure_plane = pressure.map(|id| fields.take(id));
        let made = write_all(fields, [velocity[0], velocity[1], b], |fields, [u, v, b]| {
            let fine = LevelOperands::new(fields, level, &plane);
            self.subtract_gradient(fine, fields.get(e), [u, v], pressure_plane.as_mut(), b, !keep)
        });
        pressure.into_iter().zip(pressure_plane).for_each(|(id, plane)| fields.put(id, plane));
        push_corrected(sums, made);
    }
}

fn read_planes(fields: &Fields<Plane>, of: VectorField) -> [&Plane; 2] {
    [fields.get(of[0]), fields.get(of[1])]
}

fn push_corrected(sums: &mut Reductions, made: super::operands::Corrected) {
    sums.push(&[made.sums.sum, made.sums.squares]);
    sums.velocity = Some(made.statistics);
}

/// Whether the half sweeps after a prolongation and those before the next restriction can run in one pass: their
/// colours alternate.
fn is_one_wavefront(up: Relax, down: Relax) -> bool {
    up.first == down.first
        && up.sweeps > 0
        && 2 * (up.sweeps + down.sweeps) as usize <= red_black::HALF_SWEEPS_MAX_WITH_PAUSE
}

/// Returns an error if the first operation has parameters that the kernels are not compiled for.
fn supported(list: &[Operation<'_>]) -> Result<(), Failed> {
    let is_supported = match list[0] {
        Operation::Relax { relax, level, .. } | Operation::CoarseSolve { relax, level, .. } => {
            relax.omega == OMEGA && level.level.size[2] == 1
        }
        Operation::Prolong { prolongation, .. } => prolongation != Prolongation::Distances,
        _ => true,
    };
    if is_supported { Ok(()) } else { Err(Failed::Device("the CPU has no kernel for this multigrid cycle".to_owned())) }
}
