//! Actions of a host around renders: scans of the library, any number of loads and unloads, and creation and
//! destruction of thousands of nodes leave no threads, files or memory.
//!
//! Each test runs in a process of its own, whose threads, files and memory are then those of the plug-in.

mod common;

use common::alone::alone;
use common::{FLOW, bits, bundle_path, scene, simulated};
use flow_host::{Bundle, Context, Host, Plugin, Profile, Project, live_handles};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

fn plugin_in(profile: Profile) -> (Host, Bundle, Plugin) {
    let host = Host::new(profile);
    let bundle = host.load(bundle_path()).expect("the bundle loads");
    let plugin = bundle.plugin(FLOW).expect("the bundle has Flow");
    (host, bundle, plugin)
}

/// Names of this process's threads.
fn threads() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("this is Linux");
    let name = |task: std::path::PathBuf| std::fs::read_to_string(task.join("comm")).unwrap_or_default();
    let mut names: Vec<_> = tasks.filter_map(Result::ok).map(|task| name(task.path()).trim().to_owned()).collect();
    names.sort();
    names
}

/// The open files of this process.
fn files() -> Vec<String> {
    let open = std::fs::read_dir("/proc/self/fd").expect("this is Linux");
    let target = |file: std::path::PathBuf| std::fs::read_link(file).ok().map(|path| path.display().to_string());
    let mut files: Vec<_> = open.filter_map(Result::ok).filter_map(|file| target(file.path())).collect();
    // The folder's own descriptor is one of them.
    files.retain(|file| !file.starts_with("/proc/"));
    files.sort();
    files
}

/// The number of read calls so far; this function adds the same number each time.
fn reads() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").expect("this is Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("syscr: ")).expect("a count of reads");
    line.parse().expect("a number")
}

/// Resident memory in KiB.
fn resident() -> i64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}

#[test]
fn describe_and_load_do_no_work() {
    alone("describe_and_load_do_no_work", &[], || {
        let (threads_before, files_before) = (threads(), files());
        let host = Host::new(Profile::generic());
        let bundle = host.load(bundle_path()).expect("the bundle loads");
        assert_eq!((threads(), files()), (threads_before.clone(), files_before.clone()), "opening the library");
        let each = {
            let first = reads();
            reads() - first
        };
        let start = reads();
        let plugin = bundle.plugin(FLOW).expect("the bundle has Flow");
        for context in [Context::General, Context::Filter, Context::Generator] {
            plugin.describe(context).expect("describes");
        }
        plugin.reload().expect("loads again");
        let node = plugin.node(Context::General).set("output", "Water").create().expect("a node");
        node.set("speed", 3.0).expect("edits");
        node.region(1.0, (1.0, 1.0)).expect("a region");
        assert_eq!(reads() - start, each, "a file was read");
        assert_eq!((threads(), files()), (threads_before, files_before));
        node.destroy().expect("is destroyed");
        assert_eq!(host.record().violations(), [""; 0]);
    });
}

#[test]
fn the_first_render_starts_threads_and_unload_ends_them() {
    alone("the_first_render_starts_threads_and_unload_ends_them", &[], || {
        let before = threads();
        let (_host, _bundle, plugin) = plugin_in(Profile { threads: 3, ..Profile::generic() });
        let show = || {
            let node = scene(&plugin, 96, 64).create().expect("a node");
            let frame = node.frame(12.0).expect("renders");
            (bits(&frame), simulated(&frame))
        };
        let (first, simulated_first) = show();
        assert_eq!(simulated_first, 12);
        let working = threads();
        assert_eq!(working.len(), before.len() + 3, "{working:?}");
        for round in 0..5 {
            plugin.reload().expect("loads again");
            assert_eq!(threads(), before, "threads were left behind");
            let (again, simulated_again) = show();
            assert!(again == first, "other bits after unload {round}");
            assert_eq!(simulated_again, 12, "unload frees the frames");
        }
        drop(plugin);
        assert_eq!(threads(), before, "threads were left behind");
    });
}

#[test]
fn an_instance_survives_actions_out_of_order() {
    alone("an_instance_survives_actions_out_of_order", &[], || {
        let (_host, _bundle, plugin) = plugin_in(Profile::generic());
        let node = scene(&plugin, 64, 48).create().expect("a node");
        let first = bits(&node.frame(7.0).expect("renders"));
        plugin.load_again().expect("loads twice");
        assert!(bits(&node.frame(7.0).expect("renders")) == first);
        // Unload while the node is alive, and Load.
        plugin.reload().expect("loads again");
        assert!(bits(&node.frame(7.0).expect("renders")) == first);
    });
}

#[test]
fn ten_thousand_nodes_leak_nothing() {
    alone("ten_thousand_nodes_leak_nothing", &[], || {
        const WARM: usize = 500;
        const NODES: usize = 10_000;
        const BOUND_KIB: i64 = 4096;
        let (host, _bundle, plugin) = plugin_in(Profile::generic());
        let make = |count: usize, host: &Host| {
            for nth in 0..count {
                let context = [Context::General, Context::Filter, Context::Generator][nth % 3];
                let node =
                    plugin.node(context).set("output", "Water").project(Project::new(64, 48)).create().expect("a node");
                if nth % 100 == 0 {
                    node.set("speed", 2.0).expect("edits");
                    node.frame(2.0).expect("renders");
                }
                node.destroy().expect("is destroyed");
                if nth % 100 == 0 {
                    host.record().clear();
                }
            }
            host.record().clear();
        };
        make(WARM, &host);
        let (handles, memory) = (live_handles(), resident());
        make(NODES, &host);
        assert_eq!(live_handles(), handles);
        let grown = resident() - memory;
        println!("{NODES} nodes: {grown} KiB more");
        assert!(grown <= BOUND_KIB, "{grown} KiB more after {NODES} nodes");
    });
}

#[test]
fn a_thousand_loads_leak_nothing() {
    alone("a_thousand_loads_leak_nothing", &[], || {
        const LOADS: usize = 1000;
        const BOUND_KIB: i64 = 4096;
        let (host, bundle, plugin) = plugin_in(Profile::natron());
        let load = |count: usize| {
            for nth in 0..count {
                // Load, Describe, DescribeInContext, Unload, Load; Unload at the end.
                let scanned = bundle.plugin(FLOW).expect("loads");
                scanned.reload().expect("loads again");
                drop(scanned);
                plugin.reload().expect("loads again");
                if nth % 10 == 0 {
                    // Small frames: freed memory of large ones, which the allocator keeps, would hide leaks.
                    let node = plugin
                        .node(Context::Generator)
                        .set("output", "Water")
                        .project(Project::new(64, 48))
                        .create()
                        .expect("a node");
                    node.frame(2.0).expect("renders");
                    host.record().clear();
                }
            }
            host.record().clear();
        };
        load(100);
        let (handles, memory, files, names) = (live_handles(), resident(), files(), threads());
        load(LOADS);
        assert_eq!(live_handles(), handles);
        assert_eq!(self::files(), files);
        assert_eq!(threads(), names);
        let grown = resident() - memory;
        println!("{LOADS} loads: {grown} KiB more");
        assert!(grown <= BOUND_KIB, "{grown} KiB more after {LOADS} loads");
    });
}

#[test]
fn the_host_may_be_set_by_either_function() {
    alone("the_host_may_be_set_by_either_function", &[], || {
        for sets_host_of_library in [false, true] {
            let host = Host::new(Profile { sets_host_of_library, ..Profile::generic() });
            // A copy of the library without another host.
            let bundle = host.load_private(bundle_path()).expect("the bundle loads");
            let plugin = bundle.plugin(FLOW).expect("the bundle has Flow");
            let node = plugin.node(Context::Generator).set("output", "Water").create().expect("a node");
            assert_eq!(simulated(&node.frame(3.0).expect("renders")), 3);
        }
    });
}

#[test]
fn wrong_indices_give_no_plugin() {
    let host = Host::new(Profile::generic());
    let bundle = host.load_private(bundle_path()).expect("the bundle loads");
    let count = i32::try_from(bundle.plugins().len()).expect("a few");
    assert!((0..count).all(|index| bundle.has_plugin_at(index)));
    for index in [-1, i32::MIN, count, count + 1, i32::MAX] {
        assert!(!bundle.has_plugin_at(index), "index {index}");
    }
}

/// Flag in `DT_FLAGS_1` of a library that stays loaded.
const NODELETE: u64 = 8;
const DT_FLAGS_1: u64 = 0x6fff_fffb;

#[test]
fn no_other_symbols_are_exported_and_the_library_stays() {
    let data = std::fs::read(bundle_path()).expect("the library is there");
    let library = object::File::parse(&*data).expect("a library");
    let mut exported: Vec<_> = library
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition() && symbol.is_global())
        .map(|symbol| symbol.name().expect("a name").to_owned())
        .collect();
    exported.sort();
    assert_eq!(exported, ["FlowDevices", "OfxGetNumberOfPlugins", "OfxGetPlugin", "OfxSetHost"]);

    let dynamic = library.section_by_name(".dynamic").expect("a dynamic section").data().expect("its content");
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let flags: Vec<u64> = dynamic
        .chunks_exact(16)
        .filter(|entry| word(&entry[..8]) == DT_FLAGS_1)
        .map(|entry| word(&entry[8..]))
        .collect();
    assert_eq!(flags.len(), 1);
    assert_ne!(flags[0] & NODELETE, 0, "the library may be unloaded under the feet of its threads");
}
