//! Sums in `f64` whose order depends on nothing but the data: some running sums along a row or block, then its total, then the totals
//! in their order.

/// Running sums: enough that none waits for the one before it.
const LANES: usize = 16;

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
    let mut sums = [0.0; M];
    for m in 0..M {
        sums[m] = folded(lanes[m]);
    }
    sums
}

/// The total of running sums: those half as many apart are added up until one is left.
#[inline(always)]
fn folded<const N: usize>(mut lanes: [f64; N]) -> f64 {
    let mut apart = N / 2;
    while apart > 0 {
        for lane in 0..apart {
            lanes[lane] += lanes[lane + apart];
        }
        apart /= 2;
    }
    lanes[0]
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

/// The sums of the values of a row, and of their squares: the bits are those of [`sum`]. Each on its own: together, compilers make
/// pairs of the two, and the pairs do not fill a vector.
#[inline(always)]
pub(super) fn sum_and_squares(row: &[f32]) -> [f64; 2] {
    let (whole, rest) = row.as_chunks::<LANES>();
    let mut last = [0.0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    let mut sums = [0.0; LANES];
    for values in whole {
        values_of(values, &mut sums);
    }
    values_of(&last, &mut sums);
    let mut squared = [0.0; LANES];
    for values in whole {
        squares(values, &mut squared);
    }
    squares(&last, &mut squared);
    [folded(sums), folded(squared)]
}

/// The sum of the squares of a row whose even and odd columns stand apart: the bits are those of [`sum`] of the row.
#[inline(always)]
pub(super) fn squares_of_pair([even, odd]: [&[f32]; 2]) -> f64 {
    const HALF: usize = LANES / 2;
    let mut lanes = [[0.0; HALF]; 2];
    let whole = even.len().min(odd.len()) / HALF * HALF;
    let (evens, odds) = (even[..whole].as_chunks::<HALF>().0, odd[..whole].as_chunks::<HALF>().0);
    for at in 0..whole / HALF {
        squares(&evens[at], &mut lanes[0]);
        squares(&odds[at], &mut lanes[1]);
    }
    for (half, lanes) in [even, odd].into_iter().zip(&mut lanes) {
        // 0 changes no sum of squares.
        let mut last = [0.0; HALF];
        last[..half.len() - whole].copy_from_slice(&half[whole..]);
        squares(&last, lanes);
    }
    folded(lanes[0]) + folded(lanes[1])
}

/// Adds values, each to the running sum of its lane.
#[inline(always)]
fn values_of<const N: usize>(values: &[f32; N], lanes: &mut [f64; N]) {
    for lane in 0..N {
        lanes[lane] += f64::from(values[lane]);
    }
}

/// Adds the squares of values, each to the running sum of its lane.
#[inline(always)]
fn squares<const N: usize>(values: &[f32; N], lanes: &mut [f64; N]) {
    for lane in 0..N {
        lanes[lane] += f64::from(values[lane]) * f64::from(values[lane]);
    }
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
