//! Folders and names of the project, and the build of `flow-host`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::command;

/// The version of all packages.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The OpenFX identifier of the water node.
pub const FLOW: &str = "org.flowofx.Flow";
/// The OpenFX identifier of the smoke node.
pub const FLOW_SMOKE: &str = "org.flowofx.FlowSmoke";
/// The OpenFX identifier of the particle node.
pub const FLOW_PARTICLES: &str = "org.flowofx.FlowParticles";
/// The OpenFX identifier of the volume node.
pub const FLOW_VOLUME: &str = "org.flowofx.FlowVolume";
/// The OpenFX identifiers of all nodes.
pub const NODES: [&str; 4] = [FLOW, FLOW_SMOKE, FLOW_PARTICLES, FLOW_VOLUME];
/// The bundle folder's name.
pub const BUNDLE_NAME: &str = "Flow.ofx.bundle";

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// Cargo's build folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// The folder of another checkout of this project.
///
/// # Errors
/// The folder is no checkout, or is this one.
pub fn other_checkout(folder: &Path) -> Result<PathBuf> {
    let other = folder.canonicalize().with_context(|| format!("no folder {}", folder.display()))?;
    if !other.join("xtask").is_dir() {
        bail!("{} is not a checkout of this project: it has no folder xtask", folder.display());
    }
    if other == root() {
        bail!("{} is this checkout: name another one, such as a clone of an older commit", folder.display());
    }
    Ok(other)
}

/// A build profile of Cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// As for the tests: optimised, with assertions.
    Dev,
    /// As for a release.
    Release,
}

impl Profile {
    /// Its name for Cargo.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Dev => "dev",
            Profile::Release => "release",
        }
    }

    /// Its folder in Cargo's build folder.
    pub fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }
}

/// The options of a choice of a node, from the plug-in's description.
///
/// # Errors
/// The plug-in cannot be described, or has no such choice.
pub fn options(host: &Path, bundle: &Path, node: &str, choice: &str) -> Result<Vec<String>> {
    let mut describe = command::graphic(host);
    describe.arg("describe").arg(bundle).args(["--plugin", node, "--json"]);
    let described: Value = serde_json::from_str(&command::output(&mut describe, "describing the plug-in")?)
        .context("reading the plug-in's description")?;
    let params = described["params"].as_array().into_iter().flatten();
    let found = params.filter(|param| param["name"] == choice).flat_map(|param| param["options"].as_array());
    let options: Vec<String> = found.flatten().filter_map(|option| option.as_str().map(str::to_owned)).collect();
    if options.is_empty() {
        bail!("{node} has no choice named {choice}");
    }
    Ok(options)
}

/// Builds `flow-host` for release and returns the program's path.
pub fn build_host() -> Result<PathBuf> {
    let profile = Profile::Release;
    println!("building flow-host");
    command::run(
        command::cargo().args(["build", "--quiet", "--profile", profile.name(), "--package", "flow-host", "--bins"]),
        "building flow-host",
    )?;
    let program = target().join(profile.folder()).join(format!("flow-host{}", std::env::consts::EXE_SUFFIX));
    std::fs::metadata(&program).with_context(|| format!("cargo built no {}", program.display()))?;
    Ok(program)
}

/// A path for messages: relative to the current folder if that is shorter.
pub fn short(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}
