//! Temporally blocked red-black sweeps: several half sweeps in one pass over the memory, each a row behind the one
//! before it, in place.
//!
//! Ring buffers hold the recent rows, even and odd columns apart, so that each half sweep reads and writes contiguous
//! vectors. A band of rows is extended at both ends by one row per half sweep; rows that two bands compute have the
//! same bits in both. Results overwrite the initial values in x; the rows beyond a band that it starts from are copied
//! first.
//!
//! A pause is a number of half sweeps after which the residuals of the band's own rows are reported, in addition to
//! those after the last one. Half sweeps after the pause lag one more row. GPU: `relax.wgsl`; reference:
//! `tests/reference/mod.rs`.

use std::ops::Range;

use super::super::operands::{Colour, Relax};
use super::stencil::{Coefficients, Neighbours, Stencil};
use super::velocity_rows::split_bands;
use super::wavefront::GridSize;
use crate::compute::cpu::lanes::PrefetchQueue;

/// Most half sweeps in one pass.
pub(super) const HALF_SWEEPS_MAX: usize = 4;

/// Most half sweeps in one pass with a pause.
pub(super) const HALF_SWEEPS_MAX_WITH_PAUSE: usize = HALF_SWEEPS_MAX + 2;

/// Slots of a ring buffer without a pause: rows of all half sweeps, and of the residual after the last.
const SLOTS: usize = HALF_SWEEPS_MAX + 4;
/// Slots of a ring buffer with a pause, which needs one more row.
pub(super) const SLOTS_WITH_PAUSE: usize = HALF_SWEEPS_MAX_WITH_PAUSE + 5;

/// Floats before a row's first value. The last of them is the left neighbour; their number keeps the first value
/// aligned.
const PAD: usize = 16;

/// Half sweeps of one pass: the colour of the first, and their number.
pub(super) type HalfSweeps = (Colour, usize);

/// The half sweeps of a relaxation as passes over the memory: at least one pass, which may have no half sweeps.
pub(super) fn passes(relax: Relax) -> Vec<HalfSweeps> {
    let all = 2 * relax.sweeps as usize;
    (0..all.max(1)).step_by(HALF_SWEEPS_MAX).map(|at| (relax.first, HALF_SWEEPS_MAX.min(all - at))).collect()
}

/// The even and the odd columns of a row.
pub(super) type Pair<'a> = [&'a [f32]; 2];

/// Interleaves the even and odd columns of a row into `to`.
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

/// A ring buffer of the even or the odd columns of recent rows. Two constant rows follow its slots: the values beyond
/// the lower and the upper side (0; for inverse diagonals [`Stencil::side_inverses`]).
struct ParityRing {
    values: Vec<f32>,
    /// Index of the first slot in `values`, at a cache line.
    first: usize,
    /// Floats from one slot to the next.
    stride: usize,
}

impl ParityRing {
    fn pair(width: usize, slots: usize) -> [ParityRing; 2] {
        let stride = (width / 2 + 2 + PAD).next_multiple_of(16);
        // Rows at like addresses modulo 4 KiB would evict each other from the cache.
        let stride = if (stride + 128) % 1024 < 256 { stride + 256 } else { stride };
        [0, 1].map(|_| {
            let values = vec![0.0; (slots + 2) * stride + 16];
            let first = values.as_ptr().align_offset(64).min(16);
            ParityRing { values, first, stride }
        })
    }

    /// The memory of a row, with its padding.
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

    /// The horizontal neighbours of the columns of parity `parity`; this ring has the other parity. Value `i` is to the
    /// left of column `i` of that parity, value `i + 1` to its right.
    #[inline(always)]
    fn beside(&self, slot: usize, parity: usize) -> &[f32] {
        &self.values[self.whole(slot)][PAD - 1 + parity..]
    }
}

/// Splits a row into its even and odd columns.
#[inline(always)]
fn split(row: &[f32], [even, odd]: &mut [ParityRing; 2], slot: usize) {
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

/// Sets the values beyond both ends of a row, where x wraps.
#[inline(always)]
fn wrap_ends(shape: GridSize, pair: &mut [ParityRing; 2], slot: usize) {
    if shape.wraps[0] {
        let n = shape.width;
        let last = pair[(n - 1) % 2].row(slot)[(n - 1) / 2];
        set_ends(n, pair, slot, [last, pair[0].row(slot)[0]]);
    }
}

/// Sets the values beyond both ends of a row of `n` columns.
#[inline(always)]
fn set_ends(n: usize, pair: &mut [ParityRing; 2], slot: usize, [before, after]: [f32; 2]) {
    let first = pair[1].whole(slot).start + PAD;
    pair[1].values[first - 1] = before;
    pair[n % 2].row_mut(slot)[n / 2] = after;
}

/// The values of x before the first half sweep.
#[derive(Clone, Copy)]
pub(super) enum Initial<'a> {
    Zero,
    /// The values that x has.
    Here,
    Plane(&'a [f32]),
}

/// [`Initial`] for a band.
enum Start<'a> {
    Zero,
    /// The band's rows of x, with copies of the rows of x below and above the band.
    Here([Vec<f32>; 2]),
    Plane(&'a [f32]),
}

/// The results required of a band.
#[derive(Clone)]
pub(super) struct Required {
    /// The band's own rows of x.
    pub rows: Range<usize>,
    /// Rows whose residuals are reported.
    pub residuals: Range<isize>,
    /// Rows of x that are reported when finished.
    pub values: Range<isize>,
}

impl Required {
    /// Own rows, without reports.
    pub fn rows(rows: Range<usize>) -> Required {
        Required { rows, residuals: 0..0, values: 0..0 }
    }

    /// The rows that need all half sweeps.
    #[inline(always)]
    fn covered(&self) -> Range<isize> {
        let (mut low, mut high) = (self.rows.start as isize, self.rows.end as isize);
        for (rows, margin) in [(&self.residuals, 1), (&self.values, 0)] {
            if !rows.is_empty() {
                (low, high) = (low.min(rows.start - margin), high.max(rows.end + margin));
            }
        }
        low..high
    }
}

/// A band of rows of x with its initial values.
pub(super) struct Band<'a> {
    required: Required,
    width: usize,
    own: &'a mut [f32],
    start: Start<'a>,
}

impl<'a> Band<'a> {
    /// Cuts x into one band per requirement, for `stages` half sweeps.
    pub fn all(
        x: &'a mut [f32],
        shape: GridSize,
        stages: usize,
        from: Initial<'a>,
        required: impl Iterator<Item = Required>,
    ) -> Vec<Band<'a>> {
        let n = shape.width;
        let required: Vec<Required> = required.collect();
        let copy = |rows: Range<isize>| {
            let mut copy = Vec::with_capacity(rows.len() * n);
            for row in rows.filter_map(|row| shape.real(row)) {
                copy.extend_from_slice(&x[row * n..][..n]);
            }
            copy
        };
        let start = |of: &Required| match from {
            Initial::Zero => Start::Zero,
            Initial::Plane(plane) => Start::Plane(plane),
            Initial::Here => {
                let (covered, margin) = (of.covered(), stages as isize);
                let below = copy(covered.start - margin..of.rows.start as isize);
                Start::Here([below, copy(of.rows.end as isize..covered.end + margin)])
            }
        };
        let starts: Vec<Start<'a>> = required.iter().map(start).collect();
        let rows: Vec<_> = required.iter().map(|of| of.rows.clone()).collect();
        let bands = split_bands(x, n, &rows).into_iter().zip(required).zip(starts);
        bands.map(|((own, required), start)| Band { required, width: n, own, start }).collect()
    }

    /// The band's own rows.
    pub fn rows(&self) -> Range<usize> {
        self.required.rows.clone()
    }

    /// The initial values of row `row`; `None` if they are 0. `real`: the same row on the grid, wrapped.
    #[inline(always)]
    fn row(&self, row: isize, real: usize) -> Option<&[f32]> {
        let n = self.width;
        let [below, above] = match &self.start {
            Start::Zero => return None,
            Start::Plane(plane) => return Some(&plane[real * n..][..n]),
            Start::Here(margins) => margins,
        };
        let (start, end) = (self.required.rows.start as isize, self.required.rows.end as isize);
        let (rows, at) = match row {
            row if row < start => (&below[..], row - start + (below.len() / n) as isize),
            row if row < end => (&*self.own, row - start),
            row => (&above[..], row - end),
        };
        Some(&rows[at as usize * n..][..n])
    }
}

/// The operands of half sweeps, row by row in rising order, also for the rows that extend a band. `real` is a row
/// number on the grid, `row` the same row before wrapping. Mark all methods `#[inline(always)]`.
pub(super) trait Source {
    /// The right-hand side of a row.
    fn right(&mut self, row: isize, real: usize) -> &[f32];

    /// Lists the memory that the right-hand side of a row is read from.
    fn prefetch<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>);

    /// Changes the even and odd columns of x before the first half sweep.
    #[inline(always)]
    fn initial(&mut self, _real: usize, _x: [&mut [f32]; 2]) {}
}

/// Rows of a plane: values, and number of columns.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>(pub &'a [f32], pub usize);

impl Source for Rows<'_> {
    #[inline(always)]
    fn right(&mut self, _: isize, real: usize) -> &[f32] {
        &self.0[real * self.1..][..self.1]
    }

    #[inline(always)]
    fn prefetch<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        ahead.push(&self.0[real * self.1..][..self.1]);
    }
}

/// Receives the required results of a band, by rising rows. Mark all methods `#[inline(always)]`.
pub(super) trait Sink {
    /// Lists the memory that a finished row is written to.
    #[inline(always)]
    fn prefetch<'a>(&'a self, _real: usize, _ahead: &mut PrefetchQueue<'a>) {}

    /// The residual of the next of the band's own rows during the pause.
    #[inline(always)]
    fn residual_at_pause(&mut self, _residual: Pair<'_>) {}

    /// The residual of a row after the last half sweep.
    #[inline(always)]
    fn residual(&mut self, _row: isize, _residual: Pair<'_>) {}

    /// A row of x after the last half sweep.
    #[inline(always)]
    fn finished(&mut self, _row: isize, _x: &[f32]) {}
}

impl Sink for () {}

/// Runs half sweeps over a band.
#[inline(always)]
pub(super) fn sweep<S: Stencil>(
    stencil: S,
    shape: GridSize,
    pass: HalfSweeps,
    band: Band<'_>,
    source: &mut impl Source,
    sink: &mut impl Sink,
) {
    sweep_with_pause::<SLOTS, S>(stencil, shape, pass, None, band, source, sink);
}

/// Runs half sweeps over a band with ring buffers of `SLOTS` rows, and with a pause after `pause` half sweeps.
#[inline(always)]
pub(super) fn sweep_with_pause<const SLOTS: usize, S: Stencil>(
    stencil: S,
    shape: GridSize,
    (first, stages): HalfSweeps,
    pause: Option<usize>,
    band: Band<'_>,
    source: &mut impl Source,
    sink: &mut impl Sink,
) {
    debug_assert!(stages + usize::from(pause.is_some()) + 4 <= SLOTS);
    let n = shape.width;
    let Required { rows, residuals, values } = band.required.clone();
    let (mut x, mut right) = (ParityRing::pair(n, SLOTS), ParityRing::pair(n, SLOTS));
    let varies = stencil.coefficient_rows(0).is_some();
    let mut coefficients = if varies { [n + 1, n, n].map(|n| ParityRing::pair(n, SLOTS)).into() } else { Vec::new() };
    let side_inverses = stencil.side_inverses();
    if let (Some(sides), Some(inverse)) = (side_inverses, coefficients.last_mut()) {
        for ring in inverse {
            ring.row_mut(SLOTS).fill(sides[2]);
            ring.row_mut(SLOTS + 1).fill(sides[3]);
        }
    }
    let mut residual = [vec![0.0; n.div_ceil(2)], vec![0.0; n / 2]];
    let mut line = vec![0.0; if values.is_empty() { 0 } else { n }];
    // Where an odd number of rows wraps, the first and the last row have the same colours. A half sweep then copies the
    // last row before it changes it: the first row needs the old values.
    let odd_seam = shape.wraps[1] && shape.height % 2 == 1;
    let mut seams = vec![(None, Vec::new()); stages];
    let slot = |row: isize| row.rem_euclid(SLOTS as isize) as usize;
    let real_slot = |row: isize, none: usize| if shape.real(row).is_some() { slot(row) } else { none };
    let slots = |row: isize| Slots {
        row: slot(row),
        above: slot(row + 1),
        neighbours: [real_slot(row - 1, SLOTS), real_slot(row + 1, SLOTS + 1)],
    };
    let len = |parity: usize| (n + 1 - parity) / 2;
    let Range { start: low, end: high } = band.required.covered();
    let margin = stages as isize;
    // Rows that a half sweep lags behind the initial values. Half sweeps after the pause lag one more: the residual at
    // the pause needs the rows below and above it without later changes.
    let behind = |stage: usize| (stage + usize::from(pause.is_some_and(|pause| stage > pause))) as isize;
    for tick in low - margin..high + behind(stages) + 1 {
        let at = slot(tick);
        if let Some(real) = shape.real(tick).filter(|_| tick < high + margin) {
            match band.row(tick, real) {
                Some(row) => split(row, &mut x, at),
                None => x.iter_mut().for_each(|x| x.row_mut(at)[..n.div_ceil(2)].fill(0.0)),
            }
            let [even, odd] = &mut x;
            source.initial(real, [&mut even.row_mut(at)[..len(0)], &mut odd.row_mut(at)[..len(1)]]);
            split(source.right(tick, real), &mut right, at);
        }
        // The horizontal faces above the grid's last row have coefficients: they are stored as those of one more row.
        if let Some(row) = shape.real(tick).or((tick == shape.height as isize).then_some(shape.height)) {
            for (from, to) in stencil.coefficient_rows(row).into_iter().flatten().zip(&mut coefficients) {
                split(from, to, at);
            }
            if let (Some(sides), Some(inverse)) = (side_inverses, coefficients.last_mut()) {
                set_ends(n, inverse, at, [sides[0], sides[1]]);
                wrap_ends(shape, inverse, at);
            }
        }
        // Prefetches of the next row are spread over the half sweeps.
        let mut ahead = PrefetchQueue::new();
        if let Some(real) = shape.real(tick + 1).filter(|_| tick + 1 < high + margin) {
            source.prefetch(real, &mut ahead);
            sink.prefetch(real, &mut ahead);
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
                    wrap_ends(shape, &mut x, slot(row));
                    slots(row).residual(stencil, real, &x, &right, &coefficients, &mut residual);
                    paused = true;
                }
            }
            let (row, left) = (tick - behind(stage), (stages - stage) as isize);
            let Some(real) = shape.real(row).filter(|_| (low - left..high + left).contains(&row)) else { continue };
            let parity = (usize::from(first == Colour::Black) + stage - 1 + real) % 2;
            let (len, at) = (len(parity), slots(row));
            wrap_ends(shape, &mut x, at.row);
            let seam = &mut seams[stage - 1];
            if odd_seam && real + 1 == shape.height {
                *seam = (Some(row), x[parity].row(at.row)[..len].to_vec());
            }
            let coefficients = at.coefficients(stencil, &coefficients, parity, len);
            let [even, odd] = &mut x;
            let (same, other) = if parity == 0 { (even, &*odd) } else { (odd, &*even) };
            let places = [at.row, at.neighbours[0], at.neighbours[1]].map(|slot| same.whole(slot));
            let Ok([to, south, north]) = same.values.get_disjoint_mut(places) else { continue };
            let south = if odd_seam && seam.0 == Some(row - 1) { &seam.1[..] } else { &south[PAD..] };
            let neighbours = Neighbours { beside: other.beside(at.row, parity), south, north: &north[PAD..] };
            let (b, to) = (&right[parity].row(at.row)[..len], &mut to[PAD..][..len]);
            stencil.relax_parity([real, parity], neighbours, b, coefficients, to);
        }
        if paused {
            sink.residual_at_pause([&residual[0], &residual[1]]);
        }
        let row = tick - behind(stages);
        let own = rows.start as isize <= row && row < rows.end as isize;
        let is_required = values.contains(&row) && shape.real(row).is_some();
        if own || is_required {
            let to = if own { &mut band.own[(row as usize - rows.start) * n..][..n] } else { &mut line[..] };
            join([0, 1].map(|parity| &x[parity].row(slot(row))[..len(parity)]), to);
            if is_required {
                sink.finished(row, to);
            }
        }
        let row = row - 1;
        if let Some(real) = shape.real(row).filter(|_| residuals.contains(&row)) {
            wrap_ends(shape, &mut x, slot(row));
            slots(row).residual(stencil, real, &x, &right, &coefficients, &mut residual);
            sink.residual(row, [&residual[0], &residual[1]]);
        }
    }
}

/// Slots of a row and of its neighbours.
#[derive(Clone, Copy)]
struct Slots {
    row: usize,
    /// Slot of the row above, also above the grid's last row: the coefficients of the faces between both are there.
    above: usize,
    /// Slots of the rows below and above. Off the grid: the slot of the constant row of that side.
    neighbours: [usize; 2],
}

impl Slots {
    /// The residual of the even and the odd columns.
    #[inline(always)]
    fn residual<S: Stencil>(
        self,
        stencil: S,
        real: usize,
        x: &[ParityRing; 2],
        right: &[ParityRing; 2],
        coefficients: &[[ParityRing; 2]],
        to: &mut [Vec<f32>; 2],
    ) {
        for parity in 0..2 {
            let (same, len) = (&x[parity], to[parity].len());
            let [south, north] = self.neighbours.map(|slot| same.row(slot));
            let neighbours = Neighbours { beside: x[1 - parity].beside(self.row, parity), south, north };
            let coefficients = self.coefficients(stencil, coefficients, parity, len);
            let (c, b) = (&same.row(self.row)[..len], &right[parity].row(self.row)[..len]);
            stencil.residual_parity([real, parity], c, neighbours, b, coefficients, &mut to[parity]);
        }
    }

    /// The coefficients of the even or the odd columns; on the finest level with solids the inverse diagonals from
    /// which [`Stencil`] derives them; empty on a level without solids.
    #[inline(always)]
    fn coefficients<'a, S: Stencil>(
        self,
        stencil: S,
        coefficients: &'a [[ParityRing; 2]],
        parity: usize,
        len: usize,
    ) -> Coefficients<'a> {
        let [x, y, inverse] = coefficients else { return [&[]; 5] };
        let own = &inverse[parity].row(self.row)[..len];
        if stencil.side_inverses().is_some() {
            let beside = inverse[1 - parity].beside(self.row, parity);
            let [south, north] = self.neighbours.map(|slot| &inverse[parity].row(slot)[..len]);
            return [&beside[..len], &beside[1..][..len], south, north, own];
        }
        let (west, east) = (&x[parity].row(self.row)[..len], &x[1 - parity].row(self.row)[parity..][..len]);
        [west, east, &y[parity].row(self.row)[..len], &y[parity].row(self.above)[..len], own]
    }
}
