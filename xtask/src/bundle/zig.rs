//! Builds against an old glibc with zig's linker and cargo-zigbuild's wrapper of it, both from PyPI.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::library::Glibc;
use super::reproducible;
use crate::{command, project, setup};

/// Tested versions; newer ones need a commit.
const PACKAGES: [&str; 2] = ["cargo-zigbuild==0.24.0", "ziglang==0.15.2"];

/// Builds a package for `triple` against `glibc` and returns the folder of the result.
///
/// Cargo itself builds, with zig's linker: `cargo zigbuild` would also point
/// bindgen at zig's headers, which the machine's libclang cannot read.
pub fn build(triple: &str, glibc: Glibc, arguments: &[&str], reproducible: bool) -> Result<PathBuf> {
    setup::ensure(&[setup::Need::Python])?;
    let tools = environment()?;
    // A separate build folder, since the files of another C library have the same names.
    let target = if reproducible { reproducible::target() } else { project::target() }.join("zig");
    let linker = write_linker(&tools, &target, triple, glibc)?;
    let mut build = command::cargo();
    if reproducible {
        reproducible::apply(&mut build)?;
    }
    build.env("CARGO_TARGET_DIR", &target);
    build.env(format!("CARGO_TARGET_{}_LINKER", triple.replace('-', "_").to_uppercase()), linker);
    build.args(["build", "--quiet"]).args(arguments).args(["--target", triple]);
    command::run(&mut build, &format!("building for glibc {glibc}"))?;
    Ok(target.join(triple).join("release"))
}

/// Writes the script that links with zig: cargo-zigbuild turns rustc's arguments into zig's.
fn write_linker(tools: &Path, target: &Path, triple: &str, glibc: Glibc) -> Result<PathBuf> {
    let zig_target = format!("{}.{glibc}", triple.replace("-unknown", ""));
    let bin = tools.join("bin");
    let script = format!(
        "#!/bin/sh\n\
         export CARGO_ZIGBUILD_ZIG_COMMAND='{0}/python3' CARGO_ZIGBUILD_ZIG_COMMAND_ARGS='-m ziglang'\n\
         exec '{0}/cargo-zigbuild' zig cc -- -g -fno-sanitize=all -target {zig_target} \"$@\"\n",
        bin.display()
    );
    // The name makes cargo link again when the version differs.
    let path = target.join(format!("linker-{triple}-{glibc}.sh"));
    command::make_folder(target)?;
    command::write_file(&path, script.as_bytes())?;
    make_runnable(&path).with_context(|| format!("cannot make {} runnable", path.display()))?;
    Ok(path)
}

#[cfg(unix)]
fn make_runnable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_runnable(_: &Path) -> std::io::Result<()> {
    Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "bundles for an old glibc are built on Linux or macOS"))
}

/// The virtual environment with both tools, made on first use.
fn environment() -> Result<PathBuf> {
    let folder = project::target().join("zig-tools");
    let stamp = folder.join("packages");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(folder);
    }
    println!("fetching {} from PyPI", PACKAGES.join(" and "));
    command::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), "making a virtual environment")?;
    command::run(
        Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(PACKAGES),
        "installing cargo-zigbuild and ziglang with pip (is PyPI reachable from here?)",
    )?;
    command::write_file(&stamp, wanted.as_bytes())?;
    Ok(folder)
}
