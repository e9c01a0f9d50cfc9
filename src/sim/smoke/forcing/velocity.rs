//! The Velocity input, from cells to faces.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Forcing;
use super::patch::{CellRange, for_each_row, rasterise_patch};
use super::raster::{FACES, Raster, SPEED_MAX};
use crate::sim::maths::bounded;
use crate::sim::request;
use crate::sim::smoke::Settings;
use crate::sim::smoke::inputs::Pixels;
use crate::sim::smoke::settings::VelocityMode;

/// Velocities of a picture (red and green, pixels per frame) times `scale`. For each cell: both components in cells per
/// simulated frame, and a weight of 1; all 0 where the picture is 0 or bad. `in_shot`: the picture's velocities are per
/// frame of the shot, else per simulated frame. Also returns the number of bad pixels: not finite, or faster than
/// [`SPEED_MAX`].
pub(super) fn cell_velocities(raster: &Raster<'_>, pixels: &Pixels, scale: f64, in_shot: bool) -> (Vec<[f32; 3]>, u64) {
    let scale = bounded(scale, SPEED_MAX);
    let bad = AtomicU64::new(0);
    let mut cells: Vec<[f32; 3]> = request::zeros(raster.width * raster.height);
    for_each_row(raster.workers, &mut cells, raster.width, |y, row| {
        for (x, out) in row.iter_mut().enumerate() {
            let Some(pixel) = pixels.get(y * raster.width + x) else { continue };
            let velocity = [pixel[0], pixel[1]].map(|v| f64::from(v) * scale);
            // True for NaN.
            if !velocity.iter().all(|v| v.abs() <= SPEED_MAX) {
                bad.fetch_add(1, Ordering::Relaxed);
            } else if velocity != [0.0; 2] {
                let simulated = |v: f64| if in_shot { bounded(raster.simulated(v), SPEED_MAX) } else { v };
                let [u, v] = velocity.map(|v| (simulated(v) * raster.scale) as f32);
                *out = [u, v, 1.0];
            }
        }
    });
    (cells, bad.into_inner())
}

/// Rasterises the Velocity input.
///
/// Set: a face is steered to the mean velocity of its two cells, weighted by the mask, without cells where the picture
/// is 0; the relaxation is the mean weight. Velocities are per frame of the shot, so that air moves with the picture at
/// any time scale. Add: the mean of the amounts of its two cells is added to a face.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, settings: &Settings, pixels: &Pixels) {
    let steers = settings.velocity_mode == VelocityMode::Set;
    let (cells, bad) = cell_velocities(raster, pixels, settings.velocity_scale, steers);
    forcing.bad_pixels.velocity = bad;
    for (axis, staggering) in FACES.into_iter().enumerate() {
        let both = |x: usize, y: usize| {
            raster.adjacent_cells(staggering, x, y).map(|cell| {
                let velocity = cells[cell];
                (f64::from(velocity[axis]), f64::from(velocity[2]) * raster.mask_at(cell))
            })
        };
        let area = CellRange::all(raster, staggering);
        match settings.velocity_mode {
            VelocityMode::Set => forcing.steer(
                staggering,
                rasterise_patch(raster, &area, |x, y| {
                    let [(v, a), (w, b)] = both(x, y);
                    if a + b > 0.0 {
                        [((v * a + w * b) / (a + b)) as f32, raster.over_time(f64::midpoint(a, b)) as f32]
                    } else {
                        [0.0; 2]
                    }
                }),
            ),
            VelocityMode::Add => forcing.add(
                staggering,
                rasterise_patch(raster, &area, |x, y| {
                    let [(v, a), (w, b)] = both(x, y);
                    (f64::midpoint(v * a, w * b) * raster.time) as f32
                }),
            ),
        }
    }
}
