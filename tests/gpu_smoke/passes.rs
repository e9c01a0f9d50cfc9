//! Every pass of a step against the CPU's.

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::smoke::machine::{Area, Cells, Faces, Forces, Lattice, Machine, Offsets, Stamp, Way};
use flow_ofx::sim::smoke::settings::Scheme;

use crate::cases::{Case, Random, Results, cases};
use crate::shared;

/// Of the largest value of a plane: a driver may fuse, and divide and take roots as it likes.
const TOLERANCE: f64 = 2e-6;

/// Runs every pass.
fn results<M: Machine>(machine: &M, case: &Case) -> Results {
    let mut all = Results::default();
    let mut random = Random::new(5);
    let ground = case.ground(machine);
    let up = |values: &[f32]| machine.up(values).expect("memory");
    let stale = |lattice| machine.stale(case.len(lattice)).expect("memory");
    let stale_faces = || Faces { u: stale(Lattice::U), v: stale(Lattice::V) };
    let stale_cells = || Cells { dye: stale(Lattice::Dye), temperature: Some(stale(Lattice::Cell)) };
    let faces = |most: f32, random: &mut Random| {
        let [u, v] = case.faces(random, most);
        Faces { u: up(&u), v: up(&v) }
    };
    let keep = |all: &mut Results, name: &str, faces: &Faces<M::Plane>| {
        all.plane(&format!("{name}, u"), machine, &faces.u);
        all.plane(&format!("{name}, v"), machine, &faces.v);
    };
    let keep_cells = |all: &mut Results, name: &str, cells: &Cells<M::Plane>| {
        all.plane(&format!("{name}, dye"), machine, &cells.dye);
        cells.temperature.iter().for_each(|plane| all.plane(&format!("{name}, temperature"), machine, plane));
    };

    let (wind, from) = (faces(3.0, &mut random), faces(2.0, &mut random));
    let dye = up(&random.many(case.len(Lattice::Dye), 1.0));
    let heat = up(&random.many(case.len(Lattice::Cell), 2.0));
    let cells = Cells { dye, temperature: Some(heat) };
    let stale_offsets = || Offsets { x: stale(Lattice::Cell), y: stale(Lattice::Cell) };
    let [mut back, mut ahead] = [stale_offsets(), stale_offsets()];
    machine.look(&ground, 0.7, &wind, &mut back);
    machine.look(&ground, -0.7, &wind, &mut ahead);
    for (name, look) in [("back", &back), ("ahead", &ahead)] {
        all.plane(&format!("looked {name}, x"), machine, &look.x);
        all.plane(&format!("looked {name}, y"), machine, &look.y);
    }
    for scheme in [Scheme::SemiLagrangian, Scheme::Cubic, Scheme::MacCormack] {
        let way = Way { scheme, keep: 0.9, cooling: 0.1, ambient: 0.5 };
        let (mut to, mut carried) = (stale_faces(), stale_cells());
        let mut behind = stale_offsets();
        machine.carry_faces(&ground, scheme, 0.7, &wind, &from, &mut behind, &mut to);
        all.plane(&format!("looked back to carry by {scheme:?}, x"), machine, &behind.x);
        all.plane(&format!("looked back to carry by {scheme:?}, y"), machine, &behind.y);
        machine.carry_cells(&ground, &way, &back, &cells, &mut carried);
        keep(&mut all, &format!("carried {scheme:?}"), &to);
        keep_cells(&mut all, &format!("carried {scheme:?}"), &carried);
        if scheme == Scheme::MacCormack {
            let (mut corrected, mut corrected_cells) = (stale_faces(), stale_cells());
            let wind = (&wind, &behind);
            machine.correct_faces(&ground, 0.7, wind, &from, &to, &mut corrected).expect("memory");
            machine.correct_cells(&ground, &way, [&back, &ahead], &cells, &carried, &mut corrected_cells);
            keep(&mut all, "corrected", &corrected);
            keep_cells(&mut all, "corrected", &corrected_cells);
        }
    }

    for lattice in [Lattice::U, Lattice::V, Lattice::Cell, Lattice::Dye] {
        let values = up(&random.many(case.len(lattice), 1.0));
        for by in [[0, 0], [3, -2], [-1, 1], [-600, 0], [0, 600]] {
            let mut to = stale(lattice);
            machine.shift(case.size, lattice, by, &values, &mut to);
            all.plane(&format!("shifted {lattice:?} {by:?}"), machine, &to);
        }
    }

    let forces = Forces { keep: 0.9, weight: [0.1, -0.3], lift: [-0.2, 0.4], ambient: 0.3, confinement: 0.0 };
    let cold = Cells { dye: up(&random.many(case.len(Lattice::Dye), 1.0)), temperature: None };
    let mut forced = stale_faces();
    for (name, forces, cells) in [
        ("forced", forces, &cells),
        ("forced without temperature", forces, &cold),
        ("forced and confined", Forces { confinement: 0.4, ..forces }, &cells),
        ("confined alone", Forces { confinement: 3.0, weight: [0.0; 2], lift: [0.0; 2], ..forces }, &cells),
        ("forced along x alone", Forces { weight: [0.2, 0.0], lift: [0.0; 2], ..forces }, &cells),
    ] {
        machine.force(&ground, &forces, cells, &from, &mut forced).expect("memory");
        keep(&mut all, name, &forced);
    }
    machine.settle(&ground, &mut forced);
    keep(&mut all, "settled", &forced);
    for weight in [1.0, 1.3] {
        let mut to = faces(1.0, &mut random);
        machine.diffuse(&ground, 3.0, weight, &from, &wind, &mut to);
        keep(&mut all, &format!("diffused by {weight}"), &to);
    }
    let mut reflected = faces(1.0, &mut random);
    machine.reflect(&from, &mut reflected);
    keep(&mut all, "reflected", &reflected);

    stamps(machine, case, &mut all, &mut random);

    let survey = machine.survey(&wind).expect("works");
    all.numbers("survey", &[f64::from(survey.largest), survey.bad as f64]);
    let mut wild = random.many(case.len(Lattice::U), 1e5);
    for (value, bad) in wild.iter_mut().zip([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -0.0]) {
        *value = bad;
    }
    let mut wild = Faces { u: up(&wild), v: up(&random.many(case.len(Lattice::V), 1.0)) };
    let survey = machine.survey(&wild).expect("works");
    all.numbers("survey of bad values", &[f64::from(survey.largest), survey.bad as f64]);
    let mut scaled = stale(Lattice::U);
    machine.scale(1e10, &wild.u, &mut scaled);
    all.plane("scaled", machine, &scaled);
    machine.scrub(&mut wild.u);
    all.plane("scrubbed", machine, &wild.u);
    all
}

fn stamps<M: Machine>(machine: &M, case: &Case, all: &mut Results, random: &mut Random) {
    let ground = case.ground(machine);
    for lattice in [Lattice::U, Lattice::V, Lattice::Cell, Lattice::Dye] {
        let mut kinds = vec![Stamp::Add { share: 0.3 }];
        match lattice {
            Lattice::Dye => kinds.extend([Stamp::Replace, Stamp::FillUp]),
            _ => kinds.push(Stamp::Steer),
        }
        let [columns, rows] = lattice.size(case.size[0], case.size[1]);
        for stamp in kinds {
            let mut to = machine.up(&random.many(case.len(lattice), 1.0)).expect("memory");
            let (x, y) = (columns / 3, rows / 4);
            let (width, height) = ((columns / 2).max(1), (rows / 2).max(1));
            let each = if stamp == Stamp::Steer { 2 } else { lattice.values() };
            let values = machine.up(&random.many(width * height * each, 1.0)).expect("memory");
            machine.stamp(&ground, lattice, stamp, &Area { x, y, width, height, values }, &mut to);
            all.plane(&format!("{stamp:?} on {lattice:?}"), machine, &to);
        }
    }
}

#[test]
fn every_pass_of_a_step_is_that_of_the_cpu() {
    let (cpu, gpu) = (Cpu::new(2), shared().machine().expect("a graphics device"));
    let mut worst: f64 = 0.0;
    for case in cases() {
        let (ours, theirs) = (results(&SmokeCpu::new(&cpu), &case), results(&gpu, &case));
        worst = worst.max(ours.compare(&theirs, &case.name(), TOLERANCE));
    }
    println!("largest difference of a pass: {worst:e} of a plane's largest value");
}
