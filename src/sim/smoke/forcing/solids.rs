//! What is solid, and how it moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::BadPixels;
use super::GridMotion;
use super::grid_motion::cells_between;
use super::registration;
use super::components::{Motions, Parts};
use super::patch::rows;
use super::raster::{FACES, FASTEST, Raster};
use super::velocity::motions;
use crate::sim::fluid::Staggering;
use crate::sim::maths::clamp;
use crate::sim::request;
use crate::sim::smoke::state::Solids;
use crate::sim::smoke::{Inputs, Settings, State};

/// The solid cells (alpha above 0.5) and the velocities of their faces; `None` where nothing is solid. And the cells of
/// `before` that were of a part which is still there; `None` where the matte is the same.
///
/// They move as ObstacleVelocity says or, without it, as the matte has changed since `before`: each connected part by its
/// own translation, or, where it turns, grows or bends, each place of its outline across it. A face between two solid cells
/// has the mean of both.
pub(super) fn draw(
    bad: &mut BadPixels,
    raster: &Raster<'_>,
    settings: &Settings,
    inputs: &Inputs,
    grid_motion: &GridMotion,
    before: Option<&State>,
) -> (Option<Arc<Solids>>, Option<Vec<bool>>) {
    let Some(pixels) = &inputs.obstacles else { return (None, None) };
    let odd = AtomicU64::new(0);
    let mut solid: Vec<bool> = request::zeros(raster.width * raster.height);
    rows(raster.workers, &mut solid, raster.width, |y, row| {
        for (x, solid) in row.iter_mut().enumerate() {
            let alpha = pixels.get(y * raster.width + x).map_or(0.0, |p| p[3]);
            *solid = alpha.is_finite() && alpha > 0.5;
            if !alpha.is_finite() {
                odd.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    bad.obstacles = odd.into_inner();
    let push = clamp(settings.obstacle_push, 0.0, 1e3);
    let change = before.and_then(|state| Change::new(raster, &solid, grid_motion, state));
    let velocities = match &inputs.obstacle_velocity {
        Some(pixels) => {
            let (motions, count) = motions(raster, pixels, 1.0, true);
            bad.obstacle_velocity = count;
            motions.iter().any(|m| m[2] > 0.0).then(|| request::collected(motions.iter().map(|[u, v, _]| [*u, *v])))
        }
        None => change.as_ref().and_then(|change| change.velocities(raster)),
    };
    let last = before.and_then(|state| state.solids.as_ref());
    if let (None, Some(same)) = (&velocities, last)
        && same.solid == solid
        && same.u.iter().chain(&same.v).all(|&v| v == 0.0)
    {
        return (Some(Arc::clone(same)), change.map(|change| change.left(raster)));
    }
    let left = change.map(|change| change.left(raster));
    if !solid.contains(&true) {
        return (None, left);
    }
    let [u, v] = FACES.map(|staggering| faces(raster, staggering, &solid, velocities.as_deref(), push));
    let solids = Solids { solid, u, v };
    let solids = match last {
        Some(same) if **same == solids => Arc::clone(same),
        _ => Arc::new(solids),
    };
    (Some(solids), left)
}

/// A matte that has changed.
struct Change {
    now: Parts,
    old: Parts,
    motions: Motions,
}

impl Change {
    /// The change since `before`; `None` where there is none.
    fn new(raster: &Raster<'_>, solid: &[bool], grid_motion: &GridMotion, before: &State) -> Option<Change> {
        let old = before.solids.as_ref()?;
        let corner = cells_between(&before.grid, &grid_motion.grid);
        if old.solid.len() != solid.len() || (corner == [0; 2] && old.solid == *solid) {
            return None;
        }
        let parts = |solid: &[bool], corner: [i64; 2]| Parts::new(solid, raster.width, raster.height, corner);
        let (now, old) = (parts(solid, corner), parts(&old.solid, [0; 2]));
        let motions = now.motions(&old);
        Some(Change { now, old, motions })
    }

    /// Velocities of the cells, cells per simulated frame; `None` where nothing moves.
    fn velocities(&self, raster: &Raster<'_>) -> Option<Vec<[f32; 2]>> {
        let Change { now, old, motions } = self;
        let mut velocities: Vec<[f32; 2]> = request::zeros(raster.width * raster.height);
        now.paint(&motions.by.iter().map(|by| by.map(|v| v as f32)).collect::<Vec<_>>(), &mut velocities);
        if motions.reshaped.contains(&true) {
            registration::draw(raster, now, old, motions, &mut velocities);
        }
        if velocities.iter().all(|v| *v == [0.0; 2]) {
            return None;
        }
        let fastest = (FASTEST * raster.scale) as f32;
        let speed = |way: f32| raster.speed(f64::from(way)) as f32;
        velocities.iter_mut().flatten().for_each(|v| *v = speed(*v).clamp(-fastest, fastest));
        Some(velocities)
    }

    /// The cells of before that were of a part which is still there.
    fn left(&self, raster: &Raster<'_>) -> Vec<bool> {
        let mut left: Vec<bool> = request::zeros(raster.width * raster.height);
        self.old.paint(&self.motions.stays, &mut left);
        left
    }
}

/// Velocities through the faces that touch a solid cell; 0 elsewhere.
fn faces(raster: &Raster<'_>, staggering: Staggering, solid: &[bool], velocities: Option<&[[f32; 2]]>, push: f64) -> Vec<f32> {
    let [width, height] = raster.size(staggering);
    let mut faces: Vec<f32> = request::zeros(width * height);
    let Some(velocities) = velocities else { return faces };
    let axis = usize::from(staggering == Staggering::Face(1));
    rows(raster.workers, &mut faces, width, |y, row| {
        for (x, face) in row.iter_mut().enumerate() {
            let [a, b] = raster.beside(staggering, x, y);
            let speed = |cell: usize| f64::from(velocities[cell][axis]);
            let mean = match (solid[a], solid[b]) {
                (true, true) => f64::midpoint(speed(a), speed(b)),
                (true, false) => speed(a),
                (false, true) => speed(b),
                (false, false) => 0.0,
            };
            *face = (mean * push) as f32;
        }
    });
    faces
}
