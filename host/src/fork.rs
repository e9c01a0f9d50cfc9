//! Work in a forked child, as in hosts that create their render processes by fork(2).
#![expect(unsafe_code, reason = "fork(2) and related functions are C functions")]

use std::io::{self, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Runs `work` in a child that is forked from this process, and returns its text; `None` for a child that did not end
/// within `patience`, which is then killed. The child has only the caller's thread.
///
/// # Errors
/// The system creates no process or no pipe, or the child ended otherwise than by finishing `work`.
pub fn in_forked_child(patience: Duration, work: impl FnOnce() -> String) -> io::Result<Option<String>> {
    let (mut reader, mut writer) = io::pipe()?;
    // SAFETY: fork(2) takes nothing. The child runs `work` on memory that is its own, and ends in `_exit`.
    let child = unsafe { libc::fork() };
    if child == -1 {
        return Err(io::Error::last_os_error());
    }
    if child == 0 {
        drop(reader);
        let outcome = catch_unwind(AssertUnwindSafe(work));
        let code = outcome.is_ok_and(|text| writer.write_all(text.as_bytes()).is_ok());
        // SAFETY: _exit(2): takes a status and does not return; no handler of the parent's runs.
        unsafe { libc::_exit(i32::from(!code)) };
    }
    drop(writer);
    let started = Instant::now();
    let mut status = 0;
    loop {
        // SAFETY: waitpid(2): a child of this process that nobody else waits for, and a place for its status.
        match unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } {
            0 if started.elapsed() < patience => std::thread::sleep(Duration::from_millis(5)),
            0 => {
                // SAFETY: kill(2) and waitpid(2), of the child of this process that has not been waited for.
                unsafe {
                    libc::kill(child, libc::SIGKILL);
                    libc::waitpid(child, &raw mut status, 0);
                }
                return Ok(None);
            }
            -1 => return Err(io::Error::last_os_error()),
            _ => break,
        }
    }
    if status != 0 {
        return Err(io::Error::other(format!("the child ended with status {status:#x}")));
    }
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    Ok(Some(text))
}
