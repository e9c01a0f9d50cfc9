//! Half sweeps in two colours, many in one go over the memory: each a row behind the one before it, in place.
//!
//! In hand, the even and the odd columns of a row stand apart, so that what a half sweep reads and what it changes are
//! vectors without gaps. A band of rows begins as many rows further out as there are half sweeps: what neighbours work on too
//! comes out the same. Rows go back to where they were read, which is cheaper than memory of their own: those that neighbours
//! start from are copied first.

use std::ops::Range;

use super::super::operands::{Colour, Relax};
use super::stencil::{Around, Couplings, Stencil};
use super::velocity_rows::split_bands;
use super::wavefront::Shape;
use crate::compute::cpu::lanes::PrefetchQueue;

/// Most half sweeps in one go.
pub(super) const MOST: usize = 4;

/// Most where they pause: as many again as go before the pause.
pub(super) const MOST_WITH_PAUSE: usize = MOST + 2;

/// Rows in hand: those of all half sweeps, and of the residual after them.
const SLOTS: usize = MOST + 4;
/// With a pause, which is a row more.
pub(super) const SLOTS_PAUSED: usize = MOST_WITH_PAUSE + 5;

/// Values before a row's first: one is used, and the first is to be aligned.
const PAD: usize = 16;

/// Half sweeps in their order, which alternate, in parts that can be done in one go: the colour that begins each, and how
/// many it has. At least one part, though it be empty.
pub(super) fn parts(relax: Relax) -> Vec<(Colour, usize)> {
    let all = 2 * relax.sweeps as usize;
    (0..all.max(1)).step_by(MOST).map(|at| (relax.first, MOST.min(all - at))).collect()
}

/// The even and the odd columns of a row.
pub(super) type Pair<'a> = [&'a [f32]; 2];

/// Joins them.
#[inline(always)]
pub(super) fn join([even, odd]: Pair<'_>, to: &mut [f32]) {
    let n = to.len();
    let pairs = to.as_chunks_mut::<2>().0;
    let (even, odd) = (&even[..n.div_ceil(2)], &odd[..pairs.len()]);
    for i in 0..pairs.len() {
        pairs[i] = [even[i], odd[i]];
    }
    if n % 2 == 1 {
        to[n - 1] = even[n / 2];
    }
}

/// Rows in hand, of even or of odd columns; two more are 0.
struct Ring {
    values: Vec<f32>,
    first: usize,
    stride: usize,
}

impl Ring {
    fn new(width: usize, slots: usize) -> Ring {
        let stride = (width / 2 + 2 + PAD).next_multiple_of(16);
        // Rows whose places in memory are alike get into each other's way in a cache.
        let stride = if (stride + 128) % 1024 < 256 { stride + 256 } else { stride };
        let values = vec![0.0; (slots + 2) * stride + 16];
        let first = values.as_ptr().align_offset(64).min(16);
        Ring { values, first, stride }
    }

    fn pair(width: usize, slots: usize) -> [Ring; 2] {
        [Ring::new(width, slots), Ring::new(width, slots)]
    }

    /// The memory of a row, with what stands before and after it.
    #[inline(always)]
    fn whole(&self, slot: usize) -> Range<usize> {
        let start = self.first + slot * self.stride;
        start..start + self.stride
    }

    #[inline(always)]
    fn row(&self, slot: usize) -> &[f32] {
        &self.values[self.whole(slot)][PAD..]
    }

    #[inline(always)]
    fn row_mut(&mut self, slot: usize) -> &mut [f32] {
        let whole = self.whole(slot);
        &mut self.values[whole][PAD..]
    }
}

/// Parts the columns of a row.
#[inline(always)]
fn part(row: &[f32], [even, odd]: &mut [Ring; 2], slot: usize) {
    let (even, odd) = (even.row_mut(slot), odd.row_mut(slot));
    let pairs = row.as_chunks::<2>().0;
    let (evens, odds) = (&mut even[..pairs.len()], &mut odd[..pairs.len()]);
    for i in 0..pairs.len() {
        [evens[i], odds[i]] = pairs[i];
    }
    if row.len() % 2 == 1 {
        even[row.len() / 2] = row[row.len() - 1];
    }
}

/// Sets the values beyond a row's ends, where it wraps.
#[inline(always)]
fn close(shape: Shape, pair: &mut [Ring; 2], slot: usize) {
    if shape.wraps[0] {
        let n = shape.width;
        let last = pair[(n - 1) % 2].row(slot)[(n - 1) / 2];
        bound(n, pair, slot, [last, pair[0].row(slot)[0]]);
    }
}

#[inline(always)]
fn bound(n: usize, pair: &mut [Ring; 2], slot: usize, [before, after]: [f32; 2]) {
    let first = pair[1].whole(slot).start + PAD;
    pair[1].values[first - 1] = before;
    pair[n % 2].row_mut(slot)[n / 2] = after;
}

/// What the columns of one kind stand between.
#[inline(always)]
fn beside(ring: &Ring, slot: usize, kind: usize) -> &[f32] {
    &ring.values[ring.whole(slot)][PAD - 1 + kind..]
}

/// What x is before the first half sweep.
#[derive(Clone, Copy)]
pub(super) enum Initial<'a> {
    /// 0.
    Zero,
    /// What is in it.
    Here,
    /// Another plane.
    Plane(&'a [f32]),
}

/// The same, for a band.
enum Start<'a> {
    Zero,
    /// Its own rows, and copies of those below and above them that it starts from.
    Here([Vec<f32>; 2]),
    Plane(&'a [f32]),
}

/// What is wanted of a band beside its own rows.
#[derive(Clone)]
pub(super) struct Wanted {
    /// Its own rows.
    pub rows: Range<usize>,
    /// Rows whose residuals are wanted.
    pub residuals: Range<isize>,
    /// Rows that are wanted when they are done.
    pub values: Range<isize>,
}

impl Wanted {
    /// Nothing else.
    pub fn rows(rows: Range<usize>) -> Wanted {
        Wanted { rows, residuals: 0..0, values: 0..0 }
    }

    /// The rows that all sweeps have to go over.
    #[inline(always)]
    fn reached(&self) -> Range<isize> {
        let (mut low, mut high) = (self.rows.start as isize, self.rows.end as isize);
        for (rows, more) in [(&self.residuals, 1), (&self.values, 0)] {
            if !rows.is_empty() {
                (low, high) = (low.min(rows.start - more), high.max(rows.end + more));
            }
        }
        low..high
    }

    /// The rows that it starts from, on the grid or not.
    fn started(&self, stages: usize) -> Range<isize> {
        let reached = self.reached();
        reached.start - stages as isize..reached.end + stages as isize
    }
}

/// A band of rows of x, and all that it starts from.
pub(super) struct Band<'a> {
    wanted: Wanted,
    width: usize,
    own: &'a mut [f32],
    start: Start<'a>,
}

impl<'a> Band<'a> {
    /// Bands of x, each with what is wanted of it, for so many half sweeps.
    pub fn all(
        x: &'a mut [f32],
        shape: Shape,
        stages: usize,
        from: Initial<'a>,
        wanted: impl Iterator<Item = Wanted>,
    ) -> Vec<Band<'a>> {
        let n = shape.width;
        let wanted: Vec<Wanted> = wanted.collect();
        let copy = |rows: Range<isize>| {
            let mut copy = Vec::with_capacity(rows.len() * n);
            for row in rows.filter_map(|row| shape.real(row)) {
                copy.extend_from_slice(&x[row * n..][..n]);
            }
            copy
        };
        let start = |of: &Wanted| match from {
            Initial::Zero => Start::Zero,
            Initial::Plane(plane) => Start::Plane(plane),
            Initial::Here => {
                let all = of.started(stages);
                Start::Here([copy(all.start..of.rows.start as isize), copy(of.rows.end as isize..all.end)])
            }
        };
        let starts: Vec<Start<'a>> = wanted.iter().map(start).collect();
        let rows: Vec<_> = wanted.iter().map(|of| of.rows.clone()).collect();
        let bands = split_bands(x, n, &rows).into_iter().zip(wanted).zip(starts);
        bands.map(|((own, wanted), start)| Band { wanted, width: n, own, start }).collect()
    }

    /// Its own rows.
    pub fn rows(&self) -> Range<usize> {
        self.wanted.rows.clone()
    }

    /// A row that it starts from, which is `real` on the grid; `None` where that is 0.
    #[inline(always)]
    fn row(&self, row: isize, real: usize) -> Option<&[f32]> {
        let n = self.width;
        let [below, above] = match &self.start {
            Start::Zero => return None,
            Start::Plane(plane) => return Some(&plane[real * n..][..n]),
            Start::Here(margins) => margins,
        };
        let (start, end) = (self.wanted.rows.start as isize, self.wanted.rows.end as isize);
        let (rows, at) = match row {
            row if row < start => (&below[..], row - start + (below.len() / n) as isize),
            row if row < end => (&*self.own, row - start),
            row => (&above[..], row - end),
        };
        Some(&rows[at as usize * n..][..n])
    }
}

/// What goes along with half sweeps. Rows come in order; all that is done with them is to be inlined.
pub(super) trait Along {
    /// The right-hand side of a row, which is `real` on the grid; rows of other bands come too.
    fn right(&mut self, row: isize, real: usize) -> &[f32];

    /// Asks for what that is read from.
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>);

    /// A row of x before it is worked on, which may be changed.
    #[inline(always)]
    fn load(&mut self, _real: usize, _x: [&mut [f32]; 2]) {}

    /// The residual of one of the band's own rows during the pause.
    #[inline(always)]
    fn middle(&mut self, _left: Pair<'_>) {}

    /// A residual that is wanted.
    #[inline(always)]
    fn rest(&mut self, _row: isize, _left: Pair<'_>) {}

    /// A row that is wanted.
    #[inline(always)]
    fn done(&mut self, _row: isize, _x: &[f32]) {}
}

/// Rows of a plane of so many columns.
#[derive(Clone, Copy)]
pub(super) struct Right<'a>(pub &'a [f32], pub usize);

impl<'a> Right<'a> {
    #[inline(always)]
    pub fn row(self, real: usize) -> &'a [f32] {
        &self.0[real * self.1..][..self.1]
    }
}

/// Nothing but half sweeps.
impl Along for Right<'_> {
    #[inline(always)]
    fn right(&mut self, _: isize, real: usize) -> &[f32] {
        self.row(real)
    }

    #[inline(always)]
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        ahead.push(self.row(real));
    }
}

/// Works a band off.
#[inline(always)]
pub(super) fn halves<S: Stencil>(
    stencil: S,
    shape: Shape,
    part: (Colour, usize),
    band: Band<'_>,
    along: &mut impl Along,
) {
    halves_with_pause::<SLOTS, S>(stencil, shape, part, None, band, along);
}

/// The same, with `SLOTS` rows in hand and a `pause` after so many half sweeps.
#[inline(always)]
pub(super) fn halves_with_pause<const SLOTS: usize, S: Stencil>(
    stencil: S,
    shape: Shape,
    (first, stages): (Colour, usize),
    pause: Option<usize>,
    band: Band<'_>,
    along: &mut impl Along,
) {
    debug_assert!(stages + usize::from(pause.is_some()) + 4 <= SLOTS);
    let n = shape.width;
    let Wanted { rows, residuals, values } = band.wanted.clone();
    let (mut x, mut right) = (Ring::pair(n, SLOTS), Ring::pair(n, SLOTS));
    let held = stencil.couplings(0).is_some();
    let mut weights = if held { [n + 1, n, n].map(|n| Ring::pair(n, SLOTS)).into() } else { Vec::new() };
    let sides = stencil.sides();
    if let (Some(sides), Some(inverse)) = (sides, weights.last_mut()) {
        for ring in inverse {
            ring.row_mut(SLOTS).fill(sides[2]);
            ring.row_mut(SLOTS + 1).fill(sides[3]);
        }
    }
    let mut residual = [vec![0.0; n.div_ceil(2)], vec![0.0; n / 2]];
    let mut line = vec![0.0; if values.is_empty() { 0 } else { n }];
    // Where an odd number of rows wraps, rows of the same colours meet: what the lower one was before.
    let odd_seam = shape.wraps[1] && shape.height % 2 == 1;
    let mut seams = vec![(None, Vec::new()); stages];
    let slot = |row: isize| row.rem_euclid(SLOTS as isize) as usize;
    let real_slot = |row: isize, none: usize| if shape.real(row).is_some() { slot(row) } else { none };
    let len = |kind: usize| (n + 1 - kind) / 2;
    let Range { start: low, end: high } = band.wanted.reached();
    let reach = stages as isize;
    // Half sweeps after a pause are a row further behind: the residual there needs the rows on both sides as they were.
    let behind = |stage: usize| (stage + usize::from(pause.is_some_and(|pause| stage > pause))) as isize;
    for tick in low - reach..high + behind(stages) + 1 {
        let at = slot(tick);
        if let Some(real) = shape.real(tick).filter(|_| tick < high + reach) {
            match band.row(tick, real) {
                Some(row) => part(row, &mut x, at),
                None => x.iter_mut().for_each(|x| x.row_mut(at)[..n.div_ceil(2)].fill(0.0)),
            }
            let [even, odd] = &mut x;
            along.load(real, [&mut even.row_mut(at)[..len(0)], &mut odd.row_mut(at)[..len(1)]]);
            part(along.right(tick, real), &mut right, at);
        }
        // Those of the faces above the last row too.
        if let Some(row) = shape.real(tick).or((tick == shape.height as isize).then_some(shape.height)) {
            for (from, to) in stencil.couplings(row).into_iter().flatten().zip(&mut weights) {
                part(from, to, at);
            }
            if let (Some(sides), Some(inverse)) = (sides, weights.last_mut()) {
                bound(n, inverse, at, [sides[0], sides[1]]);
                close(shape, inverse, at);
            }
        }
        // Memory has as long as the half sweeps take.
        let mut ahead = PrefetchQueue::new();
        if let Some(real) = shape.real(tick + 1).filter(|_| tick + 1 < high + reach) {
            along.ahead(real, &mut ahead);
            ahead.push(band.row(tick + 1, real).unwrap_or_default());
            ahead.spread(stages);
        }
        let mut paused = false;
        for stage in 1..=stages {
            ahead.issue();
            if pause == Some(stage - 1) {
                let row = tick - stage as isize;
                if let Some(real) = shape.real(row).filter(|_| (rows.start as isize..rows.end as isize).contains(&row))
                {
                    let near = [real_slot(row - 1, SLOTS), real_slot(row + 1, SLOTS + 1)];
                    close(shape, &mut x, slot(row));
                    let of = Of { stencil, real, at: slot(row), above: slot(row + 1), near };
                    of.left(&x, &right, &weights, &mut residual);
                    paused = true;
                }
            }
            let (row, left) = (tick - behind(stage), (stages - stage) as isize);
            let Some(real) = shape.real(row).filter(|_| (low - left..high + left).contains(&row)) else { continue };
            let kind = (usize::from(first == Colour::Black) + stage - 1 + real) % 2;
            let len = len(kind);
            let at = slot(row);
            close(shape, &mut x, at);
            let seam = &mut seams[stage - 1];
            if odd_seam && real + 1 == shape.height {
                *seam = (Some(row), x[kind].row(at)[..len].to_vec());
            }
            let near = [real_slot(row - 1, SLOTS), real_slot(row + 1, SLOTS + 1)];
            let couplings = match sides {
                None => couplings(&weights, at, slot(row + 1), kind, len),
                Some(_) => inverses(&weights, at, near, kind, len),
            };
            let [even, odd] = &mut x;
            let (same, other) = if kind == 0 { (even, &*odd) } else { (odd, &*even) };
            let places = [at, near[0], near[1]].map(|slot| same.whole(slot));
            let Ok([to, south, north]) = same.values.get_disjoint_mut(places) else { continue };
            let south = if odd_seam && seam.0 == Some(row - 1) { &seam.1[..] } else { &south[PAD..] };
            let around = Around { beside: beside(other, at, kind), south, north: &north[PAD..] };
            stencil.relax(real, kind, around, &right[kind].row(at)[..len], couplings, &mut to[PAD..][..len]);
        }
        if paused {
            along.middle([&residual[0], &residual[1]]);
        }
        let row = tick - behind(stages);
        let own = rows.start as isize <= row && row < rows.end as isize;
        let wanted = values.contains(&row) && shape.real(row).is_some();
        if own || wanted {
            let to = if own { &mut band.own[(row as usize - rows.start) * n..][..n] } else { &mut line[..] };
            join([0, 1].map(|kind| &x[kind].row(slot(row))[..len(kind)]), to);
            if wanted {
                along.done(row, to);
            }
        }
        let row = row - 1;
        if let Some(real) = shape.real(row).filter(|_| residuals.contains(&row)) {
            let near = [real_slot(row - 1, SLOTS), real_slot(row + 1, SLOTS + 1)];
            close(shape, &mut x, slot(row));
            Of { stencil, real, at: slot(row), above: slot(row + 1), near }.left(&x, &right, &weights, &mut residual);
            along.rest(row, [&residual[0], &residual[1]]);
        }
    }
}

/// A row in hand, the one above it, and those that stand beside it.
struct Of<S> {
    stencil: S,
    real: usize,
    at: usize,
    above: usize,
    near: [usize; 2],
}

impl<S: Stencil> Of<S> {
    /// Its residual, of even and of odd columns.
    #[inline(always)]
    fn left(&self, x: &[Ring; 2], right: &[Ring; 2], weights: &[[Ring; 2]], to: &mut [Vec<f32>; 2]) {
        for kind in 0..2 {
            let (same, len) = (&x[kind], to[kind].len());
            let [south, north] = self.near.map(|slot| same.row(slot));
            let around = Around { beside: beside(&x[1 - kind], self.at, kind), south, north };
            let couplings = match self.stencil.sides() {
                None => couplings(weights, self.at, self.above, kind, len),
                Some(_) => inverses(weights, self.at, self.near, kind, len),
            };
            let (c, b) = (&same.row(self.at)[..len], &right[kind].row(self.at)[..len]);
            self.stencil.left(self.real, kind, c, around, b, couplings, &mut to[kind]);
        }
    }
}

/// Those of a row's even or odd columns; nothing without weights.
#[inline(always)]
fn couplings(weights: &[[Ring; 2]], at: usize, above: usize, kind: usize, len: usize) -> Couplings<'_> {
    let [x, y, inverse] = weights else { return Couplings::default() };
    Couplings {
        west: &x[kind].row(at)[..len],
        east: &x[1 - kind].row(at)[kind..][..len],
        south: &y[kind].row(at)[..len],
        north: &y[kind].row(above)[..len],
        inverse: &inverse[kind].row(at)[..len],
    }
}

/// The inverses around a row's even or odd columns, in place of couplings.
#[inline(always)]
fn inverses(weights: &[[Ring; 2]], at: usize, near: [usize; 2], kind: usize, len: usize) -> Couplings<'_> {
    let [.., inverse] = weights else { return Couplings::default() };
    let beside = beside(&inverse[1 - kind], at, kind);
    let [south, north] = near.map(|slot| &inverse[kind].row(slot)[..len]);
    Couplings { west: &beside[..len], east: &beside[1..][..len], south, north, inverse: &inverse[kind].row(at)[..len] }
}
