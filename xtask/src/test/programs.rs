//! The workspace's test programs. Two run at a time: some wait for each other's processes or for time to pass, some
//! have work for one core only, and the longest take minutes.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::count::Counts;
use crate::{command, project};

/// Programs that take minutes; they start first, so that none is left alone at the end.
const LONGEST: [&str; 6] = [
    "tests/smoke_gates/main.rs",
    "tests/water_devices.rs",
    "tests/memory.rs",
    "tests/gpu_smoke/main.rs",
    "tests/gpu_volume/main.rs",
    "tests/gpu_water.rs",
];

/// A test program.
pub struct Program {
    /// Path of its source file in the workspace.
    pub name: String,
    pub executable: PathBuf,
    /// Working directory: the folder of the package.
    folder: PathBuf,
    /// Name of the package.
    package: String,
}

/// The result of a test program.
pub struct Outcome {
    pub counts: Counts,
    pub succeeded: bool,
}

/// The programs built for the tests, with the library beside them.
pub struct Built {
    pub programs: Vec<Program>,
    /// `flow-host`.
    pub host: PathBuf,
}

/// Arguments of the builds by cargo. The library's unit tests need no optimiser, and compiling all kernels a second
/// time with it takes longer than they run without. Without `flow-heat`, which uses the library, the library itself is
/// not compiled so: its file would replace the optimised one.
const BUILDS: [&[&str]; 2] = [
    &["--exclude", "flow-heat", "--lib", "--config", "profile.dev.package.flow-ofx.opt-level=0"],
    &["--bins", "--examples", "--test", "*"],
];

/// Builds all test programs.
pub fn build() -> Result<Built> {
    let (mut programs, mut host) = (Vec::new(), None);
    for targets in BUILDS {
        let mut cargo = command::cargo();
        cargo.args(["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"]).args(targets);
        let built = command::run_lines(&mut cargo, |line| {
            let Some((program, tests)) = program(line) else { return };
            if tests {
                programs.push(program);
            } else if program.name == "host/src/main.rs" {
                host = Some(program.executable);
            }
        })?;
        if !built {
            bail!("the tests do not build; the compiler's message is above");
        }
    }
    if programs.is_empty() {
        bail!("cargo built no tests");
    }
    programs.sort_by_key(|program| LONGEST.iter().position(|name| *name == program.name).unwrap_or(LONGEST.len()));
    Ok(Built { programs, host: host.context("cargo built no flow-host")? })
}

/// The program of a line of cargo's messages, and whether it is a test program.
fn program(line: &str) -> Option<(Program, bool)> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let source = Path::new(message["target"]["src_path"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    // `path+file:///folder#name@version`, or without the name if it is the folder's.
    let (_, package) = message["package_id"].as_str()?.rsplit_once('#')?;
    let package = package.split_once('@').map_or_else(|| folder.file_name()?.to_str(), |(name, _)| Some(name))?;
    let program = Program {
        name: source.strip_prefix(project::root()).unwrap_or(source).display().to_string(),
        executable: message["executable"].as_str()?.into(),
        folder: folder.into(),
        package: package.to_owned(),
    };
    Some((program, message["profile"]["test"].as_bool()?))
}

/// Runs `first` and programs; the output of each is shown and parsed when it has ended.
pub fn run(
    programs: &[Program],
    variables: &[(&str, OsString)],
    first: impl FnOnce() + Send,
    report: impl FnMut(&Program, &Outcome) + Send,
) -> Result<()> {
    let rest = Mutex::new(programs.iter());
    let report = Mutex::new(report);
    let work = || -> Result<()> {
        loop {
            let Some(program) = rest.lock().unwrap_or_else(PoisonError::into_inner).next() else { return Ok(()) };
            let start = Instant::now();
            let (output, succeeded) =
                program.run(variables).with_context(|| format!("cannot run the tests of {}", program.name))?;
            let mut counts = Counts::default();
            output.lines().for_each(|line| counts.read(line));
            let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
            println!("     Running {}\n{output}     {:.1} s", program.name, start.elapsed().as_secs_f64());
            report(program, &Outcome { counts, succeeded });
        }
    };
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| {
            first();
            work()
        });
        let here = work();
        here.and(beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

impl Program {
    /// Runs the program; returns its output and errors together, and whether it succeeded.
    fn run(&self, variables: &[(&str, OsString)]) -> Result<(String, bool)> {
        let folder = project::target().join("tmp");
        command::make_folder(&folder)?;
        let mut printed = tempfile::tempfile_in(&folder).context("a file for its output")?;
        let status = Command::new(&self.executable)
            .current_dir(&self.folder)
            // As cargo sets them; this program has values of its own.
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", &self.package)
            // With RUST_BACKTRACE, wgpu's debug builds record a backtrace for each lock: a tenth of the time of
            // the tests of the GPU. Panics still print theirs.
            .env("RUST_LIB_BACKTRACE", "0")
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(std::process::Stdio::null())
            .stdout(clone(&printed)?)
            .stderr(clone(&printed)?)
            .status()
            .with_context(|| self.executable.display().to_string())?;
        let mut bytes = Vec::new();
        printed.rewind().and_then(|()| printed.read_to_end(&mut bytes)).context("its output")?;
        Ok((String::from_utf8_lossy(&bytes).into_owned(), status.success()))
    }
}

fn clone(file: &File) -> Result<File> {
    file.try_clone().context("a file for its output")
}

/// Runs the examples in the documentation.
pub fn documentation(variables: &[(&str, OsString)]) -> Result<Outcome> {
    let mut cargo = command::cargo();
    cargo.args(["test", "--workspace", "--doc"]).envs(variables.iter().map(|(name, value)| (name, value)));
    let mut counts = Counts::default();
    let succeeded = command::run_lines(&mut cargo, |line| {
        println!("{line}");
        counts.read(line);
    })?;
    Ok(Outcome { counts, succeeded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_programs_exist() {
        for name in LONGEST {
            assert!(project::root().join(name).is_file(), "{name}");
        }
    }

    #[test]
    fn test_programs_are_recognised() {
        let line = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///w/host#flow-host@0.1.0",
                "manifest_path":"/w/host/Cargo.toml","profile":{{"test":{test}}},
                "target":{{"src_path":"/w/host/tests/files.rs"}},"executable":{executable}}}"#
            )
        };
        let (found, tests) = program(&line(true, r#""/w/target/files-1""#)).expect("a program");
        assert_eq!((found.executable, found.folder, tests), ("/w/target/files-1".into(), "/w/host".into(), true));
        let (found, tests) = program(&line(false, r#""/w/target/flow-host""#)).expect("a program");
        assert_eq!((found.executable, tests), ("/w/target/flow-host".into(), false));
        assert_eq!(found.package, "flow-host");
        let unnamed = line(true, r#""/w/files-1""#).replace("flow-host@", "");
        assert_eq!(program(&unnamed).expect("a program").0.package, "host");
        assert!(program(&line(true, "null")).is_none());
        assert!(program("   Compiling flow-host").is_none());
    }
}
