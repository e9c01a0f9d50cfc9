//! The following grid.

use super::*;

#[test]
fn a_following_grid_moves_by_whole_cells() {
    let mut spec = spec(64, 48, 0.5);
    spec.constants.follow = true;
    let s = |x: f64, y: f64, inherit: f64| Settings { grid_centre: [x, y], inherit, ..settings() };
    let start = grid_motion(&spec, &s(64.0, 48.0, 0.0), None);
    assert_eq!(start, still(&spec));
    let mut before = state(&spec, None);
    let moved = grid_motion(&spec, &s(70.0, 44.0, 0.0), Some(&before));
    assert_eq!((moved.grid.origin, moved.shift, moved.remainder), ([6.0, -4.0], [3, -2], [0.0; 4]));
    let carried = grid_motion(&spec, &s(70.0, 44.0, 1.0), Some(&before));
    assert_eq!((carried.grid.origin, carried.shift), ([6.0, -4.0], [0, 0]));
    let half = grid_motion(&spec, &s(70.0, 44.0, 0.5), Some(&before));
    assert_eq!((half.shift, half.remainder[2], half.remainder[3]), ([2, -1], -0.5, 0.0));
    before.grid.origin = [6.0, -4.0];
    before.remainder = [0.0, 0.0, 0.25, 0.0];
    let back = grid_motion(&spec, &s(64.0, f64::NAN, 0.0), Some(&before));
    assert_eq!((back.grid.origin, back.shift, back.remainder), ([0.0, -4.0], [-3, 0], [0.0, 0.0, 0.25, 0.0]));
    spec.constants.follow = false;
    assert_eq!(grid_motion(&spec, &s(70.0, 44.0, 0.0), Some(&state(&spec, None))), still(&spec));
}

#[test]
fn the_remainder_of_a_grid_move_never_accumulates() {
    let mut spec = spec(64, 48, 1.0);
    spec.constants.follow = true;
    let mut before = state(&spec, None);
    let mut shifted = 0;
    let mut held = 0;
    for n in 1..=1000 {
        let x = 0.37 * f64::from(n);
        let s = |inherit| Settings { grid_centre: [32.0 + x, 24.0], inherit, ..settings() };
        let moved = grid_motion(&spec, &s(0.0), Some(&before));
        shifted += moved.shift[0];
        assert!((moved.grid.origin[0] + moved.remainder[0] - x).abs() < 1e-9, "step {n}");
        assert!(moved.remainder.iter().all(|r| r.abs() <= 0.5), "step {n}");
        assert_eq!(shifted as f64, moved.grid.origin[0], "what is held stands still in the world");
        held += grid_motion(&spec, &s(1.0), Some(&before)).shift[0];
        (before.grid, before.remainder) = (moved.grid, moved.remainder);
    }
    assert_eq!((shifted, held), (370, 0));

    let mut before = state(&spec, None);
    let mut shifted = 0;
    for n in 1..=1000 {
        let s = Settings { grid_centre: [32.0 + f64::from(n), 24.0], inherit: 0.63, ..settings() };
        let moved = grid_motion(&spec, &s, Some(&before));
        shifted += moved.shift[0];
        assert!((shifted as f64 + moved.remainder[2] - 0.37 * f64::from(n)).abs() < 1e-9, "step {n}");
        (before.grid, before.remainder) = (moved.grid, moved.remainder);
    }
    assert_eq!(shifted, 370);
}

#[test]
fn extreme_jumps_of_the_grid_are_bounded() {
    let mut spec = spec(8, 8, 1.0);
    spec.constants.follow = true;
    for x in [1e6, -1e300, f64::INFINITY, f64::NAN, f64::MAX] {
        let s = Settings { grid_centre: [x, 4.0], inherit: f64::NAN, ..settings() };
        let moved = grid_motion(&spec, &s, Some(&state(&spec, None)));
        assert!(moved.grid.origin.iter().chain(&moved.remainder).all(|v| v.is_finite()), "{x}: {moved:?}");
        assert!(!x.is_finite() || moved.shift[0].abs() >= 8, "{x}: all is shifted out");
        assert_eq!(moved.grid.width, 8);
    }
}
