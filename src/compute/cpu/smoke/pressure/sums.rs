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
    // Running sums stay in registers only where no lane is indexed by a number that the compiler does not know.
    let mut lanes = [[0.0; LANES]; M];
    let whole = len - len % LANES;
    for at in (0..whole).step_by(LANES) {
        let mut values = [[0.0; LANES]; N];
        for p in 0..N {
            values[p].copy_from_slice(&planes[p][at..at + LANES]);
        }
        lanes = add(values, LANES, &of, lanes);
    }
    let mut rest = [[0.0; LANES]; N];
    for p in 0..N {
        rest[p][..len - whole].copy_from_slice(&planes[p][whole..len]);
    }
    lanes = add(rest, len - whole, &of, lanes);
    lanes.map(|l| ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])))
}

/// Adds the first so many values, each to the running sum of its lane.
#[inline(always)]
fn add<const N: usize, const M: usize>(
    values: [[f32; LANES]; N],
    count: usize,
    of: impl Fn([f64; N]) -> [f64; M],
    mut lanes: [[f64; LANES]; M],
) -> [[f64; LANES]; M] {
    for lane in 0..LANES {
        let mut one = [0.0; N];
        for p in 0..N {
            one[p] = f64::from(values[p][lane]);
        }
        let made = of(one);
        for m in 0..M {
            lanes[m][lane] = if lane < count { lanes[m][lane] + made[m] } else { lanes[m][lane] };
        }
    }
    lanes
}

/// The sum of the squares of a row whose even and odd columns stand apart: the bits are those of [`sum`] of the row.
#[inline(always)]
pub(super) fn squares_of_pair([even, odd]: [&[f32]; 2]) -> f64 {
    squares_of_half(even) + squares_of_half(odd)
}

/// Of every second value of a row, four lanes of it.
#[inline(always)]
fn squares_of_half(values: &[f32]) -> f64 {
    const HALF: usize = LANES / 2;
    let (whole, rest) = values.as_chunks::<HALF>();
    let mut last = [0.0; HALF];
    last[..rest.len()].copy_from_slice(rest);
    let mut lanes = [0.0; HALF];
    for values in whole {
        for lane in 0..HALF {
            lanes[lane] += f64::from(values[lane]) * f64::from(values[lane]);
        }
    }
    // 0 changes no sum of squares.
    for lane in 0..HALF {
        lanes[lane] += f64::from(last[lane]) * f64::from(last[lane]);
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
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
