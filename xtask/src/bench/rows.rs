//! Lines of the kernels' and the peers' output.

use serde::Deserialize;

/// A line of JSON.
#[derive(Deserialize, Debug)]
#[serde(tag = "row", rename_all = "lowercase")]
pub enum Line {
    /// A device's speed in one case.
    Kernel(Kernel),
    /// A peer's speed in one case.
    Peer(Peer),
    /// Memory bandwidth during a case, GB/s.
    Bandwidth {
        /// Measured between the devices' turns.
        gigabytes: Vec<f64>,
    },
    /// Number of threads in rows of all threads.
    Threads {
        /// Their number.
        all: usize,
    },
    /// A peer that is not installed, or finds no device.
    Missing {
        /// Its name.
        peer: String,
        /// Name of the missing peer.
        why: String,
    },
    /// A peer that failed, or computes other water.
    Failed {
        /// Its name.
        peer: String,
        /// The failure.
        why: String,
    },
}

/// A simulated case and its speed.
#[derive(Deserialize, Debug, Clone, PartialEq)]
pub struct Case {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// wet or dry.
    pub scene: String,
    /// Steps per frame.
    pub steps: u32,
    /// Million cell-steps per second, of the fastest run.
    pub best: f64,
    /// The same, of the median run; of several turns, the median of theirs.
    pub median: f64,
    /// The medians of the turns, where there are several.
    #[serde(skip)]
    pub turns: Vec<f64>,
}

/// A device's speed in one case.
#[derive(Deserialize, Debug, Clone, PartialEq)]
pub struct Kernel {
    /// A simulated case and its speed.
    #[serde(flatten)]
    pub case: Case,
    /// reference, naive, cpu or gpu.
    pub role: String,
    /// Kernel or adapter.
    pub name: String,
    /// 0 for a GPU.
    pub threads: usize,
    /// With three channels of pigment.
    pub pigment: bool,
    /// Model of the water.
    pub model: String,
    /// Bytes per cell-step, by the model of the minimal traffic.
    pub bytes: usize,
    /// The best of the memory while the case was measured, GB/s.
    pub bandwidth: f64,
}

/// A peer's speed in one case.
#[derive(Deserialize, Debug, Clone, PartialEq)]
pub struct Peer {
    /// A simulated case and its speed.
    #[serde(flatten)]
    pub case: Case,
    /// Model of the water.
    pub model: String,
    /// Its name.
    pub peer: String,
    /// CPU, or the GPU's name.
    pub device: String,
    /// Version of the package.
    pub version: String,
}

impl Kernel {
    /// Whether both are the same device in the same case.
    pub fn is_same(&self, other: &Kernel) -> bool {
        let key = |row: &Kernel| (row.name.clone(), row.threads, row.pigment, row.model.clone());
        self.case.is_same(&other.case) && key(self) == key(other)
    }

    /// Name and threads, for tables.
    pub fn label(&self) -> String {
        match self.threads {
            0 => self.name.clone(),
            1 => format!("{}, 1 thread", self.name),
            n => format!("{}, {n} threads", self.name),
        }
    }

    /// Fraction of the memory's in-place bandwidth, by the model of the minimal traffic; of the CPU alone.
    pub fn share(&self) -> Option<f64> {
        (self.role == "cpu").then(|| self.case.median * self.bytes as f64 / 1e3 / self.bandwidth)
    }
}

impl Peer {
    /// Whether both are the same peer in the same case.
    pub fn is_same(&self, other: &Peer) -> bool {
        self.case.is_same(&other.case) && (&self.peer, &self.model) == (&other.peer, &other.model)
    }
}

impl Case {
    /// Adds the speed of the same case in another turn.
    pub fn add(&mut self, other: &Case) {
        if self.turns.is_empty() {
            self.turns.push(self.median);
        }
        self.turns.push(other.median);
        self.best = self.best.max(other.best);
        let mut sorted = self.turns.clone();
        sorted.sort_by(f64::total_cmp);
        self.median = sorted[sorted.len() / 2];
    }

    /// Whether both are the same case.
    fn is_same(&self, other: &Case) -> bool {
        other.height == self.height && self.is(other.width, &other.scene, other.steps)
    }

    /// Whether the case has this size, scene and number of steps.
    pub fn is(&self, width: usize, scene: &str, steps: u32) -> bool {
        self.width == width && self.scene == scene && self.steps == steps
    }
}

/// The row of a line of output; `None` for output of other programs.
pub fn parse(line: &str) -> Option<Line> {
    serde_json::from_str(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_parsed_and_other_output_is_ignored() {
        let line = r#"{"row":"kernel","role":"cpu","name":"AVX2","threads":2,"width":1920,"height":1080,"scene":"wet",
            "pigment":false,"model":"pipes","steps":1,"runs":9,"best":1100,"median":1000.0,"bytes":44,"bandwidth":88.0}"#;
        let Some(Line::Kernel(row)) = parse(line) else { panic!("no kernel's row") };
        assert_eq!((row.label(), row.share()), ("AVX2, 2 threads".to_owned(), Some(0.5)));
        assert!(row.case.is(1920, "wet", 1) && !row.case.is(1920, "wet", 8));
        let mut case = row.case.clone();
        for (median, best) in [(800.0, 900.0), (1200.0, 1300.0), (900.0, 950.0)] {
            case.add(&Case { median, best, ..row.case.clone() });
        }
        assert_eq!((case.median, case.best), (1000.0, 1300.0));
        assert!(parse("[Taichi] Starting on arch=x64").is_none());
        assert!(matches!(parse(r#"{"row":"missing","peer":"JAX","why":"?"}"#), Some(Line::Missing { .. })));
    }
}
