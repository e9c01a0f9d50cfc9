//! The disk cache of a node: the folder, and the settings of its use.

use std::io;
use std::path::{Path, PathBuf};

use super::chain::StateOf;
use super::controls::Controls;
use super::node::{Node, Simulation};
use super::params::Panel;
use super::shared::Shared;

use super::values::Values as _;
use crate::compute::cpu::Cpu;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::Result;
use crate::timeline::disk::{Disk, Restore, Usage, Uses};

/// States that wait to be written may take the budget of the store divided by this, in addition to their memory in the
/// store.
const SHARE_OF_WRITER: u64 = 8;

/// A folder on disk, and its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// The folder of the shot or node.
    pub folder: PathBuf,
    /// Its use.
    pub usage: Usage,
}

/// The request for a disk cache on the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheRequest {
    /// No disk cache.
    None,
    /// A folder that can be used.
    Use(Cache),
    /// A folder that cannot be used: the reason, as a text for the artist.
    Impossible(String),
}

impl CacheRequest {
    /// Reads the request.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read<N: Node>(panel: &Panel<'_, N::Id>, time: f64) -> Result<Self> {
        let id = N::Id::shared;
        let mode = panel.choice(id(Shared::CacheMode), time)?;
        let text = panel.text(id(Shared::CacheFolder), time);
        if mode == 0 || text.is_empty() || quirks::ignores_time(panel.effect.host()) {
            return Ok(Self::None);
        }
        let natural = |which| panel.int(id(which), time).map(|value| u64::try_from(value).unwrap_or(0));
        let usage = Usage {
            write: mode == 1,
            every: natural(Shared::CacheEvery)?.max(1),
            limit: natural(Shared::CacheSize)? << 30,
            wait: panel.choice(id(Shared::CacheBusy), time)? == 0,
            queue_limit: engine().store().budget() / SHARE_OF_WRITER,
        };
        let folder = folder::<N>(panel, time).and_then(|folder| prepare(&folder, usage.write).map(|()| folder));
        engine().disks().usable(&text, folder.as_ref().err().map(String::as_str));
        Ok(match folder {
            Ok(folder) => Self::Use(Cache { folder, usage }),
            Err(why) => Self::Impossible(why),
        })
    }

    /// The folder that can be used, if any.
    pub fn cache(&self) -> Option<&Cache> {
        if let Self::Use(cache) = self { Some(cache) } else { None }
    }
}

impl Cache {
    /// The folder as the archive of one render.
    pub fn disk<'a, N: Node>(
        &self,
        simulation: &'a N::Simulation,
        cpu: &'a Cpu,
        uses: &'a Uses,
    ) -> Disk<'a, StateOf<N>> {
        self.disk_of(simulation.restore(), cpu, uses)
    }

    /// The folder as an archive of states of another kind, of one render.
    pub fn disk_of<'a, S>(&self, restore: Restore<'a, S>, cpu: &'a Cpu, uses: &'a Uses) -> Disk<'a, S> {
        engine().disks().disk(&self.folder, self.usage, restore, cpu, uses)
    }
}

/// The folder of a node.
///
/// # Errors
/// The parameters give no valid path: the reason, as a text for the artist.
pub fn folder<N: Node>(panel: &Panel<'_, N::Id>, time: f64) -> std::result::Result<PathBuf, String> {
    let root = expand("Cache folder", &panel.text(N::Id::shared(Shared::CacheFolder), time))?;
    let given = expand("Cache name", &panel.text(N::Id::shared(Shared::CacheName), time))?;
    let name = if given.is_empty() { panel.effect.instance_name() } else { Some(given) };
    let common = N::ABOUT.folder;
    let own = || match panel.text(N::Id::shared(Shared::CacheId), time) {
        id if id.is_empty() => common.to_owned(),
        id => format!("{common}-{id}"),
    };
    Ok(PathBuf::from(root).join(flow_cache::safe_name(&name.unwrap_or_else(own))))
}

/// Whether all nodes of a type share the node's folder.
pub fn is_common<N: Node>(panel: &Panel<'_, N::Id>, time: f64) -> bool {
    let empty = |which| panel.text(N::Id::shared(which), time).is_empty();
    empty(Shared::CacheName) && empty(Shared::CacheId) && panel.effect.instance_name().is_none()
}

/// A path with its variables replaced.
///
/// # Errors
/// A sentence for the artist.
pub fn expand(label: &str, text: &str) -> std::result::Result<String, String> {
    flow_cache::expand(text).map_err(|error| format!("{label}: {error}"))
}

/// Creates the cache folder, which is the parent of a shot's `folder`. Does not create the parent of the cache folder:
/// if that is missing, a disk is most likely not mounted.
fn prepare(folder: &Path, write: bool) -> std::result::Result<(), String> {
    let root = folder.parent().unwrap_or(folder);
    let why = |error: io::Error| {
        format!("Cache folder {} can't be used: {error}. Check the path, or empty the parameter.", root.display())
    };
    match std::fs::metadata(root) {
        Ok(data) if data.is_dir() => Ok(()),
        Ok(_) => Err(why(io::Error::new(io::ErrorKind::NotADirectory, "it is a file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound && write => match std::fs::create_dir(root) {
            // Another process may have created it in between.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(why(error)),
            _ => Ok(()),
        },
        Err(error) => Err(why(error)),
    }
}
