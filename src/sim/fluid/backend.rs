//! The trait of a device, and its answers.

use std::fmt;
use std::sync::Arc;

use super::fields::Fields;
use super::operation::Operation;
use super::workspace::DetachedWorkspace;
use crate::sim::memory::Values;

/// The reason why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The caller interrupted the frame.
    Interrupted,
    /// The device failed: the reason, for the artist. A device of another class may work.
    Device(String),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Interrupted => write!(f, "interrupted"),
            Failed::Device(why) => write!(f, "{why}"),
        }
    }
}

/// Statistics of the values of a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VelocityStatistics {
    /// Largest absolute value among those that are not [`bad`](VelocityStatistics::bad), cells per frame.
    pub largest: f32,
    /// Number of values that are not finite, or beyond ±[`VALUE_MAX`](super::parameters::VALUE_MAX).
    pub bad: u64,
}

impl VelocityStatistics {
    /// Statistics of both sets of values.
    #[must_use]
    pub fn and(self, other: VelocityStatistics) -> VelocityStatistics {
        VelocityStatistics { largest: self.largest.max(other.largest), bad: self.bad + other.bad }
    }
}

/// The sums of a list of operations, in the order of the operations that return any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reductions {
    values: Vec<f64>,
    read: usize,
    /// Statistics of the velocity after the last [`Operation::Correct`], where the device has them at no cost.
    pub velocity: Option<VelocityStatistics>,
}

impl Reductions {
    /// Appends the sums of an operation.
    pub fn push(&mut self, sums: &[f64]) {
        self.values.extend_from_slice(sums);
    }

    /// The next `N` sums.
    pub fn take<const N: usize>(&mut self) -> [f64; N] {
        let from = self.read;
        self.read += N;
        std::array::from_fn(|at| self.values[from + at])
    }

    /// The next sums as statistics.
    pub fn take_statistics(&mut self) -> VelocityStatistics {
        let [largest, bad] = self.take();
        VelocityStatistics { largest: largest as f32, bad: bad as u64 }
    }
}

/// Arrays in the memory of the host that belong to one owner, such as the fields of a state.
pub trait HostFields: Send + Sync + 'static {
    /// An array by its number; empty where there is none.
    fn part(&self, number: usize) -> &[f32];
}

/// A device: stores fields and runs lists of operations on them.
///
/// Lists run in the order of the calls. A list without sums need not be done when [`run`](Backend::run) returns: a
/// failure is then reported by a later call. All methods of one backend are called from one thread.
pub trait Backend {
    /// An array of `f32` in the device's memory.
    type Buffer: Send + Sync;

    /// A buffer of `len` numbers, contents unspecified. The backend reuses the memory of dropped buffers.
    ///
    /// # Errors
    /// [`Failed::Device`] where there is no memory.
    fn allocate(&self, len: usize) -> Result<Self::Buffer, Failed>;

    /// A buffer with these values.
    ///
    /// # Errors
    /// [`Failed::Device`] where there is no memory.
    fn upload(&self, values: &[f32]) -> Result<Self::Buffer, Failed>;

    /// The values of a buffer. Blocks.
    ///
    /// # Errors
    /// [`Failed::Device`] where the device failed.
    fn download(&self, buffer: &Self::Buffer) -> Result<Vec<f32>, Failed>;

    /// Runs operations in their order. Blocks where an operation returns sums.
    ///
    /// # Errors
    /// [`Failed::Device`] where the device failed, has no memory, or has no kernel for an operation with these
    /// parameters.
    fn run(&self, fields: &mut Fields<Self::Buffer>, operations: &[Operation<'_>]) -> Result<Reductions, Failed>;

    /// A read-only buffer with the array `part` of `owner`: a copy, the memory of the owner, or a
    /// [device-resident](Backend::stored) buffer.
    ///
    /// # Errors
    /// [`Failed::Device`] where there is no memory.
    fn load(&self, owner: &Arc<dyn HostFields>, part: usize) -> Result<Self::Buffer, Failed>;

    /// The values of buffers in the host's memory. Blocks.
    ///
    /// # Errors
    /// [`Failed::Device`] where the device failed, or there is no memory.
    fn store(&self, buffers: Vec<Self::Buffer>) -> Result<Vec<Values<f32>>, Failed>;

    /// Declares that the values that [`store`](Backend::store) returned last are the arrays of `owner`, in the order of
    /// their numbers, and `statistics`, if known, those of its velocity. A device may keep both for the next
    /// [`load`](Backend::load).
    fn stored(&self, owner: &Arc<dyn HostFields>, statistics: Option<VelocityStatistics>);

    /// Removes and returns a stored workspace accepted by `fits`.
    fn take_workspace(
        &self,
        fits: &dyn Fn(&DetachedWorkspace<Self::Buffer>) -> bool,
    ) -> Option<DetachedWorkspace<Self::Buffer>>;

    /// Stores a workspace for later frames.
    fn keep_workspace(&self, workspace: DetachedWorkspace<Self::Buffer>);

    /// Multigrid cycles to run before their residual is worth reading: more than one where reading is expensive.
    fn cycles_per_readback(&self) -> u32;
}
