//! Numbered files as a source of pictures.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{FileOptions, check_extension, read};
use crate::{Components, Depth, Error, Image, Premultiplication, Project, Result};

/// A file name with or without a place for a frame number: `a.####.exr`, `a.%04d.exr`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    /// Byte range of the placeholder and number of digits.
    number: Option<(std::ops::Range<usize>, usize)>,
}

impl Pattern {
    /// Finds the placeholder in the file's name: the last run of `#`, or `%d`, `%04d`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let name = text.rfind(['/', std::path::MAIN_SEPARATOR]).map_or(0, |at| at + 1);
        Self { text: text.into(), number: hashes(text, name).or_else(|| percent(text, name)) }
    }

    /// Whether the name has a placeholder for the frame number.
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        self.number.is_some()
    }

    /// The file of a frame.
    #[must_use]
    pub fn file(&self, frame: i64) -> PathBuf {
        match &self.number {
            None => PathBuf::from(&self.text),
            Some((range, digits)) => {
                let sign = if frame < 0 { "-" } else { "" };
                let number = format!("{sign}{:0digits$}", frame.unsigned_abs());
                let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
                PathBuf::from(format!("{before}{number}{after}"))
            }
        }
    }

    /// Frames with a file, in order.
    #[must_use]
    pub fn existing(&self) -> Vec<i64> {
        let Some((range, _)) = &self.number else { return Vec::new() };
        let path = Path::new(&self.text);
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let start = self.text.rfind(['/', std::path::MAIN_SEPARATOR]).map_or(0, |at| at + 1);
        let (before, after) = (&self.text[start..range.start], &self.text[range.end..]);
        let mut frames: Vec<i64> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let number: i64 = name.strip_prefix(before)?.strip_suffix(after)?.parse().ok()?;
                (self.file(number).file_name()? == name.as_str()).then_some(number)
            })
            .collect();
        frames.sort_unstable();
        frames
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

fn hashes(text: &str, name: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let end = text[name..].rfind('#').map(|at| name + at + 1)?;
    let digits = text[name..end].bytes().rev().take_while(|b| *b == b'#').count();
    Some((end - digits..end, digits))
}

fn percent(text: &str, name: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let start = text[name..].rfind('%').map(|at| name + at)?;
    let rest = &text[start + 1..];
    let width = rest.bytes().take_while(u8::is_ascii_digit).count();
    if rest.as_bytes().get(width) != Some(&b'd') {
        return None;
    }
    let digits = rest[..width].parse().unwrap_or(1).clamp(1, 20);
    Some((start..start + width + 2, digits))
}

/// Treatment of a frame without a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// An error that names the file.
    #[default]
    Error,
    /// The nearest earlier file, or else the first one.
    Hold,
    /// No image.
    Nothing,
}

impl std::str::FromStr for Missing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "error" => Self::Error,
            "hold" => Self::Hold,
            "none" => Self::Nothing,
            other => {
                return Err(Error::usage(format!("unknown --missing '{other}': expected error, hold or none")));
            }
        })
    }
}

/// Files read on demand; the latest ones stay in memory.
pub struct Sequence {
    pattern: Pattern,
    missing: Missing,
    options: FileOptions,
    origin: (i32, i32),
    cache: Mutex<VecDeque<Read>>,
}

/// A file in memory, at a scale.
struct Read {
    path: PathBuf,
    scale: (u64, u64),
    image: Arc<Image>,
}

/// Size of the pictures that a sequence keeps, in bytes.
const BUDGET: usize = 192 << 20;

impl Sequence {
    /// Files of that name or pattern.
    ///
    /// # Errors
    /// A usage error for an extension that cannot be read.
    pub fn new(pattern: &str, missing: Missing, options: FileOptions) -> Result<Self> {
        let pattern = Pattern::new(pattern);
        check_extension(&pattern.file(0))?;
        Ok(Self { pattern, missing, options, origin: (0, 0), cache: Mutex::default() })
    }

    /// Position of the lower left pixel, for files without a data window.
    #[must_use]
    pub fn origin(mut self, x: i32, y: i32) -> Self {
        self.origin = (x, y);
        self
    }

    /// Refuses a sequence none of whose files exists, before anything is rendered.
    pub(crate) fn check(&self, project: &Project) -> Result<()> {
        if self.pattern.is_numbered() {
            let none = self.pattern.existing().is_empty();
            if none && self.missing != Missing::Nothing {
                let path = self.file_at(project.frames.0);
                return Err(Error::file(path, "is missing; there is no file of this sequence"));
            }
            return Ok(());
        }
        match self.missing {
            Missing::Nothing => Ok(()),
            _ => self.image(project.frames.0, (1.0, 1.0)).map(drop),
        }
    }

    /// The file for a time: that of the frame at or before it.
    pub(crate) fn file_at(&self, time: f64) -> PathBuf {
        self.pattern.file(time.floor() as i64)
    }

    fn resolve(&self, time: f64) -> Result<Option<PathBuf>> {
        let path = self.file_at(time);
        if path.is_file() || (!self.pattern.is_numbered() && self.missing != Missing::Nothing) {
            return Ok(Some(path));
        }
        let existing = self.pattern.existing();
        match self.missing {
            Missing::Nothing => Ok(None),
            Missing::Hold => {
                let frame = time.floor() as i64;
                let earlier = existing.iter().rev().find(|f| **f <= frame);
                Ok(earlier.or(existing.first()).map(|frame| self.pattern.file(*frame)))
            }
            Missing::Error => {
                let found = match (existing.first(), existing.last()) {
                    (Some(first), Some(last)) => {
                        format!("{} files of this sequence, {first} to {last}", existing.len())
                    }
                    _ => "no file of this sequence".into(),
                };
                Err(Error::file(path, format!("is missing; there are {found}")))
            }
        }
    }

    /// The picture at a time and scale.
    ///
    /// # Errors
    /// The file is missing and that is an error, or the file cannot be read.
    pub fn image(&self, time: f64, scale: (f64, f64)) -> Result<Option<Arc<Image>>> {
        let Some(path) = self.resolve(time)? else { return Ok(None) };
        let key = (scale.0.to_bits(), scale.1.to_bits());
        {
            let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = cache.iter().find(|read| read.path == path && read.scale == key) {
                return Ok(Some(Arc::clone(&found.image)));
            }
        }
        let image = Arc::new(read(&path, self.options, self.origin)?.scaled(scale));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.push_back(Read { path, scale: key, image: Arc::clone(&image) });
        let size = |cache: &VecDeque<Read>| -> usize { cache.iter().map(|read| read.image.data().len()).sum() };
        while cache.len() > 1 && size(&cache) > BUDGET {
            cache.pop_front();
        }
        Ok(Some(image))
    }

    /// Depth, components and premultiplication of the file at a time, or of the first
    /// existing file.
    pub(crate) fn native(&self, time: f64) -> (Depth, Components, Premultiplication) {
        let first = || {
            let frame = *self.pattern.existing().first()?;
            self.image(frame as f64, (1.0, 1.0)).ok().flatten()
        };
        match self.image(time, (1.0, 1.0)).ok().flatten().or_else(first) {
            Some(image) => (image.depth(), image.components(), image.premultiplication),
            None => (Depth::Float, Components::Rgba, Premultiplication::Premultiplied),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_by_the_frame_number() {
        let name = |pattern: &str, frame| Pattern::new(pattern).file(frame).display().to_string();
        assert_eq!(name("a/b.####.exr", 7), "a/b.0007.exr");
        assert_eq!(name("a/b.%03d.png", 1234), "a/b.1234.png");
        assert_eq!(name("b%d.png", -5), "b-5.png");
        assert_eq!(name("b.####.exr", -5), "b.-0005.exr");
        assert_eq!(name("a##/still.exr", 5), "a##/still.exr");
        assert!(!Pattern::new("100%.png").is_numbered());
    }
}
