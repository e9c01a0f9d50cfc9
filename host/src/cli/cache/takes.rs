//! State files, grouped as sequences.

use flow_cache::{Listed, sides};
use serde_json::{Value, json};

use super::{count, disk_space, size, time};

/// The files of a folder that differ in their frame only.
pub(super) struct Take<'a> {
    files: &'a [Listed],
    /// The newest file; the newest usable one, if any is usable.
    pub newest: &'a Listed,
}

/// Takes of files that are sorted by folder, take and frame.
pub(super) fn takes(files: &[Listed]) -> Vec<Take<'_>> {
    let same = |a: &Listed, b: &Listed| a.path.parent() == b.path.parent() && a.take == b.take;
    let newest = |files: &'_ [Listed]| {
        files
            .iter()
            .enumerate()
            .max_by_key(|(_, file)| (file.header.is_ok(), file.modified, file.frame))
            .map(|(at, _)| at)
    };
    files.chunk_by(same).filter_map(|files| Some(Take { files, newest: &files[newest(files)?] })).collect()
}

impl Take<'_> {
    /// The name of the sequence, in the form for a Read node.
    fn pattern(&self) -> String {
        self.newest.path.with_file_name(format!("flow.{}.####.exr", self.newest.take)).display().to_string()
    }

    fn frames(&self) -> String {
        ranges(&self.files.iter().map(|file| file.frame).collect::<Vec<_>>())
    }

    fn bad(&self) -> usize {
        self.files.iter().filter(|file| file.header.is_err()).count()
    }

    pub fn line(&self) -> String {
        let mut parts = vec![self.pattern(), self.frames(), size(disk_space(self.files))];
        if let Ok(header) = &self.newest.header {
            parts.extend([format!("{} {}", header.model, header.version), sides(&header.shape)]);
        }
        parts.push(time(self.newest.modified));
        if self.bad() > 0 {
            parts.push(format!("{} not used", count(self.bad(), "file")));
        }
        parts.join("\t")
    }

    pub fn json(&self) -> Value {
        let header = self.newest.header.as_ref().ok();
        json!({
            "files": self.pattern(),
            "frames": self.frames(),
            "count": self.files.len(),
            "bad": self.bad(),
            "bytes": disk_space(self.files),
            "model": header.map(|header| &header.model),
            "version": header.map(|header| header.version),
            "shape": header.map(|header| &header.shape),
            "newest": time(self.newest.modified),
        })
    }
}

/// Ascending frames in the form of the option `--frames`: "1-5,8,10-20x5".
fn ranges(frames: &[i64]) -> String {
    let mut parts = Vec::new();
    let mut rest = frames;
    while let [first, ..] = rest {
        let step = rest.get(1).map_or(1, |second| second.abs_diff(*first));
        let run = 1 + rest.windows(2).take_while(|pair| pair[1].abs_diff(pair[0]) == step).count();
        // Two distant frames are separate; the second may begin a range.
        let run = if run == 2 && step > 1 { 1 } else { run };
        let last = rest[run - 1];
        parts.push(match (run, step) {
            (1, _) => first.to_string(),
            (_, 1) => format!("{first}-{last}"),
            _ => format!("{first}-{last}x{step}"),
        });
        rest = &rest[run..];
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn frames_are_printed_as_ranges_that_the_command_accepts() {
        for (frames, text) in [
            (vec![], ""),
            (vec![7], "7"),
            (vec![1, 2, 3], "1-3"),
            (vec![1, 2], "1-2"),
            (vec![1, 6, 11, 16], "1-16x5"),
            (vec![1, 5, 6, 7, 9], "1,5-7,9"),
            (vec![1, 2, 3, 8, 13, 18], "1-3,8-18x5"),
        ] {
            assert_eq!(ranges(&frames), text);
            if !frames.is_empty() {
                let parsed: Vec<i64> = crate::parse_frames(text).expect("a range").iter().map(|f| *f as i64).collect();
                assert_eq!(parsed, frames);
            }
        }
        assert_eq!(ranges(&[-2, -1, 0]), "-2-0");
    }
}
