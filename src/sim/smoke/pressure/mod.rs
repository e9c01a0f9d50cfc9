//! The pressure of smoke: the multigrid cycles that it uses, and its grids.
//!
//! The projection itself is in [`fluid`](crate::sim::fluid).

mod coefficients;
mod hierarchy;

pub use hierarchy::hierarchy;

use crate::sim::fluid::{Colour, Prolongation, Recipe, Recipes, Relax, Restriction};

/// A relaxation with the factor of smoke.
const fn relax(first: Colour, sweeps: u32) -> Relax {
    Relax { first, sweeps, omega: 1.15 }
}

/// The cycles of smoke. Without solids: V(2,1), with the same order of colours before and after the coarser level; with
/// the reverse order the residual would be twice as large. Symmetric cycles are V(2,2) with opposite orders, and their
/// prolongation is the transpose of the restriction. With solids, some levels are visited twice: otherwise walls that a
/// coarser level cannot represent would slow the convergence.
pub const RECIPES: &Recipes = &Recipes {
    plain: Recipe {
        before: relax(Colour::Red, 2),
        after: relax(Colour::Red, 1),
        coarsest: relax(Colour::Red, 8),
        restriction: Restriction::Mean,
        prolongation: Prolongation::Linear,
        twice: 0..0,
    },
    symmetric: Recipe {
        before: relax(Colour::Red, 2),
        after: relax(Colour::Black, 2),
        coarsest: relax(Colour::Red, 8),
        restriction: Restriction::Mean,
        prolongation: Prolongation::Mean,
        twice: 0..0,
    },
    coefficients: Recipe {
        before: relax(Colour::Red, 2),
        after: relax(Colour::Black, 2),
        coarsest: relax(Colour::Red, 8),
        restriction: Restriction::Sum,
        prolongation: Prolongation::Constant,
        twice: 2..6,
    },
};
