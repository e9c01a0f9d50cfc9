//! Runs the disk's benchmark and reports its results.

use std::process::Stdio;

use anyhow::{Result, bail};
use serde::Deserialize;

use super::Options;
use crate::command;

/// Measurements of the disk cache.
#[derive(Default)]
pub struct Figures {
    states: Vec<State>,
    delay: Option<Delay>,
}

/// A line of the benchmark's output.
#[derive(Deserialize)]
#[serde(tag = "row", rename_all = "lowercase")]
enum Line {
    State(State),
    Delay(Delay),
}

/// A state of one size. Times are in seconds, sizes in bytes.
#[derive(Deserialize)]
struct State {
    width: usize,
    height: usize,
    /// Number of threads in rows of all threads.
    threads: usize,
    /// Exact planes.
    planes: usize,
    /// Float channels of the layers.
    channels: usize,
    /// Wet fraction of the frame.
    wet: f64,
    /// Of the exact planes.
    exact: f64,
    /// Of the layers.
    layers: f64,
    /// Of the state as it is kept in memory.
    memory: f64,
    /// Of the file.
    file: f64,
    /// Steps per frame.
    steps: u32,
    /// Time to simulate a frame on all threads.
    frame: f64,
    /// Time to write the state, until it is synced and renamed.
    write: f64,
    /// Time of encoding in it, on one thread.
    encode: f64,
    /// Time of hashing in it.
    seal: f64,
    /// Reading it on all threads.
    read: f64,
    /// Reading it on one thread.
    read_one: f64,
    /// The disk's own time for the file's bytes.
    bare_write: f64,
    bare_read: f64,
    /// Measured by `dd`.
    dd: bool,
    /// Reading bypassed the page cache.
    direct: bool,
    /// Of the exact planes after LZ4.
    lz4: f64,
    /// Times of LZ4 on one thread, compression and decompression.
    pack: f64,
    unpack: f64,
}

/// Frames rendered without a disk, and with it.
#[derive(Deserialize)]
struct Delay {
    width: usize,
    height: usize,
    threads: usize,
    frames: u32,
    /// Seconds per frame.
    without: f64,
    left_out: Mode,
    waited: Mode,
}

/// Frames rendered in one mode of using the disk.
#[derive(Deserialize)]
struct Mode {
    /// Seconds per frame.
    frame: f64,
    /// Seconds of writing after the last frame.
    rest: f64,
    /// Frames that were written.
    written: u32,
}

/// Builds and runs `benches/disk`.
pub fn run(options: &Options, figures: &mut Figures) -> Result<()> {
    println!("measuring the disk cache");
    let mut run = command::cargo();
    run.args(["bench", "--quiet", "--package", "flow-ofx", "--bench", "disk", "--"]).stderr(Stdio::inherit());
    run.args(options.quick.then_some("--quick"));
    if let Some(folder) = &options.disk {
        // Cargo starts the program in the package's folder.
        run.arg("--folder").arg(std::path::absolute(folder)?);
    }
    let done = command::run_lines(&mut run, |line| figures.add(line))?;
    if !done {
        bail!("the disk's benchmark failed; its message is above\ncommand: {}", command::shown(&run));
    }
    Ok(())
}

impl Figures {
    fn add(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Line::State(state)) => self.states.push(state),
            Ok(Line::Delay(delay)) => self.delay = Some(delay),
            // Output of other programs.
            Err(_) => {}
        }
    }

    /// Number of frames simulated in the time of one read.
    pub fn frames_per_read(&self, width: usize) -> Option<f64> {
        let state = self.states.iter().find(|state| state.width == width)?;
        Some(state.read / state.frame)
    }

    /// The time of a frame that the disk is too slow to store, in frames without a disk.
    pub fn left_out_ratio(&self) -> Option<f64> {
        self.delay.as_ref().map(|delay| delay.left_out.frame / delay.without)
    }

    /// The section of the report; empty without measurements.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if self.states.is_empty() {
            return text;
        }
        text.push_str(
            "\n## Disk\n\nStates of a simulated coast: waves, dry land, colour in the water. Times of reading and of \
             the bare disk are of files just written. MB/s are of the values in memory (planes and layers; reading \
             needs the planes alone), then of the file.\n\n\
             | case | time | MB/s | of the file | in simulated frames |\n|---|---:|---:|---:|---:|\n",
        );
        for state in &self.states {
            text.push_str(&state.rows());
        }
        text.push('\n');
        for state in &self.states {
            text.push_str(&state.conclusions());
        }
        if let Some(delay) = &self.delay {
            text.push_str(&delay.conclusions());
        }
        text
    }
}

impl State {
    fn rows(&self) -> String {
        let size = format!("{}×{}", self.width, self.height);
        let row = |what: &str, seconds: f64, raw: Option<f64>, file: Option<f64>| {
            let speed =
                |bytes: Option<f64>| bytes.map_or(String::new(), |bytes| format!("{:.0}", bytes / 1e6 / seconds));
            let (ms, frames) = (seconds * 1e3, seconds / self.frame);
            format!("| {size}: {what} | {ms:.1} ms | {} | {} | {frames:.1} |\n", speed(raw), speed(file))
        };
        let raw = Some(self.exact + self.layers);
        let (exact, file) = (Some(self.exact), Some(self.file));
        let tool = if self.dd { "dd" } else { "plain calls" };
        let past = if self.direct { "past the page cache" } else { "through the page cache" };
        [
            row(&format!("simulate a frame ({} steps), {} threads", self.steps, self.threads), self.frame, None, None),
            row("write a state with all layers", self.write, raw, file),
            row("… of that, encoding (1 thread)", self.encode, raw, file),
            row("… of that, hashing (1 thread)", self.seal, exact, None),
            row(&format!("write its bytes and sync ({tool})"), self.bare_write, None, file),
            row(&format!("read the state, {} threads", self.threads), self.read, exact, file),
            row("read the state, 1 thread", self.read_one, exact, file),
            row(&format!("read its bytes ({tool}, {past})"), self.bare_read, None, file),
            row("LZ4 in memory, 1 thread: pack", self.pack, exact, None),
            row("LZ4 in memory, 1 thread: unpack", self.unpack, exact, None),
        ]
        .concat()
    }

    fn conclusions(&self) -> String {
        let mega = |bytes: f64| format!("{:.0} MB", bytes / 1e6);
        let share = |part: f64, whole: f64| format!("{:.0} %", part / whole * 100.0);
        let size = format!("{}×{}", self.width, self.height);
        let mut lines = vec![
            format!(
                "{size}, {} wet: {} exact planes ({}) and {} channels of layers ({}) make a file of {}, {} of both; in \
                 memory the state takes {}.",
                share(self.wet, 1.0),
                self.planes,
                mega(self.exact),
                self.channels,
                mega(self.layers),
                mega(self.file),
                share(self.file, self.exact + self.layers),
                mega(self.memory)
            ),
            format!(
                "Writing reaches {} of the speed of the bare disk, with {} of the time in encoding; reading from the page \
                 cache takes {} of the bare disk's time for the file's bytes.",
                share(self.bare_write, self.write),
                share(self.encode, self.write),
                share(self.read, self.bare_read)
            ),
            format!(
                "Reading costs less than simulating from {} on{}.",
                pays(self.read / self.frame),
                self.through_disk()
            ),
        ];
        lines.push(format!(
            "LZ4 leaves {} of the exact planes; packing costs {:.1} frames' simulation on one thread, unpacking {:.1}.",
            share(self.lz4, self.exact),
            self.pack / self.frame,
            self.unpack / self.frame
        ));
        lines.into_iter().map(|line| format!("- {line}\n")).collect()
    }

    /// The same for a file that is first read from the disk, without overlap.
    fn through_disk(&self) -> String {
        if !self.direct {
            return String::new();
        }
        format!(
            "; from the disk instead of the page cache, from {} on",
            pays((self.read + self.bare_read) / self.frame)
        )
    }
}

/// The first frame whose simulation from the start takes longer than that of `frames` frames.
fn pays(frames: f64) -> String {
    format!("frame {:.0}", frames.ceil().max(1.0))
}

impl Delay {
    fn conclusions(&self) -> String {
        let Delay { width, height, threads, frames, without, left_out, waited } = self;
        let mode = |mode: &Mode| {
            format!(
                "{:.1} ms, {:.2} × that, {} of {frames} written, the last {:.1} s after the rendering",
                mode.frame * 1e3,
                mode.frame / without,
                mode.written,
                mode.rest
            )
        };
        format!(
            "- {frames} successive frames at {width}×{height} without pictures, {threads} threads: \
             {:.1} ms per frame without a disk; leaving out frames, {}; waiting, {}.\n",
            without * 1e3,
            mode(left_out),
            mode(waited)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = r#"{"row":"state","width":1920,"height":1080,"threads":2,"planes":9,"channels":17,"wet":0.7,
        "exact":75e6,"layers":140e6,"memory":79e6,"file":150e6,"steps":6,"frame":0.02,"write":0.6,"encode":0.4,
        "seal":0.01,"read":0.13,"read_one":0.2,"bare_write":0.15,"bare_read":0.1,"dd":true,"direct":true,
        "lz4":60e6,"pack":0.1,"unpack":0.03}"#;
    const DELAY: &str = r#"{"row":"delay","width":1920,"height":1080,"threads":2,"frames":48,"without":0.02,
        "left_out":{"frame":0.03,"rest":2.5,"written":8},"waited":{"frame":0.6,"rest":2.0,"written":48}}"#;

    #[test]
    fn conclusions_follow_from_the_measurements() {
        let mut figures = Figures::default();
        assert_eq!((figures.markdown(), figures.frames_per_read(1920), figures.left_out_ratio()), <_>::default());
        for line in ["a state of 1920x1080", STATE, DELAY] {
            figures.add(line);
        }
        let frames = figures.frames_per_read(1920).unwrap();
        assert!((frames - 6.5).abs() < 1e-9 && figures.frames_per_read(3840).is_none());
        assert!((figures.left_out_ratio().unwrap() - 1.5).abs() < 1e-9);
        let text = figures.markdown();
        for part in [
            "| 1920×1080: write a state with all layers | 600.0 ms | 358 | 250 | 30.0 |",
            "| 1920×1080: read the state, 2 threads | 130.0 ms | 577 | 1154 | 6.5 |",
            "a file of 150 MB, 70 % of both",
            "Writing reaches 25 % of the speed of the bare disk, with 67 % of the time in encoding",
            "from frame 7 on; from the disk instead of the page cache, from frame 12 on.",
            "LZ4 leaves 80 % of the exact planes; packing costs 5.0 frames' simulation on one thread, unpacking 1.5.",
            "leaving out frames, 30.0 ms, 1.50 × that, 8 of 48 written",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
