//! The log, for those who look for the cause of something.
//!
//! Hosts show or swallow a plug-in's output as they please, so nothing is written unless asked for: `FLOW_LOG` holds a
//! filter such as `debug` or `flow_ofx::timeline=trace`, and `FLOW_LOG_FILE` the file that is appended to instead of the
//! standard error stream. A line that cannot be written, on a full disk or into a closed pipe, is dropped.

use std::{
    env,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Arc, Once},
};

use tracing_subscriber::{EnvFilter, fmt};

/// Switches the log on if the environment asks for it; does nothing from the second call on, nor where the process has a
/// subscriber already.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(wish) = env::var("FLOW_LOG").ok().filter(|wish| !wish.trim().is_empty()) else {
            return;
        };
        let (filter, complaint) = match EnvFilter::try_new(&wish) {
            Ok(filter) => (filter, None),
            Err(error) => (EnvFilter::new("info"), Some(format!("FLOW_LOG is '{wish}', which is no filter: {error}"))),
        };
        // Errors of the log itself would be printed on standard error by a macro that panics where it can't.
        let builder = fmt().with_env_filter(filter).with_thread_ids(true).with_ansi(false).log_internal_errors(false);
        let stderr = || Lossy(io::stderr());
        let installed = match env::var_os("FLOW_LOG_FILE").filter(|path| !path.is_empty()) {
            None => builder.with_writer(stderr).try_init(),
            Some(path) => match open(Path::new(&path)) {
                Ok(file) => {
                    let file = Arc::new(file);
                    builder.with_writer(move || Lossy(Arc::clone(&file))).try_init()
                }
                Err(error) => {
                    let outcome = builder.with_writer(stderr).try_init();
                    tracing::warn!("FLOW_LOG_FILE '{}' cannot be written: {error}", path.display());
                    outcome
                }
            },
        };
        if installed.is_ok()
            && let Some(complaint) = complaint
        {
            tracing::warn!("{complaint}");
        }
    });
}

/// Opens a plain file, a link to one or the null device to append to. Opening a pipe would wait for its reader.
fn open(path: &Path) -> io::Result<File> {
    if let Ok(found) = fs::metadata(path)
        && !found.is_file()
        && fs::canonicalize(path).is_ok_and(|path| path != Path::new("/dev/null"))
    {
        return Err(io::Error::other("it is no plain file; name one, or unset FLOW_LOG_FILE for standard error"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// A writer that drops what its inner writer refuses, so that the log fails nothing that it tells of.
struct Lossy<W>(W);

impl<W: Write> Write for Lossy<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        without_sigpipe(|| drop(self.0.write_all(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a write during which a closed pipe is an error and no signal: SIGPIPE would end a host that does not ignore it.
#[cfg(unix)]
fn without_sigpipe(write: impl FnOnce()) {
    use std::{mem::MaybeUninit, ptr};
    // SAFETY: the sets are initialised by `sigemptyset`, `sigpending` or `pthread_sigmask` before they are read, which fail
    // for invalid arguments alone. Only this thread's mask changes, and it is restored; `sigwait` cannot block, since the
    // signal that it waits for is pending.
    unsafe {
        let is_pending = || {
            let mut pending = MaybeUninit::<libc::sigset_t>::uninit();
            libc::sigpending(pending.as_mut_ptr()) == 0 && libc::sigismember(pending.as_ptr(), libc::SIGPIPE) == 1
        };
        // One that the host has blocked stays the host's.
        let was_pending = is_pending();
        let mut pipe = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(pipe.as_mut_ptr());
        libc::sigaddset(pipe.as_mut_ptr(), libc::SIGPIPE);
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        let blocked = libc::pthread_sigmask(libc::SIG_BLOCK, pipe.as_ptr(), before.as_mut_ptr()) == 0;
        write();
        if blocked {
            if !was_pending && is_pending() {
                let mut signal = 0;
                libc::sigwait(pipe.as_ptr(), &raw mut signal);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        }
    }
}

#[cfg(not(unix))]
fn without_sigpipe(write: impl FnOnce()) {
    write();
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_closed_pipe_ends_no_host_that_leaves_its_signal_alone() {
        const CHILD: &str = "FLOW_TEST_CLOSED_PIPE";
        if env::var_os(CHILD).is_some() {
            // SAFETY: this process runs this test alone; the default action needs no handler.
            unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
            for _ in 0..3 {
                Lossy(io::stderr()).write_all(b"nobody reads this\n").expect("never fails");
            }
            return;
        }
        let name = "ofx::log::tests::a_closed_pipe_ends_no_host_that_leaves_its_signal_alone";
        let mut child = Command::new(env::current_exe().expect("a running test has a path"));
        child.args([name, "--exact", "--test-threads=1"]).env(CHILD, "1").stdout(Stdio::null());
        // The reading end is dropped.
        let status = child.stderr(io::pipe().expect("a pipe").1).status().expect("the test runs again");
        assert!(status.success(), "{status}");
    }
}
