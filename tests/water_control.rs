//! The input Control scales speed, damping and smoothing at its pixels; absorbing edges reflect hardly any
//! wave, and keep their water.

mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Edges, Model, Settings};
use flow_ofx::sim::water::{Spec, State};
use water::{MODELS, height, pixels, run, settings, spec, water};

/// A pond with a mound, and constant red, green and blue.
fn pond(model: Model, shares: Option<[f64; 3]>) -> (Spec, Inputs) {
    let spec = spec(150, 9, model, Edges::Closed);
    let mound = |x: usize| 0.5 * (-((x as f64 - 40.0) / 6.0).powi(2)).exp();
    let control = shares.map(|[r, g, b]| pixels(&spec, |_, _| [r, g, b, 0.0]));
    let inputs = Inputs { source: water(&spec, |x, _| 1.0 + mound(x)), control, ..Inputs::default() };
    (spec, inputs)
}

/// A step in which all three factors matter.
fn busy() -> Settings {
    // Waves move a pixel per frame in all models.
    Settings {
        speed: 1.0,
        flow_rate: 1.0 / 96.0,
        gravity: 1.0,
        friction: 0.001,
        damping: 0.1,
        smoothing: 0.2,
        substeps: 4,
        ..settings()
    }
}

fn after(model: Model, shares: Option<[f64; 3]>, settings: &Settings) -> State {
    let (spec, inputs) = pond(model, shares);
    run(&spec, settings, &inputs, &Cpu::new(1), 12)
}

#[test]
fn white_has_no_effect_and_each_channel_scales_its_factor() {
    for model in MODELS {
        let plain = after(model, None, &busy());
        assert_eq!(after(model, Some([1.0; 3]), &busy()), plain, "{model:?}: white");
        assert_eq!(after(model, Some([7.0, 1.5, f64::from(f32::MAX)]), &busy()), plain, "{model:?}: more than white");
        let undamped = Settings { damping: 0.0, ..busy() };
        assert_eq!(
            after(model, Some([1.0, 0.0, 1.0]), &busy()).water(),
            after(model, None, &undamped).water(),
            "{model:?}: green"
        );
        if model == Model::Pipes {
            let rough = after(model, None, &Settings { smoothing: 0.0, ..busy() });
            let masked = after(model, Some([1.0, 1.0, 0.0]), &busy());
            assert_eq!(masked.water(), rough.water(), "blue");
            assert_ne!(masked.water(), plain.water(), "smoothing matters here");
        }
        let (spec, inputs) = pond(model, Some([0.0, 1.0, 1.0]));
        let stopped = after(model, Some([0.0, 1.0, 1.0]), &busy());
        let start = flow_ofx::sim::water::start_frame(&spec, &busy(), &inputs, &Cpu::new(1)).0;
        assert_eq!(stopped.water(), start.water(), "{model:?}: red of 0 is water that nothing moves");
        assert_ne!(plain.water(), start.water());
    }
}

#[test]
fn half_red_halves_the_speed() {
    // Position of the front that moves to the right, frame by frame.
    for model in MODELS {
        let crest = |state: &State| {
            let row = (60..150).map(|x| height(state, x, 4));
            row.enumerate().fold((0, 0.0), |best, (x, h)| if h > best.1 { (x, h) } else { best }).0 as f64 + 60.0
        };
        let settings = Settings { damping: 0.0, smoothing: 0.05, friction: 0.0, ..busy() };
        let way = |shares: Option<[f64; 3]>| {
            let (spec, inputs) = pond(model, shares);
            // Far enough for the mound to have split, but not as far as the wall.
            let (early, late) = match shares {
                None => (35, 60),
                Some(_) => (70, 120),
            };
            let at = |frames| crest(&run(&spec, &settings, &inputs, &Cpu::new(1), frames));
            (at(late) - at(early)) / f64::from(late as u32 - early as u32)
        };
        let (full, half) = (way(None), way(Some([0.5, 1.0, 1.0])));
        assert!((half / full - 0.5).abs() < 0.04, "{model:?}: {half} of {full} pixels per frame");
        assert!(full > 0.3, "{model:?}: {full}");
    }
}

/// Remaining height in the middle of a long tank of a wave packet of wavelength `length` that has split and reached
/// both ends, relative to either half. `scale`: cells per pixel.
fn left_over(model: Model, length: f64, width: f64, absorb: bool, scale: f64) -> f64 {
    let pixels_wide = 1400.0;
    let mut spec = spec((pixels_wide * scale) as usize, 3, model, Edges::Closed);
    spec.grid.cells_per_pixel = scale;
    spec.constants.max_height = 2.0;
    // Left, bottom, right, top.
    spec.constants.absorb = if absorb { [true, false, true, false] } else { [false; 4] };
    let amplitude = 0.002;
    let packet = |x: usize| {
        let at = (x as f64 + 0.5) / scale - pixels_wide / 2.0;
        amplitude * (-(at / (1.5 * length)).powi(2)).exp() * (std::f64::consts::TAU * at / length).cos()
    };
    let inputs = Inputs { source: water(&spec, |x, _| 1.0 + packet(x)), ..Inputs::default() };
    let speed = 4.0;
    let settings = Settings {
        speed,
        gravity: speed * speed,
        // √(6 · rate) cells per step.
        flow_rate: (speed * scale / 4.0_f64).powi(2) / 6.0 / 16.0,
        substeps: if model == Model::Classic { 16 } else { 1 },
        absorb_width: width,
        ..settings()
    };
    // To the ends, and most of the way back.
    let frames = (1.4 * pixels_wide / 2.0 / speed) as usize + (2.0 * length / speed) as usize;
    let state = run(&spec, &settings, &inputs, &Cpu::new(1), frames);
    assert_eq!(state.water_units(), state.ledger().start[0], "no water is lost");
    let mean = state.water_units() as f64 / state.units() / state.grid().cells() as f64;
    let inside = (width * scale) as usize..spec.grid.width - (width * scale) as usize;
    inside.map(|x| (height(&state, x, 1) - mean).abs()).fold(0.0, f64::max) / (amplitude / 2.0)
}

#[test]
fn an_absorbing_edge_reflects_less_than_two_percent() {
    for model in MODELS {
        for (length, width, scale) in [(30.0, 100.0, 1.0), (60.0, 100.0, 1.0), (100.0, 100.0, 1.0), (60.0, 60.0, 0.5)] {
            let (absorbed, closed) =
                (left_over(model, length, width, true, scale), left_over(model, length, width, false, scale));
            println!("{model:?}, waves of {length} into {width} at {scale}: {absorbed:.4} (a wall: {closed:.3})");
            if model == Model::Classic {
                // The edges damp waves of this length by themselves, and reflect shorter ones.
                assert!(absorbed < 0.8 * closed || closed < 0.02, "{absorbed} of {closed}");
                continue;
            }
            assert!(absorbed < 0.02, "{model:?}, waves of {length} into {width} at {scale}: {absorbed}");
            assert!(closed > 0.9, "{model:?}: a wall sends waves back, {closed}");
        }
    }
}

#[test]
fn only_absorbing_sides_absorb() {
    let mut spec = spec(80, 60, Model::Pipes, Edges::Closed);
    spec.constants.absorb = [true, false, false, false];
    let mound = |x: usize, y: usize| {
        let (dx, dy) = (x as f64 - 39.5, y as f64 - 29.5);
        0.2 * (-(dx * dx + dy * dy) / 40.0).exp()
    };
    let inputs = Inputs { source: water(&spec, |x, y| 1.0 + mound(x, y)), ..Inputs::default() };
    let settings = Settings { speed: 2.0, absorb_width: 30.0, ..settings() };
    let state = run(&spec, &settings, &inputs, &Cpu::new(1), 22);
    let unrest = |columns: std::ops::Range<usize>| {
        let cells = columns.flat_map(|x| (0..60).map(move |y| (x, y)));
        cells.map(|(x, y)| (height(&state, x, y) - 1.0).powi(2)).sum::<f64>()
    };
    let (left, right) = (unrest(0..12), unrest(68..80));
    assert!(left < 0.3 * right, "{left} to the left, {right} to the right");
    assert_eq!(state.ledger().since.drained, [0; 4]);
}
