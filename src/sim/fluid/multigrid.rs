//! The multigrid cycle (Brandt 1977; McAdams, Sifakis and Teran 2010 with solids), as a list of operations.

use std::ops::Range;

use super::fields::FieldId;
use super::operation::{LevelOperand, Operation};

/// A colour of the red-black order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Cells whose indices have an even sum.
    Red,
    /// Cells whose indices have an odd sum.
    Black,
}

/// Red-black relaxation: each sweep is a half sweep over the cells of the colour `first`, then one over the others. A
/// half sweep sets `x ← x + ω·(j − x)` with `j = (b + Σ a·neighbour) / Σ a`, from the values before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relax {
    /// The colour that begins a sweep.
    pub first: Colour,
    /// Number of sweeps.
    pub sweeps: u32,
    /// The relaxation factor ω.
    pub omega: f32,
}

/// The prolongation operator; each is a tensor product over the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prolongation {
    /// Linear between equal coarse cells: [`between`](super::level::between), with
    /// [ghosts](super::level::Level::ghost).
    Linear,
    /// The mean, over the fine cell, of a field that is constant in each coarse cell
    /// ([`within`](super::level::within)): the transpose of [`Restriction::Mean`], up to a factor.
    Mean,
    /// The value of the parent: the coarse cell that contains the fine cell. The transpose of [`Restriction::Sum`].
    Constant,
    /// Linear by the [distances](super::level::Level::centres) of the centres; at a closed side the value of the
    /// parent.
    Distances,
}

/// The restriction operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// The mean over the coarse cell: [`covers`](super::level::covers).
    Mean,
    /// The sum of the fine cells 2i and 2i + 1 per axis, or of one where there is no other or the axis is not
    /// coarsened.
    Sum,
}

/// A multigrid cycle as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Relaxation before the coarser level.
    pub before: Relax,
    /// Relaxation after the coarser level.
    pub after: Relax,
    /// Relaxation on the coarsest level, from 0.
    pub coarsest: Relax,
    /// Restriction to the coarser level.
    pub restriction: Restriction,
    /// Prolongation from the coarser level.
    pub prolongation: Prolongation,
    /// Levels that a cycle visits twice.
    pub twice: Range<usize>,
}

/// The fields of a level.
#[derive(Clone, Copy, Debug)]
pub struct LevelFields {
    /// Right-hand side.
    pub b: FieldId,
    /// Solution.
    pub x: FieldId,
    /// Contents unspecified.
    pub scratch: FieldId,
}

/// The start of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// From x = 0, whatever the contents of the field.
    Zero,
    /// From x.
    Here,
    /// From the second level: an earlier list has run the first half of the visit to the finest level.
    Below,
}

/// Cycles on `A x = b`.
pub struct Multigrid<'a> {
    /// The finest level first.
    pub levels: Vec<LevelOperand<'a>>,
    /// The fields of the same levels.
    pub fields: Vec<LevelFields>,
    /// The cycle.
    pub recipe: &'a Recipe,
}

impl<'a> Multigrid<'a> {
    /// Whether there is a level below the finest.
    pub fn is_deep(&self) -> bool {
        self.levels.len() > 1
    }

    /// The operations of one cycle.
    pub fn cycle(&self, start: Start) -> Vec<Operation<'a>> {
        let mut list = Vec::with_capacity(8 * self.levels.len());
        self.visit(0, start, &mut list);
        list
    }

    /// The operations of a visit to a level and to all coarser ones.
    fn visit(&self, at: usize, start: Start, list: &mut Vec<Operation<'a>>) {
        if at + 1 == self.levels.len() {
            let (level, LevelFields { b, x, scratch }) = (self.levels[at], self.fields[at]);
            list.push(Operation::CoarseSolve { level, relax: self.recipe.coarsest, b, x, scratch });
            return;
        }
        if start != Start::Below {
            self.smooth_and_restrict(at, start == Start::Zero, list);
        }
        self.visit(at + 1, Start::Zero, list);
        if self.recipe.twice.contains(&(at + 1)) {
            self.visit(at + 1, Start::Here, list);
        }
        self.prolong_and_smooth(at, list);
    }

    /// Smooths and restricts: the first half of a visit to a level.
    pub fn smooth_and_restrict(&self, at: usize, zero: bool, list: &mut Vec<Operation<'a>>) {
        let ([level, coarse], LevelFields { b, x, scratch }) =
            ([self.levels[at], self.levels[at + 1]], self.fields[at]);
        let (relax, restriction) = (self.recipe.before, self.recipe.restriction);
        list.push(Operation::Relax { level, relax, zero, b, x, scratch });
        list.push(Operation::Restrict { level, coarse, restriction, b, x, to: self.fields[at + 1].b });
    }

    /// Prolongs and smooths: the second half of a visit to a level.
    pub fn prolong_and_smooth(&self, at: usize, list: &mut Vec<Operation<'a>>) {
        let ([level, coarse], LevelFields { b, x, scratch }) =
            ([self.levels[at], self.levels[at + 1]], self.fields[at]);
        let (prolongation, relax) = (self.recipe.prolongation, self.recipe.after);
        list.push(Operation::Prolong { level, coarse, prolongation, from: self.fields[at + 1].x, x });
        list.push(Operation::Relax { level, relax, zero: false, b, x, scratch });
    }
}
