//! Coloured smoke before a bright picture.

use flow_host::NodeBuilder;

use crate::{NODE, bare};

#[test]
fn ink_over_its_plate_is_the_plate_times_the_transmittance() {
    const PLATE: [f32; 3] = [0.9, 0.8, 0.7];
    NODE.process(2, |plugin| {
        let pixels = |output: &str, set: &dyn Fn(NodeBuilder) -> NodeBuilder| {
            let node = set(bare(plugin).set("output", output).set("absorption", [1.0, 0.6, 0.1]));
            node.create().expect("a node").frame(8.0).expect("renders").rgba()
        };
        let clear = pixels("Transmittance", &|node| node);
        let dark = |node: NodeBuilder| node.set("albedo", [0.0; 3]);
        let ink = pixels("Beauty", &|node| dark(node).set("lightBehind", PLATE.map(f64::from)));
        let least = clear.iter().map(|pixel| pixel[0]).fold(1.0, f32::min);
        assert!(least < 0.5, "{least}");
        for (ink, clear) in ink.iter().zip(&clear) {
            for channel in 0..3 {
                let over = ink[channel] + (1.0 - ink[3]) * PLATE[channel];
                let truth = PLATE[channel] * clear[channel];
                assert!((over - truth).abs() < 1e-5, "{over} {truth}");
            }
        }
        let (plain, same) = (pixels("Beauty", &dark), pixels("Beauty", &|node| dark(node).set("absorption", [1.0; 3])));
        assert!(plain.iter().chain(&same).all(|pixel| pixel[..3] == [0.0; 3]), "nothing is added without it");
    });
}
