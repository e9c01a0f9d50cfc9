//! The demo's plates: a river valley, the piers of a bridge in it, and a word of coloured water.
//!
//! Lengths here are fractions of the frame's height, so that any size shows the
//! same scene; y points up. Heights are in the units of the water's height.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::command;
use crate::noise::{fbm, hash, ridged, smooth};
use crate::picture::Picture;

/// The files of the scene.
pub struct Plates {
    /// The ground: its height in red, green and blue.
    pub terrain: PathBuf,
    /// Solid where alpha is 1.
    pub piers: PathBuf,
    /// The pattern of the letter sequence, one file a frame: colour, and the amount of water in alpha.
    pub letters: PathBuf,
}

impl Plates {
    /// Paths of the plates in a folder.
    pub fn within(folder: &Path) -> Plates {
        Plates {
            terrain: folder.join("terrain.exr"),
            piers: folder.join("piers.png"),
            letters: folder.join("letters/letters.####.exr"),
        }
    }
}

/// Makes the plates in `folder` for `frames` frames.
pub fn write(folder: &Path, width: usize, height: usize, frames: usize) -> Result<Plates> {
    let letters = folder.join("letters");
    command::make_folder(&letters)?;
    let plates = Plates::within(folder);
    let aspect = width as f32 / height as f32;
    let rocks = rocks(aspect);
    Picture::from_fn(width, height, |x, y| {
        let (u, v) = place(x, y, height);
        let ground = ground(u, v, aspect, &rocks);
        [ground, ground, ground, 1.0]
    })
    .write_exr(&plates.terrain)?;
    piers(width, height).write_png(&plates.piers)?;
    for frame in 1..=frames {
        let time = (frame - 1) as f32 / (frames.max(2) - 1) as f32;
        let picture = Picture::from_fn(width, height, |x, y| {
            let (u, v) = place(x, y, height);
            // EXR files carry premultiplied colour.
            let [r, g, b, amount] = letter_water(u, v, aspect, time, 0.75 / height as f32);
            [r * amount, g * amount, b * amount, amount]
        });
        picture.write_exr(&letters.join(format!("letters.{frame:04}.exr")))?;
    }
    Ok(plates)
}

/// The middle of the river at `u`, a distance from the left edge.
pub fn river(u: f32, aspect: f32) -> f32 {
    let along = u / aspect;
    0.53 + 0.17 * (6.1 * along + 0.5).sin() + 0.045 * (14.3 * along + 1.3).sin()
}

/// Visibility of the river's gravel at (u, v), 0 to 1.
pub fn gravel(u: f32, v: f32, aspect: f32) -> f32 {
    let off = (v - river(u, aspect) + 0.02 * fbm(u * 12.0, v * 12.0, 8)).abs();
    smooth((0.1 - off) / 0.03)
}

/// The ground's height.
fn ground(u: f32, v: f32, aspect: f32, rocks: &[[f32; 4]]) -> f32 {
    let along = u / aspect;
    let bend = (river(u + 0.005, aspect) - river(u - 0.005, aspect)) / 0.01;
    let wander = 0.012 * fbm(u * 9.0, v * 9.0, 7);
    let off = ((v - river(u, aspect)) / (1.0 + bend * bend).sqrt() + wander).abs();
    let half = 0.05 + 0.014 * (17.0 * along).sin();
    // From the source at the left the valley falls steadily to the right.
    let valley = 0.62 * (1.0 - along);
    let bank = 0.17 * smooth((off - half) / 0.05);
    // A meadow for the word, flat enough for the water to stay legible at first.
    let meadow = 1.0 - smooth((0.66 - along) / 0.22) * smooth((0.46 - v) / 0.22);
    let plain = (0.08 + 0.47 * meadow) * (off - half - 0.03).max(0.0);
    let hills = 0.75 * meadow * smooth((off - 0.16) / 0.4) * (0.35 + 0.65 * ridged(u * 2.6 + 3.0, v * 2.6));
    let rough = 0.012 + (0.004 + 0.066 * meadow) * smooth((off - half) / 0.2);
    let mut ground = 0.08 + valley + bank + plain + hills + rough * fbm(u * 14.0, v * 14.0, 2);
    for &[x, y, radius, tall] in rocks {
        let near = ((u - x).hypot(v - y) / radius) * (1.0 + 0.25 * fbm(u * 40.0, v * 40.0, 5));
        if near < 1.0 {
            ground += tall * (1.0 - near * near).sqrt();
        }
    }
    ground
}

/// Rocks in the bed and on the banks: position, radius, height.
fn rocks(aspect: f32) -> Vec<[f32; 4]> {
    (0..46u32)
        .map(|i| {
            let random = |n: u32| hash(i as i32, n as i32, 11) * 0.5 + 0.5;
            let u = aspect * (0.08 + 0.9 * (i as f32 + random(1)) / 46.0);
            let across = (random(2) * 2.0 - 1.0) * 0.085;
            let radius = 0.009 + 0.019 * random(3) * random(3);
            [u, river(u, aspect) + across, radius, radius * (3.0 + 3.0 * random(4))]
        })
        .collect()
}

/// A sky for reflections, with clouds brighter than white.
pub fn clouds(width: usize, height: usize) -> Picture {
    Picture::from_fn(width, height, |x, y| {
        let (u, v) = place(x, y, height);
        let cloud = smooth(0.5 + 1.6 * fbm(u * 3.0, v * 3.0, 21));
        let [r, g, b] = [[0.12, 2.6], [0.25, 2.5], [0.5, 2.4]].map(|[sky, white]| sky + (white - sky) * cloud);
        [r, g, b, 1.0]
    })
}

/// The matte of the bridge's piers: alpha 1 inside.
pub fn piers(width: usize, height: usize) -> Picture {
    let aspect = width as f32 / height as f32;
    Picture::from_fn(width, height, |x, y| {
        let (u, v) = place(x, y, height);
        if pier(u, v, aspect) { [0.3, 0.28, 0.26, 1.0] } else { [0.0; 4] }
    })
}

/// The position of a pixel in fractions of the frame's height, y upwards.
fn place(x: usize, y: usize, height: usize) -> (f32, f32) {
    ((x as f32 + 0.5) / height as f32, 1.0 - (y as f32 + 0.5) / height as f32)
}

/// Whether (u, v) is in one of the bridge's three piers, which form a row across the river.
fn pier(u: f32, v: f32, aspect: f32) -> bool {
    let at = 0.56 * aspect;
    let middle = river(at, aspect);
    [-0.046, 0.0, 0.046].iter().any(|off| ((u - at) / 0.034).powi(2) + ((v - middle - off) / 0.0085).powi(2) < 1.0)
}

/// Strokes of the word, each from one point to another, or round a centre, in a box of its own.
const LETTERS: [&[[f32; 4]]; 4] = [
    &[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.58, 1.0], [0.0, 0.53, 0.46, 0.53]],
    &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.55, 0.0]],
    &[],
    &[[0.0, 1.0, 0.24, 0.0], [0.24, 0.0, 0.48, 0.75], [0.48, 0.75, 0.72, 0.0], [0.72, 0.0, 0.96, 1.0]],
];

/// The colour of the letters' water and, in alpha, its amount.
fn letter_water(u: f32, v: f32, aspect: f32, time: f32, soft: f32) -> [f32; 4] {
    const COLOURS: [[f32; 3]; 4] = [[0.75, 0.06, 0.1], [0.85, 0.26, 0.03], [0.8, 0.5, 0.03], [0.55, 0.05, 0.4]];
    const STARTS: [f32; 4] = [0.0, 0.78, 1.48, 2.65];
    let size = 0.155;
    for (letter, strokes) in LETTERS.iter().enumerate() {
        // One letter after another opens, pours, and closes before the middle of the shot.
        let begin = 0.015 + 0.012 * letter as f32;
        let pour = smooth((time - begin) / 0.03) * smooth((begin + 0.3 - time) / 0.12);
        let (x, y) = ((u - aspect * 0.13) / size - STARTS[letter], (v - 0.12) / size);
        let mut distance = strokes.iter().map(|stroke| to_stroke(x, y, stroke)).fold(f32::INFINITY, f32::min);
        if letter == 2 {
            distance = ((x - 0.46).hypot(y - 0.5) - 0.47).abs();
        }
        let cover = ((0.085 - distance) * size / soft * 0.5 + 0.5).clamp(0.0, 1.0);
        if cover > 0.0 {
            let [r, g, b] = COLOURS[letter];
            return [r, g, b, cover * pour];
        }
    }
    [0.0; 4]
}

fn to_stroke(x: f32, y: f32, &[ax, ay, bx, by]: &[f32; 4]) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASPECT: f32 = 16.0 / 9.0;

    #[test]
    fn the_river_runs_downhill_between_banks() {
        let bed = |u: f32| ground(u, river(u, ASPECT), ASPECT, &[]);
        assert!(bed(0.1) > bed(0.9) + 0.1 && bed(0.9) > bed(1.7) + 0.1);
        for step in 1..17 {
            let u = step as f32 * 0.1;
            for side in [-0.2, 0.2] {
                assert!(ground(u, river(u, ASPECT) + side, ASPECT, &[]) > bed(u) + 0.15, "at {u}");
            }
        }
    }

    #[test]
    fn letters_add_water_in_the_first_half_only() {
        let most = |time: f32| {
            let points = (0..160).flat_map(|x| (0..90).map(move |y| (x as f32 / 90.0, y as f32 / 90.0)));
            points.map(|(u, v)| letter_water(u, v, ASPECT, time, 0.01)[3]).fold(0.0, f32::max)
        };
        assert_eq!((most(0.0), most(0.1), most(0.6)), (0.0, 1.0, 0.0));
    }

    #[test]
    fn piers_stand_in_the_river() {
        let at = 0.56 * ASPECT;
        assert!(pier(at, river(at, ASPECT), ASPECT));
        assert!(!pier(at, river(at, ASPECT) + 0.023, ASPECT));
    }
}
