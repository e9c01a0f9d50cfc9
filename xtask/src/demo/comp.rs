//! The demo's own comp: the water over its terrain, lit. A compositor builds
//! the like from the output Water; the plug-in's own shading is not used.

use super::scene;
use crate::noise;
use crate::picture::Picture;

/// Pixels of relief per unit of height, at a frame 540 pixels high.
const RELIEF: f32 = 95.0;
/// Direction of the sun: right, up, out of the picture.
const SUN: [f32; 3] = [-0.52, 0.48, 0.706];

/// The dry ground as a picture, made once, with intermediate results that each frame needs.
pub struct Ground {
    height: Vec<f32>,
    dry: Picture,
    /// Visible fraction of the sun at a pixel.
    sunlit: Vec<f32>,
    solid: Vec<bool>,
    relief: f32,
}

impl Ground {
    /// Colours and lights the terrain; `solid` has alpha 1 at the piers.
    pub fn new(terrain: &Picture, piers: &Picture) -> Self {
        let (width, rows) = (terrain.width, terrain.height);
        let relief = RELIEF * rows as f32 / 540.0;
        let places = || (0..rows).flat_map(|y| (0..width).map(move |x| (x, y)));
        let solid: Vec<bool> = places().map(|(x, y)| piers.at(x, y)[3] > 0.5).collect();
        // The piers rise out of the water.
        let height: Vec<f32> =
            places().map(|(x, y)| terrain.at(x, y)[0] + if solid[y * width + x] { 0.35 } else { 0.0 }).collect();
        let sunlit: Vec<f32> = places().map(|(x, y)| sunlit(&height, width, rows, x, y, relief)).collect();
        let dry = Picture::from_fn(width, rows, |x, y| {
            let i = y * width + x;
            let n = normal(|x, y| height[y * width + x], width, rows, x, y, relief);
            let (u, v) = (x as f32 / rows as f32, 1.0 - y as f32 / rows as f32);
            let grain = 1.0 + 0.16 * noise::fbm(u * 60.0, v * 60.0, 9);
            let mottle = noise::fbm(u * 8.0, v * 8.0, 4);
            let steep = ((1.0 - n[2]) * 3.2 + 0.25 * mottle).clamp(0.0, 1.0);
            let high = ((height[i] - 0.75 + 0.2 * mottle) * 1.6).clamp(0.0, 1.0);
            let grass = mix([0.085, 0.12, 0.035], [0.19, 0.165, 0.08], high);
            let earth = mix(grass, [0.2, 0.165, 0.125], steep);
            let gravel = scene::gravel(u, v, width as f32 / rows as f32);
            let earth = mix(earth, mix([0.24, 0.2, 0.14], [0.15, 0.13, 0.11], steep), gravel);
            let albedo = if solid[i] { [0.12, 0.11, 0.1] } else { earth }.map(|channel| channel * grain);
            let sun = dot(n, SUN).max(0.0) * sunlit[i];
            let sky = 0.5 + 0.5 * n[2];
            let lit = std::array::from_fn::<f32, 3, _>(|c| {
                albedo[c] * (sun * [2.9, 2.65, 2.25][c] + sky * [0.32, 0.4, 0.55][c])
            });
            [lit[0], lit[1], lit[2], 1.0]
        });
        Self { height, dry, sunlit, solid, relief }
    }

    /// The ground without water.
    pub fn dry(&self) -> &Picture {
        &self.dry
    }

    /// The water, colour in red, green and blue and height in alpha, over the ground.
    pub fn with_water(&self, water: &Picture) -> Picture {
        let (width, rows) = (water.width, water.height);
        // Some smoothing avoids flicker of the thin film at the shore in the normals.
        let film = |x: usize, y: usize| water.at(x, y)[3];
        let surface: Vec<f32> = (0..rows)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| self.height[y * width + x] + film(x, y))
            .collect();
        Picture::from_fn(width, rows, |x, y| {
            let i = y * width + x;
            let pixel = water.at(x, y);
            let depth = pixel[3];
            if depth < 2e-3 || self.solid[i] {
                return self.dry.at(x, y);
            }
            // The water's surface does not climb the piers.
            let level = |x: usize, y: usize| surface[if self.solid[y * width + x] { i } else { y * width + x }];
            let n = normal(level, width, rows, x, y, self.relief);
            // The bed is refracted by the slope of the surface.
            let bend = 0.6 * self.relief * depth.min(0.3);
            let seen = |at: usize, shift: f32, end: usize| ((at as f32 + shift).round().max(0.0) as usize).min(end - 1);
            let below = self.dry.at(seen(x, -n[0] * bend, width), seen(y, n[1] * bend, rows));
            let around = |dx: isize, dy: isize| {
                level(x.saturating_add_signed(dx).min(width - 1), y.saturating_add_signed(dy).min(rows - 1))
            };
            let hollow = around(-2, 0) + around(2, 0) + around(0, -2) + around(0, 2) - 4.0 * surface[i];
            let focus = (1.0 - hollow * self.relief * 0.22 * depth.min(0.2) / 0.2).clamp(0.75, 1.7);
            let strongest = pixel[..3].iter().fold(1e-3f32, |most, channel| most.max(*channel));
            let sun = dot(n, SUN).max(0.0) * self.sunlit[i];
            let body = 0.45 + 1.5 * sun;
            let out = std::array::from_fn::<f32, 3, _>(|c| {
                let hue = (pixel[c] / strongest).clamp(0.0, 1.0);
                let through = (-depth * (4.0 + 16.0 * (1.0 - hue))).exp();
                below[c] * 0.9 * focus * through + pixel[c] * body * (1.0 - (-depth * 11.0).exp())
            });
            let half = unit([SUN[0], SUN[1], SUN[2] + 1.0]);
            let glint = dot(n, half).max(0.0).powi(180) * self.sunlit[i] * 1.6;
            let mirror = (0.03 + 0.97 * (1.0 - n[2].max(0.0)).powi(5)).min(1.0) + 0.22 * (1.0 - n[2]);
            let strength = (depth / 0.02).min(1.0);
            let out = std::array::from_fn::<f32, 3, _>(|c| out[c] + strength * (mirror * [0.5, 0.65, 0.85][c] + glint));
            [out[0], out[1], out[2], 1.0]
        })
    }
}

/// The normal of a height field, by central differences; y points up.
fn normal(at: impl Fn(usize, usize) -> f32, width: usize, rows: usize, x: usize, y: usize, relief: f32) -> [f32; 3] {
    let east = at((x + 1).min(width - 1), y) - at(x.saturating_sub(1), y);
    let north = at(x, y.saturating_sub(1)) - at(x, (y + 1).min(rows - 1));
    unit([-east * relief * 0.5, -north * relief * 0.5, 1.0])
}

/// Visible fraction of the sun's disc over the ground.
fn sunlit(height: &[f32], width: usize, rows: usize, x: usize, y: usize, relief: f32) -> f32 {
    let flat = SUN[0].hypot(SUN[1]);
    let rise = SUN[2] / flat;
    let mut open = 1.0f32;
    for step in 1..48 {
        let far = step as f32 * 1.5;
        let (sx, sy) = (x as f32 + SUN[0] / flat * far, y as f32 - SUN[1] / flat * far);
        if sx < 0.0 || sy < 0.0 || sx >= width as f32 || sy >= rows as f32 {
            break;
        }
        let over = (height[sy as usize * width + sx as usize] - height[y * width + x]) * relief - far * rise;
        open = open.min(1.0 - (over / (0.15 * far + 1.0)).clamp(0.0, 1.0));
    }
    0.12 + 0.88 * open
}

fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * t)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    v.map(|component| component / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dry_ground_shows_through_where_there_is_no_water() {
        let terrain = Picture::from_fn(24, 16, |x, y| [(x + y) as f32 * 0.01, 0.0, 0.0, 1.0]);
        let ground = Ground::new(&terrain, &Picture::from_fn(24, 16, |_, _| [0.0; 4]));
        let water = Picture::from_fn(24, 16, |x, _| [0.0, 0.2, 0.5, if x < 12 { 0.0 } else { 0.2 }]);
        let out = ground.with_water(&water);
        assert_eq!(out.at(4, 8), ground.dry.at(4, 8));
        assert_ne!(out.at(18, 8), ground.dry.at(18, 8));
        assert!(out.at(18, 8)[2] > out.at(18, 8)[0]);
    }

    #[test]
    fn a_wall_throws_a_shadow_away_from_the_sun() {
        let height: Vec<f32> = (0..32 * 32).map(|i| if i % 32 == 16 { 1.0 } else { 0.0 }).collect();
        assert!(sunlit(&height, 32, 32, 20, 20, 40.0) < 0.5);
        assert_eq!(sunlit(&height, 32, 32, 12, 20, 40.0), 1.0);
    }
}
