//! Exact properties: lakes stay at rest, symmetries hold, water and pigment are conserved.

mod record;
mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::inputs::{Inputs, Pixels, SourcePixels};
use flow_ofx::sim::water::settings::{EMITTERS, Edges, Model, Settings, SourceMode};
use flow_ofx::sim::water::{Spec, State, start_frame};
use record::{Record, Scale};
use water::{Dice, EDGES, MODELS, Shot, play, settings, shot, solid, spec, step, water};

#[test]
fn a_lake_at_rest_over_any_terrain_stays_at_rest() {
    let cpu = Cpu::new(2);
    let (mut lakes, mut moved) = (0, 0);
    for model in MODELS {
        for edges in [Edges::Closed, Edges::Wrap] {
            for seed in 0..3 {
                let mut dice = Dice::new(seed);
                let spec = spec(41, 37, model, edges);
                // Terrain in whole units, so that the surface is flat to the unit.
                let ground: Vec<f64> = (0..41 * 37).map(|_| (dice.unit() * 65536.0).floor() / 65536.0 * 2.0).collect();
                let level = 1.25;
                let depth = |x: usize, y: usize| (level - ground[y * 41 + x]).max(0.0);
                assert!(ground.iter().any(|&z| z > level), "no island");
                let walls = seed == 2;
                let inputs = Inputs {
                    source: water(&spec, depth),
                    terrain: water::grey(&spec, |x, y| ground[y * 41 + x]),
                    obstacles: walls.then(|| solid(&spec, |x, y| x * y % 17 == 5).expect("a picture")),
                    ..Inputs::default()
                };
                let calm = Settings { substeps: 50, smoothing: 0.3, damping: 0.01, ..settings() };
                let calm = Settings { terrain_channel: flow_ofx::sim::water::settings::Channel::Red, ..calm };
                let start = start_frame(&spec, &calm, &inputs, &cpu).0;
                let mut state = start.clone();
                for _ in 0..20 {
                    state = step(&spec, &state, &calm, &inputs, &cpu);
                }
                (lakes, moved) = (lakes + 1, moved + u32::from(state.water() != start.water()));
                assert_eq!(moved, 0, "{model:?} {edges:?} {seed}: the lake moved in 1,000 steps");
            }
        }
    }
    let mut record = Record::new("water-lake", "CPU");
    record.under("every model, all edges, sub-steps 50, smoothing 0.3, damping 0.01");
    record.row("lakes among dry islands, all models, 1,000 steps each", "counted", f64::from(lakes));
    record.at_most("lakes with a height, flow or speed changed by a unit", f64::from(moved), 0.0);
    record.save();
}

/// A reflection or the transpose of the grid.
#[derive(Clone, Copy, Debug)]
enum Turn {
    MirrorX,
    MirrorY,
    Transpose,
}

impl Turn {
    fn size(self, (w, h): (usize, usize)) -> (usize, usize) {
        if matches!(self, Turn::Transpose) { (h, w) } else { (w, h) }
    }

    /// The source cell of a cell in the transformed picture.
    fn from(self, x: usize, y: usize, (w, h): (usize, usize)) -> (usize, usize) {
        match self {
            Turn::MirrorX => (w - 1 - x, y),
            Turn::MirrorY => (x, h - 1 - y),
            Turn::Transpose => (y, x),
        }
    }

    fn vector<T: std::ops::Neg<Output = T>>(self, [x, y]: [T; 2]) -> [T; 2] {
        match self {
            Turn::MirrorX => [-x, y],
            Turn::MirrorY => [x, -y],
            Turn::Transpose => [y, x],
        }
    }

    fn picture(self, pixels: &Pixels, size: (usize, usize)) -> Pixels {
        let (w, h) = self.size(size);
        (0..w * h)
            .map(|i| {
                let (x, y) = self.from(i % w, i / w, size);
                pixels[y * size.0 + x]
            })
            .collect::<Vec<_>>()
            .into()
    }

    fn shot(self, shot: &Shot) -> Shot {
        let size = (shot.spec.grid.width, shot.spec.grid.height);
        let mut spec = shot.spec;
        (spec.grid.width, spec.grid.height) = self.size(size);
        for sides in [&mut spec.constants.shut, &mut spec.constants.absorb] {
            let [left, bottom, right, top] = *sides;
            *sides = match self {
                Turn::MirrorX => [right, bottom, left, top],
                Turn::MirrorY => [left, top, right, bottom],
                Turn::Transpose => [bottom, left, top, right],
            };
        }
        let frames = shot.frames.iter().map(|(s, i)| {
            let (push, goal_velocity) = (self.vector(s.push), self.vector(s.goal_velocity));
            let turned = Settings { push, goal_velocity, ..*s };
            let picture = |p: &Option<Pixels>| p.as_ref().map(|p| self.picture(p, size));
            let vectors = |p: &Option<Pixels>| -> Option<Pixels> {
                let turn = |&[r, g, b, a]: &[f32; 4]| {
                    let [r, g] = self.vector([r, g]);
                    [r, g, b, a]
                };
                picture(p).map(|p| p.iter().map(turn).collect::<Vec<_>>().into())
            };
            let source = i.source.as_ref().map(|s| SourcePixels { pixels: self.picture(&s.pixels, size), ..*s });
            let inputs = Inputs {
                source,
                terrain: picture(&i.terrain),
                obstacles: picture(&i.obstacles),
                force: vectors(&i.force),
                mask: picture(&i.mask),
                control: picture(&i.control),
                goal: vectors(&i.goal),
            };
            (turned, inputs)
        });
        Shot { spec, frames: frames.collect() }
    }

    /// Channels of the cross and of the diagonal layer after the transform, by channel before: left, up, right, down
    /// and up-left, up-right, down-right, down-left.
    fn channels(self) -> ([usize; 4], [usize; 4]) {
        match self {
            Turn::MirrorX => ([2, 1, 0, 3], [1, 0, 3, 2]),
            Turn::MirrorY => ([0, 3, 2, 1], [3, 2, 1, 0]),
            Turn::Transpose => ([3, 2, 1, 0], [2, 1, 0, 3]),
        }
    }
}

type Rows = Vec<[f32; 4]>;

/// Water, height, cross and diagonal layers.
fn layers(state: &State) -> [Rows; 4] {
    let (w, h) = (state.grid().width, state.grid().height);
    let all = |row: &dyn Fn(usize, &mut [[f32; 4]])| {
        let mut picture = vec![[0.0; 4]; w * h];
        picture.chunks_exact_mut(w).enumerate().for_each(|(y, out)| row(y, out));
        picture
    };
    [
        all(&|y, out| state.water_row(y, out)),
        all(&|y, out| state.height_row(y, out)),
        all(&|y, out| state.cross_row(y, out)),
        all(&|y, out| state.diagonal_row(y, out)),
    ]
}

#[test]
fn reflections_and_the_transpose_commute_with_the_step() {
    let cpu = Cpu::new(1);
    let size = (19, 13);
    let (mut frames, mut still) = (0, 0);
    for model in MODELS {
        for edges in EDGES {
            for seed in 0..8 {
                let mut straight = shot(seed, size.0, size.1, model, edges, 5);
                for (s, _) in &mut straight.frames {
                    // Positions are real numbers, whose last bits a reflection need not keep.
                    (s.emitters, s.drain, s.rain) = ([None; EMITTERS], None, 0.0);
                }
                let states = play(&straight, &cpu);
                let moved = states.last().is_some_and(|s| !s.water().flow.is_zero());
                still += usize::from(!moved);
                for turn in [Turn::MirrorX, Turn::MirrorY, Turn::Transpose] {
                    let turned = play(&turn.shot(&straight), &cpu);
                    let (cross, diagonal) = turn.channels();
                    frames += states.len();
                    for (frame, (a, b)) in states.iter().zip(&turned).enumerate() {
                        let (a, b) = (layers(a), layers(b));
                        let width = turn.size(size).0;
                        for layer in 0..4 {
                            for (i, found) in b[layer].iter().enumerate() {
                                let (x, y) = turn.from(i % width, i / width, size);
                                let from = a[layer][y * size.0 + x];
                                let order = [[0, 1, 2, 3], [0, 1, 2, 3], cross, diagonal][layer];
                                let expected = order.map(|c| from[c]);
                                assert!(
                                    *found == expected,
                                    "{turn:?} {model:?} {edges:?} seed {seed} frame {frame} layer {layer} cell {i}: {found:?} {expected:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(still < 18, "nothing flows in {still} of 72 scenes");
    let mut record = Record::new("water-mirrors", "CPU");
    record.under("random scenes with all features on");
    record.row("frames of mirrored and transposed scenes, all layers", "all equal", frames as f64);
    record.save();
}

/// Checks the mass balance of all frames; returns the largest error of one kind in one frame, in units.
fn balances(states: &[State], what: &str) -> i64 {
    let mut worst = 0;
    for (frame, state) in states.iter().enumerate() {
        let ledger = state.ledger();
        for (kind, now) in state.totals().into_iter().enumerate() {
            let since = &ledger.since;
            let account = ledger.start[kind] + since.added[kind]
                - since.removed[kind]
                - since.drained[kind]
                - since.clamped[kind];
            worst = worst.max((now - account).abs());
            assert_eq!(now, account, "{what}: kind {kind} in frame {frame}: {ledger:?}");
        }
        for y in 0..state.grid().height {
            for x in 0..state.grid().width {
                assert!(state.water().height.at(x, y, 0) >= 0, "{what}: negative water");
                if let Some(m) = &state.water().pigment {
                    assert!((0..3).all(|c| m.at(x, y, c) >= 0), "{what}: negative pigment");
                }
            }
        }
    }
    worst
}

/// The terms of the mass balance by frame, in volumes of one cell by a height of 1, as curves.
fn account(states: &[State]) -> Vec<record::Line> {
    let of = |name: &str, units: &dyn Fn(&State) -> i64| {
        let volume = |state: &State| units(state) as f64 / state.units();
        (name.to_owned(), states.iter().enumerate().map(|(frame, state)| [frame as f64, volume(state)]).collect())
    };
    vec![
        of("water in the grid", &State::water_units),
        of("at the start, and added", &|state| state.ledger().start[0] + state.ledger().since.added[0]),
        of("removed", &|state| state.ledger().since.removed[0]),
        of("drained over the edges", &|state| state.ledger().since.drained[0]),
        of("cut at the ceiling", &|state| state.ledger().since.clamped[0]),
    ]
}

#[test]
fn the_mass_balance_is_exact_with_all_features_on() {
    let cpu = Cpu::new(2);
    let mut seen = [[0i64; 4]; 4];
    let (mut scenes, mut cells, mut worst) = (0, 0, 0);
    for model in MODELS {
        for edges in EDGES {
            for seed in 0..25 {
                let shot = shot(seed, 23, 17, model, edges, 8);
                let states = play(&shot, &cpu);
                worst = worst.max(balances(&states, &format!("{model:?} {edges:?} seed {seed}")));
                (scenes, cells) = (scenes + 1, cells + states.len() * 23 * 17);
                let since = states.last().map(|s| s.ledger().since).unwrap_or_default();
                for (sum, part) in seen.iter_mut().zip([since.added, since.removed, since.drained, since.clamped]) {
                    for (a, b) in sum.iter_mut().zip(part) {
                        *a += b;
                    }
                }
            }
        }
    }
    for (name, sums) in ["added", "removed", "drained", "clamped"].iter().zip(seen) {
        assert!(sums[0] > 0 && (*name == "clamped" || sums[1] > 0), "these scenes had nothing {name}: {sums:?}");
    }
    let long = play(&shot(14, 64, 48, Model::ShallowWater, Edges::Open, 40), &cpu);
    worst = worst.max(balances(&long, "a long scene"));
    (scenes, cells) = (scenes + 1, cells + long.len() * 64 * 48);

    let mut record = Record::new("water-mass", "CPU");
    record.under("random scenes with all features on");
    record.row("scenes with all features on", "counted", f64::from(scenes));
    record.row("cells in all of their frames", "counted", cells as f64);
    record.at_most(
        "water and three channels of colour against the mass balance, largest error of a frame in units",
        worst as f64,
        0.0,
    );
    record.plot(
        "Where the water of a scene goes",
        ["frame", "volume in cells of height 1"],
        [Scale::Linear; 2],
        &account(&long),
        &[],
    );
    record.save();
}

#[test]
fn the_mass_balance_is_exact_for_each_source_and_edge() {
    let cpu = Cpu::new(1);
    for model in MODELS {
        for edges in EDGES {
            for mode in water::MODES {
                let spec = spec(15, 12, model, edges);
                let mut dice = Dice::new(9);
                let pixels =
                    water::pixels(&spec, |x, _| [dice.unit(), 2.0, 0.3, if x < 7 { dice.unit() * 3.0 } else { 0.0 }]);
                let inputs = Inputs {
                    source: Some(SourcePixels { pixels, has_alpha: true, premultiplied: false }),
                    ..Inputs::default()
                };
                let s = Settings { source_mode: mode, substeps: 3, evaporation: 0.01, ..settings() };
                let mut states = vec![start_frame(&spec, &s, &inputs, &cpu).0];
                for frame in 0..40 {
                    let mut inputs = inputs.clone();
                    inputs.obstacles = solid(&spec, |x, y| frame > 10 && x * 3 + y * 5 + frame / 10 == 31);
                    let last = step(&spec, &states[frame], &s, &inputs, &cpu);
                    states.push(last);
                }
                balances(&states, &format!("{model:?} {edges:?} {mode:?}"));
                let end = &states[40].ledger().since;
                assert_eq!(end.drained[0] > 0, edges == Edges::Open, "{end:?}");
                assert_eq!(end.added[0] > 0, mode != SourceMode::StartFrame, "{end:?}");
            }
        }
    }
}

#[test]
fn pigment_is_conserved_to_the_unit() {
    let cpu = Cpu::new(1);
    for model in MODELS {
        let spec = spec(31, 29, model, Edges::Closed);
        let mut dice = Dice::new(5);
        let source = water::pixels(&spec, |x, _| {
            [dice.unit(), dice.unit() * 16.0, 1e-4, if x < 10 { dice.unit() * 6.0 } else { 0.0 }]
        });
        let inputs = Inputs {
            source: Some(SourcePixels { pixels: source, has_alpha: true, premultiplied: false }),
            ..Inputs::default()
        };
        let s = Settings { substeps: 5, smoothing: 0.1, ..settings() };
        let start = start_frame(&spec, &s, &inputs, &cpu).0;
        let end = water::run(&spec, &s, &inputs, &cpu, 100);
        assert!(start.totals()[1..].iter().all(|&m| m > 0));
        assert_eq!(start.totals(), end.totals(), "{model:?}");
        assert!(start.water() != end.water());
    }
}

#[test]
fn a_time_scale_of_0_stops_everything() {
    let cpu = Cpu::new(1);
    for model in [Model::Pipes, Model::Classic] {
        let shot = shot(4, 20, 20, model, Edges::Open, 3);
        let states = play(&shot, &cpu);
        let last = states.last().expect("three frames");
        let (mut s, inputs) = shot_frame(&shot.spec, &shot);
        s.time_scale = 0.0;
        assert!(step(&shot.spec, last, &s, &inputs, &cpu) == *last);
        s.time_scale = 1.0;
        assert!(step(&shot.spec, last, &s, &inputs, &cpu) != *last);
    }
}

fn shot_frame(spec: &Spec, shot: &Shot) -> (Settings, Inputs) {
    let inputs = Inputs {
        source: water(spec, |_, _| 1.0),
        terrain: water::grey(spec, |x, _| x as f64 / 10.0),
        obstacles: solid(spec, |x, _| x == 4),
        ..Inputs::default()
    };
    (Settings { source_mode: SourceMode::Replace, rain: 0.5, evaporation: 0.1, ..shot.frames[0].0 }, inputs)
}
