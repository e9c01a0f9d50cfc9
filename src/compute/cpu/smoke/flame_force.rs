//! Forces in and around a flame. Formula: `Operation::FlameForce`. GPU: `flame_force.wgsl`; reference:
//! `tests/reference/fire.rs`.
//!
//! The force on a face is the mean of those on its two cells, whose quantities are computed row by row.

use super::super::Cpu;
use super::super::lanes::floats::Floats;
use super::axis::Axis;
use super::band::{Kernel, run_kernel};
use super::fire::neighbour;
use super::operands::Faces;
use super::rows::{FaceRows, face_rows};
use crate::sim::fluid::combustion::{DISTURBED, FlameForces, SHELTERED, SHREDDED, smoothstep};

/// Number of cells of a band.
const CELLS: usize = 16384;

/// Forces of a flame on both kinds of faces.
pub(super) struct FlameForce<'a> {
    pub forces: FlameForces,
    pub cells: [Axis; 2],
    pub from: Faces<&'a [f32]>,
    pub temperature: &'a [f32],
    pub gas: &'a [[f32; 4]],
    pub disturbance: Option<Faces<&'a [f32]>>,
    pub solid: Option<&'a [f32]>,
}

/// Quantities of a cell.
#[derive(Clone, Copy, Default)]
struct FlameCell {
    soot: f32,
    /// Share of the disturbance.
    disturbed: f32,
    /// Velocity that shredding adds, per axis.
    shredding: [f32; 2],
    /// Relaxation to the updraft.
    drag: f32,
}

/// A row of faces.
struct FaceRow<'a> {
    /// Axis that the faces are normal to.
    axis: usize,
    /// Row of the field.
    y: usize,
    from: &'a [f32],
    disturbance: Option<&'a [f32]>,
}

impl FlameForce<'_> {
    /// Applies the forces to all faces.
    pub fn run(&self, cpu: &Cpu, to: Faces<&mut [f32]>) {
        let size = self.cells.map(|axis| axis.values as usize);
        cpu.each(face_rows(CELLS, size, to), |rows| run_kernel(cpu.isa, self, rows));
    }

    /// Computes a row of cells, with one more at each end: the last inside, or the wrapped one.
    fn compute_row(&self, y: usize, row: &mut [FlameCell]) {
        let width = self.cells[0].values as usize;
        let outside = self.relaxation(0.0);
        for (x, cell) in row[1..=width].iter_mut().enumerate() {
            *cell = self.cell([x, y], outside);
        }
        row[0] = row[self.cells[0].nearest(-1) + 1];
        row[width + 1] = row[self.cells[0].nearest(width as i32) + 1];
    }

    /// The relaxation to the updraft at a temperature.
    fn relaxation(&self, temperature: f32) -> f32 {
        1.0 - libm::expf(-self.forces.drag * (1.0 - smoothstep(SHELTERED, temperature)))
    }

    fn cell(&self, [x, y]: [usize; 2], outside: f32) -> FlameCell {
        let width = self.cells[0].values as usize;
        let at = y * width + x;
        let around = [(0, -1), (0, 1), (1, -1), (1, 1)]
            .map(|side| self.temperature[neighbour(self.cells, self.solid, [x, y], side)]);
        let (t, soot) = (self.temperature[at], self.gas[at][3]);
        if t <= 0.0 && around == [0.0; 4] {
            return FlameCell { soot, drag: outside, ..FlameCell::default() };
        }
        let [begins, ends] = DISTURBED;
        let [left, right, below, above] = around;
        let gradient = [0.5 * (right - left), 0.5 * (above - below)];
        let length = (gradient[0] * gradient[0] + gradient[1] * gradient[1]).sqrt();
        let mut shredding = [0.0; 2];
        if length > 0.0 {
            let Faces { u, v } = self.from;
            let (left, below) = (y * (width + 1) + x, y * width + x);
            let velocity = [0.5 * (u[left] + u[left + 1]), 0.5 * (v[below] + v[below + width])];
            let [nx, ny] = gradient.map(|along| along / length);
            let most = self.forces.shredding_max;
            let along = (velocity[0] * nx + velocity[1] * ny).clamp(-most, most);
            let size = self.forces.shredding * along * smoothstep(SHREDDED, length * self.forces.unit);
            shredding = [size * nx, size * ny];
        }
        FlameCell {
            soot,
            disturbed: smoothstep(begins, t) * (1.0 - smoothstep(ends, t)),
            shredding,
            drag: self.relaxation(t),
        }
    }

    /// Applies the forces to a row of faces, from the cells before and after them.
    fn apply(&self, row: &FaceRow<'_>, first: &[FlameCell], second: &[FlameCell], to: &mut [f32]) {
        let FaceRow { axis, y, from, disturbance } = *row;
        let FlameForces { weight, updraft, ramp, disturbance: fraction, .. } = self.forces;
        // Faces are half a cell before the centre of the cell after them.
        let [left, low] = if axis == 0 { [0.0, 0.5] } else { [0.5, 0.0] };
        let start = ramp[1] * (y as f32 + low) + ramp[3];
        for (x, to) in to.iter_mut().enumerate() {
            let (a, b) = (&first[x], &second[x]);
            let mut force = 0.5 * (a.soot + b.soot) * weight[axis];
            if let Some(disturbance) = disturbance {
                force += 0.5 * (a.disturbed + b.disturbed) * (disturbance[x] * fraction);
            }
            let value = from[x] + (force + 0.5 * (a.shredding[axis] + b.shredding[axis]));
            let share = (ramp[0] * (x as f32 + left) + start).clamp(0.0, 1.0);
            *to = value + (updraft[axis] * share - value) * (0.5 * (a.drag + b.drag));
        }
    }
}

impl Kernel<FaceRows<'_>> for FlameForce<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, rows: FaceRows<'_>) {
        let FaceRows { first, count, u, v } = rows;
        let width = self.cells[0].values as usize;
        let columns = width + 1;
        let [mut below, mut here] = [(); 2].map(|()| vec![FlameCell::default(); width + 2]);
        self.compute_row(self.cells[1].nearest(first as i32 - 1), &mut here);
        for (at, to) in v.chunks_exact_mut(width).enumerate() {
            let y = first + at;
            std::mem::swap(&mut below, &mut here);
            self.compute_row(self.cells[1].nearest(y as i32), &mut here);
            if at < count {
                let disturbance = self.disturbance.map(|of| &of.u[y * columns..]);
                let row = FaceRow { axis: 0, y, from: &self.from.u[y * columns..], disturbance };
                self.apply(&row, &here, &here[1..], &mut u[at * columns..][..columns]);
            }
            let disturbance = self.disturbance.map(|of| &of.v[y * width..]);
            let row = FaceRow { axis: 1, y, from: &self.from.v[y * width..], disturbance };
            self.apply(&row, &below[1..], &here[1..], to);
        }
    }
}
