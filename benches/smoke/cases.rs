//! The measured cases.

/// 1080p, 16:9.
pub const HD: (usize, usize) = (1920, 1080);
/// 2160p, 16:9.
pub const UHD: (usize, usize) = (3840, 2160);

/// Obstacles and advection schemes of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No obstacles.
    Open,
    /// No obstacles, and all fields advected by one bilinear backtrace, without confinement and losses: the step of the
    /// simplest peers, except for its pressure.
    Plain,
    /// Discs.
    Solids,
}

/// A comparison of devices.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Columns and rows.
    pub size: (usize, usize),
    pub kind: Kind,
}

/// All cases, or those of a quick run.
pub fn cases(quick: bool) -> Vec<Case> {
    let sizes: &[(usize, usize)] = if quick { &[HD] } else { &[HD, UHD] };
    sizes.iter().flat_map(|&size| [Kind::Open, Kind::Plain, Kind::Solids].map(|kind| Case { size, kind })).collect()
}

impl Case {
    /// The name that filters match, after the device's.
    pub fn name(&self) -> String {
        format!("{}x{} smoke {}", self.size.0, self.size.1, self.kind.name())
    }
}

impl Kind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Open => "open",
            Kind::Plain => "plain",
            Kind::Solids => "solids",
        }
    }
}
