//! Results of a gate with their settings, for the validation report: stored in the folder named by `FLOW_GATES`, and
//! always printed.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::PathBuf;

use serde_json::{Value, json};

/// One gate on one device.
pub struct Record {
    gate: &'static str,
    device: String,
    adapter: Option<String>,
    /// The settings of the numbers that follow.
    settings: String,
    rows: Vec<Value>,
    plots: Vec<Value>,
    images: Vec<Value>,
}

/// The bound of a result.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// A value, and the allowed difference.
    Near(f64, f64),
}

impl Bound {
    pub fn holds(self, found: f64) -> bool {
        match self {
            Bound::AtMost(most) => found <= most,
            Bound::AtLeast(least) => found >= least,
            Bound::Near(expected, within) => (found - expected).abs() <= within,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bound::AtMost(most) => write!(f, "≤ {most}"),
            Bound::AtLeast(least) => write!(f, "≥ {least}"),
            Bound::Near(expected, within) => write!(f, "{expected} ± {within}"),
        }
    }
}

/// Whether the gates run for the validation report. An ordinary test run omits the long ones.
pub fn in_full() -> bool {
    std::env::var_os("FLOW_GATES").is_some()
}

/// A curve: its name, and its points.
pub type Line = (String, Vec<[f64; 2]>);

/// Scale of an axis.
#[derive(Clone, Copy)]
pub enum Scale {
    Linear,
    /// Logarithmic.
    Log,
}

impl Record {
    /// A record; `gate` names the file and the section of the report.
    pub fn new(gate: &'static str, device: &str) -> Record {
        Record {
            gate,
            device: device.to_owned(),
            adapter: None,
            settings: String::new(),
            rows: Vec::new(),
            plots: Vec::new(),
            images: Vec::new(),
        }
    }

    /// Names the device, as the device reports itself.
    pub fn on(mut self, adapter: String) -> Record {
        self.adapter = Some(adapter);
        self
    }

    /// States the settings under which the following numbers are found.
    pub fn under(&mut self, settings: impl Into<String>) {
        self.settings = settings.into();
    }

    /// Adds a number without a bound.
    pub fn row(&mut self, what: impl Into<String>, bound: impl Into<String>, found: f64) {
        self.push(what.into(), bound.into(), found, true);
    }

    /// Adds a number with an upper bound.
    pub fn at_most(&mut self, what: impl Into<String>, found: f64, most: f64) {
        self.bounded(what, found, Bound::AtMost(most));
    }

    /// Adds a number with a lower bound.
    pub fn at_least(&mut self, what: impl Into<String>, found: f64, least: f64) {
        self.bounded(what, found, Bound::AtLeast(least));
    }

    /// Adds a number with an expected value and a tolerance.
    pub fn near(&mut self, what: impl Into<String>, found: f64, expected: f64, within: f64) {
        self.bounded(what, found, Bound::Near(expected, within));
    }

    /// Adds a number with a bound. A missed bound is recorded as missed, and fails the test.
    pub fn bounded(&mut self, what: impl Into<String>, found: f64, bound: Bound) {
        let what = what.into();
        let met = bound.holds(found);
        self.push(what.clone(), bound.to_string(), found, met);
        if !met {
            self.save();
            panic!("{what} on the {}: {found}, bound: {bound}", self.device);
        }
    }

    /// Adds a number that is known to miss its bound, and the reason. The row says so, and the number has to keep a
    /// wider bound. If it keeps the bound bound after all, the row is an ordinary one.
    pub fn known_to_miss(&mut self, what: impl Into<String>, found: f64, bound: Bound, enforced: Bound, why: &str) {
        let what = what.into();
        if bound.holds(found) {
            self.push(what, bound.to_string(), found, true);
            return;
        }
        let met = enforced.holds(found);
        self.push(what.clone(), format!("{bound}: **missed**, {why}; held to {enforced}"), found, met);
        if !met {
            self.save();
            panic!("{what} on the {}: {found}, held to: {enforced}", self.device);
        }
    }

    fn push(&mut self, what: String, bound: String, found: f64, met: bool) {
        println!("{} on the {}: {what}: {found:.5} ({bound})", self.gate, self.device);
        let settings = &self.settings;
        self.rows.push(json!({ "what": what, "bound": bound, "settings": settings, "found": found, "met": met }));
    }

    /// Adds a plot: its name, axis titles, axis scales and curves; the `known` curves are points.
    pub fn plot(&mut self, name: &str, axes: [&str; 2], scales: [Scale; 2], lines: &[Line], known: &[Line]) {
        let log = scales.map(|scale| matches!(scale, Scale::Log));
        let curves = |of: &[Line]| -> Vec<Value> {
            of.iter().map(|(name, points)| json!({ "name": name, "points": points })).collect()
        };
        self.plots
            .push(json!({ "name": name, "axes": axes, "log": log, "lines": curves(lines), "known": curves(known) }));
    }

    /// A picture of values from 0 to 1, the lowest row first.
    pub fn image(&mut self, name: &str, width: usize, values: &[f32]) {
        let bytes: Vec<u8> = values.iter().map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8).collect();
        self.images.push(json!({ "name": name, "width": width, "values": bytes }));
    }

    /// Writes the record to the folder, if one is named.
    pub fn save(&self) {
        let Some(folder) = std::env::var_os("FLOW_GATES").map(PathBuf::from) else { return };
        let Record { gate, device, adapter, settings: _, rows, plots, images } = self;
        let all = json!({
            "gate": gate,
            "device": device,
            "adapter": adapter,
            "rows": rows,
            "plots": plots,
            "images": images,
        });
        let path = folder.join(format!("{gate}.{device}.json"));
        std::fs::write(&path, all.to_string()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
