//! Measurement of the devices of a case in turn.

use std::time::{Duration, Instant};

use flow_ofx::sim::smoke::{Diagnostics, State};
use serde_json::{Value, json};

use crate::cases::Case;
use crate::devices::{Entry, Parts};
use crate::scene::Scene;

/// Number of turns of each device.
const TURNS: u32 = 3;

/// Frames after which the air is reset.
const FRAMES_MAX: u32 = 96;

/// The measurement of a device.
struct Runner<'a> {
    entry: &'a Entry,
    air: State,
    /// Frames since the scene's air.
    age: u32,
    times: Vec<Duration>,
    /// Times of the parts of each frame in `times`.
    parts: Vec<Parts>,
    diagnostics: Diagnostics,
}

/// Measures each device for about `budget` and reports one row for each.
pub fn run(case: &Case, scene: &Scene, entries: &[&Entry], budget: Duration, mut report: impl FnMut(Value)) {
    let runner = |&entry| Runner {
        entry,
        air: scene.start.clone(),
        age: 0,
        times: Vec::new(),
        parts: Vec::new(),
        diagnostics: Diagnostics::default(),
    };
    let mut runners: Vec<Runner<'_>> = entries.iter().map(runner).collect();
    // The threads and the copies of a software adapter delay the next device: adapters have turns of their own.
    for role in ["cpu", "gpu"] {
        for turn in 1..=TURNS {
            for runner in runners.iter_mut().filter(|runner| runner.entry.role() == role) {
                runner.turn(scene, budget / TURNS, turn as usize);
            }
        }
    }
    runners.iter().for_each(|runner| report(runner.row(case)));
}

impl Runner<'_> {
    /// Runs until `budget` is spent, and until there is a time for each turn.
    fn turn(&mut self, scene: &Scene, budget: Duration, turns: usize) {
        let begun = Instant::now();
        // The first frame warms up caches and clocks after another device's turn.
        let mut warm = false;
        while self.times.len() < turns || begun.elapsed() < budget {
            if self.age == FRAMES_MAX {
                (self.air, self.age) = (scene.start.clone(), 0);
            }
            let clock = Instant::now();
            let (next, diagnostics, parts) =
                self.entry.run(&scene.task, &self.air).expect("a device that works, uninterrupted");
            let time = clock.elapsed();
            assert_eq!(diagnostics.substeps, 1, "a frame is a step");
            if warm {
                self.times.push(time);
                self.parts.push(parts);
            }
            warm = true;
            self.age += 1;
            (self.air, self.diagnostics) = (next, diagnostics);
        }
    }

    fn row(&self, case: &Case) -> Value {
        let [least, median] = least_and_median(self.times.clone());
        let Diagnostics { iterations, residual, cfl, .. } = self.diagnostics;
        json!({
            "row": "smoke",
            "role": self.entry.role(),
            "name": self.entry.name,
            "threads": self.entry.threads,
            "width": case.size.0,
            "height": case.size.1,
            "scene": case.kind.name(),
            "runs": self.times.len(),
            "least": least,
            "median": median,
            "parts": self.parts(),
            "iterations": iterations,
            "residual": residual,
            "cfl": cfl,
        })
    }

    /// Medians of the parts, and of the remaining time, milliseconds.
    fn parts(&self) -> Vec<(&'static str, f64)> {
        let Some(first) = self.parts.first().filter(|parts| !parts.is_empty()) else { return Vec::new() };
        let of = |name: &str, parts: &Parts| parts.iter().find(|part| part.0 == name).map_or(Duration::ZERO, |p| p.1);
        let median = |times: Vec<Duration>| least_and_median(times)[1];
        let mut all: Vec<_> =
            first.iter().map(|&(name, _)| (name, median(self.parts.iter().map(|p| of(name, p)).collect()))).collect();
        let rest = self.times.iter().zip(&self.parts);
        let rest = rest.map(|(time, parts)| time.saturating_sub(parts.iter().map(|part| part.1).sum()));
        all.push(("the rest", median(rest.collect())));
        all
    }
}

/// The minimum and the median, milliseconds.
pub fn least_and_median(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort();
    [times[0], times[times.len() / 2]].map(|time| time.as_secs_f64() * 1e3)
}
