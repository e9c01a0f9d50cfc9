//! Runs the peers' benchmarks, in a Python environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::Options;
use crate::{command, project, setup};

/// Packages from PyPI, in the versions that pip finds: each row has its version.
const PACKAGES: [&str; 4] = ["numpy", "numba", "taichi", "jax"];

/// The peers of one file of `benches`, with the scenes that a program has written for them.
pub struct Peers {
    python: PathBuf,
    file: &'static str,
    scenes: PathBuf,
}

impl Peers {
    /// Writes the scenes; `None` where no peers are installed.
    pub fn new(program: &Path, file: &'static str, options: &Options) -> Result<Option<Peers>> {
        let python = if options.peers { environment()? } else { PathBuf::from("python3") };
        if !command::succeeds(&python.to_string_lossy(), ["-c", "import numpy"]) {
            println!("no peers: python3 has no NumPy; --peers fetches them from PyPI");
            return Ok(None);
        }
        let scenes = project::target().join("bench").join("scenes");
        command::make_folder(&scenes)?;
        let mut export = command::graphic(program);
        export.arg("--export").arg(&scenes).args(options.quick.then_some("--quick"));
        command::run(&mut export, "writing the scenes for the peers")?;
        Ok(Some(Peers { python, file, scenes }))
    }

    /// Measures the installed peers for `seconds` a row, and returns the lines of their output.
    pub fn measure(&self, options: &Options, seconds: f64, line: impl FnMut(&str)) -> Result<()> {
        println!("measuring peers");
        self.measure_some(None, options, seconds, line)
    }

    /// As [`measure`](Self::measure), one peer alone where it is named.
    pub fn measure_some(
        &self,
        only: Option<&str>,
        options: &Options,
        seconds: f64,
        line: impl FnMut(&str),
    ) -> Result<()> {
        let mut peers = Command::new(&self.python);
        // Python would leave compiled files between the sources, and numba in a cache for all versions of them.
        peers.env("NUMBA_CACHE_DIR", self.scenes.join("numba"));
        peers.arg("-B").arg(project::root().join("benches").join(self.file)).arg("--scenes").arg(&self.scenes);
        peers.args(["--seconds", &seconds.to_string()]);
        peers.args(only.map(|peer| format!("--peer={peer}")));
        peers.args(options.filter.iter().map(|text| format!("--filter={text}")));
        if !command::run_lines(&mut peers, line)? {
            bail!("the peers' benchmark failed; its message is above\ncommand: {}", command::shown(&peers));
        }
        Ok(())
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // Half a gigabyte at full size.
        drop(std::fs::remove_dir_all(&self.scenes));
    }
}

/// Measures the installed peers once.
pub fn run(program: &Path, file: &'static str, options: &Options, line: impl FnMut(&str)) -> Result<()> {
    Peers::new(program, file, options)?.map_or(Ok(()), |peers| peers.measure(options, options.seconds(), line))
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
