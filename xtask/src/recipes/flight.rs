//! A man with a jet pack who takes off: his plate, the desert he leaves, and the tracks of his nozzles as `.chan` files.
//!
//! The tracks are in widths of the picture's plane, whose middle is the origin.

use std::fmt::Write as _;

use super::figure::{Limb, inside_limbs};
use super::plates::{ASPECT, mix, opaque, scaled};
use crate::noise::{fbm, smooth};

/// Height of the man in the frame.
const TALL: f32 = 0.3;

/// The frame in which he takes off.
pub const TAKE_OFF: f32 = 10.0;

/// The nozzles, and a point below each at which smoke begins, relative to the hips: to the right, and up, in parts of his
/// height.
const NOZZLES: [(f32, f32); 2] = [(-0.175, 0.1), (-0.055, 0.1)];
const SMOKE_BELOW: f32 = 0.75;

/// Position of the hips, and the lean to the right in radians.
fn pose(frame: f32) -> ((f32, f32), f32) {
    let t = ((frame - TAKE_OFF) / 80.0).max(0.0);
    // He hovers, rises, and turns away to the right.
    let rise = 0.62 * t * t * (1.6 - 0.6 * t);
    let away = 1.1 * t.powi(3);
    let hover = 0.006 * fbm(frame * 0.07, 0.3, 421);
    ((0.62 + away + 0.5 * hover, 0.4 + rise + hover), 0.06 + 0.62 * smooth(t * 1.25))
}

/// A point of the man, in parts of his height from the hips, in the frame.
fn placed(frame: f32, (x, y): (f32, f32)) -> (f32, f32) {
    let ((u, v), lean) = pose(frame);
    let (sin, cos) = lean.sin_cos();
    (u + TALL * (x * cos + y * sin), v + TALL * (y * cos - x * sin))
}

/// The man, seen from the side and a little from behind: the legs trail, the pack is on his back, on the left.
const MAN: [Limb; 12] = [
    [0.005, 0.42, 0.012, 0.45, 0.055, 0.05],
    [0.0, 0.33, 0.003, 0.4, 0.032, 0.03],
    [-0.01, 0.28, 0.0, 0.08, 0.078, 0.06],
    [0.0, 0.06, 0.0, 0.0, 0.064, 0.068],
    // Legs.
    [0.0, 0.0, 0.045, -0.23, 0.064, 0.042],
    [0.045, -0.23, -0.025, -0.44, 0.042, 0.027],
    [-0.025, -0.45, 0.03, -0.49, 0.028, 0.018],
    [0.0, 0.0, -0.02, -0.24, 0.064, 0.042],
    [-0.02, -0.24, -0.11, -0.43, 0.042, 0.027],
    [-0.11, -0.44, -0.07, -0.49, 0.028, 0.018],
    // The arm that is seen: to the handle at the hip.
    [0.01, 0.29, 0.06, 0.13, 0.04, 0.032],
    [0.06, 0.13, 0.13, 0.06, 0.032, 0.026],
];

/// The pack: two tanks with nozzles, and a bar between.
const PACK: [Limb; 5] = [
    [-0.175, 0.35, -0.175, 0.17, 0.045, 0.05],
    [-0.175, 0.14, -0.175, 0.115, 0.022, 0.034],
    [-0.055, 0.35, -0.055, 0.17, 0.045, 0.05],
    [-0.055, 0.14, -0.055, 0.115, 0.022, 0.034],
    [-0.17, 0.3, -0.06, 0.3, 0.018, 0.018],
];

/// The man of a frame, premultiplied.
pub fn man(frame: f32) -> impl Fn(f32, f32) -> [f32; 4] {
    let ((hip_u, hip_v), lean) = pose(frame);
    let (sin, cos) = lean.sin_cos();
    move |u, v| {
        let (du, dv) = ((u - hip_u) / TALL, (v - hip_v) / TALL);
        let (x, y) = (du * cos - dv * sin, dv * cos + du * sin);
        let (body, pack) = (inside_limbs(&MAN, (x, y)), inside_limbs(&PACK, (x, y)));
        if body.max(pack) <= 0.0 {
            return [0.0; 4];
        }
        // The sun stands on the left, behind the camera.
        let lit = |limbs: &[Limb], depth: f32| {
            let side = inside_limbs(limbs, (x + 0.02, y - 0.01)) - inside_limbs(limbs, (x - 0.02, y + 0.01));
            0.5 + 0.5 * smooth(0.5 + side / 0.06) + 0.35 * smooth(depth / 0.03)
        };
        let colour = if pack > 0.0 {
            let glow = smooth((0.15 - y) / 0.05);
            mix(scaled([0.3, 0.29, 0.28], lit(&PACK, pack)), [1.1, 0.75, 0.5], 0.55 * glow)
        } else {
            let cloth = 0.8 + 0.35 * fbm(x * 24.0, y * 18.0, 423);
            let suit = match y {
                y if y > 0.395 => [0.5, 0.46, 0.4],
                y if y < -0.36 => [0.05, 0.042, 0.04],
                _ => [0.17, 0.11, 0.065],
            };
            scaled(suit, cloth * lit(&MAN, body))
        };
        let [r, g, b] = colour;
        [r, g, b, 1.0]
    }
}

/// A dry valley with a launching pad, in the afternoon.
pub fn valley(u: f32, v: f32) -> [f32; 4] {
    let horizon = 0.2;
    if v < horizon {
        let away = 1.0 / (horizon - v).max(0.003);
        let x = (u - ASPECT * 0.4) * away;
        let fade = smooth(away / 60.0);
        let grain = 1.0 + (1.0 - fade) * 0.32 * fbm(x * 9.0, away * 9.0, 431) + 0.14 * fbm(x * 1.4, away * 1.4, 433);
        return opaque(mix(scaled([0.4, 0.28, 0.17], grain), [0.5, 0.43, 0.36], 0.75 * fade));
    }
    let sky = mix([0.6, 0.62, 0.62], [0.13, 0.24, 0.44], smooth((v - horizon) / 0.8));
    let cloud = smooth(0.15 + 1.3 * fbm(u * 1.2 + 3.0, v * 4.5, 435)) * smooth((v - horizon) / 0.25);
    let mut colour = mix(sky, [0.68, 0.66, 0.64], 0.4 * cloud);
    // Three ranges of mesas, the farther the paler.
    for (layer, haze, tall) in [(0, 0.72, 0.15), (1, 0.45, 0.11), (2, 0.12, 0.06)] {
        let shape = 0.5 + 0.9 * fbm(u * (1.3 + 0.9 * layer as f32) + 7.0 * layer as f32, 0.0, 437 + layer);
        let top = horizon - 0.02 + tall * smooth(shape * 1.6 - 0.3) + 0.008 * fbm(u * 22.0, 0.0, 441);
        if v < top {
            let strata = 0.85 + 0.2 * fbm(u * 3.0, v * 70.0, 443) + 0.18 * fbm(u * 26.0, v * 9.0, 445);
            colour = mix(scaled([0.36, 0.2, 0.12], strata), [0.58, 0.55, 0.53], haze);
        }
    }
    opaque(colour)
}

/// The track of a nozzle, or of the place where its smoke begins, up to a frame.
pub fn track(last: usize, nozzle: usize, smoke: bool) -> String {
    let (x, y) = NOZZLES[nozzle];
    axis(last, (x, y - if smoke { SMOKE_BELOW } else { 0.0 }))
}

/// The track of the middle of the air around the exhaust.
pub fn air(last: usize) -> String {
    axis(last, (-0.11, -0.95))
}

/// An axis file of a point of the man: lines of frame, position and no rotation.
fn axis(last: usize, point: (f32, f32)) -> String {
    let mut text = String::new();
    for frame in 0..=last {
        let (u, v) = placed(frame as f32, point);
        let (x, y) = ((u - ASPECT * 0.5) / ASPECT, (v - 0.5) / ASPECT);
        // Writing to a text does not fail.
        let _ = writeln!(text, "{frame} {x:.6} {y:.6} 0 0 0 0");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipes::jobs::{Job, shown};

    #[test]
    fn the_tracks_are_where_the_plate_has_the_nozzles() {
        for frame in [1, 30, 70] {
            for (nozzle, point) in NOZZLES.into_iter().enumerate() {
                let text = track(90, nozzle, false);
                let line: Vec<f32> =
                    text.lines().nth(frame).unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
                let (u, v) = ((line[1] + 0.5) * ASPECT, line[2] * ASPECT + 0.5);
                let (to_u, to_v) = placed(frame as f32, point);
                assert!((u - to_u).abs() < 1e-4 && (v - to_v).abs() < 1e-4, "{line:?}");
                let above = placed(frame as f32, (point.0, point.1 + 0.03));
                assert_eq!(man(frame as f32)(above.0, above.1)[3], 1.0, "the nozzle ends there");
                // The right one is before his hip.
                let below = placed(frame as f32, (point.0, point.1 - 0.05));
                assert_eq!(man(frame as f32)(below.0, below.1)[3], nozzle as f32);
            }
        }
    }

    #[test]
    fn he_leaves_the_ground_and_leans_forward() {
        assert!(pose(90.0).0.1 > pose(1.0).0.1 + 0.5 && pose(90.0).0.0 > 1.3);
    }

    #[test]
    fn the_exhaust_of_the_job_turns_with_him() {
        let text = std::fs::read_to_string(crate::project::root().join("docs/recipes/jet-pack.toml")).unwrap();
        let job = Job::parse(&text).unwrap();
        for name in ["emitter1", "emitter2", "emitter3", "emitter4", "jet1", "jet2"] {
            let keys = &job.nodes[0].keys[&format!("{name}Direction")];
            assert!(keys.len() > 3, "{name}");
            for (frame, value) in keys {
                let down = -90.0 - pose(frame.parse().unwrap()).1.to_degrees();
                let direction: f32 = shown(value).parse().unwrap();
                assert!((direction - down).abs() < 0.1, "{name} in frame {frame}: {direction}, not {down}");
            }
        }
    }
}
