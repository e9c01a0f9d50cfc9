//! Mattes at rest and in motion.

use super::*;

fn solids_after(spec: &Spec, s: &Settings, first: Pixels, second: Pixels) -> [Arc<Solids>; 2] {
    let inputs = |pixels| Inputs { obstacles: Some(pixels), ..Inputs::default() };
    let start = rasterise(spec, s, &inputs(first), &still(spec), None, 1.0, &Alone).solids.expect("solid");
    let before = state(spec, Some(Arc::clone(&start)));
    let next = rasterise(spec, s, &inputs(second), &still(spec), Some(&before), 1.0, &Alone).solids.expect("solid");
    [start, next]
}

#[test]
fn a_moving_matte_sets_the_velocity_of_its_faces() {
    for g in [1.0, 0.5] {
        let spec = spec(60, 40, g);
        for push in [1.0, 0.5] {
            let s = Settings { obstacle_push: push, ..settings() };
            let [first, next] = solids_after(&spec, &s, box_matte(&spec, 10, 20, 8, 6), box_matte(&spec, 13, 18, 8, 6));
            assert!(first.u.iter().chain(&first.v).all(|v| *v == 0.0), "what appears stands still");
            for y in 0..40 {
                for x in 0..61 {
                    let touches = (13..=21).contains(&x) && (18..24).contains(&y);
                    let expected = if touches { 3.0 * push as f32 } else { 0.0 };
                    assert_eq!(next.u[y * 61 + x], expected, "u at {x} {y}");
                }
            }
            for y in 0..41 {
                for x in 0..60 {
                    let touches = (13..21).contains(&x) && (18..=24).contains(&y);
                    let expected = if touches { -2.0 * push as f32 } else { 0.0 };
                    assert_eq!(next.v[y * 60 + x], expected, "v at {x} {y}");
                }
            }
        }
    }
}

#[test]
fn a_matte_pushes_at_its_visible_speed_for_any_time_scale() {
    let spec = spec(60, 40, 1.0);
    let inputs = |pixels| Inputs { obstacles: Some(pixels), ..Inputs::default() };
    let s = settings();
    let start = rasterise(&spec, &s, &inputs(box_matte(&spec, 10, 20, 8, 6)), &still(&spec), None, 1.0, &Alone).solids;
    let before = state(&spec, start);
    let moved = inputs(box_matte(&spec, 13, 20, 8, 6));
    for (time, speed) in [(0.5, 6.0), (1.0, 3.0), (2.0, 1.5), (0.0, 0.0)] {
        let next = rasterise(&spec, &s, &moved, &still(&spec), Some(&before), time, &Alone).solids.expect("solid");
        assert_eq!(next.u[22 * 61 + 15], speed, "time {time}");
    }
    // Velocities of a picture are per whole frame, also in a part of one.
    let given = Inputs { obstacle_velocity: Some(picture(&spec, |_, _| [4.0, 0.0, 0.0, 0.0])), ..moved };
    for (time_scale, time, speed) in [(0.5, 0.5, 8.0), (0.5, 0.125, 8.0), (1.0, 0.25, 4.0)] {
        let s = Settings { time_scale, ..settings() };
        let next = rasterise(&spec, &s, &given, &still(&spec), Some(&before), time, &Alone).solids.expect("solid");
        assert_eq!(next.u[22 * 61 + 15], speed, "time scale {time_scale}");
    }
}

#[test]
fn connected_components_of_a_matte_move_separately() {
    let spec = spec(100, 60, 1.0);
    let boxes = |list: &[[i64; 4]]| {
        let list = list.to_vec();
        picture(&spec, move |x, y| {
            let (x, y) = (x as i64, y as i64);
            let solid = list.iter().any(|[a, b, w, h]| (*a..a + w).contains(&x) && (*b..b + h).contains(&y));
            [0.0, 0.0, 0.0, f32::from(u8::from(solid))]
        })
    };
    let first = boxes(&[[10, 10, 8, 8], [40, 10, 8, 8], [70, 10, 4, 4], [0, 40, 10, 8], [30, 40, 30, 10]]);
    let second =
        boxes(&[[12, 10, 8, 8], [40, 9, 8, 8], [85, 12, 4, 4], [0, 40, 13, 8], [30, 40, 30, 10], [80, 40, 9, 9]]);
    let [_, next] = solids_after(&spec, &settings(), first, second);
    let at = |x: usize, y: usize| (next.u[y * 101 + x], next.v[y * 100 + x]);
    assert_eq!(at(14, 12), (2.0, 0.0));
    assert_eq!(at(44, 12), (0.0, -1.0));
    assert_eq!(at(86, 13), (15.0, 2.0), "a small thing that leaps over itself is known again");
    assert_eq!(at(5, 44), (3.0, 0.0), "what comes in over the border moves as its edge inside");
    assert_eq!(at(40, 44), (0.0, 0.0));
    assert_eq!(at(84, 44), (0.0, 0.0), "what appears stands still");
}

#[test]
fn a_resting_component_is_not_moved_by_a_touching_one() {
    let spec = spec(100, 60, 1.0);
    // A floor over the whole width, and a ball that sinks into it; a bar that enters over the border.
    let at = |ball: i64, bar: i64| {
        picture(&spec, move |x, y| {
            let (dx, dy) = (x as i64 - 50, y as i64 - ball);
            let bar = (40..44).contains(&y) && (x as i64) < bar;
            [0.0, 0.0, 0.0, f32::from(u8::from(y < 10 || dx * dx + dy * dy < 36 || bar))]
        })
    };
    for (from, to) in [(17, 14), (14, 11)] {
        let [_, next] = solids_after(&spec, &settings(), at(from, 2), at(to, 9));
        assert_eq!((next.v[10 * 100 + 10], next.v[5 * 100 + 50]), (0.0, 0.0), "the floor lies still");
        assert_eq!(next.u[41 * 101 + 9], 7.0, "the bar comes in, though it more than doubles");
    }
}

#[test]
fn a_resting_matte_is_shared_between_frames() {
    let spec = spec(30, 20, 1.0);
    let matte = || box_matte(&spec, 5, 5, 6, 6);
    let [first, next] = solids_after(&spec, &settings(), matte(), matte());
    assert!(Arc::ptr_eq(&first, &next));
    let [first, next] = solids_after(&spec, &settings(), matte(), box_matte(&spec, 6, 5, 6, 6));
    assert!(!Arc::ptr_eq(&first, &next));
    // A grid that moves by two cells over a matte at rest.
    let inputs = Inputs { obstacles: Some(box_matte(&spec, 3, 5, 6, 6)), ..Inputs::default() };
    let mut moved = still(&spec);
    (moved.grid.origin[0], moved.shift[0]) = (2.0, 2);
    let before = state(&spec, Some(first));
    let forcing = rasterise(&spec, &settings(), &inputs, &moved, Some(&before), 1.0, &Alone);
    assert!(forcing.solids.expect("solid").u.iter().all(|v| *v == 0.0), "it stands");
}

#[test]
fn the_obstacle_velocity_input_overrides_the_registration() {
    let spec = spec(30, 20, 0.5);
    let before = state(&spec, None);
    let inputs = Inputs {
        obstacles: Some(box_matte(&spec, 5, 5, 6, 6)),
        obstacle_velocity: Some(picture(&spec, |x, _| if x < 8 { [4.0, 2.0, 0.0, 0.0] } else { [8.0, 2.0, 0.0, 0.0] })),
        ..source(&spec, true, true, |_, _| [1.0; 4])
    };
    let forcing = rasterise(&spec, &settings(), &inputs, &still(&spec), Some(&before), 1.0, &Alone);
    let solids = forcing.solids.expect("solid");
    let row: Vec<f32> = (4..=12).map(|x| solids.u[7 * 31 + x]).collect();
    assert_eq!(row, [0.0, 2.0, 2.0, 2.0, 3.0, 4.0, 4.0, 4.0, 0.0]);
    assert_eq!((solids.v[5 * 30 + 6], solids.v[11 * 30 + 6], solids.v[12 * 30 + 6]), (1.0, 1.0, 0.0));
    let dye = plane(&forcing.dye[0], 30, 20);
    assert_eq!((dye[7 * 30 + 7], dye[7 * 30 + 12]), ([0.0; 4], [1.0; 4]), "what is solid lets nothing in");
}
