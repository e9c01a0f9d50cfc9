//! The goals of the benchmarks. A missed goal is reported and does not fail the command.

use super::disk;
use super::frames::Figures;
use super::rows::{Kernel, Peer};

/// A bound on one figure.
#[derive(Clone)]
pub struct Goal {
    /// The case.
    pub what: String,
    /// The bound.
    pub bound: f64,
    /// Whether less is better.
    pub at_most: bool,
    /// The unit, after the figure.
    pub unit: &'static str,
    /// The measured figure; `None` without one.
    pub value: Option<f64>,
}

impl Goal {
    /// Whether the goal is reached; `None` without a measurement.
    pub fn reached(&self) -> Option<bool> {
        self.value.map(|value| if self.at_most { value <= self.bound } else { value >= self.bound })
    }

    /// A row of the table.
    pub fn line(&self) -> String {
        let sign = if self.at_most { "≤" } else { "≥" };
        let shown = |value: f64| if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
        let (value, reached) = match (self.value, self.reached()) {
            (Some(value), Some(reached)) => {
                (format!("{}{}", shown(value), self.unit), if reached { "yes" } else { "**no**" })
            }
            _ => ("not measured".to_owned(), ""),
        };
        let bound = if self.bound.fract() == 0.0 { format!("{:.0}", self.bound) } else { format!("{}", self.bound) };
        format!("| {} | {sign} {bound}{} | {value} | {reached} |\n", self.what, self.unit)
    }
}

/// All goals of the water, the disk and whole frames, in the order of the table.
pub fn all(kernels: &[Kernel], peers: &[Peer], disk: &disk::Figures, frames: &Figures) -> Vec<Goal> {
    let most = kernels.iter().filter(|row| row.role == "cpu").map(|row| row.threads).max().unwrap_or(0);
    let hd = move |row: &&Kernel, scene: &str, pigment: bool, steps: u32| {
        row.case.is(1920, scene, steps) && row.pigment == pigment && row.model == "pipes"
    };
    let cpu = |scene: &str, pigment: bool, steps: u32| {
        let rows = kernels.iter().filter(|row| row.role == "cpu" && row.threads == most);
        rows.filter(move |row| hd(row, scene, pigment, steps)).collect::<Vec<_>>()
    };
    let fastest = |rows: Vec<&Kernel>| rows.into_iter().map(|row| row.case.median).reduce(f64::max);
    let wet = fastest(cpu("wet", false, 8));
    let over = |other: Option<f64>| Some(wet? / other?);
    let naive = kernels.iter().find(|row| row.role == "naive" && hd(row, "wet", false, 8)).map(|row| row.case.median);
    let peer = |name: &str| {
        let mut peers = peers.iter().filter(|p| p.peer == name && p.model == "pipes");
        peers.find(|p| p.case.is(1920, "wet", 8)).map(|p| p.case.median)
    };
    let goal = |what: &str, bound, unit, value| Goal { what: what.to_owned(), bound, at_most: false, unit, value };
    let fastest_over = |other: &str| format!("fastest CPU kernel over {other}, 1920×1080 wet, 8 steps");
    let mut goals = vec![
        goal(&fastest_over("the scalar step over rayon"), 20.0, " ×", over(naive)),
        goal(&fastest_over("Taichi on the CPU"), 9.0, " ×", over(peer("Taichi"))),
        goal(&fastest_over("padded numba"), 2.0, " ×", over(peer("numba, padded and branch-free"))),
        goal(
            "share of in-place bandwidth, 1920×1080 wet, 1 step",
            45.0,
            " %",
            cpu("wet", false, 1).iter().filter_map(|row| row.share()).reduce(f64::max).map(|share| share * 100.0),
        ),
    ];
    // Two steps of a frame at 1920×1080, in milliseconds.
    for (model, bound) in [("ripples", 25.0), ("ripples around a moving solid", 40.0)] {
        let rows = kernels.iter().filter(|row| row.model == model && row.threads == most && row.role != "gpu");
        let speed = fastest(rows.filter(|row| row.case.is(1920, "wet", 2)).collect());
        let value = speed.map(|speed| 2.0 * 1920.0 * 1080.0 / speed / 1e3);
        goals.push(Goal { what: format!("{model}, 1920×1080, 2 steps"), bound, at_most: true, unit: " ms", value });
    }
    for (isa, bound) in [("AVX-512", [1200.0, 900.0, 600.0]), ("AVX2", [900.0, 600.0, 400.0])] {
        let cases = [("wet", false), ("dry", false), ("wet", true)];
        for ((scene, pigment), bound) in cases.into_iter().zip(bound) {
            let rows =
                cpu(scene, pigment, 8).into_iter().filter(|row| plain(&row.name).contains(&plain(isa))).collect();
            let colour = if pigment { ", three-channel pigment" } else { "" };
            goals.push(goal(&format!("{isa}, 1920×1080 {scene}{colour}, 8 steps"), bound, " Mcs/s", fastest(rows)));
        }
    }
    let gpu = |width, steps| {
        let rows = kernels.iter().filter(|row| row.role == "gpu" && !row.pigment && row.model == "pipes");
        fastest(rows.filter(|row| row.case.is(width, "wet", steps)).collect())
    };
    for other in peers.iter().filter(|p| p.device != "CPU" && p.model == "pipes" && p.case.is(3840, "wet", 8)) {
        let what = format!("fastest GPU over {} on {}, 3840×2160 wet, 8 steps", other.peer, other.device);
        goals.push(goal(&what, 1.0, " ×", gpu(3840, 8).map(|speed| speed / other.case.median)));
    }
    let at_most = |what: &str, bound, value| Goal { what: what.to_owned(), bound, at_most: true, unit: " ×", value };
    for (into, at) in [("a new frame", 0), ("memory in use", 1)] {
        let what = format!("warm 1920×1080 frame over a copy of it into {into}");
        goals.push(at_most(&what, 2.0, frames.warm_in_copies.map(|copies| copies[at])));
    }
    goals.push(at_most(
        "render actions of the sequential demo over their fetch, hash, steps and output",
        1.25,
        frames.demo_in_parts,
    ));
    goals.push(at_most("frame 5,000 from the store over 1.2 × frame 50 + 0.2 ms", 1.0, frames.late_over_allowed));
    for (width, height) in [(1920, 1080), (3840, 2160)] {
        let what = format!("reading a {width}×{height} state, in frames simulated");
        goals.push(Goal { unit: "", ..at_most(&what, 100.0, disk.frames_per_read(width)) });
    }
    goals.push(at_most(
        "1920×1080 frames with the mode Leave out frames over frames without a disk",
        1.25,
        disk.left_out_ratio(),
    ));
    goals
}

/// A name in lower case without punctuation and spaces.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rows::Case;
    use super::*;

    fn kernel(role: &str, name: &str, steps: u32, median: f64) -> Kernel {
        let scene = "wet".to_owned();
        let case = Case { width: 1920, height: 1080, scene, steps, best: median, median, turns: Vec::new() };
        let (role, name, model) = (role.to_owned(), name.to_owned(), "pipes".to_owned());
        Kernel { case, role, name, threads: 2, pigment: false, model, bytes: 44, bandwidth: 100.0 }
    }

    #[test]
    fn goals_take_the_rows_they_name() {
        let kernels = [
            kernel("naive", "scalar over rayon", 8, 50.0),
            kernel("cpu", "AVX2", 8, 950.0),
            kernel("cpu", "avx512", 8, 1100.0),
            kernel("cpu", "AVX2", 1, 1000.0),
        ];
        let figures = Figures { warm_in_copies: Some([1.5, 2.5]), ..Figures::default() };
        let goals = all(&kernels, &[], &disk::Figures::default(), &figures);
        let find = |text: &str| goals.iter().find(|goal| goal.what.contains(text)).unwrap();
        assert_eq!((find("rayon").value, find("rayon").reached()), (Some(22.0), Some(true)));
        assert_eq!((find("Taichi").value, find("Taichi").reached()), (None, None));
        assert_eq!(find("in-place").value, Some(44.0));
        assert_eq!((find("AVX-512, 1920×1080 wet, 8").value, find("AVX-512").reached()), (Some(1100.0), Some(false)));
        assert_eq!(find("AVX2, 1920×1080 wet, 8").reached(), Some(true));
        assert_eq!((find("new frame").reached(), find("memory in use").reached()), (Some(true), Some(false)));
        let line = "| warm 1920×1080 frame over a copy of it into memory in use | ≤ 2 × | 2.50 × | **no** |\n";
        assert_eq!(find("memory in use").line(), line);
    }
}
