//! States taken apart and put together again.

use std::fmt;

/// Why numbers and planes are no state of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// They belong to another simulation: what differs, there and here.
    Other {
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
    Range(&'static str),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Other { what, theirs, ours } => write!(f, "{what} is {theirs} there and {ours} here"),
            Unfit::Missing(what) => write!(f, "{what} is missing"),
            Unfit::Range(what) => write!(f, "{what} has impossible values"),
        }
    }
}
