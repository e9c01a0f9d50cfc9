//! Compositing of a tile's sprites, in blocks of pixels.
//!
//! A pixel whose background shows by less than [`CLOSED`] is closed: sprites behind add nothing to it, so that rows,
//! and whole tiles, of closed pixels are left out. A pixel is closed by its own sprites alone.

use super::look::{Output, Sprite};
use super::shapes::{self, Puff, Shard};
use super::smoke::{Table, Through};
use super::sprites::Drawn;
use super::texture::Texture;
use super::tiles::{SIDE, Settings};
use crate::compute::cpu::prefetch;
use crate::compute::cpu::wide::Wide;
use crate::compute::gpu::particles::CLOSED;
use crate::picture::maths::up_to;

/// Pixels of a block, which are composited together.
const LANES: usize = 8;

/// Blocks that are composited until closed pixels are looked for.
const BLOCKS: usize = 512;

/// Sprites between one that is composited and one that is fetched from memory.
const AHEAD: usize = 4;

/// A row of pixels has a bit for each.
const _: () = assert!(SIDE == u32::BITS as usize, "a row has the bits of a word");

/// A tile's pixels, as one plane for each channel.
pub struct Tile {
    /// First pixel.
    corner: [i32; 2],
    /// Columns and rows.
    size: [usize; 2],
    planes: [[f32; SIDE * SIDE]; 4],
    /// Alpha of the sprites themselves, where the smoke before them takes from that of the picture.
    covered: Option<Box<[f32; SIDE * SIDE]>>,
    /// Pixels that have the data of a sprite.
    taken: [bool; SIDE * SIDE],
    /// Pixels of each row that were not closed when last looked at, the first one in the lowest bit.
    open: [u32; SIDE],
    /// Blocks that were composited since.
    blocks: usize,
}

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
    /// A tile without pixels.
    pub fn new() -> Self {
        Self {
            corner: [0; 2],
            size: [0; 2],
            planes: [const { [0.0; SIDE * SIDE] }; 4],
            covered: None,
            taken: [false; SIDE * SIDE],
            open: [0; SIDE],
            blocks: 0,
        }
    }

    /// Removes all sprites, and sets the first pixel and the size, columns and rows.
    pub fn clear(&mut self, corner: [i32; 2], size: [usize; 2], has_smoke: bool) {
        let [width, height] = size;
        (self.corner, self.size, self.blocks) = (corner, size, 0);
        self.planes.as_flattened_mut().fill(0.0);
        self.covered = has_smoke.then(|| Box::new([0.0; SIDE * SIDE]));
        self.taken.fill(false);
        self.open = std::array::from_fn(|y| if y < height { bits([0, width]) } else { 0 });
    }

    /// Writes a row of pixels. Closed pixels of light become opaque: they are divided by the alpha of their sprites.
    pub fn write(&self, y: usize, output: Output, pixels: &mut [[f32; 4]]) {
        let row = y * SIDE..y * SIDE + pixels.len();
        let [red, green, blue, alpha] = self.planes.each_ref().map(|plane| &plane[row.clone()]);
        for (x, pixel) in pixels.iter_mut().enumerate() {
            *pixel = [red[x], green[x], blue[x], alpha[x]];
        }
        if matches!(output, Output::Beauty | Output::Emission) {
            for (pixel, covered) in pixels.iter_mut().zip(&self.covered()[row]) {
                if remaining(*covered) == 0.0 {
                    *pixel = pixel.map(|value| value / covered);
                }
            }
        }
    }

    /// Alpha of the sprites themselves.
    #[inline(always)]
    fn covered(&self) -> &[f32; SIDE * SIDE] {
        self.covered.as_deref().unwrap_or(&self.planes[3])
    }

    /// Whether any pixel is open. Closed pixels are looked for once in [`BLOCKS`] blocks.
    #[inline(always)]
    fn is_open(&mut self, output: Output) -> bool {
        if self.blocks < BLOCKS {
            return true;
        }
        self.blocks = 0;
        for y in 0..SIDE {
            let row = y * SIDE..(y + 1) * SIDE;
            let closed = match output {
                Output::Beauty | Output::Emission => word(
                    &self.covered()[row],
                    #[inline(always)]
                    |covered| remaining(*covered) == 0.0,
                ),
                Output::Depth | Output::Motion | Output::Identity => word(
                    &self.taken[row],
                    #[inline(always)]
                    |taken| *taken,
                ),
                Output::Count => 0,
            };
            self.open[y] &= !closed;
        }
        self.open.iter().any(|row| *row != 0)
    }

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

/// Share of the light behind sprites with an alpha that gets past them; none of it past those of a closed pixel.
#[inline(always)]
fn remaining(alpha: f32) -> f32 {
    let remaining = 1.0 - alpha;
    if remaining < CLOSED { 0.0 } else { remaining }
}

/// Bits of the columns `low..high` of a row.
#[inline(always)]
fn bits([low, high]: [usize; 2]) -> u32 {
    if low < high { u32::MAX >> (SIDE - (high - low)) << low } else { 0 }
}

/// A bit for each value of a row.
#[inline(always)]
fn word<T>(row: &[T], is_set: impl Fn(&T) -> bool) -> u32 {
    row.iter().enumerate().fold(0, |word, (x, value)| word | u32::from(is_set(value)) << x)
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
pub struct Limits {
    /// Its distance behind each pixel.
    pub distances: Box<[f32; SIDE * SIDE]>,
    /// Share of a sprite that is seen per pixel of distance in front of the scene.
    pub per_pixel: f32,
}

/// The sprites of a tile, to be composited in their order.
pub struct Stamps<'a> {
    pub tile: &'a mut Tile,
    pub limits: Option<&'a Limits>,
    pub smoke: Option<&'a Table>,
    pub drawn: &'a [Drawn],
    pub list: &'a [u32],
    pub settings: Settings<'a>,
}

impl Wide for Stamps<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tile, limits, smoke, drawn, list, settings: Settings { output, texture, .. } } = self;
        for (place, number) in list.iter().enumerate() {
            if !tile.is_open(output) {
                break;
            }
            // Sprites of a tile are far apart in memory.
            if let Some(next) = list.get(place + AHEAD) {
                let next = &drawn[*next as usize];
                prefetch(&next.middle);
                prefetch(&next.form.light);
                prefetch(&next.identity);
            }
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
            Sprite::Spark => self.grey(
                #[inline(always)]
                |x, y| shapes::spark(edge, x, y),
            ),
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
            Sprite::Shard => {
                let shard = Shard::new(&form);
                self.grey(
                    #[inline(always)]
                    |x, y| shard.at(edge, x, y),
                );
            }
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
                |covered, [cover, light @ ..]| added(colour, light, cover * remaining(covered)),
            ),
            // The last channel is the cover, which the finished picture does without.
            Output::Emission => self.blended(
                shape,
                #[inline(always)]
                |covered, [cover, light @ ..]| {
                    let own = 1.0 - colour[3];
                    added(colour, [light[0] * own, light[1] * own, light[2] * own], cover * remaining(covered))
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
        // A row that fits into a block needs no narrowing.
        let ellipse = (right - left > LANES as i32).then(|| Ellipse::new(self.sprite));
        let origin = (pixel[0] - corner[0]) as f32 - (0.5 - rest[0]);
        for y in low..high {
            let dy = (corner[1] + y - pixel[1]) as f32 + (0.5 - rest[1]);
            let [left, right] = match &ellipse {
                Some(ellipse) => ellipse.columns(dy, origin, [left, right]),
                None => [left, right],
            };
            let open = self.tile.open[y as usize] & bits([left as usize, right.max(0) as usize]);
            let end = SIDE - open.leading_zeros() as usize;
            let mut from = open.trailing_zeros() as usize;
            while from < end {
                // Blocks do not leave the row; pixels before this one are done.
                let start = from.min(SIDE - LANES);
                let at = y as usize * SIDE + start;
                let mut block = self.tile.block(at);
                let scene = match self.limits {
                    Some(limits) => block_of(&limits.distances[..], at),
                    None => [f32::INFINITY; LANES],
                };
                if let Some(through) = &self.through {
                    block.clear = std::array::from_fn(|lane| through.at(at + lane));
                }
                let before_start = pixel[0] - corner[0] - start as i32;
                for (lane, behind) in scene.iter().enumerate() {
                    let dx = ((lane as i32 - before_start) as f32 + (0.5 - rest[0])) * aspect;
                    let [cover, r, g, b] = shape((dx * ax + dy * ay) * inverse[0], (dy * ax - dx * ay) * inverse[1]);
                    let seen = up_to((behind - depth) * per_pixel, 1.0);
                    let x = start + lane;
                    let cover = if x >= from && x < end { cover * seen } else { 0.0 };
                    write(&mut block, lane, [cover, r, g, b]);
                }
                self.tile.store(at, block);
                self.tile.blocks += 1;
                let rest = u64::from(open) >> (start + LANES);
                from = if rest == 0 { end } else { start + LANES + rest.trailing_zeros() as usize };
            }
        }
    }
}

/// The ellipse outside of which a sprite has no cover, in a row at a distance from its middle: middle and half width of
/// the row's part in it.
struct Ellipse {
    /// Middle, per distance.
    slope: f32,
    /// Square of half the width at the middle of the sprite.
    widest: f32,
    /// Square of its decrease, per square of the distance.
    decrease: f32,
    /// Pixels per length.
    pixels: f32,
}

/// Enlargement of an ellipse, more than errors of rounding: share of the square of its width, and pixels of a row.
const MARGINS: [f32; 2] = [1e-5, 0.1];

impl Ellipse {
    #[inline(always)]
    fn new(sprite: &Drawn) -> Self {
        let Drawn { along: [ax, ay], inverse: [length, width], form, aspect, .. } = *sprite;
        let sum = ax * ax * length * length + ay * ay * width * width;
        let radius = form.radius();
        let part = length * width / sum;
        Self {
            slope: ax * ay * (width * width - length * length) / sum,
            widest: radius * radius / sum * (1.0 + MARGINS[0]),
            decrease: part * part,
            pixels: 1.0 / aspect as f32,
        }
    }

    /// Columns of `columns` that may be in the ellipse in the row at a distance `dy`; `origin`: column of the middle.
    #[inline(always)]
    fn columns(&self, dy: f32, origin: f32, [left, right]: [i32; 2]) -> [i32; 2] {
        let square = self.widest - self.decrease * dy * dy;
        if square < 0.0 {
            return [left, left];
        }
        let (middle, half) = (self.slope * dy * self.pixels + origin, square.sqrt() * self.pixels + MARGINS[1]);
        [left.max(((middle - half).max(0.0) + 0.9) as i32), right.min(((middle + half) as i32).saturating_add(1))]
    }
}
