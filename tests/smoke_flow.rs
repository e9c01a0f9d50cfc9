//! The smoke's solver on the CPU: each gate of its numerics that is not the pressure's.

mod smoke;

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::smoke::machine::Lattice;
use flow_ofx::sim::smoke::pace::SUBSTEPS_MAX;
use flow_ofx::sim::smoke::settings::{Scheme, Side};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Settings, Spec, State, Task};
use smoke::{air, carried, carried_faces, each, energy, numbers, run, settings, spec, still, task};

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
    let [crisp, hill, peak] = turned(Scheme::Cubic);
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

/// A box of `n`² whose lid moves at a cell per frame, from a state on, in steps of some frames, until u changes by less
/// than 3e-4 while the lid goes through the box once. With reflection: without it the projections take so much out of the
/// eddies that steps of a frame end at u(0.2813) = -0.314 at Re 400, and steps of two at -0.304.
fn driven(n: usize, scheme: Scheme, reynolds: f64, frames: f64, start: Option<&State>) -> State {
    let (w, h) = (n + 2, n + 2);
    let mut spec = spec(w, h, CLOSED);
    spec.constants.velocity_scheme = scheme;
    spec.constants.dye_scheme = Scheme::SemiLagrangian;
    spec.constants.reflection = true;
    let ring = |x: usize, y: usize| x == 0 || y == 0 || x == w - 1 || y == h - 1;
    let solid: Vec<bool> = (0..w * h).map(|at| ring(at % w, at / w)).collect();
    let mut solids = Solids { solid, u: vec![0.0; (w + 1) * h], v: vec![0.0; w * (h + 1)] };
    // The lid's cells move; where they end at the side walls, those stand.
    for x in 2..w - 1 {
        solids.u[(h - 1) * (w + 1) + x] = 1.0;
    }
    let settings =
        Settings { viscosity: n as f64 / reynolds, max_cfl: 100.0, iterations: 6, tolerance: 1e-3, ..settings() };
    let mut task = task(&spec, &settings, frames);
    task.drive.solids = Some(Arc::new(solids));
    let cpu = Cpu::new(1);
    let mut state = start.map_or_else(|| still(&spec), |start| finer(&spec, start));
    for _ in 0..60 {
        let before = Arc::clone(&state.air);
        for _ in 0..n / frames as usize {
            state = run(&cpu, &task, &state).0;
        }
        if state.air.u.iter().zip(&before.u).all(|(a, b)| (a - b).abs() < 3e-4) {
            return state;
        }
    }
    panic!("Re {reynolds}: the air never comes to rest");
}

/// The velocity of a box with half as many cells along its sides, within the walls.
fn finer(spec: &Spec, coarse: &State) -> State {
    let w = coarse.grid.width;
    let value = |plane: &[f32], columns: usize, rows: usize, [x, y]: [f64; 2]| {
        let (x, y) = (x.clamp(0.0, columns as f64 - 1.001), y.clamp(0.0, rows as f64 - 1.001));
        let at = y as usize * columns + x as usize;
        let row = |at: usize| f64::from(plane[at]) * (1.0 - x.fract()) + f64::from(plane[at + 1]) * x.fract();
        row(at) * (1.0 - y.fract()) + row(at + columns) * y.fract()
    };
    let velocity = |[x, y]: [f64; 2]| {
        let (x, y) = ((x + 1.0) / 2.0, (y + 1.0) / 2.0);
        [value(&coarse.air.u, w + 1, w, [x, y - 0.5]), value(&coarse.air.v, w, w + 1, [x - 0.5, y])]
    };
    air(spec, velocity, |_| [0.0; 4])
}

/// The same with 128², from what coarser ones came to.
fn cavity(scheme: Scheme, reynolds: f64, frames: f64) -> State {
    let coarse = driven(64, scheme, reynolds, frames, Some(&driven(32, scheme, reynolds, frames, None)));
    driven(128, scheme, reynolds, frames, Some(&coarse))
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

/// Least and greatest.
fn extremes(values: impl Iterator<Item = f32>) -> [f64; 2] {
    values.map(f64::from).fold([f64::MAX, f64::MIN], |[low, high], v| [low.min(v), high.max(v)])
}

/// Values of Ghia, Ghia and Shin 1982 on the middle line.
fn holds(scheme: Scheme, reynolds: f64, frames: f64, gates: &[(f64, f64)]) -> State {
    let state = cavity(scheme, reynolds, frames);
    for &(at, expected) in gates {
        let found = across(&state, at);
        println!("Re {reynolds}: u({at}) = {found:.5}, {expected} expected");
        assert!((found - expected).abs() <= 0.006, "Re {reynolds}: u({at}) = {found}, {expected} expected");
    }
    state
}

#[test]
fn a_lid_drives_the_air_in_a_box() {
    holds(Scheme::MacCormack, 100.0, 4.0, &[(0.4531, -0.21090), (0.7344, 0.00332)]);
}

#[test]
fn a_lid_drives_thin_air_in_a_box() {
    holds(Scheme::MacCormack, 400.0, 2.0, &[(0.2813, -0.32726)]);
}

#[test]
fn a_lid_drives_thinner_air_in_a_box() {
    // MacCormack ends at a u_min of -0.3775 and a v_min of -0.5137.
    let state = holds(Scheme::Cubic, 1000.0, 2.0, &[(0.1719, -0.38289), (0.9531, 0.46604)]);
    let u = extremes((1..129).map(|y| state.air.u[y * 131 + 65]));
    let v = extremes((1..129).map(|x| state.air.v[65 * 130 + x]));
    println!("Re 1000: u_min {:.4}, v_min {:.4}, v_max {:.4}", u[0], v[0], v[1]);
    for (found, expected) in [(u[0], -0.3857), (v[0], -0.5246), (v[1], 0.3757)] {
        assert!((found - expected).abs() <= 0.008, "Re 1000: {found}, {expected} expected");
    }
}

#[test]
fn pressure_is_the_same_for_any_number_of_substeps() {
    // Still air that bears its own weight.
    let weight = 0.05;
    let mut spec = spec(24, 32, CLOSED);
    let heavy = air(&spec, |_| [0.0; 2], |_| [1.0; 4]);
    for (substeps, reflection) in [(1, false), (5, false), (1, true), (3, true)] {
        spec.constants.reflection = reflection;
        let settings = Settings { weight, substeps, tolerance: 1e-5, ..settings() };
        let mut state = heavy.clone();
        let mut taken = 0;
        for frame in 0..3 {
            let (next, told) = run(&Cpu::new(1), &task(&spec, &settings, 0.5), &state);
            (state, taken) = (next, told.iterations);
            let pressure = &state.air.pressure;
            let rise = f64::from(pressure[31 * 24] - pressure[0]) / (-31.0 * weight);
            assert!((rise - 1.0).abs() < 1e-3, "frame {frame}, {substeps} sub-steps, {reflection}: {rise}");
        }
        // From nothing, each solution takes more than two.
        assert!(
            taken <= 2 * substeps as u32 * if reflection { 2 } else { 1 },
            "{substeps} sub-steps, {reflection}: {taken} cycles"
        );
    }
}

/// A square of smoke that is lighter than air, in the middle of the bottom.
fn plume(width: usize, height: usize, edges: [Side; 4]) -> (Task, State) {
    let spec = spec(width, height, edges);
    let settings = Settings { weight: -0.05, confinement: 0.1, substeps: 2, ..settings() };
    let middle = width as f64 / 2.0;
    let puff = |[x, y]: [f64; 2]| if (x - middle).abs() < 6.0 && (y - 14.0).abs() < 6.0 { [1.0; 4] } else { [0.0; 4] };
    (task(&spec, &settings, 1.0), air(&spec, |_| [0.0; 2], puff))
}

#[test]
fn a_plume_rises_and_stays_symmetric() {
    let (mut task, mut state) = plume(96, 128, CLOSED);
    // The pressure's colours are not symmetric: what it leaves would show.
    (task.settings.tolerance, task.settings.iterations) = (1e-6, 40);
    let cpu = Cpu::new(2);
    let top = |state: &State| {
        let row = |y: usize| &state.air.dye[y * 96..(y + 1) * 96];
        (0..128).rev().find(|&y| row(y).iter().any(|dye| dye[3] > 0.1)).expect("there is smoke")
    };
    let (first, mut highest) = (top(&state), 0);
    for frame in 0..60 {
        state = run(&cpu, &task, &state).0;
        for row in state.air.dye.chunks_exact(96) {
            for x in 0..48 {
                let off = (row[x][3] - row[95 - x][3]).abs();
                assert!(off <= 1e-5, "frame {frame}: {off}");
            }
        }
        assert!(top(&state) >= highest, "frame {frame}: the top sinks");
        highest = top(&state);
    }
    assert!(highest > first + 12, "from {first} to {highest}");
}

#[test]
fn bits_are_the_same_for_all_threads_and_vectors() {
    let (task, start) = plume(150, 130, [Side::Open, Side::Closed, Side::Closed, Side::Open]);
    let frames = |cpu: &Cpu| (0..3).fold(start.clone(), |state, _| run(cpu, &task, &state).0);
    let expected = frames(&Cpu::with_isa(1, Isa::Baseline));
    assert!(numbers(&expected).all(f32::is_finite));
    for isa in Isa::available() {
        for threads in [1, 2, 8] {
            assert!(frames(&Cpu::with_isa(threads, isa)) == expected, "{threads} threads, {isa:?}");
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn bits_are_the_same_where_the_caller_flushes_denormals() {
    #[expect(unsafe_code, reason = "no function sets the mode")]
    fn set(mode: u32) {
        // SAFETY: loads MXCSR, its reserved bits 0 and exceptions masked.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mode, options(nostack, preserves_flags)) };
    }
    let (mut task, start) = plume(40, 40, CLOSED);
    // Smoke that is all but gone.
    task.settings.dissipation = 0.999_999_9;
    let frames = |cpu: &Cpu| (0..6).fold(start.clone(), |state, _| run(cpu, &task, &state).0);
    let expected = frames(&Cpu::new(1));
    let subnormal = numbers(&expected).filter(|value| value.is_subnormal()).count();
    assert!(subnormal > 10, "{subnormal} denormal numbers");
    for threads in [1, 2] {
        set(0x1f80 | 0x8040);
        let flushed = frames(&Cpu::new(threads));
        set(0x1f80);
        assert!(numbers(&flushed).map(f32::to_bits).eq(numbers(&expected).map(f32::to_bits)), "{threads} threads");
    }
}

#[test]
fn edges_close_open_and_wrap() {
    let cpu = Cpu::new(1);
    let carry = |edges: [Side; 4]| {
        let spec = spec(8, 6, edges);
        let state = air(&spec, |_| [1.0, 0.0], |[x, _]| [x as f32; 4]);
        carried(&cpu, Scheme::SemiLagrangian, &state, 1.0, 1)[..8].iter().map(|dye| dye[3]).collect::<Vec<_>>()
    };
    assert_eq!(carry(CLOSED), [0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    assert_eq!(carry([Side::Open; 4]), [0.0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    assert_eq!(carry([Side::Wrap; 4]), [7.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
}

#[test]
fn bad_input_ends_in_finite_numbers() {
    let cpu = Cpu::new(1);
    for (width, height, viscosity) in [(1, 1, 1e9), (1, 500, 2.0), (33, 20, 10.0)] {
        for edges in [CLOSED, [Side::Open; 4], [Side::Wrap; 4], [Side::Open, Side::Closed, Side::Wrap, Side::Wrap]] {
            for scheme in [Scheme::SemiLagrangian, Scheme::MacCormack, Scheme::Cubic] {
                let mut spec = spec(width, height, edges);
                spec.constants.velocity_scheme = scheme;
                spec.constants.dye_scheme = scheme;
                let settings = Settings { confinement: 1.0, viscosity, weight: 1e9, iterations: 2, ..settings() };
                let wild = |[x, y]: [f64; 2]| match (x * 7.0 + y * 3.0) as usize % 5 {
                    0 => [f64::NAN, 1e6],
                    1 => [f64::INFINITY, -1e6],
                    _ => [1e6, f64::NEG_INFINITY],
                };
                let state = air(&spec, wild, |[x, _]| [x as f32, f32::NAN, f32::INFINITY, 1.0]);
                let mut task = task(&spec, &settings, 1.0);
                for all_solid in [false, true] {
                    if all_solid {
                        let plane = |lattice: Lattice| {
                            let [columns, rows] = lattice.size(width, height);
                            vec![0.0; columns * rows]
                        };
                        let (u, v) = (plane(Lattice::U), plane(Lattice::V));
                        task.drive.solids = Some(Arc::new(Solids { solid: vec![true; width * height], u, v }));
                    }
                    let (after, told) = run(&cpu, &task, &state);
                    assert!(
                        numbers(&after).all(f32::is_finite),
                        "{width} x {height}, {edges:?}, {scheme:?}, {all_solid}"
                    );
                    assert!(told.discarded > 0 && told.cfl_cut && told.substeps == SUBSTEPS_MAX, "{told:?}");
                }
            }
        }
    }
}

#[test]
fn solid_faces_have_the_solids_velocity() {
    let (mut task, state) = plume(48, 40, CLOSED);
    let solid: Vec<bool> =
        (0..48 * 40usize).map(|at| (at % 48).abs_diff(24) < 5 && (at / 48).abs_diff(24) < 5).collect();
    let touches = |x: usize, y: usize, other: Option<(usize, usize)>| {
        let is = |x: usize, y: usize| x < 48 && y < 40 && solid[y * 48 + x];
        is(x, y) || other.is_some_and(|(x, y)| is(x, y))
    };
    let mut solids = Solids { solid: solid.clone(), u: vec![0.0; 49 * 40], v: vec![0.0; 48 * 41] };
    for y in 0..40 {
        for x in 0..49 {
            let touched = touches(x, y, x.checked_sub(1).map(|x| (x, y)));
            solids.u[y * 49 + x] = if touched { 0.75 } else { 0.0 };
        }
    }
    task.drive.solids = Some(Arc::new(solids.clone()));
    let after = (0..4).fold(state, |state, _| run(&Cpu::new(2), &task, &state).0);
    for y in 0..40 {
        for x in 0..49 {
            if touches(x, y, x.checked_sub(1).map(|x| (x, y))) {
                assert_eq!(after.air.u[y * 49 + x], 0.75, "u at {x}, {y}");
            }
        }
    }
    for y in 0..41 {
        for x in 0..48 {
            if touches(x, y, y.checked_sub(1).map(|y| (x, y))) {
                assert_eq!(after.air.v[y * 48 + x], 0.0, "v at {x}, {y}");
            }
        }
    }
    let inside = solid.iter().zip(&after.air.dye).filter(|(solid, _)| **solid);
    assert!(inside.into_iter().all(|(_, dye)| *dye == [0.0; 4]));
}

#[test]
fn time_that_stands_still_changes_nothing() {
    let (mut task, state) = plume(20, 30, CLOSED);
    task.time = 0.0;
    let (after, told) = run(&Cpu::new(1), &task, &state);
    assert!(after == state && told.substeps == 0);
}

#[test]
fn velocity_waits_for_its_turn_and_makes_up_for_it() {
    let (mut task, state) = plume(20, 30, CLOSED);
    let cpu = Cpu::new(1);
    task.spec.constants.update_every = 2;
    task.settings.frame = 1;
    let state = run(&cpu, &task, &state).0;
    assert!(state.air.u.iter().chain(&state.air.v).all(|&value| value == 0.0));
    let lifted = |task: &Task| run(&cpu, task, &state).0.air.v.iter().map(|v| f64::from(v.abs())).sum::<f64>();
    task.settings = Settings { frame: 2, substeps: 1, confinement: 0.0, ..task.settings };
    let both = lifted(&task);
    task.spec.constants.update_every = 1;
    assert!((both / lifted(&task) - 2.0).abs() < 1e-3);
}
