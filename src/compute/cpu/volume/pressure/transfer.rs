//! Residual, restriction and prolongation between two levels.

use super::super::super::Cpu;
use super::super::super::kernel::{Kernel, run_kernel};
use super::super::super::lanes::floats::{Floats, WIDTH};
use super::super::super::wide::Do;
use super::super::sample::{load, store};
use super::level::{Level, stride};
use super::relax::Operator;

struct Residual<'a> {
    operator: Operator<'a>,
    p: &'a [f32],
    b: &'a [f32],
}

impl<'a> Residual<'a> {
    fn new(level: &'a Level) -> Self {
        let operator = Operator { size: level.size, width: level.width, tables: &level.tables };
        Self { operator, p: &level.p, b: &level.b }
    }

    /// The residual of a group of a row.
    #[inline(always)]
    fn group<F: Floats>(&self, [y, z]: [usize; 2], n: &super::relax::Neighbours, x: usize) -> F {
        let [_, rows, _] = self.operator.size;
        let (width, here) = (self.operator.width, y + rows * z);
        let sum = self.operator.sum::<F>(self.p, here, n, x);
        let diagonal = self.operator.tables.diagonal([y, z])[0].group(x);
        let own = load::<F>(self.p, here * stride(width) + 1 + x).mul(diagonal);
        load::<F>(&self.b[here * width..], x).sub(sum.sub(own))
    }
}

/// Sum of the squares of a field in a plane.
struct Squares<'a> {
    residual: Residual<'a>,
    of: Of,
}

impl Kernel<usize> for Squares<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<F: Floats>(&self, z: usize) -> f64 {
        let Operator { size: [columns, rows, _], width, .. } = self.residual.operator;
        let mut total = 0.0;
        for y in 0..rows {
            let n = self.residual.operator.neighbours(y, z, 0);
            let mut squares = F::splat(0.0);
            for x in (0..width).step_by(WIDTH) {
                let value = match self.of {
                    Of::Residual => self.residual.group::<F>([y, z], &n, x),
                    Of::RightHandSide => load(&self.residual.b[(y + rows * z) * width..], x),
                };
                let value = if x + WIDTH > columns { cut(value, columns - x) } else { value };
                squares = squares.add(value.mul(value));
            }
            total += sum_of(squares);
        }
        total
    }
}

/// The first `count` lanes; 0 in the others.
#[inline(always)]
fn cut<F: Floats>(of: F, count: usize) -> F {
    let mut lanes = [0.0; WIDTH];
    of.store(&mut lanes);
    lanes[count..].fill(0.0);
    F::load(&lanes)
}

/// The sum of all lanes, in their order.
#[inline(always)]
fn sum_of<F: Floats>(of: F) -> f64 {
    let mut lanes = [0.0; WIDTH];
    of.store(&mut lanes);
    lanes.into_iter().map(f64::from).sum()
}

/// A field of a level.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    Residual,
    RightHandSide,
}

/// Norm of a field of a level.
pub(super) fn norm(cpu: &Cpu, level: &Level, of: Of) -> f64 {
    let squares = Squares { residual: Residual::new(level), of };
    let planes = cpu.each((0..level.size[2]).collect(), |z: usize| run_kernel(cpu.isa, &squares, z));
    planes.into_iter().sum::<f64>().sqrt()
}

/// Children of a coarse cell along an axis.
fn children(coarse: usize, halved: bool, finer: usize) -> std::ops::Range<usize> {
    if halved { 2 * coarse..(2 * coarse + 2).min(finer) } else { coarse..coarse + 1 }
}

/// A plane of the coarser level's right-hand side: sums of the children's residuals.
struct Restrict<'a> {
    residual: Residual<'a>,
    coarse: [usize; 3],
    width: usize,
    halved: [bool; 3],
}

impl Kernel<(usize, &mut [f32])> for Restrict<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, (plane, to): (usize, &mut [f32])) {
        let [columns, rows, planes] = self.residual.operator.size;
        let width = self.residual.operator.width;
        let mut sums = vec![0.0; width + 2];
        for row in 0..self.coarse[1] {
            sums.fill(0.0);
            for z in children(plane, self.halved[2], planes) {
                for y in children(row, self.halved[1], rows) {
                    let n = self.residual.operator.neighbours(y, z, 0);
                    for x in (0..width).step_by(WIDTH) {
                        let sum = load::<F>(&sums, x).add(self.residual.group([y, z], &n, x));
                        store(sum, &mut sums, x);
                    }
                }
            }
            sums[columns..].fill(0.0);
            let to = &mut to[row * self.width..][..self.coarse[0]];
            if self.halved[0] {
                for (to, pair) in to.iter_mut().zip(sums.as_chunks::<2>().0) {
                    *to = pair[0] + pair[1];
                }
            } else {
                to.copy_from_slice(&sums[..to.len()]);
            }
        }
    }
}

/// Sets the coarser level's right-hand side to the restricted residual.
pub(super) fn restrict(cpu: &Cpu, fine: &Level, coarse: &mut Level) {
    let restrict = Restrict {
        residual: Residual::new(fine),
        coarse: coarse.size,
        width: coarse.width,
        halved: coarse.tables.halved,
    };
    let plane = coarse.width * coarse.size[1];
    shared(cpu, fine.cells(), coarse.b.chunks_exact_mut(plane).enumerate().collect(), |piece: (usize, &mut [f32])| {
        run_kernel(cpu.isa, &restrict, piece);
    });
}

/// Adds the prolonged pressure of the coarser level.
pub(super) fn prolong(cpu: &Cpu, coarse: &Level, fine: &mut Level) {
    let ([columns, _, _], stride, plane) = (fine.size, fine.stride(), fine.plane());
    let (cells, wrapped) = (fine.cells(), fine.tables.wrapped[0]);
    let [wx, wy, wz] = &coarse.tables.prolongation;
    let halved = coarse.tables.halved;
    // The parent of a cell, and the neighbour on its side.
    let parents = |cell: usize, axis: usize| {
        let count = coarse.size[axis];
        if !halved[axis] {
            return [cell, cell];
        }
        let parent = cell / 2;
        let other = if cell % 2 == 1 { (parent + 1) % count } else { (parent + count - 1) % count };
        [parent, other]
    };
    let of = |y: usize, z: usize| &coarse.p[(y + coarse.size[1] * z) * coarse.stride()..][..coarse.stride()];
    shared(cpu, cells, fine.p.chunks_exact_mut(plane).enumerate().collect(), |(z, p): (usize, &mut [f32])| {
        let mut line = vec![0.0_f32; coarse.width + 2];
        let ([z0, z1], [vz, uz]) = (parents(z, 2), wz[z]);
        for (y, row) in p.chunks_exact_mut(stride).enumerate() {
            let ([y0, y1], [vy, uy]) = (parents(y, 1), wy[y]);
            let [a, b, c, d] = [of(y0, z0), of(y1, z0), of(y0, z1), of(y1, z1)];
            let by = [vy * vz, uy * vz, vy * uz, uy * uz];
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for (x, to) in line.iter_mut().enumerate() {
                        *to = (a[x] * by[0] + b[x] * by[1]) + (c[x] * by[2] + d[x] * by[3]);
                    }
                    let row = &mut row[1..=columns];
                    if halved[0] {
                        let (pairs, last) = row.as_chunks_mut::<2>();
                        let (weights, rest) = wx.as_chunks::<2>();
                        let count = pairs.len();
                        for ((pair, w), near) in pairs.iter_mut().zip(weights).zip(line.windows(3)) {
                            pair[0] += w[0][0] * near[1] + w[0][1] * near[0];
                            pair[1] += w[1][0] * near[1] + w[1][1] * near[2];
                        }
                        if let ([last], [w]) = (last, rest) {
                            *last += w[0] * line[count + 1] + w[1] * line[count];
                        }
                    } else {
                        for (to, from) in row.iter_mut().zip(&line[1..]) {
                            *to += from;
                        }
                    }
                },
            ));
            if wrapped {
                row[0] = row[columns];
                row[columns + 1] = row[1];
            }
        }
    });
}

/// Cells below which one thread does all pieces.
const SHARED: usize = 1 << 14;

/// Does pieces of work on several threads, or on the caller's where there are few cells.
fn shared<T: Send>(cpu: &Cpu, cells: usize, pieces: Vec<T>, job: impl Fn(T) + Sync) {
    if cells < SHARED {
        pieces.into_iter().for_each(job);
    } else {
        cpu.each(pieces, job);
    }
}
