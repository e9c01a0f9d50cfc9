//! Colour of the built-in ground.

use super::textures::{ASPHALT, CLOUDS, GRASS, Grounds, PEBBLES, SAND, SOIL, smooth};
use super::tile::Level;
use crate::picture::maths::up_to;
use crate::sim::water::State;
use crate::sim::water::ground::{BuiltInGround, MEADOW_ROCKS, RIVER_FALL};
use crate::sim::water::settings::Ground;

/// Scale of the patches of soil in a meadow.
const PATCHES: f32 = 0.17;

/// Texels over the height of the frame.
const TEXELS: f32 = 1080.0;

/// A painted line on the street: the direction across it, its distance from the frame's lower left corner and half its
/// width in texels, and its brightness as a factor of the ground's colour.
const LINE_TURN: [f32; 2] = [0.955, 0.297];
const LINE_AT: f32 = 1330.0;
const LINE_HALF: f32 = 38.0;
const PAINT: f32 = 4.2;

/// The colour of a built-in ground, in factors of the ground's colour.
pub struct GroundTexture<'a> {
    state: &'a State,
    built_in: BuiltInGround,
    texels_per_cell: f32,
    bed: Level<'static, 4>,
    /// Patches of the two views of the bed.
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
        let texels_per_cell = TEXELS / state.grid().height as f32;
        let level = |tile: &'static Grounds| tile.level(texels_per_cell);
        let [bed, above, steep] = match built_in.ground {
            Ground::Flat => return None,
            Ground::Pebbles => [level(&PEBBLES); 3],
            Ground::RiverBed => [level(&PEBBLES), level(&GRASS), level(&SOIL)],
            Ground::Meadow => [level(&SOIL), level(&GRASS), level(&SOIL)],
            Ground::Street => [level(&ASPHALT); 3],
            Ground::Beach => [level(&SAND); 3],
        };
        let patches = CLOUDS.level(texels_per_cell * 0.31);
        Some(Self { state, built_in, texels_per_cell, bed, patches, above, steep })
    }

    /// Factors of a cell of a row, whose ground has these slopes, and the height of what lies on it, 0 to 1.
    #[inline(always)]
    pub fn factor(&self, [x, y]: [usize; 2], [slope_x, slope_y]: [f32; 2], level: f32) -> [f32; 4] {
        let [u, v] = [x, y].map(|at| (at as f32 + 0.5) * self.texels_per_cell);
        let bed = self.bed(u, v);
        let over = match self.built_in.ground {
            Ground::RiverBed => {
                let along = (x as f32 + 0.5) / self.state.grid().width as f32;
                (level - RIVER_FALL as f32 * (1.0 - along) - 0.25) * 7.0
            }
            Ground::Meadow if level > MEADOW_ROCKS as f32 - 0.04 => {
                return self.steep.at(u * 1.7, v * 1.7).map(|value| 0.75 + 0.45 * value * value);
            }
            // Bare soil in patches.
            Ground::Meadow => (self.above.at(u * PATCHES, v * PATCHES)[1] - 0.5) * 6.0 + 0.4,
            Ground::Street => return self.painted(bed, u, v),
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

    /// The bed's texture at a place in texels: of two views of it, one turned, in patches, so that the eye finds no
    /// period.
    #[inline(always)]
    fn bed(&self, u: f32, v: f32) -> [f32; 4] {
        let [patch] = self.patches.at(u * 0.31 + 40.0, v * 0.31);
        let other = up_to((patch - 0.5) * 12.0 + 0.5, 1.0);
        let near = self.bed.at(u, v);
        if other == 0.0 {
            return near;
        }
        let turned = self.bed.at(0.8 * u - 0.6 * v + 377.0, 0.6 * u + 0.8 * v + 91.0);
        // The higher one covers the lower one, so that stones stay whole.
        let over = up_to((turned[3] - near[3] + 2.4 * (other - 0.5)) * 6.0 + 0.5, 1.0);
        std::array::from_fn(|i| near[i] + (turned[i] - near[i]) * over)
    }

    /// Asphalt with stains of oil, and with what traffic has left of a painted line.
    #[inline(always)]
    fn painted(&self, bed: [f32; 4], u: f32, v: f32) -> [f32; 4] {
        let [broad] = self.patches.at(u * 0.31 + 170.0, v * 0.31 + 60.0);
        let [fine] = self.patches.at(u * 1.24, v * 1.24 + 210.0);
        let stained = 1.0 - 0.38 * smooth((broad - 0.62) * 5.0 + 0.5 * (fine - 0.5));
        let across = LINE_TURN[0] * u + LINE_TURN[1] * v - LINE_AT + 5.0 * (fine - 0.5);
        let inside = smooth((LINE_HALF - across.abs()) * 0.25);
        // Paint wears off the tops of the gravel first.
        let left = smooth((0.78 - bed[3] + 0.9 * (fine - 0.5) - 0.5 * smooth((broad - 0.45) * 3.0)) * 4.0);
        let paint = inside * left;
        let coat = PAINT * (0.85 + 0.3 * bed[1]);
        let [r, g, b] = [0, 1, 2].map(|i| {
            let worn = bed[i] * stained;
            worn + (coat - worn) * paint
        });
        [r, g, b, bed[3]]
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
