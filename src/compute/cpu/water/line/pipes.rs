//! Acceleration of pipes: a flow is damped, and gains from the difference of the heads. GPU: `accelerate.wgsl`;
//! reference: `water/reference.rs`.

use super::super::super::lanes::{BLOCK, Block, Lanes, PrefetchQueue, Scale};
use super::product::{part, scale};
use super::row::Common;
use super::{Ends, Flows, STRIP, ending, indices, kept, owned, strips_of};
use crate::sim::water::domain::{CLOSED, OUTSIDE};
use crate::sim::water::fixed_point::FLOW_MAX;
use crate::sim::water::plan::FramePlan;

/// The coefficients of a frame, in the form of the kernels.
pub(crate) struct Coefficients {
    keep: Scale,
    /// Gain of a pipe along an axis, indexed by the number of its side diagonals that are blocked.
    cross: [Scale; 5],
    diagonal: Scale,
    pub smoothing: Scale,
}

impl Coefficients {
    pub fn new(plan: &FramePlan) -> Coefficients {
        Coefficients {
            keep: scale(plan.keep),
            cross: plan.cross.map(scale),
            diagonal: scale(plan.diagonal),
            smoothing: scale(plan.smoothing),
        }
    }
}

/// A row to accelerate.
pub(crate) struct Row<'a> {
    /// Flows of the row, which are overwritten.
    pub flow: &'a mut Flows,
    /// Flows of the row below, after this step's acceleration.
    pub below: &'a Flows,
    pub common: Common<'a>,
}

/// Kind of cells away from walls and edges, without a push.
const PLAIN: u8 = 0;
/// Kind of cells away from walls and edges, with a push.
const PUSHED: u8 = 1;
/// Kind of cells at walls or edges, or with control maps.
const SPECIAL: u8 = 2;

/// Accelerates the pipes of a row. Returns the strips with cells whose outflows exceed their heights.
#[inline(always)]
pub(crate) fn accelerate<V: Lanes, const CLASSIC: bool, const COLOUR: bool>(
    row: &mut Row<'_>,
    c: &Coefficients,
    ahead: &mut PrefetchQueue<'_>,
) -> u32 {
    let mut limited = 0;
    // The flows to the east, ahead and back, of the previous vector.
    let mut last = [V::splat(0); 2];
    let mut sums = [0; BLOCK];
    for index in indices(row.common.blocks) {
        ahead.issue();
        if row.common.still & (1 << index) != 0 {
            limited |= rest::<CLASSIC>(row, index);
            last = [V::splat(0); 2];
            continue;
        }
        let found = if row.common.controlled.has(index) || strips_of(row.common.special, index) != 0 {
            block::<V, CLASSIC, COLOUR, SPECIAL>(row, index, c, &mut last, &mut sums)
        } else if row.common.pushed {
            block::<V, CLASSIC, COLOUR, PUSHED>(row, index, c, &mut last, &mut sums)
        } else {
            block::<V, CLASSIC, COLOUR, PLAIN>(row, index, c, &mut last, &mut sums)
        };
        limited |= row.common.limits.set::<V>(index, found, [&sums, row.common.height.here.block(index)]);
    }
    limited
}

/// Clears a block without flow. Returns its strips.
#[inline(always)]
fn rest<const CLASSIC: bool>(row: &mut Row<'_>, index: usize) -> u32 {
    for line in &mut row.flow[..if CLASSIC { 8 } else { 4 }] {
        line.block_mut(index).fill(0);
    }
    row.common.change.block_mut(index).fill(0);
    row.common.limits.rest(index)
}

/// Half push along a pipe, from the half pushes along x and y.
#[inline(always)]
fn along<V: Lanes>(pipe: usize, x: V, y: V) -> V {
    match pipe {
        0 => x,
        1 => y,
        2 => x.add(y),
        _ => y.sub(x),
    }
}

/// Input of a block, except its flows.
#[derive(Clone, Copy)]
struct Around<'a> {
    heads: &'a Block,
    far: [&'a Block; 4],
    push: [&'a Block; 2],
    push_far: [[&'a Block; 4]; 2],
    base: &'a Block,
    base_far: [&'a Block; 4],
    codes: &'a Block,
    inside: &'a Block,
    /// Whether some control share is below 1.
    controlled: bool,
    shares: [Ends<'a>; 3],
}

/// The coefficients in all lanes.
struct Splat<V: Lanes> {
    keep: V::Scale,
    cross: V::Scale,
    diagonal: V::Scale,
}

#[inline(always)]
fn block<V: Lanes, const CLASSIC: bool, const COLOUR: bool, const KIND: u8>(
    row: &mut Row<'_>,
    index: usize,
    c: &Coefficients,
    last: &mut [V; 2],
    sums: &mut [i32; BLOCK],
) -> (bool, u64) {
    let splat = Splat { keep: V::scale_by(c.keep), cross: V::scale_by(c.cross[0]), diagonal: V::scale_by(c.diagonal) };
    let zero = V::splat(0);
    let common = &mut row.common;
    let (all_special, pushed) = (strips_of(common.special, index), common.pushed);
    let around = Around {
        heads: common.heads.here.block(index),
        far: common.heads.fars(index),
        push: [common.push.x.here.block(index), common.push.y.here.block(index)],
        push_far: [common.push.x.fars(index), common.push.y.fars(index)],
        base: common.edge.base.here.block(index),
        base_far: common.edge.base.fars(index),
        codes: common.edge.codes.block(index),
        inside: common.edge.inside.block(index),
        controlled: common.controlled.has(index),
        shares: common.controlled.of(index),
    };
    let [_, below @ ..] = ending(row.below, row.below, 0, index);
    let [_, below_back @ ..] = ending(row.below, row.below, if CLASSIC { 4 } else { 0 }, index);
    let [q0, q1, q2, q3, r0, r1, r2, r3] = &mut *row.flow;
    let mut flow = [q0.block_mut(index), q1.block_mut(index), q2.block_mut(index), q3.block_mut(index)];
    let mut flow_back = [r0.block_mut(index), r1.block_mut(index), r2.block_mut(index), r3.block_mut(index)];
    let height = common.height.here.block(index);
    let change = common.change.block_mut(index);
    let (mut overdrawn, mut depleted) = (zero, 0);
    for j in 0..BLOCK / V::N {
        let special = KIND == SPECIAL && all_special & (1 << (j * V::N / STRIP)) != 0;
        // Codes are loaded only for strips with cells at walls or edges.
        let coded = special && V::load(around.codes, j).any();
        let (ahead, back) = if KIND == SPECIAL && (around.controlled || coded) {
            let around = if coded { around } else { Around { codes: &[0; BLOCK], ..around } };
            vector::<V, CLASSIC, SPECIAL>(&around, &mut flow, &mut flow_back, j, &splat, c)
        } else if KIND == PUSHED || KIND == SPECIAL && pushed {
            vector::<V, CLASSIC, PUSHED>(&around, &mut flow, &mut flow_back, j, &splat, c)
        } else {
            vector::<V, CLASSIC, PLAIN>(&around, &mut flow, &mut flow_back, j, &splat, c)
        };
        // The outflow of the cells, and their net inflow.
        let beside = ahead[0].west(last[0]);
        let (out, net) = if CLASSIC {
            let beside_back = back[0].west(last[1]);
            let mut out = ahead[0].add(ahead[1]).add(ahead[2].add(ahead[3])).add(beside_back);
            let mut come = back[0].add(back[1]).add(back[2].add(back[3])).add(beside);
            for (block, block_back) in below.into_iter().zip(below_back) {
                out = out.add(V::load(block_back, j));
                come = come.add(V::load(block, j));
            }
            (out, come.sub(out))
        } else {
            let mut out = ahead[0].max(zero).add(ahead[1].max(zero)).add(ahead[2].max(zero).add(ahead[3].max(zero)));
            let mut gone = beside.min(zero);
            let mut net = beside.sub(ahead[0].add(ahead[1]).add(ahead[2].add(ahead[3])));
            for block in below {
                let q = V::load(block, j);
                gone = gone.add(q.min(zero));
                net = net.add(q);
            }
            out = out.sub(gone);
            (out, net)
        };
        *last = [ahead[0], back[0]];
        let rest = V::load(height, j).sub(out);
        overdrawn = overdrawn.or(rest);
        if COLOUR {
            depleted |= u64::from(rest.sub(out).negatives()) << (j * V::N);
        }
        net.store(change, j);
        out.store(sums, j);
    }
    (overdrawn.any_negative(), depleted)
}

/// The damped flows of a vector.
#[inline(always)]
fn keep<V: Lanes>(q: V, around: &Around<'_>, pipe: usize, j: usize, splat: &Splat<V>) -> V {
    let damped = q.scale(splat.keep);
    if around.controlled { kept(q, damped, &around.shares, pipe, j) } else { damped }
}

/// Accelerates the four pipes of the cells of a vector, ahead and (Classic pipes) back.
#[inline(always)]
fn vector<V: Lanes, const CLASSIC: bool, const KIND: u8>(
    around: &Around<'_>,
    flow: &mut [&mut Block; 4],
    flow_back: &mut [&mut Block; 4],
    j: usize,
    splat: &Splat<V>,
    c: &Coefficients,
) -> ([V; 4], [V; 4]) {
    let (most, least, zero) = (V::splat(FLOW_MAX), V::splat(-FLOW_MAX), V::splat(0));
    let here = V::load(around.heads, j);
    let (mut ahead, mut back) = ([zero; 4], [zero; 4]);
    for p in 0..4 {
        let mut drop = here.sub(V::load(around.far[p], j));
        let k = if p < 2 { splat.cross } else { splat.diagonal };
        let (mut high, mut low) = (most, if CLASSIC { most } else { least });
        let mut kinds = zero;
        if KIND == PUSHED {
            let x = V::load(around.push[0], j).add(V::load(around.push_far[0][p], j));
            let y = V::load(around.push[1], j).add(V::load(around.push_far[1][p], j));
            drop = drop.add(along(p, x, y));
        }
        if KIND == SPECIAL {
            let code = V::load(around.codes, j).sra(V::splat(4 * p as i32));
            let kind = code.and(V::splat(i32::from(CLOSED)));
            let outside = zero.sub(code.and(V::splat(i32::from(OUTSIDE)))).sign();
            // A dry cell beyond an open edge has the terrain and the push of the cell inside; the limit for flows from
            // there is 0.
            let beyond_j = outside.and(zero.sub(V::load(around.inside, j)));
            let beyond_i = outside.xor(beyond_j);
            let e_i = beyond_i.pick(V::load(around.base_far[p], j), here);
            let e_j = beyond_j.pick(V::load(around.base, j), V::load(around.far[p], j));
            let g_i = along(p, V::load(around.push[0], j), V::load(around.push[1], j));
            let g_j = along(p, V::load(around.push_far[0][p], j), V::load(around.push_far[1][p], j));
            drop = e_i.sub(e_j).add(beyond_i.pick(g_j, g_i)).add(beyond_j.pick(g_i, g_j));
            kinds = kind;
            let closed = kind.equal(V::splat(i32::from(CLOSED)));
            high = closed.or(beyond_i).pick(zero, high);
            low = closed.or(beyond_j).pick(zero, low);
        }
        // Damping and gain in one operation; the other cases need the gain separately.
        if KIND != SPECIAL && !CLASSIC {
            ahead[p] = V::scale_both([V::load(flow[p], j), drop], [splat.keep, k]).max(low).min(high);
            ahead[p].store(flow[p], j);
            continue;
        }
        let mut gain = drop.scale(k);
        if KIND == SPECIAL && p < 2 {
            for n in 1..5 {
                let these = kinds.equal(V::splat(n as i32));
                if these.any() {
                    gain = these.pick(drop.scale(V::scale_by(c.cross[n])), gain);
                }
            }
        }
        if around.controlled {
            gain = part(gain, around.shares[0].mean(p, j));
        }
        let stays = keep::<V>(V::load(flow[p], j), around, p, j, splat);
        if CLASSIC {
            ahead[p] = stays.add(gain).max(zero).min(high);
            let stays = keep::<V>(V::load(flow_back[p], j), around, p, j, splat);
            back[p] = stays.sub(gain).max(zero).min(low);
            back[p].store(flow_back[p], j);
        } else {
            ahead[p] = stays.add(gain).max(low).min(high);
        }
        ahead[p].store(flow[p], j);
    }
    (ahead, back)
}

/// The flows into and out of the cells of a block.
pub(crate) struct Net<'a> {
    own: [&'a Block; 4],
    ending: [&'a Block; 4],
    own_back: [&'a Block; 4],
    ending_back: [&'a Block; 4],
}

impl<'a> Net<'a> {
    #[inline(always)]
    pub fn new<const CLASSIC: bool>(flows: &'a Flows, below: &'a Flows, index: usize) -> Net<'a> {
        let back = if CLASSIC { 4 } else { 0 };
        Net {
            own: owned(flows, 0, index),
            ending: ending(flows, below, 0, index),
            own_back: owned(flows, back, index),
            ending_back: ending(flows, below, back, index),
        }
    }

    /// Net inflow of the cells of a vector.
    #[inline(always)]
    pub fn vector<V: Lanes, const CLASSIC: bool>(&self, j: usize) -> V {
        let net = total::<V>(self.ending, j).sub(total(self.own, j));
        if CLASSIC { net.add(total(self.own_back, j)).sub(total(self.ending_back, j)) } else { net }
    }
}

#[inline(always)]
fn total<V: Lanes>(four: [&Block; 4], j: usize) -> V {
    V::load(four[0], j).add(V::load(four[1], j)).add(V::load(four[2], j).add(V::load(four[3], j)))
}
