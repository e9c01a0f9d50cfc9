//! The light of fire and sparks out of a medium: a few point lights, each with its transmittance in the six directions of
//! the axes.

use super::coarse::Coarse;
use super::medium::TILE;
use crate::picture::light_clusters::{LightCluster, OccludedLight, SURFACE_LIGHTS, at_most};
use crate::picture::maths::decay;

/// At most [`SURFACE_LIGHTS`] lights with that of the clusters. `coarse`: extinction; `diffuse`: attenuation of diffuse light
/// relative to it.
pub fn surface_lights(coarse: &Coarse<f32>, clusters: Vec<LightCluster>, diffuse: f32) -> Vec<OccludedLight> {
    let light = |cluster: LightCluster| OccludedLight {
        cluster,
        transmittance: [0, 1, 2].map(|axis| [-1, 1].map(|step| transmittance(coarse, &cluster, axis, step, diffuse))),
    };
    at_most(clusters, TILE as f32, SURFACE_LIGHTS).into_iter().map(light).collect()
}

/// Transmittance from a cluster to the end of the medium along an axis. Half the extinction of its own cell counts.
fn transmittance(coarse: &Coarse<f32>, cluster: &LightCluster, axis: usize, step: isize, diffuse: f32) -> f32 {
    let [width, height, _] = coarse.volume.size;
    let mut cell = coarse.cell(cluster.position);
    let mut sum = 0.5 * coarse.volume.values[cell[0] + width * (cell[1] + height * cell[2])];
    while let Some(next) = cell[axis].checked_add_signed(step).filter(|next| *next < coarse.volume.size[axis]) {
        cell[axis] = next;
        sum += coarse.volume.values[cell[0] + width * (cell[1] + height * cell[2])];
    }
    decay(sum * diffuse)
}
