//! The seam between the models and the devices: one frame's work as integers, and who runs it.

use std::ops::{AddAssign, Range};
use std::sync::Arc;

use super::buffers::StateBuffers;
use super::domain::Domain;
use super::field::Field;
use super::fixed_point::Coefficient;
use super::settings::Model;
use super::shallow::Gain;
use crate::sim::Interrupted;

/// Flow planes of a model: pipe p from cell to neighbour, then (Classic) the same pipes from neighbour to cell; all
/// stored at the cell that owns the pipe. Shallow water has the balanced pipes' planes, of which the diagonals carry nothing,
/// and then those of [`SPEEDS`].
pub fn flow_planes(model: Model) -> usize {
    match model {
        Model::Pipes => 4,
        Model::Classic => 8,
        Model::ShallowWater => 6,
    }
}

/// Planes of the speeds on the faces to the east and north of cells, in Shallow water: parts of
/// [`SPEED_ONE`](super::shallow::SPEED_ONE), cells per step.
pub const SPEEDS: [usize; 2] = [4, 5];

/// Coefficients of shallow water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shallow {
    /// Speed per step, in its parts, for a drop in units.
    pub gravity: Gain,
    /// Depth, in units, that friction adds for a speed in its parts.
    pub friction: Gain,
}

/// What moves: heights, flows and pigment, all in units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Water {
    /// One plane: the height of each column. Its ring is 0.
    pub height: Field,
    /// Four planes (Pipes, signed: positive from the owner to its neighbour), eight (Classic) or six (Shallow water), per step. The ring is
    /// state: pipes owned by cells beyond an open edge, or copies of the opposite edge.
    pub flow: Field,
    /// Three planes: red, green, blue, their ring 0. `None` while all are 0.
    pub pigment: Option<Field>,
}

impl Water {
    /// Memory held.
    pub fn bytes(&self) -> usize {
        self.height.bytes() + self.flow.bytes() + self.pigment.as_ref().map_or(0, Field::bytes)
    }

    /// Sums over the grid: water, red, green, blue; modulo 2^64.
    pub fn totals(&self) -> [i64; 4] {
        let pigment = |channel| self.pigment.as_ref().map_or(0, |p| p.sum(channel));
        [self.height.sum(0), pigment(0), pigment(1), pigment(2)]
    }
}

/// What came and went in units: water, then red, green, blue pigment. Sums are modulo 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MassBalance {
    /// Let in.
    pub added: [i64; 4],
    /// Taken away: evaporation, cells that turned solid, a source that lowers what it replaces.
    pub removed: [i64; 4],
    /// Left through an open edge.
    pub drained: [i64; 4],
    /// Cut off above the ceiling.
    pub clamped: [i64; 4],
}

impl AddAssign for MassBalance {
    fn add_assign(&mut self, other: MassBalance) {
        let MassBalance { added, removed, drained, clamped } = other;
        for (mine, theirs) in [
            (&mut self.added, added),
            (&mut self.removed, removed),
            (&mut self.drained, drained),
            (&mut self.clamped, clamped),
        ] {
            for (a, b) in mine.iter_mut().zip(theirs) {
                *a = a.wrapping_add(b);
            }
        }
    }
}

/// Amounts of a frame, shared over its steps: a step adds the base, and one unit more while its index is below the
/// remainder.
#[derive(Clone, Debug)]
pub struct Inflow {
    /// Bases of height, red, green, blue; in a frame of more than one step, their remainders follow (4 or 8 planes).
    pub shares: Field,
    /// Whether any share of red, green or blue is above 0.
    pub coloured: bool,
    /// Columns (ring coordinates) of each grid row that hold anything.
    pub extents: Vec<Range<usize>>,
}

/// What a source does once, before the first step of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialSource {
    /// Sets height and pigment where the amount is above 0.
    Replace,
    /// Raises the height to the amount; the water that comes brings its colour.
    FillUp,
}

/// Planes of [`FramePlan::control`], parts of [`WHOLE`](super::fixed_point::WHOLE) of a cell.
pub mod control {
    /// Share of the acceleration.
    pub const PULL: usize = 0;
    /// Share of what damping takes.
    pub const LOSS: usize = 1;
    /// Share of its flow that is left by a border that absorbs.
    pub const REST: usize = 2;
    /// Share of the viscosity.
    pub const SMOOTHING: usize = 3;
    /// How many.
    pub const PLANES: usize = 4;
}

/// One frame for a device: everything in units and coefficients.
#[derive(Clone, Debug)]
pub struct FramePlan {
    /// Which step.
    pub model: Model,
    /// Solid cells, edges and what they do to the pipes.
    pub domain: Arc<Domain>,
    /// Whether water and pigment under solid cells are removed first.
    pub clear_solid: bool,
    /// A source set once; amounts of height, red, green, blue in four planes. Comes after solid cells are cleared.
    pub initial: Option<(InitialSource, Field)>,
    /// Factor of the flows in 2^−16, where the time step changed.
    pub rescale: Option<u64>,
    /// Number of steps that the frame's amounts are shared over.
    pub shared_over: u32,
    /// Number of steps to take, at most `shared_over`.
    pub steps: u32,
    /// Share of its flow that a pipe keeps per step.
    pub keep: Coefficient,
    /// Acceleration of a cross pipe with 0 to 4 blocked side diagonals.
    pub cross: [Coefficient; 5],
    /// Acceleration of a diagonal pipe.
    pub diagonal: Coefficient,
    /// Viscosity.
    pub smoothing: Coefficient,
    /// What drives shallow water; zeros for pipes.
    pub shallow: Shallow,
    /// Terrain and pressure, one plane; `None` where all are 0.
    pub base: Option<Arc<Field>>,
    /// Half pushes, x and y; `None` where all are 0.
    pub push: Option<Field>,
    /// Shares of the coefficients, cell by cell, in the planes of [`control`]; a pipe has the mean of its ends, rounded
    /// down. The ring continues the border, or the opposite side where edges join. `None` where all are whole.
    pub control: Option<Field>,
    /// What flows in.
    pub inflows: Vec<Inflow>,
    /// Evaporation: base and remainder, as in [`Inflow`].
    pub evaporation: [i32; 2],
    /// Least height, in units, that counts as wet: for [`Sums::wet`](super::buffers::Sums::wet).
    pub wet: i32,
}

impl FramePlan {
    /// Whether the frame brings pigment.
    pub fn colours(&self) -> bool {
        self.inflows.iter().any(|l| l.coloured) || self.initial.is_some()
    }

    /// What evaporates from each cell in step `step`.
    pub fn evaporation_of(&self, step: u32) -> i32 {
        self.evaporation[0] + i32::from((step as i32) < self.evaporation[1])
    }
}

/// Counts that a row job hands back; what each means is the job's.
pub type RowCounts = [u64; 4];

/// Work on one row of a field, as [`Device::rows`] hands it out: the grid row (0 lowest) and all planes of that row with
/// their ring.
pub type RowJob<'a> = dyn Fn(usize, &mut [i32]) -> RowCounts + Sync + 'a;

/// Runs programs. All devices give the same bits.
///
/// Devices are shared by threads; both methods block the caller until the work is done.
pub trait Device: Send + Sync {
    /// What the device is, for people.
    fn name(&self) -> String;

    /// Runs `job` once for every grid row of `field`, in any order, on any thread, and adds up the counts.
    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts;

    /// Runs a frame on `body`, which stays as it is. A device may keep what it makes, know it again by
    /// [`StateBuffers::keeper`], and hold on to the plan until the planes are in memory. `go_on` is asked for every step before
    /// it, at most four steps ahead, on the calling thread.
    ///
    /// # Errors
    /// [`Interrupted`] when `go_on` said no; what was done is dropped.
    fn run(
        &self,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted>;
}
