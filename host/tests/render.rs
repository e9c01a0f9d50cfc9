//! Renders of a filter, a temporal filter, a generator and a graph.

mod common;

use common::{plugin, ramp};
use flow_host::{Components, Context, Depth, Image, Order, Profile, Project, RectI, Request, RowLayout, Source};

const AREA: RectI = RectI::new(0, 0, 16, 8);

fn project() -> Project {
    Project::new(16, 8)
}

#[test]
fn a_filter_inverts_in_every_depth_component_and_row_layout() {
    let (host, plugin) = plugin(Profile::generic(), "Invert");
    let node = plugin.node(Context::Filter).project(project()).clip("Source", ramp(AREA)).create().expect("node");
    for depth in [Depth::Float, Depth::Short, Depth::Byte] {
        for components in [Components::Rgba, Components::Rgb, Components::Alpha] {
            for negative in [false, true] {
                for padding in [0, 5 * 4] {
                    let rows = RowLayout { negative, padding };
                    let request = Request::at(2.0).depth(depth).components(components).rows(rows);
                    let frame = node.render(&request).expect("frame");
                    assert_eq!(frame.image.depth(), depth);
                    assert_eq!(frame.image.components(), components);
                    assert_eq!(frame.image.rows(), rows);
                    let tolerance = if depth == Depth::Byte { 1.0 / 255.0 } else { 1e-4 };
                    for (x, y) in [(0, 0), (15, 7), (3, 5)] {
                        let want: [f32; 4] = match components {
                            Components::Rgba | Components::Rgb => {
                                [1.0 - x as f32 / 64.0, 1.0 - y as f32 / 64.0, 1.0 - 2.0 / 64.0, 1.0]
                            }
                            // The plug-in's first channel is the input's first.
                            Components::Alpha => [0.0, 0.0, 0.0, 1.0 - x as f32 / 64.0],
                            Components::Xy => unreachable!("no clip of this plug-in has two channels"),
                        };
                        let got = frame.pixel(x, y);
                        for (got, want) in got.iter().zip(want) {
                            assert!(
                                (got - want).abs() <= tolerance,
                                "{depth:?} {components:?} {rows:?} at {x},{y}: {got} for {want}"
                            );
                        }
                    }
                }
            }
        }
    }
    assert_eq!(host.record().violations(), Vec::<String>::new());
}

#[test]
fn origins_are_arbitrary_and_images_may_be_smaller_than_the_frame() {
    let (_, plugin) = plugin(Profile::generic(), "Invert");
    let source = Source::still(Image::from_fn(RectI::new(-6, -2, 2, 3), |_, _| [0.25; 4]));
    let node =
        plugin.node(Context::Filter).project(project().origin(-8, -4)).clip("Source", source).create().expect("node");
    let frame = node.frame(1.0).expect("frame");
    assert_eq!(frame.window, RectI::new(-8, -4, 8, 4));
    assert_eq!(frame.image.bounds(), RectI::new(-6, -2, 2, 3));
    assert_eq!(frame.pixel(-6, -2), [0.75, 0.75, 0.75, 0.25]);
    assert_eq!(frame.pixel(7, 3), [0.0; 4]);
    assert_eq!(frame.rgba().len(), 16 * 8);
}

#[test]
fn identity_passes_the_input_through() {
    let (host, plugin) = plugin(Profile::generic(), "Invert");
    let node = plugin
        .node(Context::Filter)
        .project(project())
        .clip("Source", ramp(AREA))
        .set("amount", 0.0)
        .create()
        .expect("node");
    let frame = node.frame(5.0).expect("frame");
    assert_eq!(frame.identity, Some(("Source".into(), 5.0)));
    assert_eq!(frame.pixel(3, 2), [3.0 / 64.0, 2.0 / 64.0, 5.0 / 64.0, 1.0]);
    assert!(!host.record().actions().contains(&"Render".to_owned()));
}

#[test]
fn numbers_interpolate_linearly_between_keys() {
    let (_, plugin) = plugin(Profile::generic(), "Invert");
    let node = plugin
        .node(Context::Filter)
        .project(project())
        .clip("Source", Source::constant([0.0, 0.0, 0.0, 1.0]))
        .key("amount", 10.0, 0.2)
        .key("amount", 20.0, 0.7)
        .create()
        .expect("node");
    for (time, want) in [(1.0, 0.2), (10.0, 0.2), (12.5, 0.325), (16.0, 0.5), (30.0, 0.7)] {
        let got = node.frame(time).expect("frame").pixel(4, 4)[0];
        assert!((got - want).abs() < 1e-6, "at {time}: {got} for {want}");
    }
}

#[test]
fn a_temporal_filter_reads_other_frames_and_reports_what_it_did() {
    let (host, plugin) = plugin(Profile::generic(), "Average");
    let node = plugin
        .node(Context::Filter)
        .project(project())
        .clip("Source", ramp(AREA))
        .set("radius", 2)
        .create()
        .expect("node");
    assert_eq!(node.frames_needed(9.0).expect("ranges"), [("Source".into(), vec![(7.0, 11.0)])]);
    let frame = node.frame(9.0).expect("frame");
    assert!((frame.pixel(0, 0)[2] - 9.0 / 64.0).abs() < 1e-6);
    let times: Vec<f64> = frame.fetched.iter().map(|fetch| fetch.time).collect();
    assert_eq!(times, [7.0, 8.0, 9.0, 10.0, 11.0]);
    assert_eq!(frame.stat("steps"), Some(5.0));
    assert_eq!(frame.stats["from"], "simulated");
    assert_eq!(host.record().violations(), Vec::<String>::new());
}

#[test]
fn upstream_nodes_render_on_the_same_thread() {
    let host = flow_host::Host::new(Profile::generic());
    let bundle = common::bundle(&host);
    let average = bundle.plugin("org.flowofx.test.Average").expect("plug-in");
    let invert = bundle.plugin("org.flowofx.test.Invert").expect("plug-in");
    let first = average
        .node(Context::Filter)
        .name("first")
        .project(project())
        .clip("Source", ramp(AREA))
        .create()
        .expect("node");
    let second = invert
        .node(Context::Filter)
        .name("second")
        .project(project())
        .clip("Source", Source::node(&first))
        .create()
        .expect("node");
    let third = average
        .node(Context::Filter)
        .name("third")
        .project(project())
        .clip("Source", Source::node(&second))
        .create()
        .expect("node");
    let pixel = third.frame(5.0).expect("frame").pixel(2, 2);
    assert!((pixel[2] - (1.0 - 5.0 / 64.0)).abs() < 1e-6);
    let error = first.connect("Source", Some(Source::node(&third))).expect_err("a loop");
    assert!(error.to_string().contains("loop"), "{error}");
    drop(first);
    assert!(third.frame(6.0).is_ok(), "upstream nodes live as long as they are needed");
}

#[test]
fn every_order_and_number_of_threads_gives_the_same_frames() {
    for name in ["Invert", "Average"] {
        let (_, plugin) = plugin(Profile::generic(), name);
        let node = plugin.node(Context::Filter).project(project()).clip("Source", ramp(AREA)).create().expect("node");
        let frames: Vec<f64> = (1..=24).map(f64::from).collect();
        let request = Request::at(0.0);
        let render = |order, threads| {
            let frames = node.collect_frames(&frames, order, threads, &request).expect("frames");
            frames.iter().map(|frame| frame.image.data().to_vec()).collect::<Vec<_>>()
        };
        let forward = render(Order::Forward, 1);
        assert_ne!(forward[0], forward[1]);
        assert_eq!(forward, render(Order::Reverse, 1));
        assert_eq!(forward, render(Order::Random(3), 8));
    }
}

#[test]
fn an_abort_stops_the_whole_graph_and_is_no_error() {
    let (_, plugin) = plugin(Profile::generic(), "Average");
    let inner = plugin
        .node(Context::Filter)
        .project(project())
        .clip("Source", ramp(AREA))
        .set("radius", 50)
        .create()
        .expect("node");
    let outer =
        plugin.node(Context::Filter).project(project()).clip("Source", Source::node(&inner)).create().expect("node");
    let frame = outer.render(&Request::at(100.0).abort(|polls| polls >= 10)).expect("no error");
    assert!(frame.aborted);
    assert_eq!(frame.polls, 12, "the inner node's poll, then one more of the outer's");
    assert!(!outer.render(&Request::at(2.0)).expect("frame").aborted);
}

#[test]
fn scale_and_pixel_aspect_reach_the_plug_in() {
    let (_, plugin) = plugin(Profile::generic(), "Invert");
    let node = plugin
        .node(Context::Filter)
        .project(project().par(2.0))
        .clip("Source", Source::constant([0.25, 0.5, 0.75, 1.0]))
        .create()
        .expect("node");
    let frame = node.render(&Request::at(1.0).scale(0.5, 0.5)).expect("frame");
    assert_eq!(frame.window, RectI::new(0, 0, 8, 4));
    assert_eq!(frame.image.pixel_aspect, 2.0);
    assert_eq!(frame.pixel(7, 3), [0.75, 0.5, 0.25, 1.0]);
}
