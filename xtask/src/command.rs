//! Runs other programs, and reports their failures.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::project;

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(project::root());
    command
}

/// A program that searches for graphics devices, such as flow-host: [with a folder](runtime_folder) if the session has
/// none.
pub fn graphic(program: &Path) -> Command {
    let mut command = Command::new(program);
    match runtime_folder() {
        Ok(folder) => {
            command.envs(folder.map(|folder| ("XDG_RUNTIME_DIR", folder)));
        }
        // Only Mesa's warning depends on it.
        Err(error) => eprintln!("{error:#}"),
    }
    command
}

/// A folder for XDG_RUNTIME_DIR if the session has none: without one Mesa warns once per process.
pub fn runtime_folder() -> Result<Option<OsString>> {
    if cfg!(not(target_os = "linux")) || std::env::var_os("XDG_RUNTIME_DIR").is_some() {
        return Ok(None);
    }
    let folder = project::target().join("runtime");
    make_folder(&folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The folder has to be private to the user.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700))
            .with_context(|| project::short(&folder))?;
    }
    Ok(Some(folder.into_os_string()))
}

/// Runs a command with its output on this terminal.
pub fn run(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().map_err(|error| cannot_start(command, error))?;
    if !status.success() {
        bail!("{what} failed ({status}); its own message is above\ncommand: {}", shown(command));
    }
    Ok(())
}

/// Runs a command, passes each line of its output to `line`, and returns whether it succeeded.
pub fn run_lines(command: &mut Command, mut line: impl FnMut(&str)) -> Result<bool> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, error))?;
    if let Some(output) = child.stdout.take() {
        for text in BufReader::new(output).split(b'\n') {
            line(&String::from_utf8_lossy(&text.context("reading a command's output")?));
        }
    }
    Ok(child.wait().context("waiting for a command")?.success())
}

/// Runs a command silently and returns its standard output; its error output becomes the message.
pub fn output(command: &mut Command, what: &str) -> Result<String> {
    let output = command.output().map_err(|error| cannot_start(command, error))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{what} failed ({}): {}\ncommand: {}", output.status, errors.trim(), shown(command));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program of this name can be found.
pub fn exists(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path)
            .any(|folder| folder.join(program).is_file() || folder.join(format!("{program}.exe")).is_file())
    })
}

/// Whether a command starts and succeeds; its output is discarded.
pub fn succeeds<S: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = S>) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command line as text for the user.
pub fn shown(command: &Command) -> String {
    let quoted = |text: &OsStr| {
        let text = text.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,#@+%".contains(c);
        if !text.is_empty() && text.chars().all(plain) { text.into_owned() } else { format!("'{text}'") }
    };
    std::iter::once(command.get_program()).chain(command.get_args()).map(quoted).collect::<Vec<_>>().join(" ")
}

/// Creates a folder and its parents.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Writes a file through a temporary name, so that a failure leaves no partial file.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let partial = path.with_extension("partial");
    std::fs::write(&partial, bytes)
        .and_then(|()| std::fs::rename(&partial, path))
        .inspect_err(|_| drop(std::fs::remove_file(&partial)))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The advice for an error of the machine, such as a full disk.
pub fn advice(error: &anyhow::Error) -> Option<&'static str> {
    let kind = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind)?;
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(
            "The disk is full: free some space (`cargo clean` gives back the most), or name another folder with --out.",
        ),
        io::ErrorKind::PermissionDenied => {
            Some("This user may not write there: name a folder of your own, or run the command with sudo -E.")
        }
        io::ErrorKind::ReadOnlyFilesystem => Some("That disk is read-only: name another folder."),
        _ => None,
    }
}

fn cannot_start(command: &Command, error: io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy().into_owned();
    if error.kind() == io::ErrorKind::NotFound {
        return anyhow::anyhow!("the program {program} was not found; install it, or add its folder to PATH");
    }
    anyhow::Error::new(error).context(format!("cannot start {program}"))
}
