//! Programs and packages that the commands need, and their installation.
//!
//! The table has one line per need. On Debian and Ubuntu missing packages are installed
//! with `apt-get`, after a notice; on other systems, or after a failure, the command
//! ends with the line to type. Programs from PyPI are installed into a virtual environment
//! under `target`.

mod python;

pub use python::test_tools;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::command;

/// A program or package that a command needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// A C compiler with the headers of the C library.
    Compiler,
    /// libclang with its own headers, for bindgen.
    Libclang,
    /// valgrind, for the leak test.
    Valgrind,
    /// Python with pip and virtual environments, for the cross linker and the peers of the benchmark.
    Python,
    /// rustfmt and clippy.
    Lints,
    /// A Vulkan device in software, for the tests of graphics devices.
    Vulkan,
    /// OpenEXR's own programs, for the tests of files.
    OpenExr,
    /// OpenVDB's own library for Python, for the tests of files.
    OpenVdb,
    /// Blender, whose Mantaflow is a peer of the benchmark of volumes.
    Blender,
    /// Programs from PyPI, for the tests of files and of the farm.
    Programs,
}

impl Need {
    /// Needs of a build of the plug-in and the host.
    pub const BUILD: &[Need] = &[Need::Compiler, Need::Libclang];
    /// The needs of all commands, except those of `bench --peers` alone.
    pub const ALL: &[Need] = &[
        Need::Compiler,
        Need::Libclang,
        Need::Lints,
        Need::Valgrind,
        Need::Python,
        Need::Vulkan,
        Need::OpenExr,
        Need::OpenVdb,
        Need::Programs,
    ];
}

/// The check and the packages of a need.
struct Tool {
    need: Need,
    /// Name in messages.
    what: &'static str,
    found: fn() -> bool,
    /// Packages by package manager, in the order of `MANAGERS`.
    packages: [&'static str; 6],
}

/// A package manager: program, install command, need for root.
struct Manager {
    program: &'static str,
    install: &'static str,
    root: bool,
}

const MANAGERS: [Manager; 6] = [
    Manager { program: "apt-get", install: "apt-get install -y --no-install-recommends", root: true },
    Manager { program: "dnf", install: "dnf install -y", root: true },
    Manager { program: "pacman", install: "pacman -S --needed", root: true },
    Manager { program: "zypper", install: "zypper install -y", root: true },
    Manager { program: "apk", install: "apk add", root: true },
    Manager { program: "brew", install: "brew install", root: false },
];

#[rustfmt::skip]
const TOOLS: &[Tool] = &[
    //                                                                                  apt-get                       
    //                                                                                  dnf                     pacman  
    //                                                                                            zypper                
    //                                                                                    apk                  brew
    Tool { need: Need::Compiler, what: "a C compiler", found: compiler,      packages: ["gcc libc6-dev",               "gcc glibc-devel",      "gcc",             "gcc glibc-devel",       "gcc musl-dev",      "gcc"] },
    Tool { need: Need::Libclang, what: "libclang", found: libclang,          packages: ["libclang-dev",                "clang-devel",          "clang",           "clang-devel",           "clang-dev",         "llvm"] },
    Tool { need: Need::Valgrind, what: "valgrind", found: valgrind,          packages: ["valgrind libc6-dbg",          "valgrind",             "valgrind",        "valgrind",              "valgrind",          "valgrind"] },
    Tool { need: Need::Python, what: "Python with pip and venv", found: python, packages: ["python3 python3-venv python3-pip", "python3 python3-pip", "python python-pip", "python3 python3-pip", "python3 py3-pip", "python"] },
    Tool { need: Need::Vulkan, what: "Mesa's lavapipe", found: vulkan,       packages: ["mesa-vulkan-drivers libvulkan1", "mesa-vulkan-drivers vulkan-loader", "vulkan-swrast vulkan-icd-loader", "libvulkan_lvp libvulkan1", "mesa-vulkan-swrast vulkan-loader", ""] },
    Tool { need: Need::OpenExr, what: "OpenEXR's exrheader and exrinfo", found: openexr, packages: ["openexr",          "openexr",              "openexr",         "openexr",               "openexr-tools",     "openexr"] },
    Tool { need: Need::Blender, what: "Blender", found: blender,             packages: ["blender",                     "",                     "",                "",                      "",                  ""] },
    Tool { need: Need::OpenVdb, what: "OpenVDB's module for Python", found: openvdb, packages: ["python3-openvdb",     "",                     "",                "",                      "",                  ""] },
];

/// Ensures that `needs` are installed; installs missing ones if possible.
///
/// # Errors
/// One message with the exact command that installs the missing programs.
pub fn ensure(needs: &[Need]) -> Result<()> {
    if needs.contains(&Need::Lints) {
        ensure_components()?;
    }
    ensure_packages(needs)?;
    if needs.contains(&Need::Programs) {
        python::ensure_programs()?;
    }
    Ok(())
}

/// Installs missing programs from the system's packages.
fn ensure_packages(needs: &[Need]) -> Result<()> {
    let missing: Vec<&Tool> = TOOLS.iter().filter(|tool| needs.contains(&tool.need) && !(tool.found)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.iter().map(|tool| tool.what).collect::<Vec<_>>().join(" and ");
    let Some((column, manager)) = MANAGERS.iter().enumerate().find(|(_, manager)| command::exists(manager.program))
    else {
        bail!(
            "{names}: not found, and this machine has no package manager known here; install it and run the command again"
        );
    };
    let packages = missing.iter().map(|tool| tool.packages[column]).collect::<Vec<_>>().join(" ");
    let by_hand = format!("{}{} {packages}", if manager.root { "sudo " } else { "" }, manager.install);
    if manager.program != "apt-get" {
        bail!("{names}: not found. Type this, then run the command again:\n  {by_hand}");
    }
    let Some(prefix) = root_prefix() else {
        bail!(
            "{names}: not found, and installing needs an administrator. Type this, then run the command again:\n  {by_hand}"
        );
    };
    println!("{names}: not found; installing with apt-get: {packages}");
    if !apt(&prefix, &packages) {
        bail!(
            "apt-get could not install {packages}; its own message is above. Type this, then run the command again:\n  sudo apt-get update && {by_hand}"
        );
    }
    if let Some(tool) = missing.iter().find(|tool| !(tool.found)()) {
        bail!(
            "{}: still not found after installing {packages}; is another version first in PATH, or LIBCLANG_PATH set wrongly?",
            tool.what
        );
    }
    Ok(())
}

/// Adds rustfmt and clippy, which rustup's minimal profile leaves out.
fn ensure_components() -> Result<()> {
    for (component, program) in [("rustfmt", "cargo-fmt"), ("clippy", "cargo-clippy")] {
        let present = || command::succeeds(program, ["--version"]);
        if present() {
            continue;
        }
        println!("{component}: not found; adding it with rustup");
        let added =
            Command::new("rustup").args(["component", "add", component]).status().is_ok_and(|status| status.success());
        if !added || !present() {
            bail!("{component} is missing. Type this, then run the command again:\n  rustup component add {component}");
        }
    }
    Ok(())
}

/// Prefix of a command that needs root: empty for root, sudo if it needs no password or there is a terminal.
fn root_prefix() -> Option<Vec<&'static str>> {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if root {
        return Some(Vec::new());
    }
    let interactive = std::io::IsTerminal::is_terminal(&std::io::stdin());
    (command::exists("sudo") && (interactive || command::succeeds("sudo", ["-n", "true"]))).then(|| vec!["sudo"])
}

fn apt(prefix: &[&str], packages: &str) -> bool {
    let run = |arguments: &[&str]| {
        let words: Vec<&str> = prefix
            .iter()
            .copied()
            .chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
            .chain(arguments.iter().copied())
            .collect();
        Command::new(words[0]).args(&words[1..]).status().is_ok_and(|status| status.success())
    };
    let mut install = vec!["install", "-y", "--no-install-recommends"];
    install.extend(packages.split(' '));
    run(&["update", "-q"]) && run(&install)
}

/// A compiler counts if it finds the C library's headers.
fn compiler() -> bool {
    let program = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    if cfg!(windows) {
        return true;
    }
    let child = Command::new(program)
        .args(["-E", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    if let Some(mut input) = child.stdin.take() {
        // The exit status shows a compiler that ends early.
        drop(std::io::Write::write_all(&mut input, b"#include <stdlib.h>\n"));
    }
    child.wait().is_ok_and(|status| status.success())
}

/// libclang counts if the library and clang's own headers exist.
fn libclang() -> bool {
    let folders = libclang_folders();
    let library = folders.iter().any(|folder| {
        holds(folder, |name| name.starts_with("libclang") && !name.starts_with("libclang-cpp") && is_library(name))
    });
    let headers = ["/usr/lib/clang", "/usr/lib64/clang"]
        .map(PathBuf::from)
        .into_iter()
        .chain(folders.iter().map(|folder| folder.join("clang")));
    let headers = headers.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let mut headers = headers.map(|version| version.path().join("include/stddef.h"));
    library && (!cfg!(target_os = "linux") || headers.any(|header| header.is_file()))
}

/// Folders in which the `clang-sys` crate looks for libclang.
fn libclang_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(named) = std::env::var_os("LIBCLANG_PATH") {
        let named = PathBuf::from(named);
        folders.push(if named.is_file() { named.parent().map(Path::to_path_buf).unwrap_or_default() } else { named });
    }
    let llvm = Command::new("llvm-config").arg("--libdir").output();
    if let Some(folder) =
        llvm.ok().filter(|output| output.status.success()).and_then(|output| String::from_utf8(output.stdout).ok())
    {
        folders.push(PathBuf::from(folder.trim()));
    }
    for top in [
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/opt/homebrew/opt/llvm/lib",
        "/usr/local/opt/llvm/lib",
        "/Library/Developer/CommandLineTools/usr/lib",
    ] {
        folders.push(top.into());
        for entry in std::fs::read_dir(top).into_iter().flatten().flatten() {
            let folder = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("llvm") {
                folders.push(folder.join("lib"));
            } else if name.contains("-linux-") {
                folders.push(folder);
            }
        }
    }
    if cfg!(windows) {
        folders.push(r"C:\Program Files\LLVM\bin".into());
    }
    folders
}

fn is_library(name: &str) -> bool {
    name.contains(".so") || name.ends_with(".dylib") || name.ends_with(".dll")
}

fn holds(folder: &Path, wanted: impl Fn(&str) -> bool) -> bool {
    std::fs::read_dir(folder)
        .is_ok_and(|entries| entries.flatten().any(|entry| wanted(&entry.file_name().to_string_lossy())))
}

fn valgrind() -> bool {
    command::succeeds("valgrind", ["--version"])
}

/// Graphics devices are tested on Vulkan in software, which needs its driver and the loader. Systems with another
/// interface have a device of their own.
fn vulkan() -> bool {
    if cfg!(any(windows, target_vendor = "apple")) {
        return true;
    }
    let drivers = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let driver = drivers.iter().any(|folder| holds(Path::new(folder), |name| name.starts_with("lvp_icd")));
    let below_lib = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from).into_iter().chain(below_lib);
    let loader = folders.into_iter().any(|folder| holds(&folder, |name| name.starts_with("libvulkan.so")));
    driver && loader
}

/// OpenEXR's programs, in any folder that the tests search.
fn openexr() -> bool {
    std::env::var_os(python::EXR_TOOLS).is_some() || ["exrheader", "exrinfo"].into_iter().all(command::exists)
}

/// OpenVDB's module. Only Debian's package is known; elsewhere the test that needs it says that it did not run.
fn openvdb() -> bool {
    python::openvdb().is_some() || !command::exists("apt-get")
}

/// Blender. Only Debian's package is known; elsewhere the benchmark says that it was not measured.
fn blender() -> bool {
    command::exists("blender") || !command::exists("apt-get")
}

fn python() -> bool {
    command::succeeds("python3", ["-c", "import ensurepip, venv"])
}
