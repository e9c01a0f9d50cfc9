//! Measurements of particles, and their section of the report.

use serde::Deserialize;

use super::case_studies;
use super::goals::Goal;

/// All measurements of particles.
#[derive(Default)]
pub struct Figures {
    rows: Vec<Row>,
    peers: Vec<Peer>,
    /// Peers that could not be measured.
    absent: Vec<String>,
    /// Whole frames of the case studies.
    pub case_studies: Vec<case_studies::Row>,
}

/// A line of output of the benchmark or of a peer.
#[derive(Deserialize)]
#[serde(tag = "row", rename_all = "lowercase")]
enum Line {
    /// A task of Flow.
    Particles(Row),
    /// A task of a peer.
    ParticlePeer(Peer),
    /// A peer that is not installed.
    Missing { peer: String, why: String },
    /// A peer that failed, or whose particles differ.
    Failed { peer: String, why: String },
}

/// A task of Flow; times are milliseconds.
#[derive(Deserialize)]
struct Row {
    /// step, additive or over.
    task: String,
    /// Name of the instruction set.
    name: String,
    threads: usize,
    count: usize,
    /// The graphics device that draws, if any.
    device: Option<String>,
    least: f64,
    median: f64,
}

/// A task of a peer; times are milliseconds.
#[derive(Deserialize)]
struct Peer {
    peer: String,
    version: String,
    task: String,
    count: usize,
    least: f64,
    median: f64,
}

/// The tasks with their titles, and the goal of numba's time over Flow's.
const TASKS: [(&str, &str, f64); 3] = [
    ("step", "stepped in one velocity picture", 3.0),
    ("additive", "sprites of 8×8 pixels, added", 5.0),
    ("over", "sprites of 8×8 pixels, over each other, sorted", 5.0),
];

impl Figures {
    /// Adds a line of output.
    pub fn add(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Line::Particles(row)) => self.rows.push(row),
            Ok(Line::ParticlePeer(peer)) => self.peers.push(peer),
            Ok(Line::Missing { peer, why }) => self.absent.push(format!("{peer}: {why}")),
            Ok(Line::Failed { peer, why }) => self.absent.push(format!("{peer} FAILED: {why}")),
            // Output of other programs.
            Err(_) => {}
        }
    }

    /// The section of the report; empty without measurements.
    pub fn markdown(&self) -> String {
        let case_studies = case_studies::markdown(&self.case_studies);
        if self.rows.is_empty() && self.peers.is_empty() {
            return case_studies;
        }
        let mut text = String::from(
            "\n## Particles\n\nMilliseconds of a frame of particles at 1920×1080: median (least). A step moves each through a velocity picture by the fourth-order method of Runge and Kutta. A picture has a soft disc per particle, before a camera. The peers come to the same positions, and to pictures with the same light.\n\n| particles | device | ms | millions per second |\n|---|---|---:|---:|\n",
        );
        let mut line = |count: usize, title: &str, device: String, [median, least]: [f64; 2]| {
            let speed = count as f64 / median / 1e3;
            text.push_str(&format!("| {count} {title} | {device} | {median:.1} ({least:.1}) | {speed:.1} |\n"));
        };
        for (task, title, _) in TASKS {
            for row in self.rows.iter().filter(|row| row.task == task) {
                let cpu = format!("{}, {} threads", row.name, row.threads);
                let device = row.device.as_ref().map_or(cpu.clone(), |device| format!("{device}, lists by {cpu}"));
                line(row.count, title, device, [row.median, row.least]);
            }
            for peer in self.peers.iter().filter(|peer| peer.task == task) {
                line(peer.count, title, format!("*{}* ({})", peer.peer, peer.version), [peer.median, peer.least]);
            }
        }
        if !self.absent.is_empty() {
            text.push_str(&format!("\nNot measured: {}.\n", self.absent.join("; ")));
        }
        text + &case_studies
    }

    /// The goals; none without measurements.
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals = case_studies::goals(&self.case_studies);
        if self.rows.is_empty() {
            return goals;
        }
        let goal = |(task, title, bound): (&str, &str, f64)| {
            let own = self.rows.iter().find(|row| row.task == task && row.device.is_none());
            let peer = self.peers.iter().find(|peer| peer.task == task && peer.peer == "numba");
            let value = own.zip(peer).map(|(own, peer)| peer.median / own.median);
            Goal {
                what: format!("numba's time over Flow's, particles {title}"),
                bound,
                at_most: false,
                unit: " ×",
                value,
            }
        };
        goals.extend(TASKS.map(goal));
        goals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_ratios_to_numba() {
        let mut figures = Figures::default();
        assert!(figures.markdown().is_empty() && figures.goals().is_empty());
        for line in [
            r#"{"row": "particles", "task": "over", "name": "AVX2", "threads": 2, "device": "GPU, X", "count": 9, "least": 1, "median": 2}"#,
            r#"{"row": "particles", "task": "step", "name": "AVX2", "threads": 2, "count": 1000000, "least": 40, "median": 50}"#,
            r#"{"row": "particlepeer", "peer": "numba", "version": "1", "task": "step", "count": 1000000, "least": 90, "median": 125}"#,
            r#"{"row": "missing", "peer": "NumPy", "why": "is not installed"}"#,
            "noise",
        ] {
            figures.add(line);
        }
        let values: Vec<_> = figures.goals().iter().map(|goal| goal.value).collect();
        assert_eq!(values, [Some(2.5), None, None]);
        let text = figures.markdown();
        assert!(text.contains("picture | AVX2, 2 threads | 50.0 (40.0) | 20.0 |\n"), "{text}");
        assert!(text.contains("sorted | GPU, X, lists by AVX2, 2 threads | 2.0 (1.0) |"), "{text}");
        assert!(text.contains("picture | *numba* (1) | 125.0 (90.0) | 8.0 |\n"), "{text}");
        assert!(text.contains("Not measured: NumPy: is not installed."), "{text}");
    }
}
