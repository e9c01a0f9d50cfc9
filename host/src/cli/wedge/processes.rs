//! A process for each combination, some at once.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use super::{Combination, report};
use crate::{Error, Result};

/// Numbers of frames and the time of a combination's latest render, from its statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Times {
    /// Rendered frames.
    pub frames: u64,
    /// Simulated frames; 0 for plug-ins that do not simulate.
    pub simulated: u64,
    pub seconds: f64,
}

impl Times {
    /// Seconds per frame: of those that were simulated, where these are more than those that were rendered.
    pub(super) fn per_frame(&self) -> f64 {
        self.seconds / self.frames.max(self.simulated).max(1) as f64
    }
}

/// The result of a combination: its times, if its latest render left any, or the reason of its failure.
pub(super) type Outcome = Result<Option<Times>, String>;

/// Renders the missing frames of all combinations, `jobs` at once, each with `processors` processors.
pub(super) fn render(combinations: &[Combination], jobs: usize, processors: usize) -> Result<Vec<Outcome>> {
    let program =
        std::env::current_exe().map_err(|error| Error::file("flow-host", format!("is not found: {error}")))?;
    let bar = ProgressBar::new(combinations.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} combinations  {eta} left") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(vec![None; combinations.len()]);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(combination) = combinations.get(at) else { break };
                    let (outcome, said) = one(&program, combination, processors);
                    bar.suspend(|| report(&combination.label(), &said));
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(outcome);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(|| Err("was not rendered".into()))).collect())
}

/// Renders a combination. Returns its outcome and what is to be said about it.
fn one(program: &Path, combination: &Combination, processors: usize) -> (Outcome, String) {
    let folder = &combination.folder;
    let failed = |error: Error| (Err(error.to_string()), error.to_string());
    let held = match folder.lock() {
        Ok(held) => held,
        Err(error) => return failed(error),
    };
    match folder.prepare() {
        Ok(false) => return (Ok(times(&folder.stats_file())), String::new()),
        Ok(true) => {}
        Err(error) => return failed(error),
    }
    let mut command = Command::new(program);
    command.arg("render").arg("--job").arg(folder.job_file()).arg("--stats").arg(folder.stats_file());
    command.arg("--skip-existing").arg("--processors").arg(processors.min(1024).to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null());
    end_with_this_process(&mut command);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return failed(Error::file(program, format!("cannot be started: {error}"))),
    };
    drop(held);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return (Ok(times(&folder.stats_file())), said);
    }
    match said.trim().lines().last() {
        Some(last) => (Err(last.strip_prefix("flow-host: ").unwrap_or(last).to_owned()), said),
        None => {
            let why = format!("its process ended without a message: {}", output.status);
            (Err(why.clone()), why)
        }
    }
}

/// Lets a process end with this one, so that a killed wedge leaves none behind.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a call in the child between fork and exec")]
fn end_with_this_process(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    let this = std::process::id();
    let prepare = move || {
        // SAFETY: prctl(2) and getppid(2) take numbers, and may be called between fork and exec.
        let orphan = unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::getppid().cast_unsigned() != this
        };
        if orphan { Err(std::io::Error::other("the wedge has ended")) } else { Ok(()) }
    };
    // SAFETY: the closure allocates nothing and takes no lock, unless it fails and the child ends.
    unsafe { command.pre_exec(prepare) };
}

#[cfg(not(target_os = "linux"))]
fn end_with_this_process(_: &mut Command) {}

/// The times in a file of statistics; none if there is no such file.
fn times(path: &Path) -> Option<Times> {
    let document: Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    let frames = document["frames"].as_array()?;
    Some(Times {
        frames: frames.len() as u64,
        simulated: frames.iter().filter_map(|frame| frame["frames"].as_u64()).sum(),
        seconds: frames.iter().filter_map(|frame| frame["seconds"].as_f64()).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_s_time_counts_the_simulated_frames() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stats.json");
        assert_eq!(times(&path), None);
        std::fs::write(&path, r#"{"frames": [{"seconds": 9.5, "frames": 48}, {"seconds": 0.5, "frames": 2}]}"#)
            .expect("written");
        let times = times(&path).expect("there");
        assert_eq!(times, Times { frames: 2, simulated: 50, seconds: 10.0 });
        assert_eq!(times.per_frame(), 0.2);
        assert_eq!(Times { frames: 4, simulated: 0, seconds: 2.0 }.per_frame(), 0.5);
    }
}
