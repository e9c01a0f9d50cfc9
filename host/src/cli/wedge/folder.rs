//! The folder of a combination: its name, its job file and its frames.
//!
//! A frame's file appears under its name only when it is complete. The frames of a folder belong to the job file that
//! lies in it: where settings or plug-ins have changed since, the frames are removed before the new job file is written.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use flow_cache::safe_name;

use super::super::job::{Job, Settings};
use super::super::run;
use super::make_folder;
use crate::io::{self, Pattern};
use crate::{Error, Result};

/// Longest part of a folder's name that stands for one value.
const LONGEST_VALUE: usize = 32;

/// Longest name of a folder.
const LONGEST: usize = 96;

/// A combination's folder.
pub(super) struct Folder {
    pub path: PathBuf,
    /// Frames and files of each render that writes pictures.
    renders: Vec<(Vec<f64>, Pattern)>,
    job: Job,
    /// The first line of the job file: the plug-ins and their versions.
    plugins: String,
}

impl Folder {
    /// The folder of a job, whose outputs are plain file names.
    pub(super) fn new(path: PathBuf, mut job: Job, plugins: &BTreeSet<String>) -> Result<Self> {
        job.folder.clone_from(&path);
        let renders = run::outputs(&job)?.into_iter().filter_map(|(frames, files)| Some((frames, files?))).collect();
        let plugins = format!("# {}", plugins.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        Ok(Self { path, renders, job, plugins })
    }

    /// The job file, which `flow-host render --job` renders.
    pub(super) fn job_file(&self) -> PathBuf {
        self.path.join("job.toml")
    }

    /// The statistics of the latest render.
    pub(super) fn stats_file(&self) -> PathBuf {
        self.path.join("stats.json")
    }

    /// The file of a frame of the first render; without a frame, of its last one.
    pub(super) fn picture(&self, frame: Option<i64>) -> Result<(f64, PathBuf)> {
        let Some((frames, files)) = self.renders.first() else {
            return Err(Error::file(&self.path, "has no pictures"));
        };
        let last = frames.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let frame = frame.map_or(last, |frame| frame as f64);
        if frames.contains(&frame) {
            return Ok((frame, run::output_of(files, frame)));
        }
        Err(Error::usage(format!("--sheet-frame {frame} is none of the frames of {files}")))
    }

    /// Whether PNG values are stored unchanged.
    pub(super) fn options(&self) -> io::FileOptions {
        io::FileOptions { raw: self.job.common.raw.unwrap_or(false), half: false }
    }

    /// Holds the folder against other processes that render this wedge, while the file lives. A file system without
    /// locks grants it to all: they then write the same files.
    pub(super) fn lock(&self) -> Result<File> {
        make_folder(&self.path)?;
        let path = self.path.join(".lock");
        let file = File::create(&path).map_err(|error| Error::file(&path, format!("cannot be written: {error}")))?;
        match file.lock() {
            Err(error) if error.kind() != ErrorKind::Unsupported => Err(Error::file(&path, error)),
            _ => Ok(file),
        }
    }

    /// Prepares the folder for this job, and returns whether frames are missing. Call it with the lock held.
    pub(super) fn prepare(&self) -> Result<bool> {
        if !self.belongs() {
            let old = self.renders.iter().flat_map(|(_, files)| files.existing().into_iter().map(|at| files.file(at)));
            let stills = self.renders.iter().filter(|(_, files)| !files.is_numbered()).map(|(_, files)| files.file(0));
            old.chain(stills).chain([self.stats_file()]).try_for_each(|file| remove(&file))?;
        }
        self.remove_partial()?;
        let text = format!("{}\n{}", self.plugins, self.job.to_text()?);
        io::write_whole(&self.job_file(), text.as_bytes())?;
        let there = |files: &Pattern, frame: &f64| run::output_of(files, *frame).is_file();
        Ok(!self.renders.iter().all(|(frames, files)| frames.iter().all(|frame| there(files, frame))))
    }

    /// Whether the frames that lie here are those of this job, apart from their range.
    fn belongs(&self) -> bool {
        let Ok(text) = fs::read_to_string(self.job_file()) else { return false };
        let Some((plugins, text)) = text.split_once('\n') else { return false };
        let Ok(there) = toml::from_str::<Job>(text) else { return false };
        let ours =
            self.job.to_text().and_then(|text| toml::from_str::<Job>(&text).map_err(|e| Error::usage(e.to_string())));
        plugins == self.plugins && ours.is_ok_and(|ours| without_range(ours) == without_range(there))
    }

    /// Removes incomplete files of killed processes.
    fn remove_partial(&self) -> Result<()> {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') && name.ends_with(".part") {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }
}

fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::file(file, format!("is of other settings and cannot be removed: {error}")))
        }
        _ => Ok(()),
    }
}

/// A job without what changes no picture: frames, their order and the threads.
fn without_range(mut job: Job) -> Job {
    let clear = |settings: &mut Settings| {
        (settings.frames, settings.order, settings.threads) = (None, None, None);
    };
    clear(&mut job.common);
    job.renders.iter_mut().for_each(|render| clear(&mut render.own));
    job
}

/// The name of a combination's folder: `parameter-value_parameter-value`, of characters that need no quotes. Where
/// characters were replaced or left out, a checksum of the whole keeps names of different values apart.
pub(super) fn name<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut whole = String::new();
    let mut lossy = false;
    let parts: Vec<String> = values
        .map(|(parameter, value)| {
            whole.push_str(&format!("{parameter}={value};"));
            let kept = |c: char| match c {
                ',' => 'x',
                ' ' => '-',
                c if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+') => c,
                _ => '_',
            };
            let text: String = value.chars().map(kept).take(LONGEST_VALUE).collect();
            lossy |= text.contains('_') || value.chars().count() > LONGEST_VALUE;
            format!("{parameter}-{text}")
        })
        .collect();
    let mut name = parts.join("_");
    if lossy || name.len() > LONGEST {
        let end = (0..=name.len().min(LONGEST - 9)).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
        name.truncate(end);
        name.push_str(&format!("_{:08x}", checksum(whole.as_bytes())));
    }
    safe_name(&name)
}

/// FNV-1a, 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_differ_where_values_differ() {
        let name = |value: &str| name([("a", value), ("b", "2.5")].into_iter());
        assert_eq!(name("-1"), "a--1_b-2.5");
        assert_eq!(name("100,50"), "a-100x50_b-2.5");
        assert_eq!(name("Rivers and floods"), "a-Rivers-and-floods_b-2.5");
        let all = ["a/b", "a_b", "a:b", "ä", "", &"x".repeat(200), &"x".repeat(201)].map(name);
        for (at, name) in all.iter().enumerate() {
            assert!(name.len() <= LONGEST && !name.contains(['/', ':', ' ', ',']), "{name}");
            assert!(!all[..at].contains(name), "{name}");
        }
    }
}
