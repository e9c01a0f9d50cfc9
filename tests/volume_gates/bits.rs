//! Equal bits: threads, instruction sets, restart anywhere; and bad input.

use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::volume::settings::{Fire, Mode, Noise, Shape};
use flow_ofx::sim::volume::{Failed, Settings, State, advance, first, testing};

/// A fire with all forces, a moving emitter and turbulence.
fn all() -> Settings {
    let mut settings = testing::plume([48, 64, 40]);
    settings.confinement = 0.1;
    settings.viscosity = 0.02;
    settings.noise = Some(Noise { strength: 0.05, size: 12.0, pulse: 6.0, seed: 3 });
    settings.wind = [0.1, 0.0, -0.05];
    settings.drag = 0.02;
    settings.dissipation = 0.01;
    settings.cooling = 0.02;
    settings.fire = Some(Fire {
        rate: 0.05,
        ignition: 0.25,
        heat: 3.0,
        expansion: 0.5,
        life: 20.0,
        radiation: 0.02,
        soot: 0.3,
        soot_decay: 0.01,
    });
    let emitter = settings.emitters[0].clone();
    settings.emitters[0].fuel = 0.8;
    settings.emitters[0].breakup = 0.5;
    settings.emitters.push(flow_ofx::sim::volume::settings::Emitter {
        shape: Shape::Capsule,
        centre: [12.0, 30.0, 20.0],
        previous: [8.0, 30.0, 18.0],
        radius: 3.0,
        mode: Mode::Add,
        density: 0.2,
        colour: [1.0, 0.4, 0.1],
        velocity: Some([2.0, 0.0, 1.0]),
        expansion: 0.05,
        ..emitter
    });
    settings
}

fn frames(cpu: &Cpu, mut state: State, settings: &Settings, range: std::ops::RangeInclusive<i64>) -> State {
    for frame in range {
        let settings = Settings { frame: frame as f64, ..settings.clone() };
        state = advance(&state, &settings, 1.0, cpu, &mut || true).expect("a CPU does not fail").0;
    }
    state
}

#[test]
fn threads_and_instruction_sets_give_the_same_bits() {
    let settings = all();
    for (reflection, detail) in [(true, 1), (false, 1), (true, 2), (false, 2)] {
        let settings = Settings { reflection, detail, ..settings.clone() };
        let one = frames(&Cpu::new(1), first(&settings), &settings, 1..=6);
        assert!(
            one.statistics.active.is_some() && one.gases.is_some() && one.tints.is_some() && one.statistics.speed > 0.5
        );
        assert!(one == frames(&Cpu::new(3), first(&settings), &settings, 1..=6), "threads");
        for isa in Isa::available() {
            let other = frames(&Cpu::with_isa(2, isa), first(&settings), &settings, 1..=6);
            assert!(one == other, "{}", isa.name());
        }
    }
}

#[test]
fn a_restart_at_any_frame_gives_the_same_bits() {
    let settings = Settings { detail: 2, ..all() };
    let cpu = Cpu::new(2);
    let whole = frames(&cpu, first(&settings), &settings, 1..=6);
    let middle = frames(&cpu, first(&settings), &settings, 1..=3);
    assert!(whole == frames(&Cpu::new(2), middle, &settings, 4..=6));
}

#[test]
fn an_interrupted_frame_gives_nothing() {
    let settings = all();
    let mut calls = 0;
    let mut go_on = || {
        calls += 1;
        calls < 3
    };
    let stopped = advance(&first(&settings), &settings, 1.0, &Cpu::new(1), &mut go_on);
    assert_eq!(stopped, Err(Failed::Interrupted));
}

#[test]
fn bad_input_gives_finite_fields() {
    let cpu = Cpu::new(2);
    let mut settings = all();
    settings.cells = flow_ofx::sim::volume::extent::rounded([1.0, 1.0, 200.0]);
    settings.wind = [1e6, f64::NAN, -1e9];
    settings.buoyancy = f64::INFINITY;
    settings.confinement = 1e9;
    settings.emitters[0].centre = [f64::NAN; 3];
    settings.emitters[0].density = f64::NAN;
    settings.emitters[0].colour = [f64::NAN, -1.0, 1e9];
    settings.emitters[1].velocity = Some([1e9, f64::NAN, 0.0]);
    settings.emitters[1].radius = 1e9;
    settings.emitters[1].fuel = f64::INFINITY;
    let state = frames(&cpu, first(&settings), &settings, 1..=1);
    assert!(state.velocity.iter().all(|field| field.iter().all(|value| value.is_finite())));
    let others = [&state.gases, &state.tints].into_iter().flatten();
    let halves = state.scalars.iter().chain(others.flat_map(|packs| packs.iter()));
    assert!(halves.into_iter().all(|half| *half < 0x7c00));
}
