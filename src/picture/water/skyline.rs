//! The skyline: a row of trees or houses behind the upper edge of the frame, reflected by the water.

use super::light::Light;
use super::rows::{HOUSES, SIZE, STRIP, TALLEST, TREES};
use super::shading::Shading;
use super::tile::{Levels, Tile};
use crate::picture::maths::{clamped, up_to};
use crate::sim::grid::{Frame, Grid};

/// Distance of the skyline behind the frame, heights of the frame.
const BEHIND: f32 = 0.12;

/// Least share of a ray towards the upper edge that meets the skyline.
const FACING: f32 = 0.01;

/// Texels across per texel up: a low eye sees a reflection drawn out.
const ACROSS: f32 = 0.55;

/// Tangent of the elevation below which something stands in every other direction, too, and the range over which it ends.
const SURROUNDINGS: [f32; 2] = [0.35, 0.15];

/// Texels of the level that is read per texel between samples: leaves do not alias.
const BLUR: f32 = 2.0;

/// Share of the light that falls on an upright surface, by the sky and by the light.
const UPRIGHT: [f32; 2] = [0.7, 0.3];

/// A row of upright things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// Broad-leaved trees.
    Trees,
    /// A street of houses.
    Houses,
}

/// An upright picture that is parallel to the upper edge of the frame.
pub struct Skyline {
    tile: &'static Tile<4>,
    texels_per_cell: f32,
    /// The row of cells above which it stands.
    at: f32,
    light: [f32; 3],
    /// Mean of the lower half of the row.
    mean: [f32; 4],
}

impl Skyline {
    /// The skyline of shading settings behind a frame of a grid.
    pub fn new(shading: &Shading, light: &Light, grid: &Grid, frame: &Frame) -> Option<Self> {
        let tile: &Tile<4> = match shading.skyline? {
            Row::Trees => &TREES,
            Row::Houses => &HOUSES,
        };
        let coarse = tile.level(1e6);
        let mean = coarse.at(0.25 * SIZE as f32, 0.3 * TALLEST);
        let tallest = (clamped(shading.skyline_height, 1.0, 1e6) * grid.cells_per_pixel) as f32;
        Some(Self {
            tile,
            texels_per_cell: TALLEST / tallest,
            at: frame.corner[1] as f32 + frame.size[1] as f32 * (1.0 + BEHIND),
            mean,
            light: std::array::from_fn(|i| UPRIGHT[0] * light.around[i] + UPRIGHT[1] * light.colour[i]),
        })
    }

    /// Radiance, premultiplied, and cover of what a ray from a cell shows; `spread` is the change of the ray's direction
    /// from one cell to the next.
    #[inline(always)]
    pub fn at(&self, [x, y]: [usize; 2], [ray_x, ray_y, ray_z]: [f32; 3], spread: f32) -> [f32; 4] {
        if ray_y <= FACING {
            return self.surroundings(ray_x, ray_y, ray_z);
        }
        let way = (self.at - y as f32) / ray_y;
        // A ray that leads down meets the water before the foot of the skyline.
        let up = (ray_z * way * self.texels_per_cell).max(0.0);
        if up >= 1.1 * TALLEST {
            return [0.0; 4];
        }
        let across = ((x as f32 + ray_x * way) * self.texels_per_cell * ACROSS).clamp(-1e6, 1e6);
        let level: Levels<'_, 4> = self.tile.levels(BLUR * self.texels_per_cell * (1.0 + up_to(spread, 1.0) * way));
        let [r, g, b, cover] = joined(&level, across, up);
        [r * self.light[0], g * self.light[1], b * self.light[2], cover]
    }

    /// Radiance, premultiplied, and cover for a ray that leads away from the skyline: the mean of the row, up to a low
    /// elevation.
    #[inline(always)]
    fn surroundings(&self, ray_x: f32, ray_y: f32, ray_z: f32) -> [f32; 4] {
        let [tangent, range] = SURROUNDINGS;
        let flat = (ray_x * ray_x + ray_y * ray_y).sqrt();
        let cover = up_to((tangent - ray_z / flat.max(1e-3)) / range, 1.0);
        let [r, g, b, _] = self.mean;
        [r * self.light[0] * cover, g * self.light[1] * cover, b * self.light[2] * cover, cover]
    }
}

/// The value of the two strips of a tile, each of which goes on in the other one, and not at its own other end.
#[inline(always)]
fn joined(level: &Levels<'_, 4>, across: f32, up: f32) -> [f32; 4] {
    let (length, half) = (SIZE as f32, 0.5 * level.texel());
    let strip = (across / length).floor();
    let along = across - strip * length;
    let of = |second: i32, along: f32| level.at(along, up + (second * STRIP as i32) as f32);
    let second = strip as i32 & 1;
    let here = of(second, along.clamp(half, length - half));
    // Between the last texel of a strip and the first one of the other.
    let to_end = along.min(length - along);
    if to_end >= half {
        return here;
    }
    let there = of(1 - second, if along < half { length - half } else { half });
    let share = 0.5 - 0.5 * to_end / half;
    std::array::from_fn(|i| here[i] + (there[i] - here[i]) * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skyline_stands_behind_the_upper_edge_with_its_foot_down() {
        let grid = Grid { width: 160, height: 90, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let shading = Shading { skyline: Some(Row::Houses), skyline_height: 40.0, ..Shading::default() };
        let skyline = Skyline::new(&shading, &Light::new(&shading), &grid, &grid.frame([0.0; 2])).expect("houses");
        let cover = |y: usize, ray: [f32; 3]| skyline.at([80, y], ray, 0.0)[3];
        assert_eq!(cover(88, [0.0, 0.9, 0.3]), 1.0, "near its foot");
        assert_eq!(cover(2, [0.0, 0.7, 0.7]), 0.0, "above its roofs");
        assert_eq!(cover(88, [0.0, -0.8, 0.6]), 0.0, "a steep ray that leads away");
        assert!(Skyline::new(&Shading::default(), &Light::new(&shading), &grid, &grid.frame([0.0; 2])).is_none());
    }

    #[test]
    fn a_low_ray_meets_something_in_every_direction() {
        let grid = Grid { width: 160, height: 90, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let shading = Shading { skyline: Some(Row::Trees), skyline_height: 40.0, ..Shading::default() };
        let skyline = Skyline::new(&shading, &Light::new(&shading), &grid, &grid.frame([0.0; 2])).expect("trees");
        let cover = |ray: [f32; 3]| skyline.at([80, 45], ray, 0.0)[3];
        assert_eq!([[0.0, -0.99, 0.1], [0.99, 0.0, 0.1], [-0.7, -0.7, 0.1]].map(cover), [1.0; 3]);
        assert_eq!(cover([0.0, -0.5, 0.8]), 0.0, "a steep ray");
    }

    #[test]
    fn strips_join_without_a_seam() {
        for texels in [1.0, 4.0, 20.0] {
            let level = TREES.levels(texels);
            for end in [SIZE, 2 * SIZE] {
                for up in [60.0, 200.0, 300.0] {
                    let [before, after] = [-0.01, 0.01].map(|off| joined(&level, end as f32 + off, up));
                    let apart = before.iter().zip(after).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(apart < 0.02, "{texels} texels apart, at {end}, {up}: {apart}");
                }
            }
        }
    }

    #[test]
    fn a_spread_ray_shows_a_mean() {
        let grid = Grid { width: 160, height: 90, origin: [0.0; 2], cells_per_pixel: 1.0 };
        for row in [Row::Trees, Row::Houses] {
            let shading = Shading { skyline: Some(row), skyline_height: 400.0, ..Shading::default() };
            let skyline = Skyline::new(&shading, &Light::new(&shading), &grid, &grid.frame([0.0; 2])).expect("a row");
            let change = |spread: f32| {
                let light = |x: usize| skyline.at([x, 10], [0.0, 0.9, 0.4], spread)[1];
                (0..159).map(|x| (light(x + 1) - light(x)).abs()).sum::<f32>()
            };
            assert!(change(1.0) < 0.3 * change(0.0), "{row:?}: {} {}", change(1.0), change(0.0));
        }
    }
}
