//! Where a machine keeps its values.

use super::device::Failed;

/// What is to know of velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Survey {
    /// Largest |value|, among those that are not [`bad`](Survey::bad).
    pub largest: f32,
    /// Values that are not finite, or beyond ±[`MOST`](super::machine::MOST).
    pub bad: u64,
}

impl Survey {
    /// Of these and of others.
    #[must_use]
    pub fn and(self, other: Survey) -> Survey {
        Survey { largest: self.largest.max(other.largest), bad: self.bad + other.bad }
    }
}

/// Arrays of `f32` in a machine's memory: planes of a grid, row after row; of dye, four values a cell.
///
/// Work on them may be put off: passes on one machine run in the order in which they were called, and what goes wrong in
/// between is said by the next call that can fail.
pub trait Planes {
    /// An array.
    type Plane: Send + Sync;

    /// Zeros.
    ///
    /// # Errors
    /// There is no memory.
    fn zeros(&self, len: usize) -> Result<Self::Plane, Failed>;

    /// A copy of these values.
    ///
    /// # Errors
    /// There is no memory.
    fn up(&self, values: &[f32]) -> Result<Self::Plane, Failed>;

    /// The values, in this machine's memory. Blocks.
    ///
    /// # Errors
    /// They are lost, or never came to be.
    fn down(&self, plane: &Self::Plane) -> Result<Vec<f32>, Failed>;

    /// Copies all values of `from` into `to`, which is as long.
    fn copy(&self, from: &Self::Plane, to: &mut Self::Plane);
}
