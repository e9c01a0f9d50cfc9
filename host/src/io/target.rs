//! The file that a write goes to: links are followed; only plain files and the null device are accepted.

use std::fs::{self, FileType, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Maximum number of consecutive links, as in Linux.
const MOST_LINKS: usize = 40;

/// The destination of a write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A plain file, at a path that is no link. It need not exist, but its folder does.
    File(PathBuf),
    /// The null device: the write succeeds and stores nothing.
    Null,
}

/// Finds the destination of a write to `path`, through symbolic links to existing or new files.
///
/// # Errors
/// If the path leads to a folder, a named pipe, a socket or a device, or if the file's folder does not exist.
pub(super) fn target(path: &Path) -> Result<Target> {
    let target = follow(path)?;
    match fs::metadata(&target) {
        Ok(found) if found.is_file() => Ok(Target::File(target)),
        Ok(found) if is_null(&found) => Ok(Target::Null),
        Ok(found) if found.is_dir() => Err(Error::file(path, "is a folder; name a file in it")),
        Ok(found) => Err(Error::file(
            path,
            format!(
                "is {}; only plain files, links to them and the null device are written: name another file, or remove it",
                kind(found.file_type())
            ),
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if folder.is_dir() {
                return Ok(Target::File(target));
            }
            let link = if target == path { "" } else { "is a link, and " };
            Err(Error::file(path, format!("{link}there is no folder {}", folder.display())))
        }
        Err(error) => Err(Error::file(path, format!("cannot be written: {error}"))),
    }
}

/// The end of a chain of links; its last part is no link. The kernel follows links among the folders.
fn follow(path: &Path) -> Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        // The links of /proc/self/fd lead to open files by number; for a pipe their text is no path.
        let is_link = fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink());
        let special = || fs::metadata(&target).is_ok_and(|found| !found.is_file());
        if !is_link || special() {
            return Ok(target);
        }
        let next = fs::read_link(&target).map_err(|error| Error::file(path, format!("cannot be written: {error}")))?;
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(Error::file(path, "its links lead in a circle; name another file, or remove them"))
}

#[cfg(unix)]
fn is_null(found: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    found.file_type().is_char_device() && fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == found.rdev())
}

#[cfg(not(unix))]
fn is_null(_: &Metadata) -> bool {
    false
}

/// The kind of a file that is neither plain nor a folder, for a message.
#[cfg(unix)]
fn kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "no plain file"
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[track_caller]
    fn refuses(path: &Path, words: &str) {
        let error = target(path).expect_err("refused").to_string();
        assert!(error.starts_with(&path.display().to_string()) && error.contains(words), "'{words}' in: {error}");
    }

    #[test]
    fn links_resolve_to_their_target() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("there")).expect("made");
        fs::write(path("there/old"), "old").expect("written");
        symlink("there/old", path("one")).expect("linked");
        symlink(path("one"), path("two")).expect("linked");
        symlink("there/new", path("dangling")).expect("linked");
        symlink("there", path("folder")).expect("linked");
        symlink("/dev/null", path("null")).expect("linked");
        for (name, file) in [
            ("new", "new"),
            ("there/old", "there/old"),
            ("one", "there/old"),
            ("two", "there/old"),
            ("dangling", "there/new"),
            ("folder/old", "folder/old"),
        ] {
            assert_eq!(target(&path(name)).expect(name), Target::File(path(file)), "{name}");
        }
        assert_eq!(target(&path("null")).expect("null"), Target::Null);
        refuses(&path("folder"), "is a folder");
    }

    #[test]
    fn targets_other_than_plain_files_are_refused() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).expect("bound");
        symlink("socket", path("link")).expect("linked");
        symlink("b", path("a")).expect("linked");
        symlink("a", path("b")).expect("linked");
        symlink("nowhere/file", path("lost")).expect("linked");
        refuses(&path("socket"), "is a socket");
        refuses(&path("link"), "is a socket");
        refuses(&path("a"), "in a circle");
        refuses(&path("lost"), "is a link, and there is no folder");
        refuses(&path("nowhere/file"), "there is no folder");
        refuses(Path::new("/dev/zero"), "is a device");
        refuses(place.path(), "is a folder");
    }
}
