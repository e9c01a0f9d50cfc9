//! `cargo xtask lines`: counts the code lines of all crates of the bundle.
//!
//! A line counts if it holds code, neither blank nor comment nor test, after rustfmt with this checkout's settings. The
//! crates are the package of the bundle and its path dependencies, except development dependencies; the files of a
//! crate are those that its library and build script declare as modules. `source.rs` counts one file.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::{command, project};

/// The package that the bundle is built from.
const PACKAGE: &str = "flow-ofx";
/// Folders below `src` with rows of their own, as a number of path components.
const DEPTH: usize = 3;

/// Options of `cargo xtask lines`.
#[derive(clap::Args)]
pub struct Options {
    /// Another checkout's folder, or a commit: print its lines, this checkout's lines and their ratio
    #[arg(long, value_name = "COMMIT|DIR")]
    against: Option<String>,
}

/// Lines by crate, then by folder.
type Lines = BTreeMap<String, BTreeMap<String, usize>>;

/// Counts and prints.
pub fn run(options: &Options) -> Result<()> {
    let now = count(&project::root())?;
    let before = match &options.against {
        None => None,
        Some(folder) if Path::new(folder).is_dir() => Some(count(Path::new(folder))?),
        Some(commit) => {
            let folder = tempfile::tempdir().context("making a temporary folder")?;
            unpack(commit, folder.path())?;
            Some(count(folder.path())?)
        }
    };
    print!("{}", table(&now, before.as_ref()));
    Ok(())
}

/// Writes a commit's files into a folder.
fn unpack(commit: &str, folder: &Path) -> Result<()> {
    let archive = folder.join("commit.tar");
    let mut git = Command::new("git");
    git.current_dir(project::root()).args(["archive", "--format=tar", "--output"]).arg(&archive).arg(commit);
    command::output(&mut git, &format!("{commit} is neither a folder nor a commit: git archive"))?;
    command::run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(folder), "unpacking the commit")
}

/// The used part of the output of `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

/// Counts a checkout's lines.
fn count(root: &Path) -> Result<Lines> {
    let root = root.canonicalize().with_context(|| format!("no folder {}", root.display()))?;
    let mut cargo = command::cargo();
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1", "--manifest-path"]);
    let text = command::output(cargo.arg(root.join("Cargo.toml")), "cargo metadata")?;
    let Metadata { packages } = serde_json::from_str(&text).context("reading the output of cargo metadata")?;
    let mut lines = Lines::new();
    let mut names = vec![PACKAGE.to_owned()];
    while let Some(name) = names.pop() {
        if lines.contains_key(&name) {
            continue;
        }
        let Some(package) = packages.iter().find(|package| package.name == name) else {
            bail!("{}: the workspace has no package {name}", root.display());
        };
        let folder = package.manifest_path.parent().unwrap_or(&root).canonicalize()?;
        lines.insert(name, count_package(package, &folder)?);
        let needed = package.dependencies.iter().filter(|d| d.path.is_some() && d.kind.as_deref() != Some("dev"));
        names.extend(needed.map(|dependency| dependency.name.clone()));
    }
    Ok(lines)
}

/// Counts the lines of a package's library and build script, by folder.
fn count_package(package: &Package, folder: &Path) -> Result<BTreeMap<String, usize>> {
    // Every kind of library, and procedural macros.
    let built = |kind: &String| kind.contains("lib") || kind == "proc-macro" || kind == "custom-build";
    let roots = package.targets.iter().filter(|target| target.kind.iter().any(built));
    let mut by_folder = BTreeMap::new();
    for (file, lines) in count_files(roots.map(|target| target.src_path.clone()).collect())? {
        let inside = file.canonicalize()?;
        let inside = inside.strip_prefix(folder).unwrap_or(&file);
        let parent: PathBuf = inside.parent().into_iter().flat_map(Path::components).take(DEPTH).collect();
        let name = if parent.as_os_str().is_empty() { inside.to_path_buf() } else { parent };
        *by_folder.entry(name.display().to_string()).or_default() += lines;
    }
    Ok(by_folder)
}

/// Counts files and the modules that they declare, on all processors.
fn count_files(roots: Vec<PathBuf>) -> Result<BTreeMap<PathBuf, usize>> {
    let mut counted = BTreeMap::new();
    let mut files: BTreeSet<(PathBuf, bool)> = roots.into_iter().map(|file| (file, true)).collect();
    while !files.is_empty() {
        let left = Mutex::new(std::mem::take(&mut files).into_iter());
        let found = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    loop {
                        let next = left.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
                        let Some((file, is_root)) = next else { break };
                        let outcome = read(&file, is_root);
                        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((file, outcome));
                    }
                });
            }
        });
        for (file, outcome) in found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            let source::Source { lines, modules } = outcome.with_context(|| project::short(&file))?;
            counted.insert(file, lines);
            files.extend(modules.into_iter().map(|module| (module, false)));
        }
        files.retain(|(file, _)| !counted.contains_key(file));
    }
    Ok(counted)
}

/// Formats a file and counts its lines.
fn read(file: &Path, is_root: bool) -> Result<source::Source> {
    let text = std::fs::File::open(file).context("cannot open it")?;
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--emit", "stdout", "--config-path"]).arg(project::root());
    let formatted = command::output(rustfmt.stdin(Stdio::from(text)), "rustfmt")?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let stem = file.file_stem().unwrap_or_default();
    // Modules of `a/mod.rs` and of a crate's root lie beside the file, those of `a/b.rs` in `a/b`.
    let beside = is_root || stem == "mod";
    source::read(&formatted, folder, &if beside { folder.to_path_buf() } else { folder.join(stem) })
}

/// The lines as a table: by folder, by crate and in all.
fn table(now: &Lines, before: Option<&Lines>) -> String {
    let mut text = match before {
        None => format!("{:46} {:>7}\n", "code lines", "now"),
        Some(_) => format!("{:46} {:>7} {:>7} {:>6}\n", "code lines", "before", "now", "ratio"),
    };
    let mut row = |name: &str, now: usize, then: usize| {
        text.push_str(&match before {
            None => format!("{name:46} {now:7}\n"),
            Some(_) if then == 0 => format!("{name:46} {then:7} {now:7}\n"),
            Some(_) => format!("{name:46} {then:7} {now:7} {:6.3}\n", now as f64 / then as f64),
        });
    };
    let none = (Lines::new(), BTreeMap::new());
    let then = before.unwrap_or(&none.0);
    let crates: BTreeSet<&String> = now.keys().chain(then.keys()).collect();
    let sum = |folders: &BTreeMap<String, usize>| folders.values().sum::<usize>();
    for name in crates {
        let (now, then) = (now.get(name).unwrap_or(&none.1), then.get(name).unwrap_or(&none.1));
        for folder in now.keys().chain(then.keys()).collect::<BTreeSet<_>>() {
            let of = |folders: &BTreeMap<String, usize>| folders.get(folder).copied().unwrap_or(0);
            row(&format!("  {folder}"), of(now), of(then));
        }
        row(name, sum(now), sum(then));
    }
    row("all crates of the bundle", now.values().map(sum).sum(), then.values().map(sum).sum());
    text
}
