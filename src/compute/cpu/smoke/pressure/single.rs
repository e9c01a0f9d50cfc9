//! The operations of the pressure solver that are not fused, each by itself, and the vector kernels of conjugate
//! gradients. GPU: `dot_products.wgsl`, `cg_update.wgsl`, `xpay.wgsl`, `coarse_solve.wgsl`; reference:
//! `tests/reference/mod.rs`.

use super::super::operands::{LevelOperands, OMEGA, PlaneLevel, Relax, Sums, Walls, read_faces, write, write_all};
use super::super::{Plane, SmokeCpu};
use super::reductions::{BLOCK, sum, total};
use super::{CYCLES, DIVERGENCE, GRADIENT, KRYLOV, MEMORY, read_planes};
use crate::sim::fluid::{self, Fields, Operation, Reductions};

impl SmokeCpu<'_> {
    /// Runs one operation; returns the name of its part of a step, for time measurements, or `None` where the operation
    /// is no operation of the pressure.
    pub(super) fn single(
        &self,
        fields: &mut Fields<Plane>,
        operation: Operation<'_>,
        sums: &mut Reductions,
    ) -> Option<&'static str> {
        match operation {
            Operation::Clear { to } => {
                write(fields, to, |_, to| self.clear(to));
                Some(MEMORY)
            }
            Operation::Copy { from, to } => {
                write(fields, to, |fields, to| self.copy(fields.get(from), to));
                Some(MEMORY)
            }
            Operation::Dot { a, b } => {
                let product: [f64; 1] = self.reduce(
                    [&fields.get(a)[..], &fields.get(b)[..]],
                    #[inline(always)]
                    |[a, b]| [a * b],
                );
                sums.push(&product);
                Some(KRYLOV)
            }
            Operation::Axpy { a, x, y } => {
                write(fields, y, |fields, y| self.combine(fields.get(x), y, |x, y| y + a * x));
                Some(KRYLOV)
            }
            Operation::Xpay { x, a, y } => {
                write(fields, y, |fields, y| self.combine(fields.get(x), y, |x, y| x + a * y));
                Some(KRYLOV)
            }
            Operation::EnforceBoundaries { domain, velocity, measure } => {
                let level = PlaneLevel::new(&fluid::Level::new(domain.size, domain.size, domain.sides));
                let changed = write_all(fields, [velocity[0], velocity[1]], |fields, [u, v]| {
                    let walls = domain.solids.map(|solids| {
                        let of = read_faces(fields, solids.velocity);
                        Walls { cells: fields.get(solids.cells), u: of.u, v: of.v }
                    });
                    self.enforce_face_boundaries(&level, walls, u, v)
                });
                if measure {
                    sums.push(&[changed]);
                }
                Some("boundaries")
            }
            Operation::Divergence { level, velocity, source, b, .. } => {
                let plane = PlaneLevel::new(level.level);
                let Sums { sum, squares } = write(fields, b, |fields, b| {
                    let [u, v] = read_planes(fields, velocity);
                    let source = source.map(|id| fields.get(id));
                    self.divergence_sums(LevelOperands::new(fields, level, &plane), [u, v], source, b)
                });
                sums.push(&[sum, squares]);
                Some(DIVERGENCE)
            }
            Operation::Correct { level, e, velocity, pressure } => {
                let b = fields.add(Plane::uninitialised(level.level.cells(), self.cpu.memory()));
                self.correct(fields, level, e, velocity, pressure, b, false, &mut Reductions::default());
                drop(fields.remove(b));
                Some(GRADIENT)
            }
            Operation::RemoveMean { regions, b } => {
                sums.push(&[write(fields, b, |_, b| self.remove_means(regions, b))]);
                Some(DIVERGENCE)
            }
            Operation::Residual { level, b, x, keep: false, .. } => {
                let plane = PlaneLevel::new(level.level);
                sums.push(&[self.residual_squares(
                    LevelOperands::new(fields, level, &plane),
                    fields.get(b),
                    fields.get(x),
                )]);
                Some(DIVERGENCE)
            }
            Operation::Residual { level, b, x, r, keep: true } => {
                let plane = PlaneLevel::new(level.level);
                sums.push(&[write(fields, r, |fields, r| {
                    self.store_residual(LevelOperands::new(fields, level, &plane), fields.get(b), fields.get(x), r)
                })]);
                Some(DIVERGENCE)
            }
            Operation::Apply { level, x, to } => {
                let plane = PlaneLevel::new(level.level);
                sums.push(&[write(fields, to, |fields, to| {
                    self.apply_operator(LevelOperands::new(fields, level, &plane), fields.get(x), to)
                })]);
                Some(KRYLOV)
            }
            Operation::Relax { level, relax, zero, b, x, .. } => {
                let plane = PlaneLevel::new(level.level);
                write(fields, x, |fields, x| {
                    self.red_black_sweeps(LevelOperands::new(fields, level, &plane), relax, fields.get(b), x, zero);
                });
                Some(CYCLES)
            }
            Operation::CoarseSolve { level, relax, b, x, .. } => {
                let plane = PlaneLevel::new(level.level);
                write(fields, x, |fields, x| {
                    self.red_black_sweeps(LevelOperands::new(fields, level, &plane), relax, fields.get(b), x, true);
                    if level.level.is_closed() {
                        self.remove_mean(x);
                    }
                });
                Some(CYCLES)
            }
            Operation::Jacobi { level, sweeps, b, x, scratch } => {
                let plane = PlaneLevel::new(level.level);
                write_all(fields, [x, scratch], |fields, [x, scratch]| {
                    self.jacobi_sweeps(LevelOperands::new(fields, level, &plane), sweeps, fields.get(b), x, scratch);
                });
                Some("Jacobi")
            }
            // An empty list of half sweeps leaves x unchanged.
            Operation::Restrict { level, coarse, restriction, b, x, to } => {
                let relax = Relax { first: fluid::Colour::Red, sweeps: 0, omega: OMEGA };
                self.relax_and_restrict(fields, level, relax, false, [b, x], (coarse, restriction, to));
                Some(CYCLES)
            }
            Operation::Prolong { level, coarse, prolongation, from, x } => {
                let (plane, coarse) = (PlaneLevel::new(level.level), PlaneLevel::new(coarse.level));
                let relax = Relax { first: fluid::Colour::Red, sweeps: 0, omega: OMEGA };
                write(fields, x, |fields, x| {
                    let (fine, from) = (LevelOperands::new(fields, level, &plane), fields.get(from));
                    let unused = Plane::uninitialised(x.len(), self.cpu.memory());
                    self.prolong_and_smooth(fine, relax, &unused, x, (&coarse, prolongation), from);
                });
                Some(CYCLES)
            }
            _ => None,
        }
    }

    /// Subtracts the mean of a plane.
    fn remove_mean(&self, x: &mut Plane) {
        let [sum] = self.reduce(
            [&*x],
            #[inline(always)]
            |[x]| [x],
        );
        let mean = (sum / x.len() as f64) as f32;
        x.iter_mut().for_each(|x| *x -= mean);
    }

    /// `x += a·d`, `r −= a·q`; returns the sum of r².
    pub(super) fn advance(&self, a: f32, [d, q]: [&Plane; 2], x: &mut Plane, r: &mut Plane) -> f64 {
        type Piece<'a> = ((&'a mut [f32], &'a mut [f32]), (&'a [f32], &'a [f32]));
        let pieces = x.chunks_mut(BLOCK).zip(r.chunks_mut(BLOCK)).zip(d.chunks(BLOCK).zip(q.chunks(BLOCK))).collect();
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |((x, r), (d, q)): Piece<'_>| {
                let n = x.len();
                let (d, q, r) = (&d[..n], &q[..n], &mut r[..n]);
                for i in 0..n {
                    x[i] += a * d[i];
                    r[i] -= a * q[i];
                }
                sum(
                    [&*r],
                    #[inline(always)]
                    |[r]| [r * r],
                )
            },
        );
        let [squares] = total(sums);
        squares
    }

    /// `y = of(x, y)` for each value.
    fn combine(&self, x: &Plane, y: &mut Plane, of: impl Fn(f32, f32) -> f32 + Sync) {
        let pieces = y.chunks_mut(BLOCK).zip(x.chunks(BLOCK)).collect();
        self.spread(
            pieces,
            #[inline(always)]
            |(y, x): (&mut [f32], &[f32])| {
                for (y, x) in y.iter_mut().zip(x) {
                    *y = of(*x, *y);
                }
            },
        );
    }
}
