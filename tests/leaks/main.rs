//! Creation and destruction of instances, and loading and unloading of the library, leak
//! nothing. A plain run is short and counts the host's handles;
//! `tests/leaks/run` repeats it at length under valgrind, against the built bundle.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use flow_host::{Context, Host, Image, Profile, Project, RectI, Request, Source};

/// A lock of each test: the tests count the handles of the whole process, and Unload
/// would unload the library during another test.
static ALONE: Mutex<()> = Mutex::new(());

/// The bundle named by `FLOW_BUNDLE`, or else the library that cargo built beside this test.
fn bundle() -> PathBuf {
    let beside = || std::env::current_exe().expect("a running test has a path").with_file_name("libflow_ofx.so");
    std::env::var_os("FLOW_BUNDLE").map_or_else(beside, PathBuf::from)
}

/// Number of rounds: the variable's value, or else `short`.
fn rounds(variable: &str, short: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.map_or(short, |text| text.parse().expect("a number of rounds"))
}

#[test]
fn instances_are_created_and_destroyed() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let host = Host::new(Profile::generic());
    let plugin = host.load(bundle()).expect("the bundle loads").plugin("org.flowofx.Flow").expect("it has Flow");
    let round = |context| {
        let node =
            plugin.node(context).set("output", "Water").project(Project::new(64, 48)).create().expect("an instance");
        node.destroy().expect("it goes");
    };
    let contexts = [Context::General, Context::Filter, Context::Generator];
    contexts.into_iter().for_each(round);
    let before = flow_host::live_handles();
    for number in 0..rounds("FLOW_LEAK_INSTANCES", 30) {
        round(contexts[number % contexts.len()]);
    }
    assert_eq!(flow_host::live_handles(), before);
    assert_eq!(host.record().violations(), Vec::<String>::new());
}

#[test]
fn a_library_is_loaded_and_unloaded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let host = Host::new(Profile::natron());
    let plugin = host.load(bundle()).expect("the bundle loads").plugin("org.flowofx.Flow").expect("it has Flow");
    plugin.reload().expect("it loads again");
    let before = flow_host::live_handles();
    for _ in 0..rounds("FLOW_LEAK_LOADS", 10) {
        plugin.reload().expect("it loads again");
    }
    assert_eq!(flow_host::live_handles(), before);
    assert_eq!(host.record().violations(), Vec::<String>::new());
}

fn plate() -> Source {
    Source::pictures(|time| {
        let bounds = RectI { x1: 0, y1: 0, x2: 32, y2: 24 };
        Some(Image::from_fn(bounds, |x, y| [0.1, 0.2, 0.4, if f64::from(x + y) < time + 9.0 { 0.5 } else { 0.0 }]))
    })
}

/// The same number of rounds in every run: memory kept per round is a leak, memory kept once is not.
#[test]
fn nodes_are_used_in_every_host() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for profile in [Profile::generic(), Profile::natron(), Profile::nuke(), Profile::resolve(), Profile::mlt()] {
        let host = Host::new(profile);
        let bundle = host.load_private(bundle()).expect("the bundle loads");
        let plugin = bundle.plugin("org.flowofx.Flow").expect("it has Flow");
        let contexts = plugin.contexts();
        let node = |nth: usize| {
            let context = contexts[nth % contexts.len()];
            let node = plugin.node(context).set("output", "Water").project(Project::new(32, 24));
            let node = if context == Context::Generator { node } else { node.clip("Source", plate()) };
            node.create().expect("an instance")
        };
        for nth in 0..12 {
            let node = node(nth);
            node.frame(4.0).expect("renders");
            node.set("speed", 2.0).expect("edits");
            node.frame(6.0).expect("renders");
            node.frame(3.5).expect("renders");
            node.render(&Request::at(40.0).abort(|polls| polls > 30)).expect("an abort is no failure");
            node.purge().expect("purges");
            node.set("startFrame", -1_000_000).expect("edits");
            assert!(node.frame(4.0).is_err(), "a million frames");
            node.destroy().expect("it goes");
            plugin.reload().expect("it loads again");
        }
        assert_eq!(host.record().leaked_images(), 0, "{}", host.profile().name);
    }
}
