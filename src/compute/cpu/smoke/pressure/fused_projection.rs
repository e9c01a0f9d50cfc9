//! Where cycles begin and end at the velocity: its divergence and the way down at once, the way up and the correction at once.

use super::super::operands::VelocityStatistics;
use super::super::operands::{Colour, Corrected, Level, Prolongation, Relax, Sums};
use super::super::pointwise::survey;
use super::super::{Plane, SmokeCpu};
use super::projection::{divergence, joined};
use super::red_black::{Along, Band, Initial, Pair, Right, SLOTS_PAUSED, Wanted, halves, halves_with_pause, parts};
use super::reductions::{squares_of_pair, total};
use super::smoothing::{Coarser, Making, Up};
use super::stencil::Plain;
use super::transfer::{Coarsen, Refine};
use super::velocity_rows::{Ground, split_bands};
use super::wavefront::Shape;
use crate::compute::cpu::lanes::PrefetchQueue;

/// Half sweeps, if they can be done in one go.
pub(super) fn single_pass(relax: Relax) -> Option<(Colour, usize)> {
    match parts(relax)[..] {
        [part] if part.1 > 0 => Some(part),
        _ => None,
    }
}

impl SmokeCpu<'_> {
    /// What [`divergence_and_residual`](Self::divergence_and_residual) does, then what [`smooth_and_restrict`](Self::smooth_and_restrict) does from `before`, without
    /// solids: one time over the memory.
    pub(super) fn divergence_and_restrict(
        &self,
        fine: &Level,
        part: (Colour, usize),
        velocity: [&Plane; 2],
        b: &mut Plane,
        (before, x): (&Plane, &mut Plane),
        (coarse, to): (&Level, &mut Plane),
    ) -> (Sums, f64) {
        let (n, shape, coarsen) = (fine.size[0], Shape::new(fine), Coarsen::new(fine, coarse, false));
        let [u, v] = velocity.map(|faces| &faces[..]);
        let bands = self.coarser(part.1, x, Initial::Plane(before), &coarsen, to);
        let rows: Vec<_> = bands.iter().map(|(band, ..)| band.rows()).collect();
        let pieces = bands.into_iter().zip(split_bands(b, n, &rows)).collect();
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |((band, to, made), b): (Coarser<'_>, &mut [f32])| {
                let rows = band.rows();
                let mut down = MeasuredDown {
                    ground: Ground { level: fine, weights: None },
                    velocity: [u, v],
                    own: [rows.start as isize, rows.end as isize],
                    b,
                    other: vec![0.0; n],
                    making: Making::new(&coarsen, made, to),
                    measured: Vec::with_capacity(rows.len()),
                    left: Vec::with_capacity(rows.len()),
                };
                halves_with_pause::<SLOTS_PAUSED, _>(Plain { level: fine }, shape, part, Some(0), band, &mut down);
                (down.measured, down.left)
            },
        );
        let (measured, left): (Vec<_>, Vec<_>) = sums.into_iter().unzip();
        let [sum, squares] = total(measured.into_iter().flatten());
        let [left] = total(left.into_iter().flatten());
        (Sums { sum, squares }, left)
    }

    /// What [`prolong_and_smooth`](Self::prolong_and_smooth) does, then what [`push`](Self::push) does by x for the last time, without solids: one time over
    /// the memory.
    pub(super) fn prolong_smooth_project(
        &self,
        fine: &Level,
        part: (Colour, usize),
        b: &Plane,
        x: &mut Plane,
        (coarse, from): (&Level, &Plane),
        [u, v]: [&mut Plane; 2],
    ) -> Corrected {
        let [n, rows] = fine.size;
        let (shape, refine) = (Shape::new(fine), Refine::new(fine, coarse, Prolongation::Linear));
        let ground = Ground { level: fine, weights: None };
        let bands = self.cut(rows, n);
        let wanted = bands.iter().cloned().map(|rows| {
            let values = rows.start as isize - 1..rows.end as isize + isize::from(rows.end == fine.size[1]);
            Wanted { values, ..Wanted::rows(rows) }
        });
        let faces = split_bands(u, n + 1, &bands).into_iter().zip(split_bands(v, n, &bands));
        let pieces = Band::all(x, shape, part.1, Initial::Here, wanted).into_iter().zip(faces).collect();
        type Piece<'a> = (Band<'a>, (&'a mut [f32], &'a mut [f32]));
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |(band, (u, v)): Piece<'_>| {
                let rows = band.rows();
                let mut pushed = UpAndPushed {
                    up: Up::new(Plain { level: fine }, Right(b, n), &refine, from),
                    ground,
                    first: rows.start as isize,
                    end: rows.end as isize,
                    faces: [u, v],
                    below: vec![0.0; n],
                    line: vec![0.0; n],
                    sums: Vec::with_capacity(rows.len()),
                    seen: VelocityStatistics::default(),
                };
                halves(Plain { level: fine }, shape, part, band, &mut pushed);
                pushed.close(shape);
                (pushed.sums, pushed.seen)
            },
        );
        let (u, v, mut line) = (&*u, &*v, vec![0.0; n]);
        joined(&bands, sums, |row| divergence(&ground, row, u, v, &mut line))
    }
}

/// Going down with right-hand sides that are made of a velocity on the way.
struct MeasuredDown<'a> {
    ground: Ground<'a>,
    velocity: [&'a [f32]; 2],
    /// The band's own rows.
    own: [isize; 2],
    b: &'a mut [f32],
    /// Room for a row of another band.
    other: Vec<f32>,
    making: Making<'a>,
    /// Of each own row: of the right-hand side, and of the squares of what there is left of it.
    measured: Vec<[f64; 2]>,
    left: Vec<[f64; 1]>,
}

impl Along for MeasuredDown<'_> {
    #[inline(always)]
    fn right(&mut self, row: isize, real: usize) -> &[f32] {
        let (n, [u, v], [start, end]) = (self.other.len(), self.velocity, self.own);
        if row < start || end <= row {
            divergence(&self.ground, real, u, v, &mut self.other);
            return &self.other;
        }
        let own = &mut self.b[(row - start) as usize * n..][..n];
        self.measured.push(divergence(&self.ground, real, u, v, own));
        own
    }

    #[inline(always)]
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        let (n, [u, v]) = (self.other.len(), self.velocity);
        ahead.push(&u[real * (n + 1)..][..n + 1]);
        ahead.push(&v[(real + 1) * n..][..n]);
    }

    #[inline(always)]
    fn middle(&mut self, left: Pair<'_>) {
        self.left.push([squares_of_pair(left)]);
    }

    #[inline(always)]
    fn rest(&mut self, row: isize, left: Pair<'_>) {
        self.making.take(row as usize, left);
    }
}

/// Going up, and the correction by each row of x when it is done.
struct UpAndPushed<'a> {
    up: Up<'a, Plain<'a>>,
    ground: Ground<'a>,
    /// The band's first row, and the one after its last.
    first: isize,
    end: isize,
    faces: [&'a mut [f32]; 2],
    /// The row of x below the next one.
    below: Vec<f32>,
    /// Room for a row of divergences.
    line: Vec<f32>,
    /// Of each row's divergence.
    sums: Vec<[f64; 2]>,
    /// Of the faces that are done.
    seen: VelocityStatistics,
}

impl UpAndPushed<'_> {
    /// Takes the correction off the horizontal faces below a row, and measures the row below them. There may be no such row, above the
    /// grid's last one.
    #[inline(always)]
    fn push_below(&mut self, row: isize, x: Option<&[f32]>) {
        let (n, at) = (self.line.len(), (row - self.first) as usize);
        let [u, v] = &mut self.faces;
        let below = &self.below;
        self.ground.push_v(row as usize, [below, x.unwrap_or(below)], &mut v[at * n..][..n]);
        self.seen = self.seen.and(survey(&v[at * n..][..n]));
        if at > 0 {
            let (u, v) = (&u[(at - 1) * (n + 1)..][..n + 1], &v[(at - 1) * n..][..2 * n]);
            self.sums.push(self.ground.divergence(row as usize - 1, u, &v[..n], &v[n..], &mut self.line));
        }
    }

    /// The faces above the grid's last row, where there is nothing beyond it.
    #[inline(always)]
    fn close(&mut self, shape: Shape) {
        if self.end as usize == shape.height && !shape.wraps[1] {
            self.push_below(self.end, None);
        }
    }
}

impl Along for UpAndPushed<'_> {
    #[inline(always)]
    fn right(&mut self, row: isize, real: usize) -> &[f32] {
        self.up.right(row, real)
    }

    #[inline(always)]
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        self.up.ahead(real, ahead);
        if let Some(at) = real.checked_sub(self.first as usize) {
            let n = self.line.len();
            ahead.push(self.faces[0].get(at * (n + 1)..(at + 1) * (n + 1)).unwrap_or_default());
            ahead.push(self.faces[1].get(at * n..(at + 1) * n).unwrap_or_default());
        }
    }

    #[inline(always)]
    fn load(&mut self, real: usize, x: [&mut [f32]; 2]) {
        self.up.load(real, x);
    }

    #[inline(always)]
    fn done(&mut self, row: isize, x: &[f32]) {
        if row >= self.first {
            self.push_below(row, Some(x));
        }
        if (self.first..self.end).contains(&row) {
            let n = x.len();
            let u = &mut self.faces[0][(row - self.first) as usize * (n + 1)..][..n + 1];
            self.ground.push_u(row as usize, x, u);
            self.seen = self.seen.and(survey(u));
        }
        self.below.copy_from_slice(x);
    }
}
