//! What is left of an equation.

use std::ops::Range;

use super::super::{Plane, SmokeCpu};
use super::faces::cut;
use super::levels::read;
use super::stencil::{Plain, Stencil, Weighted};
use super::wave::{Plan, Shape, wave};
use crate::sim::smoke::pressure::{Level, Rung};

impl SmokeCpu<'_> {
    /// `r = b − A x`, or `A x` without b.
    pub(super) fn leave(&self, rung: Rung<'_, Plane>, b: Option<&Plane>, x: &Plane, r: &mut Plane) {
        match rung.weights {
            None => self.leave_by(Plain { level: rung.level }, rung.level, b, x, r),
            Some(weights) => {
                self.leave_by(Weighted { width: rung.level.size[0], weights }, rung.level, b, x, r);
            }
        }
    }

    fn leave_by<S: Stencil>(&self, stencil: S, level: &Level, b: Option<&Plane>, x: &Plane, r: &mut Plane) {
        let [n, rows] = level.size;
        let (shape, bands, nothing) = (Shape::new(level), self.cut(rows, n), vec![0.0; n]);
        let pieces = cut(r, n, &bands).into_iter().zip(bands).collect();
        let plan = Plan::jacobi(n, 0);
        self.spread(
            pieces,
            #[inline(always)]
            |(r, band): (&mut [f32], Range<usize>)| {
                let line = |row: usize| b.map_or(&nothing[..], |b| &b[row * n..][..n]);
                let load = |row: usize, to: &mut [f32]| read(Some(x), row, to);
                let wanted = band.start as isize..band.end as isize;
                wave(
                    stencil,
                    shape,
                    &plan,
                    line,
                    0..0,
                    wanted,
                    load,
                    |_, _| {},
                    #[inline(always)]
                    |row, residual| {
                        let to = &mut r[(row as usize - band.start) * n..][..n];
                        if b.is_some() {
                            to.copy_from_slice(residual);
                        } else {
                            to.iter_mut().zip(residual).for_each(|(to, value)| *to = -value);
                        }
                    },
                );
            },
        );
    }
}
