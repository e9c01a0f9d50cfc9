//! Renders in a process forked from one that has rendered: they are refused with a message, and never wait.

mod common;

use std::fmt::Write as _;
use std::time::Duration;

use common::{FLOW, bits, bundle_path};
use flow_host::{Bundle, Context, Host, Node, Plugin, Profile, Project, in_forked_child};

/// The identifier of the smoke node.
const SMOKE: &str = "org.flowofx.FlowSmoke";

/// Longer than the run of any child that does not hang.
const PATIENCE: Duration = Duration::from_secs(30);

fn node(plugin: &Plugin, device: &str) -> flow_host::Result<Node> {
    // Large enough for several threads.
    let project = Project::new(320, 256).frames(1.0, 100.0);
    plugin.node(Context::Generator).set("output", 0).project(project).set("device", device).create()
}

fn plugins(bundle: &Bundle) -> [Plugin; 2] {
    [FLOW, SMOKE].map(|id| bundle.plugin(id).expect("the bundle has it"))
}

/// The results of a child that continues as its parent would: renders, a new node, edits, destruction of both.
fn goes_on(bundle: &Bundle, plugin: Plugin, node: Node) -> String {
    let mut report = String::new();
    let mut tell = |what: &str, outcome: Result<(), flow_host::Error>| {
        let text = outcome.map_or_else(|error| error.to_string(), |()| "fine".into());
        writeln!(report, "{what}: {text}").expect("a text takes it");
    };
    tell("kept frame", node.frame(3.0).map(drop));
    tell("new frame", node.frame(9.0).map(drop));
    tell("new node", self::node(&plugin, "CPU").map(drop));
    tell("edit", node.set("resolution", 50.0));
    tell("purge", node.purge());
    tell("save", node.sync());
    tell("destroy", node.destroy());
    tell("load", bundle.plugin(plugin.id()).map(drop));
    drop(node);
    drop(plugin);
    tell("unload", Ok(()));
    report
}

/// A single test, since no other thread may hold a lock of the host at the fork.
#[test]
fn a_child_of_a_process_that_has_rendered_is_refused_and_never_hangs() {
    for device in ["CPU", "GPU"] {
        let host = Host::new(Profile { threads: 3, ..Profile::generic() });
        let bundle = host.load_private(bundle_path()).expect("the bundle loads");
        let plugins = plugins(&bundle);

        // A fork before the first frame is allowed: the child renders as the parent would.
        for plugin in &plugins {
            let apart = Host::new(Profile { threads: 3, ..Profile::generic() });
            let apart = apart.load_private(bundle_path()).and_then(|bundle| bundle.plugin(plugin.id()));
            let truth = bits(&node(&apart.expect("loads"), "CPU").and_then(|node| node.frame(5.0)).expect("renders"));
            let early = node(plugin, "CPU").expect("a node");
            let child = in_forked_child(PATIENCE, || {
                let frame = early.frame(5.0).expect("renders");
                (bits(&frame) == truth).to_string()
            });
            assert_eq!(child.expect("a child").as_deref(), Some("true"), "{} before the first frame", plugin.id());
        }

        let nodes = plugins.each_ref().map(|plugin| node(plugin, device).expect("a node"));
        let before = nodes.each_ref().map(|node| [3.0, 5.0].map(|time| bits(&node.frame(time).expect("renders"))));
        for (plugin, node) in plugins.iter().zip(&nodes) {
            let child = in_forked_child(PATIENCE, || goes_on(&bundle, plugin.clone(), node.clone()));
            let Some(report) = child.expect("a child") else { panic!("{} on {device}: the child hangs", plugin.id()) };
            let lines: Vec<&str> = report.lines().collect();
            assert_eq!(lines.len(), 9, "{report}");
            for line in &lines {
                let refused = ["kept frame", "new frame", "new node", "load"].iter().any(|what| line.starts_with(what));
                assert_eq!(!line.ends_with(": fine"), refused, "{report}");
            }
            for line in &lines[..3] {
                assert!(
                    line.contains("was forked from one in which") && line.contains("Start a new process"),
                    "{report}"
                );
            }
        }
        // The parent is unaffected.
        for (node, before) in nodes.iter().zip(&before) {
            let again = [3.0, 5.0].map(|time| bits(&node.frame(time).expect("renders")));
            assert!(again == *before);
            node.frame(9.0).expect("renders");
        }
    }
}
