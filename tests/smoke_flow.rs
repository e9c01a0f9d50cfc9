//! The smoke's solver on the CPU: its exact properties. Its gates are in `smoke_gates`.

mod smoke;

use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use flow_host::with_denormals_flushed;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::fluid::{Backend, HostFields, Operation, Session, VectorField, VelocityStatistics};
use flow_ofx::sim::smoke::settings::{Boundary, Jet, Scheme};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::time_step::SUBSTEPS_MAX;
use flow_ofx::sim::smoke::{Executor, FieldKind, Inputs, Settings, State, Task, next_frame, start_frame};
use smoke::{advected_dye, advected_faces, air, each, energy, jet, load, numbers, run, settings, spec, task};

const CLOSED: [Boundary; 4] = [Boundary::Closed; 4];

/// A plane whose values are its positions, advected by a wind equal to the position: a value is its backtraced
/// position.
#[test]
fn interpolation_reproduces_the_sample_position() {
    let spec = spec(16, 12, CLOSED);
    for slope in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
        let state = air(&spec, |[x, y]| [slope[0] * x, slope[1] * y], |_| [0.0; 4]);
        let time = 0.0625;
        let advected_dye = advected_faces(&Cpu::new(1), Scheme::SemiLagrangian, &state, time as f32);
        // Two backtraces with the midpoint rule: the position times this.
        let factor = 1.0 - time * (1.0 - 0.5 * time);
        each(17, 12, [0.0, 0.5], |at, [x, _]| {
            let expected = slope[0] * x * factor;
            assert!(
                (f64::from(advected_dye[0][at]) - expected).abs() < 4e-6,
                "u at {x}: {} {expected}",
                advected_dye[0][at]
            );
        });
        each(16, 13, [0.5, 0.0], |at, [_, y]| {
            let expected = slope[1] * y * factor;
            assert!(
                (f64::from(advected_dye[1][at]) - expected).abs() < 4e-6,
                "v at {y}: {} {expected}",
                advected_dye[1][at]
            );
        });
    }
}

#[test]
fn pressure_is_the_same_for_any_number_of_substeps() {
    // Still air under gravity.
    let weight = 0.05;
    let mut spec = spec(24, 32, CLOSED);
    let heavy = air(&spec, |_| [0.0; 2], |_| [1.0; 4]);
    for (substeps, reflection) in [(1, false), (5, false), (1, true), (3, true)] {
        spec.constants.reflection = reflection;
        let settings = Settings { weight, substeps, tolerance: 1e-5, ..settings() };
        let mut state = heavy.clone();
        let mut taken = 0;
        for frame in 0..3 {
            let (next, diagnostics) = run(&Cpu::new(1), &task(&spec, &settings, 0.5), &state);
            (state, taken) = (next, diagnostics.iterations);
            let pressure = &state.air.pressure;
            let rise = f64::from(pressure[31 * 24] - pressure[0]) / (-31.0 * weight);
            assert!((rise - 1.0).abs() < 1e-3, "frame {frame}, {substeps} sub-steps, {reflection}: {rise}");
        }
        // From pressure 0, each solution takes more than two cycles.
        assert!(
            taken <= 2 * substeps as u32 * if reflection { 2 } else { 1 },
            "{substeps} sub-steps, {reflection}: {taken} cycles"
        );
    }
}

/// A square of smoke that is lighter than air, in the middle of the bottom.
fn plume(width: usize, height: usize, edges: [Boundary; 4]) -> (Task, State) {
    let spec = spec(width, height, edges);
    let settings = Settings { weight: -0.05, confinement: 0.1, substeps: 2, ..settings() };
    let middle = width as f64 / 2.0;
    let puff = |[x, y]: [f64; 2]| if (x - middle).abs() < 6.0 && (y - 14.0).abs() < 6.0 { [1.0; 4] } else { [0.0; 4] };
    (task(&spec, &settings, 1.0), air(&spec, |_| [0.0; 2], puff))
}

#[test]
fn smoke_closes_behind_a_moving_solid() {
    let spec = spec(96, 64, CLOSED);
    let inputs = |frame: i32| {
        let turn = 0.2 * f64::from(frame);
        let solid = |at: usize| {
            let (x, y) = ((at % 96) as f64 + 0.5, (at / 96) as f64 + 0.5);
            let disc = (x - 20.0 - 4.0 * f64::from(frame)).hypot(y - 20.0) < 8.0;
            let (dx, dy) = (x - 30.0, y - 46.0);
            let blade =
                (dx * turn.cos() + dy * turn.sin()).abs() < 14.0 && (dy * turn.cos() - dx * turn.sin()).abs() < 3.0;
            // It vanishes in the end.
            f32::from(u8::from(disc || (blade && frame < 13)))
        };
        let pixels: Vec<_> = (0..96 * 64).map(|at| [0.0, 0.0, 0.0, solid(at)]).collect();
        Inputs { obstacles: Some(Arc::new(pixels)), ..Inputs::default() }
    };
    let cpu = Cpu::new(2);
    let mut state = start_frame(&spec, &settings(), &inputs(0), &cpu).0;
    let cloud = [0.25, 0.5, 0.75, 1.5];
    let open =
        |state: &State| -> Vec<bool> { state.solids.as_ref().expect("solids").solid.iter().map(|s| !s).collect() };
    let holds = open(&state);
    let air = Arc::make_mut(&mut state.air);
    air.dye = holds.iter().map(|&holds| if holds { cloud } else { [0.0; 4] }).collect::<Vec<_>>().into();
    air.temperature = Some(holds.iter().map(|&holds| f32::from(u8::from(holds))).collect::<Vec<_>>().into());
    let executor = Executor { device: &cpu, workers: &cpu };
    for frame in 1..=13 {
        state = next_frame(&spec, &state, &settings(), &inputs(frame), executor, &mut || true).expect("goes on").0;
        let temperature = state.air.temperature.as_ref().expect("warm");
        let off = |at: usize| {
            let dye = state.air.dye[at].iter().zip(cloud).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            dye.max((temperature[at] - 1.0).abs())
        };
        let open = open(&state);
        let most = (0..96 * 64).filter(|&at| open[at]).map(off).fold(0.0, f32::max);
        if frame < 13 {
            assert!(most < 1e-4, "frame {frame}: {most}");
        } else {
            assert!(off(46 * 96 + 30) > 0.9, "what vanishes leaves nothing");
        }
    }
    assert!(energy(&state) > 1.0, "it was pushed");
}

#[test]
fn solids_beyond_a_wrapped_side_are_excluded() {
    let spec = spec(100, 40, [Boundary::Wrap; 4]);
    let is_solid = |at: usize| at % 100 >= 96 || at / 100 >= 37;
    let mut state = air(&spec, |_| [2.3, 1.6], |_| [1.0; 4]);
    let solid: Vec<bool> = (0..100 * 40).map(is_solid).collect();
    Arc::make_mut(&mut state.air).dye.iter_mut().zip(&solid).filter(|(_, s)| **s).for_each(|(dye, _)| *dye = [0.0; 4]);
    state.solids = Some(Arc::new(Solids { solid, u: vec![0.0; 101 * 40], v: vec![0.0; 100 * 41] }));
    for scheme in [Scheme::SemiLagrangian, Scheme::MacCormack, Scheme::Cubic] {
        for (at, dye) in advected_dye(&Cpu::new(1), scheme, &state, 1.0, 1).into_iter().enumerate() {
            let wanted = if is_solid(at) { 0.0 } else { 1.0 };
            assert!((dye[3] - wanted).abs() < 1e-6, "{scheme:?} {} {}: {dye:?}", at % 100, at / 100);
        }
    }
}

#[test]
fn confinement_acts_on_eddies_wider_than_a_cell() {
    // The largest velocity after some frames, relative to that of the start.
    let gain = |velocity: &dyn Fn([f64; 2]) -> [f64; 2], confinement: f64| {
        let spec = spec(64, 64, [Boundary::Wrap; 4]);
        let settings = Settings { confinement, ..settings() };
        let task = task(&spec, &settings, 1.0);
        let start = air(&spec, velocity, |_| [0.0; 4]);
        let end = (0..20).fold(start.clone(), |state, _| run(&Cpu::new(1), &task, &state).0);
        let largest = |state: &State| state.air.u.iter().fold(0.0_f32, |most, u| most.max(u.abs()));
        f64::from(largest(&end) / largest(&start))
    };
    let eddy = |[x, y]: [f64; 2]| {
        let (dx, dy) = (x - 32.0, y - 32.0);
        let turn = 0.1 * (-(dx * dx + dy * dy) / (2.0 * 36.0)).exp();
        [-dy * turn, dx * turn]
    };
    let (kept, turned) = (gain(&eddy, 0.0), gain(&eddy, 0.2));
    assert!(kept < 1.0 && turned > 1.1 * kept, "an eddy: {turned}, {kept} without");
    let sheet = |[_, y]: [f64; 2]| [if (16.0..48.0).contains(&y) { 0.5 } else { -0.5 }, 0.0];
    let sharpened = gain(&sheet, 1.0);
    assert!((sharpened - 1.0).abs() < 0.02, "a sheet: {sharpened}");
}

#[test]
fn stripes_of_one_cell_are_damped_and_steps_are_not() {
    let mut spec = spec(64, 32, [Boundary::Wrap; 4]);
    spec.constants.velocity_scheme = Scheme::MacCormack;
    // An alternating pattern, in a wind so slow that the scheme alone changes it, and a step at rest.
    let ends = |wind: f64, rise: &dyn Fn(f64) -> f64| {
        let start = air(&spec, |[x, _]| [wind, rise(x)], |_| [0.0; 4]);
        let task = task(&spec, &settings(), 1.0);
        let end = (0..10).fold(start.clone(), |state, _| run(&Cpu::new(1), &task, &state).0);
        start.air.v.iter().zip(&end.air.v).map(|(start, end)| [*start, *end]).collect::<Vec<_>>()
    };
    let stripes = ends(0.05, &|x| if (x as i32) % 2 == 0 { 0.1 } else { -0.1 });
    let most = stripes.iter().fold(0.0_f32, |most, [_, end]| most.max(end.abs()));
    assert!(most < 0.002, "stripes of {most} are left");
    let step = ends(0.0, &|x| if (16.0..48.0).contains(&x) { 0.5 } else { -0.5 });
    assert!(step.iter().all(|[start, end]| (start - end).abs() < 1e-6), "a step is not the one it was");
}

#[test]
fn bits_are_the_same_for_all_threads_and_vectors() {
    let (mut task, start) = plume(150, 130, [Boundary::Open, Boundary::Closed, Boundary::Closed, Boundary::Open]);
    for scheme in [Scheme::SemiLagrangian, Scheme::MacCormack, Scheme::Cubic] {
        task.spec.constants.velocity_scheme = scheme;
        let frames = |cpu: &Cpu| (0..3).fold(start.clone(), |state, _| run(cpu, &task, &state).0);
        let expected = frames(&Cpu::with_isa(1, Isa::Baseline));
        assert!(numbers(&expected).all(f32::is_finite));
        for isa in Isa::available() {
            for threads in [1, 2, 8] {
                assert!(frames(&Cpu::with_isa(threads, isa)) == expected, "{scheme:?}, {threads} threads, {isa:?}");
            }
        }
    }
    // Planes so large that their stores bypass the caches.
    let (task, start) = plume(1201, 901, CLOSED);
    let expected = run(&Cpu::with_isa(1, Isa::Baseline), &task, &start).0;
    for isa in Isa::available() {
        assert!(run(&Cpu::with_isa(2, isa), &task, &start).0 == expected, "large, {isa:?}");
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn bits_are_the_same_where_the_caller_flushes_denormals() {
    let (mut task, start) = plume(40, 40, CLOSED);
    // Nearly vanished smoke.
    task.settings.dissipation = 0.999_999_9;
    let frames = |cpu: &Cpu| (0..6).fold(start.clone(), |state, _| run(cpu, &task, &state).0);
    let expected = frames(&Cpu::new(1));
    let subnormal = numbers(&expected).filter(|value| value.is_subnormal()).count();
    assert!(subnormal > 10, "{subnormal} denormal numbers");
    for threads in [1, 2] {
        let flushed = with_denormals_flushed(|| frames(&Cpu::new(threads)));
        assert!(numbers(&flushed).map(f32::to_bits).eq(numbers(&expected).map(f32::to_bits)), "{threads} threads");
    }
}

#[test]
fn velocity_statistics_equal_those_of_the_field() {
    let (task, start) = plume(70, 50, [Boundary::Open, Boundary::Closed, Boundary::Closed, Boundary::Open]);
    let cpu = Cpu::new(2);
    let device = SmokeCpu::new(&cpu);
    let found = |session: &mut Session<'_, SmokeCpu<'_>>, velocity| {
        let mut found = session.run(&[Operation::VelocityStatistics { velocity }]).expect("works");
        found.take_statistics()
    };
    let known = |state: &State| {
        let mut session = Session::new(&device);
        let (velocity, _) = load(&mut session, &state.air);
        found(&mut session, velocity)
    };
    let mut state = start.clone();
    for _ in 0..3 {
        state = run(&cpu, &task, &state).0;
        let mut session = Session::new(&device);
        let [u, v] = [&state.air.u, &state.air.v].map(|values| session.upload(values).expect("memory"));
        assert_eq!(known(&state), found(&mut session, VectorField::new(&[u, v])));
    }
    // Statistics of this velocity, not of another.
    let of_start = known(&start);
    let owner: Arc<dyn HostFields> = Arc::clone(&state.air) as _;
    device.stored(&owner, Some(VelocityStatistics { largest: 123.0, bad: 0 }));
    assert_eq!(known(&state).largest, 123.0, "the statistics are not computed again");
    assert_eq!(known(&start), of_start);
    let same = State { air: Arc::new((*state.air).clone()), ..state.clone() };
    assert!(known(&same).largest < 123.0);
}

/// Air without dye nearby is skipped. A speck at both ends of every row leaves no such air; the specks do not move far.
#[test]
fn skipped_empty_air_would_have_stayed_empty() {
    let (width, height, frames) = (240, 70, 3);
    let wind = |[x, y]: [f64; 2]| [11.6 + 0.3 * (0.11 * y + 0.02 * x).sin(), -7.4 + 0.3 * (0.07 * x).cos()];
    let blob = |[x, y]: [f64; 2]| {
        let inside = (x - 90.0).powi(2) + (y - 50.0).powi(2) < 100.0;
        if inside { [0.5 * (0.3 * x).sin() as f32, 0.25, y as f32, 1.0] } else { [0.0; 4] }
    };
    let speck = |[x, y]: [f64; 2]| if (1.0..239.0).contains(&x) { blob([x, y]) } else { [1.0; 4] };
    for edges in [CLOSED, [Boundary::Open; 4]] {
        let spec = spec(width, height, edges);
        for scheme in [Scheme::SemiLagrangian, Scheme::MacCormack, Scheme::Cubic] {
            let end = |dye: &dyn Fn([f64; 2]) -> [f32; 4]| {
                let dye = advected_dye(&Cpu::new(2), scheme, &air(&spec, wind, dye), 1.0, frames);
                let rows = dye.chunks_exact(width).map(|row| row[60..200].to_vec());
                rows.flatten().map(|dye| dye.map(f32::to_bits)).collect::<Vec<_>>()
            };
            let alone = end(&blob);
            assert!(alone.iter().filter(|dye| dye[3] != 0).count() > 100, "{scheme:?}");
            assert!(alone == end(&speck), "{scheme:?}, {edges:?}");
        }
    }
}

/// The same for whole frames: cooling heat, a solid, a jet and fading dye, in several sub-steps.
#[test]
fn skipping_empty_air_changes_no_frame() {
    for flow_map in [false, true] {
        skips_empty_air(flow_map);
    }
}

fn skips_empty_air(flow_map: bool) {
    let (width, height) = (240, 70);
    let mut spec = spec(width, height, [Boundary::Open; 4]);
    spec.constants.flow_map = flow_map;
    let inside = |[x, y]: [f64; 2]| (x - 90.0).powi(2) + (y - 50.0).powi(2) < 100.0;
    let jet = Jet { centre: [110.0, 20.0], previous: [110.0, 20.0], radius: 5.0, softness: 0.5, spread: 10.0, ..jet() };
    let settings =
        Settings { substeps: 3, dissipation: 0.1, cooling: 0.2, ambient: 0.3, jets: vec![jet], ..settings() };
    let solid: Vec<_> = (0..width * height).map(|at| [0.0, 0.0, 0.0, f32::from(u8::from(at % width == 125))]).collect();
    let inputs = Inputs { obstacles: Some(Arc::new(solid)), ..Inputs::default() };
    let (cpu, workers) = (Cpu::new(2), Cpu::new(2));
    let executor = Executor { device: &cpu, workers: &workers };
    let end = |specks: bool| {
        let speck = |x: f64| specks && !(1.0..239.0).contains(&x);
        let holds = |[x, y]: [f64; 2]| if speck(x) || inside([x, y]) { 1.0 } else { 0.0 };
        let mut state = air(&spec, |_| [3.0, -2.0], |place| [holds(place); 4]);
        let mut heat = Vec::new();
        each(width, height, [0.5, 0.5], |_, place| heat.push(holds(place)));
        Arc::make_mut(&mut state.air).temperature = Some(heat.into());
        for _ in 0..4 {
            state = next_frame(&spec, &state, &settings, &inputs, executor, &mut || true).expect("goes on").0;
        }
        let temperature = state.air.temperature.as_ref().expect("warm");
        let cells = state.air.dye.iter().zip(temperature).map(|(dye, heat)| (dye.map(f32::to_bits), heat.to_bits()));
        let cells: Vec<_> = cells.collect();
        let rows = cells.chunks_exact(width).flat_map(|row| row[60..180].to_vec());
        (rows.collect::<Vec<_>>(), state.air.u.clone())
    };
    let (alone, wind) = end(false);
    assert!(alone.iter().filter(|(dye, heat)| dye[3] != 0 && *heat != 0).count() > 300);
    let (beside, same_wind) = end(true);
    assert!(alone == beside && wind == same_wind);
}

#[test]
fn edges_close_open_and_wrap() {
    let cpu = Cpu::new(1);
    let carry = |edges: [Boundary; 4]| {
        let spec = spec(8, 6, edges);
        let state = air(&spec, |_| [1.0, 0.0], |[x, _]| [x as f32; 4]);
        advected_dye(&cpu, Scheme::SemiLagrangian, &state, 1.0, 1)[..8].iter().map(|dye| dye[3]).collect::<Vec<_>>()
    };
    assert_eq!(carry(CLOSED), [0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    assert_eq!(carry([Boundary::Open; 4]), [0.0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    assert_eq!(carry([Boundary::Wrap; 4]), [7.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
}

#[test]
fn bad_input_ends_in_finite_numbers() {
    let cpu = Cpu::new(1);
    for (width, height, viscosity) in [(1, 1, 1e9), (1, 500, 2.0), (33, 20, 10.0)] {
        for edges in [
            CLOSED,
            [Boundary::Open; 4],
            [Boundary::Wrap; 4],
            [Boundary::Open, Boundary::Closed, Boundary::Wrap, Boundary::Wrap],
        ] {
            let schemes = [Scheme::SemiLagrangian, Scheme::MacCormack, Scheme::Cubic].map(|scheme| (scheme, false));
            for (scheme, flow_map) in schemes.into_iter().chain([(Scheme::Cubic, true)]) {
                let mut spec = spec(width, height, edges);
                spec.constants.velocity_scheme = scheme;
                spec.constants.dye_scheme = scheme;
                spec.constants.flow_map = flow_map;
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
                        let plane = |kind: FieldKind| {
                            let [columns, rows] = kind.size(width, height);
                            vec![0.0; columns * rows]
                        };
                        let (u, v) = (plane(FieldKind::U), plane(FieldKind::V));
                        task.forcing.solids = Some(Arc::new(Solids { solid: vec![true; width * height], u, v }));
                    }
                    let (after, diagnostics) = run(&cpu, &task, &state);
                    assert!(
                        numbers(&after).all(f32::is_finite),
                        "{width} x {height}, {edges:?}, {scheme:?}, {flow_map}, {all_solid}"
                    );
                    assert!(
                        diagnostics.discarded > 0 && diagnostics.cfl_cut && diagnostics.substeps == SUBSTEPS_MAX,
                        "{diagnostics:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_time_scale_of_zero_changes_nothing() {
    let (mut task, state) = plume(20, 30, CLOSED);
    task.time = 0.0;
    let (after, diagnostics) = run(&Cpu::new(1), &task, &state);
    assert!(after == state && diagnostics.substeps == 0);
}

#[test]
fn velocity_updates_of_every_nth_frame_cover_the_skipped_time() {
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
