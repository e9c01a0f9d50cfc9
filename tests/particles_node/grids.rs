//! Grids of air: what they do to particles, and what they must leave alone.

use flow_host::{Context, Frame, NodeBuilder, Plugin};

use crate::common::info;
use crate::{NODE, SIZE, bare, finite};

/// Tracers in a grid in the middle of the frame, without other air.
fn tracers(plugin: &Plugin, grids: i32) -> NodeBuilder {
    bare(plugin)
        .set("emitter1Moves", "As the air")
        .set("emitter1Life", 40.0)
        .set("noise", 0.0)
        .set("noiseFine", 0.0)
        .set("grids", grids)
        .set("grid1Centre", [48.0, 32.0])
        .set("grid1Width", 64.0)
        .set("grid1Height", 64.0)
        .set("grid1Length", 64.0)
        .set("grid1Cells", 16)
        .set("grid1Damping", 0.0)
}

/// The largest difference of two frames.
fn difference(a: &Frame, b: &Frame) -> f32 {
    let (a, b) = (a.rgba(), b.rgba());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs()))
}

/// The mean position of the light, pixels.
fn middle(frame: &Frame) -> [f64; 2] {
    let (mut sum, mut total) = ([0.0; 2], 0.0);
    for (at, pixel) in frame.rgba().iter().enumerate() {
        let light = f64::from(pixel[0]);
        sum[0] += light * (at % SIZE[0] as usize) as f64;
        sum[1] += light * (at / SIZE[0] as usize) as f64;
        total += light;
    }
    sum.map(|sum| sum / total)
}

#[test]
fn a_grid_that_moves_through_still_air_leaves_it_still() {
    NODE.process(2, |plugin| {
        let without = tracers(plugin, 0).create().expect("a node").frame(20.0).expect("renders");
        let moving = tracers(plugin, 1)
            .key("grid1Centre", 1.0, [30.0, 20.0])
            .key("grid1Centre", 8.0, [60.0, 40.0])
            .key("grid1Centre", 14.0, [45.0, 30.0])
            .key("grid1Depth", 1.0, 0.0)
            .key("grid1Depth", 20.0, 12.0);
        let with = moving.create().expect("a node").frame(20.0).expect("renders");
        assert!(finite(&with));
        let found = difference(&without, &with);
        assert!(found < 2e-3, "{found}");
    });
}

#[test]
fn a_jet_blows_particles_along_its_direction_and_another_grid_s_jet_does_not() {
    NODE.process(2, |plugin| {
        let still = tracers(plugin, 1).create().expect("a node").frame(20.0).expect("renders");
        let blown = |jet: &str, direction: f64| {
            let node = tracers(plugin, 1)
                .set(jet, true)
                .set(format!("{jet}Offset").as_str(), [0.0, -12.0])
                .set(format!("{jet}Radius").as_str(), 8.0)
                .set(format!("{jet}Speed").as_str(), 1.5)
                .set(format!("{jet}Direction").as_str(), direction);
            let node = node.create().expect("a node");
            let frame = node.frame(20.0).expect("renders");
            assert!(info(&node).contains("particles"), "{}", info(&node));
            frame
        };
        let (rest, up, right) = (middle(&still), middle(&blown("jet2", 90.0)), middle(&blown("jet2", 0.0)));
        assert!(up[1] - rest[1] > 3.0 && (up[0] - rest[0]).abs() < 1.0, "{rest:?} {up:?}");
        assert!(right[0] - rest[0] > 3.0, "{rest:?} {right:?}");
        assert_eq!(difference(&still, &blown("jet3", 90.0)), 0.0, "a jet of a grid that is off");
    });
}

#[test]
fn air_flows_around_an_obstacle() {
    NODE.process(2, |plugin| {
        let inside = |obstacle: &str| {
            let node = tracers(plugin, 1)
                .set("emitter1Shape", "Line")
                .set("emitter1Radius", 10.0)
                .set("emitter1Rate", 60.0)
                .set("emitter1Size", 2.0)
                .set("grid1Cells", 32)
                .set("grid1Obstacle", obstacle)
                .set("grid1ObstacleOffset", [0.0, 8.0])
                .set("grid1ObstacleRadius", 10.0)
                .set("jet1", true)
                .set("jet1Offset", [0.0, -14.0])
                .set("jet1Radius", 9.0)
                .set("jet1Speed", 1.5);
            let frame = node.create().expect("a node").frame(30.0).expect("renders");
            // Light whose middle is a pixel and more inside the sphere around (48, 40).
            let pixels = frame.rgba();
            let within = |at: usize| {
                let (x, y) = ((at % SIZE[0] as usize) as f64 + 0.5, (at / SIZE[0] as usize) as f64 + 0.5);
                (x - 48.0).hypot(y - 40.0) < 8.0
            };
            let light = |at: usize| f64::from(pixels[at][0]);
            (0..pixels.len()).filter(|at| within(*at)).map(light).sum::<f64>()
        };
        let (without, with) = (inside("Off"), inside("Sphere"));
        assert!(without > 10.0 && with < 0.05 * without, "{with} instead of {without}");
    });
}

#[test]
fn absurd_grids_give_finite_pictures() {
    NODE.process(2, |plugin| {
        for (name, value) in [
            ("grid1Width", 1e5),
            ("grid1Height", 1.0),
            ("grid1Depth", 1e5),
            ("grid1Fade", 100.0),
            ("grid1Turbulence", 1000.0),
            ("jet1Speed", 1e4),
            ("jet1Radius", 1e5),
            ("jet1Expansion", -0.5),
        ] {
            let node = tracers(plugin, 1).set("jet1", true).set("jet1Radius", 8.0).set(name, value);
            let node = node.create().expect("a node");
            let frame = node.frame(6.0).expect("renders");
            assert!(finite(&frame), "{name}");
        }
        let node = plugin.node(Context::Generator).set("grids", 4).set("jet8", true).create().expect("a node");
        assert!(finite(&node.frame(2.0).expect("renders")));
    });
}
