//! Tests whose body runs in a process of its own, with its own environment.

use std::process::Command;

use flow_host::{Event, Host};

/// Variables that change what a graphics device does or is logged; only a test's own values reach its process.
const REMOVED: [&str; 4] = ["FLOW_LOG", "FLOW_GPU_MEMORY", "FLOW_GPU_TIMEOUT", "FLOW_GPU_FAULT"];

/// Runs the body of the test `name` in a child process with these variables, on its main thread; prints its output.
pub fn alone(name: &str, variables: &[(&str, &str)], body: impl FnOnce()) {
    const CHILD: &str = "FLOW_TEST_ALONE";
    if std::env::var_os(CHILD).is_some() {
        body();
        return;
    }
    let program = std::env::current_exe().expect("a running test has a path");
    let mut child = Command::new(program);
    child.args([name, "--exact", "--test-threads=1", "--nocapture"]).env(CHILD, "1");
    for variable in REMOVED {
        child.env_remove(variable);
    }
    let output = child.envs(variables.iter().copied()).output().expect("the test runs again");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{variables:?}: {text}\n{errors}");
    assert!(text.contains("1 passed"), "{name} was not run:\n{text}");
    print!("{text}");
}

/// The messages that a host has received.
pub fn messages(host: &Host) -> Vec<String> {
    let text = |event| match event {
        Event::Message { text, .. } => Some(text),
        _ => None,
    };
    host.record().events().into_iter().filter_map(text).collect()
}
