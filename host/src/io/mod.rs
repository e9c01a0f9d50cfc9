//! Image files: EXR and PNG, single or in sequences.

mod exr;
mod png;
mod sequence;
mod target;

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use sequence::{Missing, Pattern, Sequence};

use crate::{Error, Image, Plane, RectI, Result};

/// Options of reading and writing files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileOptions {
    /// PNG values are read and written unchanged, without sRGB conversion.
    pub raw: bool,
    /// EXR files get 16-bit channels.
    pub half: bool,
}

/// The kinds of files, by extension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Exr,
    Png,
}

fn format(path: &Path) -> Result<Format> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "exr" => Ok(Format::Exr),
        "png" => Ok(Format::Png),
        "" => Err(Error::usage(format!("{}: no extension; expected exr or png", path.display()))),
        other => Err(Error::usage(format!("{}: cannot handle .{other} files, only exr and png", path.display()))),
    }
}

/// Reads a file. An EXR keeps its position in the frame; a PNG's lower left pixel is placed
/// at `origin`.
///
/// # Errors
/// The file cannot be read, or its contents do not match its extension.
pub fn read(path: &Path, options: FileOptions, origin: (i32, i32)) -> Result<Image> {
    match format(path)? {
        Format::Exr => exr::read(path),
        Format::Png => png::read(path, options.raw, origin),
    }
}

/// Writes `window` of an image as RGBA, zeros outside the image. The file
/// appears under its name only when it is complete. Links are followed and stay.
///
/// # Errors
/// The folder is missing, the disk is full, the extension is unknown, or the path leads to no plain file.
pub fn write(path: &Path, image: &Image, window: RectI, options: FileOptions) -> Result<()> {
    write_layers(path, image, &[], window, options)
}

/// Writes `window` of an image and of planes beside it, as layers of one EXR whose channels are named `plane.channel`.
///
/// # Errors
/// As [`write()`], and for layers in a format without layers.
pub fn write_layers(
    path: &Path,
    image: &Image,
    layers: &[(Plane, Arc<Image>)],
    window: RectI,
    options: FileOptions,
) -> Result<()> {
    let bytes = match format(path)? {
        Format::Exr => exr::encode(path, image, layers, window, options.half)?,
        Format::Png if layers.is_empty() => png::encode(path, image, window, options.raw)?,
        Format::Png => return Err(Error::usage(format!("{}: only EXR files have planes", path.display()))),
    };
    write_whole(path, &bytes)
}

/// Writes a file that appears under its name only when it is complete. If the name is a link, its target
/// is replaced, and the link stays.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let target = match target::target(path)? {
        target::Target::File(target) => target,
        target::Target::Null => return Ok(()),
    };
    let failed = |error: std::io::Error| {
        let message = match error.kind() {
            ErrorKind::StorageFull => "the disk is full".to_owned(),
            ErrorKind::PermissionDenied => "permission denied: choose a folder that you may write to".to_owned(),
            _ => format!("cannot be written: {error}"),
        };
        Error::file(path, message)
    };
    let (partial, mut file) = create_partial(&target).map_err(failed)?;
    let written =
        file.write_all(bytes).and_then(|()| file.sync_data()).and_then(|()| std::fs::rename(&partial, &target));
    written.map_err(|error| {
        // An incomplete file is useless.
        drop(std::fs::remove_file(&partial));
        failed(error)
    })
}

/// Creates a new file beside `target`, under an unused name.
fn create_partial(target: &Path) -> std::io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let partial = target.with_file_name(format!(".{name}.{}.{number}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&partial) {
            // Left by a killed process with the same id.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (partial, file)),
        }
    }
}

/// Refuses a path that [`write()`] could not write: one that leads to a folder, a pipe, a socket or a device, or into a
/// folder that does not exist.
///
/// # Errors
/// A message with the path and a remedy.
pub fn check_target(path: &Path) -> Result<()> {
    target::target(path).map(|_| ())
}

/// Refuses an output name whose extension cannot be written.
///
/// # Errors
/// A usage error that names the extensions.
pub fn check_extension(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}
