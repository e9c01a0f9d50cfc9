//! Scenes for the tests of the water.
#![expect(dead_code, reason = "every test file uses its own part of the helpers")]

use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::water::inputs::{Inputs, Pixels, SourcePixels};
use flow_ofx::sim::water::settings::{
    Constants, Drain, EMITTERS, Edges, Emitter, Foam, Model, Order, Settings, Shape, SourceMode,
};
use flow_ofx::sim::water::{Device, Spec, State, next_frame, start_frame, steps_per_frame};

/// A small random generator: a scene is defined by its seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.next() % of.len() as u64) as usize]
    }
}

pub fn spec(width: usize, height: usize, model: Model, edges: Edges) -> Spec {
    Spec {
        grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 },
        constants: Constants {
            model,
            order: Order::Second,
            edges,
            shut: [false; 4],
            absorb: [false; 4],
            diagonal_weight: 0.25,
            max_height: 8.0,
            colour_range: 16.0,
        },
    }
}

/// Waves only: no source after the start, no loss.
pub fn settings() -> Settings {
    Settings {
        frame: 1,
        speed: 0.5,
        ripple_length: 30.0,
        ripple_slowest: 4.0,
        flow_rate: 0.1,
        gravity: 4.0,
        source_height: 1.0,
        rain_size: 3.0,
        rain_colour: [0.1, 0.35, 0.6],
        force_scale: 1.0,
        pressure_scale: 1.0,
        ..Settings::IDLE
    }
}

/// A round moving emitter of colourless water.
pub fn disc(previous: [f64; 2], centre: [f64; 2], radius: f64) -> Emitter {
    Emitter::disc(previous, centre, radius, 0.05)
}

/// One emitter, without others.
pub fn only(emitter: Emitter) -> [Option<Emitter>; EMITTERS] {
    std::array::from_fn(|nth| (nth == 0).then_some(emitter))
}

/// A picture from a function of the cell.
pub fn pixels(spec: &Spec, mut f: impl FnMut(usize, usize) -> [f64; 4]) -> Pixels {
    let (w, h) = (spec.grid.width, spec.grid.height);
    (0..w * h).map(|i| f(i % w, i / w).map(|v| v as f32)).collect::<Vec<_>>().into()
}

/// Water of a height, without colour.
pub fn water(spec: &Spec, mut f: impl FnMut(usize, usize) -> f64) -> Option<SourcePixels> {
    Some(SourcePixels { pixels: pixels(spec, |x, y| [0.0, 0.0, 0.0, f(x, y)]), has_alpha: true, premultiplied: false })
}

/// A grey picture.
pub fn grey(spec: &Spec, mut f: impl FnMut(usize, usize) -> f64) -> Option<Pixels> {
    Some(pixels(spec, |x, y| {
        let v = f(x, y);
        [v, v, v, 1.0]
    }))
}

/// Solid cells.
pub fn solid(spec: &Spec, mut f: impl FnMut(usize, usize) -> bool) -> Option<Pixels> {
    Some(pixels(spec, |x, y| [0.0, 0.0, 0.0, if f(x, y) { 1.0 } else { 0.0 }]))
}

/// The settings of a scene, for the validation report.
pub fn settings_text(spec: &Spec, settings: &Settings) -> String {
    let (grid, constants) = (spec.grid, &spec.constants);
    let mut text = format!("{}×{} cells, edges {:?}", grid.width, grid.height, constants.edges);
    let (steps, _) = steps_per_frame(spec, settings);
    text += &match constants.model {
        Model::Pipes => format!(
            ", Pipes, speed {}, diagonal weight {}, smoothing {}, steps per frame {steps}",
            settings.speed, constants.diagonal_weight, settings.smoothing,
        ),
        Model::Classic => format!(", Classic pipes, flow rate {}, steps per frame {steps}", settings.flow_rate),
        Model::Ripples => format!(
            ", Ripples, speed {} of waves of {} pixels, slowest ripple {}, depth {}, smoothing {}, steps per frame {steps}",
            settings.speed, settings.ripple_length, settings.ripple_slowest, settings.ripple_depth, settings.smoothing,
        ),
        Model::ShallowWater => {
            format!(", Shallow water, gravity {:.4}, friction {}", settings.gravity, settings.friction)
        }
    };
    if settings.damping != 0.0 {
        text += &format!(", damping {}", settings.damping);
    }
    text
}

/// The next frame, without an interruption.
pub fn step(spec: &Spec, state: &State, settings: &Settings, inputs: &Inputs, device: &dyn Device) -> State {
    next_frame(spec, state, settings, inputs, device, &mut || true).expect("never interrupted").0
}

/// `frames` frames of constant settings and inputs.
pub fn run(spec: &Spec, settings: &Settings, inputs: &Inputs, device: &dyn Device, frames: usize) -> State {
    let mut state = start_frame(spec, settings, inputs, device).0;
    for i in 0..frames {
        state = step(spec, &state, &Settings { frame: 2 + i as i64, ..*settings }, inputs, device);
    }
    state
}

/// Heights of a state as real numbers.
pub fn height(state: &State, x: usize, y: usize) -> f64 {
    f64::from(state.water().height.at(x, y, 0)) / state.units()
}

pub const MODELS: [Model; 3] = [Model::Pipes, Model::Classic, Model::ShallowWater];
pub const EDGES: [Edges; 3] = [Edges::Closed, Edges::Open, Edges::Wrap];
pub const MODES: [SourceMode; 4] = [SourceMode::StartFrame, SourceMode::Add, SourceMode::Replace, SourceMode::FillUp];

/// One frame's settings and pictures.
pub struct Shot {
    pub spec: Spec,
    pub frames: Vec<(Settings, Inputs)>,
}

/// A random scene of a few frames, with all features and changing settings.
pub fn shot(seed: u64, width: usize, height: usize, model: Model, edges: Edges, frames: usize) -> Shot {
    let mut dice = Dice::new(seed);
    let d = &mut dice;
    let mut spec = spec(width, height, model, edges);
    spec.grid.cells_per_pixel = d.pick(&[0.5, 1.0, 2.0]);
    spec.grid.origin = [d.between(-50.0, 50.0), d.between(-50.0, 50.0)];
    spec.constants.diagonal_weight = d.pick(&[0.0, 0.25, 0.37, 1.0]);
    spec.constants.max_height = d.pick(&[1.0, 8.0, 0.3, 100.0]);
    if edges == Edges::Open && d.chance(0.5) {
        spec.constants.shut = [(); 4].map(|()| d.chance(0.5));
    }
    let coloured = d.chance(0.7);
    let (walls, ground, forces, masked) = (d.chance(0.5), d.chance(0.6), d.chance(0.5), d.chance(0.4));
    let density = d.pick(&[0.02, 0.2, 0.6]);
    let drawn = d.pick(&[0.0, 0.0, 0.3, 1.0]);
    let patch = d.pick(&[0, 0, 3, 100, 1000]);
    if d.chance(0.3) {
        spec.constants.absorb = [(); 4].map(|()| d.chance(0.5));
    }
    let mut centre = [d.between(-20.0, 60.0), d.between(-20.0, 60.0)];
    let base = base_settings(d, model);
    let frames = (0..frames)
        .map(|frame| {
            let previous = centre;
            centre = [centre[0] + d.between(-8.0, 8.0), centre[1] + d.between(-8.0, 8.0)];
            let mut s = Settings { frame: frame as i64, ..base };
            s.speed *= d.between(0.5, 1.5);
            // Deep water takes as many steps as shallow.
            s.gravity /= spec.constants.max_height.max(1.0);
            s.time_scale *= d.pick(&[1.0, 1.0, 0.7, 2.0, 0.0]);
            s.source_mode = d.pick(&MODES);
            s.goal_strength = drawn;
            for (nth, e) in s.emitters.iter_mut().flatten().enumerate() {
                let off = |[x, y]: [f64; 2]| [x + 7.0 * nth as f64, y];
                (e.centre, e.previous) = (off(centre), off(previous));
                e.colour = if coloured { [0.2, 1.5, 30.0] } else { [0.0; 3] };
            }
            s.rain_colour = if coloured { [0.1, 0.35, 0.6] } else { [0.0; 3] };
            if d.chance(0.3) {
                let (previous, rate) = (previous, d.between(0.0, 2.0));
                s.drain = Some(Drain { centre, previous, radius: d.pick(&[0.3, 4.0, 12.0]), rate });
            }
            let top = spec.constants.max_height;
            let bad = d.chance(0.2);
            let value = |d: &mut Dice, low: f64, high: f64| {
                if bad && d.chance(0.05) {
                    d.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY])
                } else {
                    d.between(low, high)
                }
            };
            let tint = if coloured { 2.0 } else { 0.0 };
            let source = pixels(&spec, |_, _| {
                let a = if d.chance(0.5) { 0.0 } else { value(d, -0.1 * top, 1.2 * top) };
                [value(d, 0.0, tint), value(d, 0.0, tint), value(d, -0.1, tint), a]
            });
            let inputs = Inputs {
                source: d.chance(0.8).then_some(SourcePixels { pixels: source, has_alpha: true, premultiplied: false }),
                terrain: ground.then(|| pixels(&spec, |_, _| [0.0; 4].map(|_: f64| value(d, -0.5 * top, 0.5 * top)))),
                obstacles: walls
                    .then(|| pixels(&spec, |_, _| [0.0, 0.0, 0.0, if d.chance(density) { 1.0 } else { 0.0 }])),
                force: forces.then(|| pixels(&spec, |_, _| [0.0; 4].map(|_: f64| value(d, -0.3, 0.3)))),
                mask: masked.then(|| pixels(&spec, |_, _| [0.0; 4].map(|_: f64| value(d, -0.3, 1.3)))),
                goal: (drawn > 0.0).then(|| pixels(&spec, |_, _| [0.0; 4].map(|_: f64| value(d, -5.0, 5.0)))),
                control: (patch > 0).then(|| {
                    let untouched = |x: usize, y: usize| (x / patch).is_multiple_of(2) && (y / patch).is_multiple_of(2);
                    pixels(&spec, |x, y| [1.0; 4].map(|one| if untouched(x, y) { one } else { value(d, -0.1, 1.3) }))
                }),
            };
            (s, inputs)
        })
        .collect();
    Shot { spec, frames }
}

/// The same, slowed down if a frame would take more than this number of steps; Shallow water, whose steps depend on the
/// water, at a quarter of its speed.
pub fn brief(mut shot: Shot, most: u32) -> Shot {
    for (settings, _) in &mut shot.frames {
        if shot.spec.constants.model == Model::ShallowWater {
            settings.time_scale /= 4.0;
        }
        while steps_per_frame(&shot.spec, settings).0 > most {
            settings.time_scale /= 2.0;
        }
    }
    shot
}

fn base_settings(d: &mut Dice, model: Model) -> Settings {
    Settings {
        speed: d.pick(&[0.1, 0.6, 2.0, 7.0]),
        flow_rate: d.pick(&[0.01, 0.1, 0.16, 1.0]),
        gravity: if model == Model::ShallowWater { d.pick(&[0.0, 0.3, 9.0, 40.0]) } else { 0.0 },
        friction: if model == Model::ShallowWater { d.pick(&[0.0, 0.0, 0.003, 5.0]) } else { 0.0 },
        goal_velocity: d.pick(&[[0.0; 2], [3.0, -1.0]]),
        obstacle_drag: d.pick(&[0.0, 0.7]),
        foam: d.chance(0.3).then(|| Foam {
            amount: 0.5,
            steepness: d.between(0.0, 0.1),
            life: d.between(0.0, 30.0),
            shore: 0.5,
        }),
        dry_frames: d.chance(0.3).then(|| d.between(0.0, 30.0)),
        absorb_width: d.pick(&[3.0, 40.0]),
        substeps: d.pick(&[1, 1, 2, 3]),
        time_scale: d.pick(&[1.0, 0.5]),
        damping: d.pick(&[0.0, 0.02, 0.9, 1.0]),
        smoothing: if model == Model::Pipes { d.pick(&[0.0, 0.1, 0.5]) } else { 0.1 },
        source_height: d.between(0.0, 1.0),
        emitters: [0.6, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.2].map(|likely| {
            d.chance(likely).then(|| Emitter {
                shape: d.pick(&[Shape::Disc, Shape::Line, Shape::Ring]),
                width: d.pick(&[0.2, 3.0]),
                angle: d.between(-400.0, 400.0),
                rate: d.between(0.0, 0.5),
                ..disc([0.0; 2], [0.0; 2], d.pick(&[0.2, 3.0, 20.0]))
            })
        }),
        rain: d.pick(&[0.0, 0.01, 0.3]),
        rain_size: d.pick(&[0.3, 2.0, 9.0]),
        seed: d.next() as i32,
        evaporation: d.pick(&[0.0, 0.0, 0.001, 0.2]),
        push: d.pick(&[[0.0; 2], [0.1, -0.03], [-2.0, 5.0]]),
        terrain_offset: d.between(-1.0, 1.0),
        terrain_invert: d.chance(0.3),
        ..settings()
    }
}

/// All states of a shot.
pub fn play(shot: &Shot, device: &dyn Device) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    for (settings, inputs) in &shot.frames {
        let state = match states.last() {
            None => start_frame(&shot.spec, settings, inputs, device).0,
            Some(last) => step(&shot.spec, last, settings, inputs, device),
        };
        states.push(state);
    }
    states
}
