//! `cargo xtask dist`: an archive for Linux with the bundle, flow-host, licences, checksums and an install script.
//!
//! The same sources give the same bytes with the same toolchain, in any folder: entries are sorted and belong to root,
//! their time is SOURCE_DATE_EPOCH or that of the commit, and the machine's folders are replaced in the built files.

mod archive;
#[cfg(all(test, unix))]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::bundle::library::Glibc;
use crate::demo::fresh_folder;
use crate::{bundle, command, install, project, setup};

/// Files of the sources that go into the archive as they are.
const FILES: [(&str, &str); 4] = [
    ("bundle/archive/install.sh", "install.sh"),
    ("bundle/archive/README.txt", "README.txt"),
    ("LICENSE-MIT", "licences/LICENSE-MIT"),
    ("LICENSE-APACHE", "licences/LICENSE-APACHE"),
];

/// Options of `cargo xtask dist`.
#[derive(clap::Args)]
pub struct Options {
    /// Run on machines with this C library and newer, such as 2.28 (Rocky 8)
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["bundle", "host"])]
    glibc: Option<Glibc>,
    /// Pack this bundle, and build none
    #[arg(long, value_name = "BUNDLE", requires = "host")]
    bundle: Option<PathBuf>,
    /// Pack this flow-host, and build none
    #[arg(long, value_name = "FILE", requires = "bundle")]
    host: Option<PathBuf>,
    /// The folder for the archive [default: target/dist]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Builds, packs, and prints the archive's path and checksum.
pub fn run(options: &Options) -> Result<()> {
    let triple = bundle::host_triple()?;
    if triple != "x86_64-unknown-linux-gnu" {
        bail!("archives are made on Linux x86-64; `cargo xtask bundle` makes the bundle for {triple}");
    }
    let out = options.out.clone().unwrap_or_else(|| project::target().join("dist"));
    command::make_folder(&out)?;
    let epoch = epoch()?;
    let (bundle, host) = match (&options.bundle, &options.host) {
        (Some(bundle), Some(host)) => (bundle.clone(), host.clone()),
        _ => {
            setup::ensure(setup::Need::BUILD)?;
            let build = bundle::Options::for_archive(options.glibc, out.clone());
            let built = bundle::run(&build)?;
            let host = bundle::build_host(&build)?;
            let needed = bundle::library::oldest_glibc_of(&host)?;
            if let Some((requested, needed)) =
                options.glibc.zip(needed).filter(|(requested, needed)| needed > requested)
            {
                bail!("flow-host needs glibc {needed}, newer than {requested}");
            }
            (built.folder, host)
        }
    };
    let name = format!("flow-{}-linux-x86-64", project::VERSION);
    let folder = out.join(&name);
    fill(&folder, &bundle, &host)?;
    let licences = bundle::licences::collect(&["flow-ofx", "flow-host"], &[triple.as_str()])?;
    command::write_file(&folder.join("licences/THIRD-PARTY.txt"), licences.as_bytes())?;
    let library = bundle::licences::of_the_standard_library()?;
    std::fs::copy(&library, folder.join("licences/RUST-LIBRARY.html"))
        .with_context(|| format!("cannot copy {}", library.display()))?;
    let packed = seal(&folder, &name, epoch)?;
    let file = format!("{name}.tar.gz");
    let sum = archive::line(&packed, &file);
    command::write_file(&out.join(&file), &packed)?;
    command::write_file(&out.join(format!("{file}.sha256")), sum.as_bytes())?;
    println!("{} ({:.1} MB)", project::short(&out.join(&file)), packed.len() as f64 / 1e6);
    print!("  {sum}");
    Ok(())
}

/// Puts the bundle, the program and the files of the sources into a new folder.
fn fill(folder: &Path, bundle: &Path, host: &Path) -> Result<()> {
    if !bundle.join("Contents").is_dir() {
        bail!("{} is not a bundle: it has no folder Contents", bundle.display());
    }
    fresh_folder(folder)?;
    install::copy_folder(bundle, &folder.join(project::BUNDLE_NAME))?;
    for inner in ["bin", "licences"] {
        command::make_folder(&folder.join(inner))?;
    }
    let copy = |from: &Path, to: &str| {
        std::fs::copy(from, folder.join(to)).with_context(|| format!("cannot copy {}", from.display()))
    };
    copy(host, "bin/flow-host")?;
    for (from, to) in FILES {
        copy(&project::root().join(from), to)?;
    }
    Ok(())
}

/// Adds the checksums and returns the folder as an archive.
fn seal(folder: &Path, name: &str, epoch: u64) -> Result<Vec<u8>> {
    let sums = archive::checksums(folder)?;
    command::write_file(&folder.join(archive::CHECKSUMS), sums.as_bytes())?;
    archive::pack(folder, name, epoch)
}

/// The time of all entries, in seconds since 1970: SOURCE_DATE_EPOCH, else that of the commit.
fn epoch() -> Result<u64> {
    if let Some(given) = std::env::var_os("SOURCE_DATE_EPOCH") {
        let text = given.to_string_lossy();
        return text.trim().parse().with_context(|| format!("SOURCE_DATE_EPOCH is no number of seconds: {text}"));
    }
    let mut log = std::process::Command::new("git");
    log.current_dir(project::root()).args(["log", "-1", "--format=%ct"]);
    let text = command::output(&mut log, "asking git for the commit's time (or set SOURCE_DATE_EPOCH)")?;
    text.trim().parse().context("git gave no time of a commit")
}
