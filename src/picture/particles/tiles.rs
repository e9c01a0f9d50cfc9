//! Compositing of sprites in tiles.
//!
//! Sprites are sorted into tiles in their order, each tile's list by distance and then by order, and composited from
//! front to back in 32-bit floats: `D += S·(1 − D.a)`. Pixels do not depend on the tiles.

use super::look::Output;
use super::smoke::SmokeView;
use super::sprites::Drawn;
use super::stamps::{Limits, Stamps, Tile};
use super::texture::Texture;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::wide;
use crate::compute::gpu::particles::TILE;
use crate::picture::masks::Masks;
use crate::sim::request;

/// Width and height of a tile.
pub const SIDE: usize = TILE;

/// Settings of the compositing.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The picture.
    pub output: Output,
    /// Distance in front of the scene over which sprites fade in, pixels.
    pub soft_depth: f64,
    /// The picture of sprites.
    pub texture: Option<&'a Texture>,
    /// Smoke that hides sprites.
    pub smoke: Option<&'a SmokeView<'a>>,
}

impl Settings<'_> {
    /// Share of a sprite that is seen per pixel of distance in front of the scene.
    pub fn seen_per_pixel(&self) -> f32 {
        1.0 / self.soft_depth.max(1e-3) as f32
    }
}

/// The sprites of each tile.
pub struct Bins {
    columns: usize,
    first: [i32; 2],
    side: usize,
    /// First entry of each tile, and the end.
    starts: Vec<u32>,
    sprites: Vec<u32>,
}

impl Bins {
    /// Sorts sprites into tiles of `side` pixels over a picture of `size` pixels, whose first pixel is `first`.
    pub fn new(drawn: &[Drawn], first: [i32; 2], size: [usize; 2], side: usize) -> Self {
        let [columns, rows] = size.map(|pixels| pixels.div_ceil(side));
        let mut starts = request::zeros::<u32>(columns * rows + 1);
        let tiles = |sprite: &Drawn| {
            let range = [0, 1].map(|axis| {
                let [low, high] = [sprite.bounds[0][axis], sprite.bounds[1][axis] - 1].map(|at| at - first[axis]);
                low as usize / side..high as usize / side + 1
            });
            let [across, up] = range;
            up.flat_map(move |row| across.clone().map(move |column| row * columns + column))
        };
        for sprite in drawn {
            tiles(sprite).for_each(|tile| starts[tile + 1] += 1);
        }
        let entries: u64 = starts.iter().map(|count| u64::from(*count)).sum();
        if entries > u64::from(u32::MAX) {
            request::refuse(usize::try_from(entries).unwrap_or(usize::MAX).saturating_mul(size_of::<u32>()));
        }
        for tile in 1..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut next = request::copied(&starts);
        let mut sprites = request::zeros::<u32>(starts.last().copied().unwrap_or_default() as usize);
        for (number, sprite) in drawn.iter().enumerate() {
            for tile in tiles(sprite) {
                sprites[next[tile] as usize] = number as u32;
                next[tile] += 1;
            }
        }
        Self { columns, first, side, starts, sprites }
    }

    /// First pixel of the picture.
    pub fn first(&self) -> [i32; 2] {
        self.first
    }

    /// First entry of each tile in [`sorted`](Self::sorted), by rows of tiles, and the end.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Sprites of all tiles, each tile's from front to back.
    pub fn sorted(&self, cpu: &Cpu, drawn: &[Drawn]) -> Vec<u32> {
        let mut sorted = request::copied(&self.sprites);
        let mut rest = &mut sorted[..];
        let mut tiles = Vec::with_capacity(self.starts.len());
        for ends in self.starts.windows(2) {
            let (tile, others) = rest.split_at_mut((ends[1] - ends[0]) as usize);
            tiles.push(tile);
            rest = others;
        }
        cpu.each(tiles, |tile: &mut [u32]| sort(drawn, tile));
        sorted
    }

    /// Sprites of a tile, in their order.
    fn of(&self, column: usize, row: usize) -> &[u32] {
        let tile = row * self.columns + column;
        &self.sprites[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

/// Composites tiles one after another.
pub struct Compositor<'a> {
    bins: &'a Bins,
    drawn: &'a [Drawn],
    masks: &'a Masks<'a>,
    settings: Settings<'a>,
    tile: Tile,
    limits: Option<Limits>,
}

impl<'a> Compositor<'a> {
    /// A compositor of sorted sprites.
    pub fn new(bins: &'a Bins, drawn: &'a [Drawn], masks: &'a Masks<'a>, settings: Settings<'a>) -> Self {
        let limits = masks.has_depth().then(|| Box::new([0.0; SIDE * SIDE]));
        let limits = limits.map(|distances| Limits { distances, per_pixel: settings.seen_per_pixel() });
        Self { bins, drawn, masks, settings, tile: Tile::new(), limits }
    }

    /// The tile at a column and a row, of `size` pixels; `None` without sprites.
    pub fn tile(&mut self, [column, row]: [usize; 2], size: [usize; 2]) -> Option<&Tile> {
        let Self { bins: Bins { first, side, .. }, drawn, masks, settings, .. } = *self;
        let list = self.bins.of(column, row);
        if list.is_empty() {
            return None;
        }
        let mut list = list.to_vec();
        sort(drawn, &mut list);
        let place = [column * side, row * side];
        if let Some(limits) = &mut self.limits {
            for (pixel, limit) in limits.distances.iter_mut().enumerate() {
                *limit = masks.distance(place[0] + pixel % SIDE, place[1] + pixel / SIDE);
            }
        }
        let smoke = settings.smoke.and_then(|smoke| smoke.table(place));
        self.tile.clear([0, 1].map(|axis| first[axis] + place[axis] as i32), size, smoke.is_some());
        let (limits, smoke) = (self.limits.as_ref(), smoke.as_ref());
        wide(Stamps { tile: &mut self.tile, limits, smoke, drawn, list: &list, settings });
        Some(&self.tile)
    }
}

/// Sorts sprites from front to back, those at the same distance in the order of the particles, as their numbers.
fn sort(drawn: &[Drawn], numbers: &mut [u32]) {
    // Keys that hold the numbers are looked up once each.
    let key = |number: &u32| u64::from(drawn[*number as usize].order()) << 32 | u64::from(*number);
    let mut keys: Vec<u64> = numbers.iter().map(key).collect();
    keys.sort_unstable();
    numbers.iter_mut().zip(keys).for_each(|(number, key)| *number = key as u32);
}
