//! Motion blur, and light from a picture of the surroundings.

use flow_host::{Frame, Source};

use super::common::{bits, picture, simulated, total};
use super::{NODE, bare, finite, lively};

fn largest_difference(a: &Frame, b: &Frame) -> f32 {
    let (a, b) = (a.rgba(), b.rgba());
    let values = a.iter().flatten().zip(b.iter().flatten());
    values.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn an_environment_of_one_colour_is_a_sky_of_that_colour() {
    NODE.process(2, |plugin| {
        let plain = bare(plugin)
            .set("output", "Ambient")
            .set("skyColour", [0.5, 0.25, 0.125])
            .set("groundColour", [0.5, 0.25, 0.125])
            .create()
            .expect("a node");
        let truth = plain.frame(6.0).expect("renders");
        // Twice as bright, with a gain of a half.
        let map = Source::still(picture(32, 16, |_, _| [1.0, 0.5, 0.25, 1.0]));
        let node = bare(plugin).clip("Environment", map).set("output", "Ambient").create().expect("a node");
        node.set("environmentGain", 0.5).expect("set");
        let found = node.frame(6.0).expect("renders");
        assert_eq!(simulated(&found), 0, "light enters no key");
        assert!(total(&truth, 0) > 1.0);
        assert!(largest_difference(&truth, &found) < 1e-4, "{}", largest_difference(&truth, &found));
    });
}

#[test]
fn an_environment_lights_from_its_bright_side_and_turns() {
    NODE.process(2, |plugin| {
        // The left half of the map is the left of the scene: +x is right of its middle.
        let map =
            Source::still(picture(32, 16, |u, _| if u < 0.5 { [1.0, 1.0, 1.0, 1.0] } else { [0.0, 0.0, 0.0, 1.0] }));
        let node = bare(plugin).clip("Environment", map).set("output", "Ambient").set("opacity", 80.0).create();
        let node = node.expect("a node");
        let balance = |frame: &Frame| {
            let pixels = frame.rgba();
            let (left, right): (Vec<_>, Vec<_>) = pixels.iter().enumerate().partition(|(at, _)| at % 96 < 48);
            let sum = |half: &[(usize, &[f32; 4])]| half.iter().map(|(_, pixel)| f64::from(pixel[0])).sum::<f64>();
            sum(&left) / sum(&right)
        };
        let lit = balance(&node.frame(6.0).expect("renders"));
        node.set("environmentTurn", 180.0).expect("set");
        let turned = balance(&node.frame(6.0).expect("renders"));
        assert!(lit > 1.15 && turned < 1.0 / 1.15, "{lit} {turned}");
    });
}

#[test]
fn the_shutter_blurs_smoke_in_motion_and_keeps_its_light() {
    NODE.process(2, |plugin| {
        let node = lively(plugin).set("emitter2Velocity", [9.0, 5.0, 0.0]).create().expect("a node");
        let sharp = node.frame(7.0).expect("renders");
        node.set("shutter", 1.0).expect("set");
        node.set("shutterSamples", 4).expect("set");
        let soft = node.frame(7.0).expect("renders");
        assert!(finite(&soft));
        assert_eq!(simulated(&soft), 0, "the shutter enters no key");
        assert!(largest_difference(&sharp, &soft) > 0.02, "{}", largest_difference(&sharp, &soft));
        let ratio = total(&soft, 3) / total(&sharp, 3);
        assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
        assert!(bits(&soft) == bits(&node.frame(7.0).expect("renders")));
        node.set("output", "Depth").expect("set");
        let data = node.frame(7.0).expect("renders");
        node.set("output", "Beauty").expect("set");
        node.set("shutter", 0.0).expect("set");
        node.set("output", "Depth").expect("set");
        assert!(bits(&data) == bits(&node.frame(7.0).expect("renders")), "data is sharp");
    });
}

#[test]
fn the_shutter_blurs_by_the_motion_of_camera_and_box() {
    NODE.process(2, |plugin| {
        let still = bare(plugin).set("timeScale", 0.001).set("preroll", 8);
        let sharp = still.create().expect("a node").frame(5.0).expect("renders");
        let moving = |name: &str, from: [f64; 2], to: [f64; 2]| {
            let node =
                bare(plugin).set("timeScale", 0.001).set("preroll", 8).set("shutter", 1.0).set("shutterSamples", 8);
            node.key(name, 0.0, from).key(name, 10.0, to).create().expect("a node").frame(5.0).expect("renders")
        };
        // At frame 5 the box stands where it does by default, and moves by 12 pixels a frame.
        let panned = moving("boxCentre", [48.0 - 60.0, 32.0], [48.0 + 60.0, 32.0]);
        let widest = |frame: &Frame| {
            let seen = |at: &usize| frame.rgba().iter().skip(*at).step_by(96).any(|pixel| pixel[3] > 0.02);
            (0..96).filter(seen).count()
        };
        assert!(widest(&panned) >= widest(&sharp) + 6, "{} {}", widest(&panned), widest(&sharp));
        assert!((total(&panned, 3) / total(&sharp, 3) - 1.0).abs() < 0.03);
    });
}
