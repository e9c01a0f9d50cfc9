//! Builds whose bytes do not depend on the folders of the sources, of Cargo and of the toolchain.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::rustc;
use crate::{command, project};

/// Cargo's build folder for these builds: other builds have other flags, and would be replaced by each of these.
pub fn target() -> PathBuf {
    project::target().join("reproducible")
}

/// Gives a run of cargo the flags that replace the machine's folders in the built files. They take the place of
/// RUSTFLAGS and of the configured flags, which would make a difference between machines.
pub fn apply(cargo: &mut Command) -> Result<()> {
    let sysroot = command::output(rustc().args(["--print", "sysroot"]), "asking rustc for its folder")?;
    let version = command::output(rustc().arg("-vV"), "asking rustc for its version")?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let home = home.context("no home folder is known; set CARGO_HOME")?;
    let folders = [
        (project::root(), "/flow".to_owned()),
        (home, "/cargo".to_owned()),
        // Sources of the standard library, where the component rust-src is installed: their names without it.
        (Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")),
        // Last, since the last prefix that fits is replaced, and the build folder may lie in the sources.
        (target(), "/flow/target".to_owned()),
    ];
    let flags: Vec<String> =
        folders.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect();
    let of_c: Vec<String> =
        folders.iter().map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).collect();
    cargo.env("CARGO_TARGET_DIR", target());
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    cargo.env("CFLAGS", of_c.join(" "));
    cargo.env("CARGO_INCREMENTAL", "0");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_this_machine_are_replaced() {
        let mut cargo = Command::new("cargo");
        apply(&mut cargo).unwrap();
        let value = |name: &str| {
            let found = cargo.get_envs().find(|(key, _)| *key == name).and_then(|(_, value)| value);
            found.unwrap_or_else(|| panic!("{name}")).to_string_lossy().into_owned()
        };
        let root = project::root().display().to_string();
        assert!(value("CARGO_ENCODED_RUSTFLAGS").starts_with(&format!("--remap-path-prefix={root}=/flow\u{1f}")));
        assert!(value("CFLAGS").contains(&format!("-ffile-prefix-map={root}=/flow ")));
        assert!(value("CARGO_ENCODED_RUSTFLAGS").ends_with("=/flow/target"));
    }
}
