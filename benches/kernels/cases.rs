//! The measured cases of water.

use flow_ofx::sim::water::settings::{Model, Order};

/// Distribution of the water.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Waves over an uneven ground; islands in less than a tenth of the frame.
    Wet,
    /// Pools that run down an uneven slope, in about a tenth of the frame.
    Dry,
}

impl Kind {
    /// The name in tables and file names.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Wet => "wet",
            Kind::Dry => "dry",
        }
    }
}

/// Cases with the same water.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Columns and rows.
    pub size: (usize, usize),
    pub kind: Kind,
    /// With three channels of pigment.
    pub pigment: bool,
    pub model: Model,
    /// Of shallow water.
    pub order: Order,
    pub steps: &'static [u32],
}

/// A comparison of devices.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub group: Group,
    /// Steps per frame.
    pub steps: u32,
}

/// 1080p, 16:9.
pub const HD: (usize, usize) = (1920, 1080);
/// 2160p, 16:9.
pub const UHD: (usize, usize) = (3840, 2160);

/// All cases, or those of a quick run.
pub fn groups(quick: bool) -> Vec<Group> {
    let sizes: &[(usize, usize)] = if quick { &[HD] } else { &[HD, UHD] };
    let steps: &[u32] = if quick { &[1, 8] } else { &[1, 4, 8, 16] };
    let mut groups = Vec::new();
    for &size in sizes {
        for kind in [Kind::Wet, Kind::Dry] {
            for pigment in [false, true] {
                groups.push(Group { size, kind, pigment, model: Model::Pipes, order: Order::Second, steps });
            }
        }
    }
    let wet = |model, order, pigment, steps| Group { size: HD, kind: Kind::Wet, pigment, model, order, steps };
    groups.extend([
        wet(Model::Classic, Order::Second, false, &[8]),
        wet(Model::ShallowWater, Order::Second, false, &[1, 8]),
        wet(Model::ShallowWater, Order::Second, true, &[8]),
        wet(Model::ShallowWater, Order::First, false, &[8]),
        wet(Model::Ripples, Order::Second, false, &[2]),
    ]);
    groups
}

impl Group {
    /// One case for each number of steps.
    pub fn cases(self) -> impl Iterator<Item = Case> {
        self.steps.iter().map(move |&steps| Case { group: self, steps })
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.size.0 * self.size.1
    }

    /// The name in tables.
    pub fn model_name(&self) -> &'static str {
        match self.model {
            Model::Pipes => "pipes",
            Model::Classic => "classic",
            Model::ShallowWater if self.order == Order::First => "shallow of first order",
            Model::ShallowWater => "shallow",
            Model::Ripples => "ripples",
        }
    }

    /// Bytes that a step must move per cell: height and flows read and written, the terrain read, and each channel of
    /// pigment read and written. The head operator of Ripples depends on all cells, so that a step passes over the grid
    /// twice, down the pyramid and up: deviations are read in both passes, blurred ones written and read, and on the
    /// coarser levels, together a third of the cells, six values. Ripples have no terrain.
    pub fn bytes(&self) -> usize {
        let flows = flow_ofx::sim::water::plan::flow_planes(self.model);
        if self.model == Model::Ripples {
            return 4 * (3 + 2 * flows + 2) + 4 * 6 / 3;
        }
        let pigment = if self.pigment { 3 } else { 0 };
        4 * (2 + 2 * flows + 1 + 2 * pigment)
    }
}

impl Case {
    /// The name that filters match, after the device's.
    pub fn name(&self) -> String {
        let Group { size: (width, height), kind, pigment, .. } = self.group;
        let colour = if pigment { "pigment" } else { "plain" };
        let steps = if self.steps == 1 { "1 step".to_owned() } else { format!("{} steps", self.steps) };
        format!("{width}x{height} {} {colour} {} {steps}", kind.name(), self.group.model_name())
    }
}
