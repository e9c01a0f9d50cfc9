//! Measurements of volumes, and their section of the report.

use serde::Deserialize;

use super::goals::Goal;
use super::volume_peers::{Own, Peers};

/// All measurements of volumes.
#[derive(Default)]
pub struct Figures {
    rows: Vec<Row>,
    /// Steps that were measured again, between other programs.
    again: Vec<Row>,
    peers: Peers,
}

/// A line of output of the benchmark.
#[derive(Deserialize)]
#[serde(tag = "row", rename_all = "lowercase")]
enum Line {
    Volume(Row),
}

/// A measured task; times are milliseconds.
#[derive(Deserialize)]
struct Row {
    /// plain, reflection, solid, pressure, march, light and the number of lights, or memory and a kind of step.
    task: String,
    /// Cells along each axis.
    cells: usize,
    /// Name of the instruction set or the graphics device.
    name: String,
    /// 0 for a graphics device.
    threads: usize,
    least: f64,
    median: f64,
    residual: Option<f64>,
    cycles: Option<u32>,
    /// CPU-seconds of all threads.
    cpu: Option<f64>,
    /// The most memory of steps, per cell.
    bytes: Option<f64>,
}

impl Row {
    fn is_same(&self, other: &Row) -> bool {
        let key = |row: &Row| (row.cells, row.threads);
        key(self) == key(other) && self.task == other.task && self.name == other.name
    }
}

/// The tasks with their titles.
const TASKS: [(&str, &str); 8] = [
    ("plain", "a step"),
    ("reflection", "a step with reflection"),
    ("solid", "the same around a sphere that moves"),
    ("pressure", "pressure alone, to a residual of 1e-4"),
    ("light 0", "light of the surroundings"),
    ("light 1", "the same and a light with its shadow"),
    ("light 2", "the same and two lights with their shadows"),
    ("march", "march of 1280×720 pixels in two lights"),
];

/// Cells along each axis of the goals.
pub const CELLS: usize = 128;

impl Figures {
    /// Adds a line of output.
    pub fn add(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Line::Volume(row)) if self.rows.iter().any(|known| known.is_same(&row)) => self.again.push(row),
            Ok(Line::Volume(row)) => self.rows.push(row),
            Err(_) => self.peers.add(line),
        }
    }

    /// The section of the report; empty without measurements.
    pub fn markdown(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\n## Volumes\n\nMilliseconds: median (least). A plume with vorticity confinement in a box of n³ cells, all of which are simulated; four scalars; the pressure to a residual of 1e-3. A frame is one step, with the download of its state from a graphics device. Light is computed at the cells, once a frame; the march is that of the pixels.\n\n| cells | task | device | ms | million cells per second | residual |\n|---|---|---|---:|---:|---:|\n",
        );
        for (task, title) in TASKS {
            for row in self.rows.iter().filter(|row| row.task == task) {
                let device = match row.threads {
                    0 => row.name.clone(),
                    1 => format!("{}, 1 thread", row.name),
                    threads => format!("{}, {threads} threads", row.name),
                };
                let cells = row.cells.pow(3) as f64 / row.median / 1e3;
                let speed = if task == "march" { String::new() } else { format!("{cells:.1}") };
                let cycles = row.cycles.map_or(String::new(), |cycles| format!(" in {cycles} cycles"));
                let residual = row.residual.map_or(String::new(), |residual| format!("{residual:.1e}{cycles}"));
                text.push_str(&format!(
                    "| {}³ | {title} | {device} | {:.1} ({:.1}) | {speed} | {residual} |\n",
                    row.cells, row.median, row.least
                ));
            }
        }
        if let [Some(plain), Some(reflection)] = ["memory plain", "memory reflection"].map(|task| self.bytes(task)) {
            text.push_str(&format!(
                "\nThe most memory while it simulates at {CELLS}³, with the states before and after a step: {plain:.0} bytes a cell, with reflection {reflection:.0}.\n"
            ));
        }
        text + &self.peers.markdown(&self.own())
    }

    /// Flow's steps for the comparison with other programs, at the size of the peers.
    fn own(&self) -> [Option<Own>; 2] {
        let cells = self.peers.cells().unwrap_or(CELLS);
        ["plain", "reflection"].map(|task| {
            let row = self.rows.iter().find(|row| row.task == task && row.cells == cells && row.threads > 0)?;
            let turns = std::iter::once(row).chain(self.again.iter().filter(|again| again.is_same(row)));
            // Without the system's CPU time, that of all threads at work throughout.
            let turns = turns.map(|row| (row.median, row.cpu.unwrap_or(row.median / 1e3 * row.threads as f64)));
            let device = format!("{}, {} threads", row.name, row.threads);
            Some(Own::new(device, cells, row.residual, turns.collect()))
        })
    }

    /// The median of the first row of a task at a size: that of the fastest CPU.
    fn median(&self, task: &str, cells: usize) -> Option<f64> {
        self.rows.iter().find(|row| row.task == task && row.cells == cells && row.threads > 0).map(|row| row.median)
    }

    /// The most memory of a kind of step at the size of the goals, bytes per cell.
    fn bytes(&self, task: &str) -> Option<f64> {
        self.rows.iter().find(|row| row.task == task && row.cells == CELLS)?.bytes
    }

    /// The goals; none without measurements.
    pub fn goals(&self) -> Vec<Goal> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let goal = |what: &str, bound: f64, unit: &'static str, value: Option<f64>| Goal {
            what: what.to_owned(),
            bound,
            at_most: true,
            unit,
            value,
        };
        let at = |task: &str| self.median(task, CELLS);
        let light = at("light 2").zip(at("light 1")).map(|(two, one)| two - one);
        let picture = at("light 2").zip(at("march")).map(|(light, march)| light + march);
        let growth = self
            .median("reflection", 256)
            .zip(self.median("reflection", 64))
            .map(|(large, small)| large / small / 64.0);
        let mut goals = vec![
            goal("a step at 128³", 125.0, " ms", at("plain")),
            goal("a step with reflection at 128³", 230.0, " ms", at("reflection")),
            goal("pressure at 128³ to 1e-4", 35.0, " ms", at("pressure")),
            goal("a further light with its shadow at 128³", 10.0, " ms", light),
            goal("a picture of 1280×720, 128³ cells in two lights", 600.0, " ms", picture),
            goal("memory of a cell while it simulates", 110.0, " bytes", self.bytes("memory reflection")),
            goal("a step at 256³ over 64 steps at 64³", 1.15, " ×", growth),
        ];
        goals.extend(self.peers.goals(&self.own()));
        goals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_those_of_the_fastest_cpu() {
        let mut figures = Figures::default();
        assert!(figures.markdown().is_empty() && figures.goals().is_empty());
        for line in [
            r#"{"row": "volume", "task": "plain", "cells": 128, "name": "AVX2", "threads": 2, "least": 90, "median": 100, "residual": 4e-4, "cycles": null, "cpu": 0.19}"#,
            r#"{"row": "volume", "task": "plain", "cells": 128, "name": "X", "threads": 0, "least": 1, "median": 2, "residual": 5e-4, "cycles": null}"#,
            r#"{"row": "volume", "task": "light 1", "cells": 128, "name": "AVX2", "threads": 2, "least": 20, "median": 21, "residual": null, "cycles": null}"#,
            r#"{"row": "volume", "task": "light 2", "cells": 128, "name": "AVX2", "threads": 2, "least": 30, "median": 33, "residual": null, "cycles": null}"#,
            r#"{"row": "volume", "task": "memory plain", "cells": 128, "name": "AVX2", "threads": 2, "least": 0, "median": 0, "bytes": 90}"#,
            r#"{"row": "volume", "task": "memory reflection", "cells": 128, "name": "AVX2", "threads": 2, "least": 0, "median": 0, "bytes": 105.4}"#,
            "noise",
        ] {
            figures.add(line);
        }
        let values: Vec<_> = figures.goals().iter().map(|goal| goal.value).collect();
        assert_eq!(values[..7], [Some(100.0), None, None, Some(12.0), None, Some(105.4), None]);
        assert!(values[7..].iter().all(Option::is_none));
        let text = figures.markdown();
        assert!(text.contains("| 128³ | a step | AVX2, 2 threads | 100.0 (90.0) | 21.0 | 4.0e-4 |\n"), "{text}");
        assert!(text.contains("90 bytes a cell, with reflection 105.\n"), "{text}");
        assert!(text.contains("| 128³ | a step | X | 2.0 (1.0) |"), "{text}");
    }

    #[test]
    fn steps_between_other_programs_count_for_the_comparison() {
        let mut figures = Figures::default();
        let step = |median: f64, cpu: &str| {
            format!(
                r#"{{"row": "volume", "task": "plain", "cells": 128, "name": "AVX2", "threads": 2, "least": 1,
                "median": {median}, "residual": 4e-4, "cycles": null, "cpu": {cpu}}}"#
            )
        };
        for line in [step(100.0, "0.2"), step(140.0, "0.3"), step(120.0, "null")] {
            figures.add(&line);
        }
        figures.add(
            r#"{"row": "volumepeer", "peer": "numba", "task": "step", "version": "1", "cells": 128, "threads": 2,
            "least": 300, "median": 400, "cpu": 0.72, "residual": 0.08}"#,
        );
        let goals = figures.goals();
        let find = |text: &str| goals.iter().find(|goal| goal.what.contains(text)).and_then(|goal| goal.value);
        // The middle of 0.2, 0.3 and 0.24 CPU-seconds.
        assert_eq!(find("numba's CPU-seconds"), Some(0.72 / 0.24));
        assert_eq!((find("numba's residual"), find("Taichi's residual")), (Some(0.08 / 4e-4), None));
        assert_eq!(figures.markdown().matches("| 128³ | a step |").count(), 1);
    }
}
