//! The dye of a flow map, or of two of which one fades. Formula: `Operation::ReadMap`. GPU: `read_map.wgsl`; reference:
//! `tests/reference/flow_map.rs`.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use std::ops::Range;

use super::super::Cpu;
use super::super::lanes::floats::{Floats, WIDTH};
use super::advect::{Dyes, Taps, load_dye, quad_fractions, quad_weights, store_dye};
use super::axis::Axis;
use super::band::{Band, Pass};
use super::occupied::OccupiedSpans;
use super::operands::{Curve, FieldKind};
use super::plane::Plane;
use super::sample::{Field, Group, Positions, bicubic, clamped, groups, weights};
use crate::sim::fluid::Fields;
use crate::sim::fluid::flow_map::{FlowMap, READING, READING_MAX, STRETCHED};

/// A flow map with the values of its fields.
#[derive(Clone, Copy)]
pub(super) struct MapPlanes<'a> {
    map: &'a [[f32; 4]],
    base: &'a [[f32; 4]],
    residual: &'a [[f32; 4]],
    scale: f32,
    shift: [i32; 2],
    /// The columns that have dye, of the base and of the residual.
    base_spans: &'a OccupiedSpans,
    residual_spans: &'a OccupiedSpans,
}

impl<'a> MapPlanes<'a> {
    pub fn new(cpu: &Cpu, fields: &'a Fields<Plane>, of: FlowMap, columns: usize) -> Self {
        let [map, base, residual] = [of.map, of.base, of.residual].map(|id| fields.get(id));
        let spans = |plane: &'a Plane| plane.spans(cpu, columns, FieldKind::Dye.components());
        MapPlanes {
            map: bytemuck::cast_slice(map),
            base: bytemuck::cast_slice(base),
            residual: bytemuck::cast_slice(residual),
            scale: of.scale,
            shift: of.shift,
            base_spans: spans(base),
            residual_spans: spans(residual),
        }
    }
}

/// Reads the dye of maps.
pub(super) struct ReadMap<'a> {
    pub cells: [Axis; 2],
    pub map: MapPlanes<'a>,
    /// The map that fades, and the share of the other.
    pub fading: Option<(MapPlanes<'a>, f32)>,
}

/// Sample positions of a group of cells.
struct Places<F> {
    /// Displacement along each axis.
    at: [F; 2],
    survival: F,
}

/// The map's gradient around the cells of a group, where it is stretched.
struct Stretch {
    /// Gradient of x and y along x, then along y; 0 in the other cells.
    gradient: [[f32; WIDTH]; 4],
    /// A bit for each four cells, set where one of them is stretched.
    quads: u32,
}

/// Returns the columns of each row that may have dye.
impl Pass for ReadMap<'_> {
    type Output = Vec<Range<usize>>;

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) -> Vec<Range<usize>> {
        let columns = self.cells[0].values as usize;
        let field = Field::<F>::new(self.cells, self.cells, &[]);
        let to: &mut [[f32; 4]] = bytemuck::cast_slice_mut(band.one);
        let mut spans = Vec::with_capacity(band.rows);
        for (row, to) in to.chunks_exact_mut(columns).enumerate() {
            let y = band.first + row;
            let mut span = 0..0;
            for (x0, len) in groups(columns) {
                let mut occupied = false;
                let mut dye = self.dye(&field, &self.map, [x0, y], len, &mut occupied);
                if let Some((fading, share)) = &self.fading {
                    let old = self.dye(&field, fading, [x0, y], len, &mut occupied);
                    for quad in 0..4 {
                        dye[quad] = old[quad].lerp(dye[quad], F::splat(*share));
                    }
                }
                store_dye(dye, &mut to[x0..x0 + len]);
                if occupied {
                    span = if span.is_empty() { x0..x0 + len } else { span.start..x0 + len };
                }
            }
            spans.push(span);
        }
        F::settle();
        spans
    }
}

impl ReadMap<'_> {
    /// Reads the dye of all cells.
    pub fn run(&self, cpu: &Cpu, rows: usize, to: &mut Plane) {
        let spans = cpu.pass(rows, to, &mut [], self);
        to.set_spans(OccupiedSpans::from_rows(spans.into_iter().flatten()));
    }

    /// The dye of a map in a group of cells; sets `occupied` where some of it can be nonzero.
    #[inline(always)]
    fn dye<F: Floats>(
        &self,
        field: &Field<'_, F>,
        of: &MapPlanes<'_>,
        [x0, y]: [usize; 2],
        len: usize,
        occupied: &mut bool,
    ) -> Dyes<F> {
        let columns = self.cells[0].values as usize;
        let first = y * columns + x0;
        let row = of.residual_spans.row(y);
        let has_residual = x0 < row.end && row.start < x0 + len;
        let zero = F::splat(0.0);
        let mut dye = [zero; 4];
        if has_residual {
            dye = load_dye(of.residual, first, len);
            // −0 becomes +0, as where the base is read.
            for quad in 0..4 {
                dye[quad] = zero.add(dye[quad]);
            }
        }
        let places = places::<F>(&of.map[first..first + len]);
        let group = || Group::at([x0 as i32 + of.shift[0], y as i32 + of.shift[1]]);
        let positions = field.positions(group(), places.at);
        let has_base = self.has_base(of, &positions);
        if has_base {
            let stretch = self.stretch(of.map, [x0, y], len);
            let mut read = self.read(of.base, &positions, None);
            if stretch.quads != 0 {
                let mut sums = [read; 2];
                for (nth, [x, y]) in
                    [[-READING, -READING], [READING, -READING], [-READING, READING], [READING, READING]]
                        .into_iter()
                        .enumerate()
                {
                    let positions = field.positions(group(), stretch.offset(&places, [x, y]));
                    let more = self.read(of.base, &positions, Some(stretch.quads));
                    for quad in 0..4 {
                        let sum = &mut sums[nth / 2][quad];
                        *sum = if nth % 2 == 0 { more[quad] } else { sum.add(more[quad]) };
                    }
                }
                for quad in 0..4 {
                    if stretch.quads & (1 << quad) != 0 {
                        read[quad] = sums[0][quad].add(sums[1][quad]).mul(F::splat(0.25));
                    }
                }
            }
            let factor = places.survival.mul(F::splat(of.scale));
            for quad in 0..4 {
                dye[quad] = clamped(read[quad].mul(factor.each_four_times(quad)).add(dye[quad]));
            }
        }
        *occupied |= has_residual | has_base;
        dye
    }

    /// Whether the base has dye around the positions.
    #[inline(always)]
    fn has_base<F: Floats>(&self, of: &MapPlanes<'_>, positions: &Positions<F>) -> bool {
        let [x, y] = positions.indices();
        let mut bounds = [[i32::MAX, i32::MIN]; 2];
        for l in 0..WIDTH {
            bounds[0] = [bounds[0][0].min(x[l]), bounds[0][1].max(x[l])];
            bounds[1] = [bounds[1][0].min(y[l]), bounds[1][1].max(y[l])];
        }
        let near = bounds.map(|[low, high]| [low.saturating_sub(NEAR), high.saturating_add(NEAR)]);
        for axis in 0..2 {
            if self.cells[axis].wraps() && (near[axis][0] < 0 || near[axis][1] >= self.cells[axis].values) {
                return true;
            }
        }
        let [left, right] = near[0].map(|x| self.cells[0].nearest(x));
        let [bottom, top] = near[1].map(|y| self.cells[1].nearest(y));
        for y in bottom..=top {
            let row = of.base_spans.row(y);
            if left < row.end && row.start <= right {
                return true;
            }
        }
        false
    }

    /// The base at positions; where `quads` is given, only those of its quads, and 0 in the others.
    #[inline(always)]
    fn read<F: Floats>(&self, base: &[[f32; 4]], positions: &Positions<F>, quads: Option<u32>) -> Dyes<F> {
        let taps = Taps::<F, 4>::new(self.cells, base, positions);
        let all = [weights(Curve::CatmullRom, positions.part[0]), weights(Curve::CatmullRom, positions.part[1])];
        let on_lines = positions.on_lines();
        let mut read = [F::splat(0.0); 4];
        for quad in 0..4 {
            if quads.is_none_or(|quads| quads & (1 << quad) != 0) {
                let at = quad_fractions(positions, quad, on_lines);
                read[quad] = bicubic(taps.quad(quad), Curve::CatmullRom, quad_weights(all, quad), at);
            }
        }
        read
    }

    /// The stretch of a map at a group of cells.
    #[inline(always)]
    fn stretch(&self, map: &[[f32; 4]], [x0, y]: [usize; 2], len: usize) -> Stretch {
        let [across, up] = self.cells;
        let columns = across.values as usize;
        let (below, above, along_y) = neighbours(up, y);
        let rows = [below, y, above].map(|y| &map[y * columns..][..columns]);
        let mut gradient = [[0.0; WIDTH]; 4];
        if x0 > 0 && x0 + len < columns {
            for l in 0..len {
                let x = x0 + l;
                let four = [rows[1][x - 1], rows[1][x + 1], rows[0][x], rows[2][x]];
                let of = gradient_of(four, [0.5, along_y]);
                for part in 0..4 {
                    gradient[part][l] = of[part];
                }
            }
        } else {
            for l in 0..len {
                let x = x0 + l;
                let (left, right, along_x) = neighbours(across, x);
                let of = gradient_of([rows[1][left], rows[1][right], rows[0][x], rows[2][x]], [along_x, along_y]);
                for part in 0..4 {
                    gradient[part][l] = of[part];
                }
            }
        }
        let mut quads = 0;
        for l in 0..len {
            let [xx, yx, xy, yy] = [gradient[0][l], gradient[1][l], gradient[2][l], gradient[3][l]];
            let stretched = (xx * xx + yx * yx) + (xy * xy + yy * yy) > STRETCHED;
            quads |= u32::from(stretched) << (l / 4);
            for part in 0..4 {
                gradient[part][l] = if stretched { gradient[part][l] } else { 0.0 };
            }
        }
        Stretch { gradient, quads }
    }
}

/// Columns and rows on each side of a sample position that its readings can take: those of the stencil, and of the
/// distance of a reading in a stretched cell.
const NEAR: i32 = 2 + READING_MAX as i32 + 1;

impl Stretch {
    /// The displacements to one of the four readings.
    #[inline(always)]
    fn offset<F: Floats>(&self, places: &Places<F>, [x, y]: [f32; 2]) -> [F; 2] {
        let [xx, yx, xy, yy] = [0, 1, 2, 3].map(|part| F::load(&self.gradient[part]));
        let (x, y) = (F::splat(x), F::splat(y));
        let (low, high) = (F::splat(-READING_MAX), F::splat(READING_MAX));
        let limited = |offset: F| offset.greatest(low).least(high);
        [places.at[0].add(limited(xx.mul(x).add(xy.mul(y)))), places.at[1].add(limited(yx.mul(x).add(yy.mul(y))))]
    }
}

/// Displacements and survival of a group of cells.
#[inline(always)]
fn places<F: Floats>(map: &[[f32; 4]]) -> Places<F> {
    let mut parts = [[0.0; WIDTH]; 3];
    for (l, cell) in map.iter().enumerate() {
        for part in 0..3 {
            parts[part][l] = cell[part];
        }
    }
    Places { at: [F::load(&parts[0]), F::load(&parts[1])], survival: F::load(&parts[2]) }
}

/// The indices before and after one along an axis, and one over their distance.
#[inline(always)]
fn neighbours(axis: Axis, at: usize) -> (usize, usize, f32) {
    let [low, high] = [-1, 1].map(|by| axis.nearest(at as i32 + by));
    let whole = axis.wraps() || (at > 0 && at + 1 < axis.values as usize);
    (low, high, if whole { 0.5 } else { 1.0 })
}

/// The gradient of the position in the base, from the map left, right, below and above, and one over the distances.
#[inline(always)]
fn gradient_of([left, right, below, above]: [[f32; 4]; 4], [x, y]: [f32; 2]) -> [f32; 4] {
    [
        1.0 + (right[0] - left[0]) * x,
        (right[1] - left[1]) * x,
        (above[0] - below[0]) * y,
        1.0 + (above[1] - below[1]) * y,
    ]
}
