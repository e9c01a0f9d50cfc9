//! New heights of a row, and the heads of the next step. GPU: `move.wgsl` (heights), `accelerate.wgsl` (heads);
//! reference: `water/reference.rs`.

use super::super::super::lanes::{BLOCK, Block, Lanes, Scale};
use super::pipes::Net;
use super::product::part;
use super::{Flows, Line, indices, strips_of};
use crate::sim::water::fixed_point::HEIGHT_MAX;

#[inline(always)]
fn head<V: Lanes, const CLASSIC: bool, const SHALLOW: bool>(
    level: V,
    base: V,
    net: V,
    smoothing: Scale,
    share: Option<V>,
) -> V {
    let still = level.add(base);
    if CLASSIC {
        return still;
    }
    let top = V::splat(HEIGHT_MAX);
    let least = V::splat(if SHALLOW { 0 } else { -HEIGHT_MAX });
    let viscous = net.min(top).max(least).scale(V::scale_by(smoothing));
    still.add(match share {
        Some(share) => part(viscous, share),
        None => viscous,
    })
}

/// Control shares of the viscosity, with the blocks in which some share is below 1.
#[derive(Clone, Copy)]
pub(crate) struct Viscosity<'a> {
    pub shares: &'a Line,
    pub controlled: u32,
}

impl<'a> Viscosity<'a> {
    /// The shares of a block; `None` where all are 1.
    #[inline(always)]
    fn of(&self, index: usize) -> Option<&'a Block> {
        if self.controlled >> index & 1 != 0 { Some(self.shares.block(index)) } else { None }
    }
}

/// A vector of a block.
#[inline(always)]
fn load<V: Lanes>(block: Option<&Block>, j: usize) -> Option<V> {
    Some(V::load(block?, j))
}

/// Computes the heads of a row from its heights and flows.
#[inline(always)]
pub(crate) fn heads<V: Lanes, const CLASSIC: bool, const SHALLOW: bool>(
    out: &mut Line,
    [height, base]: [&Line; 2],
    [flows, below]: [&Flows; 2],
    blocks: usize,
    smoothing: Scale,
    viscosity: Viscosity<'_>,
) {
    for index in indices(blocks) {
        let change = Net::new::<CLASSIC>(flows, below, index);
        let (height, base, out) = (height.block(index), base.block(index), out.block_mut(index));
        let shares = viscosity.of(index);
        for j in 0..BLOCK / V::N {
            let net = if CLASSIC { V::splat(0) } else { change.vector::<V, CLASSIC>(j) };
            let (level, share) = (V::load(height, j), load(shares, j));
            head::<V, CLASSIC, SHALLOW>(level, V::load(base, j), net, smoothing, share).store(out, j);
        }
    }
}

/// A row whose heights change.
pub(crate) struct Row<'a> {
    pub height: &'a mut Line,
    pub head: &'a mut Line,
    pub base: &'a Line,
    /// Net inflow of the cells, except in the strips of `cut`.
    pub change: &'a Line,
    /// Flows of the row and of the row below.
    pub flows: [&'a Flows; 2],
    /// Strips with cells at pipes whose flow was limited after `change` was computed.
    pub cut: u32,
    pub viscosity: Viscosity<'a>,
    pub blocks: usize,
}

/// Properties of a row after its heights changed.
pub(crate) struct Updated {
    /// Whether a height exceeds the ceiling.
    pub over: bool,
    /// Blocks with water.
    pub wet: u32,
}

/// Changes the heights of a row, and computes its next heads.
#[inline(always)]
pub(crate) fn update<V: Lanes, const CLASSIC: bool, const SHALLOW: bool>(
    row: &mut Row<'_>,
    smoothing: Scale,
) -> Updated {
    let top = V::splat(HEIGHT_MAX);
    let mut over = V::splat(0);
    let mut wet = 0;
    for index in indices(row.blocks) {
        let stale = strips_of(row.cut, index) != 0;
        let change = Net::new::<CLASSIC>(row.flows[0], row.flows[1], index);
        let (height, head_out) = (row.height.block_mut(index), row.head.block_mut(index));
        let (base, found) = (row.base.block(index), row.change.block(index));
        let shares = row.viscosity.of(index);
        let mut some = V::splat(0);
        for j in 0..BLOCK / V::N {
            let net = if stale { change.vector::<V, CLASSIC>(j) } else { V::load(found, j) };
            let level = V::load(height, j).add(net);
            over = over.or(top.sub(level));
            some = some.or(level);
            level.store(height, j);
            head::<V, CLASSIC, SHALLOW>(level, V::load(base, j), net, smoothing, load(shares, j)).store(head_out, j);
        }
        wet |= u32::from(some.any()) << index;
    }
    Updated { over: over.any_negative(), wet }
}

/// Blocks with water.
#[inline(always)]
pub(crate) fn wet<V: Lanes>(height: &Line, blocks: usize) -> u32 {
    let mut wet = 0;
    for index in indices(blocks) {
        let block = height.block(index);
        let mut some = V::splat(0);
        for j in 0..BLOCK / V::N {
            some = some.or(V::load(block, j));
        }
        wet |= u32::from(some.any()) << index;
    }
    wet
}
