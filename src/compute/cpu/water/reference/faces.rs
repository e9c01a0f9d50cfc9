//! The speeds of the faces of Shallow water.

use super::{Cell, Frame, OFFSETS};
use crate::sim::water::plan::{SPEEDS, control};
use crate::sim::water::shallow::Face;

impl Frame<'_> {
    /// Accelerates the faces of Shallow water.
    pub(super) fn accelerate_faces(&mut self) {
        let before = self.water.flow.clone();
        let at = |(x, y): Cell, plane: usize| {
            let (x, y) = self.home((x, y));
            let ringed = (-1..=self.width).contains(&x) && (-1..=self.height).contains(&y);
            if ringed { self.read(&before, (x, y), plane) } else { 0 }
        };
        let heads = self.heads();
        let push = |cell: Cell, axis: usize| self.plan.push.as_ref().map_or(0, |g| self.read(g, cell, axis));
        let mut flow = before.clone();
        for pipe in self.pipes() {
            let (i, j, p) = pipe;
            let place = ((i.0 + 1) as usize, (i.1 + 1) as usize);
            let mut put = |plane: usize, value: i32| flow.row_mut(place.1, plane)[place.0] = value;
            if p >= 2 {
                put(p, 0);
                continue;
            }
            if self.closed(pipe) {
                put(p, 0);
                put(SPEEDS[p], 0);
                continue;
            }
            let (other, back, side) = (1 - p, OFFSETS[p], OFFSETS[1 - p]);
            let behind = |c: Cell| (c.0 - back.0, c.1 - back.1);
            let below = |c: Cell| (c.0 - side.0, c.1 - side.1);
            let above = |c: Cell| (c.0 + side.0, c.1 + side.1);
            // A dry cell beyond an open edge copies the cell inside.
            let (hi, hj) = (self.home(i), self.home(j));
            let (b_i, b_j) = (if self.inside(hi) { hi } else { hj }, if self.inside(hj) { hj } else { hi });
            let height = |c: Cell| if self.inside(c) { self.read(&self.water.height, c, 0) } else { 0 };
            let (speeds, crossing) = (SPEEDS[p], SPEEDS[other]);
            let face = Face {
                height: [height(hi), height(hj)],
                head: self.ends(&heads, pipe),
                push: push(b_i, p) + push(b_j, p),
                speed: at(i, speeds),
                along: [at(behind(i), speeds), at(j, speeds)],
                beside: [at(below(i), speeds), at(above(i), speeds)],
                through: [at(behind(i), p) + at(i, p), at(i, p) + at(j, p)],
                across: [at(below(i), other) + at(below(j), other), at(i, other) + at(j, other)],
                swirl: at(below(i), crossing) + at(below(j), crossing) + at(i, crossing) + at(j, crossing),
            };
            let pull = self.share(pipe, control::PULL);
            let (speed, passes) = face.next(&self.plan.shallow, pull, |speed| self.kept(pipe, speed));
            put(speeds, speed);
            put(p, passes);
        }
        self.water.flow = flow;
    }
}
