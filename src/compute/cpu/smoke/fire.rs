//! Fire with fuel: burning, radiation and diffusion. Formulas: `Operation::Burn` and the next ones. GPU: `burn.wgsl`,
//! `cool.wgsl`, `spread.wgsl`; reference: `tests/reference/fire.rs`.

use super::super::combustion::{burn, cool};
use super::super::lanes::floats::Floats;
use super::SmokeCpu;
use super::axis::Axis;
use super::band::{Band, Pass};
use super::flame_force::FlameForce;
use super::operands::{Faces, FieldKind, read_faces, write, write_all};
use super::plane::Plane;
use super::transport::domain;
use crate::sim::fluid::{Fields, Operation};

/// Number of cells that a thread burns at once.
const PIECE: usize = 1 << 14;

impl SmokeCpu<'_> {
    /// Runs an operation of fire; returns the name of its part of a step, for time measurements, or `None` where the
    /// operation is none of fire.
    pub(super) fn fire(&self, fields: &mut Fields<Plane>, operation: Operation<'_>) -> Option<&'static str> {
        match operation {
            Operation::Burn { burning, temperature, flame } => {
                write_all(fields, [temperature, flame.gas, flame.burning], |_, [temperature, gas, burnt]| {
                    let gas: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut *gas);
                    let pieces = temperature.chunks_mut(PIECE).zip(gas.chunks_mut(PIECE)).zip(burnt.chunks_mut(PIECE));
                    type Piece<'a> = ((&'a mut [f32], &'a mut [[f32; 4]]), &'a mut [f32]);
                    self.cpu.each(pieces.collect(), |((temperature, gas), burnt): Piece<'_>| {
                        for ((t, gas), burnt) in temperature.iter_mut().zip(gas).zip(burnt) {
                            *burnt = burn(&burning, t, gas);
                        }
                    });
                });
            }
            Operation::Cool { rate, temperature } => write(fields, temperature, |_, temperature| {
                self.cpu.each(temperature.chunks_mut(PIECE).collect(), |piece: &mut [f32]| {
                    piece.iter_mut().for_each(|t| cool(rate, t));
                });
            }),
            Operation::Spread { domain: of, shape, numbers, from, to } => write(fields, to, |fields, to| {
                let of = domain(fields, of);
                let (cells, from) = (Axis::both(&of, FieldKind::Cell), fields.get(from));
                let spread = Spread { cells, components: shape.components, numbers, solid: of.solid, from };
                self.cpu.pass(of.height, to, &mut [], &spread);
            }),
            Operation::FlameForce { domain: of, forces, temperature, gas, disturbance, from, to } => {
                write_all(fields, [to[0], to[1]], |fields, [u, v]| {
                    let of = domain(fields, of);
                    let force = FlameForce {
                        forces,
                        cells: Axis::both(&of, FieldKind::Cell),
                        from: read_faces(fields, from),
                        temperature: fields.get(temperature),
                        gas: bytemuck::cast_slice(fields.get(gas)),
                        disturbance: disturbance.map(|of| read_faces(fields, of)),
                        solid: of.solid,
                    };
                    force.run(self.cpu, Faces { u, v });
                });
            }
            _ => return None,
        }
        Some("fire")
    }
}

/// A step of diffusion of a field of cells.
struct Spread<'a> {
    cells: [Axis; 2],
    components: usize,
    /// Diffusion numbers of the components.
    numbers: [f32; 4],
    solid: Option<&'a [f32]>,
    from: &'a [f32],
}

impl Pass for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let (columns, n) = (self.cells[0].values as usize, self.components);
        let stride = columns * n;
        for (row, to) in band.one.chunks_exact_mut(stride).enumerate() {
            let y = band.first + row;
            let [below, above] = [-1, 1].map(|by| self.cells[1].nearest(y as i32 + by));
            let [below, here, above] = [below, y, above].map(|y| &self.from[y * stride..][..stride]);
            if n == 1 {
                inner(self.numbers, [below, here, above], to);
            } else {
                let [below, here, above] = [below, here, above].map(|row| row.as_chunks::<4>().0);
                inner(self.numbers, [below, here, above], to.as_chunks_mut::<4>().0);
            }
            for x in 0..columns {
                if x == 0 || x + 1 == columns || self.solid.is_some() {
                    self.cell([x, y], &mut to[x * n..][..n]);
                }
            }
        }
    }
}

impl Spread<'_> {
    /// The values of a cell beside sides and solids.
    fn cell(&self, cell: [usize; 2], to: &mut [f32]) {
        let (columns, n) = (self.cells[0].values as usize, self.components);
        let here = cell[1] * columns + cell[0];
        if self.solid.is_some_and(|solid| solid[here] > 0.0) {
            to.copy_from_slice(&self.from[here * n..][..n]);
            return;
        }
        let around = [(0, -1), (0, 1), (1, -1), (1, 1)].map(|side| neighbour(self.cells, self.solid, cell, side));
        for (part, to) in to.iter_mut().enumerate() {
            *to = spread(self.numbers[part], self.from[here * n + part], around.map(|at| self.from[at * n + part]));
        }
    }
}

/// A value, or the four of a cell.
trait Parts: Copy {
    fn spread(numbers: [f32; 4], here: Self, around: [Self; 4]) -> Self;
}

impl Parts for f32 {
    #[inline(always)]
    fn spread(numbers: [f32; 4], here: f32, around: [f32; 4]) -> f32 {
        spread(numbers[0], here, around)
    }
}

impl Parts for [f32; 4] {
    #[inline(always)]
    fn spread(numbers: [f32; 4], here: [f32; 4], [left, right, below, above]: [[f32; 4]; 4]) -> [f32; 4] {
        let mut to = here;
        for part in 0..4 {
            to[part] = spread(numbers[part], here[part], [left[part], right[part], below[part], above[part]]);
        }
        to
    }
}

/// A step of diffusion of the cells of a row between its ends, without solids.
#[inline(always)]
fn inner<T: Parts>(numbers: [f32; 4], [below, here, above]: [&[T]; 3], to: &mut [T]) {
    let columns = to.len();
    let (below, here, above) = (&below[..columns], &here[..columns], &above[..columns]);
    for x in 1..columns.max(1) - 1 {
        to[x] = T::spread(numbers, here[x], [here[x - 1], here[x + 1], below[x], above[x]]);
    }
}

/// The value after a step of diffusion, from the left, right, lower and upper neighbour.
#[inline(always)]
fn spread(number: f32, here: f32, [left, right, below, above]: [f32; 4]) -> f32 {
    here + number * (((left - here) + (right - here)) + ((below - here) + (above - here)))
}

/// Index of the neighbour of a cell along an axis; the cell itself in place of a solid, or beyond a side that does not
/// wrap. `by`: −1 or 1.
#[inline(always)]
pub(super) fn neighbour(
    cells: [Axis; 2],
    solid: Option<&[f32]>,
    [x, y]: [usize; 2],
    (axis, by): (usize, i32),
) -> usize {
    let columns = cells[0].values as usize;
    let [column, row] =
        if axis == 0 { [cells[0].nearest(x as i32 + by), y] } else { [x, cells[1].nearest(y as i32 + by)] };
    let there = row * columns + column;
    if solid.is_some_and(|solid| solid[there] > 0.0) { y * columns + x } else { there }
}
