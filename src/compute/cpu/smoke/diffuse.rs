//! Viscosity: one sweep of the Chebyshev iteration. Formula: `Operation::Diffuse`. GPU: `diffuse.wgsl`; reference:
//! `tests/reference/transport.rs`.

use super::super::lanes::floats::Floats;
use super::axis::Axis;
use super::band::{Band, Pass};
use super::obstacles::any;
use super::operands::wall_share;

/// A sweep over one component of velocity.
pub(super) struct Diffuse<'a> {
    /// Diffusion number: viscosity times time, in cells².
    pub number: f32,
    /// Weight of the Chebyshev iteration; 1 in the first sweep.
    pub weight: f32,
    /// 0 for u, 1 for v.
    pub axis: usize,
    /// Axes of this component's faces.
    pub faces: [Axis; 2],
    /// Axes of the cells.
    pub cells: [Axis; 2],
    pub solid: Option<&'a [f32]>,
    /// Whether air slips along solids.
    pub slips: bool,
    /// Sides that are closed and without slip.
    pub no_slip: [bool; 4],
    pub rhs: &'a [f32],
    pub from: &'a [f32],
}

impl Pass for Diffuse<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let [columns, rows] = [0, 1].map(|axis| self.faces[axis].values as usize);
        let mut near = vec![0.0; columns];
        let mut before = vec![0.0; columns];
        for (row, to) in band.one.chunks_exact_mut(columns).enumerate() {
            let y = band.first + row;
            if y == 0 || y + 1 == rows || columns < 3 {
                for (x, to) in to.iter_mut().enumerate() {
                    *to = self.face([x, y], *to);
                }
                continue;
            }
            let [below, here, above] = [y - 1, y, y + 1].map(|y| &self.from[y * columns..][..columns]);
            let rhs = &self.rhs[y * columns..][..columns];
            before.copy_from_slice(to);
            for x in 1..columns - 1 {
                let sum = (here[x - 1] + here[x + 1]) + (below[x] + above[x]);
                to[x] = self.next(rhs[x], sum, 4.0, to[x]);
            }
            for x in [0, columns - 1] {
                to[x] = self.face([x, y], before[x]);
            }
            if self.near(y, &mut near) {
                for x in (1..columns - 1).filter(|&x| near[x] > 0.0) {
                    to[x] = self.face([x, y], before[x]);
                }
            }
        }
    }
}

impl Diffuse<'_> {
    /// The next value of a face: `sum` is Σ a·neighbour, `total` Σ a, `before` the value in the iterate before the
    /// last.
    #[inline(always)]
    fn next(&self, rhs: f32, sum: f32, total: f32, before: f32) -> f32 {
        let next = (rhs + self.number * sum) / (1.0 + self.number * total);
        if self.weight == 1.0 { next } else { (next - before) * self.weight + before }
    }

    /// Marks all faces of a row that a solid may affect, with 1 in `near`; false where there are none.
    #[inline(always)]
    fn near(&self, y: usize, near: &mut [f32]) -> bool {
        let Some(solid) = self.solid else { return false };
        let [width, height] = [0, 1].map(|axis| self.cells[axis].values as usize);
        let rows = &solid[y.saturating_sub(2) * width..(y + 2).min(height) * width];
        if !any(rows) {
            return false;
        }
        near.fill(0.0);
        for row in rows.chunks_exact(width) {
            for (x, &solid) in row.iter().enumerate() {
                if solid > 0.0 {
                    let last = near.len().min(x + 3);
                    near[x.saturating_sub(1)..last].fill(1.0);
                }
            }
        }
        true
    }

    /// The next value of a face, at edges and solids too; `before`: its value in the iterate before the last.
    fn face(&self, [x, y]: [usize; 2], before: f32) -> f32 {
        let columns = self.faces[0].values as usize;
        let rhs = self.rhs[y * columns + x];
        if self.is_prescribed([x, y]) {
            return rhs;
        }
        let mut sums = [[0.0; 2]; 2];
        let mut totals = [[0.0; 2]; 2];
        for axis in 0..2 {
            let positions = [-1, 1].map(|step| {
                let mut at = [x as i32, y as i32];
                at[axis] += step;
                let inside = (0..self.faces[axis].values).contains(&at[axis]);
                (inside || self.faces[axis].wraps()).then(|| [0, 1].map(|axis| self.faces[axis].nearest(at[axis])))
            });
            let mut walls = [false; 2];
            let mut slipping = [false; 2];
            for side in 0..2 {
                if axis != self.axis {
                    let wall = positions[side].is_some_and(|place| self.is_inside_solid(place));
                    slipping[side] = wall && self.slips;
                    walls[side] = (wall && !self.slips) || (positions[side].is_none() && self.no_slip[2 * axis + side]);
                }
            }
            for side in 0..2 {
                let weight = wall_share(walls[side], walls[1 - side]);
                match positions[side] {
                    Some(_) if slipping[side] => {}
                    Some([x, y]) => {
                        sums[axis][side] = weight * self.from[y * columns + x];
                        totals[axis][side] = weight;
                    }
                    // A wall beyond the edge has velocity 0.
                    None if walls[side] => totals[axis][side] = weight,
                    None => {}
                }
            }
        }
        let sum = |of: [[f32; 2]; 2]| (of[0][0] + of[0][1]) + (of[1][0] + of[1][1]);
        self.next(rhs, sum(sums), sum(totals), before)
    }

    /// Whether one of the cells at a face is solid, and whether both are.
    fn solid(&self, [x, y]: [usize; 2]) -> [bool; 2] {
        let Some(solid) = self.solid else { return [false; 2] };
        let mut first = [x as i32, y as i32];
        first[self.axis] -= 1;
        let is = |[x, y]: [i32; 2]| {
            solid[self.cells[1].nearest(y) * self.cells[0].values as usize + self.cells[0].nearest(x)] > 0.0
        };
        let [a, b] = [is(first), is([x as i32, y as i32])];
        [a || b, a && b]
    }

    fn is_inside_solid(&self, place: [usize; 2]) -> bool {
        self.solid(place)[1]
    }

    /// Whether the face's velocity is prescribed.
    fn is_prescribed(&self, place: [usize; 2]) -> bool {
        let axis = self.faces[self.axis];
        let [low, high] = axis.closed();
        let at = place[self.axis] as i32;
        (low && at == 0) || (high && at == axis.values - 1) || self.solid(place)[0]
    }
}
