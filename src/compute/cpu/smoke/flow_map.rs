//! Dye by a flow map: advection of the map, and stamps on it. `read_map` reads the dye. Formulas: `Operation::AdvectMap`
//! and the next ones. GPU: `advect_map.wgsl`, `read_map.wgsl`, `stamp_map.wgsl`, `fill_solids.wgsl`; reference:
//! `tests/reference/flow_map.rs`.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use super::super::lanes::floats::{Floats, WIDTH};
use super::SmokeCpu;
use super::advect::{
    Dyes, Taps, has_solid_tap, is_solid_near, load_dye, quad_fractions, quad_weights, store_dye, to_array,
};
use super::axis::Axis;
use super::band::{Band, Pass};
use super::momentum::CellDisplacements;
use super::obstacles::Obstacles;
use super::operands::{Curve, FieldKind, Rectangle, Stamp, write, write_all};
use super::plane::Plane;
use super::read_map::{MapPlanes, ReadMap};
use super::sample::{
    Field, Group, Positions, bicubic_unclamped, bilinear_without, clamped, groups, limits, prefetch_at, read, taps_at,
    weighted, weights,
};
use super::transport::{domain, read_axes};
use super::value::clamped as clamped_value;
use crate::sim::fluid::flow_map::{FILLED, FlowMap};
use crate::sim::fluid::{Fields, Operation};

impl SmokeCpu<'_> {
    /// Runs an operation of a flow map; returns the name of its part of a step, for time measurements, or `None` where
    /// the operation is none of a flow map.
    pub(super) fn flow_map(&self, fields: &mut Fields<Plane>, operation: Operation<'_>) -> Option<&'static str> {
        match operation {
            Operation::AdvectMap { domain: of, backtrace, from, to } => write(fields, to, |fields, to| {
                let of = domain(fields, of);
                let advect = AdvectMap {
                    cells: Axis::both(&of, FieldKind::Cell),
                    back: read_axes(fields, backtrace),
                    from: bytemuck::cast_slice(fields.get(from)),
                    obstacles: of.solid.map(|solid| Obstacles::new(self.cpu, solid, of.width)),
                };
                self.cpu.pass(of.height, to, &mut [], &advect);
            }),
            Operation::ReadMap { domain: of, map, fading, to } => write(fields, to, |fields, to| {
                let of = domain(fields, of);
                let planes = |map: FlowMap| MapPlanes::new(self.cpu, fields, map, of.width);
                let read = ReadMap {
                    cells: Axis::both(&of, FieldKind::Cell),
                    map: planes(map),
                    fading: fading.map(|(map, share)| (planes(map), share)),
                };
                read.run(self.cpu, of.height, to);
            }),
            Operation::StampMap { domain: of, stamp, first, size, values, dye, map } => {
                write_all(fields, [map.map, map.residual], |fields, [map, residual]| {
                    let of = domain(fields, of);
                    let area = (first, size, &**fields.get(values));
                    self.stamp_map((of.width, of.solid), stamp, area, fields.get(dye), [map, residual]);
                });
            }
            Operation::FillSolids { domain: of, from, to } => write(fields, to, |fields, to| {
                let of = domain(fields, of);
                let (cells, from) = (Axis::both(&of, FieldKind::Cell), bytemuck::cast_slice(fields.get(from)));
                self.cpu.pass(of.height, to, &mut [], &FillSolids { cells, solid: of.solid, from });
            }),
            _ => return None,
        }
        Some("flow map")
    }

    fn stamp_map(
        &self,
        (columns, solid): (usize, Option<&[f32]>),
        stamp: Stamp,
        ([x, y, _], [width, height, _], values): ([usize; 3], [usize; 3], &[f32]),
        dye: &[f32],
        [map, residual]: [&mut Plane; 2],
    ) {
        let spans = residual.take_spans();
        let rows = dye.len() / (4 * columns.max(1));
        // The pass visits the rows under the stamp only, as fields.
        let [first, end] = [y, y + height].map(|y| y.min(rows) * columns);
        let stamped = StampMap {
            columns,
            fills_up: stamp == Stamp::FillUp,
            area: Rectangle { x, y: 0, width, height, values: bytemuck::cast_slice(values) },
            solid: solid.map(|solid| &solid[first..end]),
            dye: bytemuck::cast_slice(&dye[4 * first..4 * end]),
        };
        let touched = [&mut map[4 * first..4 * end], &mut residual[4 * first..4 * end]];
        self.cpu.pass_over((end - first) / columns.max(1), 8 * width, touched, &stamped);
        if let Some(mut spans) = spans {
            spans.add(x..(x + width).min(columns), y..y + height);
            residual.set_spans(spans);
        }
    }
}

/// Advection of a map.
struct AdvectMap<'a> {
    cells: [Axis; 2],
    /// Backward displacements.
    back: CellDisplacements<'a>,
    from: &'a [[f32; 4]],
    obstacles: Option<Obstacles<'a>>,
}

/// Number of rows by which the prefetch of the map precedes its use.
const ROWS: usize = 5;

impl Pass for AdvectMap<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let columns = self.cells[0].values as usize;
        let field = Field::<F>::new(self.cells, self.cells, &[]);
        let to: &mut [[f32; 4]] = bytemuck::cast_slice_mut(band.one);
        for (row, to) in to.chunks_exact_mut(columns).enumerate() {
            let y = band.first + row;
            for (x0, len) in groups(columns) {
                let first = y * columns + x0;
                self.prefetch_at(first);
                let [x, y_back] = self.back;
                let back = [read(&x[first..first + len]), read(&y_back[first..first + len])];
                let positions = field.positions(Group::new([x0, y]), back);
                store_dye(self.group::<F>(&positions, [x0, y], len), &mut to[x0..x0 + len]);
            }
        }
        F::settle();
    }
}

impl AdvectMap<'_> {
    #[inline(always)]
    fn prefetch_at(&self, at: usize) {
        let columns = self.cells[0].values as usize;
        let map: &[f32] = bytemuck::cast_slice(self.from);
        for line in 0..4 {
            prefetch_at(map, 4 * (at + ROWS * columns) + line * WIDTH);
        }
        for displacements in self.back {
            prefetch_at(displacements, at + columns);
        }
    }

    /// The map of a group of cells from its sample positions.
    #[inline(always)]
    fn group<F: Floats>(&self, positions: &Positions<F>, [x0, y]: [usize; 2], len: usize) -> Dyes<F> {
        let taps = Taps::<F, 4>::new(self.cells, self.from, positions);
        let all = [weights(Curve::CatmullRom, positions.part[0]), weights(Curve::CatmullRom, positions.part[1])];
        let on_lines = positions.on_lines();
        let moved = moved(positions, [x0, y]);
        let [of_x, of_y, of_survival] = [0, 1, 2].map(Self::only::<F>);
        let mut map = [of_x; 4];
        for quad in 0..4 {
            let taps = if taps.is_inside(quad) { taps.quad(quad) } else { self.beyond(positions, quad) };
            let value = bicubic_unclamped(taps, quad_weights(all, quad));
            let [_, [_, a, b, _], [_, c, d, _], _] = taps;
            let (low, high) = limits([[a, b], [c, d]], quad_fractions(positions, quad, on_lines));
            let limited = value.greatest(low).least(high).unless_zero(of_survival, value);
            let [x, y] = [moved[0].each_four_times(quad), moved[1].each_four_times(quad)];
            map[quad] = clamped(limited.add(x.mul(of_x).add(y.mul(of_y))));
        }
        if let Some(obstacles) = &self.obstacles {
            let first = y * self.cells[0].values as usize + x0;
            if is_solid_near(obstacles, self.cells, first, len, [Some(positions), None]) {
                let mut values = [[0.0; 4]; WIDTH];
                to_array(map, &mut values);
                self.around_solids(obstacles.solid, positions, first, &mut values[..len]);
                map = load_dye(&values, 0, WIDTH);
            }
        }
        map
    }

    /// 1 in the lanes of a component, else 0.
    #[inline(always)]
    fn only<F: Floats>(component: usize) -> F {
        let mut lanes = [0.0; WIDTH];
        for quad in 0..4 {
            lanes[4 * quad + component] = 1.0;
        }
        F::load(&lanes)
    }

    /// The taps of a quad near an edge: displacements beyond it are those of the last cell, and the survival beyond an
    /// open one is 0.
    #[inline(always)]
    fn beyond<F: Floats>(&self, positions: &Positions<F>, quad: usize) -> [[F; 4]; 4] {
        let mut all = [[[[0.0; 4]; 4]; 4]; 4];
        taps_beyond_sides(
            self.cells,
            self.from,
            positions.indices().map(|index| [0, 1, 2, 3].map(|l| index[4 * quad + l])),
            &mut all,
        );
        let mut taps = [[F::splat(0.0); 4]; 4];
        for r in 0..4 {
            for c in 0..4 {
                taps[r][c] = F::load(bytemuck::cast_ref(&all[r][c]));
            }
        }
        taps
    }

    /// Recomputes the map of fluid cells whose stencil has solid cells, without the solid cells. The survival of
    /// solid cells becomes 0.
    fn around_solids<F: Floats>(&self, solid: &[f32], positions: &Positions<F>, first: usize, to: &mut [[f32; 4]]) {
        let (indices, parts) = (positions.indices(), positions.parts());
        let columns = self.cells[0].values as usize;
        for (l, to) in to.iter_mut().enumerate() {
            let (place, part) = ([indices[0][l], indices[1][l]], [parts[0][l], parts[1][l]]);
            let walls: [[f32; 2]; 2] = weighted(taps_at(self.cells, solid, place), part);
            if solid[first + l] > 0.0 {
                to[2] = 0.0;
            } else if walls != [[0.0; 2]; 2] || has_solid_tap(self.cells, solid, place, part) {
                let value = bilinear_without(walls, taps_at(self.cells, self.from, place), part);
                *to = value.unwrap_or(self.from[first + l]);
                let cell = [(first + l) % columns, (first + l) / columns];
                for axis in 0..2 {
                    to[axis] += (place[axis] - cell[axis] as i32) as f32 + part[axis];
                }
                *to = to.map(clamped_value);
            }
        }
    }
}

/// The displacements of sample positions from the cells of a group.
#[inline(always)]
fn moved<F: Floats>(positions: &Positions<F>, [x0, y]: [usize; 2]) -> [F; 2] {
    let indices = positions.indices();
    let mut whole = [[0.0; WIDTH]; 2];
    for l in 0..WIDTH {
        whole[0][l] = (indices[0][l] - (x0 + l) as i32) as f32;
        whole[1][l] = (indices[1][l] - y as i32) as f32;
    }
    [F::load(&whole[0]).add(positions.part[0]), F::load(&whole[1]).add(positions.part[1])]
}

/// The map at positions near an edge.
#[cold]
#[inline(never)]
fn taps_beyond_sides(cells: [Axis; 2], map: &[[f32; 4]], [x, y]: [[i32; 4]; 2], to: &mut [[[[f32; 4]; 4]; 4]; 4]) {
    let columns = cells[0].values as usize;
    for l in 0..4 {
        for (r, row) in to.iter_mut().enumerate() {
            for (c, tap) in row.iter_mut().enumerate() {
                let (column, line) = (x[l] - 1 + c as i32, y[l] - 1 + r as i32);
                let there = cells[0].tap(column).is_some() && cells[1].tap(line).is_some();
                let [dx, dy, survival, _] = map[cells[1].nearest(line) * columns + cells[0].nearest(column)];
                tap[l] = [dx, dy, if there { survival } else { 0.0 }, 0.0];
            }
        }
    }
}

/// A stamp that replaces dye, on a map and its residual.
struct StampMap<'a> {
    columns: usize,
    /// Whether the stamp leaves cells with more dye.
    fills_up: bool,
    area: Rectangle<&'a [[f32; 4]]>,
    solid: Option<&'a [f32]>,
    dye: &'a [[f32; 4]],
}

impl Pass for StampMap<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let area = &self.area;
        let map: &mut [[f32; 4]] = bytemuck::cast_slice_mut(band.one);
        let residual: &mut [[f32; 4]] = bytemuck::cast_slice_mut(band.two);
        let width = area.width.min(self.columns.saturating_sub(area.x));
        for row in 0..band.rows {
            let y = band.first + row;
            for (l, value) in area.values[y * area.width..][..width].iter().enumerate() {
                let (at, here) = (y * self.columns + area.x + l, row * self.columns + area.x + l);
                let below = if self.fills_up { self.dye[at][3] } else { 0.0 };
                if value[3] > below && !self.solid.is_some_and(|solid| solid[at] > 0.0) {
                    map[here][2] = 0.0;
                    residual[here] = value.map(clamped_value);
                }
            }
        }
    }
}

/// A copy of dye with that of the fluid around in solid cells.
struct FillSolids<'a> {
    cells: [Axis; 2],
    solid: Option<&'a [f32]>,
    from: &'a [[f32; 4]],
}

impl Pass for FillSolids<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let columns = self.cells[0].values as usize;
        let first = band.first * columns;
        let to: &mut [[f32; 4]] = bytemuck::cast_slice_mut(band.one);
        to.copy_from_slice(&self.from[first..first + to.len()]);
        let Some(solid) = self.solid else { return };
        for (l, to) in to.iter_mut().enumerate().filter(|(l, _)| solid[first + l] > 0.0) {
            let cell = [(first + l) % columns, (first + l) / columns].map(|at| at as i32);
            let nearest = (1..=FILLED).find_map(|distance| self.mean_around(solid, cell, distance));
            *to = nearest.unwrap_or_default();
        }
    }
}

impl FillSolids<'_> {
    /// The mean of the fluid cells at a distance from a cell; `None` without any.
    fn mean_around(&self, solid: &[f32], [x, y]: [i32; 2], distance: i32) -> Option<[f32; 4]> {
        let columns = self.cells[0].values as usize;
        let (mut sum, mut count) = ([0.0; 4], 0.0);
        for dy in -distance..=distance {
            // All columns of the first and the last row, the ends of the others.
            let step = if dy.abs() == distance { 1 } else { 2 * distance };
            for dx in (-distance..=distance).step_by(step as usize) {
                let there = self.cells[1].nearest(y + dy) * columns + self.cells[0].nearest(x + dx);
                if solid[there] == 0.0 {
                    for (sum, value) in sum.iter_mut().zip(self.from[there]) {
                        *sum += value;
                    }
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum.map(|sum| sum / count))
    }
}
