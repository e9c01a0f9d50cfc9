//! The built-in sprites as functions of a place in them, x and y in −1..1, and sprites out of focus.
//!
//! Each gives its cover, 0 to 1, and a factor of its colour. They are plain arithmetic, which compilers vectorise.

use super::look::Sprite;
use crate::picture::maths::{nearest, up_to};
use crate::sim::particles::random::{Purpose, words};

/// Parts of a puff.
const LUMPS: usize = 6;

/// Constants of one sprite's shape.
#[derive(Clone, Copy)]
pub struct Form {
    /// The shape.
    pub sprite: Sprite,
    /// Width of an edge of one pixel.
    pub edge: f32,
    /// Random bits of a puff and a shard.
    pub random: [u32; 4],
    /// Unit vector to the light in the sprite's axes.
    pub light: [f32; 3],
    /// Share of a puff's light that has no direction.
    pub ambient: f32,
}

impl Form {
    /// The form of the particle `n`, half of whose width is 1 / `edge` pixels. `light`: unit vector to the light in the
    /// sprite's axes, z towards the camera.
    pub fn new(sprite: Sprite, seed: i32, n: u64, edge: f32, light: [f32; 3], ambient: f32) -> Self {
        let random = match sprite {
            Sprite::Puff | Sprite::Shard => words(seed, n, Purpose::Shape),
            _ => [0; 4],
        };
        Self { sprite, edge, random, light, ambient }
    }

    /// Random numbers of a part of the shape, −½ to ½; parts 0 to 7.
    #[inline(always)]
    fn numbers(&self, part: usize) -> [f32; 3] {
        let bits = self.random[part % 4] >> (8 * (part / 4));
        [0, 8, 16].map(|shift| (bits >> shift & 255) as f32 / 255.0 - 0.5)
    }

    /// Radius outside of which the shape has no cover, sharp or blurred; 1 is half of a side of the sprite.
    #[inline(always)]
    pub fn radius(&self) -> f32 {
        match self.sprite {
            Sprite::SoftDisc | Sprite::Spark | Sprite::Puff | Sprite::Star => 1.0,
            Sprite::Disc | Sprite::Shard => 1.0 + 0.5 * self.edge,
            // Its arms and branches end in edges, too.
            Sprite::Flake => 1.0 + 1.5 * self.edge,
            // The corner of a square, as far as interpolation enlarges a frame of one pixel.
            Sprite::Picture => 3.0,
        }
    }
}

#[inline(always)]
fn unit(value: f32) -> f32 {
    up_to(value, 1.0)
}

/// `(1 − r²)²` within the radius 1.
#[inline(always)]
fn bump(square: f32) -> f32 {
    let rest = (1.0 - square).max(0.0);
    rest * rest
}

/// A disc.
#[inline(always)]
pub fn disc(edge: f32, x: f32, y: f32) -> [f32; 2] {
    [unit((1.0 - (x * x + y * y).sqrt()) / edge + 0.5), 1.0]
}

/// A soft disc.
#[inline(always)]
pub fn soft_disc(x: f32, y: f32) -> [f32; 2] {
    [bump(x * x + y * y), 1.0]
}

/// A spark: a core of a quarter of the radius, four times as bright as its colour, in a glow that falls off with the
/// square of the distance. A core below a pixel is spread over the pixel, and has the same light.
#[inline(always)]
pub fn spark(edge: f32, x: f32, y: f32) -> [f32; 2] {
    let square = x * x + y * y;
    let kept = 1.0 / (1.0 + 23.0 * edge * edge);
    let (core, glow) = (bump(square * 16.0 * kept), bump(square) / (1.0 + 30.0 * square));
    let cover = core * kept;
    [cover + (1.0 - cover) * 0.25 * glow, 1.0 + 3.0 * core]
}

/// A parabolic wave of period 1 between −1 and 1, of a phase above 0.
#[inline(always)]
fn wave(phase: f32) -> f32 {
    // The part of the phase after the point, less 1/2.
    let moved = phase - 0.5;
    let place = moved - nearest(moved);
    place * (8.0 - 16.0 * place.abs())
}

/// Phases of a puff's waves.
const PHASES: usize = 4;

/// A puff: lumps in the light, each a part of a sphere, which waves bend and thin out, so that no outline is round.
pub struct Puff {
    /// Middle of each lump, and the inverse square of its radius.
    lumps: [[f32; 3]; LUMPS],
    /// Phases of the waves, above 8.
    phases: [f32; PHASES],
    light: [f32; 3],
    ambient: f32,
}

impl Puff {
    /// The puff of a form.
    #[inline(always)]
    pub fn new(form: &Form) -> Self {
        let mut lumps = [[0.0; 3]; LUMPS];
        for (place, lump) in lumps.iter_mut().enumerate() {
            let [x, y, of_size] = form.numbers(place);
            let size = 0.62 + 0.3 * of_size;
            // A lump ends inside of the sprite.
            let reach = (1.0 - size) * 1.3;
            *lump = [x * reach, y * reach, 1.0 / (size * size)];
        }
        let phases = form.random.map(|word| 8.5 + (word >> 21 & 255) as f32 / 256.0);
        Self { lumps, phases, light: form.light, ambient: form.ambient }
    }

    /// Cover and light at a place.
    #[inline(always)]
    pub fn at(&self, x: f32, y: f32) -> [f32; 2] {
        let [a, b, c, d] = self.phases;
        let u = x + 0.12 * wave(1.1 * y + 0.5 * x + a) + 0.05 * wave(2.9 * y - 1.3 * x + b);
        let v = y + 0.12 * wave(0.6 * x - 0.9 * y + c) + 0.05 * wave(2.3 * x + 2.6 * y + d);
        let (mut cover, mut slope) = (0.0_f32, [0.0_f32; 2]);
        for &[cx, cy, inverse] in &self.lumps {
            let (dx, dy) = (u - cx, v - cy);
            let part = bump((dx * dx + dy * dy) * inverse);
            cover += part;
            slope[0] += dx * part * inverse;
            slope[1] += dy * part * inverse;
        }
        let (across, along) = (wave(1.6 * u + 0.5 * v + c), wave(1.3 * v - 1.1 * u + d));
        let fine = wave(3.7 * u - 1.3 * v + a) * wave(2.6 * v + 2.9 * u + b);
        let thin = 0.07 * across + 0.05 * along + 0.07 * fine;
        // The normal leans outwards from the lumps that are near.
        let weight = 1.0 / (cover + 1e-3);
        let (nx, ny) = (slope[0] * weight + 0.2 * across, slope[1] * weight + 0.2 * along);
        let inverse = 1.0 / (1.0 + nx * nx + ny * ny).sqrt();
        let facing = (nx * self.light[0] + ny * self.light[1] + self.light[2]) * inverse;
        let lit = self.ambient + (1.0 - self.ambient) * unit(0.75 * facing + 0.25);
        let square = x * x + y * y;
        [unit(cover * 0.47 - 0.09 + thin) * bump(square * square), lit]
    }
}

/// A sprite out of focus.
///
/// The sprite grows with its blur and fades from its own shape to a disc with a soft edge. The light of both is that of
/// the sharp sprite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blur {
    /// Share of the disc, 0 to 1; 0 for a sharp sprite.
    pub share: f32,
    /// Cover of the grown shape, as a factor.
    pub own: f32,
    /// Half sides of the sprite over those of the disc.
    pub reach: f32,
    /// Inverse of the share of the disc's area in which it fades.
    pub steep: f32,
    /// Cover of the disc.
    pub cover: f32,
    /// Light of the disc.
    pub light: [f32; 3],
}

/// Greatest square of the radius of the disc's even part.
const EVEN: f64 = 0.8;

/// Radius of the part of a shape that has most of its light.
fn extent(sprite: Sprite) -> f64 {
    match sprite {
        Sprite::Disc | Sprite::Flake | Sprite::Shard | Sprite::Picture => 1.0,
        Sprite::Puff => 0.9,
        Sprite::SoftDisc => 0.75,
        Sprite::Star => 0.4,
        Sprite::Spark => 0.3,
    }
}

impl Blur {
    /// A sprite in focus.
    pub const NONE: Self = Self { share: 0.0, own: 1.0, reach: 1.0, steep: 0.0, cover: 0.0, light: [0.0; 3] };

    /// The blur by a radius of a sprite of half a length and half a width, and its half sides with the blur. `energy`:
    /// integral of the shape's cover, and its mean light.
    pub fn new(sprite: Sprite, sides: [f64; 2], radius: f64, energy: [f32; 4]) -> (Self, [f64; 2]) {
        let extent = extent(sprite);
        let disc = sides.map(|side| side * extent + radius);
        let spread = radius / disc[1];
        // A disc of one radius that is blurred by another is even up to their difference, and ends at their sum.
        let even = (1.0 - 2.0 * spread) * (1.0 - 2.0 * spread);
        let even = even.min(EVEN);
        let integral = std::f64::consts::PI * (1.0 + even) / 2.0;
        let [area, light @ ..] = energy;
        let share = (2.0 * spread).min(1.0);
        let grown = disc.map(|side| side / extent);
        let density = sides[0] * sides[1] / (grown[0] * grown[1]);
        let blur = Self {
            share: share as f32,
            own: ((1.0 - share) * density) as f32,
            reach: if share < 1.0 { 1.0 / extent } else { 1.0 } as f32,
            steep: (1.0 / (1.0 - even)) as f32,
            cover: (share * f64::from(area) * density / (extent * extent) / integral) as f32,
            light,
        };
        (blur, if share < 1.0 { grown } else { disc })
    }

    /// Cover and light at a place of a blurred sprite with a shape.
    #[inline(always)]
    pub fn at(&self, shape: impl Fn(f32, f32) -> [f32; 4], x: f32, y: f32) -> [f32; 4] {
        let part = unit((1.0 - (x * x + y * y) * self.reach * self.reach) * self.steep);
        let disc = self.cover * part * part * (3.0 - 2.0 * part);
        if self.own == 0.0 {
            let [r, g, b] = self.light;
            return [disc, r, g, b];
        }
        let [cover, light @ ..] = shape(x, y);
        let own = self.own * cover;
        let inverse = 1.0 / (own + disc).max(1e-12);
        let mixed = |c: usize| (light[c] * own + self.light[c] * disc) * inverse;
        [own + disc, mixed(0), mixed(1), mixed(2)]
    }
}

/// Integral of the cover of a built-in sprite over −1..1, and its mean light.
pub fn energy(sprite: Sprite, light: [f32; 3], ambient: f32) -> [f32; 4] {
    const SIDE: i32 = 64;
    const EDGE: f32 = 0.1;
    let form = Form { sprite, edge: EDGE, random: words(0, 0, Purpose::Shape), light, ambient };
    let (puff, shard) = (Puff::new(&form), Shard::new(&form));
    let (mut all, mut lit) = (0.0_f32, 0.0_f32);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let place = |at: i32| (at as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
            let (x, y) = (place(x), place(y));
            let [cover, light] = match sprite {
                Sprite::Disc => disc(EDGE, x, y),
                Sprite::SoftDisc | Sprite::Picture => soft_disc(x, y),
                Sprite::Spark => spark(EDGE, x, y),
                Sprite::Puff => puff.at(x, y),
                Sprite::Star => star(x, y),
                Sprite::Flake => flake(EDGE, x, y),
                Sprite::Shard => shard.at(EDGE, x, y),
            };
            all += cover;
            lit += cover * light;
        }
    }
    let light = if all > 0.0 { lit / all } else { 1.0 };
    [all * 4.0 / (SIDE * SIDE) as f32, light, light, light]
}

/// A star: a small core and four rays along the axes.
#[inline(always)]
pub fn star(x: f32, y: f32) -> [f32; 2] {
    let square = x * x + y * y;
    let ray = 1.0 / (1.0 + 700.0 * (x * y) * (x * y) + 3.0 * square);
    let core = bump(square * 16.0);
    [unit(bump(square) * ray + core), 1.0 + core]
}

/// A snowflake: six arms with a pair of branches.
#[inline(always)]
pub fn flake(edge: f32, x: f32, y: f32) -> [f32; 2] {
    // Reflections at the axes and at the line of 30 degrees fold the plane onto half of an arm.
    let (mut u, mut v) = (x.abs(), y.abs());
    const SIN: f32 = 0.866_025_4;
    let over = (SIN * v - 0.5 * u).max(0.0);
    u += over;
    v -= over * 1.732_050_8;
    v = v.abs();
    let width = 0.07 + edge * 0.5;
    let arm = unit((width - v) / edge + 0.5) * unit((0.95 - u) / edge + 0.5);
    let branch_at = |start: f32, reach: f32| {
        let (du, dv) = (u - start, v);
        let along = 0.5 * du + SIN * dv;
        let beside = (0.5 * dv - SIN * du).abs();
        unit((width * 0.8 - beside) / edge + 0.5) * unit((reach - along) / edge + 0.5) * unit(along / edge + 1.0)
    };
    [arm.max(branch_at(0.4, 0.3)).max(branch_at(0.65, 0.2)), 1.0]
}

/// Edges of a shard.
const EDGES: usize = 5;

/// Unit vectors across the edges of a regular shard.
const ACROSS: [[f32; 2]; EDGES] = [
    [1.0, 0.0],
    [0.309_017, 0.951_056_5],
    [-0.809_017, 0.587_785_25],
    [-0.809_017, -0.587_785_25],
    [0.309_017, -0.951_056_5],
];

/// A shard: a chip with straight edges in a disc, bent along a line, so that one part is brighter than the other.
pub struct Shard {
    /// Vector across each edge, and its distance from the middle.
    edges: [[f32; 3]; EDGES],
}

impl Shard {
    /// The shard of a form.
    #[inline(always)]
    pub fn new(form: &Form) -> Self {
        let mut edges = [[0.0; 3]; EDGES];
        for (place, edge) in edges.iter_mut().enumerate() {
            let [to_x, to_y, of_distance] = form.numbers(place);
            let [x, y] = ACROSS[place];
            *edge = [x + 0.7 * to_x, y + 0.7 * to_y, 0.62 + 0.5 * of_distance];
        }
        Self { edges }
    }

    /// Cover and light at a place.
    #[inline(always)]
    pub fn at(&self, edge: f32, x: f32, y: f32) -> [f32; 2] {
        let mut inside = 1.0 - (x * x + y * y).sqrt();
        for &[nx, ny, distance] in &self.edges {
            inside = inside.min(distance - nx * x - ny * y);
        }
        let [bx, by, _] = self.edges[0];
        [unit(inside / edge + 0.5), 0.7 + 0.6 * unit(0.5 + 2.0 * (bx * y - by * x))]
    }
}
