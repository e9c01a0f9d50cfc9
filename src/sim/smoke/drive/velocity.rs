//! The Velocity input: pictures of motion, from cells to faces.

use super::patch::{Area, drawn, rows};
use super::stage::{FACES, FASTEST, Kind, Stage, number};
use super::{Drive, Push};
use crate::sim::smoke::Settings;
use crate::sim::smoke::inputs::Pixels;
use crate::sim::smoke::settings::VelocityMode;

/// A cell's velocity, cells per frame, and whether there is one: 0 where the picture is 0 or bad.
type Motion = ([f32; 2], f32);

/// Velocities of a picture in red and green, pixels per frame times `scale`, and the number of pixels that are bad: no
/// numbers, or faster than anything.
pub(super) fn motions(stage: &Stage<'_>, pixels: &Pixels, scale: f64) -> (Vec<Motion>, u64) {
    let scale = number(scale, FASTEST);
    let mut cells = vec![([0.0; 2], 0.0); stage.width * stage.height];
    rows(stage.workers, &mut cells, stage.width, |y, out| {
        for (x, out) in out.iter_mut().enumerate() {
            let Some(pixel) = pixels.get(y * stage.width + x) else { continue };
            let velocity = [pixel[0], pixel[1]].map(|v| f64::from(v) * scale);
            // NaN is not within either. Bad ones are told by a presence below 0 until they are counted.
            *out = match velocity {
                [0.0, 0.0] => ([0.0; 2], 0.0),
                v if v.iter().all(|v| v.abs() <= FASTEST) => (v.map(|v| (v * stage.scale) as f32), 1.0),
                _ => ([0.0; 2], -1.0),
            };
        }
    });
    let mut bad = 0;
    for cell in cells.iter_mut().filter(|cell| cell.1 < 0.0) {
        cell.1 = 0.0;
        bad += 1;
    }
    (cells, bad)
}

/// Draws the Velocity input into `drive`.
///
/// Set: a face takes on the mean of its cells' velocities, each by its weight: the mask's, and none where the picture is 0;
/// the share of the way is the mean weight. Add: the mean of what its cells get.
pub(super) fn draw(drive: &mut Drive, stage: &Stage<'_>, settings: &Settings, pixels: &Pixels) {
    let (cells, bad) = motions(stage, pixels, settings.velocity_scale);
    drive.bad_pixels.velocity = bad;
    for (axis, kind) in FACES.into_iter().enumerate() {
        let both = |x: usize, y: usize| {
            stage.beside(kind, x, y).map(|cell| {
                let (velocity, there) = cells[cell];
                (f64::from(velocity[axis]), f64::from(there) * stage.masked(cell))
            })
        };
        let area = Area::whole(stage, kind);
        let push = match settings.velocity_mode {
            VelocityMode::Set => drawn(stage, &area, |x, y| {
                let [(v, a), (w, b)] = both(x, y);
                if a + b > 0.0 {
                    [((v * a + w * b) / (a + b)) as f32, stage.over_time(f64::midpoint(a, b)) as f32]
                } else {
                    [0.0; 2]
                }
            })
            .map(Push::Steer),
            VelocityMode::Add => drawn(stage, &area, |x, y| {
                let [(v, a), (w, b)] = both(x, y);
                (f64::midpoint(v * a, w * b) * stage.time) as f32
            })
            .map(Push::Add),
        };
        drive.pushes(kind).extend(push);
    }
}

impl Drive {
    /// What is done to the velocity through one kind of faces.
    pub(super) fn pushes(&mut self, kind: Kind) -> &mut Vec<Push> {
        if kind == Kind::V { &mut self.v } else { &mut self.u }
    }
}
