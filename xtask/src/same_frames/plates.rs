//! The inputs of the compared renders: a moving source, ground, a velocity picture and moving obstacles.

use std::path::Path;

use anyhow::Result;

use crate::command;
use crate::picture::Picture;

/// Writes the inputs of each size into a folder, as `WxH.NAME`; sequences have as many frames as are rendered.
pub fn write(folder: &Path, sizes: &[[usize; 2]], frames: u32) -> Result<()> {
    command::make_folder(folder)?;
    for &[width, height] in sizes {
        // Positions from 0 to 1 across and down the picture.
        let paint = |name: &str, pixel: &dyn Fn(f32, f32) -> [f32; 4]| {
            let place = |at: usize, size: usize| (at as f32 + 0.5) / size as f32;
            let picture = Picture::from_fn(width, height, |x, y| pixel(place(x, width), place(y, height)));
            picture.write_exr(&folder.join(format!("{width}x{height}.{name}")))
        };
        paint("terrain.exr", &|u, v| {
            let ground = 0.15 + (v - 0.5 - 0.2 * (u * 6.0).sin()).abs() + 0.05 * (u * 31.0).sin() * (v * 23.0).cos();
            [ground, ground * 0.8, ground * 0.6, 1.0]
        })?;
        paint("velocity.exr", &|u, v| [3.0 * (v * 9.0).sin(), 2.0 * (u * 7.0).cos(), 0.0, 1.0])?;
        for frame in 1..=frames {
            let time = frame as f32 - 1.0;
            let disc = |u: f32, v: f32, [x, y]: [f32; 2], radius: f32| {
                ((radius - (u - x).hypot(v - y)) * height as f32 + 0.5).clamp(0.0, 1.0)
            };
            paint(&format!("source.{frame:04}.exr"), &|u, v| {
                let alpha = disc(u, v, [0.3 + 0.02 * time, 0.6], 0.2);
                [0.9 * alpha, 0.3 * alpha, 0.1 * alpha, alpha]
            })?;
            paint(&format!("obstacles.{frame:04}.exr"), &|u, v| {
                let solid = disc(u, v, [0.65 - 0.01 * time, 0.45], 0.12).max(disc(u, v, [0.2, 0.2], 0.08)).round();
                [solid; 4]
            })?;
        }
    }
    Ok(())
}
