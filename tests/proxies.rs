//! Proxies: a smaller render of the same water, close enough to judge a shot by.

mod common;

use common::{moving, own_flow, picture};
use flow_host::{Context, Frame, Node, NodeBuilder, Plugin, Project, Request, Source};

const WIDTH: i32 = 480;
const HEIGHT: i32 = 270;
/// Least height of a wet cell.
const FILM: f64 = 1.0 / 4096.0;

/// A small demo: a river bed that falls to the right, a moving emitter, an inflow matte, a keyed speed.
fn river(plugin: &Plugin) -> NodeBuilder {
    let terrain = picture(WIDTH, HEIGHT, |u, v| {
        let middle = 0.53 + 0.17 * (6.1 * u + 0.5).sin() + 0.045 * (14.3 * u + 1.3).sin();
        let off = (v - middle).abs();
        let bank = ((off - 0.06) / 0.05).clamp(0.0, 1.0);
        let hills = 0.05 * (u * 37.0).sin() * (v * 29.0 + u * 11.0).cos();
        let ground = 0.08 + 0.62 * (1.0 - u) + 0.17 * bank * bank * (3.0 - 2.0 * bank) + 0.5 * off + bank * hills;
        [ground as f32; 4].map(|c| if c < 0.0 { 0.0 } else { c })
    });
    let matte = moving(1, 48, |time| {
        let pour = (1.0 - (time - 16.0).abs() / 15.0).max(0.0);
        picture(WIDTH, HEIGHT, move |u, v| {
            let ring = ((u - 0.3) * 16.0 / 9.0).hypot(v - 0.25);
            let alpha = ((0.02 - (ring - 0.12).abs()) * 270.0 + 0.5).clamp(0.0, 1.0) * pour;
            [0.8, 0.3, 0.05, 1.0].map(|c| (c * alpha) as f32)
        })
    });
    let [w, h] = [f64::from(WIDTH), f64::from(HEIGHT)];
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 48.0))
        .clip("Source", matte)
        .clip("Terrain", Source::still(terrain))
        .set("sourceMode", "Add")
        .set("sourceHeight", 0.02)
        .set("emitter", "On")
        .set("emitterRadius", 14.0)
        .set("emitterRate", 0.12)
        .key("emitterCentre", 1.0, [w * 0.06, h * 0.72])
        .key("emitterCentre", 40.0, [w * 0.2, h * 0.66])
        .key("speed", 1.0, 3.0)
        .key("speed", 40.0, 6.0)
        .set("edges", "Open")
        .set("damping", 0.03)
}

/// Heights of a frame at the full-resolution pixels; a smaller frame is interpolated linearly between cell centres.
fn heights(frame: &Frame, scale: f64) -> Vec<f64> {
    let (columns, rows) = (frame.window.width() as i32, frame.window.height() as i32);
    let taps = |at: i32, count: i32| {
        let place = (f64::from(at) + 0.5) * scale - 0.5;
        let low = place.floor() as i32;
        ([low, low + 1].map(|i| i.clamp(0, count - 1)), place - place.floor())
    };
    let mut out = Vec::with_capacity((WIDTH * HEIGHT) as usize);
    for y in 0..HEIGHT {
        let ([below, above], up) = taps(y, rows);
        for x in 0..WIDTH {
            let ([left, right], along) = taps(x, columns);
            let row = |y: i32| {
                let [a, b] = [left, right].map(|x| f64::from(frame.pixel(x, y)[3]));
                a + (b - a) * along
            };
            out.push(row(below) + (row(above) - row(below)) * up);
        }
    }
    out
}

/// RMS of the difference over wet cells, relative to the RMS of the full water there.
fn difference(full: &[f64], other: &[f64]) -> f64 {
    let wet = || full.iter().zip(other).filter(|(a, b)| **a >= FILM || **b >= FILM);
    let rms = |sum: f64| (sum / wet().count() as f64).sqrt();
    rms(wet().map(|(a, b)| (a - b).powi(2)).sum()) / rms(wet().map(|(a, _)| a.powi(2)).sum())
}

fn at(node: &Node, time: f64, scale: f64) -> Vec<f64> {
    let frame = node.render(&Request::at(time).scale(scale, scale)).expect("renders");
    heights(&frame, scale)
}

#[test]
fn a_proxy_looks_like_the_final() {
    let (_host, plugin) = own_flow();
    let node = river(&plugin).create().expect("a node");
    let coarse = river(&plugin).set("resolution", 50.0).create().expect("a node");
    let same = river(&plugin).set("proxy", "Full grid").create().expect("a node");
    for time in [8.0, 16.0, 28.0, 40.0, 48.0] {
        let full = at(&node, time, 1.0);
        let [half, quarter] = [0.5, 0.25].map(|scale| difference(&full, &at(&node, time, scale)));
        let grid = difference(&full, &at(&coarse, time, 1.0));
        let [whole, shown] = [1.0, 0.5].map(|scale| difference(&full, &at(&same, time, scale)));
        let wet = full.iter().filter(|height| **height >= FILM).count();
        println!(
            "frame {time}: {wet} wet; proxy 1/2 {:.2} %, 1/4 {:.2} %; resolution 50 {:.2} %; full grid at 1/2 {:.2} %",
            half * 100.0,
            quarter * 100.0,
            grid * 100.0,
            shown * 100.0
        );
        assert!(wet > 2000, "frame {time}: {wet} wet");
        assert!(half < 0.10, "frame {time}: {half} at one half");
        assert!(quarter < 0.15, "frame {time}: {quarter} at one quarter");
        assert!(grid < 0.10, "frame {time}: {grid} at 50 % resolution");
        assert_eq!(whole, 0.0, "without a proxy the choice changes nothing");
        assert!(shown < half.max(0.05), "frame {time}: {shown} on the full grid, {half} on the scaled one");
    }
}
