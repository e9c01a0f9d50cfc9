//! Builds the test plug-ins and opens them.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use flow_host::{Bundle, Host, Image, Plugin, Profile, RectI, Source};

/// The library of the test plug-ins, built once per test program.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("Tests.ofx");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plugin/effects.c");
        let built = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-o"])
            .args([&path, &source])
            .arg("-lm")
            .status()
            .expect("a C compiler named cc");
        assert!(built.success(), "the test plug-ins compile");
        (folder, path)
    });
    path
}

/// The command in a folder; `BUNDLE` in its arguments is the library of the test plug-ins.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let plugin = library().to_str().expect("path");
    let mut command = Command::new(env!("CARGO_BIN_EXE_flow-host"));
    command.current_dir(folder).env_remove("OFX_PLUGIN_PATH");
    command.args(arguments.iter().map(|argument| argument.replace("BUNDLE", plugin)));
    command
}

/// A private copy of the test plug-ins under a host.
pub fn bundle(host: &Host) -> Bundle {
    host.load_private(library()).expect("the test plug-ins load")
}

/// A test plug-in by its short name, in a host with the profile.
pub fn plugin(profile: Profile, name: &str) -> (Host, Plugin) {
    let host = Host::new(profile);
    let plugin = bundle(&host).plugin(&format!("org.flowofx.test.{name}")).expect("the plug-in loads");
    (host, plugin)
}

/// A source whose pixels are (x/64, y/64, time/64, 1).
pub fn ramp(bounds: RectI) -> Source {
    Source::pictures(move |time| {
        Some(Image::from_fn(bounds, |x, y| [x as f32 / 64.0, y as f32 / 64.0, time as f32 / 64.0, 1.0]))
    })
}
