//! Tests of whole frames.

use std::sync::Arc;

use super::random::{Purpose, units};
use super::settings::{Contact, Emitter, Field, Floor, Noise, PointForce, Shape, Solids};
use super::testing::{Serial, emitter, still};
use super::*;
use crate::sim::grid::Grid;
use crate::sim::inputs::Pixels;

const GRID: Grid = Grid { width: 100, height: 80, origin: [0.0; 2], cells_per_pixel: 1.0 };
const RATE: f64 = 37.3;

/// All kinds of air and contact, and two emitters.
fn lively(frame: u32) -> Settings {
    let first = emitter(RATE, frame - 1);
    let second = Emitter { number: 1, seed: 9, shape: Shape::Box, tracer: true, life: 6.0, ..first };
    let noise = Noise { strength: 0.7, size: 20.0, speed: 0.05, seed: 3 };
    let force = PointForce { centre: [60.0, 50.0, 0.0], radius: 20.0, strength: 0.1 };
    let contact = Contact { sticks: false, bounce: 0.5, friction: 0.1 };
    Settings {
        frame: i64::from(frame),
        emitters: vec![first, second],
        longest: 15.0,
        fields: vec![Field { number: 0, scale: 2.0, depth: 0.0, thickness: 0.0, fade: 4.0, group: 0 }],
        gravity: [0.0, -0.2, 0.0],
        wind: [0.3, 0.0, 0.0],
        noise: vec![noise, Noise { strength: 0.2, size: 5.0, ..noise }],
        attractor: Some(force),
        vortex: Some(force),
        solids: Solids { floor: Some(Floor { height: 20.0, contact }), matte: Some(contact) },
        ..still()
    }
}

fn inputs(frame: u32) -> Inputs {
    let swirl = |at: usize| {
        let [x, y] = [at % GRID.width, at / GRID.width].map(|cell| cell as f32);
        [(40.0 - y) / 20.0, (x - 50.0) / 20.0, 0.0, 1.0]
    };
    let solid =
        |at: usize| [0.0, 0.0, 0.0, f32::from(u8::from(at % GRID.width > 70 && at / GRID.width > 30 + frame as usize))];
    let picture = |pixel: &dyn Fn(usize) -> [f32; 4]| -> Pixels { Arc::new((0..GRID.cells()).map(pixel).collect()) };
    Inputs { fields: [Some(picture(&swirl)), None, None, None], obstacles: Some(picture(&solid)), ..Inputs::default() }
}

/// The state at the last of `frames`, simulated from the first of them on. `piece`: number of particles of a task.
fn run(frames: std::ops::RangeInclusive<u32>, piece: usize, settings: impl Fn(u32) -> Settings) -> State {
    let mut state = None;
    for frame in frames {
        let made = advance(&GRID, &settings(frame), &inputs(frame), state.as_ref(), 1.0, &Serial(piece), &mut || true);
        state = Some(made.expect("never interrupted").0);
    }
    state.expect("there are frames")
}

#[test]
fn particles_at_rest_stay_until_the_air_reaches_their_release_speed() {
    let frame = |frame: u32, wind: f64| {
        let resting =
            Emitter { release_speed: 4.0, speed: 0.0, life: 1000.0, life_spread: 0.0, ..emitter(200.0, frame - 1) };
        let births = if frame == 1 { resting.births } else { Default::default() };
        Settings {
            frame: i64::from(frame),
            emitters: vec![Emitter { births, ..resting }],
            gravity: [0.0, -1.0, 0.0],
            wind: [wind, 0.0, 0.0],
            ..still()
        }
    };
    let moved = |winds: &[f64]| {
        let settings = |n: u32| Settings { counted: false, ..frame(n, winds[n as usize - 1]) };
        let state = run(1..=winds.len() as u32, 100, settings);
        assert_eq!(state.particles.len(), 200);
        state.particles.iter().filter(|particle| particle.velocity != [0.0; 3]).count()
    };
    assert_eq!(moved(&[1.9, 1.9, 1.9]), 0, "below half of the release speed");
    assert!((60..140).contains(&moved(&[4.0, 4.0])), "about half of them at the release speed");
    assert_eq!(moved(&[4.0, 4.0, 0.0]), moved(&[4.0, 4.0]), "what moves goes on");
    assert_eq!(moved(&[6.1, 6.1]), 200);
}

#[test]
fn particles_of_a_patch_are_released_together() {
    let moved = |release_patch: f64| {
        let state = run(1..=2, 100, |frame: u32| {
            let still_body = Emitter { radius: 90.0, speed: 0.0, ..emitter(4000.0, frame - 1) };
            let resting = Emitter { release_speed: 4.0, release_patch, ..still_body };
            let births = if frame == 1 { resting.births } else { Default::default() };
            let emitters = vec![Emitter { births, ..resting }];
            Settings { frame: i64::from(frame), emitters, wind: [4.0, 0.0, 0.0], counted: false, ..still() }
        });
        state.particles.iter().map(|particle| (particle.position, particle.velocity != [0.0; 3])).collect::<Vec<_>>()
    };
    // Share of the pairs of close particles of which both move or both rest.
    let alike = |all: &[([f32; 3], bool)]| {
        let is_close = |a: [f32; 3], b: [f32; 3]| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 3.0);
        let (mut pairs, mut same) = (0, 0);
        for (n, (place, moves)) in all.iter().enumerate() {
            for (_, other) in all[n + 1..].iter().filter(|(other, _)| is_close(*place, *other)) {
                pairs += 1;
                same += usize::from(moves == other);
            }
        }
        assert!(pairs > 200, "{pairs}");
        same as f64 / pairs as f64
    };
    let (patches, single) = (moved(60.0), moved(0.0));
    let free = patches.iter().filter(|(_, moves)| *moves).count();
    assert!((800..3200).contains(&free), "{free}");
    assert!(alike(&patches) > 0.75 && alike(&single) < 0.6, "{} {}", alike(&patches), alike(&single));
}

#[test]
fn a_frame_needs_the_frames_of_its_longest_life_alone() {
    let whole = run(1..=60, 100, lively);
    assert!(whole.particles.len() > 300, "{}", whole.particles.len());
    let frames = lively(60).history() as u32;
    assert_eq!(frames, 15);
    let alone = run(60 - frames + 1..=60, 100, lively);
    assert_eq!(whole, alone);
    let shorter = run(60 - frames + 3..=60, 100, lively);
    assert_ne!(whole.particles, shorter.particles, "the oldest particles are missing");
}

#[test]
fn the_pieces_of_the_threads_change_no_bit() {
    let whole = run(1..=20, usize::MAX, lively);
    assert!(whole.particles.iter().all(|particle| particle.position.iter().all(|x| x.is_finite())));
    for piece in [1, 7, 64] {
        assert_eq!(whole, run(1..=20, piece, lively), "pieces of {piece}");
    }
}

#[test]
fn particles_are_in_order_and_alive() {
    let state = run(1..=30, 100, lively);
    let order: Vec<(u8, u64)> = state.particles.iter().map(|particle| (particle.emitter, particle.id)).collect();
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
    for particle in &*state.particles {
        assert!(particle.lives(state.time) && particle.age(state.time) >= 0.0, "{particle:?}");
    }
}

#[test]
fn a_share_is_a_subset_by_number() {
    let at = |share: f64| run(1..=30, 100, |frame| Settings { share, ..lively(frame) });
    let all = at(1.0);
    let mut last = 0;
    for share in [0.0, 0.1, 0.5, 0.9] {
        let some = at(share);
        let kept =
            |particle: &&Particle| random::units(seed(particle), particle.id, random::Purpose::Detail)[0] < share;
        let subset: Vec<Particle> = all.particles.iter().filter(kept).copied().collect();
        assert_eq!(*some.particles, subset, "{share}");
        assert!(share == 0.0 || subset.len() > last);
        last = subset.len();
    }
}

fn seed(particle: &Particle) -> i32 {
    [1, 9][usize::from(particle.emitter)]
}

#[test]
fn a_full_region_ends_the_oldest_particles_first() {
    let capacity = 100;
    let crowded = |frame: u32| {
        let only = Emitter { capacity, ..emitter(RATE, frame - 1) };
        Settings { frame: i64::from(frame), emitters: vec![only], longest: 15.0, ..still() }
    };
    let state = run(1..=20, 100, crowded);
    assert!(state.particles.len() <= capacity, "{}", state.particles.len());
    let born = (RATE * 20.0).ceil() as u64;
    assert!(state.particles.iter().all(|particle| particle.id + 100 >= born));
    let made = advance(&GRID, &crowded(21), &Inputs::default(), Some(&state), 1.0, &Serial(100), &mut || true);
    let notices = made.expect("never interrupted").1.notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].starts_with("Emitter 1 bears more particles than its Capacity"), "{notices:?}");
    let roomy = |frame: u32| {
        let only = emitter(RATE, frame - 1);
        Settings { frame: i64::from(frame), emitters: vec![only], longest: 15.0, ..still() }
    };
    let state = run(1..=20, 100, roomy);
    let made = advance(&GRID, &roomy(21), &Inputs::default(), Some(&state), 1.0, &Serial(100), &mut || true);
    assert!(made.expect("never interrupted").1.notices().is_empty());
}

#[test]
fn particles_are_born_along_the_way_of_the_emitter() {
    let moving = |frame: u32| {
        let at = |frame: u32| [10.0 * f64::from(frame), 40.0, 0.0];
        let point = Emitter {
            shape: Shape::Point,
            centre: at(frame),
            previous: at(frame - 1),
            speed: 0.0,
            drag: 0.0,
            ..emitter(50.0, frame - 1)
        };
        Settings { frame: i64::from(frame), emitters: vec![point], longest: 15.0, ..still() }
    };
    let state = run(1..=5, 100, moving);
    for particle in &*state.particles {
        let expected = 10.0 * particle.birth();
        assert!((f64::from(particle.position[0]) - expected).abs() < 1e-3, "{particle:?}");
    }
}

#[test]
fn drags_differ_from_particle_to_particle_within_their_spread() {
    let slowed = |frame: u32| {
        let only = Emitter {
            speed: 5.0,
            speed_spread: 0.0,
            weight: 0.0,
            drag: 0.2,
            drag_spread: 0.5,
            ..emitter(100.0, frame - 1)
        };
        Settings { frame: i64::from(frame), emitters: vec![only], longest: 15.0, ..still() }
    };
    let state = run(1..=6, 100, slowed);
    let drags: Vec<f64> = (state.particles.iter().filter(|particle| particle.age(6.0) > 1.0))
        .map(|particle| -(motion::length(particle.velocity.map(f64::from)) / 5.0).ln() / particle.age(6.0))
        .collect();
    assert!(drags.len() > 300 && drags.iter().all(|drag| (0.0999..0.3001).contains(drag)), "{drags:?}");
    let mean = drags.iter().sum::<f64>() / drags.len() as f64;
    let squares = drags.iter().map(|drag| (drag - mean).powi(2)).sum::<f64>() / drags.len() as f64;
    // An even distribution from 0.1 to 0.3.
    assert!((mean - 0.2).abs() < 0.01 && (squares.sqrt() / (0.2 / 12.0_f64.sqrt()) - 1.0).abs() < 0.1, "{mean}");
}

#[test]
fn small_particles_have_the_most_drag() {
    let only = |frame: u32| Emitter {
        speed: 5.0,
        speed_spread: 0.0,
        weight: 0.0,
        drag: 0.2,
        drag_spread: 0.8,
        drag_by_size: true,
        ..emitter(100.0, frame - 1)
    };
    let settings =
        |frame: u32| Settings { frame: i64::from(frame), emitters: vec![only(frame)], longest: 15.0, ..still() };
    let state = run(1..=4, 100, settings);
    for particle in state.particles.iter().filter(|particle| particle.age(4.0) > 1.0) {
        let drag = -(motion::length(particle.velocity.map(f64::from)) / 5.0).ln() / particle.age(4.0);
        let [of_size, ..] = units(only(1).seed, particle.id, Purpose::Sprite);
        let expected = 0.2 * (1.8 - 1.6 * of_size);
        assert!((drag - expected).abs() < 1e-3, "{drag} and {expected}");
    }
}

#[test]
fn a_matte_bears_particles_where_it_is_and_where_it_ends() {
    let disc = |frame: u32| -> Pixels {
        let pixel = |at: usize| {
            let [x, y] = [at % GRID.width, at / GRID.width].map(|cell| cell as f64 - 40.0);
            let alpha = f32::from(u8::from(x.hypot(y) < 30.0 - f64::from(frame)));
            [0.2, 0.4, 0.6, alpha]
        };
        Arc::new((0..GRID.cells()).map(pixel).collect())
    };
    let frame = |shape: Shape, frame: u32, before: Option<&State>| {
        let only = Emitter { shape, speed: 0.0, plate: true, life: 2.0, life_spread: 0.0, ..emitter(200.0, frame - 1) };
        let settings = Settings { frame: i64::from(frame), emitters: vec![only], longest: 2.0, ..still() };
        let source = inputs::SourcePixels { pixels: disc(frame), has_alpha: true, premultiplied: false };
        let inputs = Inputs { emission: Some(disc(frame)), source: Some(source), ..Inputs::default() };
        advance(&GRID, &settings, &inputs, before, 1.0, &Serial(100), &mut || true).expect("never interrupted").0
    };
    let inside = frame(Shape::Matte, 5, None);
    assert_eq!(inside.particles.len(), 200);
    let radius = |particle: &Particle| {
        let [x, y, _] = particle.position.map(f64::from);
        (x - 40.5).hypot(y - 40.5)
    };
    assert!(inside.particles.iter().all(|particle| radius(particle) < 26.0));
    assert!(inside.particles.iter().all(|particle| particle.colour == [0.2, 0.4, 0.6, 1.0]));
    let first = frame(Shape::Edge, 5, None);
    assert!(first.particles.is_empty(), "no matte before, no change");
    let edge = frame(Shape::Edge, 6, Some(&first));
    assert_eq!(edge.particles.len(), 200);
    assert!(edge.particles.iter().all(|particle| (23.0..26.0).contains(&radius(particle))));
}

#[test]
fn an_interruption_gives_no_state() {
    assert!(advance(&GRID, &lively(1), &inputs(1), None, 1.0, &Serial(9), &mut || false).is_none());
}

/// A body at rest of which a front releases the particles, from left to right in 20 frames after 5.
fn crossed_by_a_front(frame: u32) -> Settings {
    let body = Emitter {
        shape: Shape::Box,
        radius: 90.0,
        height: 60.0,
        speed: 2.0,
        direction: 90.0,
        spread: 0.0,
        ..emitter(2000.0, frame - 1)
    };
    let front =
        Emitter { release_delay: 5.0, release_front: 20.0, release_spread: 0.0, life: 30.0, life_spread: 0.0, ..body };
    let births = if frame == 1 { front.births } else { Default::default() };
    let emitters = vec![Emitter { births, ..front }];
    Settings { frame: i64::from(frame), emitters, wind: [0.0, 0.0, 0.0], counted: false, ..still() }
}

#[test]
fn a_front_releases_what_it_has_passed() {
    for frames in [3, 10, 16, 24] {
        let state = run(1..=frames, 100, crossed_by_a_front);
        let middle = f64::from(state.particles.iter().map(|particle| particle.position[0]).sum::<f32>()) / 2000.0;
        for particle in &*state.particles {
            // All are born in the first frame, at any time in it.
            let passed = (f64::from(particle.position[0]) - middle + 90.0) / 180.0 * 20.0 + 5.0;
            let moves = particle.velocity != [0.0; 3];
            let now = f64::from(frames);
            assert!(moves || passed > now - 1.5, "{particle:?} rests at {now}, passed at {passed}");
            assert!(!moves || passed < now + 0.5, "{particle:?} moves at {now}, passed at {passed}");
            assert_eq!(moves, particle.age(now) > 0.0, "its life starts at the release");
        }
    }
}

#[test]
fn a_front_ends_no_life_early() {
    assert!((55.0..55.1).contains(&Settings::longest_of(&crossed_by_a_front(1).emitters)));
    assert_eq!(run(1..=35, 100, crossed_by_a_front).particles.len(), 2000, "the first ones live 30 frames");
    let left = run(1..=45, 100, crossed_by_a_front).particles.len();
    assert!((700..1300).contains(&left), "{left}");
    assert!(run(1..=56, 100, crossed_by_a_front).particles.is_empty());
}

#[test]
fn particles_that_wait_are_released_in_their_time_without_the_delay() {
    let without = |frame: u32| {
        let mut settings = crossed_by_a_front(frame);
        if frame > 3 {
            let emitter = &mut settings.emitters[0];
            (emitter.release_delay, emitter.release_front) = (0.0, 0.0);
        }
        settings
    };
    assert_eq!(run(1..=18, 100, crossed_by_a_front).particles, run(1..=18, 100, without).particles);
}

#[test]
fn a_frame_needs_the_frames_of_the_longest_wait_and_life_alone() {
    let settings = |frame: u32| {
        let front = Emitter { release_delay: 2.0, release_front: 6.0, release_spread: 0.5, ..emitter(8.0, frame - 1) };
        let emitters = vec![Emitter { life: 10.0, life_spread: 0.25, ..front }];
        let longest = Settings::longest_of(&emitters);
        Settings { frame: i64::from(frame), emitters, longest, ..still() }
    };
    let frames = settings(60).history() as u32;
    assert_eq!(frames, 21);
    let whole = run(1..=60, 100, settings);
    assert_eq!(whole, run(60 - frames + 1..=60, 100, settings));
    assert_ne!(whole.particles, run(60 - 12..=60, 100, settings).particles, "the wait counts");
}

#[test]
fn a_part_of_a_frame_has_the_releases_up_to_its_end() {
    let last = run(1..=15, 100, crossed_by_a_front);
    let part = |share: f64| {
        let settings = crossed_by_a_front(16);
        advance(&GRID, &settings, &inputs(16), Some(&last), share, &Serial(100), &mut || true).expect("a state").0
    };
    let mut moving = 0;
    for share in [0.25, 0.5, 1.0] {
        for particle in &*part(share).particles {
            assert_eq!(particle.velocity != [0.0; 3], particle.birth() < 15.0 + share, "{particle:?} at {share}");
        }
        let now = part(share).particles.iter().filter(|particle| particle.velocity != [0.0; 3]).count();
        assert!(now > moving, "{now} after {moving}");
        moving = now;
    }
}

#[test]
fn fronts_cross_every_shape_in_their_time() {
    for (shape, tracer) in [(Shape::Line, false), (Shape::Disc, true), (Shape::Sphere, false), (Shape::Figure, true)] {
        let settings = |frame: u32| {
            let mut settings = crossed_by_a_front(frame);
            let body = settings.emitters[0];
            settings.emitters[0] =
                Emitter { shape, tracer, release_spread: 0.3, release_patch: 20.0, height: 80.0, ..body };
            settings
        };
        let releases: Vec<f64> = run(1..=2, 100, settings).particles.iter().map(Particle::birth).collect();
        let (first, last) = releases.iter().fold((f64::MAX, 0.0_f64), |(a, b), time| (a.min(*time), b.max(*time)));
        assert!((5.0..11.0).contains(&first) && (19.0..26.0).contains(&last), "{shape:?}: {first} to {last}");
    }
}

#[test]
fn a_front_reaches_a_line_across_its_way_at_once() {
    let settings = |frame: u32| {
        let mut settings = crossed_by_a_front(frame);
        let body = settings.emitters[0];
        settings.emitters[0] = Emitter { shape: Shape::Line, angle: 30.0, release_angle: 120.0, ..body };
        settings
    };
    let state = run(1..=2, 100, settings);
    assert!(state.particles.iter().all(|particle| (5.0..6.0).contains(&particle.birth())), "in the frame of its start");
}
