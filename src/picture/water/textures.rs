//! Textures as tiles: ground, foam, fine waves and clouds. Each is made once per process, when it is first needed.

use std::sync::LazyLock;

use super::tile::Tile;

/// A hash of a lattice point, 0 to 1.
fn random(x: i32, y: i32, seed: u32) -> f32 {
    let mut h =
        (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^= h >> 15;
    (h >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// Patterns that repeat over so many texels.
#[derive(Clone, Copy)]
struct Periodic(usize);

/// The nearest points of a jittered lattice (Worley 1996).
struct Nearest {
    /// Distance to the nearest, in cells.
    first: f32,
    /// Distance to the second.
    second: f32,
    /// Offset from the nearest.
    from: [f32; 2],
    /// A hash of the nearest, 0 to 1.
    key: f32,
}

impl Periodic {
    /// Gradient noise of features of `length` texels, a divisor of the period; about −1 to 1.
    fn noise(self, x: f32, y: f32, length: usize, seed: u32) -> f32 {
        let period = (self.0 / length) as i32;
        let (x, y) = (x / length as f32, y / length as f32);
        let (left, low) = (x.floor(), y.floor());
        let (dx, dy) = (x - left, y - low);
        let corner = |i: i32, j: i32| {
            let (cx, cy) = ((left as i32 + i).rem_euclid(period), (low as i32 + j).rem_euclid(period));
            // Eight directions (Perlin 2002).
            let [gx, gy] = DIRECTIONS[(random(cx, cy, seed) * 8.0) as usize & 7];
            (dx - i as f32) * gx + (dy - j as f32) * gy
        };
        let fade = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let row = |j: i32| corner(0, j) + (corner(1, j) - corner(0, j)) * fade(dx);
        (row(0) + (row(1) - row(0)) * fade(dy)) * std::f32::consts::SQRT_2
    }

    /// A sum of noises from `length` texels down, each of half the length and `gain` times the size.
    fn fractal(self, [x, y]: [f32; 2], length: usize, octaves: u32, gain: f32, seed: u32) -> f32 {
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
        let period = (self.0 / length) as i32;
        let (x, y) = (x / length as f32, y / length as f32);
        let (left, low) = (x.floor(), y.floor());
        let mut found = Nearest { first: 9.0, second: 9.0, from: [0.0; 2], key: 0.0 };
        for (i, j) in (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j))) {
            let (cx, cy) = ((left as i32 + i).rem_euclid(period), (low as i32 + j).rem_euclid(period));
            let jitter = |seed: u32| 0.1 + 0.8 * random(cx, cy, seed);
            let point = [left + i as f32 + jitter(seed), low + j as f32 + jitter(seed + 1)];
            let from = [x - point[0], y - point[1]];
            let distance = (from[0] * from[0] + from[1] * from[1]).sqrt();
            if distance < found.first {
                found = Nearest { first: distance, second: found.first, from, key: random(cx, cy, seed + 2) };
            } else if distance < found.second {
                found.second = distance;
            }
        }
        found
    }

    /// Stones of `length` texels: their albedo, and 0 in the gaps between them.
    fn stones(self, [x, y]: [f32; 2], length: usize, seed: u32) -> ([f32; 3], f32) {
        let bend = [1, 2].map(|i| self.noise(x, y, length.max(4), seed + 10 + i) * length as f32 * 0.16);
        let found = self.nearest(x + bend[0], y + bend[1], length, seed);
        let inside = smooth((found.second - found.first) / 0.22 - 0.18);
        // Lit from the upper left.
        let round = 1.0 + 0.42 * (found.from[1] - found.from[0]) - 0.35 * found.first * found.first;
        let key = found.key;
        let mottled = 1.0 + 0.16 * self.noise(x, y, 16, seed + 20);
        let light = (0.55 + 1.0 * key * key) * round * mottled;
        let warm = random((key * 65536.0) as i32, 3, seed + 5) - 0.5;
        ([1.0 + 0.3 * warm, 1.0 + 0.06 * warm, 1.0 - 0.3 * warm].map(|tint| tint * light), inside)
    }
}

/// Unit vectors in eight directions.
const DIRECTIONS: [[f32; 2]; 8] = {
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [[1.0, 0.0], [D, D], [0.0, 1.0], [-D, D], [-1.0, 0.0], [-D, -D], [0.0, -1.0], [D, -D]]
};

fn smooth(x: f32) -> f32 {
    let t = x.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Period of the textures, texels.
pub const SIZE: usize = 512;
const P: Periodic = Periodic(SIZE);
/// Period of the pebbles, in which the eye finds repetitions.
const LARGE: usize = 1024;

/// Pebbles of three sizes, as factors of the ground's colour; their mean is about 1.
pub static PEBBLES: LazyLock<Tile<3>> = LazyLock::new(|| {
    let p = Periodic(LARGE);
    Tile::new(LARGE, |x, y| {
        let stained = 1.0 + 0.22 * p.fractal([x, y], 256, 3, 0.5, 700);
        let (small, between) = p.stones([x, y], 16, 500);
        let mut bed = small.map(|value| value * (0.34 + 0.66 * between));
        for (length, seed, reach, spread) in [(32, 600, 128, 0.4), (64, 650, 256, 0.05)] {
            let scattered = smooth(2.0 * smooth(1.4 * p.noise(x, y, reach, seed + 90) + spread));
            if scattered > 0.0 {
                let (large, over) = p.stones([x, y], length, seed);
                bed = std::array::from_fn(|i| bed[i] + (large[i] * 1.05 - bed[i]) * scattered * over);
            }
        }
        bed.map(|value| value * stained * 1.1)
    })
});

/// Soil with grass, as factors of the ground's colour.
pub static SOIL: LazyLock<Tile<3>> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let grain = P.fractal([x, y], 32, 4, 0.75, 810);
        let clods = P.nearest(x + P.noise(x, y, 16, 815) * 4.0, y, 16, 820);
        let light = 0.9 + 0.28 * grain - 0.26 * smooth(0.35 - (clods.second - clods.first)) + 0.12 * (clods.key - 0.5);
        let stained = 1.0 + 0.3 * P.fractal([x, y], 128, 3, 0.5, 830);
        [1.0, 0.97, 0.93].map(|tint| tint * light * stained)
    })
});

/// Blades of grass and moss, as factors of the ground's colour.
pub static GRASS: LazyLock<Tile<3>> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let tufts = P.fractal([x, y], 64, 3, 0.7, 910);
        let blades = P.noise(x + 3.0 * P.noise(x, y, 16, 920), y * 2.0, 4, 925) + 0.6 * P.noise(x * 2.0, y, 4, 930);
        let light = 0.62 + 0.2 * tufts + 0.26 * blades;
        let dry = smooth(0.5 + 0.9 * P.fractal([x, y], 128, 3, 0.5, 940));
        [0.42 + 0.5 * dry, 0.86 + 0.08 * dry, 0.3 + 0.22 * dry].map(|tint| tint * light)
    })
});

/// Asphalt, as factors of the ground's colour.
pub static ASPHALT: LazyLock<Tile<3>> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let (coarse, apart) = P.stones([x + 5.0 * P.noise(x, y, 16, 1005), y + 5.0 * P.noise(x, y, 16, 1006)], 8, 1050);
        let stained = 1.0 + 0.3 * P.fractal([x, y], 256, 4, 0.55, 1020);
        let fine = 0.7 + 0.16 * P.noise(x, y, 4, 1010) + 0.12 * P.noise(x, y, 2, 1015) + 0.28 * apart * coarse[1];
        [1.0, 1.0, 1.02].map(|tint| tint * fine * stained)
    })
});

/// Sand, as factors of the ground's colour.
pub static SAND: LazyLock<Tile<3>> = LazyLock::new(|| {
    Tile::new(SIZE, |x, y| {
        let grain = P.noise(x, y, 2, 1110) * 0.12 + P.noise(x, y, 4, 1120) * 0.07;
        let stained = 0.09 * P.fractal([x, y], 128, 5, 0.6, 1130);
        let shell = P.nearest(x, y, 64, 1140);
        let spot = 0.5 * smooth(1.0 - shell.first / 0.045) * (shell.key - 0.35);
        [1.0, 0.99, 0.97].map(|tint| tint * (1.0 + grain + stained + spot))
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
