//! `index.tsv`: a readable list of the states stored in a folder. The program never reads states from it.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

use crate::Header;
use crate::names::StateName;
use crate::shape::sides;
use crate::temporary;

pub(crate) const FILE: &str = "index.tsv";

const TITLES: &str = "file\tframe\tkey\tfamily\tmodel\tshape\tbytes\tstored\n";

/// Appends a line for a state. A failure is only logged.
pub(crate) fn append(folder: &Path, name: &StateName, bytes: u64, header: &Header) {
    let time = humantime::format_rfc3339_seconds(SystemTime::now());
    let Header { key, family, shape, .. } = header;
    let model: String = header.model.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let (file, frame) = (name.file(), name.frame);
    write(folder, &format!("{file}\t{frame}\t{key:032x}\t{family:032x}\t{model}\t{}\t{bytes}\t{time}\n", sides(shape)));
}

fn write(folder: &Path, line: &str) {
    let path = folder.join(FILE);
    // Opening a pipe would block. A link to a file is followed.
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        tracing::debug!("{} is not updated: it is not a regular file", path.display());
        return;
    }
    // The process that creates the file writes the titles. Each line is one append, so lines of several processes do
    // not mix.
    let titles = OpenOptions::new().append(true).create_new(true).open(&path);
    let written = titles.and_then(|mut new| new.write_all(TITLES.as_bytes()));
    tracing::trace!("{}: {written:?}", path.display());
    let appended = OpenOptions::new().append(true).open(&path).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = appended {
        tracing::debug!("{} is not updated: {error}", path.display());
    }
}

/// Removes the lines of files that no longer exist. Lines that others append meanwhile may be lost.
pub(crate) fn prune(folder: &Path) {
    let path = folder.join(FILE);
    // Pruning would replace a link, and reading a pipe would block.
    if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
        return;
    }
    let Ok(text) = fs::read_to_string(&path) else { return };
    let there = |line: &&str| {
        line.split('\t').next().and_then(StateName::parse).is_none_or(|name| folder.join(name.file()).exists())
    };
    let kept: String = text.split_inclusive('\n').filter(there).collect();
    if kept.len() == text.len() {
        return;
    }
    let written = temporary::create(folder, &StateName::new("index", 0)).and_then(|mut new| {
        new.write_all(kept.as_bytes())?;
        // The new file keeps the permissions of the old one.
        new.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
        new.persist(&path).map_err(|failure| failure.error)
    });
    if let Err(error) = written {
        tracing::debug!("{} is not pruned: {error}", path.display());
    }
}
