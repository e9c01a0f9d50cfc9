//! OpenVDB's own library, which tests compare with.

use std::process::Command;

/// Python with the reference library: `FLOW_OPENVDB_PYTHON`, or one that has it.
pub fn python() -> Option<String> {
    let wanted = std::env::var("FLOW_OPENVDB_PYTHON").ok();
    let candidates = wanted.clone().map_or_else(|| vec!["python3".into(), "/usr/bin/python3".into()], |one| vec![one]);
    let works = |python: &String| {
        let tried = Command::new(python).args(["-c", "import pyopenvdb"]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    let found = candidates.into_iter().find(works);
    assert!(wanted.is_none() || found.is_some(), "FLOW_OPENVDB_PYTHON is {wanted:?}, which has no pyopenvdb");
    if found.is_none() {
        println!("pyopenvdb is not installed: not tried");
    }
    found
}
