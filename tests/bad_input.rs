//! Invalid input from a host or an artist: the host sees a status and one message, and later frames are correct.

mod common;

use std::sync::OnceLock;

use common::{FLOW, bits, bundle_path, info, scene, simulated, terrain};
use flow_host::{
    Context, Depth, Error, Event, Frame, Host, Node, Plugin, Profile, Project, RectD, RectI, Request, Source, Status,
    Value,
};
use proptest::prelude::*;

const WIDTH: i32 = 32;
const HEIGHT: i32 = 24;

fn isolated() -> (Host, Plugin) {
    let host = Host::new(Profile::generic());
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(FLOW));
    (host, plugin.expect("the bundle has Flow"))
}

/// One host for all cases of a property, and a frame by which the node is checked afterwards.
struct Bench {
    host: Host,
    plugin: Plugin,
    truth: Vec<[u32; 4]>,
}

impl Bench {
    fn new() -> Self {
        let (host, plugin) = isolated();
        let truth = bits(&scene(&plugin, WIDTH, HEIGHT).create().expect("a node").frame(6.0).expect("renders"));
        Self { host, plugin, truth }
    }

    /// Fails unless a valid node renders its frame, bit for bit.
    fn still_works(&self) {
        let node = scene(&self.plugin, WIDTH, HEIGHT).create().expect("a node");
        assert!(bits(&node.frame(6.0).expect("renders")) == self.truth);
        assert_eq!(self.host.record().leaked_images(), 0);
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Fails unless the outcome is a frame of finite numbers, or a failure with a message.
fn sound(outcome: &Result<Frame, Error>) {
    match outcome {
        Ok(frame) => {
            let numbers = frame.rgba().into_iter().flatten().all(f32::is_finite);
            assert!(numbers, "pixels that are no numbers");
        }
        Err(Error::Plugin { message, status, .. }) => {
            assert!(*status != Status(0) && known(*status), "{status}");
            assert!(message.len() > 20, "'{message}' with {status}");
            assert!(!message.contains("internal error"), "{message}");
        }
        Err(other) => panic!("{other}"),
    }
}

/// Whether the standard defines this status.
fn known(status: Status) -> bool {
    matches!(status.0, 0..=14 | 1000..=1002)
}

fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(f64::MAX),
        Just(f64::MIN),
        Just(f64::MIN_POSITIVE),
        Just(-0.0),
        Just(0.0),
        Just(1.0),
        Just(-1.0),
        Just(1e6),
        -100.0..100.0,
    ]
}

fn ints() -> impl Strategy<Value = i32> {
    prop_oneof![Just(i32::MIN), Just(i32::MAX), Just(-1), Just(0), Just(1), Just(2), Just(100_000), Just(1_000_000)]
}

/// A value for each type of parameter; the parameter's type chooses one.
fn nasty() -> impl Strategy<Value = (prop::sample::Index, [f64; 3], i32)> {
    (any::<prop::sample::Index>(), [doubles(), doubles(), doubles()], ints())
}

proptest! {
    #![proptest_config(config(160))]

    #[test]
    fn any_values_give_a_frame_or_a_message(changes in prop::collection::vec(nasty(), 1..9), time in -3..5_i32) {
        static BENCH: OnceLock<Bench> = OnceLock::new();
        let bench = BENCH.get_or_init(Bench::new);
        let node = scene(&bench.plugin, WIDTH, HEIGHT).create().expect("a node");
        let described = bench.plugin.describe(Context::General).expect("describes").params;
        for (which, numbers, whole) in changes {
            let param = which.get(&described);
            let value = match param.kind.as_str() {
                "double" => Value::from(numbers[0]),
                "double2D" => Value::from([numbers[0], numbers[1]]),
                "RGB" => Value::from(numbers),
                // A long pre-roll is valid, but slow.
                "int" if param.name == "preroll" && whole > 2 => Value::from(i32::MIN),
                "int" | "choice" => Value::from(whole),
                "bool" => Value::from(whole % 2 != 0),
                "string" => Value::from(""),
                _ => continue,
            };
            // The budget is not the node's own: the largest of the process counts.
            if param.name != "memoryBudget" {
                node.force(&param.name, value).expect("fits");
            }
        }
        let outcome = node.frame(f64::from(time));
        sound(&outcome);
        node.region(f64::from(time), (1.0, 1.0)).expect("a region");
        node.sync().expect("syncs");
        drop(node);
        bench.host.record().clear();
    }

    #[test]
    fn any_claims_about_images_give_a_frame_or_a_message(
        lies in prop::collection::vec(claim(), 1..4),
        depth in prop_oneof![Just(Depth::Float), Just(Depth::Byte), Just(Depth::Half)],
    ) {
        static BENCH: OnceLock<Bench> = OnceLock::new();
        let bench = BENCH.get_or_init(Bench::new);
        let node = scene(&bench.plugin, WIDTH, HEIGHT).create().expect("a node");
        let mut request = Request::at(3.0).depth(depth);
        for (clip, property, value) in lies {
            request = request.misstate(clip, property, value);
        }
        let outcome = node.render(&request);
        if let Err(Error::Plugin { message, status, .. }) = &outcome {
            prop_assert!(known(*status));
            prop_assert!(message.len() > 20, "'{}'", message);
        }
        prop_assert_eq!(bench.host.record().leaked_images(), 0);
        // With true properties the node works again.
        let frame = node.render(&Request::at(3.0).depth(depth)).expect("renders");
        prop_assert_eq!(node.persistent_message(), None);
        prop_assert!(frame.rgba().into_iter().flatten().all(f32::is_finite));
        bench.host.record().clear();
    }

    #[test]
    fn any_order_of_actions_gives_a_status(calls in prop::collection::vec(call(), 1..40)) {
        static BENCH: OnceLock<Bench> = OnceLock::new();
        let bench = BENCH.get_or_init(Bench::new);
        let node = scene(&bench.plugin, WIDTH, HEIGHT).create().expect("a node");
        let live = node.handle().expect("alive");
        let stale = {
            let gone = scene(&bench.plugin, WIDTH, HEIGHT).create().expect("a node");
            let handle = gone.handle().expect("alive");
            gone.destroy().expect("is destroyed");
            handle
        };
        for (action, whom, inputs, outputs) in calls {
            let effect = [0, 7, stale, live, live, live][whom];
            let (inputs, outputs) = (arguments(inputs), arguments(outputs));
            let status = bench.plugin.misuse(action, effect, inputs.as_deref(), outputs.as_deref());
            prop_assert!(known(status), "{} answered {}", action, status);
            let answers = !matches!(action, LOAD | UNLOAD);
            prop_assert!(status != Status(0) || effect > 7 || !answers, "{} on nothing answered OK", action);
        }
        // After the calls the node is destroyed, and a new one works.
        bench.plugin.load_again().expect("loads");
        node.destroy().expect("is destroyed");
        bench.still_works();
        bench.host.record().clear();
    }
}

const LOAD: &str = "OfxActionLoad";
const UNLOAD: &str = "OfxActionUnload";

const ACTIONS: [&str; 24] = [
    LOAD,
    UNLOAD,
    "OfxActionDescribe",
    "OfxImageEffectActionDescribeInContext",
    "OfxActionCreateInstance",
    "OfxActionDestroyInstance",
    "OfxActionPurgeCaches",
    "OfxActionSyncPrivateData",
    "OfxActionInstanceChanged",
    "OfxActionBeginInstanceChanged",
    "OfxActionEndInstanceChanged",
    "OfxActionBeginInstanceEdit",
    "OfxActionEndInstanceEdit",
    "OfxImageEffectActionGetRegionOfDefinition",
    "OfxImageEffectActionGetRegionsOfInterest",
    "OfxImageEffectActionGetTimeDomain",
    "OfxImageEffectActionGetFramesNeeded",
    "OfxImageEffectActionGetClipPreferences",
    "OfxImageEffectActionIsIdentity",
    "OfxImageEffectActionRender",
    "OfxImageEffectActionBeginSequenceRender",
    "OfxImageEffectActionEndSequenceRender",
    "OfxActionThatNobodyKnows",
    "",
];

/// An action, its effect handle and its arguments.
fn call() -> impl Strategy<Value = (&'static str, usize, u8, u8)> {
    (prop::sample::select(&ACTIONS[..]), 0..6_usize, 0..5_u8, 0..5_u8)
}

/// NULL, an empty set, valid arguments, arguments of wrong types, or invalid values.
fn arguments(which: u8) -> Option<Vec<(&'static str, Value)>> {
    let sensible = |time: f64, scale: f64, window: [i32; 4]| {
        vec![
            ("OfxPropTime", Value::from(time)),
            ("OfxImageEffectPropRenderScale", Value::from([scale, scale])),
            ("OfxImageEffectPropRenderWindow", Value::from(window)),
            ("OfxImageEffectPropFieldToRender", Value::from("OfxFieldNone")),
            ("OfxImageEffectPropContext", Value::from("OfxImageEffectContextGeneral")),
            ("OfxPropType", Value::from("OfxTypeParameter")),
            ("OfxPropName", Value::from("speed")),
            ("OfxPropChangeReason", Value::from("OfxChangeUserEdited")),
        ]
    };
    match which {
        0 => None,
        1 => Some(Vec::new()),
        2 => Some(sensible(2.0, 1.0, [0, 0, WIDTH, HEIGHT])),
        3 => Some(vec![
            ("OfxPropTime", Value::from("soon")),
            ("OfxImageEffectPropRenderWindow", Value::from([0.5, 0.5])),
            ("OfxImageEffectPropContext", Value::from(3)),
            ("OfxPropName", Value::from(1.0)),
        ]),
        _ => {
            let mut senseless = sensible(f64::NAN, f64::NEG_INFINITY, [i32::MAX, 5, i32::MIN, 5]);
            senseless[4] = ("OfxImageEffectPropContext", Value::from("OfxImageEffectContextKitchen"));
            senseless[6] = ("OfxPropName", Value::from("noSuchThing"));
            Some(senseless)
        }
    }
}

/// A false property of a clip's images. None makes a conforming plug-in read beyond the pixels.
fn claim() -> impl Strategy<Value = (&'static str, &'static str, Option<Value>)> {
    let clip = prop::sample::select(&["Source", "Terrain", "Output"][..]);
    let claims = vec![
        ("OfxImagePropData", Some(Value::from(0))),
        ("OfxImagePropData", None),
        ("OfxImagePropBounds", None),
        ("OfxImagePropBounds", Some(Value::from([0, 0, 0, 0]))),
        ("OfxImagePropBounds", Some(Value::from([9, 9, 3, 3]))),
        ("OfxImagePropBounds", Some(Value::from([i32::MAX - WIDTH, i32::MIN, i32::MAX, i32::MIN + HEIGHT]))),
        ("OfxImagePropBounds", Some(Value::from([i32::MIN, i32::MIN, i32::MAX, i32::MAX]))),
        ("OfxImagePropBounds", Some(Value::from([0, 0, 1, 1]))),
        ("OfxImagePropBounds", Some(Value::from(5))),
        ("OfxImagePropRowBytes", Some(Value::from(0))),
        ("OfxImagePropRowBytes", Some(Value::from(1))),
        ("OfxImagePropRowBytes", Some(Value::from(-7))),
        ("OfxImagePropRowBytes", None),
        ("OfxImageEffectPropComponents", Some(Value::from("OfxImageComponentNone"))),
        ("OfxImageEffectPropComponents", Some(Value::from(""))),
        ("OfxImageEffectPropComponents", Some(Value::from("uk.co.thefoundry.OfxImageComponentMotionVectors"))),
        ("OfxImageEffectPropComponents", None),
        ("OfxImageEffectPropPixelDepth", Some(Value::from("OfxBitDepthNone"))),
        ("OfxImageEffectPropPixelDepth", Some(Value::from("OfxBitDepthQuintuple"))),
        ("OfxImageEffectPropPixelDepth", None),
        ("OfxImageEffectPropRenderScale", Some(Value::from([0.0, f64::NAN]))),
        ("OfxImageEffectPropRenderScale", Some(Value::from([1e-300, 1e300]))),
        ("OfxImagePropPixelAspectRatio", Some(Value::from(f64::NAN))),
        ("OfxImagePropPixelAspectRatio", Some(Value::from(-1e-200))),
        ("OfxImagePropPixelAspectRatio", Some(Value::from(1e200))),
        ("OfxImageEffectPropPreMultiplication", Some(Value::from("OfxImageBurnt"))),
        ("OfxImagePropField", Some(Value::from("OfxFieldOfWheat"))),
        ("OfxPropType", None),
    ];
    (clip, prop::sample::select(claims)).prop_map(|(clip, (property, value))| (clip, property, value))
}

#[test]
fn one_row_with_any_stride_and_origin_is_an_image() {
    let bench = Bench::new();
    let node = scene(&bench.plugin, WIDTH, HEIGHT).create().expect("a node");
    for stride in [i32::MAX, i32::MIN + 1, i32::MIN, 1 << 20] {
        for y in [0, 5, i32::MAX - 1, i32::MIN] {
            let row = Value::from([0, y, WIDTH, y + 1]);
            let request = Request::at(2.0).misstate("Source", "OfxImagePropBounds", Some(row)).misstate(
                "Source",
                "OfxImagePropRowBytes",
                Some(Value::from(stride)),
            );
            sound(&node.render(&request));
        }
    }
    bench.still_works();
}

#[test]
fn impossible_strides_and_sizes_are_refused() {
    let bench = Bench::new();
    let node = scene(&bench.plugin, WIDTH, HEIGHT).create().expect("a node");
    let rows = |y1: i32, y2: i32| ("OfxImagePropBounds", Value::from([0, y1, WIDTH, y2]));
    let lies = [
        (vec![("OfxImagePropRowBytes", Value::from(i32::MIN))], "rows of -2147483648 bytes"),
        (vec![rows(i32::MIN, 0)], "32 x 2147483648 pixels"),
        (vec![rows(i32::MIN, i32::MAX)], "32 x 4294967295 pixels"),
        (vec![rows(0, 2_000_000)], "32 x 2000000 pixels"),
    ];
    for clip in ["Source", "Terrain", "Output"] {
        for (claims, words) in &lies {
            let lie = |request: Request, (property, value): &(&str, Value)| {
                request.misstate(clip, property, Some(value.clone()))
            };
            let request = claims.iter().fold(Request::at(2.0), lie);
            let Err(Error::Plugin { message, .. }) = node.render(&request) else { panic!("{clip}: renders {words}") };
            assert!(message.contains(words) && message.contains(clip), "{clip}: {message}");
        }
    }
    bench.still_works();
}

/// Persistent messages that the node set, and the number of times that it cleared one.
fn messages_of(host: &Host) -> (Vec<String>, usize) {
    let events = host.record().events();
    let cleared = events.iter().filter(|event| matches!(event, Event::Cleared { .. })).count();
    let shown = events.into_iter().filter_map(|event| match event {
        Event::Message { text, .. } => Some(text),
        _ => None,
    });
    (shown.collect(), cleared)
}

/// Checks that a failure gives one message with cause and remedy, and that the remedy clears it.
fn fails_and_recovers(host: &Host, node: &Node, fails: &Request, words: &[&str], cure: impl FnOnce(&Node)) {
    host.record().clear();
    let Err(Error::Plugin { message, .. }) = node.render(fails) else { panic!("renders what {words:?} forbids") };
    let (messages, _) = messages_of(host);
    assert_eq!(messages, std::slice::from_ref(&message), "said once");
    for word in words {
        assert!(message.contains(word), "'{message}' lacks '{word}'");
    }
    assert_eq!(node.persistent_message().map(|(_, text)| text), Some(message));
    assert!(node.render(fails).is_err());
    assert_eq!(messages_of(host).0.len(), 2, "said again once when it fails again");
    cure(node);
    node.frame(3.0).expect("renders");
    assert_eq!(node.persistent_message(), None);
    assert_eq!(messages_of(host).0.len(), 2, "a frame that renders says nothing");
    let (_, cleared) = messages_of(host);
    assert_eq!(cleared, 1);
    node.frame(4.0).expect("renders");
    assert_eq!(messages_of(host).1, 1, "nothing to clear the second time");
}

#[test]
fn failures_name_cause_and_remedy_once_and_clear_after_a_good_render() {
    let (host, plugin) = isolated();
    let project = || Project::new(WIDTH as u32, HEIGHT as u32);
    let general = || plugin.node(Context::General).set("output", "Water").project(project());

    let gap = Source::pictures(|time| (time != 2.0).then(|| terrain(WIDTH, HEIGHT))).region(RectD::new(
        0.0,
        0.0,
        f64::from(WIDTH),
        f64::from(HEIGHT),
    ));
    let node = general().clip("Terrain", gap).set("missingFrames", "Fail").create().expect("a node");
    let words = ["Terrain", "frame 2", "Missing frames", "Hold"];
    fails_and_recovers(&host, &node, &Request::at(3.0), &words, |node| {
        node.set("missingFrames", "Hold").expect("edits");
    });
    node.set("missingFrames", "Transparent").expect("edits");
    drop(node.frame(3.0).expect("renders"));
    assert!(info(&node).contains("Terrain had no picture at frame 2 and counted as nothing"), "{}", info(&node));

    let node = general().create().expect("a node");
    let words = ["100100", "100000", "Raise Start frame"];
    fails_and_recovers(&host, &node, &Request::at(100_100.0), &words, |_| ());

    let node = general().create().expect("a node");
    let words = ["Source", "flow-host", "components", "Convert"];
    let lie = |property, value: &str| Request::at(3.0).misstate("Source", property, Some(Value::from(value)));
    node.connect("Source", Some(Source::constant([0.1, 0.2, 0.3, 0.4]))).expect("connects");
    fails_and_recovers(&host, &node, &lie("OfxImageEffectPropComponents", "OfxImageComponentYcc"), &words, |_| ());
    let words = ["Source", "depth", "OfxBitDepthDozen"];
    fails_and_recovers(&host, &node, &lie("OfxImageEffectPropPixelDepth", "OfxBitDepthDozen"), &words, |_| ());
    let short = Request::at(3.0).misstate("Source", "OfxImagePropRowBytes", Some(Value::from(100)));
    fails_and_recovers(&host, &node, &short, &["Source", "100 bytes", "32 pixels"], |_| ());
    let null = Request::at(3.0).misstate("Output", "OfxImagePropData", Some(Value::from(0)));
    fails_and_recovers(&host, &node, &null, &["Output", "null pointer"], |_| ());
}

#[test]
fn impossibly_large_grids_are_refused_before_allocation() {
    let (_host, plugin) = isolated();
    let resident = || {
        let text = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a size");
        line.trim().trim_end_matches("kB").trim().parse::<i64>().expect("a number")
    };
    // The frame is small; the region that the Source claims is not.
    let wide = RectD::new(0.0, 0.0, 8192.0, 4320.0);
    let source = Source::pictures(|_| Some(terrain(WIDTH, HEIGHT))).region(wide);
    let node = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32))
        .clip("Source", source);
    let node = node.set("resolution", 400.0).create().expect("a node");
    let before = resident();
    let window = RectI { x1: 0, y1: 0, x2: WIDTH, y2: HEIGHT };
    let Err(Error::Plugin { message, .. }) = node.render(&Request::at(1.0).window(window)) else {
        panic!("renders 32768 columns")
    };
    assert!(message.contains("32768 x 17280") && message.contains("Lower Resolution"), "{message}");

    let node =
        plugin.node(Context::Generator).set("output", "Water").project(Project::new(WIDTH as u32, HEIGHT as u32));
    let node = node.create().expect("a node");
    for time in [100_002.0, 1e8, -1e9, 1e300] {
        let outcome = node.frame(time);
        sound(&outcome);
        assert_eq!(outcome.is_ok(), time < 0.0, "frame {time}");
    }
    node.force("preroll", i32::MAX).expect("forced");
    let Err(Error::Plugin { message, .. }) = node.frame(5.0) else { panic!("renders a hundred thousand frames") };
    assert!(message.contains("frames after the first frame"), "{message}");
    assert!(resident() - before < 200_000, "{} KiB more", resident() - before);
}

#[test]
fn frames_with_all_parameters_animated_do_not_depend_on_order() {
    let (_host, plugin) = isolated();
    let node = scene(&plugin, WIDTH, HEIGHT).create().expect("a node");
    for (param, value) in
        [("speed", f64::NAN), ("damping", f64::INFINITY), ("rainSize", -5.0), ("sourceHeight", f64::MAX)]
    {
        node.force(param, value).expect("forced");
    }
    let first = node.frame(8.0).expect("renders");
    assert_eq!(simulated(&node.frame(8.0).expect("renders")), 0, "the same mess has the same name");
    node.purge().expect("purges");
    assert!(bits(&node.frame(8.0).expect("renders")) == bits(&first));
}

#[test]
fn extreme_rain_fills_the_frame() {
    let (_host, plugin) = isolated();
    let node = plugin.node(Context::Generator).set("output", "Water").project(Project::new(480, 270));
    let node =
        node.set("rainMode", "Mean height").set("rain", 10_000.0).set("rainSize", 400.0).create().expect("a node");
    let frame = node.frame(1.0).expect("renders");
    assert!(frame.pixel(240, 135)[3] > 7.0, "water up to the ceiling");
}
