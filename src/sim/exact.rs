//! States taken apart and put together again.

use std::fmt;

/// Why numbers and planes are no state of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    /// They belong to another simulation: what differs, there and here.
    Mismatch {
        /// What.
        what: &'static str,
        /// As the state has it.
        theirs: String,
        /// As the simulation wants it.
        ours: String,
    },
    /// Something is missing.
    Missing(&'static str),
    /// A value is outside what a simulation can reach.
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
