//! Runs the kernels' benchmark.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::Options;
use super::rows::{self, Line};
use crate::command;

/// Builds `benches/kernels` and returns the program's path.
pub fn build() -> Result<PathBuf> {
    println!("building the kernels' benchmark");
    let mut build = command::cargo();
    build.args([
        "bench",
        "--quiet",
        "--package",
        "flow-ofx",
        "--bench",
        "kernels",
        "--no-run",
        "--message-format=json",
    ]);
    build.stderr(Stdio::inherit());
    let mut program = None;
    let built = command::run_lines(&mut build, |line| {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if message["target"]["name"] == "kernels"
            && let Some(path) = message["executable"].as_str()
        {
            program = Some(PathBuf::from(path));
        }
        if let Some(text) = message["message"]["rendered"].as_str() {
            eprint!("{text}");
        }
    })?;
    if !built {
        bail!("the kernels' benchmark does not build; the compiler's message is above");
    }
    program.context("cargo names no program of the kernels' benchmark")
}

/// Measures every device of this machine.
pub fn run(program: &Path, options: &Options) -> Result<Vec<Line>> {
    println!("measuring kernels");
    let mut run = Command::new(program);
    run.args(["--seconds", &options.seconds().to_string()]);
    run.args(options.quick.then_some("--quick"));
    run.args(options.filter.iter().map(|text| format!("--filter={text}")));
    let mut lines = Vec::new();
    let done = command::run_lines(&mut run, |line| lines.extend(rows::parse(line)))?;
    if !done {
        bail!("the kernels' benchmark failed; its message is above\ncommand: {}", command::shown(&run));
    }
    Ok(lines)
}
