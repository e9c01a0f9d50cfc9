//! Builds and runs the benchmarks that are programs of their own.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::Options;
use crate::{command, project};

/// Builds the benchmark `name` of the checkout `root` and returns the program's path.
pub fn build(root: &Path, name: &str) -> Result<PathBuf> {
    let mut build = command::cargo();
    if root == project::root() {
        println!("building the benchmark {name}");
    } else {
        println!("building the benchmark {name} in {}", root.display());
        build.current_dir(root).env_remove("CARGO_TARGET_DIR");
    }
    build.args(["bench", "--quiet", "--package", "flow-ofx", "--bench", name, "--no-run", "--message-format=json"]);
    build.stderr(Stdio::inherit());
    let mut program = None;
    let built = command::run_lines(&mut build, |line| {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if message["target"]["name"] == name
            && let Some(path) = message["executable"].as_str()
        {
            program = Some(PathBuf::from(path));
        }
        if let Some(text) = message["message"]["rendered"].as_str() {
            eprint!("{text}");
        }
    })?;
    if !built {
        bail!("the benchmark {name} does not build; the compiler's message is above");
    }
    program.with_context(|| format!("cargo names no program of the benchmark {name}"))
}

/// Measures every device of this machine, and returns the lines of the program's output.
pub fn run(program: &Path, options: &Options, line: impl FnMut(&str)) -> Result<()> {
    run_for(program, options, options.seconds(), line)
}

/// As [`run`], for `seconds` a row.
pub fn run_for(program: &Path, options: &Options, seconds: f64, line: impl FnMut(&str)) -> Result<()> {
    run_with(program, options, seconds, None, line)
}

/// As [`run_for`], with one more argument.
pub fn run_with(
    program: &Path,
    options: &Options,
    seconds: f64,
    argument: Option<&str>,
    line: impl FnMut(&str),
) -> Result<()> {
    let mut run = command::graphic(program);
    run.args(argument);
    run.args(["--seconds", &seconds.to_string()]);
    run.args(options.quick.then_some("--quick"));
    run.args(options.filter.iter().map(|text| format!("--filter={text}")));
    if !command::run_lines(&mut run, line)? {
        bail!("the benchmark failed; its message is above\ncommand: {}", command::shown(&run));
    }
    Ok(())
}
