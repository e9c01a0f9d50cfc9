//! Point forces: the attractor and the vortex.

use super::Forcing;
use super::patch::{CellRange, rasterise_patch};
use super::raster::{FACES, Raster, SPEED_MAX};
use crate::sim::maths::bounded;
use crate::sim::smoke::settings::PointForce;

/// Radii beyond which a point force is 0: less than a millionth of its strength.
const REACH: f64 = 6.0;

/// Rasterises a point force: the acceleration strength · r/radius · e^(½ − r²/(2·radius²)), largest, and equal to
/// `strength`, at the radius. Towards the point or, where it `spins`, counter-clockwise around it.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, force: &PointForce, spins: bool) {
    let (Some(centre), Some(radius)) = (raster.position(force.centre), raster.radius(force.radius)) else { return };
    let strength = bounded(force.strength, SPEED_MAX) * raster.scale * raster.time;
    if strength == 0.0 {
        return;
    }
    let images = raster.periodic_offsets();
    let (low, high) = (centre.map(|c| c - REACH * radius), centre.map(|c| c + REACH * radius));
    for (axis, staggering) in FACES.into_iter().enumerate() {
        let patch = rasterise_patch(raster, &CellRange::bounding(raster, staggering, low, high), |x, y| {
            let at = raster.position_of(staggering, x, y);
            let all = images.iter().map(|image| {
                let [x, y] = [0, 1].map(|i| (at[i] - image[i] - centre[i]) / radius);
                let square = x * x + y * y;
                if square > REACH * REACH {
                    return 0.0;
                }
                let along = if spins { [-y, x] } else { [-x, -y] };
                strength * along[axis] * libm::exp(0.5 - square / 2.0)
            });
            all.sum::<f64>() as f32
        });
        forcing.add(staggering, patch);
    }
}
