//! Colour of the built-in ground.

use super::textures::{ASPHALT, CLOUDS, GRASS, Grounds, PEBBLES, ROCK, SAND, SOIL, random, smooth};
use super::tile::Level;
use crate::picture::maths::up_to;
use crate::sim::water::State;
use crate::sim::water::ground::{BuiltInGround, MEADOW_ROCKS, RIVER_FALL};
use crate::sim::water::settings::Ground;

/// Sides of the triangles of the lattice of views, texels.
const TRIANGLE: f32 = 330.0;
/// Heights by which a view is raised in the middle of its region.
const RAISED: f32 = 3.6;
/// Cosines and sines of the angles by which views are turned: −24, −9, 11 and 27 degrees. The light of the textures comes
/// from one side, so that they cannot be turned far.
const TURNS: [[f32; 2]; 4] = [[0.913_5, -0.406_7], [0.987_7, -0.156_4], [0.981_6, 0.190_8], [0.891, 0.454]];

/// Texels over the height of the frame.
const TEXELS: f32 = 1080.0;

/// Darkening of a street per squared slope.
const CRACKS: f32 = 6.0;

/// The colour of a built-in ground, in factors of the ground's colour.
pub struct GroundTexture<'a> {
    state: &'a State,
    built_in: BuiltInGround,
    /// Lower left corner of the frame, cells.
    corner: [f32; 2],
    /// Width of the frame, cells.
    width: f32,
    texels_per_cell: f32,
    bed: Level<'static, 4>,
    /// Patches of stains.
    patches: Level<'static, 1>,
    /// On high ground.
    above: Level<'static, 4>,
    /// On steep ground.
    steep: Level<'static, 4>,
}

impl<'a> GroundTexture<'a> {
    /// The texture of a state's ground; `None` where it is flat, or a picture.
    pub fn new(state: &'a State) -> Option<Self> {
        let built_in = state.ground();
        let frame = state.frame();
        let texels_per_cell = TEXELS / frame.size[1] as f32;
        let level = |tile: &'static Grounds| tile.level(texels_per_cell);
        let [bed, above, steep] = match built_in.ground {
            Ground::Flat => return None,
            Ground::Pebbles => [level(&PEBBLES); 3],
            Ground::RiverBed => [level(&PEBBLES), level(&GRASS), level(&ROCK)],
            Ground::Meadow => [level(&SOIL), level(&GRASS), level(&ROCK)],
            Ground::Street => [level(&ASPHALT); 3],
            Ground::Beach => [level(&SAND); 3],
        };
        let patches = CLOUDS.level(texels_per_cell * 0.31);
        let (corner, width) = (frame.corner.map(|corner| corner as f32), frame.size[0] as f32);
        Some(Self { state, built_in, corner, width, texels_per_cell, bed, patches, above, steep })
    }

    /// Whether a state's ground has a texture.
    pub fn is_drawn(state: &State) -> bool {
        state.ground().ground != Ground::Flat
    }

    /// Factors of a cell of a row, whose ground has these slopes, and the height of what lies on it, 0 to 1.
    #[inline(always)]
    pub fn factor(&self, [x, y]: [usize; 2], [slope_x, slope_y]: [f32; 2], level: f32) -> [f32; 4] {
        let [x, y] = [(x, self.corner[0]), (y, self.corner[1])].map(|(at, corner)| at as f32 + 0.5 - corner);
        let [u, v] = [x, y].map(|at| at * self.texels_per_cell);
        let bed = self.bed(u, v);
        let over = match self.built_in.ground {
            Ground::RiverBed => {
                let along = x / self.width;
                (level - RIVER_FALL as f32 * (1.0 - along) - 0.25) * 7.0
            }
            Ground::Meadow if level > MEADOW_ROCKS as f32 - 0.04 => {
                return self.steep.at(u, v).map(|value| 1.15 * value);
            }
            // Bare soil in patches.
            Ground::Meadow => (self.patches.at(u * 0.31, v * 0.31 + 130.0)[0] - 0.34) * 4.0,
            Ground::Street => {
                // Dirt lies in the cracks.
                let clean = 1.0 / (1.0 + CRACKS * (slope_x * slope_x + slope_y * slope_y));
                let [r, g, b, height] = self.stained(bed, u, v);
                return [r * clean, g * clean, b * clean, height];
            }
            Ground::Flat | Ground::Pebbles | Ground::Beach => return bed,
        };
        let steep = slope_x * slope_x + slope_y * slope_y;
        // Tufts follow the texture of the grass.
        let grass = self.above.at(u, v);
        let over = up_to(over + 1.6 * (grass[1] - 0.55), 1.0) * (1.0 - up_to(steep * 1.1 - 0.25, 1.0));
        let rock = self.steep.at(u, v).map(|value| value * 0.82);
        let bare = up_to(steep * 2.0 - 0.3, 1.0);
        std::array::from_fn(|i| {
            let low = bed[i] + (rock[i] - bed[i]) * bare;
            low + (grass[i] - low) * over
        })
    }

    /// The bed's texture at a place in texels. Its period is shorter than the frame: each vertex of a lattice of triangles
    /// has a view of it of its own, moved and turned (Heitz and Neyret 2018), so that the eye finds no period. Where
    /// views meet, the higher one covers the lower one, so that stones stay whole.
    #[inline(always)]
    fn bed(&self, u: f32, v: f32) -> [f32; 4] {
        let [(first, weight), second, third] = views(u, v);
        let mut shown = self.view(first, u, v);
        let mut score = shown[3] + RAISED * weight;
        for (vertex, weight) in [second, third] {
            // Nothing in it is high enough.
            if RAISED * weight + 1.2 < score {
                continue;
            }
            let other = self.view(vertex, u, v);
            let rival = other[3] + RAISED * weight;
            let over = up_to((rival - score) * 6.0 + 0.5, 1.0);
            shown = std::array::from_fn(|i| shown[i] + (other[i] - shown[i]) * over);
            score = score.max(rival);
        }
        shown
    }

    /// The bed's texture at a place as a vertex of the lattice shows it.
    #[inline(always)]
    fn view(&self, [i, j]: [i32; 2], u: f32, v: f32) -> [f32; 4] {
        let key = |which: u32| random(i, j, 1700 + which);
        let [cos, sin] = TURNS[(key(0) * TURNS.len() as f32) as usize % TURNS.len()];
        self.bed.at(cos * u - sin * v + 2048.0 * key(1), sin * u + cos * v + 2048.0 * key(2))
    }

    /// Asphalt with stains of oil.
    #[inline(always)]
    fn stained(&self, bed: [f32; 4], u: f32, v: f32) -> [f32; 4] {
        let [broad] = self.patches.at(u * 0.31 + 170.0, v * 0.31 + 60.0);
        let [fine] = self.patches.at(u * 1.24, v * 1.24 + 210.0);
        let stained = 1.0 - 0.38 * smooth((broad - 0.62) * 5.0 + 0.5 * (fine - 0.5));
        let [r, g, b, height] = bed;
        [r * stained, g * stained, b * stained, height]
    }

    /// Heights of cells of a row, in the units of the ground's formula.
    #[inline(always)]
    pub fn levels(&self, y: usize, from: usize, levels: &mut [f32]) {
        let Some(terrain) = self.state.terrain() else { return levels.fill(0.0) };
        let scale = if self.built_in.height == 0.0 { 0.0 } else { 1.0 / (self.built_in.height * self.state.units()) };
        let offset = if self.built_in.height == 0.0 { 0.0 } else { self.built_in.offset / self.built_in.height };
        let (scale, offset) = (scale as f32, offset as f32);
        for (level, &z) in levels.iter_mut().zip(&terrain.row(y + 1, 0)[from + 1..]) {
            *level = z as f32 * scale - offset;
        }
    }
}

/// The vertices of the triangle around a place, with their barycentric weights, the greatest weight first.
#[inline(always)]
fn views(u: f32, v: f32) -> [([i32; 2], f32); 3] {
    let (s, t) = ((u - v * 0.577_35) / TRIANGLE, v * 1.154_7 / TRIANGLE);
    let (left, low) = (s.floor(), t.floor());
    let (across, up) = (s - left, t - low);
    let vertex = |di: i32, dj: i32, weight: f32| ([left as i32 + di, low as i32 + dj], weight);
    let mut found = if across + up < 1.0 {
        [vertex(0, 0, 1.0 - across - up), vertex(1, 0, across), vertex(0, 1, up)]
    } else {
        [vertex(1, 1, across + up - 1.0), vertex(0, 1, 1.0 - across), vertex(1, 0, 1.0 - up)]
    };
    if found[1].1 > found[0].1 {
        found.swap(0, 1);
    }
    if found[2].1 > found[0].1 {
        found.swap(0, 2);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_views_sum_to_one_and_change_little_from_texel_to_texel() {
        let weight = |u: f32, v: f32, vertex: [i32; 2]| {
            views(u, v).into_iter().find(|view| view.0 == vertex).map_or(0.0, |view| view.1)
        };
        for i in 0..5000 {
            let (u, v) = (i as f32 * 0.73 - 900.0, (i * 37 % 1511) as f32);
            let found = views(u, v);
            let sum: f32 = found.iter().map(|view| view.1).sum();
            assert!((sum - 1.0).abs() < 1e-4 && found[0].1 >= found[1].1.max(found[2].1), "{found:?}");
            for (vertex, before) in found {
                let after = weight(u + 1.0, v, vertex);
                assert!((after - before).abs() < 1.5 / TRIANGLE, "{vertex:?} at {u}, {v}: {before}, {after}");
            }
        }
    }
}
