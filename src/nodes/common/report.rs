//! The report of a render.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::memory;
use super::node::FrameReport;
use crate::nodes::json_text;
use crate::timeline::ChainKey;

/// The origin of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The store.
    Memory,
    /// The disk.
    Disk,
    /// The simulation of the frame, or of the last frames before it.
    Simulated,
}

/// The times of a render. The total also includes queries of regions and of the abort flag, waits for frames of other
/// renders, and the store.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Reading parameters.
    pub parameters: Duration,
    /// Images from the host.
    pub fetch: Duration,
    /// Sampling the images onto the grid, and hashing them.
    pub sample: Duration,
    /// The simulation.
    pub steps: Duration,
    /// Painting the picture in the host's format.
    pub output: Duration,
    /// From the beginning of the render to this report.
    pub total: Duration,
}

/// The report of a frame, which the `info` parameter shows and tools read as JSON.
#[derive(Clone, Debug)]
pub struct Report {
    /// The frame asked for.
    pub time: f64,
    /// The fluid, as in the middle of a sentence.
    pub fluid: &'static str,
    /// The model's part.
    pub frame: FrameReport,
    /// The origin of the frame.
    pub origin: Origin,
    /// Frames simulated.
    pub frames: u64,
    /// States taken from disk.
    pub loaded: u64,
    /// Key of the shown state, and frames since the first of its chain.
    pub named: Option<(ChainKey, u64)>,
    /// The frame that is shown instead, and whether it is from before an edit.
    pub preview: Option<(i64, bool)>,
    /// Steps taken.
    pub steps: u64,
    /// Frames whose inputs were read.
    pub read: u64,
    /// States and bytes kept by the process, and the budget.
    pub store: (usize, u64, u64),
    /// The times.
    pub times: Times,
    /// Whether the host is sequential-only.
    pub sequential_only: bool,
    /// Whether the host may give the current values and images for every time.
    pub ignores_time: bool,
}

impl Report {
    /// The report as one JSON object.
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
        let figures: String = self.frame.figures.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
        let named = self.named.map(|(key, index)| format!(",\"key\":\"{:032x}\",\"index\":{index}", key.0));
        let named = named.unwrap_or_default();
        let preview = self.preview.map(|(frame, _)| format!(",\"preview\":{frame}")).unwrap_or_default();
        let times = times.map(|(part, time)| format!(",\"{part}Micros\":{}", time.as_micros())).concat();
        let lines = self.frame.warnings.iter().chain(&self.frame.notices);
        let lines: Vec<String> = lines.map(|line| format!("\"{}\"", json_text(line))).collect();
        let notices = match &lines[..] {
            [] => String::new(),
            lines => format!(",\"notices\":[{}]", lines.join(",")),
        };
        format!(
            "{{\"from\":\"{from}\",\"device\":\"{}\",\"frames\":{},\"steps\":{},\"loaded\":{},\"read\":{},\"stepsPerFrame\":{},\"stored\":{},\"storedBytes\":{}{named}{preview}{notices}{times}{figures}}}",
            json_text(&self.frame.device),
            self.frames,
            self.steps,
            self.loaded,
            self.read,
            self.frame.steps_per_frame,
            self.store.0,
            self.store.1
        )
    }
}

impl Report {
    /// Seconds per frame, and the part of the work that took most of them.
    fn pace(&self) -> String {
        let Times { parameters, fetch, sample, steps, output, total } = self.times;
        let per_frame = total.as_secs_f64() / self.frames.max(1) as f64;
        let [cells, least] = [self.frame.shape.iter().product::<usize>(), self.frame.steps_per_frame as usize];
        let parts = [
            (
                steps,
                format!("the simulation: {least} steps of {cells} cells; a lower Resolution or fewer steps is faster"),
            ),
            (output, "the picture: another Output may be faster".to_owned()),
            (fetch, "the inputs, which come from the nodes before this one".to_owned()),
            (sample, "reading the inputs onto the grid".to_owned()),
            (parameters, "reading the parameters".to_owned()),
        ];
        let most = parts.into_iter().max_by_key(|(time, _)| *time);
        let most = most.map(|(_, what)| what).unwrap_or_default();
        format!("{per_frame:.2} seconds a frame, most of it {most}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MB: f64 = 1024.0 * 1024.0;
        let FrameReport {
            shape,
            cells_per_pixel,
            model,
            device,
            steps_per_frame,
            content,
            warnings,
            notices,
            figures: _,
        } = &self.frame;
        writeln!(f, "Grid {}, {cells_per_pixel} cells per pixel, {model}", memory::cells(shape))?;
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
        writeln!(f, "{}", self.pace())?;
        let (states, bytes, budget) = self.store;
        write!(f, "{states} frames kept, {:.0} of {:.0} MB", bytes as f64 / MB, budget as f64 / MB)?;
        warnings.iter().try_for_each(|line| write!(f, "\n{line}"))?;
        if self.sequential_only {
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

/// The notice of frames at which an input had no picture and counted as nothing, if there are any; `way_out` is the
/// remedy.
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
