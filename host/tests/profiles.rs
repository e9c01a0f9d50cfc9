//! The behaviour of each host profile.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{plugin, ramp};
use flow_host::profile::Undeclared;
use flow_host::{Context, Event, Host, Image, Node, Order, Profile, Project, RectI, Request, Source};

const AREA: RectI = RectI::new(0, 0, 16, 8);

fn average(profile: Profile) -> (Host, Node) {
    let (host, plugin) = plugin(profile, "Average");
    let node =
        plugin.node(Context::Filter).project(Project::new(16, 8)).clip("Source", ramp(AREA)).create().expect("node");
    (host, node)
}

#[test]
fn the_standard_order_of_actions() {
    let (host, node) = average(Profile::generic());
    assert_eq!(host.record().actions(), ["Load", "Describe", "DescribeInContext", "CreateInstance"]);
    host.record().clear();
    node.frame(5.0).expect("frame");
    assert_eq!(
        host.record().actions(),
        [
            "GetClipPreferences",
            "IsIdentity",
            "GetRegionOfDefinition",
            "GetFramesNeeded",
            "GetRegionsOfInterest",
            "BeginSequenceRender",
            "Render",
            "EndSequenceRender",
        ]
    );
    host.record().clear();
    node.purge().expect("purged");
    node.sync().expect("synced");
    drop(node);
    let actions = host.record().actions();
    assert_eq!(actions, ["PurgeCaches", "SyncPrivateData", "DestroyInstance", "Unload"]);
}

#[test]
fn sequence_brackets_surround_the_range_or_each_frame() {
    let brackets = |profile| {
        let (host, node) = average(profile);
        host.record().clear();
        node.collect_frames(&[1.0, 2.0, 3.0], Order::Forward, 2, &Request::at(0.0)).expect("frames");
        host.record().count("OfxImageEffectActionBeginSequenceRender")
    };
    assert_eq!(brackets(Profile::generic()), 1);
    assert_eq!(brackets(Profile::natron()), 3);
}

#[test]
fn natron_scans_unloads_probes_and_renders_with_clones() {
    let (host, plugin) = plugin(Profile::natron(), "Average");
    let actions = host.record().actions();
    let scan: Vec<&str> = actions.iter().map(String::as_str).take(5).collect();
    assert_eq!(scan, ["Load", "Describe", "DescribeInContext", "DescribeInContext", "Unload"]);
    assert_eq!(&actions[actions.len() - 2..], ["Load", "Describe"]);
    let node =
        plugin.node(Context::Filter).project(Project::new(16, 8)).clip("Source", ramp(AREA)).create().expect("node");
    assert_eq!(host.record().actions().last().map(String::as_str), Some("GetRegionOfDefinition"));
    host.record().clear();
    node.frame(1.0).expect("frame");
    node.frame(2.0).expect("frame");
    let created = |host: &Host| host.record().count("OfxActionCreateInstance");
    assert_eq!(created(&host), 1, "one copy, used twice");
    node.set("radius", 2).expect("an edit destroys the copy");
    assert_eq!(host.record().count("OfxActionDestroyInstance"), 1);
    let actions = host.record().actions();
    assert!(!actions.contains(&"BeginInstanceChanged".to_owned()));
    node.frame(2.0).expect("frame");
    assert_eq!(created(&host), 2);
}

#[test]
fn mlt_creates_an_instance_per_frame_without_temporal_access() {
    let (host, plugin) = plugin(Profile::mlt(), "Average");
    let node = plugin
        .node(Context::Filter)
        .project(Project::new(16, 8))
        .clip(
            "Source",
            Source::pictures(|time| Some(Image::from_fn(AREA, |_, _| [0.0, 0.0, (time * time) as f32, 1.0]))),
        )
        .create()
        .expect("node");
    host.record().clear();
    let frame = node.frame(7.0).expect("frame");
    assert_eq!(
        host.record().actions(),
        [
            "Load",
            "Describe",
            "DescribeInContext",
            "CreateInstance",
            "GetClipPreferences",
            "GetRegionOfDefinition",
            "GetRegionsOfInterest",
            "BeginSequenceRender",
            "Render",
            "EndSequenceRender",
            "DestroyInstance",
        ]
    );
    assert!(frame.image.row_bytes() < 0);
    assert!((frame.pixel(0, 0)[2] - 49.0).abs() < 1e-3, "three times the current frame");
    let asked: Vec<f64> = frame.fetched.iter().map(|fetch| fetch.time).collect();
    assert_eq!(asked, [6.0, 7.0, 8.0], "it asks for others and gets the current one");
    host.record().clear();
    node.set("radius", 0).expect("set");
    assert!(host.record().actions().is_empty(), "nobody is told of edits");
    let frames: Vec<f64> = (0..16).map(f64::from).collect();
    node.collect_frames(&frames, Order::Random(1), 4, &Request::at(0.0)).expect("frames");
}

#[test]
fn a_plug_in_with_unsafe_renders_has_one_instance_in_mlt() {
    let profile = Profile { contexts: vec![Context::General], ..Profile::mlt() };
    let (host, plugin) = plugin(profile, "Values");
    let node = plugin.node(Context::General).project(Project::new(32, 8)).create().expect("node");
    host.record().clear();
    node.collect_frames(&[1.0, 2.0, 3.0], Order::Forward, 3, &Request::at(0.0)).expect("frames");
    assert_eq!(host.record().count("OfxActionCreateInstance"), 0);
    assert_eq!(host.record().count("OfxImageEffectActionRender"), 3);
}

#[test]
fn nuke_has_no_generators_and_only_float_images() {
    let (_, plugin) = plugin(Profile::nuke(), "Values");
    assert_eq!(plugin.contexts(), [Context::General]);
    let error = plugin.node(Context::Generator).create().map(drop).expect_err("no generator");
    assert!(error.to_string().contains("the host filter, general"), "{error}");
    let description = plugin.describe(Context::General).expect("description");
    assert_eq!(description.depths, ["float"]);
}

#[test]
fn a_picture_cache_keyed_by_the_current_frame_becomes_stale() {
    let profile = Profile { picture_cache: true, ..Profile::nuke() };
    let (_, plugin) = plugin(profile, "Average");
    let level = Arc::new(AtomicUsize::new(1));
    let past = Arc::clone(&level);
    let node = plugin
        .node(Context::Filter)
        .project(Project::new(16, 8))
        .clip(
            "Source",
            Source::pictures(move |time| {
                let value = if time < 5.0 { past.load(Ordering::Relaxed) as f32 } else { 0.0 };
                Some(Image::from_fn(AREA, |_, _| [value; 4]))
            }),
        )
        .create()
        .expect("node");
    let first = node.frame(5.0).expect("frame");
    level.store(10, Ordering::Relaxed);
    let stale = node.frame(5.0).expect("frame");
    assert!(!first.cached && stale.cached);
    assert_eq!(stale.pixel(0, 0), first.pixel(0, 0));
    node.set("radius", 2).expect("a value at the frame itself changes");
    assert!(!node.frame(5.0).expect("frame").cached);
    assert!(node.undo().expect("undone"));
    assert!(node.frame(5.0).expect("frame").cached, "undo finds the old picture");
}

#[test]
fn resolve_claims_connections_and_has_no_persistent_messages() {
    let (host, plugin) = plugin(Profile::resolve(), "Invert");
    let node = plugin.node(Context::Filter).project(Project::new(16, 8)).create().expect("node");
    let error = node.frame(1.0).expect_err("there is no image after all");
    assert!(error.to_string().contains("no image of Source at frame 1"), "{error}");
    let fetched = host
        .record()
        .events()
        .into_iter()
        .any(|event| matches!(event, Event::Fetch { clip, found: false, .. } if clip == "Source"));
    assert!(fetched);
}

#[test]
fn undeclared_times_may_be_refused_or_replaced() {
    let blue = |undeclared, secretive| {
        let (_, plugin) = plugin(Profile { undeclared, ..Profile::generic() }, "Average");
        let node = plugin
            .node(Context::Filter)
            .project(Project::new(16, 8))
            .clip(
                "Source",
                Source::pictures(|time| Some(Image::from_fn(AREA, |_, _| [0.0, 0.0, (time * time) as f32, 1.0]))),
            )
            .set("secretive", secretive)
            .create()
            .expect("node");
        let frame = node.frame(2.0).expect("frame");
        let found = frame.fetched.iter().filter(|fetch| fetch.found).count();
        (found, (frame.pixel(0, 0)[2] * 3.0).round())
    };
    let all = (3, 14.0);
    assert_eq!(blue(Undeclared::Serve, true), all);
    assert_eq!(blue(Undeclared::Nothing, false), all);
    assert_eq!(blue(Undeclared::Nothing, true), (1, 12.0));
    assert_eq!(blue(Undeclared::Current, false), all);
    assert_eq!(blue(Undeclared::Current, true), (3, 12.0));
}

#[test]
fn a_lock_per_plug_in_does_not_block_a_chain_of_nodes() {
    let (host, plugin) = plugin(Profile::generic(), "Average");
    host.lock_plugin_around_renders(true);
    let first =
        plugin.node(Context::Filter).project(Project::new(16, 8)).clip("Source", ramp(AREA)).create().expect("node");
    let second = plugin
        .node(Context::Filter)
        .project(Project::new(16, 8))
        .clip("Source", Source::node(&first))
        .create()
        .expect("node");
    let frames: Vec<f64> = (0..32).map(f64::from).collect();
    let rendered = second.collect_frames(&frames, Order::Random(2), 16, &Request::at(0.0));
    assert_eq!(rendered.expect("frames").len(), 32);
}

#[test]
fn declared_thread_safety_is_respected() {
    let inside = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (count, peak) = (Arc::clone(&inside), Arc::clone(&most));
    let source = move |_| {
        let now = count.fetch_add(1, Ordering::SeqCst) + 1;
        peak.fetch_max(now, Ordering::SeqCst);
        std::thread::sleep(std::time::Duration::from_millis(3));
        count.fetch_sub(1, Ordering::SeqCst);
        Some(Image::from_fn(AREA, |_, _| [0.5; 4]))
    };
    let frames: Vec<f64> = (0..24).map(f64::from).collect();
    for (name, together) in [("Average", false), ("Invert", true)] {
        most.store(0, Ordering::SeqCst);
        let (_, plugin) = plugin(Profile::generic(), name);
        let node = plugin
            .node(Context::Filter)
            .project(Project::new(16, 8))
            .clip("Source", Source::pictures(source.clone()).region(flow_host::RectD::new(0.0, 0.0, 16.0, 8.0)))
            .create()
            .expect("node");
        node.frame(0.0).expect("frame");
        most.store(0, Ordering::SeqCst);
        node.collect_frames(&frames, Order::Forward, 4, &Request::at(0.0)).expect("frames");
        assert_eq!(most.load(Ordering::SeqCst) > 1, together, "{name}");
    }
}
