//! Promise: a graphics device gives the bits of the reference step of the ripples, whatever is on, at any size.

#[path = "water_ripples/basin.rs"]
#[expect(dead_code, reason = "the gates of the numerics use the rest")]
mod basin;
mod device;
mod water;

use std::sync::Arc;

use basin::{Basin, deep};
use device::any;
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::sim::water::Device;
use flow_ofx::sim::water::settings::Model;
use water::{Dice, EDGES, brief, play, shot};

#[test]
fn a_graphics_device_gives_the_bits_of_the_reference_step() {
    let gpu = any();
    let mut frames = 0;
    for edges in EDGES {
        for (width, height) in [(1, 1), (3, 2), (33, 34), (70, 45)] {
            for seed in 0..3 {
                let shot = brief(shot(seed, width, height, Model::Ripples, edges, 4), 12);
                let (exact, found) = (play(&shot, &Reference), play(&shot, &gpu.device));
                for (frame, (exact, found)) in exact.iter().zip(&found).enumerate() {
                    assert!(exact == found, "{width} x {height}, {edges:?}, seed {seed}, frame {frame}");
                    frames += 1;
                }
            }
        }
    }
    assert!(frames >= 100, "{frames} frames are equal");
    gpu.assert_worked(20);
}

#[test]
fn waves_at_the_limit_of_their_height_have_the_same_bits() {
    let gpu = any();
    let mut dice = Dice::new(5);
    for edges in EDGES {
        let solid = (0..90 * 61).map(|_| dice.chance(0.2)).collect();
        let mut basin = Basin::new(90, 61, edges, deep(1.0), Some(solid));
        basin.raise(|x, y| if (x / 30 + y / 20) % 2 == 0 { 3.9 } else { -3.9 });
        let plan = Arc::new(basin.plan(6));
        let run = |device: &dyn Device| device.run(&plan, &basin.water, &mut || true).expect("never interrupted");
        let (exact, found) = (run(&Reference), run(&gpu.device));
        assert_eq!(exact.1, found.1, "{edges:?}: mass balances");
        assert!(exact == found, "{edges:?}");
        assert!(exact.1.clamped[0] != 0, "the limit is reached");
    }
}
