//! The smoke's solver on the CPU: each gate of its numerics that is not the pressure's.

mod smoke;

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::smoke::settings::{Scheme, Side};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Settings, Spec, State};
use smoke::{air, carried, carried_faces, each, energy, run, settings, spec, still, task};

const CLOSED: [Side; 4] = [Side::Closed; 4];

/// The places of a plane as its values: carried by a wind that is the place itself, a value is where it came from.
#[test]
fn interpolation_gives_the_place() {
    let spec = spec(16, 12, CLOSED);
    for slope in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
        let state = air(&spec, |[x, y]| [slope[0] * x, slope[1] * y], |_| [0.0; 4]);
        let time = 0.0625;
        let carried = carried_faces(&Cpu::new(1), Scheme::SemiLagrangian, &state, time as f32);
        // Twice back by the middle of the way: the place times this.
        let factor = 1.0 - time * (1.0 - 0.5 * time);
        each(17, 12, [0.0, 0.5], |at, [x, _]| {
            let expected = slope[0] * x * factor;
            assert!((f64::from(carried.u[at]) - expected).abs() < 4e-6, "u at {x}: {} {expected}", carried.u[at]);
        });
        each(16, 13, [0.5, 0.0], |at, [_, y]| {
            let expected = slope[1] * y * factor;
            assert!((f64::from(carried.v[at]) - expected).abs() < 4e-6, "v at {y}: {} {expected}", carried.v[at]);
        });
    }
}

/// Zalesak's disk in red and a Gaussian in green, after one turn: error of the disk, of the Gaussian, its peak.
fn turned(scheme: Scheme) -> [f64; 3] {
    let n = 200;
    let spec = spec(n, n, CLOSED);
    let disk = |[x, y]: [f64; 2]| {
        let slot = (x - 100.0).abs() < 5.0 && y < 170.0;
        if (x - 100.0).hypot(y - 150.0) < 30.0 && !slot { 1.0 } else { 0.0 }
    };
    let part = |l: usize| (l as f64 - 3.5) / 8.0;
    let disk = |[x, y]: [f64; 2]| (0..64).map(|l| disk([x + part(l % 8), y + part(l / 8)])).sum::<f64>() / 64.0;
    let hill = |[x, y]: [f64; 2]| (-((x - 100.0).powi(2) + (y - 150.0).powi(2)) / (2.0 * 14.0 * 14.0)).exp();
    let dye = |place| [disk(place), hill(place), 0.0, 0.0].map(|v: f64| v as f32);
    let omega = TAU / 628.0;
    let state = air(&spec, |[x, y]| [-omega * (y - 100.0), omega * (x - 100.0)], dye);
    let after = carried(&Cpu::new(2), scheme, &state, 0.5, 1256);
    let error = |channel: usize| {
        let pairs = || after.iter().zip(&state.air.dye).map(|(a, b)| [f64::from(a[channel]), f64::from(b[channel])]);
        pairs().map(|[a, b]| (a - b).abs()).sum::<f64>() / pairs().map(|[_, b]| b).sum::<f64>()
    };
    [error(0), error(1), after.iter().map(|dye| f64::from(dye[1])).fold(0.0, f64::max)]
}

#[test]
fn a_notched_disk_turns_once() {
    let [soft, ..] = turned(Scheme::SemiLagrangian);
    let [maccormack, ..] = turned(Scheme::MacCormack);
    let [crisp, hill, peak] = turned(Scheme::CatmullRom);
    println!(
        "semi-Lagrangian {soft:.4}, MacCormack {maccormack:.4}, Catmull-Rom {crisp:.4}; hill {hill:.4}, peak {peak:.4}"
    );
    assert!((soft - 0.946).abs() < 0.03, "semi-Lagrangian {soft}");
    assert!(maccormack <= 0.49, "MacCormack {maccormack}");
    assert!(crisp <= 0.345, "Catmull-Rom {crisp}");
    assert!(hill <= 0.02 && peak >= 0.97, "Gaussian {hill}, peak {peak}");
}

/// A wrapped box of eddies, sin·cos, moving one cell per frame at most.
fn taylor_green(n: usize) -> (Spec, State) {
    let mut spec = spec(n, n, [Side::Wrap; 4]);
    spec.constants.velocity_scheme = Scheme::MacCormack;
    let k = TAU / n as f64;
    let velocity = |[x, y]: [f64; 2]| [(k * x).sin() * (k * y).cos(), -(k * x).cos() * (k * y).sin()];
    let state = air(&spec, velocity, |_| [0.0; 4]);
    (spec, state)
}

#[test]
fn eddies_keep_their_energy() {
    let cpu = Cpu::new(2);
    let (mut spec, start) = taylor_green(128);
    let mut settings = settings();
    let keep = |spec: &Spec, settings: &Settings, time: f64, times: usize| {
        let task = task(spec, settings, time);
        let mut state = start.clone();
        for _ in 0..times {
            let (next, told) = run(&cpu, &task, &state);
            assert_eq!(told.substeps, 1);
            state = next;
        }
        energy(&state) / energy(&start)
    };
    let plain = keep(&spec, &settings, 1.0, 128);
    let mut thick = settings.clone();
    // 1e-3 of a box of 1 and a unit of time of 128 frames.
    thick.viscosity = 1e-3 * 128.0;
    let unit = keep(&spec, &thick, 1.0, 128);
    spec.constants.reflection = true;
    settings.max_cfl = 3.0;
    let reflected = keep(&spec, &settings, 2.0, 64);
    thick.max_cfl = 3.0;
    let lost = keep(&spec, &thick, 2.0, 64);
    let expected = (-16.0 * PI * PI * 1e-3).exp();
    println!(
        "energy kept: MacCormack {plain:.4}, reflection {reflected:.5}; viscous {unit:.4} and with reflection {lost:.4}, {expected:.4} expected"
    );
    assert!(plain >= 0.865, "MacCormack at CFL 1 {plain}");
    assert!(reflected >= 0.999, "reflection at CFL 2 {reflected}");
    assert!((lost / expected - 1.0).abs() < 0.02, "viscous decay {lost}, {expected} expected");
}

/// A box of 128² whose lid moves at half a cell per frame, until it is steady: u on the middle line by height, and the extremes.
fn cavity(reynolds: f64, times: usize) -> State {
    const N: usize = 128;
    let (w, h) = (N + 2, N + 2);
    let mut spec = spec(w, h, CLOSED);
    spec.constants.velocity_scheme = Scheme::MacCormack;
    let ring = |x: usize, y: usize| x == 0 || y == 0 || x == w - 1 || y == h - 1;
    let solid: Vec<bool> = (0..w * h).map(|at| ring(at % w, at / w)).collect();
    let mut solids = Solids { solid, u: vec![0.0; (w + 1) * h], v: vec![0.0; w * (h + 1)] };
    // The lid's cells move; where they end at the side walls, those stand.
    for x in 2..w - 1 {
        solids.u[(h - 1) * (w + 1) + x] = 1.0;
    }
    let solids = Arc::new(solids);
    let settings =
        Settings { viscosity: N as f64 / reynolds, max_cfl: 100.0, iterations: 6, tolerance: 1e-3, ..settings() };
    let mut task = task(&spec, &settings, 1.0);
    task.drive.solids = Some(Arc::clone(&solids));
    let cpu = Cpu::new(2);
    let mut state = still(&spec);
    for _ in 0..times {
        state = run(&cpu, &task, &state).0;
    }
    state
}

/// u over the lid's velocity on the upright middle line, `at` of the way up, linear between faces.
fn across(state: &State, at: f64) -> f64 {
    let (n, w) = (128.0, 130);
    let place = at * n - 0.5;
    let row = place.floor();
    let u = |row: f64| f64::from(state.air.u[(row as usize + 1) * (w + 1) + 65]);
    let part = place - row;
    u(row) * (1.0 - part) + u(row + 1.0) * part
}

#[test]
fn a_lid_drives_the_air_in_a_box() {
    for (reynolds, times, gates) in [
        (100.0, 1500, &[(0.4531, -0.21090), (0.7344, 0.00332)][..]),
        (400.0, 2500, &[(0.2813, -0.32726)][..]),
        (1000.0, 5000, &[(0.1719, -0.38289), (0.9531, 0.46604)][..]),
    ] {
        let state = cavity(reynolds, times);
        for (at, expected) in gates {
            println!("Re {reynolds}: u({at}) = {:.5}, {expected} expected", across(&state, *at));
        }
        let middle =
            |values: Vec<f32>| values.iter().fold([f32::MAX, f32::MIN], |[low, high], &v| [low.min(v), high.max(v)]);
        let u = middle((1..129).map(|y| state.air.u[y * 131 + 65]).collect());
        let v = middle((1..129).map(|x| 0.5 * (state.air.v[65 * 130 + x] + state.air.v[65 * 130 + x])).collect());
        println!("Re {reynolds}: u_min {:.4}, v_min {:.4}, v_max {:.4}", u[0], v[0], v[1]);
    }
}
