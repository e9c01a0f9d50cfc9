//! `cargo xtask bench`: what a user waits for, as one Markdown table.
//!
//! Times of one machine mean little on another, so each line also gives a
//! ratio to a line above it that does: that is what to compare.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::bundle::{self, Bundle};
use crate::{command, demo, project, setup};

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Options {
    /// Frames of the demo's scene to render
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(4..=9999))]
    frames: u32,
    /// Times that short measurements are repeated; the median counts
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u32).range(3..=999))]
    repeats: u32,
}

/// Builds, measures, prints the table and writes it to target/bench.md.
pub fn run(options: &Options) -> Result<()> {
    setup::ensure(setup::Need::BUILD)?;
    let bundle = bundle::run(&bundle::Options::default())?;
    let host = project::build_host()?;
    let mut table = String::from("| what | median | ratio |\n|---|---:|---|\n");
    starting(&host, &bundle, options.repeats, &mut table)?;
    frames(&host, &bundle, options.frames as usize, &mut table)?;
    parameters(&host, &bundle, &mut table)?;
    let path = project::target().join("bench.md");
    command::write_file(&path, table.as_bytes())?;
    println!("\n{table}\nalso in {}", project::short(&path));
    Ok(())
}

/// Load, describe in every context, unload, as a host that scans its plug-ins does it.
fn starting(host: &Path, bundle: &Bundle, repeats: u32, table: &mut String) -> Result<()> {
    let folder = bundle.folder.to_string_lossy();
    let [empty, listed, described] = repeated(
        repeats,
        host,
        [&["--version"], &["list", &folder], &["describe", &folder, "--plugin", project::FLOW, "--json"]],
    )?;
    line(table, "flow-host alone, start to end", empty, "");
    let load = listed.saturating_sub(empty);
    line(table, "load the bundle and describe (scan)", load, &format!("{:.2} × flow-host alone", ratio(load, empty)));
    let describe = described.saturating_sub(empty);
    line(
        table,
        "the same, and print every parameter",
        describe,
        &format!("{:.2} × flow-host alone", ratio(describe, empty)),
    );
    Ok(())
}

/// Frames of the demo's scene: the first time, and again from the store.
fn frames(host: &Path, bundle: &Bundle, frames: usize, table: &mut String) -> Result<()> {
    let folder = project::target().join("bench");
    let scene = demo::Scene::create(&folder.join("plates"), (960, 540), frames)?;
    let stats = folder.join("stats.json");
    let mut render = scene.render(host, &bundle.folder, "general");
    // Backwards, the first frame asked for simulates them all and the others find them in the store.
    render.args(["--order", "reverse"]).arg("--stats").arg(&stats).arg("-o").arg(folder.join("water.####.exr"));
    command::output(&mut render, "flow-host")?;
    let times = seconds(&stats)?;
    let (first, others) = times.split_first().context("flow-host wrote no times")?;
    let cold = first.div_f64(frames as f64);
    let warm = median(others.to_vec());
    line(table, "demo at 960×540, a frame simulated", cold, "");
    line(table, "the same frame from the store", warm, &format!("{:.2} × simulated", ratio(warm, cold)));
    Ok(())
}

/// What reading the parameters costs a frame: tiny frames from the store, without keys and with many.
fn parameters(host: &Path, bundle: &Bundle, table: &mut String) -> Result<()> {
    const KEYED: [&str; 8] = [
        "speed",
        "damping",
        "timeScale",
        "emitterRate",
        "emitterRadius",
        "evaporation",
        "sourceHeight",
        "terrainHeight",
    ];
    let stats = project::target().join("bench").join("stats.json");
    let warm = |keys: bool| -> Result<Duration> {
        let mut render = Command::new(host);
        render.arg("render").arg(&bundle.folder).args(["--plugin", project::FLOW, "--context", "general"]);
        render.args(["--size", "64x64", "--frames", "1-300", "--order", "reverse"]).arg("--stats").arg(&stats);
        for name in KEYED.iter().filter(|_| keys) {
            for frame in (1..=300).step_by(10) {
                render.arg("--key").arg(format!("{name}@{frame}={}", 0.01 + f64::from(frame) * 1e-4));
            }
        }
        command::output(&mut render, "flow-host")?;
        Ok(median(seconds(&stats)?.split_off(1)))
    };
    let (plain, keyed) = (warm(false)?, warm(true)?);
    line(table, "64×64 from the store, nothing keyed", plain, "");
    line(
        table,
        "the same, 8 parameters with 30 keys each",
        keyed,
        &format!("{:.2} × nothing keyed", ratio(keyed, plain)),
    );
    Ok(())
}

/// The seconds that each frame took, in the order they were rendered.
fn seconds(stats: &PathBuf) -> Result<Vec<Duration>> {
    let text = std::fs::read_to_string(stats).with_context(|| format!("cannot read {}", stats.display()))?;
    let parsed: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", stats.display()))?;
    let frames = parsed["frames"].as_array().with_context(|| format!("{} lists no frames", stats.display()))?;
    let time = |frame: &Value| frame["seconds"].as_f64().map(Duration::from_secs_f64);
    frames
        .iter()
        .map(|frame| time(frame).with_context(|| format!("{}: a frame without its time", stats.display())))
        .collect()
}

/// The median times of commands from start to end, taken in turn so that a busy moment strikes all.
fn repeated<const N: usize>(repeats: u32, host: &Path, commands: [&[&str]; N]) -> Result<[Duration; N]> {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..repeats {
        for (arguments, times) in commands.iter().zip(&mut times) {
            let start = Instant::now();
            command::output(Command::new(host).args(*arguments), "flow-host")?;
            times.push(start.elapsed());
        }
    }
    Ok(times.map(median))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ratio(part: Duration, whole: Duration) -> f64 {
    part.as_secs_f64() / whole.as_secs_f64().max(1e-9)
}

fn line(table: &mut String, what: &str, time: Duration, ratio: &str) {
    table.push_str(&format!("| {what} | {:.2} ms | {ratio} |\n", time.as_secs_f64() * 1e3));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let times = [9, 1, 5].map(Duration::from_millis).to_vec();
        assert_eq!(median(times), Duration::from_millis(5));
        assert_eq!(median(Vec::new()), Duration::ZERO);
    }
}
