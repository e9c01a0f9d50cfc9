//! Programs from PyPI for the tests, in the virtual environment `target/tools`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::{Need, ensure};
use crate::{command, project};

/// The packages, each with a program that proves its installation.
const PACKAGES: [(&str, &str); 2] = [
    // Runs Open Job Description templates.
    ("openjd-cli>=0.8,<0.9", "openjd"),
    // Has `oiiotool`.
    ("OpenImageIO>=3.0,<4", "oiiotool"),
];

/// Programs for the tests of files.
pub const EXR_PROGRAMS: [&str; 3] = ["exrheader", "exrinfo", "oiiotool"];
/// The variable with the program `openjd`, for the tests.
const OPENJD: &str = "FLOW_OPENJD";
/// The variable with the folders of OpenEXR's programs and `oiiotool`, for the tests.
pub const EXR_TOOLS: &str = "FLOW_EXR_TOOLS";
/// The variable with a Python that has OpenVDB's module, for the tests.
const OPENVDB: &str = "FLOW_OPENVDB_PYTHON";

/// The Python that has OpenVDB's module: that of the variable, on `PATH`, or of the system.
pub fn openvdb() -> Option<OsString> {
    let named = std::env::var_os(OPENVDB);
    let programs = named.into_iter().chain(["python3".into(), "/usr/bin/python3".into()]);
    programs.into_iter().find(|python| command::succeeds(&python.to_string_lossy(), ["-c", "import pyopenvdb"]))
}

/// Environment variables with the paths of the tests' programs. Variables that the user has set are left out.
///
/// # Errors
/// A tool is missing and cannot be fetched; the message has the commands to type.
pub fn test_tools() -> Result<Vec<(&'static str, OsString)>> {
    let mut variables = Vec::new();
    let wanted = |name| std::env::var_os(name).is_none();
    if wanted(OPENJD) {
        variables.push((OPENJD, program(&ensure_programs()?, "openjd").into_os_string()));
    }
    if wanted(EXR_TOOLS) {
        ensure(&[Need::OpenExr])?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain([ensure_programs()?]);
        let folders = folders.filter(|folder| EXR_PROGRAMS.iter().any(|name| program(folder, name).is_file()));
        variables.push((EXR_TOOLS, std::env::join_paths(folders).context("a folder in PATH has a strange name")?));
    }
    if wanted(OPENVDB) {
        ensure(&[Need::OpenVdb])?;
        variables.extend(openvdb().map(|python| (OPENVDB, python)));
    }
    Ok(variables)
}

/// Creates the environment if it is missing, and returns the folder of its programs.
pub fn ensure_programs() -> Result<PathBuf> {
    let folder = project::target().join("tools");
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let wanted = PACKAGES.map(|(package, _)| package).join("\n");
    let stamp = folder.join("packages");
    // The programs stop working when their Python is removed.
    let work =
        || PACKAGES.iter().all(|(_, name)| command::succeeds(&program(&programs, name).to_string_lossy(), ["--help"]));
    let noted = std::fs::read_to_string(&stamp).ok();
    if noted.as_ref().is_none_or(|noted| *noted == wanted) && work() {
        if noted.is_none() {
            // Created by hand, with the commands below.
            command::write_file(&stamp, wanted.as_bytes())?;
        }
        return Ok(programs);
    }
    ensure(&[Need::Python])?;
    let short = project::short(&folder);
    println!("fetching {} from PyPI into {short}", PACKAGES.map(|(package, _)| package).join(" and "));
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    let mut install = Command::new(program(&programs, "python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(PACKAGES.map(|(package, _)| package));
    let done = command::run(&mut make, "making a virtual environment")
        .and_then(|()| command::run(&mut install, "installing with pip (is PyPI reachable from here?)"))
        .and_then(
            |()| if work() { Ok(()) } else { bail!("the programs that pip installed into {short} do not start") },
        );
    if let Err(error) = done {
        bail!(
            "{error:#}\nThe tests of the farm and of files need these programs. Type this, then run the command \
             again:\n  {} && {}\nor set {OPENJD} to the program openjd, and {EXR_TOOLS} to the folders of {}",
            command::shown(&make),
            command::shown(&install),
            EXR_PROGRAMS.join(", ")
        );
    }
    command::write_file(&stamp, wanted.as_bytes())?;
    Ok(programs)
}

fn program(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
