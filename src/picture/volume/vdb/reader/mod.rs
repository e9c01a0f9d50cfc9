//! Reads OpenVDB files: versions 222 to 224 of the layout, grids of floats and of vectors of floats in the standard
//! tree, compressed by Blosc (with LZ4), by zip, or not at all.
//!
//! A file is not trusted: counts are compared with the bytes that are there, and memory with a budget, before anything
//! is allocated; packs do not inflate beyond their known size. Any bytes give a grid or an error.
//!
//! | file | contents |
//! |---|---|
//! | `bytes` | the bytes of a file in order |
//! | `blosc` | values packed by Blosc |
//! | `packs` | the values of a node or leaf: masks, cases of inactive values, compression |
//! | `maps` | transforms from voxels to the world |
//! | `topology` | the tree |
//! | this file | the grids of a file |

mod blosc;
mod bytes;
#[cfg(test)]
mod fuzz;
mod maps;
mod packs;
#[cfg(test)]
mod reference;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod topology;

use thiserror::Error;

use self::bytes::Bytes;
use self::packs::Layout;
use super::tree::Leaf;
use crate::compute::cpu::Cpu;
use crate::sim::volume::sparse::Sparse;

pub use self::maps::Transform;

/// First bytes of a file.
const MAGIC: i64 = 0x5644_4220;

/// Versions of the layout that can be read.
const VERSIONS: std::ops::RangeInclusive<u32> = 222..=224;

/// Separates the name of a grid from a number, where several grids have the same name.
const SUFFIX: char = '\u{1e}';

/// The reason why a file or a grid cannot be read, as the end of a sentence for the artist.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum VdbError {
    /// Other bytes.
    #[error("it is no OpenVDB file")]
    NotVdb,
    /// Another version of the layout.
    #[error("its format has version {0}, and 222 to 224 can be read: save it with OpenVDB 3 to 12")]
    Version(u32),
    /// Grids without their positions.
    #[error("it was written as a stream, without the positions of its grids: save it as a file")]
    Stream,
    /// The file ends within its contents.
    #[error("it ends early: copy it anew")]
    Short,
    /// Contents that no program writes.
    #[error("it is damaged ({0})")]
    Damaged(&'static str),
    /// Another compressor within Blosc.
    #[error("its values are compressed by Blosc with another compressor than LZ4: save it with LZ4 or Zip, or without")]
    Codec,
    /// Values of another type, or another tree.
    #[error("its grid {0} is a {1}, and only trees of float and vec3s of the standard shape can be read")]
    Kind(String, String),
    /// A transform that is not along the axes.
    #[error("its grid {0} is rotated or sheared: resample it along the axes")]
    Rotated(String),
    /// A transform of another kind.
    #[error("its grid {0} has the transform {1}: resample it with a uniform voxel size")]
    Map(String, String),
    /// More values than the budget.
    #[error("its grid {0} has more than {1} million voxels: make it coarser, or crop it")]
    Large(String, usize),
}

/// A grid of a file.
#[derive(Clone, Debug)]
pub struct VdbContents {
    /// Its values.
    pub values: Sparse,
    /// Its leaves with their active voxels, in the order of the values.
    pub leaves: Vec<Leaf>,
    /// From voxels to the world.
    pub transform: Transform,
    /// Whether it is a signed distance, below 0 inside.
    pub is_level_set: bool,
    /// Number of values that are not finite, in whose place there is 0.
    pub bad: usize,
}

/// A file whose grids are known by name.
pub struct VdbFile<'a> {
    grids: Vec<Entry<'a>>,
}

/// A grid in the table of a file.
struct Entry<'a> {
    /// Its name among all grids.
    unique: String,
    kind: String,
    /// Unique name of the grid whose tree it has; empty for its own.
    parent: String,
    /// Bytes from its header on, and the position of its leaves (0 without a tree of its own) and of its end.
    start: Bytes<'a>,
    blocks: usize,
    end: usize,
}

/// Metadata: names and values.
pub type Metadata<'a> = Vec<(String, &'a [u8])>;

impl Entry<'_> {
    /// The name that the artist sees.
    fn name(&self) -> &str {
        self.unique.split(SUFFIX).next().unwrap_or_default()
    }
}

impl<'a> VdbFile<'a> {
    /// Reads the table of a file.
    ///
    /// # Errors
    /// The bytes are no file that can be read.
    pub fn open(bytes: &'a [u8]) -> Result<Self, VdbError> {
        let mut file = Bytes::new(bytes);
        if file.i64().map_err(|_| VdbError::NotVdb)? != MAGIC {
            return Err(VdbError::NotVdb);
        }
        let version = file.u32()?;
        if !VERSIONS.contains(&version) {
            return Err(VdbError::Version(version));
        }
        // The version of the library.
        file.take(8)?;
        if file.u8()? == 0 {
            return Err(VdbError::Stream);
        }
        // The UUID.
        file.take(36)?;
        metadata(&mut file)?;
        let mut grids = Vec::new();
        for _ in 0..file.u32()? {
            let [unique, kind, parent] = [file.text()?, file.text()?, file.text()?];
            let [start, blocks, end] = [file.position()?, file.position()?, file.position()?];
            if start < file.at() || end < start {
                return Err(VdbError::Damaged("positions of a grid"));
            }
            grids.push(Entry { unique, kind, parent, start: file.from(start)?, blocks, end });
            file = file.from(end)?;
        }
        Ok(Self { grids })
    }

    /// The names of the grids, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.grids.iter().map(Entry::name)
    }

    /// Reads the first grid of a name, on the threads of `cpu`; `None` where there is none. `budget`: most values.
    ///
    /// # Errors
    /// The grid cannot be read.
    pub fn read(&self, cpu: &Cpu, name: &str, budget: usize) -> Result<Option<VdbContents>, VdbError> {
        let Some(entry) = self.grids.iter().find(|entry| entry.name() == name) else { return Ok(None) };
        // A grid that shares a tree has a transform and metadata of its own.
        let tree = match &entry.parent[..] {
            "" => entry,
            parent => {
                let found = self.grids.iter().find(|other| other.unique == *parent && other.parent.is_empty());
                found.ok_or(VdbError::Damaged("a grid without its tree"))?
            }
        };
        let Header { metadata, transform, .. } = header(entry)?;
        let Header { layout, mut bytes, .. } = header(tree)?;
        let read = topology::read(cpu, &mut bytes, &layout, tree.blocks, budget);
        let (values, leaves, bad) = read.map_err(|error| match error {
            VdbError::Large(..) => VdbError::Large(name.to_owned(), budget / 1_000_000),
            error => error,
        })?;
        if bytes.at() != tree.end {
            return Err(VdbError::Damaged("the end of a grid"));
        }
        let is_level_set = text(&metadata, "class") == Some(b"level set");
        Ok(Some(VdbContents { values, leaves, transform, is_level_set, bad }))
    }

    /// The metadata of the first grid of a name, and its type.
    #[cfg(test)]
    pub fn about(&self, name: &str) -> Option<(Metadata<'a>, String)> {
        let entry = self.grids.iter().find(|entry| entry.name() == name)?;
        Some((header(entry).ok()?.metadata, entry.kind.clone()))
    }
}

/// The part of a grid before its tree.
struct Header<'a> {
    layout: Layout,
    metadata: Metadata<'a>,
    transform: Transform,
    /// Bytes from the tree on.
    bytes: Bytes<'a>,
}

fn header<'a>(entry: &Entry<'a>) -> Result<Header<'a>, VdbError> {
    let mut bytes = entry.start;
    let name = || entry.name().to_owned();
    let half = entry.kind.strip_suffix("_HalfFloat");
    let components = match half.unwrap_or(&entry.kind) {
        "Tree_float_5_4_3" => 1,
        "Tree_vec3s_5_4_3" => 3,
        _ => return Err(VdbError::Kind(name(), entry.kind.chars().take(80).collect())),
    };
    let flags = bytes.u32()?;
    let layout = Layout::new(flags, components, half.is_some())?;
    let metadata = metadata(&mut bytes)?;
    let transform = maps::read(&mut bytes, name)?;
    Ok(Header { layout, metadata, transform, bytes })
}

fn metadata<'a>(bytes: &mut Bytes<'a>) -> Result<Metadata<'a>, VdbError> {
    let mut entries = Vec::new();
    for _ in 0..bytes.u32()? {
        let name = bytes.text()?;
        // The type of the value.
        bytes.text()?;
        let count = bytes.u32()? as usize;
        entries.push((name, bytes.take(count)?));
    }
    Ok(entries)
}

/// The value of an entry of metadata, without white space.
fn text<'a>(metadata: &Metadata<'a>, name: &str) -> Option<&'a [u8]> {
    metadata.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim_ascii())
}
