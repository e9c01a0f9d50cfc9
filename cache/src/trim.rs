//! Removal of states: down to a limit, or all.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::view::Holder;
use crate::{Folder, index, scan, temporary, view};

/// Files younger than this are removed last.
const YOUNG: Duration = Duration::from_secs(60);

/// The result of [`trim()`] or [`trim_plan`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trimmed {
    /// Paths of the removed state files.
    pub removed: Vec<PathBuf>,
    /// Bytes of the removed files. A file with several names counts once.
    pub bytes: u64,
    /// Bytes of the remaining state files.
    pub left_bytes: u64,
    /// Removed temporary files and claims of dead processes.
    pub leftovers: Vec<PathBuf>,
}

/// A file with all its names.
struct Stored {
    names: Vec<PathBuf>,
    bytes: u64,
    modified: SystemTime,
    used: SystemTime,
    /// Whether the file may be removed: it is a state file, and not in the list of files to keep.
    free: bool,
}

/// Removes state files, least recently used first, until the rest in all these folders has at most `limit_bytes`. Files
/// in `keep` and files of other programs stay, whatever their size. Files younger than a minute are removed last. Also
/// removes temporary files and claims of dead processes. A file that is open for reading stays readable if the system
/// supports that.
pub fn trim(folders: &[Folder], limit_bytes: u64, keep: &[PathBuf]) -> Trimmed {
    let mut trimmed = Trimmed::default();
    let plan = plan(folders, limit_bytes, keep);
    trimmed.left_bytes = plan.left_bytes;
    for Stored { names, bytes, .. } in plan.remove {
        let all = names.len();
        let gone: Vec<PathBuf> = names.into_iter().filter(|name| remove(name)).collect();
        let total = if gone.len() == all { &mut trimmed.bytes } else { &mut trimmed.left_bytes };
        *total += bytes;
        trimmed.removed.extend(gone);
    }
    for (folder, leftovers) in folders.iter().zip(plan.leftovers) {
        let claims = folder.claims();
        let gone = |path: &PathBuf| if claims.is_claim(path) { claims.remove_dead(path) } else { remove(path) };
        trimmed.leftovers.extend(leftovers.into_iter().filter(gone));
        if trimmed.removed.iter().any(|path| path.parent() == Some(folder.path())) {
            index::prune(folder.path());
            folder.scan().view().invalidate();
        }
    }
    trimmed
}

/// The files that [`trim()`] would remove. Does not modify the folders.
pub fn trim_plan(folders: &[Folder], limit_bytes: u64, keep: &[PathBuf]) -> Trimmed {
    let Plan { remove, left_bytes, leftovers } = plan(folders, limit_bytes, keep);
    let bytes = remove.iter().map(|stored| stored.bytes).sum();
    let removed = remove.into_iter().flat_map(|stored| stored.names).collect();
    Trimmed { removed, bytes, left_bytes, leftovers: leftovers.concat() }
}

fn plan(folders: &[Folder], limit: u64, keep: &[PathBuf]) -> Plan {
    let mut stored: Vec<Stored> = folders.iter().flat_map(|folder| folder.stored(keep)).collect();
    stored.sort_by(|a, b| (a.used, &a.names).cmp(&(b.used, &b.names)));
    let mut left: u64 = stored.iter().map(|stored| stored.bytes).sum();
    // A file from the future, by this machine's clock, counts as young.
    let young = |stored: &Stored| stored.modified.elapsed().map_or(true, |age| age < YOUNG);
    let (late, early): (Vec<Stored>, Vec<Stored>) = stored.into_iter().filter(|stored| stored.free).partition(young);
    let mut remove = Vec::new();
    for stored in early.into_iter().chain(late) {
        if left <= limit {
            break;
        }
        left -= stored.bytes;
        remove.push(stored);
    }
    let leftovers = folders.iter().map(|folder| {
        let claims = folder.claims();
        [temporary::dead(folder.path()), temporary::dead(claims.folder()), claims.dead()].concat()
    });
    Plan { remove, left_bytes: left, leftovers: leftovers.collect() }
}

impl Folder {
    /// Applies [`trim()`] to this folder alone.
    pub fn trim(&self, limit_bytes: u64, keep: &[PathBuf]) -> Trimmed {
        trim(std::slice::from_ref(self), limit_bytes, keep)
    }

    /// Removes the states and the index of a folder, and the temporary files and claims of dead processes. Other files,
    /// files of live processes and the folder itself stay. Other processes that use the folder continue without the
    /// removed states. Returns the number of removed states.
    ///
    /// # Errors
    /// A file of this crate cannot be removed; all others are removed nevertheless.
    pub fn clear(&self) -> io::Result<usize> {
        self.clear_but(&|_, _| false)
    }

    /// Like [`Folder::clear`], but keeps the states for which `keeps(key, family)` returns true. The index is removed
    /// only if no state is kept.
    ///
    /// # Errors
    /// The errors of [`Folder::clear`]: a file cannot be removed.
    pub fn clear_but(&self, keeps: &dyn Fn(u128, u128) -> bool) -> io::Result<usize> {
        let mut outcome = Ok(());
        let mut kept = false;
        let mut removed = 0;
        let mut note = |result: io::Result<()>| match result {
            Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                outcome = Err(error);
            }
            _ => {}
        };
        for name in scan::all_names(self.path()) {
            let holder = self.scan().holder(&name);
            if let Holder::State(summary) = &holder
                && keeps(summary.key, summary.family)
            {
                kept = true;
                continue;
            }
            if matches!(holder, Holder::State(_) | Holder::Damaged | Holder::OtherFormat) {
                let gone = fs::remove_file(self.scan().path(&name));
                removed += usize::from(gone.is_ok());
                note(gone);
            }
        }
        let claims = self.claims();
        for folder in [self.path(), claims.folder()] {
            temporary::dead(folder).into_iter().for_each(|path| note(fs::remove_file(path)));
        }
        // A claim that stays belongs to a live process.
        for path in claims.dead() {
            claims.remove_dead(&path);
        }
        if !kept {
            note(fs::remove_file(self.path().join(index::FILE)));
        }
        // Fails if the folder is not empty.
        drop(fs::remove_dir(claims.folder()));
        self.scan().view().invalidate();
        outcome.map(|()| removed)
    }

    /// All files with names of state files, each once.
    fn stored(&self, keep: &[PathBuf]) -> Vec<Stored> {
        let keep: Vec<PathBuf> = keep.iter().filter_map(|path| std::path::absolute(path).ok()).collect();
        let mut files: HashMap<(u64, u64), usize> = HashMap::new();
        let mut all: Vec<Stored> = Vec::new();
        for name in scan::all_names(self.path()) {
            let path = self.path().join(name.file());
            let Some(found) = fs::metadata(&path).ok().filter(fs::Metadata::is_file) else { continue };
            let ours = matches!(self.scan().holder(&name), Holder::State(_) | Holder::Damaged | Holder::OtherFormat);
            let free = ours && !keep.contains(&path);
            let number = view::file_number(&found);
            if let Some(same) = number.and_then(|number| files.get(&number)) {
                all[*same].names.push(path);
                all[*same].free &= free;
                continue;
            }
            files.extend(number.map(|number| (number, all.len())));
            let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let used = scan::last_use(&found).unwrap_or(modified);
            all.push(Stored { names: vec![path], bytes: found.len(), modified, used, free });
        }
        all
    }
}

struct Plan {
    remove: Vec<Stored>,
    left_bytes: u64,
    /// One list for each folder.
    leftovers: Vec<Vec<PathBuf>>,
}

/// Removes a file. Returns true if it is gone.
fn remove(path: &Path) -> bool {
    match fs::remove_file(path) {
        Ok(()) => true,
        Err(error) => {
            tracing::debug!("{} cannot be removed: {error}", path.display());
            error.kind() == io::ErrorKind::NotFound
        }
    }
}
