//! What a gate found, for the validation report: kept where `FLOW_GATES` names a folder, and printed always.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::PathBuf;

use serde_json::{Value, json};

/// One gate on one device.
pub struct Record {
    gate: &'static str,
    device: String,
    adapter: Option<String>,
    rows: Vec<Value>,
    plots: Vec<Value>,
    images: Vec<Value>,
}

/// A curve: its name, and its points.
pub type Line = (String, Vec<[f64; 2]>);

/// How the numbers along an axis stand.
#[derive(Clone, Copy)]
pub enum Scale {
    Linear,
    /// By powers of ten.
    Log,
}

impl Record {
    /// `gate` names the file, and what belongs together in the report.
    pub fn new(gate: &'static str, device: &str) -> Record {
        Record {
            gate,
            device: device.to_owned(),
            adapter: None,
            rows: Vec::new(),
            plots: Vec::new(),
            images: Vec::new(),
        }
    }

    /// Names the device, as it calls itself.
    pub fn on(mut self, adapter: String) -> Record {
        self.adapter = Some(adapter);
        self
    }

    /// A number, and what is asked of it.
    pub fn row(&mut self, what: impl Into<String>, asked: impl Into<String>, found: f64) {
        let (what, asked) = (what.into(), asked.into());
        println!("{} on the {}: {what}: {found:.5} ({asked})", self.gate, self.device);
        self.rows.push(json!({ "what": what, "asked": asked, "found": found }));
    }

    /// Asks that a number be at most another.
    pub fn at_most(&mut self, what: impl Into<String>, found: f64, most: f64) {
        let what = what.into();
        self.row(&what, format!("≤ {most}"), found);
        assert!(found <= most, "{what} on the {}: {found}, at most {most} asked", self.device);
    }

    /// Asks that a number be at least another.
    pub fn at_least(&mut self, what: impl Into<String>, found: f64, least: f64) {
        let what = what.into();
        self.row(&what, format!("≥ {least}"), found);
        assert!(found >= least, "{what} on the {}: {found}, at least {least} asked", self.device);
    }

    /// Asks that a number be another, but for so much.
    pub fn near(&mut self, what: impl Into<String>, found: f64, expected: f64, within: f64) {
        let what = what.into();
        self.row(&what, format!("{expected} ± {within}"), found);
        assert!((found - expected).abs() <= within, "{what} on the {}: {found}, {expected} asked", self.device);
    }

    /// A plot: its name, what its axes say, how they stand, and its curves; those that are `known` are points.
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

    /// Leaves it in the folder, where one is named.
    pub fn save(&self) {
        let Some(folder) = std::env::var_os("FLOW_GATES").map(PathBuf::from) else { return };
        let Record { gate, device, adapter, rows, plots, images } = self;
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
