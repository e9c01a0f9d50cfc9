//! The multigrid cycle of the pressure among solids: V(2,2), red-black before the coarser level and black-red after it,
//! with constant prolongation and its transpose, so that the cycle is symmetric.

use super::super::super::super::Cpu;
use super::super::super::super::wide::Do;
use super::coloured::{Coloured, Layout, Planes};
use super::level::{Level, Matrix, Stencil};
use crate::sim::volume::multigrid::among_solids::{COARSE_SWEEPS, FACTOR, SWEEPS};

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

/// Relaxes the cells of one colour.
fn relax(cpu: &Cpu, level: &mut Level, colour: usize, factor: f32) {
    let Level { layout, p, b, matrix } = level;
    let (layout, b, matrix): (Layout, &Coloured, &Matrix) = (*layout, b, matrix);
    let [red, black] = &mut p.colours;
    let (own, other) = if colour == 0 { (red, &*black) } else { (black, &*red) };
    let pieces = own.chunks_exact_mut(layout.plane()).skip(1).take(layout.size[2]).enumerate().collect();
    shared(cpu, layout.cells(), pieces, |(z, plane): (usize, &mut [f32])| {
        for y in 0..layout.size[1] {
            let row = layout.row(colour, [y, z], false);
            let stencil = Stencil::new(matrix, other, colour, row);
            let b = &b.colours[colour][row.at..][..row.count];
            let inverse = &matrix.inverse.colours[colour][row.at..][..row.count];
            let to = &mut plane[layout.row(colour, [y, z], true).at..][..row.count];
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for i in 0..to.len() {
                        let aim = (b[i] + stencil.sum(i)) * inverse[i];
                        to[i] += factor * (aim - to[i]);
                    }
                },
            ));
        }
    });
    level.p.wrap();
}

/// Sets the coarser level's right-hand side to the sums of the children's residuals.
fn restrict(cpu: &Cpu, fine: &Level, coarse: &mut Level) {
    let (from, to) = (fine.layout, coarse.layout);
    let Level { p, b, matrix, .. } = fine;
    shared(cpu, from.cells(), coarse.b.planes(), |(plane, mut planes): (usize, Planes<'_>)| {
        let mut line = vec![0.0_f32; to.size[0]];
        for y in 0..to.size[1] {
            line.fill(0.0);
            for k in 2 * plane..(2 * plane + 2).min(from.size[2]) {
                for j in 2 * y..(2 * y + 2).min(from.size[1]) {
                    for colour in 0..2 {
                        let row = from.row(colour, [j, k], false);
                        let stencil = Stencil::new(matrix, &p.colours[1 - colour], colour, row);
                        let [p, b, diagonal] =
                            [p, b, &matrix.diagonal].map(|field| &field.colours[colour][row.at..][..row.count]);
                        let line = &mut line[..row.count];
                        cpu.isa.run(Do(
                            #[inline(always)]
                            || {
                                for i in 0..line.len() {
                                    line[i] += b[i] + (stencil.sum(i) - diagonal[i] * p[i]);
                                }
                            },
                        ));
                    }
                }
            }
            for (colour, values) in planes.iter_mut().enumerate() {
                let row = to.row(colour, [y, plane], true);
                for (to, from) in values[row.at..][..row.count].iter_mut().zip(line[row.parity..].iter().step_by(2)) {
                    *to = *from;
                }
            }
        }
    });
}

/// Adds the pressure of the coarser level to that of its children.
fn prolong(cpu: &Cpu, coarse: &Level, fine: &mut Level) {
    let (from, to) = (coarse.layout, fine.layout);
    shared(cpu, to.cells(), fine.p.planes(), |(z, mut planes): (usize, Planes<'_>)| {
        let mut line = vec![0.0_f32; from.size[0]];
        for y in 0..to.size[1] {
            for colour in 0..2 {
                let row = from.row(colour, [y / 2, z / 2], false);
                let values = &coarse.p.colours[colour][row.at..][..row.count];
                for (to, from) in line[row.parity..].iter_mut().step_by(2).zip(values) {
                    *to = *from;
                }
            }
            for (colour, values) in planes.iter_mut().enumerate() {
                let row = to.row(colour, [y, z], true);
                for (to, from) in values[row.at..][..row.count].iter_mut().zip(&line) {
                    *to += from;
                }
            }
        }
    });
    fine.p.wrap();
}

/// One cycle on the first of `levels` and those below, from a pressure of 0.
pub(super) fn cycle(cpu: &Cpu, levels: &mut [Level]) {
    let Some((fine, rest)) = levels.split_first_mut() else { return };
    fine.p.clear(cpu);
    if rest.is_empty() {
        for order in [[0, 1], [1, 0]] {
            for _ in 0..COARSE_SWEEPS {
                order.into_iter().for_each(|colour| relax(cpu, fine, colour, 1.0));
            }
        }
        return;
    }
    for _ in 0..SWEEPS {
        [0, 1].into_iter().for_each(|colour| relax(cpu, fine, colour, FACTOR));
    }
    restrict(cpu, fine, &mut rest[0]);
    cycle(cpu, rest);
    prolong(cpu, &rest[0], fine);
    for _ in 0..SWEEPS {
        [1, 0].into_iter().for_each(|colour| relax(cpu, fine, colour, FACTOR));
    }
}
