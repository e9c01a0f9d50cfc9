//! Smoke among the sprites: a deep picture from the same camera hides them, and lights them.
//!
//! For the pixels of a tile, the transmittance of the smoke in front of a distance is tabulated at some distances, and
//! interpolated linearly between them.

use std::sync::Arc;

use super::sprites::Drawn;
use super::tiles::SIDE;
use crate::picture::Placement;
use crate::picture::maths::up_to;
use crate::picture::placement::Axis;
use crate::picture::volume::{Deep, DeepSample};

/// Distances of a table.
const DISTANCES: usize = 32;

/// Pixels on each side of the middle of a sprite, where its light is taken.
const AROUND: i64 = 2;

/// A deep picture before the camera.
#[derive(Clone, Debug)]
pub struct Smoke {
    /// The picture.
    pub deep: Arc<Deep>,
    /// Pixels of a unit of its distances.
    pub unit: f64,
    /// Share of the smoke's light that sprites in it take on, 0 to 1.
    pub light: f64,
}

/// The smoke before the pixels of a canvas.
pub struct SmokeView<'a> {
    smoke: &'a Smoke,
    /// Column and row of the deep picture under each of the canvas; `None` outside.
    columns: Vec<Option<usize>>,
    rows: Vec<Option<usize>>,
}

/// Transmittances in front of some distances, for the pixels of a tile.
pub struct Table {
    near: f32,
    /// Distances per unit of length.
    scale: f32,
    planes: Vec<[f32; SIDE * SIDE]>,
}

/// The share of a sprite that is seen through the smoke: between two planes of a table.
#[derive(Clone, Copy)]
pub struct Through<'a> {
    /// Of the distance before that of the sprite, and of that after.
    planes: [&'a [f32; SIDE * SIDE]; 2],
    share: f32,
}

impl Through<'_> {
    /// The transmittance at a pixel of the tile.
    #[inline(always)]
    pub fn at(&self, pixel: usize) -> f32 {
        let [a, b] = self.planes.map(|plane| plane[pixel]);
        a + (b - a) * self.share
    }
}

impl<'a> SmokeView<'a> {
    /// The smoke before a canvas, where the whole deep picture shows `frame`, `[x1, y1, x2, y2]`.
    pub fn new(smoke: &'a Smoke, frame: [f64; 4], canvas: &Placement) -> Self {
        let [width, height] = smoke.deep.size;
        let places = |axis: &Axis, [low, high]: [f64; 2], count: usize| -> Vec<Option<usize>> {
            let place = |at: usize| {
                let place = libm::floor((axis.middle(at) - low) / (high - low) * count as f64);
                (place >= 0.0 && place < count as f64).then_some(place as usize)
            };
            (0..axis.count).map(place).collect()
        };
        let columns = places(&canvas.x, [frame[0], frame[2]], width);
        // The uppermost row of a deep picture is its first.
        let upwards = places(&canvas.y, [frame[1], frame[3]], height);
        let rows = upwards.into_iter().map(|row| row.map(|row| height - 1 - row)).collect();
        Self { smoke, columns, rows }
    }

    /// Samples before a pixel of the canvas.
    fn samples(&self, [x, y]: [usize; 2]) -> &'a [DeepSample] {
        let place = |list: &[Option<usize>], at: usize| list.get(at).copied().flatten();
        match (place(&self.columns, x), place(&self.rows, y)) {
            (Some(column), Some(row)) => self.smoke.deep.pixel([column, row]),
            _ => &[],
        }
    }

    /// The table of the tile whose first pixel is `corner`; `None` where there is no smoke before it.
    pub fn table(&self, corner: [usize; 2]) -> Option<Table> {
        let unit = self.smoke.unit as f32;
        let pixels = || (0..SIDE * SIDE).map(|at| [corner[0] + at % SIDE, corner[1] + at / SIDE]);
        let [mut near, mut far] = [f32::INFINITY, f32::NEG_INFINITY];
        for sample in pixels().flat_map(|pixel| self.samples(pixel)).filter(|sample| sample.alpha > 0.0) {
            (near, far) = (near.min(sample.ends[0] * unit), far.max(sample.ends[1] * unit));
        }
        if !(near <= far && (far - near).is_finite()) {
            return None;
        }
        let step = (far - near).max(1e-3 * near.abs().max(1e-3)) / (DISTANCES - 1) as f32;
        let mut planes = vec![[1.0; SIDE * SIDE]; DISTANCES];
        for (at, pixel) in pixels().enumerate() {
            let samples = self.samples(pixel);
            if samples.is_empty() {
                continue;
            }
            // Samples that end before a distance count in full; they are sorted by their nearest distance.
            let (mut clear, mut next, mut open): (f32, usize, Vec<&DeepSample>) = (1.0, 0, Vec::new());
            for (number, plane) in planes.iter_mut().enumerate() {
                let distance = near + number as f32 * step;
                while let Some(sample) = samples.get(next).filter(|sample| sample.ends[0] * unit < distance) {
                    open.push(sample);
                    next += 1;
                }
                open.retain(|sample| {
                    let ends_before = sample.ends[1] * unit <= distance;
                    clear *= if ends_before { 1.0 - sample.alpha } else { 1.0 };
                    !ends_before
                });
                plane[at] = open.iter().fold(clear, |clear, sample| clear * passed(sample, unit, distance));
            }
        }
        Some(Table { near, scale: 1.0 / step, planes })
    }

    /// Gives a sprite in the smoke the light of the smoke; `first`: first pixel of the canvas.
    pub fn light_up(&self, sprite: &mut Drawn, first: [i32; 2]) {
        let Some((light, share)) = self.light(sprite, first) else { return };
        for (channel, light) in sprite.colour.iter_mut().zip(light) {
            *channel *= 1.0 - share + light * share;
        }
    }

    /// The light of the smoke around a sprite, and its share of the sprite's light there. `None` in clear air.
    fn light(&self, sprite: &Drawn, first: [i32; 2]) -> Option<([f32; 3], f32)> {
        if self.smoke.light <= 0.0 {
            return None;
        }
        let unit = self.smoke.unit as f32;
        let middle = [0, 1].map(|axis| libm::floor(sprite.middle[axis]) as i64 - i64::from(first[axis]));
        // Half the width of the sprite, in pixels of the scene.
        let reach = sprite.reach.max(unit);
        let [low, high] = [sprite.depth - reach, sprite.depth + reach];
        let (mut colour, mut covered, mut count) = ([0.0_f32; 3], 0.0_f32, 0.0_f32);
        for y in middle[1] - AROUND..=middle[1] + AROUND {
            for x in middle[0] - AROUND..=middle[0] + AROUND {
                count += 1.0;
                let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { continue };
                let mut clear = 1.0;
                for sample in self.samples([x, y]) {
                    let alpha = passed(sample, unit, low).max(1e-6);
                    let alpha = 1.0 - passed(sample, unit, high) / alpha;
                    if alpha > 0.0 && sample.alpha > 0.0 {
                        let part = clear * alpha / sample.alpha;
                        colour.iter_mut().zip(sample.colour).for_each(|(sum, channel)| *sum += channel * part);
                        covered += clear * alpha;
                        clear *= 1.0 - alpha;
                    }
                }
            }
        }
        let share = up_to(covered / count, 1.0) * self.smoke.light.clamp(0.0, 1.0) as f32;
        (share > 0.0).then(|| (colour.map(|channel| channel / covered), share))
    }
}

/// Transmittance of the part of a sample in front of a distance.
fn passed(sample: &DeepSample, unit: f32, distance: f32) -> f32 {
    let [near, far] = sample.ends.map(|end| end * unit);
    if distance >= far {
        1.0 - sample.alpha
    } else if distance <= near {
        1.0
    } else {
        libm::powf(1.0 - sample.alpha, (distance - near) / (far - near))
    }
}

impl Table {
    /// Transmittances in front of a sprite at a distance; `None` where no smoke is in front of it.
    pub fn through(&self, distance: f32) -> Option<Through<'_>> {
        let place = (distance - self.near) * self.scale;
        if place.is_nan() || place <= 0.0 {
            return None;
        }
        let last = self.planes.len() - 1;
        let before = (place as usize).min(last);
        let after = (before + 1).min(last);
        Some(Through { planes: [&self.planes[before], &self.planes[after]], share: up_to(place - before as f32, 1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smoke(pixels: Vec<Vec<DeepSample>>, size: [usize; 2]) -> Smoke {
        Smoke { deep: Arc::new(Deep::of(size, pixels)), unit: 2.0, light: 1.0 }
    }

    fn sample(alpha: f32, ends: [f32; 2]) -> DeepSample {
        DeepSample { colour: [alpha * 0.5; 3], alpha, ends }
    }

    fn canvas(count: [usize; 2]) -> Placement {
        let axis = |count: usize| Axis { start: 0.0, size: 1.0, count };
        Placement { x: axis(count[0]), y: axis(count[1]) }
    }

    #[test]
    fn a_table_is_the_transmittance_in_front_of_a_distance() {
        // The upper row has two overlapping samples on the left, the lower row a sheet on the right.
        let upper = vec![vec![sample(0.75, [10.0, 20.0]), sample(0.5, [15.0, 20.0])], vec![]];
        let lower = vec![vec![], vec![sample(0.4, [12.0, 12.0])]];
        let smoke = smoke([upper, lower].concat(), [2, 2]);
        let view = SmokeView::new(&smoke, [0.0, 0.0, 2.0, 2.0], &canvas([2, 2]));
        let table = view.table([0, 0]).expect("there is smoke");
        let at =
            |x: usize, y: usize, distance: f32| table.through(distance).map_or(1.0, |through| through.at(x + SIDE * y));
        let close = |seen: f32, truth: f32| assert!((seen - truth).abs() < 0.01, "{seen} instead of {truth}");
        close(at(0, 1, 19.0), 1.0);
        close(at(0, 1, 30.0), 0.5);
        close(at(0, 1, 35.0), 0.25_f32.powf(0.75) * 0.5_f32.powf(0.5));
        close(at(0, 1, 1e6), 0.125);
        close(at(1, 1, 1e6), 1.0);
        close(at(0, 0, 1e6), 1.0);
        close(at(1, 0, 22.0), 1.0);
        close(at(1, 0, 26.0), 0.6);
        close(at(5, 9, 1e6), 1.0);
        assert!(view.table([64, 0]).is_none() && table.through(f32::NAN).is_none());
    }

    #[test]
    fn a_picture_of_another_size_covers_the_same_frame() {
        let pixels = (0..16).map(|at| if at % 4 < 2 { vec![sample(0.5, [5.0, 6.0])] } else { vec![] }).collect();
        let smoke = smoke(pixels, [4, 4]);
        let view = SmokeView::new(&smoke, [0.0, 0.0, 8.0, 8.0], &canvas([9, 8]));
        let covered: Vec<usize> = (0..9).filter(|x| !view.samples([*x, 3]).is_empty()).collect();
        assert_eq!(covered, [0, 1, 2, 3], "and nothing outside");
    }
}
