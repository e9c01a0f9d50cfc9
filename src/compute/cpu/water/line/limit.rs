//! The outflow limit: outflows are scaled down to the height of their cell. GPU: `limit.wgsl`; reference:
//! `water/reference.rs`.

use super::super::super::lanes::{BLOCK, Block, Lanes};
use super::product::part;
use super::{ALL_STRIPS, BLOCKS, Bits, Flows, Line, RowPair, STRIP, STRIPS};
use crate::sim::water::fixed_point::WHOLE;

/// The outflow limits of a row (output).
pub(crate) struct OutflowLimits<'a> {
    /// Factors of the outflows in parts of 65536: height divided by outflow, at most 1.
    pub share: &'a mut Line,
    /// Blocks whose factors are all 1.
    pub whole: &'a mut u32,
    /// Cells that lose more than half of their height, with pigment.
    pub depleted: &'a mut Bits,
}

impl OutflowLimits<'_> {
    /// Sets the factors of a block without flow to 0. Returns its strips.
    #[inline(always)]
    pub fn rest(&mut self, index: usize) -> u32 {
        self.share.block_mut(index).fill(0);
        *self.whole &= !(1 << index);
        self.depleted[index] = 0;
        ALL_STRIPS << (index * STRIPS)
    }

    /// Sets a block with the outflows `sums` from the heights `height`. `overdrawn`: some outflow exceeds its height.
    /// `depleted`: cells that lose more than half of their height. Returns the strips with cells whose outflows exceed
    /// their heights.
    #[inline(always)]
    pub fn set<V: Lanes>(
        &mut self,
        index: usize,
        (overdrawn, depleted): (bool, u64),
        [sums, height]: [&Block; 2],
    ) -> u32 {
        self.depleted[index] = depleted;
        if overdrawn {
            *self.whole &= !(1 << index);
            return shares::<V>(sums, height, self.share.block_mut(index)) << (index * STRIPS);
        }
        if *self.whole & (1 << index) == 0 {
            self.share.block_mut(index).fill(WHOLE as i32);
            *self.whole |= 1 << index;
        }
        0
    }
}

/// Computes the factors of a block with the outflows `sums`. Returns the strips with cells whose outflows exceed their
/// heights.
#[inline(always)]
fn shares<V: Lanes>(sums: &Block, height: &Block, out: &mut Block) -> u32 {
    let one = V::splat(1);
    let mut limited = 0;
    for j in 0..BLOCK / V::N {
        let (sum, h) = (V::load(sums, j), V::load(height, j));
        let rest = h.sub(sum);
        if !rest.any_negative() {
            V::splat(WHOLE as i32).store(out, j);
            continue;
        }
        limited |= 1 << (j * V::N / STRIP);
        let shift = V::splat(16).sub(sum.max(one).leading_zeros()).max(V::splat(0));
        let above = h.sra(shift);
        let below = sum.sra(shift).add(one);
        // The f32 quotient plus a little less than ½ rounds to the floor of the exact quotient or to 1 above it;
        // `factor` is the floor.
        let quotient = V::float_div(V::float_mul(above.float(), V::float_splat(65536.0)), below.float());
        let next = V::nearest(V::float_add(quotient, V::float_splat(0.5 - 1.0 / 64.0)));
        let factor = next.add(above.shl16().sub(next.mul(below)).sign());
        rest.pick(factor, V::splat(WHOLE as i32)).store(out, j);
    }
    limited
}

/// Multiplies the flows of a strip by the factors of their upwind cells.
#[inline(always)]
pub(crate) fn apply<V: Lanes, const CLASSIC: bool>(flows: &mut Flows, shares: RowPair<'_>, strip: usize) {
    let (index, first) = (strip / STRIPS % BLOCKS, strip % STRIPS * (STRIP / V::N));
    let own = shares.here.block(index);
    for pipe in 0..4 {
        let far = shares.far(pipe, index);
        let q = flows[pipe].block_mut(index);
        for j in first..first + STRIP / V::N {
            let (flow, own) = (V::load(q, j), V::load(own, j));
            let factor = if CLASSIC { own } else { flow.pick(V::load(far, j), own) };
            part(flow, factor).store(q, j);
        }
        if CLASSIC {
            let r = flows[pipe + 4].block_mut(index);
            for j in first..first + STRIP / V::N {
                part(V::load(r, j), V::load(far, j)).store(r, j);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::lanes::tests::{Check, every};
    use super::*;
    use crate::sim::water::fixed_point::{HEIGHT_MAX, outflow_limit};

    struct Shares;

    impl Check for Shares {
        fn with<V: Lanes>(&self, name: &str) {
            let mut z = 7u64;
            let mut random = |top: i64| {
                z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
                ((z >> 20) as i64 % (top + 1)) as i32
            };
            let (mut sums, mut heights, mut out) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
            for round in 0..20_000 {
                let bits = round % 31;
                for x in 0..BLOCK {
                    sums[x] = if x == 0 { (1 << 30) - round } else { random(1i64 << bits) };
                    let top = i64::from(sums[x].min(HEIGHT_MAX));
                    heights[x] = match x % 4 {
                        0 => random(i64::from(HEIGHT_MAX)),
                        1 => top as i32,
                        2 => (top as i32 - 1).max(0),
                        _ => random(top),
                    };
                }
                shares::<V>(&sums, &heights, &mut out);
                for x in 0..BLOCK {
                    assert_eq!(
                        out[x] as u32,
                        outflow_limit(heights[x], sums[x]),
                        "{name} {} of {}",
                        heights[x],
                        sums[x]
                    );
                }
            }
        }
    }

    #[test]
    fn the_shares_are_those_of_the_fixed_point() {
        every(&Shares);
    }
}
