//! Dye by a flow map: cases with a known result, and the bits of a state that was stored.

use std::sync::Arc;

use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::fluid::{Backend, Scheme};
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::flow_map::REMAP_FRAMES;
use flow_ofx::sim::smoke::forcing::{GridMotion, InitialSource, Patch};
use flow_ofx::sim::smoke::settings::Boundary::{self, Closed, Open, Wrap};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Settings, Spec, State, Task};

use crate::devices::Under;
use crate::record::in_full;
use crate::smoke::projected::Random;
use crate::smoke::{air, numbers, run, settings, spec, task};

const SIZE: [usize; 2] = [52, 44];

fn mapped(edges: [Boundary; 4]) -> Spec {
    let mut spec = spec(SIZE[0], SIZE[1], edges);
    spec.constants.flow_map = true;
    spec
}

/// A frame that moves the dye alone.
fn dye_alone(mut spec: Spec, settings: &Settings) -> Task {
    spec.constants.update_every = u32::MAX;
    task(&spec, &Settings { frame: 1, max_cfl: 1e6, ..settings.clone() }, 1.0)
}

/// Random dye.
fn picture(spec: &Spec) -> State {
    let mut random = Random(7);
    let mut state = air(spec, |_| [0.0; 2], |_| [0.0; 4]);
    let dye = &mut Arc::make_mut(&mut state.air).dye;
    dye.iter_mut().for_each(|dye| *dye = [(); 4].map(|()| random.next() + 0.5));
    state
}

/// A rectangle of dye.
fn patch(dye: [f32; 4]) -> Patch<[f32; 4]> {
    Patch { x: 11, y: 9, width: 13, height: 7, values: vec![dye; 13 * 7] }
}

/// An eddy, in cells per frame.
fn eddy([x, y]: [f64; 2]) -> [f64; 2] {
    let (x, y) = (x - 26.0, y - 22.0);
    let fall = 0.12 * (-(x * x + y * y) / 200.0).exp();
    [-y * fall, x * fall]
}

fn stays<B: Backend>(on: &Under<B>) {
    for edges in [[Open; 4], [Closed; 4], [Wrap; 4], [Closed, Open, Wrap, Wrap]] {
        let spec = mapped(edges);
        let mut state = picture(&spec);
        let frames = 3 * REMAP_FRAMES + 2;
        for frame in 1..=frames {
            let mut task = dye_alone(spec, &settings());
            if frame == 13 {
                task.forcing.dye.push(patch([0.1, 0.2, 0.3, 0.4]));
                task.forcing.initial_source = Some(InitialSource::FillUp(patch([0.5; 4])));
            }
            let next = run(on.device, &task, &state).0;
            if frame != 13 {
                assert!(next.air.dye == state.air.dye, "{edges:?}, frame {frame}");
            }
            state = next;
        }
    }
}

/// The first step after a remap, against that of Catmull-Rom's cubic.
fn begins_as_a_cubic<B: Backend>(on: &Under<B>) {
    for edges in [[Open; 4], [Closed; 4]] {
        let smooth = |[x, y]: [f64; 2]| [(0.5 + 0.5 * (0.3 * x).sin() * (0.2 * y).cos()) as f32; 4];
        let start = air(&spec(SIZE[0], SIZE[1], edges), eddy, smooth);
        let [cubic, map] = [spec(SIZE[0], SIZE[1], edges), mapped(edges)]
            .map(|spec| run(on.device, &dye_alone(spec, &settings()), &start).0);
        // At an open edge both the base and its survival end.
        let inside = |at: usize| {
            let (x, y) = (at % SIZE[0], at / SIZE[0]);
            edges == [Closed; 4] || (3..SIZE[0] - 3).contains(&x) && (3..SIZE[1] - 3).contains(&y)
        };
        let pairs = cubic.air.dye.iter().zip(&*map.air.dye).enumerate().filter(|(at, _)| inside(*at));
        let apart = pairs.map(|(_, (a, b))| (a[0] - b[0]).abs()).fold(0.0, f32::max);
        assert!(apart <= 1e-6, "{edges:?}: {apart:e}");
    }
}

/// The state from its numbers and planes.
fn restored(spec: &Spec, state: &State) -> State {
    let [width, height] = SIZE.map(|n| n + 2);
    let numbers = state.exact_numbers();
    let planes = state.exact_planes().into_iter().map(|plane| {
        let mut rows = vec![0.0; width * height];
        rows.chunks_exact_mut(width).enumerate().for_each(|(y, row)| (plane.fill)(y, row));
        (plane.name.to_owned(), rows)
    });
    let number = |name: &str| numbers.iter().find(|(theirs, _)| theirs == name).map(|(_, value)| *value);
    State::from_exact(spec, &number, planes.collect()).expect("a state")
}

/// Buoyant dye with sources, in several sub-steps.
fn lively() -> (Spec, Settings, State) {
    let mut spec = mapped([Closed, Closed, Closed, Open]);
    spec.constants.reflection = true;
    let settings = Settings { weight: -0.05, dissipation: 0.02, substeps: 2, confinement: 0.1, ..settings() };
    let start = air(&spec, eddy, |[x, y]| if (x - 20.0).hypot(y - 20.0) < 8.0 { [0.7; 4] } else { [0.0; 4] });
    (spec, settings, start)
}

fn frame_of(spec: &Spec, settings: &Settings, frame: u32) -> Task {
    let mut task = task(spec, settings, 1.0);
    task.forcing.dye.push(patch([0.05; 4]));
    if frame.is_multiple_of(3) {
        task.forcing.initial_source = Some(InitialSource::Replace(patch([0.2, 0.1, 0.0, 0.3])));
    }
    task
}

fn resumes<B: Backend>(on: &Under<B>) {
    let (spec, settings, mut state) = lively();
    let remaps = if on.is_cpu() || in_full() { 2 } else { 1 };
    for frame in 1..=remaps * REMAP_FRAMES + 3 {
        let task = frame_of(&spec, &settings, frame);
        let again = run(on.device, &task, &restored(&spec, &state)).0;
        state = run(on.device, &task, &state).0;
        assert!(again == state, "frame {frame}");
        assert_eq!(state.air.dye_map.as_ref().expect("a map").age, (frame - 1) % REMAP_FRAMES + 1);
    }
    assert!(numbers(&state).all(f32::is_finite) && state.air.dye.iter().flatten().all(|dye| *dye >= 0.0));
}

/// A window that moves with a uniform wind by whole cells, against one that stands.
fn moves_with_its_window<B: Backend>(on: &Under<B>) {
    let spec = mapped([Open; 4]);
    let by = [1, -1];
    let puff = |[x, y]: [f64; 2]| [(0.9 * (-((x - 26.0).powi(2) + (y - 22.0).powi(2)) / 20.0).exp()) as f32; 4];
    let wind = |[x, y]: [f64; 2]| eddy([x, y]).map(|v| 0.4 * v);
    let [mut still, mut moving] = [(); 2].map(|()| air(&spec, |_| [0.0; 2], puff));
    let mut shift = [0_i64; 2];
    for frame in 1..=14 {
        let step = if frame % 2 == 0 { by } else { [0, 0] };
        let set = |state: &mut State, of: &dyn Fn([f64; 2]) -> [f64; 2]| {
            let flow = air(&spec, of, |_| [0.0; 4]);
            let air = Arc::make_mut(&mut state.air);
            (air.u, air.v) = (flow.air.u.clone(), flow.air.v.clone());
        };
        set(&mut still, &wind);
        still = run(on.device, &dye_alone(spec, &settings()), &still).0;
        // The shift moves the velocity too.
        set(&mut moving, &|[x, y]| wind([x + shift[0] as f64, y + shift[1] as f64]));
        let mut task = dye_alone(spec, &settings());
        task.motion = GridMotion { grid: spec.grid, shift: step, remainder: [0.0; 4] };
        moving = run(on.device, &task, &moving).0;
        shift = [shift[0] + step[0], shift[1] + step[1]];
    }
    let Grid { width, height, .. } = spec.grid;
    let mut apart = 0.0_f32;
    for y in 12..height - 12 {
        for x in 12..width - 12 {
            let there = (y as i64 + shift[1]) as usize * width + (x as i64 + shift[0]) as usize;
            for (a, b) in moving.air.dye[y * width + x].iter().zip(still.air.dye[there]) {
                apart = apart.max((a - b).abs());
            }
        }
    }
    assert!(apart <= 1e-5, "{apart:e}");
    let all: f32 = moving.air.dye.iter().map(|dye| dye[3]).sum();
    assert!(all > 10.0, "{all}: the dye is inside");
}

/// Uniform dye around a solid at rest stays uniform.
fn is_not_thinned_by_solids<B: Backend>(on: &Under<B>) {
    let [width, height] = SIZE;
    let spec = mapped([Closed; 4]);
    let solid: Vec<bool> =
        (0..width * height).map(|at| (20..28).contains(&(at % width)) && (18..26).contains(&(at / width))).collect();
    let (u, v) = (vec![0.0; (width + 1) * height], vec![0.0; width * (height + 1)]);
    let solids = Some(Arc::new(Solids { solid, u, v }));
    let mut state = air(&spec, |place| eddy(place).map(|v| 2.0 * v), |_| [1.0; 4]);
    state.solids.clone_from(&solids);
    for _ in 0..=REMAP_FRAMES + 4 {
        let mut task = task(&spec, &settings(), 1.0);
        task.forcing.solids.clone_from(&solids);
        state = run(on.device, &task, &state).0;
    }
    let solid = &solids.as_ref().expect("solids").solid;
    for (at, dye) in state.air.dye.iter().enumerate() {
        let expected = if solid[at] { 0.0 } else { 1.0 };
        assert!(dye.iter().all(|dye| (dye - expected).abs() <= 1e-4), "{dye:?} in cell {at}");
    }
}

#[test]
fn bits_are_the_same_for_all_threads_and_vectors() {
    let (spec, settings, start) = lively();
    let frames = |cpu: &Cpu| {
        (1..=REMAP_FRAMES + 3)
            .fold(start.clone(), |state, frame| run(cpu, &frame_of(&spec, &settings, frame), &state).0)
    };
    let expected = frames(&Cpu::with_isa(1, Isa::Baseline));
    for isa in Isa::available() {
        for threads in [1, 2, 5] {
            assert!(frames(&Cpu::with_isa(threads, isa)) == expected, "{threads} threads, {isa:?}");
        }
    }
    assert_eq!(spec.constants.dye_scheme, Scheme::Cubic);
}

crate::gate!(a_flow_map_leaves_pictures_in_still_air, super::stays);
crate::gate!(a_flow_map_begins_as_a_cubic, super::begins_as_a_cubic);
crate::gate!(a_flow_map_resumes_at_any_age, super::resumes);
crate::gate!(a_flow_map_moves_with_its_window, super::moves_with_its_window);
crate::gate!(a_flow_map_is_not_thinned_by_solids, super::is_not_thinned_by_solids);
