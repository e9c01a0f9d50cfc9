//! Every device gives the bits of the reference, with any settings, at any size, for any number of threads.

mod record;
mod water;

use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::water::settings::{Emitter, SourceMode};
use flow_ofx::sim::{
    Interrupted,
    water::{Device, State, next_frame, start_frame},
};
use proptest::prelude::*;
use record::{Record, in_full};
use water::{EDGES, MODELS, Shot, brief, disc, only, play, shot};

const SIZES: [(usize, usize); 10] =
    [(1, 1), (1, 9), (9, 1), (2, 2), (3, 2), (17, 23), (40, 11), (33, 34), (2, 21), (64, 5)];

/// Compares all frames with those of the reference, and returns their number.
fn agree(truth: &[State], shot: &Shot, device: &dyn Device, what: &str) -> usize {
    let found = play(shot, device);
    for (i, (a, b)) in truth.iter().zip(&found).enumerate() {
        assert!(a.water().height == b.water().height, "{what}: heights differ in frame {i}");
        assert!(a.water().flow == b.water().flow, "{what}: flows differ in frame {i}");
        assert!(a.water().pigment == b.water().pigment, "{what}: pigment differs in frame {i}");
        assert_eq!(a.ledger(), b.ledger(), "{what}: ledgers in frame {i}");
        assert!(a == b, "{what}: states differ in frame {i}");
    }
    truth.len()
}

/// Checks the number of frames found equal, by device.
fn equal(gate: &'static str, counts: impl IntoIterator<Item = (String, usize)>) {
    let mut record = Record::new(gate, "CPU");
    record.under("random scenes with all features on");
    for (what, frames) in counts {
        record.row(what, "all equal", frames as f64);
    }
    record.save();
}

#[test]
fn every_kernel_gives_the_bits_of_the_plain_step_in_every_mode_and_size() {
    assert!(Isa::available().contains(&Isa::Baseline));
    let mut found: Vec<(Isa, Cpu, usize)> =
        Isa::available().into_iter().map(|isa| (isa, Cpu::with_isa(1, isa), 0)).collect();
    for (width, height) in SIZES {
        for model in MODELS {
            for edges in EDGES {
                let first = (width + height) as u64 % 6;
                for seed in if in_full() { 0..6 } else { first..first + 1 } {
                    let shot = shot(seed, width, height, model, edges, 5);
                    let truth = play(&shot, &Reference);
                    for (isa, cpu, frames) in &mut found {
                        let what = format!("{isa:?} {width}x{height} {model:?} {edges:?} seed {seed}");
                        *frames += agree(&truth, &shot, cpu, &what);
                    }
                }
            }
        }
    }
    let what = |isa: Isa| format!("frames of {} small sizes: {} against the reference step", SIZES.len(), isa.name());
    let counts = found.into_iter().map(|(isa, _, frames)| (what(isa), frames));
    equal("water-kernels", counts);
}

#[test]
fn tiles_and_bands_change_no_bit() {
    let mut frames = 0;
    let mut most = [0; 3];
    // Several tiles wide and several bands high, with remainders of every size.
    for (seed, (width, height)) in [(517, 389), (4097, 3), (3, 700), (1100, 67)].into_iter().enumerate() {
        let combined = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (2, 1)];
        for (model, edges) in combined.into_iter().take(if in_full() { 6 } else { 3 }) {
            // Several sweeps of several steps.
            let mut shot = brief(shot(seed as u64 + 40, width, height, MODELS[model], EDGES[edges], 2), 12);
            for (settings, _) in &mut shot.frames {
                settings.substeps = settings.substeps.max([1, 1, 9, 5][seed]);
            }
            let truth = play(&shot, &Reference);
            let (settings, inputs) = &shot.frames[1];
            let taken = next_frame(&shot.spec, &truth[0], settings, inputs, &Cpu::new(2), &mut || true);
            most[model] = most[model].max(taken.expect("goes on").1.steps);
            for isa in Isa::available() {
                let what = format!("{isa:?} {width}x{height} {model} {edges}");
                frames += agree(&truth, &shot, &Cpu::with_isa(2, isa), &what);
            }
        }
    }
    assert!(most.iter().all(|steps| *steps > 8), "{most:?} steps at most, by model: too few for several sweeps");
    equal("water-tiles", [("frames of several tiles and bands, every instruction set".to_owned(), frames)]);
}

#[test]
fn dry_land_beside_moving_water_agrees_with_the_reference() {
    // One device for all, so that scratch rows are reused from wide grids to narrow ones and back: water at the right
    // end of a wide grid must not reappear in another.
    let devices: Vec<Cpu> = Isa::available().into_iter().map(|isa| Cpu::with_isa(1, isa)).collect();
    let mut dry = 0;
    for (model, edges) in [(0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 2)] {
        let scenes = [(490, 0.96), (300, 0.5), (490, 0.05), (700, 0.3), (300, 0.9), (1010, 0.5)];
        for (width, at) in scenes.into_iter().take(if in_full() { 6 } else { 3 }) {
            let mut shot = shot(width as u64 + 70, width, 24, MODELS[model], EDGES[edges], 4);
            shot.spec.grid.cells_per_pixel = 1.0;
            let origin = shot.spec.grid.origin;
            for (settings, inputs) in &mut shot.frames {
                let centre = [origin[0] + at * width as f64, origin[1] + 12.0];
                let colour = [0.2, 0.5, 1.0];
                settings.emitters = only(Emitter { rate: 0.2, colour, ..disc(centre, centre, 6.0) });
                (settings.rain, settings.time_scale, settings.speed, settings.substeps) = (0.0, 1.0, 3.0, 5);
                settings.source_mode = SourceMode::StartFrame;
                (inputs.source, inputs.mask, inputs.obstacles) = (None, None, None);
            }
            let truth = play(&shot, &Reference);
            for device in &devices {
                assert!(truth == play(&shot, device), "{} {width} {model} {edges}", device.name());
            }
            dry += usize::from(truth.last().is_some_and(|last| last.wet_share() < 0.5 && last.water_units() > 0));
        }
    }
    assert!(dry >= if in_full() { 20 } else { 10 }, "only {dry} of the scenes stayed mostly dry");
}

#[test]
fn many_steps_agree_with_the_reference() {
    let mut frames = 0;
    for model in [MODELS[0], MODELS[2]] {
        let mut shot = shot(9, 70, 50, model, EDGES[1], if in_full() { 40 } else { 12 });
        for (settings, _) in &mut shot.frames {
            (settings.time_scale, settings.substeps) = (1.0, 13);
        }
        let truth = play(&shot, &Reference);
        for isa in Isa::available() {
            frames += agree(&truth, &shot, &Cpu::with_isa(2, isa), &format!("{isa:?} {model:?}"));
        }
    }
    equal("water-long", [("frames of many steps, every instruction set".to_owned(), frames)]);
}

#[test]
fn slow_water_agrees_with_the_reference() {
    // Coefficients below 2^−17, and those whose rounding needs more than 32 bits.
    for speed in [1e-3, 3e-5, 1e-6] {
        let mut shot = shot(21, 40, 30, MODELS[0], EDGES[0], 4);
        for (settings, _) in &mut shot.frames {
            (settings.speed, settings.time_scale) = (speed, 1.0);
        }
        agree(&play(&shot, &Reference), &shot, &Cpu::new(2), &format!("speed {speed}"));
    }
}

#[test]
fn threads_change_no_bit() {
    let mut frames = 0;
    // Several bands of rows.
    for model in MODELS {
        for (seed, edges) in EDGES.into_iter().enumerate() {
            let shot = shot(seed as u64 + 100, 301, 211, model, edges, 3);
            let one = play(&shot, &Cpu::new(1));
            for threads in [2, 8] {
                assert!(one == play(&shot, &Cpu::new(threads)), "{model:?} {edges:?} {threads} threads");
                frames += one.len();
            }
        }
    }
    equal("water-threads", [("frames on 2 and on 8 threads against 1".to_owned(), frames)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if in_full() { 400 } else { 120 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_scenes_agree(seed: u64, width in 1usize..50, height in 1usize..50, model in 0usize..3, edges in 0usize..3) {
        let shot = shot(seed, width, height, MODELS[model], EDGES[edges], 4);
        let truth = play(&shot, &Reference);
        for isa in Isa::available() {
            let what = format!("{isa:?} seed {seed} {width}x{height} {:?} {:?}", MODELS[model], EDGES[edges]);
            agree(&truth, &shot, &Cpu::with_isa(2, isa), &what);
        }
    }
}

#[test]
fn an_interruption_before_any_step_drops_the_frame() {
    let shot = shot(3, 20, 20, MODELS[0], EDGES[0], 1);
    let (mut settings, inputs) = shot.frames[0].clone();
    (settings.time_scale, settings.substeps) = (1.0, 40);
    let cpu = Cpu::new(2);
    let start = start_frame(&shot.spec, &settings, &inputs, &cpu).0;
    let mut asked = 0;
    let stopped = next_frame(&shot.spec, &start, &settings, &inputs, &cpu, &mut || {
        asked += 1;
        asked < 7
    });
    assert!(matches!(stopped, Err(Interrupted)));
    assert_eq!(asked, 7);
    let (_, diagnostics) = next_frame(&shot.spec, &start, &settings, &inputs, &cpu, &mut || true).expect("goes on");
    assert!(diagnostics.steps >= 40);
}

#[test]
#[cfg(target_os = "linux")]
fn dropping_the_device_joins_its_threads() {
    // Only the thread pool of this test has a 48th thread.
    let alive = || {
        let tasks = std::fs::read_dir("/proc/self/task").expect("a process has tasks").flatten();
        tasks.filter_map(|t| std::fs::read_to_string(t.path().join("comm")).ok()).any(|n| n.trim() == "flow-cpu-47")
    };
    let cpu = Cpu::new(48);
    assert_eq!(cpu.threads(), 48);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while !alive() {
        assert!(std::time::Instant::now() < deadline, "the threads never started");
        std::thread::yield_now();
    }
    drop(cpu);
    assert!(!alive());
}
