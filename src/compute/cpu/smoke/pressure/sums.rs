//! Sums in `f64` whose order depends on nothing but the data: eight running sums along a row or block, then its total, then the totals
//! in their order.

/// Values that are added up at a time.
const LANES: usize = 8;

/// Values of a block.
pub(super) const BLOCK: usize = 8192;

/// The sums of what `of` makes of values of `N` planes, each of the same length.
#[inline(always)]
pub(super) fn sum<const N: usize, const M: usize>(planes: [&[f32]; N], of: impl Fn([f64; N]) -> [f64; M]) -> [f64; M] {
    let len = planes[0].len();
    let planes = planes.map(|plane| plane[..len].as_chunks::<LANES>());
    let mut lanes = [[0.0; LANES]; M];
    for at in 0..len / LANES {
        let values = planes.map(|plane| plane.0[at]);
        for lane in 0..LANES {
            let made = of(values.map(|values| f64::from(values[lane])));
            for m in 0..M {
                lanes[m][lane] += made[m];
            }
        }
    }
    for lane in 0..len % LANES {
        let made = of(planes.map(|plane| f64::from(plane.1[lane])));
        for m in 0..M {
            lanes[m][lane] += made[m];
        }
    }
    lanes.map(|l| ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])))
}

/// Totals, added in their order.
pub(super) fn total<const N: usize>(parts: impl IntoIterator<Item = [f64; N]>) -> [f64; N] {
    let mut sum = [0.0; N];
    for part in parts {
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum += part;
        }
    }
    sum
}
