//! The bundle under test, and the scenes that several tests share.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod alone;
pub mod cameras;
pub mod fresh;
pub mod openvdb;
pub mod written;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flow_host::{Bundle, Context, Frame, Host, Image, NodeBuilder, Plugin, Profile, RectI, Source};

/// The identifier of the node under test.
pub const FLOW: &str = "org.flowofx.Flow";

/// The library that cargo built beside this test, in a bundle as hosts expect it.
pub fn bundle_path() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let test = std::env::current_exe().expect("a running test has a path");
        let library = test.with_file_name("libflow_ofx.so");
        assert!(library.is_file(), "{} is not built", library.display());
        library
    });
    path.clone()
}

/// A host of that profile with the bundle loaded.
pub fn loaded(profile: Profile) -> (Host, Bundle) {
    let host = Host::new(profile);
    let bundle = host.load(bundle_path()).expect("the bundle loads");
    (host, bundle)
}

/// The Flow plug-in in a host of that profile.
pub fn flow_in(profile: Profile) -> (Host, Plugin) {
    let (host, bundle) = loaded(profile);
    let plugin = bundle.plugin(FLOW).expect("the bundle has Flow");
    (host, plugin)
}

/// The Flow plug-in in a plain host.
pub fn flow() -> (Host, Plugin) {
    flow_in(Profile::generic())
}

/// The pixels of a frame as bits.
pub fn bits(frame: &Frame) -> Vec<[u32; 4]> {
    frame.rgba().into_iter().map(|pixel| pixel.map(f32::to_bits)).collect()
}

/// Frames that this render simulated, as the plug-in counted them.
pub fn simulated(frame: &Frame) -> u64 {
    frame.stat("frames").expect("the plug-in counts") as u64
}

/// The file of a frame in a folder of the disk cache or in one below it.
pub fn cached_frame(folder: &Path, frame: i32) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(&format!(".{frame:04}.exr")) {
                return path;
            }
        }
    }
    panic!("frame {frame} was not kept")
}

/// A smooth terrain with a valley, in 0 to 1, over a project of that size.
pub fn terrain(width: i32, height: i32) -> Image {
    Image::from_fn(RectI { x1: 0, y1: 0, x2: width, y2: height }, move |x, y| {
        let [u, v] = [f64::from(x) / f64::from(width), f64::from(y) / f64::from(height)];
        let valley = (v - 0.5 - 0.2 * (u * 6.0).sin()).abs();
        let ground = (0.15 + valley + 0.05 * (u * 31.0).sin() * (v * 23.0).cos()) as f32;
        [ground, ground, ground, 1.0]
    })
}

/// A round matte that moves with time: colour premultiplied by its alpha.
pub fn matte(width: i32, height: i32) -> Source {
    Source::pictures(move |time| {
        let centre = [f64::from(width) * (0.3 + 0.004 * time), f64::from(height) * (0.5 + 0.2 * (time * 0.1).sin())];
        let radius = f64::from(height) * 0.12;
        Some(Image::from_fn(RectI { x1: 0, y1: 0, x2: width, y2: height }, move |x, y| {
            let distance = (f64::from(x) + 0.5 - centre[0]).hypot(f64::from(y) + 0.5 - centre[1]);
            let alpha = (radius - distance + 0.5).clamp(0.0, 1.0) as f32;
            [0.9 * alpha, 0.3 * alpha, 0.1 * alpha, 0.2 * alpha]
        }))
    })
}

/// The shared scene: terrain, moving matte and emitters, one with waves, rain, keyed speed, open edges, an absorbing
/// one, a Control picture that slows, a goal, foam and wetness.
pub fn scene(plugin: &Plugin, width: i32, height: i32) -> NodeBuilder {
    let [w, h] = [f64::from(width), f64::from(height)];
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(flow_host::Project::new(width as u32, height as u32).frames(1.0, 100.0))
        .clip("Source", matte(width, height))
        .clip("Terrain", Source::still(terrain(width, height)))
        .set("sourceMode", "Add")
        .set("sourceHeight", 0.1)
        .set("terrainHeight", 0.8)
        .set("emitter", "On")
        .set("emitterRadius", h * 0.1)
        .key("emitterCentre", 1.0, [w * 0.2, h * 0.3])
        .key("emitterCentre", 30.0, [w * 0.8, h * 0.7])
        .key("speed", 1.0, 3.0)
        .key("speed", 25.0, 9.0)
        .set("rainMode", "Mean height")
        .set("rain", 0.002)
        .set("evaporation", 0.0005)
        .set("edges", "Open")
        .set("edgeLeft", "Absorb")
        .set("absorbWidth", w * 0.2)
        .set("emitterCount", 3)
        .set("emitter2", false)
        .set("emitter3Shape", "Line")
        .set("emitter3Radius", h * 0.2)
        .set("emitter3Width", 3.0)
        .key("emitter3Angle", 1.0, 0.0)
        .key("emitter3Angle", 30.0, 90.0)
        .set("emitter3Frequency", 0.13)
        .clip("Control", Source::still(picture(width, height, |u, v| [u as f32, 1.0, v as f32, 1.0])))
        .set("goalStrength", 0.05)
        .set("goalVelocity", [0.5, 0.0])
        .set("foam", true)
        .set("wetness", true)
}

/// The Flow plug-in in a copy of the library that shares no store, threads or budget with any other test.
pub fn private_flow(profile: Profile) -> (Host, Plugin) {
    let host = Host::new(profile);
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(FLOW));
    (host, plugin.expect("the bundle has Flow"))
}

/// Pictures for every frame, made once and cheap to fetch.
pub fn moving(first: i64, last: i64, picture: impl Fn(f64) -> Image) -> Source {
    let made: Vec<Image> = (first..=last).map(|frame| picture(frame as f64)).collect();
    Source::pictures(move |time| {
        let position = ((time + 0.5).floor() as i64).clamp(first, last) - first;
        Some(made[position as usize].clone())
    })
}

/// A picture as a function of the position in fractions of the frame.
pub fn picture(width: i32, height: i32, pixel: impl Fn(f64, f64) -> [f32; 4]) -> Image {
    Image::from_fn(RectI { x1: 0, y1: 0, x2: width, y2: height }, |x, y| {
        pixel((f64::from(x) + 0.5) / f64::from(width), (f64::from(y) + 0.5) / f64::from(height))
    })
}

/// The Flow plug-in in a plain host, in a private copy of the library.
pub fn own_flow() -> (Host, Plugin) {
    private_flow(Profile::generic())
}

/// The pixels of a project of that size.
pub fn whole(width: i32, height: i32) -> RectI {
    RectI { x1: 0, y1: 0, x2: width, y2: height }
}

/// The node's info, as the panel shows it after a save.
pub fn info(node: &flow_host::Node) -> String {
    node.sync().expect("syncs");
    node.value("info", 0.0).expect("has info").to_string()
}

/// Checks the enabled state of parameters: `on` are enabled, `off` are greyed out.
pub fn check_greyed(node: &flow_host::Node, on: &[&str], off: &[&str], when: &str) {
    let shown = |name: &str| node.param_flag(name, "OfxParamPropEnabled").expect("there") != Some(0);
    on.iter().for_each(|name| assert!(shown(name), "{when}: {name} is greyed out"));
    off.iter().for_each(|name| assert!(!shown(name), "{when}: {name} is not greyed out"));
}

/// The sum of a channel over a frame.
pub fn total(frame: &Frame, channel: usize) -> f64 {
    frame.rgba().iter().map(|pixel| f64::from(pixel[channel])).sum()
}
