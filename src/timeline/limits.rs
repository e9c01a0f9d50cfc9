//! Memory limits of the process: of its address space (`ulimit -v`), of its control group and of all groups above it.
//!
//! Linux only; other systems have none. The files are read below a root folder, which tests replace. A file that is
//! missing or cannot be parsed sets no limit.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The origin of a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The machine's memory.
    Machine,
    /// The address space of the process.
    AddressSpace,
    /// The memory of a control group, with its folder.
    Group(PathBuf),
}

/// A limit and its current use, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Origin of the limit.
    pub bound: Bound,
    /// The limit in bytes.
    pub total: u64,
    /// Bytes in use, without file pages that the system can drop.
    pub used: u64,
}

impl Limit {
    /// Remaining bytes.
    pub fn left(&self) -> u64 {
        self.total.saturating_sub(self.used)
    }
}

/// The text is for an artist or an administrator and names the setting that raises the limit.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine => f.write_str("this machine's memory"),
            Self::AddressSpace => f.write_str("this process's address space (ulimit -v)"),
            Self::Group(folder) => write!(f, "the control group {}", folder.display()),
        }
    }
}

/// A limit without its current use.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    bound: Bound,
    total: u64,
}

/// The limits in the files below a root folder. Thread-safe.
pub struct Limits {
    root: PathBuf,
    known: Mutex<Option<(Instant, Vec<Source>)>>,
}

/// Time for which limits are cached. The use is read each time.
const TRUSTED: Duration = Duration::from_secs(2);

/// Files of the two versions of control groups: limit, use, and the line of `memory.stat` with the file pages that the
/// system drops first.
const FILES: [[&str; 3]; 2] = [
    ["memory.max", "memory.current", "inactive_file"],
    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"],
];

/// Limits from this value on mean "none": version 1 writes the largest number of whole pages.
const NONE: u64 = 1 << 60;

impl Default for Limits {
    fn default() -> Self {
        Self::below("/")
    }
}

impl Limits {
    /// Limits below a root folder that contains `proc` and `sys`.
    pub fn below(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), known: Mutex::default() }
    }

    /// The limit with the fewest remaining bytes, of those with less than `enough` remaining bytes; `None` if there is
    /// none. A limit set within the last two seconds may be missed, unless `uncached`.
    pub fn tightest(&self, enough: u64, uncached: bool) -> Option<Limit> {
        let sources = self.sources(uncached);
        let limits = sources.into_iter().map(|source| self.measured(source, enough));
        limits.filter(|limit| limit.left() < enough).min_by_key(Limit::left)
    }

    /// The smallest limit, regardless of its use.
    pub fn smallest(&self) -> Option<(Bound, u64)> {
        let smallest = self.sources(true).into_iter().min_by_key(|source| source.total)?;
        Some((smallest.bound, smallest.total))
    }

    /// Whether the address space is limited.
    pub fn bounds_address_space(&self) -> bool {
        self.sources(false).iter().any(|source| source.bound == Bound::AddressSpace)
    }

    fn sources(&self, uncached: bool) -> Vec<Source> {
        let mut known = self.known.lock();
        match &*known {
            Some((since, sources)) if !uncached && since.elapsed() < TRUSTED => sources.clone(),
            _ => {
                let sources = self.read();
                *known = Some((Instant::now(), sources.clone()));
                sources
            }
        }
    }

    fn read(&self) -> Vec<Source> {
        let mut sources = Vec::new();
        if let Some(total) = self.address_space() {
            sources.push(Source { bound: Bound::AddressSpace, total });
        }
        for folder in self.groups() {
            let total = FILES.iter().find_map(|[max, ..]| number(&folder.join(max))).filter(|total| *total < NONE);
            if let Some(total) = total {
                sources.push(Source { bound: Bound::Group(folder), total });
            }
        }
        sources
    }

    fn address_space(&self) -> Option<u64> {
        let text = fs::read_to_string(self.root.join("proc/self/limits")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Folders of the control groups of the process that account for memory, and of all groups above them.
    fn groups(&self) -> Vec<PathBuf> {
        let Ok(text) = fs::read_to_string(self.root.join("proc/self/cgroup")) else { return Vec::new() };
        let mut folders = Vec::new();
        for line in text.lines() {
            let mut parts = line.splitn(3, ':');
            let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let mounts: &[&str] = match controllers {
                "" => &["sys/fs/cgroup", "sys/fs/cgroup/unified"],
                _ if controllers.split(',').any(|name| name == "memory") => &["sys/fs/cgroup/memory"],
                _ => continue,
            };
            // In a container the path may be relative to the host; the ancestors include the root of the mount in any
            // case.
            let path = Path::new(path.trim_start_matches('/'));
            for mount in mounts {
                folders.extend(path.ancestors().map(|above| self.root.join(mount).join(above)));
            }
        }
        folders
    }

    /// A limit with its current use. The statistics of a group are slow on large machines; they are read only if the
    /// result depends on them.
    fn measured(&self, Source { bound, total }: Source, enough: u64) -> Limit {
        let used = match &bound {
            Bound::Machine => 0,
            Bound::AddressSpace => self.address_space_used().unwrap_or(0),
            Bound::Group(folder) => FILES
                .iter()
                .find_map(|[_, current, dropped]| {
                    let current = number(&folder.join(current))?;
                    let tight = total.saturating_sub(current) < enough;
                    let dropped = if tight { statistic(folder, dropped).unwrap_or(0) } else { 0 };
                    Some(current.saturating_sub(dropped))
                })
                .unwrap_or(0),
        };
        Limit { bound, total, used }
    }

    fn address_space_used(&self) -> Option<u64> {
        let text = fs::read_to_string(self.root.join("proc/self/status")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kilobytes.checked_mul(1024)
    }
}

/// The number in a file; `None` for `max` or an invalid text.
fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn statistic(folder: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(folder.join("memory.stat")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1 << 30;

    /// A temporary folder with the given files, and its limits.
    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Limits) {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("has one")).expect("creates");
            fs::write(path, text).expect("writes");
        }
        let limits = Limits::below(folder.path());
        (folder, limits)
    }

    fn group(folder: &tempfile::TempDir, path: &str) -> Bound {
        Bound::Group(folder.path().join("sys/fs/cgroup").join(path))
    }

    const PROC: (&str, &str) = ("proc/self/cgroup", "0::/farm/job/frame\n");

    #[test]
    fn missing_files_set_no_limit() {
        for files in [&[][..], &[PROC], &[PROC, ("sys/fs/cgroup/farm/memory.max", "max\n")]] {
            let (_folder, limits) = tree(files);
            assert_eq!((limits.tightest(u64::MAX, true), limits.smallest()), (None, None), "{files:?}");
        }
    }

    #[test]
    fn a_group_above_limits_its_children() {
        let (folder, limits) = tree(&[
            PROC,
            ("sys/fs/cgroup/farm/job/frame/memory.max", "max\n"),
            ("sys/fs/cgroup/farm/job/frame/memory.current", "1073741824\n"),
            ("sys/fs/cgroup/farm/job/memory.max", "8589934592\n"),
            ("sys/fs/cgroup/farm/job/memory.current", "2147483648\n"),
            ("sys/fs/cgroup/farm/memory.max", "9663676416\n"),
            ("sys/fs/cgroup/farm/memory.current", "8589934592\n"),
        ]);
        let above = Limit { bound: group(&folder, "farm"), total: 9 * GB, used: 8 * GB };
        assert_eq!(limits.tightest(u64::MAX, true), Some(above.clone()));
        assert_eq!(limits.tightest(2 * GB, true), Some(above));
        assert_eq!(limits.tightest(GB, true), None, "as much is left");
        assert_eq!(limits.smallest(), Some((group(&folder, "farm/job"), 8 * GB)));
    }

    #[test]
    fn file_pages_that_can_be_dropped_are_free() {
        let (folder, limits) = tree(&[
            PROC,
            ("sys/fs/cgroup/memory.max", "4294967296"),
            ("sys/fs/cgroup/memory.current", "4294967296"),
            ("sys/fs/cgroup/memory.stat", "anon 12\ninactive_file_of_another 5\ninactive_file 3221225472\n"),
        ]);
        let used = Limit { bound: group(&folder, ""), total: 4 * GB, used: GB };
        assert_eq!(limits.tightest(u64::MAX, true), Some(used));
    }

    #[test]
    fn groups_of_the_first_version_are_read_too() {
        let (folder, limits) = tree(&[
            ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n1:cpu:/\n0::/\n"),
            ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3221225472\n"),
            ("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "2147483648\n"),
            ("sys/fs/cgroup/memory/a/memory.stat", "inactive_file 7\ntotal_inactive_file 1073741824\n"),
        ]);
        let used = Limit { bound: group(&folder, "memory/a"), total: 3 * GB, used: GB };
        assert_eq!(limits.tightest(u64::MAX, true), Some(used));
    }

    #[test]
    fn invalid_files_set_no_limit() {
        for [max, current] in [["", "1"], ["lots", "1"], ["-1", "1"], ["99999999999999999999", "1"], ["1 2", "1"]] {
            let (_folder, limits) =
                tree(&[PROC, ("sys/fs/cgroup/memory.max", max), ("sys/fs/cgroup/memory.current", current)]);
            assert_eq!(limits.tightest(u64::MAX, true), None, "{max:?}");
        }
        let (_folder, limits) = tree(&[
            ("proc/self/cgroup", "garbage\n0::\n::\n0::/../..\n"),
            ("proc/self/limits", "Max address space lots\n"),
            ("sys/fs/cgroup/memory.max", "5"),
            ("sys/fs/cgroup/memory.current", "many"),
        ]);
        let limit = limits.tightest(u64::MAX, true).expect("of the root");
        assert_eq!((limit.total, limit.used), (5, 0));
    }

    #[test]
    fn the_address_space_is_read_as_the_system_writes_it() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         3221225472           unlimited            bytes     \n";
        let files =
            [("proc/self/limits", limits), ("proc/self/status", "Name:\tx\nVmSize:\t 1048576 kB\nVmRSS:\t 5 kB\n")];
        let (_folder, known) = tree(&files);
        let limit = Limit { bound: Bound::AddressSpace, total: 3 * GB, used: GB };
        assert_eq!(known.tightest(u64::MAX, true), Some(limit));
        let none = limits.replace("3221225472", "unlimited ");
        let (_folder, unlimited) = tree(&[("proc/self/limits", &none)]);
        assert_eq!(unlimited.tightest(u64::MAX, true), None);
    }

    #[test]
    fn a_raised_limit_is_seen_by_an_uncached_query() {
        let (folder, limits) = tree(&[PROC, ("sys/fs/cgroup/memory.max", "5"), ("sys/fs/cgroup/memory.current", "1")]);
        assert_eq!(limits.tightest(100, true).map(|limit| limit.left()), Some(4));
        fs::write(folder.path().join("sys/fs/cgroup/memory.max"), "max").expect("writes");
        assert_eq!(limits.tightest(100, true), None);
    }
}
