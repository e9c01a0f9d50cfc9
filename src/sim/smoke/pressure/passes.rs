//! What a machine does for the pressure.
//!
//! Each pass is a function of the planes before it: where a pass says "neighbours", it means their values before, also
//! across a wrapped side. So no order of cells, bands or threads shows. Sums are `f64`.

use super::level::Level;
use super::regions::Regions;
use super::weights::Weights;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::planes::{Planes, Survey};

/// A level as a machine has it.
#[derive(Debug)]
pub struct Rung<'a, P> {
    /// Sizes and couplings.
    pub level: &'a Level,
    /// Couplings of each face, where there are solids: they replace those of the level.
    pub weights: Option<&'a Weights<P>>,
    /// The cycle is a symmetric operator, as a preconditioner of conjugate gradients has to be. With weights every cycle is.
    pub symmetric: bool,
}

impl<P> Clone for Rung<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Rung<'_, P> {}

/// What is solid, and how it moves.
#[derive(Debug)]
pub struct Walls<'a, P> {
    /// 1 where a cell is solid, else 0.
    pub cells: &'a P,
    /// Velocity through the vertical faces that touch one.
    pub u: &'a P,
    /// Velocity through the horizontal faces that touch one.
    pub v: &'a P,
}

impl<P> Clone for Walls<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Walls<'_, P> {}

/// Half of the cells: red where column + row is even, black where it is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Even.
    Red,
    /// Odd.
    Black,
}

/// Sweeps over a level. A sweep is two half sweeps, one of `first`, then one of the other colour. In a half sweep the cells of
/// one colour become `x + ω·(j − x)`, with j [Jacobi's value](PressurePasses::jacobi) and ω = 1.15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relax {
    /// The colour that begins a sweep.
    pub first: Colour,
    /// How many.
    pub sweeps: u32,
}

/// How far the half sweeps go, as a share of the way to Jacobi's value.
pub const OMEGA: f32 = 1.15;

/// Sums over the cells that are not solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Of b.
    pub sum: f64,
    /// Of b².
    pub squares: f64,
}

/// What a correction makes of a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corrected {
    /// Of its divergence.
    pub sums: Sums,
    /// Of the velocity, where the machine looks while it has it in hand.
    pub survey: Option<Survey>,
}

/// The passes of the pressure.
///
/// Names of planes: b is a right-hand side, x what is solved for, r a residual, all of cells of a level. A plane `spare` is one
/// more of the same size, its values anybody's before and after. (A pass may swap it with another.)
pub trait PressurePasses: Planes {
    /// Cycles that are done before somebody looks at a number: more than one where looking is dear.
    fn between_looks(&self) -> u32 {
        2
    }

    /// Sets all values to 0.
    fn clear(&self, plane: &mut Self::Plane);

    /// Holds faces: those at closed sides become 0, then those that touch a solid cell the solids' velocity; then, where an axis
    /// wraps, the last column of u, or row of v, becomes the first. Gives the sum of the squares of the differences that this made
    /// at faces that touch solids.
    ///
    /// # Errors
    /// Work before this failed.
    fn hold(
        &self,
        finest: &Level,
        solids: Option<Walls<'_, Self::Plane>>,
        u: &mut Self::Plane,
        v: &mut Self::Plane,
    ) -> Result<f64, Failed>;

    /// `b = −((u(i + 1) − u(i)) + (v(j + 1) − v(j)))`; with weights, 0 where [`Weights::inverse`] is.
    ///
    /// # Errors
    /// Work before this failed.
    fn divergence(
        &self,
        rung: Rung<'_, Self::Plane>,
        u: &Self::Plane,
        v: &Self::Plane,
        b: &mut Self::Plane,
    ) -> Result<Sums, Failed>;

    /// As [`divergence`](PressurePasses::divergence), then as [`residual`](PressurePasses::residual): in one go where that saves
    /// reading it again.
    ///
    /// # Errors
    /// Work before this failed.
    fn divergence_to_residual(
        &self,
        rung: Rung<'_, Self::Plane>,
        [u, v]: [&Self::Plane; 2],
        b: &mut Self::Plane,
        x: &Self::Plane,
        spare: &mut Self::Plane,
    ) -> Result<(Sums, f64), Failed> {
        let sums = self.divergence(rung, u, v, b)?;
        Ok((sums, self.residual(rung, b, x, spare)?))
    }

    /// As [`divergence_to_residual`](PressurePasses::divergence_to_residual) with `from` for x, then as
    /// [`descend`](PressurePasses::descend) from a copy of that in x: in one go where that saves reading it all again.
    ///
    /// # Errors
    /// Work before this failed.
    #[expect(clippy::too_many_arguments, reason = "planes of two levels")]
    fn divergence_and_descend(
        &self,
        fine: Rung<'_, Self::Plane>,
        relax: Relax,
        velocity: [&Self::Plane; 2],
        b: &mut Self::Plane,
        (from, x): (&Self::Plane, &mut Self::Plane),
        spare: &mut Self::Plane,
        coarse: (Rung<'_, Self::Plane>, &mut Self::Plane),
    ) -> Result<(Sums, f64), Failed> {
        let told = self.divergence_to_residual(fine, velocity, b, from, spare)?;
        self.copy(from, x);
        self.descend(fine, relax, false, b, x, spare, coarse);
        Ok(told)
    }

    /// `p += e`, where there is a p; `u(i) −= e(i) − e(i − 1)` and `v(j) −= e(j) − e(j − 1)` at faces that couple on the finest
    /// level, e being 0 beyond an open side; the last column and row follow the first where an axis wraps. Then as
    /// [`divergence`](PressurePasses::divergence); with `last`, b may be anything afterwards.
    ///
    /// # Errors
    /// Work before this failed.
    fn correct(
        &self,
        rung: Rung<'_, Self::Plane>,
        e: &Self::Plane,
        velocity: [&mut Self::Plane; 2],
        p: Option<&mut Self::Plane>,
        b: &mut Self::Plane,
        last: bool,
    ) -> Result<Corrected, Failed>;

    /// Takes the mean off b in each region that is singular. Gives the sum of b² afterwards, over all cells.
    ///
    /// # Errors
    /// Work before this failed.
    fn level_out(&self, regions: &Regions, b: &mut Self::Plane) -> Result<f64, Failed>;

    /// Relaxes x (with `zero`, x is taken as 0, whatever is in it), then makes the coarser level's right-hand side from the
    /// residual `r = b − A x`.
    ///
    /// Without weights, `A x = ax·((x − west) + (x − east)) + ay·((x − south) + (x − north))` with a = `Level::couple`, or
    /// `Level::beyond` across a side, where 0 stands beyond an open one and nothing beyond a closed one; and a coarser
    /// value is the mean of what it covers ([`Level::covers`] per axis: the mean of four where sizes are even).
    /// With weights, those of the faces are used, and a coarser value is the sum of the (up to four) that it covers, two and two
    /// per axis, or one where the axis is not coarsened.
    #[expect(clippy::too_many_arguments, reason = "planes of two levels")]
    fn descend(
        &self,
        fine: Rung<'_, Self::Plane>,
        relax: Relax,
        zero: bool,
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
        coarse: (Rung<'_, Self::Plane>, &mut Self::Plane),
    );

    /// Adds the coarser level's x, then relaxes. Without weights it is bilinear between the coarser cells ([`Level::between`] per
    /// axis), or in a [symmetric](Rung::symmetric) cycle constant in each coarser cell, and a fine cell takes its mean
    /// ([`Level::within`] per axis): the transpose of the restriction, but for a factor. With weights, each fine cell takes the
    /// value of the coarser cell that covers it, and 0 where nothing couples.
    fn ascend(
        &self,
        fine: Rung<'_, Self::Plane>,
        relax: Relax,
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
        coarse: (Rung<'_, Self::Plane>, &Self::Plane),
    );

    /// As [`ascend`](PressurePasses::ascend), then as [`residual`](PressurePasses::residual): in one go where that saves
    /// reading it all again.
    ///
    /// # Errors
    /// Work before this failed.
    fn ascend_to_residual(
        &self,
        fine: Rung<'_, Self::Plane>,
        relax: Relax,
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
        coarse: (Rung<'_, Self::Plane>, &Self::Plane),
    ) -> Result<f64, Failed> {
        self.ascend(fine, relax, b, x, spare, coarse);
        self.residual(fine, b, x, spare)
    }

    /// As [`ascend_to_residual`](PressurePasses::ascend_to_residual), then as [`descend`](PressurePasses::descend) of the next
    /// cycle, `[up, down]` being how they relax: in one go where that saves reading it all again. `coarse` has the coarser level's
    /// x, and its right-hand side to be made.
    ///
    /// # Errors
    /// Work before this failed.
    fn ascend_and_descend(
        &self,
        fine: Rung<'_, Self::Plane>,
        [up, down]: [Relax; 2],
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
        (coarse, from, to): (Rung<'_, Self::Plane>, &Self::Plane, &mut Self::Plane),
    ) -> Result<f64, Failed> {
        let squares = self.ascend_to_residual(fine, up, b, x, spare, (coarse, from))?;
        self.descend(fine, down, false, b, x, spare, (coarse, to));
        Ok(squares)
    }

    /// As [`ascend`](PressurePasses::ascend), then as the last [`correct`](PressurePasses::correct) by x without a p, which leaves
    /// b alone: in one go where that saves reading it again.
    ///
    /// # Errors
    /// Work before this failed.
    #[expect(clippy::too_many_arguments, reason = "planes of two levels")]
    fn ascend_and_correct(
        &self,
        fine: Rung<'_, Self::Plane>,
        relax: Relax,
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
        coarse: (Rung<'_, Self::Plane>, &Self::Plane),
        velocity: [&mut Self::Plane; 2],
    ) -> Result<Corrected, Failed> {
        self.ascend(fine, relax, b, x, spare, coarse);
        self.correct(fine, x, velocity, None, spare, true)
    }

    /// Relaxes x from 0, on the coarsest level; then, where no side is open, takes the mean of x off.
    fn bottom(
        &self,
        rung: Rung<'_, Self::Plane>,
        relax: Relax,
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
    );

    /// The sum of r², with `r = b − A x`.
    ///
    /// # Errors
    /// Work before this failed.
    fn residual(
        &self,
        rung: Rung<'_, Self::Plane>,
        b: &Self::Plane,
        x: &Self::Plane,
        spare: &mut Self::Plane,
    ) -> Result<f64, Failed> {
        self.rest(rung, b, x, spare)
    }

    /// `r = b − A x`. Gives the sum of r².
    ///
    /// # Errors
    /// Work before this failed.
    fn rest(
        &self,
        rung: Rung<'_, Self::Plane>,
        b: &Self::Plane,
        x: &Self::Plane,
        r: &mut Self::Plane,
    ) -> Result<f64, Failed>;

    /// So many sweeps over all cells at once, x being taken as 0 at first: each becomes `x + (j − x)`, with Jacobi's value
    /// `j = (b + Σ a·neighbour) / Σ a` (a product with the inverse; 0 where nothing couples).
    fn jacobi(
        &self,
        rung: Rung<'_, Self::Plane>,
        sweeps: u32,
        b: &Self::Plane,
        x: &mut Self::Plane,
        spare: &mut Self::Plane,
    );

    /// `q = A d`. Gives the sum of d·q.
    ///
    /// # Errors
    /// Work before this failed.
    fn apply(&self, rung: Rung<'_, Self::Plane>, d: &Self::Plane, q: &mut Self::Plane) -> Result<f64, Failed>;

    /// The sums of z·r and z·q.
    ///
    /// # Errors
    /// Work before this failed.
    fn products(&self, z: &Self::Plane, r: &Self::Plane, q: &Self::Plane) -> Result<[f64; 2], Failed>;

    /// `x += a·d`, `r −= a·q`. Gives the sum of r².
    ///
    /// # Errors
    /// Work before this failed.
    fn advance(&self, a: f32, from: [&Self::Plane; 2], x: &mut Self::Plane, r: &mut Self::Plane)
    -> Result<f64, Failed>;

    /// `d = z + a·d`.
    fn turn(&self, a: f32, z: &Self::Plane, d: &mut Self::Plane);
}
