//! Red-black relaxation with over-relaxation, both colours in one pass over the planes.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use super::super::super::Cpu;
use super::super::super::kernel::{Kernel, run_kernel};
use super::super::super::lanes::floats::{Floats, WIDTH};
use super::super::sample::{load, store};
use super::level::{Level, Line, Tables, stride};

/// Least number of cells of a level that is relaxed by several threads.
const SHARED: usize = 1 << 15;

/// Planes of a block, which one thread relaxes.
const BLOCK: usize = 8;

/// Cells of a level as a kernel sees them.
pub(super) struct Operator<'a> {
    pub size: [usize; 3],
    pub width: usize,
    pub tables: &'a Tables,
}

/// Indices of the four rows next to a row in a window of planes, and their couplings, in the order below, above,
/// behind, in front. A missing neighbour is the row itself with a coupling of 0.
pub(super) struct Neighbours {
    pub rows: [usize; 4],
    pub by: [f32; 4],
    /// Factor of the couplings along x.
    pub across: f32,
}

impl Operator<'_> {
    /// The neighbours of row `y` of plane `z`, of which the window begins with plane `first`.
    #[inline(always)]
    pub fn neighbours(&self, y: usize, z: usize, first: usize) -> Neighbours {
        let [_, rows, planes] = self.size;
        let [down, up, wy] = self.tables.along[0][y];
        let [behind, front, wz] = self.tables.along[1][z];
        let here = y + rows * (z - first);
        let next = |at: usize, count: usize, coupling: [f32; 2], step: usize| {
            let low = if coupling[0] == 0.0 {
                here
            } else {
                here + step * if at == 0 { count - 1 } else { at - 1 } - step * at
            };
            let high = if coupling[1] == 0.0 {
                here
            } else {
                here + step * if at + 1 == count { 0 } else { at + 1 } - step * at
            };
            [low, high]
        };
        let [a, b] = next(y, rows, [down, up], 1);
        let [c, d] = next(z, planes, [behind, front], rows);
        Neighbours { rows: [a, b, c, d], by: [down * wz, up * wz, behind * wy, front * wy], across: wy * wz }
    }

    /// Sum of the neighbours' pressures by their couplings, of a group of a row.
    #[inline(always)]
    pub fn sum<F: Floats>(&self, p: &[f32], here: usize, n: &Neighbours, x: usize) -> F {
        let [low, high, wide] = &self.tables.x;
        let stride = stride(self.width);
        let at = here * stride + 1 + x;
        let beside = load::<F>(p, at - 1).mul(low.group(x)).add(load::<F>(p, at + 1).mul(high.group(x)));
        let mut around = [F::splat(0.0); 4];
        for side in 0..4 {
            around[side] = load::<F>(p, n.rows[side] * stride + 1 + x).mul(F::splat(n.by[side]));
        }
        let [a, b, c, d] = around;
        beside.mul(F::splat(n.across)).add(a.add(b).add(c.add(d)).mul(wide.group(x)))
    }
}

/// Planes of `p` to relax: the window, its first plane, and the planes and colours in order.
struct Window<'a> {
    p: &'a mut [f32],
    first: usize,
    order: Vec<(usize, usize)>,
}

/// The pressure from which a relaxation starts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// A pressure of 0, whatever the field holds: the first pass sets all values and reads none.
    Zero,
    /// The pressure that the field holds.
    Pressure,
}

struct Relax<'a> {
    operator: Operator<'a>,
    b: &'a [f32],
    factor: f32,
    start: Start,
}

impl Kernel<Window<'_>> for Relax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, window: Window<'_>) {
        let Operator { size: [columns, rows, _], width, tables } = &self.operator;
        let (columns, rows, width) = (*columns, *rows, *width);
        let stride = stride(width);
        let mut lanes = [[0.0; WIDTH]; 2];
        for lane in 0..WIDTH {
            lanes[lane % 2][lane] = self.factor;
        }
        let factors = [F::load(&lanes[0]), F::load(&lanes[1])];
        let Window { p, first, order } = window;
        for (z, colour) in order {
            for y in 0..rows {
                let n = self.operator.neighbours(y, z, first);
                let here = y + rows * (z - first);
                let b = &self.b[(y + rows * z) * width..][..width];
                let inverse = &tables.diagonal([y, z])[1];
                let factor = factors[(y + z + colour) % 2];
                if self.start == Start::Zero && colour == 0 {
                    start_row(b, inverse, factor, &mut p[here * stride..][..stride]);
                } else {
                    for x in (0..width).step_by(WIDTH) {
                        let sum = self.operator.sum::<F>(p, here, &n, x);
                        let at = here * stride + 1 + x;
                        let before = load::<F>(p, at);
                        let aim = sum.sub(load(b, x)).mul(inverse.group(x));
                        store(before.add(aim.sub(before).mul(factor)), p, at);
                    }
                }
                if tables.wrapped[0] {
                    let row = &mut p[here * stride..][..stride];
                    row[0] = row[columns];
                    row[columns + 1] = row[1];
                }
            }
        }
    }
}

/// Relaxes the first colour of a row from a pressure of 0. The bits are those of a relaxation that reads zeros.
#[inline(always)]
fn start_row<F: Floats>(b: &[f32], inverse: &Line, factor: F, row: &mut [f32]) {
    let zero = F::splat(0.0);
    row[0] = 0.0;
    for x in (0..b.len()).step_by(WIDTH) {
        let aim = zero.sub(load(b, x)).mul(inverse.group(x));
        store(zero.add(aim.mul(factor)), row, 1 + x);
    }
    row[1 + b.len()..].fill(0.0);
}

/// One red-black iteration, red cells first, with the over-relaxation `factor`.
pub(super) fn relax(cpu: &Cpu, level: &mut Level, factor: f32, start: Start) {
    let (size, plane) = (level.size, level.plane());
    let cells = level.cells();
    let operator = Operator { size, width: level.width, tables: &level.tables };
    let relax = Relax { operator, b: &level.b, factor, start };
    let planes = size[2];
    if cells < SHARED || planes < 2 * BLOCK || level.tables.wrapped[2] {
        let order = if level.tables.wrapped[2] {
            let colour = |colour: usize| (0..planes).map(move |z| (z, colour));
            colour(0).chain(colour(1)).collect()
        } else {
            wavefront(0, planes)
        };
        run_kernel(cpu.isa, &relax, Window { p: &mut level.p, first: 0, order });
        return;
    }
    // Red on the planes at both sides of each border of two blocks; then both colours within the blocks, but black only
    // on planes whose neighbours are all red already; then black at the borders.
    let count = planes / BLOCK;
    let border = |block: usize| if block == count { planes } else { block * BLOCK };
    let borders = |p: &mut [f32], colour: usize| {
        let (mut rest, mut from) = (p, 0);
        let mut windows = Vec::new();
        for block in 1..count {
            let at = border(block);
            let (_, after) = std::mem::take(&mut rest).split_at_mut((at - 2 - from) * plane);
            let (p, after) = after.split_at_mut(4 * plane);
            (rest, from) = (after, at + 2);
            windows.push(Window { p, first: at - 2, order: vec![(at - 1, colour), (at, colour)] });
        }
        cpu.each(windows, |window| run_kernel(cpu.isa, &relax, window));
    };
    borders(&mut level.p, 0);
    let mut rest = &mut level.p[..];
    let mut windows = Vec::new();
    for block in 0..count {
        let (first, last) = (border(block), border(block + 1));
        let (p, after) = std::mem::take(&mut rest).split_at_mut((last - first) * plane);
        rest = after;
        let inner = [first + usize::from(block > 0), last - usize::from(block + 1 < count)];
        windows.push(Window { p, first, order: wavefront(inner[0], inner[1]) });
    }
    cpu.each(windows, |window| run_kernel(cpu.isa, &relax, window));
    borders(&mut level.p, 1);
}

/// Planes and colours in wavefront order: red on the planes `first .. last`, black one plane behind red.
fn wavefront(first: usize, last: usize) -> Vec<(usize, usize)> {
    let mut order = Vec::with_capacity(2 * (last - first));
    for z in first..=last {
        if z < last {
            order.push((z, 0));
        }
        if z > first {
            order.push((z - 1, 1));
        }
    }
    order
}
