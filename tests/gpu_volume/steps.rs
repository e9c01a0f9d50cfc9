//! Frames compared with the CPU's, and repeated on the device.

use flow_ofx::compute::gpu::Options;
use flow_ofx::sim::volume::plan::TOLERANCE;
use flow_ofx::sim::volume::rounding::widen;
use flow_ofx::sim::volume::{Device, State, advance, first};

use crate::record::Record;
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
    let packs = [(&ours.gases, &theirs.gases), (&ours.tints, &theirs.tints)];
    assert!(packs.iter().all(|(ours, theirs)| ours.is_some() == theirs.is_some()));
    let velocity = (0..3).map(|axis| difference(&ours.velocity[axis], &theirs.velocity[axis], 1e-2));
    let scalars = difference(&widened(&ours.scalars), &widened(&theirs.scalars), 1e-2);
    let others = packs.into_iter().filter_map(|(ours, theirs)| Some((ours.as_ref()?, theirs.as_ref()?)));
    let others = others.map(|(ours, theirs)| difference(&widened(ours), &widened(theirs), 1e-2));
    [velocity.fold(0.0, f64::max), others.fold(scalars, f64::max)]
}

/// Checks a step after some frames of the CPU, and the frames of the device after the first; returns these.
pub fn check(scene: &Scene, record: &mut Record) -> Vec<State> {
    let (gpu, cpu) = (shared(), cpu());
    let theirs = states(scene, &*cpu, FRAMES);
    let [before, reference] = [FRAMES - 2, FRAMES - 1].map(|frame| &theirs[frame as usize]);
    let (after, work, _) = advance(before, &scene.at(FRAMES), 1.0, &*gpu, &mut || true).expect("the device works");
    let (_, reference_work, _) = advance(before, &scene.at(FRAMES), 1.0, &*cpu, &mut || true).expect("a CPU works");
    assert_eq!(work.cycles, reference_work.cycles, "{}", scene.name);
    // A cycle in another order, or one that is not symmetric, converges too, but to another residual.
    let apart = (work.residual - reference_work.residual).abs();
    assert!(apart <= 0.01 * reference_work.residual + 1e-5, "{}: {work:?}, {reference_work:?}", scene.name);
    assert!(work.residual <= TOLERANCE, "{}: {work:?}", scene.name);
    let [velocity, packs] = differences(&after, reference);
    // Halves are rounded at random, so that a number next to a border may fall on its other side.
    record.at_most(format!("{}: velocity after a step", scene.name), velocity, 2e-4);
    record.at_most(format!("{}: scalars after a step", scene.name), packs, 4e-4);
    assert!(before != reference && reference.statistics.active.is_some(), "{}: nothing happens", scene.name);
    assert_eq!(after.statistics.active, reference.statistics.active, "{}", scene.name);
    let fastest = after.statistics.speed / reference.statistics.speed;
    assert!((fastest - 1.0).abs() < 1e-3, "{}: {fastest}", scene.name);

    let ours = states(scene, &*gpu, FRAMES);
    let [velocity, packs] = differences(&ours[FRAMES as usize - 1], reference);
    record.at_most(format!("{}: velocity after {FRAMES} frames", scene.name), velocity, 5e-3);
    record.at_most(format!("{}: scalars after {FRAMES} frames", scene.name), packs, 5e-3);

    // The same frames again, of states that another device made, which are uploaded.
    let copy = State { velocity: ours[1].velocity.each_ref().map(|values| copied(values)), ..ours[1].clone() };
    let next = advance(&copy, &scene.at(3), 1.0, &*gpu, &mut || true).expect("the device works").0;
    assert!(next == ours[2], "{}: uploaded", scene.name);
    assert!(states(scene, &*gpu, FRAMES) == ours, "{}: repeated", scene.name);
    ours
}

#[test]
fn frames_agree_with_those_of_the_cpu_and_repeat_their_bits() {
    let mut record = Record::new("volume-gpu", "GPU").on(shared().name());
    record.under(format!("boxes of some 30,000 cells, relative to the root mean square, {FRAMES} frames"));
    for scene in scenes() {
        check(&scene, &mut record);
    }
    record.save();
}

#[test]
fn two_devices_of_a_kind_give_the_same_bits() {
    let scene = &scenes()[0];
    let other = volume_on(&opened(Options::default()));
    assert!(states(scene, &*shared(), 3) == states(scene, &*other, 3));
}

fn copied(values: &[f32]) -> std::sync::Arc<flow_ofx::sim::memory::Values<f32>> {
    std::sync::Arc::new(values.to_vec().into())
}
