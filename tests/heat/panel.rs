//! The parameters of the node, and the settings that they make.

use std::ffi::CStr;
use std::sync::LazyLock;

use flow_ofx::controls_table;
use flow_ofx::nodes::common::controls::{Control, Controls, Invalidates, Kind, blank, double, int, position};
use flow_ofx::nodes::common::hints::Hints;
use flow_ofx::nodes::common::shared::{SHARED, SIMULATION_GROUP, Shared};
use flow_ofx::nodes::common::values::Values;
use flow_ofx::ofx::Result;
use flow_ofx::sim::fingerprint::{Digest, Fingerprint};
use flow_ofx::sim::grid::Grid;

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Id {
    Shared(Shared),
    Depth,
    Conductivity,
    Centre,
    CentreDepth,
    Radius,
    StartTemperature,
    Strength,
    Slice,
}

const fn own(id: Id, name: &'static CStr, label: &'static CStr, kind: Kind) -> Control<Id> {
    blank(id, SIMULATION_GROUP.name).of(name, label, kind)
}

const PERCENT: Kind = double(50.0, [0.0, 100.0], [0.0, 100.0]);

const OWN: [Control<Id>; 8] = [
    own(Id::Depth, c"depth", c"Depth", int(16, [1, 1024], [1, 64])).constant(),
    own(Id::Conductivity, c"conductivity", c"Conductivity", double(0.5, [0.0, 1000.0], [0.0, 10.0])),
    own(Id::Centre, c"centre", c"Centre", position([0.5, 0.5])),
    own(Id::CentreDepth, c"centreDepth", c"Centre depth", PERCENT),
    own(Id::Radius, c"radius", c"Radius", double(6.0, [0.0, 10_000.0], [0.0, 100.0])),
    own(Id::StartTemperature, c"startTemperature", c"Start temperature", double(1.0, [-1e6, 1e6], [0.0, 10.0])),
    own(Id::Strength, c"strength", c"Strength", double(0.0, [-1e6, 1e6], [0.0, 1.0])),
    own(Id::Slice, c"slice", c"Slice", PERCENT).invalidates(Invalidates::Picture),
];

const TABLE: [Control<Id>; SHARED.len() + OWN.len()] = controls_table!(Id::Shared, OWN);

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;

    fn hints() -> &'static Hints {
        static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::read(include_str!("hints.txt")));
        &HINTS
    }
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
