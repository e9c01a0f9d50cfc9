//! What a render has to tell.

use std::fmt;
use std::time::Duration;

use crate::nodes::json_text;
use crate::sim::Notices;
use crate::sim::settings::Model;
use crate::timeline::ChainKey;

/// Where a frame came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was kept.
    Memory,
    /// It was on disk.
    Disk,
    /// It, or the last frames before it, were simulated.
    Simulated,
}

/// Where a render's time went. What is in none of the parts (asking the host for regions and the abort flag, waiting for
/// another render's frame, the store) is in the total.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Reading parameters.
    pub parameters: Duration,
    /// The host's, to give images.
    pub fetch: Duration,
    /// Sampling the images onto the grid, and hashing them.
    pub sample: Duration,
    /// Turning pictures and settings into a program, and running it.
    pub steps: Duration,
    /// Painting the picture in the host's format.
    pub output: Duration,
    /// From the first line of the render to this report.
    pub total: Duration,
}

/// What the `info` parameter shows and what a host that counts is told.
#[derive(Clone, Debug)]
pub struct Report {
    /// The frame asked for.
    pub time: f64,
    /// Columns and rows of the grid.
    pub grid: [usize; 2],
    /// Cells per full-resolution pixel.
    pub cells_per_pixel: f64,
    /// Which water.
    pub model: Model,
    /// Steps that a frame takes with the settings at this one, and whether the speed was cut for it.
    pub pace: (u32, bool),
    /// Mean height of the water in the frame.
    pub mean_height: f64,
    /// Share of the frame that is wet.
    pub wet_share: f64,
    /// What simulates.
    pub device: String,
    /// The artist asked for a graphics device.
    pub wanted_gpu: bool,
    /// Where the frame came from.
    pub origin: Origin,
    /// Frames simulated.
    pub frames: u64,
    /// States taken from disk.
    pub loaded: u64,
    /// Name of the state that is shown, and frames since the first of its chain.
    pub named: Option<(ChainKey, u64)>,
    /// Steps taken.
    pub steps: u64,
    /// Frames whose inputs were read.
    pub read: u64,
    /// States and bytes kept by the process, and the budget.
    pub store: (usize, u64, u64),
    /// Where the time went.
    pub times: Times,
    /// What the chain up to this frame has to tell.
    pub notices: Notices,
    /// The host shows every frame the present time's values and pictures.
    pub ignores_time: bool,
}

impl Report {
    /// For tools that count: one JSON object.
    pub fn json(&self) -> String {
        let from = match self.origin {
            Origin::Memory => "memory",
            Origin::Disk => "disk",
            Origin::Simulated => "simulated",
        };
        let Times { parameters, fetch, sample, steps, output, total } = self.times;
        let times = [
            ("parameters", parameters),
            ("fetch", fetch),
            ("sample", sample),
            ("steps", steps),
            ("output", output),
            ("total", total),
        ];
        let named = self.named.map(|(key, index)| format!(",\"key\":\"{:032x}\",\"index\":{index}", key.0));
        let named = named.unwrap_or_default();
        let times = times.map(|(part, time)| format!(",\"{part}Micros\":{}", time.as_micros())).concat();
        format!(
            "{{\"from\":\"{from}\",\"device\":\"{}\",\"frames\":{},\"steps\":{},\"loaded\":{},\"read\":{},\"stepsPerFrame\":{},\"stored\":{},\"storedBytes\":{}{named}{times}}}",
            json_text(&self.device),
            self.frames,
            self.steps,
            self.loaded,
            self.read,
            self.pace.0,
            self.store.0,
            self.store.1
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MB: f64 = 1024.0 * 1024.0;
        let [width, height] = self.grid;
        let model = match self.model {
            Model::Pipes => "Pipes",
            Model::Classic => "Classic pipes",
        };
        writeln!(f, "Grid {width} x {height}, {} cells per pixel, {model}", self.cells_per_pixel)?;
        writeln!(f, "{} steps per frame on the {}", self.pace.0, self.device)?;
        writeln!(
            f,
            "Frame {}: water {:.4} high on average, {:.1} % wet",
            self.time,
            self.mean_height,
            self.wet_share * 100.0
        )?;
        match self.origin {
            Origin::Memory => writeln!(f, "Taken from memory")?,
            Origin::Disk => writeln!(f, "Taken from disk")?,
            Origin::Simulated => writeln!(f, "Simulated {} frames, {} steps", self.frames, self.steps)?,
        }
        let (states, bytes, budget) = self.store;
        write!(f, "{states} frames kept, {:.0} of {:.0} MB", bytes as f64 / MB, budget as f64 / MB)?;
        if self.pace.1 {
            write!(f, "\nThe speed needs more than 1024 steps per frame and was cut: lower Speed or Resolution")?;
        }
        if self.wanted_gpu && self.device.starts_with("CPU") {
            write!(f, "\nThere is no GPU that works: the CPU simulates, the pixels are the same")?;
        }
        if self.ignores_time {
            write!(
                f,
                "\nThis host shows a node only the present frame's inputs and values: keys do not animate the water"
            )?;
        }
        let notices = &self.notices;
        if notices.luminance_for_alpha {
            write!(f, "\nThe Source has no alpha: its luminance is the height")?;
        }
        if notices.alpha_everywhere {
            write!(f, "\nThe Source's alpha is 1 everywhere, which floods the frame: choose another Source channel")?;
        }
        let bad = &notices.bad_pixels;
        let inputs = [
            ("Source", bad.source),
            ("Terrain", bad.terrain),
            ("Obstacles", bad.obstacles),
            ("Force", bad.force),
            ("Mask", bad.mask),
        ];
        for (name, count) in inputs.into_iter().filter(|(_, count)| *count > 0) {
            write!(f, "\n{count} pixels of {name} are not numbers and count as 0")?;
        }
        if notices.clamped > 0 {
            write!(f, "\nWater above Max height was cut: raise Max height")?;
        }
        Ok(())
    }
}
