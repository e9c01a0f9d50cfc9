//! The results as Markdown.

use super::disk;
use super::frames::Figures;
use super::goals::{self, Goal};
use super::machine::Machine;
use super::rows::{self, Case, Kernel, Line, Peer};
use super::{particles, smoke, volume};

/// All measurements of a run.
pub struct Report {
    /// The machine.
    pub machine: Machine,
    /// Devices, in the order they were measured.
    pub kernels: Vec<Kernel>,
    /// Peers.
    pub peers: Vec<Peer>,
    /// The smoke.
    pub smoke: smoke::Figures,
    /// The particles.
    pub particles: particles::Figures,
    /// The volumes.
    pub volume: volume::Figures,
    /// The disk cache.
    pub disk: disk::Figures,
    /// Whole frames.
    pub frames: Figures,
    /// GB/s of the memory.
    bandwidths: Vec<f64>,
    threads: usize,
    /// Peers that could not be measured.
    absent: Vec<String>,
}

/// A row of the table of cell-steps: a device or a peer at one size, scene and colour.
struct Entry<'a> {
    place: String,
    device: String,
    cases: Vec<(&'a Case, Option<f64>)>,
    bytes: String,
}

impl Report {
    /// An empty report.
    pub fn new(machine: Machine) -> Self {
        let (disk, frames) = (disk::Figures::default(), Figures::default());
        let (kernels, peers, bandwidths, absent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (smoke, particles) = (smoke::Figures::default(), particles::Figures::default());
        let volume = volume::Figures::default();
        Self { machine, kernels, peers, smoke, particles, volume, disk, frames, bandwidths, threads: 0, absent }
    }

    /// Reads a line of output of the kernels or the peers.
    pub fn add(&mut self, line: &str) {
        match rows::parse(line) {
            Some(Line::Kernel(row)) => {
                if row.role == "gpu" && !self.machine.adapters.contains(&row.name) {
                    self.machine.adapters.push(row.name.clone());
                }
                match self.kernels.iter_mut().find(|known| known.is_same(&row)) {
                    Some(known) => known.case.add(&row.case),
                    None => self.kernels.push(row),
                }
            }
            Some(Line::Peer(row)) => match self.peers.iter_mut().find(|known| known.is_same(&row)) {
                Some(known) => known.case.add(&row.case),
                None => self.peers.push(row),
            },
            Some(Line::Bandwidth { gigabytes }) => self.bandwidths.extend(gigabytes),
            Some(Line::Threads { all }) => self.threads = all,
            Some(Line::Missing { peer, why }) => self.leave_out(format!("{peer}: {why}")),
            Some(Line::Failed { peer, why }) => self.leave_out(format!("{peer} FAILED: {why}")),
            None => {}
        }
    }

    /// Records a peer without a measurement, once for all turns.
    fn leave_out(&mut self, note: String) {
        if !self.absent.contains(&note) {
            self.absent.push(note);
        }
    }

    /// The whole text.
    pub fn markdown(&self) -> String {
        let goals = [self.water_goals(), self.smoke.goals(), self.particles.goals(), self.volume.goals()].concat();
        let sections =
            [self.cell_steps(), self.smoke.markdown(), self.particles.markdown(), self.volume.markdown(), self.rest()];
        self.page("Benchmarks", &sections, goals)
    }

    /// The page of the water and of whole frames, if there are measurements; `plot` is the picture's path relative to
    /// the page.
    pub fn water_page(&self, plot: Option<&str>) -> Option<String> {
        let plot = plot.map(|plot| format!("\n![Million cell-steps per second at 1920×1080]({plot})\n"));
        let (steps, rest) = (self.cell_steps(), self.rest());
        let any = !steps.is_empty() || !rest.is_empty();
        any.then(|| self.page("Benchmarks", &[plot.unwrap_or_default(), steps, rest], self.water_goals()))
    }

    /// The page of the smoke, if there are measurements.
    pub fn smoke_page(&self) -> Option<String> {
        let text = self.smoke.markdown();
        (!text.is_empty()).then(|| self.page("Benchmarks of smoke", &[text], self.smoke.goals()))
    }

    /// The page of the particles, if there are measurements.
    pub fn particles_page(&self) -> Option<String> {
        let text = self.particles.markdown();
        (!text.is_empty()).then(|| self.page("Benchmarks of particles", &[text], self.particles.goals()))
    }

    /// The page of the volumes, if there are measurements.
    pub fn volume_page(&self) -> Option<String> {
        let text = self.volume.markdown();
        (!text.is_empty()).then(|| self.page("Benchmarks of volumes", &[text], self.volume.goals()))
    }

    fn page(&self, title: &str, sections: &[String], goals: Vec<Goal>) -> String {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        let mut text = format!(
            "# {title}\n\nWritten by `cargo xtask {}`, all in one run on this machine:\n\n",
            arguments.join(" ")
        );
        text.push_str(&self.machine.markdown());
        text.push_str(&self.machine.steal());
        text.push_str(&sections.concat());
        text.push_str("\n## Goals\n\n| case | goal | measured | reached |\n|---|---:|---:|---|\n");
        text.extend(goals.iter().map(Goal::line));
        text
    }

    fn water_goals(&self) -> Vec<Goal> {
        goals::all(&self.kernels, &self.peers, &self.disk, &self.frames)
    }

    /// The disk and whole frames; empty without measurements.
    fn rest(&self) -> String {
        let frames = if self.frames.rows.is_empty() { String::new() } else { self.whole_frames() };
        self.disk.markdown() + &frames
    }

    /// Empty without measurements.
    fn cell_steps(&self) -> String {
        if self.kernels.is_empty() && self.peers.is_empty() {
            return String::new();
        }
        let mut steps: Vec<u32> = self.kernels.iter().map(|k| k.case.steps).collect();
        steps.extend(self.peers.iter().map(|p| p.case.steps));
        steps.sort_unstable();
        steps.dedup();
        let mut text = format!(
            "\n## Cell-steps\n\nMillion cell-steps per second: median (best), by steps per frame. In brackets after one \
             step, and after all steps of ripples: the model's bytes as a share of the in-place memory bandwidth, which was measured between the turns of the devices with {} threads: {}. Wet: waves over uneven ground, with more than nine tenths of the cells wet. Dry: pools that run down a slope, with about a tenth of the cells wet. Ripples around a moving solid: whole frames, with the preparation of the steps. Smoothing is on. Peers compute the same stencil in 32-bit float; their results are first checked against the kernels'.\n\n",
            self.threads,
            self.bandwidth()
        );
        let heads: Vec<String> =
            steps.iter().map(|n| format!(" {n} step{} |", if *n == 1 { "" } else { "s" })).collect();
        text.push_str(&format!(
            "| scene | device | bytes |{}\n|---|---|---:|{}\n",
            heads.concat(),
            "---:|".repeat(steps.len())
        ));
        for entry in self.entries() {
            text.push_str(&format!("| {} | {} | {} |", entry.place, entry.device, entry.bytes));
            for &n in &steps {
                let cell = entry.cases.iter().find(|(case, _)| case.steps == n).map(|(case, share)| {
                    let share = share.map_or(String::new(), |s| format!(" [{:.0} %]", s * 100.0));
                    format!("{} ({}){share}", speed(case.median), speed(case.best))
                });
                text.push_str(&format!(" {} |", cell.unwrap_or_default()));
            }
            text.push('\n');
        }
        if !self.absent.is_empty() {
            text.push_str(&format!("\nNot measured: {}.\n", self.absent.join("; ")));
        }
        text
    }

    fn bandwidth(&self) -> String {
        let mut sorted = self.bandwidths.clone();
        sorted.sort_by(f64::total_cmp);
        match (sorted.first(), sorted.get(sorted.len() / 2), sorted.last()) {
            (Some(least), Some(middle), Some(most)) => {
                format!("{middle:.0} GB/s at the median of {}, from {least:.0} to {most:.0}", sorted.len())
            }
            _ => "not measured".to_owned(),
        }
    }

    /// Rows by scene, devices before peers, cases with the same place and device together.
    fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let mut add = |place: String, device: String, bytes: String, case, share| match entries
            .iter_mut()
            .find(|entry| entry.place == place && entry.device == device)
        {
            Some(entry) => entry.cases.push((case, share)),
            None => entries.push(Entry { place, device, cases: vec![(case, share)], bytes }),
        };
        let mut places: Vec<String> = Vec::new();
        for row in &self.kernels {
            let place = place(&row.case, row.pigment, &row.model);
            places.push(place.clone());
            let bytes = if row.bytes == 0 { String::new() } else { row.bytes.to_string() };
            // Steps of Ripples pass over the memory one by one.
            let share = row.share().filter(|_| row.case.steps == 1 || row.model == "ripples");
            add(place, row.label(), bytes, &row.case, share);
        }
        for row in &self.peers {
            let device = format!("*{}* ({}, {})", row.peer, row.version, row.device);
            let place = place(&row.case, false, &row.model);
            places.push(place.clone());
            add(place, device, String::new(), &row.case, None);
        }
        let order = |entry: &Entry<'_>| places.iter().position(|place| *place == entry.place);
        entries.sort_by_key(order);
        entries
    }

    fn whole_frames(&self) -> String {
        let mut text = String::from(
            "\n## Whole frames\n\nRendered through the bundle by `flow-host`; medians of the parts.\n\n\
             | case | median | least | comparison or parts |\n|---|---:|---:|---|\n",
        );
        for row in &self.frames.rows {
            let [median, least] = [row.median, row.least].map(|time| time.as_secs_f64() * 1e3);
            text.push_str(&format!("| {} | {median:.2} ms | {least:.2} ms | {} |\n", row.what, row.note));
        }
        text
    }
}

fn place(case: &Case, pigment: bool, model: &str) -> String {
    let colour = if pigment { ", pigment" } else { "" };
    let model = if model == "pipes" { String::new() } else { format!(", {model}") };
    format!("{}×{} {}{colour}{model}", case.width, case.height, case.scene)
}

/// A speed with its unit.
pub fn speed(mcs: f64) -> String {
    let whole = mcs.round() as u64;
    match whole {
        0..=9 => format!("{mcs:.1}"),
        10..=999 => whole.to_string(),
        _ => format!("{},{:03}", whole / 1000, whole % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_printed_with_few_digits() {
        assert_eq!([0.96, 12.4, 999.6, 12345.0].map(speed), ["1.0", "12", "1,000", "12,345"]);
    }
}
