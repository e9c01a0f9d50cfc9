//! Finding and opening plug-in libraries.
#![expect(unsafe_code, reason = "libraries are opened and their symbols called")]

use std::ffi::{c_char, c_int};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flow_openfx as ofx;

use crate::error::listing;
use crate::{Error, Result};

/// The folder of a bundle that holds this system's library.
const ARCHITECTURE: &str = if cfg!(target_os = "macos") {
    "MacOS"
} else if cfg!(all(target_os = "windows", target_pointer_width = "64")) {
    "Win64"
} else if cfg!(target_os = "windows") {
    "Win32"
} else if cfg!(target_arch = "aarch64") {
    "Linux-aarch64"
} else if cfg!(target_arch = "x86") {
    "Linux-x86"
} else {
    "Linux-x86-64"
};

type GetNumber = unsafe extern "C" fn() -> c_int;
type GetPlugin = unsafe extern "C" fn(c_int) -> *mut ofx::OfxPlugin;
type Text = unsafe extern "C" fn(*mut c_char, usize) -> usize;
type SetHost = unsafe extern "C" fn(*const ofx::OfxHost) -> ofx::OfxStatus;

/// An open library with the standard's symbols.
pub(crate) struct Library {
    /// The requested path: the bundle or the library.
    pub path: PathBuf,
    get_number: GetNumber,
    get_plugin: GetPlugin,
    set_host: Option<SetHost>,
    /// Graphics devices that the library sees, in Flow's own libraries.
    devices: Option<Text>,
    /// Closed last: the function pointers above point into it.
    _handle: libloading::Library,
}

/// A library that replaces one of the system's, as long as this value lives: a search for its name in the process
/// finds it. For tests of a plug-in's calls to it.
pub struct StandIn(libloading::Library);

/// A library file on disk; a copy is deleted with this value.
pub(crate) struct LibraryFile {
    path: PathBuf,
    file: PathBuf,
    copy: bool,
}

impl LibraryFile {
    /// The library of a bundle, or the file itself.
    pub(crate) fn find(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), file: locate(path)?, copy: false })
    }

    /// A copy of the file, which the system takes for another library.
    pub(crate) fn copy(path: &Path) -> Result<Self> {
        static COPIES: AtomicUsize = AtomicUsize::new(0);
        let original = locate(path)?;
        let file = std::env::temp_dir().join(format!(
            "flow-host-{}-{}.ofx",
            std::process::id(),
            COPIES.fetch_add(1, Ordering::Relaxed)
        ));
        let copy = Self { path: path.to_owned(), file, copy: true };
        // A part of a copy, where the disk is full, is deleted too.
        std::fs::copy(&original, &copy.file).map_err(|error| Error::file(&copy.file, error))?;
        Ok(copy)
    }

    /// Opens the library. May be called again after the library was closed.
    pub(crate) fn open(&self) -> Result<Library> {
        let Self { path, file, .. } = self;
        let handle = opened(file)?;
        let missing =
            |symbol: &str| Error::bundle(file, format!("is not an OpenFX plug-in: it has no symbol {symbol}"));
        // SAFETY: the standard fixes the types of these three symbols.
        let (get_number, get_plugin, set_host) = unsafe {
            (
                *handle.get::<GetNumber>(b"OfxGetNumberOfPlugins\0").map_err(|_| missing("OfxGetNumberOfPlugins"))?,
                *handle.get::<GetPlugin>(b"OfxGetPlugin\0").map_err(|_| missing("OfxGetPlugin"))?,
                handle.get::<SetHost>(b"OfxSetHost\0").ok().map(|symbol| *symbol),
            )
        };
        // SAFETY: Flow's symbol, and no other library's, has this type.
        let devices = unsafe { handle.get::<Text>(b"FlowDevices\0").ok().map(|symbol| *symbol) };
        Ok(Library { path: path.clone(), get_number, get_plugin, set_host, devices, _handle: handle })
    }
}

impl Drop for LibraryFile {
    fn drop(&mut self) {
        if self.copy {
            // An open library needs no name; a file that cannot be deleted is
            // only a left-over in the temporary folder.
            drop(std::fs::remove_file(&self.file));
        }
    }
}

impl StandIn {
    /// Opens the library; its initialisers run, and must be sound.
    ///
    /// # Errors
    /// The file does not exist, or is no library.
    pub fn open(file: &Path) -> Result<Self> {
        opened(file).map(Self)
    }

    /// The text that a function of the library returns. The function's type has to be
    /// `size_t (*)(char *text, size_t size)`: it writes a text with its final NUL if it fits, and returns its length.
    ///
    /// # Errors
    /// The library has no function of this name.
    pub fn text(&self, function: &str) -> Result<String> {
        // SAFETY: the caller vouches for the type, in a library of its own.
        let found = unsafe { self.0.get::<Text>(function) };
        let function = found.map_err(|_| Error::usage(format!("the stand-in has no function {function}")))?;
        // SAFETY: as above, and the library is open.
        Ok(unsafe { read_text(*function) })
    }
}

impl Library {
    /// Sets the library's host, if it has `OfxSetHost`, and lists its plug-ins.
    pub(crate) fn plugins(&self, host: &'static ofx::OfxHost, set_host: bool) -> Result<Vec<*mut ofx::OfxPlugin>> {
        if let Some(set_host) = self.set_host.filter(|_| set_host) {
            // SAFETY: the table is never freed.
            let status = unsafe { set_host(host) };
            if status != 0 && status != 14 {
                return Err(Error::bundle(
                    &self.path,
                    format!("refuses this host: OfxSetHost answered {}", crate::Status(status)),
                ));
            }
        }
        // SAFETY: the symbols have the standard's types and the library is open.
        let plugins = unsafe {
            let count = (self.get_number)();
            (0..count).map(|nth| (self.get_plugin)(nth)).filter(|p| !p.is_null()).collect()
        };
        Ok(plugins)
    }

    /// Graphics devices that the library reports, as JSON; `None` for a library without the symbol.
    pub(crate) fn devices(&self) -> Option<String> {
        // SAFETY: the symbol has this type, and the library is open.
        self.devices.map(|devices| unsafe { read_text(devices) })
    }

    /// Whether the library returns a plug-in for an index, which may be out of range.
    pub(crate) fn has_plugin_at(&self, index: c_int) -> bool {
        // SAFETY: the symbol has the standard's type and the library is open.
        !unsafe { (self.get_plugin)(index) }.is_null()
    }
}

fn opened(file: &Path) -> Result<libloading::Library> {
    // SAFETY: opening runs the library's initialisers, which is what loading means.
    unsafe { libloading::Library::new(absolute(file)) }.map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        Error::bundle(file, format!("cannot be loaded: {cause}"))
    })
}

/// The text that a function returns.
///
/// # Safety
/// `function` has this type, and its library is open.
unsafe fn read_text(function: Text) -> String {
    let mut buffer = vec![0_u8; 1 << 16];
    // SAFETY: the caller's, and the buffer is of that size.
    let length = unsafe { function(buffer.as_mut_ptr().cast(), buffer.len()) };
    buffer.truncate(length.min(buffer.len() - 1));
    String::from_utf8_lossy(&buffer).into_owned()
}

/// The path from the root: for a bare name the system searches its own folders.
fn absolute(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}

/// The library file of a bundle, or the file itself.
fn locate(path: &Path) -> Result<PathBuf> {
    if path.is_file() {
        return Ok(path.to_owned());
    }
    if !path.is_dir() {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = bundles_in(folder, 1);
        let found = if folder.is_dir() {
            let absolute = absolute(folder);
            let absolute = absolute.components().as_path().display();
            match &beside[..] {
                [] => format!("{absolute} has no bundles; without a bundle, those in OFX_PLUGIN_PATH are searched"),
                beside => format!("{absolute} has {}", listing(beside.iter().map(|p| file_name(p)))),
            }
        } else {
            format!("there is no folder {}", folder.display())
        };
        return Err(Error::bundle(path, format!("no such bundle; {found}")));
    }
    let contents = path.join("Contents");
    let name = file_name(path);
    let stem = name.strip_suffix(".bundle").unwrap_or(&name);
    let folder = contents.join(ARCHITECTURE);
    let file = folder.join(stem);
    if file.is_file() {
        return Ok(file);
    }
    if folder.is_dir() {
        // A renamed bundle still holds its library under the old name.
        let mut others = entries(&folder);
        others.retain(|p| p.extension().is_some_and(|e| e == "ofx"));
        return match &others[..] {
            [only] => Ok(only.clone()),
            _ => Err(Error::bundle(
                path,
                format!(
                    "no {stem} in Contents/{ARCHITECTURE}; it has {}",
                    listing(entries(&folder).iter().map(|p| file_name(p)))
                ),
            )),
        };
    }
    let message = if contents.is_dir() {
        format!(
            "no library for this system: expected Contents/{ARCHITECTURE}, found {}",
            listing(entries(&contents).iter().filter(|p| p.is_dir()).map(|p| file_name(p)))
        )
    } else {
        let inside = bundles_in(path, 2);
        if inside.is_empty() {
            format!("not a bundle: it has no Contents/{ARCHITECTURE}")
        } else {
            format!("not a bundle but a folder with bundles: {}", listing(inside.iter().map(|p| file_name(p))))
        }
    };
    Err(Error::bundle(path, message))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Paths in a folder, in the order of their names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    paths
}

fn bundles_in(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        let name = file_name(&path);
        if name.ends_with(".ofx.bundle") {
            found.push(path);
        } else if depth > 1 && path.is_dir() && !name.starts_with('@') {
            found.extend(bundles_in(&path, depth - 1));
        }
    }
    found
}

/// Bundles below the folders of `OFX_PLUGIN_PATH` and the system's own folder.
pub(crate) fn search() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::env::var_os("OFX_PLUGIN_PATH").map(|paths| std::env::split_paths(&paths).collect()).unwrap_or_default();
    folders.push(PathBuf::from(if cfg!(target_os = "macos") {
        "/Library/OFX/Plugins"
    } else if cfg!(target_os = "windows") {
        r"C:\Program Files\Common Files\OFX\Plugins"
    } else {
        "/usr/OFX/Plugins"
    }));
    let mut found: Vec<PathBuf> = Vec::new();
    for path in folders.iter().flat_map(|folder| bundles_in(folder, 8)) {
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}
