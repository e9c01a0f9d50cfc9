//! `cargo xtask bench --against DIR`: this checkout and another one in turn, and the ratio of each row.
//!
//! A machine's speed drifts by more than most changes. Both sides are therefore measured in every turn, in alternating
//! order, and a ratio is taken within the turn. Whole frames of both bundles are rendered by this checkout's flow-host.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::Value;

use super::machine::Machine;
use super::{Options, frames, program, starting};
use crate::bundle::{self, Bundle};
use crate::{command, project};

/// A checkout with its programs.
struct Side {
    kernels: Option<PathBuf>,
    smoke: Option<PathBuf>,
    bundle: Option<Bundle>,
}

/// A row's times in milliseconds, one entry per turn.
struct Row {
    name: String,
    other: Vec<f64>,
    this: Vec<f64>,
}

/// All rows, in the order in which they were first seen.
#[derive(Default)]
struct Rows(Vec<Row>);

impl Rows {
    fn add(&mut self, name: String, milliseconds: f64, is_this: bool) {
        let at = self.0.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.0.push(Row { name, other: Vec::new(), this: Vec::new() });
            self.0.len() - 1
        });
        let row = &mut self.0[at];
        if is_this { row.this.push(milliseconds) } else { row.other.push(milliseconds) }
    }

    /// The table, and the rows that only one side has.
    fn markdown(&self) -> String {
        let mut text =
            String::from("| row | other, ms | this, ms | ratio: median (least to most) |\n|---|---:|---:|---:|\n");
        let mut alone = Vec::new();
        for Row { name, other, this } in &self.0 {
            if other.len() != this.len() {
                alone.push(name.as_str());
                continue;
            }
            let ratios: Vec<f64> = this.iter().zip(other).map(|(this, other)| this / other.max(1e-9)).collect();
            let (least, most) = ratios.iter().fold((f64::MAX, 0.0f64), |(l, m), &r| (l.min(r), m.max(r)));
            text.push_str(&format!(
                "| {name} | {:.3} | {:.3} | {:.3} ({least:.3} to {most:.3}) |\n",
                median(other),
                median(this),
                median(&ratios),
            ));
        }
        if !alone.is_empty() {
            text.push_str(&format!("\nRows of one side only: {}.\n", alone.join("; ")));
        }
        text
    }
}

/// Builds both sides, measures them in turn, and writes target/compare.md.
pub fn run(options: &Options, other: &Path) -> Result<()> {
    let root = project::other_checkout(other)?;
    let sides = [build(&root, options)?, build(&project::root(), options)?];
    let host = if options.no_frames { None } else { Some(project::build_host()?) };
    let mut rows = Rows::default();
    for turn in 0..options.turns {
        let order = if turn % 2 == 0 { [0, 1] } else { [1, 0] };
        println!("turn {} of {}", turn + 1, options.turns);
        for side in order {
            measure(&sides[side], host.as_deref(), options, |name, time| rows.add(name, time, side == 1))?;
        }
    }
    let text = format!(
        "# This checkout against another\n\n{}\n\nMedians of {} turns; ratios are taken within a turn.\n\n{}",
        Machine::read().line(),
        options.turns,
        rows.markdown()
    );
    let page = project::target().join("compare.md");
    command::write_file(&page, text.as_bytes())?;
    println!("\n{text}\nalso in {}", project::short(&page));
    Ok(())
}

fn build(root: &Path, options: &Options) -> Result<Side> {
    let program = |name: &str, left_out: bool| if left_out { Ok(None) } else { program::build(root, name).map(Some) };
    let bundle = match options.no_frames {
        true => None,
        false if root == project::root() => Some(bundle::run(&bundle::Options::default())?),
        false => Some(bundle::of_checkout(root)?),
    };
    Ok(Side { kernels: program("kernels", options.no_kernels)?, smoke: program("smoke", options.no_smoke)?, bundle })
}

fn measure(side: &Side, host: Option<&Path>, options: &Options, mut add: impl FnMut(String, f64)) -> Result<()> {
    for (kind, program) in [("water", &side.kernels), ("smoke", &side.smoke)] {
        let Some(program) = program else { continue };
        program::run(program, options, |line| {
            for (name, time) in times(line) {
                add(format!("{kind}: {name}"), time);
            }
        })?;
    }
    if let (Some(host), Some(bundle)) = (host, &side.bundle) {
        let mut figures = frames::Figures::default();
        frames::measure(host, bundle, options, &mut figures)?;
        starting::parameters(host, bundle, &mut figures)?;
        for row in figures.rows {
            add(format!("frames: {}", row.what), row.median.as_secs_f64() * 1e3);
        }
    }
    Ok(())
}

/// The medians in a benchmark's line, in milliseconds; none in a line without times.
fn times(line: &str) -> Vec<(String, f64)> {
    let Ok(row) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let device = format!("{}, {} threads", text("name"), row["threads"]);
    let size = format!("{}×{}", row["width"], row["height"]);
    match row["row"].as_str() {
        Some("kernel") => {
            let pigment = if row["pigment"] == true { ", pigment" } else { "" };
            let name = format!("{size} {} {}{pigment}, {} steps, {device}", text("scene"), text("model"), row["steps"]);
            row["median_seconds"].as_f64().map(|seconds| (name, seconds * 1e3)).into_iter().collect()
        }
        Some("smoke") => {
            let name = format!("{size} {}, {device}", text("scene"));
            let mut all: Vec<_> = row["median"].as_f64().map(|time| (name.clone(), time)).into_iter().collect();
            for part in row["parts"].as_array().into_iter().flatten() {
                if let (Some(what), Some(time)) = (part[0].as_str(), part[1].as_f64()) {
                    all.push((format!("{name}: {what}"), time));
                }
            }
            all
        }
        Some("pressure") => ["multigrid", "jacobi"]
            .iter()
            .filter_map(|solver| {
                Some((format!("pressure {}², {device}: {solver}", row["side"]), row[*solver]["median"].as_f64()?))
            })
            .collect(),
        Some("smokepictures") => row["outputs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|output| Some((format!("{size} {}, {device}", output[0].as_str()?), output[1][1].as_f64()?)))
            .collect(),
        _ => Vec::new(),
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_all_kinds_are_read() {
        let read =
            |line: &str| times(line).into_iter().map(|(name, time)| format!("{name} = {time}")).collect::<Vec<_>>();
        let kernel = r#"{"row":"kernel","name":"AVX2","threads":2,"width":8,"height":4,"scene":"wet","pigment":true,
            "model":"pipes","steps":8,"median_seconds":0.002}"#;
        assert_eq!(read(kernel), ["8×4 wet pipes, pigment, 8 steps, AVX2, 2 threads = 2"]);
        let smoke = r#"{"row":"smoke","name":"AVX2","threads":1,"width":8,"height":4,"scene":"open","median":3.5,
            "parts":[["dye",1.5]]}"#;
        assert_eq!(read(smoke), ["8×4 open, AVX2, 1 threads = 3.5", "8×4 open, AVX2, 1 threads: dye = 1.5"]);
        let pressure = r#"{"row":"pressure","name":"A","threads":1,"side":64,"multigrid":{"median":1.0},
            "jacobi":{"median":2.0}}"#;
        assert_eq!(
            read(pressure),
            ["pressure 64², A, 1 threads: multigrid = 1", "pressure 64², A, 1 threads: jacobi = 2"]
        );
        let pictures =
            r#"{"row":"smokepictures","name":"A","threads":1,"width":8,"height":4,"outputs":[["Fire",[1.0,2.0]]]}"#;
        assert_eq!(read(pictures), ["8×4 Fire, A, 1 threads = 2"]);
        assert!(read("chatter").is_empty());
    }

    #[test]
    fn ratios_compare_measurements_of_the_same_round() {
        let mut rows = Rows::default();
        for (other, this) in [(1.0, 2.0), (2.0, 2.0), (4.0, 2.0)] {
            rows.add("a".into(), other, false);
            rows.add("a".into(), this, true);
        }
        rows.add("b".into(), 1.0, true);
        let text = rows.markdown();
        assert!(text.contains("| a | 2.000 | 2.000 | 1.000 (0.500 to 2.000) |"), "{text}");
        assert!(text.contains("Rows of one side only: b."), "{text}");
    }
}
