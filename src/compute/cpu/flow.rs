//! Acceleration of the pipes, and cutting them back to what there is.

use std::sync::atomic::Ordering;

use super::Frame;
use super::lanes::{Factor, part_signed};
use super::pool::Nothing;
use crate::sim::field::Field;
use crate::sim::fixed::FLOW_MAX;
use crate::sim::program::Program;
use crate::sim::walls::{CLOSED, OUTSIDE, PIPES, Span};

/// The coefficients of a frame, made ready.
struct Factors {
    keep: Factor,
    cross: [Factor; 5],
    diagonal: Factor,
}

impl Factors {
    fn new(program: &Program) -> Factors {
        Factors {
            keep: Factor::new(program.keep),
            cross: program.cross.map(Factor::new),
            diagonal: Factor::new(program.diagonal),
        }
    }
}

/// Half pushes along the four pipes, for a row and the one above: x, y, x + y, y − x.
#[derive(Default)]
struct Pushes {
    row: Option<usize>,
    here: [Vec<i32>; 4],
    above: [Vec<i32>; 4],
}

impl Pushes {
    /// Moves on to row `y`, from the one below where that was the last.
    fn fill(&mut self, push: &Field, y: usize) {
        std::mem::swap(&mut self.here, &mut self.above);
        if y == 0 || self.row != Some(y - 1) {
            lines(&mut self.here, push, y);
        }
        lines(&mut self.above, push, y + 1);
        self.row = Some(y);
    }
}

fn lines(lines: &mut [Vec<i32>; 4], push: &Field, y: usize) {
    let (gx, gy) = (push.row(y, 0), push.row(y, 1));
    let [x, y, sum, difference] = lines;
    for line in [&mut *x, &mut *y, &mut *sum, &mut *difference] {
        line.resize(gx.len(), 0);
    }
    x.copy_from_slice(gx);
    y.copy_from_slice(gy);
    sum.iter_mut().zip(gx).zip(gy).for_each(|((s, x), y)| *s = x + y);
    difference.iter_mut().zip(gx).zip(gy).for_each(|((d, x), y)| *d = y - x);
}

impl Frame<'_> {
    /// Every pipe keeps a share of its flow and is accelerated by the difference of head.
    pub(super) fn accelerate(&mut self) {
        let factors = Factors::new(self.program);
        let (program, heads, classic) = (self.program, &self.heads, self.classic());
        let last = self.water.flow.height();
        let stride = self.water.flow.stride();
        self.pool.rows(&mut self.water.flow, (0, last), Pushes::default, |pushes, y, row| {
            let spans = program.walls.spans(y);
            if spans.is_empty() {
                return Nothing;
            }
            let pushes = program.push.as_ref().map(|push| {
                pushes.fill(push, y);
                &*pushes
            });
            let mut planes: Vec<&mut [i32]> = row.chunks_exact_mut(stride).collect();
            for span in spans {
                if span.plain {
                    plain(&mut planes, *span, heads, y, &factors, pushes, classic);
                } else {
                    special(&mut planes, *span, heads, y, &factors, pushes, program);
                }
            }
            Nothing
        });
        if self.wrap() {
            self.water.flow.wrap_ring();
        }
    }

    /// A flow becomes the share that its cell can afford.
    pub(super) fn cut_flows(&mut self) {
        let (shares, limited, classic) = (&self.shares, &self.limited, self.classic());
        let last = self.water.flow.height();
        let stride = self.water.flow.stride();
        self.pool.rows(
            &mut self.water.flow,
            (0, last),
            || (),
            |(), y, row| {
                if !limited[y].load(Ordering::Relaxed) && !limited[y + 1].load(Ordering::Relaxed) {
                    return Nothing;
                }
                let mut planes = row.chunks_exact_mut(stride);
                for (p, plane) in planes.by_ref().take(4).enumerate() {
                    let (own, other, q) = ends(shares.row(y, 0), shares.row(y + (PIPES[p].1 as usize), 0), plane, p);
                    if classic {
                        cut_one_way(q, own);
                    } else {
                        for ((q, &own), &other) in q.iter_mut().zip(own).zip(other) {
                            *q = part_signed(*q, if *q >= 0 { own } else { other });
                        }
                    }
                }
                for (p, plane) in planes.enumerate() {
                    let (_, other, q) = ends(shares.row(y, 0), shares.row(y + (PIPES[p].1 as usize), 0), plane, p);
                    cut_one_way(q, other);
                }
                Nothing
            },
        );
    }
}

fn cut_one_way(flows: &mut [i32], shares: &[i32]) {
    for (q, &r) in flows.iter_mut().zip(shares) {
        *q = part_signed(*q, r);
    }
}

/// Values at the owners and at the neighbours of a row's pipes `p`, and the flows, all of one length.
fn ends<'a>(
    here: &'a [i32],
    there: &'a [i32],
    flows: &'a mut [i32],
    p: usize,
) -> (&'a [i32], &'a [i32], &'a mut [i32]) {
    let n = here.len() - 1;
    match p {
        0 | 2 => (&here[..n], &there[1..], &mut flows[..n]),
        1 => (&here[..n], &there[..n], &mut flows[..n]),
        _ => (&here[1..], &there[..n], &mut flows[1..]),
    }
}

/// A run of cells away from edges and walls.
fn plain(
    planes: &mut [&mut [i32]],
    span: Span,
    heads: &Field,
    y: usize,
    factors: &Factors,
    pushes: Option<&Pushes>,
    classic: bool,
) {
    let run = span.from as usize..span.to as usize;
    let (flows, backs) = planes.split_at_mut(4);
    for (p, (dx, dy)) in PIPES.into_iter().enumerate() {
        let k = if p < 2 { factors.cross[0] } else { factors.diagonal };
        let far = run.start.wrapping_add_signed(dx)..run.end.wrapping_add_signed(dx);
        let (e_i, e_j) = (&heads.row(y, 0)[run.clone()], &heads.row(y + dy as usize, 0)[far.clone()]);
        let q = &mut flows[p][run.clone()];
        let g = pushes.map(|g| {
            let there = if dy == 0 { &g.here[p] } else { &g.above[p] };
            (&g.here[p][run.clone()], &there[far])
        });
        match (classic, g) {
            (false, None) => balanced_line(q, e_i, e_j, factors.keep, k),
            (false, Some((g_i, g_j))) => balanced_line_pushed(q, e_i, e_j, g_i, g_j, factors.keep, k),
            (true, g) => {
                let drops: Vec<i32> = match g {
                    None => e_i.iter().zip(e_j).map(|(a, b)| a - b).collect(),
                    Some((g_i, g_j)) => {
                        e_i.iter().zip(e_j).zip(g_i.iter().zip(g_j)).map(|((a, b), (c, d))| a - b + (c + d)).collect()
                    }
                };
                classic_line(q, &drops, 1, factors.keep, k);
                classic_line(&mut backs[p][run.clone()], &drops, -1, factors.keep, k);
            }
        }
    }
}

fn balanced_line(q: &mut [i32], e_i: &[i32], e_j: &[i32], keep: Factor, k: Factor) {
    let n = q.len();
    let (e_i, e_j) = (&e_i[..n], &e_j[..n]);
    for x in 0..n {
        q[x] = (keep.mul(q[x]) + k.mul(e_i[x] - e_j[x])).clamp(-FLOW_MAX, FLOW_MAX);
    }
}

fn balanced_line_pushed(q: &mut [i32], e_i: &[i32], e_j: &[i32], g_i: &[i32], g_j: &[i32], keep: Factor, k: Factor) {
    let n = q.len();
    let (e_i, e_j, g_i, g_j) = (&e_i[..n], &e_j[..n], &g_i[..n], &g_j[..n]);
    for x in 0..n {
        let drop = e_i[x] - e_j[x] + (g_i[x] + g_j[x]);
        q[x] = (keep.mul(q[x]) + k.mul(drop)).clamp(-FLOW_MAX, FLOW_MAX);
    }
}

fn classic_line(q: &mut [i32], drops: &[i32], sign: i32, keep: Factor, k: Factor) {
    for (q, &drop) in q.iter_mut().zip(drops) {
        *q = (keep.mul(*q) + k.mul(sign * drop)).clamp(0, FLOW_MAX);
    }
}

/// A run of cells at edges and walls, pipe by pipe.
fn special(
    planes: &mut [&mut [i32]],
    span: Span,
    heads: &Field,
    y: usize,
    factors: &Factors,
    pushes: Option<&Pushes>,
    program: &Program,
) {
    let (width, height) = (heads.width(), heads.height());
    let codes = program.walls.codes(y);
    let base = |x: usize, y: usize| program.base.as_ref().map_or(0, |b| b.row(y, 0)[x]);
    for x in span.from as usize..span.to as usize {
        for (p, (dx, dy)) in PIPES.into_iter().enumerate() {
            let code = (codes[x] >> (4 * p)) & 15;
            let kind = code & CLOSED;
            if kind == CLOSED {
                planes[p][x] = 0;
                if let Some(back) = planes.get_mut(p + 4) {
                    back[x] = 0;
                }
                continue;
            }
            let (jx, jy) = (x.wrapping_add_signed(dx), y + dy as usize);
            let outside = code & OUTSIDE != 0;
            let inside_i = x >= 1 && x <= width && y >= 1 && y <= height;
            // Beyond an open edge lies a dry cell with the ground and the push of the one inside.
            let (e_i, e_j) = match (outside, inside_i) {
                (false, _) => (heads.row(y, 0)[x], heads.row(jy, 0)[jx]),
                (true, true) => (heads.row(y, 0)[x], base(x, y)),
                (true, false) => (base(jx, jy), heads.row(jy, 0)[jx]),
            };
            let push = pushes.map_or(0, |g| {
                let (g_i, g_j) = (g.here[p][x], if dy == 0 { g.here[p][jx] } else { g.above[p][jx] });
                match (outside, inside_i) {
                    (false, _) => g_i + g_j,
                    (true, true) => 2 * g_i,
                    (true, false) => 2 * g_j,
                }
            });
            let k = if p < 2 { factors.cross[usize::from(kind)] } else { factors.diagonal };
            let drop = e_i - e_j + push;
            // What would flow in from outside is limited to nothing.
            let (from_i, from_j) = (!outside || inside_i, !outside || !inside_i);
            let low = if from_j { -FLOW_MAX } else { 0 };
            let high = if from_i { FLOW_MAX } else { 0 };
            let (ahead, back) = planes.split_at_mut(4);
            let q = &mut ahead[p][x];
            match back.get_mut(p) {
                None => *q = (factors.keep.mul(*q) + k.mul(drop)).clamp(low, high),
                Some(back) => {
                    *q = (factors.keep.mul(*q) + k.mul(drop)).clamp(0, high);
                    back[x] = (factors.keep.mul(back[x]) + k.mul(-drop)).clamp(0, -low);
                }
            }
        }
    }
}
