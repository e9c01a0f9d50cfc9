//! The records written by the gates.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// One gate on one device.
#[derive(serde::Deserialize)]
pub struct Record {
    pub gate: String,
    pub device: String,
    /// Name of the device.
    pub adapter: Option<String>,
    pub rows: Vec<Row>,
    pub plots: Vec<Plot>,
    pub images: Vec<Image>,
}

/// A number, and its bound.
#[derive(serde::Deserialize)]
pub struct Row {
    pub what: String,
    pub bound: String,
    /// The settings of the measurement.
    pub settings: String,
    pub found: f64,
    /// Whether the result keeps the bound that is enforced.
    pub met: bool,
}

/// Curves, and reference points.
#[derive(serde::Deserialize)]
pub struct Plot {
    pub name: String,
    pub axes: [String; 2],
    /// Logarithmic axes: x, y.
    pub log: [bool; 2],
    pub lines: Vec<Line>,
    pub known: Vec<Line>,
}

/// Points with a name.
#[derive(serde::Deserialize)]
pub struct Line {
    pub name: String,
    pub points: Vec<[f64; 2]>,
}

/// A grey picture, the lowest row first.
#[derive(serde::Deserialize)]
pub struct Image {
    pub name: String,
    pub width: usize,
    pub values: Vec<u8>,
}

/// All records in a folder, by name.
///
/// # Errors
/// There is no record, or one cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Record>> {
    let files = std::fs::read_dir(folder).with_context(|| format!("{} holds no gates", folder.display()))?;
    let mut paths: Vec<_> = files.map(|file| Ok(file?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.is_empty() {
        bail!("the gates left nothing in {}: run `cargo xtask report` without --no-run", folder.display());
    }
    let record = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path)?;
        serde_json::from_str(&text).with_context(|| format!("{} is no gate's", path.display()))
    };
    paths.iter().map(record).collect()
}

/// Rows that miss their enforced bound, each with its gate and device.
pub fn missed(records: &[Record]) -> Vec<String> {
    let rows = records.iter().flat_map(|record| record.rows.iter().map(move |row| (record, row)));
    let missed = rows.filter(|(_, row)| !row.met);
    missed
        .map(|(Record { gate, device, .. }, Row { what, bound, found, .. })| {
            format!("{gate} on the {device}: {what}: {found}, bound: {bound}")
        })
        .collect()
}

/// The measured graphics devices.
pub fn adapters(records: &[Record]) -> Vec<String> {
    let mut names: Vec<_> =
        records.iter().filter(|record| record.device == "GPU").filter_map(|record| record.adapter.clone()).collect();
    names.sort();
    names.dedup();
    names
}
