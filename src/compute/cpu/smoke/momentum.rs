//! Carrying velocity: each value comes from where the wind blew it from.
//!
//! Faces look back halfway between the cells at them. A band of rows looks from its cells first and carries its faces at once,
//! so that looks ahead never reach the memory, and looks back only for what the cells carry.

use super::super::Cpu;
use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::backtrace::{AHEAD, Backtrace};
use super::band::{Kernel, work};
use super::operands::{Curve, Domain, Faces, FieldKind};
use super::rows::{self, FaceRows, Out, face_rows};
use super::sample::{Field, Group, ask, bounded, corrected, curved, groups, mean, read, weights, write};
use super::slip::Looked;
use crate::sim::smoke::settings::Scheme;

/// Displacements of the cells' looks, along x and along y.
pub(super) type Look<'a> = [&'a [f32]; 2];

/// Cells of a band.
const CELLS: usize = 32768;

/// How velocity is carried.
#[derive(Clone, Copy)]
pub(super) enum MomentumStep<'a> {
    /// Bilinear, or with the cubic; the looks back are kept.
    SemiLagrangian(Scheme),
    /// MacCormack's second half, after the bilinear first: where that came to, and its looks back.
    MacCormack(Faces<&'a [f32]>, Look<'a>),
}

/// Carrying both kinds of faces.
pub(super) struct AdvectFaces<'a> {
    cells: [Axis; 2],
    on: [[Axis; 2]; 2],
    /// From the cells: back where velocity is carried, ahead where it is corrected.
    looking: Backtrace<'a>,
    from: Faces<&'a [f32]>,
    how: MomentumStep<'a>,
}

/// Rows of faces, and of the looks back that are kept.
pub(super) struct Rows<'a> {
    faces: FaceRows<'a>,
    back: Option<[&'a mut [f32]; 2]>,
}

impl<'a> AdvectFaces<'a> {
    /// Velocity `from`, along the wind of `looking`.
    pub fn new<P: Copy>(
        ground: &Domain<P>,
        looking: Backtrace<'a>,
        from: Faces<&'a [f32]>,
        how: MomentumStep<'a>,
    ) -> Self {
        let axes = |lattice| Axis::both(ground, lattice);
        AdvectFaces { cells: axes(FieldKind::Cell), on: [axes(FieldKind::U), axes(FieldKind::V)], looking, from, how }
    }

    /// Carries all of them.
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
        cpu.each(pieces, |rows| work(cpu.isa, self, rows));
    }
}

/// Looks of rows of cells that are in hand.
struct Ring<'a, 'b, F: Floats> {
    looking: &'a Backtrace<'b>,
    fields: [Field<'b, F>; 2],
    rows: rows::Ring<[Vec<f32>; 2]>,
}

impl<'a, 'b, F: Floats> Ring<'a, 'b, F> {
    #[inline(always)]
    fn new(looking: &'a Backtrace<'b>, width: usize) -> Self {
        let rows = rows::Ring::new(|| [vec![0.0; width], vec![0.0; width]]);
        Ring { looking, fields: looking.fields(), rows }
    }

    /// Where a row stands; looks from it, if it is not in hand.
    #[inline(always)]
    fn row(&mut self, y: usize) -> usize {
        self.rows.row(
            y,
            #[inline(always)]
            |[along, across]| self.looking.row(&self.fields, y, along, across),
        )
    }

    /// Of a row in hand.
    #[inline(always)]
    fn offsets(&self, slot: usize) -> Look<'_> {
        let [along, across] = self.rows.at(slot);
        [along, across]
    }
}

/// Five of a row's groups, from two places back to two places on; beyond an edge the last inside, or wrapped.
#[inline(always)]
fn along<F: Floats>(axis: Axis, row: &[f32], [x0, len]: [usize; 2]) -> [F; 5] {
    let mut all = [0.0; WIDTH + 4];
    let inner = x0.checked_sub(2).and_then(|first| row.get(first..)).and_then(|rest| rest.first_chunk());
    if inner.is_none() {
        for (l, value) in all[..len + 4].iter_mut().enumerate() {
            *value = row[axis.near(x0 as i32 + l as i32 - 2)];
        }
    }
    let all: &[f32; WIDTH + 4] = inner.unwrap_or(&all);
    [read(&all[..WIDTH]), read(&all[1..]), read(&all[2..]), read(&all[3..]), read(&all[4..])]
}

/// What is left, so far on, of what alternates from place to place.
#[inline(always)]
fn still<F: Floats>(by: F) -> F {
    let size = by.greatest(F::splat(0.0).sub(by));
    F::splat(1.0).sub(size.add(size)).greatest(F::splat(0.0))
}

/// Half of what of the middle of five values in a row alternates with those beside it: of a quarter of its second difference,
/// or of as much of it as theirs have the other way. 0 where the values turn the same way, or only turn once.
#[inline(always)]
fn alternating<F: Floats>([a, b, c, d, e]: [F; 5]) -> F {
    let (below, here, above) = (turn(a, b, c), turn(b, c, d), turn(c, d, e));
    let none = F::splat(0.0);
    let up = here.least(none.sub(below).least(none.sub(above))).greatest(none);
    let down = here.greatest(none.sub(below).greatest(none.sub(above))).least(none);
    F::splat(0.125).mul(up.add(down))
}

/// Second difference, of a peak above 0.
#[inline(always)]
fn turn<F: Floats>(a: F, b: F, c: F) -> F {
    b.add(b).sub(a.add(c))
}

/// Half a cell beyond the first of two.
#[inline(always)]
fn beyond(first: f32, second: f32) -> f32 {
    first + 0.5 * (first - second)
}

/// Velocity to look up, of each kind of faces.
struct Fields<'a, F> {
    from: [Field<'a, F>; 2],
    /// Where it came to, if that is corrected.
    there: [Field<'a, F>; 2],
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
            there: [Field::new(on_u, on_u, self.there(0)), Field::new(on_v, on_v, self.there(1))],
        };
        let mut ring = Ring::<F>::new(&self.looking, width);
        let (out, mut line) = (Out::new([width, height]), vec![0.0; width + 1]);
        let above = usize::from(first + count == height);
        for (row, to) in v.chunks_exact_mut(width).enumerate().take(count + above) {
            let y = first + row;
            let [low, high] = self.cells[1].beside(y as i32);
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
    /// A row of vertical faces, from the offsets of its cells.
    #[inline(always)]
    fn row_of_u<F: Floats>(&self, fields: &Fields<'_, F>, y: usize, here: Look<'_>, to: &mut [f32]) {
        let across = self.cells[0];
        let width = across.values as usize;
        let rows = self.five_rows(0, y);
        for (x0, len) in groups(width + 1) {
            let ends = [between_columns(across, [x0, len], here[0]), between_columns(across, [x0, len], here[1])];
            let behind = match self.how {
                MomentumStep::MacCormack(_, [along, over]) => [
                    between_columns(across, [x0, len], &along[y * width..(y + 1) * width]),
                    between_columns(across, [x0, len], &over[y * width..(y + 1) * width]),
                ],
                MomentumStep::SemiLagrangian(_) => ends,
            };
            let at = y * (width + 1) + x0;
            self.ask(0, AHEAD * (width + 1) + at);
            let there = &self.there(0)[at..at + len];
            let own = [read(&rows[2][x0..x0 + len]), self.first_half(0, &rows, there, [x0, len], behind)];
            let value = self.value([&fields.from[0], &fields.there[0]], [x0, y], own, [behind, ends]);
            let value = self.along_walls(0, &fields.from[0], [x0, y], len, [behind, ends], value);
            write(value, &mut to[x0..x0 + len]);
        }
    }

    /// A row of horizontal faces, from the offsets of two rows of cells: those at it, or the two next to an edge.
    #[inline(always)]
    fn row_of_v<F: Floats>(&self, fields: &Fields<'_, F>, y: usize, [below, above]: [Look<'_>; 2], to: &mut [f32]) {
        let up = self.cells[1];
        let width = to.len();
        let [low, high] = up.beside(y as i32);
        let inner = up.wraps() || (y > 0 && y < up.values as usize);
        let rows = self.five_rows(1, y);
        for (x0, len) in groups(width) {
            let ends = [
                between_rows(inner, &below[0][x0..x0 + len], &above[0][x0..x0 + len]),
                between_rows(inner, &below[1][x0..x0 + len], &above[1][x0..x0 + len]),
            ];
            let at = y * width + x0;
            self.ask(1, AHEAD * width + at);
            let behind = match self.how {
                MomentumStep::MacCormack(_, [along, over]) => {
                    let (low, high) = (low * width + x0, high * width + x0);
                    ask(along, width + at);
                    ask(over, width + at);
                    [
                        between_rows(inner, &along[low..low + len], &along[high..high + len]),
                        between_rows(inner, &over[low..low + len], &over[high..high + len]),
                    ]
                }
                MomentumStep::SemiLagrangian(_) => ends,
            };
            let there = &self.there(1)[at..at + len];
            let own = [read(&rows[2][x0..x0 + len]), self.first_half(1, &rows, there, [x0, len], behind)];
            let value = self.value([&fields.from[1], &fields.there[1]], [x0, y], own, [behind, ends]);
            let value = self.along_walls(1, &fields.from[1], [x0, y], len, [behind, ends], value);
            write(value, &mut to[x0..x0 + len]);
        }
    }

    /// The values of a group of faces along `axis`, without what is in walls along which air slips.
    #[inline(always)]
    fn along_walls<F: Floats>(
        &self,
        axis: usize,
        field: &Field<'_, F>,
        [x0, y]: [usize; 2],
        len: usize,
        offsets: [[F; 2]; 2],
        value: F,
    ) -> F {
        let Some(slippery) = &self.looking.slippery else { return value };
        let group = Group::new([x0, y]);
        let back = Looked::new(&field.places(group, offsets[0]));
        let ahead = Looked::new(&field.places(group, offsets[1]));
        let corrected = matches!(self.how, MomentumStep::MacCormack(..));
        let near = slippery.near(&back, len) || (corrected && slippery.near(&ahead, len));
        if !near {
            return value;
        }
        let mut to = [0.0; WIDTH];
        value.store(&mut to);
        let from = if axis == 0 { self.from.u } else { self.from.v };
        let at = y * self.on[axis][0].values as usize + x0;
        match self.how {
            MomentumStep::SemiLagrangian(scheme) => {
                slippery.leave_out(axis, &back, scheme == Scheme::Cubic, from, &from[at..at + len], &mut to);
            }
            MomentumStep::MacCormack(..) => {
                slippery.leave_alone(axis, [&back, &ahead], &self.there(axis)[at..at + len], &mut to);
            }
        }
        F::load(&to)
    }

    /// Where MacCormack's first half came to; what there was, before it.
    #[inline(always)]
    fn there(&self, axis: usize) -> &[f32] {
        let faces = match self.how {
            MomentumStep::SemiLagrangian(_) => self.from,
            MomentumStep::MacCormack(there, _) => there,
        };
        if axis == 0 { faces.u } else { faces.v }
    }

    /// Of faces of one kind, a row, those of the two rows below it and those of the two above.
    #[inline(always)]
    fn five_rows(&self, axis: usize, y: usize) -> [&[f32]; 5] {
        let on = self.on[axis];
        let columns = on[0].values as usize;
        let from = if axis == 0 { self.from.u } else { self.from.v };
        let mut rows = [from; 5];
        for (up, row) in rows.iter_mut().enumerate() {
            let first = on[1].near(y as i32 + up as i32 - 2) * columns;
            *row = &from[first..first + columns];
        }
        rows
    }

    /// Where MacCormack's first half came to, less what alternates from face to face in five `rows`, of a group.
    #[inline(always)]
    fn first_half<F: Floats>(
        &self,
        axis: usize,
        rows: &[&[f32]; 5],
        there: &[f32],
        [x0, len]: [usize; 2],
        back: [F; 2],
    ) -> F {
        let there: F = read(there);
        if matches!(self.how, MomentumStep::SemiLagrangian(_)) {
            return there;
        }
        let mut across: [F; 5] = [there; 5];
        for (across, row) in across.iter_mut().zip(rows) {
            *across = read(&row[x0..x0 + len]);
        }
        let along = along::<F>(self.on[axis][0], rows[2], [x0, len]);
        let stays = still(back[0]).mul(still(back[1]));
        there.sub(stays.mul(alternating(along).add(alternating(across))))
    }

    /// Asks for what is read before long.
    #[inline(always)]
    fn ask(&self, axis: usize, at: usize) {
        ask(if axis == 0 { self.from.u } else { self.from.v }, at);
        if matches!(self.how, MomentumStep::MacCormack(..)) {
            ask(self.there(axis), at);
        }
    }

    /// A group of faces: velocity and where it came to; what was at the faces of both; offsets back and ahead.
    #[inline(always)]
    fn value<F: Floats>(
        &self,
        [from, there]: [&Field<'_, F>; 2],
        at: [usize; 2],
        own: [F; 2],
        [back, ahead]: [[F; 2]; 2],
    ) -> F {
        let group = Group::new(at);
        let back = from.places(group, back);
        match self.how {
            MomentumStep::SemiLagrangian(Scheme::Cubic) => {
                let [x, y] = back.part;
                let by = [weights(Curve::Lagrange, x), weights(Curve::Lagrange, y)];
                curved(from.around(&back), Curve::Lagrange, by, None)
            }
            MomentumStep::SemiLagrangian(_) => bounded(from.bilinear(&back)),
            MomentumStep::MacCormack(..) => {
                let again = there.bilinear(&there.places(group, ahead));
                corrected(own, from.around(&back), again, back.on_lines().then_some(back.part))
            }
        }
    }
}

/// Displacements of horizontal faces, from those of the cells below and above them, or of the two cells next to an edge.
#[inline(always)]
fn between_rows<F: Floats>(inner: bool, first: &[f32], second: &[f32]) -> F {
    if inner {
        return mean(first, second);
    }
    let (first, second) = (read::<F>(first), read(second));
    first.add(F::splat(0.5).mul(first.sub(second)))
}

/// Displacements of vertical faces, from those of a row of cells.
#[inline(always)]
fn between_columns<F: Floats>(across: Axis, [x0, len]: [usize; 2], here: &[f32]) -> F {
    let columns = here.len();
    if x0 > 0 && x0 + len <= columns {
        return mean(&here[x0 - 1..x0 - 1 + len], &here[x0..x0 + len]);
    }
    let mut to = [0.0; WIDTH];
    for (l, to) in to[..len].iter_mut().enumerate() {
        let [first, second] = across.beside((x0 + l) as i32);
        let (first, second) = (here[first], here[second]);
        let inner = across.wraps() || (x0 + l > 0 && x0 + l < columns);
        *to = if inner { 0.5 * (first + second) } else { beyond(first, second) };
    }
    F::load(&to)
}
