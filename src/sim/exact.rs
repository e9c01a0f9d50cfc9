//! Errors of stored states.

use std::fmt;

/// The reason why numbers and planes are no state of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    /// The numbers belong to another simulation.
    Mismatch {
        /// The quantity that differs.
        what: &'static str,
        /// Its value in the state.
        theirs: String,
        /// Its value in the simulation.
        ours: String,
    },
    /// A number or plane is missing.
    Missing(&'static str),
    /// A value is outside the range of a simulation.
    OutOfRange(&'static str),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Mismatch { what, theirs, ours } => write!(f, "{what} is {theirs} there and {ours} here"),
            StateError::Missing(what) => write!(f, "{what} is missing"),
            StateError::OutOfRange(what) => write!(f, "{what} has impossible values"),
        }
    }
}
