//! The parameters of the node, and the settings that they make.

use flow_ofx::nodes::common::values::Values;
use flow_ofx::ofx::Result;
use flow_ofx::sim::fingerprint::{Digest, Fingerprint};
use flow_ofx::sim::grid::Grid;

flow_ofx::parameters! {
    table include_str!("parameters.txt");
    presets None;
    conditions |_| None;
    own { Depth, Conductivity, Centre, CentreDepth, Radius, StartTemperature, Strength, Slice }
}

/// Cells along the depth.
pub fn depth(values: &impl Values<Id>, time: f64) -> Result<usize> {
    Ok(usize::try_from(values.int(Id::Depth, time)?).unwrap_or(0).max(1))
}

/// The settings of a frame, in cells and frames.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Conductivity, cells² per frame.
    pub conductivity: f64,
    /// Middle of the source from the corner of the box.
    pub centre: [f64; 3],
    /// Radius of the source.
    pub radius: f64,
    /// Temperature in the source at the start.
    pub start: f64,
    /// Temperature that the source adds per frame.
    pub strength: f64,
}

impl Settings {
    pub fn read(values: &impl Values<Id>, time: f64, raster: &Grid, depth: usize) -> Result<Self> {
        let g = raster.cells_per_pixel;
        let [x, y] = values.pair(Id::Centre, time)?;
        let z = values.double(Id::CentreDepth, time)? / 100.0 * depth as f64;
        Ok(Self {
            conductivity: (values.double(Id::Conductivity, time)? * g * g).clamp(0.0, 1e4),
            centre: [(x - raster.origin[0]) * g, (y - raster.origin[1]) * g, z],
            radius: values.double(Id::Radius, time)? * g,
            start: values.double(Id::StartTemperature, time)?,
            strength: values.double(Id::Strength, time)?,
        })
    }
}

impl Fingerprint for Settings {
    fn enter(&self, digest: &mut Digest) {
        let Self { conductivity, centre: [x, y, z], radius, start, strength } = *self;
        [conductivity, x, y, z, radius, start, strength].into_iter().for_each(|value| digest.real(value));
    }
}
