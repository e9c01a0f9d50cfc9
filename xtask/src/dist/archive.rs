//! A folder as an archive: the same contents have the same bytes, whenever and by whom they are packed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder};
use sha2::{Digest as _, Sha256};

/// Name of the list of checksums in a folder.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The folder as a gzip-compressed tar file, under `name`: entries are sorted, belong to root and have the time `epoch`,
/// in seconds since 1970. Modes are 755 for folders and programs, else 644.
pub fn pack(folder: &Path, name: &str, epoch: u64) -> Result<Vec<u8>> {
    let compressed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(compressed);
    let mut add = |path: &Path, bytes: Option<&[u8]>, mode: u32| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(if bytes.is_some() { tar::EntryType::Regular } else { tar::EntryType::Directory });
        let bytes = bytes.unwrap_or_default();
        header.set_size(bytes.len() as u64);
        header.set_mtime(epoch);
        header.set_mode(mode);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, Path::new(name).join(path), bytes).context("cannot pack the archive")
    };
    add(Path::new(""), None, 0o755)?;
    for path in entries(folder)? {
        let from = folder.join(&path);
        if from.is_dir() {
            add(&path, None, 0o755)?;
        } else {
            let bytes = std::fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
            add(&path, Some(&bytes), if runs(&from)? { 0o755 } else { 0o644 })?;
        }
    }
    let compressed = archive.into_inner().context("cannot pack the archive")?;
    let mut bytes = compressed.finish().context("cannot compress the archive")?;
    bytes.flush().context("cannot compress the archive")?;
    Ok(bytes)
}

/// The checksums of all files of a folder, as `sha256sum` prints them, sorted by name.
pub fn checksums(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for path in entries(folder)? {
        let from = folder.join(&path);
        if from.is_file() && path != Path::new(CHECKSUMS) {
            let bytes = std::fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
            text += &line(&bytes, &path.display().to_string());
        }
    }
    Ok(text)
}

/// The line of a file in a list of checksums.
pub fn line(bytes: &[u8], name: &str) -> String {
    let mut line = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing to a text cannot fail.
        let _ = write!(line, "{byte:02x}");
    }
    line + "  " + name + "\n"
}

/// Paths of a folder's files and folders, relative to it and sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut waiting) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(within) = waiting.pop() {
        let inner = folder.join(&within);
        for entry in std::fs::read_dir(&inner).with_context(|| format!("cannot read {}", inner.display()))? {
            let path = within.join(entry.with_context(|| format!("cannot read {}", inner.display()))?.file_name());
            if folder.join(&path).is_dir() {
                waiting.push(path.clone());
            }
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(unix)]
fn runs(path: &Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let file = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(_: &Path) -> Result<bool> {
    Ok(false)
}
