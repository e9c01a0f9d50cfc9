//! A level of the multigrid hierarchy: pressure, right-hand side, and the tables of its operator.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::super::super::lanes::floats::{Floats, WIDTH};
use super::super::padded::room;
use crate::sim::memory::{PagePool, Values};
use crate::sim::volume::multigrid::AxisLevel;

/// Values before the field in its memory, so that the first cells of its rows lie at the borders of vectors: most of
/// the time of relaxation is that of loads, and a load across cache lines takes twice as long.
const LEAD: usize = WIDTH - 1;

/// The pressure of a level.
#[derive(Default)]
pub(super) struct Field(Values<f32>);

impl Deref for Field {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        self.0.get(LEAD..).unwrap_or_default()
    }
}

impl DerefMut for Field {
    fn deref_mut(&mut self) -> &mut [f32] {
        self.0.get_mut(LEAD..).unwrap_or_default()
    }
}

/// A vector of a table, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Group([f32; WIDTH]);

/// A number for each cell of a row, padded with 0.
pub(super) struct Line(Vec<Group>);

impl Line {
    fn new(count: usize, of: &dyn Fn(usize) -> f64) -> Self {
        let value = |cell: usize| if cell < count { of(cell) as f32 } else { 0.0 };
        let group = |first: usize| Group(std::array::from_fn(|lane| value(first + lane)));
        Self((0..count).step_by(WIDTH).map(group).collect())
    }

    /// The group of cells from cell `x` on, a multiple of the width.
    #[inline(always)]
    pub fn group<F: Floats>(&self, x: usize) -> F {
        F::load(&self.0[x / WIDTH].0)
    }
}

/// A level: the pressure `p` and the right-hand side `b`. A row of `b` is padded to a whole number of vectors; a row of
/// `p` also has one value before the cells and a vector's less one after the padding. Padding is 0; where x wraps, the values next to the first and
/// the last cell are copies of the other end. The fields have memory only while the pressure is in use.
pub(super) struct Level {
    pub size: [usize; 3],
    /// Values of a row of `b`.
    pub width: usize,
    pub p: Field,
    pub b: Values<f32>,
    pub tables: Tables,
}

/// The operator of a level.
pub(super) struct Tables {
    /// Couplings along x, 0 where there is no neighbour, and widths of cells.
    pub x: [Line; 3],
    /// For each row along y and for each plane: couplings down and up, and the width.
    pub along: [Vec<[f32; 3]>; 2],
    /// For each row along y and for each plane: the index of its kind. Rows and planes of equal kinds have equal
    /// diagonals.
    kinds: [Vec<usize>; 2],
    /// Diagonals and their inverses by kind of row and plane.
    diagonals: Vec<[Line; 2]>,
    /// Kinds along y.
    count: usize,
    /// For each axis and each cell of the finer level: the weights of the prolongation from this level.
    pub prolongation: [Vec<[f32; 2]>; 3],
    pub wrapped: [bool; 3],
    /// Whether each axis has half the cells of the finer level.
    pub halved: [bool; 3],
}

impl Tables {
    fn new(axes: &[AxisLevel; 3]) -> Self {
        let line = |of: &dyn Fn(usize) -> f64| Line::new(axes[0].widths.len(), of);
        let x = [
            line(&|cell| axes[0].couplings[cell][0]),
            line(&|cell| axes[0].couplings[cell][1]),
            line(&|cell| axes[0].widths[cell]),
        ];
        let along = [&axes[1], &axes[2]].map(|axis| {
            let cells = axis.couplings.iter().zip(&axis.widths);
            cells.map(|([down, up], width)| [*down as f32, *up as f32, *width as f32]).collect()
        });
        let kinds_of = |axis: &AxisLevel| {
            let mut found: Vec<[f64; 2]> = Vec::new();
            let kind = |(diagonal, width): (&f64, &f64)| {
                let of = [*diagonal, *width];
                found.iter().position(|other| *other == of).unwrap_or_else(|| {
                    found.push(of);
                    found.len() - 1
                })
            };
            let kinds: Vec<usize> = axis.diagonal.iter().zip(&axis.widths).map(kind).collect();
            (kinds, found)
        };
        let [(ky, of_y), (kz, of_z)] = [kinds_of(&axes[1]), kinds_of(&axes[2])];
        let mut diagonals = Vec::new();
        for [dz, wz] in &of_z {
            for [dy, wy] in &of_y {
                let at = |cell: usize| axes[0].diagonal[cell] * wy * wz + axes[0].widths[cell] * (dy * wz + wy * dz);
                let inverse = |cell: usize| if at(cell) > 0.0 { 1.0 / at(cell) } else { 0.0 };
                diagonals.push([line(&at), line(&inverse)]);
            }
        }
        let prolongation =
            std::array::from_fn(|axis: usize| axes[axis].prolongation.iter().map(|w| w.map(|w| w as f32)).collect());
        Self {
            x,
            along,
            kinds: [ky, kz],
            diagonals,
            count: of_y.len(),
            prolongation,
            wrapped: std::array::from_fn(|axis| axes[axis].wrapped),
            halved: std::array::from_fn(|axis| axes[axis].halved),
        }
    }

    /// Diagonal and its inverse, along a row.
    #[inline(always)]
    pub fn diagonal(&self, [y, z]: [usize; 2]) -> &[Line; 2] {
        &self.diagonals[self.kinds[0][y] + self.count * self.kinds[1][z]]
    }
}

/// Values of a row of `p`, of which a row of `b` has `width`.
#[inline(always)]
pub(super) fn stride(width: usize) -> usize {
    width + WIDTH
}

impl Level {
    /// A level without its fields.
    pub fn new(axes: &[AxisLevel; 3]) -> Self {
        let size: [usize; 3] = std::array::from_fn(|axis| axes[axis].widths.len());
        let width = size[0].next_multiple_of(WIDTH);
        Self { size, width, p: Field::default(), b: Values::default(), tables: Tables::new(axes) }
    }

    /// Takes memory for the fields; contents of the cells unspecified.
    pub fn take(&mut self, memory: &Arc<dyn PagePool>) {
        let Self { size, width, .. } = *self;
        let rows = size[1] * size[2];
        self.p = Field(Values::with_room(LEAD + rows * self.stride(), room(size), memory));
        self.b = Values::with_room(rows * width, room(size), memory);
        if width > size[0] {
            self.b.chunks_exact_mut(width).for_each(|row| row[size[0]..].fill(0.0));
        }
    }

    /// Returns the memory of the fields.
    pub fn release(&mut self) {
        (self.p, self.b) = (Field::default(), Values::default());
    }

    /// Values of a row of `p`.
    #[inline(always)]
    pub fn stride(&self) -> usize {
        stride(self.width)
    }

    /// Values of a plane of `p`.
    pub fn plane(&self) -> usize {
        self.stride() * self.size[1]
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether there is no open side: pressure is then defined up to a constant.
    pub fn is_singular(axes: &[AxisLevel; 3]) -> bool {
        axes.iter().all(|axis| !axis.open)
    }
}
