//! Transport of pigment with the water. GPU: `pigment.wgsl`; reference: `water/reference.rs`.

use super::super::super::lanes::{BLOCK, Block, Lanes};
use super::{Bits, Flows, Line, RowPair, indices};
use crate::sim::water::fixed_point::PIGMENT_MAX;

/// Heights of a row in the form that divisions by them take.
#[derive(Clone, Copy)]
pub(crate) struct Divisors {
    /// Exponent of the height as an f32, minus one: its bit length.
    length: Line,
    /// The height shifted to 16 bits, rounded up, as a divisor.
    top: [Line; 2],
}

/// The exponent of 1.0 in the bits of an f32.
const ONE: i32 = 127;

impl Divisors {
    /// Heights of 0.
    pub const ZERO: Divisors = Divisors { length: Line::ZERO, top: [Line::ZERO; 2] };

    /// Prepares the heights of a row, and finds the cells with more pigment than water.
    #[inline(always)]
    pub fn fill<V: Lanes>(&mut self, height: &Line, pigment: &[Line; 3], saturated: &mut Bits, blocks: usize) {
        let one = V::splat(1);
        for (index, saturated) in saturated.iter_mut().enumerate().take(blocks) {
            let height = height.block(index);
            let [red, green, blue] = pigment;
            let [red, green, blue] = [red.block(index), green.block(index), blue.block(index)];
            let mut cells = 0;
            let length = self.length.block_mut(index);
            let [first, second] = &mut self.top;
            let (first, second) = (first.block_mut(index), second.block_mut(index));
            for j in 0..BLOCK / V::N {
                let h = V::load(height, j);
                let spare = h.sub(V::load(red, j).max(V::load(green, j)).max(V::load(blue, j)));
                cells |= u64::from(spare.negatives()) << (j * V::N);
                let zeros = h.leading_zeros();
                V::splat(31 + ONE - 1).sub(zeros).store(length, j);
                let top = h.shl(zeros).sub(one).srl16().add(one).divisor();
                top[0].store(first, j);
                top[1].store(second, j);
            }
            *saturated = cells;
        }
    }
}

/// Pigment that moves from a row to the row above.
#[derive(Clone, Copy)]
pub(crate) struct Upflow {
    /// Into the cells of the same column.
    straight: [Line; 3],
    /// Into the cells one column to the west.
    west: [Line; 3],
    /// Blocks with any such pigment.
    some: u32,
}

impl Upflow {
    /// No pigment.
    pub const ZERO: Upflow = Upflow { straight: [Line::ZERO; 3], west: [Line::ZERO; 3], some: 0 };
}

/// A row whose pigment moves, and the row above.
pub(crate) struct Row<'a> {
    /// Flows after the outflow limit.
    pub flow: &'a Flows,
    pub height: RowPair<'a>,
    pub divisors: [&'a Divisors; 2],
    pub pigment: &'a mut [Line; 3],
    pub above: &'a [Line; 3],
    /// Pigment from the row below (input), and to the row above (output).
    pub upflow: &'a mut Upflow,
    /// Blocks without flow.
    pub still: u32,
    /// Cells of both rows with more pigment than water, or that may lose more than half of their height.
    pub bare: [&'a Bits; 2],
    pub blocks: usize,
}

/// Moves the pigment of a row. Returns whether a mass may exceed the ceiling.
#[inline(always)]
pub(crate) fn advect<V: Lanes, const CLASSIC: bool>(row: &mut Row<'_>) -> bool {
    const { assert!(PIGMENT_MAX == 1 << 30) };
    let none = V::splat(0);
    // The bitwise or of all masses.
    let mut bits = none;
    let mut masses = Masses { mass: [none; 3], upflow: [none; 3], last: [[none; 2]; 3] };
    // Whether the previous block has no outflow.
    let mut quiet = true;
    for index in indices(row.blocks) {
        let still = row.still & (1 << index) != 0;
        let (was_quiet, comes) = (quiet, row.upflow.some & (0b11 << index) != 0);
        quiet = still;
        if still && was_quiet && !comes {
            masses.last = [[none; 2]; 3];
            continue;
        }
        row.upflow.some = row.upflow.some & !(1 << index) | u32::from(!(still && was_quiet)) << index;
        block::<V, CLASSIC>(row, index, &mut masses, &mut bits);
    }
    bits.and(V::splat(-PIGMENT_MAX)).any()
}

/// Direction of a flow: given by its sign.
const SIGNED: u8 = 0;
/// Direction of a flow: from the owner of the pipe to the neighbour.
const AHEAD: u8 = 1;
/// Direction of a flow: from the neighbour to the owner of the pipe.
const BACK: u8 = 2;

/// Values of the cells of a block, and of the cells at the far ends of one of its pipes.
type Ends<'a> = [&'a Block; 2];

/// The value of the upwind cell; `back` is negative where that is the far end.
#[inline(always)]
fn from<V: Lanes, const WAY: u8>(here: V, far: V, back: V) -> V {
    match WAY {
        AHEAD => here,
        BACK => far,
        _ => back.pick(far, here),
    }
}

/// As [`from`], for vector `j`.
#[inline(always)]
fn left<V: Lanes, const WAY: u8>(ends: Ends<'_>, back: V, j: usize) -> V {
    from::<V, WAY>(V::load(ends[0], j), V::load(ends[1], j), back)
}

#[inline(always)]
fn ends<'a>(here: &'a Line, above: &'a Line, pipe: usize, index: usize) -> Ends<'a> {
    [here.block(index), RowPair { here, above }.far(pipe, index)]
}

/// The fractions of the upwind pigment that leave with the flows of a vector.
struct Taking<V> {
    /// Numerator of the fraction, whose denominator is 2^(16 + `shift`). Below 2^16, except where all pigment leaves.
    share: V,
    shift: V,
    out: V,
    /// The signed flow.
    flow: V,
    /// −1 where all pigment leaves, else 0.
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
        let [here, above] = row.divisors;
        Around {
            flow: row.flow[pipe].block(index),
            back: row.flow[pipe + 4].block(index),
            height: ends(row.height.here, row.height.above, pipe, index),
            length: ends(&here.length, &above.length, pipe, index),
            top: [ends(&here.top[0], &above.top[0], pipe, index), ends(&here.top[1], &above.top[1], pipe, index)],
        }
    }

    /// The fractions for the flow of vector `j`. `BARE`: outflows may exceed half of the height, or equal it.
    #[inline(always)]
    fn taking<V: Lanes, const WAY: u8, const BARE: bool>(&self, flow: V, j: usize) -> Taking<V> {
        let out = if WAY == SIGNED { flow.abs() } else { flow };
        let leading = out.leading();
        // The outflow shifted to 16 bits, times 2^15, as an f32.
        let top = leading.and(V::splat(0x007f_ff00)).or(V::splat((30 + ONE) << 23));
        let numerator = top.quotient([left::<V, WAY>(self.top[0], flow, j), left::<V, WAY>(self.top[1], flow, j)]);
        // The shift that belongs to a numerator of 2^15, minus one.
        let shift = left::<V, WAY>(self.length, flow, j).sub(leading.exponent());
        if !BARE {
            return Taking { share: numerator, shift, out, flow, all: V::splat(0) };
        }
        // A negative shift is replaced by a doubled numerator.
        let all = out.equal(left::<V, WAY>(self.height, flow, j));
        Taking { share: numerator.shl(shift.srl31()), shift: shift.max(V::splat(0)), out, flow, all }
    }
}

impl<V: Lanes> Taking<V> {
    /// The masses that leave, of the upwind masses `m`.
    #[inline(always)]
    fn taken<const WAY: u8, const BARE: bool>(&self, m: V) -> V {
        let mass = m.srl16().mul(self.share).add(m.mul_low_halves(self.share)).srl(self.shift);
        // In a cell with at most as much pigment as water, the mass is at most the outflow without a clamp.
        let taken = if BARE { self.all.pick(m, mass).min(self.out) } else { mass };
        if WAY == SIGNED { taken.with_sign_of(self.flow) } else { taken }
    }
}

/// The masses of a vector in transport, by channel.
struct Masses<V> {
    /// Masses in the cells after the flows so far.
    mass: [V; 3],
    /// Masses that move to the row above in the same column.
    upflow: [V; 3],
    /// Masses that the pipes E and NE of the previous vector have moved.
    last: [[V; 2]; 3],
}

/// Moves the pigment of a block's cells.
#[inline(always)]
fn block<V: Lanes, const CLASSIC: bool>(row: &mut Row<'_>, index: usize, masses: &mut Masses<V>, bits: &mut V) {
    let mut bare = ends_among(row.bare, index);
    for j in 0..BLOCK / V::N {
        for c in 0..3 {
            let below = V::load(row.upflow.straight[c].block(index), j).add(V::load(row.upflow.west[c].east(index), j));
            masses.mass[c] = V::load(row.pigment[c].block(index), j).add(below);
        }
        if bare & ((1 << V::N) - 1) != 0 {
            pipes::<V, CLASSIC, true>(row, [index, j], masses);
        } else {
            pipes::<V, CLASSIC, false>(row, [index, j], masses);
        }
        bare >>= V::N;
        for c in 0..3 {
            masses.mass[c].store(row.pigment[c].block_mut(index), j);
            masses.upflow[c].store(row.upflow.straight[c].block_mut(index), j);
            *bits = bits.or(masses.mass[c]);
        }
    }
}

/// The cells of a block, as bits, with a pipe to one of the marked cells of their row (`here`) or of the row above.
#[inline(always)]
fn ends_among([here, above]: [&Bits; 2], index: usize) -> u64 {
    let east = |cells: &Bits| cells[index] >> 1 | cells.get(index + 1).map_or(0, |next| next << 63);
    let west = |cells: &Bits| cells[index] << 1 | index.checked_sub(1).map_or(0, |before| cells[before] >> 63);
    here[index] | east(here) | above[index] | east(above) | west(above)
}

/// Moves the pigment of all four pipes of a vector's cells.
#[inline(always)]
fn pipes<V: Lanes, const CLASSIC: bool, const BARE: bool>(row: &mut Row<'_>, at: [usize; 2], masses: &mut Masses<V>) {
    // Unrolled by hand: compilers do not unroll a loop here.
    pipe::<V, CLASSIC, BARE, 0>(row, at, masses);
    pipe::<V, CLASSIC, BARE, 1>(row, at, masses);
    pipe::<V, CLASSIC, BARE, 2>(row, at, masses);
    pipe::<V, CLASSIC, BARE, 3>(row, at, masses);
}

/// Moves the pigment of one pipe of a vector's cells.
#[inline(always)]
fn pipe<V: Lanes, const CLASSIC: bool, const BARE: bool, const PIPE: usize>(
    row: &mut Row<'_>,
    [index, j]: [usize; 2],
    Masses { mass, upflow, last }: &mut Masses<V>,
) {
    let around = Around::new(row, PIPE, index);
    let flow = V::load(around.flow, j);
    let ahead =
        if CLASSIC { around.taking::<V, AHEAD, BARE>(flow, j) } else { around.taking::<V, SIGNED, BARE>(flow, j) };
    let back = around.taking::<V, BACK, BARE>(V::load(around.back, j), j);
    for c in 0..3 {
        let here = V::load(row.pigment[c].block(index), j);
        let far = V::load(RowPair { here: &row.pigment[c], above: &row.above[c] }.far(PIPE, index), j);
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
            1 => upflow[c] = moved,
            2 => {
                upflow[c] = upflow[c].add(moved.west(last[c][1]));
                last[c][1] = moved;
            }
            _ => moved.store(row.upflow.west[c].block_mut(index), j),
        }
    }
}

#[cfg(test)]
mod tests;
