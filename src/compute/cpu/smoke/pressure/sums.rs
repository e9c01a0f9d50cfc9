//! Sums in `f64` whose order depends on nothing but the data: eight running sums along a row or block, then its total, then the totals
//! in their order.

/// Values that are added up at a time.
const LANES: usize = 8;

/// Values of a block.
pub(super) const BLOCK: usize = 8192;

/// The sum of what `of` makes of each index below `len`.
#[inline(always)]
pub(super) fn sum<const N: usize>(len: usize, of: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let mut lanes = [[0.0; LANES]; N];
    let whole = len - len % LANES;
    for at in (0..whole).step_by(LANES) {
        for lane in 0..LANES {
            let values = of(at + lane);
            for k in 0..N {
                lanes[k][lane] += values[k];
            }
        }
    }
    for at in whole..len {
        let values = of(at);
        for k in 0..N {
            lanes[k][at - whole] += values[k];
        }
    }
    lanes.map(|l| ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])))
}

/// Totals, added in their order.
pub(super) fn total<const N: usize>(parts: impl IntoIterator<Item = [f64; N]>) -> [f64; N] {
    let mut sum = [0.0; N];
    for part in parts {
        for k in 0..N {
            sum[k] += part[k];
        }
    }
    sum
}
