//! Steps of a volume in other programs: measures them in turn with Flow's, and reports them.

use std::path::Path;

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;

use super::goals::Goal;
use super::{Options, peers, program};
use crate::setup;

/// The peers, as `benches/volume_peers.py` names them.
const PEERS: [&str; 3] = ["numba", "Taichi", "Mantaflow"];

/// Measures each peer, and Flow's steps after it.
pub fn run(program: &Path, options: &Options, mut line: impl FnMut(&str)) -> Result<()> {
    if options.peers {
        setup::ensure(&[setup::Need::Blender])?;
    }
    let Some(peers) = peers::Peers::new(program, "volume_peers.py", options)? else { return Ok(()) };
    for peer in PEERS {
        println!("measuring the volumes of {peer}");
        if let Err(error) = peers.measure_some(Some(peer), options, options.seconds(), &mut line) {
            let why = error.to_string();
            line(&json!({ "row": "failed", "peer": peer, "why": why.lines().next() }).to_string());
        }
        // In turn, so that a busy minute of the machine affects both.
        program::run_with(program, options, options.seconds(), Some("--turn"), &mut line)?;
    }
    Ok(())
}

/// The measurements of other programs.
#[derive(Default)]
pub struct Peers {
    rows: Vec<Row>,
    /// Peers that could not be measured.
    absent: Vec<String>,
}

/// A line of output of a peer.
#[derive(Deserialize)]
#[serde(tag = "row", rename_all = "lowercase")]
enum Line {
    /// A measured task.
    VolumePeer(Row),
    /// A peer that is not installed.
    Missing { peer: String, why: String },
    /// A peer that failed, or whose plume differs.
    Failed { peer: String, why: String },
}

/// A task of a peer; times are milliseconds.
#[derive(Deserialize)]
struct Row {
    peer: String,
    version: String,
    /// step; of Mantaflow also frame and writing.
    task: String,
    cells: usize,
    least: f64,
    median: f64,
    /// CPU-seconds of all threads.
    cpu: f64,
    residual: Option<f64>,
}

/// A step of Flow.
pub struct Own {
    device: String,
    cells: usize,
    residual: Option<f64>,
    /// Milliseconds: the median, and the least of the turns.
    times: [f64; 2],
    cpu: f64,
}

impl Own {
    /// The medians of some turns, of which there is one at least: milliseconds and CPU-seconds.
    pub fn new(device: String, cells: usize, residual: Option<f64>, turns: Vec<(f64, f64)>) -> Self {
        let (mut walls, mut cpus): (Vec<f64>, Vec<f64>) = turns.into_iter().unzip();
        walls.sort_by(f64::total_cmp);
        cpus.sort_by(f64::total_cmp);
        Self { device, cells, residual, times: [walls[walls.len() / 2], walls[0]], cpu: cpus[cpus.len() / 2] }
    }
}

impl Peers {
    /// Adds a line of output.
    pub fn add(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Line::VolumePeer(row)) => self.rows.push(row),
            Ok(Line::Missing { peer, why }) => self.absent.push(format!("{peer}: {why}")),
            Ok(Line::Failed { peer, why }) => self.absent.push(format!("{peer} FAILED: {why}")),
            // Output of other programs.
            Err(_) => {}
        }
    }

    /// Cells along each axis; `None` without measurements.
    pub fn cells(&self) -> Option<usize> {
        self.rows.first().map(|row| row.cells)
    }

    /// The table, beside Flow's step and its step with reflection; empty without measurements.
    pub fn markdown(&self, own: &[Option<Own>; 2]) -> String {
        if self.rows.is_empty() && self.absent.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\n### Other programs\n\nA step of the same plume, in turn with Flow's steps: milliseconds, median (least), and CPU-seconds of all threads; the last two columns are ratios of CPU-seconds. numba and Taichi: `benches/stencils/volume.py`, a plain step with MacCormack's method for the velocity and four scalars, and 50 Jacobi sweeps from the pressure of the step before. Mantaflow: `benches/mantaflow.py`, density and heat, one step a frame. A frame in Blender includes the evaluation of the scene, the emission from a ball, Mantaflow's step and the writing of its cache, which is not compressed and on a memory disk. Mantaflow's residual is that of its own right-hand side.\n\n| program | cells | ms | CPU-seconds | residual | over a step | over a step with reflection |\n|---|---|---:|---:|---:|---:|---:|\n",
        );
        let mut line = |program: &str, cells: usize, [median, least]: [f64; 2], cpu: f64, left: Option<f64>| {
            let residual = left.map_or(String::new(), |residual| format!("{residual:.1e}"));
            let [plain, reflection] =
                own.each_ref().map(|own| own.as_ref().map_or(String::new(), |own| format!("{:.1} ×", cpu / own.cpu)));
            text.push_str(&format!(
                "| {program} | {cells}³ | {median:.1} ({least:.1}) | {cpu:.3} | {residual} | {plain} | {reflection} |\n"
            ));
        };
        for (own, title) in own.iter().zip(["a step", "a step with reflection"]) {
            if let Some(own) = own {
                line(&format!("Flow, {title}, {}", own.device), own.cells, own.times, own.cpu, own.residual);
            }
        }
        for row in &self.rows {
            let Row { peer, version, .. } = row;
            let (program, residual) = match row.task.as_str() {
                "frame" => (format!("*{peer}*, a frame in Blender ({version})"), row.residual),
                "writing" => (format!("*{peer}*, the writing of its cache"), None),
                _ if peer == "Mantaflow" => (format!("*{peer}*, its step alone"), row.residual),
                _ => (format!("*{peer}* ({version})"), row.residual),
            };
            line(&program, row.cells, [row.median, row.least], row.cpu, residual);
        }
        if !self.absent.is_empty() {
            text.push_str(&format!("\nNot measured: {}.\n", self.absent.join("; ")));
        }
        text
    }

    /// The goals, those of 128³ cells.
    pub fn goals(&self, own: &[Option<Own>; 2]) -> Vec<Goal> {
        let [plain, reflection] =
            own.each_ref().map(|own| own.as_ref().filter(|own| own.cells == super::volume::CELLS));
        let peer = |name: &str, task: &str| {
            self.rows.iter().find(|row| row.peer == name && row.task == task && row.cells == super::volume::CELLS)
        };
        let ratio =
            |name: &str, task: &str, own: Option<&Own>| peer(name, task).zip(own).map(|(row, own)| row.cpu / own.cpu);
        let left = |name: &str| Some(peer(name, "step")?.residual? / plain?.residual?);
        let goal =
            |what: String, bound: f64, value: Option<f64>| Goal { what, bound, at_most: false, unit: " ×", value };
        let over = |what: &str, step: &str| format!("{what} CPU-seconds over those of {step} at 128³");
        let frame = "Mantaflow's frame in Blender,";
        let mut goals = vec![
            goal(over(frame, "a step"), 15.0, ratio("Mantaflow", "frame", plain)),
            goal(over(frame, "a step with reflection"), 10.0, ratio("Mantaflow", "frame", reflection)),
        ];
        for (name, bound) in [("numba", 3.0), ("Taichi", 8.0)] {
            goals.push(goal(over(&format!("{name}'s"), "a step"), bound, ratio(name, "step", plain)));
            goals.push(goal(format!("{name}'s residual over Flow's, a step at 128³"), 100.0, left(name)));
        }
        goals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_cpu_time() {
        let mut peers = Peers::default();
        let own = |cpu| Some(Own::new("AVX2, 2 threads".into(), 128, Some(4e-4), vec![(100.0, cpu), (90.0, cpu)]));
        let own = [own(0.2), own(0.4)];
        assert!(peers.markdown(&own).is_empty());
        assert!(peers.goals(&own).iter().all(|goal| goal.value.is_none()));
        for (peer, task, cpu) in [
            ("Taichi", "step", 1.0),
            ("Mantaflow", "frame", 4.4),
            ("Mantaflow", "step", 3.5),
            ("Mantaflow", "writing", 0.6),
        ] {
            peers.add(&format!(
                r#"{{"row": "volumepeer", "peer": "{peer}", "task": "{task}", "version": "1", "cells": 128,
                "threads": 2, "least": 300, "median": 400, "cpu": {cpu}, "residual": 0.08}}"#
            ));
        }
        peers.add(r#"{"row": "missing", "peer": "numba", "why": "is not installed"}"#);
        peers.add("[Taichi] Starting on arch=x64");
        let values: Vec<_> = peers.goals(&own).iter().map(|goal| goal.value.map(|value| value.round())).collect();
        assert_eq!(values, [Some(22.0), Some(11.0), None, None, Some(5.0), Some(200.0)]);
        let text = peers.markdown(&own);
        for line in [
            "| Flow, a step, AVX2, 2 threads | 128³ | 100.0 (90.0) | 0.200 | 4.0e-4 | 1.0 × | 0.5 × |\n",
            "| *Taichi* (1) | 128³ | 400.0 (300.0) | 1.000 | 8.0e-2 | 5.0 × | 2.5 × |\n",
            "| *Mantaflow*, a frame in Blender (1) | 128³ | 400.0 (300.0) | 4.400 | 8.0e-2 | 22.0 × | 11.0 × |\n",
            "| *Mantaflow*, the writing of its cache | 128³ | 400.0 (300.0) | 0.600 |  | 3.0 × | 1.5 × |\n",
            "\nNot measured: numba: is not installed.\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }
}
