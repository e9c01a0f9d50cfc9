//! Keeping a folder within its limit, and clearing it.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::view::Holder;
use crate::{Folder, index, scan, temporary, view};

/// Files that are younger are removed only if there is no other way.
const YOUNG: Duration = Duration::from_secs(60);

/// What [`trim()`] removed, or would.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trimmed {
    /// State files.
    pub removed: Vec<PathBuf>,
    /// The room that they took. Files with several names count once.
    pub bytes: u64,
    /// The room that the rest takes.
    pub left_bytes: u64,
    /// What dead writers and claimants left.
    pub leftovers: Vec<PathBuf>,
}

/// A file under all its names.
struct Stored {
    names: Vec<PathBuf>,
    bytes: u64,
    modified: SystemTime,
    used: SystemTime,
    /// Whether it may be removed: it is ours, and nobody asked to keep it.
    free: bool,
}

/// Removes state files, least recently used first, until the rest in all these folders takes at most `limit_bytes`; `keep`
/// and files that are not ours stay, whatever they take. Files younger than a minute go last. Removes what dead writers and
/// claimants left too. A file that is being read stays readable to its reader, where the system allows.
pub fn trim(folders: &[Folder], limit_bytes: u64, keep: &[PathBuf]) -> Trimmed {
    let mut trimmed = Trimmed::default();
    let plan = plan(folders, limit_bytes, keep);
    trimmed.left_bytes = plan.left_bytes;
    for Stored { names, bytes, .. } in plan.remove {
        let all = names.len();
        let gone: Vec<PathBuf> = names.into_iter().filter(|name| remove(name)).collect();
        let room = if gone.len() == all { &mut trimmed.bytes } else { &mut trimmed.left_bytes };
        *room += bytes;
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

/// What [`trim()`] would remove. Removes nothing.
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
    // A file from the future, by this machine's clock, is young too.
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
    /// Keeps this folder within a limit: [`trim()`] of it alone.
    pub fn trim(&self, limit_bytes: u64, keep: &[PathBuf]) -> Trimmed {
        trim(std::slice::from_ref(self), limit_bytes, keep)
    }

    /// Removes the states and the index of a folder, and what dead writers and claimants left; nothing else: neither other
    /// files, nor what live processes are at, nor the folder. Others who are at work there find their states gone and go
    /// on. Gives the number of states removed.
    ///
    /// # Errors
    /// If something of ours cannot be removed; the rest is removed nevertheless.
    pub fn clear(&self) -> io::Result<usize> {
        self.clear_but(&|_, _| false)
    }

    /// As [`Folder::clear`], but for the states of which `keeps` says so, by their key and their family. Where one is kept,
    /// the index stays, too.
    ///
    /// # Errors
    /// As [`Folder::clear`].
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
        // One that stays stands for a state that is being made.
        for path in claims.dead() {
            claims.remove_dead(&path);
        }
        if !kept {
            note(fs::remove_file(self.path().join(index::FILE)));
        }
        // Unless something lies in it.
        drop(fs::remove_dir(claims.folder()));
        self.scan().view().invalidate();
        outcome.map(|()| removed)
    }

    /// All files with names of ours, each once.
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
    /// By folder.
    leftovers: Vec<Vec<PathBuf>>,
}

/// Removes a file; true if it is gone.
fn remove(path: &Path) -> bool {
    match fs::remove_file(path) {
        Ok(()) => true,
        Err(error) => {
            tracing::debug!("{} cannot be removed: {error}", path.display());
            error.kind() == io::ErrorKind::NotFound
        }
    }
}
