//! Advection of velocity: semi-Lagrangian (bilinear or bicubic), or the second half of MacCormack, which also removes
//! the odd-even component. Formulas: `Operation::AdvectVelocity` and `Operation::CorrectVelocity`. GPU: `advect.wgsl`,
//! `maccormack.wgsl`; reference: `tests/reference/transport.rs`.
//!
//! The displacement of a face is the mean of the displacements of its two cells. A kernel traces the cells of a band of
//! rows and advects the faces of the band in one pass. Forward displacements are not stored; backward ones are, for the
//! advection of scalars.

use super::super::Cpu;
use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::backtrace::{AHEAD, Backtrace};
use super::band::{Kernel, run_kernel};
use super::operands::{Curve, Faces, FieldKind, PlaneDomain};
use super::rows::{self, FaceRows, RowStore, face_rows};
use super::sample::{Field, Group, bicubic, clamped, groups, maccormack, mean, prefetch_at, read, weights, write};
use super::slip::LanePositions;
use crate::sim::smoke::settings::Scheme;

/// Displacements of the cells along x and along y.
pub(super) type CellDisplacements<'a> = [&'a [f32]; 2];

/// Number of cells of a band.
const CELLS: usize = 32768;

/// A step of a scheme.
#[derive(Clone, Copy)]
pub(super) enum MomentumStep<'a> {
    /// A semi-Lagrangian step, bilinear or bicubic. It stores the backward displacements.
    SemiLagrangian(Scheme),
    /// The second half of MacCormack, given the result of the bilinear first half and the backward displacements.
    MacCormack(Faces<&'a [f32]>, CellDisplacements<'a>),
}

/// Advection of both components of velocity.
pub(super) struct AdvectFaces<'a> {
    cells: [Axis; 2],
    /// Axes of u and of v.
    on: [[Axis; 2]; 2],
    /// Traces the cells backward in a semi-Lagrangian step, forward in the second half of MacCormack.
    backtrace: Backtrace<'a>,
    from: Faces<&'a [f32]>,
    how: MomentumStep<'a>,
}

/// A band of faces, and the backward displacements to be stored.
pub(super) struct Rows<'a> {
    faces: FaceRows<'a>,
    back: Option<[&'a mut [f32]; 2]>,
}

impl<'a> AdvectFaces<'a> {
    /// Advection of `from` along the velocity of `backtrace`.
    pub fn new<P: Copy>(
        domain: &PlaneDomain<P>,
        backtrace: Backtrace<'a>,
        from: Faces<&'a [f32]>,
        how: MomentumStep<'a>,
    ) -> Self {
        let axes = |kind| Axis::both(domain, kind);
        AdvectFaces { cells: axes(FieldKind::Cell), on: [axes(FieldKind::U), axes(FieldKind::V)], backtrace, from, how }
    }

    /// Advects all faces.
    pub fn run(&self, cpu: &Cpu, to: Faces<&mut [f32]>, back: Option<[&mut [f32]; 2]>) {
        let size = self.cells.map(|axis| axis.values as usize);
        let mut back = back;
        let pieces = face_rows(CELLS, size, to).into_iter().map(|faces| {
            let kept = back.take().map(|[x, y]| {
                let len = faces.count * size[0];
                let ((x, x_rest), (y, y_rest)) = (x.split_at_mut(len), y.split_at_mut(len));
                back = Some([x_rest, y_rest]);
                [x, y]
            });
            Rows { faces, back: kept }
        });
        let pieces = pieces.collect();
        cpu.each(pieces, |rows| run_kernel(cpu.isa, self, rows));
    }
}

/// Displacements of recent rows of cells.
struct DisplacementRing<'a, 'b, F: Floats> {
    backtrace: &'a Backtrace<'b>,
    fields: [Field<'b, F>; 2],
    rows: rows::Ring<[Vec<f32>; 2]>,
}

impl<'a, 'b, F: Floats> DisplacementRing<'a, 'b, F> {
    #[inline(always)]
    fn new(backtrace: &'a Backtrace<'b>, width: usize) -> Self {
        let rows = rows::Ring::new(|| [vec![0.0; width], vec![0.0; width]]);
        DisplacementRing { backtrace, fields: backtrace.fields(), rows }
    }

    /// The slot of row `y`; traces the row if the ring does not have it.
    #[inline(always)]
    fn row(&mut self, y: usize) -> usize {
        self.rows.row(
            y,
            #[inline(always)]
            |[dx, dy]| self.backtrace.row(&self.fields, y, dx, dy),
        )
    }

    /// Displacements of the row in a slot.
    #[inline(always)]
    fn offsets(&self, slot: usize) -> CellDisplacements<'_> {
        let [dx, dy] = self.rows.at(slot);
        [dx, dy]
    }
}

/// Values of a group at the column offsets −2 … 2; beyond an edge the last value inside, or the wrapped one.
#[inline(always)]
fn row_neighbours<F: Floats>(axis: Axis, row: &[f32], [x0, len]: [usize; 2]) -> [F; 5] {
    let mut all = [0.0; WIDTH + 4];
    let inner = x0.checked_sub(2).and_then(|first| row.get(first..)).and_then(|rest| rest.first_chunk());
    if inner.is_none() {
        for (l, value) in all[..len + 4].iter_mut().enumerate() {
            *value = row[axis.nearest(x0 as i32 + l as i32 - 2)];
        }
    }
    let all: &[f32; WIDTH + 4] = inner.unwrap_or(&all);
    [read(&all[..WIDTH]), read(&all[1..]), read(&all[2..]), read(&all[3..]), read(&all[4..])]
}

/// `max(0, 1 − 2·|d|)`: the fraction of the odd-even component to be removed, for a displacement d along one axis.
#[inline(always)]
fn odd_even_weight<F: Floats>(displacement: F) -> F {
    let size = displacement.greatest(F::splat(0.0).sub(displacement));
    F::splat(1.0).sub(size.add(size)).greatest(F::splat(0.0))
}

/// Half of the odd-even component at the middle of five consecutive values: ⅛ of its second difference, whose magnitude
/// is limited to those of the second differences of both neighbours; 0 unless both of these have the opposite sign.
#[inline(always)]
fn half_odd_even<F: Floats>([a, b, c, d, e]: [F; 5]) -> F {
    let (below, here, above) = (second_difference(a, b, c), second_difference(b, c, d), second_difference(c, d, e));
    let zero = F::splat(0.0);
    let peak = here.least(zero.sub(below).least(zero.sub(above))).greatest(zero);
    let trough = here.greatest(zero.sub(below).greatest(zero.sub(above))).least(zero);
    F::splat(0.125).mul(peak.add(trough))
}

/// Negative second difference `2b − (a + c)`: positive at a peak.
#[inline(always)]
fn second_difference<F: Floats>(a: F, b: F, c: F) -> F {
    b.add(b).sub(a.add(c))
}

/// Linear extrapolation to half a cell before the first of two values.
#[inline(always)]
fn extrapolated(first: f32, second: f32) -> f32 {
    first + 0.5 * (first - second)
}

/// Both components of velocity, as fields that are sampled.
struct Fields<'a, F> {
    from: [Field<'a, F>; 2],
    /// The result of the first half of MacCormack.
    advected: [Field<'a, F>; 2],
}

impl Kernel<Rows<'_>> for AdvectFaces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, rows: Rows<'_>) {
        let Rows { faces: FaceRows { first, count, u, v }, mut back } = rows;
        let (width, height) = (self.cells[0].values as usize, self.cells[1].values as usize);
        let [on_u, on_v] = self.on;
        let fields: Fields<'_, F> = Fields {
            from: [Field::new(on_u, on_u, self.from.u), Field::new(on_v, on_v, self.from.v)],
            advected: [Field::new(on_u, on_u, self.advected(0)), Field::new(on_v, on_v, self.advected(1))],
        };
        let mut ring = DisplacementRing::<F>::new(&self.backtrace, width);
        let (out, mut line) = (RowStore::new([width, height]), vec![0.0; width + 1]);
        let above = usize::from(first + count == height);
        for (row, to) in v.chunks_exact_mut(width).enumerate().take(count + above) {
            let y = first + row;
            let [low, high] = self.cells[1].cells_at_face(y as i32);
            let slots = [ring.row(low), ring.row(high)];
            self.row_of_v(&fields, y, slots.map(|slot| ring.offsets(slot)), &mut line[..width]);
            out.row::<F>(&line[..width], to);
            if y == height {
                continue;
            }
            let slot = ring.row(y);
            let here = ring.offsets(slot);
            for (plane, here) in back.iter_mut().flatten().zip(here) {
                out.row::<F>(here, &mut plane[row * width..(row + 1) * width]);
            }
            self.row_of_u(&fields, y, here, &mut line);
            out.row::<F>(&line, &mut u[row * (width + 1)..(row + 1) * (width + 1)]);
        }
        F::settle();
    }
}

impl AdvectFaces<'_> {
    /// Advects a row of u, given the displacements of its cells.
    #[inline(always)]
    fn row_of_u<F: Floats>(&self, fields: &Fields<'_, F>, y: usize, here: CellDisplacements<'_>, to: &mut [f32]) {
        let x_axis = self.cells[0];
        let width = x_axis.values as usize;
        let rows = self.five_rows(0, y);
        for (x0, len) in groups(width + 1) {
            let traced = [between_columns(x_axis, [x0, len], here[0]), between_columns(x_axis, [x0, len], here[1])];
            let backward = match self.how {
                MomentumStep::MacCormack(_, [dx, dy]) => [
                    between_columns(x_axis, [x0, len], &dx[y * width..(y + 1) * width]),
                    between_columns(x_axis, [x0, len], &dy[y * width..(y + 1) * width]),
                ],
                MomentumStep::SemiLagrangian(_) => traced,
            };
            let at = y * (width + 1) + x0;
            self.prefetch_at(0, AHEAD * (width + 1) + at);
            let advected = &self.advected(0)[at..at + len];
            let own =
                [read(&rows[2][x0..x0 + len]), self.advected_without_odd_even(0, &rows, advected, [x0, len], backward)];
            let value = self.value([&fields.from[0], &fields.advected[0]], [x0, y], own, [backward, traced]);
            let value = self.along_walls(0, &fields.from[0], [x0, y], len, [backward, traced], value);
            write(value, &mut to[x0..x0 + len]);
        }
    }

    /// Advects a row of v, given the displacements of two rows of cells: those at it, or the two next to an edge.
    #[inline(always)]
    fn row_of_v<F: Floats>(
        &self,
        fields: &Fields<'_, F>,
        y: usize,
        [below, above]: [CellDisplacements<'_>; 2],
        to: &mut [f32],
    ) {
        let y_axis = self.cells[1];
        let width = to.len();
        let [low, high] = y_axis.cells_at_face(y as i32);
        let inner = y_axis.wraps() || (y > 0 && y < y_axis.values as usize);
        let rows = self.five_rows(1, y);
        for (x0, len) in groups(width) {
            let traced = [
                between_rows(inner, &below[0][x0..x0 + len], &above[0][x0..x0 + len]),
                between_rows(inner, &below[1][x0..x0 + len], &above[1][x0..x0 + len]),
            ];
            let at = y * width + x0;
            self.prefetch_at(1, AHEAD * width + at);
            let backward = match self.how {
                MomentumStep::MacCormack(_, [dx, dy]) => {
                    let (low, high) = (low * width + x0, high * width + x0);
                    prefetch_at(dx, width + at);
                    prefetch_at(dy, width + at);
                    [
                        between_rows(inner, &dx[low..low + len], &dx[high..high + len]),
                        between_rows(inner, &dy[low..low + len], &dy[high..high + len]),
                    ]
                }
                MomentumStep::SemiLagrangian(_) => traced,
            };
            let advected = &self.advected(1)[at..at + len];
            let own =
                [read(&rows[2][x0..x0 + len]), self.advected_without_odd_even(1, &rows, advected, [x0, len], backward)];
            let value = self.value([&fields.from[1], &fields.advected[1]], [x0, y], own, [backward, traced]);
            let value = self.along_walls(1, &fields.from[1], [x0, y], len, [backward, traced], value);
            write(value, &mut to[x0..x0 + len]);
        }
    }

    /// Recomputes the `value` of a group of faces along `axis` where a sample has faces inside free-slip solids,
    /// without these faces. `backward` and `traced` as in [`value`](Self::value).
    #[inline(always)]
    fn along_walls<F: Floats>(
        &self,
        axis: usize,
        field: &Field<'_, F>,
        [x0, y]: [usize; 2],
        len: usize,
        [backward, traced]: [[F; 2]; 2],
        value: F,
    ) -> F {
        let Some(free_slip) = &self.backtrace.free_slip else { return value };
        let group = Group::new([x0, y]);
        let back = LanePositions::new(&field.positions(group, backward));
        let ahead = LanePositions::new(&field.positions(group, traced));
        let corrected = matches!(self.how, MomentumStep::MacCormack(..));
        let near = free_slip.near(&back, len) || (corrected && free_slip.near(&ahead, len));
        if !near {
            return value;
        }
        let mut to = [0.0; WIDTH];
        value.store(&mut to);
        let from = if axis == 0 { self.from.u } else { self.from.v };
        let at = y * self.on[axis][0].values as usize + x0;
        match self.how {
            MomentumStep::SemiLagrangian(scheme) => {
                free_slip.exclude_walls(axis, &back, scheme == Scheme::Cubic, from, &from[at..at + len], &mut to);
            }
            MomentumStep::MacCormack(..) => {
                free_slip.keep_at_walls(axis, [&back, &ahead], &self.advected(axis)[at..at + len], &mut to);
            }
        }
        F::load(&to)
    }

    /// The result of the first half of MacCormack, or the field itself in a semi-Lagrangian step.
    #[inline(always)]
    fn advected(&self, axis: usize) -> &[f32] {
        let faces = match self.how {
            MomentumStep::SemiLagrangian(_) => self.from,
            MomentumStep::MacCormack(advected, _) => advected,
        };
        if axis == 0 { faces.u } else { faces.v }
    }

    /// Five rows of a velocity component: rows y − 2 … y + 2; beyond an edge the last row inside, or the wrapped one.
    #[inline(always)]
    fn five_rows(&self, axis: usize, y: usize) -> [&[f32]; 5] {
        let on = self.on[axis];
        let columns = on[0].values as usize;
        let from = if axis == 0 { self.from.u } else { self.from.v };
        let mut rows = [from; 5];
        for (offset, row) in rows.iter_mut().enumerate() {
            let first = on[1].nearest(y as i32 + offset as i32 - 2) * columns;
            *row = &from[first..first + columns];
        }
        rows
    }

    /// The result of the first half of MacCormack for a group, without the odd-even component of `from`, which has
    /// these five `rows`; in a semi-Lagrangian step `advected` as it is.
    #[inline(always)]
    fn advected_without_odd_even<F: Floats>(
        &self,
        axis: usize,
        rows: &[&[f32]; 5],
        advected: &[f32],
        [x0, len]: [usize; 2],
        backward: [F; 2],
    ) -> F {
        let advected: F = read(advected);
        if matches!(self.how, MomentumStep::SemiLagrangian(_)) {
            return advected;
        }
        let mut along_y: [F; 5] = [advected; 5];
        for (value, row) in along_y.iter_mut().zip(rows) {
            *value = read(&row[x0..x0 + len]);
        }
        let along_x = row_neighbours::<F>(self.on[axis][0], rows[2], [x0, len]);
        let weight = odd_even_weight(backward[0]).mul(odd_even_weight(backward[1]));
        advected.sub(weight.mul(half_odd_even(along_x).add(half_odd_even(along_y))))
    }

    #[inline(always)]
    fn prefetch_at(&self, axis: usize, at: usize) {
        prefetch_at(if axis == 0 { self.from.u } else { self.from.v }, at);
        if matches!(self.how, MomentumStep::MacCormack(..)) {
            prefetch_at(self.advected(axis), at);
        }
    }

    /// The advected values of a group of faces. `from` and `advected`: the velocity, and the result of the first half
    /// of MacCormack; `own`: the values of both at the faces. `backward`: displacements to the sample positions in
    /// `from`; `traced`: the displacements of this step's own trace, forward in the second half of MacCormack. A
    /// semi-Lagrangian step traces backward: both are equal.
    #[inline(always)]
    fn value<F: Floats>(
        &self,
        [from, advected]: [&Field<'_, F>; 2],
        at: [usize; 2],
        own: [F; 2],
        [backward, traced]: [[F; 2]; 2],
    ) -> F {
        let group = Group::new(at);
        let back = from.positions(group, backward);
        match self.how {
            MomentumStep::SemiLagrangian(Scheme::Cubic) => {
                let [x, y] = back.part;
                let weights = [weights(Curve::Lagrange, x), weights(Curve::Lagrange, y)];
                bicubic(from.taps(&back), Curve::Lagrange, weights, None)
            }
            MomentumStep::SemiLagrangian(_) => clamped(from.bilinear(&back)),
            MomentumStep::MacCormack(..) => {
                let again = advected.bilinear(&advected.positions(group, traced));
                maccormack(own, from.taps(&back), again, back.on_lines().then_some(back.part))
            }
        }
    }
}

/// Displacements of horizontal faces: the mean of those of the cells below and above; at an edge (not `inner`) the
/// extrapolation from the two cells next to it.
#[inline(always)]
fn between_rows<F: Floats>(inner: bool, first: &[f32], second: &[f32]) -> F {
    if inner {
        return mean(first, second);
    }
    let (first, second) = (read::<F>(first), read(second));
    first.add(F::splat(0.5).mul(first.sub(second)))
}

/// Displacements of the `len` vertical faces from column `x0` on, from those of their row of cells.
#[inline(always)]
fn between_columns<F: Floats>(x_axis: Axis, [x0, len]: [usize; 2], here: &[f32]) -> F {
    let columns = here.len();
    if x0 > 0 && x0 + len <= columns {
        return mean(&here[x0 - 1..x0 - 1 + len], &here[x0..x0 + len]);
    }
    let mut to = [0.0; WIDTH];
    for (l, to) in to[..len].iter_mut().enumerate() {
        let [first, second] = x_axis.cells_at_face((x0 + l) as i32);
        let (first, second) = (here[first], here[second]);
        let inner = x_axis.wraps() || (x0 + l > 0 && x0 + l < columns);
        *to = if inner { 0.5 * (first + second) } else { extrapolated(first, second) };
    }
    F::load(&to)
}
