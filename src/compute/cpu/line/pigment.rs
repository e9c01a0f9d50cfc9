//! Pigment moves with the water.

use super::super::lanes::{BLOCK, Block, Lanes};
use super::{Flows, Line, Pair};
use crate::sim::fixed::PIGMENT_MAX;

/// What every outflow of a cell needs to know of its height.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// Leading zeros of the height.
    zeros: Line,
    /// The height shifted to 16 bits, rounded up.
    top: Line,
    /// 32768 / `top`, as bits of an f32.
    inverse: Line,
}

impl Depth {
    /// Of no height.
    pub const ZERO: Depth = Depth { zeros: Line::ZERO, top: Line::ZERO, inverse: Line::ZERO };

    /// Looks at the heights of a row.
    #[inline(always)]
    pub fn fill<V: Lanes>(&mut self, height: &Line, blocks: usize) {
        let one = V::splat(1);
        for index in 0..blocks {
            let height = height.block(index);
            let (lengths, tops) = (self.zeros.block_mut(index), self.top.block_mut(index));
            let inverses = self.inverse.block_mut(index);
            for j in 0..BLOCK / V::N {
                let h = V::load(height, j);
                let zeros = h.leading_zeros();
                let top = h.shl(zeros).sub(one).srl16().add(one);
                zeros.store(lengths, j);
                top.store(tops, j);
                V::bits(V::float_div(V::float_splat(32768.0), top.float())).store(inverses, j);
            }
        }
    }
}

/// Lines of a row and of the one above it.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub height: Pair<'a>,
    pub depth: [&'a Depth; 2],
    pub pigment: [&'a [Line; 3]; 2],
}

/// The way of a flow: signed, from the owner to the neighbour, or from the neighbour to the owner.
const SIGNED: u8 = 0;
const AHEAD: u8 = 1;
const BACK: u8 = 2;

/// What the pipes of a row move of each pigment, positive from owner to neighbour. Nothing flows in the blocks `still`;
/// `moved` is zeros in the blocks `unmoved`.
#[inline(always)]
pub(crate) fn carry<V: Lanes, const CLASSIC: bool>(
    moved: &mut [[Line; 3]; 4],
    flow: &Flows,
    rows: Rows<'_>,
    blocks: usize,
    [still, unmoved]: [u32; 2],
) {
    for index in 0..blocks {
        if still & (1 << index) != 0 {
            if unmoved & (1 << index) == 0 {
                moved.as_flattened_mut().iter_mut().for_each(|line| line.block_mut(index).fill(0));
            }
            continue;
        }
        for (pipe, moved) in moved.iter_mut().enumerate() {
            if CLASSIC {
                pipes::<V, AHEAD>(moved, pipe, &flow[pipe], rows, index);
                pipes::<V, BACK>(moved, pipe, &flow[pipe + 4], rows, index);
            } else {
                pipes::<V, SIGNED>(moved, pipe, &flow[pipe], rows, index);
            }
        }
    }
}

/// Values of a block's cells and of the far ends of its pipes.
type Ends<'a> = [&'a Block; 2];

#[inline(always)]
fn ends<'a>(pipe: usize, here: &'a Line, above: &'a Line, index: usize) -> Ends<'a> {
    let pair = Pair { here, above };
    [here.block(index), pair.far(pipe, index)]
}

/// The value of the cell that the flow leaves; `back` is negative where that is the far end.
#[inline(always)]
fn from<V: Lanes, const WAY: u8>(ends: Ends<'_>, back: V, j: usize) -> V {
    match WAY {
        AHEAD => V::load(ends[0], j),
        BACK => V::load(ends[1], j),
        _ => back.pick(V::load(ends[1], j), V::load(ends[0], j)),
    }
}

#[inline(always)]
fn pipes<V: Lanes, const WAY: u8>(moved: &mut [Line; 3], pipe: usize, flow: &Line, rows: Rows<'_>, index: usize) {
    let ([here, above], [below, over]) = (rows.depth, rows.pigment);
    let height = ends(pipe, rows.height.here, rows.height.above, index);
    let zeros = ends(pipe, &here.zeros, &above.zeros, index);
    let top = ends(pipe, &here.top, &above.top, index);
    let inverse = ends(pipe, &here.inverse, &above.inverse, index);
    let masses = [
        ends(pipe, &below[0], &over[0], index),
        ends(pipe, &below[1], &over[1], index),
        ends(pipe, &below[2], &over[2], index),
    ];
    let [red, green, blue] = moved;
    let out_lines = [red.block_mut(index), green.block_mut(index), blue.block_mut(index)];
    let flow = flow.block(index);
    for j in 0..BLOCK / V::N {
        let q = V::load(flow, j);
        let out = if WAY == SIGNED { q.abs() } else { q };
        let lz = out.leading_zeros();
        let os = out.shl(lz).srl16();
        // One above the estimate of os·2^15 / top, a little small, rounds to one above the floor or to the floor.
        let inverse = from::<V, WAY>(inverse, q, j).as_float();
        let next = V::nearest(V::float_mul_add(os.float(), inverse, V::float_splat(0.5 - 1.0 / 64.0)));
        let share = next.add(os.shl15().sub(next.mul(from::<V, WAY>(top, q, j))).sign());
        let shift = lz.sub(from::<V, WAY>(zeros, q, j));
        let all = out.equal(from::<V, WAY>(height, q, j));
        for c in 0..3 {
            let m = from::<V, WAY>(masses[c], q, j);
            let whole = m.srl15().mul(share);
            let rest = m.and(V::splat(0x7fff)).mul(share).srl15();
            let t = all.pick(m, whole.add(rest).srl(shift)).min(out);
            let line = &mut *out_lines[c];
            match WAY {
                SIGNED => t.with_sign_of(q).store(line, j),
                AHEAD => t.store(line, j),
                _ => V::load(line, j).sub(t).store(line, j),
            }
        }
    }
}

/// Moves the pigment of a row's cells: `moved` holds what the four pipes of the row move, `up` what comes from the row
/// below, and then what goes to the row above. True where a mass came above the ceiling.
#[inline(always)]
pub(crate) fn settle<V: Lanes>(pigment: &mut Line, up: &mut Line, moved: [&Line; 4], blocks: usize) -> bool {
    let top = V::splat(PIGMENT_MAX);
    let mut over = V::splat(0);
    for index in 0..blocks {
        let own = [moved[0].block(index), moved[1].block(index), moved[2].block(index), moved[3].block(index)];
        let (west, south_west, south_east) = (moved[0].west(index), moved[2].west(index), moved[3].east(index));
        let (m, up) = (pigment.block_mut(index), up.block_mut(index));
        for j in 0..BLOCK / V::N {
            let (e, n) = (V::load(own[0], j), V::load(own[1], j));
            let (ne, nw) = (V::load(own[2], j), V::load(own[3], j));
            let out = e.add(n).add(ne.add(nw));
            let mass = V::load(m, j).add(V::load(up, j)).add(V::load(west, j)).sub(out);
            mass.store(m, j);
            over = over.or(top.sub(mass));
            n.add(V::load(south_west, j)).add(V::load(south_east, j)).store(up, j);
        }
    }
    over.any_negative()
}

#[cfg(test)]
mod tests {
    use super::super::super::lanes::tests::{Check, every, numbers};
    use super::super::Run;
    use super::*;
    use crate::sim::fixed::{FLOW_MAX, HEIGHT_MAX, pigment_share};

    /// The extremes and some of each magnitude, and as many zeros as fill a block.
    fn some(top: i32, step: usize) -> Vec<i32> {
        numbers(top).into_iter().step_by(step).chain([0, 1, top]).collect()
    }

    struct Carried;

    impl Check for Carried {
        fn with<V: Lanes>(&self, name: &str) {
            let run = Run { from: 0, len: BLOCK };
            let mut row = [Line::ZERO; 3];
            let (mut height, mut flow, mut depth) = (Line::ZERO, [Line::ZERO; 8], Depth::ZERO);
            let (empty, none, mut moved) = ([Line::ZERO; 3], Line::ZERO, [[Line::ZERO; 3]; 4]);
            let mut cases = Vec::new();
            for h in some(HEIGHT_MAX, 3) {
                for o in some(FLOW_MAX, 5).into_iter().chain([h.min(FLOW_MAX), (h - 1).max(0)]).filter(|&o| o <= h) {
                    cases.extend(some(PIGMENT_MAX, 29).into_iter().map(|m| (h, o, m)));
                }
            }
            for cases in cases.chunks(BLOCK) {
                for (x, &(h, o, m)) in cases.iter().enumerate() {
                    (height.cells_mut(run)[x], flow[1].cells_mut(run)[x]) = (h, o);
                    for (c, line) in row.iter_mut().enumerate() {
                        line.cells_mut(run)[x] = m >> c;
                    }
                }
                depth.fill::<V>(&height, 1);
                let rows = Rows {
                    height: Pair { here: &height, above: &none },
                    depth: [&depth, &depth],
                    pigment: [&row, &empty],
                };
                carry::<V, false>(&mut moved, &flow, rows, 1, [0, 0]);
                for (x, &(h, o, m)) in cases.iter().enumerate() {
                    for (c, line) in moved[1].iter().enumerate() {
                        let truth = if o == 0 { 0 } else { pigment_share(m >> c, o, h) };
                        assert_eq!(line.cells(run)[x], truth, "{name}: {o} of {h} takes of {}", m >> c);
                    }
                }
            }
        }
    }

    #[test]
    fn the_shares_of_pigment_are_those_of_the_fixed_point() {
        every(&Carried);
    }
}
