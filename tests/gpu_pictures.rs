//! Layers painted on a graphics device have the bits of those painted on the CPU.

mod device;
mod record;
mod water;

use device::{Tested, any, opened};
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::compute::gpu::Options;
use flow_ofx::sim::water::buffers::RawLayer;
use flow_ofx::sim::water::{Device as _, State, start_frame};
use record::Record;
use water::{EDGES, MODELS, Shot, play, shot};

const LAYERS: [RawLayer; 4] = [RawLayer::Water, RawLayer::Height, RawLayer::Cross, RawLayer::Diagonal];

/// A layer computed on the CPU.
fn rows(state: &State, layer: RawLayer) -> Vec<[u32; 4]> {
    let width = state.grid().width;
    let row = |y| {
        let mut row = vec![[f32::NAN; 4]; width];
        match layer {
            RawLayer::Water => state.water_row(y, &mut row),
            RawLayer::Height => state.height_row(y, &mut row),
            RawLayer::Cross => state.cross_row(y, &mut row),
            RawLayer::Diagonal => state.diagonal_row(y, &mut row),
        }
        row.into_iter().map(|pixel| pixel.map(f32::to_bits))
    };
    (0..state.grid().height).flat_map(row).collect()
}

/// Runs a shot frame by frame; every frame simulated on the device is painted there before its planes are downloaded.
fn painted_alike(shot: &Shot, tested: &Tested, layer: RawLayer, what: &str) -> usize {
    let truth = play(shot, &Reference);
    let (settings, inputs) = &shot.frames[0];
    let mut state = start_frame(&shot.spec, settings, inputs, &tested.device).0;
    let mut painted = 0;
    for (nth, (settings, inputs)) in shot.frames.iter().enumerate().skip(1) {
        state = water::step(&shot.spec, &state, settings, inputs, &tested.device);
        let Some(picture) = state.picture(layer) else { continue };
        painted += 1;
        let wanted = rows(&truth[nth], layer);
        assert_eq!(picture.len(), wanted.len());
        for (at, (found, wanted)) in picture.iter().zip(&wanted).enumerate() {
            let found = found.map(f32::to_bits);
            assert_eq!(
                found,
                *wanted,
                "{what}: {layer:?} at cell {at} of frame {nth}: {:?}",
                found.map(f32::from_bits)
            );
        }
        // The planes can still be downloaded; afterwards the device paints no more.
        assert!(state == truth[nth], "{what}");
        assert_eq!(state.picture(layer), None);
    }
    painted
}

#[test]
fn every_layer_has_the_bits_of_the_cpu() {
    let whole = any();
    let split = opened(Options { largest_buffer: Some(41 * 8 * 4 * 9), ..Options::default() });
    let mut painted = 0;
    for (nth, layer) in (0..).zip(LAYERS.into_iter().cycle().take(96)) {
        let (model, edges) = (MODELS[nth / 4 % 3], EDGES[nth / 12 % 3]);
        let mut shot = shot(nth as u64 + 900, 39, 22, model, edges, 4);
        shot.spec.constants.colour_range = [16.0, 0.37, 60000.0, 1.1e-3][nth / 24];
        for (settings, _) in &mut shot.frames {
            settings.time_scale = 0.7;
            // Painting on the CPU downloads the planes first.
            (settings.foam, settings.dry_frames) = (None, None);
            (settings.goal_strength, settings.obstacle_drag) = (0.0, 0.0);
        }
        let tested = if nth % 3 == 0 { &split } else { &whole };
        painted += painted_alike(&shot, tested, layer, &format!("{model:?} {edges:?} {nth}"));
    }
    // All frames except those without a step.
    assert!(painted > 200, "{painted} pictures");
    whole.assert_worked(100);
    split.assert_worked(50);
    let mut record = Record::new("water-painted", "GPU").on(whole.device.name());
    record.under("random scenes with all features on");
    record.row("layers painted on the device", "all equal", painted as f64);
    record.save();
}
