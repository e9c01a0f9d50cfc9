//! Grids as lists of their active values, and files of any layout, for tests.

use std::collections::BTreeMap;

use half::f16;

use super::*;
use crate::picture::zlib::Packer;
use crate::sim::volume::sparse::{Contents, LEAF};

/// More values than any file of the tests has.
pub const BUDGET: usize = 1 << 24;

/// A grid that was read.
#[derive(Debug, PartialEq)]
pub struct Grid {
    /// Its type.
    pub kind: String,
    /// Its metadata, as bytes.
    pub metadata: BTreeMap<String, Vec<u8>>,
    pub transform: Transform,
    /// Active voxels of leaves.
    pub values: BTreeMap<[i32; 3], Vec<f32>>,
    /// Active constant nodes and regions, with their side.
    pub tiles: BTreeMap<([i32; 3], u32), Vec<f32>>,
}

/// The grids of a file by name; `None` where it cannot be read to its end.
pub fn read(bytes: &[u8]) -> Option<BTreeMap<String, Grid>> {
    let file = VdbFile::open(bytes).ok()?;
    let is_uuid = bytes[21..57].iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let mut grids = BTreeMap::new();
    for name in file.names() {
        let contents = file.read(&Cpu::new(2), name, BUDGET).ok()??;
        let (metadata, kind) = file.about(name)?;
        let metadata = metadata.into_iter().map(|(name, value)| (name, value.to_vec())).collect();
        let (values, tiles) = active(&contents);
        grids.insert(name.to_owned(), Grid { kind, metadata, transform: contents.transform, values, tiles });
    }
    let is_whole = file.grids.last().is_some_and(|grid| grid.end == bytes.len());
    (is_uuid && is_whole).then_some(grids)
}

/// Active voxels of leaves, and active nodes that are constant, with their sides.
pub type Active = (BTreeMap<[i32; 3], Vec<f32>>, BTreeMap<([i32; 3], u32), Vec<f32>>);

/// The active values of a grid.
pub fn active(contents: &VdbContents) -> Active {
    let VdbContents { values: grid, leaves, .. } = contents;
    let count = grid.components;
    let mut values = BTreeMap::new();
    let mut tiles = BTreeMap::new();
    grid.visit(|origin, side, slot| match slot {
        Contents::Constant(number, is_active) => {
            if is_active {
                tiles.insert((origin, side), grid.constants[number * count..][..count].to_vec());
            }
        }
        Contents::Child(leaf) => {
            assert_eq!(leaves[leaf].origin, origin);
            let stored = &grid.leaves[leaf * LEAF * count..][..LEAF * count];
            for [x, y, z] in leaves[leaf].places() {
                let at = [0, 1, 2].map(|axis| origin[axis] + [x, y, z][axis] as i32);
                values.insert(at, stored[((x * 8 + y) * 8 + z) * count..][..count].to_vec());
            }
        }
    });
    (values, tiles)
}

/// A file of one grid with a leaf at (128, 8, 0), and nodes that are constant.
#[derive(Clone, Debug)]
pub struct Made {
    pub version: u32,
    pub kind: &'static str,
    pub flags: u32,
    pub background: f32,
    /// Case of inactive values.
    pub case: u8,
    /// Metadata `class`.
    pub class: &'static str,
    /// Name and numbers of the transform.
    pub map: (&'static str, Vec<f64>),
}

impl Made {
    pub fn new(kind: &'static str, flags: u32, case: u8) -> Self {
        let map = ("UniformScaleMap", [[0.5; 3], [0.5; 3], [2.0; 3], [4.0; 3], [1.0; 3]].concat());
        Self { version: 224, kind, flags, background: 1.5, case, class: "unknown", map }
    }

    pub fn components(&self) -> usize {
        if self.kind.contains("vec3s") { 3 } else { 1 }
    }

    fn is_half(&self) -> bool {
        self.kind.ends_with("_HalfFloat")
    }

    /// Whether a voxel or slot is active: few are, so that files are small.
    pub fn is_active(at: usize) -> bool {
        at < LEAF && at % 5 == 2
    }

    /// The value of a voxel or slot. Halves have it exactly.
    pub fn value(&self, at: usize) -> f32 {
        let odd = at % 2 == 1;
        match self.case {
            _ if Self::is_active(at) => (at % 512) as f32 * 0.25,
            0 => self.background,
            1 => -self.background,
            2 => 7.0,
            3 => {
                if odd {
                    self.background
                } else {
                    -self.background
                }
            }
            4 => {
                if odd {
                    self.background
                } else {
                    7.0
                }
            }
            5 => {
                if odd {
                    9.0
                } else {
                    7.0
                }
            }
            _ => -((at % 512) as f32),
        }
    }

    fn put(&self, bytes: &mut Vec<u8>, value: f32) {
        (0..self.components()).for_each(|component| bytes.extend((value * (component + 1) as f32).to_le_bytes()));
    }

    /// Adds the mask of the active of `count` values, those without a child.
    fn mask(bytes: &mut Vec<u8>, count: usize, set: impl Fn(usize) -> bool) {
        bytes.extend((0..count / 8).map(|byte| (0..8).fold(0, |sum, bit| sum | u8::from(set(8 * byte + bit)) << bit)));
    }

    fn pack(&self, bytes: &mut Vec<u8>, count: usize, active: impl Fn(usize) -> bool) {
        bytes.push(self.case);
        if matches!(self.case, 2 | 4 | 5) {
            self.put(bytes, 7.0);
        }
        if self.case == 5 {
            self.put(bytes, 9.0);
        }
        if (3..=5).contains(&self.case) {
            Self::mask(bytes, count, |at| at % 2 == 1);
        }
        let compact = self.flags & 2 != 0 && self.case != 6;
        let mut raw = Vec::new();
        for at in (0..count).filter(|at| !compact || active(*at)) {
            for component in 0..self.components() {
                let value = self.value(at) * (component + 1) as f32;
                if self.is_half() {
                    raw.extend(f16::from_f32(value).to_le_bytes())
                } else {
                    raw.extend(value.to_le_bytes())
                }
            }
        }
        if self.flags & 1 == 0 {
            bytes.extend(raw);
        } else if !(raw.is_empty() && self.is_half()) {
            match Packer::new().zlib(&raw) {
                Some(packed) => {
                    bytes.extend((packed.len() as i64).to_le_bytes());
                    bytes.extend(packed);
                }
                None => {
                    bytes.extend((-(raw.len() as i64)).to_le_bytes());
                    bytes.extend(raw);
                }
            }
        }
    }

    /// The bytes of the file, and the positions of its grid's header, its tree and its leaves.
    pub fn bytes(&self) -> (Vec<u8>, [usize; 3]) {
        let text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        };
        let mut bytes = 0x5644_4220_i64.to_le_bytes().to_vec();
        [self.version, 10, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.push(1);
        bytes.extend([b'0'; 36]);
        bytes.extend([0; 4]);
        bytes.extend(1_u32.to_le_bytes());
        ["density", self.kind, ""].iter().for_each(|part| text(&mut bytes, part));
        let positions = bytes.len();
        bytes.extend([0; 24]);
        let start = bytes.len();
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        ["class", "string"].iter().for_each(|part| text(&mut bytes, part));
        text(&mut bytes, self.class);
        text(&mut bytes, self.map.0);
        self.map.1.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        let tree = bytes.len();
        bytes.extend(1_u32.to_le_bytes());
        self.put(&mut bytes, self.background);
        [1_u32, 1].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        [-4096_i32, 0, 4096].iter().for_each(|at| bytes.extend(at.to_le_bytes()));
        self.put(&mut bytes, 3.0);
        bytes.push(1);
        [0_i32; 3].iter().for_each(|at| bytes.extend(at.to_le_bytes()));
        // The leaf is in slot (1, 0, 0) of the upper node and (0, 1, 0) of the lower one.
        for (count, child) in [(1 << 15, 1 << 10), (1 << 12, 1 << 4)] {
            let active = |at: usize| Self::is_active(at) && at != child;
            Self::mask(&mut bytes, count, |at| at == child);
            Self::mask(&mut bytes, count, active);
            self.pack(&mut bytes, count, active);
        }
        Self::mask(&mut bytes, LEAF, Self::is_active);
        let blocks = bytes.len();
        Self::mask(&mut bytes, LEAF, Self::is_active);
        self.pack(&mut bytes, LEAF, Self::is_active);
        let end = bytes.len();
        for (at, position) in [start, blocks, end].into_iter().enumerate() {
            bytes[positions + 8 * at..][..8].copy_from_slice(&(position as i64).to_le_bytes());
        }
        (bytes, [start, tree, blocks])
    }
}
