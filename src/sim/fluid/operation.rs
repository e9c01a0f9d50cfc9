//! The operations that a device runs. The scalar reference backend (`tests/reference`) implements the formulas
//! directly.
//!
//! **Positions.** On a grid of `w` × `h` cells, cell values are at (i + ½, j + ½), u on the vertical faces at (i, j +
//! ½), v on the horizontal faces at (i + ½, j). On an axis that wraps, the last face value repeats the first.
//!
//! **Sampling.** A sample position is the index i of a value on each axis plus an offset, which keeps precision far
//! from the origin. On an axis of the sampled field, with `m` values, it is i + r. r is the offset, plus ½ where the
//! value is at the centre of cells and the sampled field is not, or minus ½ in the opposite case. At a closed side r is
//! clamped to −i or (m − 1) − i; beyond an open side all values are 0, and r is clamped to −2 − i or (m + 1) − i. Index
//! k = i + floor(r), fraction t = r − floor(r); on a wrapped axis of n cells indices count modulo n; an index beyond a
//! closed side is the last inside. Bilinear: with a, b at k and k + 1 in the lower row, c, d in the upper one,
//! `low = a + (b − a)·tx`, `high = c + (d − c)·tx`, `low + (high − low)·ty`. A tap at a fraction of 0 counts as absent,
//! in limits and for solids, so that mirrored flows stay mirrored.
//!
//! **Backtraces** from a cell over `time` (forward where it is negative): with w0 the velocity at the cell and w1 the
//! velocity at the offset `(−½·time)·w0`, both bilinear, the displacement is `(−time)·w1`. w0 is the mean of the faces
//! of the cell, `½·(u(i) + u(i+1))`, `½·(v(j) + v(j+1))`. A face takes the mean of the displacements of its two cells;
//! at a side that does not wrap, `first + ½·(first − second)` of the cell at it and the next one, which may be the
//! same.
//!
//! **Walls.** A face between two solid cells is in a wall; a cell beyond an edge counts as the cell inside. Without
//! slip ([`Slips`](super::shape::Slips)) faces in a wall are sampled like all others, and the velocity along a closed
//! side is 0 beyond it: for u at the bottom and the top, and for v at the left and the right, such a side counts as
//! open. With free slip, faces in a wall have no weight when velocity is sampled, and the other weights are divided by
//! their sum. The interpolation is bilinear wherever a tap of the scheme is in a wall. Where all taps are in walls, the
//! face keeps its value. MacCormack's correction leaves the advected value where a tap is in a wall.
//!
//! **Solids.** When scalars are sampled, taps in solid cells have no weight, and the other weights are divided by their
//! sum; where that is 0, the cell keeps its value. Solid cells have the value 0.
//!
//! Advected and stamped values are clamped to ±[`VALUE_MAX`](super::parameters::VALUE_MAX); NaN becomes 0.

use std::sync::Arc;

use super::combustion::{Burning, Flame, FlameForces};
use super::fields::{FieldId, VectorField};
use super::flow_map::FlowMap;
use super::level::Level;
use super::multigrid::{Prolongation, Relax, Restriction};
use super::parameters::{Advection, Forces, Scheme, Stamp};
use super::regions::Regions;
use super::shape::{Domain, Shape};

/// Advected scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalars {
    /// Colour times density in the first three components, density in the fourth.
    pub colour: FieldId,
    /// Temperature, where there is any.
    pub temperature: Option<FieldId>,
}

/// Face coefficients of a level as fields: `(A x)(c) = Σ w(f)·(x(c) − x(n))` over the faces f of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// Coefficients of the faces normal to each axis.
    pub faces: VectorField,
    /// One over the sum of a cell's coefficients, or 0 where that is 0: in solids, and in cells without a neighbour.
    pub inverse: FieldId,
}

/// A level of the hierarchy as an operand.
#[derive(Clone, Copy, Debug)]
pub struct LevelOperand<'a> {
    /// Sizes, and the coefficients of a grid without solids.
    pub level: &'a Level,
    /// Face coefficients that replace those of the level.
    pub coefficients: Option<Coefficients>,
}

impl PartialEq for LevelOperand<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.level, other.level) && self.coefficients == other.coefficients
    }
}

/// An operation on fields. The fields that it writes differ from those that it reads, unless its text says otherwise.
/// An operation writes every value of the fields that it writes, whatever their contents before. Returned sums go to
/// [`Reductions`](super::backend::Reductions).
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the operation's text names each operand")]
pub enum Operation<'a> {
    /// `to = 0`.
    Clear { to: FieldId },
    /// `to = from`.
    Copy { from: FieldId, to: FieldId },
    /// `to = by·from`, 0 where that is not finite.
    Scale { by: f32, from: FieldId, to: FieldId },
    /// Sets values that are not finite to 0 and clamps the others to ±[`VALUE_MAX`](super::parameters::VALUE_MAX).
    Sanitise { field: FieldId },
    /// Returns the sum of a·b.
    Dot { a: FieldId, b: FieldId },
    /// `y ← y + a·x`.
    Axpy { a: f32, x: FieldId, y: FieldId },
    /// `y ← x + a·y`.
    Xpay { x: FieldId, a: f32, y: FieldId },
    /// Returns the largest velocity and the number of bad values: see
    /// [`VelocityStatistics`](super::backend::VelocityStatistics).
    VelocityStatistics { velocity: VectorField },
    /// `to(p) = from(p + by)`, 0 where the grid has no such position.
    Shift { shape: Shape, by: [i64; 3], from: FieldId, to: FieldId },
    /// Applies `values`, a box of `size` positions from `first` on, to the values of `to` under it; `to` has this
    /// shape, and its other values do not change.
    Stamp {
        domain: &'a Domain,
        shape: Shape,
        stamp: Stamp,
        first: [usize; 3],
        size: [usize; 3],
        values: FieldId,
        to: FieldId,
    },
    /// Body forces: with d the mean density and e the mean [excess](Forces::excess) of the two cells at a face, each
    /// `½·(first + second)`, cells beyond an edge counting as the one inside, or wrapped, `to = from·keep + (d·weight +
    /// e·lift)` per axis. Without temperature, e is 0.
    ///
    /// Then vorticity confinement of `from`. Vorticity of the cells, per frame, positive counter-clockwise: with `U =
    /// ½·(u(i) + u(i+1))`, `V = ½·(v(j) + v(j+1))`, `ω = ½·((V(i+1) − V(i−1)) − (U(j+1) − U(j−1)))`, and 0 in solids.
    /// With `g = ½·(|ω|(i+1) − |ω|(i−1), |ω|(j+1) − |ω|(j−1))`, s the [share](super::parameters::Confinement::share) of
    /// `sqrt(gx² + gy²)` and `|ω|`, times ω, and the force of a cell `(gy·s, −gx·s)`, a face gets `confinement ·
    /// ½·(first + second)` of its two cells. Cells beyond an edge count as the last inside, or wrapped; beyond a closed
    /// one without slip, U, V and ω are 0. Along solids with free slip, U, V and |ω| of a solid cell beside a fluid one
    /// count as those of the fluid cell.
    Force { domain: &'a Domain, forces: Forces, scalars: Scalars, from: VectorField, to: VectorField },
    /// One sweep of Chebyshev's iteration (Golub and Varga 1961) for `(1 − number·∇²) x = rhs`, per velocity component:
    /// from the iterates `from` = x(k) and `to` = x(k−1) to `to` = x(k+1).
    ///
    /// With s = Σ a·neighbour and z = Σ a over the neighbours of a face on its own grid, in the order left, right,
    /// lower, upper (`((left + right) + (lower + upper))` for both sums), `j = (rhs + number·s) / (1 + number·z)` and
    /// `to = (j − to)·weight + to`; with a weight of 1, `to = j`, whatever the contents of `to`. a is 1, and 0 across
    /// an edge that does not wrap. A neighbour across the face's direction (lower and upper of u, left and right of v)
    /// in a wall is half a cell away: a is [`wall_share`](super::parameters::wall_share); across an edge still 0. A
    /// closed edge without slip is such a wall, with a value of 0. With free slip along solids, a is 0 for a wall and 1
    /// on the other side. Faces that [`EnforceBoundaries`](Operation::EnforceBoundaries) sets are `rhs`.
    Diffuse { domain: &'a Domain, number: f32, weight: f32, rhs: VectorField, from: VectorField, to: VectorField },
    /// Displacements of the cells over `time` along `wind`.
    Backtrace { domain: &'a Domain, time: f32, wind: VectorField, to: VectorField },
    /// Advects velocity over `time`: bilinear, or [Lagrange's cubic](super::parameters::Curve::Lagrange) along x in
    /// four rows, then along y. MacCormack counts as semi-Lagrangian. Also writes the displacements `backtrace`.
    AdvectVelocity {
        domain: &'a Domain,
        scheme: Scheme,
        time: f32,
        wind: VectorField,
        from: VectorField,
        backtrace: VectorField,
        to: VectorField,
    },
    /// MacCormack's correction (Selle et al. 2008) of `advected`, which semi-Lagrangian
    /// [`AdvectVelocity`](Operation::AdvectVelocity) made of `from` with `backtrace`: with b the sample of `advected`
    /// at the forward trace over `time` and s the odd-even part of `from`, `advected − s + ½·(from − b)`, clamped to
    /// the least and greatest of the four taps on `from`.
    ///
    /// The odd-even part, per axis, with `d(i) = 2·from(i) − (from(i−1) + from(i+1))`: `⅛·(max(min(d(0), −d(−1),
    /// −d(1)), 0) + min(max(d(0), −d(−1), −d(1)), 0))`, values beyond an edge counting as the last inside, or wrapped;
    /// the sum of both axes, times `max(0, 1 − 2·|x|)·max(0, 1 − 2·|y|)` for a displacement (x, y). MacCormack hardly
    /// damps waves of two cells, which would show as stripes at a shear. A discontinuity has no
    /// odd-even part.
    CorrectVelocity {
        domain: &'a Domain,
        time: f32,
        wind: VectorField,
        backtrace: VectorField,
        from: VectorField,
        advected: VectorField,
        to: VectorField,
    },
    /// Advects scalars along `backtrace`: bilinear, or [Catmull and Rom's cubic](super::parameters::Curve::CatmullRom),
    /// clamped to the four bilinear taps; bilinear without solids wherever a tap is solid. Then `keep` and `cooling`,
    /// unless the scheme is MacCormack: [`CorrectScalars`](Operation::CorrectScalars) applies them then.
    AdvectScalars { domain: &'a Domain, advection: Advection, backtrace: VectorField, from: Scalars, to: Scalars },
    /// MacCormack's correction of `advected` with the displacements back and forward: as
    /// [`CorrectVelocity`](Operation::CorrectVelocity) without an odd-even part; where a tap is solid, `advected` as it
    /// is. Then `keep` and `cooling`.
    CorrectScalars {
        domain: &'a Domain,
        advection: Advection,
        traces: [VectorField; 2],
        from: Scalars,
        advected: Scalars,
        to: Scalars,
    },
    /// Advects the map of a flow map along `backtrace`: the displacement becomes that of the sample position from the
    /// cell, plus the displacement there, by [Catmull and Rom's cubic](super::parameters::Curve::CatmullRom), not
    /// clamped, an index beyond a side that does not wrap counting as the last inside. The survival is advected as a
    /// scalar of the cubic scheme; the last component is 0. Where a tap is solid, both are bilinear without solids, but
    /// for the displacement of a solid cell, which is advected through solids.
    AdvectMap { domain: &'a Domain, backtrace: VectorField, from: FieldId, to: FieldId },
    /// Reads the dye of a flow map: `to = (base(x)·(scale·survival) + residual)`, by Catmull and Rom's cubic on the base,
    /// clamped to the four bilinear taps, through solids, at the sample position x of the cell in the grid of the base.
    ///
    /// Where the square of the Frobenius norm of the gradient G of x is above
    /// [`STRETCHED`](super::flow_map::STRETCHED), the reading is the mean of those at `x + G·(±¼, ±¼)`,
    /// `((−− + +−) + (−+ + ++))·¼` with the sign along x first. G is 1 plus the gradient of the displacement:
    /// `½·(right − left)` per axis, one-sided at a side that does not wrap; each component of `G·(±¼, ±¼)` is clamped to
    /// ±[`READING_MAX`](super::flow_map::READING_MAX).
    ///
    /// With a map that fades, `to = o + (c − o)·share` with c the dye of `map` and o that of the other.
    ReadMap { domain: &'a Domain, map: FlowMap, fading: Option<(FlowMap, f32)>, to: FieldId },
    /// Sets the dye of a flow map where a stamp, [`Replace`](Stamp::Replace) or [`FillUp`](Stamp::FillUp), sets the dye:
    /// the survival becomes 0, and the residual the value of the stamp.
    StampMap {
        domain: &'a Domain,
        stamp: Stamp,
        first: [usize; 3],
        size: [usize; 3],
        values: FieldId,
        dye: FieldId,
        map: FlowMap,
    },
    /// Copies dye, with that of a solid cell the mean of the nearest fluid cells, 0 without any up to a distance of
    /// [`FILLED`](super::flow_map::FILLED). Distance is the greater of those along both axes; an index beyond a side that
    /// does not wrap counts as the last inside; sums are row by row from the lowest.
    FillSolids { domain: &'a Domain, from: FieldId, to: FieldId },
    /// Burns fuel, in place: with r the [share](Burning::share) at the temperature T, in gas of fuel F, flame gas P, A = P
    /// times its age, and soot S: `b = min(F, rate·r)`; then `F ← F − b`, `T ← 1 − (1 − T)·e^(−heat·b)` where b is above
    /// 0, `A ← A + P·(0.15 + 0.85·r)·ageing`, `S ← S·keep + soot·b·s` with s the [smoothstep](super::combustion) of A/P
    /// over [`SOOT_AGES`](super::combustion::SOOT_AGES), 0 without P. Also writes the flame's burning, `b·per_frame`.
    Burn { burning: Burning, temperature: FieldId, flame: Flame },
    /// Radiation, in place: `T ← T·(1 + rate·T³)^(−1/3)` above
    /// [`COOLING_MIN`](super::combustion::COOLING_MIN), the solution of `dT/dt = −c·T⁴` with rate = 3·c·dt.
    Cool { rate: f32, temperature: FieldId },
    /// A step of diffusion of a field of cells: `to = from + number·(((left − from) + (right − from)) + ((lower − from) +
    /// (upper − from)))` with a number per component; a neighbour beyond a side that does not wrap, or in a solid, counts
    /// as the cell itself. Solid cells keep their value. Stable up to a number of 0.25.
    Spread { domain: &'a Domain, shape: Shape, numbers: [f32; 4], from: FieldId, to: FieldId },
    /// Forces in and around a flame. Of a cell, with its temperature T, soot S and velocity w (the mean of its faces): m =
    /// smoothstep(0.03, 0.15, T)·(1 − smoothstep(0.75, 1, T)); the gradient g of T, `½·(T(i+1) − T(i−1))` per axis, with
    /// neighbours as in [`Spread`](Operation::Spread), and its length l; the vector f =
    /// shredding·clamp(w·n, ±shredding_max)·smoothstep(0.01, 0.06, l·unit)·n along n = g/l, 0 where l is; and k = 1 −
    /// e^(−drag·(1 − smoothstep(0.05, 0.3, T))).
    ///
    /// Of a face, with the means of both cells, `½·(first + second)`, cells beyond an edge counting as the one inside, or
    /// wrapped, per axis: `to = from + (S·weight + m·disturbance + f)`, then `to ← to + (updraft·share − to)·k` with share
    /// the ramp at the face's position, clamped to 0 … 1. The disturbance is a field of velocities times its fraction.
    FlameForce {
        domain: &'a Domain,
        forces: FlameForces,
        temperature: FieldId,
        gas: FieldId,
        disturbance: Option<VectorField>,
        from: VectorField,
        to: VectorField,
    },
    /// `velocity ← 2·projected − velocity`.
    Reflect { projected: VectorField, velocity: VectorField },
    /// Sets the faces at closed sides to 0, then those of solid cells to the solid's velocity, then, where an axis
    /// wraps, the last ones to the first. With `measure`, returns the sum of the squares of the changes at solids.
    EnforceBoundaries { domain: &'a Domain, velocity: VectorField, measure: bool },
    /// `b = −∇·velocity`, plus the source, where there is one; 0 where the inverse coefficient is 0. Returns the sums of
    /// b and of b². Without `keep`, only the sums are wanted: contents of b unspecified.
    Divergence { level: LevelOperand<'a>, velocity: VectorField, source: Option<FieldId>, b: FieldId, keep: bool },
    /// `pressure ← pressure + e`, where there is one, and `velocity ← velocity − ∇e` at faces with a coefficient on the
    /// finest level; e is 0 beyond an open side; the last faces of an axis that wraps repeat the first.
    Correct { level: LevelOperand<'a>, e: FieldId, velocity: VectorField, pressure: Option<FieldId> },
    /// Subtracts the mean of b in each region whose pressure is determined up to a constant; b becomes 0 in solids.
    /// Returns the sum of b² afterwards.
    RemoveMean { regions: &'a Arc<Regions>, b: FieldId },
    /// `r = b − A x`. Returns the sum of r². Without `keep`, only the sum is wanted: contents of r unspecified.
    ///
    /// Without face coefficients, `A x` is the sum over the axes of `a·((x − low) + (x − high))` with a =
    /// [`Level::coefficient`], or [`Level::side_coefficient`] across a side, where the neighbour is 0 beyond an open
    /// side.
    Residual { level: LevelOperand<'a>, b: FieldId, x: FieldId, r: FieldId, keep: bool },
    /// `to = A x`. Returns the sum of x·to.
    Apply { level: LevelOperand<'a>, x: FieldId, to: FieldId },
    /// Red-black sweeps on `A x = b`; with `zero`, from x = 0. Contents of `scratch` unspecified.
    Relax { level: LevelOperand<'a>, relax: Relax, zero: bool, b: FieldId, x: FieldId, scratch: FieldId },
    /// Jacobi sweeps on `A x = b` from x = 0: `x ← x + (j − x)` with `j = (b + Σ a·neighbour) / Σ a`, 0 where Σ a is.
    /// Contents of `scratch` unspecified.
    Jacobi { level: LevelOperand<'a>, sweeps: u32, b: FieldId, x: FieldId, scratch: FieldId },
    /// `to = R (b − A x)`: the right-hand side of the coarser level.
    Restrict {
        level: LevelOperand<'a>,
        coarse: LevelOperand<'a>,
        restriction: Restriction,
        b: FieldId,
        x: FieldId,
        to: FieldId,
    },
    /// `x ← x + P from`, then x = 0 where the inverse coefficient is 0.
    Prolong { level: LevelOperand<'a>, coarse: LevelOperand<'a>, prolongation: Prolongation, from: FieldId, x: FieldId },
    /// [`Relax`](Operation::Relax) from 0 on the coarsest level; then, where no side is open, subtracts the mean of x.
    CoarseSolve { level: LevelOperand<'a>, relax: Relax, b: FieldId, x: FieldId, scratch: FieldId },
}
