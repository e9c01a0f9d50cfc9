//! The kinds of fields of smoke.

use crate::sim::fluid::{Shape, Staggering};

/// A kind of field: the positions of its values, and its components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Vertical faces, one value each.
    U,
    /// Horizontal faces, one value each.
    V,
    /// Cells, one value each.
    Cell,
    /// Cells, four values each.
    Dye,
}

impl FieldKind {
    /// Columns and rows on a grid.
    pub fn size(self, width: usize, height: usize) -> [usize; 2] {
        let [columns, rows, _] = self.shape([width, height]).size();
        [columns, rows]
    }

    /// Numbers at each position.
    pub fn components(self) -> usize {
        if self == FieldKind::Dye { 4 } else { 1 }
    }

    /// The shape on a grid.
    pub fn shape(self, [width, height]: [usize; 2]) -> Shape {
        let staggering = match self {
            FieldKind::U => Staggering::Face(0),
            FieldKind::V => Staggering::Face(1),
            FieldKind::Cell | FieldKind::Dye => Staggering::Cell,
        };
        Shape { cells: [width, height, 1], staggering, components: self.components() }
    }

    /// The kind of a shape of two axes.
    pub fn of(shape: &Shape) -> FieldKind {
        match (shape.staggering, shape.components) {
            (Staggering::Face(0), _) => FieldKind::U,
            (Staggering::Face(_), _) => FieldKind::V,
            (Staggering::Cell, 1) => FieldKind::Cell,
            (Staggering::Cell, _) => FieldKind::Dye,
        }
    }
}
