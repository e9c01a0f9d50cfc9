//! The tree of a grid: regions, nodes and leaves in the order of the file, and then the values of the leaves.

use super::VdbError;
use super::bytes::Bytes;
use super::packs::{Layout, Pack, Work, bit, count, sanitise};
use crate::compute::cpu::Cpu;
use crate::picture::volume::vdb::tree::Leaf;
use crate::sim::memory::Values;
use crate::sim::request;
use crate::sim::volume::sparse::{Contents, LEAF, SIDES, Slot, Sparse, child};

/// Leaves that one thread unpacks at once.
const PIECE: usize = 64;

/// Bytes of the mask of a leaf.
const MASK: usize = LEAF / 8;

/// A tree in the making.
struct Tree<'a, 'b> {
    bytes: &'b mut Bytes<'a>,
    layout: Layout,
    background: [f32; 3],
    grid: Sparse,
    leaves: Vec<Leaf>,
    /// Values of a node.
    values: Vec<f32>,
    work: Work,
    /// Values that may still be allocated.
    budget: usize,
    bad: usize,
}

/// Reads a tree whose leaves have their values at the position `blocks`: its values, its leaves, and the number of
/// values that are not finite.
pub fn read(
    cpu: &Cpu,
    bytes: &mut Bytes<'_>,
    layout: &Layout,
    blocks: usize,
    budget: usize,
) -> Result<(Sparse, Vec<Leaf>, usize), VdbError> {
    if bytes.u32()? != 1 {
        return Err(VdbError::Damaged("the number of buffers"));
    }
    let mut background = layout.value(bytes)?;
    let bad = sanitise(&mut background);
    let mut tree = Tree {
        bytes,
        layout: *layout,
        background,
        grid: Sparse::new(&background[..layout.components]),
        leaves: Vec::new(),
        values: Vec::new(),
        work: Work::default(),
        budget: budget.min(Slot::MOST - 1),
        bad,
    };
    tree.regions()?;
    if tree.bytes.at() != blocks {
        return Err(VdbError::Damaged("the position of leaves"));
    }
    tree.buffers(cpu)?;
    Ok((tree.grid, tree.leaves, tree.bad))
}

impl Tree<'_, '_> {
    /// Takes values from the budget, which are allocated next.
    fn charge(&mut self, values: usize) -> Result<(), VdbError> {
        let left = self.budget.checked_sub(values);
        // The caller has the name of the grid.
        self.budget = left.ok_or_else(|| VdbError::Large(String::new(), 0))?;
        Ok(())
    }

    /// The regions: constant ones first, and then those with nodes, each in ascending order.
    fn regions(&mut self) -> Result<(), VdbError> {
        let [tiles, children] = [self.bytes.u32()?, self.bytes.u32()?];
        let mut last = None;
        for _ in 0..tiles {
            let origin = self.region(&mut last)?;
            let mut value = self.layout.value(self.bytes)?;
            let is_active = match self.bytes.u8()? {
                0 => false,
                1 => true,
                _ => return Err(VdbError::Damaged("an active state")),
            };
            self.bad += sanitise(&mut value);
            self.charge(1)?;
            let number = self.grid.constant(&value[..self.layout.components]);
            request::push(&mut self.grid.regions, (origin, Slot::new(Contents::Constant(number, is_active))));
        }
        last = None;
        for _ in 0..children {
            let origin = self.region(&mut last)?;
            let node = self.node(0, origin)?;
            request::push(&mut self.grid.regions, (origin, Slot::new(Contents::Child(node))));
        }
        self.grid.regions.sort_unstable_by_key(|(origin, _)| *origin);
        if self.grid.regions.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(VdbError::Damaged("a region twice"));
        }
        Ok(())
    }

    /// The first voxel of the next region, which is after the last one.
    fn region(&mut self, last: &mut Option<[i32; 3]>) -> Result<[i32; 3], VdbError> {
        let side: u32 = SIDES.iter().sum();
        let origin = self.bytes.place()?;
        if origin.iter().any(|at| at & ((1 << side) - 1) != 0) || last.is_some_and(|last| last >= origin) {
            return Err(VdbError::Damaged("the place of a region"));
        }
        *last = Some(origin);
        Ok(origin)
    }

    /// Reads a node of a level and those below it; returns its number.
    fn node(&mut self, level: usize, origin: [i32; 3]) -> Result<usize, VdbError> {
        let slots = 1 << (3 * SIDES[level]);
        let [children, active] = [self.bytes.take(slots / 8)?, self.bytes.take(slots / 8)?];
        let pack = Pack::find(self.bytes, self.layout, self.background, active)?;
        let components = self.layout.components;
        // Its slots, and as many constants.
        self.charge(slots + (slots - count(children)) * components)?;
        let mut values = std::mem::take(&mut self.values);
        values.resize(slots * components, 0.0);
        self.bad += pack.unpack(&mut values, &mut self.work)?;
        let number = self.grid.nodes[level].len() / slots;
        let (mut nodes, mut leaves) = (number_below(&self.grid, level), self.leaves.len());
        let mut below = Vec::new();
        let mut made = Vec::with_capacity(slots);
        for (at, value) in values.chunks_exact(components).enumerate() {
            let is_child = bit(children, at);
            let next = if level == 0 { &mut nodes } else { &mut leaves };
            made.push(Slot::new(if is_child {
                *next += 1;
                below.push(child(origin, level, at));
                Contents::Child(*next - 1)
            } else {
                Contents::Constant(self.grid.constant(value), bit(active, at))
            }));
        }
        self.values = values;
        request::extend(&mut self.grid.nodes[level], made);
        for origin in below {
            if level == 0 {
                self.node(1, origin)?;
            } else {
                let mask = mask(self.bytes.take(MASK)?);
                request::push(&mut self.leaves, Leaf { origin, mask });
            }
        }
        Ok(number)
    }

    /// Reads the values of the leaves.
    fn buffers(&mut self, cpu: &Cpu) -> Result<(), VdbError> {
        let values = LEAF * self.layout.components;
        self.charge(self.leaves.len() * values)?;
        let mut packs = request::with_capacity(self.leaves.len());
        for leaf in &mut self.leaves {
            // The mask is there twice, and the second one counts.
            let active = self.bytes.take(MASK)?;
            leaf.mask = mask(active);
            packs.push(Pack::find(self.bytes, self.layout, self.background, active)?);
        }
        self.grid.leaves = Values::zeros(packs.len() * values);
        let pieces = packs.chunks(PIECE).zip(self.grid.leaves.chunks_mut(PIECE * values)).collect();
        let read = cpu.each(pieces, |(packs, to): (&[Pack<'_>], &mut [f32])| {
            let mut work = Work::default();
            let leaves = packs.iter().zip(to.chunks_exact_mut(values));
            leaves.map(|(pack, to)| pack.unpack(to, &mut work)).sum::<Result<usize, VdbError>>()
        });
        for bad in read {
            self.bad += bad?;
        }
        Ok(())
    }
}

/// Number of nodes of the level below one.
fn number_below(grid: &Sparse, level: usize) -> usize {
    grid.nodes.get(level + 1).map_or(0, |slots| slots.len() >> (3 * SIDES[level + 1]))
}

/// The mask of a leaf.
fn mask(bytes: &[u8]) -> [u64; 8] {
    let mut mask = [0; 8];
    for (word, bytes) in mask.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    mask
}
