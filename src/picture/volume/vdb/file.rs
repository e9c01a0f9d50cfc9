//! The layout of a file: header, and per grid its metadata, topology and buffers. Little-endian.

use std::io::{self, Seek, SeekFrom, Write};

use xxhash_rust::xxh3::Xxh3;

use super::tree::{Leaf, child, node, runs};
use crate::compute::cpu::Cpu;
use crate::picture::zlib::Packer;
use crate::sim::volume::fields::Lattice;
use crate::sim::volume::sparse::SIDES;

/// First bytes of a file.
const MAGIC: i64 = 0x5644_4220;
/// Version of the layout, and version of the library that it is of.
const VERSION: [u32; 3] = [224, 10, 0];
/// Compression: zlib, and active values alone.
const ZIP: u32 = 1;
const ACTIVE_MASK: u32 = 2;
/// Mask case: inactive values are the background.
const INACTIVE_IS_BACKGROUND: u8 = 0;

/// Leaves that one thread compresses at once.
const PIECE: usize = 64;
/// Pieces in memory at once.
const PIECES: usize = 64;

/// Name, type and class of a grid in a file.
pub struct GridHeader {
    /// Its name.
    pub name: &'static str,
    /// Whether values have three components.
    pub is_vector: bool,
    /// Whether values are stored as halves.
    pub half: bool,
    /// Whether it is a density, else a grid of no class.
    pub is_fog: bool,
    /// Place of the cells in the world.
    pub lattice: Lattice,
}

/// Writes a file.
pub struct Writer<'a, W> {
    to: &'a mut W,
    /// Hash of the grids, from which the file has its UUID.
    hash: Xxh3,
    /// Bytes before `to`'s end.
    position: u64,
}

/// Place of the UUID in a file.
const UUID: u64 = 21;

impl<'a, W: Write + Seek> Writer<'a, W> {
    /// Writes the header of a file of so many grids.
    ///
    /// # Errors
    /// `to` cannot be written to.
    pub fn begin(to: &'a mut W, grids: usize) -> io::Result<Self> {
        let mut writer = Self { to, hash: Xxh3::new(), position: 0 };
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        VERSION.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        // The file has the positions of its grids.
        bytes.push(1);
        bytes.extend([b'0'; 36]);
        metadata(&mut bytes, &[("creator", Meta::Text("FlowVolume"))]);
        bytes.extend((grids as i32).to_le_bytes());
        writer.put(&bytes)?;
        Ok(writer)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn end(self) -> io::Result<()> {
        let hash = format!("{:032x}", self.hash.digest128());
        let parts = [&hash[..8], &hash[8..12], &hash[12..16], &hash[16..20], &hash[20..]];
        self.to.seek(SeekFrom::Start(UUID))?;
        self.to.write_all(parts.join("-").as_bytes())?;
        self.to.seek(SeekFrom::End(0))?;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.position += bytes.len() as u64;
        self.to.write_all(bytes)
    }

    /// Writes a grid. `leaves` are in the order of the tree; `values` adds the active values of a leaf, in its order.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn grid(
        &mut self,
        cpu: &Cpu,
        header: &GridHeader,
        leaves: Vec<Leaf>,
        values: impl Fn(&Leaf, &mut Vec<u8>) + Sync,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        text(&mut bytes, header.name);
        let kind = if header.is_vector { "Tree_vec3s_5_4_3" } else { "Tree_float_5_4_3" };
        text(&mut bytes, &format!("{kind}{}", if header.half { "_HalfFloat" } else { "" }));
        // The grid shares no tree with another one.
        text(&mut bytes, "");
        self.put(&bytes)?;
        let offsets = self.position;
        self.put(&[0; 24])?;
        let start = self.position;
        bytes.clear();
        bytes.extend((ZIP | ACTIVE_MASK).to_le_bytes());
        header.metadata(&mut bytes, &leaves);
        header.transform(&mut bytes);
        self.put(&bytes)?;
        self.topology(header, &leaves)?;
        let blocks = self.position;
        for batch in leaves.chunks(PIECE * PIECES) {
            let packed = cpu.each(batch.chunks(PIECE).collect(), |piece: &[Leaf]| buffers(piece, &values));
            packed.iter().try_for_each(|bytes| self.put(bytes))?;
        }
        let end = self.position;
        let positions: Vec<u8> = [start, blocks, end].iter().flat_map(|at| at.to_le_bytes()).collect();
        self.hash.update(&positions);
        self.to.seek(SeekFrom::Start(offsets))?;
        self.to.write_all(&positions)?;
        self.to.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// Writes the nodes with their masks.
    fn topology(&mut self, header: &GridHeader, leaves: &[Leaf]) -> io::Result<()> {
        let roots = runs(leaves, |leaf| node(leaf.origin, 0));
        let mut bytes = 1_u32.to_le_bytes().to_vec();
        // The background is 0, a float in files of halves, too.
        bytes.extend([0; 12].iter().take(if header.is_vector { 12 } else { 4 }));
        // No tiles.
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend((roots.len() as u32).to_le_bytes());
        self.put(&bytes)?;
        for root in roots {
            let root = &leaves[root];
            bytes.clear();
            node(root[0].origin, 0).iter().for_each(|at| bytes.extend(at.to_le_bytes()));
            inner(&mut bytes, root, 0, header.half);
            self.put(&bytes)?;
            for branch in runs(root, |leaf| node(leaf.origin, 1)) {
                let branch = &root[branch];
                bytes.clear();
                inner(&mut bytes, branch, 1, header.half);
                branch.iter().for_each(|leaf| mask(&mut bytes, &leaf.mask));
                self.put(&bytes)?;
            }
        }
        Ok(())
    }
}

/// Adds a node above leaves: its children, no active values, and an empty pack of values.
fn inner(bytes: &mut Vec<u8>, leaves: &[Leaf], level: usize, half: bool) {
    let words = 1 << (3 * SIDES[level] - 6);
    let mut children = vec![0_u64; words];
    for leaf in leaves {
        let child = child(leaf.origin, level);
        children[child / 64] |= 1 << (child % 64);
    }
    mask(bytes, &children);
    mask(bytes, &vec![0; words]);
    bytes.push(INACTIVE_IS_BACKGROUND);
    // An empty pack of floats has its size; of halves nothing is written.
    if !half {
        bytes.extend(0_i64.to_le_bytes());
    }
}

/// The buffers of leaves: mask and values.
fn buffers(leaves: &[Leaf], values: &impl Fn(&Leaf, &mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut raw = Vec::new();
    let mut packer = Packer::new();
    for leaf in leaves {
        raw.clear();
        values(leaf, &mut raw);
        mask(&mut bytes, &leaf.mask);
        bytes.push(INACTIVE_IS_BACKGROUND);
        match packer.zlib(&raw) {
            Some(packed) => {
                bytes.extend((packed.len() as i64).to_le_bytes());
                bytes.extend(packed);
            }
            None => {
                bytes.extend((-(raw.len() as i64)).to_le_bytes());
                bytes.extend(&raw);
            }
        }
    }
    bytes
}

impl GridHeader {
    fn metadata(&self, bytes: &mut Vec<u8>, leaves: &[Leaf]) {
        let bounds = leaves.iter().map(Leaf::bounds).reduce(|sum, more| {
            [0, 1, 2].map(|axis| {
                let ([low, high], [first, last]): ([i32; 2], [i32; 2]) = (sum[axis], more[axis]);
                [low.min(first), high.max(last)]
            })
        });
        // The bounding box of a grid without active voxels ends before it begins.
        let bounds = bounds.unwrap_or([[0, -1]; 3]);
        let mut entries = vec![
            ("class", Meta::Text(if self.is_fog { "fog volume" } else { "unknown" })),
            ("file_bbox_max", Meta::Place(bounds.map(|[_, high]| high))),
            ("file_bbox_min", Meta::Place(bounds.map(|[low, _]| low))),
            ("file_compression", Meta::Text("zip + active values")),
            ("file_voxel_count", Meta::Count(leaves.iter().map(|leaf| leaf.active() as i64).sum())),
            ("is_saved_as_half_float", Meta::Switch(self.half)),
            ("name", Meta::Text(self.name)),
        ];
        if self.is_vector {
            entries.push(("vector_type", Meta::Text("covariant")));
        }
        metadata(bytes, &entries);
    }

    /// Adds the transform from indices to the world: centres of voxels are those of cells.
    fn transform(&self, bytes: &mut Vec<u8>) {
        let Lattice { origin, spacing } = self.lattice;
        text(bytes, "AffineMap");
        let mut matrix = [[0.0; 4]; 4];
        for axis in 0..3 {
            matrix[axis][axis] = spacing;
            matrix[3][axis] = origin[axis] + 0.5 * spacing;
        }
        matrix[3][3] = 1.0;
        matrix.as_flattened().iter().for_each(|value| bytes.extend(f64::to_le_bytes(*value)));
    }
}

/// A value of metadata.
enum Meta<'a> {
    Text(&'a str),
    Switch(bool),
    Place([i32; 3]),
    Count(i64),
}

fn metadata(bytes: &mut Vec<u8>, entries: &[(&str, Meta<'_>)]) {
    bytes.extend((entries.len() as u32).to_le_bytes());
    for (name, value) in entries {
        let (kind, value) = match value {
            Meta::Text(value) => ("string", value.as_bytes().to_vec()),
            Meta::Switch(value) => ("bool", vec![u8::from(*value)]),
            Meta::Place(value) => ("vec3i", value.iter().flat_map(|at| at.to_le_bytes()).collect()),
            Meta::Count(value) => ("int64", value.to_le_bytes().to_vec()),
        };
        text(bytes, name);
        text(bytes, kind);
        bytes.extend((value.len() as u32).to_le_bytes());
        bytes.extend(value);
    }
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn mask(bytes: &mut Vec<u8>, words: &[u64]) {
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}
