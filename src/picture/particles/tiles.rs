//! Compositing of sprites in tiles.
//!
//! Sprites are sorted into tiles in their order, each tile's list by distance and then by order, and composited from
//! front to back in 32-bit floats: `D += S·(1 − D.a)`. Pixels do not depend on the tiles.

use super::look::{Output, Sprite};
use super::shapes::{self, Puff};
use super::smoke::{SmokeView, Table, Through};
use super::sprites::Drawn;
use super::texture::Texture;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::compute::gpu::particles::TILE;
use crate::picture::masks::Masks;
use crate::picture::maths::up_to;
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

    /// Composites the row `row` of tiles into lines of pixels, the lowest first, which hold zeros on entry.
    pub fn composite(
        &self,
        row: usize,
        drawn: &[Drawn],
        masks: &Masks<'_>,
        settings: Settings<'_>,
        lines: &mut [Vec<[f32; 4]>],
    ) {
        let limits = masks.has_depth().then(|| Box::new([0.0; SIDE * SIDE]));
        let mut limits = limits.map(|distances| Limits { distances, per_pixel: settings.seen_per_pixel() });
        for column in 0..self.columns {
            let list = self.of(column, row);
            if list.is_empty() {
                continue;
            }
            let mut list = list.to_vec();
            sort(drawn, &mut list);
            let corner = [self.first[0] + (column * self.side) as i32, self.first[1] + (row * self.side) as i32];
            let width = lines.first().map_or(0, Vec::len).saturating_sub(column * self.side).min(self.side);
            if let Some(limits) = &mut limits {
                for (place, limit) in limits.distances.iter_mut().enumerate() {
                    *limit = masks.distance(column * self.side + place % SIDE, row * self.side + place / SIDE);
                }
            }
            let size = [width, lines.len()];
            let smoke = settings.smoke.and_then(|smoke| smoke.table([column * self.side, row * self.side]));
            let mut tile = Tile {
                corner,
                size,
                planes: [const { [0.0; SIDE * SIDE] }; 4],
                covered: smoke.as_ref().map(|_| Box::new([0.0; SIDE * SIDE])),
                taken: [false; SIDE * SIDE],
            };
            let (limits, smoke) = (limits.as_ref(), smoke.as_ref());
            wide(Stamps { tile: &mut tile, limits, smoke, drawn, list: &list, settings });
            for (y, line) in lines.iter_mut().enumerate() {
                let [red, green, blue, alpha] = &tile.planes;
                for (x, pixel) in line[column * self.side..][..width].iter_mut().enumerate() {
                    let at = y * SIDE + x;
                    *pixel = [red[at], green[at], blue[at], alpha[at]];
                }
            }
        }
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

/// A tile's pixels, as one plane for each channel.
struct Tile {
    /// First pixel.
    corner: [i32; 2],
    /// Columns and rows.
    size: [usize; 2],
    planes: [[f32; SIDE * SIDE]; 4],
    /// Alpha of the sprites themselves, where the smoke before them takes from that of the picture.
    covered: Option<Box<[f32; SIDE * SIDE]>>,
    /// Pixels that have the data of a sprite.
    taken: [bool; SIDE * SIDE],
}

/// Pixels of a block, which are composited together.
const LANES: usize = 8;

/// Some pixels next to each other in a row of a tile.
struct Block {
    planes: [[f32; LANES]; 4],
    /// Alpha of the sprites themselves.
    covered: [f32; LANES],
    /// Transmittance of the smoke before the sprite.
    clear: [f32; LANES],
    taken: [bool; LANES],
}

impl Tile {
    /// The block whose first pixel is `at`.
    #[inline(always)]
    fn block(&self, at: usize) -> Block {
        let [red, green, blue, alpha] = &self.planes;
        let planes = [block_of(red, at), block_of(green, at), block_of(blue, at), block_of(alpha, at)];
        let covered = self.covered.as_ref().map_or(planes[3], |covered| block_of(&covered[..], at));
        Block { planes, covered, clear: [1.0; LANES], taken: block_of(&self.taken, at) }
    }

    #[inline(always)]
    fn store(&mut self, at: usize, block: Block) {
        let [red, green, blue, alpha] = &mut self.planes;
        let [r, g, b, a] = &block.planes;
        set_block(red, at, r);
        set_block(green, at, g);
        set_block(blue, at, b);
        set_block(alpha, at, a);
        set_block(&mut self.taken, at, &block.taken);
        if let Some(covered) = &mut self.covered {
            set_block(&mut covered[..], at, &block.covered);
        }
    }
}

/// The contribution of an amount of a sprite to a pixel: its premultiplied colour in its light.
#[inline(always)]
fn added(colour: [f32; 4], light: [f32; 3], amount: f32) -> [f32; 4] {
    [
        colour[0] * (amount * light[0]),
        colour[1] * (amount * light[1]),
        colour[2] * (amount * light[2]),
        colour[3] * amount,
    ]
}

/// The values of the block whose first pixel is `at`.
#[inline(always)]
fn block_of<T: Copy + Default>(values: &[T], at: usize) -> [T; LANES] {
    values.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default()
}

/// Replaces the values of the block whose first pixel is `at`.
#[inline(always)]
fn set_block<T: Copy>(values: &mut [T], at: usize, block: &[T; LANES]) {
    if let Some(values) = values.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *values = *block;
    }
}

/// The scene in a tile.
struct Limits {
    /// Its distance behind each pixel.
    distances: Box<[f32; SIDE * SIDE]>,
    /// Share of a sprite that is seen per pixel of distance in front of the scene.
    per_pixel: f32,
}

/// The sprites of a tile, to be composited in their order.
struct Stamps<'a> {
    tile: &'a mut Tile,
    limits: Option<&'a Limits>,
    smoke: Option<&'a Table>,
    drawn: &'a [Drawn],
    list: &'a [u32],
    settings: Settings<'a>,
}

impl Wide for Stamps<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tile, limits, smoke, drawn, list, settings: Settings { output, texture, .. } } = self;
        for number in list {
            let sprite = &drawn[*number as usize];
            let through = smoke.and_then(|smoke| smoke.through(sprite.depth));
            Stamp { tile: &mut *tile, limits, through, sprite, texture, output }.run();
        }
    }
}

/// A sprite to be composited over a tile.
struct Stamp<'a> {
    tile: &'a mut Tile,
    limits: Option<&'a Limits>,
    /// The smoke before the sprite.
    through: Option<Through<'a>>,
    sprite: &'a Drawn,
    texture: Option<&'a Texture>,
    output: Output,
}

impl Stamp<'_> {
    #[inline(always)]
    fn run(self) {
        let form = self.sprite.form;
        let edge = form.edge;
        match form.sprite {
            Sprite::Disc => self.grey(
                #[inline(always)]
                |x, y| shapes::disc(edge, x, y),
            ),
            Sprite::SoftDisc => self.grey(shapes::soft_disc),
            Sprite::Spark => self.grey(shapes::spark),
            Sprite::Puff => {
                let puff = Puff::new(&form);
                self.grey(
                    #[inline(always)]
                    |x, y| puff.at(x, y),
                );
            }
            Sprite::Star => self.grey(shapes::star),
            Sprite::Flake => self.grey(
                #[inline(always)]
                |x, y| shapes::flake(edge, x, y),
            ),
            Sprite::Picture => match self.texture {
                None => self.grey(shapes::soft_disc),
                Some(texture) => {
                    let Drawn { frames, mix, inverse, .. } = *self.sprite;
                    let level = texture.level(2.0 / inverse[1]);
                    let frame = |n: usize, x: f32, y: f32| texture.at(usize::from(frames[n]), level, x, y);
                    self.shaped(
                        #[inline(always)]
                        |x, y| {
                            let mut value = frame(0, x, y);
                            if mix > 0.0 {
                                let next = frame(1, x, y);
                                value = std::array::from_fn(|part| value[part] + (next[part] - value[part]) * mix);
                            }
                            let [cover, rgb @ ..] = value;
                            let [r, g, b] = rgb.map(|part| part / cover.max(1e-6));
                            [cover, r, g, b]
                        },
                    );
                }
            },
        }
    }
}

impl Stamp<'_> {
    /// Stamps a shape whose light has no colour.
    #[inline(always)]
    fn grey(self, shape: impl Fn(f32, f32) -> [f32; 2]) {
        self.shaped(
            #[inline(always)]
            |x, y| {
                let [cover, light] = shape(x, y);
                [cover, light, light, light]
            },
        );
    }

    /// Stamps a shape, given by its cover and light.
    #[inline(always)]
    fn shaped(self, shape: impl Fn(f32, f32) -> [f32; 4]) {
        let colour = self.sprite.colour;
        match self.output {
            Output::Beauty => self.blended(
                shape,
                #[inline(always)]
                |covered, [cover, light @ ..]| added(colour, light, cover * (1.0 - covered)),
            ),
            // The last channel is the cover, which `finish` removes.
            Output::Emission => self.blended(
                shape,
                #[inline(always)]
                |covered, [cover, light @ ..]| {
                    let own = 1.0 - colour[3];
                    added(colour, [light[0] * own, light[1] * own, light[2] * own], cover * (1.0 - covered))
                },
            ),
            Output::Count => self.blended(
                shape,
                #[inline(always)]
                |covered, [cover, ..]| {
                    let one = if cover > 0.0 { 1.0 } else { 0.0 };
                    [one, one, one, one - one * covered]
                },
            ),
            output @ (Output::Depth | Output::Motion | Output::Identity) => {
                let values = self.sprite.values(output);
                self.data(shape, values);
            }
        }
    }

    /// Writes values into the pixels that the brighter half of the sprite covers, where no sprite has before.
    #[inline(always)]
    fn data(self, shape: impl Fn(f32, f32) -> [f32; 4], values: [f32; 4]) {
        self.each(
            shape,
            #[inline(always)]
            |Block { planes, taken, .. }, lane, [cover, ..]| {
                if cover >= 0.5 && !taken[lane] {
                    taken[lane] = true;
                    planes.iter_mut().zip(values).for_each(|(plane, value)| plane[lane] = value);
                }
            },
        );
    }

    /// Adds `blend(alpha of the sprites in front, [cover, light])` to the pixels, as far as the smoke lets it through.
    #[inline(always)]
    fn blended(self, shape: impl Fn(f32, f32) -> [f32; 4], blend: impl Fn(f32, [f32; 4]) -> [f32; 4]) {
        self.each(
            shape,
            #[inline(always)]
            |Block { planes, covered, clear, .. }, lane, seen| {
                let added = blend(covered[lane], seen);
                planes.iter_mut().zip(added).for_each(|(plane, added)| plane[lane] += added * clear[lane]);
                covered[lane] += added[3];
            },
        );
    }

    /// [`blocks`](Self::blocks), of a sharp or a blurred sprite.
    #[inline(always)]
    fn each(self, shape: impl Fn(f32, f32) -> [f32; 4], write: impl Fn(&mut Block, usize, [f32; 4])) {
        let blur = self.sprite.blur;
        // Two loops: that of sharp sprites stays short.
        if blur.share > 0.0 {
            self.blocks(
                #[inline(always)]
                |x, y| blur.at(&shape, x, y),
                write,
            );
        } else {
            self.blocks(shape, write);
        }
    }

    /// Calls `write` for each pixel of the blocks that the sprite may touch, with its cover and light there. Pixels
    /// outside of the sprite's bounds have no cover.
    #[inline(always)]
    fn blocks(self, shape: impl Fn(f32, f32) -> [f32; 4], write: impl Fn(&mut Block, usize, [f32; 4])) {
        let Drawn { middle, aspect, along: [ax, ay], inverse, bounds, depth, .. } = *self.sprite;
        let Tile { corner, size, .. } = *self.tile;
        let inside = |axis: usize| {
            let low = (bounds[0][axis] - corner[axis]).max(0);
            (low, (bounds[1][axis] - corner[axis]).min(size[axis] as i32))
        };
        let ((left, right), (low, high)) = (inside(0), inside(1));
        // Distances from a pixel near the middle are the same in tiles of any place and size.
        let pixel = [middle[0] as i32, middle[1] as i32];
        let rest = [(middle[0] - f64::from(pixel[0])) as f32, (middle[1] - f64::from(pixel[1])) as f32];
        let (aspect, per_pixel) = (aspect as f32, self.limits.map_or(1.0, |limits| limits.per_pixel));
        for y in low..high {
            let dy = (corner[1] + y - pixel[1]) as f32 + (0.5 - rest[1]);
            for start in (left / LANES as i32 * LANES as i32..right).step_by(LANES) {
                let at = y as usize * SIDE + start as usize;
                let mut block = self.tile.block(at);
                let scene = match self.limits {
                    Some(limits) => block_of(&limits.distances[..], at),
                    None => [f32::INFINITY; LANES],
                };
                if let Some(through) = &self.through {
                    block.clear = std::array::from_fn(|lane| through.at(at + lane));
                }
                for (lane, behind) in scene.iter().enumerate() {
                    let x = start + lane as i32;
                    let dx = ((corner[0] + x - pixel[0]) as f32 + (0.5 - rest[0])) * aspect;
                    let [cover, r, g, b] = shape((dx * ax + dy * ay) * inverse[0], (dy * ax - dx * ay) * inverse[1]);
                    let seen = up_to((behind - depth) * per_pixel, 1.0);
                    let cover = if x >= left && x < right { cover * seen } else { 0.0 };
                    write(&mut block, lane, [cover, r, g, b]);
                }
                self.tile.store(at, block);
            }
        }
    }
}
