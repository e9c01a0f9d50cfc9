//! Reads the files that this module writes, for tests.

use std::collections::BTreeMap;

use half::f16;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// A grid that was read.
#[derive(Debug, PartialEq)]
pub struct Grid {
    /// Its type.
    pub kind: String,
    /// Its metadata, as bytes.
    pub metadata: BTreeMap<String, Vec<u8>>,
    /// From indices to the world.
    pub matrix: Vec<f64>,
    /// Active values by index, of one or three components.
    pub values: BTreeMap<[i32; 3], Vec<f32>>,
}

/// The grids of a file by name; `None` where it is not one that this module writes.
pub fn read(bytes: &[u8]) -> Option<BTreeMap<String, Grid>> {
    let mut file = Bytes(bytes);
    let is_known = file.i64()? == 0x5644_4220 && [file.u32()?, file.u32()?, file.u32()?, 0] == [224, 10, 0, 0];
    let is_uuid = file.take(37)?[1..].iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    metadata(&mut file)?;
    let mut grids = BTreeMap::new();
    for _ in 0..file.u32()? {
        let name = file.text()?;
        let kind = file.text()?;
        file.text()?;
        let [start, blocks, end] = [file.i64()?, file.i64()?, file.i64()?];
        let position = |file: &Bytes<'_>| (bytes.len() - file.0.len()) as i64;
        let at_start = position(&file) == start;
        let grid = grid(&mut file, kind, |file| position(file) == blocks)?;
        if !at_start || position(&file) != end {
            return None;
        }
        grids.insert(name, grid);
    }
    (is_known && is_uuid && file.0.is_empty()).then_some(grids)
}

fn grid(file: &mut Bytes<'_>, kind: String, at_blocks: impl Fn(&Bytes<'_>) -> bool) -> Option<Grid> {
    let half = kind.ends_with("_HalfFloat");
    let components = if kind.starts_with("Tree_vec3s_5_4_3") { 3 } else { 1 };
    if file.u32()? != 3 {
        return None;
    }
    let metadata = metadata(file)?;
    if file.text()? != "AffineMap" {
        return None;
    }
    let matrix = (0..16).map(|_| Some(f64::from_bits(file.i64()? as u64))).collect::<Option<_>>()?;
    if file.u32()? != 1 || file.take(4 * components)?.iter().any(|byte| *byte != 0) || file.u32()? != 0 {
        return None;
    }
    let mut leaves = Vec::new();
    for _ in 0..file.u32()? {
        let root = [file.u32()? as i32, file.u32()? as i32, file.u32()? as i32];
        for place in inner(file, 5, half)? {
            let branch = [0, 1, 2].map(|axis| root[axis] + place[axis] * 128);
            for place in inner(file, 4, half)? {
                leaves.push(([0, 1, 2].map(|axis| branch[axis] + place[axis] * 8), file.take(64)?));
            }
        }
    }
    if !at_blocks(file) {
        return None;
    }
    let mut values = BTreeMap::new();
    for (origin, mask) in leaves {
        if file.take(64)? != mask || file.take(1)? != [0] {
            return None;
        }
        let set = places(mask, 3);
        let bytes = set.len() * components * if half { 2 } else { 4 };
        let packed = file.i64()?;
        let raw = match usize::try_from(packed) {
            Ok(count) => decompress_to_vec_zlib_with_limit(file.take(count)?, bytes).ok()?,
            Err(_) => file.take(usize::try_from(-packed).ok()?)?.to_vec(),
        };
        if raw.len() != bytes {
            return None;
        }
        let numbers: Vec<f32> = if half {
            raw.as_chunks().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect()
        } else {
            raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
        };
        for (place, value) in set.iter().zip(numbers.chunks(components)) {
            values.insert([0, 1, 2].map(|axis| origin[axis] + place[axis]), value.to_vec());
        }
    }
    Some(Grid { kind, metadata, matrix, values })
}

/// The children of a node with a side of 2^`log` of them.
fn inner(file: &mut Bytes<'_>, log: u32, half: bool) -> Option<Vec<[i32; 3]>> {
    let bytes = 1 << (3 * log - 3);
    let children = places(file.take(bytes)?, log);
    let has_tiles = file.take(bytes)?.iter().any(|byte| *byte != 0);
    let is_empty = file.take(1)? == [0] && (half || file.i64()? == 0);
    (is_empty && !has_tiles).then_some(children)
}

/// The places of the bits of a mask.
fn places(mask: &[u8], log: u32) -> Vec<[i32; 3]> {
    let set = (0..mask.len() * 8).filter(|at| mask[at / 8] >> (at % 8) & 1 == 1);
    set.map(|at| [at >> (2 * log), at >> log, at].map(|at| (at & ((1 << log) - 1)) as i32)).collect()
}

fn metadata(file: &mut Bytes<'_>) -> Option<BTreeMap<String, Vec<u8>>> {
    let mut entries = BTreeMap::new();
    for _ in 0..file.u32()? {
        let name = file.text()?;
        file.text()?;
        let bytes = file.u32()? as usize;
        entries.insert(name, file.take(bytes)?.to_vec());
    }
    Some(entries)
}

/// The rest of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn i64(&mut self) -> Option<i64> {
        Some(i64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let count = self.u32()? as usize;
        String::from_utf8(self.take(count)?.to_vec()).ok()
    }
}
