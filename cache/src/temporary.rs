//! Temporary files, with names that no program takes for a frame of a sequence.
//!
//! The name identifies the process that writes the file, so that leftovers of dead processes can be removed:
//! `.flow.<take>.<frame>.<machine>.<pid>.<start>.<random>.tmp`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use crate::machine::Process;
use crate::names::StateName;

/// A temporary file that has not changed for this time is a leftover, whatever its process.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

const BEFORE: &str = ".flow.";
const AFTER: &str = ".tmp";

/// Creates a file in `folder` that is removed when dropped. The umask of the process determines the permissions.
pub(crate) fn create(folder: &Path, name: &StateName) -> io::Result<NamedTempFile> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // The default of tempfile, 0o600, would make the state unreadable to other users of a farm.
        options.mode(0o666);
    }
    make(folder, name, |path| options.open(path))
}

/// Creates a temporary hard link to `file`, removed when dropped.
pub(crate) fn link(folder: &Path, file: &Path, name: &StateName) -> io::Result<TempPath> {
    Ok(make(folder, name, |path| fs::hard_link(file, path))?.into_temp_path())
}

/// Calls `made` with temporary names until one is free. An error is the system's own, without the temporary path that
/// tempfile adds, which is of no use to an artist.
fn make<R>(
    folder: &Path,
    name: &StateName,
    mut made: impl FnMut(&Path) -> io::Result<R>,
) -> io::Result<NamedTempFile<R>> {
    let mut code = None;
    let outcome = tempfile::Builder::new().prefix(&prefix(name)).suffix(AFTER).make_in(folder, |path| {
        let made = made(path);
        code = made.as_ref().err().and_then(io::Error::raw_os_error);
        made
    });
    outcome.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))
}

fn prefix(name: &StateName) -> String {
    let process = Process::this();
    let StateName { take, frame } = name;
    format!("{BEFORE}{take}.{frame}.{}.{}.{}.", process.machine_digits(), process.pid, process.start)
}

/// Whether a file name is that of a temporary file.
pub(crate) fn is_temporary(file: &str) -> bool {
    writer(file).is_some()
}

/// Machine, process number and start time in the name of a temporary file.
fn writer(file: &str) -> Option<(&str, u32, u64)> {
    let mut parts = file.strip_prefix(BEFORE)?.strip_suffix(AFTER)?.split('.');
    let (_take, frame, machine) = (parts.next()?, parts.next()?, parts.next()?);
    frame.parse::<i64>().ok()?;
    let (pid, start) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (parts.next().is_some() && parts.next().is_none()).then_some((machine, pid, start))
}

/// Temporary files whose process is dead, or that have not changed for an hour.
pub(crate) fn dead(folder: &Path) -> Vec<PathBuf> {
    let this = Process::this();
    let dead = |file: &str, path: &Path| {
        let Some((machine, pid, start)) = writer(file) else { return false };
        let here = machine == this.machine_digits();
        let quiet = || fs::metadata(path).and_then(|found| found.modified()).ok()?.elapsed().ok();
        (here && Process { machine: this.machine.clone(), pid, start }.is_dead())
            || quiet().is_some_and(|quiet| quiet > FORGOTTEN)
    };
    all(folder).into_iter().filter(|(file, path)| dead(file, path)).map(|(_, path)| path).collect()
}

/// All temporary files of a folder, with their names, sorted.
pub(crate) fn all(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
    let mut all: Vec<_> = named.filter(|(file, _)| is_temporary(file)).collect();
    all.sort();
    all
}

/// Renames a temporary file without replacing another. Returns false if the name is taken.
///
/// # Errors
/// The folder is not writable, or its file system has no atomic operation for this (`ErrorKind::Unsupported`).
pub(crate) fn name_new(file: &mut Option<NamedTempFile>, path: &Path) -> io::Result<bool> {
    let Some(written) = file.take() else { return Ok(false) };
    match written.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(failure) => {
            *file = Some(failure.file);
            match failure.error.kind() {
                ErrorKind::AlreadyExists => Ok(false),
                _ => Err(failure.error),
            }
        }
    }
}

/// Syncs a folder, so that its names survive a loss of power; on Unix only.
pub(crate) fn sync_folder(folder: &Path) {
    if cfg!(unix)
        && let Err(error) = File::open(folder).and_then(|folder| folder.sync_all())
    {
        tracing::debug!("{} cannot be synced: {error}", folder.display());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_name_is_used_once_and_its_file_is_not_replaced() {
        let temp = tempfile::tempdir().expect("folder");
        let name = StateName::new("01234567", -5);
        let path = temp.path().join(name.file());
        for (content, given) in [("first", true), ("second", false)] {
            let mut file = create(temp.path(), &name).expect("created");
            file.write_all(content.as_bytes()).expect("written");
            let mut file = Some(file);
            assert_eq!(name_new(&mut file, &path).expect("possible"), given);
            assert_eq!(file.is_none(), given, "a file without a name can be given another");
            assert_eq!(fs::read_to_string(&path).expect("there"), "first");
        }
        assert!(all(temp.path()).is_empty());
    }

    #[test]
    fn errors_do_not_name_the_temporary() {
        let temp = tempfile::tempdir().expect("folder");
        let (gone, name) = (temp.path().join("gone"), StateName::new("01234567", -5));
        let errors = [create(&gone, &name).err(), link(temp.path(), &gone, &name).err()];
        for error in errors.map(|error| error.expect("nothing is there")) {
            assert_eq!(error.kind(), ErrorKind::NotFound);
            assert!(!error.to_string().contains(AFTER), "{error}");
        }
    }

    #[test]
    fn names_tell_who_writes() {
        let temp = tempfile::tempdir().expect("folder");
        let this = Process::this();
        let file = create(temp.path(), &StateName::new("01234567", -5)).expect("created");
        let [(name, path)] = &all(temp.path())[..] else { panic!("one temporary") };
        assert_eq!(path, file.path());
        assert_eq!(writer(name), Some((&*this.machine_digits(), this.pid, this.start)));
        assert!(dead(temp.path()).is_empty(), "its writer lives");
        for foreign in
            [".flow.tmp", ".flow.a.b.tmp", "flow.a.1.m.2.3.r.tmp", ".flow.a.1.m.2.3.r.s.tmp", ".flow.a.x.m.2.3.r.tmp"]
        {
            assert_eq!(writer(foreign), None, "{foreign}");
        }
    }
}
