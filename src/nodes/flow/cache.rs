//! The node's folder on disk.

use std::io;
use std::path::{Path, PathBuf};

use super::controls::Id;
use super::params::Panel;
use super::shot::Told;
use super::stored;
use super::values::Values as _;
use crate::compute::cpu::Cpu;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::Result;
use crate::sim::Spec;
use crate::timeline::disk::{Disk, Restore, Usage};

/// Name of a node's folder where nobody names it.
const UNNAMED: &str = "flow";

/// What the artist wants of the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// The shot's or node's folder.
    pub folder: PathBuf,
    /// How it is used.
    pub usage: Usage,
}

impl Cache {
    /// Reads it; `None` where there is none.
    ///
    /// # Errors
    /// The host can't be asked. A folder that can't be used is told as a notice: the render goes on without.
    pub fn read(panel: &Panel<'_>, time: f64) -> Result<Option<Self>> {
        let mode = panel.choice(Id::CacheMode, time)?;
        let Some(root) = root(panel, time) else { return Ok(None) };
        if mode == 0 || quirks::ignores_time(panel.effect.host()) {
            return Ok(None);
        }
        let root = match root {
            Ok(root) => root,
            Err(why) => {
                engine().disks().tell(Path::new(""), why);
                return Ok(None);
            }
        };
        if let Err(why) = prepare(&root) {
            engine().disks().tell(&root, why);
            return Ok(None);
        }
        let natural = |id| panel.int(id, time).map(|value| u64::try_from(value).unwrap_or(0));
        let usage = Usage {
            write: mode == 1,
            every: natural(Id::CacheEvery)?.max(1),
            limit: natural(Id::CacheSize)? << 30,
            wait: panel.choice(Id::CacheBusy, time)? == 0,
        };
        Ok(Some(Self { folder: root.join(name(panel, time)), usage }))
    }

    /// The folder as the archive of one render.
    pub fn disk<'a>(&self, spec: &'a Spec, cpu: &'a Cpu) -> Disk<'a, Told> {
        let restore = Restore {
            model: stored::model(spec.constants.model),
            grid: [spec.grid.width, spec.grid.height],
            make: Box::new(|header, planes| stored::restore(spec, header, planes)),
        };
        engine().disks().disk(&self.folder, self.usage, restore, cpu)
    }
}

/// The node's folder, whatever it is used for; `None` where the artist names none.
///
/// # Errors
/// Why the name makes no path.
pub fn folder(panel: &Panel<'_>, time: f64) -> Option<std::result::Result<PathBuf, String>> {
    root(panel, time).map(|root| root.map(|root| root.join(name(panel, time))))
}

/// The cache folder.
fn root(panel: &Panel<'_>, time: f64) -> Option<std::result::Result<PathBuf, String>> {
    let text = panel.text(Id::CacheFolder, time);
    if text.is_empty() {
        return None;
    }
    Some(expand("Cache folder", &text).map(PathBuf::from))
}

/// A path with its variables filled in.
///
/// # Errors
/// A sentence for the artist.
pub fn expand(label: &str, text: &str) -> std::result::Result<String, String> {
    flow_cache::expand(text).map_err(|error| format!("{label}: {error}"))
}

/// The folder of this shot or node.
fn name(panel: &Panel<'_>, time: f64) -> String {
    let given = panel.text(Id::CacheName, time);
    let given = flow_cache::expand(&given).unwrap_or(given);
    let name = if given.is_empty() { panel.effect.instance_name() } else { Some(given) };
    flow_cache::safe_name(&name.unwrap_or_else(|| UNNAMED.to_owned()))
}

/// Makes the cache folder, but not what it is to lie in: where that is missing, a disk is most likely not mounted.
fn prepare(root: &Path) -> std::result::Result<(), String> {
    let why = |error: io::Error| {
        format!("Cache folder {} can't be used: {error}. Check the path, or empty the parameter.", root.display())
    };
    match std::fs::metadata(root) {
        Ok(data) if data.is_dir() => Ok(()),
        Ok(_) => Err(why(io::Error::new(io::ErrorKind::NotADirectory, "it is a file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match std::fs::create_dir(root) {
            // Another process may have been faster.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(why(error)),
            _ => Ok(()),
        },
        Err(error) => Err(why(error)),
    }
}
