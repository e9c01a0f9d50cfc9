//! Creation of folders: the folder of a shot, and the folders in it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Creates a folder if necessary, but not its parent. A missing parent most likely means that a disk is not mounted;
/// files written below a replacement of it would be lost.
///
/// # Errors
/// The folder cannot be created. If its parent is missing, the text says so.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    match fs::create_dir(folder) {
        // Another process has created it meanwhile.
        Err(_) if folder.is_dir() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let above = folder.parent().unwrap_or(folder);
            Err(io::Error::new(ErrorKind::NotFound, format!("{} does not exist", above.display())))
        }
        made => made,
    }
}
