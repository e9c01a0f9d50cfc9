//! The panel's interface for projects and scripts: script names, types, defaults.

mod common;

use common::{own_flow, private_flow};
use flow_host::{Context, Description, Event, ParamDescription, Part, Plugin, Profile};

/// A parameter as artists and scripts know it.
struct Promise {
    group: &'static str,
    name: &'static str,
    kind: &'static str,
    default: &'static str,
    /// Options, in an order that only grows at its end.
    options: &'static [&'static str],
    animates: bool,
}

const fn animated(group: &'static str, name: &'static str, kind: &'static str, default: &'static str) -> Promise {
    Promise { group, name, kind, default, options: &[], animates: true }
}

const fn still(group: &'static str, name: &'static str, kind: &'static str, default: &'static str) -> Promise {
    Promise { animates: false, ..animated(group, name, kind, default) }
}

const fn choice(group: &'static str, name: &'static str, options: &'static [&'static str], animates: bool) -> Promise {
    Promise { group, name, kind: "choice", default: options[0], options, animates }
}

const PRESETS: &[&str] = &["Custom", "River", "Flood", "Ripples", "Pond in rain", "Street puddle"];

const SIDE: &[&str] = &["As Edges", "Closed", "Open", "Absorb"];
const SHAPE: &[&str] = &["Disc", "Line", "Ring"];

/// The panel, in its order.
fn table() -> impl Iterator<Item = &'static Promise> {
    BEFORE.iter().chain(EMITTERS).chain(AFTER)
}

const BEFORE: &[Promise] = &[
    choice("simulation", "preset", PRESETS, false),
    Promise {
        default: "Beauty",
        ..choice(
            "simulation",
            "output",
            &[
                "Water",
                "Height",
                "Cross",
                "Diagonal",
                "Beauty",
                "Normals",
                "Velocity",
                "Motion vectors",
                "Refraction map",
                "Displacement",
                "Caustics",
                "Foam",
                "Wetness",
            ],
            true,
        )
    },
    choice("simulation", "model", &["Puddles and ponds", "Legacy pipes", "Rivers and floods", "Ripples"], false),
    still("simulation", "startFrame", "int", "1"),
    still("simulation", "startHere", "button", ""),
    still("simulation", "preroll", "int", "0"),
    still("simulation", "resolution", "double", "100"),
    animated("simulation", "waterLevel", "double", "0"),
    choice("simulation", "ground", &["Flat", "Pebbles", "River bed", "Meadow", "Street", "Beach"], false),
    animated("simulation", "rainDrops", "double", "0"),
    animated("simulation", "speed", "double", "4"),
    animated("simulation", "gravity", "double", "60"),
    animated("waves", "timeScale", "double", "1"),
    animated("waves", "damping", "double", "0.02"),
    animated("waves", "smoothing", "double", "0.1"),
    animated("waves", "friction", "double", "0.0005"),
    animated("waves", "rippleLength", "double", "60"),
    animated("waves", "slowestRipple", "double", "6"),
    animated("waves", "rippleDepth", "double", "0"),
    animated("waves", "rippleSmoothing", "double", "0.02"),
    animated("waves", "flowRate", "double", "0.1"),
    choice("borders", "edges", &["Closed", "Open", "Wrap", "Absorb"], false),
    choice("borders", "edgeLeft", SIDE, false),
    choice("borders", "edgeRight", SIDE, false),
    choice("borders", "edgeTop", SIDE, false),
    choice("borders", "edgeBottom", SIDE, false),
    animated("borders", "absorbWidth", "double", "100"),
    choice("borders", "extent", &["Source", "Project", "Both"], false),
    still("borders", "overscan", "double2D", "0,0"),
    choice("source", "sourceMode", &["Start frame", "Add", "Replace", "Fill up"], true),
    choice("source", "sourceChannel", &["Alpha", "Luminance", "Red", "Green", "Blue"], true),
    animated("source", "sourceHeight", "double", "1"),
    choice("source", "rainMode", &["Drops", "Mean height"], true),
    animated("source", "rain", "double", "0"),
    animated("source", "rainSize", "double", "3"),
    animated("source", "rainStrength", "double", "0.15"),
    animated("source", "seed", "int", "0"),
    animated("source", "evaporation", "double", "0"),
    animated("source", "drain", "bool", "false"),
    animated("source", "drainCentre", "double2D", "0.5,0.25"),
    animated("source", "drainRadius", "double", "30"),
    animated("source", "drainRate", "double", "0.1"),
    still("emitters", "emitterCount", "int", "1"),
    choice("emitters", "emitter", &["When no Source", "On", "Off"], true),
    animated("emitters", "emitterCentre", "double2D", "0.5,0.5"),
    animated("emitters", "emitterRadius", "double", "40"),
    animated("emitters", "emitterSoftness", "double", "0.5"),
    animated("emitters", "emitterRate", "double", "0.05"),
    animated("emitters", "emitterColour", "RGB", "0.1,0.35,0.6"),
    choice("emitters", "emitterShape", SHAPE, true),
    animated("emitters", "emitterWidth", "double", "8"),
    animated("emitters", "emitterAngle", "double", "0"),
    animated("emitters", "emitterFrequency", "double", "0"),
    animated("emitters", "emitterPhase", "double", "0"),
];

/// An emitter from the second on: its number, position and colour in the description.
macro_rules! emitter {
    ($number:literal, $centre:literal, $colour:literal) => {{
        const GROUP: &str = concat!("emitter", $number, "Group");
        [
            animated(GROUP, concat!("emitter", $number), "bool", "true"),
            animated(GROUP, concat!("emitter", $number, "Centre"), "double2D", $centre),
            animated(GROUP, concat!("emitter", $number, "Radius"), "double", "40"),
            animated(GROUP, concat!("emitter", $number, "Softness"), "double", "0.5"),
            animated(GROUP, concat!("emitter", $number, "Rate"), "double", "0.05"),
            animated(GROUP, concat!("emitter", $number, "Colour"), "RGB", $colour),
            choice(GROUP, concat!("emitter", $number, "Shape"), SHAPE, true),
            animated(GROUP, concat!("emitter", $number, "Width"), "double", "8"),
            animated(GROUP, concat!("emitter", $number, "Angle"), "double", "0"),
            animated(GROUP, concat!("emitter", $number, "Frequency"), "double", "0"),
            animated(GROUP, concat!("emitter", $number, "Phase"), "double", "0"),
        ]
    }};
}

const EMITTERS: &[Promise] = [
    emitter!(2, "0.25,0.5", "0.1,0.35,0.6"),
    emitter!(3, "0.75,0.5", "0.6,0.2,0.1"),
    emitter!(4, "0.5,0.75", "0.2,0.5,0.15"),
    emitter!(5, "0.25,0.25", "0.1,0.35,0.6"),
    emitter!(6, "0.75,0.25", "0.6,0.2,0.1"),
    emitter!(7, "0.25,0.75", "0.2,0.5,0.15"),
    emitter!(8, "0.75,0.75", "0.1,0.35,0.6"),
]
.as_flattened();

const AFTER: &[Promise] = &[
    animated("terrain", "useTerrain", "bool", "true"),
    choice("terrain", "terrainChannel", &["Luminance", "Red", "Green", "Blue", "Alpha"], true),
    animated("terrain", "terrainHeight", "double", "1"),
    animated("terrain", "terrainOffset", "double", "0"),
    animated("terrain", "terrainInvert", "bool", "false"),
    animated("forces", "push", "double2D", "0,0"),
    animated("forces", "forceScale", "double", "1"),
    animated("forces", "pressureScale", "double", "1"),
    animated("forces", "goalStrength", "double", "0"),
    animated("forces", "goalVelocity", "double2D", "0,0"),
    animated("forces", "obstacleDrag", "double", "0.5"),
    animated("traces", "foam", "bool", "false"),
    animated("traces", "foamAmount", "double", "0.15"),
    animated("traces", "foamSteepness", "double", "0.05"),
    animated("traces", "foamLife", "double", "10"),
    animated("traces", "shoreFoam", "double", "0.3"),
    animated("traces", "detail", "bool", "false"),
    animated("traces", "detailStrength", "double", "0.25"),
    animated("traces", "detailSize", "double", "1"),
    animated("traces", "wetness", "bool", "false"),
    animated("traces", "dryFrames", "double", "100"),
    animated("picture", "relief", "double", "140"),
    animated("picture", "waterColour", "RGB", "0.01,0.08,0.1"),
    animated("picture", "clarity", "double", "0.25"),
    animated("picture", "murkiness", "double", "0.35"),
    animated("picture", "indexOfRefraction", "double", "1.333"),
    animated("picture", "roughness", "double", "0.2"),
    animated("picture", "caustics", "double", "1"),
    animated("picture", "groundColour", "RGB", "0.2,0.165,0.115"),
    animated("picture", "wetDarkening", "double", "0.45"),
    animated("picture", "foamColour", "RGB", "0.75,0.78,0.8"),
    choice("picture", "alphaMode", &["Over bed", "Water only"], true),
    animated("light", "lightDirection", "double", "125"),
    animated("light", "lightElevation", "double", "40"),
    animated("light", "terrainShadow", "double", "1"),
    animated("light", "lightColour", "RGB", "1.4,1.28,1.1"),
    animated("light", "lightSize", "double", "8"),
    animated("light", "skyColour", "RGB", "0.16,0.28,0.48"),
    animated("light", "horizonColour", "RGB", "0.6,0.66,0.72"),
    animated("light", "skyContrast", "double", "0.6"),
    animated("light", "clouds", "double", "0"),
    choice("light", "skyline", &["None", "Trees", "Houses"], true),
    animated("light", "skylineHeight", "double", "200"),
    animated("light", "viewElevation", "double", "40"),
    animated("light", "reflectionDistance", "double", "200"),
    still("cache", "cacheFolder", "string", ""),
    still("cache", "cacheName", "string", ""),
    Promise {
        default: "Read and write",
        ..choice("cache", "cacheMode", &["Off", "Read and write", "Read only"], false)
    },
    still("cache", "cacheEvery", "int", "1"),
    still("cache", "cacheSize", "int", "0"),
    choice("cache", "cacheBusy", &["Wait", "Leave out frames"], false),
    still("cache", "bake", "button", ""),
    still("cache", "clearDisk", "button", ""),
    still("cache", "initialState", "string", ""),
    animated("system", "substeps", "int", "1"),
    choice("system", "order", &["Second order", "First order"], false),
    still("system", "diagonalWeight", "double", "0.25"),
    still("system", "maxHeight", "double", "8"),
    still("system", "colourRange", "double", "16"),
    choice("system", "proxy", &["Scaled grid", "Full grid"], false),
    choice("system", "device", &["Auto", "GPU", "CPU"], false),
    still("system", "memoryBudget", "int", "0"),
    choice("system", "missingFrames", &["Transparent", "Hold", "Fail"], false),
    choice("system", "declareFrames", &["Current", "Whole range"], false),
    still("system", "refresh", "button", ""),
    still("system", "info", "string", "Nothing rendered yet."),
    still("system", "simDigest", "string", ""),
];

/// Secret parameters beside the table.
const PRIVATE: &[&str] = &["cacheId", "positionsSet"];

const CONTEXTS: [Context; 3] = [Context::General, Context::Filter, Context::Generator];

fn described(plugin: &Plugin, context: Context) -> Description {
    plugin.describe(context).expect("describes")
}

fn values(plugin: &Plugin) -> impl Iterator<Item = ParamDescription> {
    described(plugin, Context::General).params.into_iter().filter(|p| !matches!(p.kind.as_str(), "group" | "page"))
}

fn flags(plugin: &Plugin, part: Part<'_>, name: &str) -> Vec<String> {
    plugin.property(Context::General, part, name).expect("is there to ask")
}

#[test]
fn the_panel_equals_the_table_of_controls_in_every_context() {
    let (_host, plugin) = own_flow();
    let mut seen = Vec::new();
    for context in CONTEXTS {
        let description = described(&plugin, context);
        for promise in table() {
            let found = description.params.iter().find(|param| param.name == promise.name);
            let param = found.unwrap_or_else(|| panic!("{} is missing in {context:?}", promise.name));
            assert_eq!(param.kind, promise.kind, "{}", promise.name);
            assert_eq!(param.default, promise.default, "{}", promise.name);
            assert_eq!(param.group, promise.group, "{}", promise.name);
            assert_eq!(param.options, promise.options, "{}", promise.name);
            if promise.kind != "button" {
                assert_eq!(param.animates, promise.animates, "{}", promise.name);
            }
        }
        let names: Vec<String> = values(&plugin).map(|param| param.name).collect();
        let promised: Vec<&str> = table().map(|promise| promise.name).chain(PRIVATE.iter().copied()).collect();
        assert_eq!(names, promised, "order in {context:?}");
        seen.push(description.params.into_iter().map(|p| (p.name, p.kind, p.default)).collect::<Vec<_>>());
    }
    assert!(seen.iter().all(|panel| *panel == seen[0]), "contexts differ");
}

#[test]
fn every_control_has_a_label_and_a_hint() {
    let (_host, plugin) = own_flow();
    for param in values(&plugin) {
        let name = param.name.as_str();
        assert!(!param.label.is_empty() && param.label.is_ascii(), "{name}: label '{}'", param.label);
        assert!(!param.label.contains(['-', '_']) || matches!(name, "preroll" | "substeps"), "{name}: {}", param.label);
        assert!(param.hint.len() > 15 && param.hint.is_ascii(), "{name}: hint '{}'", param.hint);
        assert_eq!(flags(&plugin, Part::Param(name), "OfxParamPropScriptName"), [name]);
        assert_eq!(param.secret, matches!(name, "simDigest" | "cacheId" | "positionsSet"), "{name}");
    }
    let groups = described(&plugin, Context::General).params.into_iter().filter(|param| param.kind == "group");
    let groups: Vec<(String, String)> = groups.map(|group| (group.name, group.label)).collect();
    let expected = [
        ("simulation", "Main"),
        ("waves", "Waves"),
        ("borders", "Borders"),
        ("source", "Source, rain and drain"),
        ("emitters", "Emitters"),
        ("emitter2Group", "Emitter 2"),
        ("emitter3Group", "Emitter 3"),
        ("emitter4Group", "Emitter 4"),
        ("emitter5Group", "Emitter 5"),
        ("emitter6Group", "Emitter 6"),
        ("emitter7Group", "Emitter 7"),
        ("emitter8Group", "Emitter 8"),
        ("terrain", "Terrain"),
        ("forces", "Forces"),
        ("traces", "Foam, detail and wetness"),
        ("picture", "Look"),
        ("light", "Light and sky"),
        ("cache", "Layers and disk"),
        ("system", "Advanced"),
    ];
    assert_eq!(groups, expected.map(|(name, label)| (name.to_owned(), label.to_owned())));
    let page = flags(&plugin, Part::Param("Controls"), "OfxParamPropPageChild");
    assert!(table().all(|promise| page.iter().any(|name| name == promise.name)), "{page:?}");
}

#[test]
fn every_number_has_a_range_and_a_slider_inside_it() {
    let (_host, plugin) = own_flow();
    for param in values(&plugin) {
        let count = match param.kind.as_str() {
            "int" | "double" => 1,
            "double2D" => 2,
            "RGB" => 3,
            _ => continue,
        };
        let name = param.name.as_str();
        let numbers = |property: &str| -> Vec<f64> {
            let texts = flags(&plugin, Part::Param(name), property);
            texts.iter().map(|text| text.parse().expect("a number")).collect()
        };
        let [low, high] = ["OfxParamPropMin", "OfxParamPropMax"].map(numbers);
        let [from, to] = ["OfxParamPropDisplayMin", "OfxParamPropDisplayMax"].map(numbers);
        for ends in [&low, &high, &from, &to] {
            assert_eq!(ends.len(), count, "{name}");
        }
        for i in 0..count {
            assert!(
                low[i] <= from[i] && from[i] < to[i] && to[i] <= high[i],
                "{name}: {low:?} {from:?} {to:?} {high:?}"
            );
            // Hosts set these where a plug-in sets none; Resolve takes them for ±1 and 0.
            assert!(name == "seed" || (low[i] > -1e10 && high[i] < 1e10), "{name}: {low:?} to {high:?}");
        }
    }
}

#[test]
fn every_control_invalidates_its_declared_results() {
    let (_host, plugin) = own_flow();
    for promise in table() {
        let name = promise.name;
        let one = |property: &str| flags(&plugin, Part::Param(name), property).first().cloned().unwrap_or_default();
        const NUMERICS: &[&str] =
            &["substeps", "order", "diagonalWeight", "maxHeight", "colourRange", "proxy", "missingFrames"];
        // A preset or a button acts by the parameters that it sets.
        const NOT: &[&str] = &["preset", "output", "startHere"];
        let of_the_water = ["simulation", "waves", "borders", "source", "emitters", "terrain", "forces"];
        if of_the_water.contains(&promise.group) && !NOT.contains(&name) || NUMERICS.contains(&name) {
            assert_eq!(one("OfxParamPropCacheInvalidation"), "OfxParamInvalidateAll", "{name}");
        }
        let renders = !matches!(name, "preset" | "device" | "memoryBudget" | "info" | "refresh")
            && (promise.group != "cache" || name == "initialState");
        if promise.kind != "button" {
            assert_eq!(one("OfxParamPropEvaluateOnChange"), i32::from(renders).to_string(), "{name}");
        }
    }
    let info = |property: &str| flags(&plugin, Part::Param("info"), property);
    assert_eq!(info("OfxParamPropEnabled"), ["0"]);
    assert_eq!(info("OfxParamPropPersistant"), ["0"]);
    assert_eq!(info("OfxParamPropStringMode"), ["OfxParamStringIsMultiLine"]);
    assert_eq!(flags(&plugin, Part::Param("simDigest"), "OfxParamPropPersistant"), ["1"]);
    let centre = |property: &str| flags(&plugin, Part::Param("emitterCentre"), property);
    assert_eq!(centre("OfxParamPropDoubleType"), ["OfxParamDoubleTypeXYAbsolute"]);
    assert_eq!(centre("OfxParamPropDefaultCoordinateSystem"), ["OfxParamCoordinatesNormalised"]);
}

#[test]
fn the_effect_declares_its_properties() {
    let (_host, plugin) = own_flow();
    let effect = |name: &str| flags(&plugin, Part::Effect, name);
    assert_eq!(plugin.id(), "org.flowofx.Flow");
    assert_eq!(plugin.label(), "Flow");
    assert_eq!(effect("OfxImageEffectPluginPropGrouping"), ["Flow"]);
    let contexts = ["General", "Filter", "Generator"].map(|name| format!("OfxImageEffectContext{name}"));
    assert_eq!(effect("OfxImageEffectPropSupportedContexts"), contexts);
    let depths = ["Float", "Half", "Short", "Byte"].map(|name| format!("OfxBitDepth{name}"));
    assert_eq!(effect("OfxImageEffectPropSupportedPixelDepths"), depths);
    assert_eq!(effect("OfxImageEffectPluginRenderThreadSafety"), ["OfxImageEffectRenderFullySafe"]);
    for (name, value) in [
        ("OfxImageEffectPluginPropHostFrameThreading", "0"),
        ("OfxImageEffectPluginPropSingleInstance", "0"),
        ("OfxImageEffectInstancePropSequentialRender", "2"),
        ("OfxImageEffectPropTemporalClipAccess", "1"),
        ("OfxImageEffectPropSupportsMultiResolution", "1"),
        ("OfxImageEffectPropSupportsTiles", "0"),
        ("OfxImageEffectPropMultipleClipDepths", "0"),
        ("OfxImageEffectPropSupportsMultipleClipPARs", "0"),
    ] {
        assert_eq!(effect(name), [value], "{name}");
    }
    let node = plugin.node(Context::General).create().expect("a node");
    let instance = |name: &str| node.property(name).expect("an instance");
    assert_eq!(instance("OfxImageEffectInstancePropSequentialRender"), ["2"]);
    assert_eq!(instance("OfxImageEffectPropSupportsTiles"), ["0"]);
    let agreed = node.preferences().expect("agrees");
    assert!(agreed.frame_varying);
    assert_eq!(agreed.premultiplication, flow_host::Premultiplication::Premultiplied);
    node.set("output", "Water").expect("is set");
    let agreed = node.preferences().expect("agrees again");
    assert_eq!(agreed.premultiplication, flow_host::Premultiplication::Unpremultiplied);
}

#[test]
fn clips_are_in_order_and_all_but_a_filters_source_are_optional() {
    let (_host, plugin) = own_flow();
    let clips = |context| -> Vec<(String, bool, bool)> {
        let clips = described(&plugin, context).clips.into_iter();
        clips.filter(|clip| clip.name != "Output").map(|clip| (clip.name, clip.optional, clip.mask)).collect()
    };
    let general = [
        ("Source", true, false),
        ("Terrain", true, false),
        ("Obstacles", true, true),
        ("Force", true, false),
        ("Mask", true, true),
        ("Background", true, false),
        ("Reflection", true, false),
        ("Control", true, false),
        ("Goal", true, false),
    ];
    assert_eq!(clips(Context::General), general.map(|(name, optional, mask)| (name.to_owned(), optional, mask)));
    assert_eq!(clips(Context::Filter), [("Source".to_owned(), false, false)]);
    assert_eq!(clips(Context::Generator), []);
    for clip in described(&plugin, Context::General).clips {
        let name = clip.name.as_str();
        let mut components = clip.components.clone();
        components.sort();
        assert_eq!(components, ["Alpha", "RGB", "RGBA"], "{name}");
        assert!(!clip.label.is_empty() && clip.temporal, "{name}");
        assert_eq!(flags(&plugin, Part::Clip(name), "OfxImageEffectPropSupportsTiles"), ["0"], "{name}");
        // A matte is described as one if the host supports that.
        let first = if clip.mask { "Alpha" } else { "RGBA" };
        assert_eq!(clip.components[0], first, "{name}");
    }
}

#[test]
fn regions_and_frames_needed_are_declared() {
    let (_host, plugin) = own_flow();
    let node = common::scene(&plugin, 96, 64).create().expect("a node");
    let frames = |time| node.frames_needed(time).expect("is declared");
    assert_eq!(frames(17.0).len(), 9);
    assert!(frames(17.0).iter().all(|(_, ranges)| *ranges == [(17.0, 17.0)]), "{:?}", frames(17.0));
    // The picture's own inputs are needed at the frame alone.
    let frames = |time| {
        let mut asked = node.frames_needed(time).expect("is declared");
        for (_, ranges) in asked.extract_if(.., |(clip, _)| clip == "Background" || clip == "Reflection") {
            assert_eq!(ranges, [(time, time)]);
        }
        asked
    };
    node.set("declareFrames", "Whole range").expect("is set");
    node.set("startFrame", 3).expect("is set");
    assert!(frames(17.0).iter().all(|(_, ranges)| *ranges == [(3.0, 17.0)]), "{:?}", frames(17.0));
    // Frames before the start show the start frame.
    assert!(frames(-2.0).iter().all(|(_, ranges)| *ranges == [(-2.0, 3.0)]), "{:?}", frames(-2.0));
    let wanted = flow_host::RectD { x1: 10.0, y1: 10.0, x2: 20.0, y2: 20.0 };
    let asked = node.regions_of_interest(17.0, (1.0, 1.0), wanted).expect("is declared");
    let whole = flow_host::RectD { x1: 0.0, y1: 0.0, x2: 96.0, y2: 64.0 };
    for (clip, region) in asked.iter().filter(|(clip, _)| clip == "Source" || clip == "Terrain") {
        assert_eq!(*region, whole, "{clip}");
    }
    assert_eq!(node.region(17.0, (1.0, 1.0)).expect("is declared"), whole);
    assert_eq!(node.region(17.0, (0.5, 0.5)).expect("is declared"), whole);
}

#[test]
fn mlt_sees_unsafe_concurrent_renders() {
    let (host, plugin) = private_flow(Profile::mlt());
    let safety = plugin.property(Context::Filter, Part::Effect, "OfxImageEffectPluginRenderThreadSafety");
    assert_eq!(safety.expect("is declared"), ["OfxImageEffectRenderUnsafe"]);
    assert!(host.record().violations().is_empty(), "{:?}", host.record().violations());
}

#[test]
fn describing_causes_no_violation() {
    for context in CONTEXTS {
        let (host, plugin) = private_flow(Profile::generic());
        drop(described(&plugin, context));
        // In a host with all properties no others are read, except those that identify Natron and its planes.
        let events = host.record().events();
        let strangers = events.iter().filter(|event| match event {
            Event::NoProperty { name, .. } => {
                name != "NatronOfxHostIsNatron" && name != "uk.co.thefoundry.OfxImageEffectPropMultiPlanar"
            }
            event => matches!(event, Event::NoSuite { .. }),
        });
        assert_eq!(strangers.collect::<Vec<_>>(), [] as [&Event; 0], "{context:?}");
        assert!(host.record().violations().is_empty(), "{:?}", host.record().violations());
    }
}
