//! Steps among solids: the CPU's within the tolerances, no smoke in a solid, and its velocity on closed faces.

use std::sync::Arc;

use flow_ofx::compute::gpu::Options;
use flow_ofx::sim::volume::camera_view::CameraView;
use flow_ofx::sim::volume::projected::{ProjectedSolid, ProjectedSolids, Surfaces};
use flow_ofx::sim::volume::settings::{Emitter, Shape, Side, Solid};
use flow_ofx::sim::volume::solids::{Bodies, Body};
use flow_ofx::sim::volume::state::face_sizes;
use flow_ofx::sim::volume::turn::Turn;
use flow_ofx::sim::volume::{Device, Settings, State, advance, first, testing};

use crate::record::Record;
use crate::scenes::{Scene, burning, fire, forced};
use crate::steps::check;
use crate::{opened, shared, volume_on};

fn solid(shape: Shape, centre: [f64; 3], radius: f64, height: f64) -> Solid {
    Solid { shape, file: None, centre, previous: centre, radius, height, turn: None }
}

/// A figure of a matte with a hole, six cells thick, before a camera that looks along −z.
fn figure([x, y, z]: [f64; 3]) -> ProjectedSolid {
    let (away, per_cell, pixels) = (60.0, 4.0, 160);
    let distance = [0.0, 0.0, -1.0, z + away];
    let across = |axis: usize, middle: f64| {
        let mut row = distance.map(|part| part * f64::from(pixels) / 2.0);
        row[axis] += away * per_cell;
        row[3] -= away * per_cell * middle;
        row
    };
    let camera = CameraView { rows: [across(0, x), across(1, y), distance], near: 0.1 };
    let seen = |at: usize| {
        let [x, y] = [at % pixels as usize, at / pixels as usize].map(|place| place as f64 - f64::from(pixels) / 2.0);
        let square = x * x + y * y;
        (40.0..600.0).contains(&square).then_some((away - 3.0) as f32)
    };
    let mut solid = ProjectedSolid::new(camera, 6.0, Some(away - 3.0));
    solid.surfaces = Some(Arc::new(Surfaces::new([pixels as usize; 2], seen)));
    solid
}

/// A scene for each kind of solid and of side.
fn scenes() -> Vec<Scene> {
    let cells = [24, 32, 16];
    // A frame is one step, so that its solids are those of the step.
    let plume = |settings: Settings| Settings { max_cfl: 100.0, buoyancy: 0.2, ..settings };
    let sphere = solid(Shape::Sphere, [12.0, 16.0, 8.0], 4.0, 0.0);
    // Its height of 0 makes it one cell thick.
    let plate = solid(Shape::Disc, [12.0, 15.0, 8.0], 7.0, 0.0);
    let floor = solid(Shape::Box, [12.0, 24.0, 8.0], 40.0, 1.0);
    let capsule = solid(Shape::Capsule, [0.5, 9.0, 8.0], 2.5, 6.0);
    // By a quarter of a radian about z.
    let (sin, cos) = 0.25_f64.sin_cos();
    let turned = [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]];
    let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let turning = Solid { turn: Turn::new(upright, turned), ..solid(Shape::Box, [12.0, 16.0, 8.0], 4.0, 3.0) };
    let sides = [[Side::Wrapped; 2], [Side::Closed, Side::Open], [Side::Closed; 2]];
    let moving = |name, push, settings| Scene { name, settings: plume(settings), push };
    vec![
        moving(
            "a sphere that moves through a plume",
            [0.25, 0.375, -0.125],
            Settings {
                solids: vec![sphere],
                emitters: vec![Emitter { colour: [0.2, 0.5, 1.0], ..testing::emitter([12.0, 8.0, 8.0]) }],
                ..testing::plume(cells)
            },
        ),
        moving(
            "a plate over finer fire, in one step",
            [0.0; 3],
            Settings {
                solids: vec![plate],
                fire: Some(fire()),
                emitters: vec![burning([12.0, 8.0, 8.0])],
                detail: 2,
                reflection: false,
                ..forced(cells)
            },
        ),
        moving(
            "a closed box in two regions, with a solid of a picture",
            [0.0; 3],
            Settings {
                // Without the removal of its mean, the divergence of this emitter has no pressure.
                emitters: vec![Emitter { expansion: 0.1, ..testing::emitter([12.0, 8.0, 8.0]) }],
                solids: vec![floor],
                projected: ProjectedSolids(vec![figure([12.0, 14.0, 8.0])]),
                sides: [[Side::Closed; 2]; 3],
                fixed: true,
                ..testing::plume(cells)
            },
        ),
        moving("a box that turns in a plume", [0.0; 3], Settings { solids: vec![turning], ..testing::plume(cells) }),
        moving(
            "a capsule across a wrapped side",
            [0.5, 0.0, 0.25],
            // 24 wrapped cells have a level of three, where two cells of a colour are neighbours.
            Settings { solids: vec![capsule], sides, fixed: true, cells: [24, 16, 16], ..forced([24, 16, 16]) },
        ),
    ]
}

/// Index of a cell or face of an array with these sizes.
fn index(size: [usize; 3], [x, y, z]: [usize; 3]) -> usize {
    x + size[0] * (y + size[1] * z)
}

/// All positions of an array.
fn all(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..size.iter().product()).map(move |at| [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])])
}

/// Checks the closed faces and the solid cells of a frame of one step; returns their numbers.
fn check_solids(state: &State, settings: &Settings) -> [usize; 2] {
    let moved: Vec<Body> = settings.solids.iter().filter_map(|solid| Body::new(solid, [0.0, 1.0], 1.0)).collect();
    let bounds = state.bounds;
    let wraps = |axis: usize| settings.sides[axis][0] == Side::Wrapped;
    let periods = [0, 1, 2].map(|axis| wraps(axis).then_some(bounds.cells[axis] as f64));
    let bodies = Bodies { all: &moved, projected: &settings.projected.0, periods };
    let place = |at: [usize; 3], across: Option<usize>| {
        [0, 1, 2].map(|axis| {
            let on = across == Some(axis);
            // The last faces of a wrapped axis are the first.
            let at = if on && wraps(axis) { at[axis] % bounds.cells[axis] } else { at[axis] };
            f64::from(bounds.low[axis]) + at as f64 + if on { 0.0 } else { 0.5 }
        })
    };
    let mut counts = [0; 2];
    for axis in 0..3 {
        let size = face_sizes(bounds.cells, axis);
        for at in all(size) {
            let wall = [(0, at[axis] == 0), (1, at[axis] == bounds.cells[axis])];
            let is_shut = wall.iter().any(|(end, there)| *there && settings.sides[axis][*end] == Side::Closed);
            let closed = bodies.cut(axis, place(at, Some(axis))).filter(|cut| cut.open == 0.0 && !is_shut);
            if let Some(cut) = closed {
                assert_eq!(state.velocity[axis][index(size, at)], cut.speed, "axis {axis} at {at:?}");
                counts[0] += 1;
            }
        }
    }
    let fine = bounds.finer(state.detail);
    for at in all(fine.cells).filter(|at| bodies.holds(place(at.map(|cell| cell / state.detail), None))) {
        let from = 4 * index(fine.cells, at);
        assert_eq!(state.scalars[from..from + 4], [0; 4], "smoke at {at:?}");
        for packs in [&state.gases, &state.tints].into_iter().flatten() {
            assert_eq!(packs[from..from + 4], [0; 4], "gas or colour at {at:?}");
        }
        counts[1] += 1;
    }
    counts
}

#[test]
fn standing_solids_that_change_are_made_anew() {
    let sides = [[Side::Closed; 2]; 3];
    let sphere = solid(Shape::Sphere, [8.0, 10.0, 8.0], 4.0, 0.0);
    let pictures = |place| ProjectedSolids(vec![figure(place)]);
    let settings = |solids: &[Solid], projected, sides| Settings {
        solids: solids.to_vec(),
        projected,
        sides,
        fixed: true,
        ..testing::plume([16; 3])
    };
    let open = testing::plume([16; 3]).sides;
    let small = Solid { radius: 3.0, ..sphere.clone() };
    let [sphere, small] = [&[sphere], &[small]];
    let all = [
        settings(sphere, ProjectedSolids::default(), open),
        Settings { cells: [16, 24, 16], ..settings(sphere, ProjectedSolids::default(), open) },
        settings(small, ProjectedSolids::default(), open),
        settings(small, ProjectedSolids::default(), sides),
        settings(sphere, pictures([8.0; 3]), open),
        settings(sphere, pictures([6.0, 8.0, 8.0]), open),
        settings(&[], pictures([6.0, 8.0, 8.0]), open),
        settings(&[], ProjectedSolids::default(), open),
    ];
    let step = |settings: &Settings, device: &dyn Device| {
        advance(&first(settings), settings, 1.0, device, &mut || true).expect("the device works").0
    };
    let device = volume_on(&opened(Options::default()));
    let states: Vec<State> = all.iter().map(|settings| step(settings, &*device)).collect();
    for (state, settings) in states.iter().zip(&all) {
        let other = volume_on(&opened(Options::default()));
        assert!(step(settings, &*other) == *state, "{:?}", settings.solids);
    }
}

#[test]
fn steps_among_solids_agree_with_those_of_the_cpu() {
    let mut record = Record::new("volume-gpu-solids", "GPU").on(shared().name());
    record.under("boxes of some 10,000 cells, relative to the root mean square");
    for scene in scenes() {
        let states = check(&scene, &mut record);
        for (state, frame) in states.iter().zip(1..) {
            let [faces, cells] = check_solids(state, &scene.at(frame));
            assert!(faces > 100 && cells > 100, "{}: {faces} closed faces, {cells} solid cells", scene.name);
            let emitted = state.scalars.iter().any(|half| *half != 0);
            assert!(emitted, "{}: no smoke", scene.name);
        }
    }
    record.save();
}
