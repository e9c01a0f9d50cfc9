//! `cargo xtask bundle`: builds the library, checks it, and lays out the folder that hosts load.

pub mod icon;
pub mod library;
pub mod licences;
mod reproducible;
pub mod target;
mod zig;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use self::library::Glibc;
use crate::{command, project, setup};

/// Options of `cargo xtask bundle`.
#[derive(clap::Args)]
pub struct Options {
    /// Build optimised (the default)
    #[arg(long, conflicts_with = "dev")]
    release: bool,
    /// Build with the development profile instead, for a quick look
    #[arg(long, conflicts_with = "glibc")]
    dev: bool,
    /// Run on Linux machines with this C library and newer, such as 2.28 (Rocky 8) or 2.17 (CentOS 7)
    #[arg(long, value_name = "VERSION")]
    glibc: Option<Glibc>,
    /// Build for this Rust target instead of this machine
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The folder for the bundle [default: target/bundle]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Take the library of the last test run, and build none
    #[arg(skip)]
    tested: bool,
    /// Bytes that do not depend on the machine's folders
    #[arg(skip)]
    reproducible: bool,
}

/// A built bundle.
pub struct Bundle {
    /// The `Flow.ofx.bundle` folder.
    pub folder: PathBuf,
    /// The library in it.
    pub binary: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self { release: true, dev: false, glibc: None, target: None, out: None, tested: false, reproducible: false }
    }
}

impl Options {
    /// Options of the bundle in an archive.
    pub fn for_archive(glibc: Option<Glibc>, out: PathBuf) -> Self {
        Self { glibc, out: Some(out), reproducible: true, ..Self::default() }
    }

    /// Options of the bundle for `cargo xtask test`, beside the shipped one: of the tested library.
    pub fn for_tests() -> Self {
        Self {
            release: false,
            dev: true,
            out: Some(project::target().join("bundle-dev")),
            tested: true,
            ..Self::default()
        }
    }
}

/// Builds, checks and lays out the bundle.
pub fn run(options: &Options) -> Result<Bundle> {
    setup::ensure(setup::Need::BUILD)?;
    let triple = match &options.target {
        Some(triple) => triple.clone(),
        None => host_triple()?,
    };
    let Some(platform) = target::of(&triple) else {
        bail!("there is no bundle folder for {triple}; the targets are {}", target::known());
    };
    let profile = if options.dev && !options.release { project::Profile::Dev } else { project::Profile::Release };
    let libraries = platform
        .triples
        .iter()
        .map(|triple| build(triple, platform.library, profile, options))
        .collect::<Result<Vec<_>>>()?;
    let mut oldest = None;
    for library in &libraries {
        oldest = oldest.max(library::check(library)?);
    }
    if let (Some(requested), Some(found)) = (options.glibc, oldest)
        && found > requested
    {
        bail!("the library needs glibc {found}, newer than {requested}; a dependency links something newer");
    }
    let out = options.out.clone().unwrap_or_else(|| project::target().join("bundle"));
    let bundle = lay_out(&out, platform, &libraries, oldest)?;
    let size = std::fs::metadata(&bundle.binary).map_or(0.0, |file| file.len() as f64 / 1e6);
    println!("{} ({}, {size:.1} MB)", project::short(&bundle.folder), platform.folder);
    println!("  exports exactly {}", library::EXPORTS.join(", "));
    if let Some(oldest) = oldest {
        println!("  runs on glibc {oldest} and newer (stated in Contents/Info.plist as FlowOldestGlibc)");
    }
    Ok(bundle)
}

/// Builds and lays out another checkout's bundle by its own commands, for release.
pub fn of_checkout(root: &Path) -> Result<Bundle> {
    let out = root.join("target/bundle");
    let mut build = command::cargo();
    build.current_dir(root).env_remove("CARGO_TARGET_DIR").args(["run", "--quiet", "--package", "xtask", "--"]);
    command::run(build.args(["bundle", "--out"]).arg(&out), "building the other checkout's bundle")?;
    let folder = out.join(project::BUNDLE_NAME);
    Ok(Bundle { binary: folder.clone(), folder })
}

/// Builds flow-host for this machine's target, as the library of `options` is built; returns the program's path.
pub fn build_host(options: &Options) -> Result<PathBuf> {
    build_part(&host_triple()?, ("flow-host", "--bins"), "flow-host", project::Profile::Release, options)
}

/// Builds the library for one target and returns its path.
fn build(triple: &str, library: &str, profile: project::Profile, options: &Options) -> Result<PathBuf> {
    build_part(triple, ("flow-ofx", "--lib"), library, profile, options)
}

/// Builds the file of a package for one target and returns its path.
fn build_part(
    triple: &str,
    (package, kind): (&str, &str),
    file: &str,
    profile: project::Profile,
    options: &Options,
) -> Result<PathBuf> {
    let arguments = ["--package", package, kind, "--profile", profile.name()];
    if !options.tested {
        println!("building {package} for {triple} ({})", profile.name());
    }
    let folder = match options.glibc {
        Some(glibc) if triple.ends_with("-linux-gnu") => zig::build(triple, glibc, &arguments, options.reproducible)?,
        Some(_) => bail!("--glibc is for Linux; {triple} has no glibc"),
        // Test programs load the library from this folder; `cargo test` puts it nowhere else.
        None if options.tested => project::target().join(profile.folder()).join("deps"),
        None => {
            let mut build = command::cargo();
            build.args(["build", "--quiet"]).args(arguments);
            let mut folder = project::target();
            if options.reproducible {
                reproducible::apply(&mut build)?;
                folder = reproducible::target();
            }
            if triple != host_triple()? {
                build.args(["--target", triple]);
                folder.push(triple);
            }
            command::run(
                &mut build,
                &format!("building for {triple} (a target other than this machine: `rustup target add {triple}`)"),
            )?;
            folder.join(profile.folder())
        }
    };
    let path = folder.join(file);
    if !path.is_file() {
        bail!("cargo built no {}", path.display());
    }
    Ok(path)
}

/// Writes the bundle beside its final path and exchanges the two. Other platforms' folders are kept.
fn lay_out(out: &Path, platform: &target::Platform, libraries: &[PathBuf], oldest: Option<Glibc>) -> Result<Bundle> {
    let folder = out.join(project::BUNDLE_NAME);
    let staging = out.join(format!(".flow-bundle-{}", std::process::id()));
    command::make_folder(&staging)?;
    let laid = fill(&staging, platform, libraries, oldest).and_then(|()| {
        for other in target::PLATFORMS.iter().filter(|other| other.folder != platform.folder) {
            let built = folder.join("Contents").join(other.folder);
            if built.is_dir() {
                crate::install::copy_folder(&built, &staging.join("Contents").join(other.folder))?;
            }
        }
        crate::install::replace(&staging, &folder)
    });
    if laid.is_err() {
        // The first error is reported.
        drop(std::fs::remove_dir_all(&staging));
    }
    laid?;
    let binary = folder.join("Contents").join(platform.folder).join(target::BINARY);
    Ok(Bundle { folder, binary })
}

fn fill(staging: &Path, platform: &target::Platform, libraries: &[PathBuf], oldest: Option<Glibc>) -> Result<()> {
    let contents = staging.join("Contents");
    let resources = contents.join("Resources");
    let binaries = contents.join(platform.folder);
    command::make_folder(&resources)?;
    command::make_folder(&binaries)?;
    let binary = binaries.join(target::BINARY);
    if let [library] = libraries {
        std::fs::copy(library, &binary).with_context(|| format!("cannot write {}", binary.display()))?;
    } else {
        let mut join = Command::new("lipo");
        join.arg("-create").args(libraries).arg("-output").arg(&binary);
        command::run(&mut join, "joining the libraries into a universal one with lipo")?;
    }
    let template = project::root().join("bundle/Info.plist");
    let plist = std::fs::read_to_string(&template).with_context(|| format!("cannot read {}", template.display()))?;
    let oldest = oldest.map_or_else(|| "none".to_owned(), |glibc| glibc.to_string());
    let plist = plist.replace("@VERSION@", project::VERSION).replace("@GLIBC@", &oldest);
    command::write_file(&contents.join("Info.plist"), plist.as_bytes())?;
    for node in project::NODES {
        let drawing = icon::drawing(node);
        let copy = resources.join(format!("{node}.svg"));
        std::fs::copy(&drawing, copy).with_context(|| format!("cannot copy {}", drawing.display()))?;
        icon::paint(node, &resources.join(format!("{node}.png")))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let from = project::root().join(licence);
        std::fs::copy(&from, resources.join(licence)).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    // Templates for render farms.
    crate::install::copy_folder(&project::root().join("bundle/farm"), &resources.join("farm"))?;
    // A menu and a toolset for Nuke, a PyPlug for Natron: folders for the hosts' own search paths.
    for host in ["nuke", "natron"] {
        crate::install::copy_folder(&project::root().join("bundle").join(host), &resources.join(host))?;
    }
    icon::paint(project::FLOW, &resources.join("natron/FlowLayers.png"))?;
    command::write_file(
        &resources.join("THIRD-PARTY.txt"),
        licences::collect(&["flow-ofx"], platform.triples)?.as_bytes(),
    )
}

/// The target that this machine's toolchain builds for.
pub fn host_triple() -> Result<String> {
    let text = command::output(rustc().arg("-vV"), "asking rustc for its target")?;
    let triple = text.lines().find_map(|line| line.strip_prefix("host: "));
    triple.map(str::to_owned).context("rustc does not report its target")
}

/// This toolchain's compiler.
fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}
