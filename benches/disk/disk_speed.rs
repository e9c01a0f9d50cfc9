//! The speed of the disk itself, for comparison: by `dd` if it works, else by plain calls.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes per call.
const BLOCK: usize = 1 << 20;

/// Time of the disk for a file.
pub struct Bare {
    /// Time to write and sync.
    pub write: Duration,
    /// Time to read again.
    pub read: Duration,
    /// Measured by `dd`.
    pub dd: bool,
    /// Reading bypassed the page cache.
    pub direct: bool,
}

/// Writes the bytes of `file`, which are in memory, to a file beside it and reads them back.
pub fn measure(file: &Path) -> io::Result<Bare> {
    let copy = file.with_extension("copy");
    let measured = write_and_read(file, &copy);
    drop(fs::remove_file(&copy));
    measured
}

fn write_and_read(file: &Path, copy: &Path) -> io::Result<Bare> {
    let written = dd(file, Some(copy), "conv=fsync");
    let write = match written {
        Some(time) => time,
        None => by_calls(file, Some(copy))?,
    };
    if fs::metadata(copy)?.len() != fs::metadata(file)?.len() {
        return Err(io::Error::other("the copy is not as long as the file"));
    }
    let direct = dd(copy, None, "iflag=direct");
    let read = match direct.or_else(|| dd(copy, None, "bs=1048576")) {
        Some(time) => time,
        None => by_calls(copy, None)?,
    };
    Ok(Bare { write, read, dd: written.is_some(), direct: direct.is_some() })
}

/// The time of one run of `dd`, which starts in a millisecond; `None` without a `dd` that supports `how`.
fn dd(from: &Path, to: Option<&Path>, how: &str) -> Option<Duration> {
    let named = |name: &str, path: &Path| {
        let mut argument = std::ffi::OsString::from(name);
        argument.push(path);
        argument
    };
    let mut command = Command::new("dd");
    command.arg(named("if=", from)).arg(named("of=", to.unwrap_or(Path::new("/dev/null"))));
    command.arg(format!("bs={BLOCK}")).arg(how).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let done = command.status().is_ok_and(|status| status.success());
    done.then(|| start.elapsed())
}

fn by_calls(from: &Path, to: Option<&Path>) -> io::Result<Duration> {
    let mut block = vec![0; BLOCK];
    let start = Instant::now();
    let mut source = File::open(from)?;
    let mut target = to.map(File::create).transpose()?;
    loop {
        let count = source.read(&mut block)?;
        if count == 0 {
            break;
        }
        if let Some(target) = &mut target {
            target.write_all(&block[..count])?;
        }
    }
    if let Some(target) = target {
        target.sync_all()?;
    }
    Ok(start.elapsed())
}
