//! Measurement of the devices of a case in turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flow_ofx::sim::water::{FramePlan, StateBuffers};
use serde_json::{Value, json};

use crate::bandwidth;
use crate::cases::Case;
use crate::devices::Entry;
use crate::scene::Scene;

/// Number of turns of each device.
const TURNS: u32 = 3;

/// Steps after which the water is reset: pools on a slope would drain or spread into another scene.
const STEPS_MAX: u32 = 128;

/// One case, and its devices.
pub struct Comparison<'a> {
    case: &'a Case,
    scene: &'a Scene,
    plan: Arc<FramePlan>,
    runners: Vec<Runner<'a>>,
}

/// The measurement of a device.
struct Runner<'a> {
    entry: &'a Entry,
    /// Start of the next run; `None` for the scene's state.
    water: Option<Arc<StateBuffers>>,
    /// Steps since the scene's water.
    age: u32,
    times: Vec<Duration>,
}

impl<'a> Comparison<'a> {
    /// A comparison without measurements.
    pub fn new(case: &'a Case, scene: &'a Scene, entries: &[&'a Entry]) -> Comparison<'a> {
        let runner = |&entry| Runner { entry, water: None, age: 0, times: Vec::new() };
        Comparison { case, scene, plan: scene.plan(case.steps), runners: entries.iter().map(runner).collect() }
    }

    /// Measures each device for about `budget` and reports one row for each, and one for the memory.
    pub fn run(mut self, budget: Duration, threads: usize, mut report: impl FnMut(Value)) {
        let mut bandwidths = Vec::new();
        // The threads and the copies of a software adapter delay the next device: adapters have turns of their own.
        for adapters in [false, true] {
            for turn in 1..=TURNS {
                if !adapters {
                    bandwidths.push(bandwidth::in_place(threads));
                }
                for runner in self.runners.iter_mut().filter(|runner| runner.entry.is_adapter() == adapters) {
                    runner.turn(&self.plan, &self.scene.water, budget / TURNS, turn as usize);
                }
            }
        }
        let best = bandwidths.iter().copied().fold(0.0, f64::max);
        report(
            json!({ "row": "bandwidth", "threads": threads, "gigabytes": bandwidths.iter().map(|b| b / 1e9).collect::<Vec<_>>() }),
        );
        let group = &self.case.group;
        for runner in self.runners {
            let wet = runner.water.as_ref().map_or(0.0, |water| self.scene.wet_share(water.water()));
            let [least, median] = least_and_median(runner.times.clone()).map(|time| time.as_secs_f64());
            let speed = |seconds: f64| group.cells() as f64 * f64::from(self.case.steps) / seconds / 1e6;
            report(json!({
                "row": "kernel",
                "role": runner.entry.role(),
                "name": runner.entry.name,
                "threads": runner.entry.threads,
                "width": group.size.0,
                "height": group.size.1,
                "scene": group.kind.name(),
                "pigment": group.pigment,
                "model": group.model_name(),
                "steps": self.case.steps,
                "runs": runner.times.len(),
                "least_seconds": least,
                "median_seconds": median,
                "best": speed(least),
                "median": speed(median),
                "bytes": group.bytes(),
                "bandwidth": best / 1e9,
                "wet_before": self.scene.wet,
                "wet_after": wet,
            }));
        }
    }
}

impl Runner<'_> {
    /// Runs until `budget` is spent, and until there is a time for each turn.
    fn turn(&mut self, plan: &Arc<FramePlan>, start: &Arc<StateBuffers>, budget: Duration, turns: usize) {
        let begun = Instant::now();
        // The first run warms up caches, clocks and the device's own memory after another device's turn; in a long run
        // the effect is negligible.
        let mut warm = self.times.first().is_some_and(|&time| time > budget);
        while self.times.len() < turns || begun.elapsed() < budget {
            if self.age + plan.steps > STEPS_MAX {
                (self.water, self.age) = (None, 0);
                warm = false;
            }
            let water = self.water.take().unwrap_or_else(|| start.clone());
            let clock = Instant::now();
            let (next, _) = self.entry.device.run(plan, &water, &mut || true).expect("nobody interrupts");
            let time = clock.elapsed();
            if warm {
                self.times.push(time);
            }
            warm = true;
            self.age += plan.steps;
            self.water = Some(next);
        }
    }
}

/// The minimum and the median.
fn least_and_median(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort();
    [times[0], times[times.len() / 2]]
}
