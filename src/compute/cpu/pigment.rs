//! Pigment moves with the water, and what leaves through open edges is counted.

use super::Frame;
use super::lanes::pigment_lane;
use super::level::cut;
use crate::sim::field::Field;
use crate::sim::fixed::{PIGMENT_MAX, pigment_share};
use crate::sim::program::{Tally, Water};
use crate::sim::settings::Edges;
use crate::sim::walls::PIPES;

/// What the pipes of one row move: 4 pipes of 3 channels, positive from owner to neighbour.
struct Moves {
    row: Option<usize>,
    lines: Vec<i32>,
    stride: usize,
}

impl Moves {
    fn new(stride: usize) -> Moves {
        Moves { row: None, lines: vec![0; 12 * stride], stride }
    }

    fn line(&self, pipe: usize, channel: usize) -> &[i32] {
        let at = (pipe * 3 + channel) * self.stride;
        &self.lines[at..at + self.stride]
    }

    fn fill(&mut self, water: &Water, pigment: &Field, y: usize) {
        if self.row == Some(y) {
            return;
        }
        self.row = Some(y);
        for (p, lines) in self.lines.chunks_exact_mut(3 * self.stride).enumerate() {
            let (r, rest) = lines.split_at_mut(self.stride);
            let (g, b) = rest.split_at_mut(self.stride);
            let channels = [r, g, b];
            if water.flow.planes() == 4 {
                signed_line(channels, water, pigment, y, p);
            } else {
                one_way_lines(channels, water, pigment, y, p);
            }
        }
    }
}

/// The columns of the owners and of the neighbours of a row's pipes.
fn columns(p: usize, stride: usize) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    match PIPES[p].0 {
        1 => (0..stride - 1, 1..stride),
        0 => (0..stride, 0..stride),
        _ => (1..stride, 0..stride - 1),
    }
}

fn signed_line(out: [&mut [i32]; 3], water: &Water, pigment: &Field, y: usize, p: usize) {
    let (own, far) = columns(p, pigment.stride());
    let to = y + PIPES[p].1 as usize;
    let n = own.len();
    let q = &water.flow.row(y, p)[own.clone()][..n];
    let (h_i, h_j) = (&water.height.row(y, 0)[own.clone()][..n], &water.height.row(to, 0)[far.clone()][..n]);
    let m_i = [0, 1, 2].map(|c| &pigment.row(y, c)[own.clone()][..n]);
    let m_j = [0, 1, 2].map(|c| &pigment.row(to, c)[far.clone()][..n]);
    let [r, g, b] = out.map(|line| &mut line[own.clone()][..n]);
    for x in 0..n {
        // All ones where the flow runs from the neighbour to the owner.
        let back = q[x] >> 31;
        let pick = |i: i32, j: i32| i ^ ((i ^ j) & back);
        let size = (q[x] ^ back) - back;
        let masses = [pick(m_i[0][x], m_j[0][x]), pick(m_i[1][x], m_j[1][x]), pick(m_i[2][x], m_j[2][x])];
        let t = pigment_lane(size, pick(h_i[x], h_j[x]), masses);
        r[x] = (t[0] ^ back) - back;
        g[x] = (t[1] ^ back) - back;
        b[x] = (t[2] ^ back) - back;
    }
}

fn one_way_lines(out: [&mut [i32]; 3], water: &Water, pigment: &Field, y: usize, p: usize) {
    let (own, far) = columns(p, pigment.stride());
    let to = y + PIPES[p].1 as usize;
    let n = own.len();
    let [r, g, b] = out.map(|line| &mut line[own.clone()][..n]);
    for (plane, sign, row, cells) in [(p, 1, y, own.clone()), (p + 4, -1, to, far)] {
        let q = &water.flow.row(y, plane)[own.clone()][..n];
        let h = &water.height.row(row, 0)[cells.clone()][..n];
        let m = [0, 1, 2].map(|c| &pigment.row(row, c)[cells.clone()][..n]);
        let fresh = i32::from(sign < 0);
        for x in 0..n {
            let t = pigment_lane(q[x], h[x], [m[0][x], m[1][x], m[2][x]]);
            r[x] = fresh * r[x] + sign * t[0];
            g[x] = fresh * g[x] + sign * t[1];
            b[x] = fresh * b[x] + sign * t[2];
        }
    }
}

impl Frame<'_> {
    /// Pigment moves by the flows, from the heights before the move.
    pub(super) fn move_pigment(&mut self) {
        let wrap = self.wrap();
        let (Some(mut pigment), Some(mut next)) = (self.water.pigment.take(), self.next_pigment.take()) else {
            return;
        };
        if wrap {
            pigment.wrap_ring();
            self.water.height.wrap_ring();
        }
        let water = &self.water;
        let (w, last, stride) = (pigment.width(), pigment.height(), pigment.stride());
        let scratch = || (Moves::new(stride), Moves::new(stride));
        let tally: Tally = self.pool.rows(&mut next, (1, last), scratch, |(below, here), y, row| {
            std::mem::swap(below, here);
            below.fill(water, &pigment, y - 1);
            here.fill(water, &pigment, y);
            let mut tally = Tally::default();
            for (channel, line) in row.chunks_exact_mut(stride).enumerate() {
                let out = &mut line[1..=w];
                out.copy_from_slice(&pigment.row(y, channel)[1..=w]);
                let own = [0, 1, 2, 3].map(|p| &here.line(p, channel)[1..=w]);
                let into = [
                    &here.line(0, channel)[..w],
                    &below.line(1, channel)[1..=w],
                    &below.line(2, channel)[..w],
                    &below.line(3, channel)[2..],
                ];
                let mut over = 0;
                for x in 0..w {
                    let gained = into[0][x] + into[1][x] + into[2][x] + into[3][x];
                    out[x] += gained - own[0][x] - own[1][x] - own[2][x] - own[3][x];
                    over |= PIGMENT_MAX - out[x];
                }
                if over < 0 {
                    tally.clamped[channel + 1] = cut(out, PIGMENT_MAX);
                }
            }
            tally
        });
        self.tally += tally;
        self.water.pigment = Some(next);
        self.next_pigment = Some(pigment);
    }

    /// Counts water and pigment that leave through an open edge.
    pub(super) fn drain(&mut self) {
        if self.program.walls.edges() != Edges::Open {
            return;
        }
        let (w, h) = (self.water.height.width(), self.water.height.height());
        let mut drained = [0i64; 4];
        let mut count = |x: usize, y: usize| {
            for (p, (dx, dy)) in PIPES.into_iter().enumerate() {
                let out = |x: usize, y: usize| x == 0 || x > w || y == 0 || y > h;
                let (jx, jy) = (x.wrapping_add_signed(dx), y + dy as usize);
                if jx > w + 1 || jy > h + 1 || out(x, y) == out(jx, jy) {
                    continue;
                }
                let q = self.water.flow.row(y, p)[x];
                let (from, amount) = match (out(x, y), self.water.flow.planes()) {
                    (false, _) => ((x, y), q),
                    (true, 4) => ((jx, jy), -q),
                    (true, _) => ((jx, jy), self.water.flow.row(y, p + 4)[x]),
                };
                if amount <= 0 {
                    continue;
                }
                drained[0] += i64::from(amount);
                let height = self.water.height.row(from.1, 0)[from.0];
                if let Some(pigment) = &self.water.pigment {
                    for channel in 0..3 {
                        let m = pigment.row(from.1, channel)[from.0];
                        drained[channel + 1] += i64::from(pigment_share(m, amount, height));
                    }
                }
            }
        };
        for y in 0..=h {
            if y == 0 || y == h {
                (0..w + 2).for_each(|x| count(x, y));
            } else {
                let mut sides = [0, 1, w, w + 1];
                sides.sort_unstable();
                let mut last = None;
                for x in sides {
                    if last != Some(x) {
                        count(x, y);
                    }
                    last = Some(x);
                }
            }
        }
        for (sum, d) in self.tally.drained.iter_mut().zip(drained) {
            *sum = sum.wrapping_add(d);
        }
    }
}
