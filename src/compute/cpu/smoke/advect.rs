//! Advection of cell-centred fields, dye and temperature: semi-Lagrangian (bilinear or bicubic), or the second half of
//! MacCormack. Formulas: `Operation::AdvectScalars` and `Operation::CorrectScalars`. GPU: `advect.wgsl`,
//! `maccormack.wgsl`; reference: `tests/reference/transport.rs`.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use std::ops::Range;

use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::band::{Band, Pass};
use super::momentum::CellDisplacements;
use super::obstacles::Obstacles;
use super::occupied::{OccupiedSpans, max_displacement};
use super::operands::{Advection, Curve, Forces};
use super::sample::{
    Field, Group, Positions, bicubic, bilinear, bilinear_without, clamped, groups, maccormack, prefetch_at, read,
    taps_at, weighted, weights, write,
};
use super::value::Value;
use crate::sim::smoke::settings::Scheme;

/// A field to be advected.
#[derive(Clone, Copy)]
pub(super) struct AdvectedField<'a, V> {
    pub from: &'a [V],
    /// The result of the bilinear first half of MacCormack, for the second half; else `None`.
    pub advected: Option<&'a [V]>,
}

/// Advection of the dye and the temperature along the same displacements.
pub(super) struct AdvectCells<'a> {
    /// Axes of the cells.
    pub cells: [Axis; 2],
    pub advection: Advection,
    /// Backward displacements.
    pub back: CellDisplacements<'a>,
    /// Forward displacements, for the second half of MacCormack.
    pub ahead: Option<CellDisplacements<'a>>,
    pub dye: AdvectedField<'a, [f32; 4]>,
    pub temperature: Option<AdvectedField<'a, f32>>,
    pub obstacles: Option<Obstacles<'a>>,
    /// Whether this is the last pass over the field, which applies dissipation and cooling.
    pub decays: bool,
    /// The columns that have nonzero values in one of the fields; `None` on a grid that wraps.
    pub spans: Option<&'a OccupiedSpans>,
}

/// Number of rows by which the prefetch of dye precedes its use.
const ROWS: usize = 5;

/// Columns and rows of a bicubic stencil on each side of a sample position.
const TAPS: usize = 2;

/// Dye of sixteen cells: four vectors of four cells.
pub(super) type Dyes<F> = [F; 4];

/// Interpolations. Each is compiled into its own loop over rows: in a common loop the bilinear one took 1.6 times as
/// long.
const BILINEAR: u8 = 0;
const CUBIC: u8 = 1;
const CORRECTED: u8 = 2;

/// Returns the columns of each row that may now be nonzero.
impl Pass for AdvectCells<'_> {
    type Output = Vec<Range<usize>>;

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) -> Vec<Range<usize>> {
        match (self.ahead, self.curve()) {
            (Some(_), _) => self.rows::<F, CORRECTED>(band),
            (None, Some(_)) => self.rows::<F, CUBIC>(band),
            (None, None) => self.rows::<F, BILINEAR>(band),
        }
    }
}

impl AdvectCells<'_> {
    #[inline(always)]
    fn rows<F: Floats, const INTERPOLATION: u8>(&self, band: Band<'_>) -> Vec<Range<usize>> {
        let columns = self.cells[0].values as usize;
        let field = self.temperature.map(|field_of| Field::<F>::new(self.cells, self.cells, field_of.from));
        let advected = self.temperature.and_then(|field_of| field_of.advected);
        let advected = advected.map(|advected| Field::<F>::new(self.cells, self.cells, advected));
        // All cell-centred fields have the same sample positions.
        let any = Field::<F>::new(self.cells, self.cells, &[]);
        let mut spans = Vec::with_capacity(band.rows);
        for row in 0..band.rows {
            let span = self.span(band.first + row);
            for (x0, len) in groups(columns) {
                let to = row * columns + x0..row * columns + x0 + len;
                if x0 + len <= span.start || span.end <= x0 {
                    let dye: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut *band.one);
                    store_dye([F::splat(0.0); 4], &mut dye[to.clone()]);
                    if field.is_some() {
                        band.two[to].fill(0.0);
                    }
                    continue;
                }
                let at = [x0, band.first + row];
                let first = at[1] * columns + x0;
                self.prefetch_at(first);
                let back = self.positions(&any, first, at, len, self.back);
                let ahead = match self.ahead {
                    Some(displacements) => Some(self.positions(&any, first, at, len, displacements)),
                    None => None,
                };
                let group = CellGroup::<F, INTERPOLATION> {
                    kernel: self,
                    first,
                    len,
                    back: &back,
                    ahead: ahead.as_ref(),
                    solid: None,
                };
                let group = CellGroup { solid: group.solid_near(), ..group };
                let dye: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut *band.one);
                group.dye(&mut dye[to.clone()]);
                if let Some(field) = &field {
                    group.temperature(field, advected.as_ref(), &mut band.two[to]);
                }
            }
            spans.push(span);
        }
        F::settle();
        spans
    }

    /// The columns of a row whose results can be nonzero: in every scheme the result is +0 where all taps are +0.
    #[inline(always)]
    fn span(&self, y: usize) -> Range<usize> {
        let columns = self.cells[0].values as usize;
        let Some(spans) = self.spans else { return 0..columns };
        let row = y * columns..(y + 1) * columns;
        let mut far = [max_displacement(&self.back[0][row.clone()]), max_displacement(&self.back[1][row.clone()])];
        if let Some([x, y]) = self.ahead {
            far = [far[0].max(max_displacement(&x[row.clone()])), far[1].max(max_displacement(&y[row]))];
        }
        spans.dilated_row(y, [far[0] + TAPS, far[1] + TAPS], columns)
    }

    /// Prefetches the dye and the displacements of the cells some rows above the cell `at`.
    #[inline(always)]
    fn prefetch_at(&self, at: usize) {
        let columns = self.cells[0].values as usize;
        let dye: &[f32] = bytemuck::cast_slice(self.dye.from);
        for line in 0..4 {
            prefetch_at(dye, 4 * (at + ROWS * columns) + line * WIDTH);
        }
        for displacements in self.back {
            prefetch_at(displacements, at + columns);
        }
    }

    /// The sample positions of the `len` cells from the cell `first` on, which is at the column and row `at`.
    #[inline(always)]
    fn positions<F: Floats>(
        &self,
        any: &Field<'_, F>,
        first: usize,
        at: [usize; 2],
        len: usize,
        [x, y]: CellDisplacements<'_>,
    ) -> Positions<F> {
        any.positions(Group::new(at), [read(&x[first..first + len]), read(&y[first..first + len])])
    }

    /// The interpolant of the cubic scheme; `None` in the others.
    #[inline(always)]
    fn curve(&self) -> Option<Curve> {
        if self.advection.scheme == Scheme::Cubic { Some(Curve::CatmullRom) } else { None }
    }
}

/// A group of cells with its sample positions and the solids near them.
#[derive(Clone, Copy)]
struct CellGroup<'a, 'b, F: Floats, const INTERPOLATION: u8> {
    kernel: &'a AdvectCells<'b>,
    /// Index of the first cell.
    first: usize,
    len: usize,
    back: &'a Positions<F>,
    ahead: Option<&'a Positions<F>>,
    solid: Option<&'a [f32]>,
}

impl<F: Floats, const INTERPOLATION: u8> CellGroup<'_, '_, F, INTERPOLATION> {
    /// The solid cells, where a cell of the bicubic stencil around a sample position, or of the group, is solid or
    /// beyond a wrapped side.
    #[inline(always)]
    fn solid_near(&self) -> Option<&'_ [f32]> {
        let AdvectCells { obstacles, cells, .. } = self.kernel;
        let obstacles = obstacles.as_ref()?;
        let near = is_solid_near(obstacles, *cells, self.first, self.len, [Some(self.back), self.ahead]);
        if near { Some(obstacles.solid) } else { None }
    }

    #[inline(always)]
    fn dye(&self, to: &mut [[f32; 4]]) {
        let AdvectCells { cells, dye: AdvectedField { from, advected }, advection, decays, .. } = *self.kernel;
        let mut result = match (advected, self.ahead) {
            (Some(advected), Some(ahead)) if INTERPOLATION == CORRECTED => {
                let again = bilinear_dye(cells, advected, ahead);
                let here = [load_dye(from, self.first, self.len), load_dye(advected, self.first, self.len)];
                let taps = Taps::<F, 2>::new(cells, from, self.back);
                let on_lines = self.back.on_lines();
                let mut result = again;
                for quad in 0..4 {
                    let at = quad_fractions(self.back, quad, on_lines);
                    result[quad] = maccormack([here[0][quad], here[1][quad]], taps.quad(quad), again[quad], at);
                }
                result
            }
            _ if INTERPOLATION == CUBIC => bicubic_dye(cells, from, self.back, Curve::CatmullRom),
            _ => {
                let mut result = bilinear_dye(cells, from, self.back);
                for quad in 0..4 {
                    result[quad] = clamped(result[quad]);
                }
                result
            }
        };
        if let Some(solid) = self.solid {
            let mut values = [[0.0; 4]; WIDTH];
            to_array(result, &mut values);
            self.around_solids(solid, self.kernel.dye, &mut values);
            result = load_dye(&values, 0, WIDTH);
        }
        if decays && advection.keep != 1.0 {
            for quad in 0..4 {
                result[quad] = result[quad].mul(F::splat(advection.keep));
            }
        }
        store_dye(result, to);
    }

    #[inline(always)]
    fn temperature(&self, field: &Field<'_, F>, advected: Option<&Field<'_, F>>, to: &mut [f32]) {
        let AdvectCells { temperature, advection, decays, .. } = *self.kernel;
        let Some(field_of) = temperature else { return };
        let here = self.first..self.first + self.len;
        let value = match (field_of.advected, advected, self.ahead) {
            (Some(plane), Some(advected), Some(ahead)) if INTERPOLATION == CORRECTED => {
                let again = advected.bilinear(ahead);
                let own = [read(&field_of.from[here.clone()]), read(&plane[here])];
                maccormack(own, field.taps(self.back), again, self.back.on_lines().then_some(self.back.part))
            }
            _ if INTERPOLATION == CUBIC => {
                let (curve, [x, y]) = (Curve::CatmullRom, self.back.part);
                let at = self.back.on_lines().then_some([x, y]);
                bicubic(field.taps(self.back), curve, [weights(curve, x), weights(curve, y)], at)
            }
            _ => clamped(field.bilinear(self.back)),
        };
        let mut values = [0.0; WIDTH];
        value.store(&mut values);
        if let Some(solid) = self.solid {
            self.around_solids(solid, field_of, &mut values);
        }
        if decays {
            for t in &mut values {
                *t -= advection.cooling * Forces::excess(*t, advection.ambient);
            }
        }
        // Cooling does not warm solid cells.
        if let Some(solid) = self.solid {
            for (t, solid) in values.iter_mut().zip(&solid[self.first..self.first + self.len]) {
                *t = if *solid > 0.0 { 0.0 } else { *t };
            }
        }
        to.copy_from_slice(&values[..to.len()]);
    }

    /// Recomputes values whose stencil has solid cells, without the solid cells. Values of solid cells become 0.
    fn around_solids<V: Value>(
        &self,
        solid: &[f32],
        AdvectedField { from, advected }: AdvectedField<'_, V>,
        to: &mut [V; WIDTH],
    ) {
        let cells = self.kernel.cells;
        let lane = |[x, y]: [[i32; WIDTH]; 2], l: usize| [x[l], y[l]];
        let part = |[x, y]: [[f32; WIDTH]; 2], l: usize| [x[l], y[l]];
        let back = (self.back.indices(), self.back.parts());
        let ahead = self.ahead.map(|ahead| (ahead.indices(), ahead.parts()));
        for (l, to) in to.iter_mut().enumerate().take(self.len) {
            let (place, part_back) = (lane(back.0, l), part(back.1, l));
            let taps: [[f32; 2]; 2] = weighted(taps_at(cells, solid, place), part_back);
            let at_solid = taps != [[0.0; 2]; 2];
            if let (Some(advected), Some(ahead)) = (advected, &ahead) {
                let ahead: [[f32; 2]; 2] = weighted(taps_at(cells, solid, lane(ahead.0, l)), part(ahead.1, l));
                if at_solid || ahead != [[0.0; 2]; 2] {
                    *to = advected[self.first + l];
                }
            } else if at_solid || (self.kernel.curve().is_some() && has_solid_tap(cells, solid, place, part_back)) {
                let value = bilinear_without(taps, taps_at(cells, from, place), part_back);
                *to = value.unwrap_or(from[self.first + l]).clamped();
            }
            if solid[self.first + l] > 0.0 {
                *to = V::ZERO;
            }
        }
    }
}

/// Whether a cell of the bicubic stencil around a sample position of a group, or of the group itself, is solid or beyond
/// a wrapped side.
#[inline(always)]
pub(super) fn is_solid_near<F: Floats>(
    obstacles: &Obstacles<'_>,
    cells: [Axis; 2],
    first: usize,
    len: usize,
    positions: [Option<&Positions<F>>; 2],
) -> bool {
    let columns = cells[0].values as usize;
    let [x, y] = [first % columns, first / columns].map(|at| at as i32);
    let mut bounds = [[x, x + len as i32], [y, y]];
    for positions in positions.into_iter().flatten() {
        for (bounds, index) in bounds.iter_mut().zip(positions.indices()) {
            for index in index {
                *bounds = [bounds[0].min(index), bounds[1].max(index)];
            }
        }
    }
    let [[left, right], [bottom, top]] = bounds;
    obstacles.near(cells, [[left - 1, right + 2], [bottom - 1, top + 2]])
}

/// Whether one of the sixteen taps of a bicubic sample has a weight and is solid.
pub(super) fn has_solid_tap(cells: [Axis; 2], solid: &[f32], place: [i32; 2], part: [f32; 2]) -> bool {
    let near: [[f32; 4]; 4] = weighted(taps_at(cells, solid, place), part);
    near != [[0.0; 4]; 4]
}

/// Fractions of the positions of a quad (four cells), each four times, for the four channels of the dye. `None` where
/// no position of the group lies on a grid line: then no fraction is 0, and [`maccormack`] does not need them.
#[inline(always)]
pub(super) fn quad_fractions<F: Floats>(positions: &Positions<F>, quad: usize, on_lines: bool) -> Option<[F; 2]> {
    let [x, y] = positions.part;
    if on_lines { Some([x.each_four_times(quad), y.each_four_times(quad)]) } else { None }
}

/// The dye of the `len` cells from `first` on; 0 in the lanes after them.
#[inline(always)]
pub(super) fn load_dye<F: Floats>(dye: &[[f32; 4]], first: usize, len: usize) -> Dyes<F> {
    let mut quads = [F::splat(0.0); 4];
    for (quad, values) in quads.iter_mut().enumerate() {
        let from = first + 4 * quad;
        let end = (first + len).min(from + 4);
        *values = read(bytemuck::cast_slice(&dye[from.min(end)..end]));
    }
    quads
}

/// Stores the dye of a group; stores of a whole group bypass the caches.
#[inline(always)]
pub(super) fn store_dye<F: Floats>(of: Dyes<F>, to: &mut [[f32; 4]]) {
    match to.as_chunks_mut::<4>() {
        (fours, []) if fours.len() == 4 => {
            for quad in 0..4 {
                of[quad].stream(bytemuck::cast_mut(&mut fours[quad]));
            }
        }
        _ => {
            let mut values = [[0.0; 4]; WIDTH];
            to_array(of, &mut values);
            to.copy_from_slice(&values[..to.len()]);
        }
    }
}

#[inline(always)]
pub(super) fn to_array<F: Floats>(of: Dyes<F>, to: &mut [[f32; 4]; WIDTH]) {
    let to: &mut [f32] = bytemuck::cast_slice_mut(to);
    for quad in 0..4 {
        write(of[quad], &mut to[WIDTH * quad..WIDTH * (quad + 1)]);
    }
}

/// The dye at the taps of sample positions.
pub(super) struct Taps<'a, F: Floats, const K: usize> {
    dye: &'a [[f32; 4]],
    cells: [Axis; 2],
    positions: [[i32; WIDTH]; 2],
    inside: u32,
    side_by_side: u32,
    kind: std::marker::PhantomData<F>,
}

impl<'a, F: Floats, const K: usize> Taps<'a, F, K> {
    #[inline(always)]
    pub fn new(cells: [Axis; 2], dye: &'a [[f32; 4]], positions: &Positions<F>) -> Self {
        let [x, y] = positions.index;
        Taps {
            dye,
            cells,
            positions: positions.indices(),
            inside: F::inside::<K>([cells[0].values, cells[1].values], x, y),
            side_by_side: F::side_by_side(x, y),
            kind: std::marker::PhantomData,
        }
    }

    /// Whether all taps of a quad are on the grid.
    #[inline(always)]
    pub fn is_inside(&self, quad: usize) -> bool {
        self.inside & (1 << quad) != 0
    }

    /// The taps of the four positions of a quad.
    #[inline(always)]
    pub fn quad(&self, quad: usize) -> [[F; K]; K] {
        let mut taps = [[F::splat(0.0); K]; K];
        let stride = self.cells[0].values as usize;
        let low = K as i32 / 2 - 1;
        let [x, y] = &self.positions;
        let from = |l: usize| (y[l] - low) as usize * stride + (x[l] - low) as usize;
        if !self.is_inside(quad) {
            let mut all = [[[[0.0; 4]; 4]; K]; K];
            taps_beyond_sides(self.cells, self.dye, [x, y].map(|index| &index[4 * quad..4 * quad + 4]), &mut all);
            for r in 0..K {
                for c in 0..K {
                    taps[r][c] = F::load(bytemuck::cast_ref(&all[r][c]));
                }
            }
        } else if self.side_by_side & (1 << quad) != 0 {
            taps = F::blocks(self.dye, from(4 * quad), stride);
        } else {
            let from = [from(4 * quad), from(4 * quad + 1), from(4 * quad + 2), from(4 * quad + 3)];
            taps = F::blocks_apart(self.dye, from, stride);
        }
        taps
    }
}

/// The taps of positions near an edge: some of them may be beyond it.
#[cold]
#[inline(never)]
fn taps_beyond_sides<const K: usize>(
    cells: [Axis; 2],
    dye: &[[f32; 4]],
    [x, y]: [&[i32]; 2],
    to: &mut [[[[f32; 4]; 4]; K]; K],
) {
    for l in 0..4 {
        let taps: [[[f32; 4]; K]; K] = taps_at(cells, dye, [x[l], y[l]]);
        for r in 0..K {
            for c in 0..K {
                to[r][c][l] = taps[r][c];
            }
        }
    }
}

/// Bilinear interpolation.
#[inline(always)]
fn bilinear_dye<F: Floats>(cells: [Axis; 2], dye: &[[f32; 4]], positions: &Positions<F>) -> Dyes<F> {
    let taps = Taps::<F, 2>::new(cells, dye, positions);
    let [x, y] = positions.part;
    let mut mixed = [x; 4];
    for quad in 0..4 {
        mixed[quad] = bilinear(taps.quad(quad), [x.each_four_times(quad), y.each_four_times(quad)]);
    }
    mixed
}

/// Bicubic interpolation.
#[inline(always)]
fn bicubic_dye<F: Floats>(cells: [Axis; 2], dye: &[[f32; 4]], positions: &Positions<F>, curve: Curve) -> Dyes<F> {
    let taps = Taps::<F, 4>::new(cells, dye, positions);
    let wxy = [weights(curve, positions.part[0]), weights(curve, positions.part[1])];
    let on_lines = positions.on_lines();
    let mut cubed = [wxy[0][0]; 4];
    for quad in 0..4 {
        let by = quad_weights(wxy, quad);
        cubed[quad] = bicubic(taps.quad(quad), curve, by, quad_fractions(positions, quad, on_lines));
    }
    cubed
}

/// The weights of the positions of a quad, each four times.
#[inline(always)]
pub(super) fn quad_weights<F: Floats>(weights: [[F; 4]; 2], quad: usize) -> [[F; 4]; 2] {
    let mut by = weights;
    for axis in 0..2 {
        for at in 0..4 {
            by[axis][at] = weights[axis][at].each_four_times(quad);
        }
    }
    by
}
