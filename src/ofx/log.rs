//! The log, for diagnosis.
//!
//! Some hosts show a plug-in's output and others discard it, so the log is off by default. `FLOW_LOG` holds a filter
//! such as `debug` or `flow_ofx::timeline=trace`, and `FLOW_LOG_FILE` the file to append to instead of standard error.
//! A line that cannot be written, to a full disk or a closed pipe, is dropped.

use std::{
    env,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Arc, Once},
};

use tracing_subscriber::{EnvFilter, fmt};

/// Enables the log if the environment asks for it. Later calls have no effect, nor has a call in a process with another
/// subscriber.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(text) = env::var("FLOW_LOG").ok().filter(|text| !text.trim().is_empty()) else {
            return;
        };
        let (filter, complaint) = match EnvFilter::try_new(&text) {
            Ok(filter) => (filter, None),
            Err(error) => (EnvFilter::new("info"), Some(format!("FLOW_LOG is '{text}', which is no filter: {error}"))),
        };
        // The subscriber would print its own errors with a macro that panics if standard error cannot be written.
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

/// Opens a plain file, a link to one, or the null device, to append. Opening a pipe would wait for a reader.
fn open(path: &Path) -> io::Result<File> {
    if let Ok(found) = fs::metadata(path)
        && !found.is_file()
        && fs::canonicalize(path).is_ok_and(|path| path != Path::new("/dev/null"))
    {
        return Err(io::Error::other("it is no plain file; name one, or unset FLOW_LOG_FILE for standard error"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// A writer that drops the bytes that its inner writer refuses: logging must not fail the logged work.
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

/// Runs a write during which a closed pipe is an error and not a signal: SIGPIPE would end a host that does not ignore
/// it.
#[cfg(unix)]
fn without_sigpipe(write: impl FnOnce()) {
    use std::{mem::MaybeUninit, ptr};
    // SAFETY: the sets are initialised by `sigemptyset`, `sigpending` or `pthread_sigmask` before they are read, which
    // fail for invalid arguments alone. Only this thread's mask changes, and it is restored; `sigwait` cannot block,
    // since the signal that it waits for is pending.
    unsafe {
        let is_pending = || {
            let mut pending = MaybeUninit::<libc::sigset_t>::uninit();
            libc::sigpending(pending.as_mut_ptr()) == 0 && libc::sigismember(pending.as_ptr(), libc::SIGPIPE) == 1
        };
        // A signal that the host has blocked stays pending for the host.
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
    fn a_closed_pipe_does_not_end_a_host_with_the_default_signal_action() {
        const CHILD: &str = "FLOW_TEST_CLOSED_PIPE";
        if env::var_os(CHILD).is_some() {
            // SAFETY: this process runs this test only; the default action needs no handler.
            unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
            for _ in 0..3 {
                Lossy(io::stderr()).write_all(b"nobody reads this\n").expect("never fails");
            }
            return;
        }
        let name = "ofx::log::tests::a_closed_pipe_does_not_end_a_host_with_the_default_signal_action";
        let mut child = Command::new(env::current_exe().expect("a running test has a path"));
        child.args([name, "--exact", "--test-threads=1"]).env(CHILD, "1").stdout(Stdio::null());
        // The reading end is dropped.
        let status = child.stderr(io::pipe().expect("a pipe").1).status().expect("the test runs again");
        assert!(status.success(), "{status}");
    }
}
