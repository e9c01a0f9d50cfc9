//! The command's two streams: results go to standard output, messages to standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write as _};

use crate::{Error, Result};

/// Prints a line of results on standard output.
///
/// A closed pipe (`| head`) is no failure and ends no work: `cache gc` removes all files that it should, and `cache
/// verify` keeps its exit code.
///
/// # Errors
/// If the line cannot be written for another reason, such as a full disk.
pub(super) fn say(text: &str) -> Result<()> {
    printed(writeln!(io::stdout(), "{text}"))
}

/// The outcome of writing results to standard output.
///
/// # Errors
/// As [`say`].
pub(super) fn printed(outcome: io::Result<()>) -> Result<()> {
    match outcome {
        Err(error) if error.kind() == ErrorKind::StorageFull => {
            Err(Error::file("standard output", "the disk is full: the results are incomplete"))
        }
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::file("standard output", error)),
        _ => Ok(()),
    }
}

/// Prints a message on standard error. A message that cannot be printed is dropped; no command fails by it.
pub(super) fn message(text: impl Display) {
    // One write for the whole line, so that messages of several processes do not mix within a line.
    drop(io::stderr().write_all(format!("flow-host: {text}\n").as_bytes()));
}
