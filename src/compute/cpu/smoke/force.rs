//! Forces on the faces: buoyancy, drag and vorticity confinement. Formula: `Operation::Force`. GPU: `force.wgsl`,
//! `curl.wgsl`, `confine.wgsl`; reference: `tests/reference/transport.rs`.
//!
//! The force on a face is the mean of the forces on its two cells. The quantities of a row of cells are computed once,
//! for the vertical faces of the row and for the horizontal faces below and above it. Vorticity needs one row more on
//! each side and is kept in a ring buffer.

use super::super::Cpu;
use super::super::lanes::floats::Floats;
use super::axis::Axis;
use super::band::{Kernel, run_kernel};
use super::obstacles::any;
use super::occupied::OccupiedSpans;
use super::operands::{Confinement, Faces, Forces};
use super::rows::{FaceRows, Ring, RowStore, face_rows};

/// Number of cells of a band.
const CELLS: usize = 65536;

/// Forces on both kinds of faces.
pub(super) struct Force<'a> {
    pub forces: Forces,
    pub cells: [Axis; 2],
    pub from: Faces<&'a [f32]>,
    pub dye: &'a [f32],
    /// Columns that have dye; `None` without buoyancy.
    pub spans: Option<&'a OccupiedSpans>,
    pub temperature: Option<&'a [f32]>,
    pub solid: Option<&'a [f32]>,
    /// Whether air slips along solids.
    pub slips: bool,
    /// Sides that are closed and without slip.
    pub no_slip: [bool; 4],
    /// A row of 0, for the velocity beyond such a side.
    pub zeros: Vec<f32>,
}

impl Force<'_> {
    /// Applies the forces to all faces.
    pub fn run(&self, cpu: &Cpu, to: Faces<&mut [f32]>) {
        let size = self.cells.map(|axis| axis.values as usize);
        cpu.each(face_rows(CELLS, size, to), |rows| run_kernel(cpu.isa, self, rows));
    }

    fn has_confinement(&self) -> bool {
        self.forces.confinement > 0.0
    }

    /// Whether there is buoyancy along an axis.
    pub fn has_buoyancy(&self, axis: usize) -> bool {
        let lifts = self.forces.lift[axis] != 0.0 && self.temperature.is_some();
        self.forces.weight[axis] != 0.0 || lifts
    }

    /// Vorticity of a row of cells; 0 in solids.
    #[inline(always)]
    fn vorticity(&self, y: usize, to: &mut [f32]) {
        let width = to.len();
        let Faces { u, v } = self.from;
        let [low, high] = [-1, 1].map(|d| self.cells[1].nearest(y as i32 + d));
        let [below, above] = [low, high].map(|y| &u[y * (width + 1)..][..width + 1]);
        let [lower, upper] = [y, y + 1].map(|y| &v[y * width..][..width]);
        let rows = [
            if y == 0 && self.no_slip[2] { &self.zeros[..] } else { below },
            if y + 1 == self.cells[1].values as usize && self.no_slip[3] { &self.zeros[..] } else { above },
            lower,
            upper,
        ];
        let last = width - 1;
        for (x, to) in to[1..last.max(1)].iter_mut().enumerate() {
            *to = vorticity(rows, [x, x + 1, x + 2]);
        }
        for x in [0, last] {
            to[x] = vorticity(rows, [self.cells[0].nearest(x as i32 - 1), x, self.cells[0].nearest(x as i32 + 1)]);
        }
        self.at_walls(y, |x| to[x] = self.vorticity_at_walls([x, y]));
        if let Some(solid) = self.solid {
            for (to, solid) in to.iter_mut().zip(&solid[y * width..]) {
                *to = if *solid > 0.0 { 0.0 } else { *to };
            }
        }
    }

    /// Calls `each` with the columns of the cells at a left or right side without slip, or with all columns where a
    /// free-slip solid is in the row or in a neighbouring one.
    #[inline(always)]
    fn at_walls(&self, y: usize, mut each: impl FnMut(usize)) {
        let width = self.cells[0].values as usize;
        if let Some(solid) = self.solid.filter(|_| self.slips) {
            let rows = [-1, 0, 1].map(|by| &solid[self.cells[1].nearest(y as i32 + by) * width..][..width]);
            if rows.into_iter().any(any) {
                (0..width).for_each(&mut each);
                return;
            }
        }
        for (side, x) in [(0, 0), (1, width - 1)] {
            if self.no_slip[side] {
                each(x);
            }
        }
    }

    /// The neighbour of a cell along an axis, clamped or wrapped: the cell itself in place of a free-slip solid, `None`
    /// beyond a side without slip. `by`: −1 or 1.
    #[inline(always)]
    fn neighbour(&self, cell: [usize; 2], axis: usize, by: i32) -> Option<[usize; 2]> {
        let mut place = cell.map(|at| at as i32);
        place[axis] += by;
        let outside = !(0..self.cells[axis].values).contains(&place[axis]);
        if outside && self.no_slip[2 * axis + usize::from(by > 0)] {
            return None;
        }
        let [x, y] = [self.cells[0].nearest(place[0]), self.cells[1].nearest(place[1])];
        let wall = self.slips && self.solid.is_some_and(|solid| solid[y * self.cells[0].values as usize + x] > 0.0);
        Some(if wall { cell } else { [x, y] })
    }

    /// The vorticity of a cell next to walls.
    fn vorticity_at_walls(&self, cell: [usize; 2]) -> f32 {
        let width = self.cells[0].values as usize;
        let Faces { u, v } = self.from;
        let u_at = |by: i32| {
            self.neighbour(cell, 1, by).map_or(0.0, |[x, y]| {
                let at = y * (width + 1) + x;
                0.5 * (u[at] + u[at + 1])
            })
        };
        let v_at = |by: i32| {
            self.neighbour(cell, 0, by).map_or(0.0, |[x, y]| {
                let at = y * width + x;
                0.5 * (v[at] + v[at + width])
            })
        };
        0.5 * ((v_at(1) - v_at(-1)) - (u_at(1) - u_at(-1)))
    }

    /// The slot of the vorticity of row `y`, computed if the ring buffer does not have it.
    #[inline(always)]
    fn vorticity_slot(&self, y: usize, vorticities: &mut Ring<Vec<f32>>) -> usize {
        vorticities.row(
            y,
            #[inline(always)]
            |to| self.vorticity(y, to),
        )
    }

    /// Computes the quantities of the cells of row `y` that determine the forces on their faces.
    #[inline(always)]
    fn compute_row(&self, y: usize, vorticities: &mut Ring<Vec<f32>>, row: &mut CellRow) {
        let width = self.cells[0].values as usize;
        let CellRow { density, excess, confinement } = row;
        if self.has_buoyancy(0) || self.has_buoyancy(1) {
            let span = self.spans.map_or(0..width, |spans| spans.row(y));
            density.fill(0.0);
            if !span.is_empty() {
                let dye = &self.dye[(y * width + span.start) * 4..(y * width + span.end) * 4];
                for (density, dye) in density[1..][span].iter_mut().zip(dye.as_chunks::<4>().0) {
                    *density = dye[3];
                }
                self.pad(density);
            }
            if let Some(temperature) = self.temperature {
                for (excess, t) in excess[1..=width].iter_mut().zip(&temperature[y * width..][..width]) {
                    *excess = Forces::excess(*t, self.forces.ambient);
                }
                self.pad(excess);
            }
        }
        if self.has_confinement() {
            let [low, high] = [-1, 1].map(|d| self.cells[1].nearest(y as i32 + d));
            let slots = [
                self.vorticity_slot(low, vorticities),
                self.vorticity_slot(y, vorticities),
                self.vorticity_slot(high, vorticities),
            ];
            let mut rows = slots.map(|slot| &vorticities.at(slot)[..]);
            if y == 0 && self.no_slip[2] {
                rows[0] = &self.zeros[..width];
            }
            if y + 1 == self.cells[1].values as usize && self.no_slip[3] {
                rows[2] = &self.zeros[..width];
            }
            let [force_x, force_y] = confinement;
            confine(self.cells[0], rows, [&mut force_x[1..=width], &mut force_y[1..=width]]);
            self.at_walls(y, |x| {
                let size = |axis: usize, by: i32| match self.neighbour([x, y], axis, by) {
                    None => 0.0,
                    Some([column, _]) if axis == 0 => rows[1][column],
                    Some(cell) if cell == [x, y] => rows[1][x],
                    Some(_) => rows[if by < 0 { 0 } else { 2 }][x],
                };
                let around = [size(0, -1), size(0, 1), size(1, -1), size(1, 1), rows[1][x]];
                [force_x[x + 1], force_y[x + 1]] = confinement_force(around);
            });
            self.pad(force_x);
            self.pad(force_y);
        }
    }

    /// Sets the values beyond both ends of a padded row: the last value inside, or the wrapped one.
    #[inline(always)]
    fn pad(&self, row: &mut [f32]) {
        let width = self.cells[0].values;
        row[0] = row[self.cells[0].nearest(-1) + 1];
        row[width as usize + 1] = row[self.cells[0].nearest(width) + 1];
    }

    /// Applies the forces to a row of faces normal to `axis`. `cells`: the rows of the cells before and after the
    /// faces.
    #[inline(always)]
    fn apply(&self, axis: usize, cells: [Part<'_>; 2], from: &[f32], to: &mut [f32]) {
        match (self.has_buoyancy(axis), self.has_confinement()) {
            (false, false) => self.apply_kinds::<false, false>(axis, cells, from, to),
            (false, true) => self.apply_kinds::<false, true>(axis, cells, from, to),
            (true, false) => self.apply_kinds::<true, false>(axis, cells, from, to),
            (true, true) => self.apply_kinds::<true, true>(axis, cells, from, to),
        }
    }

    /// [`apply`](Self::apply), compiled into one loop per combination of forces.
    #[inline(always)]
    fn apply_kinds<const BUOYANCY: bool, const CONFINEMENT: bool>(
        &self,
        axis: usize,
        [first, second]: [Part<'_>; 2],
        from: &[f32],
        to: &mut [f32],
    ) {
        let len = to.len();
        let Forces { keep, confinement, .. } = self.forces;
        let (weight, lift) = (self.forces.weight[axis], self.forces.lift[axis]);
        let [(d, e, a), (f, g, b)] =
            [first, second].map(|part| (&part.density[..len], &part.excess[..len], &part.confinement[axis][..len]));
        let from = &from[..len];
        for (x, to) in to.iter_mut().enumerate() {
            let mut face = from[x] * keep;
            if BUOYANCY {
                face += 0.5 * (d[x] + f[x]) * weight + 0.5 * (e[x] + g[x]) * lift;
            }
            if CONFINEMENT {
                face += confinement * (0.5 * (a[x] + b[x]));
            }
            *to = face;
        }
    }
}

impl Kernel<FaceRows<'_>> for Force<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, rows: FaceRows<'_>) {
        let FaceRows { first, count, u, v } = rows;
        let width = self.cells[0].values as usize;
        let columns = width + 1;
        let (out, mut line) = (RowStore::new([width, self.cells[1].values as usize]), vec![0.0; columns]);
        let mut vorticities = Ring::new(|| vec![0.0; width]);
        let [mut below, mut here] = [CellRow::new(width), CellRow::new(width)];
        self.compute_row(self.cells[1].nearest(first as i32 - 1), &mut vorticities, &mut here);
        for (at, to) in v.chunks_exact_mut(width).enumerate() {
            let y = first + at;
            std::mem::swap(&mut below, &mut here);
            self.compute_row(self.cells[1].nearest(y as i32), &mut vorticities, &mut here);
            if at < count {
                self.apply(0, [here.starting_at(0), here.starting_at(1)], &self.from.u[y * columns..], &mut line);
                out.row::<F>(&line, &mut u[at * columns..][..columns]);
            }
            let line = &mut line[..width];
            self.apply(1, [below.starting_at(1), here.starting_at(1)], &self.from.v[y * width..], line);
            out.row::<F>(line, to);
        }
        F::settle();
    }
}

/// Quantities of a padded row of cells that determine the forces on their faces.
struct CellRow {
    density: Vec<f32>,
    /// Excess temperature.
    excess: Vec<f32>,
    /// Confinement force along x and along y.
    confinement: [Vec<f32>; 2],
}

/// A [`CellRow`] from one of its cells on.
#[derive(Clone, Copy)]
struct Part<'a> {
    density: &'a [f32],
    excess: &'a [f32],
    confinement: [&'a [f32]; 2],
}

impl CellRow {
    fn new(width: usize) -> CellRow {
        let row = || vec![0.0; width + 2];
        CellRow { density: row(), excess: row(), confinement: [row(), row()] }
    }

    /// From the value `first` of the padded row on.
    #[inline(always)]
    fn starting_at(&self, first: usize) -> Part<'_> {
        let [force_x, force_y] = &self.confinement;
        Part {
            density: &self.density[first..],
            excess: &self.excess[first..],
            confinement: [&force_x[first..], &force_y[first..]],
        }
    }
}

/// The vorticity of the cell `x` between the cells `left` and `right`, from u in the rows below and above and v on the
/// lower and the upper faces of its row.
#[inline(always)]
fn vorticity([below, above, lower, upper]: [&[f32]; 4], [left, x, right]: [usize; 3]) -> f32 {
    let (before, after) = (0.5 * (lower[left] + upper[left]), 0.5 * (lower[right] + upper[right]));
    let (under, over) = (0.5 * (below[x] + below[x + 1]), 0.5 * (above[x] + above[x + 1]));
    0.5 * ((after - before) - (over - under))
}

/// The confinement forces of a row of cells along both axes, from its vorticity and that of the rows below and above.
#[inline(always)]
fn confine(axis: Axis, [below, here, above]: [&[f32]; 3], [force_x, force_y]: [&mut [f32]; 2]) {
    let width = force_x.len();
    let (below, here, above, force_y) = (&below[..width], &here[..width], &above[..width], &mut force_y[..width]);
    for x in 1..width.max(1) - 1 {
        [force_x[x], force_y[x]] = confinement_force([here[x - 1], here[x + 1], below[x], above[x], here[x]]);
    }
    for x in [0, width - 1] {
        let [left, right] = [axis.nearest(x as i32 - 1), axis.nearest(x as i32 + 1)];
        [force_x[x], force_y[x]] = confinement_force([here[left], here[right], below[x], above[x], here[x]]);
    }
}

/// The confinement force of a cell along both axes, from the vorticity of its left, right, lower and upper neighbour
/// and its own.
#[inline(always)]
fn confinement_force([left, right, below, above, vorticity]: [f32; 5]) -> [f32; 2] {
    let gradient = [0.5 * (right.abs() - left.abs()), 0.5 * (above.abs() - below.abs())];
    let length = (gradient[0] * gradient[0] + gradient[1] * gradient[1]).sqrt();
    let factor = Confinement::share(length, vorticity.abs()) * vorticity;
    [gradient[1] * factor, -gradient[0] * factor]
}
