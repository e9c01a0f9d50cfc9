//! The Velocity input: pictures of motion, from cells to faces.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Forcing;
use super::patch::{Area, drawn, rows};
use super::stage::{FACES, FASTEST, Stage, number};
use crate::sim::request;
use crate::sim::smoke::Settings;
use crate::sim::smoke::inputs::Pixels;
use crate::sim::smoke::settings::VelocityMode;

/// Velocities of a picture in red and green, pixels per frame times `scale`: per cell, cells per frame and whether there is
/// one, 1 or 0: not where the picture is 0 or bad. Where they are `seen`, frames are those of the shot, else simulated ones.
/// And the number of pixels that are bad: no numbers, or faster than anything.
pub(super) fn motions(stage: &Stage<'_>, pixels: &Pixels, scale: f64, seen: bool) -> (Vec<[f32; 3]>, u64) {
    let scale = number(scale, FASTEST);
    let bad = AtomicU64::new(0);
    let mut cells: Vec<[f32; 3]> = request::zeros(stage.width * stage.height);
    rows(stage.workers, &mut cells, stage.width, |y, row| {
        for (x, out) in row.iter_mut().enumerate() {
            let Some(pixel) = pixels.get(y * stage.width + x) else { continue };
            let velocity = [pixel[0], pixel[1]].map(|v| f64::from(v) * scale);
            // NaN is not within either.
            if !velocity.iter().all(|v| v.abs() <= FASTEST) {
                bad.fetch_add(1, Ordering::Relaxed);
            } else if velocity != [0.0; 2] {
                let simulated = |v: f64| if seen { number(stage.speed_seen(v), FASTEST) } else { v };
                let [u, v] = velocity.map(|v| (simulated(v) * stage.scale) as f32);
                *out = [u, v, 1.0];
            }
        }
    });
    (cells, bad.into_inner())
}

/// Draws the Velocity input into `forcing`.
///
/// Set: a face takes on the mean of its cells' velocities, each by its weight: the mask's, and none where the picture is 0;
/// the share of the way is the mean weight. The air goes along with what is seen then, whatever the time scale. Add: the
/// mean of what its cells get.
pub(super) fn draw(forcing: &mut Forcing, stage: &Stage<'_>, settings: &Settings, pixels: &Pixels) {
    let sets = settings.velocity_mode == VelocityMode::Set;
    let (cells, bad) = motions(stage, pixels, settings.velocity_scale, sets);
    forcing.bad_pixels.velocity = bad;
    for (axis, kind) in FACES.into_iter().enumerate() {
        let both = |x: usize, y: usize| {
            stage.beside(kind, x, y).map(|cell| {
                let motion = cells[cell];
                (f64::from(motion[axis]), f64::from(motion[2]) * stage.masked(cell))
            })
        };
        let area = Area::whole(stage, kind);
        match settings.velocity_mode {
            VelocityMode::Set => forcing.steer(
                kind,
                drawn(stage, &area, |x, y| {
                    let [(v, a), (w, b)] = both(x, y);
                    if a + b > 0.0 {
                        [((v * a + w * b) / (a + b)) as f32, stage.over_time(f64::midpoint(a, b)) as f32]
                    } else {
                        [0.0; 2]
                    }
                }),
            ),
            VelocityMode::Add => forcing.add(
                kind,
                drawn(stage, &area, |x, y| {
                    let [(v, a), (w, b)] = both(x, y);
                    (f64::midpoint(v * a, w * b) * stage.time) as f32
                }),
            ),
        }
    }
}
