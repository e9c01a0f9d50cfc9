//! The passes of a step. `step` has their order; a machine runs them.
//!
//! **Lattices.** A grid of `w` × `h` cells has values of cells at (i + ½, j + ½), of vertical faces, u, at (i, j + ½),
//! `w + 1` a row, and of horizontal faces, v, at (i + ½, j), `h + 1` rows. Planes are row after row, the lowest first.
//!
//! **A value at a place.** A place is a value's own, i on some axis, and an offset from there, so that nothing is lost far from
//! the origin. On the axis of the lattice that is read, with `m` values, it stands at i + r, r being the offset plus ½ where
//! the place's lattice stands in the middle of cells and the read one does not, less ½ the other way round. A closed side
//! holds r to −i or (m − 1) − i; beyond an open one all values are 0, and r is held to −2 − i or (m + 1) − i. Index
//! k = i + floor(r), fraction t = r − floor(r); on a wrapped axis of n cells indices count modulo n; an index beyond a
//! closed side is the last before it. Bilinear: with a, b at k and k + 1 in the lower row, c, d in the upper one,
//! `low = a + (b − a)·tx`, `high = c + (d − c)·tx`, `low + (high − low)·ty`. Where a fraction is 0 the values at k alone have
//! a weight on its axis: a limit is that of values with a weight, and only solid cells with a weight are near. So a place on a
//! column or a row of values sees none of its two neighbours, whichever way the air is mirrored.
//!
//! **Looking back** from a cell over `time` (ahead where it is below 0): with w0 the wind there, w1 = the wind at offset
//! `(−½·time)·w0`, both components bilinear, it ends at offset `(−time)·w1`. w0 is the mean of the faces around,
//! `½·(u(i) + u(i+1))`, `½·(v(j) + v(j+1))`. From a face it ends at the mean of the offsets of the two cells at it; from one at
//! an edge that does not wrap, at `first + ½·(first − second)` of the cell at it and the next one, which may be the same.
//!
//! **Walls.** A face between two solid cells (a cell beyond an edge counting as the one inside) is in a wall. Without slip
//! ([`Slips`]) a solid's faces in a wall count as all others do, and beyond a closed side without slip velocity along it is 0, as
//! if a still solid were there: for u at the bottom and the top, and for v at the left and the right, that side is taken as an
//! open one. With free slip, values of faces in a wall have no weight when velocity is looked up, and the others' are divided by
//! their sum, bilinear wherever one that has a weight in the scheme is in a wall; where all are, the face keeps its value;
//! MacCormack's second half leaves what the first made.
//!
//! **Solids** hold their faces' velocity. For what cells carry, taps on solid cells have no weight, and the others' are
//! divided by their sum; where that is 0, the cell keeps its value. Solid cells hold 0: smoke does not enter.
//!
//! Every value that a pass of carrying or stamping writes is held to ±[`MOST`], NaN becoming 0.

use std::sync::Arc;

use super::device::Failed;
use super::planes::Survey;
use super::pressure::{PressurePasses, Rooms};
use super::settings::{Scheme, Side, Slip, Slips};
use super::state::{Air, Solids};

/// Largest amount of any value: cells per frame, density, temperature.
pub const MOST: f32 = 65536.0;

/// Where values stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lattice {
    /// Vertical faces.
    U,
    /// Horizontal faces.
    V,
    /// Cells, a value each.
    Cell,
    /// Cells, four values each, side by side.
    Dye,
}

impl Lattice {
    /// Columns and rows on a grid.
    pub fn size(self, width: usize, height: usize) -> [usize; 2] {
        match self {
            Lattice::U => [width + 1, height],
            Lattice::V => [width, height + 1],
            Lattice::Cell | Lattice::Dye => [width, height],
        }
    }

    /// Values at each place.
    pub fn values(self) -> usize {
        if self == Lattice::Dye { 4 } else { 1 }
    }
}

/// Velocity through the faces, cells per frame.
#[derive(Clone, Copy, Debug)]
pub struct Faces<P> {
    /// Vertical ones.
    pub u: P,
    /// Horizontal ones.
    pub v: P,
}

/// What the cells carry.
#[derive(Clone, Debug)]
pub struct Cells<P> {
    /// Four values a cell.
    pub dye: P,
    /// Temperature, where there is any.
    pub temperature: Option<P>,
}

/// Where looks from the cells end: offsets from the cells, planes of a value each.
#[derive(Debug)]
pub struct Offsets<P> {
    /// Along x, cells.
    pub x: P,
    /// Along y.
    pub y: P,
}

/// What does not change in a frame.
#[derive(Clone, Debug)]
pub struct Ground<P> {
    /// Columns of cells.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Left, right, bottom, top.
    pub edges: [Side; 4],
    /// Slip conditions at closed edges and at solids.
    pub slip: Slips,
    /// What is solid.
    pub solids: Option<Solid<P>>,
}

impl<P> Ground<P> {
    /// Length of a lattice's plane.
    pub fn len(&self, lattice: Lattice) -> usize {
        let [columns, rows] = lattice.size(self.width, self.height);
        columns * rows * lattice.values()
    }

    /// Whether a side (left, right, bottom, top) is closed and without slip.
    pub fn sticks(&self, side: usize) -> bool {
        self.edges[side] == Side::Closed && self.slip.edges == Slip::No
    }

    /// The solids, where air slips along them.
    pub fn slippery(&self) -> Option<&Solid<P>> {
        self.solids.as_ref().filter(|_| self.slip.obstacles == Slip::Free)
    }
}

/// What is solid, as planes.
#[derive(Clone, Debug)]
pub struct Solid<P> {
    /// 1 where a cell is, else 0.
    pub cells: P,
    /// Velocity of the faces that touch one.
    pub faces: Faces<P>,
}

/// A rectangle of a lattice.
#[derive(Clone, Debug)]
pub struct Area<P> {
    /// First column.
    pub x: usize,
    /// First row.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// As many values at each place as the stamp takes, row after row.
    pub values: P,
}

/// What a rectangle of values `a` does to the values `x` under it. Values of solid cells stay as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stamp {
    /// `x + share·a`.
    Add {
        /// Share of the frame's amount.
        share: f32,
    },
    /// `x + (a0 − x)·a1`: two values at each place, a velocity and the share of the way to it.
    Steer,
    /// Dye: all of `a` where its fourth value is above 0.
    Replace,
    /// Dye: all of `a` where its fourth value is above the dye's.
    FillUp,
}

/// Accelerations that follow from where the air is and what it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// What velocity is multiplied by.
    pub keep: f32,
    /// Velocity per density, per axis.
    pub weight: [f32; 2],
    /// Velocity per temperature above ambient, per axis.
    pub lift: [f32; 2],
    /// See [`Forces::excess`].
    pub ambient: f32,
    /// Strength of vorticity confinement.
    pub confinement: f32,
}

impl Forces {
    /// Temperature that counts: what is above ambient, and what is below 0: `max(t − ambient, 0) + min(t, 0)`.
    #[inline(always)]
    pub fn excess(t: f32, ambient: f32) -> f32 {
        (t - ambient).max(0.0) + t.min(0.0)
    }
}

/// Vorticity confinement (Fedkiw, Stam and Jensen 2001), fitted to what a grid can hold.
pub struct Confinement;

impl Confinement {
    /// What a cell's force is, times the gradient of `|ω|` turned and times ω, for a gradient of this length and a `|ω|` of
    /// this size, both per cell: with `s = size + 1e−6`, `max(0, 1 − 2·length / s) / ((length + 0.02·size) + 1e−6)`, by one division:
    /// `max(0, s − 2·length) / (s·((length + 0.02·size) + 1e−6))`.
    ///
    /// 1 / length, as it stands in the paper, pushes with all its strength what is a cell or two wide, too. There it
    /// sharpens the shear beside a jet into stripes, and in the middle of an eddy, where the gradient's direction is that
    /// of its rounding, it draws a hatch. Here it goes to 0 with the gradient, and towards half of `|ω|` a cell, which a
    /// sheet of one cell has.
    #[inline(always)]
    pub fn share(length: f32, size: f32) -> f32 {
        let s = size + 1e-6;
        (s - 2.0 * length).max(0.0) / (s * ((length + 0.02 * size) + 1e-6))
    }
}

/// How what cells hold is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// How it is looked up; MacCormack counts as semi-Lagrangian where [`Machine::correct_cells`] follows.
    pub scheme: Scheme,
    /// What dye is multiplied by afterwards.
    pub keep: f32,
    /// Share of the [excess](Forces::excess) of temperature that is lost afterwards.
    pub cooling: f32,
    /// As [`Forces::ambient`].
    pub ambient: f32,
}

/// A step's passes, apart from those of the pressure.
///
/// Planes that a pass writes are never those that it reads. A pass without a word on it writes every value of its outputs,
/// whatever was in them.
pub trait Machine: PressurePasses {
    /// An array with anybody's values: for a pass that writes them all.
    ///
    /// # Errors
    /// There is no memory.
    fn stale(&self, len: usize) -> Result<Self::Plane, Failed>;

    /// Room for the pressure; what [`keep`](Machine::keep) was given, where it is for the same domain.
    ///
    /// # Errors
    /// There is no memory.
    fn rooms(
        &self,
        size: [usize; 2],
        edges: [Side; 4],
        solids: Option<&Arc<Solids>>,
    ) -> Result<Rooms<Self::Plane>, Failed>;

    /// Takes room that is no longer needed, for the next frame.
    fn keep(&self, rooms: Rooms<Self::Plane>, solids: Option<&Arc<Solids>>);

    /// The planes of a state, to be read only; they may be the state's own memory. Then the pressure.
    ///
    /// # Errors
    /// There is no memory.
    #[expect(clippy::type_complexity, reason = "three parts, named once")]
    fn load(&self, air: &Arc<Air>) -> Result<(Faces<Self::Plane>, Cells<Self::Plane>, Self::Plane), Failed>;

    /// The values as a state's planes. Blocks.
    ///
    /// # Errors
    /// They are lost, or never came to be.
    fn store(&self, faces: Faces<Self::Plane>, cells: Cells<Self::Plane>, pressure: Self::Plane)
    -> Result<Air, Failed>;

    /// Says what a [survey](Machine::survey) of a state's air would find: it need not be looked for when that is
    /// [loaded](Machine::load).
    fn surveyed(&self, _air: &Arc<Air>, _survey: Survey) {}

    /// `to(x, y) = from(x + by[0], y + by[1])`, 0 where there is none, on a lattice of a grid of `size` cells.
    fn shift(&self, size: [usize; 2], lattice: Lattice, by: [i64; 2], from: &Self::Plane, to: &mut Self::Plane);

    /// `to = from·by`, 0 where that is not finite.
    fn scale(&self, by: f32, from: &Self::Plane, to: &mut Self::Plane);

    /// The largest velocity, and how many are bad. Blocks.
    ///
    /// # Errors
    /// Work before this failed.
    fn survey(&self, faces: &Faces<Self::Plane>) -> Result<Survey, Failed>;

    /// Sets what is not finite to 0, and holds the rest to ±[`MOST`].
    fn scrub(&self, plane: &mut Self::Plane);

    /// A rectangle of values on a lattice; changes only what is under it. See [`Stamp`].
    fn stamp(
        &self,
        ground: &Ground<Self::Plane>,
        lattice: Lattice,
        stamp: Stamp,
        area: &Area<Self::Plane>,
        to: &mut Self::Plane,
    );

    /// Forces on all faces: with d the mean density and e the mean excess of the two cells at a face, each
    /// `½·(first + second)`, those beyond an edge counting as the one inside, or wrapped:
    /// `to = from·keep + (d·weight + e·lift)`, each axis its own. Without temperature, e is 0.
    ///
    /// Then, where there is any, vorticity confinement of `from`. The vorticity of the cells, per frame, counter-clockwise above
    /// 0: with the velocities of cells `U = ½·(u(i) + u(i+1))`, `V = ½·(v(j) + v(j+1))`,
    /// `ω = ½·((V(i+1) − V(i−1)) − (U(j+1) − U(j−1)))`, and 0 in solids. With
    /// `g = ½·(|ω|(i+1) − |ω|(i−1), |ω|(j+1) − |ω|(j−1))`, `s` the [`share`](Confinement::share) of `sqrt(gx² + gy²)` and `|ω|`,
    /// times ω, and the cells' force `(gy·s, −gx·s)`, a face gets `confinement · ½·(first + second)` of the two cells at it.
    /// Cells beyond an edge count as the last inside, or wrapped; beyond a closed one without slip, U, V and ω are 0. Where air
    /// slips along solids, U, V and |ω| of a solid cell beside one of air count as those of the latter.
    ///
    /// # Errors
    /// There is no memory.
    fn force(
        &self,
        ground: &Ground<Self::Plane>,
        forces: &Forces,
        cells: &Cells<Self::Plane>,
        from: &Faces<Self::Plane>,
        to: &mut Faces<Self::Plane>,
    ) -> Result<(), Failed>;

    /// One sweep of Chebyshev's iteration for `(1 − number·∇²) x = rhs`, each kind of faces its own: from iterates
    /// `from` = x(k) and `to` = x(k−1) to `to` = x(k+1).
    ///
    /// For a face, s = Σ a·neighbour and z = Σ a over its four neighbours on its lattice, in the order left, right, lower, upper
    /// (`((left + right) + (lower + upper))` for both sums): a is 1, and across an edge that does not wrap, 0. A neighbour
    /// across the face's direction (lower and upper of u, left and right of v) that stands between two solid cells (a cell
    /// beyond an edge counting as the one inside) is a wall, half-way there: what is exact for parabolas has an a of 8/3
    /// there and of 4/3 on the other side, or of 4 where both are walls; across an edge still 0. A closed edge without slip is such
    /// a wall, with a value of 0; where air slips along solids, a is 0 for a wall and 1 on the other side.
    /// `j = (rhs + number·s) / (1 + number·z)`, `to = (j − to)·weight + to`; with a weight of 1, `to = j`, whatever was in `to`.
    /// Faces that [`settle`](Machine::settle) sets are `rhs`.
    fn diffuse(
        &self,
        ground: &Ground<Self::Plane>,
        number: f32,
        weight: f32,
        rhs: &Faces<Self::Plane>,
        from: &Faces<Self::Plane>,
        to: &mut Faces<Self::Plane>,
    );

    /// Where looks back over `time` from the cells end, ahead where it is below 0.
    fn look(&self, ground: &Ground<Self::Plane>, time: f32, wind: &Faces<Self::Plane>, to: &mut Offsets<Self::Plane>);

    /// Carries velocity along a wind for `time`: each value is the one at the end of its look back: bilinear; or
    /// [Lagrange's cubic](Curve::Lagrange) in x of four rows, then in y. MacCormack counts as semi-Lagrangian here, since
    /// [`correct_faces`](Machine::correct_faces) follows. Gives the looks [`back`](Machine::look).
    #[expect(clippy::too_many_arguments, reason = "what carries, what is carried, and where to")]
    fn carry_faces(
        &self,
        ground: &Ground<Self::Plane>,
        scheme: Scheme,
        time: f32,
        wind: &Faces<Self::Plane>,
        from: &Faces<Self::Plane>,
        back: &mut Offsets<Self::Plane>,
        to: &mut Faces<Self::Plane>,
    );

    /// MacCormack's second half, from the same wind and its looks back: `there` is what `carry_faces` made of `from`,
    /// bilinear. With b the value of `there` at the end of the look ahead over `time`, and s what alternates in `from` from face
    /// to face: `there − s + ½·(from − b)`, held between the least and the greatest of the four taps on `from` at the end of
    /// the look back.
    ///
    /// What alternates: along each axis, with `d(i) = 2·from(i) − (from(i−1) + from(i+1))` of a face and the two beside it, an
    /// eighth of d, or as much of it as theirs have the other way,
    /// `⅛·(max(min(d(0), −d(−1), −d(1)), 0) + min(max(d(0), −d(−1), −d(1)), 0))`, faces beyond an edge counting as the last
    /// inside, or wrapped; the sum of both axes, times `max(0, 1 − 2·|x|)·max(0, 1 − 2·|y|)` for a look back by x and y: what
    /// alternates is gone half a cell on, and the other way beyond. MacCormack hardly damps waves of two cells and sends them
    /// against the wind: without this they stand as stripes beside a shear. Nothing else is touched, least of all a step.
    ///
    /// # Errors
    /// There is no memory.
    fn correct_faces(
        &self,
        ground: &Ground<Self::Plane>,
        time: f32,
        wind: (&Faces<Self::Plane>, &Offsets<Self::Plane>),
        from: &Faces<Self::Plane>,
        there: &Faces<Self::Plane>,
        to: &mut Faces<Self::Plane>,
    ) -> Result<(), Failed>;

    /// As [`carry_faces`](Machine::carry_faces), for what cells carry, but the cubic is
    /// [Catmull and Rom's](Curve::CatmullRom), held between the least and the greatest of the four bilinear taps; near
    /// solids bilinear without them wherever a tap is solid. Then dye times `keep`, and temperature less `cooling` times its
    /// excess, but not with MacCormack, where [`correct_cells`](Machine::correct_cells) follows and does it.
    fn carry_cells(
        &self,
        ground: &Ground<Self::Plane>,
        way: &Way,
        back: &Offsets<Self::Plane>,
        from: &Cells<Self::Plane>,
        to: &mut Cells<Self::Plane>,
    );

    /// As [`correct_faces`](Machine::correct_faces), for what cells carry; where one of the taps, back or ahead, is solid,
    /// `there` as it is. Then `keep` and `cooling`.
    fn correct_cells(
        &self,
        ground: &Ground<Self::Plane>,
        way: &Way,
        looks: [&Offsets<Self::Plane>; 2],
        from: &Cells<Self::Plane>,
        there: &Cells<Self::Plane>,
        to: &mut Cells<Self::Plane>,
    );

    /// `faces = 2·projected − faces`.
    fn reflect(&self, projected: &Faces<Self::Plane>, faces: &mut Faces<Self::Plane>);

    /// Sets the faces at closed edges to 0, then those that touch a solid cell to the solid's velocity, then, where an axis
    /// wraps, the last column of u or row of v to the first.
    fn settle(&self, ground: &Ground<Self::Plane>, faces: &mut Faces<Self::Plane>);
}

/// What a neighbour counts for in [`diffuse`](Machine::diffuse), by whether it is a wall, and whether the one opposite is.
#[inline(always)]
pub fn wall_share(wall: bool, opposite: bool) -> f32 {
    match (wall, opposite) {
        (true, true) => 4.0,
        (true, false) => 8.0 / 3.0,
        (false, true) => 4.0 / 3.0,
        (false, false) => 1.0,
    }
}

/// Cubics through four values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Third order: velocity loses least with it.
    Lagrange,
    /// Smooth where pieces meet: what is seen has no creases.
    CatmullRom,
}

impl Curve {
    /// What it takes of the values, t from the second on: their sum is `(a·w0 + b·w1) + (c·w2 + d·w3)`.
    #[inline(always)]
    pub fn weights(self, t: f32) -> [f32; 4] {
        match self {
            Curve::Lagrange => {
                let (inner, outer) = (t * (1.0 - t), (1.0 + t) * (2.0 - t));
                let (low, high) = (inner * (2.0 - t), inner * (1.0 + t));
                [low * (-1.0 / 6.0), outer * (1.0 - t) * 0.5, outer * t * 0.5, high * (-1.0 / 6.0)]
            }
            Curve::CatmullRom => [
                ((1.0 - 0.5 * t) * t - 0.5) * t,
                (1.5 * t - 2.5) * (t * t) + 1.0,
                ((2.0 - 1.5 * t) * t + 0.5) * t,
                (0.5 * t - 0.5) * (t * t),
            ],
        }
    }
}
