//! The light that the bed sends up to the surface.

use super::caustics::Caustics;
use super::ground::GroundTexture;
use super::light::Light;
use super::scene::Backdrop;
use super::shadow::Shadows;
use super::surface::{CHUNK, Slopes, Surface};
use crate::picture::layers::Cells;
use crate::picture::maths::up_to;
use crate::sim::water::State;
use crate::sim::water::surface_maps::WETNESS;

/// Share of the wetness during which the top of what lies on the ground is dry, and its foot still wet.
const DRY_TOPS: f32 = 0.8;

/// Share of the film's reflection that the top of what lies on the ground lacks.
const ROUGH_TOPS: f32 = 0.85;

/// The bed as it is lit, in RGB, with the share of the film on wet ground that reflects in alpha.
pub struct Bed<'a> {
    surface: Surface<'a>,
    light: Light,
    /// Columns of the grid.
    width: usize,
    /// Full-resolution pixels per height of 1.
    relief: f32,
    /// The ground's albedo.
    ground: [f32; 3],
    /// Factors of the albedo.
    texture: Option<GroundTexture<'a>>,
    /// Shadows of higher ground.
    shadows: Option<Shadows<'a>>,
    /// Caustics and their strength.
    caustics: Option<(&'a Caustics<'a>, f32)>,
    /// A lit picture over the ground.
    background: Option<Backdrop<'a>>,
    /// Wetness, and the share of the light that wet ground absorbs.
    wet: Option<(&'a State, f32)>,
    /// Share of the distant light, as opposed to the sky's, in the light on it.
    direct: [f32; 3],
}

impl<'a> Bed<'a> {
    /// Ground of an albedo, with what lies on it.
    pub fn new(
        (surface, width, relief): (Surface<'a>, usize, f32),
        light: Light,
        (ground, texture): ([f32; 3], Option<GroundTexture<'a>>),
        shadows: Option<Shadows<'a>>,
        caustics: Option<(&'a Caustics<'a>, f32)>,
        background: Option<Backdrop<'a>>,
        wet: Option<(&'a State, f32)>,
    ) -> Self {
        let flat = light.facing(0.0, 0.0, 1.0);
        let direct = [0, 1, 2].map(|i| {
            let own = light.colour[i] * flat;
            if own > 0.0 { own / (own + light.around[i]) } else { 0.0 }
        });
        Self { surface, light, width, relief, ground, texture, shadows, caustics, background, wet, direct }
    }

    /// The ground where it faces the light so much, under so much of the light.
    #[inline(always)]
    fn lit(&self, facing: f32, shine: f32) -> [f32; 3] {
        let direct = facing * shine;
        [0, 1, 2].map(|i| self.ground[i] * (self.light.colour[i] * direct + self.light.around[i]))
    }

    /// Flat ground with nothing on it, under a still surface.
    pub fn even(&self) -> [f32; 3] {
        self.lit(self.light.facing(0.0, 0.0, 1.0), 1.0)
    }
}

/// Steps of a value from 0 to 1 in the last channel of the bed.
const STEPS: f32 = 4095.0;

/// The last channel of the bed: what the film on wet ground reflects, and the height of what lies on the ground, each
/// from 0 to 1 in 12 bits.
#[inline(always)]
fn packed(sheen: f32, top: f32) -> f32 {
    let whole = |value: f32| (up_to(value, 1.0) * STEPS + 0.5).floor();
    whole(sheen) * (STEPS + 1.0) + whole(top)
}

/// Sheen and height in the last channel of the bed.
#[inline(always)]
pub fn unpacked(packed: f32) -> [f32; 2] {
    let sheen = (packed * (1.0 / (STEPS + 1.0))).floor();
    [sheen, packed - sheen * (STEPS + 1.0)].map(|whole| whole * (1.0 / STEPS))
}

/// Wetness that is left where what lies on the ground is so high, 0 to 1: its top dries first.
#[inline(always)]
fn left(wet: f32, height: f32) -> f32 {
    up_to(wet * (1.0 + DRY_TOPS) - DRY_TOPS * up_to(height, 1.0), 1.0)
}

/// Wetness of some cells of a row, averaged over five by five cells with weights of 1 2 3 2 1: wet ground has no hard
/// edge.
#[inline(always)]
fn soft_wetness(state: &State, y: usize, from: usize, out: &mut [f32]) {
    const WEIGHTS: [f32; 5] = [1.0, 2.0, 3.0, 2.0, 1.0];
    let (width, height) = (state.grid().width, state.grid().height);
    // With two more cells at each end, as far as the grid goes.
    let first = from.saturating_sub(2);
    let count = (out.len() + from - first + 2).min(width - first);
    let mut sums = [0.0_f32; CHUNK + 4];
    let mut row = [[0.0; 4]; CHUNK + 4];
    for (dy, weight) in (-2..=2).zip(WEIGHTS) {
        let near = y.saturating_add_signed(dy).min(height - 1);
        state.surface_map_cells(WETNESS, near, first, &mut row[..count]);
        sums.iter_mut().zip(&row[..count]).for_each(|(sum, [wet, ..])| *sum += wet * weight);
    }
    for (x, out) in (from..).zip(out) {
        let at = |dx: isize| sums[x.saturating_add_signed(dx).clamp(first, first + count - 1) - first];
        let sum: f32 = (-2..=2).zip(WEIGHTS).map(|(dx, weight)| at(dx) * weight).sum();
        *out = sum * (1.0 / 81.0);
    }
}

impl Cells for Bed<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let mut slopes = Slopes::FLAT;
        let mut shine = [1.0; CHUNK];
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let from = from + i * CHUNK;
            self.surface.ground(y, from, out.len(), &mut slopes);
            if let Some((caustics, strength)) = self.caustics {
                let shine = &mut shine[..out.len()];
                caustics.strengthened(y, from, strength, self.relief, shine);
            }
            let mut shade = shine;
            if let Some(shadows) = &self.shadows {
                shadows.darken(y, from, &mut shade[..out.len()]);
            }
            for (((pixel, &x), &y), &shine) in out.iter_mut().zip(&slopes.x).zip(&slopes.y).zip(&shade) {
                let facing = self.light.facing(x, y, 1.0 / (1.0 + x * x + y * y).sqrt());
                let [r, g, b] = self.lit(facing, shine);
                *pixel = [r, g, b, 0.0];
            }
            let mut tops = [0.5_f32; CHUNK];
            if let Some(texture) = &self.texture {
                let mut levels = [0.0; CHUNK];
                let levels = &mut levels[..out.len()];
                texture.levels(y, from, levels);
                let cells = out.iter_mut().zip(&mut tops).zip(from..);
                for ((((pixel, top), x), (&sx, &sy)), &level) in cells.zip(slopes.x.iter().zip(&slopes.y)).zip(&*levels)
                {
                    let [r, g, b, height] = texture.factor([x, y], [sx, sy], level);
                    pixel[..3].iter_mut().zip([r, g, b]).for_each(|(value, factor)| *value *= factor);
                    *top = height;
                }
            }
            if let Some(background) = &self.background {
                for ((pixel, &shine), at) in out.iter_mut().zip(&shine).zip(y * self.width + from..) {
                    let lying = background.cell(at);
                    let bare = 1.0 - lying[3];
                    let [r, g, b] =
                        [0, 1, 2].map(|i| lying[i] * (1.0 + (shine - 1.0) * self.direct[i]) + pixel[i] * bare);
                    *pixel = [r, g, b, 0.0];
                }
            }
            for (pixel, &top) in out.iter_mut().zip(&tops) {
                pixel[3] = packed(0.0, top);
            }
            if let Some((state, darkening)) = self.wet {
                let mut wet = [0.0; CHUNK];
                soft_wetness(state, y, from, &mut wet[..out.len()]);
                for ((pixel, wet), top) in out.iter_mut().zip(wet).zip(tops) {
                    let wet = left(wet, top);
                    pixel[..3].iter_mut().for_each(|value| *value *= 1.0 - darkening * wet);
                    pixel[3] = packed(wet * (1.0 - ROUGH_TOPS * up_to(top, 1.0)), top);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheen_and_height_share_a_channel() {
        for (sheen, top) in [(0.0, 0.0), (1.0, 1.0), (0.25, 0.75), (0.0, 1.0), (1.0, 0.0), (0.333, 0.667)] {
            let [a, b] = unpacked(packed(sheen, top));
            assert!((a - sheen).abs() < 2e-4 && (b - top).abs() < 2e-4, "{sheen}, {top}: {a}, {b}");
        }
        assert_eq!(unpacked(packed(-3.0, 7.0)), [0.0, 1.0]);
    }
}
