//! `flow-host cache`: the contents of cache folders, their integrity and their size.

mod takes;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use bytesize::ByteSize;
use flow_cache::{Folder, Header, Listed, Serial, peek, read, sides, without_use};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::args::{CacheCommand, GcArguments, InfoArguments, LsArguments, VerifyArguments};
use super::stream::say;
use crate::{Error, Result};

/// Number of states checked at once; each is held in memory whole.
const READERS: usize = 4;

pub(super) fn run(command: &CacheCommand) -> Result<()> {
    match command {
        CacheCommand::Ls(arguments) => ls(arguments),
        CacheCommand::Verify(arguments) => verify(arguments),
        CacheCommand::Gc(arguments) => gc(arguments),
        CacheCommand::Info(arguments) => info(arguments),
    }
}

/// The folders of cached frames at `path`: `path` itself and its direct sub-folders, where they hold files of the
/// cache.
fn folders(path: &Path) -> Result<Vec<Folder>> {
    let entries = std::fs::read_dir(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotADirectory => Error::file(path, "a file; name the folder that it claims in"),
        _ => Error::file(path, error),
    })?;
    let mut inner: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inner.sort();
    inner.insert(0, path.to_path_buf());
    // Several links may lead to one folder.
    let mut seen = HashSet::new();
    inner.retain(|path| path.canonicalize().is_ok_and(|real| seen.insert(real)));
    Ok(inner.into_iter().filter(|path| flow_cache::is_used(path)).map(Folder::new).collect())
}

/// All state files of folders, by folder, take and frame.
fn listed(path: &Path) -> Result<Vec<Listed>> {
    Ok(folders(path)?.iter().flat_map(Folder::list).collect())
}

fn size(bytes: u64) -> String {
    ByteSize::b(bytes).display().si().to_string()
}

fn time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// The disk space of files; a file with several names counts once.
fn disk_space<'a>(files: impl IntoIterator<Item = &'a Listed>) -> u64 {
    let mut seen = HashSet::new();
    let counts = |listed: &&Listed| listed.file.is_none_or(|file| seen.insert(file));
    files.into_iter().filter(counts).map(|listed| listed.bytes).sum()
}

/// "1 file", "2 files".
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn print(json: &Value) -> Result<()> {
    say(&serde_json::to_string_pretty(json).map_err(|error| Error::usage(error.to_string()))?)
}

fn ls(arguments: &LsArguments) -> Result<()> {
    let files = listed(&arguments.folder)?;
    if arguments.files {
        return ls_files(&files, arguments.json);
    }
    let takes = takes::takes(&files);
    if arguments.json {
        return print(&takes.iter().map(takes::Take::json).collect());
    }
    for take in &takes {
        say(&take.line())?;
    }
    say(&format!("{} of {}, {}", count(takes.len(), "take"), count(files.len(), "file"), size(disk_space(&files))))
}

fn ls_files(files: &[Listed], json: bool) -> Result<()> {
    if json {
        return print(&files.iter().map(file_json).collect());
    }
    for listed in files {
        let (path, bytes, modified) = (listed.path.display(), size(listed.bytes), time(listed.modified));
        say(&match &listed.header {
            Ok(header) => {
                format!("{path}\t{bytes}\t{modified}\t{}\t{}\t{:032x}", header.model, sides(&header.shape), header.key)
            }
            Err(refusal) => format!("{path}\t{bytes}\t{modified}\tnot used: {refusal}"),
        })?;
    }
    Ok(())
}

fn file_json(listed: &Listed) -> Value {
    let mut json = match &listed.header {
        Ok(header) => header_json(header),
        Err(refusal) => json!({ "frame": listed.frame, "error": refusal.to_string() }),
    };
    json["path"] = json!(listed.path);
    json["take"] = json!(listed.take);
    json["bytes"] = json!(listed.bytes);
    json["modified"] = json!(time(listed.modified));
    json
}

/// A header as JSON. Keys are hexadecimal text, since JSON's numbers are too short.
fn header_json(header: &Header) -> Value {
    // Every field is named, so that a new one cannot be forgotten.
    let Header {
        key,
        family,
        model,
        version,
        frame,
        index,
        shape,
        origin,
        cells_per_pixel,
        numbers,
        parameters,
        state,
    } = header;
    let hex = |key: &u128| format!("{key:032x}");
    let numbers: serde_json::Map<String, Value> =
        numbers.iter().map(|(name, bits)| (name.clone(), json!(format!("{bits:016x}")))).collect();
    json!({
        "key": hex(key),
        "family": hex(family),
        "model": model,
        "version": version,
        "frame": frame,
        "index": index,
        "shape": shape,
        "origin": origin,
        "cellsPerPixel": cells_per_pixel,
        "numbers": numbers,
        "parameters": parameters,
        "state": hex(state),
    })
}

fn verify(arguments: &VerifyArguments) -> Result<()> {
    let files = listed(&arguments.folder)?;
    // A file with several names is read once.
    let mut seen = HashSet::new();
    let (once, again): (Vec<&Listed>, Vec<&Listed>) =
        files.iter().partition(|listed| listed.file.is_none_or(|file| seen.insert(file)));
    let progress = ProgressBar::new(once.iter().map(|listed| listed.bytes).sum());
    let next = AtomicUsize::new(0);
    let bad = Mutex::new(Vec::new());
    let check = || {
        while let Some(listed) = once.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(why) = fault(listed) {
                bad.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((*listed, why));
            }
            progress.inc(listed.bytes);
        }
    };
    let readers = std::thread::available_parallelism().map_or(1, usize::from).min(READERS);
    std::thread::scope(|scope| (0..readers).for_each(|_| drop(scope.spawn(check))));
    progress.finish_and_clear();
    let mut bad = bad.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    bad.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    let mut names = 0;
    for (listed, why) in &bad {
        say(why)?;
        names += 1;
        for other in again.iter().filter(|other| listed.file.is_some() && other.file == listed.file) {
            say(&format!("{} is the same file.", other.path.display()))?;
            names += 1;
        }
    }
    if bad.is_empty() {
        return say(&format!("{} whole, {}", count(files.len(), "file"), size(disk_space(&files))));
    }
    Err(Error::file(&arguments.folder, format!("{names} of {} cannot be used", count(files.len(), "file"))))
}

/// The fault of a file, its contents included.
fn fault(listed: &Listed) -> Option<String> {
    match without_use(&listed.path, || read(&listed.path, None, &Serial)) {
        Err(refusal) => Some(refusal.to_string()),
        Ok((header, _)) if header.frame != listed.frame => Some(format!(
            "{} holds frame {}. Give it its own name back, or delete it.",
            listed.path.display(),
            header.frame
        )),
        Ok(_) => None,
    }
}

fn gc(arguments: &GcArguments) -> Result<()> {
    let folders = folders(&arguments.folder)?;
    let limit = arguments.limit.map_or(u64::MAX, |limit| limit.0);
    let trimmed = if arguments.dry_run {
        flow_cache::trim_plan(&folders, limit, &[])
    } else {
        flow_cache::trim(&folders, limit, &[])
    };
    for path in trimmed.removed.iter().chain(&trimmed.leftovers) {
        say(&path.display().to_string())?;
    }
    say(&format!(
        "{}: {} and {}, {}; {} left",
        if arguments.dry_run { "would be removed" } else { "removed" },
        count(trimmed.removed.len(), "state"),
        count(trimmed.leftovers.len(), "leftover"),
        size(trimmed.bytes),
        size(trimmed.left_bytes),
    ))?;
    if trimmed.left_bytes > limit && arguments.limit.is_some() {
        return Err(Error::file(
            &arguments.folder,
            "the limit is not met: the remaining files belong to other programs or cannot be removed",
        ));
    }
    Ok(())
}

fn info(arguments: &InfoArguments) -> Result<()> {
    let path = &arguments.path;
    if !path.is_dir() {
        let header = peek(path)?;
        return if arguments.json { print(&header_json(&header)) } else { say(&header_text(&header)) };
    }
    let files = listed(path)?;
    let takes = takes::takes(&files);
    if arguments.json {
        let described = takes.iter().map(|take| {
            let mut json = take.json();
            json["newestState"] = take.newest.header.as_ref().map_or(Value::Null, header_json);
            json
        });
        return print(&described.collect());
    }
    for take in &takes {
        say(&take.line())?;
        if let Ok(header) = &take.newest.header {
            say(&header_text(header))?;
        }
        say("")?;
    }
    say(&format!("{} of {}, {}", count(takes.len(), "take"), count(files.len(), "file"), size(disk_space(&files))))
}

/// A header as text.
fn header_text(header: &Header) -> String {
    let json = header_json(header);
    let text = |name: &str| match &json[name] {
        _ if name == "shape" => format!("{} cells", sides(&header.shape)),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut lines: Vec<String> =
        ["model", "version", "frame", "index", "shape", "origin", "cellsPerPixel", "key", "family", "state"]
            .map(|name| format!("  {name}: {}", text(name)))
            .into();
    lines.extend(header.numbers.iter().map(|(name, bits)| format!("  {name}: {bits:016x}")));
    lines.push("  parameters:".into());
    lines.extend(header.parameters.lines().map(|line| format!("    {line}")));
    lines.join("\n")
}
