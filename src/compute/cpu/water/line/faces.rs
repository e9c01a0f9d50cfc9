//! Speeds and flows of the faces of a row, in Shallow water. The scalar arithmetic is in
//! [`crate::sim::water::shallow`]. GPU: `shallow.wgsl`; reference: `water/reference.rs`.

use super::super::super::lanes::{BLOCK, Block, Lanes, PrefetchQueue, Scale};
use super::product::{part, scale};
use super::row::Common;
use super::{Ends, Flows, Line, STRIP, indices, kept, strips_of};
use crate::sim::water::domain::{CLOSED, OUTSIDE};
use crate::sim::water::fixed_point::{Coefficient, FLOW_MAX};
use crate::sim::water::plan::{FramePlan, SPEEDS};
use crate::sim::water::shallow::{DRAG_MAX, Gain, PULL_MAX, SPEED_ONE};

/// Flows to the east and north of a row before the step, and the speeds of these faces.
pub(crate) type Before = [Line; 4];
const FLOW: [usize; 2] = [0, 1];
const SPEED: [usize; 2] = [2, 3];

/// A [`Gain`] in the form of the kernels: shift, greatest shifted number, multiplier.
#[derive(Clone, Copy)]
struct ShiftedScale {
    lift: i32,
    most: i32,
    by: Scale,
}

impl ShiftedScale {
    fn new(gain: Gain, top: i32) -> ShiftedScale {
        ShiftedScale { lift: gain.lift as i32, most: top >> gain.lift, by: scale(gain.by) }
    }

    #[inline(always)]
    fn of<V: Lanes>(self, a: V) -> V {
        let clamped = a.min(V::splat(self.most)).max(V::splat(-self.most));
        clamped.shl(V::splat(self.lift)).scale(V::scale_by(self.by))
    }
}

/// The coefficients of a frame, in the form of the kernels.
pub(crate) struct Coefficients {
    keep: Scale,
    gravity: ShiftedScale,
    friction: ShiftedScale,
    /// Whether there is friction.
    rough: bool,
    /// Weight of the difference of the depths at speed 0, in parts of 65536.
    weight: i32,
}

impl Coefficients {
    pub fn new(plan: &FramePlan) -> Coefficients {
        let shallow = plan.shallow;
        Coefficients {
            keep: scale(plan.keep),
            gravity: ShiftedScale::new(shallow.gravity, PULL_MAX),
            friction: ShiftedScale::new(shallow.friction, DRAG_MAX),
            rough: shallow.friction.by != Coefficient::ZERO,
            weight: shallow.order.weight() as i32,
        }
    }
}

/// A row to accelerate.
pub(crate) struct Row<'a> {
    /// Flows and speeds of the row, which are overwritten.
    pub flow: &'a mut Flows,
    /// Flows of the row below, after this step's acceleration.
    pub below: &'a Flows,
    /// Flows and speeds before the step: of the row below, and of the row.
    pub before: [&'a Before; 2],
    /// Flows and speeds of the row above, before the step.
    pub above: &'a Flows,
    pub common: Common<'a>,
}

/// Saves the flows and speeds of a row.
#[inline(always)]
pub(crate) fn keep(flow: &Flows, before: &mut Before) {
    for axis in 0..2 {
        before[FLOW[axis]] = flow[axis];
        before[SPEED[axis]] = flow[SPEEDS[axis]];
    }
}

/// Accelerates the faces of a row. Returns the strips with cells whose outflows exceed their heights.
#[inline(always)]
pub(crate) fn accelerate<V: Lanes, const COLOUR: bool>(
    row: &mut Row<'_>,
    c: &Coefficients,
    ahead: &mut PrefetchQueue<'_>,
) -> u32 {
    let mut limited = 0;
    // The flows to the east of the previous vector.
    let mut last = V::splat(0);
    let mut sums = [0; BLOCK];
    for index in indices(row.common.blocks) {
        ahead.issue();
        if row.common.still & (1 << index) != 0 {
            limited |= rest(row, index);
            last = V::splat(0);
            continue;
        }
        let special =
            row.common.pushed || row.common.controlled.has(index) || strips_of(row.common.special, index) != 0;
        let found = if special {
            block::<V, COLOUR, true>(row, index, c, &mut last, &mut sums)
        } else {
            block::<V, COLOUR, false>(row, index, c, &mut last, &mut sums)
        };
        limited |= row.common.limits.set::<V>(index, found, [&sums, row.common.height.here.block(index)]);
    }
    limited
}

/// Clears a block without flow. Returns its strips.
#[inline(always)]
fn rest(row: &mut Row<'_>, index: usize) -> u32 {
    for line in [0, 1, SPEEDS[0], SPEEDS[1]] {
        row.flow[line].block_mut(index).fill(0);
    }
    row.common.change.block_mut(index).fill(0);
    row.common.limits.rest(index)
}

/// The faces of a vector along one axis; see [`crate::sim::water::shallow::Face`].
struct Faces<V> {
    height: [V; 2],
    head: [V; 2],
    push: V,
    speed: V,
    along: [V; 2],
    beside: [V; 2],
    through: [V; 2],
    across: [V; 2],
    swirl: V,
    /// −1 where the face is closed, else 0.
    closed: V,
}

/// A divisor, in the form from which quotients in parts of 65536 are computed.
struct Ratios<V> {
    zeros: V,
    inverse: V,
}

impl<V: Lanes> Ratios<V> {
    /// The divisors `number`, each from 1 to 2^30.
    #[inline(always)]
    fn by(number: V) -> Ratios<V> {
        let zeros = number.leading_zeros();
        // The bits of the f32 65535·2^15.
        let most = V::splat(0x4eff_ff00);
        Ratios { zeros, inverse: most.quotient(number.shl(zeros).srl16().divisor()) }
    }

    /// n divided by the divisor, in parts of 65536; n is at most the divisor.
    #[inline(always)]
    fn of(&self, n: V) -> V {
        n.shl(self.zeros).srl16().mul(self.inverse).srl(V::splat(15))
    }
}

impl<V: Lanes> Faces<V> {
    /// The next speeds and flows. `controlled`: axis, control shares and index of the vector.
    #[inline(always)]
    fn next(&self, c: &Coefficients, controlled: Option<(usize, &[Ends<'_>; 3], usize)>) -> [V; 2] {
        let (zero, one) = (V::splat(0), V::splat(SPEED_ONE));
        let [near, far] = self.height;
        let depths = near.add(far).max(V::splat(1));
        let ratios = Ratios::by(depths);
        let mut speed = self.speed;
        let sources = [
            (self.through[0], self.along[0]),
            (zero.sub(self.through[1]), self.along[1]),
            (self.across[0], self.beside[0]),
            (zero.sub(self.across[1]), self.beside[1]),
        ];
        for (flow, other) in sources {
            let fraction = ratios.of(flow.max(zero).min(depths));
            speed = speed.sub(part(self.speed.sub(other), fraction));
        }
        let drop = self.head[0].sub(self.head[1]).add(self.push);
        let pull = c.gravity.of(drop);
        let pull = match controlled {
            Some((axis, shares, j)) => part(pull, shares[0].mean(axis, j)),
            None => pull,
        };
        let pulled = speed.add(pull).min(one).max(zero.sub(one));
        let damped = pulled.scale(V::scale_by(c.keep));
        speed = match controlled {
            Some((axis, shares, j)) => kept(pulled, damped, shares, axis, j),
            None => damped,
        };
        if c.rough {
            let (a, b) = (speed.abs(), self.swirl.abs().srl(V::splat(2)));
            let smaller = a.min(b);
            let length = a.max(b).add(smaller.add(smaller).add(smaller).srl(V::splat(3)));
            let drag = c.friction.of(length);
            let fraction = Ratios::by(near.add(far).add(drag).max(V::splat(1))).of(drag);
            speed = speed.sub(part(speed, fraction));
        }
        let behind = zero.sub(speed);
        let upwind = behind.pick(near, far);
        let difference = near.add(far).sub(upwind).sub(upwind);
        let size = speed.abs();
        let weight = V::splat(c.weight).sub(size.srl(V::splat(10))).max(zero);
        let correction = part(difference.abs().srl(V::splat(1)), weight).with_sign_of(difference);
        let depth = upwind.add(correction).min(upwind.add(upwind));
        let blocked = depth.equal(zero).or(self.closed);
        speed = blocked.pick(zero, speed);
        let high = part(depth, size.srl(V::splat(10)));
        let low = part(depth, size.and(V::splat(1023))).srl(V::splat(10));
        let flow = blocked.pick(zero, high.add(low).min(V::splat(FLOW_MAX)).with_sign_of(speed));
        [speed, flow]
    }
}

#[inline(always)]
fn load<V: Lanes>(block: &Block, j: usize) -> V {
    V::load(block, j)
}

/// The sum of the values of two blocks.
#[inline(always)]
fn both<V: Lanes>(a: &Block, b: &Block, j: usize) -> V {
    V::load(a, j).add(V::load(b, j))
}

/// The faces to the east of a vector's cells.
#[inline(always)]
fn east<V: Lanes, const SPECIAL: bool>(row: &Row<'_>, codes: V, index: usize, j: usize) -> Faces<V> {
    let [below, here] = row.before;
    let (q, c) = (&here[FLOW[0]], &here[SPEED[0]]);
    let (qn, cn) = (&here[FLOW[1]], &here[SPEED[1]]);
    let (qn_below, cn_below) = (&below[FLOW[1]], &below[SPEED[1]]);
    let faces = Faces {
        height: [load(row.common.height.here.block(index), j), load(row.common.height.here.east(index), j)],
        head: [load(row.common.heads.here.block(index), j), load(row.common.heads.here.east(index), j)],
        push: V::splat(0),
        speed: load(c.block(index), j),
        along: [load(c.west(index), j), load(c.east(index), j)],
        beside: [load(below[SPEED[0]].block(index), j), load(row.above[SPEEDS[0]].block(index), j)],
        through: [both(q.west(index), q.block(index), j), both(q.block(index), q.east(index), j)],
        across: [both(qn_below.block(index), qn_below.east(index), j), both(qn.block(index), qn.east(index), j)],
        swirl: both::<V>(cn_below.block(index), cn_below.east(index), j).add(both(cn.block(index), cn.east(index), j)),
        closed: V::splat(0),
    };
    if SPECIAL { at_edges(faces, row, [0, index, j], codes) } else { faces }
}

/// The faces to the north of a vector's cells.
#[inline(always)]
fn north<V: Lanes, const SPECIAL: bool>(row: &Row<'_>, codes: V, index: usize, j: usize) -> Faces<V> {
    let [below, here] = row.before;
    let (q, c) = (&here[FLOW[1]], &here[SPEED[1]]);
    let (qe, ce) = (&here[FLOW[0]], &here[SPEED[0]]);
    let (qe_above, ce_above) = (&row.above[0], &row.above[SPEEDS[0]]);
    let faces = Faces {
        height: [load(row.common.height.here.block(index), j), load(row.common.height.above.block(index), j)],
        head: [load(row.common.heads.here.block(index), j), load(row.common.heads.above.block(index), j)],
        push: V::splat(0),
        speed: load(c.block(index), j),
        along: [load(below[SPEED[1]].block(index), j), load(row.above[SPEEDS[1]].block(index), j)],
        beside: [load(c.west(index), j), load(c.east(index), j)],
        through: [
            both(below[FLOW[1]].block(index), q.block(index), j),
            both(q.block(index), row.above[1].block(index), j),
        ],
        across: [both(qe.west(index), qe_above.west(index), j), both(qe.block(index), qe_above.block(index), j)],
        swirl: both::<V>(ce.west(index), ce_above.west(index), j).add(both(ce.block(index), ce_above.block(index), j)),
        closed: V::splat(0),
    };
    if SPECIAL { at_edges(faces, row, [1, index, j], codes) } else { faces }
}

/// Applies walls, edges and pushes to faces. A dry cell beyond an open edge has the terrain and the push of the cell
/// inside.
#[inline(always)]
fn at_edges<V: Lanes>(faces: Faces<V>, row: &Row<'_>, [axis, index, j]: [usize; 3], codes: V) -> Faces<V> {
    let zero = V::splat(0);
    let code = codes.sra(V::splat(4 * axis as i32));
    let closed = code.and(V::splat(i32::from(CLOSED))).equal(V::splat(i32::from(CLOSED)));
    let outside = zero.sub(code.and(V::splat(i32::from(OUTSIDE)))).sign();
    let beyond_far = outside.and(zero.sub(V::load(row.common.edge.inside.block(index), j)));
    let beyond_near = outside.xor(beyond_far);
    let both_ways = |[near, far]: [V; 2]| [beyond_near.pick(far, near), beyond_far.pick(near, far)];
    let pushes = [&row.common.push.x, &row.common.push.y][axis];
    let [push, push_far] = both_ways([load(pushes.here.block(index), j), load(pushes.far(axis, index), j)]);
    let bases = row.common.edge.base;
    let (near, far) = (V::load(bases.here.block(index), j), V::load(bases.far(axis, index), j));
    let head = [beyond_near.pick(far, faces.head[0]), beyond_far.pick(near, faces.head[1])];
    Faces { head, push: push.add(push_far), closed, ..faces }
}

#[inline(always)]
fn block<V: Lanes, const COLOUR: bool, const SPECIAL: bool>(
    row: &mut Row<'_>,
    index: usize,
    c: &Coefficients,
    last: &mut V,
    sums: &mut [i32; BLOCK],
) -> (bool, u64) {
    let zero = V::splat(0);
    let special = strips_of(row.common.special, index);
    let controlled = SPECIAL && row.common.controlled.has(index);
    let shares = row.common.controlled.of(index);
    let (mut overdrawn, mut depleted) = (zero, 0);
    for j in 0..BLOCK / V::N {
        // Codes are loaded only for strips with cells at walls or edges.
        let coded = SPECIAL && special & (1 << (j * V::N / STRIP)) != 0;
        let codes = if coded { V::load(row.common.edge.codes.block(index), j) } else { zero };
        let [speed, ahead] = east::<V, SPECIAL>(row, codes, index, j).next(c, controlled.then_some((0, &shares, j)));
        speed.store(row.flow[SPEEDS[0]].block_mut(index), j);
        ahead.store(row.flow[0].block_mut(index), j);
        let [speed, up] = north::<V, SPECIAL>(row, codes, index, j).next(c, controlled.then_some((1, &shares, j)));
        speed.store(row.flow[SPEEDS[1]].block_mut(index), j);
        up.store(row.flow[1].block_mut(index), j);
        // The outflow of the cells, and their net inflow.
        let beside = ahead.west(*last);
        let under = V::load(row.below[1].block(index), j);
        *last = ahead;
        let out = ahead.max(zero).add(up.max(zero)).sub(beside.min(zero)).sub(under.min(zero));
        let net = beside.add(under).sub(ahead).sub(up);
        let rest = V::load(row.common.height.here.block(index), j).sub(out);
        overdrawn = overdrawn.or(rest);
        if COLOUR {
            depleted |= u64::from(rest.sub(out).negatives()) << (j * V::N);
        }
        net.store(row.common.change.block_mut(index), j);
        out.store(sums, j);
    }
    (overdrawn.any_negative(), depleted)
}
