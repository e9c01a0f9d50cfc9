//! Sums over a cell's eight pipes: the head, the limit, the move.

use std::sync::atomic::Ordering;

use super::Frame;
use super::lanes::Factor;
use super::pool::Nothing;
use crate::sim::field::Field;
use crate::sim::fixed::{HEIGHT_MAX, affordable};
use crate::sim::program::Tally;

/// The eight pipes of the cells of a row: the four that they own, and the neighbours' four that end in them. `plane` is
/// the first of four planes; slices have the grid's width.
fn eight(flow: &Field, y: usize, plane: usize) -> [&[i32]; 8] {
    let w = flow.width();
    let own = |p: usize| &flow.row(y, plane + p)[1..=w];
    [
        own(0),
        own(1),
        own(2),
        own(3),
        &flow.row(y, plane)[..w],
        &flow.row(y - 1, plane + 1)[1..=w],
        &flow.row(y - 1, plane + 2)[..w],
        &flow.row(y - 1, plane + 3)[2..],
    ]
}

/// Inflows − outflows of the cells of row `y`.
pub(super) fn net(flow: &Field, y: usize, out: &mut [i32]) {
    let n = out.len();
    out.fill(0);
    for (plane, sign) in [(0, 1), (4, -1)] {
        if plane < flow.planes() {
            let [a, b, c, d, e, f, g, h] = eight(flow, y, plane).map(|s| &s[..n]);
            for x in 0..n {
                out[x] += sign * (e[x] + f[x] + g[x] + h[x] - a[x] - b[x] - c[x] - d[x]);
            }
        }
    }
}

/// What leaves the cells of row `y`.
fn outflow(flow: &Field, y: usize, out: &mut [i32]) {
    let n = out.len();
    let [a, b, c, d, e, f, g, h] = eight(flow, y, 0).map(|s| &s[..n]);
    if flow.planes() == 4 {
        for x in 0..n {
            let own = a[x].max(0) + b[x].max(0) + c[x].max(0) + d[x].max(0);
            out[x] = own - (e[x].min(0) + f[x].min(0) + g[x].min(0) + h[x].min(0));
        }
    } else {
        let [_, _, _, _, e, f, g, h] = eight(flow, y, 4).map(|s| &s[..n]);
        for x in 0..n {
            out[x] = a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x] + h[x];
        }
    }
}

impl Frame<'_> {
    /// Head of every cell: height, base, and the viscosity's share of its last change.
    pub(super) fn find_heads(&mut self) {
        let (program, water) = (self.program, &self.water);
        let w = self.heads.width();
        let last = self.heads.height();
        let smooth = Factor::new(program.smoothing);
        let viscous = !self.classic() && program.smoothing.mantissa > 0;
        self.pool.rows(
            &mut self.heads,
            (1, last),
            || vec![0; w],
            |change, y, row| {
                let row = &mut row[1..=w];
                row.copy_from_slice(&water.height.row(y, 0)[1..=w]);
                if let Some(base) = &program.base {
                    for (e, &b) in row.iter_mut().zip(&base.row(y, 0)[1..=w]) {
                        *e += b;
                    }
                }
                if viscous {
                    net(&water.flow, y, change);
                    for (e, &d) in row.iter_mut().zip(change.iter()) {
                        *e += smooth.mul(d.clamp(-HEIGHT_MAX, HEIGHT_MAX));
                    }
                }
                Nothing
            },
        );
        if self.wrap() {
            self.heads.wrap_ring();
        }
    }

    /// Share of its outflows that every cell can afford.
    pub(super) fn find_shares(&mut self) {
        let (water, limited) = (&self.water, &self.limited);
        let w = self.shares.width();
        let last = self.shares.height();
        self.pool.rows(
            &mut self.shares,
            (1, last),
            || vec![0; w],
            |sums, y, row| {
                outflow(&water.flow, y, sums);
                let heights = &water.height.row(y, 0)[1..=w];
                let short = sums.iter().zip(heights).fold(0, |all, (s, h)| all | (h - s)) < 0;
                // A row of ones stays as it is from the step before.
                if short || limited[y].load(Ordering::Relaxed) {
                    for ((r, &s), &h) in row[1..=w].iter_mut().zip(sums.iter()).zip(heights) {
                        *r = affordable(h, s) as i32;
                    }
                }
                limited[y].store(short, Ordering::Relaxed);
                Nothing
            },
        );
    }

    /// Water moves by the flows.
    pub(super) fn move_water(&mut self) {
        let flow = &self.water.flow;
        let w = flow.width();
        let last = flow.height();
        let tally: Tally = self.pool.rows(
            &mut self.water.height,
            (1, last),
            || vec![0; w],
            |change, y, row| {
                net(flow, y, change);
                let mut over = 0;
                for (h, &d) in row[1..=w].iter_mut().zip(change.iter()) {
                    *h += d;
                    over |= HEIGHT_MAX - *h;
                }
                let mut tally = Tally::default();
                if over < 0 {
                    tally.clamped[0] = cut(&mut row[1..=w], HEIGHT_MAX);
                }
                tally
            },
        );
        self.tally += tally;
    }
}

/// Cuts what is above `top`, and says how much it was.
pub(super) fn cut(values: &mut [i32], top: i32) -> i64 {
    let mut gone = 0;
    for v in values {
        gone += i64::from((*v - top).max(0));
        *v = (*v).min(top);
    }
    gone
}
