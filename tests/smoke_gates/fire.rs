//! Fire with fuel: ranges, burning time, expansion, independence of sub-steps, and plain smoke where nothing burns.

use std::sync::Arc;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::memory::Values;
use flow_ofx::sim::smoke::settings::{Boundary, Disturbance, Fire, Jet, Spec};
use flow_ofx::sim::smoke::{Diagnostics, Executor, Inputs, Settings, State, next_frame, start_frame, state};

use crate::devices::Under;
use crate::record::{Record, Scale, in_full};
use crate::smoke::{air, jet, settings, spec};

/// Open above, left and right.
const HEARTH: [Boundary; 4] = [Boundary::Open, Boundary::Open, Boundary::Closed, Boundary::Open];

/// The constants of a campfire of about 120 cells.
fn campfire() -> Fire {
    Fire {
        size: 120.0,
        rate: 0.03,
        pilot: 0.7,
        ignition: 0.25,
        heat: 3.0,
        expansion: 1.0,
        life: 26.0,
        radiation: 0.03,
        diffusion: 0.05,
        gas_diffusion: 0.0,
        soot: 0.3,
        soot_decay: 0.02,
        soot_weight: 0.02,
        disturbance: Some(Disturbance { strength: 0.25, size: 18.0, pulse: 8.0, seed: 1 }),
        shredding: 0.03,
        updraft: 3.0,
        updraft_drag: 0.1,
    }
}

/// Fuel in the middle of the floor.
fn hearth(fire: Fire) -> Settings {
    let source = Jet {
        centre: [64.0, 8.0],
        previous: [64.0, 8.0],
        radius: 14.0,
        softness: 0.5,
        strength: 0.0,
        colour: [0.0; 4],
        heat: 0.0,
        fuel: 1.0,
        ..jet()
    };
    Settings {
        fire: Some(fire),
        jets: vec![source],
        lift: 0.25,
        confinement: 0.08,
        viscosity: 0.02,
        max_cfl: 4.0,
        ..settings()
    }
}

/// A frame of a shot.
fn frame<B: Backend>(
    on: &Under<B>,
    spec: &Spec,
    settings: &Settings,
    before: Option<&State>,
    number: i64,
) -> (State, Diagnostics) {
    let settings = &Settings { frame: number, ..settings.clone() };
    match before {
        None => start_frame(spec, settings, &Inputs::default(), on.cpu),
        Some(before) => {
            let executor = Executor { device: on.device, workers: on.cpu };
            next_frame(spec, before, settings, &Inputs::default(), executor, &mut || true).expect("nobody interrupts")
        }
    }
}

fn fire_of(state: &State) -> (&[[f32; 4]], &[f32], &[f32]) {
    let fire = state.air.fire.as_ref().expect("there is fire");
    (&fire.gas, &fire.burning, state.air.temperature.as_deref().expect("fire is hot"))
}

/// The highest row of the flame: young gas that is hot.
fn top(state: &State) -> f64 {
    let (gas, _, temperature) = fire_of(state);
    let width = state.grid.width;
    let glows = |at: usize| gas[at][1] > 0.3 && gas[at][2] < gas[at][1] && temperature[at] > 0.25;
    let row = (0..state.grid.height).rev().find(|y| (y * width..(y + 1) * width).any(glows));
    row.map_or(0.0, |row| row as f64)
}

/// Volume that flows out through the sides per frame, and the volume that burning adds.
fn flows(state: &State, expansion: f64) -> [f64; 2] {
    let Grid { width, height, .. } = state.grid;
    let (u, v) = (&state.air.u, &state.air.v);
    let across = (0..height).map(|y| f64::from(u[y * (width + 1) + width]) - f64::from(u[y * (width + 1)]));
    let up = (0..width).map(|x| f64::from(v[width * height + x]) - f64::from(v[x]));
    let added: f64 = fire_of(state).1.iter().map(|burnt| f64::from(*burnt)).sum();
    [across.chain(up).sum(), expansion * added]
}

/// Results of a shot of a fire.
struct Shot {
    /// Height of the flame after each frame.
    tops: Vec<[f64; 2]>,
    /// Least value of the gas, and least and greatest temperature.
    range: [f64; 3],
    /// Largest difference of the volume that flows out from that which burning adds, relative to the latter.
    leak: f64,
    state: State,
}

fn shot<B: Backend>(on: &Under<B>, spec: &Spec, settings: &Settings, frames: i64) -> Shot {
    let mut shot =
        Shot { tops: Vec::new(), range: [0.0, 0.0, 0.0], leak: 0.0, state: frame(on, spec, settings, None, 1).0 };
    let expansion = settings.fire.expect("there is fire").expansion;
    for number in 2..=frames {
        shot.state = frame(on, spec, settings, Some(&shot.state), number).0;
        let (gas, _, temperature) = fire_of(&shot.state);
        let least = |values: &mut dyn Iterator<Item = f32>| values.fold(0.0_f64, |least, v| least.min(f64::from(v)));
        shot.range[0] = shot.range[0].min(least(&mut gas.iter().flatten().copied()));
        shot.range[1] = shot.range[1].min(least(&mut temperature.iter().copied()));
        shot.range[2] = temperature.iter().fold(shot.range[2], |most, t| most.max(f64::from(*t)));
        shot.tops.push([number as f64, top(&shot.state)]);
        let [out, added] = flows(&shot.state, expansion);
        if added > 1.0 {
            shot.leak = shot.leak.max((out - added).abs() / added);
        }
    }
    shot
}

/// Mean height of the flame from a frame on.
fn height(shot: &Shot, from: f64) -> f64 {
    let late: Vec<f64> = shot.tops.iter().filter(|top| top[0] >= from).map(|top| top[1]).collect();
    late.iter().sum::<f64>() / late.len() as f64
}

fn ranges(record: &mut Record, name: &str, shot: &Shot) {
    record.at_least(format!("{name}, least fuel, gas, age and soot"), shot.range[0], 0.0);
    record.at_least(format!("{name}, least temperature"), shot.range[1], 0.0);
    record.at_most(format!("{name}, greatest temperature"), shot.range[2], 1.0);
    record.at_most(format!("{name}, outflow less expansion, of the expansion"), shot.leak, 1e-3);
}

fn burns<B: Backend>(on: &Under<B>) {
    let mut record = on.record("fire");
    let spec = spec(128, 192, HEARTH);
    let settings = Settings { tolerance: 1e-5, ..hearth(campfire()) };
    let text = |settings: &Settings, spec: &Spec| crate::smoke::settings_text(spec, settings, 1.0);
    record.under(text(&settings, &spec));
    // A software device takes long.
    let frames = match (on.is_cpu(), in_full()) {
        (true, true) => 120,
        (true, false) => 90,
        (false, true) => 12,
        (false, false) => 8,
    };
    let one = shot(on, &spec, &settings, frames);
    ranges(&mut record, "campfire", &one);
    let mut reflected = spec;
    reflected.constants.reflection = true;
    record.under(text(&settings, &reflected));
    let mirrored = shot(on, &reflected, &settings, frames);
    ranges(&mut record, "campfire with reflection", &mirrored);
    if !on.is_cpu() {
        record.save();
        return;
    }
    let finer = Settings { substeps: 4, ..settings.clone() };
    let four = shot(on, &spec, &finer, frames);
    let [tall, fine, other] = [&one, &four, &mirrored].map(|shot| height(shot, 60.0));
    record.under(text(&settings, &spec));
    record.row(format!("campfire, mean height of the flame, frames 60 to {frames}, cells"), "", tall);
    record.row("campfire with 4 sub-steps, the same", "", fine);
    record.row("campfire with reflection, the same", "", other);
    record.at_most("campfire, height at 1 and at 4 sub-steps, difference", (tall / fine - 1.0).abs(), 0.1);
    record.at_most("campfire, height with and without reflection, difference", (other / tall - 1.0).abs(), 0.1);
    record.plot(
        "Fire: the top of a campfire",
        ["frame", "row"],
        [Scale::Linear; 2],
        &[
            ("1 sub-step".to_owned(), one.tops),
            ("4 sub-steps".to_owned(), four.tops),
            ("reflection".to_owned(), mirrored.tops),
        ],
        &[],
    );
    record.save();
}

/// Still air full of hot fuel, which does not expand.
fn lasts<B: Backend>(on: &Under<B>) {
    let mut record = on.record("fuel");
    for (substeps, reflection) in [(1, false), (3, false), (4, false), (1, true)] {
        let mut spec = spec(16, 16, HEARTH);
        spec.constants.reflection = reflection;
        let fire = Fire { expansion: 0.0, disturbance: None, shredding: 0.0, updraft_drag: 0.0, ..campfire() };
        let settings = Settings { fire: Some(fire), jets: Vec::new(), lift: 0.0, substeps, ..hearth(fire) };
        let mut state = frame(on, &spec, &settings, None, 1).0;
        let air = Arc::make_mut(&mut state.air);
        air.temperature = Some(vec![0.9; 256].into());
        air.fire = Some(state::Fire { gas: vec![[0.9, 1.0, 0.0, 0.0]; 256].into(), burning: Values::zeros(256) });
        let mut frames = 1_i64;
        while fire_of(&state).0[8 * 16 + 8][0] > 0.0 && frames < 100 {
            frames += 1;
            state = frame(on, &spec, &settings, Some(&state), frames).0;
        }
        // 0.9 / 0.03, and the rest of rounding.
        let name = format!("{substeps} sub-steps{}", if reflection { ", reflection" } else { "" });
        record.near(format!("fuel of 0.9 at a rate of 0.03, {name}, frames"), (frames - 1) as f64, 30.0, 1.0);
    }
    record.save();
}

/// Hot smoke with the fields of a fire, all of them 0.
fn is_plain<B: Backend>(on: &Under<B>) {
    let mut record = on.record("cold-fire");
    let mut apart = 0.0_f64;
    for reflection in [false, true] {
        let mut spec = spec(48, 64, HEARTH);
        spec.constants.reflection = reflection;
        let puff = |[x, y]: [f64; 2]| if (x - 24.0).hypot(y - 16.0) < 7.0 { [0.5; 4] } else { [0.0; 4] };
        let mut start = air(&spec, |_| [0.0; 2], puff);
        let heat: Values<f32> = start.air.dye.iter().map(|dye| dye[3]).collect();
        Arc::make_mut(&mut start.air).temperature = Some(heat);
        let cold = Fire {
            rate: 0.0,
            expansion: 0.0,
            radiation: 0.0,
            diffusion: 0.0,
            disturbance: None,
            shredding: 0.0,
            updraft_drag: 0.0,
            soot_weight: 0.0,
            ..campfire()
        };
        let with = Settings { jets: Vec::new(), cooling: 0.02, ..hearth(cold) };
        let without = Settings { fire: None, ..with.clone() };
        let [mut with_fire, mut plain] = [start.clone(), start];
        for number in 2..20 {
            with_fire = frame(on, &spec, &with, Some(&with_fire), number).0;
            plain = frame(on, &spec, &without, Some(&plain), number).0;
        }
        assert!(with_fire.air.fire.is_some() && plain.air.fire.is_none());
        let (a, b) = (&with_fire.air, &plain.air);
        let same = a.u[..] == b.u[..]
            && a.v[..] == b.v[..]
            && a.pressure[..] == b.pressure[..]
            && a.dye[..] == b.dye[..]
            && a.temperature.as_deref() == b.temperature.as_deref();
        apart += f64::from(u8::from(!same));
    }
    record.at_most("shots of smoke that differ where nothing burns", apart, 0.0);
    record.save();
}

/// Fire in a closed box.
fn is_lower_in_a_box<B: Backend>(on: &Under<B>) {
    let mut record = on.record("boxed-fire");
    let size = [96, 128];
    let frames = if on.is_cpu() { 60 } else { 8 };
    let mut heights = [0.0; 2];
    for (height_of, edges) in heights.iter_mut().zip([HEARTH, [Boundary::Closed; 4]]) {
        let spec = spec(size[0], size[1], edges);
        let mut settings = hearth(campfire());
        settings.jets[0].centre[0] = 48.0;
        settings.jets[0].previous[0] = 48.0;
        let mut state = frame(on, &spec, &settings, None, 1).0;
        let (mut sum, mut enclosed) = (0.0, false);
        for number in 2..=frames {
            let (next, diagnostics) = frame(on, &spec, &settings, Some(&state), number);
            (state, enclosed) = (next, enclosed | diagnostics.enclosed_fire);
            sum += top(&state) / frames as f64;
        }
        assert_eq!(enclosed, edges == [Boundary::Closed; 4], "the notice");
        let (gas, ..) = fire_of(&state);
        assert!(gas.iter().flatten().all(|value| value.is_finite()));
        *height_of = sum;
    }
    record.at_most("mean height of a flame in a closed box, of that with open edges", heights[1] / heights[0], 1.0);
    record.save();
}

crate::gate!(a_campfire_keeps_its_ranges_and_height, super::burns);
crate::gate!(fuel_lasts_as_long_at_any_step, super::lasts);
crate::gate!(fire_without_fuel_is_plain_smoke, super::is_plain);
crate::gate!(a_closed_box_is_a_uniform_sink, super::is_lower_in_a_box);
