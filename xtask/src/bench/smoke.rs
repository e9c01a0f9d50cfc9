//! Measurements of smoke, and their section of the report.

use serde::Deserialize;

use super::goals::Goal;

/// All measurements of smoke.
#[derive(Default)]
pub struct Figures {
    steps: Vec<Step>,
    pressures: Vec<Pressure>,
    pictures: Vec<Pictures>,
    peers: Vec<Peer>,
    /// Peers that could not be measured.
    absent: Vec<String>,
}

/// A line of output of the benchmark or of a peer.
#[derive(Deserialize)]
#[serde(tag = "row", rename_all = "lowercase")]
enum Line {
    /// A device's step.
    Smoke(Step),
    /// Multigrid against Jacobi's sweeps.
    Pressure(Pressure),
    /// Times of the outputs' pictures.
    SmokePictures(Pictures),
    /// A peer's step.
    SmokePeer(Peer),
    /// A peer that is not installed, or finds no device.
    Missing { peer: String, why: String },
    /// A peer that failed, or whose velocities differ.
    Failed { peer: String, why: String },
}

/// A step of a device; times are milliseconds.
#[derive(Deserialize)]
struct Step {
    /// cpu or gpu.
    role: String,
    name: String,
    /// 0 for a GPU.
    threads: usize,
    width: usize,
    height: usize,
    /// open, plain or solids.
    scene: String,
    least: f64,
    median: f64,
    /// Medians.
    parts: Vec<(String, f64)>,
    /// Of the pressure.
    iterations: u32,
    residual: f64,
}

/// The pressure of a random velocity on a square, by two solvers.
#[derive(Deserialize)]
struct Pressure {
    name: String,
    threads: usize,
    side: usize,
    multigrid: Solution,
    jacobi: Solution,
}

#[derive(Deserialize)]
struct Solution {
    least: f64,
    median: f64,
    iterations: u32,
    residual: f64,
}

/// Times of the outputs' pictures of the open scene.
#[derive(Deserialize)]
struct Pictures {
    name: String,
    threads: usize,
    width: usize,
    height: usize,
    /// Each with its least time and the median, milliseconds.
    outputs: Vec<(String, [f64; 2])>,
}

/// A step of a peer; times are milliseconds.
#[derive(Deserialize)]
struct Peer {
    peer: String,
    /// CPU, or the GPU's name.
    device: String,
    version: String,
    width: usize,
    height: usize,
    least: f64,
    median: f64,
    sweeps: u32,
    residual: f64,
}

impl Figures {
    /// Adds a line of output.
    pub fn add(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Line::Smoke(step)) => self.steps.push(step),
            Ok(Line::Pressure(pressure)) => self.pressures.push(pressure),
            Ok(Line::SmokePictures(pictures)) => self.pictures.push(pictures),
            Ok(Line::SmokePeer(peer)) => self.peers.push(peer),
            Ok(Line::Missing { peer, why }) => self.absent.push(format!("{peer}: {why}")),
            Ok(Line::Failed { peer, why }) => self.absent.push(format!("{peer} FAILED: {why}")),
            // Output of other programs.
            Err(_) => {}
        }
    }

    /// The section of the report; empty without measurements.
    pub fn markdown(&self) -> String {
        if self.steps.is_empty() && self.pressures.is_empty() && self.peers.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\n## Smoke\n\nMilliseconds of a step with four channels of dye, all in 32-bit float: median (least). *open* and *solids* have the node's default step: velocity is advected by Lagrange's cubic, dye by Catmull and Rom's, with vorticity confinement. *plain* has the simplest step: semi-Lagrangian advection of all fields by one bilinear backtrace. Flow solves the pressure by multigrid, the peers by Jacobi sweeps. All start from the same velocity and dye; the peers' results are first checked against Flow's on a small grid. The residual is the share of the divergence that remains after a step's projection.\n\n\
             | scene | device | ms | pressure | residual |\n|---|---|---:|---:|---:|\n",
        );
        let mut places: Vec<String> = Vec::new();
        let mut rows: Vec<(String, String)> = Vec::new();
        let mut add = |place: String, cells: String| {
            places.push(place.clone());
            rows.push((place, cells));
        };
        for step in &self.steps {
            let Step { least, median, iterations, residual, .. } = step;
            let device = with_threads(&step.name, step.threads);
            add(step.place(), format!("{device} | {median:.1} ({least:.1}) | {iterations} | {residual:.1e}"));
        }
        for peer in &self.peers {
            let Peer { least, median, sweeps, residual, .. } = peer;
            let device = format!("*{}* ({}, {})", peer.name(), peer.version, peer.device);
            add(peer.place(), format!("{device} | {median:.1} ({least:.1}) | {sweeps} sweeps | {residual:.1e}"));
        }
        rows.sort_by_key(|(place, _)| places.iter().position(|other| other == place));
        for (place, cells) in rows {
            text.push_str(&format!("| {place} | {cells} |\n"));
        }
        if !self.absent.is_empty() {
            text.push_str(&format!("\nNot measured: {}.\n", self.absent.join("; ")));
        }
        text.push_str(&self.split());
        text.push_str(&self.solvers());
        text.push_str(&self.painted());
        text
    }

    /// The parts of a step.
    fn split(&self) -> String {
        let split: Vec<&Step> = self.steps.iter().filter(|step| !step.parts.is_empty()).collect();
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in split.iter().flat_map(|step| &step.parts) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return String::new();
        }
        let mut text = format!(
            "\nThe passes of a step, medians in milliseconds. Without solids the first half sweeps of the finest level are fused with the divergence, and the last ones with the correction of the velocity:\n\n| scene | device | {} |\n|---|---|{}\n",
            names.join(" | "),
            "---:|".repeat(names.len())
        );
        for step in split {
            text.push_str(&format!("| {} | {} |", step.place(), with_threads(&step.name, step.threads)));
            for name in &names {
                let part = step.parts.iter().find(|part| part.0 == *name);
                text.push_str(&part.map_or(" |".to_owned(), |part| format!(" {:.2} |", part.1)));
            }
            text.push('\n');
        }
        text
    }

    /// Multigrid and Jacobi.
    fn solvers(&self) -> String {
        let mut text = String::new();
        for pressure in &self.pressures {
            let solution = |solution: &Solution| {
                format!(
                    "{:.2} ({:.2}) | {} | {:.1e}",
                    solution.median, solution.least, solution.iterations, solution.residual
                )
            };
            if text.is_empty() {
                text.push_str(&format!(
                    "\nThe pressure of a random velocity at {0}×{0}, closed, milliseconds:\n\n| device | multigrid | cycles \
                     | residual | Jacobi | sweeps | residual |\n|---|---:|---:|---:|---:|---:|---:|\n",
                    pressure.side
                ));
            }
            let device = with_threads(&pressure.name, pressure.threads);
            text.push_str(&format!(
                "| {device} | {} | {} |\n",
                solution(&pressure.multigrid),
                solution(&pressure.jacobi)
            ));
        }
        text
    }

    /// Pictures.
    fn painted(&self) -> String {
        let Some(first) = self.pictures.first() else { return String::new() };
        let names: Vec<&str> = first.outputs.iter().map(|output| output.0.as_str()).collect();
        let mut text = format!(
            "\nPictures of the open scene, hot everywhere, in 32-bit float, milliseconds: median (least), in addition to a step.\n\n| size | device | {} |\n|---|---|{}\n",
            names.join(" | "),
            "---:|".repeat(names.len())
        );
        for Pictures { name, threads, width, height, outputs } in &self.pictures {
            text.push_str(&format!("| {width}×{height} | {} |", with_threads(name, *threads)));
            for (_, [least, median]) in outputs {
                text.push_str(&format!(" {median:.1} ({least:.1}) |"));
            }
            text.push('\n');
        }
        text
    }

    /// The goals.
    pub fn goals(&self) -> Vec<Goal> {
        const SIZE: &str = "1920×1080 smoke";
        let at_least = |what: String, bound, value| Goal { what, bound, at_most: false, unit: " ×", value };
        let at_most = |what: String, bound, unit, value| Goal { what, bound, at_most: true, unit, value };
        let mut goals = Vec::new();
        for (kind, scene) in [(FULL, "open"), ("", "plain")] {
            let ours = self.fastest("cpu", 1920, scene);
            for (name, bound) in [("numba", 3.5), ("Taichi", 8.0), ("JAX", 1.0)] {
                let named = |peer: &&Peer| peer.width == 1920 && peer.peer == format!("{name}{kind}");
                let peer = self.peers.iter().find(named);
                let over = |of: fn(&Peer) -> f64, own: fn(&Step) -> f64| Some(of(peer?) / own(ours?));
                let times = over(|peer| peer.median, |step| step.median);
                goals.push(at_least(format!("{name}'s time over the CPU's, {SIZE} {scene}"), bound, times));
                let left = over(|peer| peer.residual, |step| step.residual);
                goals.push(at_least(format!("{name}'s residual over Flow's, {scene}"), 100.0, left));
            }
        }
        let most = self.pressures.iter().map(|pressure| pressure.threads).max();
        let pressure = self.pressures.iter().filter(|pressure| Some(pressure.threads) == most);
        let pressure = pressure.min_by(|a, b| a.multigrid.median.total_cmp(&b.multigrid.median));
        let ratio = pressure.map(|pressure| pressure.multigrid.median / pressure.jacobi.median);
        let left = pressure.map(|pressure| pressure.multigrid.residual * 1e4);
        goals.push(at_most("multigrid over 60 Jacobi sweeps, 1024×1024 smoke".to_owned(), 1.0, " ×", ratio));
        goals.push(at_most("residual of multigrid, 1024×1024 smoke".to_owned(), 1.0, " · 10⁻⁴", left));
        if let Some(gpu) = self.fastest("gpu", 3840, "open") {
            goals.push(at_most(format!("{}, 3840×2160 smoke open", gpu.name), 1e3 / 24.0, " ms", Some(gpu.median)));
        }
        for peer in self.peers.iter().filter(|peer| peer.device != "CPU" && peer.width == 3840) {
            if let Some(gpu) = self.fastest("gpu", 3840, peer.scene()) {
                let what = format!("{}'s time on {} over the GPU's, {} smoke", peer.name(), peer.device, peer.place());
                goals.push(at_least(what, 1.0, Some(peer.median / gpu.median)));
            }
        }
        goals
    }

    /// The fastest step of a scene; of the CPU with most threads.
    fn fastest(&self, role: &str, width: usize, scene: &str) -> Option<&Step> {
        let steps = || self.steps.iter().filter(|s| s.role == role && s.width == width && s.scene == scene);
        let most = steps().map(|step| step.threads).max()?;
        steps().filter(|step| step.threads == most).min_by(|a, b| a.median.total_cmp(&b.median))
    }
}

impl Step {
    fn place(&self) -> String {
        format!("{}×{} {}", self.width, self.height, self.scene)
    }
}

/// Suffix of the names of peers with the full step; others have the plain one.
const FULL: &str = ", full step";

impl Peer {
    /// Its scene among Flow's.
    fn scene(&self) -> &'static str {
        if self.peer.contains(FULL) { "open" } else { "plain" }
    }

    /// Its name among those of its scene.
    fn name(&self) -> String {
        self.peer.replacen(FULL, "", 1)
    }

    fn place(&self) -> String {
        format!("{}×{} {}", self.width, self.height, self.scene())
    }
}

/// A kernel or an adapter, for tables.
fn with_threads(name: &str, threads: usize) -> String {
    match threads {
        0 => name.to_owned(),
        1 => format!("{name}, 1 thread"),
        n => format!("{name}, {n} threads"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        let mut figures = Figures::default();
        for (name, scene, median) in
            [("AVX2", "open", 40.0), ("AVX-512", "open", 20.0), ("AVX2", "plain", 24.0), ("AVX-512", "plain", 16.0)]
        {
            figures.add(&format!(
                r#"{{"row":"smoke","role":"cpu","name":"{name}","threads":2,"width":1920,"height":1080,"scene":"{scene}",
                "runs":9,"least":{},"median":{median},"parts":[["forces",2.5]],"iterations":4,"residual":0.0005}}"#,
                median - 1.0
            ));
        }
        figures.add(
            r#"{"row":"pressure","name":"AVX-512","threads":2,"side":1024,
            "multigrid":{"least":3.0,"median":4.0,"iterations":4,"residual":5e-5},
            "jacobi":{"least":5.0,"median":8.0,"iterations":60,"residual":0.1}}"#,
        );
        figures.add(
            r#"{"row":"smokepictures","name":"AVX-512","threads":2,"width":1920,"height":1080,
            "outputs":[["Dye",[1.0,1.5]],["Smoke",[20.0,21.25]]]}"#,
        );
        figures.add(
            r#"{"row":"smokepeer","peer":"numba","device":"CPU","version":"1","width":1920,"height":1080,"runs":9,
            "least":80.0,"median":84.0,"sweeps":50,"residual":0.1,"difference":0.0}"#,
        );
        figures.add(
            r#"{"row":"smokepeer","peer":"Taichi, full step","device":"CPU","version":"1","width":1920,"height":1080,
            "runs":9,"least":150.0,"median":160.0,"sweeps":50,"residual":0.1,"difference":0.0}"#,
        );
        figures.add("[Taichi] Starting on arch=x64");
        figures
    }

    #[test]
    fn goals_take_the_fastest_step() {
        let goals = figures().goals();
        let find = |text: &str| goals.iter().find(|goal| goal.what.contains(text)).unwrap().value;
        let time = |name: &str, scene: &str| find(&format!("{name}'s time over the CPU's, 1920×1080 smoke {scene}"));
        assert_eq!((time("numba", "open"), time("Taichi", "open")), (None, Some(8.0)));
        assert_eq!((time("numba", "plain"), time("Taichi", "plain")), (Some(5.25), None));
        assert_eq!(find("multigrid"), Some(0.5));
        let residuals: Vec<_> = goals.iter().filter(|goal| goal.what.contains("residual over Flow's")).collect();
        assert_eq!(residuals.iter().filter_map(|goal| goal.value).collect::<Vec<_>>(), [200.0, 200.0]);
    }

    #[test]
    fn rows_of_a_scene_are_adjacent() {
        let text = figures().markdown();
        assert!(text.contains("| 1920×1080 open | AVX-512, 2 threads | 20.0 (19.0) | 4 | 5.0e-4 |\n"), "{text}");
        assert!(text.contains("| 1920×1080 plain | *numba* (1, CPU) | 84.0 (80.0) | 50 sweeps | 1.0e-1 |\n"), "{text}");
        assert!(text.contains("5.0e-4 |\n| 1920×1080 open | *Taichi* (1, CPU) | 160.0 (150.0) |"), "{text}");
        assert!(text.contains("| device | forces |\n"), "{text}");
        assert!(
            text.contains("| AVX-512, 2 threads | 4.00 (3.00) | 4 | 5.0e-5 | 8.00 (5.00) | 60 | 1.0e-1 |"),
            "{text}"
        );
        assert!(text.contains("| size | device | Dye | Smoke |\n|---|---|---:|---:|\n"), "{text}");
        assert!(text.contains("| 1920×1080 | AVX-512, 2 threads | 1.5 (1.0) | 21.2 (20.0) |\n"), "{text}");
        assert_eq!(Figures::default().markdown(), "");
    }
}
