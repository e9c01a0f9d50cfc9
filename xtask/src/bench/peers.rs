//! Runs the peers' benchmarks, in a Python environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::Options;
use crate::{command, project, setup};

/// Packages from PyPI, in the versions that pip finds: each row has its version.
const PACKAGES: [&str; 4] = ["numpy", "numba", "taichi", "jax"];

/// Measures the installed peers, by a file of `benches`, on the scenes that a program writes, and returns the
/// lines of their output.
pub fn run(program: &Path, file: &str, options: &Options, line: impl FnMut(&str)) -> Result<()> {
    let python = if options.peers { environment()? } else { PathBuf::from("python3") };
    if !command::succeeds(&python.to_string_lossy(), ["-c", "import numpy"]) {
        println!("no peers: python3 has no NumPy; --peers fetches them from PyPI");
        return Ok(());
    }
    let scenes = project::target().join("bench").join("scenes");
    command::make_folder(&scenes)?;
    let mut export = command::graphic(program);
    export.arg("--export").arg(&scenes).args(options.quick.then_some("--quick"));
    command::run(&mut export, "writing the scenes for the peers")?;
    println!("measuring peers");
    let mut peers = Command::new(python);
    // Python would leave compiled files between the sources.
    peers.arg("-B").arg(project::root().join("benches").join(file)).arg("--scenes").arg(&scenes);
    peers.args(["--seconds", &options.seconds().to_string()]);
    peers.args(options.filter.iter().map(|text| format!("--filter={text}")));
    let done = command::run_lines(&mut peers, line);
    // Half a gigabyte at full size.
    drop(std::fs::remove_dir_all(&scenes));
    if !done? {
        bail!("the peers' benchmark failed; its message is above\ncommand: {}", command::shown(&peers));
    }
    Ok(())
}

/// The Python of a virtual environment with the peers, made on first use.
fn environment() -> Result<PathBuf> {
    setup::ensure(&[setup::Need::Python])?;
    let folder = project::target().join("peers");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join("packages");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    println!("fetching {} from PyPI into {}", PACKAGES.join(", "), project::short(&folder));
    command::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), "making a virtual environment")?;
    command::run(
        Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES),
        "installing the peers with pip (is PyPI reachable from here?)",
    )?;
    command::write_file(&stamp, wanted.as_bytes())?;
    Ok(python)
}
