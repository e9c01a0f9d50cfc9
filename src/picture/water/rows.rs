//! Textures of what stands behind the frame and is reflected: a row of trees, and a row of houses.

use std::sync::LazyLock;

use super::textures::{Periodic, random, smooth};
use super::tile::Tile;

/// Texels on a side of the tiles, which hold two strips of this length, one above the other; the ground is at the foot
/// of each.
pub const SIZE: usize = 1024;
/// Texels from the foot of a strip to that of the next.
pub const STRIP: usize = SIZE / 2;
/// Height of the tallest tree or house, texels.
pub const TALLEST: f32 = 440.0;

/// A tile of a picture of twice its length.
fn strips(picture: impl Fn(f32, f32) -> Texel + Sync) -> Tile<4> {
    Tile::new(SIZE, |x, y| {
        let strip = (y / STRIP as f32).floor();
        picture(x + strip * SIZE as f32, y - strip * STRIP as f32)
    })
}

const P: Periodic = Periodic(SIZE);

/// Albedo, premultiplied by the cover in the last value: light at a texel of a surface that is open to the sky.
type Texel = [f32; 4];

fn over(below: Texel, rgb: [f32; 3], cover: f32) -> Texel {
    let [r, g, b] = rgb;
    std::array::from_fn(|i| below[i] + ([r, g, b, 1.0][i] - below[i]) * cover)
}

/// Broad-leaved trees, one row behind the other.
pub static TREES: LazyLock<Tile<4>> = LazyLock::new(|| {
    strips(|x, y| {
        let mut texel = [0.0; 4];
        if y > TALLEST * 1.1 {
            return texel;
        }
        let leaves = P.fractal([x, y], 64, 5, 0.72, 1500);
        // Far trees first: lower, paler and even.
        for (row, (spacing, tall, dark)) in
            [(128, 0.72, 0.6), (128, 0.92, 0.32), (256, 1.0, 0.2)].into_iter().enumerate()
        {
            let seed = 1520 + 10 * row as u32;
            let count = (2 * SIZE / spacing) as i32;
            let (mut cover, mut lit) = (0.0_f32, 0.0_f32);
            let first = (x / spacing as f32).floor() as i32;
            for tree in first - 1..=first + 1 {
                let key = |which: u32| random(tree.rem_euclid(count), row as i32, seed + which);
                let middle = (tree as f32 + 0.2 + 0.6 * key(0)) * spacing as f32;
                let top = TALLEST * tall * (0.6 + 0.4 * key(1));
                let half = spacing as f32 * (0.42 + 0.3 * key(2));
                // The crown is an egg around the upper two thirds; its rim is of leaves.
                let across = (x - middle) / half;
                let up = (y - 0.58 * top) / (0.42 * top);
                let inside = 1.0 - (across * across + up * up).sqrt();
                let crown = smooth((inside + 0.3 * leaves + 0.05) * 6.0 + 0.5);
                let trunk = smooth((0.05 * half - (x - middle).abs()) * 0.5 + 0.5) * smooth(1.0 - y / (0.5 * top));
                let here = crown.max(trunk);
                if here > 0.0 {
                    // Light from above falls on the crown's upper side.
                    let bright = 0.55 + 0.5 * up.clamp(-1.0, 1.0) + 0.55 * leaves;
                    lit += (bright.max(0.1) - lit) * here;
                    cover = cover.max(here);
                }
            }
            // Undergrowth closes the row below.
            let hedge = TALLEST * (0.3 + 0.1 * P.noise(x, 0.5, 128, seed + 5) + 0.05 * leaves) * tall;
            let under = smooth((hedge - y) * 0.08 + 0.5);
            lit += (0.4 + 0.4 * leaves - lit) * under;
            cover = cover.max(under);
            let pale = dark * 0.35;
            let rgb = [0.16, 0.2, 0.08].map(|tint| tint * dark * 1.4 * lit.max(0.12) + pale * 0.12);
            texel = over(texel, rgb, cover);
        }
        texel
    })
});

/// A street of houses with windows.
pub static HOUSES: LazyLock<Tile<4>> = LazyLock::new(|| {
    const WIDE: usize = 128;
    strips(|x, y| {
        let house = (x / WIDE as f32).floor() as i32;
        let key = |which: u32| random(house, 0, 1600 + which);
        let top = TALLEST * (0.62 + 0.3 * key(0));
        let across = x - (house as f32 + 0.5) * WIDE as f32;
        // A gable, a flat roof, or a roof along the street.
        let gable = if key(1) < 0.4 { (1.0 - across.abs() / (0.5 * WIDE as f32)) * 70.0 } else { 0.0 };
        let cover = smooth(top + gable - y + 0.5);
        let chimney =
            (across - (key(2) - 0.5) * 80.0).abs() < 7.0 && y < top + gable.max(0.0) * 0.4 + 34.0 && y > top * 0.8;
        if cover <= 0.0 && !chimney {
            return [0.0; 4];
        }
        let plaster = [[0.34, 0.29, 0.23], [0.3, 0.14, 0.1], [0.4, 0.38, 0.34], [0.26, 0.22, 0.2], [0.44, 0.36, 0.22]]
            [(key(3) * 5.0) as usize % 5];
        let stained = 1.0 + 0.16 * P.fractal([x, y], 128, 4, 0.55, 1620);
        let mut rgb = plaster.map(|albedo| albedo * stained);
        let storey = 62.0 + 16.0 * key(4);
        let cornice = top - 14.0;
        if y > cornice || chimney && y > top {
            // Roof and cornice.
            rgb = if y > top { [0.11, 0.075, 0.065] } else { plaster.map(|albedo| albedo * 1.25) };
        } else {
            let columns = 3.0 + (key(5) * 2.0).floor();
            let pitch = WIDE as f32 / columns;
            let (column, floor) = (((across + 0.5 * WIDE as f32) / pitch).floor(), (y / storey).floor());
            let (u, v) = ((across + 0.5 * WIDE as f32) / pitch - column - 0.5, y / storey - floor);
            let whole = (floor + 0.95) * storey < cornice;
            let window = whole && u.abs() < 0.24 && v > 0.28 && v < 0.82;
            let frame = whole && u.abs() < 0.29 && v > 0.24 && v < 0.87;
            if window {
                let bar = u.abs() < 0.03 || (v - 0.62).abs() < 0.02;
                // Glass shows a dark room, or the sky of the other side.
                let shown = random(house * 31 + column as i32, floor as i32, 1640);
                let glass = if shown > 0.86 { [0.9, 0.72, 0.4] } else { [0.04 + 0.3 * shown * shown; 3] };
                rgb = if bar { [0.5, 0.48, 0.45] } else { glass };
            } else if frame {
                rgb = [0.52, 0.5, 0.46];
            }
        }
        over([0.0; 4], rgb, if chimney { 1.0 } else { cover })
    })
});
