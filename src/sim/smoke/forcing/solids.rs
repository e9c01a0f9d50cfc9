//! Solid cells and their velocities.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::BadPixels;
use super::GridMotion;
use super::components::{ComponentMotions, Components};
use super::grid_motion::cells_between;
use super::patch::for_each_row;
use super::raster::{FACES, Raster, SPEED_MAX};
use super::registration;
use super::velocity::cell_velocities;
use crate::sim::fluid::Staggering;
use crate::sim::maths::clamp;
use crate::sim::request;
use crate::sim::smoke::state::Solids;
use crate::sim::smoke::{Inputs, Settings, State};

/// The solids: cells with alpha above 0.5, and the velocities of their faces; `None` where no cell is solid. Also the
/// cells of `before` that belonged to a component which still exists; `None` where the matte is unchanged.
///
/// Velocities come from the ObstacleVelocity input or, without it, from the change of the matte since `before`: each
/// connected component by its translation or, where it rotates, scales or deforms, each contour cell along its normal.
/// A face between two solid cells has the mean of both.
pub(super) fn rasterise(
    bad: &mut BadPixels,
    raster: &Raster<'_>,
    settings: &Settings,
    inputs: &Inputs,
    grid_motion: &GridMotion,
    before: Option<&State>,
) -> (Option<Arc<Solids>>, Option<Vec<bool>>) {
    let Some(pixels) = &inputs.obstacles else { return (None, None) };
    let bad_pixels = AtomicU64::new(0);
    let mut solid: Vec<bool> = request::zeros(raster.width * raster.height);
    for_each_row(raster.workers, &mut solid, raster.width, |y, row| {
        for (x, solid) in row.iter_mut().enumerate() {
            let alpha = pixels.get(y * raster.width + x).map_or(0.0, |p| p[3]);
            *solid = alpha.is_finite() && alpha > 0.5;
            if !alpha.is_finite() {
                bad_pixels.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    bad.obstacles = bad_pixels.into_inner();
    let influence = clamp(settings.obstacle_push, 0.0, 1e3);
    let change = before.and_then(|state| Change::new(raster, &solid, grid_motion, state));
    let velocities = match &inputs.obstacle_velocity {
        Some(pixels) => {
            let (velocities, count) = cell_velocities(raster, pixels, 1.0, true);
            bad.obstacle_velocity = count;
            velocities
                .iter()
                .any(|v| v[2] > 0.0)
                .then(|| request::collected(velocities.iter().map(|[u, v, _]| [*u, *v])))
        }
        None => change.as_ref().and_then(|change| change.velocities(raster)),
    };
    let last = before.and_then(|state| state.solids.as_ref());
    if let (None, Some(same)) = (&velocities, last)
        && same.solid == solid
        && same.u.iter().chain(&same.v).all(|&v| v == 0.0)
    {
        return (Some(Arc::clone(same)), change.map(|change| change.persisting_cells(raster)));
    }
    let previous_solid = change.map(|change| change.persisting_cells(raster));
    if !solid.contains(&true) {
        return (None, previous_solid);
    }
    let [u, v] = FACES.map(|staggering| faces(raster, staggering, &solid, velocities.as_deref(), influence));
    let solids = Solids { solid, u, v };
    let solids = match last {
        Some(same) if **same == solids => Arc::clone(same),
        _ => Arc::new(solids),
    };
    (Some(solids), previous_solid)
}

/// The change between two mattes.
struct Change {
    now: Components,
    old: Components,
    motions: ComponentMotions,
}

impl Change {
    /// The change since `before`; `None` where the matte is the same.
    fn new(raster: &Raster<'_>, solid: &[bool], grid_motion: &GridMotion, before: &State) -> Option<Change> {
        let old = before.solids.as_ref()?;
        let origin = cells_between(&before.grid, &grid_motion.grid);
        if old.solid.len() != solid.len() || (origin == [0; 2] && old.solid == *solid) {
            return None;
        }
        let components = |solid: &[bool], origin: [i64; 2]| Components::new(solid, raster.width, raster.height, origin);
        let (now, old) = (components(solid, origin), components(&old.solid, [0; 2]));
        let motions = now.motions(&old);
        Some(Change { now, old, motions })
    }

    /// Velocities of the cells, cells per simulated frame; `None` where all are 0.
    fn velocities(&self, raster: &Raster<'_>) -> Option<Vec<[f32; 2]>> {
        let Change { now, old, motions } = self;
        let mut velocities: Vec<[f32; 2]> = request::zeros(raster.width * raster.height);
        now.paint(&motions.displacements.iter().map(|by| by.map(|v| v as f32)).collect::<Vec<_>>(), &mut velocities);
        if motions.deformed.contains(&true) {
            registration::rasterise(raster, now, old, motions, &mut velocities);
        }
        if velocities.iter().all(|v| *v == [0.0; 2]) {
            return None;
        }
        let fastest = (SPEED_MAX * raster.scale) as f32;
        let speed = |displacement: f32| raster.velocity(f64::from(displacement)) as f32;
        velocities.iter_mut().flatten().for_each(|v| *v = speed(*v).clamp(-fastest, fastest));
        Some(velocities)
    }

    /// Cells of the previous matte whose component still exists.
    fn persisting_cells(&self, raster: &Raster<'_>) -> Vec<bool> {
        let mut previous_solid: Vec<bool> = request::zeros(raster.width * raster.height);
        self.old.paint(&self.motions.persists, &mut previous_solid);
        previous_solid
    }
}

/// Velocities of the faces of solid cells; 0 on other faces.
fn faces(
    raster: &Raster<'_>,
    staggering: Staggering,
    solid: &[bool],
    velocities: Option<&[[f32; 2]]>,
    influence: f64,
) -> Vec<f32> {
    let [width, height] = raster.size(staggering);
    let mut faces: Vec<f32> = request::zeros(width * height);
    let Some(velocities) = velocities else { return faces };
    let axis = usize::from(staggering == Staggering::Face(1));
    for_each_row(raster.workers, &mut faces, width, |y, row| {
        for (x, face) in row.iter_mut().enumerate() {
            let [a, b] = raster.adjacent_cells(staggering, x, y);
            let speed = |cell: usize| f64::from(velocities[cell][axis]);
            let mean = match (solid[a], solid[b]) {
                (true, true) => f64::midpoint(speed(a), speed(b)),
                (true, false) => speed(a),
                (false, true) => speed(b),
                (false, false) => 0.0,
            };
            *face = (mean * influence) as f32;
        }
    });
    faces
}
