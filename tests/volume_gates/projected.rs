//! Solids of pictures: the box of a rectangle, no smoke inside, walls that hold smoke back, and equal bits.

use std::sync::Arc;

use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::volume::camera_view::CameraView;
use flow_ofx::sim::volume::projected::{ProjectedSolid, ProjectedSolids, Surfaces};
use flow_ofx::sim::volume::settings::{Shape, Side, Solid};
use flow_ofx::sim::volume::solids::{Bodies, Body};
use flow_ofx::sim::volume::state::face_sizes;
use flow_ofx::sim::volume::{Settings, State, advance, first, testing};

use crate::record::Record;
use crate::solids::{all, density, index};

/// Cells along each side of the box.
const SIDE: usize = 48;

/// Pixels of a cell in the middle of the box, and along each side of the picture.
const PER_CELL: usize = 4;
const PIXELS: usize = PER_CELL * SIDE;

/// A camera that looks along −z at the middle of the box from `away` cells.
fn before(away: f64, thickness: f64, matte: Option<f64>) -> ProjectedSolid {
    let middle = SIDE as f64 / 2.0;
    let distance = [0.0, 0.0, -1.0, middle + away];
    let across = |axis: usize| {
        let mut row = distance.map(|part| part * PIXELS as f64 / 2.0);
        row[axis] += away * PER_CELL as f64;
        row[3] -= away * PER_CELL as f64 * middle;
        row
    };
    let rows = [across(0), across(1), distance];
    ProjectedSolid::new(CameraView { rows, near: away * 1e-3 }, thickness, matte)
}

fn with(mut solid: ProjectedSolid, distance: impl Fn([f64; 2]) -> Option<f64>) -> ProjectedSolid {
    let place = |at: usize| [at % PIXELS, at / PIXELS].map(|place| (place as f64 + 0.5) / PER_CELL as f64);
    let surfaces = Surfaces::new([PIXELS; 2], |at| distance(place(at)).map(|distance| distance as f32));
    solid.surfaces = Some(Arc::new(surfaces));
    solid
}

/// A rectangle of a matte, 16.5 by 12.5 cells and 16.5 deep, and the box of the same place. Its sides lie between the
/// samples of faces, where the perspective of the far camera (0.003 cells) makes no difference.
fn rectangle() -> (ProjectedSolid, Solid) {
    let away = 1e5;
    let front = away - 8.25;
    let inside = |[x, y]: [f64; 2]| (15.75..32.25).contains(&x) && (17.75..30.25).contains(&y);
    let solid = with(before(away, 16.5, Some(front)), |place| inside(place).then_some(front));
    let centre = [24.0; 3];
    (solid, Solid { shape: Shape::Box, file: None, centre, previous: centre, radius: 8.25, height: 12.5, turn: None })
}

/// A rough figure that sways, with holes, 10 cells thick.
fn figure(frame: i64) -> ProjectedSolid {
    let away = 100.0;
    let sway = (frame as f64 * 0.7).sin() * 4.0;
    with(before(away, 10.0, None), |[x, y]| {
        let [across, up] = [(x - 24.0 - sway) / 9.0, (y - 26.0) / 12.0];
        let hole = (x * 1.7).sin() * (y * 1.3).cos() > 0.9;
        (across * across + up * up < 1.0 && !hole).then_some(away - 4.0 + 3.0 * across - up)
    })
}

fn run(cpu: &Cpu, frames: i64, settings: impl Fn(i64) -> Settings) -> Vec<State> {
    let mut state = first(&settings(1));
    let states = (1..=frames).map(|frame| {
        let (next, diagnostics, _) =
            advance(&state, &settings(frame), 1.0, cpu, &mut || true).expect("nobody interrupts");
        assert!(!diagnostics.unconverged, "frame {frame}: {diagnostics:?}");
        state = next;
        state.clone()
    });
    states.collect()
}

/// A plume under the middle of the box.
fn plume() -> Settings {
    let mut settings = testing::plume([SIDE; 3]);
    settings.buoyancy = 0.2;
    settings
}

#[test]
fn a_rectangle_before_a_far_camera_is_a_box() {
    let (projected, solid) = rectangle();
    let body = [Body::new(&solid, [0.0, 1.0], 1.0).expect("an extent")];
    let periods = [None; 3];
    let bodies = Bodies { all: &body, projected: &[], periods };
    let pictures = Bodies { all: &[], projected: std::slice::from_ref(&projected), periods };
    let mut covered = 0;
    for axis in 0..3 {
        for at in all([SIDE; 3]) {
            let mut place = at.map(|place| place as f64 + 0.5);
            place[axis] -= 0.5;
            let [one, other] = [&bodies, &pictures].map(|bodies| bodies.cut(axis, place));
            assert_eq!(one, other, "axis {axis} at {at:?}");
            covered += usize::from(one.is_some());
        }
    }
    assert!(covered > 9000, "{covered} faces");
    let cpu = Cpu::new(2);
    let boxed = run(&cpu, 12, |_| Settings { solids: vec![solid.clone()], ..plume() });
    let seen = run(&cpu, 12, |_| Settings { projected: ProjectedSolids(vec![projected.clone()]), ..plume() });
    assert!(boxed == seen, "the same bits");
    let free = run(&cpu, 12, |_| plume());
    assert!(free != seen);
}

#[test]
fn there_is_no_smoke_in_the_solid_of_a_picture() {
    let mut record = Record::new("volume-projected", "CPU");
    record.under("48³ cells, a plume on a figure of a picture that sways, 10 frames");
    let cpu = Cpu::new(2);
    for (reflection, detail) in [(true, 1), (false, 1), (true, 2)] {
        let settings =
            |frame: i64| Settings { projected: ProjectedSolids(vec![figure(frame)]), reflection, detail, ..plume() };
        let states = run(&cpu, 10, settings);
        let (mut inside, mut around) = (0.0, 0.0);
        for (state, frame) in states.iter().zip(1..) {
            let projected = [figure(frame)];
            let bodies = Bodies { all: &[], projected: &projected, periods: [None; 3] };
            let low = state.bounds.low.map(f64::from);
            let mut counts = [0; 2];
            for axis in 0..3 {
                let size = face_sizes(state.bounds.cells, axis);
                for at in all(size) {
                    let place = |along: usize| low[along] + at[along] as f64 + if along == axis { 0.0 } else { 0.5 };
                    if bodies.cut(axis, [0, 1, 2].map(place)).is_some_and(|cut| cut.open == 0.0) {
                        assert_eq!(state.velocity[axis][index(size, at)], 0.0, "axis {axis} at {at:?}");
                        counts[0] += 1;
                    }
                }
            }
            let fine = state.bounds.cells.map(|cells| cells * detail);
            for at in all(fine) {
                let cell = at.map(|place| place / detail);
                let place = |axis: usize| low[axis] + cell[axis] as f64 + 0.5;
                let smoke = half::f16::from_bits(state.scalars[4 * index(fine, at)]).to_f64();
                if bodies.holds([0, 1, 2].map(place)) {
                    inside += smoke;
                    counts[1] += 1;
                } else {
                    around += smoke;
                }
            }
            assert!(counts.iter().all(|count| *count > 1000), "{counts:?} closed faces and solid cells");
        }
        record.at_most(format!("smoke inside, reflection {reflection}, detail {detail}"), inside, 0.0);
        assert!(around > 500.0, "there is smoke around: {around}");
    }
    record.save();
}

#[test]
fn smoke_does_not_pass_a_wall_of_a_picture() {
    let mut record = Record::new("volume-projected-wall", "CPU");
    record.under("a jet at a wall of a picture, one cell thick, across a closed box of 48³ cells, 16 frames");
    let settings = |_| {
        let mut settings = plume();
        settings.fixed = true;
        settings.buoyancy = 0.0;
        settings.sides = [[Side::Closed; 2]; 3];
        settings.sides[1][1] = Side::Open;
        settings.emitters[0].centre = [24.0, 24.0, 34.0];
        settings.emitters[0].previous = [24.0, 24.0, 34.0];
        settings.emitters[0].velocity = Some([0.0, 0.0, -2.0]);
        // The picture is larger than the box is seen behind the wall.
        let wall = with(before(60.0, 0.0, None), |_| Some(62.3));
        settings.projected = ProjectedSolids(vec![wall]);
        settings
    };
    let states = run(&Cpu::new(2), 16, settings);
    let state = states.last().expect("a frame");
    let sum = |behind: bool| -> f64 {
        all(state.bounds.cells).filter(|at| (at[2] < 21) == behind).map(|at| density(state, at)).sum()
    };
    assert!(sum(false) > 500.0, "smoke in front of the wall: {}", sum(false));
    record.at_most("smoke behind the wall, where the camera sees it", sum(true), 0.0);
    record.save();
}

#[test]
fn threads_and_instruction_sets_give_the_same_bits_among_solids_of_pictures() {
    let solid = |frame: i64| {
        let place = |frame: i64| [12.0 + 0.5 * frame as f64, 30.0, 30.0];
        Solid {
            shape: Shape::Sphere,
            file: None,
            centre: place(frame),
            previous: place(frame - 1),
            radius: 5.0,
            height: 0.0,
            turn: None,
        }
    };
    for sides in [[[Side::Open; 2]; 3], [[Side::Wrapped; 2], [Side::Closed, Side::Open], [Side::Wrapped; 2]]] {
        let settings = |frame: i64| Settings {
            sides,
            frame: frame as f64,
            confinement: 0.1,
            solids: vec![solid(frame)],
            projected: ProjectedSolids(vec![figure(frame), rectangle().0]),
            ..plume()
        };
        let after = |cpu: Cpu| run(&cpu, 4, settings).pop();
        let one = after(Cpu::new(1));
        assert!(one == after(Cpu::new(3)), "threads");
        for isa in Isa::available() {
            assert!(one == after(Cpu::with_isa(2, isa)), "{}", isa.name());
        }
    }
}
