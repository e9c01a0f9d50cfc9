//! A small folder in place of the built files: its archive, and the script that installs it.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use super::*;

/// A folder with the archive's contents.
fn small(top: &Path, name: &str) -> PathBuf {
    let bundle = top.join(format!("{name}-built.ofx.bundle"));
    let library = bundle.join("Contents/Linux-x86-64/Flow.ofx");
    std::fs::create_dir_all(library.parent().unwrap()).unwrap();
    std::fs::write(&library, "a library").unwrap();
    std::fs::create_dir_all(bundle.join("Contents/Resources/nuke")).unwrap();
    std::fs::write(bundle.join("Contents/Resources/nuke/menu.py"), "# menu").unwrap();
    let host = top.join(format!("{name}-host"));
    std::fs::write(&host, "#!/bin/sh\necho rendered\n").unwrap();
    std::fs::set_permissions(&host, std::fs::Permissions::from_mode(0o700)).unwrap();
    let folder = top.join(name);
    fill(&folder, &bundle, &host).unwrap();
    folder
}

#[test]
fn an_archive_depends_on_names_contents_and_time_alone() {
    let top = tempfile::tempdir().unwrap();
    let first = small(top.path(), "first");
    let second = small(top.path(), "second");
    // Another owner's umask, another order of creation.
    std::fs::set_permissions(second.join("README.txt"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let readme = std::fs::read(second.join("README.txt")).unwrap();
    std::fs::remove_file(second.join("README.txt")).unwrap();
    std::fs::write(second.join("README.txt"), readme).unwrap();
    let packed = seal(&first, "flow", 1_700_000_000).unwrap();
    assert!(packed == seal(&second, "flow", 1_700_000_000).unwrap(), "two folders with equal files");
    assert!(packed == seal(&first, "flow", 1_700_000_000).unwrap(), "one folder twice");
    assert!(packed != seal(&first, "flow", 1_700_000_001).unwrap(), "the time counts");

    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&packed[..]));
    let mut modes = BTreeMap::new();
    let mut order = Vec::new();
    for entry in archive.entries().unwrap() {
        let entry = entry.unwrap();
        let header = entry.header();
        assert_eq!((header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap()), (0, 0, 1_700_000_000));
        let path = entry.path().unwrap().display().to_string();
        modes.insert(path.clone(), header.mode().unwrap());
        order.push(PathBuf::from(path));
    }
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!((modes["flow/bin/flow-host"], modes["flow/install.sh"]), (0o755, 0o755));
    assert_eq!(modes["flow/Flow.ofx.bundle/Contents/Resources/nuke/menu.py"], 0o644);
    assert!(modes.contains_key("flow/SHA256SUMS") && modes.contains_key("flow/licences/LICENSE-MIT"));
}

#[test]
fn checksums_are_those_of_sha256() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty\n";
    assert_eq!(archive::line(b"", "empty"), empty);
}

#[test]
fn the_script_installs_replaces_and_removes_without_a_question() {
    let top = tempfile::tempdir().unwrap();
    let folder = small(top.path(), "flow");
    let packed = seal(&folder, "flow", 0).unwrap();
    let unpacked = top.path().join("unpacked");
    tar::Archive::new(flate2::read::GzDecoder::new(&packed[..])).unpack(&unpacked).unwrap();
    let run = |arguments: &[&str]| -> Output {
        let mut script = Command::new(unpacked.join("flow/install.sh"));
        script.args(arguments).current_dir(top.path()).stdin(std::process::Stdio::null()).output().unwrap()
    };
    let prefix = top.path().join("my own");
    let bundle = prefix.join("OFX/Plugins/Flow.ofx.bundle");
    for round in 0..2 {
        let output = run(&["--prefix", "my own"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "round {round}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("export OFX_PLUGIN_PATH=") && text.contains("my own/OFX/Plugins"), "{text}");
        assert_eq!(std::fs::read_to_string(bundle.join("Contents/Linux-x86-64/Flow.ofx")).unwrap(), "a library");
        let ran = Command::new(prefix.join("bin/flow-host")).output().unwrap();
        assert_eq!(ran.stdout, b"rendered\n");
        let left: Vec<_> = std::fs::read_dir(prefix.join("OFX/Plugins")).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        // The next round replaces a bundle that has another file.
        std::fs::write(bundle.join("stale"), "").unwrap();
    }
    let other = prefix.join("OFX/Plugins/Other.ofx.bundle");
    std::fs::create_dir(&other).unwrap();
    assert!(run(&["--uninstall", "--prefix", "my own"]).status.success());
    assert!(!bundle.exists() && !prefix.join("bin/flow-host").exists() && other.exists());

    assert_eq!(run(&["--nonsense"]).status.code(), Some(2));
    std::fs::write(unpacked.join("flow/bin/flow-host"), "damaged").unwrap();
    let output = run(&["--prefix", "elsewhere"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("SHA256SUMS"));
    assert!(!top.path().join("elsewhere").exists(), "nothing is installed");
}
