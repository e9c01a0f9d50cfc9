//! What a render has to tell.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::node::Findings;
use crate::nodes::json_text;
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
    /// What is simulated, in the middle of a sentence.
    pub fluid: &'static str,
    /// What the node has to tell.
    pub findings: Findings,
    /// Where the frame came from.
    pub origin: Origin,
    /// Frames simulated.
    pub frames: u64,
    /// States taken from disk.
    pub loaded: u64,
    /// Name of the state that is shown, and frames since the first of its chain.
    pub named: Option<(ChainKey, u64)>,
    /// The frame that is shown in its place, and whether from before an edit.
    pub preview: Option<(i64, bool)>,
    /// Steps taken.
    pub steps: u64,
    /// Frames whose inputs were read.
    pub read: u64,
    /// States and bytes kept by the process, and the budget.
    pub store: (usize, u64, u64),
    /// Where the time went.
    pub times: Times,
    /// The host shows the present only: the state is carried from frame to frame.
    pub carried: bool,
    /// The host may show every frame the present time's values and pictures.
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
        let figures: String =
            self.findings.figures.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
        let named = self.named.map(|(key, index)| format!(",\"key\":\"{:032x}\",\"index\":{index}", key.0));
        let named = named.unwrap_or_default();
        let preview = self.preview.map(|(frame, _)| format!(",\"preview\":{frame}")).unwrap_or_default();
        let times = times.map(|(part, time)| format!(",\"{part}Micros\":{}", time.as_micros())).concat();
        format!(
            "{{\"from\":\"{from}\",\"device\":\"{}\",\"frames\":{},\"steps\":{},\"loaded\":{},\"read\":{},\"stepsPerFrame\":{},\"stored\":{},\"storedBytes\":{}{named}{preview}{times}{figures}}}",
            json_text(&self.findings.device),
            self.frames,
            self.steps,
            self.loaded,
            self.read,
            self.findings.steps_per_frame,
            self.store.0,
            self.store.1
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MB: f64 = 1024.0 * 1024.0;
        let Findings { grid, cells_per_pixel, model, device, steps_per_frame, content, warnings, notices, figures: _ } =
            &self.findings;
        let [width, height] = grid;
        writeln!(f, "Grid {width} x {height}, {cells_per_pixel} cells per pixel, {model}")?;
        writeln!(f, "{steps_per_frame} steps per frame on the {device}")?;
        writeln!(f, "Frame {}: {content}", self.time)?;
        if let Some((frame, stale)) = self.preview {
            let edit = if stale { ", from before the last edit" } else { "" };
            writeln!(
                f,
                "Preview for a draft: what is shown is frame {frame}{edit}. A render in full quality waits for its own"
            )?;
        }
        match self.origin {
            Origin::Memory => writeln!(f, "Taken from memory")?,
            Origin::Disk => writeln!(f, "Taken from disk")?,
            Origin::Simulated => writeln!(f, "Simulated {} frames, {} steps", self.frames, self.steps)?,
        }
        let (states, bytes, budget) = self.store;
        write!(f, "{states} frames kept, {:.0} of {:.0} MB", bytes as f64 / MB, budget as f64 / MB)?;
        warnings.iter().try_for_each(|line| write!(f, "\n{line}"))?;
        if self.carried {
            write!(
                f,
                "\nThis host shows a node only the present frame: the {} is carried on from frame to frame as they come. Play from the start",
                self.fluid
            )?;
        } else if self.ignores_time {
            write!(
                f,
                "\nThis host shows a node only the present frame's inputs and values: keys do not animate the {}",
                self.fluid
            )?;
        }
        notices.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

/// Tells of pixels of a picture, by its name, that were discarded, where there are any.
pub fn discarded(picture: &str, count: u64) -> Option<String> {
    (count > 0).then(|| format!("{count} pixels of {picture} are not numbers and count as 0"))
}

/// Tells of whole frames at which an input had no picture and counted as nothing, where there are any; `way_out` says what
/// there is to do.
pub fn missing(input: &str, frames: &BTreeSet<i64>, way_out: &str) -> Option<String> {
    let (first, last) = (*frames.first()?, *frames.last()?);
    let at = match last - first {
        0 => format!("frame {first}"),
        between if between + 1 == frames.len() as i64 => format!("frames {first} to {last}"),
        _ => format!("{} of the frames {first} to {last}", frames.len()),
    };
    Some(format!("{input} had no picture at {at} and counted as nothing: {way_out}"))
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn missing_frames_are_one_two_ends_or_a_number() {
        let at = |frames: &[i64]| missing("Wind", &frames.iter().copied().collect(), "mend it");
        assert_eq!(at(&[]), None);
        for (frames, words) in
            [(&[7][..], "frame 7"), (&[-1, 0, 1], "frames -1 to 1"), (&[2, 3, 9], "3 of the frames 2 to 9")]
        {
            assert_eq!(at(frames), Some(format!("Wind had no picture at {words} and counted as nothing: mend it")));
        }
    }
}
