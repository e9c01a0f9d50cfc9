//! Inflow and outflow by the settings: sources, emitter, rain, mask, evaporation, at any resolution.

mod water;

use std::f64::consts::PI;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::inputs::{Inputs, SourcePixels};
use flow_ofx::sim::water::settings::{Channel, EMITTERS, Edges, Emitter, Foam, Model, Settings, Shape, SourceMode};
use flow_ofx::sim::water::{Diagnostics, Spec, State, next_frame, part_frame, start_frame};
use water::{Dice, MODELS, disc, height, only, pixels, settings, solid, spec, step, water};

/// Volume of water in a state, height times pixels.
fn volume(state: &State) -> f64 {
    let g = state.grid().cells_per_pixel;
    state.water_units() as f64 / state.units() / (g * g)
}

fn grid(g: f64, width: f64, height: f64) -> Spec {
    let mut spec = spec((width * g) as usize, (height * g) as usize, Model::Pipes, Edges::Closed);
    spec.grid.cells_per_pixel = g;
    spec
}

fn start(spec: &Spec, s: &Settings, inputs: &Inputs) -> (State, Diagnostics) {
    start_frame(spec, s, inputs, &Cpu::new(1))
}

fn next(spec: &Spec, state: &State, s: &Settings, inputs: &Inputs) -> (State, Diagnostics) {
    next_frame(spec, state, s, inputs, &Cpu::new(1), &mut || true).expect("never interrupted")
}

fn emitter(centre: [f64; 2], previous: [f64; 2], radius: f64) -> Settings {
    Settings { emitters: only(Emitter { colour: [0.1, 0.35, 0.6], ..disc(previous, centre, radius) }), ..settings() }
}

#[test]
fn the_emitter_adds_its_volume_at_any_size_and_motion() {
    for g in [0.1, 0.25, 0.5, 1.0, 2.0] {
        let spec = grid(g, 400.0, 200.0);
        for radius in [0.3, 1.0, 3.0, 12.0, 40.0] {
            for to in
                [[200.0, 100.0], [200.37, 100.81], [200.0003, 100.0], [201.0, 101.0], [140.0, 88.0], [60.0, 140.0]]
            {
                let s = emitter(to, [200.0, 100.0], radius);
                let found = volume(&start(&spec, &s, &Inputs::default()).0);
                let expected = 0.05 * PI * radius * radius;
                let off = (found / expected - 1.0).abs();
                assert!(off < 0.002, "g {g} radius {radius} to {to:?}: {found} instead of {expected}");
            }
        }
    }
}

#[test]
fn a_moving_emitter_leaves_a_uniform_stroke() {
    let spec = grid(1.0, 300.0, 60.0);
    let state = start(&spec, &emitter([270.0, 30.0], [30.0, 30.0], 10.0), &Inputs::default()).0;
    // The disc covers a point on the path for 20 of 240 pixels; cells halfway out for the length of the chord.
    for x in 50..250 {
        assert!((height(&state, x, 30) / 0.05 - 20.0 / 240.0).abs() < 0.001, "at {x}: {}", height(&state, x, 30));
        let chord = 2.0 * (100.0f64 - 49.0 + 7.0 - 0.25).sqrt() / 240.0;
        assert!((height(&state, x, 36) / 0.05 - chord).abs() < 0.006, "at {x}: {}", height(&state, x, 36));
    }
    assert_eq!(height(&state, 150, 45), 0.0);
    let still = start(&spec, &emitter([100.0, 30.0], [100.0, 30.0], 10.0), &Inputs::default()).0;
    assert!((height(&still, 100, 30) - 0.05).abs() < 0.0002, "the middle of a still disc has the rate");
    // The resting disc is the limit of the slow one.
    let slow = start(&spec, &emitter([100.002, 30.0], [99.998, 30.0], 10.0), &Inputs::default()).0;
    for y in 0..60 {
        for x in 80..120 {
            assert!((height(&still, x, y) - height(&slow, x, y)).abs() < 1e-5, "{x} {y}");
        }
    }
}

#[test]
fn rain_has_its_mean_and_the_same_drops_at_every_resolution() {
    let s = Settings { rain: 0.01, rain_size: 6.0, seed: 5, ..settings() };
    let full = grid(1.0, 240.0, 160.0);
    let mut sum = 0.0;
    for frame in 0..400 {
        sum += volume(&start(&full, &Settings { frame, ..s }, &Inputs::default()).0);
    }
    let mean = sum / 400.0 / (240.0 * 160.0);
    // About 20 drops a frame, so 8,000 in all: rounding to whole drops leaves 0.1 %.
    assert!((mean / 0.01 - 1.0).abs() < 0.003, "mean {mean}");

    let at = |spec: &Spec, s: Settings| start(spec, &s, &Inputs::default()).0;
    let truth = at(&full, s);
    for g in [0.5, 0.25] {
        let small = at(&grid(g, 240.0, 160.0), s);
        assert!((volume(&small) / volume(&truth) - 1.0).abs() < 1e-4, "g {g}");
        let block = (1.0 / g) as usize;
        let (mut off, mut all) = (0.0, 0.0);
        for y in 0..(160.0 * g) as usize {
            for x in 0..(240.0 * g) as usize {
                let cells = (0..block * block).map(|i| height(&truth, x * block + i % block, y * block + i / block));
                let mean = cells.sum::<f64>() / (block * block) as f64;
                off += (height(&small, x, y) - mean).powi(2);
                all += mean.powi(2);
            }
        }
        let off = (off / all).sqrt();
        assert!(off < 0.25, "g {g}: the drops differ by {off}");
    }
    assert!(at(&full, Settings { frame: 2, ..s }) != truth, "every frame has its own drops");
    assert!(at(&full, Settings { seed: 6, ..s }) != truth, "every seed has its own drops");
    assert!(at(&full, s) == truth);
    let mut high = full;
    high.constants.max_height = 64.0;
    let huge = volume(&at(&high, Settings { rain: 4.0, rain_size: 0.1, ..s })) / (240.0 * 160.0);
    assert!((huge / 4.0 - 1.0).abs() < 0.01, "heavy rain of tiny drops: {huge}");
    // At wrapped edges a drop continues on the other side.
    let mut around = full;
    around.constants.edges = Edges::Wrap;
    let wrapped = at(&around, s);
    assert!((volume(&wrapped) / volume(&truth) - 1.0).abs() < 1e-4);
}

/// A grid of one column, and the source picture that fills it.
fn one(colour: f64, alpha: f64) -> (Spec, Inputs) {
    let spec = spec(1, 1, Model::Pipes, Edges::Closed);
    let pixels = pixels(&spec, |_, _| [colour, colour, colour, alpha]);
    (spec, Inputs { source: Some(SourcePixels { pixels, has_alpha: true, premultiplied: false }), ..Inputs::default() })
}

fn first_pixel(state: &State) -> [f32; 4] {
    let mut row = [[0.0; 4]];
    state.water_row(0, &mut row);
    row[0]
}

#[test]
fn the_four_source_modes_have_their_effect() {
    for model in MODELS {
        let (mut spec, low) = one(0.5, 1.0);
        spec.constants.model = model;
        let high = one(1.0, 2.0).1;
        let s = |mode| Settings { source_mode: mode, ..settings() };
        for mode in water::MODES {
            assert_eq!(
                first_pixel(&start(&spec, &s(mode), &low).0),
                [0.5, 0.5, 0.5, 1.0],
                "the start is the source's water"
            );
        }
        let begin = start(&spec, &s(SourceMode::StartFrame), &low).0;
        let after = |mode, inputs: &Inputs| first_pixel(&next(&spec, &begin, &s(mode), inputs).0);
        assert_eq!(after(SourceMode::StartFrame, &high), [0.5, 0.5, 0.5, 1.0]);
        assert_eq!(after(SourceMode::Add, &high)[3], 3.0);
        assert!((after(SourceMode::Add, &high)[0] - 2.5 / 3.0).abs() < 1e-6);
        assert_eq!(after(SourceMode::Replace, &high), [1.0, 1.0, 1.0, 2.0]);
        assert_eq!(after(SourceMode::Replace, &one(1.0, 0.0).1), [0.5, 0.5, 0.5, 1.0], "nothing where the source is 0");
        assert_eq!(after(SourceMode::Replace, &one(1.0, 0.25).1), [1.0, 1.0, 1.0, 0.25]);
        assert_eq!(after(SourceMode::FillUp, &high), [0.75, 0.75, 0.75, 2.0], "what comes brings its colour");
        assert_eq!(after(SourceMode::FillUp, &one(1.0, 0.25).1), [0.5, 0.5, 0.5, 1.0]);
        let twice = Settings { time_scale: 2.0, substeps: 3, ..s(SourceMode::Add) };
        assert_eq!(first_pixel(&next(&spec, &begin, &twice, &high).0)[3], 5.0, "amounts scale with time");
        let filled = Settings { time_scale: 2.0, ..s(SourceMode::FillUp) };
        assert_eq!(first_pixel(&next(&spec, &begin, &filled, &high).0)[3], 2.0, "levels do not");
        let dry = Settings { evaporation: 0.3, substeps: 7, ..settings() };
        let dried = first_pixel(&next(&spec, &begin, &dry, &low).0);
        assert!((dried[3] - 0.7).abs() < 1e-6, "evaporation takes its height");
        assert!(dried[0] > 0.5 && dried[0] < 0.72, "and leaves the pigment: {dried:?}");
    }
}

#[test]
fn sources_respect_channels_masks_and_solid_cells() {
    let spec = spec(4, 1, Model::Pipes, Edges::Closed);
    let source = |has_alpha| {
        let pixels = pixels(&spec, |_, _| [0.25, 0.5, 0.75, 1.0]);
        Some(SourcePixels { pixels, has_alpha, premultiplied: false })
    };
    let inputs = Inputs { source: source(true), ..Inputs::default() };
    let heights = |s: &Settings, i: &Inputs| {
        let (state, diagnostics) = start(&spec, s, i);
        ((0..4).map(|x| height(&state, x, 0)).collect::<Vec<_>>(), diagnostics)
    };
    let luminance = 0.2126 * 0.25 + 0.7152 * 0.5 + 0.0722 * 0.75;
    for (channel, value) in [
        (Channel::Alpha, 1.0),
        (Channel::Red, 0.25),
        (Channel::Green, 0.5),
        (Channel::Blue, 0.75),
        (Channel::Luminance, luminance),
    ] {
        let s = Settings { source_channel: channel, source_height: 2.0, ..settings() };
        let (found, diagnostics) = heights(&s, &inputs);
        assert!((found[0] - 2.0 * value).abs() < 1e-7, "{channel:?}: {found:?}");
        assert_eq!(diagnostics.alpha_everywhere, channel == Channel::Alpha);
        assert!(!diagnostics.luminance_for_alpha);
        let rgb = Inputs { source: source(false), ..Inputs::default() };
        let (found, diagnostics) = heights(&s, &rgb);
        let expected = if channel == Channel::Alpha { luminance } else { value };
        assert!((found[0] - 2.0 * expected).abs() < 1e-7, "{channel:?} without alpha: {found:?}");
        assert_eq!(diagnostics.luminance_for_alpha, channel == Channel::Alpha);
        assert!(!diagnostics.alpha_everywhere);
    }

    let mask = pixels(&spec, |x, _| [0.0, 0.0, 0.0, [0.5, 2.0, -1.0, f64::NAN][x]]);
    let obstacles = solid(&spec, |x, _| x == 1);
    for s in [settings(), emitter([2.0, 0.5], [2.0, 0.5], 9.0), Settings { rain: 1.0, rain_size: 30.0, ..settings() }] {
        let free = if s.emitters[0].is_some() || s.rain > 0.0 { Inputs::default() } else { inputs.clone() };
        let (whole, _) = heights(&s, &free);
        let (found, diagnostics) = heights(&s, &Inputs { mask: Some(mask.clone()), ..free.clone() });
        assert!((found[0] - 0.5 * whole[0]).abs() < 1e-7, "{found:?} of {whole:?}");
        assert_eq!(found[1..], [whole[1], 0.0, 0.0], "a mask is held to 0 to 1, and no number is 0");
        assert_eq!(diagnostics.bad_pixels.mask, 1);
        let (found, _) = heights(&s, &Inputs { obstacles: obstacles.clone(), ..free });
        assert_eq!(found, [whole[0], 0.0, whole[2], whole[3]], "sources in solid cells do nothing");
    }
}

#[test]
fn pixels_that_are_not_finite_count_as_0_and_are_reported() {
    let spec = spec(8, 4, Model::Pipes, Edges::Closed);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let some = |channel: usize, n: usize| {
        pixels(&spec, |x, y| {
            let mut p = [0.25; 4];
            if y == 0 && x < n {
                p[channel] = bad[x % 3];
            }
            p
        })
    };
    let s = Settings { source_mode: SourceMode::Add, terrain_channel: Channel::Red, goal_strength: 0.1, ..settings() };
    let inputs = Inputs {
        source: Some(SourcePixels { pixels: some(3, 1), has_alpha: true, premultiplied: false }),
        terrain: Some(some(0, 2)),
        obstacles: Some(some(3, 3)),
        force: Some(some(2, 4)),
        mask: Some(some(3, 5)),
        control: Some(some(1, 6)),
        goal: Some(some(1, 7)),
    };
    let (begin, _) = start(&spec, &s, &inputs);
    let (state, diagnostics) = next(&spec, &begin, &s, &inputs);
    let diagnostics = diagnostics.bad_pixels;
    assert_eq!(
        (
            diagnostics.source,
            diagnostics.terrain,
            diagnostics.obstacles,
            diagnostics.force,
            diagnostics.mask,
            diagnostics.control,
            diagnostics.goal
        ),
        (1, 2, 3, 4, 5, 6, 7)
    );
    assert_eq!(state.terrain().map(|t| (t.at(0, 0, 0), t.at(7, 3, 0))), Some((0, 1 << 23)));
    let colour = Inputs {
        source: Some(SourcePixels { pixels: some(1, 3), has_alpha: true, premultiplied: false }),
        ..Inputs::default()
    };
    let (state, diagnostics) = start(&spec, &s, &colour);
    assert_eq!(diagnostics.bad_pixels.source, 1, "an infinite colour is held to the range, NaN is discarded");
    let mut row = vec![[0.0; 4]; 8];
    state.water_row(0, &mut row);
    assert_eq!([row[0][1], row[1][1], row[2][1], row[3][1]], [0.0, 16.0, 0.0, 0.25]);
}

#[test]
fn amounts_are_distributed_exactly_over_the_steps_of_a_frame() {
    let (mut spec, inputs) = one(0.5, 0.1);
    for model in MODELS {
        spec.constants.model = model;
        for substeps in [1, 3, 7, 1024] {
            let s = Settings { source_mode: SourceMode::Add, substeps, ..settings() };
            let begin = start(&spec, &s, &inputs).0;
            let end = next(&spec, &begin, &s, &inputs).0;
            let twice = begin.totals().map(|v| 2 * v);
            assert_eq!(end.totals(), twice, "{model:?} {substeps}: the shares add up to the amount");
        }
    }
}

#[test]
fn a_partial_frame_adds_its_fraction_of_the_amounts() {
    let cpu = Cpu::new(1);
    let shot = water::shot(11, 21, 18, Model::Pipes, Edges::Closed, 1);
    let (mut s, inputs) = shot.frames[0].clone();
    // A part of a frame has the drops of the whole one, which a slower frame has not.
    (s.time_scale, s.source_mode, s.rain) = (1.0, SourceMode::Add, 0.0);
    let part = |spec: &Spec, state: &State, s: &Settings, t: f64| {
        part_frame(spec, state, s, &inputs, t, &cpu, &mut || true).expect("never interrupted")
    };
    let begin = start_frame(&shot.spec, &s, &inputs, &cpu).0;
    for t in [0.25, 0.5, 0.9] {
        let slow = step(&shot.spec, &begin, &Settings { time_scale: t, ..s }, &inputs, &cpu);
        assert!(part(&shot.spec, &begin, &s, t).0 == slow, "pipes: a frame of time scale {t}");
    }
    assert!(part(&shot.spec, &begin, &s, 0.0).0 == begin);
    assert!(part(&shot.spec, &begin, &s, f64::NAN).0 == begin);

    let mut classic = shot.spec;
    classic.constants.model = Model::Classic;
    s.substeps = 4;
    let begin = start_frame(&classic, &s, &inputs, &cpu).0;
    let steps = |t: f64| part(&classic, &begin, &s, t).1.steps;
    assert_eq!([0.1, 0.25, 0.6, 0.99, 1.0].map(steps), [0, 1, 2, 3, 4]);
    let whole = step(&classic, &begin, &s, &inputs, &cpu);
    assert!(part(&classic, &begin, &s, 1.0).0 == whole, "all of the steps are the frame");
    let half = part(&classic, &begin, &s, 0.5).0.ledger().since.added[0];
    let all = whole.ledger().since.added[0];
    assert!((half as f64 / all as f64 - 0.5).abs() < 1e-3, "half of the shares: {half} of {all}");
}

#[test]
fn extreme_settings_and_pictures_never_panic_and_balance() {
    let mut dice = Dice::new(77);
    let d = &mut dice;
    let values =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, -0.0, 1e300, -1e300, 1e-300, 0.3, 5.0, f64::MAX];
    let cpu = Cpu::new(1);
    for round in 0..600 {
        let model = d.pick(&MODELS);
        let (w, h) = d.pick(&[(1, 1), (1, 7), (6, 1), (5, 4)]);
        let shot = water::shot(round, w, h, model, d.pick(&water::EDGES), 4);
        let mut spec = shot.spec;
        let mut v = || d.pick(&values);
        spec.grid.cells_per_pixel = v();
        spec.grid.origin = [v(), v()];
        spec.constants.max_height = v();
        spec.constants.colour_range = v();
        spec.constants.diagonal_weight = v();
        let mut states: Vec<State> = Vec::new();
        for (s, inputs) in &shot.frames {
            let substeps = [i32::MIN, -1, 0, 2, 5][(round % 5) as usize];
            let s = Settings {
                speed: v().min(if round % 7 == 0 { f64::INFINITY } else { 3.0 }),
                flow_rate: v(),
                gravity: v(),
                friction: v(),
                substeps,
                time_scale: v(),
                damping: v(),
                absorb_width: v(),
                goal_strength: v(),
                goal_velocity: [v(), v()],
                obstacle_drag: v(),
                foam: Some(Foam { amount: v(), steepness: v(), life: v(), shore: v() }),
                dry_frames: Some(v()),
                smoothing: v(),
                source_height: v(),
                rain: v(),
                rain_size: v(),
                rain_colour: [v(), v(), v()],
                evaporation: v(),
                terrain_height: v(),
                terrain_offset: v(),
                push: [v(), v()],
                force_scale: v(),
                pressure_scale: v(),
                emitters: [(); EMITTERS].map(|()| {
                    Some(Emitter {
                        centre: [v(), v()],
                        previous: [v(), v()],
                        shape: [Shape::Disc, Shape::Line, Shape::Ring][(round % 3) as usize],
                        radius: v(),
                        width: v(),
                        angle: v(),
                        softness: v(),
                        rate: v(),
                        colour: [v(), v(), v()],
                    })
                }),
                ..*s
            };
            let state = match states.last() {
                None => start_frame(&spec, &s, inputs, &cpu).0,
                Some(last) => step(&spec, last, &s, inputs, &cpu),
            };
            let ledger = state.ledger();
            for (kind, now) in state.totals().into_iter().enumerate() {
                let l = &ledger.since;
                assert_eq!(
                    now,
                    ledger.start[kind] + l.added[kind] - l.removed[kind] - l.drained[kind] - l.clamped[kind]
                );
            }
            let mut row = vec![[0.0; 4]; w];
            for y in 0..h {
                for layer in [State::water_row, State::height_row, State::cross_row, State::diagonal_row] {
                    layer(&state, y, &mut row);
                    assert!(row.iter().flatten().all(|v| v.is_finite()), "round {round}: {row:?}");
                }
            }
            states.push(state);
        }
    }
}

#[test]
fn missing_pixels_of_a_small_picture_count_as_0() {
    let spec = spec(4, 3, Model::Pipes, Edges::Closed);
    let short = pixels(&water::spec(2, 1, Model::Pipes, Edges::Closed), |_, _| [1.0; 4]);
    let inputs = Inputs {
        source: Some(SourcePixels { pixels: short.clone(), has_alpha: true, premultiplied: false }),
        terrain: Some(short.clone()),
        obstacles: None,
        force: Some(short.clone()),
        mask: Some(short.clone()),
        control: Some(short.clone()),
        goal: Some(short),
    };
    let begin = start(&spec, &settings(), &inputs).0;
    assert_eq!([height(&begin, 0, 0), height(&begin, 2, 0), height(&begin, 0, 1)], [1.0, 0.0, 0.0]);
    next(&spec, &begin, &settings(), &inputs);
    assert!(water(&spec, |_, _| 1.0).is_some());
}

#[test]
fn lines_and_rings_add_the_volume_of_their_area() {
    let spec = spec(160, 120, Model::Pipes, Edges::Closed);
    for (shape, area) in [(Shape::Line, 2.0 * 30.0 * 4.0 + PI * 4.0), (Shape::Ring, 2.0 * PI * 30.0 * 4.0)] {
        for (from, angle) in [([80.0, 60.0], 0.0), ([80.0, 60.0], 33.0), ([50.3, 70.2], 90.0), ([60.0, 55.0], -45.0)] {
            let emitter = Emitter { shape, width: 4.0, angle, ..disc(from, [80.0, 60.0], 30.0) };
            let state = start(&spec, &Settings { emitters: only(emitter), ..settings() }, &Inputs::default()).0;
            let volume = state.water_units() as f64 / state.units();
            assert!((volume / (0.05 * area) - 1.0).abs() < 2e-3, "{shape:?} at {angle}: {volume} of {}", 0.05 * area);
        }
    }
    let at = |shape: Shape, angle: f64, x: usize, y: usize| {
        let emitter = Emitter { shape, width: 4.0, angle, ..disc([80.5, 60.5], [80.5, 60.5], 30.0) };
        let state = start(&spec, &Settings { emitters: only(emitter), ..settings() }, &Inputs::default()).0;
        height(&state, x, y) > 0.02
    };
    assert_eq!(
        [at(Shape::Line, 0.0, 100, 60), at(Shape::Line, 90.0, 100, 60), at(Shape::Line, 90.0, 80, 80)],
        [true, false, true]
    );
    assert_eq!(
        [at(Shape::Ring, 0.0, 80, 60), at(Shape::Ring, 0.0, 110, 60), at(Shape::Ring, 0.0, 80, 30)],
        [false, true, true]
    );
}

#[test]
fn several_emitters_add_up_and_one_alone_is_unchanged() {
    let spec = spec(60, 40, Model::Pipes, Edges::Closed);
    let place = |x: f64| Emitter { colour: [0.5, 0.1, 2.0], ..disc([x, 20.0], [x, 20.0], 6.0) };
    let of = |all: &[Emitter]| {
        let emitters = std::array::from_fn(|nth| all.get(nth).copied());
        start(&spec, &Settings { emitters, ..settings() }, &Inputs::default()).0
    };
    let (left, right, both) = (of(&[place(15.0)]), of(&[place(45.0)]), of(&[place(15.0), place(45.0)]));
    let sum: Vec<i64> = left.totals().iter().zip(right.totals()).map(|(a, b)| a + b).collect();
    assert_eq!(both.totals().to_vec(), sum);
    let twice = of(&[place(15.0), place(15.0)]);
    assert_eq!(twice.totals(), left.totals().map(|v| 2 * v));
}

#[test]
fn waves_swell_to_twice_the_rate_and_fall_to_nothing() {
    use flow_ofx::sim::water::emitter::pulse;
    assert_eq!(pulse(5.0, 0.0, 0.3), 1.0);
    let wave: Vec<f64> = (0..20).map(|frame| pulse(f64::from(frame), 0.05, 0.0)).collect();
    assert!((wave.iter().sum::<f64>() / 20.0 - 1.0).abs() < 1e-12, "the rate is the mean");
    let (low, high) = wave.iter().fold((f64::MAX, 0.0_f64), |(low, high), &v| (low.min(v), high.max(v)));
    assert!(low < 0.02 && high > 1.98, "{low} to {high}");
    assert!((pulse(7.0, 0.05, 0.5) - (2.0 - pulse(7.0, 0.05, 0.0))).abs() < 1e-12, "half a turn on");
    // A wave per frame has the same sum in every frame.
    assert!((pulse(3.0, 1.0, 0.1) - 1.0).abs() < 1e-12);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!((pulse(bad, 0.1, 0.0), pulse(1.0, bad, 0.0), pulse(1.0, 0.1, bad)), (1.0, 1.0, 1.0));
    }
}
