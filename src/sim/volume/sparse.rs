//! Sparse grids of voxels in OpenVDB's standard tree: regions of 4096³ voxels in 32³ slots, nodes of 128³ voxels in 16³
//! slots, and leaves of 8³ voxels. A slot that is constant has one value and no children.

use crate::sim::memory::Values;
use crate::sim::request;

/// Logarithms of the sides of the nodes of the three levels, in nodes of the level below or voxels.
pub const SIDES: [u32; 3] = [5, 4, 3];

/// Logarithms of the sides of a region, of the nodes of both levels below it, and of a leaf's voxels, in voxels.
const EXTENTS: [u32; 4] = [12, 7, 3, 0];

/// Voxels of a leaf.
pub const LEAF: usize = 1 << (3 * SIDES[2]);

/// A place in a node: a child, or one value for all its voxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u32);

/// The contents of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A node of the level below, by its number.
    Child(usize),
    /// One value, by its number, and whether it is active.
    Constant(usize, bool),
}

impl Slot {
    const CHILD: u32 = 1 << 31;
    const ACTIVE: u32 = 1 << 30;
    /// Largest number of children or constants.
    pub const MOST: usize = Self::ACTIVE as usize;

    /// A slot with these contents, whose number is less than [`MOST`](Self::MOST).
    pub fn new(contents: Contents) -> Self {
        Self(match contents {
            Contents::Child(number) => number as u32 | Self::CHILD,
            Contents::Constant(number, active) => number as u32 | if active { Self::ACTIVE } else { 0 },
        })
    }

    /// The contents.
    pub fn contents(self) -> Contents {
        let number = (self.0 & !(Self::CHILD | Self::ACTIVE)) as usize;
        if self.0 & Self::CHILD != 0 {
            Contents::Child(number)
        } else {
            Contents::Constant(number, self.0 & Self::ACTIVE != 0)
        }
    }
}

/// A sparse grid of values with one or three components.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    /// Components of a value.
    pub components: usize,
    /// The regions that are not empty, by their first voxel, in ascending order.
    pub regions: Vec<([i32; 3], Slot)>,
    /// The slots of the regions, 32³ each, and those of the nodes of 128³ voxels, 16³ each. Node after node, and within
    /// a node (x·side + y)·side + z.
    pub nodes: [Vec<Slot>; 2],
    /// The values of the leaves, leaf after leaf, in the same order of voxels.
    pub leaves: Values<f32>,
    /// The values of constant slots. The first is the background, which all other regions have.
    pub constants: Vec<f32>,
}

impl Sparse {
    /// A grid that is the background everywhere.
    pub fn new(background: &[f32]) -> Self {
        Self { components: background.len(), constants: background.to_vec(), ..Self::default() }
    }

    /// Adds a constant, and returns its number. The background and the last constant are found again.
    pub fn constant(&mut self, value: &[f32]) -> usize {
        let same = |known: &[f32]| known.iter().zip(value).all(|(a, b)| a.to_bits() == b.to_bits());
        let last = self.constants.len() / self.components - 1;
        if same(&self.constants[..self.components]) {
            0
        } else if same(&self.constants[last * self.components..]) {
            last
        } else {
            request::extend(&mut self.constants, value.iter().copied());
            last + 1
        }
    }

    /// The leaf of a voxel, or the number of the constant there.
    fn find(&self, at: [i32; 3]) -> Contents {
        let region = at.map(|at| at >> EXTENTS[0] << EXTENTS[0]);
        let Ok(found) = self.regions.binary_search_by_key(&region, |(origin, _)| *origin) else {
            return Contents::Constant(0, false);
        };
        let mut slot = self.regions[found].1;
        for (level, slots) in self.nodes.iter().enumerate() {
            let Contents::Child(node) = slot.contents() else { break };
            slot = slots[(node << (3 * SIDES[level])) + place(at, level)];
        }
        slot.contents()
    }

    /// The first component of a voxel.
    fn value(&self, at: [i32; 3]) -> f32 {
        match self.find(at) {
            Contents::Child(leaf) => self.leaves[(leaf * LEAF + place(at, 2)) * self.components],
            Contents::Constant(number, _) => self.constants[number * self.components],
        }
    }

    /// The first component at a position in voxels, whose centres have whole numbers: trilinear.
    pub fn sample(&self, position: [f64; 3]) -> f64 {
        const FAR: f64 = 2e9;
        let low = position.map(|at| libm::floor(crate::sim::maths::bounded(at, FAR)));
        let share: [f64; 3] =
            std::array::from_fn(|axis| crate::sim::maths::clamp(position[axis] - low[axis], 0.0, 1.0));
        let low = low.map(|at| at as i32);
        let mut corners = [0.0; 8];
        // Most cells of eight voxels lie in one leaf, or in a node that is constant.
        if low.iter().all(|at| at & 7 != 7) {
            match self.find(low) {
                Contents::Child(leaf) => {
                    let first = leaf * LEAF + place(low, 2);
                    for (corner, value) in corners.iter_mut().enumerate() {
                        let voxel = first + (corner & 1) * 64 + (corner >> 1 & 1) * 8 + (corner >> 2);
                        *value = f64::from(self.leaves[voxel * self.components]);
                    }
                }
                Contents::Constant(number, _) => return f64::from(self.constants[number * self.components]),
            }
        } else {
            for (corner, value) in corners.iter_mut().enumerate() {
                let offset = [corner & 1, corner >> 1 & 1, corner >> 2];
                *value = f64::from(self.value(std::array::from_fn(|axis| low[axis] + offset[axis] as i32)));
            }
        }
        let mut count = 8;
        for axis in (0..3).rev() {
            count /= 2;
            for at in 0..count {
                corners[at] += (corners[at + count] - corners[at]) * share[axis];
            }
        }
        corners[0]
    }

    /// Replaces every first component by a function of it.
    pub fn map(&mut self, by: impl Fn(f32) -> f32) {
        let step = self.components;
        self.constants.iter_mut().step_by(step).for_each(|value| *value = by(*value));
        self.leaves.iter_mut().step_by(step).for_each(|value| *value = by(*value));
    }

    /// The first component of the background.
    pub fn background(&self) -> f32 {
        self.constants.first().copied().unwrap_or_default()
    }

    /// Makes the background 0.
    pub fn clear_background(&mut self) {
        self.constants[..self.components].fill(0.0);
    }

    /// Calls `visit` with the first voxel, the side in voxels and the contents of each slot that has no nodes below it.
    pub fn visit(&self, mut visit: impl FnMut([i32; 3], u32, Contents)) {
        for (origin, slot) in &self.regions {
            self.descend(*origin, 0, *slot, &mut visit);
        }
    }

    fn descend(&self, origin: [i32; 3], level: usize, slot: Slot, visit: &mut impl FnMut([i32; 3], u32, Contents)) {
        let node = match slot.contents() {
            Contents::Child(node) if level < 2 => node,
            contents => return visit(origin, 1 << EXTENTS[level], contents),
        };
        let count = 1 << (3 * SIDES[level]);
        for (number, slot) in self.nodes[level][node * count..][..count].iter().enumerate() {
            if slot.contents() != Contents::Constant(0, false) {
                self.descend(child(origin, level, number), level + 1, *slot, visit);
            }
        }
    }

    /// The voxels whose first component is above 0: the first along each axis, and the one after the last; `None` where
    /// there are none. A background above 0 does not count.
    pub fn extent(&self) -> Option<[[i32; 3]; 2]> {
        let mut found: Option<[[i32; 3]; 2]> = None;
        let mut add = |low: [i32; 3], side: u32| {
            let high = low.map(|at| at.saturating_add_unsigned(side));
            let [first, last] = found.get_or_insert([low, high]);
            for axis in 0..3 {
                (first[axis], last[axis]) = (first[axis].min(low[axis]), last[axis].max(high[axis]));
            }
        };
        self.visit(|origin, side, contents| match contents {
            Contents::Constant(number, _) if number == 0 || self.constants[number * self.components] <= 0.0 => {}
            Contents::Constant(..) => add(origin, side),
            Contents::Child(leaf) => {
                let values = &self.leaves[leaf * LEAF * self.components..][..LEAF * self.components];
                for (number, value) in values.iter().step_by(self.components).enumerate() {
                    if *value > 0.0 {
                        add(child(origin, 2, number), 1);
                    }
                }
            }
        });
        found
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let slots: usize = self.nodes.iter().map(Vec::len).sum();
        4 * (slots + self.leaves.len() + self.constants.len())
    }
}

/// The number of the slot (or voxel, at level 2) that has a voxel within its node of a level.
pub fn place(at: [i32; 3], level: usize) -> usize {
    let (below, side) = (EXTENTS[level + 1], SIDES[level]);
    let [x, y, z] = at.map(|at| (at >> below) as usize & ((1 << side) - 1));
    (x << side | y) << side | z
}

/// The first voxel of the slot with a number in a node of a level, given that of the node.
pub fn child(origin: [i32; 3], level: usize, number: usize) -> [i32; 3] {
    let (below, side) = (EXTENTS[level + 1], SIDES[level]);
    let within = [number >> (2 * side), number >> side, number].map(|at| (at & ((1 << side) - 1)) << below);
    std::array::from_fn(|axis| origin[axis] + within[axis] as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leaf at `origin` with x/4 + 2y + 16z, and a constant node beside it.
    fn grid(origin: [i32; 3]) -> Sparse {
        let mut grid = Sparse::new(&[0.0]);
        let two = grid.constant(&[2.0]);
        let region = origin.map(|at| at >> 12 << 12);
        grid.regions.push((region, Slot::new(Contents::Child(0))));
        let empty = Slot::new(Contents::Constant(0, false));
        grid.nodes = [vec![empty; 1 << 15], vec![empty; 1 << 12]];
        grid.nodes[0][place(origin, 0)] = Slot::new(Contents::Child(0));
        grid.nodes[1][place(origin, 1)] = Slot::new(Contents::Child(0));
        let beside = [origin[0] + 8, origin[1], origin[2]];
        grid.nodes[1][place(beside, 1)] = Slot::new(Contents::Constant(two, true));
        grid.leaves = Values::zeros(LEAF);
        for at in 0..LEAF {
            grid.leaves[at] = (at / 64) as f32 * 0.25 + (at / 8 % 8) as f32 * 2.0 + (at % 8) as f32 * 16.0;
        }
        grid
    }

    #[test]
    fn samples_are_trilinear_within_and_across_leaves() {
        for origin in [[16, 8, 0], [-64, -128, 40]] {
            let grid = grid(origin);
            let at = |x: f64, y: f64, z: f64| {
                let [a, b, c] = origin.map(f64::from);
                grid.sample([a + x, b + y, c + z])
            };
            assert_eq!(at(2.5, 3.0, 4.25), 0.625 + 6.0 + 68.0);
            assert_eq!(at(7.5, 3.0, 4.0), (1.75 + 6.0 + 64.0 + 2.0) / 2.0, "into the constant node");
            assert_eq!(at(9.0, 3.5, 4.5), 2.0);
            assert_eq!(at(4.0, 7.5, 4.0), (1.0 + 14.0 + 64.0) / 2.0, "half way out");
            assert_eq!(at(4.0, 7.75, -0.5), (1.0 + 14.0) / 8.0);
            assert_eq!(at(-1.0, 0.0, 0.0), 0.0);
            assert_eq!(grid.sample([f64::NAN, f64::INFINITY, -1e300]), 0.0);
            let [x, y, z] = origin;
            assert_eq!(grid.extent(), Some([[x, y, z], [x + 16, y + 8, z + 8]]));
        }
    }
}
