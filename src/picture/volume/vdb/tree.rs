//! The leaves of a tree of OpenVDB's standard shape, 32³ nodes of 16³ nodes of leaves of 8³ voxels, and their masks.

use std::ops::Range;

use crate::sim::volume::fields::TILE;
use crate::sim::volume::sparse::SIDES;

pub use crate::sim::volume::sparse::place as child;

/// The active voxels of a leaf: bit `8·y + z` of word `x`.
pub type Mask = [u64; TILE];

/// A leaf with active voxels.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Index of its first voxel, a multiple of 8.
    pub origin: [i32; 3],
    /// Its active voxels.
    pub mask: Mask,
}

/// The place of a voxel in the word of a mask.
pub fn bit(y: usize, z: usize) -> usize {
    y * TILE + z
}

impl Leaf {
    /// The active voxels, in the order of the file.
    pub fn places(&self) -> impl Iterator<Item = [usize; 3]> {
        self.mask.iter().enumerate().flat_map(|(x, word)| {
            let set = (0..64).filter(move |bit| word >> bit & 1 == 1);
            set.map(move |bit| [x, bit / TILE, bit % TILE])
        })
    }

    /// Number of active voxels.
    pub fn active(&self) -> u64 {
        self.mask.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// First and last active voxel along each axis.
    pub fn bounds(&self) -> [[i32; 2]; 3] {
        let extent = extent(&self.mask);
        [0, 1, 2].map(|axis| extent[axis].map(|at| self.origin[axis] + at as i32))
    }
}

/// First and last active voxel along each axis, in a mask that is not empty.
fn extent(mask: &Mask) -> [[usize; 2]; 3] {
    let all = mask.iter().fold(0, |all, word| all | word);
    let rows = (0..TILE).filter(|y| all >> (y * TILE) & 0xff != 0);
    let columns = (0..TILE).filter(|z| (0..TILE).any(|y| all >> bit(y, *z) & 1 == 1));
    let planes = (0..TILE).filter(|x| mask[*x] != 0);
    let ends =
        |set: &mut dyn Iterator<Item = usize>| set.fold([TILE, 0], |[low, high], at| [low.min(at), high.max(at)]);
    [ends(&mut { planes }), ends(&mut { rows }), ends(&mut { columns })]
}

/// Whether an active voxel touches the neighbour of a leaf in a direction of −1, 0 or 1 along each axis.
pub fn touches(mask: &Mask, direction: [i32; 3]) -> bool {
    let range = |axis: usize| match direction[axis] {
        0 => 0..TILE,
        side => {
            if side < 0 {
                0..1
            } else {
                TILE - 1..TILE
            }
        }
    };
    range(0).any(|x| range(1).any(|y| range(2).any(|z| mask[x] >> bit(y, z) & 1 == 1)))
}

/// Origin of the node of a level above a leaf: 0 for the child of the root.
pub fn node(origin: [i32; 3], level: usize) -> [i32; 3] {
    let side: u32 = SIDES[level..].iter().sum();
    origin.map(|at| at >> side << side)
}

/// The leaves in the order of the file.
pub fn sorted(mut leaves: Vec<Leaf>) -> Vec<Leaf> {
    leaves.sort_by_cached_key(|leaf| {
        let Leaf { origin, .. } = *leaf;
        (node(origin, 0), child(origin, 0), child(origin, 1))
    });
    leaves
}

/// Runs of neighbours in a list that have the same key.
pub fn runs<T, K: PartialEq>(list: &[T], key: impl Fn(&T) -> K) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for at in 1..=list.len() {
        if at == list.len() || key(&list[at]) != key(&list[from]) {
            found.push(from..at);
            from = at;
        }
    }
    found
}
