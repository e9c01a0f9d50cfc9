//! One frame as integers, and the trait of the devices that run it.

use std::ops::{AddAssign, Range};
use std::sync::Arc;

use super::buffers::StateBuffers;
use super::domain::Domain;
use super::field::Field;
use super::fixed_point::Coefficient;
use super::ripples::{Ripples, margin};
use super::settings::{Model, Order};
use super::shallow::Gain;
use crate::sim::Interrupted;

/// Number of flow planes of a model. Pipe p runs from a cell to its neighbour; the cell owns the pipe and stores its
/// flow. In Classic pipes the flows back follow. Shallow water has the planes of the balanced pipes, of which the
/// diagonals are 0, and then those of [`SPEEDS`]. A state of Ripples with open edges has further planes for its
/// [margin](super::ripples::margin::Margin::flow_planes).
pub fn flow_planes(model: Model) -> usize {
    match model {
        Model::Pipes => 4,
        Model::Classic => 8,
        Model::ShallowWater => 6,
        Model::Ripples => margin::PIPES,
    }
}

/// Planes of the speeds on the faces to the east and north of cells, in Shallow water: parts of
/// [`SPEED_ONE`](super::shallow::SPEED_ONE), cells per step.
pub const SPEEDS: [usize; 2] = [4, 5];

/// Coefficients of Shallow water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shallow {
    /// Change of a speed per step for a drop in units.
    pub gravity: Gain,
    /// Depth, in units, that friction adds for a speed.
    pub friction: Gain,
    /// Order of the depths on the faces.
    pub order: Order,
}

/// The planes of a state that a step changes: heights, flows and pigment, in units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Water {
    /// One plane: the height of each cell. Its ring is 0. In Ripples, the surface at rest has the height
    /// [`REST`](super::ripples::REST).
    pub height: Field,
    /// Flows per step: four planes (Pipes and Ripples, signed: positive from the owner to its neighbour), eight
    /// (Classic) or six (Shallow water); in Ripples, planes of the margin follow. The ring is part of the state: pipes
    /// of cells beyond an open edge, or copies of the opposite edge.
    pub flow: Field,
    /// Three planes: red, green, blue; the ring is 0. `None` while all are 0.
    pub pigment: Option<Field>,
}

impl Water {
    /// Memory, bytes.
    pub fn bytes(&self) -> usize {
        self.height.bytes() + self.flow.bytes() + self.pigment.as_ref().map_or(0, Field::bytes)
    }

    /// Totals of water, red, green and blue; modulo 2^64.
    pub fn totals(&self) -> [i64; 4] {
        let pigment = |channel| self.pigment.as_ref().map_or(0, |p| p.sum(channel));
        [self.height.sum(0), pigment(0), pigment(1), pigment(2)]
    }
}

/// Mass balance: water, red, green and blue pigment that came and went, in units, modulo 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MassBalance {
    /// Added by sources.
    pub added: [i64; 4],
    /// Removed: evaporation, cells that became solid, a source that lowers what it replaces.
    pub removed: [i64; 4],
    /// Drained through an open edge.
    pub drained: [i64; 4],
    /// Removed above the ceiling.
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

/// Amounts that flow in over the steps of a frame: each step adds the base, and one unit more while its index is below
/// the remainder.
#[derive(Clone, Debug)]
pub struct Inflow {
    /// Bases of height, red, green, blue; in a frame of several steps their remainders follow (4 or 8 planes).
    pub shares: Field,
    /// Whether any share of red, green or blue is above 0.
    pub coloured: bool,
    /// The columns (ring coordinates) of each grid row that hold an amount.
    pub extents: Vec<Range<usize>>,
}

/// A source that acts once, before the first step of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialSource {
    /// Sets height and pigment where the amount is above 0.
    Replace,
    /// Raises the height to the amount; the added water brings its colour.
    FillUp,
}

/// Planes of [`FramePlan::control`], in parts of [`WHOLE`](super::fixed_point::WHOLE).
pub mod control {
    /// Share of the acceleration.
    pub const PULL: usize = 0;
    /// Share of the damping.
    pub const LOSS: usize = 1;
    /// Share of a flow that an absorbing edge leaves.
    pub const REST: usize = 2;
    /// Share of the viscosity.
    pub const SMOOTHING: usize = 3;
    /// Number of planes.
    pub const PLANES: usize = 4;
}

/// One frame for a device, in units and coefficients.
#[derive(Clone, Debug)]
pub struct FramePlan {
    /// Model of the steps.
    pub model: Model,
    /// Solid cells and edges.
    pub domain: Arc<Domain>,
    /// Whether water and pigment in solid cells are removed first.
    pub clear_solid: bool,
    /// The initial source, after solid cells are cleared: amounts of height, red, green, blue in four planes.
    pub initial: Option<(InitialSource, Field)>,
    /// Factor of the flows in 2^−16, where the time step changed.
    pub rescale: Option<u64>,
    /// Number of steps that share the frame's amounts.
    pub shared_over: u32,
    /// Number of steps to take, at most `shared_over`.
    pub steps: u32,
    /// Share of a flow that is left after damping, per step.
    pub keep: Coefficient,
    /// Acceleration of a cross pipe with 0 to 4 blocked side diagonals.
    pub cross: [Coefficient; 5],
    /// Acceleration of a diagonal pipe.
    pub diagonal: Coefficient,
    /// Viscosity.
    pub smoothing: Coefficient,
    /// Coefficients of Shallow water; zeros for pipes.
    pub shallow: Shallow,
    /// Operator and margin of Ripples; `None` for other models.
    pub ripples: Option<Ripples>,
    /// Terrain and pressure, one plane; `None` where all are 0.
    pub base: Option<Arc<Field>>,
    /// Half pushes, x and y; `None` where all are 0.
    pub push: Option<Field>,
    /// Control maps in the planes of [`control`]; a pipe has the mean of its two cells, rounded down. The ring
    /// continues the border, or the opposite edge where edges join. `None` where all are whole.
    pub control: Option<Field>,
    /// The inflows of the frame.
    pub inflows: Vec<Inflow>,
    /// Evaporation: base and remainder, as in [`Inflow`].
    pub evaporation: [i32; 2],
    /// Least wet height, in units: for [`Sums::wet`](super::buffers::Sums::wet).
    pub wet: i32,
}

impl FramePlan {
    /// Whether the frame adds pigment.
    pub fn colours(&self) -> bool {
        self.inflows.iter().any(|l| l.coloured) || self.initial.is_some()
    }

    /// Evaporation of each cell in a step, units.
    pub fn evaporation_of(&self, step: u32) -> i32 {
        self.evaporation[0] + i32::from((step as i32) < self.evaporation[1])
    }
}

/// Counts of a row job, with a meaning of the job's own; sums are modulo 2^64.
pub type RowCounts = [u64; 4];

/// Work on one row of a field: the row of the grid (0 lowest), and all planes of the row with their ring.
pub type RowJob<'a> = dyn Fn(usize, &mut [i32]) -> RowCounts + Sync + 'a;

/// Runs frame plans. All devices give the same bits. Threads share a device; calls block until the work is done.
pub trait Device: Send + Sync {
    /// Name for users.
    fn name(&self) -> String;

    /// Calls `job` once for every row of the grid, in any order, on any thread, and adds the counts up.
    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts;

    /// Runs a frame from `before`, which does not change. A device may keep the new state, recognise it later by
    /// [`StateBuffers::resident_copy`], and hold the plan until the planes are in memory. `go_on` is called before
    /// every step, at most four steps ahead, on the calling thread.
    ///
    /// # Errors
    /// [`Interrupted`] when `go_on` returns false; the work is dropped.
    fn run(
        &self,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted>;
}
