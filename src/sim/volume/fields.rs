//! Position of a volume in the world, and a read-only view of its fields for pictures and other readers.
//!
//! Axes: x right, y up, z towards the viewer; right-handed.

use half::f16;

/// Cells along each side of a tile.
pub const TILE: usize = 8;

/// A range of cells of a lattice: whole tiles of [`TILE`]³ cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The first cell along each axis, a multiple of [`TILE`].
    pub low: [i32; 3],
    /// Number of cells along each axis, a multiple of [`TILE`].
    pub cells: [usize; 3],
}

/// The place of a lattice of cubic cells in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lattice {
    /// World position of the lower corner of cell (0, 0, 0).
    pub origin: [f64; 3],
    /// World units per cell.
    pub spacing: f64,
}

/// The fields of a state. The scalars of cell (x, y, z), counted from `bounds.low`, have the index
/// `x + nx·(y + ny·z)`.
#[derive(Clone, Copy, Debug)]
pub struct VolumeView<'a> {
    /// The place of the cells of the scalars.
    pub lattice: Lattice,
    /// The range of these cells.
    pub bounds: Bounds,
    /// Cells of the scalars along each side of a cell of the velocity.
    pub detail: usize,
    /// Density, temperature (1 for the hottest emitter), fuel and soot, per cell.
    pub scalars: &'a [[f16; 4]],
    /// Flame gas, flame gas times its age (in lives), fuel burnt per frame, and a spare component, per cell; `None`
    /// without fire.
    pub gases: Option<&'a [[f16; 4]]>,
    /// Density times one less its colour, for red, green and blue, and a spare component, per cell; `None` where all
    /// smoke is white.
    pub tints: Option<&'a [[f16; 4]]>,
    /// Velocity across the x, y and z faces of its own nx·ny·nz cells, in these per frame: (nx + 1)·ny·nz,
    /// nx·(ny + 1)·nz and nx·ny·(nz + 1) values.
    pub velocity: Option<[&'a [f32]; 3]>,
}

impl Lattice {
    /// The lattice whose cells are split into `detail` along each axis.
    #[must_use]
    pub fn finer(self, detail: usize) -> Self {
        Self { spacing: self.spacing / detail as f64, ..self }
    }

    /// The lattice whose cells each hold `detail` of these along each axis.
    #[must_use]
    pub fn coarser(self, detail: usize) -> Self {
        Self { spacing: self.spacing * detail as f64, ..self }
    }
}

impl Bounds {
    /// The range on a lattice whose cells are split into `detail` along each axis.
    #[must_use]
    pub fn finer(self, detail: usize) -> Self {
        Self { low: self.low.map(|low| low * detail as i32), cells: self.cells.map(|cells| cells * detail) }
    }

    /// The range on a lattice whose cells each hold `detail` of these along each axis: the inverse of
    /// [`finer`](Self::finer).
    #[must_use]
    pub fn coarser(self, detail: usize) -> Self {
        Self { low: self.low.map(|low| low / detail as i32), cells: self.cells.map(|cells| cells / detail) }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.iter().product()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell after the last along each axis.
    pub fn high(&self) -> [i32; 3] {
        std::array::from_fn(|axis| self.low[axis] + self.cells[axis] as i32)
    }
}
