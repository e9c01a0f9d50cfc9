//! Pigment moves with the water.

use super::super::lanes::{BLOCK, Block, Lanes};
use super::{Flows, Line, Pair};
use crate::sim::fixed::PIGMENT_MAX;

/// What every outflow of a cell needs to know of its height.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// Bit length of the height, as the exponent of an f32, less one.
    length: Line,
    /// The height shifted to 16 bits, rounded up, made ready to divide by.
    top: [Line; 2],
}

/// The exponent of 1.0 in the bits of an f32.
const ONE: i32 = 127;

impl Depth {
    /// Of no height.
    pub const ZERO: Depth = Depth { length: Line::ZERO, top: [Line::ZERO; 2] };

    /// Looks at the heights of a row. Gives the blocks in which a cell holds more pigment than water.
    #[inline(always)]
    pub fn fill<V: Lanes>(&mut self, height: &Line, pigment: &[Line; 3], blocks: usize) -> u32 {
        let one = V::splat(1);
        let mut rich = 0;
        for index in 0..blocks {
            let height = height.block(index);
            let [red, green, blue] = pigment;
            let [red, green, blue] = [red.block(index), green.block(index), blue.block(index)];
            let mut spare = V::splat(0);
            let length = self.length.block_mut(index);
            let [first, second] = &mut self.top;
            let (first, second) = (first.block_mut(index), second.block_mut(index));
            for j in 0..BLOCK / V::N {
                let h = V::load(height, j);
                spare = spare.or(h.sub(V::load(red, j).max(V::load(green, j)).max(V::load(blue, j))));
                let zeros = h.leading_zeros();
                V::splat(31 + ONE - 1).sub(zeros).store(length, j);
                let top = h.shl(zeros).sub(one).srl16().add(one).divisor();
                top[0].store(first, j);
                top[1].store(second, j);
            }
            rich |= u32::from(spare.any_negative()) << index;
        }
        rich
    }
}

/// What pigment goes from a row to the one above it.
#[derive(Clone, Copy)]
pub(crate) struct Rise {
    /// Into the cells of the same column.
    straight: [Line; 3],
    /// Into the cells one column to the west.
    west: [Line; 3],
    /// Blocks in which that is something.
    some: u32,
}

impl Rise {
    /// Nothing.
    pub const ZERO: Rise = Rise { straight: [Line::ZERO; 3], west: [Line::ZERO; 3], some: 0 };
}

/// A row whose pigment moves, and the one above it.
pub(crate) struct Row<'a> {
    /// What flows, cut to what the cells hold.
    pub flow: &'a Flows,
    pub height: Pair<'a>,
    pub depth: [&'a Depth; 2],
    pub pigment: &'a mut [Line; 3],
    pub above: &'a [Line; 3],
    /// What comes from the row below, and then what goes to the row above.
    pub rise: &'a mut Rise,
    /// Blocks in which nothing flows.
    pub still: u32,
    /// Blocks with pipes out of cells that hold more pigment than water, or that may lose more than half of it.
    pub bare: u32,
    pub blocks: usize,
}

/// Moves the pigment of a row's cells. Says whether a mass may have come above the ceiling.
#[inline(always)]
pub(crate) fn carry<V: Lanes, const CLASSIC: bool>(row: &mut Row<'_>) -> bool {
    const { assert!(PIGMENT_MAX == 1 << 30) };
    let none = V::splat(0);
    // The bits of all masses.
    let mut bits = none;
    let mut masses = Masses { mass: [none; 3], rise: [none; 3], last: [[none; 2]; 3] };
    // Nothing flows out of the block before.
    let mut quiet = true;
    for index in 0..row.blocks {
        let still = row.still & (1 << index) != 0;
        let (was_quiet, comes) = (quiet, row.rise.some & (0b11 << index) != 0);
        quiet = still;
        if still && was_quiet && !comes {
            masses.last = [[none; 2]; 3];
            continue;
        }
        row.rise.some = row.rise.some & !(1 << index) | u32::from(!(still && was_quiet)) << index;
        if row.bare & (1 << index) != 0 {
            block::<V, CLASSIC, true>(row, index, &mut masses, &mut bits);
        } else {
            block::<V, CLASSIC, false>(row, index, &mut masses, &mut bits);
        }
    }
    bits.and(V::splat(-PIGMENT_MAX)).any()
}

/// The way of a flow: signed, from the owner to the neighbour, or from the neighbour to the owner.
const SIGNED: u8 = 0;
const AHEAD: u8 = 1;
const BACK: u8 = 2;

/// Values of a block's cells and of the far ends of a pipe.
type Ends<'a> = [&'a Block; 2];

/// The value of the cell that the flow leaves; `back` is negative where that is the far end.
#[inline(always)]
fn from<V: Lanes, const WAY: u8>(here: V, far: V, back: V) -> V {
    match WAY {
        AHEAD => here,
        BACK => far,
        _ => back.pick(far, here),
    }
}

/// As [`from`], of the vector `j`.
#[inline(always)]
fn left<V: Lanes, const WAY: u8>(ends: Ends<'_>, back: V, j: usize) -> V {
    from::<V, WAY>(V::load(ends[0], j), V::load(ends[1], j), back)
}

#[inline(always)]
fn ends<'a>(here: &'a Line, above: &'a Line, pipe: usize, index: usize) -> Ends<'a> {
    [here.block(index), Pair { here, above }.far(pipe, index)]
}

/// What the outflows of a vector take of any pigment.
struct Taking<V> {
    /// Share of 2^(16 + `shift`), below 2^16 where not everything is taken.
    share: V,
    shift: V,
    out: V,
    /// The flow with its sign.
    flow: V,
    /// −1 where everything is taken.
    all: V,
}

/// The cells of a block, and the far ends of one of its pipes.
struct Around<'a> {
    flow: &'a Block,
    back: &'a Block,
    height: Ends<'a>,
    length: Ends<'a>,
    top: [Ends<'a>; 2],
}

impl<'a> Around<'a> {
    #[inline(always)]
    fn new(row: &'a Row<'_>, pipe: usize, index: usize) -> Around<'a> {
        let [here, above] = row.depth;
        Around {
            flow: row.flow[pipe].block(index),
            back: row.flow[pipe + 4].block(index),
            height: ends(row.height.here, row.height.above, pipe, index),
            length: ends(&here.length, &above.length, pipe, index),
            top: [ends(&here.top[0], &above.top[0], pipe, index), ends(&here.top[1], &above.top[1], pipe, index)],
        }
    }

    /// The flow `flow` of the vector `j`; with `BARE`, outflows may be more than half of the height, and all of it.
    #[inline(always)]
    fn taking<V: Lanes, const WAY: u8, const BARE: bool>(&self, flow: V, j: usize) -> Taking<V> {
        let out = if WAY == SIGNED { flow.abs() } else { flow };
        let leading = out.leading();
        // The outflow shifted to 16 bits, times 2^15, as an f32.
        let top = leading.and(V::splat(0x007f_ff00)).or(V::splat((30 + ONE) << 23));
        let share = top.quotient([left::<V, WAY>(self.top[0], flow, j), left::<V, WAY>(self.top[1], flow, j)]);
        // The shift of the share of 2^15, less one.
        let shift = left::<V, WAY>(self.length, flow, j).sub(leading.exponent());
        if !BARE {
            return Taking { share, shift, out, flow, all: V::splat(0) };
        }
        // Where that is below nothing, the share is doubled instead.
        let all = out.equal(left::<V, WAY>(self.height, flow, j));
        Taking { share: share.shl(shift.srl31()), shift: shift.max(V::splat(0)), out, flow, all }
    }
}

impl<V: Lanes> Taking<V> {
    /// What is taken of the masses `m` of the cells that the flow leaves.
    #[inline(always)]
    fn taken<const WAY: u8, const BARE: bool>(&self, m: V) -> V {
        let share = m.srl16().mul(self.share).add(m.mul_low_halves(self.share)).srl(self.shift);
        // No share of no more than the height is more than the outflow.
        let taken = if BARE { self.all.pick(m, share).min(self.out) } else { share };
        if WAY == SIGNED { taken.with_sign_of(self.flow) } else { taken }
    }
}

/// Pigment on its way, of each channel.
struct Masses<V> {
    /// What stays in the cells, as far as it is known.
    mass: [V; 3],
    /// What goes to the row above in the same column.
    rise: [V; 3],
    /// What the pipes E and NE of the vector before moved.
    last: [[V; 2]; 3],
}

/// Moves the pigment of a block's cells.
#[inline(always)]
fn block<V: Lanes, const CLASSIC: bool, const BARE: bool>(
    row: &mut Row<'_>,
    index: usize,
    masses: &mut Masses<V>,
    bits: &mut V,
) {
    for j in 0..BLOCK / V::N {
        for c in 0..3 {
            let below = V::load(row.rise.straight[c].block(index), j).add(V::load(row.rise.west[c].east(index), j));
            masses.mass[c] = V::load(row.pigment[c].block(index), j).add(below);
        }
        // No loop: compilers keep it one.
        pipe::<V, CLASSIC, BARE, 0>(row, [index, j], masses);
        pipe::<V, CLASSIC, BARE, 1>(row, [index, j], masses);
        pipe::<V, CLASSIC, BARE, 2>(row, [index, j], masses);
        pipe::<V, CLASSIC, BARE, 3>(row, [index, j], masses);
        for c in 0..3 {
            masses.mass[c].store(row.pigment[c].block_mut(index), j);
            masses.rise[c].store(row.rise.straight[c].block_mut(index), j);
            *bits = bits.or(masses.mass[c]);
        }
    }
}

/// Moves what a pipe of each cell of a vector moves.
#[inline(always)]
fn pipe<V: Lanes, const CLASSIC: bool, const BARE: bool, const PIPE: usize>(
    row: &mut Row<'_>,
    [index, j]: [usize; 2],
    Masses { mass, rise, last }: &mut Masses<V>,
) {
    let around = Around::new(row, PIPE, index);
    let flow = V::load(around.flow, j);
    let ahead =
        if CLASSIC { around.taking::<V, AHEAD, BARE>(flow, j) } else { around.taking::<V, SIGNED, BARE>(flow, j) };
    let back = around.taking::<V, BACK, BARE>(V::load(around.back, j), j);
    for c in 0..3 {
        let here = V::load(row.pigment[c].block(index), j);
        let far = V::load(Pair { here: &row.pigment[c], above: &row.above[c] }.far(PIPE, index), j);
        let moved = if CLASSIC {
            ahead.taken::<AHEAD, BARE>(here).sub(back.taken::<BACK, BARE>(far))
        } else {
            ahead.taken::<SIGNED, BARE>(from::<V, SIGNED>(here, far, flow))
        };
        mass[c] = mass[c].sub(moved);
        match PIPE {
            0 => {
                mass[c] = mass[c].add(moved.west(last[c][0]));
                last[c][0] = moved;
            }
            1 => rise[c] = moved,
            2 => {
                rise[c] = rise[c].add(moved.west(last[c][1]));
                last[c][1] = moved;
            }
            _ => moved.store(row.rise.west[c].block_mut(index), j),
        }
    }
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
            let (empty, none) = ([Line::ZERO; 3], Line::ZERO);
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
                let bare = depth.fill::<V>(&height, &row, 1) | u32::from(cases.iter().any(|&(h, o, _)| o > h / 2));
                let mut rise = Rise::ZERO;
                let before = row;
                let over = carry::<V, false>(&mut Row {
                    flow: &flow,
                    height: Pair { here: &height, above: &none },
                    depth: [&depth, &depth],
                    pigment: &mut row,
                    above: &empty,
                    rise: &mut rise,
                    still: 0,
                    bare,
                    blocks: 1,
                });
                assert!(!over || row.iter().any(|line| line.cells(run).contains(&PIGMENT_MAX)), "{name}");
                for (x, &(h, o, m)) in cases.iter().enumerate() {
                    for c in 0..3 {
                        let truth = if o == 0 { 0 } else { pigment_share(m >> c, o, h) };
                        let gone = before[c].cells(run)[x] - row[c].cells(run)[x];
                        assert_eq!(gone, truth, "{name}: {o} of {h} takes of {}", m >> c);
                        assert_eq!(rise.straight[c].cells(run)[x], truth, "{name}: {o} of {h} brings of {}", m >> c);
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
