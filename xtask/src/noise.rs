//! Noise for painted plates, the same on every machine.

/// 0 below 0, 1 above 1, and a smooth step between.
pub fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Five octaves of value noise, about −1 to 1.
pub fn fbm(x: f32, y: f32, seed: i32) -> f32 {
    (0..5).map(|octave| noise(x, y, octave, seed) * 0.5f32.powi(octave)).sum::<f32>() / 1.5
}

/// Noise with crests, 0 to 1.
pub fn ridged(x: f32, y: f32) -> f32 {
    (0..5).map(|octave| (1.0 - noise(x, y, octave, 3).abs()).powi(2) * 0.5f32.powi(octave)).sum::<f32>() / 1.94
}

fn noise(x: f32, y: f32, octave: i32, seed: i32) -> f32 {
    let scale = 2f32.powi(octave);
    // Each octave is rotated, so that their grids are not aligned.
    let (sin, cos) = (octave as f32 * 0.7 + 0.3).sin_cos();
    let (x, y) = ((x * cos - y * sin) * scale, (x * sin + y * cos) * scale);
    let (i, j) = (x.floor() as i32, y.floor() as i32);
    let (s, t) = (smooth(x - x.floor()), smooth(y - y.floor()));
    let corner = |di: i32, dj: i32| hash(i + di, j + dj, seed * 31 + octave);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(mix(corner(0, 0), corner(1, 0), s), mix(corner(0, 1), corner(1, 1), s), t)
}

/// A number from −1 to 1 that depends on its three arguments alone.
pub fn hash(i: i32, j: i32, seed: i32) -> f32 {
    let mut h = (i as u32).wrapping_mul(0x85eb_ca6b)
        ^ (j as u32).wrapping_mul(0xc2b2_ae35)
        ^ (seed as u32).wrapping_mul(0x27d4_eb2f);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^= h >> 15;
    (h >> 8) as f32 / (1 << 23) as f32 - 1.0
}
