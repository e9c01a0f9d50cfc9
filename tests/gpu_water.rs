//! A graphics device gives the bits of the reference with any settings, at any size, in one partition or several.

mod device;
mod record;
mod water;

use device::{Tested, any, opened};
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::compute::gpu::Options;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::Settings;
use flow_ofx::sim::{
    Interrupted,
    water::{Device, State, next_frame, start_frame},
};
use proptest::prelude::*;
use record::{Record, in_full};
use water::{EDGES, MODELS, Shot, brief, play, shot};

const SIZES: [(usize, usize); 8] = [(1, 1), (1, 9), (9, 1), (2, 2), (3, 2), (17, 23), (40, 11), (33, 34)];

/// Compares all frames, and returns their number.
fn agree(shot: &Shot, device: &dyn Device, what: &str) -> usize {
    let truth = play(shot, &Reference);
    same(&truth, &play(shot, device), what);
    truth.len()
}

/// Checks the number of frames found equal.
fn equal(gate: &'static str, device: String, what: &str, frames: usize) {
    let mut record = Record::new(gate, "GPU").on(device);
    record.under("random scenes with all features on");
    record.row(what, "all equal", frames as f64);
    record.save();
}

fn same(truth: &[State], found: &[State], what: &str) {
    for (i, (a, b)) in truth.iter().zip(found).enumerate() {
        assert_eq!(a.ledger(), b.ledger(), "{what}: ledgers in frame {i}");
        assert_eq!(a.totals(), b.totals(), "{what}: totals in frame {i}");
        assert_eq!(a.wet_share(), b.wet_share(), "{what}: wet cells in frame {i}");
        assert!(a.water().height == b.water().height, "{what}: heights differ in frame {i}");
        assert!(a.water().flow == b.water().flow, "{what}: flows differ in frame {i}");
        assert!(a.water().pigment == b.water().pigment, "{what}: pigment differs in frame {i}");
        assert!(a == b, "{what}: states differ in frame {i}");
    }
}

/// A device whose buffers hold this number of rows of grids of that width.
fn split(width: usize, rows: usize) -> Tested {
    opened(Options { largest_buffer: Some(((width + 2) * 8 * 4 * rows) as u64), ..Options::default() })
}

#[test]
fn the_passes_give_the_bits_of_the_plain_step_in_every_mode_and_size() {
    let gpu = any();
    let mut frames = 0;
    for (width, height) in SIZES {
        for model in MODELS {
            for edges in EDGES {
                let first = (width + height) as u64 % 4;
                for seed in if in_full() { 0..4 } else { first..first + 1 } {
                    let shot = shot(seed, width, height, model, edges, 5);
                    frames += agree(&shot, &gpu.device, &format!("{width}x{height} {model:?} {edges:?} seed {seed}"));
                }
            }
        }
    }
    gpu.assert_worked(if in_full() { 500 } else { 200 });
    equal(
        "water-passes",
        gpu.device.name(),
        &format!("frames of {} small sizes against the reference step", SIZES.len()),
        frames,
    );
}

#[test]
fn partitioned_grids_have_no_seams() {
    let (mut frames, mut name) = (0, String::new());
    for (width, height, rows) in [(17, 23, 3), (40, 11, 5), (9, 64, 20), (2, 21, 3), (1, 9, 4)] {
        let gpu = split(width, rows);
        for model in MODELS {
            for edges in EDGES {
                let first = (width + height) as u64 % 4;
                for seed in if in_full() { 0..4 } else { first..first + 1 } {
                    let shot = shot(seed + 50, width, height, model, edges, 4);
                    let what = format!("{width}x{height} by {rows} {model:?} {edges:?} seed {seed}");
                    frames += agree(&shot, &gpu.device, &what);
                }
            }
        }
        gpu.assert_worked(if in_full() { 40 } else { 10 });
        name = gpu.device.name();
    }
    equal("water-slabs", name, "frames of grids in several partitions", frames);
}

#[test]
fn odd_sizes_agree_with_the_reference() {
    let gpu = any();
    let mut equal_frames = 0;
    for (nth, (width, height, frames)) in [(517, 389, 3), (4097, 3, 3), (3, 4097, 3)].into_iter().enumerate() {
        for model in MODELS {
            let edges = EDGES[(nth + usize::from(model == MODELS[1])) % 3];
            let shot = brief(shot(nth as u64 + 7, width, height, model, edges, frames), 12);
            equal_frames += agree(&shot, &gpu.device, &format!("{width}x{height} {model:?} {edges:?}"));
        }
    }
    gpu.assert_worked(10);
    equal("water-odd", gpu.device.name(), "frames of large and odd sizes", equal_frames);
}

#[test]
fn five_hundred_steps_agree_with_the_reference() {
    let gpu = any();
    let mut frames = 0;
    // A software graphics device takes half a minute for each.
    let scenes = if in_full() { EDGES.len() } else { 1 };
    for (seed, edges) in EDGES.into_iter().enumerate().take(scenes) {
        let mut shot = shot(seed as u64 + 300, 61, 47, MODELS[seed % 3], edges, 3);
        for (settings, _) in &mut shot.frames {
            (settings.time_scale, settings.substeps) = (1.0, 250);
        }
        frames += agree(&shot, &gpu.device, &format!("{edges:?}"));
    }
    gpu.assert_worked(2 * scenes as u64);
    equal("water-500", gpu.device.name(), "frames of 500 steps in all", frames);
}

#[test]
fn states_survive_download_and_upload() {
    // More branches from one state than the device keeps, and a second device without any of them.
    let (first, second) = (any(), any());
    let mut shot = shot(11, 45, 31, MODELS[0], EDGES[1], 9);
    shot.frames.iter_mut().for_each(|(settings, _)| settings.time_scale = 1.0);
    let truth = play(&shot, &Reference);
    let mut states = vec![play_one(&shot, None, 0, &first.device)];
    for frame in 1..9 {
        let device = if frame % 3 == 0 { &second.device } else { &first.device };
        states.push(play_one(&shot, states.last(), frame, device));
    }
    for frame in [8, 1, 5, 2, 7] {
        states[frame] = play_one(&shot, Some(&states[frame - 1]), frame, &first.device);
    }
    same(&truth, &states, "branches");
    first.assert_worked(5);
    second.assert_worked(2);
}

fn play_one(shot: &Shot, before: Option<&State>, frame: usize, device: &dyn Device) -> State {
    let (settings, inputs) = &shot.frames[frame];
    match before {
        None => flow_ofx::sim::water::start_frame(&shot.spec, settings, inputs, device).0,
        Some(before) => water::step(&shot.spec, before, settings, inputs, device),
    }
}

#[test]
fn an_interruption_before_any_step_drops_the_frame() {
    let shot = shot(3, 20, 20, MODELS[0], EDGES[0], 1);
    let (mut settings, inputs) = shot.frames[0].clone();
    (settings.time_scale, settings.substeps) = (1.0, 40);
    let gpu = any();
    let start = start_frame(&shot.spec, &settings, &inputs, &gpu.device).0;
    // The device is open now.
    next_frame(&shot.spec, &start, &settings, &inputs, &gpu.device, &mut || true).expect("goes on");
    let mut asked = 0;
    let stopped = next_frame(&shot.spec, &start, &settings, &inputs, &gpu.device, &mut || {
        asked += 1;
        asked < 7
    });
    assert!(matches!(stopped, Err(Interrupted)));
    assert_eq!(asked, 7);
    gpu.assert_worked(1);
}

#[test]
fn a_large_grid_is_partitioned_by_the_devices_buffer_limit() {
    // Over 128 MiB of flows: more than lavapipe binds in one buffer.
    let spec = water::spec(4096, 2160, MODELS[0], EDGES[1]);
    let settings = Settings { substeps: 1, speed: 0.4, smoothing: 0.1, push: [0.1, 0.03], ..water::settings() };
    let inputs = Inputs {
        source: water::water(&spec, |x, y| if (x / 64 + y / 64) % 3 == 0 { 0.5 + (x % 17) as f64 * 0.01 } else { 0.0 }),
        terrain: water::grey(&spec, |x, y| ((x * 7 + y * 13) % 101) as f64 * 0.002),
        ..Inputs::default()
    };
    let (gpu, cpu) = (any(), flow_ofx::compute::cpu::Cpu::new(2));
    let start = start_frame(&spec, &settings, &inputs, &cpu).0;
    let truth = water::step(&spec, &start, &settings, &inputs, &cpu);
    let found = water::step(&spec, &start, &settings, &inputs, &gpu.device);
    same(&[truth], &[found], "4096x2160");
    gpu.assert_worked(1);
    equal(
        "water-large",
        gpu.device.name(),
        "a frame of 4096×2160, more than the device binds at once, against the CPU",
        1,
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if in_full() { 150 } else { 60 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_scenes_agree(seed: u64, width in 1usize..50, height in 1usize..50, model in 0usize..3, edges in 0usize..3) {
        static GPU: std::sync::OnceLock<Tested> = std::sync::OnceLock::new();
        let gpu = GPU.get_or_init(any);
        let shot = shot(seed, width, height, MODELS[model], EDGES[edges], 4);
        let what = format!("seed {seed} {width}x{height} {:?} {:?}", MODELS[model], EDGES[edges]);
        let before = gpu.graphics.frames();
        agree(&shot, &gpu.device, &what);
        let steps = shot.frames[1..].iter().filter(|(s, _)| s.time_scale > 0.0).count();
        gpu.assert_worked(before + steps as u64);
    }
}
