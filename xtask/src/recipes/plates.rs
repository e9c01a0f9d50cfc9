//! The recipes' plates, painted by formulas: places that the fluids are comped into.
//!
//! Positions are fractions of the frame's height, y upwards; x goes from 0 to [`ASPECT`].

use super::SIZE;
use crate::noise::{fbm, hash, smooth};
use crate::picture::Picture;

/// Width of a plate, as a fraction of its height.
pub const ASPECT: f32 = SIZE.0 as f32 / SIZE.1 as f32;

/// Height of the horizon of the plates in perspective.
pub const HORIZON: f32 = 0.56;

/// Paints plates with this number of samples along each side of a pixel.
#[derive(Clone, Copy)]
pub struct Painter(pub usize);

impl Painter {
    /// A plate from its colour at a position.
    pub fn paint(self, colour: impl Fn(f32, f32) -> [f32; 4]) -> Picture {
        let part = 1.0 / self.0 as f32;
        let height = SIZE.1 as f32;
        Picture::from_fn(SIZE.0, SIZE.1, |x, y| {
            let mut sum = [0.0; 4];
            for sample in 0..self.0 * self.0 {
                let (i, j) = ((sample % self.0) as f32 + 0.5, (sample / self.0) as f32 + 0.5);
                let one = colour((x as f32 + i * part) / height, 1.0 - (y as f32 + j * part) / height);
                (0..4).for_each(|channel| sum[channel] += one[channel] * part * part);
            }
            sum
        })
    }

    /// A matte, the same value in all channels.
    pub fn matte(self, value: impl Fn(f32, f32) -> f32) -> Picture {
        self.paint(|u, v| [value(u, v); 4])
    }
}

/// A colour between two.
pub fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * t)
}

/// A colour times a factor.
pub fn scaled(colour: [f32; 3], factor: f32) -> [f32; 3] {
    colour.map(|channel| channel * factor)
}

/// An opaque colour.
pub fn opaque([r, g, b]: [f32; 3]) -> [f32; 4] {
    [r, g, b, 1.0]
}

/// Distance from a point to the line between two others.
pub fn to_line((x, y): (f32, f32), (ax, ay): (f32, f32), (bx, by): (f32, f32)) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-12)).clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

/// The ground position of a point below the horizon: across, and away from the camera.
fn ground(u: f32, v: f32) -> (f32, f32) {
    let away = 1.0 / (HORIZON - v).max(0.004);
    ((u - ASPECT * 0.5) * away, away)
}

/// A street at dusk that leads to a row of houses.
pub fn street(u: f32, v: f32) -> [f32; 4] {
    if v > HORIZON {
        return opaque(houses(u, v - HORIZON));
    }
    let (x, z) = ground(u, v);
    let fine = smooth(3.0 - z * 0.25);
    let grain = 1.0 + 0.35 * fine * fbm(x * 26.0, z * 26.0, 3) + 0.25 * fbm(x * 2.0, z * 2.0, 5);
    let edge = x.abs() - 1.25;
    let mut colour = scaled([0.058, 0.057, 0.06], grain);
    if edge > 0.0 {
        // A kerb, and slabs behind it.
        let slab = 0.82 + 0.18 * (hash((x * 3.0).floor() as i32, (z * 2.2).floor() as i32, 9));
        let joint = ((x * 3.0).fract().abs() - 0.5).abs().max(((z * 2.2).fract() - 0.5).abs());
        let dark = if joint > 0.47 && z < 7.0 { 0.6 } else { 1.0 };
        colour = scaled([0.115, 0.105, 0.095], grain * slab * dark);
        if edge < 0.09 {
            colour = scaled([0.2, 0.19, 0.18], grain);
        }
    } else if x.abs() < 0.045 && (z * 0.55).fract() < 0.55 {
        colour = scaled([0.42, 0.41, 0.38], 0.75 + 0.3 * fbm(x * 40.0, z * 12.0, 6));
    }
    // The light of the windows, and of the sky, on the ground.
    let warm = (-((z - 9.0) * 0.22).powi(2)).exp();
    let lit = mix([0.55, 0.62, 0.8], [1.5, 1.0, 0.6], 0.65 * warm);
    opaque(std::array::from_fn(|c| colour[c] * lit[c]))
}

/// A row of houses at the height `v` above their feet, before an evening sky.
fn houses(u: f32, v: f32) -> [f32; 3] {
    let (house, within) = ((u * 5.2 + 0.3).floor(), (u * 5.2 + 0.3).fract());
    let random = |n: i32| hash(house as i32, n, 17) * 0.5 + 0.5;
    let tall = 0.13 + 0.15 * random(1);
    let gable = if random(2) > 0.45 { 0.05 * (1.0 - (2.0 * within - 1.0).abs()) } else { 0.0 };
    if v > tall + gable {
        let t = (v / 0.44).clamp(0.0, 1.0);
        let cloud = smooth(0.5 + 1.5 * fbm(u * 1.6, v * 6.0, 31)) * (1.0 - 0.5 * t);
        let sky = mix(mix([0.95, 0.46, 0.2], [0.5, 0.36, 0.42], smooth(t * 2.2)), [0.07, 0.12, 0.27], smooth(t * 1.3));
        return mix(sky, [0.62, 0.34, 0.28], 0.45 * cloud);
    }
    let wall = mix([0.06, 0.05, 0.05], [0.085, 0.06, 0.045], random(3));
    if v > tall {
        return scaled(wall, 0.55);
    }
    let columns = 3.0 + (random(4) * 2.0).floor();
    let (column, row) = ((within * columns).floor(), (v * 22.0).floor());
    let (x, y) = ((within * columns).fract(), (v * 22.0).fract());
    let window = (0.28..0.74).contains(&x) && (0.25..0.8).contains(&y) && v > 0.02 && v < tall - 0.02;
    if window && hash(house as i32 * 31 + column as i32, row as i32, 23) > 0.1 {
        let tone = hash(column as i32 + 7 * house as i32, row as i32, 29) * 0.5 + 0.5;
        return scaled(mix([1.0, 0.58, 0.2], [0.95, 0.75, 0.45], tone), 0.6 + 0.9 * tone);
    }
    scaled(wall, if window { 0.4 } else { 1.0 + 0.2 * fbm(u * 60.0, v * 60.0, 8) })
}

/// The street upside down below the horizon, as its still water reflects it.
pub fn street_mirrored(u: f32, v: f32) -> [f32; 4] {
    opaque(houses(u, (HORIZON - v).abs()))
}

/// Height of the street: hollows in the road, and all above the water elsewhere.
pub fn street_height(u: f32, v: f32) -> [f32; 4] {
    if v > HORIZON - 0.02 {
        return opaque([1.0; 3]);
    }
    let (x, z) = ground(u, v);
    // Far away, where a pixel holds many hollows, the ground is flat and dry.
    let near = smooth((8.0 - z) / 4.0);
    let hollows = 0.5 + near * (0.6 * fbm(x * 0.9 + 4.0, z * 0.7 + 1.5, 12) + 0.05 * fbm(x * 6.0, z * 6.0, 13));
    let kerb = smooth((x.abs() - 1.1) / 0.15) + 1.0 - near;
    opaque([0.1 + 0.1 * hollows + 0.08 * kerb; 3])
}

/// Paving stones from straight above.
pub fn pavement(u: f32, v: f32) -> [f32; 4] {
    let (sin, cos) = 0.3f32.sin_cos();
    let (x, y) = ((u * cos - v * sin) * 7.0, (u * sin + v * cos) * 7.0);
    let row = y.floor();
    let x = x + 0.5 * (row as i32).rem_euclid(2) as f32;
    let (cx, cy) = (x.fract() - x.fract().floor(), y.fract() - y.fract().floor());
    let edge = (0.5 - (cx - 0.5).abs()).min(0.5 - (cy - 0.5).abs());
    let stone = hash(x.floor() as i32, row as i32, 41);
    let grain = 1.0 + 0.3 * fbm(u * 55.0, v * 55.0, 2) + 0.25 * fbm(u * 5.0, v * 5.0, 4);
    let colour = mix([0.3, 0.27, 0.23], [0.22, 0.23, 0.25], 0.5 + 0.5 * stone);
    let joint = smooth((edge - 0.015 - 0.02 * fbm(u * 30.0, v * 30.0, 6).abs()) / 0.05);
    opaque(scaled(mix([0.05, 0.05, 0.045], colour, joint), grain * (0.85 + 0.2 * stone)))
}

/// A town from the air: the block of a point, as its number and the position in it, where there is a house.
fn house(u: f32, v: f32) -> Option<(i32, i32, f32, f32)> {
    let (x, y) = (u / ASPECT * 5.0 + 0.62, v * 3.0 + 0.5);
    let (i, j) = (x.floor(), y.floor());
    let (cx, cy) = (x - i, y - j);
    let random = |n: i32| hash(i as i32, j as i32 * 7 + n, 51) * 0.5 + 0.5;
    let (left, right) = (0.2 + 0.05 * random(1), 0.86 - 0.05 * random(2));
    let (low, high) = (0.22 + 0.05 * random(3), 0.84 - 0.05 * random(4));
    // Some blocks are gardens.
    if random(5) < 0.16 || !(left..right).contains(&cx) || !(low..high).contains(&cy) {
        return None;
    }
    // A passage divides each block into two houses.
    let split = 0.42 + 0.2 * random(6);
    if (cx - split).abs() < 0.035 {
        return None;
    }
    let second = cx > split;
    let (from, to) = if second { (split + 0.035, right) } else { (left, split - 0.035) };
    Some((i as i32 * 2 + i32::from(second), j as i32, (cx - from) / (to - from), (cy - low) / (high - low)))
}

/// The matte of the town's houses.
pub fn town_houses(u: f32, v: f32) -> f32 {
    if house(u, v).is_some() { 1.0 } else { 0.0 }
}

/// The town from straight above, in flat light.
pub fn town(u: f32, v: f32) -> [f32; 4] {
    let grain = 1.0 + 0.22 * fbm(u * 45.0, v * 45.0, 61);
    if let Some((i, j, x, y)) = house(u, v) {
        // A roof with its ridge along the longer side, lit from the upper left.
        let tone = hash(i, j, 71) * 0.5 + 0.5;
        let roof = mix([0.32, 0.12, 0.07], [0.2, 0.17, 0.16], tone);
        let slope = if hash(i, j, 73) > 0.0 { y > 0.5 } else { x < 0.5 };
        let tiles = 0.9 + 0.1 * (v * 420.0).sin() * (u * 300.0).sin().signum();
        return opaque(scaled(roof, grain * tiles * if slope { 1.25 } else { 0.7 }));
    }
    // Shadows fall to the lower right.
    let shade = if house(u - 0.014, v + 0.014).is_some() { 0.55 } else { 1.0 };
    let (x, y) = (u / ASPECT * 5.0 + 0.62, v * 3.0 + 0.5);
    let (cx, cy) = (x - x.floor(), y - y.floor());
    let street = cx < 0.15 || cy < 0.16;
    let mut colour = if street { [0.12, 0.12, 0.125] } else { [0.15, 0.155, 0.1] };
    let (along, across) = if cy < 0.16 { (cx, cy) } else { (cy, cx) };
    if street && (across - 0.078).abs() < 0.006 && (along * 8.0).fract() < 0.5 {
        colour = [0.5, 0.5, 0.47];
    }
    let tree = (0..3).any(|n| {
        let place = |k: i32| 0.25 + 0.55 * (hash(x.floor() as i32 * 3 + n, y.floor() as i32 * 5 + k, 81) * 0.5 + 0.5);
        !street && (cx - place(1)).hypot((cy - place(2)) * 1.05) < 0.075
    });
    if tree {
        colour = scaled([0.05, 0.085, 0.03], 0.7 + 0.8 * (0.5 + 0.5 * fbm(u * 30.0, v * 30.0, 83)));
    }
    opaque(scaled(colour, grain * shade))
}

/// Height of the town's streets: a slope to the lower right, with kerbs.
pub fn town_height(u: f32, v: f32) -> [f32; 4] {
    let (x, y) = (u / ASPECT * 5.0 + 0.62, v * 3.0 + 0.5);
    let street = (x - x.floor()) < 0.15 || (y - y.floor()) < 0.16;
    let slope = 0.16 * (1.0 - u / ASPECT) + 0.05 * v;
    opaque([slope + if street { 0.0 } else { 0.02 } + 0.01 * fbm(u * 6.0, v * 6.0, 91); 3])
}

/// A clearing at night, with the logs of a fire in the middle.
pub fn clearing(u: f32, v: f32) -> [f32; 4] {
    let middle = ASPECT * 0.5;
    let trees = 0.33 + 0.1 * fbm(u * 3.0, 0.0, 101) + 0.22 * (0.5 + 0.5 * fbm(u * 9.0, 2.0, 103)).powi(2);
    let glow = (-((u - middle).powi(2) * 5.0 + (v - 0.12).powi(2) * 9.0)).exp();
    let colour = if v < 0.17 + 0.012 * fbm(u * 8.0, 0.0, 105) {
        let grain = 1.0 + 0.6 * fbm(u * 40.0, v * 90.0, 107);
        mix(scaled([0.008, 0.008, 0.009], grain), scaled([0.21, 0.09, 0.03], grain), glow)
    } else if v < trees + 0.1 {
        let needles = 0.6 + 0.5 * fbm(u * 26.0, v * 14.0, 109);
        mix([0.0035, 0.0045, 0.006], scaled([0.075, 0.034, 0.012], needles), glow * 0.8)
    } else {
        let star = hash((u * 400.0) as i32, (v * 400.0) as i32, 111) > 0.9965;
        let sky = mix([0.012, 0.018, 0.034], [0.003, 0.005, 0.014], v);
        if star { [0.25, 0.27, 0.3] } else { sky }
    };
    opaque(log_at(u, v).map_or(colour, |shade| mix([0.01, 0.007, 0.006], [0.3, 0.1, 0.03], shade)))
}

/// Brightness of the fire's logs, where there is one.
fn log_at(u: f32, v: f32) -> Option<f32> {
    const LOGS: [[f32; 4]; 4] =
        [[-0.17, 0.085, 0.13, 0.115], [-0.13, 0.12, 0.17, 0.08], [-0.06, 0.06, 0.05, 0.15], [0.07, 0.06, -0.05, 0.15]];
    let x = u - ASPECT * 0.5;
    let nearest = LOGS.iter().map(|&[ax, ay, bx, by]| to_line((x, v), (ax, ay), (bx, by))).fold(1.0, f32::min);
    let bark = 0.5 + 0.5 * fbm(u * 60.0, v * 60.0, 113);
    (nearest < 0.021).then(|| (bark * (1.0 - (x.abs() / 0.19).powi(2)) * (nearest / 0.021)).clamp(0.0, 1.0) * 0.8)
}

/// A desert road to the horizon, with poles and mountains.
pub fn desert(u: f32, v: f32) -> [f32; 4] {
    let horizon = 0.46;
    let middle = ASPECT * 0.5;
    let pole = |at: f32, tall: f32| {
        let bar = (v - horizon - tall * 0.86).abs() < 0.006 * tall / 0.3 && (u - at).abs() < tall * 0.14;
        ((u - at).abs() < 0.013 * tall && v > horizon - 0.1 * tall && v < horizon + tall) || bar
    };
    if [(0.16, 0.4), (0.47, 0.2), (0.62, 0.115), (0.7, 0.07), (0.745, 0.045)].iter().any(|&(at, tall)| pole(at, tall)) {
        return opaque([0.045, 0.035, 0.03]);
    }
    if v > horizon {
        let hills = 0.035 + 0.075 * (0.5 + 0.5 * fbm(u * 2.4, 0.0, 121)) * smooth((u - 0.3).abs() * 2.0);
        let sky = mix([0.86, 0.74, 0.56], [0.16, 0.34, 0.66], smooth((v - horizon) / 0.42));
        let rock = mix([0.3, 0.2, 0.2], [0.42, 0.29, 0.24], 0.5 + 0.5 * fbm(u * 14.0, v * 30.0, 123));
        return opaque(if v - horizon < hills { mix(rock, sky, 0.35) } else { sky });
    }
    let away = 1.0 / (horizon - v).max(0.002);
    let x = (u - middle) * away;
    let fade = smooth(away / 90.0);
    let grain = 1.0 + 0.3 * (1.0 - fade) * fbm(x * 14.0, away * 14.0, 125) + 0.12 * fbm(x * 2.0, away, 127);
    let sand = scaled([0.52, 0.36, 0.2], grain);
    let edge = x.abs();
    let colour = if edge < 0.06 && (away * 0.35).fract() < 0.5 {
        [0.75, 0.6, 0.2]
    } else if (1.32..1.42).contains(&edge) {
        [0.66, 0.64, 0.6]
    } else if edge < 1.5 {
        scaled([0.085, 0.083, 0.085], grain)
    } else {
        sand
    };
    opaque(mix(colour, [0.72, 0.6, 0.46], 0.7 * fade))
}

/// A bank of smoke along the left edge, as a matte.
pub fn bank(u: f32, v: f32) -> f32 {
    let high = smooth((0.7 + 0.2 * fbm(1.0, v * 4.0, 191) - v) / 0.4);
    let streaks = 0.35 + 0.9 * fbm(2.0, v * 9.0, 193).max(0.0);
    smooth((0.1 - u) / 0.09) * high * streaks
}

/// Old paper.
pub fn paper(u: f32, v: f32) -> [f32; 4] {
    let fibres = 1.0 + 0.035 * fbm(u * 90.0, v * 30.0, 131) + 0.05 * fbm(u * 3.0, v * 3.0, 133);
    let edge = (u.min(ASPECT - u).min(v).min(1.0 - v) / 0.22).clamp(0.0, 1.0);
    opaque(scaled(mix([0.56, 0.5, 0.4], [0.83, 0.79, 0.7], smooth(edge)), fibres))
}

/// A forest in winter, out of focus.
pub fn winter(u: f32, v: f32) -> [f32; 4] {
    let sky = mix([0.38, 0.42, 0.48], [0.2, 0.24, 0.3], smooth((v - 0.3) / 0.7));
    let mut colour = sky;
    for (layer, depth) in [(0, 0.2f32), (1, 0.45), (2, 0.8)] {
        let trunks = 5.0 + 4.0 * (2 - layer) as f32;
        let x = u * trunks + 0.37 * layer as f32;
        let at = x.floor() + 0.5 + 0.34 * hash(x.floor() as i32, layer, 141);
        let wide = (0.05 + 0.05 * (hash(x.floor() as i32, layer, 143) * 0.5 + 0.5)) * (1.0 + 0.6 * depth);
        let cover = smooth((wide - (x - at).abs()) / (0.05 - 0.02 * depth));
        let bark = scaled([0.1, 0.095, 0.095], 0.8 + 0.35 * fbm(u * 20.0, v * 4.0, 145));
        colour = mix(colour, mix(sky, bark, 0.25 + 0.7 * depth), cover);
    }
    let snow = 0.2 + 0.03 * fbm(u * 2.5, 0.0, 147);
    let ground = scaled([0.5, 0.55, 0.64], 0.9 + 0.12 * fbm(u * 7.0, v * 22.0, 149));
    opaque(mix(colour, ground, smooth((snow - v) / 0.03)))
}

/// A dark stage for a logo.
pub fn stage(u: f32, v: f32) -> [f32; 4] {
    let light = (-((u - ASPECT * 0.5).powi(2) + (v - 0.55).powi(2)) * 2.6).exp();
    let grain = 1.0 + 0.05 * fbm(u * 8.0, v * 8.0, 151);
    opaque(scaled(mix([0.006, 0.008, 0.014], [0.055, 0.065, 0.095], light), grain))
}

/// Strokes of the title, letter by letter, each from one point to another in a box that is one high.
const LETTERS: [&[[f32; 4]]; 3] = [
    &[[0.0, 0.0, 0.0, 1.0]],
    &[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.68, 0.0], [0.68, 0.0, 0.68, 1.0]],
    &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.4, 0.62, 1.0], [0.17, 0.52, 0.66, 0.0]],
];

/// The matte of the title INK.
pub fn title(u: f32, v: f32) -> f32 {
    const STARTS: [f32; 3] = [0.0, 0.62, 1.92];
    let size = 0.36;
    let (x, y) = ((u - ASPECT * 0.5) / size + 1.29, (v - 0.37) / size);
    let strokes =
        LETTERS.iter().zip(STARTS).flat_map(|(letter, start)| letter.iter().map(move |stroke| (stroke, start)));
    let nearest = strokes.map(|(&[ax, ay, bx, by], start)| to_line((x - start, y), (ax, ay), (bx, by)));
    if nearest.fold(f32::INFINITY, f32::min) < 0.1 { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plates_show_light_and_no_invalid_values() {
        let plates: [fn(f32, f32) -> [f32; 4]; 9] =
            [street, street_mirrored, pavement, town, clearing, desert, paper, winter, stage];
        for (number, plate) in plates.iter().enumerate() {
            let values: Vec<f32> =
                (0..900).flat_map(|i| plate((i % 36) as f32 / 36.0 * ASPECT, (i / 36) as f32 / 25.0)).collect();
            assert!(values.iter().all(|value| (0.0..4.0).contains(value)), "plate {number}");
            let mean = values.iter().sum::<f32>() / values.len() as f32;
            assert!((0.25..0.95).contains(&mean), "plate {number}: {mean}");
        }
    }

    #[test]
    fn houses_stand_between_streets() {
        let share = |from: usize, matte: &dyn Fn(f32, f32) -> f32| {
            (0..from).map(|i| matte((i % 90) as f32 / 90.0 * ASPECT, (i / 90) as f32 / 50.0)).sum::<f32>() / from as f32
        };
        assert!((0.2..0.6).contains(&share(4500, &town_houses)));
        assert!((0.05..0.3).contains(&share(4500, &title)));
    }
}
