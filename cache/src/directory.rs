//! The folders that this crate makes: one shot's, and what lies in it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Makes a folder if need be, but not the one that it lies in: where that is missing, a disk is most likely not mounted,
/// and what were written in its place would be lost to everybody.
///
/// # Errors
/// If it is not there and cannot be made; where what it should lie in is missing, the text says so.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    match fs::create_dir(folder) {
        // Somebody else has just made it.
        Err(_) if folder.is_dir() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let above = folder.parent().unwrap_or(folder);
            Err(io::Error::new(ErrorKind::NotFound, format!("{} is not there", above.display())))
        }
        made => made,
    }
}
