//! A tracked plate: roofs at dusk from a camera that moves, and the file of that camera.
//!
//! Lengths are widths of the picture's plane, whose middle is the origin; x to the right, y up, z towards the viewer. The
//! houses are cards at distances from the plane, so that their parallax is exact.

use std::fmt::Write as _;

use super::plates::{ASPECT, mix, opaque, scaled};
use crate::noise::{fbm, hash, smooth};

/// Distance from which a camera shows the plane alone: focal length by horizontal aperture.
const DISTANCE: f32 = 50.0 / 24.576;

/// The chimney: its middle, half its width, and its top.
const CHIMNEY: [f32; 3] = [-0.19, 0.024, -0.02];

/// The camera in a frame.
pub struct Pose {
    position: [f32; 3],
    /// Rotation about x and y, radians.
    turn: [f32; 2],
}

impl Pose {
    /// A crane that rises and moves to the right, and turns back, in an unsteady hand.
    pub fn at(frame: f32) -> Self {
        let t = smooth(frame / 64.0);
        let tremble = |seed: i32| 0.0016 * fbm(frame * 0.09, 0.5, seed);
        let position = [-0.16 + 0.3 * t, -0.07 + 0.12 * t, DISTANCE + 0.12 - 0.16 * t];
        let [across, up] = [position[0] + 0.04, position[1] - 0.03].map(|offset| 0.75 * (offset / DISTANCE).atan());
        Self { position, turn: [tremble(301) - up, tremble(302) + across] }
    }

    /// The direction of a pixel: turned about x, then about y.
    fn direction(&self, u: f32, v: f32) -> [f32; 3] {
        let [x, y, z] = [(u - ASPECT * 0.5) / ASPECT, (v - 0.5) / ASPECT, -DISTANCE];
        let [(sx, cx), (sy, cy)] = self.turn.map(f32::sin_cos);
        let (y, z) = (y * cx - z * sx, y * sx + z * cx);
        [x * cy + z * sy, y, z * cy - x * sy]
    }

    /// The point of a card that a pixel shows, `back` behind the picture's plane.
    fn on_card(&self, u: f32, v: f32, back: f32) -> [f32; 2] {
        let direction = self.direction(u, v);
        let along = (-back - self.position[2]) / direction[2];
        [0, 1].map(|axis| self.position[axis] + along * direction[axis])
    }
}

/// The camera's file up to a frame: lines of frame, position, rotation in degrees and vertical field of view.
pub fn camera_file(last: usize) -> String {
    let view = 2.0 * (0.5 / ASPECT / DISTANCE).atan().to_degrees();
    let mut text = String::new();
    for frame in 1..=last {
        let Pose { position: [x, y, z], turn } = Pose::at(frame as f32);
        let [rx, ry] = turn.map(f32::to_degrees);
        // Writing to a text does not fail.
        let _ = writeln!(text, "{frame} {x:.6} {y:.6} {z:.6} {rx:.6} {ry:.6} 0 {view:.6}");
    }
    text
}

/// The plate of a frame.
pub fn plate(frame: f32) -> impl Fn(f32, f32) -> [f32; 4] {
    let pose = Pose::at(frame);
    move |u, v| {
        let near = pose.on_card(u, v, 0.0);
        let middle = pose.on_card(u, v, 0.9);
        let far = pose.on_card(u, v, 2.6);
        let found = roof(near).or_else(|| row(middle, 0.19, -0.13, 5)).or_else(|| row(far, 0.24, -0.1, 9));
        opaque(match found {
            Some((colour, haze)) => mix(colour, [0.3, 0.26, 0.3], haze),
            None => sky(pose.direction(u, v)),
        })
    }
}

/// Evening, with the light of the sun on the left.
fn sky([x, y, z]: [f32; 3]) -> [f32; 3] {
    let [x, y] = [x / -z, y / -z];
    let t = smooth((y + 0.1) / 0.3);
    let low = mix([0.82, 0.42, 0.22], [0.42, 0.3, 0.34], smooth((x + 0.3) / 0.55));
    let clear = mix(low, [0.1, 0.15, 0.27], t);
    let cloud = smooth(0.4 + 1.6 * fbm(x * 5.0, y * 16.0, 311)) * (1.0 - 0.4 * t);
    mix(clear, [0.5, 0.33, 0.3], 0.45 * cloud)
}

/// The near roof and its chimney; the share of haze before it.
fn roof([x, y]: [f32; 2]) -> Option<([f32; 3], f32)> {
    let [middle, half, top] = CHIMNEY;
    let lit = 1.15 - 1.6 * (x - middle) / half * 0.35;
    let rim = y > top - 0.018;
    if (x - middle).abs() < half * if rim { 1.22 } else { 1.0 } && y < top && y > -0.2 {
        // Bricks, every second row moved by half of one, between joints.
        let line = ((y - top) * 95.0).floor();
        let column = (x - middle) * 42.0 + 0.5 * (line as i32).rem_euclid(2) as f32;
        let (cx, cy) = (column - column.floor(), (y - top) * 95.0 - line);
        let joint = cx < 0.1 || cy < 0.16;
        let tone = hash(column.floor() as i32, line as i32, 313);
        let brick = scaled(
            mix([0.12, 0.05, 0.035], [0.075, 0.035, 0.03], 0.5 + 0.5 * tone),
            1.0 + 0.3 * fbm(x * 260.0, y * 260.0, 315),
        );
        let colour = if joint { [0.05, 0.043, 0.04] } else { brick };
        let soot = 0.35 + 0.65 * smooth((top - y) / 0.05);
        return Some((scaled(colour, soot * lit.max(0.25)), 0.02));
    }
    let ridge = -0.105 - 0.03 * fbm(x * 2.0, 0.0, 317).abs() - 0.32 * (x - 0.07).max(0.0) - 0.1 * (-0.3 - x).max(0.0);
    (y < ridge).then(|| {
        let line = ((y - ridge) * 70.0).floor();
        let column = x * 62.0 + 0.5 * (line as i32).rem_euclid(2) as f32;
        let (cx, cy) = (column - column.floor(), (y - ridge) * 70.0 - line);
        let tone = hash(column.floor() as i32, line as i32, 319);
        let round = 0.65 + 0.5 * (1.0 - (2.0 * cx - 1.0).powi(2)) * (0.4 + 0.6 * cy);
        let tile = mix([0.1, 0.05, 0.04], [0.06, 0.05, 0.055], 0.5 + 0.5 * tone);
        let moss = smooth(0.2 + 1.4 * fbm(x * 9.0, y * 9.0, 321));
        (scaled(mix(tile, [0.035, 0.045, 0.025], 0.5 * moss), round * (0.8 + 0.25 * tone)), 0.02)
    })
}

/// A row of houses with windows: their width, the height of the eaves, and a seed.
fn row([x, y]: [f32; 2], width: f32, eaves: f32, seed: i32) -> Option<([f32; 3], f32)> {
    let house = (x / width).floor();
    let within = x / width - house;
    let random = |n: i32| hash(house as i32, n, 331 + seed) * 0.5 + 0.5;
    let low = eaves + width * (0.3 * random(1) - 0.15);
    let gable = width * (0.18 + 0.2 * random(2)) * (1.0 - (2.0 * within - 1.0).abs());
    let stack = (within - 0.25 - 0.5 * random(3)).abs() < 0.045 && y < low + width * 0.47;
    let haze = 0.09 * seed as f32 - 0.3;
    if y > low + gable && !stack {
        return None;
    }
    let wall = mix([0.07, 0.055, 0.055], [0.1, 0.075, 0.06], random(4));
    if y > low {
        return Some((scaled(wall, if stack { 0.7 } else { 0.5 + 0.12 * (within - 0.5) }), haze));
    }
    let columns = 3.0 + (2.0 * random(5)).floor();
    let (column, line) = ((within * columns).floor(), ((y - low) / width * 4.0).floor());
    let (cx, cy) = (within * columns - column, (y - low) / width * 4.0 - line);
    let window = (0.3..0.72).contains(&cx) && (0.25..0.8).contains(&cy) && line < -0.5;
    let tone = hash(column as i32 + 7 * house as i32, line as i32, 341 + seed) * 0.5 + 0.5;
    let lit = scaled(mix([1.0, 0.6, 0.24], [0.9, 0.72, 0.45], tone), 0.5 + 0.6 * tone);
    Some(if window && tone > 0.45 { (lit, 0.5 * haze) } else { (scaled(wall, if window { 0.5 } else { 1.0 }), haze) })
}
