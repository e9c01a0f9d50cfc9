//! Textures as tiles: ground, foam, fine waves and clouds. Each is made once per process, when it is first needed.

use std::sync::LazyLock;

use super::tile::Tile;

/// A hash of a lattice point, 0 to 1.
pub fn random(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// A hash of a lattice point.
#[inline]
fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h =
        (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// The integer below a number of at most 10^6 in size. `f32::floor` is a call where the processor's baseline has no
/// instruction for it.
#[inline]
fn floor(x: f32) -> i32 {
    let towards_zero = x as i32;
    towards_zero - i32::from(towards_zero as f32 > x)
}

/// Patterns that repeat over so many texels, a power of two.
#[derive(Clone, Copy)]
pub struct Periodic(pub usize);

/// The nearest points of a jittered lattice (Worley 1996).
struct Nearest {
    /// Distance to the nearest, in cells.
    first: f32,
    /// Distance to the second.
    second: f32,
    /// A hash of the nearest, 0 to 1.
    key: f32,
}

impl Periodic {
    /// The lattice of cells of `length` texels, a power of two: the cell of a place, the place within it in cells, and
    /// the coordinates of the cells of one period by those of any cell.
    #[inline(always)]
    fn cell(self, x: f32, y: f32, length: usize) -> ([i32; 2], [f32; 2], impl Fn(i32) -> i32) {
        let last = (self.0 / length) as i32 - 1;
        let scale = 1.0 / length as f32;
        let (x, y) = (x * scale, y * scale);
        let (left, low) = (floor(x), floor(y));
        ([left, low], [x - left as f32, y - low as f32], move |at| at & last)
    }

    /// Gradient noise of features of `length` texels, a divisor of the period; about −1 to 1.
    pub fn noise(self, x: f32, y: f32, length: usize, seed: u32) -> f32 {
        let ([left, low], [dx, dy], wrap) = self.cell(x, y, length);
        let corner = |i: i32, j: i32| {
            // Eight directions (Perlin 2002), by the highest bits.
            let [gx, gy] = DIRECTIONS[(hash(wrap(left + i), wrap(low + j), seed) >> 29) as usize];
            (dx - i as f32) * gx + (dy - j as f32) * gy
        };
        let fade = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let row = |j: i32| corner(0, j) + (corner(1, j) - corner(0, j)) * fade(dx);
        (row(0) + (row(1) - row(0)) * fade(dy)) * std::f32::consts::SQRT_2
    }

    /// A sum of noises from `length` texels down, each of half the length and `gain` times the size.
    pub fn fractal(self, [x, y]: [f32; 2], length: usize, octaves: u32, gain: f32, seed: u32) -> f32 {
        let (mut sum, mut size, mut length) = (0.0, 1.0, length);
        for octave in 0..octaves {
            sum += self.noise(x, y, length, seed + octave) * size;
            size *= gain;
            length = (length / 2).max(2);
        }
        sum
    }

    /// The nearest points of a lattice with cells of `length` texels.
    fn nearest(self, x: f32, y: f32, length: usize, seed: u32) -> Nearest {
        let ([left, low], [x, y], wrap) = self.cell(x, y, length);
        let mut found = Nearest { first: 9.0, second: 9.0, key: 0.0 };
        for (i, j) in (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j))) {
            let (cx, cy) = (wrap(left + i), wrap(low + j));
            let jitter = |seed: u32| 0.1 + 0.8 * random(cx, cy, seed);
            let from = [x - (i as f32 + jitter(seed)), y - (j as f32 + jitter(seed + 1))];
            let distance = (from[0] * from[0] + from[1] * from[1]).sqrt();
            if distance < found.first {
                found = Nearest { first: distance, second: found.first, key: random(cx, cy, seed + 2) };
            } else if distance < found.second {
                found.second = distance;
            }
        }
        found
    }

    /// Stones about `length` texels apart, flat ellipsoids that lie over each other, where a noise is above
    /// −`frequent`.
    fn stones(self, [x, y]: [f32; 2], length: usize, seed: u32, frequent: f32) -> Stones {
        let scale = 1.0 / length as f32;
        let bend = [1, 2].map(|i| self.noise(x, y, length.max(4), seed + 10 + i) * 0.11);
        let here = self.highest([x * scale + bend[0], y * scale + bend[1]], length, seed, frequent);
        // Stones that are higher a little towards the light throw their shadow here.
        let before = self.highest([x * scale + bend[0] - 0.13, y * scale + bend[1] + 0.13], length, seed, frequent);
        let Some(stone) = here else {
            return Stones { albedo: [0.0; 3], cover: 0.0, shade: before.map_or(1.0, |_| 0.6), height: 0.0 };
        };
        let higher =
            before.map_or(0.0, |before| if before.key == stone.key { 0.0 } else { before.height - stone.height });
        let shade = 1.0 - 0.55 * smooth(higher * 2.5 + 0.1);
        let key = |which: u32| random((stone.key * 16_777_216.0) as i32, which as i32, seed + 5);
        // Lit from the upper left.
        let [sx, sy] = stone.slope;
        let upright = 1.0 / (1.0 + sx * sx + sy * sy).sqrt();
        let lit = 0.5 + 0.62 * ((0.8 + 0.42 * sx - 0.42 * sy) * upright).max(0.0);
        let speckled = 1.0 + 0.12 * self.noise(x, y, 4, seed + 20) + 0.14 * self.noise(x, y, 16, seed + 21);
        let band = x * (key(1) - 0.5) + y * (key(2) - 0.5) + 3.0 * self.noise(x, y, 16, seed + 22);
        let veined = if key(3) > 0.72 { 1.0 + 0.5 * smooth(2.2 * (band * 0.5).sin() - 1.2) } else { 1.0 };
        let tone = key(4);
        let light = (0.42 + 0.75 * tone * tone + if key(5) > 0.94 { 0.9 } else { 0.0 }) * lit * speckled * veined;
        let warm = key(6) - 0.5;
        let albedo = [1.0 + 0.42 * warm, 1.0 + 0.1 * warm, 1.0 - 0.4 * warm].map(|tint| tint * light);
        Stones { albedo, cover: smooth((1.0 - stone.distance) * 9.0), shade, height: stone.height }
    }

    /// The highest stone at a place, in cells of `length` texels.
    fn highest(self, [x, y]: [f32; 2], length: usize, seed: u32, frequent: f32) -> Option<Stone> {
        let last = (self.0 / length) as i32 - 1;
        let (left, low) = (floor(x), floor(y));
        let mut found: Option<Stone> = None;
        for (i, j) in (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j))) {
            let (cx, cy) = ((left + i) & last, (low + j) & last);
            let key = |which: u32| random(cx, cy, seed + which);
            let from = [x - (left + i) as f32 - 0.15 - 0.7 * key(0), y - (low + j) as f32 - 0.15 - 0.7 * key(1)];
            if from[0] * from[0] + from[1] * from[1] > WIDEST * WIDEST {
                continue;
            }
            let wide = WIDEST - 0.34 * key(2);
            let narrow = wide * (0.6 + 0.36 * key(3));
            let (sin, cos) = (key(4) * std::f32::consts::TAU).sin_cos();
            let along = [(from[0] * cos + from[1] * sin) / wide, (from[1] * cos - from[0] * sin) / narrow];
            let squared = along[0] * along[0] + along[1] * along[1];
            if squared >= 1.0 {
                continue;
            }
            let distance = squared.sqrt();
            let height = 0.5 * key(5) + 0.6 * (1.0 - squared * distance);
            let there = || {
                frequent + self.noise(cx as f32 * length as f32 + 1.3, cy as f32 * length as f32, 128, seed + 90) > 0.0
            };
            if found.as_ref().is_none_or(|stone| stone.height < height) && (frequent > 1.0 || there()) {
                // Steep at the rim alone.
                let steep = 2.0 * squared;
                let (u, v) = (along[0] * steep / distance.max(1e-3), along[1] * steep / distance.max(1e-3));
                let slope = [-(u * cos - v * sin), -(u * sin + v * cos)];
                found = Some(Stone { height, distance, slope, key: key(6) });
            }
        }
        found
    }
}

/// Half the length of the largest stones, parts of their mean distance.
const WIDEST: f32 = 0.76;

/// A stone at a place.
struct Stone {
    /// Height of its surface; about 1 at most.
    height: f32,
    /// Distance from its middle, 1 at the rim.
    distance: f32,
    /// Slope of its surface to the right and up.
    slope: [f32; 2],
    /// A hash of the stone, 0 to 1.
    key: f32,
}

/// Stones at a place.
struct Stones {
    /// Colour of the stone.
    albedo: [f32; 3],
    /// 1 on a stone, 0 between them.
    cover: f32,
    /// Light that others let through, 0 to 1.
    shade: f32,
    /// Height of the stone; about 1 at most.
    height: f32,
}

/// Unit vectors in eight directions.
const DIRECTIONS: [[f32; 2]; 8] = {
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [[1.0, 0.0], [D, D], [0.0, 1.0], [-D, D], [-1.0, 0.0], [-D, -D], [0.0, -1.0], [D, -D]]
};

/// Cubic step from 0 at 0 to 1 at 1.
pub fn smooth(x: f32) -> f32 {
    let t = x.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Period of the textures, texels.
pub const SIZE: usize = 512;
const P: Periodic = Periodic(SIZE);
/// Period of the pebbles, in which the eye finds repetitions.
const LARGE: usize = 1024;

/// A ground: factors of its colour, whose mean is about 1, and the height of what lies on it, 0 to 1.
pub type Grounds = Tile<4>;

/// Pebbles of three sizes.
pub static PEBBLES: LazyLock<Grounds> = LazyLock::new(|| {
    let p = Periodic(LARGE);
    Tile::new(LARGE, |x, y| {
        let stained = 1.0 + 0.25 * p.fractal([x, y], 256, 4, 0.5, 700);
        let grit = 0.3 + 0.1 * p.noise(x, y, 4, 710);
        let mut bed = [grit, grit * 0.95, grit * 0.86];
        let mut height = 0.0;
        // The larger ones leave gaps, which smaller ones fill.
        for (length, seed, frequent, lowest) in [(16, 500, 9.0, 0.0), (32, 600, 0.25, 0.15), (64, 650, 0.0, 0.35)] {
            let stones = p.stones([x, y], length, seed, frequent);
            let under = |value: f32| value * stones.shade;
            bed = std::array::from_fn(|i| {
                under(bed[i]) + (stones.albedo[i] * (0.4 + 0.6 * stones.shade) - under(bed[i])) * stones.cover
            });
            height += (lowest + 0.55 * stones.height - height) * stones.cover;
        }
        let [r, g, b] = bed.map(|value| value * stained * 1.25);
        [r, g, b, height]
    })
});

/// Bare soil with clods and pebbles.
pub static SOIL: LazyLock<Grounds> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let grain = P.fractal([x, y], 32, 4, 0.75, 810);
        let clods = P.nearest(x + P.noise(x, y, 16, 815) * 4.0, y + P.noise(x, y, 16, 816) * 4.0, 16, 820);
        let mut light =
            0.86 + 0.26 * grain - 0.3 * smooth(0.35 - (clods.second - clods.first)) + 0.2 * (clods.key - 0.5);
        light *= 1.0 + 0.3 * P.fractal([x, y], 128, 3, 0.5, 830);
        let mut height = 0.4 * light;
        for (length, seed, frequent) in [(8, 840, -0.15), (16, 850, -0.4)] {
            let stones = P.stones([x, y], length, seed, frequent);
            light *= 0.5 + 0.5 * stones.shade;
            light += (0.35 + 0.75 * stones.albedo[1] - light) * stones.cover;
            height += (0.3 + 0.6 * stones.height - height) * stones.cover;
        }
        [light, 0.97 * light, 0.93 * light, height]
    })
});

/// Rock with cracks and lichen.
pub static ROCK: LazyLock<Grounds> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let bend = [1, 2].map(|i| P.fractal([x, y], 64, 3, 0.55, 860 + 10 * i) * 16.0);
        let grain = 0.1 * P.noise(x, y, 2, 880) + 0.13 * P.noise(x, y, 4, 881) + 0.1 * P.noise(x, y, 8, 882);
        let stained = 0.3 * P.fractal([x, y], 128, 4, 0.55, 885);
        let crack = |length: usize, seed: u32| {
            let near = P.nearest(x + bend[0], y + bend[1], length, seed);
            smooth(1.0 - (near.second - near.first) * length as f32 / 2.5)
        };
        let cracks = 0.4 * crack(64, 890) + 0.15 * crack(16, 893);
        let lichen = smooth(3.0 * P.fractal([x, y], 32, 4, 0.6, 896) - 0.9);
        let light = (0.9 + grain + stained - cracks).max(0.1);
        let [r, g, b] =
            [1.0 + 0.12 * lichen, 1.0 + 0.16 * lichen, 0.98 - 0.12 * lichen].map(|tint| tint * (light + 0.12 * lichen));
        [r, g, b, 0.5 + grain]
    })
});

/// Grass in tussocks, with blades.
pub static GRASS: LazyLock<Grounds> = LazyLock::new(|| {
    let p = Periodic(LARGE);
    Tile::new(LARGE, |x, y| {
        let bend = [1, 2].map(|i| p.noise(x, y, 8, 900 + i) * 3.5 + p.noise(x, y, 32, 905 + i) * 5.0);
        let blades = p.noise(x + 3.0 * p.noise(x, y, 16, 920), y * 2.0, 4, 925) + 0.6 * p.noise(x * 2.0, y, 4, 930);
        let mut light = 0.4 + 0.12 * p.fractal([x, y], 64, 3, 0.7, 910);
        let mut dry = 0.5 + 0.9 * p.fractal([x, y], 256, 4, 0.5, 940);
        let mut height = 0.1;
        for (length, seed, frequent, tall) in [(16, 950, 9.0, 0.3), (32, 970, 0.1, 0.55)] {
            let tussocks = p.stones([x + bend[0], y + bend[1]], length, seed, frequent);
            let tone = tussocks.albedo[1].min(1.0);
            light *= 0.45 + 0.55 * tussocks.shade;
            light += (0.36 + 0.5 * tone - light) * tussocks.cover;
            dry += (0.55 * (tussocks.albedo[0] - tussocks.albedo[2]) + 0.25 * (tone - 0.5)) * tussocks.cover;
            height += (tall + 0.4 * tussocks.height - height) * tussocks.cover;
        }
        let light = light * (1.0 + 0.3 * blades);
        let dry = smooth(dry);
        let [r, g, b] = [0.48 + 0.42 * dry, 0.78 + 0.12 * dry, 0.34 + 0.2 * dry].map(|tint| tint * light);
        [r, g, b, height]
    })
});

/// Asphalt: gravel in tar, of which the tops are worn bright.
pub static ASPHALT: LazyLock<Grounds> = LazyLock::new(|| {
    let p = Periodic(LARGE);
    Tile::new(LARGE, |x, y| {
        let bend = [1, 2].map(|i| p.noise(x, y, 32, 1000 + i) * 7.0);
        let stained = 1.0 + 0.22 * p.fractal([x, y], 256, 5, 0.55, 1020);
        let mut light = 0.7 + 0.1 * p.noise(x, y, 4, 1010) + 0.1 * p.noise(x, y, 2, 1015);
        let mut height = 0.2;
        let grains = [(8, 1050, 9.0, 0.5), (16, 1070, -0.2, 0.4)];
        for (length, seed, frequent, worn) in grains {
            let stones = p.stones([x + bend[0], y + bend[1]], length, seed, frequent);
            let tone = stones.albedo[1].min(0.9);
            light *= 0.7 + 0.3 * stones.shade;
            light += (0.66 + 0.6 * tone * tone - light) * stones.cover * worn;
            height += (0.3 + 0.6 * stones.height - height) * stones.cover;
        }
        let light = light * stained;
        [light, light, 1.02 * light, height]
    })
});

/// Sand.
pub static SAND: LazyLock<Grounds> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let grain = P.noise(x, y, 2, 1110) * 0.12 + P.noise(x, y, 4, 1120) * 0.07;
        let stained = 0.09 * P.fractal([x, y], 128, 5, 0.6, 1130);
        let shell = P.nearest(x, y, 64, 1140);
        let spot = 0.5 * smooth(1.0 - shell.first / 0.045) * (shell.key - 0.35);
        let light = 1.0 + grain + stained + spot;
        [light, 0.99 * light, 0.97 * light, 0.5 + grain]
    })
});

/// The share of a surface that foam leaves open before this point of it is covered, 0 to 1, evenly distributed: the
/// walls between bubbles are covered first.
pub static FOAM: LazyLock<Tile<1>> = LazyLock::new(|| {
    let raw = |x: f32, y: f32| {
        let bend = [1, 2].map(|i| P.fractal([x, y], 64, 3, 0.55, 1200 + 10 * i) * 13.0);
        let holes = |length: usize, seed: u32| {
            let found = P.nearest(x + bend[0], y + bend[1], length, seed);
            (found.second - found.first).min(1.0)
        };
        // Small where the walls of the large holes are, and a little where those of the small ones are.
        let net = 0.55 * holes(64, 1240) + 0.3 * holes(32, 1250) + 0.15 * holes(16, 1260);
        net + 0.28 * P.fractal([x, y], 128, 3, 0.5, 1270) + 0.05 * P.noise(x, y, 4, 1280)
    };
    let values: Vec<f32> = (0..SIZE * SIZE).map(|at| raw((at % SIZE) as f32 + 0.5, (at / SIZE) as f32 + 0.5)).collect();
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, &at) in order.iter().enumerate() {
        ranks[at as usize] = rank as f32 / values.len() as f32;
    }
    Tile::new(SIZE, |x, y| [ranks[y as usize * SIZE + x as usize]])
});

/// Slopes to the right and up of fine waves, root mean square 1.
pub static WAVES: LazyLock<Tile<2>> = LazyLock::new(|| {
    let height = |x: f32, y: f32| {
        let bend = [1, 2].map(|i| P.noise(x, y, 64, 1300 + i) * 9.0);
        let (x, y) = (x + bend[0], y + bend[1]);
        let waves = |length: usize, seed: u32| P.noise(x, y, length, seed) * length as f32;
        0.7 * waves(64, 1310) + waves(32, 1320) + 0.55 * waves(16, 1330)
    };
    let slope = |x: f32, y: f32| [height(x + 0.5, y) - height(x - 0.5, y), height(x, y + 0.5) - height(x, y - 0.5)];
    let sum: f32 =
        (0..1024).map(|i| slope((i % 32 * 16) as f32, (i / 32 * 16) as f32)).map(|[x, y]| x * x + y * y).sum();
    let scale = 1.0 / (sum / 2048.0).sqrt();
    Tile::new(SIZE, |x, y| slope(x, y).map(|slope| slope * scale))
});

/// Cover of the sky by clouds, 0 to 1.
pub static CLOUDS: LazyLock<Tile<1>> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let bend = [1, 2].map(|i| P.noise(x, y, 128, 1400 + i) * 40.0);
        [smooth(0.5 + 0.95 * P.fractal([x + bend[0], y + bend[1]], 256, 6, 0.52, 1410))]
    })
});
