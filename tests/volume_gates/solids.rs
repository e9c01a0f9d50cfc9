//! Solids: no smoke inside, their velocity on closed faces, air that a moving one pushes, and plates that hold smoke
//! back.

use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::volume::settings::{Shape, Side, Solid};
use flow_ofx::sim::volume::solids::{Bodies, Body};
use flow_ofx::sim::volume::state::face_sizes;
use flow_ofx::sim::volume::turn::Turn;
use flow_ofx::sim::volume::{Settings, State, advance, first, testing};

use crate::record::Record;

/// A solid that moves by `by` in each frame and turns about y by `turning` radians; after frame `frame` its centre is
/// `from` + `frame` · `by`.
#[derive(Clone)]
struct Moving {
    solid: Solid,
    by: [f64; 3],
    turning: f64,
}

fn still(shape: Shape, centre: [f64; 3], radius: f64, height: f64) -> Moving {
    let solid = Solid { shape, file: None, centre, previous: centre, radius, height, turn: None };
    Moving { solid, by: [0.0; 3], turning: 0.0 }
}

impl Moving {
    fn at(&self, frame: i64) -> Solid {
        let place = |frame: i64| std::array::from_fn(|axis| self.solid.centre[axis] + frame as f64 * self.by[axis]);
        let axes = |frame: i64| {
            let (sin, cos) = (self.turning * frame as f64).sin_cos();
            [[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]]
        };
        let turn = Turn::new(axes(frame - 1), axes(frame));
        Solid { centre: place(frame), previous: place(frame - 1), turn, ..self.solid.clone() }
    }
}

/// The states after each of some frames, and most iterations of a projection.
fn run(cpu: &Cpu, settings: &Settings, solids: &[Moving], frames: i64) -> (Vec<State>, u32) {
    let at = |frame: i64| Settings {
        frame: frame as f64,
        solids: solids.iter().map(|solid| solid.at(frame)).collect(),
        ..settings.clone()
    };
    let mut state = first(&at(1));
    let mut most = 0;
    let states = (1..=frames).map(|frame| {
        let (next, diagnostics, _) = advance(&state, &at(frame), 1.0, cpu, &mut || true).expect("nobody interrupts");
        assert!(!diagnostics.unconverged, "frame {frame}: {diagnostics:?}");
        most = most.max(diagnostics.cycles);
        state = next;
        state.clone()
    });
    (states.collect(), most)
}

/// Index of a cell or face of an array with these sizes.
pub fn index(size: [usize; 3], [x, y, z]: [usize; 3]) -> usize {
    x + size[0] * (y + size[1] * z)
}

/// All positions of an array.
pub fn all(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..size.iter().product()).map(move |at| [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])])
}

pub fn density(state: &State, at: [usize; 3]) -> f64 {
    half::f16::from_bits(state.scalars[4 * index(state.bounds.cells, at)]).to_f64()
}

/// Checks the velocity of closed faces and the smoke in solids of a frame of one step; returns the numbers of closed
/// faces and of solid cells.
fn check(state: &State, solid: &Solid) -> [usize; 2] {
    let bodies = [Body::new(solid, [0.0, 1.0], 1.0).expect("an extent")];
    let bodies = Bodies { all: &bodies, projected: &[], periods: [None; 3] };
    let low = state.bounds.low;
    let place = |at: [usize; 3], axis: Option<usize>| {
        std::array::from_fn(|along| {
            f64::from(low[along]) + at[along] as f64 + if axis == Some(along) { 0.0 } else { 0.5 }
        })
    };
    let mut counts = [0; 2];
    for axis in 0..3 {
        let size = face_sizes(state.bounds.cells, axis);
        for at in all(size) {
            if let Some(cut) = bodies.cut(axis, place(at, Some(axis)))
                && cut.open == 0.0
            {
                let moved = (solid.centre[axis] - solid.previous[axis]) as f32;
                let found = state.velocity[axis][index(size, at)];
                match solid.turn {
                    None => assert_eq!(found, moved, "axis {axis} at {at:?}"),
                    Some(turn) => {
                        let here: [f64; 3] = place(at, Some(axis));
                        let offset = |along: usize| here[along] - solid.centre[along];
                        let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
                        let turning = turn.spin[next] * offset(last) - turn.spin[last] * offset(next);
                        let exact = f64::from(moved) + turning;
                        assert!((f64::from(found) - exact).abs() < 1e-5, "axis {axis} at {at:?}: {found} for {exact}");
                    }
                }
                counts[0] += 1;
            }
        }
    }
    for at in all(state.bounds.cells).filter(|at| bodies.holds(place(*at, None))) {
        let from = 4 * index(state.bounds.cells, at);
        assert_eq!(state.scalars[from..from + 4], [0; 4], "smoke at {at:?}");
        if let Some(gases) = &state.gases {
            assert_eq!(gases[from..from + 4], [0; 4], "gas at {at:?}");
        }
        counts[1] += 1;
    }
    counts
}

#[test]
fn there_is_no_smoke_in_a_solid_and_closed_faces_have_its_velocity() {
    let mut record = Record::new("volume-solids", "CPU");
    record.under("48³ cells, a plume on a sphere of 7 cells, still and moving, 8 frames");
    let cpu = Cpu::new(2);
    let mut settings = testing::plume([48; 3]);
    settings.buoyancy = 0.2;
    settings.max_cfl = 100.0;
    // The emitter reaches into the solid.
    settings.emitters[0].centre = [24.0, 12.0, 24.0];
    let sphere = still(Shape::Sphere, [24.0, 20.0, 24.0], 7.0, 0.0);
    for by in [[0.0; 3], [0.25, -0.5, 0.125]] {
        for reflection in [true, false] {
            let settings = Settings { reflection, ..settings.clone() };
            let sphere = Moving { by, ..sphere.clone() };
            let (states, most) = run(&cpu, &settings, std::slice::from_ref(&sphere), 8);
            for (state, frame) in states.iter().zip(1..) {
                let [faces, cells] = check(state, &sphere.at(frame));
                assert!(faces > 1000 && cells > 1000, "{faces} closed faces, {cells} solid cells");
            }
            record.at_most("most iterations of a projection to 1e-3", f64::from(most), 6.0);
            let last = states.last().expect("a frame");
            let around = all(last.bounds.cells).map(|at| density(last, at)).sum::<f64>();
            assert!(around > 100.0, "there is smoke around: {around}");
        }
    }
    record.save();
}

#[test]
fn a_sphere_that_moves_through_still_air_pushes_it() {
    let mut record = Record::new("volume-push", "CPU");
    record.under("48³ cells, a sphere of 6 cells at half a cell per frame, 4 frames");
    let mut settings = testing::plume([48; 3]);
    settings.emitters.clear();
    settings.fixed = true;
    let sphere = Moving { by: [0.5, 0.0, 0.0], ..still(Shape::Sphere, [20.0, 24.0, 24.0], 6.0, 0.0) };
    let (states, _) = run(&Cpu::new(2), &settings, std::slice::from_ref(&sphere), 4);
    let state = states.last().expect("a frame");
    let size = face_sizes(state.bounds.cells, 0);
    let u = |x: usize, y: usize| f64::from(state.velocity[0][index(size, [x, y, 24])]);
    // Potential flow around a sphere of the radius a: U·(a/r)³ on the axis, −½·U·(a/r)³ beside the sphere.
    let potential = |r: f64| 0.5 * (6.0 / r).powi(3);
    record.near("velocity 4 cells ahead, relative to potential flow", u(32, 24) / potential(10.0), 1.0, 0.15);
    record.near("velocity 4 cells beside, relative to potential flow", u(22, 34) / (-0.5 * potential(10.0)), 1.0, 0.3);
    // Around the smoke: a solid that moves is simulated without smoke, one at rest is not.
    settings.fixed = false;
    let cells = |solid: Moving| run(&Cpu::new(1), &settings, &[solid], 1).0[0].bounds.cells;
    let found = cells(sphere.clone());
    assert!(found.iter().all(|cells| *cells >= 32), "{found:?}");
    assert_eq!(cells(Moving { by: [0.0; 3], ..sphere }), [16; 3]);
    record.save();
}

#[test]
fn a_square_that_turns_gives_the_air_the_energy_of_potential_flow() {
    let mut record = Record::new("volume-turn", "CPU");
    record.under("a square of 16 cells through a wrapped box of 80 × 16 × 80, a tenth of a radian per frame, after the first one");
    let settings = Settings {
        emitters: Vec::new(),
        fixed: true,
        max_cfl: 100.0,
        sides: [[Side::Open; 2], [Side::Wrapped; 2], [Side::Open; 2]],
        ..testing::plume([80, 16, 80])
    };
    let square = Moving { turning: 0.1, ..still(Shape::Box, [40.0, 8.0, 40.0], 8.0, 1000.0) };
    let (states, _) = run(&Cpu::new(2), &settings, std::slice::from_ref(&square), 2);
    let solid = square.at(1);
    for (state, frame) in states.iter().zip(1..) {
        let [faces, _] = check(state, &square.at(frame));
        assert!(faces > 1000, "{faces} closed faces");
    }
    let bodies = [Body::new(&solid, [0.0, 1.0], 1.0).expect("an extent")];
    let bodies = Bodies { all: &bodies, projected: &[], periods: [None, Some(16.0), None] };
    let mut energy = 0.0;
    for axis in [0, 2] {
        let size = face_sizes(states[0].bounds.cells, axis);
        for at in all(size).filter(|at| at[1] == 8) {
            let place = std::array::from_fn(|along| at[along] as f64 + if along == axis { 0.0 } else { 0.5 });
            let open = bodies.cut(axis, place).map_or(1.0, |cut| f64::from(cut.open));
            energy += 0.5 * open * f64::from(states[0].velocity[axis][index(size, at)]).powi(2);
        }
    }
    // The added moment of inertia of a square of the half side a is 0.725 a⁴ by length (Newman 1977, table 4.3). Later
    // the flow leaves the edges of the square.
    let truth = 0.5 * 0.725 * 8.0_f64.powi(4) * 0.1 * 0.1;
    record.near("energy of the air, relative to potential flow", energy / truth, 1.0, 0.06);
    record.save();
}

#[test]
fn smoke_does_not_pass_a_plate_of_one_cell() {
    let mut record = Record::new("volume-plate", "CPU");
    record.under("a plume under a plate of one cell across a closed box, 32 × 48 × 32 cells, 40 frames");
    let mut settings = testing::plume([32, 48, 32]);
    settings.fixed = true;
    settings.buoyancy = 0.3;
    settings.sides = [[Side::Closed; 2], [Side::Closed, Side::Open], [Side::Closed; 2]];
    for (height, middle) in [(1.0, 24.5), (0.0, 24.2)] {
        let plate = still(Shape::Box, [16.0, middle, 16.0], 20.0, height);
        let (states, most) = run(&Cpu::new(2), &settings, &[plate], 40);
        let state = states.last().expect("a frame");
        let sum = |above: bool| -> f64 {
            all(state.bounds.cells).filter(|at| (at[1] >= 26) == above).map(|at| density(state, at)).sum()
        };
        assert!(sum(false) > 500.0, "smoke gathers under the plate: {}", sum(false));
        record.at_most("smoke above the plate", sum(true), 0.0);
        record.row("most iterations", "", f64::from(most));
    }
    record.save();
}

#[test]
fn smoke_does_not_pass_a_plate_that_leans() {
    let cpu = Cpu::new(2);
    let mut settings = testing::plume([32, 40, 32]);
    settings.fixed = true;
    settings.buoyancy = 0.3;
    settings.sides = [[Side::Closed; 2], [Side::Closed, Side::Open], [Side::Closed; 2]];
    for degrees in [10.0_f64, 20.0, 33.0, 45.0] {
        // About z, and wider than the box at any angle.
        let (sin, cos) = degrees.to_radians().sin_cos();
        let axes = [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]];
        let plate = Solid { turn: Turn::new(axes, axes), ..still(Shape::Box, [16.0, 24.3, 16.0], 40.0, 0.0).solid };
        let settings = Settings { solids: vec![plate.clone()], ..settings.clone() };
        let mut state = first(&settings);
        for frame in 1..=24 {
            let settings = Settings { frame: f64::from(frame), ..settings.clone() };
            state = advance(&state, &settings, 1.0, &cpu, &mut || true).expect("nobody interrupts").0;
        }
        // Two cells and more above the plane of the plate.
        let above = |[x, y, _]: [usize; 3]| {
            let [x, y] = [x as f64 + 0.5 - 16.0, y as f64 + 0.5 - 24.3];
            y * cos - x * sin > 2.0
        };
        let found: f64 = all(state.bounds.cells).filter(|at| above(*at)).map(|at| density(&state, at)).sum();
        assert_eq!(found, 0.0, "smoke above the plate at {degrees} degrees");
        let below: f64 = all(state.bounds.cells).filter(|at| !above(*at)).map(|at| density(&state, at)).sum();
        assert!(below > 200.0, "smoke below it: {below}");
    }
}

#[test]
fn threads_and_instruction_sets_give_the_same_bits_among_solids() {
    let mut settings = testing::plume([40, 48, 32]);
    settings.confinement = 0.1;
    settings.viscosity = 0.02;
    let solids = [
        Moving { by: [0.5, 0.0, 0.25], ..still(Shape::Capsule, [12.0, 18.0, 12.0], 4.0, 6.0) },
        Moving { turning: 0.2, ..still(Shape::Box, [30.0, 24.0, 20.0], 5.0, 3.0) },
    ];
    for sides in [[[Side::Open; 2]; 3], [[Side::Wrapped; 2], [Side::Closed, Side::Open], [Side::Wrapped; 2]]] {
        let settings = Settings { sides, ..settings.clone() };
        let after = |cpu: Cpu| run(&cpu, &settings, &solids, 4).0.pop();
        let one = after(Cpu::new(1));
        assert!(one == after(Cpu::new(3)), "threads");
        for isa in Isa::available() {
            assert!(one == after(Cpu::with_isa(2, isa)), "{}", isa.name());
        }
    }
}
