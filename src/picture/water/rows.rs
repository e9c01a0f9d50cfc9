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
            [(128, 0.72, 0.8), (128, 0.92, 0.5), (256, 1.0, 0.36)].into_iter().enumerate()
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
                    let bright = 0.5 + 0.5 * up.clamp(-1.0, 1.0) + 0.8 * leaves;
                    lit += (bright.max(0.06) - lit) * here;
                    cover = cover.max(here);
                }
            }
            // Undergrowth closes the row below.
            let hedge = TALLEST * (0.3 + 0.1 * P.noise(x, 0.5, 128, seed + 5) + 0.05 * leaves) * tall;
            let under = smooth((hedge - y) * 0.08 + 0.5);
            lit += (0.4 + 0.4 * leaves - lit) * under;
            cover = cover.max(under);
            let pale = dark * 0.35;
            let rgb = [0.16, 0.2, 0.08].map(|tint| tint * dark * 1.4 * lit.max(0.06) + pale * 0.12);
            texel = over(texel, rgb, cover);
        }
        texel
    })
});

/// Share of windows with a lamp behind them.
const LIT: f32 = 0.2;

/// A street of houses in the evening: fronts against the sky, with lamps behind some of their windows.
pub static HOUSES: LazyLock<Tile<4>> = LazyLock::new(|| strips(house));

/// A texel of the street, from the left end and up from its foot.
fn house(x: f32, y: f32) -> Texel {
    // Houses of three widths in turn, which fill the length of both strips.
    const WIDE: [f32; 4] = [104.0, 150.0, 120.0, 138.0];
    const TOGETHER: f32 = 512.0;
    let (mut left, mut number) = ((x / TOGETHER).floor() * TOGETHER, (x / TOGETHER).floor() as i32 * 4);
    let mut wide = WIDE[0];
    while x >= left + wide {
        left += wide;
        number += 1;
        wide = WIDE[number.rem_euclid(4) as usize];
    }
    let key = |which: u32| random(number, 0, 1600 + which);
    let (across, half) = (x - left - 0.5 * wide, 0.5 * wide);
    let eaves = TALLEST * (0.56 + 0.2 * key(0));
    let top = eaves + roof(across, half, key(1));
    // Chimneys stand on the roof and reach below its edge.
    let stack = 0.55 * half * (if key(2) < 0.5 { -1.0 } else { 1.0 });
    let behind = eaves + roof(stack, half, key(1));
    let chimney = rect(across - stack, 9.0) * smooth((behind + 24.0 - y) * 0.6 + 0.5) * smooth((y - eaves) * 0.6 + 0.5);
    let cover = smooth((top - y) * 0.6 + 0.5).max(chimney);
    if cover <= 0.0 {
        return [0.0; 4];
    }
    let plaster = [[0.2, 0.165, 0.13], [0.17, 0.085, 0.06], [0.22, 0.21, 0.19], [0.15, 0.13, 0.12], [0.24, 0.2, 0.13]]
        [(key(3) * 5.0) as usize % 5];
    let stained = 1.0 + 0.25 * P.fractal([x, y], 128, 5, 0.6, 1620) + 0.12 * P.noise(x, 0.5, 16, 1630);
    // The street between the houses is darker at its foot.
    let open = 0.45 + 0.55 * smooth(y / eaves);
    let slates = 1.0 + 0.2 * P.noise(x, y * 3.0, 8, 1625);
    let mut rgb = if y > eaves {
        [0.055, 0.05, 0.055].map(|albedo| albedo * slates)
    } else {
        plaster.map(|albedo| albedo * stained * open)
    };
    // A cornice under the roof and a band above the shops.
    let storey = 66.0 + 12.0 * key(4);
    let band = rect(y - eaves + 7.0, 7.0).max(rect(y - storey * 1.08, 5.0));
    rgb = rgb.map(|part| part * (1.0 + 0.5 * band));
    let columns = (wide / (34.0 + 8.0 * key(5))).floor();
    let pitch = wide / columns;
    let (column, floor) = (((across + half) / pitch).floor(), (y / storey).floor());
    let (u, v) = (((across + half) / pitch - column - 0.5) * pitch, (y / storey - floor) * storey);
    let shown = random(number * 31 + column as i32, floor as i32, 1640);
    if floor >= 1.0 && (floor + 0.95) * storey < eaves - 12.0 {
        let glass = rect(u, 0.27 * pitch) * rect(v - 0.54 * storey, 0.3 * storey);
        let frame = rect(u, 0.35 * pitch) * rect(v - 0.53 * storey, 0.36 * storey);
        let bars = rect(u, 1.3).max(rect(v - 0.66 * storey, 1.5));
        rgb = rgb.map(|part| part * (1.0 + 0.7 * frame));
        // Curtains at the sides of a lamp's light; else the sky of the other side of the street.
        let curtain = 0.45 + 0.55 * rect(u, 0.15 * pitch);
        let lamp = if shown > 1.0 - LIT { (0.4 + 1.2 * key(6)) * curtain * (0.6 + 0.4 * v / storey) } else { 0.0 };
        let sky = 0.03 + 0.09 * shown * v / storey;
        let light = [sky + 1.5 * lamp, sky + 0.86 * lamp, 1.15 * sky + 0.36 * lamp];
        for (part, light) in rgb.iter_mut().zip(light) {
            *part += (light - *part) * glass * (1.0 - 0.8 * bars);
        }
    } else if floor < 1.0 {
        // Shop windows.
        let glass = rect(u, 0.4 * pitch) * rect(v - 0.48 * storey, 0.32 * storey);
        let lamp = if key(7) > 0.55 { 0.55 + 0.5 * shown } else { 0.04 };
        let goods = 0.7 + 0.3 * P.noise(x, y, 8, 1650);
        for (part, tint) in rgb.iter_mut().zip([1.5, 1.05, 0.6]) {
            *part += (tint * lamp * goods - *part) * glass;
        }
    }
    over([0.0; 4], rgb, cover)
}

/// Height of a roof above the eaves, texels: a gable to the street, a roof along it, or a flat one.
fn roof(across: f32, half: f32, kind: f32) -> f32 {
    let beside = (half - across.abs()).max(0.0);
    if kind < 0.35 {
        beside * 1.15
    } else if kind < 0.8 {
        (beside * 3.0).min(44.0)
    } else {
        7.0
    }
}

/// 1 within `half` of 0, and 0 beyond, with an edge of a texel.
fn rect(from: f32, half: f32) -> f32 {
    smooth(half - from.abs() + 0.5)
}
