//! Frames compared with the CPU's, and repeated on the device.

use flow_ofx::compute::gpu::Options;
use flow_ofx::sim::volume::rounding::widen;
use flow_ofx::sim::volume::settings::{Shape, Solid};
use flow_ofx::sim::volume::{Device, Settings, State, advance, first};

use crate::scenes::{Scene, scenes};
use crate::{cpu, opened, shared, volume_on};

/// Frames that are compared.
const FRAMES: i64 = 4;

/// The states of the first frames.
fn states(scene: &Scene, device: &dyn Device, count: i64) -> Vec<State> {
    let mut state = first(&scene.at(1));
    let next = |frame: i64| {
        state = advance(&state, &scene.at(frame), 1.0, device, &mut || true).expect("the device works").0;
        state.clone()
    };
    (1..=count).map(next).collect()
}

fn widened(packs: &[u16]) -> Vec<f32> {
    packs.iter().map(|half| widen(*half)).collect()
}

/// Root mean square of the differences, relative to that of the values of `b`, or to `least` where that is less.
fn difference(a: &[f32], b: &[f32], least: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    let mean = |sum: f64| (sum / a.len() as f64).sqrt();
    let square = |value: f32| f64::from(value) * f64::from(value);
    let apart = mean(a.iter().zip(b).map(|(a, b)| square(a - b)).sum());
    apart / mean(b.iter().map(|b| square(*b)).sum()).max(least)
}

/// Largest differences of velocity and packs between two states in the same box.
fn differences(ours: &State, theirs: &State) -> [f64; 2] {
    assert_eq!((ours.bounds, ours.detail, ours.steps), (theirs.bounds, theirs.detail, theirs.steps));
    assert_eq!(ours.gases.is_some(), theirs.gases.is_some());
    let velocity = (0..3).map(|axis| difference(&ours.velocity[axis], &theirs.velocity[axis], 1e-2));
    let scalars = difference(&widened(&ours.scalars), &widened(&theirs.scalars), 1e-2);
    let gases = ours.gases.iter().zip(&theirs.gases).map(|(a, b)| difference(&widened(a), &widened(b), 1e-2));
    [velocity.fold(0.0, f64::max), gases.fold(scalars, f64::max)]
}

#[test]
fn a_step_agrees_with_the_cpu() {
    let (gpu, cpu) = (shared(), cpu());
    for scene in scenes() {
        let before = states(&scene, &*cpu, FRAMES).pop().expect("a state");
        let after = |device: &dyn Device| {
            advance(&before, &scene.at(FRAMES + 1), 1.0, device, &mut || true).expect("the device works")
        };
        let ((ours, work, steps), (theirs, reference, count)) = (after(&*gpu), after(&*cpu));
        assert_eq!((steps, work.cycles), (count, reference.cycles), "{}", scene.name);
        let [velocity, packs] = differences(&ours, &theirs);
        // Halves are rounded at random, so that a number next to a border may fall on its other side.
        assert!(velocity < 2e-4 && packs < 4e-4, "{}: velocity {velocity:.1e}, packs {packs:.1e}", scene.name);
        assert!(before != ours && theirs.statistics.active.is_some(), "{}: nothing happens", scene.name);
        assert_eq!(ours.statistics.active, theirs.statistics.active, "{}", scene.name);
        let fastest = ours.statistics.speed / theirs.statistics.speed;
        assert!((fastest - 1.0).abs() < 1e-3, "{}: {fastest}", scene.name);
    }
}

#[test]
fn frames_stay_near_those_of_the_cpu() {
    let (gpu, cpu) = (shared(), cpu());
    for scene in scenes() {
        let [ours, theirs] = [&*gpu as &dyn Device, &*cpu].map(|device| states(&scene, device, FRAMES));
        let [velocity, packs] = differences(&ours[FRAMES as usize - 1], &theirs[FRAMES as usize - 1]);
        assert!(velocity < 5e-3 && packs < 5e-3, "{}: velocity {velocity:.1e}, packs {packs:.1e}", scene.name);
    }
}

#[test]
fn repeated_runs_give_the_same_bits_with_states_on_the_device_and_without() {
    let (gpu, other) = (shared(), volume_on(&opened(Options::default())));
    for scene in scenes() {
        let once = states(&scene, &*gpu, FRAMES);
        let again = states(&scene, &*other, FRAMES);
        assert!(once == again, "{}: repeated", scene.name);
        // A copy of a state is not on the device.
        let copy = State { velocity: once[1].velocity.each_ref().map(|values| copied(values)), ..once[1].clone() };
        let next = advance(&copy, &scene.at(3), 1.0, &*gpu, &mut || true).expect("the device works").0;
        assert!(next == once[2], "{}: uploaded", scene.name);
    }
}

fn copied(values: &[f32]) -> std::sync::Arc<flow_ofx::sim::memory::Values<f32>> {
    std::sync::Arc::new(values.to_vec().into())
}

#[test]
fn steps_among_solids_are_those_of_the_cpu() {
    let scene = &scenes()[1];
    let centre = [16.0, 20.0, 12.0];
    let ball = Solid { shape: Shape::Sphere, file: None, centre, previous: centre, radius: 5.0, height: 0.0 };
    let settings = Settings { solids: vec![ball], ..scene.at(1) };
    let [ours, theirs] = [&*shared() as &dyn Device, &*cpu()]
        .map(|device| advance(&first(&settings), &settings, 1.0, device, &mut || true).expect("works").0);
    assert!(ours == theirs);
}
